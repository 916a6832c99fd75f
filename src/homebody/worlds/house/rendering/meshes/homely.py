"""More furniture of homes: seats, tables for children, what hangs on walls, heaters, pets' own."""

from __future__ import annotations

import math

from homebody.worlds.house.model.house import Colour
from homebody.worlds.house.rendering.materials import (
    FABRIC,
    GLASS,
    GLOSS,
    GLOW,
    METAL,
    WOOD,
    Surface,
)
from homebody.worlds.house.rendering.meshes.form import SIDES, Form, Shape
from homebody.worlds.house.rendering.meshes.palette import (
    BLACK,
    BRASS,
    GLASSY,
    PAPER,
    STEEL,
    WATER,
    shade,
)
from homebody.worlds.house.rendering.meshes.parts import bars_around, boards, drawer, legs
from homebody.worlds.house.rendering.meshes.solids import (
    ball,
    box,
    cushion,
    cylinder,
    made_of,
    on_off,
    placed,
    shaded,
    tone,
    tube,
    turned,
)


def recliner(form: Form) -> None:
    """A thick armchair, its back tilted, a foot rest out in front."""
    sketch, (_, _, h), (x, y, _), fabric = form.sketch, form.size, form.half, form.tone("fabric")
    seat = form.bottom("seat", 0.46)
    sketch.cushion((-x + 0.04, -y + 0.12, 0.04), (x - 0.04, y - 0.2, seat - 0.1), fabric, 0.05)
    for side in SIDES:
        x0, x1 = sorted((side * x, side * (x - 0.18)))
        sketch.cushion((x0, -y + 0.14, 0.04), (x1, y - 0.2, seat + 0.2), fabric, 0.08)
    low, high = (-x + 0.17, -y + 0.2, seat - 0.14), (x - 0.17, y - 0.2, seat)
    sketch.cushion(low, high, shade(fabric, 1.1), 0.06)
    back = sketch.at((0, -y + 0.22, seat - 0.1), 16, "x")
    back.cushion((-x + 0.16, -0.1, 0), (x - 0.16, 0.1, h - seat + 0.02), shade(fabric, 1.05), 0.08)
    sketch.cushion((-x + 0.2, y - 0.2, seat - 0.22), (x - 0.2, y, seat - 0.1), fabric, 0.05)


def rocking_chair(form: Form) -> None:
    """A chair of wood on two bent runners."""
    sketch, (w, d, h), (x, _, _) = form.sketch, form.size, form.half
    frame, seat = form.tone("frame"), form.bottom("seat", 0.45)
    for side in (-x + 0.03, x - 0.03):
        curve = [(side, d * 0.5 * t, 0.02 + 0.12 * t * t) for t in (-1, -0.6, -0.2, 0.2, 0.6, 1)]
        sketch.tube(curve, 0.018, frame, WOOD)
        sketch.tube(((side, -d * 0.22, 0.06), (side, -d * 0.3, h)), 0.018, frame, WOOD)
        sketch.tube(((side, d * 0.24, 0.06), (side, d * 0.24, seat + 0.2)), 0.018, frame, WOOD)
        sketch.box(
            (side - 0.03, -d * 0.26, seat + 0.2), (side + 0.03, d * 0.3, seat + 0.23), frame, WOOD
        )
    low = (-x + 0.04, -d * 0.24, seat - 0.05)
    sketch.cushion(low, (x - 0.04, d * 0.28, seat), form.tone("seat"), 0.025)
    for i in range(5):
        at = -x + 0.1 + i * (w - 0.2) / 4
        sketch.tube(((at, -d * 0.23, seat), (at, -d * 0.29, h - 0.08)), 0.011, frame, WOOD)
    sketch.cushion((-x, -d * 0.32, h - 0.12), (x, -d * 0.27, h), frame, 0.02, WOOD)


