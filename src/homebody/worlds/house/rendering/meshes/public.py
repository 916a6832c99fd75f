"""Furniture of shops, offices, gyms and gardens: what is sold from, worked out on, mown with."""

from __future__ import annotations

import math

from homebody.worlds.house.model.house import Colour
from homebody.worlds.house.rendering.materials import FABRIC, GLASS, GLOSS, GLOW, METAL, WOOD
from homebody.worlds.house.rendering.meshes.form import SIDES, Form, Shape
from homebody.worlds.house.rendering.meshes.palette import BLACK, GLASSY, PAPER, STEEL, shade
from homebody.worlds.house.rendering.meshes.parts import boards, carcass, door, doors, legs
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
from homebody.worlds.house.rendering.meshes.wards import casters

COLD: Colour = (0.9, 0.95, 1.0)


def shopping_cart(form: Form) -> None:
    """A basket of wire on casters, a handle at its back."""
    sketch, (_, _, h), (x, y, _) = form.sketch, form.size, form.half
    frame, bottom = form.tone("frame", STEEL), form.bottom("basket", 0.55)
    casters(sketch, x - 0.08, y - 0.14, 0.06)
    for side in SIDES:
        u = side * (x - 0.08)
        sketch.tube(((u, y - 0.14, 0.1), (u, -y + 0.16, 0.14), (u, -y + 0.06, h)), 0.013, frame)
    for z in (bottom, (bottom + h) / 2, h - 0.02):
        grow = 0.04 * (z - bottom) / (h - bottom)
        a, b = x - 0.06 + grow, y - 0.1 + grow
        ring = ((-a, -b, z), (a, -b, z), (a, b, z), (-a, b, z), (-a, -b, z))
        sketch.tube(ring, 0.006, frame)
    for i in range(9):
        t = -1 + 2 * i / 8
        for at, up in (
            ((t * (x - 0.06), y - 0.1), (t * (x - 0.02), y - 0.06)),
            ((t * (x - 0.06), 0.1 - y), (t * (x - 0.02), 0.06 - y)),
            ((x - 0.06, t * (y - 0.1)), (x - 0.02, t * (y - 0.06))),
            ((0.06 - x, t * (y - 0.1)), (0.02 - x, t * (y - 0.06))),
        ):
            sketch.tube(((*at, bottom), (*up, h - 0.02)), 0.0035, frame, segments=4)
        sketch.tube(
            ((t * (x - 0.06), 0.1 - y, bottom), (t * (x - 0.06), y - 0.1, bottom)),
            0.0035,
            frame,
            segments=4,
        )
    sketch.tube(
        ((-x + 0.02, -y + 0.03, h - 0.01), (x - 0.02, -y + 0.03, h - 0.01)),
        0.018,
        form.tone("handle"),
        GLOSS,
    )


def display_fridge(form: Form) -> None:
    """Shelves behind glass doors, a lit sign above."""
    sketch, (x, y, h), body = form.sketch, form.half, form.tone()
    carcass(form, (-x, -y, 0.1), (x, y - 0.05, h - 0.12), body, 0.04)
    sketch.box((-x, -y, 0), (x, y - 0.03, 0.1), shade(body, 0.5), METAL)
    sketch.box((-x, -y, h - 0.14), (x, y, h), (0.2, 0.45, 0.75), GLOW if form.is_on else GLOSS)
    boards(form, form.spaces("shelf")[1:], STEEL, 0.05)
    if form.is_on:
        sketch.box((-x + 0.05, y - 0.1, h - 0.18), (x - 0.05, y - 0.08, h - 0.15), COLD, GLOW)
    doors(form, (-x, 0.1), (x, h - 0.14), y - 0.05, form.tone("glass", GLASSY), STEEL, GLASS)


