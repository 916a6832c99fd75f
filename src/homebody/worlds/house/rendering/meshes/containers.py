"""Containers: bottles, jars, cans, boxes, sacks, baskets, bins."""

from __future__ import annotations

from homebody.worlds.house.model.house import Colour
from homebody.worlds.house.rendering.materials import (
    FABRIC,
    GLASS,
    GLOSS,
    MATT,
    METAL,
    Surface,
)  # fmt: skip
from homebody.worlds.house.rendering.meshes.form import SIDES, Form, Shape
from homebody.worlds.house.rendering.meshes.palette import (
    BLACK,
    PAPER,
    STEEL,
    mix,
    shade,
    surface_of,
)
from homebody.worlds.house.rendering.meshes.prints import front, print_words, words_on
from homebody.worlds.house.rendering.meshes.sketch import Sketch
from homebody.worlds.house.rendering.meshes.solids import (
    ROUND,
    Paint,
    colour_of,
    cylinder,
    filling,
    lathe,
    made_of,
    pale,
    tone,
)  # fmt: skip

# -- bottles, jars, cans, cartons -----------------------------------------------------------------


def _ink(label: Colour) -> Colour:
    """Return a colour that is seen on a label."""
    return shade(label, 0.25) if sum(label) > 1.5 else mix(label, PAPER, 0.85)


def _print_around(form: Form, low: float, high: float, label: Colour) -> None:
    """Print what is in a round vessel on its front and back, between shares of its height."""
    (w, d, h), lines = form.size, words_on(form.category)
    for turn in (0, 180):
        plane = front(form.sketch, d / 2 * 1.03, h * (low + high) / 2, turn)
        space, bend = (w * 0.64, h * (high - low) * 0.8), (w / 2 * 1.03, d / 2 * 1.03)
        print_words(plane, lines, space, _ink(label), bend)


def printed(low: float, high: float, label: Paint = PAPER) -> Shape:
    """Return what is printed around a vessel on a label between shares of its height."""
    return lambda form: _print_around(form, low, high, colour_of(form, label))


def bottle(form: Form) -> None:
    """A bottle with a label and a cap; wine and beer have long necks."""
    sketch, (w, d, h), body = form.sketch, form.size, form.tone()
    r, stretch = w / 2, (1.0, d / w)
    is_slim = form.category in ("wine_bottle", "beer_bottle", "oil_bottle", "sauce_bottle")
    shoulder, neck = (0.62, 0.32) if is_slim else (0.74, 0.5)
    profile = [(0, 0), (r * 0.92, 0), (r, h * 0.03), (r, h * shoulder)]
    profile += [(r * neck, h * (shoulder + 0.16)), (r * neck, h * 0.92)]
    sketch.lathe((0, 0, 0), profile, body, surface_of(body), ROUND, stretch)
    cap = form.tone("cap", shade(body, 0.5) if is_slim else (0.93, 0.93, 0.92))
    sketch.cylinder((0, 0, h * 0.9), r * neck * 1.12, h * 0.1, cap, GLOSS, segments=10)
    if form.category != "water_bottle":
        label = form.tone("label", PAPER if max(body) < 0.75 else shade(body, 0.6))
        band = [(r * 1.012, 0), (r * 1.012, h * 0.3)]
        sketch.lathe((0, 0, h * 0.18), band, label, MATT, ROUND, stretch)
        _print_around(form, 0.2, 0.46, label)


_SPRAY_BOTTLE = made_of(
    lathe([(0, 0), (1, 0), (1, 0), (1, 0.5), (0.35, 0.7), (0.3, 0.8)], finish=GLOSS),
    lathe([(1.01, 0), (1.01, 0.28)], PAPER, MATT, base=0.12),
)


def bottle_spray(form: Form) -> None:
    """A bottle with a pump, its spout to +x."""
    _SPRAY_BOTTLE(form)
    _print_around(form, 0.13, 0.39, PAPER)
    sketch, (w, d, h), head = form.sketch, form.size, (0.93, 0.93, 0.92)
    sketch.box((-w * 0.14, -d * 0.2, h * 0.8), (w / 2, d * 0.2, h), head, GLOSS)
    sketch.tube(((w * 0.3, 0, h * 0.82), (w * 0.22, 0, h * 0.66)), 0.006, head, GLOSS)


def carton(form: Form) -> None:
    """A carton of milk or juice: a gable and a cap."""
    sketch, (w, d, _), (x, y, h), body = form.sketch, form.size, form.half, form.tone()
    side, ridge = h * 0.78, h * 0.95
    sketch.box((-x, -y, 0), (x, y, side), PAPER)
    sketch.box((-w * 0.503, -d * 0.503, 0.01), (w * 0.503, d * 0.503, side * 0.55), body)
    for end in (-y, y):
        sketch.quad((-x, end, side), (x, end, side), (x, 0, ridge), (-x, 0, ridge), body)
    for end in (-x, x):
        sketch.quad((end, -y, side), (end, y, side), (end, 0, ridge), (end, 0, ridge), PAPER)
    sketch.box((-x, -0.002, h * 0.93), (x, 0.002, h), PAPER)
    sketch.cylinder((0, d * 0.3, side + 0.01), w * 0.14, 0.02, body, GLOSS, segments=8)
    for turn in (0, 180):
        plane = front(sketch, y * 1.02, side * 0.78, turn)
        print_words(plane, words_on(form.category), (w * 0.8, side * 0.3), shade(body, 0.6))


