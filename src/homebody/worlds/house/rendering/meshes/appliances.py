"""Recipes of machines and large things: of offices, shops, gyms and garages; bins and pianos."""

from __future__ import annotations

import math

from homebody.worlds.house.model.house import Colour
from homebody.worlds.house.rendering.materials import Surface
from homebody.worlds.house.rendering.meshes.decor import WARM
from homebody.worlds.house.rendering.meshes.mesh import Sketch, shade
from homebody.worlds.house.rendering.meshes.parts import BLACK, STEEL, Form, Recipe, boards, carcass
from homebody.worlds.house.rendering.meshes.tables_and_storage import BOOKS

WOOD, METAL, FABRIC, GLOSS, GLASS, GLOW = (
    Surface.WOOD,
    Surface.METAL,
    Surface.FABRIC,
    Surface.GLOSS,
    Surface.GLASS,
    Surface.GLOW,
)


def trash_bin(form: Form) -> None:
    """A round bin; the lid leans back when it is open."""
    sketch, (w, _, h) = form.sketch, form.size
    body, r = form.tone("body"), w / 2
    profile = [
        (0, 0),
        (r * 0.82, 0),
        (r * 0.82, 0),
        (r * 0.98, h - 0.05),
        (r * 0.93, h - 0.05),
        (r * 0.8, 0.03),
        (0, 0.03),
    ]
    sketch.lathe((0, 0, 0), profile, body, GLOSS, 18)
    lid = Sketch()
    lid.lathe(
        (0, r, 0),
        [(0, 0), (r, 0), (r, 0), (r, 0.02), (r * 0.5, 0.05), (0, 0.055)],
        shade(body, 0.75),
        GLOSS,
        18,
    )
    sketch.add(lid, (0, -r, h - 0.05), 80 if form.is_so("open") else 0, "x")


def piano(form: Form) -> None:
    """An upright piano: keys, a music stand, pedals."""
    sketch, (w, d, h) = form.sketch, form.size
    body = form.tone("body")
    back, keys = -d / 2 + d * 0.55, h * 0.58
    sketch.box((-w / 2, -d / 2, 0), (w / 2, back, h), body, GLOSS)
    for x in (-w / 2, w / 2 - 0.05):
        sketch.box((x, back, 0), (x + 0.05, d / 2, keys + 0.06), body, GLOSS)
    sketch.box((-w / 2, back, keys - 0.08), (w / 2, d / 2, keys), body, GLOSS)
    sketch.box(
        (-w * 0.3, back, keys + 0.12), (w * 0.3, back + 0.02, keys + 0.4), shade(body, 1.3), WOOD
    )
    if form.is_so("open"):
        low, high = (-w / 2 + 0.06, back + 0.05, keys), (w / 2 - 0.06, d / 2 - 0.02, keys + 0.018)
        sketch.box(low, high, (0.96, 0.95, 0.9), GLOSS)
        count = 36
        for i in range(count):
            x = -w / 2 + 0.06 + (w - 0.12) * (i + 1) / count
            if i % 7 in (0, 1, 3, 4, 5):
                sketch.slab((x, back + 0.1, keys + 0.018), (0.018, 0.1, 0.012), BLACK, GLOSS)
            sketch.slab((x, back + 0.1, keys + 0.0182), (0.002, 0.2, 0.0005), (0.4, 0.4, 0.4))
    else:
        sketch.box(
            (-w / 2 + 0.05, back, keys), (w / 2 - 0.05, d / 2, keys + 0.04), shade(body, 1.1), GLOSS
        )
    for x in (-0.08, 0.0, 0.08):
        sketch.slab((x, back + 0.05, 0.04), (0.03, 0.12, 0.015), (0.8, 0.65, 0.3), METAL)


