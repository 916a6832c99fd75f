"""Appliances of kitchens and shops that heat, cool, blow or sell. See also laundry.py."""

from __future__ import annotations

import math

from homebody.worlds.house.model.house import Colour
from homebody.worlds.house.rendering.materials import (
    GLASS,
    GLOSS,
    GLOW,
    MATT,
    METAL,
    STONE,
)  # fmt: skip
from homebody.worlds.house.rendering.meshes.form import Form, Shape
from homebody.worlds.house.rendering.meshes.furniture_parts import basin, boards, carcass, door
from homebody.worlds.house.rendering.meshes.kitchen import KICK
from homebody.worlds.house.rendering.meshes.palette import (
    BLACK,
    GLASSY,
    SPINES,
    STEEL,
    WARM,
    shade,
    surface_of,
)  # fmt: skip

# -- kitchens -------------------------------------------------------------------------------------


def stove(form: Form) -> None:
    """Four burners, knobs, an oven with a window."""
    sketch, (w, d, _), (x, y, h) = form.sketch, form.size, form.half
    body, is_on, front = form.tone(), form.is_on, y - 0.045
    carcass(form, (-x, -y, 0.04), (x, front, h - 0.02), body, 0.03)
    sketch.box((-x, -y, 0), (x, front - 0.04, 0.04), BLACK)
    sketch.box((-x, -y, h - 0.02), (x, y - 0.01, h - 0.008), form.tone("top", BLACK), GLOSS)
    glow: Colour = (1.0, 0.25, 0.08)
    for i, (u, v) in enumerate(((-0.25, -0.24), (0.25, -0.24), (-0.25, 0.2), (0.25, 0.2))):
        r, (plate, surface) = 0.07, ((0.28, 0.28, 0.29), METAL)
        if i in (0, 3):
            r, (plate, surface) = 0.085, (glow, GLOW) if is_on else (plate, surface)
        sketch.cylinder((u * w, v * d, h - 0.008), r, 0.006, plate, surface, segments=18)
        sketch.cylinder((u * w, v * d, h - 0.006), r * 0.55, 0.006, BLACK, GLOSS, segments=14)
    sketch.box((-x, front, h - 0.13), (x, front + 0.03, h - 0.02), body, GLOSS)
    for i in range(5):
        knob = sketch.at((-w * 0.36 + i * w * 0.18, front + 0.03, h - 0.075), -90, "x")
        knob.cylinder((0, 0, 0), 0.02, 0.025, (0.2, 0.2, 0.2), GLOSS, segments=10)
    low, high = (-x + 0.005, h * 0.17), (x - 0.005, h - 0.14)
    door(form, low, high, front, body, None, "down", GLOSS)
    if not form.is_open:
        window = (0.95, 0.6, 0.25) if is_on else (0.07, 0.07, 0.08)
        z0, z1 = low[1] + 0.09, high[1] - 0.13
        sketch.box((-w * 0.36, front + 0.018, z0), (w * 0.36, front + 0.024, z1), window, GLOSS)
    low_panel, high_panel = (-x + 0.005, front, 0.05), (x - 0.005, front + 0.02, h * 0.17 - 0.005)
    sketch.box(low_panel, high_panel, body, GLOSS)


