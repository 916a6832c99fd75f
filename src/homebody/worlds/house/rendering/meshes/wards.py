"""Furniture of hospitals and hotels: beds on wheels, stands, trolleys, racks."""

from __future__ import annotations

import itertools

from homebody.worlds.house.model.house import Colour
from homebody.worlds.house.rendering.materials import FABRIC, GLASS, GLOSS, GLOW, MATT, METAL, WOOD
from homebody.worlds.house.rendering.meshes.form import SIDES, Form, Shape
from homebody.worlds.house.rendering.meshes.furniture_parts import carcass, doors, drawer
from homebody.worlds.house.rendering.meshes.palette import BLACK, PAPER, STEEL, shade
from homebody.worlds.house.rendering.meshes.sketch import Sketch


def casters(sketch: Sketch, x: float, y: float, r: float = 0.05) -> None:
    """Draw four small wheels under the corners (x, y)."""
    for sx in SIDES:
        for sy in SIDES:
            wheel = sketch.at((sx * x - 0.015, sy * y, r), 90, "y")
            wheel.cylinder((0, 0, 0), r, 0.03, BLACK, GLOSS, segments=10)


def _rail(form: Form, x: float, y0: float, y1: float, low: float, high: float) -> None:
    """Draw a rail of bars along y."""
    for z in (low, high):
        form.sketch.tube(((x, y0, z), (x, y1, z)), 0.014, STEEL)
    for i in range(5):
        y = y0 + (y1 - y0) * i / 4
        form.sketch.tube(((x, y, low), (x, y, high)), 0.01, STEEL)


def bed_on_wheels(form: Form) -> None:
    """A bed with a raised back, rails, casters and boards at both ends; a gurney has no boards."""
    sketch, (w, d, h), (x, y, _) = form.sketch, form.size, form.half
    frame, cover, top = form.tone("frame"), form.tone("cover"), form.bottom("top", 0.62)
    is_bed = form.category == "hospital_bed"
    casters(sketch, x - 0.1, y - 0.15, 0.07)
    for sx in SIDES:
        for sy in SIDES:
            at = (sx * (x - 0.1), sy * (y - 0.15))
            sketch.tube(((*at, 0.1), (*at, top - 0.2)), 0.025, STEEL)
    sketch.box((-x + 0.06, -y + 0.06, top - 0.22), (x - 0.06, y - 0.06, top - 0.15), frame, METAL)
    low, high = (-x + 0.07, -y + d * 0.36, top - 0.15), (x - 0.07, y - 0.08, top)
    sketch.cushion(low, high, PAPER, 0.05)
    low = (-x + 0.06, -y + d * 0.42, top - 0.1)
    sketch.cushion(low, (x - 0.06, y - 0.07, top + 0.006), cover, 0.04)
    back = sketch.at((0, -y + d * 0.38, top - 0.14), -24, "x")
    back.cushion((-x + 0.07, -d * 0.33, 0), (x - 0.07, 0, 0.14), PAPER, 0.05)
    if is_bed:
        pillow = form.tone("pillow", PAPER)
        back.cushion((-w * 0.3, -d * 0.31, 0.13), (w * 0.3, -d * 0.13, 0.22), pillow, 0.045)
        for end, tall in ((-y, h), (y - 0.04, top + 0.1)):
            sketch.cushion((-x, end, top - 0.25), (x, end + 0.04, tall), frame, 0.02, GLOSS)
    for side in (-x + 0.02, x - 0.02):
        _rail(form, side, -d * 0.12, d * 0.22, top - 0.12, min(h, top + 0.22))


def examination_table(form: Form) -> None:
    """A padded couch with paper on it."""
    sketch, (w, d, h), (x, y, _) = form.sketch, form.size, form.half
    frame, cover = form.tone("frame"), form.tone("cover")
    sketch.box((-x + 0.1, -y + 0.16, 0), (x - 0.1, y - 0.16, 0.08), BLACK, METAL)
    sketch.box((-x + 0.05, -y + 0.1, 0.08), (x - 0.05, y - 0.1, h - 0.12), frame, GLOSS)
    for side in SIDES:
        for i in range(3):  # drawers on both sides
            at = sketch.at((side * (x - 0.05), -d * 0.27 + d * 0.27 * i, 0.14))
            at.box((-0.01, -d * 0.125, 0), (0.01, d * 0.125, h - 0.32), shade(frame, 0.93), GLOSS)
            at.box((-0.02, -0.1, h - 0.4), (0.02, 0.1, h - 0.38), STEEL, METAL)
    sketch.cushion((-x, -y + d * 0.3, h - 0.11), (x, y, h * 0.92), cover, 0.04)
    back = sketch.at((0, -y + d * 0.3, h - 0.11), -14, "x")
    back.cushion((-x, -d * 0.28, 0), (x, 0.01, 0.08), cover, 0.04)
    low = (-w * 0.3, -y + d * 0.3, h * 0.92)
    sketch.box(low, (w * 0.3, y, h * 0.92 + 0.003), PAPER)
    back.box((-w * 0.3, -d * 0.28, 0.08), (w * 0.3, 0.01, 0.083), PAPER)
    roll = back.at((-w * 0.3, -d * 0.29, 0.02), 90, "y")
    roll.cylinder((0, 0, 0), 0.05, w * 0.6, PAPER, MATT, segments=16)