def copier(form: Form) -> None:
    """An office copier: trays, a panel, a flap."""
    sketch, (w, d, h) = form.sketch, form.size
    body, tray = form.tone("body"), form.tone("tray", (0.3, 0.3, 0.32))
    sketch.cushion((-w / 2, -d / 2, 0.03), (w / 2, d / 2 - 0.03, h * 0.68), body, 0.015, GLOSS)
    for i in range(3):
        z = 0.08 + i * h * 0.17
        out = 0.2 if form.is_so("open") and i == 1 else 0.0
        sketch.box(
            (-w / 2 + 0.03, d / 2 - 0.2, z),
            (w / 2 - 0.03, d / 2 + out, z + h * 0.15),
            shade(body, 0.92),
            GLOSS,
        )
        sketch.slab((0, d / 2 + out, z + h * 0.1), (0.2, 0.012, 0.025), tray)
    sketch.box((-w / 2, -d / 2, h * 0.68), (-w * 0.3, d / 2 - 0.05, h * 0.84), body, GLOSS)
    sketch.box((-w * 0.3, -d / 2, h * 0.68), (w / 2, -d / 2 + 0.1, h * 0.84), body, GLOSS)
    sketch.box((-w * 0.28, -d * 0.3, h * 0.69), (w / 2 - 0.04, d / 2 - 0.08, h * 0.705), tray)
    sketch.cushion((-w / 2, -d / 2, h * 0.84), (w / 2, d / 2 - 0.05, h), body, 0.02, GLOSS)
    on = form.is_so("powered_on")
    sketch.box((-w / 2, d / 2 - 0.05, h * 0.84), (w * 0.1, d / 2, h * 0.95), tray, GLOSS)
    tone: Colour = (0.4, 0.8, 1.0) if on else (0.1, 0.12, 0.14)
    sketch.box(
        (-w * 0.4, d / 2, h * 0.86),
        (-w * 0.1, d / 2 + 0.003, h * 0.93),
        tone,
        GLOW if on else GLOSS,
    )


def water_cooler(form: Form) -> None:
    """A bottle upside down on a stand with two taps."""
    sketch, (w, d, h) = form.sketch, form.size
    body = form.tone("body")
    split = h * 0.7
    sketch.cushion((-w / 2, -d / 2, 0), (w / 2, d / 2 - 0.02, split), body, 0.02, GLOSS)
    sketch.box(
        (-w * 0.35, d / 2 - 0.04, split * 0.6),
        (w * 0.35, d / 2 - 0.015, split * 0.93),
        shade(body, 0.6),
    )
    sketch.slab((0, d / 2, split * 0.58), (w * 0.7, 0.1, 0.02), STEEL, METAL)
    for x, tone in ((-0.05, (0.8, 0.2, 0.2)), (0.05, (0.2, 0.4, 0.85))):
        sketch.slab((x, d / 2, split * 0.84), (0.03, 0.05, 0.035), tone, GLOSS)
    r = w * 0.42
    profile = [
        (r * 0.3, split),
        (r * 0.95, split + 0.08),
        (r, split + 0.12),
        (r, h - 0.05),
        (r * 0.9, h),
        (0, h),
    ]
    sketch.lathe((0, 0, 0), profile, form.tone("bottle", (0.55, 0.75, 0.88)), GLOSS, 18)


def vending_machine(form: Form) -> None:
    """Rows of snacks behind glass, a panel with a slot."""
    sketch, (w, d, h) = form.sketch, form.size
    body = form.tone("body")
    on = form.is_so("powered_on")
    split = -w / 2 + w * 0.24
    front = d / 2 - 0.03
    carcass(form, (-w / 2, -d / 2, 0), (w / 2, front, h), body, 0.06)
    sketch.box((-w / 2, -d / 2, 0), (split, d / 2, h), body, GLOSS)
    sketch.box((split, front - 0.02, 0), (w / 2, d / 2, h * 0.22), body, GLOSS)
    sketch.box((split, front - 0.02, h * 0.955), (w / 2, d / 2, h), body, GLOSS)
    sketch.box((split + 0.06, d / 2, h * 0.07), (w / 2 - 0.08, d / 2 + 0.004, h * 0.17), BLACK)
    if on:
        sketch.box(
            (split + 0.04, front - 0.05, h * 0.93),
            (w / 2 - 0.08, front - 0.03, h * 0.945),
            WARM,
            GLOW,
        )
    spaces = form.spaces("shelf")
    boards(form, spaces, (0.85, 0.86, 0.88), 0.062)
    for k, one in enumerate(spaces):
        for i in range(7):
            x = split + 0.06 + (w / 2 - split - 0.15) * (i + 0.5) / 7
            tone = BOOKS[(i * 3 + k * 5 + form.variant) % len(BOOKS)]
            low = (x - 0.03, front - 0.16, one.low[2])
            sketch.box(low, (x + 0.03, front - 0.08, one.low[2] + 0.14), shade(tone, 1.3), GLOSS)
    sketch.box(
        (split, front + 0.012, h * 0.22),
        (w / 2 - 0.03, front + 0.018, h * 0.955),
        form.tone("glass"),
        GLASS,
    )
    tone = (0.4, 1.0, 0.6) if on else (0.1, 0.12, 0.1)
    mid = (-w / 2 + split) / 2
    sketch.slab((mid, d / 2, h * 0.68), (0.12, 0.006, 0.05), tone, GLOW if on else GLOSS)
    sketch.slab((mid, d / 2, h * 0.52), (0.11, 0.006, 0.14), (0.15, 0.15, 0.16))
    sketch.slab((mid, d / 2, h * 0.45), (0.08, 0.008, 0.015), STEEL, METAL)