def fridge(form: Form) -> None:
    """A tall door over shelves, a freezer's drawer below."""
    sketch, (w, _, _), (x, y, h), body = form.sketch, form.size, form.half, form.tone()
    front, t, inner = y - 0.065, 0.04, (0.96, 0.97, 0.98)
    sketch.box((-x, -y, 0.02), (-x + t, front, h), body, GLOSS)
    sketch.box((x - t, -y, 0.02), (x, front, h), body, GLOSS)
    sketch.box((-x, -y, h - t), (x, front, h), body, GLOSS)
    sketch.box((-x, -y, 0.02), (x, front, 0.05), body, GLOSS)
    sketch.box((-x + 0.001, -y, 0.02), (x - 0.001, -y + 0.03, h), inner)
    if form.is_open:
        for side in (-x + t, x - t - 0.004):
            sketch.box((side, -y + 0.03, 0.05), (side + 0.004, front, h - t), inner)
        for space in form.spaces("shelf")[1:]:
            z = space.low[2]
            low, high = (-x + t, -y + 0.03, z - 0.012), (x - t, front - 0.02, z)
            sketch.box(low, high, (0.85, 0.92, 0.94), GLOSS)
        if form.is_on:
            sketch.slab((0, -0.05, h - t - 0.012), (0.2, 0.1, 0.012), (1, 1, 0.95), GLOW)
    split, at = h * 0.34, -w + 0.06
    for z0, z1 in ((0.05, split - 0.004), (split + 0.004, h - 0.004)):
        leaf = sketch.at((x, front, z0), -100 if form.is_open else 0)
        leaf.cushion((-w + 0.004, 0, 0), (-0.004, 0.06, z1 - z0), body, 0.012, GLOSS)
        low_end, high_end = (0.05, 0.5) if z1 > split + 0.1 else (0.45, 0.92)
        a, b = (z1 - z0) * low_end, (z1 - z0) * high_end
        bar = [(at, 0.06, a), (at, 0.1, a), (at, 0.1, b), (at, 0.06, b)]
        leaf.tube(bar, 0.012, form.tone("handle", STEEL))


def freezer(form: Form) -> None:
    """A chest whose lid swings up."""
    sketch, (_, d, _), (x, y, h), body = form.sketch, form.size, form.half, form.tone()
    lid, t = 0.07, 0.045
    basin(form, (-x + t, -y + t), (x - t, y - t), h * 0.14, body, GLOSS, h - lid)
    sketch.box((-x, -y, 0.03), (-x + t, y, h - lid), body, GLOSS)
    sketch.box((x - t, -y, 0.03), (x, y, h - lid), body, GLOSS)
    sketch.box((-x, -y, 0.03), (x, -y + t, h - lid), body, GLOSS)
    sketch.box((-x, y - t, 0.03), (x, y, h - lid), body, GLOSS)
    sketch.box((-x + 0.05, y, 0.08), (-x + 0.2, y + 0.004, 0.16), BLACK)
    top = sketch.at((0, -y, h - lid), 70 if form.is_open else 0, "x")
    top.cushion((-x, 0, 0.005), (x, d, lid), shade(body, 1.05), 0.02, GLOSS)
    top.slab((0, d, lid * 0.4), (0.2, 0.02, 0.025), form.tone("handle", STEEL), METAL)


def dishwasher(form: Form) -> None:
    """A flap with a panel of buttons under a worktop."""
    sketch, (w, _, _), (x, y, h), body = form.sketch, form.size, form.half, form.tone()
    top, front = form.tone("top"), y - 0.045
    carcass(form, (-x, -y, KICK), (x, front, h - 0.04), (0.75, 0.77, 0.79), 0.03)
    sketch.box((-x, -y, 0), (x, front - 0.05, KICK), BLACK)
    sketch.box((-x, -y, h - 0.04), (x, y, h), top, STONE)
    sketch.box((-x, -y, h), (x, -y + 0.015, h + 0.05), top, STONE)
    for space in form.spaces("inside"):
        out = 0.22 if form.is_open and space.name.endswith("1") else 0.0
        y0, y1, z = -y + 0.05 + out, front - 0.02 + out, space.low[2] - 0.005
        for i in range(9):
            wire = -x + 0.06 + (w - 0.12) * i / 8
            sketch.tube(((wire, y0, z), (wire, y1, z)), 0.004, (0.9, 0.92, 0.95), segments=4)
    door(form, (-x, KICK), (x, h - 0.17), front, body, None, "down", GLOSS)
    low, high = (-x + 0.004, front, h - 0.165), (x - 0.004, front + 0.025, h - 0.045)
    sketch.box(low, high, shade(body, 0.8), GLOSS)
    z, y = h - 0.11, front + 0.025
    light, surface = ((0.3, 1.0, 0.4), GLOW) if form.is_on else ((0.2, 0.25, 0.2), GLOSS)
    sketch.slab((w * 0.3, y, z), (0.05, 0.004, 0.02), light, surface)
    for i in range(4):
        sketch.slab((-w * 0.35 + i * 0.05, y, z), (0.025, 0.006, 0.012), BLACK, GLOSS)