def wheelchair(form: Form) -> None:
    """Two large wheels, two small ones, a seat of cloth, foot rests."""
    sketch, (_, d, h), (x, y, _) = form.sketch, form.size, form.half
    frame, cloth = form.tone("frame"), form.tone("seat")
    seat, back = form.bottom("seat", 0.56), -d * 0.2
    for side in SIDES:
        r = 0.3
        wheel = sketch.at((side * (x - 0.03), back, r), 90, "y")
        ring = [(r - 0.03, -0.015), (r, -0.015), (r, 0.015), (r - 0.03, 0.015), (r - 0.03, -0.015)]
        wheel.lathe((0, 0, 0), ring, BLACK, GLOSS, 24)
        wheel.cylinder((0, 0, -0.02), 0.03, 0.04, STEEL, METAL)
        for i in range(8):
            spoke = wheel.at((0, 0, 0), 45 * i)
            spoke.tube(((0, 0, 0), (r - 0.02, 0, 0)), 0.003, STEEL, segments=4)
        inner = side * (x - 0.09)
        sketch.at((inner - 0.015, y - 0.3, 0.08), 90, "y").cylinder((0, 0, 0), 0.08, 0.03, BLACK)
        rail = ((inner, back - 0.14, h), (inner, back - 0.1, h - 0.04), (inner, back - 0.1, 0.3))
        sketch.tube((*rail, (inner, y - 0.3, 0.2)), 0.013, frame)
        sketch.tube(
            ((inner, back, seat), (inner, y - 0.26, seat), (inner, y - 0.14, 0.14)), 0.013, frame
        )
        arm = ((inner, back - 0.1, seat + 0.22), (inner, y - 0.36, seat + 0.22))
        sketch.tube((*arm, (inner, y - 0.34, seat)), 0.012, frame)
        sketch.box(
            (inner - 0.025, back, seat + 0.22), (inner + 0.025, y - 0.38, seat + 0.25), BLACK
        )
        sketch.box((inner - side * 0.16, y - 0.2, 0.12), (inner, y - 0.02, 0.135), BLACK, METAL)
        sketch.tube(((inner, back - 0.14, h), (inner, -y, h)), 0.016, BLACK, GLOSS)
    inner = x - 0.1
    sketch.cushion((-inner, back - 0.06, seat - 0.04), (inner, y - 0.28, seat), cloth, 0.02)
    sketch.cushion((-inner, back - 0.12, seat), (inner, back - 0.08, h - 0.06), cloth, 0.015)


def iv_stand(form: Form) -> None:
    """A pole on five feet with a bag of infusion."""
    sketch, (_, _, h), (x, _, _) = form.sketch, form.size, form.half
    for i in range(5):
        foot = sketch.at((0, 0, 0), 72 * i)
        foot.tube(((0, 0, 0.1), (x - 0.03, 0, 0.07)), 0.014, STEEL)
        foot.ball((x - 0.03, 0, 0.03), 0.03, BLACK, GLOSS, 8)
    sketch.tube(((0, 0, 0.08), (0, 0, h - 0.04)), 0.013, form.tone("frame", STEEL))
    sketch.tube(
        ((-0.14, 0, h), (-0.12, 0, h - 0.04), (0.12, 0, h - 0.04), (0.14, 0, h)), 0.008, STEEL
    )
    bag = form.tone("bag")
    sketch.cushion((-0.2, -0.02, h - 0.36), (-0.06, 0.02, h - 0.08), bag, 0.02, GLASS)
    tube = ((-0.13, 0, h - 0.36), (-0.13, 0, h - 0.6), (-0.06, 0.03, h * 0.4), (0, 0.02, h * 0.5))
    sketch.tube(tube, 0.004, PAPER, GLOSS, 5)
    sketch.cushion((-0.06, -0.05, h * 0.48), (0.06, 0.08, h * 0.6), PAPER, 0.015, GLOSS)