def chest_freezer(form: Form) -> None:
    """A long chest with sliding lids of glass."""
    sketch, (x, y, h), body = form.sketch, form.half, form.tone()
    low = form.bottom("inside", 0.3)
    sketch.box((-x, -y, 0), (x, y, low - 0.02), body, GLOSS)
    sketch.box((-x + 0.02, -y + 0.02, low - 0.02), (x - 0.02, y - 0.02, low), COLD)
    for a, b in (
        ((-x, -y), (x, -y + 0.06)),
        ((-x, y - 0.06), (x, y)),
        ((-x, -y), (-x + 0.06, y)),
        ((x - 0.06, -y), (x, y)),
    ):
        sketch.box((*a, low - 0.02), (*b, h - 0.02), body, GLOSS)
    sketch.box((-x, y, h * 0.55), (x, y + 0.003, h * 0.68), (0.2, 0.45, 0.75))
    lid = form.tone("glass", GLASSY)
    if form.is_open:
        sketch.box((-x + 0.04, -y + 0.04, h - 0.02), (-0.02, y - 0.04, h - 0.012), lid, GLASS)
        sketch.box((-x + 0.06, -y + 0.04, h - 0.012), (-0.04, y - 0.04, h - 0.004), lid, GLASS)
    else:
        sketch.box((-x + 0.04, -y + 0.04, h - 0.02), (0.02, y - 0.04, h - 0.012), lid, GLASS)
        sketch.box((-0.02, -y + 0.04, h - 0.012), (x - 0.04, y - 0.04, h - 0.004), lid, GLASS)
    for side in SIDES:
        at = side * x * 0.45
        sketch.box((at - 0.06, y - 0.1, h - 0.012), (at + 0.06, y - 0.08, h), STEEL, METAL)


def minibar(form: Form) -> None:
    """A small fridge."""
    (x, y, h), body = form.half, form.tone()
    carcass(form, (-x, -y, 0.02), (x, y - 0.05, h), body, 0.03)
    form.sketch.box((-x + 0.03, -y + 0.03, 0), (x - 0.03, y - 0.08, 0.03), BLACK)
    boards(form, form.spaces("shelf")[1:], GLASSY, 0.03)
    door(form, (-x, 0.02), (x, h), y - 0.05, body, STEEL, "left", GLOSS)


def ice_machine(form: Form) -> None:
    """A steel box with a slanting flap over its bin."""
    sketch, (_, d, h), (x, y, _), body = form.sketch, form.size, form.half, form.tone()
    sketch.box((-x, -y, 0.08), (x, y - 0.04, h), body, METAL)
    for i in range(7):
        z = h * 0.68 + i * h * 0.035
        sketch.box((-x * 0.7, y - 0.04, z), (x * 0.7, y - 0.03, z + 0.015), BLACK)
    flap = sketch.at((0, y - 0.04, h * 0.58), 55 if form.is_open else 0, "x")
    flap.box((-x * 0.9, 0, -h * 0.42), (x * 0.9, 0.035, 0), shade(body, 1.06), METAL)
    flap.tube(((-0.12, 0.06, -h * 0.38), (0.12, 0.06, -h * 0.38)), 0.01, STEEL)
    for sx in SIDES:
        for sy in SIDES:
            sketch.cylinder((sx * (x - 0.05), sy * (d / 2 - 0.07), 0), 0.02, 0.08, BLACK)


def checkout_belt(form: Form) -> None:
    """A black belt on a counter, a divider, a lamp with a number."""
    sketch, (w, _, h), (x, y, _), body = form.sketch, form.size, form.half, form.tone()
    top = form.bottom("belt", 0.95)
    sketch.box((-x, -y, 0), (x, y, top - 0.04), body, GLOSS)
    sketch.box((-x, -y, 0), (x, y + 0.004, 0.1), shade(body, 0.4), GLOSS)
    sketch.box((-x, -y, top - 0.04), (x, y, top - 0.02), form.tone("top", STEEL), METAL)
    low, high = (-x + 0.08, -y + 0.1, top - 0.02), (x - 0.08, y - 0.1, top)
    sketch.box(low, high, form.tone("belt", BLACK), FABRIC)
    for i in range(int(w / 0.12)):
        at = -x + 0.12 + i * 0.12
        if at < x - 0.1:
            sketch.box((at, -y + 0.1, top), (at + 0.006, y - 0.1, top + 0.001), (0.35, 0.35, 0.36))
    for side in (-y, y - 0.06):
        sketch.box((-x, side, top - 0.02), (x, side + 0.06, h), form.tone("top", STEEL), METAL)
    sketch.box((x - 0.3, -y + 0.1, top), (x - 0.26, y - 0.1, top + 0.04), (0.85, 0.2, 0.2), GLOSS)