def treadmill(form: Form) -> None:
    """A belt, uprights, handles and a display. One walks towards its back."""
    sketch, (w, d, h) = form.sketch, form.size
    frame, on = form.tone("frame"), form.is_so("powered_on")
    sketch.box((-w / 2, -d / 2, 0.03), (w / 2, d / 2, 0.14), frame, GLOSS)
    sketch.box(
        (-w * 0.32, -d / 2 + 0.25, 0.14),
        (w * 0.32, d / 2 - 0.03, 0.155),
        form.tone("belt", BLACK),
        FABRIC,
    )
    sketch.cushion((-w / 2, -d / 2, 0.1), (w / 2, -d / 2 + 0.28, 0.24), frame, 0.05, GLOSS)
    for x in (-w * 0.44, w * 0.44):
        sketch.tube(((x, -d * 0.4, 0.12), (x, -d * 0.34, h - 0.2)), 0.03, frame)
        sketch.tube(((x, -d * 0.34, h - 0.22), (x, -d * 0.02, h - 0.28)), 0.022, BLACK, GLOSS)
    sketch.slab((0, -d * 0.36, h - 0.3), (w * 0.9, 0.08, 0.12), frame, GLOSS)
    panel = Sketch()
    panel.box((-w * 0.3, -0.02, 0), (w * 0.3, 0.02, 0.28), BLACK, GLOSS)
    panel.box(
        (-w * 0.26, 0.02, 0.04),
        (w * 0.26, 0.024, 0.25),
        form.tone("screen", (0.2, 0.4, 0.7)) if on else (0.05, 0.05, 0.06),
        GLOW if on else GLOSS,
    )
    sketch.add(panel, (0, -d * 0.37, h - 0.27), 15, "x")


def exercise_bike(form: Form) -> None:
    """A flywheel, a saddle, handlebars, a display."""
    sketch, (w, d, h) = form.sketch, form.size
    frame, on = form.tone("frame"), form.is_so("powered_on")
    for y in (-d * 0.46, d * 0.46):
        sketch.slab((0, y, 0), (w, 0.07, 0.05), BLACK, GLOSS)
    sketch.slab((0, 0, 0.04), (0.07, d * 0.92, 0.06), frame, GLOSS)
    wheel = Sketch()
    wheel.cylinder((0, 0, -0.03), h * 0.22, 0.06, shade(frame, 0.8), METAL, segments=22)
    wheel.cylinder((0, 0, -0.04), h * 0.1, 0.08, STEEL, METAL, segments=14)
    sketch.add(_upright(wheel), (0, -d * 0.24, h * 0.28))
    sketch.tube(((0, -d * 0.2, 0.3), (0, -d * 0.3, h * 0.88)), 0.03, frame)
    sketch.tube(((0, d * 0.05, 0.1), (0, d * 0.22, h * 0.72)), 0.03, frame)
    sketch.cushion(
        (-0.12, d * 0.1, h * 0.72),
        (0.12, d * 0.36, h * 0.8),
        form.tone("seat", BLACK),
        0.035,
        GLOSS,
    )
    bar = (
        (-w * 0.42, -d * 0.12, h * 0.9),
        (-w * 0.3, -d * 0.3, h * 0.88),
        (w * 0.3, -d * 0.3, h * 0.88),
        (w * 0.42, -d * 0.12, h * 0.9),
    )
    sketch.tube(bar, 0.018, BLACK, GLOSS)
    tone: Colour = (0.3, 0.7, 1.0) if on else (0.08, 0.08, 0.09)
    sketch.box((-0.12, -d * 0.33, h * 0.88), (0.12, -d * 0.3, h), BLACK, GLOSS)
    sketch.box((-0.1, -d * 0.3, h * 0.9), (0.1, -d * 0.297, h * 0.985), tone, GLOW if on else GLOSS)
    sketch.tube(((-0.16, 0.0, 0.24), (0.16, -0.04, 0.42)), 0.02, STEEL)