def waiting_bench(form: Form) -> None:
    """Seats of plastic on a beam of steel."""
    sketch, (w, _, h), (x, y, _), seat = form.sketch, form.size, form.half, form.tone("seat")
    top, count = form.bottom("seat", 0.54), max(2, round(w / 0.55))
    sketch.box((-x + 0.05, -0.04, top - 0.12), (x - 0.05, 0.04, top - 0.06), STEEL, METAL)
    for side in SIDES:
        at = side * (x - 0.25)
        sketch.tube(((at, -y + 0.05, 0.02), (at, y - 0.05, 0.02)), 0.02, STEEL)
        sketch.tube(((at, 0, 0.02), (at, 0, top - 0.1)), 0.025, STEEL)
    for i in range(count):
        low, high = -x + i * w / count + 0.02, -x + (i + 1) * w / count - 0.02
        sketch.cushion((low, -y + 0.1, top - 0.05), (high, y, top), seat, 0.02, GLOSS)
        back = sketch.at(((low + high) / 2, -y + 0.12, top - 0.02), 10, "x")
        half = (high - low) / 2
        back.cushion((-half, -0.03, 0), (half, 0.02, h - top), seat, 0.02, GLOSS)


def high_chair(form: Form) -> None:
    """A chair on long legs with a tray."""
    sketch, (_, _, h), (x, y, _) = form.sketch, form.size, form.half
    frame, seat = form.tone("frame"), h * 0.52
    for sx in SIDES:
        for sy in SIDES:
            foot, top = (sx * (x - 0.02), sy * (y - 0.03), 0.0), (sx * x * 0.6, sy * y * 0.45, seat)
            sketch.tube((foot, top), 0.016, frame, WOOD)
    sketch.cushion(
        (-x * 0.75, -y * 0.6, seat - 0.03), (x * 0.75, y * 0.55, seat), form.tone("seat"), 0.02
    )
    sketch.cushion((-x * 0.75, -y * 0.75, seat), (x * 0.75, -y * 0.6, h), form.tone("seat"), 0.03)
    z = form.bottom("tray", 0.76)
    sketch.cushion(
        (-x + 0.02, -y * 0.1, z - 0.025), (x - 0.02, y, z), form.tone("tray"), 0.015, GLOSS
    )
    for side in SIDES:
        sketch.tube(
            ((side * x * 0.75, -y * 0.6, z - 0.02), (side * x * 0.8, 0, z - 0.02)),
            0.014,
            frame,
            WOOD,
        )
    sketch.tube(((-x * 0.8, y - 0.06, h * 0.25), (x * 0.8, y - 0.06, h * 0.25)), 0.014, frame, WOOD)


def bunk_bed(form: Form) -> None:
    """Two beds above each other, with a ladder."""
    sketch, (w, d, h), (x, y, _) = form.sketch, form.size, form.half
    frame, cover, pillow = form.tone("frame"), form.tone("cover"), form.tone("pillow", PAPER)
    for sx in SIDES:
        for sy in SIDES:
            sketch.slab((sx * (x - 0.035), sy * (y - 0.035), 0), (0.07, 0.07, h), frame, WOOD)
    for space in form.spaces("lower", "upper"):
        z = space.low[2]
        sketch.box((-x, -y, z - 0.22), (x, y, z - 0.14), frame, WOOD)
        sketch.cushion((-x + 0.04, -y + 0.05, z - 0.16), (x - 0.04, y - 0.05, z), PAPER, 0.04)
        sketch.cushion(
            (-x + 0.03, -y + d * 0.3, z - 0.12), (x - 0.03, y - 0.05, z + 0.006), cover, 0.04
        )
        sketch.cushion((-w * 0.3, -y + 0.08, z - 0.01), (w * 0.3, -y + 0.4, z + 0.09), pillow, 0.05)
        for end in (-y, y - 0.03):
            sketch.box((-x, end, z - 0.05), (x, end + 0.03, z + 0.12), frame, WOOD)
    top = h * 0.85
    for side in (-x, x - 0.03):
        far = y if side < 0 else y - 0.55
        sketch.box((side, -y, top + 0.06), (side + 0.03, far, top + 0.14), frame, WOOD)
    for at in (y - 0.48, y - 0.1):
        sketch.box((x - 0.03, at, 0), (x, at + 0.05, h), frame, WOOD)
    for i in range(5):
        z = h * (0.14 + 0.15 * i)
        sketch.box((x - 0.03, y - 0.46, z), (x, y - 0.06, z + 0.035), frame, WOOD)