# -- boxes ----------------------------------------------------------------------------------------


def package(form: Form) -> None:
    """A package: print on its broad sides. Open ones show their inside."""
    sketch, (w, d, _), (x, y, h), body = form.sketch, form.size, form.half, form.tone()
    is_plastic = "container" in form.category or "lunch" in form.category
    surface = GLASS if surface_of(body) == GLASS else GLOSS if is_plastic else MATT
    if form.is_open:
        open_box(sketch, form.size, body, surface)
    else:
        sketch.box((-x, -y, 0), (x, y, h), body, surface)
    label, lines = mix(body, PAPER, 0.85), words_on(form.category)
    if h > max(w, d) * 0.6:
        for turn in (0, 180):
            sketch.at((0, 0, 0), turn).box(
                (-w * 0.42, 0, h * 0.45), (w * 0.42, y + 0.0006, h * 0.85), label
            )
            plane = front(sketch, y + 0.001, h * 0.65, turn)
            print_words(plane, lines, (w * 0.76, h * 0.32), _ink(label))
    elif not form.is_open:
        if is_plastic:
            sketch.cushion((-x, -y, h * 0.82), (x, y, h), shade(body, 0.75), 0.008, GLOSS)
        else:
            sketch.box((-w * 0.42, -d * 0.36, h), (w * 0.42, d * 0.36, h + 0.0006), label)
            top = sketch.at((0, 0, h + 0.001), 180)
            print_words(top, lines, (w * 0.76, d * 0.6), _ink(label))


def open_box(
    sketch: Sketch, size: tuple[float, float, float], colour: Colour, surface: Surface
) -> None:
    """A box of a size (metres) without its top."""
    w, d, h = size
    x, y, t = w / 2, d / 2, max(0.003, min(w, d) * 0.02)
    sketch.box((-x, -y, 0), (x, y, t), shade(colour, 0.9), surface)
    for side in (-x, x - t):
        sketch.box((side, -y, 0), (side + t, y, h), colour, surface)
    for end in (-y, y - t):
        sketch.box((-x, end, 0), (x, end + t, h), colour, surface)


def carton_box(form: Form) -> None:
    """A cardboard box: taped, or open with flaps."""
    sketch, (w, _, _), (x, y, h) = form.sketch, form.size, form.half
    body = form.tone("body", (0.72, 0.56, 0.38))
    if not form.is_open:
        sketch.box((-x, -y, 0), (x, y, h), body)
        low, high = (-w * 0.501, -0.025, h * 0.8), (w * 0.501, 0.025, h + 0.001)
        sketch.box(low, high, shade(body, 1.2), GLOSS)
        for side in SIDES:  # a label with lines, on the front and the back
            place = sketch.at(
                (side * w * 0.2, side * (y + 0.0005), h * 0.5), 0.0 if side > 0 else 180.0
            )
            for i, (wide, low_z, high_z) in enumerate(
                ((0.16, -0.16, 0.16), (0.13, 0.06, 0.11), (0.1, -0.03, 0.0), (0.12, -0.11, -0.08))
            ):
                u, at, tone = w * wide, 0.0003 * i, PAPER if not i else BLACK
                z0, z1 = h * low_z, h * high_z
                place.quad((u, at, z0), (-u, at, z0), (-u, at, z1), (u, at, z1), tone)
        return
    open_box(sketch, form.size, body, MATT)
    for side in SIDES:
        edge, out = side * w / 2, side * w / 2 + side * w * 0.2
        flap = ((edge, -y, h), (out, -y, h + 0.03), (out, y, h + 0.03), (edge, y, h))
        sketch.quad(*flap, shade(body, 1.05))


def gift(form: Form) -> None:
    """A box with a ribbon and a bow."""
    sketch, (w, d, _), (x, y, h), body = form.sketch, form.size, form.half, form.tone()
    ribbon = form.tone("ribbon", (0.95, 0.85, 0.4) if body[0] < 0.8 else (0.75, 0.15, 0.2))
    top = h * 0.8
    sketch.box((-x, -y, 0), (x, y, top), body, GLOSS)
    sketch.box((-w * 0.502, -d * 0.07, 0), (w * 0.502, d * 0.07, top + 0.001), ribbon, GLOSS)
    sketch.box((-w * 0.07, -d * 0.502, 0), (w * 0.07, d * 0.502, top + 0.001), ribbon, GLOSS)
    for side in SIDES:
        place = (side * w * 0.11, 0, top + h * 0.09)
        sketch.ball(place, (w * 0.11, d * 0.05, h * 0.09), ribbon, GLOSS, 8)


# -- soft, woven, standing ------------------------------------------------------------------------


