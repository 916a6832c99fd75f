"""Small personal things, and items of desks and bathrooms: tables of parts."""

from __future__ import annotations

import math

from homebody.worlds.house.model.house import Colour
from homebody.worlds.house.rendering.materials import FABRIC, GLOSS, MATT, METAL, WOOD
from homebody.worlds.house.rendering.meshes.containers import printed
from homebody.worlds.house.rendering.meshes.form import Form, Shape
from homebody.worlds.house.rendering.meshes.palette import (
    BLACK,
    BRASS,
    PAPER,
    STEEL,
    TIMBER,
    mix,
    shade,
)
from homebody.worlds.house.rendering.meshes.prints import front, print_words
from homebody.worlds.house.rendering.meshes.solids import (
    BODY,
    Length,
    Paint,
    Place,
    ball,
    box,
    colour_of,
    cushion,
    cylinder,
    lathe,
    lit,
    made_of,
    move,
    on_off,
    pale,
    prism,
    tint,
    tube,
)

RED: Colour = (0.8, 0.14, 0.12)
BLUE: Colour = (0.2, 0.35, 0.7)
YELLOW: Colour = (0.96, 0.8, 0.2)
FEATHER: Colour = (0.85, 0.72, 0.6)
AMBER: Colour = (0.9, 0.68, 0.35)


def ring(
    centre: Place, radius: float, thick: Length, paint: Paint = BODY, finish: object = FABRIC,
    steps: int = 18,
) -> Shape:  # fmt: skip
    """Return a round bar in a circle that lies flat; its radius is a share of the size."""
    x, y, z = centre
    angles = [2 * math.pi * i / steps for i in range(steps + 1)]
    points = [
        (x + radius * math.cos(a), y + radius * math.sin(a), z)  # type: ignore[operator]
        for a in angles
    ]
    return tube(points, thick, paint, finish, 5)  # type: ignore[arg-type]


def coil(thick: float, turns: int = 3, paint: Paint = BODY, radius: float = 0.44) -> Shape:
    """Return turns of a cord on each other; its thickness in metres."""
    return made_of(
        *(
            ring(
                (0.015 * (-1) ** i, 0.01 * i, (0, thick * (1 + 1.8 * i))),
                radius - 0.03 * (i % 2),
                (0, thick),
                paint,
            )
            for i in range(turns)
        )
    )


def text(
    lines: str, size: tuple[float, float], paint: Paint, z: float = 1.0, y: float = 0.0,
        turn: int = 180
) -> Shape:  # fmt: skip
    """Return words on top, readable from +y; size is shares of width and depth."""

    def draw(form: Form) -> None:
        w, d, h = form.size
        plane = form.sketch.at((0, y * d, h * z + 0.0006), turn)
        wide, deep = (d, w) if turn % 180 else (w, d)
        space = size[0] * wide, size[1] * deep
        print_words(plane, lines.split(), space, colour_of(form, paint))

    return draw


def text_in_front(lines: str, size: tuple[float, float], paint: Paint, z: float) -> Shape:
    """Return words on the face to +y around a height; size is shares of width and height."""

    def draw(form: Form) -> None:
        w, d, h = form.size
        plane = front(form.sketch, d / 2 + 0.0006, z * h)
        print_words(plane, lines.split(), (size[0] * w, size[1] * h), colour_of(form, paint))

    return draw


def dice(form: Form) -> None:
    """A die with its pips."""
    w, _, h = form.size
    form.sketch.cushion((-w / 2, -w / 2, 0), (w / 2, w / 2, h), form.tone(), w * 0.12, GLOSS)
    corners = [(-0.25, -0.25), (0.25, 0.25), (0.25, -0.25), (-0.25, 0.25)]
    sides = (
        (form.sketch.at((0, 0, h)), [*corners, (0, 0)]),
        (front(form.sketch, w / 2, h / 2), [*corners[:2], (0, 0)]),
        (front(form.sketch, w / 2, h / 2, 90), corners),
        (front(form.sketch, w / 2, h / 2, 180), [*corners, (0.25, 0), (-0.25, 0)]),
        (front(form.sketch, w / 2, h / 2, 270), corners[:2]),
    )
    for plane, pips in sides:
        for x, y in pips:
            plane.cylinder((x * w, y * w, 0), w * 0.09, 0.0004, PAPER, segments=8)


def comb(form: Form) -> None:
    """A spine along y with teeth to one side."""
    (w, d, h), body = form.size, form.tone()
    form.sketch.cushion((-w / 2, -d / 2, 0), (-w * 0.15, d / 2, h), body, h * 0.4, GLOSS)
    for i in range(26):
        y, wide = -d * 0.48 + d * 0.96 * i / 26, d * (0.017 if i < 13 else 0.008)
        form.sketch.box((-w * 0.2, y, h * 0.2), (w / 2, y + wide, h * 0.8), body, GLOSS)


def ruler(form: Form) -> None:
    """A flat bar with marks; every fifth is longer."""
    (w, d, h), body = form.size, form.tone()
    form.sketch.box((-w / 2, -d / 2, 0), (w / 2, d / 2, h), body, WOOD)
    for i in range(1, 60):
        x, long = w * (i / 60 - 0.5), 0.45 if i % 10 == 0 else 0.32 if i % 5 == 0 else 0.2
        form.sketch.box((x, d * (0.5 - long), h), (x + w * 0.003, d / 2, h + 0.0005), BLACK)