def fruit_stand(form: Form) -> None:
    """Slanting crates on a stand, a sign in front."""
    sketch, (w, _, h), (x, y, _), body = form.sketch, form.size, form.half, form.tone()
    top = form.bottom("crate", 0.78)
    for side in (-x, x - 0.06):
        for end in (-y, y - 0.06):
            sketch.box((side, end, 0), (side + 0.06, end + 0.06, top), body, WOOD)
    sketch.box((-x, -y, top - 0.05), (x, y, top), shade(body, 0.9), WOOD)
    sketch.box((-x, -y, h * 0.2), (x, y, h * 0.24), shade(body, 0.85), WOOD)
    for low, high in (
        ((-x, -y, top), (x, -y + 0.03, h)),
        ((-x, y - 0.03, top), (x, y, top + 0.1)),
        ((-x, -y, top), (-x + 0.03, y, h * 0.95)),
        ((x - 0.03, -y, top), (x, y, h * 0.95)),
    ):
        sketch.box(low, high, body, WOOD)
    sketch.box((-x, y, top - 0.22), (x, y + 0.01, top - 0.03), (0.2, 0.42, 0.22), WOOD)
    fruit: tuple[Colour, ...] = ((0.8, 0.15, 0.12), (0.95, 0.6, 0.1), (0.35, 0.6, 0.2))
    for i in range(3):
        at = -x + w * (i + 0.5) / 3
        for k in range(9):
            place = (at + (k % 3 - 1) * 0.1, -y + 0.12 + (k // 3) * 0.1, h * 0.3)
            sketch.ball(place, 0.045, fruit[i], GLOSS, 8)


def magazine_rack(form: Form) -> None:
    """Slanting steps on which magazines stand."""
    sketch, (_, _, h), (x, y, _), body = form.sketch, form.size, form.half, form.tone()
    for side in (-x, x - 0.02):
        sketch.box((side, -y, 0), (side + 0.02, y, h), body, METAL)
    boards(form, form.spaces("shelf"), body)
    sketch.box((-x, -y, 0), (x, -y + 0.015, h), shade(body, 0.85), METAL)
    for space in form.spaces("shelf"):
        z = space.low[2]
        sketch.box((-x, y - 0.012, z), (x, y, z + 0.06), body, METAL)


def wine_rack(form: Form) -> None:
    """Boards with bottles' bottoms in front."""
    sketch, (w, _, h), (x, y, _), body = form.sketch, form.size, form.half, form.tone()
    for side in (-x, x - 0.025):
        sketch.box((side, -y, 0), (side + 0.025, y, h), body, WOOD)
    boards(form, form.spaces("shelf", "top"), body)
    for space in form.spaces("shelf"):
        for i in range(1, 5):
            at = -x + w * i / 5
            low, high = (at - 0.006, -y, space.low[2]), (at + 0.006, y - 0.02, space.low[2] + 0.05)
            sketch.box(low, high, shade(body, 0.9), WOOD)


def lectern(form: Form) -> None:
    """A slanting top on a column."""
    sketch, (_, d, h), (x, y, _), body = form.sketch, form.size, form.half, form.tone()
    sketch.box((-x * 0.8, -y * 0.8, 0), (x * 0.8, y * 0.8, 0.05), shade(body, 0.8), WOOD)
    sketch.box((-x * 0.6, -y * 0.5, 0.05), (x * 0.6, y * 0.5, h * 0.86), body, WOOD)
    sketch.box((-x, -y, h * 0.84), (x, y, h * 0.88), body, WOOD)
    sketch.box((-x, -y, h * 0.88), (x, -y + 0.03, h), body, WOOD)
    top = sketch.at((0, y - 0.02, h * 0.87), -14, "x")
    top.box((-x, -d + 0.06, 0), (x, 0, 0.02), shade(body, 1.05), WOOD)
    sketch.tube(((0.12, -y * 0.2, h * 0.9), (0.1, -y * 0.4, h)), 0.006, BLACK)


def pool_table(form: Form) -> None:
    """Cloth between cushions, six pockets, balls."""
    sketch, (w, _, h), (x, y, _), body = form.sketch, form.size, form.half, form.tone()
    top, cloth = form.bottom("top", 0.95), form.tone("cloth")
    for sx in SIDES:
        for sy in SIDES:
            at = (sx * (x - 0.15), sy * (y - 0.15), 0.0)
            sketch.cylinder(at, 0.05, h * 0.7, body, WOOD, top=0.08)
    sketch.box((-x + 0.04, -y + 0.04, h * 0.66), (x - 0.04, y - 0.04, top - 0.01), body, WOOD)
    sketch.box((-x + 0.1, -y + 0.1, top - 0.01), (x - 0.1, y - 0.1, top), cloth, FABRIC)
    for low, high in (
        ((-x, -y), (x, -y + 0.12)),
        ((-x, y - 0.12), (x, y)),
        ((-x, -y), (-x + 0.12, y)),
        ((x - 0.12, -y), (x, y)),
    ):
        sketch.box((*low, top - 0.06), (*high, h), body, WOOD)
    for sx in (-1, 0, 1):
        for sy in SIDES:
            at = (sx * (x - 0.12), sy * (y - 0.11), h)
            sketch.cylinder(at, 0.06, 0.003, BLACK, segments=14)
    tones: tuple[Colour, ...] = (
        (0.9, 0.8, 0.2),
        (0.2, 0.3, 0.8),
        (0.85, 0.15, 0.15),
        (0.45, 0.2, 0.6),
        (0.95, 0.5, 0.15),
        (0.15, 0.5, 0.25),
        BLACK,
    )
    for i in range(7):
        a = 2.4 * i
        at = (math.cos(a) * 0.07 * i + w * 0.1, math.sin(a) * 0.06 * i, top + 0.028)
        sketch.ball(at, 0.028, tones[i], GLOSS, 10)
    sketch.ball((-w * 0.3, 0.05, top + 0.028), 0.028, PAPER, GLOSS, 10)


def table_tennis_table(form: Form) -> None:
    """A green or blue board with white lines and a net."""
    sketch, (_, _, h), (x, y, _), top = form.sketch, form.size, form.half, form.tone("top")
    sketch.box((-x, -y, h - 0.025), (x, y, h - 0.001), top, GLOSS)
    for low, high in (
        ((-x, -y), (x, -y + 0.02)),
        ((-x, y - 0.02), (x, y)),
        ((-x, -y), (-x + 0.02, y)),
        ((x - 0.02, -y), (x, y)),
        ((-x, -0.006), (x, 0.006)),
    ):
        sketch.box((*low, h - 0.002), (*high, h), PAPER)
    for sx in SIDES:
        for sy in SIDES:
            at = (sx * x * 0.7, sy * y * 0.75)
            sketch.tube(((*at, 0.02), (*at, h - 0.03)), 0.02, form.tone("legs", BLACK))
    sketch.box((-0.004, -y, h), (0.004, y, h + 0.15), (0.2, 0.25, 0.3), FABRIC)
    sketch.box((-0.006, -y, h + 0.14), (0.006, y, h + 0.152), PAPER)


def easel(form: Form) -> None:
    """Three legs with a board: a picture begun, or a flip chart with curves."""
    sketch, (w, _, h), (x, y, _) = form.sketch, form.size, form.half
    frame, surface = form.tone("frame", STEEL), WOOD if form.category == "easel" else METAL
    for side in SIDES:
        sketch.tube(
            ((side * (x - 0.03), y - 0.03, 0), (side * 0.06, -y * 0.2, h)), 0.016, frame, surface
        )
    sketch.tube(((0, -y + 0.02, 0), (0, -y * 0.2, h - 0.1)), 0.016, frame, surface)
    board = sketch.at((0, y * 0.35, h * 0.42), 8, "x")
    board.box((-x, -0.02, 0), (x, 0, h * 0.5), form.tone("board", PAPER))
    board.box((-x, -0.03, -0.03), (x, 0.05, 0), frame, surface)
    if form.category == "easel":
        tones: tuple[Colour, ...] = ((0.45, 0.65, 0.85), (0.35, 0.55, 0.3), (0.9, 0.75, 0.3))
        board.box((-x * 0.85, 0, h * 0.2), (x * 0.85, 0.002, h * 0.47), tones[0])
        board.box((-x * 0.85, 0, h * 0.03), (x * 0.85, 0.002, h * 0.2), tones[1])
        board.at((x * 0.4, 0.002, h * 0.38), -90, "x").cylinder((0, 0, 0), 0.05, 0.002, tones[2])
        return
    for i in range(4):
        z, long = h * (0.42 - 0.08 * i), w * (0.5 - 0.1 * (i % 2))
        board.box((x * 0.85 - long, 0, z), (x * 0.85, 0.002, z + 0.015), (0.2, 0.3, 0.6))


def mannequin(form: Form) -> None:
    """A body without a face in clothes, on a plate."""
    sketch, (w, _, h), (_, y, _) = form.sketch, form.size, form.half
    body, clothes = form.tone(), form.tone("clothes")
    sketch.cylinder((0, 0, 0), y, 0.02, STEEL, METAL, segments=20)
    for side in SIDES:
        leg = ((side * 0.09, 0, 0.02), (side * 0.09, 0, h * 0.28), (side * 0.08, 0, h * 0.5))
        sketch.tube(leg, 0.055, shade(clothes, 0.55), FABRIC, 10)
        arm = ((side * w * 0.36, 0, h * 0.8), (side * w * 0.42, 0, h * 0.62))
        sketch.tube(arm, 0.04, clothes, FABRIC, 8)
        sketch.tube((arm[1], (side * w * 0.44, 0.05, h * 0.46)), 0.03, body, GLOSS, 8)
    torso = [
        (0, 0),
        (0.17, 0),
        (0.13, h * 0.1),
        (0.18, h * 0.26),
        (0.2, h * 0.32),
        (0.05, h * 0.36),
    ]
    sketch.lathe((0, 0, h * 0.48), torso, clothes, FABRIC, 14, (1.0, 0.6))
    sketch.cylinder((0, 0, h * 0.82), 0.045, h * 0.06, body, GLOSS)
    sketch.ball((0, 0.01, h * 0.935), (0.075, 0.09, h * 0.065), body, GLOSS, 12)


def rowing_machine(form: Form) -> None:
    """A rail with a sliding seat, a flywheel, a handle."""
    sketch, (_, _, h), (x, y, _), frame = form.sketch, form.size, form.half, form.tone("frame")
    sketch.box((-0.05, -y, 0.28), (0.05, y * 0.5, 0.33), STEEL, METAL)
    sketch.box((-x * 0.8, -y, 0), (x * 0.8, -y + 0.06, 0.05), frame, METAL)
    sketch.tube(((0, -y + 0.05, 0.03), (0, -y + 0.05, 0.28)), 0.03, frame)
    sketch.cushion((-0.17, -y * 0.3, 0.34), (0.17, -y * 0.08, 0.42), form.tone("seat", BLACK), 0.03)
    wheel = sketch.at((-0.07, y * 0.72, h * 0.42), 90, "y")
    wheel.cylinder((0, 0, 0), h * 0.36, 0.14, frame, GLOSS, segments=22)
    sketch.box((-x * 0.8, y - 0.08, 0), (x * 0.8, y, 0.05), frame, METAL)
    sketch.box((-0.05, y * 0.5, 0), (0.05, y - 0.02, 0.3), frame, METAL)
    sketch.tube(((0, y * 0.6, h * 0.6), (0, y * 0.4, h - 0.08)), 0.02, frame)
    sketch.box((-0.09, y * 0.38, h - 0.14), (0.09, y * 0.42, h), BLACK, GLOSS)
    sketch.tube(((-x * 0.8, y * 0.3, h * 0.55), (x * 0.8, y * 0.3, h * 0.55)), 0.015, BLACK, GLOSS)
    for side in SIDES:
        rest = sketch.at((side * 0.16, y * 0.42, 0.18), -40, "x")
        rest.box((-0.06, -0.02, 0), (0.06, 0.02, 0.28), BLACK, GLOSS)


def elliptical(form: Form) -> None:
    """Pedals on long bars, arms to pull, a wheel at the back."""
    sketch, (_, _, h), (x, y, _), frame = form.sketch, form.size, form.half, form.tone("frame")
    for end in (-y + 0.03, y - 0.09):
        sketch.box((-x, end, 0), (x, end + 0.06, 0.07), BLACK, METAL)
    sketch.box((-0.05, -y + 0.05, 0.03), (0.05, y - 0.05, 0.1), frame, METAL)
    wheel = sketch.at((-0.09, -y * 0.6, h * 0.26), 90, "y")
    wheel.cylinder((0, 0, 0), h * 0.2, 0.18, frame, GLOSS, segments=22)
    sketch.tube(((0, y * 0.75, 0.08), (0, y * 0.6, h * 0.85)), 0.035, frame)
    sketch.box((-0.12, y * 0.55, h * 0.82), (0.12, y * 0.62, h * 0.95), BLACK, GLOSS)
    if form.is_on:
        sketch.box((-0.1, y * 0.545, h * 0.84), (0.1, y * 0.55, h * 0.93), (0.3, 0.7, 0.9), GLOW)
    for side in SIDES:
        at, lift = side * 0.18, 0.1 * side
        bar = (
            (at, -y * 0.6, h * 0.26 + lift),
            (at, y * 0.35, 0.22),
            (side * 0.24, y * 0.6, h * 0.55),
        )
        sketch.tube((*bar, (side * 0.26, y * 0.3, h)), 0.02, STEEL)
        sketch.tube(
            ((side * 0.255, y * 0.38, h * 0.88), (side * 0.26, y * 0.3, h)), 0.026, BLACK, GLOSS
        )
        low = (at - 0.08, -y * 0.15, 0.2 + lift * 0.5)
        sketch.box(low, (at + 0.08, y * 0.25, 0.24 + lift * 0.5), BLACK, GLOSS)


def moped(form: Form) -> None:
    """Two wheels, a shield, a seat, handlebars with a lamp."""
    sketch, (_, d, h), (x, y, _), body = form.sketch, form.size, form.half, form.tone()
    r = h * 0.21
    for end in (-y + r, y - r):
        wheel = sketch.at((-0.05, end, r), 90, "y")
        wheel.cylinder((0, 0, 0), r, 0.1, BLACK, GLOSS, segments=20)
        wheel.cylinder((0, 0, -0.005), r * 0.5, 0.11, STEEL, METAL, segments=14)
    sketch.cushion(
        (-x * 0.5, -y + r * 0.5, r * 1.1), (x * 0.5, -y + d * 0.42, h * 0.62), body, 0.1, GLOSS
    )
    seat = form.tone("seat", BLACK)
    sketch.cushion((-x * 0.42, -y + r, h * 0.6), (x * 0.42, d * 0.06, h * 0.72), seat, 0.05)
    sketch.box(
        (-x * 0.45, -d * 0.1, r * 0.8), (x * 0.45, y - r * 1.9, r * 1.05), shade(body, 0.8), GLOSS
    )
    shield = sketch.at((0, y - r * 2.0, r * 0.9), -14, "x")
    shield.cushion((-x * 0.75, -0.03, 0), (x * 0.75, 0.03, h * 0.56), body, 0.03, GLOSS)
    sketch.tube(((0, y - r, r), (0, y - r * 1.6, h * 0.85)), 0.03, STEEL)
    sketch.tube(
        ((-x, y - r * 1.9, h * 0.94), (0, y - r * 1.5, h * 0.86), (x, y - r * 1.9, h * 0.94)),
        0.018,
        BLACK,
        GLOSS,
    )
    lamp = on_off((1, 0.97, 0.8), PAPER)
    colour = lamp(form) if callable(lamp) else lamp
    sketch.ball((0, y - r * 1.3, h * 0.8), 0.07, colour, GLOSS)
    sketch.ball((0, y - r, r * 1.2), (0.09, r * 0.9, r * 1.0), body, GLOSS)


def lawn_mower(form: Form) -> None:
    """A deck on wheels with a motor, a bag and a long handle."""
    sketch, (_, _, h), (x, y, _), body = form.sketch, form.size, form.half, form.tone()
    frame = form.tone("frame", BLACK)
    sketch.cushion((-x * 0.85, y - 0.75, 0.1), (x * 0.85, y, 0.3), body, 0.06, GLOSS)
    sketch.cylinder((0, y - 0.36, 0.28), 0.14, 0.14, BLACK, GLOSS, segments=16)
    for side in SIDES:
        for end in (y - 0.66, y - 0.12):
            r = 0.11
            wheel = sketch.at((side * (x - 0.03) - 0.03, end, r), 90, "y")
            wheel.cylinder((0, 0, 0), r, 0.06, BLACK, GLOSS, segments=16)
            wheel.cylinder((0, 0, -0.004), r * 0.5, 0.068, body, GLOSS, segments=12)
        handle = ((side * x * 0.7, y - 0.7, 0.26), (side * x * 0.7, -y + 0.1, h - 0.05))
        sketch.tube((*handle, (side * x * 0.7, -y, h)), 0.014, frame)
    sketch.tube(((-x * 0.7, -y, h), (x * 0.7, -y, h)), 0.018, BLACK, GLOSS)
    sketch.cushion((-x * 0.7, y - 1.15, 0.16), (x * 0.7, y - 0.74, 0.46), (0.22, 0.24, 0.22), 0.08)


def wheelbarrow(form: Form) -> None:
    """A tray on a wheel and two legs, two handles."""
    sketch, (_, d, h), (x, y, _), body = form.sketch, form.size, form.half, form.tone()
    frame, low = form.tone("frame", BLACK), form.bottom("tray", 0.5)
    wheel = sketch.at((-0.04, y - 0.2, 0.2), 90, "y")
    wheel.cylinder((0, 0, 0), 0.2, 0.08, BLACK, GLOSS, segments=20)
    wheel.cylinder((0, 0, -0.004), 0.09, 0.088, STEEL, METAL)
    for side in SIDES:
        at = side * x * 0.75
        sketch.tube(
            ((side * 0.06, y - 0.2, 0.2), (at, 0, low - 0.04), (at, -y, h * 0.85)),
            0.016,
            frame,
            WOOD,
        )
        sketch.tube(((at, -d * 0.15, low - 0.04), (at, -d * 0.2, 0)), 0.014, frame)
    bottom = [
        (-x * 0.6, -d * 0.12),
        (x * 0.6, -d * 0.12),
        (x * 0.5, d * 0.22),
        (-x * 0.5, d * 0.22),
    ]
    top = [(-x, -d * 0.2), (x, -d * 0.2), (x * 0.8, d * 0.42), (-x * 0.8, d * 0.42)]
    sketch.prism(bottom, low - 0.03, low, body, METAL)
    for i in range(4):
        j = (i + 1) % 4
        wall = ((*bottom[i], low), (*bottom[j], low), (*top[j], h), (*top[i], h))
        sketch.quad(*wall, body, METAL)
        sketch.quad(wall[1], wall[0], wall[3], wall[2], shade(body, 0.85), METAL)


def step_ladder(form: Form) -> None:
    """Two pairs of legs that lean on each other, steps between those in front."""
    sketch, (x, y, h), frame = form.sketch, form.half, form.tone("frame")
    for side in SIDES:
        sketch.tube(((side * (x - 0.02), y - 0.02, 0), (side * x * 0.7, 0.02, h)), 0.018, frame)
        sketch.tube(((side * (x - 0.02), -y + 0.02, 0), (side * x * 0.7, -0.02, h)), 0.014, frame)
    for i in range(1, 5):
        t = i / 5
        z, at, half = h * t, (y - 0.02) * (1 - t) + 0.02 * t, (x - 0.03) * (1 - 0.3 * t)
        sketch.box((-half, at - 0.05, z - 0.025), (half, at + 0.04, z), shade(frame, 0.9), METAL)
    sketch.box((-x * 0.75, -0.12, h - 0.03), (x * 0.75, 0.12, h), shade(frame, 0.8), METAL)


def sun_lounger(form: Form) -> None:
    """A long frame with a cushion, its back raised."""
    sketch, (_, d, _), (x, y, _) = form.sketch, form.size, form.half
    frame, cover, z = form.tone("frame"), form.tone("cover"), 0.3
    legs(form, z, frame, 0.05, 0.05)
    sketch.box((-x, -y, z - 0.05), (x, y, z), frame, WOOD)
    sketch.cushion((-x + 0.03, -d * 0.12, z), (x - 0.03, y - 0.03, z + 0.07), cover, 0.03)
    back = sketch.at((0, -d * 0.12, z), -42, "x")
    back.box((-x, -d * 0.36, -0.03), (x, 0, 0), frame, WOOD)
    back.cushion((-x + 0.03, -d * 0.36, 0), (x - 0.03, 0.02, 0.07), cover, 0.03)


SHAPES: dict[str, Shape] = {
    "shopping_cart": shopping_cart, "display_fridge": display_fridge,
    "chest_freezer": chest_freezer, "minibar": minibar, "ice_machine": ice_machine,
    "checkout_belt": checkout_belt, "fruit_stand": fruit_stand, "magazine_rack": magazine_rack,
    "wine_rack": wine_rack, "lectern": lectern, "pool_table": pool_table,
    "table_tennis_table": table_tennis_table, "easel": easel, "mannequin": mannequin,
    "rowing_machine": rowing_machine, "elliptical_trainer": elliptical, "moped": moped,
    "lawn_mower": lawn_mower, "wheelbarrow": wheelbarrow, "step_ladder": step_ladder,
    "sun_lounger": sun_lounger,
    "paper_shredder": made_of(
        cushion((-0.46, -0.46, 0), (0.46, 0.46, 0.7), 0.05, tone("bin", factor=0.9), GLOSS),
        cushion((-0.5, -0.5, 0.68), (0.5, 0.5, 1), 0.06, finish=GLOSS),
        box((-0.36, -0.06, 0.995), (0.36, 0.06, 1.003), BLACK),
        box((-0.3, -0.01, 0.98), (0.3, 0.01, 1.12), PAPER),
        box((-0.3, 0.455, 0.15), (0.3, 0.47, 0.5), GLASSY, GLOSS),
        box((0.3, 0.49, 0.85), (0.36, 0.51, 0.9), on_off((0.2, 0.8, 0.4), STEEL), GLOSS),
    ),
    "server_rack": made_of(
        box((-0.5, -0.5, 0), (0.5, 0.42, 1), finish=METAL),
        *(row for i in range(9) for row in (
            box((-0.42, 0.42, 0.06 + 0.1 * i), (0.42, 0.46, 0.14 + 0.1 * i), (0.3, 0.31, 0.33),
                METAL),
            box((0.3, 0.46, 0.09 + 0.1 * i), (0.34, 0.465, 0.11 + 0.1 * i),
                on_off((0.2, 0.9, 0.4), STEEL), lambda form: GLOW if form.is_on else GLOSS),
            box((0.2, 0.46, 0.09 + 0.1 * i), (0.24, 0.465, 0.11 + 0.1 * i),
                on_off((0.3, 0.6, 1.0), STEEL), lambda form: GLOW if form.is_on else GLOSS))),
        box((-0.5, 0.42, 0), (-0.45, 0.5, 1), shaded(0.8), METAL),
        box((0.45, 0.42, 0), (0.5, 0.5, 1), shaded(0.8), METAL),
    ),
    "jukebox": made_of(
        cushion((-0.5, -0.5, 0), (0.5, 0.4, 0.78), 0.06, finish=WOOD),
        placed((0, -0.5, 0.7), -90, "x", lambda form: form.sketch.cylinder(
            (0, 0, 0), form.size[0] / 2, form.size[1] * 0.9, form.tone(), WOOD, segments=24)),
        placed((0, 0.4, 0.7), -90, "x", lambda form: form.sketch.lathe(
            (0, 0, 0), [(form.size[0] * r, z) for r, z in ((0.36, 0), (0.46, 0), (0.46, 0.03),
                                                          (0.36, 0.03))],
            (1.0, 0.75, 0.3) if form.is_on else form.tone("frame"),
            GLOW if form.is_on else METAL, 24)),
        box((-0.34, 0.4, 0.5), (0.34, 0.43, 0.72), (0.2, 0.2, 0.25), GLOSS),
        box((-0.4, 0.4, 0.06), (0.4, 0.44, 0.42), tone("frame"), METAL),
        *(box((x - 0.03, 0.44, 0.08), (x + 0.03, 0.46, 0.4), (0.85, 0.3, 0.25), GLOSS)
          for x in (-0.3, -0.15, 0, 0.15, 0.3)),
    ),
    "rope_barrier": made_of(
        *(row for s in (-1, 1) for row in (
            cylinder((s * 0.4, 0, 0), 0.1, 0.03, tone("frame"), METAL, segments=20),
            tube([(s * 0.4, 0, 0), (s * 0.4, 0, 0.94)], (0, 0.02), tone("frame")),
            ball((s * 0.4, 0, 0.96), (0.024, 0.11, 0.038), tone("frame"), METAL))),
        tube([(-0.4, 0, 0.88), (-0.25, 0, 0.72), (0, 0, 0.66), (0.25, 0, 0.72), (0.4, 0, 0.88)],
             (0, 0.02), tone("rope"), FABRIC, 8),
    ),
    "punching_bag": made_of(
        cylinder((0, 0, 0), 0.5, 0.12, tone("base"), GLOSS, top=0.36, segments=20),
        tube([(0, 0, 0.1), (0, 0, 0.4)], (0, 0.04), STEEL),
        turned([(0, 0), (0.5, 0.02), (0.62, 0.05), (0.62, 0.62), (0.5, 0.66), (0, 0.67)],
               finish=GLOSS, segments=18, base=0.33),
        turned([(0.63, 0), (0.63, 0.03)], PAPER, GLOSS, 18, base=0.75),
    ),
    "grill": made_of(
        *(box((x - 0.02, y - 0.04, 0), (x + 0.02, y + 0.04, 0.6), tone("frame"), METAL)
          for x in (-0.26, 0.26) for y in (-0.4, 0.4)),
        cushion((-0.3, -0.46, 0.52), (0.3, 0.46, 0.72), 0.06, finish=GLOSS),
        lambda form: None if form.is_open else form.sketch.cushion(
            (-form.size[0] * 0.3, -form.size[1] * 0.46, form.size[2] * 0.7),
            (form.size[0] * 0.3, form.size[1] * 0.46, form.size[2]), form.tone(),
            form.size[2] * 0.14, GLOSS),
        lambda form: form.sketch.at(
            (0, -form.size[1] * 0.46, form.size[2] * 0.72), 80, "x").cushion(
                (-form.size[0] * 0.3, 0, 0), (form.size[0] * 0.3, form.size[1] * 0.8,
                form.size[2] * 0.12), form.tone(), 0.06, GLOSS) if form.is_open else None,
        tube([(-0.15, 0.48, 0.82), (0.15, 0.48, 0.82)], (0, 0.012), STEEL),
        *(box((s * 0.4 - 0.1, -0.4, 0.68), (s * 0.4 + 0.1, 0.4, 0.71), tone("frame"), METAL)
          for s in (-1, 1)),
        box((-0.26, -0.4, 0.12), (0.26, 0.4, 0.15), tone("frame"), METAL),
        *(placed((x, 0.46, 0.6), -90, "x", cylinder((0, 0, 0), 0.02, 0.03, STEEL, METAL))
          for x in (-0.15, 0, 0.15)),
    ),
}  # fmt: skip