def bedside_monitor(form: Form) -> None:
    """A screen with curves on a pole with casters."""
    sketch, (w, _, h), (x, y, _) = form.sketch, form.size, form.half
    body, low = form.tone(), h - 0.36
    for i in range(5):
        foot = sketch.at((0, 0, 0), 72 * i + 18)
        foot.tube(((0, 0, 0.09), (y - 0.04, 0, 0.06)), 0.014, STEEL)
        foot.ball((y - 0.04, 0, 0.03), 0.03, BLACK, GLOSS, 8)
    sketch.tube(((0, 0, 0.08), (0, 0, low)), 0.016, STEEL)
    sketch.cushion((-x * 0.8, -0.08, low), (x * 0.8, 0.06, h), body, 0.02, GLOSS)
    sketch.box((-x * 0.7, 0.06, low + 0.05), (x * 0.7, 0.064, h - 0.04), BLACK, GLOSS)
    tones: tuple[Colour, ...] = ((0.3, 0.95, 0.4), (0.95, 0.85, 0.3), (0.35, 0.75, 1.0))
    for i, tone in enumerate(tones if form.is_on else ()):
        z, step = low + 0.1 + 0.08 * i, w * 0.09
        beat = (0, 0, 0.05, -0.02, 0, 0, 0)
        line = [(-x * 0.62 + k * step, 0.066, z + up) for k, up in enumerate(beat)]
        sketch.tube(line, 0.0035, tone, GLOW, 4)
    sketch.slab((0, 0.02, h * 0.45), (0.3, 0.22, 0.04), body, METAL)


def overbed_table(form: Form) -> None:
    """A top that reaches over a bed, on one leg with a long foot."""
    sketch, (x, y, h), frame = form.sketch, form.half, form.tone("frame", STEEL)
    sketch.cushion((-x, -y, h - 0.03), (x, y, h), form.tone("top"), 0.01, WOOD)
    sketch.box((-x + 0.04, -0.04, 0.1), (-x + 0.1, 0.04, h - 0.03), frame, METAL)
    for side in SIDES:
        end = side * (y - 0.04)
        sketch.box((-x + 0.02, end - 0.03, 0.06), (x - 0.06, end + 0.03, 0.1), frame, METAL)
    sketch.box((-x + 0.02, -y + 0.03, 0.06), (-x + 0.1, y - 0.03, 0.1), frame, METAL)
    casters(sketch, x - 0.08, y - 0.04, 0.03)


def drawer_cart(form: Form) -> None:
    """A trolley with drawers and a handle."""
    sketch, (_, d, _), (x, y, h), body = form.sketch, form.size, form.half, form.tone()
    casters(sketch, x - 0.06, y - 0.06, 0.06)
    sketch.box((-x, -y, 0.12), (x, y - 0.04, h - 0.02), shade(body, 0.9), METAL)
    sketch.cushion((-x, -y, h - 0.03), (x, y, h), PAPER, 0.01, GLOSS)
    for space in form.spaces("drawer"):
        low, high = (-x + 0.01, space.low[2] - 0.01), (x - 0.01, space.high[2] + 0.005)
        drawer(form, low, high, y - 0.04, d - 0.1, body, surface=GLOSS)
    bow = ((x, -y * 0.6, h - 0.06), (x + 0.0, -y * 0.6, h - 0.02), (x, y * 0.6, h - 0.02))
    sketch.tube((*bow, (x, y * 0.6, h - 0.06)), 0.012, STEEL)


def cart(form: Form) -> None:
    """Two trays on a frame with casters."""
    sketch, (x, y, h), frame = form.sketch, form.half, form.tone("frame", STEEL)
    casters(sketch, x - 0.04, y - 0.04, 0.045)
    for sx in SIDES:
        for sy in SIDES:
            at = (sx * (x - 0.02), sy * (y - 0.02))
            sketch.tube(((*at, 0.08), (*at, h - 0.02)), 0.012, frame)
    for space in form.spaces("top", "shelf"):
        z = space.low[2]
        sketch.box(
            (-x + 0.02, -y + 0.02, z - 0.02), (x - 0.02, y - 0.02, z), form.tone("top"), WOOD
        )
        for end in (-y + 0.02, y - 0.02):
            sketch.tube(((-x + 0.02, end, z + 0.04), (x - 0.02, end, z + 0.04)), 0.007, frame)
    sketch.tube(((x - 0.02, -y + 0.02, h - 0.01), (x - 0.02, y - 0.02, h - 0.01)), 0.014, frame)