def feather_duster(form: Form) -> None:
    """A stick with a bunch of feathers at +y."""
    (w, d, h), body = form.size, form.tone()
    form.sketch.tube(((0, -d / 2, h / 2), (0, d * 0.1, h / 2)), 0.009, BLACK, GLOSS)
    for i in range(22):
        a, out = 2.4 * i, math.sqrt(i / 22) * 0.36
        tip = (math.cos(a) * out * w, d * (0.46 - 0.35 * out), h * (0.5 + math.sin(a) * out))
        root, tone = (0.0, d * 0.02, h / 2), mix(body, FEATHER, 0.5 + 0.2 * (i % 3))
        form.sketch.tube((root, tip), 0.006, tone, FABRIC, 4)
        form.sketch.ball(tip, (w * 0.14, d * 0.09, h * 0.14), tone, FABRIC, 6)


def cotton_swabs(form: Form) -> None:
    """A clear jar full of sticks with cotton ends."""
    (w, _, h), r = form.size, form.size[0] / 2
    form.sketch.lathe((0, 0, 0), [(0, 0), (r, 0), (r, 0), (r, h * 0.55)], form.tone(), GLOSS, 14)
    for i in range(17):
        a, out = 2.4 * i, math.sqrt(i / 17) * 0.78 * r
        x, y = math.cos(a) * out, math.sin(a) * out
        form.sketch.tube(((x, y, h * 0.3), (x * 1.1, y * 1.1, h * 0.88)), 0.0012, BLUE, GLOSS, 4)
        form.sketch.ball((x * 1.1, y * 1.1, h * 0.9), (w * 0.05, w * 0.05, h * 0.1), PAPER, MATT, 6)


