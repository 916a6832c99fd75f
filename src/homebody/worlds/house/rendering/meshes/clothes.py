"""Shoes, hats, glasses, watches, bags and cases. Folded clothes are in textiles.py."""

from __future__ import annotations

from homebody.worlds.house.rendering.materials import FABRIC, GLASS, GLOSS, MATT, METAL
from homebody.worlds.house.rendering.meshes.containers import open_box
from homebody.worlds.house.rendering.meshes.form import SIDES, Form, Shape
from homebody.worlds.house.rendering.meshes.palette import BLACK, GLASSY, PAPER, STEEL, shade
from homebody.worlds.house.rendering.meshes.solids import (
    box,
    cushion,
    cylinder,
    made_of,
    move,
    tint,
    tube,
)

WHITE = (0.95, 0.95, 0.95)


def shoe(form: Form) -> None:
    """A pair, toes to +y."""
    sketch, (w, d, _), (_, y, h), body = form.sketch, form.size, form.half, form.tone()
    wide, is_slipper = w * 0.44, form.category == "slippers"
    sole = (0.92, 0.92, 0.9) if form.category == "sneakers" else shade(body, 0.5)
    for side in SIDES:
        x = side * w * 0.27
        low, high = (x - wide / 2, -y, 0.0), (x + wide / 2, y, h * 0.22)
        sketch.cushion(low, high, sole, h * 0.1, GLOSS)
        low = (x - wide * 0.46, d * (0.0 if is_slipper else -0.1), h * 0.15)
        high = (x + wide * 0.46, d * 0.48, h * 0.62)
        sketch.cushion(low, high, body, h * 0.22, GLOSS)
        if is_slipper:
            continue
        low, high = (x - wide * 0.42, -d * 0.49, h * 0.15), (x + wide * 0.42, d * 0.08, h)
        sketch.cushion(low, high, body, h * 0.2, GLOSS)
        sketch.cylinder((x, -d * 0.22, h * 0.98), wide * 0.28, 0.004, BLACK, segments=8)
        for i in range(3):
            lace = d * (0.05 + 0.09 * i)
            low = (x - wide * 0.2, lace, h * (0.68 - 0.02 * i))
            high = (x + wide * 0.2, lace + 0.008, h * (0.7 - 0.02 * i))
            sketch.box(low, high, PAPER)


def boot(form: Form) -> None:
    """A pair with shafts."""
    sketch, (w, d, h), body = form.sketch, form.size, form.tone()
    wide, y = w * 0.44, -d * 0.22
    for side in SIDES:
        x = side * w * 0.27
        low, high = (x - wide / 2, -d / 2, 0), (x + wide / 2, d / 2, h * 0.5)
        sketch.cushion(low, high, body, h * 0.15, GLOSS)
        sketch.cylinder((x, y, h * 0.3), wide * 0.44, h * 0.7, shade(body, 1.1), GLOSS)
        sketch.cylinder((x, y, h), wide * 0.36, 0.002, BLACK)


def hat(form: Form) -> None:
    """A brim and a crown; caps have a peak, helmets none."""
    sketch, (w, d, h), body = form.sketch, form.size, form.tone()
    if form.category == "hat":
        profile = [(0, 0), (w / 2, 0), (w / 2, 0.008), (w * 0.3, 0.012), (w * 0.3, h * 0.8)]
        profile += [(w * 0.22, h), (0, h * 0.96)]
        sketch.lathe((0, 0, 0), profile, body, FABRIC, 16, (1, d / w))
        band = [(w * 0.305, 0), (w * 0.305, h * 0.2)]
        sketch.lathe((0, 0, 0.012), band, shade(body, 0.5), FABRIC, 16, (1, d / w))
        return
    is_cap = form.category == "cap"
    y = -d * 0.12 if is_cap else 0.0
    long = d / 2 - abs(y)
    shell = [(w * 0.48, 0), (w / 2, h * 0.2), (w * 0.42, h * 0.65), (w * 0.2, h * 0.95), (0, h)]
    sketch.lathe((0, y, 0), shell, body, FABRIC if is_cap else GLOSS, 14, (1, long * 2 / w))
    if is_cap:
        sketch.cushion((-w * 0.4, d * 0.1, 0), (w * 0.4, d / 2, 0.015), shade(body, 0.8), 0.006)
        sketch.ball((0, y, h), 0.01, shade(body, 0.6), FABRIC, 5)
        return
    for u in (-0.2, 0.0, 0.2):
        low, high = (u * w - 0.012, -d * 0.2, h * 0.9), (u * w + 0.012, d * 0.2, h * 1.0)
        sketch.box(low, high, BLACK)


def watch(form: Form) -> None:
    """A wristwatch, its face at +y."""
    sketch, (w, _, h) = form.sketch, form.size
    r = w * 0.42
    band = [(r, 0), (r, h * 0.5), (r * 0.93, h * 0.5), (r * 0.93, 0)]
    strap = sketch.at((0, 0, h * 0.25))
    strap.lathe((0, 0, -h * 0.25), band, form.tone(), GLOSS, 14)
    face = sketch.at((0, r, h / 2), -90, "x")
    face.cylinder((0, 0, 0), h * 0.48, 0.008, STEEL, METAL, segments=12)
    face.cylinder((0, 0, 0.008), h * 0.4, 0.001, PAPER, segments=12)