def playpen(form: Form) -> None:
    """Bars around a soft floor."""
    sketch, (_, _, h), (x, y, _), frame = form.sketch, form.size, form.half, form.tone("frame")
    sketch.cushion(
        (-x + 0.03, -y + 0.03, 0.01), (x - 0.03, y - 0.03, h * 0.08), form.tone("cover"), 0.02
    )
    for z in (0.03, h - 0.03):
        for a, b in (
            ((-x, -y), (x, -y)),
            ((x, -y), (x, y)),
            ((x, y), (-x, y)),
            ((-x, y), (-x, -y)),
        ):
            sketch.tube(((*a, z), (*b, z)), 0.02, frame, WOOD)
    for i in range(10):
        t = -1 + 0.1 + 2 * i / 10
        for at in ((t * x, -y), (t * x, y), (-x, t * y), (x, t * y)):
            sketch.tube(((*at, 0.03), (*at, h - 0.03)), 0.009, frame, WOOD, 5)


def dressing_table(form: Form) -> None:
    """A small table with drawers and a mirror."""
    sketch, (_, d, h), (x, y, _), body = form.sketch, form.size, form.half, form.tone()
    top = form.bottom("top", 0.54)
    for sx in SIDES:
        for sy in SIDES:
            at = (sx * (x - 0.04), sy * (y - 0.04), 0)
            sketch.cylinder(at, 0.018, top - 0.15, body, WOOD, top=0.025, segments=8)
    sketch.cushion((-x, -y, top - 0.025), (x, y, top), body, 0.01, WOOD)
    sketch.box((-x + 0.02, -y + 0.02, top - 0.16), (x - 0.02, y - 0.03, top - 0.025), body, WOOD)
    for low, high in ((-x + 0.02, -0.01), (0.01, x - 0.02)):
        drawer(form, (low, top - 0.155), (high, top - 0.03), y - 0.03, d - 0.1, body)
    disc = sketch.at((0, -y + 0.03, (top + h) / 2), -90, "x")
    r = (h - top) / 2
    rim = [(0, -0.012), (r, -0.012), (r, 0.012), (r * 0.92, 0.012), (r * 0.9, 0.004), (0, 0.004)]
    disc.lathe((0, 0, 0), rim, form.tone("frame"), METAL, 28, (0.85, 1.0))
    disc.lathe(
        (0, 0, 0.005),
        [(r * 0.91, 0), (0, 0.001)],
        (0.85, 0.88, 0.9),
        Surface.MIRROR,
        28,
        (0.85, 1.0),
    )


def changing_table(form: Form) -> None:
    """Shelves below a top with a rim and a soft mat."""
    sketch, (x, y, h), body = form.sketch, form.half, form.tone()
    top = form.bottom("top", 0.94)
    for side in (-x, x - 0.03):
        sketch.box((side, -y, 0), (side + 0.03, y, h), body, WOOD)
    sketch.box((-x, -y, 0), (x, -y + 0.02, h), body, WOOD)
    sketch.box((-x, -y, top - 0.07), (x, y, top - 0.045), body, WOOD)
    sketch.box((-x, y - 0.02, top - 0.07), (x, y, h), body, WOOD)
    boards(form, form.spaces("shelf"), body)
    low, high = (-x + 0.05, -y + 0.04, top - 0.05), (x - 0.05, y - 0.04, top)
    sketch.cushion(low, high, form.tone("cover"), 0.025)


def world_map(form: Form) -> None:
    """A map: blue seas, green and brown lands."""
    sketch, (w, _, h), (x, y, _) = form.sketch, form.size, form.half
    sketch.box((-x, -y, 0), (x, y * 0.4, h), form.tone("sea"), Surface.MATT)
    bars_around(sketch, (-x, -y, 0), (x, y, h), 0.02, form.tone("frame"), WOOD)
    lands: tuple[tuple[Colour, tuple[tuple[float, float], ...]], ...] = (
        ((0.45, 0.62, 0.35), ((0.05, 0.7), (0.3, 0.58), (0.26, 0.8), (0.12, 0.86))),
        ((0.5, 0.6, 0.32), ((0.23, 0.52), (0.33, 0.42), (0.28, 0.16), (0.24, 0.28))),
        ((0.72, 0.6, 0.35), ((0.45, 0.55), (0.56, 0.58), (0.6, 0.44), (0.53, 0.2), (0.46, 0.42))),
        ((0.5, 0.66, 0.4), ((0.45, 0.64), (0.58, 0.62), (0.6, 0.8), (0.48, 0.78))),
        ((0.62, 0.62, 0.38), ((0.58, 0.6), (0.74, 0.44), (0.86, 0.6), (0.92, 0.8), (0.6, 0.84))),
        ((0.75, 0.58, 0.35), ((0.8, 0.3), (0.86, 0.18), (0.94, 0.24), (0.9, 0.34))),
    )
    e = y * 0.4 + 0.002
    for colour, outline in lands:
        # seen from the front, the picture's left is the piece's right
        corners = [(x - u * w, e, v * h) for u, v in outline]
        for i in range(1, len(corners) - 1):
            for a, b in ((i, i + 1), (i + 1, i)):
                third = corners[b]
                sketch.quad(corners[0], corners[a], third, third, colour)