def luggage_cart(form: Form) -> None:
    """A carpeted deck with brass arches."""
    sketch, (x, y, h), frame = form.sketch, form.half, form.tone("frame")
    deck = form.bottom("deck", 0.16)
    casters(sketch, x - 0.08, y - 0.1, 0.08)
    sketch.box((-x, -y, deck - 0.06), (x, y, deck - 0.02), frame, METAL)
    sketch.box(
        (-x + 0.02, -y + 0.02, deck - 0.02), (x - 0.02, y - 0.02, deck), form.tone("deck"), FABRIC
    )
    for side in SIDES:
        a, b = side * (x - 0.03), y - 0.04
        sketch.tube(
            ((a, -b, deck), (a, -b, h - 0.3), (0, 0, h - 0.02), (a, b, h - 0.3), (a, b, deck)),
            0.016,
            frame,
        )
    sketch.ball((0, 0, h - 0.03), 0.03, frame, METAL, 10)


def privacy_screen(form: Form) -> None:
    """Three panels of cloth in frames on feet; a partition is one."""
    sketch, (w, d, h), (x, y, _) = form.sketch, form.size, form.half
    frame, cloth = form.tone("frame", STEEL), form.tone("cloth")
    if form.category == "partition":
        sketch.box((-x, -0.03, 0.06), (x, 0.03, h), frame, METAL)
        sketch.box((-x + 0.03, -0.035, 0.1), (x - 0.03, 0.035, h - 0.03), cloth, FABRIC)
        for side in SIDES:
            sketch.slab((side * (x - 0.1), 0, 0), (0.06, d, 0.06), frame, METAL)
        return
    corners = [(-x, y * 0.5), (-w / 6, -y * 0.5), (w / 6, y * 0.5), (x, -y * 0.5)]
    for (x0, y0), (x1, y1) in itertools.pairwise(corners):
        a, b = (x0 + 0.015, y0), (x1 - 0.015, y1)
        low, high = 0.3, h - 0.05
        for back in (False, True):
            ends = (b, a) if back else (a, b)
            sketch.quad(
                (*ends[0], low), (*ends[1], low), (*ends[1], high), (*ends[0], high), cloth, FABRIC
            )
        sketch.tube(((*a, 0.05), (*a, h), (*b, h), (*b, 0.05)), 0.014, frame)
        sketch.tube(((*a, low), (*b, low)), 0.01, frame)
    for at in corners:
        sketch.ball((max(-x + 0.03, min(x - 0.03, at[0])), at[1], 0.03), 0.03, BLACK, GLOSS, 8)


def medicine_cabinet(form: Form) -> None:
    """A flat cabinet with a cross on its door."""
    (x, y, h), body = form.half, form.tone()
    carcass(form, (-x, -y, 0), (x, y - 0.02, h), body, 0.012)
    doors(form, (-x, 0), (x, h), y - 0.02, body, surface=GLOSS)
    if not form.is_open:
        red = (0.8, 0.12, 0.12)
        z, e = h * 0.6, y + 0.001
        form.sketch.box((-0.06, y, z - 0.02), (0.06, e, z + 0.02), red)
        form.sketch.box((-0.02, y, z - 0.06), (0.02, e, z + 0.06), red)


def luggage_rack(form: Form) -> None:
    """Crossed legs with straps between two bars."""
    sketch, (x, y, h), frame = form.sketch, form.half, form.tone("frame")
    for side in (-x + 0.04, x - 0.04):
        sketch.tube(((side, -y + 0.02, 0.01), (side, y - 0.02, h - 0.02)), 0.014, frame, WOOD)
        sketch.tube(((side, y - 0.02, 0.01), (side, -y + 0.02, h - 0.02)), 0.014, frame, WOOD)
    for end in (-y + 0.02, y - 0.02):
        sketch.tube(((-x, end, h - 0.016), (x, end, h - 0.016)), 0.016, frame, WOOD)
    for i in range(4):
        at = -x + 0.12 + i * (2 * x - 0.24) / 3
        low, high = (at - 0.025, -y + 0.02, h - 0.012), (at + 0.025, y - 0.02, h - 0.008)
        sketch.box(low, high, form.tone("strap", BLACK), FABRIC)


SHAPES: dict[str, Shape] = {
    "hospital_bed": bed_on_wheels, "gurney": bed_on_wheels, "examination_table": examination_table,
    "wheelchair": wheelchair, "iv_stand": iv_stand, "bedside_monitor": bedside_monitor,
    "overbed_table": overbed_table, "drawer_cart": drawer_cart, "cart": cart,
    "luggage_cart": luggage_cart, "privacy_screen": privacy_screen, "partition": privacy_screen,
    "medicine_cabinet": medicine_cabinet, "luggage_rack": luggage_rack,
}  # fmt: skip
