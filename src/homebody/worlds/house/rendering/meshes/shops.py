"""Furniture that shops sell from and display goods on."""

from __future__ import annotations

from homebody.worlds.house.model.house import Colour
from homebody.worlds.house.rendering.materials import FABRIC, GLASS, GLOSS, GLOW, MATT, METAL, WOOD
from homebody.worlds.house.rendering.meshes.form import SIDES, Form, Shape
from homebody.worlds.house.rendering.meshes.furniture_parts import boards, carcass, door, doors
from homebody.worlds.house.rendering.meshes.palette import BLACK, GLASSY, PAPER, STEEL, shade
from homebody.worlds.house.rendering.meshes.solids import (
    ball,
    box,
    cushion,
    cylinder,
    made_of,
    move,
    tone,
    tube,
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
    for space in form.spaces("shelf"):  # a strip for prices
        z = space.low[2]
        sketch.box((-x + 0.05, y - 0.085, z - 0.03), (x - 0.05, y - 0.08, z), (0.95, 0.8, 0.2))
    for i in range(3):  # a snowflake
        arm = sketch.at((0, y + 0.004, h - 0.07), 60 * i, "y")
        arm.tube(((-0.05, 0, 0), (0.05, 0, 0)), 0.006, PAPER, MATT, 5)
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


SHAPES: dict[str, Shape] = {
    "shopping_cart": shopping_cart,
    "display_fridge": display_fridge,
    "chest_freezer": chest_freezer,
    "minibar": minibar,
    "ice_machine": ice_machine,
    "checkout_belt": checkout_belt,
    "fruit_stand": fruit_stand,
    "magazine_rack": magazine_rack,
    "wine_rack": wine_rack,
    "mannequin": mannequin,
    "rope_barrier": made_of(
        *(row for s in (-1, 1) for row in (
            cylinder((s * 0.4, 0, 0), 0.1, 0.03, tone("frame"), METAL, segments=20),
            tube([(s * 0.4, 0, 0), (s * 0.4, 0, 0.94)], (0, 0.02), tone("frame")),
            ball((s * 0.4, 0, 0.96), (0.024, 0.11, 0.038), tone("frame"), METAL))),
        tube([(-0.4, 0, 0.88), (-0.25, 0, 0.72), (0, 0, 0.66), (0.25, 0, 0.72), (0.4, 0, 0.88)],
             (0, 0.02), tone("rope"), FABRIC, 8),
    ),
    "jukebox": made_of(
        cushion((-0.5, -0.5, 0), (0.5, 0.4, 0.78), 0.06, finish=WOOD),
        move((0, -0.5, 0.7), -90, "x", lambda form: form.sketch.cylinder(
            (0, 0, 0), form.size[0] / 2, form.size[1] * 0.9, form.tone(), WOOD, segments=24)),
        move((0, 0.4, 0.7), -90, "x", lambda form: form.sketch.lathe(
            (0, 0, 0), [(form.size[0] * r, z) for r, z in ((0.36, 0), (0.46, 0), (0.46, 0.03),
                                                          (0.36, 0.03))],
            (1.0, 0.75, 0.3) if form.is_on else form.tone("frame"),
            GLOW if form.is_on else METAL, 24)),
        box((-0.34, 0.4, 0.5), (0.34, 0.43, 0.72), (0.2, 0.2, 0.25), GLOSS),
        box((-0.4, 0.4, 0.06), (0.4, 0.44, 0.42), tone("frame"), METAL),
        *(box((x - 0.03, 0.44, 0.08), (x + 0.03, 0.46, 0.4), (0.85, 0.3, 0.25), GLOSS)
          for x in (-0.3, -0.15, 0, 0.15, 0.3)),
    ),
}  # fmt: skip