def sack(form: Form) -> None:
    """A soft bag with a printed front, pinched at its top."""
    sketch, (w, d, _), (x, y, h), body = form.sketch, form.size, form.half, form.tone()
    sketch.cushion((-x, -y, 0), (x, y, h * 0.92), body, d * 0.42, GLOSS)
    low, high = (-w * 0.46, -d * 0.06, h * 0.88), (w * 0.46, d * 0.06, h)
    sketch.box(low, high, shade(body, 0.85), GLOSS)
    label = mix(body, PAPER, 0.8) if sum(body) < 2.2 else (0.7, 0.25, 0.2)
    for turn in (0, 180):
        sketch.at((0, 0, 0), turn).box(
            (-w * 0.4, 0, h * 0.3), (w * 0.4, y + 0.001, h * 0.65), label
        )
        plane = front(sketch, y + 0.0014, h * 0.475, turn)
        print_words(plane, words_on(form.category), (w * 0.72, h * 0.28), _ink(label))


def basket(form: Form) -> None:
    """Woven: rings of slightly different tones."""
    sketch, (w, d, h), body = form.sketch, form.size, form.tone()
    rings, stretch = 5, (1, d / w)
    for i in range(rings):
        z0, z1 = h * i / rings, h * (i + 1) / rings
        r0, r1 = w / 2 * (0.84 + 0.16 * i / rings), w / 2 * (0.84 + 0.16 * (i + 1) / rings)
        ring = [(r0, z0), (r1 * 1.01, (z0 + z1) / 2), (r1, z1), (r1 * 0.94, z1), (r0 * 0.94, z0)]
        sketch.lathe((0, 0, 0), ring, shade(body, 1 - 0.1 * (i % 2)), FABRIC, 14, stretch)
    bottom = [(0, 0), (w * 0.42, 0), (w * 0.42, 0.006), (0, 0.008)]
    sketch.lathe((0, 0, 0), bottom, shade(body, 0.8), FABRIC, 14, stretch)


_BUCKET = made_of(
    lathe([(0, 0), (0.72, 0), (0.72, 0), (1, 0.97), (1, 1), (0.93, 1), (0.68, 0.05), (0, 0.04)]),
    filling(0.85, 0.7),
)


def bucket(form: Form) -> None:
    """A bucket with a handle, or a flower pot with earth."""
    sketch, (w, _, h) = form.sketch, form.size
    _BUCKET(form)
    if form.category in ("bucket", "ice_bucket"):
        shares = ((-0.5, 0, 0.9), (-0.35, 0.3, 1), (0.35, 0.3, 1), (0.5, 0, 0.9))
        sketch.tube([(w * u, w * v, h * z) for u, v, z in shares], 0.004, STEEL, segments=5)
    else:
        sketch.cylinder((0, 0, h * 0.85), w * 0.44, 0.005, (0.3, 0.2, 0.13))


def trash_bin(form: Form) -> None:
    """A round bin; the lid leans back when it is open."""
    sketch, (w, _, h), body = form.sketch, form.size, form.tone()
    r = w / 2
    profile = [(0, 0), (r * 0.82, 0), (r * 0.82, 0), (r * 0.98, h - 0.05), (r * 0.93, h - 0.05)]
    sketch.lathe((0, 0, 0), [*profile, (r * 0.8, 0.03), (0, 0.03)], body, GLOSS, 18)
    lid = sketch.at((0, -r, h - 0.05), 80 if form.is_open else 0, "x")
    profile = [(0, 0), (r, 0), (r, 0), (r, 0.02), (r * 0.5, 0.05), (0, 0.055)]
    lid.lathe((0, r, 0), profile, shade(body, 0.75), GLOSS, 18)


def brick(form: Form) -> None:
    """A block with round edges."""
    (w, d, h), (x, y, _) = form.size, form.half
    form.sketch.cushion((-x, -y, 0), (x, y, h), form.tone(), min(w, d, h) * 0.2, MATT)


SHAPES: dict[str, Shape] = {
    "bottle": bottle, "bottle_spray": bottle_spray, "carton": carton,
    "can": made_of(
        lathe([(0, 0), (0.88, 0), (1, 0.06), (1, 0.94), (0.9, 1), (0.9, 1), (0, 0.985)],
               STEEL, METAL, is_round=True),
        lathe([(1.01, 0), (1.01, 0.84)], finish=GLOSS, base=0.08, is_round=True),
        lathe([(1.02, 0), (1.02, 0.4)], pale(0.8), MATT, base=0.3, is_round=True),
        printed(0.32, 0.68, pale(0.8)),
    ),
    "jar": made_of(
        lathe([(0, 0), (0.9, 0), (1, 0.06), (1, 0.74), (0.85, 0.82)]),
        cylinder((0, 0, 0.8), 0.46, 0.2, tone("cap", (0.85, 0.85, 0.83)), GLOSS),
        lathe([(1.014, 0), (1.014, 0.36)], PAPER, MATT, base=0.2, is_round=True),
        printed(0.22, 0.54),
    ),
    "box": package, "carton_box": carton_box, "gift": gift, "sack": sack, "woven_basket": basket,
    "bucket": bucket, "trash_bin": trash_bin, "brick": brick,
}  # fmt: skip