def _upright(wheel: Sketch) -> Sketch:
    """A disc drawn flat, standing so that its axis is along x."""
    found = Sketch()
    found.add(wheel, turn=90, axis="y")
    return found


def weight_bench(form: Form) -> None:
    """A padded bench under a barbell."""
    sketch, (w, d, h) = form.sketch, form.size
    frame, seat = form.tone("frame"), form.tone("seat", BLACK)
    sketch.cushion((-0.15, -d * 0.38, 0.38), (0.15, d * 0.48, 0.46), seat, 0.03, FABRIC)
    sketch.slab((0, d * 0.05, 0.33), (0.08, d * 0.85, 0.05), frame, METAL)
    for y in (-d * 0.3, d * 0.42):
        sketch.slab((0, y, 0), (0.36, 0.06, 0.05), frame, METAL)
        sketch.slab((0, y, 0), (0.06, 0.06, 0.34), frame, METAL)
    for x in (-0.35, 0.35):
        sketch.slab((x, -d * 0.42, 0), (0.06, 0.3, 0.05), frame, METAL)
        sketch.slab((x, -d * 0.42, 0), (0.06, 0.06, h * 0.84), frame, METAL)
    sketch.slab((0, -d * 0.42, 0.3), (0.7, 0.05, 0.05), frame, METAL)
    z, y = h * 0.86, -d * 0.39
    sketch.tube(((-w / 2, y, z), (w / 2, y, z)), 0.014, STEEL, segments=8)
    for side in (-1, 1):
        for k, r in ((0.0, 0.15), (0.05, 0.15), (0.1, 0.1)):
            plate = Sketch()
            plate.cylinder((0, 0, -0.02), r, 0.04, BLACK, GLOSS, segments=18)
            sketch.add(_upright(plate), (side * (w / 2 - 0.08 - k), y, z))


def dumbbell_rack(form: Form) -> None:
    """Two sloped rails with a few dumbbells of its own at the back."""
    sketch, (w, d, h) = form.sketch, form.size
    frame = form.tone("frame")
    for x in (-w / 2 + 0.03, w / 2 - 0.03):
        sketch.slab((x, 0, 0), (0.06, d, 0.05), frame, METAL)
        sketch.slab((x, -d * 0.2, 0), (0.06, 0.08, h - 0.02), frame, METAL)
    for one in form.spaces("shelf", "top"):
        z = one.low[2]
        sketch.box((-w / 2, -d / 2 + 0.02, z - 0.03), (w / 2, d / 2 - 0.02, z), frame, METAL)
        count = int(w / 0.16)
        for i in range(count):
            x = -w / 2 + 0.1 + i * 0.16
            bell = Sketch()
            r = 0.035 + 0.003 * i
            for part in (-0.075, 0.045):
                bell.cylinder((0, 0, part), r, 0.03, BLACK, GLOSS, segments=8)
            bell.cylinder((0, 0, -0.05), 0.013, 0.1, STEEL, METAL, segments=6)
            lying = Sketch()
            lying.add(bell, turn=90, axis="x")
            sketch.add(lying, (x, -d / 2 + 0.13, z + r))


