"""Cloths, towels, pillows, folded clothes, rolled mats. Other clothes are in clothes.py."""

from __future__ import annotations

from homebody.worlds.house.rendering.materials import FABRIC
from homebody.worlds.house.rendering.meshes.form import Form, Shape
from homebody.worlds.house.rendering.meshes.palette import BLACK, PAPER, mix, shade
from homebody.worlds.house.rendering.meshes.soft import pillow
from homebody.worlds.house.rendering.meshes.solids import box, cushion, made_of, pale


def towel(form: Form) -> None:
    """A towel folded thrice, with stripes."""
    sketch, (w, _, _), (x, y, h), body = form.sketch, form.size, form.half, form.tone()
    for i in range(3):
        low, high = (-x + 0.004 * i, -y, h * i / 3), (x, y - 0.006 * i, h * (i + 1) / 3)
        sketch.cushion(low, high, shade(body, 1 - 0.05 * (i % 2)), h / 3 * 0.45)
    for stripe in (w * 0.3, w * 0.38):
        low, high = (stripe, -y, h), (stripe + w * 0.03, y - 0.02, h + 0.001)
        sketch.box(low, high, mix(body, PAPER, 0.6), FABRIC)


def roll_mat(form: Form) -> None:
    """A rolled mat along x."""
    sketch, (w, d, h), body = form.sketch, form.size, form.tone()
    r = min(d, h) / 2
    roll = sketch.at((-w / 2, 0, r), 90, "y")
    roll.cylinder((0, 0, 0), r, w, body, FABRIC, segments=14)
    for z in (-0.001, w):
        for share, factor in ((0.75, 0.6), (0.4, 0.85)):
            tone, thick = shade(body, factor), 0.001 + 0.0005 / share
            roll.cylinder((0, 0, z), r * share, thick, tone, segments=12)
    if form.category == "yoga_mat":
        for x in (-w * 0.25, w * 0.25):
            band = [(r * 1.02, 0), (r * 1.02, 0.025)]
            sketch.at((x, 0, r), 90, "y").lathe((0, 0, 0), band, BLACK, FABRIC, 14)


def loose_pillow(form: Form) -> None:
    """A pillow, thickest in its middle."""
    (x, y, h) = form.half
    pillow(form.sketch, (-x, -y, 0), (x, y, h), form.tone())


SHAPES: dict[str, Shape] = {
    "towel": towel, "roll_mat": roll_mat,
    "pillow": loose_pillow,
    "cloth": made_of(  # thin, with a hem
        cushion((-0.5, -0.5, 0), (0.5, 0.5, 1), 0.45),
        box((-0.42, -0.42, 1), (0.42, -0.36, (1, 0.0006)), pale(0.5), FABRIC),
    ),
}  # fmt: skip