SHAPES: dict[str, Shape] = {
    "dice": dice, "comb": comb, "ruler": ruler, "feather_duster": feather_duster,
    "cotton_swabs": cotton_swabs,
    # -- cords
    "belt": made_of(  # rolled up, its buckle to +y
        lathe([(0.93, 0.05), (0.98, 0.05), (0.98, 0.95), (0.93, 0.95), (0.93, 0.05)], finish=GLOSS,
              segments=22),
        lathe([(0.72, 0.05), (0.77, 0.05), (0.77, 0.95), (0.72, 0.95), (0.72, 0.05)],
              tint(0.8), GLOSS, 22),
        lathe([(0.5, 0.05), (0.55, 0.05), (0.55, 0.95), (0.5, 0.95), (0.5, 0.05)], tint(0.9),
              GLOSS, 22),
        tube([(-0.24, 0.5, 0.1), (0.24, 0.5, 0.1), (0.24, 0.5, 1.2), (-0.24, 0.5, 1.2),
              (-0.24, 0.5, 0.1)], (0, 0.003), BRASS, METAL),
        tube([(-0.24, 0.52, 0.65), (0.24, 0.52, 0.65)], (0, 0.002), BRASS, METAL),
        *(ball((x, 0.48, 0.5), (0.02, 0.02, 0.06), BLACK, MATT, 6) for x in (0.32, 0.38)),
    ),
    "charging_cable": made_of(
        coil(0.0024, 4, radius=0.36),
        tube([(-0.34, 0.05, 0.7), (-0.1, 0.28, 0.8), (0.05, 0.3, 0.5)], (0, 0.0024), finish=GLOSS),
        box((0.0, 0.22, 0.25), (0.24, 0.4, 0.7), tint(0.8), GLOSS),
        box((0.24, 0.25, 0.35), (0.42, 0.37, 0.6), STEEL, METAL),
        tube([(0.34, -0.05, 0.7), (0.2, -0.3, 0.8), (0.05, -0.3, 0.5)], (0, 0.0024), finish=GLOSS),
        cushion((-0.16, -0.37, 0.3), (0.06, -0.23, 0.65), 0.12, tint(0.8), GLOSS),
        box((-0.26, -0.34, 0.4), (-0.16, -0.26, 0.55), STEEL, METAL),
        box((-0.42, -0.06, 0), (-0.26, 0.06, 0.9), BLACK, FABRIC),
    ),
    "extension_cord": made_of(
        coil(0.006, 4, radius=0.4),
        move((0.05, 0, 0.55), 20, "z", *(
            cushion((-0.42, -0.14, 0), (0.34, 0.14, 0.45), 0.1, PAPER, GLOSS),
            *(cylinder((x, 0, 0.44), 0.09, 0.03, (0.3, 0.3, 0.32), MATT)
              for x in (-0.28, -0.04, 0.2)),
            *(box((x + s * 0.03 - 0.012, -0.02, 0.46), (x + s * 0.03 + 0.012, 0.02, 0.49), BLACK)
              for x in (-0.28, -0.04, 0.2) for s in (-1, 1)))),
        move((0.1, 0.42, 0.1), 0, "z",
             cushion((-0.08, -0.06, 0), (0.08, 0.06, 0.4), 0.1, PAPER, GLOSS),
             *(tube([(0.07, y, 0.2), (0.2, y, 0.2)], (0, 0.003), STEEL) for y in (-0.03, 0.03))),
    ),
    "leash": made_of(
        coil(0.004, 3, radius=0.34),
        tube([(-0.3, 0.1, 0.7), (-0.5, 0.3, 0.6), (-0.42, 0.5, 0.6), (-0.2, 0.42, 0.6),
              (-0.25, 0.15, 0.7)], (0, 0.004), finish=FABRIC),
        tube([(0.2, 0.2, 0.6), (0.36, 0.36, 0.6)], (0, 0.004), finish=FABRIC),
        ring((0.4, 0.4, 0.6), 0.07, (0, 0.0025), STEEL, METAL, 10),
        tube([(0.42, 0.34, 0.6), (0.5, 0.1, 0.6), (0.46, -0.04, 0.6), (0.38, 0.0, 0.6),
              (0.4, 0.14, 0.6)], (0, 0.003), STEEL),
    ),
    "jump_rope": made_of(
        coil(0.004, 4, radius=0.4),
        *(move((s * 0.18, 0, 0.6), s * 12, "z",
               tube([(0, -0.42, 0.2), (0, 0.3, 0.2)], (0, 0.012), TIMBER, WOOD, 8),
               tube([(0, 0.3, 0.2), (0, 0.4, 0.2)], (0, 0.014), RED, GLOSS, 8),
               tube([(0, 0.4, 0.2), (s * 0.16, 0.42, 0.0)], (0, 0.004), BODY, FABRIC))
          for s in (-1, 1)),
    ),
    "necklace": made_of(
        ring((0, 0.03, 0.5), 0.42, (0, 0.0016), finish=METAL, steps=36),
        *(ball((0.42 * math.sin(0.35 * i), 0.03 - 0.42 * math.cos(0.35 * i), 0.5),
               (0.028, 0.024, 0.4), PAPER, GLOSS, 7) for i in range(-4, 5)),
        ball((0, -0.46, 0.5), (0.05, 0.06, 0.5), (0.15, 0.5, 0.75), GLOSS, 8),
    ),
    "bracelet": made_of(*(
        ball((0.43 * math.cos(2 * math.pi * i / 18), 0.43 * math.sin(2 * math.pi * i / 18), 0.5),
             (0.075, 0.075, 0.42), BODY if i % 3 else pale(0.7), GLOSS, 8) for i in range(18))),
    "resistance_band": made_of(
        lathe([(0.95, 0), (1, 0), (1, 1), (0.95, 1), (0.95, 0)], finish=MATT, segments=20),
        move((0.06, 0, 0), 40, "z",
             lathe([(0.7, 0.1), (0.75, 0.1), (0.75, 0.9), (0.7, 0.9), (0.7, 0.1)], tint(0.85),
                   MATT, 20)),
    ),
    # -- bathrooms and babies
    "pacifier": made_of(  # lies on its shield, the teat up, its ring to +y
        prism([(-0.5, -0.1), (-0.3, -0.34), (0.3, -0.34), (0.5, -0.1), (0.5, 0.08), (0.3, 0.22),
               (-0.3, 0.22), (-0.5, 0.08)], 0.1, 0.3, finish=GLOSS),
        *(cylinder((x, -0.06, 0.28), 0.06, 0.04, PAPER) for x in (-0.32, 0.32)),
        cylinder((0, -0.06, 0.3), 0.2, 0.1, pale(0.5), GLOSS),
        cylinder((0, -0.06, 0.38), 0.11, 0.25, AMBER, GLOSS),
        ball((0, -0.06, 0.78), (0.19, 0.17, 0.24), AMBER, GLOSS),
        ring((0, 0.26, 0.2), 0.22, (0, 0.0026), pale(0.5), GLOSS),
    ),
    "soap": made_of(
        cushion((-0.5, -0.5, 0), (0.5, 0.5, 0.85), 0.42, finish=GLOSS),
        text("soap", (0.6, 0.3), tint(0.6), 0.86),
        *(ball((x, y, 0.85), (s, s * 1.5, s * 2.8), (0.93, 0.96, 1.0), GLOSS, 8)
          for x, y, s in ((-0.4, -0.3, 0.07), (-0.28, -0.4, 0.045), (0.42, 0.25, 0.06),
                          (0.36, 0.4, 0.04), (-0.44, 0.1, 0.04))),
    ),
    "sponge": made_of(
        cushion((-0.5, -0.5, 0), (0.5, 0.5, 0.72), 0.15, YELLOW, MATT),
        cushion((-0.5, -0.5, 0.66), (0.5, 0.5, 1), 0.08, (0.2, 0.42, 0.25), FABRIC),
        *(ball((-0.42 + 0.085 * i, 0.5, 0.2 + 0.2 * (i * 7 % 3)), (0.022, 0.015, 0.06),
               (0.7, 0.52, 0.1), MATT, 6) for i in range(11)),
        *(ball((0.5, -0.38 + 0.15 * i, 0.22 + 0.18 * (i % 3)), (0.012, 0.035, 0.06),
               (0.7, 0.52, 0.1), MATT, 6) for i in range(6)),
    ),
    "toothpaste": made_of(  # its cap at +y
        prism([(-0.5, -0.46), (0.5, -0.46), (0.36, 0.3), (-0.36, 0.3)], 0.1, 0.6, PAPER, GLOSS),
        move((0, -0.46, 0.35), -90, "x", lambda form: form.sketch.lathe(
            (0, 0, 0), [(form.size[0] * r, form.size[1] * z) for r, z in (
                (0.48, 0.02), (0.46, 0.5), (0.36, 0.76), (0.16, 0.8))], PAPER, GLOSS, 12,
            (1, 0.72))),
        box((-0.5, -0.5, 0.25), (0.5, -0.42, 0.5), BODY, GLOSS),
        move((0, 0.32, 0.38), -90, "x", lambda form: form.sketch.cylinder(
            (0, 0, 0), form.size[2] * 0.32, form.size[1] * 0.18, form.tone(), GLOSS)),
        text("toothpaste", (0.55, 0.5), BODY, 1.28, -0.05, 270),
    ),
    "razor": made_of(
        tube([(0, -0.5, 0.3), (0, 0.1, 0.55), (0, 0.36, 0.6)], (0, 0.006), finish=GLOSS,
            segments=8),
        *(ball((0, -0.4 + 0.1 * i, 0.36 + 0.05 * i), (0.17, 0.03, 0.25), BLACK, MATT, 8)
          for i in range(5)),
        cushion((-0.5, 0.32, 0.35), (0.5, 0.5, 0.85), 0.15, pale(0.4), GLOSS),
        *(box((-0.42, 0.36 + 0.04 * i, 0.84), (0.42, 0.38 + 0.04 * i, 0.9), STEEL, METAL)
          for i in range(3)),
    ),
    "hairbrush": made_of(
        cushion((-0.2, -0.5, 0), (0.2, 0.05, 0.5), 0.22, finish=GLOSS),
        ball((0, 0.24, 0.25), (0.5, 0.27, 0.25), finish=GLOSS),
        ball((0, 0.24, 0.36), (0.42, 0.22, 0.2), (0.2, 0.18, 0.18), MATT),
        *(tube([(x, 0.24 + y, 0.5), (x, 0.24 + y, 1)], (0, 0.0012), (0.12, 0.1, 0.1), GLOSS, 4)
          for x in (-0.3, -0.15, 0, 0.15, 0.3) for y in (-0.14, -0.07, 0, 0.07, 0.14)
          if abs(x) * 0.4 + abs(y) < 0.22),
    ),
    "nail_clippers": made_of(
        *(move((0, -0.4, z), turn, "x", box((-0.5, 0, 0), (0.5, 0.88, 0.18), STEEL, METAL))
          for z, turn in ((0.02, 1.5), (0.45, -1.5))),
        prism([(-0.5, 0.42), (0.5, 0.42), (0.3, 0.5), (-0.3, 0.5)], 0.1, 0.62, STEEL, METAL),
        move((0, 0.36, 0.62), -7, "x", cushion((-0.36, -0.8, 0), (0.36, 0.08, 0.22), 0.1, STEEL,
                                              METAL)),
        cylinder((0, 0.36, 0), 0.2, 1.0, shade(STEEL, 0.7), METAL, segments=8),
        ring((0, -0.46, 0.3), 0.06, (0, 0.001), BRASS, METAL, 8),
    ),
    "toothbrush_holder": made_of(
        lathe([(0, 0), (0.92, 0), (0.95, 0.02), (1, 0.6), (0.9, 0.6), (0.85, 0.06), (0, 0.05)]),
        *(row for x, tone, turn in ((-0.16, BLUE, 14), (0.18, RED, -16)) for row in (
            move((x, 0, 0.1), turn, "y", tube([(0, 0, 0), (0, 0, 0.72)], (0, 0.004), tone, GLOSS),
                 box((-0.05, -0.05, 0.7), (0.05, 0.05, 0.98), tone, GLOSS),
                 box((0.05, -0.05, 0.74), (0.16, 0.05, 0.96), PAPER, FABRIC)),)),
    ),
    "swimming_goggles": made_of(
        *(row for s in (-1, 1) for row in (
            ball((s * 0.24, 0.2, 0.5), (0.21, 0.26, 0.48), finish=GLOSS),
            ball((s * 0.24, 0.3, 0.5), (0.16, 0.21, 0.38), (0.35, 0.6, 0.8), GLOSS))),
        tube([(-0.06, 0.36, 0.5), (0.06, 0.36, 0.5)], (0, 0.004), BLACK, GLOSS),
        *(tube([(-0.42, 0.2, z), (-0.5, -0.1, z), (-0.3, -0.4, z), (0, -0.5, z), (0.3, -0.4, z),
                (0.5, -0.1, z), (0.42, 0.2, z)], (0, 0.004), BLACK, FABRIC) for z in (0.4, 0.62)),
    ),
    # -- desks
    "eraser": made_of(
        cushion((-0.5, -0.46, 0), (0.5, 0.46, 0.95), 0.2, (0.95, 0.93, 0.92), MATT),
        box((-0.5, -0.5, 0), (0.18, 0.5, 1), BLUE),
        text("eraser", (0.5, 0.4), PAPER, 1.0),
        *(ball((0.42 + 0.06 * i, 0.55 - 0.3 * i, 0.05), (0.03, 0.04, 0.06), (0.3, 0.3, 0.3), MATT,
            5)
          for i in range(2)),
    ),
    "whiteboard_eraser": made_of(
        cushion((-0.5, -0.5, 0.35), (0.5, 0.5, 1), 0.25, finish=GLOSS),
        box((-0.48, -0.48, 0), (0.48, 0.48, 0.4), (0.24, 0.24, 0.26), FABRIC),
        *(box((x, 0.46, 0.55), (x + 0.04, 0.5, 0.85), tint(0.7), GLOSS)
          for x in (-0.4, -0.3, 0.26, 0.36)),
        text("eraser", (0.6, 0.4), PAPER, 1.0),
    ),
    "usb_stick": made_of(
        cushion((-0.5, -0.5, 0), (0.5, 0.15, 1), 0.3, finish=GLOSS),
        box((-0.36, 0.15, 0.2), (0.36, 0.5, 0.8), STEEL, METAL),
        *(box((x - 0.09, 0.28, 0.8), (x + 0.09, 0.38, 0.84), BLACK) for x in (-0.18, 0.18)),
        ring((0, -0.42, 1.0), 0.09, (0, 0.001), STEEL, METAL, 10),
        text("usb", (0.4, 0.6), PAPER, 1.0, -0.12, 270),
    ),
    "charger": made_of(  # a plug, its prongs to +y, with a cable at the back
        cushion((-0.5, -0.5, 0), (0.5, 0.1, 1), 0.25, finish=GLOSS),
        *(tube([(x, 0.1, 0.5), (x, 0.5, 0.5)], (0, 0.0025), STEEL, METAL, 8)
          for x in (-0.2, 0.2)),
        tube([(0.5, -0.3, 0.3), (0.7, -0.3, 0.1), (0.8, 0.1, 0.1), (0.7, 0.5, 0.1),
              (0.85, 0.8, 0.1)], (0, 0.002), BLACK, GLOSS),
        box((0.2, -0.3, 1), (0.34, -0.2, (1, 0.0005)), (0.2, 0.8, 0.3)),
    ),
    "matches": made_of(  # the box slid open
        box((-0.5, -0.5, 0), (0.2, 0.5, 1), BODY),
        box((-0.5, 0.49, 0.15), (0.2, 0.51, 0.85), (0.35, 0.22, 0.18)),
        box((0.2, -0.44, 0), (0.5, 0.44, 0.7), PAPER),
        *(row for i in range(7) for row in (
            tube([(0.15, -0.36 + 0.12 * i, 0.8), (0.42, -0.36 + 0.12 * i, 0.8)], (0, 0.0012),
                 TIMBER, WOOD, 4),
            ball((0.44, -0.36 + 0.12 * i, 0.8), (0.035, 0.05, 0.13), RED, MATT, 6))),
        text("matches", (0.6, 0.3), PAPER, 1.0),
    ),
    "sticky_notes": made_of(
        box((-0.5, -0.5, 0), (0.5, 0.5, 0.8)),
        move((0, -0.5, 0.82), 7, "x", box((-0.5, 0, 0), (0.5, 1, 0.03), pale(0.15))),
        *(move((0, -0.5, 0.86), 7, "x", box((-0.36, y, 0), (x, y + 0.04, 0.02), (0.2, 0.2, 0.3)))
          for y, x in ((0.3, 0.3), (0.46, 0.2), (0.62, 0.34))),
        *(box((-0.5, 0.5, z), (0.5, 0.505, z + 0.03), tint(0.8)) for z in (0.15, 0.35, 0.55)),
    ),
    "notepad": made_of(
        box((-0.5, -0.5, 0), (0.5, 0.5, 0.3), TIMBER),
        box((-0.49, -0.5, 0.3), (0.49, 0.49, 0.9), PAPER),
        *(box((-0.42, -0.3 + 0.1 * i, 0.9), (0.42, -0.292 + 0.1 * i, 0.94), (0.5, 0.6, 0.8))
          for i in range(8)),
        *(tube([(-0.42 + 0.12 * i, -0.42, 0.9), (-0.42 + 0.12 * i, -0.52, 1.1),
                (-0.42 + 0.12 * i, -0.52, 0)], (0, 0.0014), BLACK, METAL, 4) for i in range(8)),
    ),
    "mouse_pad": made_of(  # with a gel rest for the wrist at +y
        cushion((-0.5, -0.5, 0), (0.5, 0.5, 1), 0.3),
        ball((0, 0.36, 1), (0.3, 0.1, (0, 0.012)), tint(0.75), GLOSS),
        ring((0, -0.08, 1), 0.24, (0, 0.0006), PAPER, MATT, 24),
        text("mouse", (0.3, 0.1), PAPER, 1.1, -0.08),
    ),
    "vinyl_record": made_of(  # half out of its sleeve
        move((0.16, 0, 0), 0, "z", lathe([(0, 0.2), (0.97, 0.2), (0.97, 0.5), (0, 0.5)], BLACK,
                                         GLOSS, 32)),
        *(move((0.16, 0, 0.5), 0, "z", lathe([(r, 0.0), (r + 0.015, 0.03)], (0.25, 0.25, 0.27),
                                            GLOSS, 32)) for r in (0.55, 0.68, 0.81)),
        move((0.16, 0, 0.5), 0, "z", cylinder((0, 0, 0), 0.17, 0.06, RED, MATT, segments=20),
             cylinder((0, 0, 0.06), 0.012, 0.04, PAPER)),
        box((-0.5, -0.5, 0), (-0.06, 0.5, 1)),
        text("music", (0.36, 0.3), PAPER, 1.0, -0.3, 180),
    ),
    "game_console": made_of(
        cushion((-0.5, -0.5, 0), (0.5, 0.5, 0.46), 0.12, finish=GLOSS),
        cushion((-0.49, -0.49, 0.54), (0.49, 0.49, 1), 0.12, finish=GLOSS),
        box((-0.48, -0.48, 0.46), (0.48, 0.485, 0.54), on_off((0.3, 0.7, 1.0), BLACK), lit),
        box((-0.36, 0.49, 0.7), (0.1, 0.505, 0.76), BLACK),
        cylinder((0.36, 0.3, 0.97), 0.05, 0.05, STEEL, METAL),
        *(box((x, 0.49, 0.18), (x + 0.08, 0.505, 0.32), BLACK) for x in (-0.36, -0.22)),
        *(cylinder((0.26 + x, -0.05 + y, 0.97), 0.035, 0.06, tone, GLOSS) for x, y, tone in (
            (0.08, 0, RED), (-0.08, 0, BLUE), (0, 0.11, YELLOW), (0, -0.11, (0.2, 0.6, 0.3)))),
        text("game", (0.4, 0.3), tint(0.5), 1.0, -0.1),
    ),
    "postcard": made_of(
        box((-0.5, -0.5, 0), (0.5, 0.5, 1), PAPER),
        *(box((x0, y0, 1), (x1, y1, (1, 0.0004)), tone) for x0, y0, x1, y1, tone in (
            (-0.01, -0.4, 0.0, 0.4, (0.4, 0.4, 0.4)), (-0.44, -0.4, -0.28, -0.12, RED),
            (-0.42, 0.05, -0.06, 0.08, BLACK), (-0.42, 0.18, -0.1, 0.21, BLACK),
            (-0.42, 0.31, -0.16, 0.34, BLACK))),
        *(box((0.06, -0.32 + 0.13 * i, 1), (0.44 - 0.08 * (i % 2), -0.3 + 0.13 * i, (1, 0.0004)),
              BLUE) for i in range(6)),
    ),
    "banknote": made_of(
        box((-0.5, -0.5, 0), (0.5, 0.5, 1), pale(0.3)),
        box((-0.46, -0.42, 1), (0.46, 0.42, (1, 0.0003)), tint(0.75)),
        box((-0.44, -0.38, 1), (0.44, 0.38, (1, 0.0005)), pale(0.45)),
        cylinder((0.18, 0, 1), 0.13, (0, 0.0008), tint(0.6), MATT, segments=16),
        cylinder((0.18, -0.08, 1), 0.05, (0, 0.0011), pale(0.6), MATT, segments=10),
        box((0.1, 0.08, 1), (0.26, 0.22, (1, 0.0011)), pale(0.6)),
        text("bank", (0.4, 0.34), tint(0.4), 1.3, 0.0),
        *(cylinder((x, y, 1), 0.045, (0, 0.0009), tint(0.5), MATT, segments=10)
          for x in (-0.38, 0.38) for y in (-0.26, 0.26)),
    ),
    "map": made_of(  # folded open
        *(move((0, -0.5 + 0.25 * i, 0.3), 0, "z", prism(
            [(-0.5, 0), (0.5, 0), (0.5, 0.25), (-0.5, 0.25)], 0, 0.5 + 0.14 * (i % 2),
            (0.93, 0.91, 0.8) if i % 2 else (0.86, 0.86, 0.74))) for i in range(4)),
        *(box((x0, y0, 0.9), (x1, y1, (0.94, 0.0006)), tone) for x0, y0, x1, y1, tone in (
            (-0.45, -0.44, -0.05, -0.1, (0.5, 0.72, 0.42)), (0.1, -0.2, 0.46, 0.16, (0.45, 0.65,
                0.85)),
            (-0.42, 0.15, 0.0, 0.42, (0.5, 0.72, 0.42)), (0.14, 0.26, 0.44, 0.46, (0.9, 0.75,
                0.5)))),
        tube([(-0.4, 0.45, 1), (-0.1, 0.1, 1), (0.05, 0.05, 1), (0.1, -0.3, 1), (0.36, -0.42, 1)],
             (0, 0.0016), RED, MATT, 4),
        tube([(-0.45, 0.0, 1), (0.45, 0.06, 1)], (0, 0.0012), (0.95, 0.75, 0.2), MATT, 4),
        cylinder((0.36, -0.42, 0.95), 0.05, 0.15, RED),
    ),
    "brochure": made_of(  # folded twice, standing open a little
        *(move((0, -0.5 + i / 3, 0.1), 4 if i % 2 else -4, "x",
               box((-0.5, 0, 0.2), (0.5, 0.33, 0.5), PAPER),
               box((-0.4, 0.03, 0.5), (0.4, 0.18, 0.56), tone),
               *(box((-0.4, 0.21 + 0.04 * j, 0.5), (0.38, 0.225 + 0.04 * j, 0.55), (0.4, 0.4, 0.45))
                 for j in range(3))) for i, tone in ((0, (0.3, 0.55, 0.8)), (1, (0.4, 0.65, 0.35)),
                                                     (2, (0.85, 0.6, 0.3)))),
    ),
    "sandpaper": made_of(
        box((-0.5, -0.4, 0), (0.5, 0.5, 0.8), (0.62, 0.42, 0.26)),
        *(box((-0.48 + 0.06 * (i * 5 % 17), -0.36 + 0.05 * (i * 7 % 18), 0.8),
              (-0.46 + 0.06 * (i * 5 % 17), -0.345 + 0.05 * (i * 7 % 18), 1.0),
              (0.4, 0.26, 0.16) if i % 2 else (0.82, 0.62, 0.42)) for i in range(120)),
        move((0, -0.4, 2.4), 90, "y", lambda form: form.sketch.cylinder(
            (0, 0, -form.size[0] / 2), form.size[1] * 0.05, form.size[0], (0.85, 0.78, 0.62),
                MATT)),
        text("grit", (0.3, 0.1), (0.3, 0.2, 0.15), 3.0, 0.36),
    ),
    "mail": made_of(*(row for i, (turn, tone) in enumerate(
        ((-8, (0.93, 0.9, 0.82)), (6, (0.78, 0.66, 0.45)), (-2, PAPER))) for row in (
            move((0, 0, 0.3 * i), turn, "z",
                 box((-0.46, -0.42, 0), (0.46, 0.42, 0.25), tone),
                 box((-0.42, -0.36, 0.25), (-0.28, -0.14, 0.28), RED),
                 *(box((-0.1, 0.02 + 0.1 * j, 0.25), (0.3 - 0.06 * j, 0.05 + 0.1 * j, 0.28), BLACK)
                   for j in range(3))),))),
    "card_reader": made_of(
        cushion((-0.5, -0.5, 0), (0.5, 0.42, 0.8), 0.25, BLACK, GLOSS),
        box((-0.36, -0.42, 0.8), (0.36, -0.16, 0.84), on_off((0.5, 0.8, 0.9), (0.5, 0.6, 0.55)),
            lit),
        *(cushion((-0.38 + 0.26 * i, -0.1 + 0.11 * j, 0.76), (-0.16 + 0.26 * i, -0.02 + 0.11 * j,
            0.95),
                  0.06, PAPER if j < 3 else (RED, YELLOW, (0.2, 0.65, 0.3))[i], GLOSS)
          for i in range(3) for j in range(4)),
        box((-0.34, 0.36, 0.3), (0.34, 0.6, 0.36), BLUE, GLOSS),
        box((-0.2, 0.5, 0.36), (-0.04, 0.56, 0.38), BRASS, METAL),
    ),
    "barcode_scanner": made_of(
        move((0, -0.2, 0), 14, "x", cushion((-0.26, -0.14, 0), (0.26, 0.14, 0.74), 0.1, BLACK,
                                           GLOSS)),
        cushion((-0.5, -0.5, 0.62), (0.5, 0.4, 1), 0.12, finish=GLOSS),
        box((-0.36, 0.36, 0.68), (0.36, 0.42, 0.92), (0.75, 0.08, 0.08), GLOSS),
        prism([(-0.36, 0.42), (0.36, 0.42), (0.5, 0.5), (-0.5, 0.5)], 0.78, 0.8, (1.0, 0.2, 0.2)),
        tube([(0, -0.02, 0.6), (0, 0.06, 0.5), (0, -0.06, 0.4)], (0, 0.005), YELLOW, GLOSS),
        tube([(0, -0.3, 0.02), (0, -0.5, 0.02), (0.3, -0.6, 0.02)], (0, 0.004), BLACK, GLOSS),
    ),
    "smart_speaker": made_of(
        lathe([(0, 0), (0.9, 0), (1, 0.06), (1, 0.94), (0.92, 1), (0, 1)], finish=FABRIC,
              segments=20),
        lathe([(1.01, 0), (1.01, 0.03)], on_off((0.3, 0.7, 1.0), (0.35, 0.6, 0.8)), GLOSS, 20,
              base=0.93),
        cylinder((0, 0, 0.99), 0.42, 0.02, BLACK, GLOSS, segments=20),
        *(ball((x, y, 1.01), (0.05, 0.05, 0.015), PAPER, GLOSS, 6)
          for x, y in ((0.25, 0), (-0.25, 0), (0, 0.25), (0, -0.25))),
    ),
    "battery": made_of(
        lathe([(0, 0), (0.96, 0), (1, 0.02), (1, 0.66)], BLACK, GLOSS, 16),
        lathe([(1, 0), (1, 0.24), (0.94, 0.27), (0, 0.27)], (0.8, 0.5, 0.25), METAL, 16, base=0.66),
        cylinder((0, 0, 0.93), 0.18, 0.07, STEEL, METAL),
        printed(0.3, 0.62, BLACK),
    ),
    "glue_stick": made_of(
        lathe([(0, 0), (1, 0), (1, 0), (1, 0.12)], BODY, GLOSS, 14),
        lathe([(0.92, 0), (0.92, 0.56)], PAPER, GLOSS, 14, base=0.12),
        lathe([(0.6, 0), (0.6, 0.26), (0.5, 0.3), (0, 0.3)], (0.9, 0.9, 0.82), MATT, 14, base=0.66),
        lambda form: print_words(
            front(form.sketch, form.size[1] * 0.475, form.size[2] * 0.4).at((0, 0, 0), 90),
                ["glue"],
            (form.size[2] * 0.5, form.size[0] * 0.4), RED),
    ),
    "letter_tray": made_of(  # with paper in it, open to +y
        box((-0.5, -0.5, 0), (0.5, 0.5, 0.08)),
        *(box((x, -0.5, 0), (x + 0.02, 0.5, 1)) for x in (-0.5, 0.48)),
        box((-0.5, -0.5, 0), (0.5, -0.48, 1)),
        *(box((x, 0.48, 0), (x + 0.26, 0.5, 1)) for x in (-0.5, 0.24)),
        box((-0.46, -0.47, 0.08), (0.46, 0.46, 0.5), PAPER),
        move((0, 0.02, 0.5), 3, "z", box((-0.44, -0.44, 0), (0.44, 0.44, 0.06), PAPER),
             *(box((-0.34, y, 0.06), (0.34 - 0.2 * (i % 3 == 2), y + 0.025, 0.07), (0.3, 0.3, 0.35))
               for i, y in enumerate((0.3, 0.22, 0.14, 0.0, -0.08, -0.16, -0.3)))),
    ),
    "highlighter": made_of(
        cushion((-0.5, -0.5, 0), (0.5, 0.16, 1), 0.3, finish=GLOSS),
        cushion((-0.42, 0.1, 0.06), (0.42, 0.36, 0.94), 0.2, BLACK, GLOSS),
        prism([(-0.25, 0.34), (0.25, 0.34), (0.25, 0.42), (-0.25, 0.5)], 0.25, 0.75),
        box((-0.36, -0.48, 0.99), (0.36, -0.4, 1.02), BLACK),
        text("highlight", (0.52, 0.5), BLACK, 1.02, -0.14, 270),
    ),
    "marker": made_of(  # its cap at +y
        tube([(0, -0.5, 0.5), (0, 0.16, 0.5)], 0.46, PAPER, GLOSS, 10),
        tube([(0, -0.5, 0.5), (0, -0.42, 0.5)], 0.48, BODY, GLOSS, 10),
        tube([(0, 0.12, 0.5), (0, 0.48, 0.5)], 0.5, BODY, GLOSS, 10),
        tube([(0, 0.44, 0.5), (0, 0.5, 0.5)], 0.36, BODY, GLOSS, 10),
        box((-0.08, 0.14, 0.95), (0.08, 0.44, 1.1), tint(0.7), GLOSS),
        text("marker", (0.5, 0.5), BODY, 0.99, -0.14, 270),
    ),
    "pen": made_of(  # a steel tip at +y, a clip and a button
        tube([(0, -0.42, 0.5), (0, 0.36, 0.5)], 0.44, BODY, GLOSS, 8),
        tube([(0, -0.5, 0.5), (0, -0.42, 0.5)], 0.2, STEEL),
        tube([(0, -0.04, 0.5), (0, -0.02, 0.5)], 0.48, STEEL),
        move((0, 0.36, 0.5), -90, "x", lambda form: form.sketch.cylinder(
            (0, 0, 0), form.size[0] * 0.44, form.size[1] * 0.13, STEEL, METAL,
                top=form.size[0] * 0.08)),
        box((-0.1, -0.4, 0.95), (0.1, -0.12, 1.15), STEEL, METAL),
    ),
    "tape": made_of(  # a roll with a core, its end loose
        lathe([(0.72, 0), (1, 0), (1, 0), (1, 1), (1, 1), (0.72, 1)], finish=GLOSS, segments=22),
        lathe([(0.66, 0), (0.73, 0), (0.73, 1.01), (0.66, 1.01), (0.66, 0)], (0.72, 0.54, 0.34),
            MATT, 22),
        *(lathe([(r, 0), (r + 0.02, 0)], tint(0.75), MATT, 22, base=1.002) for r in (0.8, 0.9)),
        move((0.2, 0.45, 0), -14, "z", box((0, 0, 0), (0.42, 0.02, 1), tint(1.1), GLOSS)),
    ),
    "bandage": made_of(  # a roll of gauze with a cross, its end loose
        lathe([(0, 0), (0.9, 0), (1, 0.04), (1, 0.96), (0.9, 1), (0, 1)], PAPER, FABRIC, 18),
        *(lathe([(r, 0), (r + 0.06, 0.005), (r + 0.08, 0)], (0.72, 0.72, 0.7), FABRIC, 18, base=1.0)
          for r in (0.2, 0.4, 0.6, 0.8)),
        move((0.36, 0.36, 0.02), -30, "z", box((0, 0, 0), (0.6, 0.03, 0.94), PAPER, FABRIC)),
        *(box((-x, 0.49, 0.5 - z), (x, 0.52, 0.5 + z), RED) for x, z in ((0.07, 0.28), (0.22,
            0.09))),
    ),
    "baseball_glove": made_of(  # the palm up, fingers to -y
        *(tube([(x * 0.5, 0.1, 0.3), (x, -0.12, 0.4), (x * 1.25, -0.42, 0.75)], 0.1,
            finish=FABRIC, segments=8)
          for x in (-0.3, -0.11, 0.09, 0.28)),
        tube([(0.2, 0.3, 0.3), (0.42, 0.1, 0.5), (0.46, -0.16, 0.8)], 0.11, finish=FABRIC,
            segments=8),
        ball((0, 0.22, 0.25), (0.4, 0.28, 0.25), tint(0.85), FABRIC),
        *(tube([(0.33, -0.3 + 0.09 * i, 0.75), (0.46, -0.26 + 0.09 * i, 0.75)], 0.02, tint(0.5),
            FABRIC)
          for i in range(4)),
        *(tube([(0.36 + 0.05 * i, -0.32, 0.75), (0.36 + 0.05 * i, 0.04, 0.62)], 0.02, tint(0.5),
            FABRIC)
          for i in range(2)),
        tube([(-0.36, -0.3, 0.75), (-0.12, -0.34, 0.75), (0.1, -0.34, 0.75), (0.32, -0.3, 0.75)],
            0.018, tint(0.5),
             FABRIC),
        cushion((-0.3, 0.36, 0.05), (0.3, 0.5, 0.6), 0.2, tint(0.7)),
        tube([(-0.26, 0.2, 0.5), (-0.1, 0.34, 0.52), (0.1, 0.34, 0.52), (0.26, 0.2, 0.5)], 0.015,
            tint(0.5), FABRIC),
    ),
}  # fmt: skip