def car(form: Form) -> None:
    """Body, cabin, windows, wheels, lamps; its front is +y."""
    sketch, (w, d, h) = form.sketch, form.size
    body = form.tone("body")
    glass: Colour = (0.25, 0.32, 0.36)
    waist = h * 0.58
    sketch.cushion((-w / 2, -d / 2, h * 0.17), (w / 2, d / 2, waist), body, 0.12, GLOSS)
    y0, y1 = -d * 0.42, d * 0.2
    lower = [(y0, waist - 0.02), (y1 + 0.35, waist - 0.02), (y1 - 0.25, h), (y0 + 0.35, h)]
    cabin = Sketch()
    cabin.prism(lower, -w * 0.42, w * 0.42, glass, GLOSS)
    up = Sketch()
    up.add(cabin, turn=90, axis="x")  # (x, y, z) -> (x, -z, y)
    sketch.add(up, turn=90)
    sketch.cushion(
        (-w * 0.41, y0 + 0.33, h - 0.05), (w * 0.41, y1 - 0.23, h + 0.0), body, 0.03, GLOSS
    )
    for x in (-w * 0.425, w * 0.405):
        sketch.box(
            (x, -0.25 * d / 4, waist - 0.02),
            (x + 0.035, -0.25 * d / 4 + 0.09, h - 0.02),
            body,
            GLOSS,
        )
    for x in (-w / 2 + 0.1, w / 2 - 0.1):
        for y in (-d * 0.31, d * 0.31):
            wheel = Sketch()
            wheel.cylinder((0, 0, -0.11), 0.32, 0.22, BLACK, FABRIC, segments=20)
            wheel.cylinder((0, 0, -0.115), 0.19, 0.23, STEEL, METAL, segments=12)
            sketch.add(_upright(wheel), (x, y, 0.32))
    for x in (-w * 0.36, w * 0.36):
        sketch.cushion(
            (x - 0.16, d / 2 - 0.06, h * 0.38),
            (x + 0.16, d / 2 + 0.005, h * 0.47),
            (0.95, 0.95, 0.9),
            0.03,
            GLOSS,
        )
        sketch.cushion(
            (x - 0.14, -d / 2 - 0.005, h * 0.4),
            (x + 0.14, -d / 2 + 0.06, h * 0.48),
            (0.75, 0.1, 0.1),
            0.03,
            GLOSS,
        )
    sketch.box((-w * 0.25, d / 2 - 0.05, h * 0.22), (w * 0.25, d / 2 + 0.004, h * 0.34), BLACK)


def bicycle(form: Form) -> None:
    """Wheels, frame, saddle, handlebars; it stands along x."""
    sketch, (w, d, h) = form.sketch, form.size
    frame, tyre = form.tone("frame"), form.tone("wheels", BLACK)
    r = min(w * 0.2, h * 0.34)
    back, front = (-w / 2 + r, 0.0, r), (w / 2 - r, 0.0, r)
    for centre in (back, front):
        wheel = Sketch()
        wheel.lathe(
            (0, 0, 0),
            [(r * 0.92, -0.018), (r, -0.018), (r, 0.018), (r * 0.92, 0.018), (r * 0.92, -0.018)],
            tyre,
            FABRIC,
            24,
        )
        for i in range(8):
            a = math.pi * i / 8
            x, y = math.cos(a) * r * 0.93, math.sin(a) * r * 0.93
            wheel.tube(((-x, -y, 0), (x, y, 0)), 0.003, STEEL, segments=3)
        standing = Sketch()
        standing.add(wheel, turn=90, axis="x")
        sketch.add(standing, centre)
    pedals, saddle, head = (
        (-w * 0.06, 0.0, r * 0.9),
        (-w * 0.15, 0.0, h * 0.78),
        (w * 0.22, 0.0, h * 0.78),
    )
    for one, other in (
        (back, pedals),
        (pedals, saddle),
        (saddle, head),
        (pedals, head),
        (back, saddle),
        (front, head),
    ):
        sketch.tube((one, other), 0.018, frame)
    sketch.cushion(
        (saddle[0] - 0.13, -0.07, saddle[2] + 0.02),
        (saddle[0] + 0.12, 0.07, saddle[2] + 0.08),
        BLACK,
        0.03,
    )
    top = (head[0] - 0.02, 0.0, h - 0.03)
    sketch.tube((head, top), 0.016, frame)
    sketch.tube(((top[0], -d / 2, h - 0.02), top, (top[0], d / 2, h - 0.02)), 0.014, BLACK)
    sketch.tube(
        (
            (pedals[0] - 0.12, 0.08, pedals[2] - 0.1),
            (pedals[0], 0, pedals[2]),
            (pedals[0] + 0.12, -0.08, pedals[2] + 0.1),
        ),
        0.012,
        STEEL,
    )


RECIPES: dict[str, Recipe] = {
    "trash_bin": trash_bin,
    "piano": piano,
    "copier": copier,
    "water_cooler": water_cooler,
    "vending_machine": vending_machine,
    "treadmill": treadmill,
    "exercise_bike": exercise_bike,
    "weight_bench": weight_bench,
    "dumbbell_rack": dumbbell_rack,
    "car": car,
    "bicycle": bicycle,
}
"""By shape."""