def glasses(form: Form) -> None:
    """Glasses; sunglasses are dark."""
    sketch, (w, d, h), frame = form.sketch, form.size, form.tone("body", BLACK)
    y, is_dark = d / 2 - 0.005, form.category == "sunglasses"
    pane, surface = ((0.08, 0.08, 0.1), GLOSS) if is_dark else (GLASSY, GLASS)
    for side in SIDES:
        lens = sketch.at((side * w * 0.24, y, h / 2), -90, "x")
        lens.cylinder((0, 0, 0), w * 0.18, 0.003, pane, surface)
        rim = [(w * 0.17, 0), (w * 0.2, 0), (w * 0.2, 0.005), (w * 0.17, 0.005)]
        lens.lathe((0, 0, -0.001), rim, frame, GLOSS, 12)
        temple = ((side * w * 0.46, y, h * 0.6), (side * w * 0.46, -d / 2, h * 0.4))
        sketch.tube(temple, 0.0035, frame, GLOSS, 4)
    sketch.tube(((-w * 0.06, y, h * 0.6), (w * 0.06, y, h * 0.6)), 0.003, frame, GLOSS, 4)


def bag(form: Form) -> None:
    """A bag with handles."""
    sketch, (w, d, h), body = form.sketch, form.size, form.tone()
    top = h * 0.72
    if form.category == "shopping_bag":
        open_box(sketch, (w, d, h * 0.8), body, MATT)
    else:
        sketch.cushion((-w / 2, -d / 2, 0), (w / 2, d / 2, top), body, min(d, top) * 0.3)
        sketch.box((-w * 0.42, -0.004, top - 0.002), (w * 0.42, 0.004, top + 0.003), STEEL, METAL)
    for y in (-d * 0.28, d * 0.28):
        arch = [(-w * 0.22, y, top * 0.9), (-w * 0.16, y, h)]
        arch += [(w * 0.16, y, h), (w * 0.22, y, top * 0.9)]
        sketch.tube(arch, 0.008, shade(body, 0.6), FABRIC, 5)


def case(form: Form) -> None:
    """Briefcases, toolboxes: a lid line, a handle, latches."""
    sketch, (w, d, _), (x, y, h), body = form.sketch, form.size, form.half, form.tone()
    top = h * (0.88 if h > w else 0.84)
    sketch.cushion((-x, -y, 0.01), (x, y, top), body, min(0.04, d * 0.2), GLOSS)
    low, high = (-w * 0.502, -d * 0.502, top * 0.6), (w * 0.502, d * 0.502, top * 0.62)
    sketch.box(low, high, shade(body, 0.5))
    grip, z = w * 0.16, top * 0.98
    handle = ((-grip, 0, z), (-grip, 0, h - 0.01), (grip, 0, h - 0.01), (grip, 0, z))
    sketch.tube(handle, 0.011, BLACK, GLOSS)
    for latch in (-w * 0.3, w * 0.3):
        low, high = (latch - 0.02, y - 0.001, top * 0.55), (latch + 0.02, y + 0.006, top * 0.68)
        sketch.box(low, high, STEEL, METAL)


def pouch(form: Form) -> None:
    """A small bag with a zip."""
    sketch, (w, d, h) = form.sketch, form.size
    rim = min(d, h) * 0.35
    sketch.cushion((-w / 2, -d / 2, 0), (w / 2, d / 2, h), form.tone(), rim)
    sketch.box((-w * 0.45, -0.003, h), (w * 0.45, 0.003, h + 0.001), STEEL, METAL)


SHAPES: dict[str, Shape] = {
    "shoe": shoe, "boot": boot, "hat": hat, "watch": watch, "glasses": glasses, "bag": bag,
    "case": case, "pouch": pouch,
    "suitcase": made_of(  # on wheels, ribs on both faces, a zip around it, its handle pulled out
        cushion((-0.5, -0.48, 0.05), (0.5, 0.48, 0.8), (0, 0.04), finish=GLOSS),
        *(box((x - 0.03, -0.5, 0.12), (x + 0.03, 0.5, 0.73), tint(0.8), GLOSS)
          for x in (-0.36, -0.18, 0.0, 0.18, 0.36)),
        box(((-0.5, -0.002), -0.03, 0.1), ((0.5, 0.002), 0.03, (0.8, 0.002)), tint(0.4), MATT),
        *(row for s in (-1, 1) for row in (
            tube([(s * 0.22, -0.25, 0.78), (s * 0.22, -0.25, 0.99)], (0, 0.008), STEEL),
            *(move((s * 0.4, y, 0.04), 90, "y", cylinder((0, 0, (0, -0.015)), (0, 0.026),
                (0, 0.03), BLACK, GLOSS)) for y in (-0.36, 0.36)))),
        tube([(-0.25, -0.25, 0.98), (0.25, -0.25, 0.98)], (0, 0.014), BLACK, GLOSS, 8),
    ),
    "backpack": made_of(  # its pocket at +y
        cushion((-0.5, -0.5, 0), (0.5, 0.2, 0.96), (0, 0.07)),
        cushion((-0.36, 0.1, 0.05), (0.36, 0.5, 0.5), (0, 0.04), tint(0.8)),
        tube([((0, -0.05), -0.1, 0.94), ((0, -0.04), -0.1, 1), ((0, 0.04), -0.1, 1),
              ((0, 0.05), -0.1, 0.94)], (0, 0.009), BLACK, FABRIC, 5),
        box((-0.3, (0.5, -0.001), 0.36), (0.3, (0.5, 0.003), 0.375), PAPER),
    ),
}  # fmt: skip