def microwave(form: Form) -> None:
    """A box with a dark window and a panel."""
    sketch, (w, _, _), (x, y, h), body = form.sketch, form.size, form.half, form.tone()
    front, split = y - 0.03, -x + w * 0.26
    carcass(form, (-x, -y, 0.01), (x, front, h), body, 0.02)
    sketch.box((-x, -y, 0.01), (split, front, h), body, GLOSS)
    sketch.box((-x, front, 0.012), (split - 0.002, front + 0.025, h), shade(body, 0.7), GLOSS)
    panel, surface = ((0.3, 1.0, 0.5), GLOW) if form.is_on else ((0.1, 0.16, 0.12), GLOSS)
    middle = (-x + split) / 2
    sketch.slab((middle, front + 0.025, h * 0.74), (w * 0.16, 0.003, h * 0.12), panel, surface)
    for i in range(9):
        place = (middle + (i % 3 - 1) * w * 0.055, front + 0.025, h * (0.2 + 0.15 * (i // 3)))
        sketch.slab(place, (w * 0.04, 0.004, h * 0.09), (0.8, 0.8, 0.8))
    leaf, wide = sketch.at((x, front, 0.012), -95 if form.is_open else 0), x - split
    leaf.box((-wide, 0, 0), (0, 0.025, h - 0.014), form.tone("door", BLACK), GLOSS)
    inside = (0.95, 0.8, 0.4) if form.is_on else (0.05, 0.05, 0.06)
    leaf.box((-wide + 0.05, 0.025, 0.05), (-0.04, 0.027, h - 0.06), inside, GLOSS)
    leaf.tube(((-wide + 0.025, 0.05, h * 0.2), (-wide + 0.025, 0.05, h * 0.78)), 0.009, STEEL)
    sketch.cylinder((w * 0.12, 0, h * 0.1), w * 0.24, 0.008, (0.8, 0.88, 0.9), GLOSS, segments=16)


def toaster(form: Form) -> None:
    """Two slots that glow while it is on."""
    sketch, (w, d, _), (x, y, h), body = form.sketch, form.size, form.half, form.tone()
    sketch.cushion((-x, -y, 0.01), (x, y, h), body, 0.03, surface_of(body))
    inner, surface = ((1.0, 0.35, 0.1), GLOW) if form.is_on else ((0.08, 0.08, 0.08), MATT)
    for slot in (-d * 0.2, d * 0.12):
        sketch.box((-w * 0.36, slot, h), (w * 0.36, slot + d * 0.1, h + 0.001), inner, surface)
    sketch.box((x, -0.015, h * 0.55), (x + 0.012, 0.015, h * 0.62), BLACK, GLOSS)


def blender(form: Form) -> None:
    """A glass jug on a motor."""
    sketch, (r, _, h) = form.sketch, form.half
    motor = [(0, 0), (r, 0), (r, 0), (r * 0.75, h * 0.32), (0, h * 0.33)]
    sketch.lathe((0, 0, 0), motor, form.tone(), GLOSS, 14)
    jug = [(r * 0.6, 0), (r * 0.8, h * 0.56), (r * 0.76, h * 0.56), (0, 0.01)]
    sketch.lathe((0, 0, h * 0.33), jug, GLASSY, GLASS, 14)
    sketch.cylinder((0, 0, h * 0.88), r * 0.8, h * 0.12, BLACK, GLOSS, top=r * 0.4)
    shares = ((0.75, 0.8), (0.98, 0.75), (0.9, 0.45), (0.65, 0.42))
    sketch.tube([(r * u, 0, h * v) for u, v in shares], 0.01, BLACK, GLOSS)


def coffee_machine(form: Form) -> None:
    """A body over a pot, a panel above."""
    sketch, (w, d, _), (x, y, h), body = form.sketch, form.size, form.half, form.tone()
    surface = surface_of(body)
    sketch.cushion((-x, -y, 0), (x, -d * 0.05, h), body, 0.015, surface)
    sketch.cushion((-x, -y, h * 0.72), (x, y - 0.02, h), body, 0.015, surface)
    sketch.box((-x, -y, 0), (x, y, h * 0.08), (0.2, 0.2, 0.21), METAL)
    sketch.cylinder((0, d * 0.2, h * 0.62), 0.03, h * 0.1, STEEL, METAL, segments=10)
    pot = [(0, 0), (w * 0.22, 0), (w * 0.26, h * 0.2), (w * 0.18, h * 0.32), (0, h * 0.32)]
    sketch.lathe((0, d * 0.2, h * 0.08), pot, (0.2, 0.12, 0.08), GLOSS, 12)
    light, surface = ((0.4, 0.9, 1.0), GLOW) if form.is_on else (BLACK, GLOSS)
    sketch.slab((0, y - 0.02, h * 0.82), (w * 0.5, 0.004, h * 0.08), light, surface)


# -- air ------------------------------------------------------------------------------------------


def fan(form: Form) -> None:
    """A table fan, blowing to +y."""
    sketch, (w, d, h), body = form.sketch, form.size, form.tone()
    r, z = w / 2, h - w / 2
    sketch.cylinder((0, 0, 0), w * 0.36, 0.03, body, GLOSS, segments=14)
    sketch.cylinder((0, -d * 0.2, 0.02), 0.016, z, body, GLOSS, segments=8)
    head = sketch.at((0, d * 0.1, z), -90, "x")
    for share in (1.0, 0.66, 0.33):
        rim = r * share
        ring = [(rim, 0), (rim, 0.006), (rim - 0.006, 0.006), (rim - 0.006, 0)]
        head.lathe((0, 0, 0.05 * (1.3 - share)), ring, STEEL, METAL, 18)
    for i in range(8):
        a = math.pi * i / 4
        head.tube(((0, 0, 0.06), (math.cos(a) * r, math.sin(a) * r, 0.0)), 0.003, STEEL, segments=4)
    for i in range(4):
        blade = head.at((0, 0, -0.01), 90 * i)
        blade.ball((r * 0.45, 0, 0), (r * 0.4, r * 0.22, 0.008), shade(body, 0.7), GLOSS, 8)


def hair_dryer(form: Form) -> None:
    """A barrel over a handle, blowing to +y."""
    sketch, (w, d, h), body = form.sketch, form.size, form.tone()
    z = h - w / 2
    sketch.tube(((0, -d * 0.35, z), (0, d * 0.44, z)), w * 0.42, body, GLOSS, 12)
    sketch.tube(((0, d * 0.4, z), (0, d * 0.49, z)), w / 2, BLACK, GLOSS, 12)
    sketch.tube(((0, d * 0.48, z), (0, d / 2, z)), w * 0.36, STEEL, METAL, 12)
    low, high = (-w * 0.25, -d * 0.25, 0), (w * 0.25, -d * 0.02, h * 0.75)
    sketch.cushion(low, high, shade(body, 0.8), 0.015, GLOSS)
    sketch.box((-w * 0.08, -d * 0.02, h * 0.4), (w * 0.08, 0, h * 0.55), BLACK, GLOSS)
    cord = ((0, -d * 0.14, 0.01), (0, -d * 0.3, 0.005), (w * 0.3, -d * 0.45, 0.005))
    sketch.tube(cord, 0.004, BLACK, GLOSS)


# -- offices and shops ----------------------------------------------------------------------------


def water_cooler(form: Form) -> None:
    """A bottle upside down on a stand with two taps."""
    sketch, (w, _, _), (x, y, h), body = form.sketch, form.size, form.half, form.tone()
    split, r = h * 0.7, w * 0.42
    sketch.cushion((-x, -y, 0), (x, y - 0.02, split), body, 0.02, GLOSS)
    low, high = (-w * 0.35, y - 0.04, split * 0.6), (w * 0.35, y - 0.015, split * 0.93)
    sketch.box(low, high, shade(body, 0.6))
    sketch.slab((0, y, split * 0.58), (w * 0.7, 0.1, 0.02), STEEL, METAL)
    for side, lever in ((-0.05, (0.8, 0.2, 0.2)), (0.05, (0.2, 0.4, 0.85))):
        sketch.slab((side, y, split * 0.84), (0.03, 0.05, 0.035), lever, GLOSS)
    bottle = [(r * 0.3, split), (r * 0.95, split + 0.08), (r, split + 0.12)]
    bottle += [(r, h - 0.05), (r * 0.9, h), (0, h)]
    sketch.lathe((0, 0, 0), bottle, form.tone("bottle", (0.55, 0.75, 0.88)), GLOSS, 18)


def vending_machine(form: Form) -> None:
    """Rows of snacks behind glass, a panel with a slot."""
    sketch, (w, _, _), (x, y, h), body = form.sketch, form.size, form.half, form.tone()
    split, front = -x + w * 0.24, y - 0.03
    carcass(form, (-x, -y, 0), (x, front, h), body, 0.06)
    sketch.box((-x, -y, 0), (split, y, h), body, GLOSS)
    sketch.box((split, front - 0.02, 0), (x, y, h * 0.22), body, GLOSS)
    sketch.box((split, front - 0.02, h * 0.955), (x, y, h), body, GLOSS)
    sketch.box((split + 0.06, y, h * 0.07), (x - 0.08, y + 0.004, h * 0.17), BLACK)
    if form.is_on:
        low, high = (split + 0.04, front - 0.05, h * 0.93), (x - 0.08, front - 0.03, h * 0.945)
        sketch.box(low, high, WARM, GLOW)
    spaces = form.spaces("shelf")
    boards(form, spaces, (0.85, 0.86, 0.88), 0.062)
    for k, space in enumerate(spaces):
        for i in range(7):
            snack, z = split + 0.06 + (x - split - 0.15) * (i + 0.5) / 7, space.low[2]
            colour = shade(SPINES[(i * 3 + k * 5 + form.variant) % len(SPINES)], 1.3)
            low, high = (snack - 0.03, front - 0.16, z), (snack + 0.03, front - 0.08, z + 0.14)
            sketch.box(low, high, colour, GLOSS)
    low, high = (split, front + 0.012, h * 0.22), (x - 0.03, front + 0.018, h * 0.955)
    sketch.box(low, high, form.tone("glass"), GLASS)
    light, surface = ((0.4, 1.0, 0.6), GLOW) if form.is_on else ((0.1, 0.12, 0.1), GLOSS)
    middle = (-x + split) / 2
    sketch.slab((middle, y, h * 0.68), (0.12, 0.006, 0.05), light, surface)
    sketch.slab((middle, y, h * 0.52), (0.11, 0.006, 0.14), (0.15, 0.15, 0.16))
    sketch.slab((middle, y, h * 0.45), (0.08, 0.008, 0.015), STEEL, METAL)


SHAPES: dict[str, Shape] = {
    "stove": stove, "fridge": fridge, "freezer": freezer, "dishwasher": dishwasher,
    "microwave": microwave, "toaster": toaster, "blender": blender,
    "coffee_machine": coffee_machine, "fan": fan, "hair_dryer": hair_dryer,
    "water_cooler": water_cooler, "vending_machine": vending_machine,
}  # fmt: skip