def bulletin_board(form: Form) -> None:
    """A board of cork with notes."""
    sketch, (w, _, h), (x, y, _) = form.sketch, form.size, form.half
    sketch.box((-x, -y, 0), (x, y * 0.3, h), form.tone("board"), Surface.MATT)
    bars_around(sketch, (-x, -y, 0), (x, y, h), 0.025, form.tone("frame"), WOOD)
    notes: tuple[Colour, ...] = (PAPER, (0.95, 0.85, 0.4), (0.65, 0.82, 0.92), (0.95, 0.7, 0.72))
    e = y * 0.3 + 0.002
    for i in range(9):
        n = (i * 37 + form.variant * 11) % 23
        u, v = -x + w * (0.12 + 0.1 * (i % 3) * 2.7), h * (0.16 + 0.27 * (i // 3))
        u, v = u + (n % 5) * 0.01, v + (n % 3) * 0.012
        wide, tall = 0.09 + 0.02 * (n % 3), 0.1 + 0.015 * (n % 4)
        sketch.box((u, y * 0.3, v), (u + wide, e, v + tall), notes[(i + n) % 4])
        sketch.ball((u + wide / 2, e, v + tall - 0.012), 0.006, (0.8, 0.15, 0.15), GLOSS, 6)


def aquarium(form: Form) -> None:
    """Glass with water, gravel, plants and fish on a cabinet."""
    sketch, (w, _, h), (x, y, _), body = form.sketch, form.size, form.half, form.tone()
    base = h * 0.55
    sketch.box((-x, -y, 0), (x, y, base), body, WOOD)
    for side in SIDES:
        x0, x1 = sorted((side * 0.005, side * (x - 0.01)))
        sketch.box((x0, y - 0.002, 0.02), (x1, y + 0.008, base - 0.02), shade(body, 1.05), WOOD)
    sketch.box((-x + 0.01, -y + 0.01, base), (x - 0.01, y - 0.01, base + 0.05), (0.75, 0.65, 0.45))
    sketch.box((-x + 0.005, -y + 0.006, base), (x - 0.005, -y + 0.01, h - 0.05), shade(WATER, 0.8))
    fish: tuple[Colour, ...] = ((0.95, 0.5, 0.1), (0.9, 0.8, 0.2), (0.85, 0.2, 0.2))
    for i in range(5):
        at = (-x + w * (0.18 + 0.16 * i), y * (0.2 - 0.2 * (i % 2)), base + 0.14 + 0.07 * (i % 3))
        sketch.ball(at, (0.035, 0.012, 0.02), fish[i % 3], GLOSS, 8)
        tail = ((at[0] - 0.03, at[1], at[2]), (at[0] - 0.055, at[1], at[2] + 0.015))
        sketch.tube(tail, 0.006, fish[i % 3], GLOSS, 4)
    for i in range(4):
        u, v = -x + 0.1 + w * 0.23 * i, -y * 0.3
        weed = ((u, v, base + 0.04), (u + 0.02, v, base + 0.18), (u, v, base + 0.3))
        sketch.tube(weed, 0.01, (0.2, 0.55, 0.25), Surface.MATT, 5)
    for low, high in (
        ((-x, y - 0.008, base), (x, y - 0.002, h - 0.04)),
        ((-x, -y, base), (-x + 0.006, y, h - 0.04)),
        ((x - 0.006, -y, base), (x, y, h - 0.04)),
    ):
        sketch.box(low, high, form.tone("glass", GLASSY), GLASS)
    lid = (1.0, 0.97, 0.85) if form.is_on else shade(body, 0.8)
    sketch.box((-x, -y, h - 0.04), (x, y, h), shade(body, 0.8), GLOSS)
    sketch.box(
        (-x + 0.05, -y + 0.05, h - 0.045),
        (x - 0.05, y - 0.05, h - 0.04),
        lid,
        GLOW if form.is_on else GLOSS,
    )


def bird_cage(form: Form) -> None:
    """A domed cage of wire on a stand, with a bird."""
    sketch, (w, _, h), frame = form.sketch, form.size, form.tone("frame")
    r, low = w / 2, h * 0.5
    sketch.cylinder((0, 0, 0), r * 0.75, 0.03, frame, METAL, segments=18)
    sketch.tube(((0, 0, 0.02), (0, 0, low)), 0.015, frame)
    sketch.cylinder((0, 0, low), r, 0.04, frame, METAL, segments=20)
    for i in range(16):
        a = 2 * math.pi * i / 16
        x, y = math.cos(a), math.sin(a)
        dome = [(x * r, y * r, low), (x * r, y * r, h * 0.85), (x * r * 0.7, y * r * 0.7, h * 0.95)]
        sketch.tube((*dome, (0, 0, h - 0.01)), 0.004, frame, segments=4)
    sketch.ball((0, 0, h - 0.02), 0.02, frame, METAL, 8)
    sketch.tube(((-r, 0, h * 0.68), (r, 0, h * 0.68)), 0.006, (0.6, 0.45, 0.3), WOOD)
    bird = form.tone("bird")
    sketch.ball((0.02, 0, h * 0.68 + 0.05), (0.03, 0.035, 0.05), bird, FABRIC, 10)
    sketch.ball((0.02, 0.02, h * 0.68 + 0.11), 0.026, shade(bird, 1.1), FABRIC, 8)
    sketch.ball((0.02, 0.048, h * 0.68 + 0.108), 0.009, (0.9, 0.55, 0.1), GLOSS, 6)


def cat_tree(form: Form) -> None:
    """Platforms on posts wound with rope, and a den."""
    sketch, (w, d, h), (x, y, _) = form.sketch, form.size, form.half
    body, post = form.tone(), form.tone("post", (0.8, 0.68, 0.46))
    levels = ((0.0, 0.0, 0.0, 1.0), (-0.12, 0.0, h * 0.5, 0.62), (0.1, 0.0, h - 0.05, 0.7))
    for dx, dy, z, share in levels:
        centre = (dx * w, dy * d, z)
        sketch.cushion(
            (centre[0] - x * share * 0.95, -y * share, z),
            (min(x, centre[0] + x * share * 0.95), y * share, z + 0.05),
            body,
            0.02,
        )
    for at, z0, z1 in (
        ((-0.22, 0.1), 0.05, 0.5),
        ((0.22, -0.15), 0.05, 0.97),
        ((0.05, 0.2), 0.5, 0.97),
    ):
        start, end = h * z0, h * z1 - 0.04
        sketch.cylinder((at[0] * w, at[1] * d, start), 0.045, end - start, post, FABRIC)
        for k in range(int((end - start) / 0.06)):
            sketch.cylinder(
                (at[0] * w, at[1] * d, start + 0.06 * k), 0.048, 0.02, shade(post, 0.8), FABRIC
            )
    sketch.cushion((0.02, -y * 0.9, 0.05), (x * 0.95, y * 0.5, 0.36), body, 0.05)
    hole = sketch.at((x * 0.5, y * 0.5, 0.2), -90, "x")
    hole.cylinder((0, 0, 0), 0.1, 0.004, (0.1, 0.09, 0.08), segments=18)
    sketch.tube(((-x * 0.6, y * 0.4, h * 0.5), (-x * 0.6, y * 0.4, h * 0.34)), 0.003, PAPER, FABRIC)
    sketch.ball((-x * 0.6, y * 0.4, h * 0.32), 0.03, (0.8, 0.3, 0.3), FABRIC, 8)


def grandfather_clock(form: Form) -> None:
    """A tall case with a dial and a pendulum behind glass."""
    sketch, (w, _, h), (x, y, _), body = form.sketch, form.size, form.half, form.tone()
    sketch.box((-x, -y, 0), (x, y, h * 0.16), body, WOOD)
    sketch.box((-x * 0.75, -y, h * 0.16), (x * 0.75, y - 0.04, h * 0.72), shade(body, 0.9), WOOD)
    bars_around(sketch, (-x * 0.75, -y, h * 0.16), (x * 0.75, y - 0.02, h * 0.72), 0.05, body, WOOD)
    sketch.box((-x * 0.95, -y, h * 0.72), (x * 0.95, y - 0.02, h * 0.95), body, WOOD)
    sketch.cushion((-x, -y, h * 0.93), (x, y, h), body, 0.03, WOOD)
    dial = sketch.at((0, y - 0.02, h * 0.83), -90, "x")
    dial.cylinder((0, 0, 0), w * 0.36, 0.006, BRASS, METAL, segments=28)
    dial.cylinder((0, 0, 0.006), w * 0.31, 0.004, form.tone("face", PAPER), segments=28)
    for long, hour in ((0.16, form.variant % 12), (0.24, form.variant % 7)):
        dial.at((0, 0, 0.011), 30.0 * hour).box((-0.006, 0, 0), (0.006, w * long, 0.002), BLACK)
    sketch.tube(((0, y - 0.036, h * 0.68), (0, y - 0.036, h * 0.34)), 0.006, BRASS)
    sketch.at((0, y - 0.04, h * 0.33), -90, "x").cylinder(
        (0, 0, 0), 0.07, 0.012, BRASS, METAL, segments=18
    )


def radiator(form: Form) -> None:
    """Ribs between two pipes."""
    sketch, (w, _, h), (x, y, _), body = form.sketch, form.size, form.half, form.tone()
    count = int(w / 0.08)
    for i in range(count):
        at = -x + (i + 0.5) * w / count
        sketch.cushion((at - 0.03, -y + 0.02, 0.1), (at + 0.03, y, h), body, 0.02, GLOSS)
    for z in (0.16, h - 0.06):
        sketch.box((-x, -y + 0.03, z - 0.02), (x, y - 0.03, z + 0.02), body, GLOSS)
    for side in SIDES:
        sketch.tube(((side * (x - 0.04), 0, 0), (side * (x - 0.04), 0, 0.14)), 0.012, body, GLOSS)
    sketch.at((x - 0.02, 0, 0.16), 90, "y").cylinder((0, 0, 0), 0.025, 0.03, PAPER, GLOSS)


def wall_shelf(form: Form) -> None:
    """A board on two brackets."""
    sketch, (x, y, h), body = form.sketch, form.half, form.tone()
    sketch.box((-x, -y, h - 0.025), (x, y, h), body, WOOD)
    for side in SIDES:
        at, metal = side * x * 0.7, form.tone("legs", BLACK)
        sketch.box((at - 0.01, -y, 0), (at + 0.01, -y + 0.01, h - 0.025), metal, METAL)
        sketch.box((at - 0.01, -y, h - 0.033), (at + 0.01, y - 0.03, h - 0.025), metal, METAL)


def side_stand(form: Form) -> None:
    """A square cushion on short legs."""
    (x, y, h), fabric = form.half, form.tone("fabric")
    legs(form, 0.1, form.tone("legs", BLACK), 0.035, 0.03)
    form.sketch.cushion((-x, -y, 0.08), (x, y, h - 0.02), fabric, 0.05)
    form.sketch.cushion((-x, -y, h * 0.6), (x, y, h), shade(fabric, 1.08), 0.05)


SHAPES: dict[str, Shape] = {
    "recliner": recliner, "rocking_chair": rocking_chair, "waiting_bench": waiting_bench,
    "high_chair": high_chair, "bunk_bed": bunk_bed, "playpen": playpen,
    "dressing_table": dressing_table, "changing_table": changing_table, "world_map": world_map,
    "bulletin_board": bulletin_board, "aquarium": aquarium, "bird_cage": bird_cage,
    "cat_tree": cat_tree, "grandfather_clock": grandfather_clock, "radiator": radiator,
    "wall_shelf": wall_shelf, "ottoman": side_stand,
    "bean_bag": made_of(
        turned([(0, 0), (0.8, 0), (1, 0.18), (0.98, 0.4), (0.7, 0.75), (0.3, 0.95), (0, 1)],
               tone("fabric"), FABRIC, 18),
        ball((0, 0.18, 0.5), (0.38, 0.3, 0.2), tone("fabric", factor=0.92), FABRIC),
    ),
    "litter_box": made_of(
        *(box(low, high, finish=GLOSS) for low, high in (
            ((-0.5, -0.5, 0), (0.5, 0.5, 0.08)), ((-0.5, -0.5, 0), (-0.46, 0.5, 1)),
            ((0.46, -0.5, 0), (0.5, 0.5, 1)), ((-0.5, -0.5, 0), (0.5, -0.45, 1)),
            ((-0.5, 0.45, 0), (0.5, 0.5, 0.6)))),
        box((-0.46, -0.45, 0.08), (0.46, 0.45, 0.35), tone("sand")),
        *(ball((u, v, 0.36), (0.08, 0.08, 0.08), tone("sand", factor=0.9), FABRIC, 6)
          for u, v in ((-0.2, 0.1), (0.25, -0.1), (0.05, 0.2))),
        tube([(0.2, 0.1, 0.4), (0.4, 0.3, 1.0)], (0, 0.009), (0.85, 0.3, 0.3), GLOSS),
    ),
    "pet_bed": made_of(
        cushion((-0.5, -0.5, 0), (0.5, -0.3, 1), 0.4),
        cushion((-0.5, 0.3, 0), (0.5, 0.5, 0.7), 0.3),
        cushion((-0.5, -0.5, 0), (-0.3, 0.5, 1), 0.4), cushion((0.3, -0.5, 0), (0.5, 0.5, 1), 0.4),
        cushion((-0.36, -0.36, 0), (0.36, 0.36, 0.5), 0.2, tone("cover")),
    ),
    "hamper": made_of(
        *(cushion((-0.5, -0.5, z), (0.5, 0.5, z + 0.15), 0.06, shaded(1 - 0.08 * (i % 2)))
          for i, z in enumerate((0, 0.14, 0.28, 0.42, 0.56, 0.7, 0.83))),
        box((-0.42, -0.4, 0.975), (0.42, 0.4, 0.99), (0.2, 0.17, 0.14)),
        cushion((-0.3, -0.3, 0.9), (0.2, 0.25, 1), 0.06, (0.55, 0.65, 0.8)),
        cushion((-0.05, -0.2, 0.9), (0.35, 0.3, 0.99), 0.05, (0.85, 0.5, 0.45)),
        *(box((s * 0.5 - 0.02, -0.12, 0.72), (s * 0.5 + 0.02, 0.12, 0.82), (0.25, 0.2, 0.15))
          for s in (-0.96, 0.96)),
    ),
    "recycling_bin": made_of(
        cushion((-0.46, -0.46, 0), (0.46, 0.46, 0.86), 0.06, finish=GLOSS),
        cushion((-0.5, -0.5, 0.84), (0.5, 0.5, 1), 0.06, shaded(0.8), GLOSS),
        *(placed((0, 0.465, 0.45), turn, "y", box((-0.02, 0, 0.12), (0.26, 0.01, 0.18), PAPER))
          for turn in (0, 120, 240)),
        box((-0.2, -0.1, 0.99), (0.2, 0.1, 1.003), BLACK),
    ),
    "umbrella_stand": made_of(
        turned([(0, 0), (0.85, 0), (0.85, 0), (1, 0.9), (1, 1), (0.93, 1), (0.8, 0.06), (0, 0.04)],
               finish=GLOSS, segments=18),
        tube([(0.1, 0.1, 0.1), (0.2, 0.15, 1.0)], (0, 0.025), tone("cloth"), FABRIC),
        tube([(-0.12, -0.05, 0.1), (-0.22, -0.15, 0.99)], (0, 0.022), BLACK, FABRIC),
    ),
    "towel_rack": made_of(
        *(tube([(s * 0.48, -0.5, 0.96), (s * 0.48, 0.1, 0.96)], (0, 0.01), tone("frame"))
          for s in (-1, 1)),
        tube([(-0.5, 0.1, 0.96), (0.5, 0.1, 0.96)], (0, 0.009), tone("frame")),
        cushion((-0.38, -0.05, 0.05), (0.2, 0.3, 1), 0.05, tone("cloth")),
        box((-0.385, 0.29, 0.18), (0.205, 0.31, 0.24), tone("cloth", factor=0.8), FABRIC),
    ),
    "air_conditioner": made_of(
        cushion((-0.5, -0.5, 0), (0.5, 0.5, 1), 0.2, finish=GLOSS),
        box((-0.44, 0.46, 0.06), (0.44, 0.505, 0.16), (0.25, 0.25, 0.27)),
        box((-0.44, 0.49, 0.3), (0.44, 0.506, 0.32), shaded(0.8)),
        box((0.34, 0.49, 0.4), (0.4, 0.508, 0.48), on_off((0.2, 0.8, 0.4), STEEL), GLOSS),
    ),
    "thermostat": placed(
        (0, -0.5, 0.5), -90, "x",
        lambda form: form.sketch.cylinder((0, 0, 0), form.size[0] / 2, form.size[1] * 0.8,
                                          form.tone(), GLOSS, segments=20),
        lambda form: form.sketch.cylinder((0, 0, form.size[1] * 0.8), form.size[0] * 0.36,
                                          form.size[1] * 0.2, form.tone("face", BLACK), GLOSS,
                                          segments=20),
    ),
    "calendar": made_of(
        box((-0.5, -0.5, 0), (0.5, 0, 0.96), tone("page", PAPER)),
        box((-0.46, 0, 0.5), (0.46, 0.2, 0.93), tone("picture")),
        box((-0.46, 0.1, 0.5), (0.46, 0.25, 0.66), (0.3, 0.5, 0.3)),
        *(box((-0.42 + 0.12 * i, 0, 0.06 + 0.1 * j), (-0.34 + 0.12 * i, 0.15, 0.1 + 0.1 * j),
              (0.45, 0.45, 0.5)) for i in range(7) for j in range(4)),
        box((-0.5, -0.4, 0.96), (0.5, 0.4, 1), (0.3, 0.3, 0.32)),
    ),
    "projector_screen": made_of(
        cushion((-0.5, -0.5, 0.94), (0.5, 0.5, 1), 0.03, tone("frame"), GLOSS),
        box((-0.48, -0.1, 0.03), (0.48, 0.0, 0.95), (0.1, 0.1, 0.1)),
        box((-0.45, -0.02, 0.06), (0.45, 0.06, 0.93), tone("board", PAPER)),
        box((-0.49, -0.2, 0), (0.49, 0.2, 0.03), tone("frame"), METAL),
    ),
    "hand_dryer": made_of(
        cushion((-0.5, -0.5, 0.1), (0.5, 0.4, 1), 0.25, finish=GLOSS),
        placed((0, 0.1, 0.12), 0, "z", cylinder((0, 0, -0.12), 0.16, 0.2, (0.3, 0.3, 0.32), METAL)),
        placed((0, 0.38, 0.6), -90, "x", cylinder((0, 0, 0), 0.12, 0.1, STEEL, METAL)),
    ),
    "paper_towel_dispenser": made_of(
        cushion((-0.5, -0.5, 0.08), (0.5, 0.5, 1), 0.12, finish=GLOSS),
        box((-0.3, 0.2, 0), (0.3, 0.26, 0.12), PAPER),
        box((-0.06, 0.49, 0.4), (0.06, 0.51, 0.75), (0.25, 0.3, 0.35), GLOSS),
    ),
    "bidet": made_of(
        turned([(0, 0), (0.5, 0), (0.45, 0.2), (0.7, 0.6), (1, 0.92), (1, 1), (0.8, 1),
                (0.55, 0.68), (0, 0.6)], finish=GLOSS, segments=20),
        tube([(0, -0.4, 0.98), (0, -0.4, 1.2), (0, -0.22, 1.2)], (0, 0.012), STEEL),
    ),
    "urinal": made_of(
        cushion((-0.5, -0.5, 0.1), (0.5, -0.1, 1), 0.1, finish=GLOSS),
        cushion((-0.5, -0.3, 0.1), (-0.34, 0.3, 0.92), 0.07, finish=GLOSS),
        cushion((0.34, -0.3, 0.1), (0.5, 0.3, 0.92), 0.07, finish=GLOSS),
        cushion((-0.5, -0.3, 0.06), (0.5, 0.5, 0.34), 0.1, finish=GLOSS),
        box((-0.34, -0.1, 0.34), (0.34, 0.4, 0.345), (0.75, 0.8, 0.82)),
        tube([(0, -0.3, 0.98), (0, -0.3, 1.0)], (0, 0.03), STEEL),
    ),
}  # fmt: skip
