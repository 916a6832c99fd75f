"""Tools and helpers that one tells by their working end: tables of parts. See also tools.py."""

from __future__ import annotations

import math
from dataclasses import replace

from homebody.worlds.house.model.house import Colour
from homebody.worlds.house.rendering.materials import FABRIC, GLASS, GLOSS, MATT, METAL, WOOD
from homebody.worlds.house.rendering.meshes.clothes import case
from homebody.worlds.house.rendering.meshes.containers import basket, package, printed
from homebody.worlds.house.rendering.meshes.form import Form, Shape
from homebody.worlds.house.rendering.meshes.palette import (
    BLACK,
    BRASS,
    GLASSY,
    PAPER,
    STEEL,
    TIMBER,
    shade,
)
from homebody.worlds.house.rendering.meshes.pocket import text, text_in_front
from homebody.worlds.house.rendering.meshes.solids import (
    BODY,
    Paint,
    ball,
    box,
    cushion,
    cylinder,
    lathe,
    made_of,
    move,
    on_off,
    pale,
    prism,
    sheen,
    tint,
    tube,
)
from homebody.worlds.house.rendering.meshes.workshop import rope

RED: Colour = (0.8, 0.14, 0.12)
SCREW: Colour = (0.78, 0.6, 0.28)
DARK: Colour = (0.2, 0.2, 0.22)
SPOOLS: tuple[Colour, ...] = (RED, (0.2, 0.4, 0.75), (0.95, 0.8, 0.25), (0.3, 0.6, 0.35))


def rod(radius: float, start: float, end: float, paint: Paint, finish: object = GLOSS) -> Shape:
    """Return a round bar along y in the middle of the height; its radius in metres."""
    return tube([(0, start, 0.5), (0, end, 0.5)], (0, radius), paint, finish, 8)  # type: ignore


def nail(x: float, y: float, z: float, turn: float, paint: Paint = (0.55, 0.56, 0.58)) -> Shape:
    """Return a nail that lies, its head at a place."""
    return move((x, y, z), turn, "z", move((0, 0, 0), -90, "x",
        cylinder((0, 0, 0), (0, 0.0018), (0, 0.045), paint, GLOSS, segments=6),
        cylinder((0, 0, (0, 0.045)), (0, 0.0018), (0, 0.005), paint, GLOSS, (0, 0.0), 6),
        cylinder((0, 0, 0), (0, 0.0048), (0, 0.0014), paint, GLOSS, segments=8)))  # fmt: skip


def screw(x: float, y: float, turn: float, z: float) -> Shape:
    """Return a screw that lies, its slotted head at a place."""
    thread = [(0.0026 if i % 2 else 0.0036, 0.007 + 0.0035 * i) for i in range(9)]
    profile = [(0, 0), (0.008, 0), (0.008, 0.002), (0.0028, 0.006), *thread, (0, 0.044)]
    return move((x, y, z), turn, "z", move((0, 0, 0), -80, "x",
        lambda form: form.sketch.lathe((0, 0, 0), profile, SCREW, GLOSS, 10),
        box(((0, -0.006), (0, -0.001), (0, -0.0006)), ((0, 0.006), (0, 0.001), (0, 0.0004)),
            BLACK)))  # fmt: skip


def ribs(form: Form) -> None:
    """Three ribs over a dome from front to back."""
    w, d, h = form.size
    for x in (-0.16, 0.0, 0.16):
        arc = [(x * w, math.cos(a) * d * 0.44, h * (0.14 + 0.86 * math.sin(a) * (1 - x * x)))
               for a in (0.35, 0.8, 1.2, 1.57, 1.95, 2.35, 2.8)]  # fmt: skip
        form.sketch.tube(arc, 0.008, shade(form.tone(), 0.9), GLOSS)


def strings(form: Form) -> None:
    """Wire across a bowl, crossed."""
    w, d, h = form.size
    for i in range(-4, 5):
        x, chord = i * w * 0.1, w * 0.46 * math.sqrt(max(0.0, 1 - (i * 0.2) ** 2))
        y = d / 2 - w / 2
        dip = h * 0.62
        for a, b, low in (
            ((x, y - chord), (x, y + chord), dip),
            ((-chord, y + x), (chord, y + x), dip),
        ):
            middle = ((a[0] + b[0]) / 2, (a[1] + b[1]) / 2, h - low * (1 - (i * 0.2) ** 2))
            form.sketch.tube(((*a, h), middle, (*b, h)), 0.0014, STEEL, METAL, 4)


def holes(form: Form) -> None:
    """Dark holes in rows around a bowl."""
    w, _, h = form.size
    for level, count, out in ((0.35, 14, 0.335), (0.55, 18, 0.4), (0.75, 20, 0.43)):
        for i in range(count):
            a = 2 * math.pi * (i + level) / count
            place = (math.cos(a) * out * w, math.sin(a) * out * w, h * level)
            form.sketch.ball(place, (w * 0.032, w * 0.032, h * 0.045), DARK, MATT, 6)


def loops(form: Form) -> None:
    """The wires of a whisk."""
    _, d, h = form.size
    r = h / 2
    for i in range(5):
        a = math.pi * i / 5
        cos, sin = math.cos(a) * r, math.sin(a) * r
        side = [(0.02, 0.0), (0.5, 0.12), (0.9, 0.26), (1.0, 0.36), (0.75, 0.46), (0.0, 0.5)]
        way = [(u * cos, v * d, r + u * sin) for u, v in side]
        way += [(-x, y, 2 * r - z) for x, y, z in reversed(way[:-1])]
        form.sketch.tube(way, 0.0014, STEEL, METAL, 4)


def _foam(form: Form) -> None:
    """A hollow roll along z with rows of knobs."""
    (w, _, h), body = form.size, form.tone()
    r, dark = h / 2, shade(form.tone(), 0.7)
    tube = [(r * 0.4, 0), (r * 0.92, 0), (r * 0.92, 0), (r * 0.92, w), (r * 0.92, w), (r * 0.4, w)]
    form.sketch.lathe((0, 0, 0), tube, body, MATT, 20)
    for z in (0.0004, w - 0.0004):
        form.sketch.lathe(
            (0, 0, z), [(r * 0.42, -0.001), (r * 0.42, 0.001), (0, 0.001)], BLACK, MATT, 14
        )
    for i in range(12):
        side = form.sketch.at((0, 0, 0), 30 * i)
        for k in range(7):
            z = w * (k + 0.2 + 0.3 * (i % 2)) / 7
            side.box((r * 0.9, -r * 0.14, z), (r, r * 0.14, z + w * 0.07), dark)


SHAPES: dict[str, Shape] = {
    # -- tools
    "hard_hat": made_of(
        lathe([(0.84, 0.1), (0.84, 0.35), (0.72, 0.7), (0.4, 0.94), (0, 1)], finish=GLOSS,
              segments=18),
        lathe([(0.8, 0.04), (0.98, 0.02), (1, 0.08), (0.84, 0.14)], finish=GLOSS, segments=18),
        prism([(-0.4, 0.3), (0.4, 0.3), (0.3, 0.5), (0.14, 0.56), (-0.14, 0.56), (-0.3, 0.5)],
              0.03, 0.1, finish=GLOSS), ribs,
    ),
    "helmet": made_of(  # of a cyclist
        lathe([(0.96, 0.18), (1, 0.36), (0.86, 0.72), (0.5, 0.96), (0, 1)], finish=GLOSS,
              segments=18),
        lathe([(0.94, 0.12), (0.97, 0.2)], BLACK, GLOSS, 18),
        *(tube([(x, y0, z0), (x, y1, z1)], (0, 0.011), BLACK, MATT)
          for x, drop in ((-0.2, 0.0), (0, -0.06), (0.2, 0.0)) for y0, z0, y1, z1 in (
              (0.18, 0.94 - drop, 0.34, 0.78 - drop), (-0.18, 0.94 - drop, -0.34, 0.78 - drop),
              (-0.1, 0.98 - drop, 0.08, 0.98 - drop))),
        prism([(-0.3, 0.4), (0.3, 0.4), (0.2, 0.54), (-0.2, 0.54)], 0.26, 0.32, tint(0.7), GLOSS),
        *(tube([(s * 0.46, 0.06, 0.15), (s * 0.3, 0.1, 0.0), (0, 0.14, -0.02)], (0, 0.005), BLACK,
               FABRIC) for s in (-1, 1)),
    ),
    "mallet": made_of(
        rod(0.014, -0.5, 0.36, TIMBER, WOOD),
        move((-0.5, 0.34, 0.5), 90, "y", lambda form: form.sketch.cylinder(
            (0, 0, 0), form.size[2] * 0.5, form.size[0], (0.14, 0.14, 0.15), MATT, segments=16)),
        move((-0.4, 0.34, 0.5), 90, "y", lambda form: form.sketch.cylinder(
            (0, 0, 0), form.size[2] * 0.52, form.size[0] * 0.1, DARK, MATT, segments=16)),
    ),
    "chisel": made_of(
        rod(0.014, -0.44, -0.06, BODY, WOOD), rod(0.011, -0.5, -0.44, STEEL, METAL),
        rod(0.011, -0.06, 0.0, STEEL, METAL), rod(0.006, 0.0, 0.08, STEEL, METAL),
        prism([(-0.42, 0.14), (-0.2, 0.06), (0.2, 0.06), (0.42, 0.14), (0.42, 0.46), (-0.42, 0.46)],
              0.35, 0.6, STEEL, METAL),
        move((0, 0.46, 0.35), 0, "z", prism([(-0.42, 0), (0.42, 0), (0.42, 0.04), (-0.42, 0.04)],
                                           0, 0.1, (0.92, 0.94, 0.96), GLOSS)),
    ),
    "utility_knife": made_of(
        cushion((-0.4, -0.5, 0), (0.4, 0.26, 1), 0.35, finish=GLOSS),
        box((-0.12, -0.3, 0.96), (0.12, 0.2, 1.02), BLACK),
        box((-0.14, 0.02, 0.98), (0.14, 0.12, 1.3), BLACK, GLOSS),
        prism([(-0.3, 0.26), (0.26, 0.26), (0.26, 0.36), (-0.3, 0.5)], 0.45, 0.55, STEEL, METAL),
        *(box((-0.28, y, 0.55), (0.24, y + 0.006, 0.58), BLACK) for y in (0.29, 0.33)),
    ),
    "can_opener": made_of(  # two handles, a toothed wheel, a key to turn
        *(move((0, 0.22, 0.4), s * 6, "z",
               cushion((-0.14, -0.72, -0.3), (0.14, -0.12, 0.3), 0.3, finish=GLOSS),
               box((-0.12, -0.14, -0.2), (0.12, 0.16, 0.1), STEEL, METAL)) for s in (-1, 1)),
        cylinder((0.1, 0.34, 0.5), 0.4, 0.14, STEEL, METAL, segments=9),
        prism([(-0.5, 0.2), (-0.2, 0.2), (-0.2, 0.5), (-0.5, 0.42)], 0.35, 0.6, STEEL, METAL),
        cylinder((0.1, 0.34, 0.6), 0.1, 0.25, STEEL, METAL),
        cushion((-0.34, 0.26, 0.8), (0.02, 0.42, 1), 0.12, BLACK, GLOSS),
        cushion((0.18, 0.26, 0.8), (0.54, 0.42, 1), 0.12, BLACK, GLOSS),
    ),
    "bottle_opener": made_of(  # with a crown cap in it
        cushion((-0.26, -0.5, 0), (0.26, 0.1, 1), 0.4, finish=GLOSS),
        box((-0.16, 0.06, 0.2), (0.16, 0.2, 0.8), STEEL, METAL),
        move((0, 0.32, 0.1), 0, "z", lathe([(0.66, 0), (1, 0), (1, 0.8), (0.66, 0.8), (0.66, 0)],
                                           STEEL, METAL, 16, is_round=True)),
        box((-0.1, 0.18, 0.2), (0.1, 0.27, 0.8), STEEL, METAL),
        move((0.8, 0.3, 0), 0, "z", lathe([(0.55, 0), (0.6, 0.05), (0.5, 0.6), (0, 0.7)], RED,
                                          GLOSS, 14, is_round=True)),
        cylinder((0, -0.44, 1), 0.08, (0, 0.0004), DARK),
    ),
    "paintbrush": made_of(
        prism([(-0.12, -0.5), (0.12, -0.5), (0.24, -0.2), (0.2, 0.02), (-0.2, 0.02), (-0.24, -0.2)],
              0.2, 0.8, finish=WOOD),
        cushion((-0.46, 0.0, 0.1), (0.46, 0.16, 0.9), 0.2, STEEL, METAL),
        cushion((-0.44, 0.14, 0.12), (0.44, 0.42, 0.88), 0.15, (0.86, 0.78, 0.6), FABRIC),
        prism([(-0.45, 0.36), (0.45, 0.36), (0.3, 0.5), (-0.3, 0.5)], 0.1, 0.92,
              (0.2, 0.45, 0.8), GLOSS),
        cylinder((0, -0.44, 0.8), 0.06, 0.02, DARK),
    ),
    "nails": made_of(*(
        nail(x, y, 0.1 + 0.1 * (i // 4), turn) for i, (x, y, turn) in enumerate((
            (-0.3, 0.3, 200), (-0.1, 0.36, 170), (0.2, 0.36, 190), (0.36, 0.1, 130),
            (0.4, -0.3, 60), (-0.36, -0.2, 300), (-0.1, 0.4, 150), (0.3, -0.4, 20),
            (-0.2, -0.36, 330))))),
    "screws": made_of(*(
        screw(x, y, turn, 0.1 + 0.08 * (i // 3)) for i, (x, y, turn) in enumerate((
            (-0.3, 0.4, 200), (0.0, 0.44, 170), (0.34, 0.4, 190), (-0.36, -0.1, 290),
            (0.4, -0.2, 60), (0.05, -0.44, 10))))),
    "measuring_tape": made_of(  # its tape out to +y
        cushion((-0.5, -0.5, 0), (0.5, 0.36, 1), 0.2, finish=GLOSS),
        cylinder((0, -0.06, 1), 0.3, (0, 0.001), BLACK, GLOSS, segments=20),
        cylinder((0, -0.06, 1), 0.2, (0, 0.0016), STEEL, METAL, segments=20),
        box((0.1, 0.3, 0.1), (0.4, 0.95, 0.14), (0.98, 0.85, 0.2), GLOSS),
        *(box((0.1, 0.4 + 0.07 * i, 0.14), (0.26 if i % 2 else 0.36, 0.42 + 0.07 * i, 0.16), BLACK)
          for i in range(7)),
        box((0.08, 0.93, 0.0), (0.42, 0.97, 0.2), STEEL, METAL),
    ),
    "paint_can": made_of(
        lathe([(0, 0), (0.97, 0), (1, 0.02), (1, 0.84), (0.97, 0.86), (0.86, 0.86), (0.84, 0.82),
               (0, 0.82)], STEEL, METAL, 20, is_round=True),
        lathe([(1.01, 0), (1.01, 0.55)], PAPER, MATT, 20, base=0.14, is_round=True),
        printed(0.2, 0.6),
        cylinder((0, 0, 0.8), 0.42, 0.03, (0.2, 0.45, 0.8), GLOSS, segments=20),
        *(move((0, 0, 0), turn, "z", tube([(0, 0.46, 0.86), (0, 0.505, 0.84), (0, 0.51, low)],
                                          (0, 0.008), (0.2, 0.45, 0.8), GLOSS))
          for turn, low in ((-35, 0.6), (-20, 0.72), (60, 0.66))),
        tube([(-0.5, 0, 0.8), (-0.46, -0.12, 0.96), (-0.2, -0.24, 1.06), (0.2, -0.24, 1.06),
              (0.46, -0.12, 0.96), (0.5, 0, 0.8)], (0, 0.003), STEEL),
    ),
    "garden_hose": made_of(
        rope, tube([(0.3, -0.3, 0.9), (0.1, -0.1, 1.0), (0.0, 0.1, 1.0)], (0, 0.016), finish=MATT),
        tube([(0.0, 0.08, 1.0), (-0.04, 0.24, 1.04)], (0, 0.024), DARK, GLOSS, 8),
        tube([(-0.04, 0.24, 1.04), (-0.05, 0.32, 1.06)], (0, 0.034), (0.95, 0.55, 0.1), GLOSS, 10),
    ),
    # -- cleaning
    "dustpan": made_of(  # its edge to +y
        prism([(-0.42, -0.14), (0.42, -0.14), (0.5, 0.5), (-0.5, 0.5)], 0, 0.08, tint(0.9), GLOSS),
        *(move((s * 0.42, -0.14, 0), s * -7, "z",
               lambda form: form.sketch.at((0, 0, 0), 90).at((0, 0, 0), 90, "x").prism(
                   [(0, 0), (form.size[1] * 0.64, 0), (form.size[1] * 0.64, form.size[2] * 0.12),
                    (0, form.size[2] * 0.9)], -0.004, 0.004, form.tone(), GLOSS)) for s in (-1, 1)),
        box((-0.44, -0.17, 0), (0.44, -0.13, 0.9), finish=GLOSS),
        tube([(0, -0.16, 0.55), (0, -0.48, 0.85)], (0, 0.017), BODY, GLOSS, 8),
        *(box((x, 0.0, 0.08), (x + 0.02, 0.46, 0.12), tint(0.7), GLOSS)
          for x in (-0.3, -0.15, 0, 0.15, 0.3)),
    ),
    "hole_punch": made_of(  # with a punched sheet in it
        cushion((-0.5, -0.5, 0), (0.5, 0.3, 0.24), 0.1, BLACK, GLOSS),
        box((-0.62, -0.05, 0.26), (0.62, 0.7, 0.28), PAPER),
        *(cylinder((x, 0.5, 0.28), 0.06, 0.005, DARK) for x in (-0.3, 0.3)),
        *(cylinder((x, 0.14, 0.24), 0.1, 0.36, STEEL, METAL) for x in (-0.3, 0.3)),
        box((-0.46, 0.0, 0.5), (0.46, 0.26, 0.64), BLACK, GLOSS),
        move((0, 0.2, 0.62), -16, "x", cushion((-0.46, -0.8, 0), (0.46, 0.06, 0.2), 0.09,
                                              finish=GLOSS)),
    ),
    "clothespins": made_of(
        basket,
        *(move((0.28 * math.sin(2.4 * i), 0.28 * math.cos(2.4 * i), 0.62), 60.0 * i, "z",
               move((0, 0, 0), 24 + 11 * (i % 4), "x",
                    *(move((0, s * 0.03, 0), s * -5, "x", box((-0.035, -0.02, 0), (0.035, 0.02,
                        0.6),
                                                            (0.85, 0.68, 0.44), WOOD))
                      for s in (-1, 1)),
                    box((-0.045, -0.06, 0.26), (0.045, 0.06, 0.32), STEEL, METAL)))
          for i in range(11)),
    ),
    "shopping_basket": made_of(  # of plastic, with slots and two handles
        box((-0.42, -0.4, 0), (0.42, 0.4, 0.04), finish=GLOSS),
        *(row for s in (-1, 1) for row in (
            *(box((-0.5, s * 0.48 - 0.02, z), (0.5, s * 0.48 + 0.02, z + 0.09), finish=GLOSS)
              for z in (0, 0.18, 0.36, 0.56)),
            *(box((s * 0.48 - 0.02, -0.5, z), (s * 0.48 + 0.02, 0.5, z + 0.09), finish=GLOSS)
              for z in (0, 0.18, 0.36, 0.56)),
            *(box((x - 0.02, s * 0.48 - 0.018, 0), (x + 0.02, s * 0.48 + 0.018, 0.65), finish=GLOSS)
              for x in (-0.46, -0.23, 0, 0.23, 0.46)),
            tube([(-0.4, s * 0.46, 0.64), (-0.3, s * 0.12, 0.96), (0.3, s * 0.12, 0.96),
                  (0.4, s * 0.46, 0.64)], (0, 0.006), BLACK, GLOSS))),
    ),
    "basket": made_of(
        lambda form: basket(replace(form, size=(*form.size[:2], form.size[2] * 0.56))),
        tube([(-0.46, 0, 0.5), (-0.42, 0, 0.84), (-0.2, 0, 1), (0.2, 0, 1), (0.42, 0, 0.84),
              (0.46, 0, 0.5)], (0, 0.01), tint(0.8), WOOD),
    ),
    # -- kitchen
    "colander": made_of(
        lathe([(0, 0), (0.4, 0), (0.42, 0.12), (0.8, 0.4), (0.96, 0.9), (1, 0.96), (0.92, 0.98),
               (0.75, 0.45), (0, 0.14)], segments=20), holes,
        *(tube([(s * 0.47, -0.16, 0.9), (s * 0.56, -0.12, 0.86), (s * 0.56, 0.12, 0.86),
                (s * 0.47, 0.16, 0.9)], (0, 0.005)) for s in (-1, 1)),
    ),
    "strainer": made_of(
        move((0, 0.235, 0), 0, "z", lathe(
            [(0.9, 0.86), (1, 0.86), (1, 1), (0.9, 1), (0.9, 0.86)], STEEL, METAL, 20,
            is_round=True)), strings,
        tube([(0, -0.03, 0.92), (0, -0.2, 0.92)], (0, 0.004), STEEL),
        cushion((-0.07, -0.5, 0.8), (0.07, -0.18, 1.02), 0.1, BLACK, GLOSS),
    ),
    "whisk": made_of(rod(0.011, -0.5, -0.06, STEEL, METAL), rod(0.014, -0.06, 0.0, STEEL, METAL),
                     loops),
    "measuring_cup": made_of(
        move((-0.1, 0, 0), 0, "z", lathe(
            [(0, 0), (0.58, 0), (0.7, 0.98), (0.72, 1), (0.66, 0.98), (0.54, 0.05), (0, 0.05)],
            GLASSY, GLASS, 16, is_round=True)),
        move((-0.1, 0, 0), 0, "z", cylinder((0, 0, 0.05), 0.27, 0.5, (0.75, 0.85, 0.9), GLOSS,
                                          top=0.3)),
        tube([(0.2, 0, 0.88), (0.46, 0, 0.8), (0.46, 0, 0.3), (0.18, 0, 0.2)], (0, 0.006), GLASSY,
             GLOSS),
        *(box((-0.24, 0.42 + 0.008 * i, 0.2 + 0.12 * i),
              (-0.1 if i % 2 else 0.0, 0.44 + 0.008 * i, 0.225 + 0.12 * i), RED)
          for i in range(6)),
    ),
    "chopsticks": made_of(*(
        move((0, 0, 0.5), turn, "z", move((0, -0.5, 0), -90, "x", lambda form: form.sketch.cylinder(
            (0, 0, 0), 0.004, form.size[1], form.tone(), WOOD, top=0.0018, segments=6),
            lambda form: form.sketch.cylinder((0, 0, 0), 0.0043, form.size[1] * 0.1, RED, GLOSS,
                                              segments=6)))
        for turn in (-2.5, 2.5))),
    "spatula": made_of(  # slotted, to turn things in a pan
        tube([(0, -0.5, 0.6), (0, 0.0, 0.6)], (0, 0.009), BODY, GLOSS, 8),
        tube([(0, 0.0, 0.6), (0, 0.16, 0.15)], (0, 0.005), STEEL),
        *(box((x - 0.06, 0.18, 0.06), (x + 0.06, 0.46, 0.2), finish=GLOSS)
          for x in (-0.44, -0.22, 0, 0.22, 0.44)),
        *(box((-0.5, y, 0.06), (0.5, y + 0.06, 0.2), finish=GLOSS) for y in (0.14, 0.44)),
    ),
    "air_fryer": made_of(  # its drawer to +y
        cushion((-0.5, -0.5, 0), (0.5, 0.38, 1), 0.2, finish=GLOSS),
        cushion((-0.4, 0.3, 0.08), (0.4, 0.42, 0.56), 0.08, tint(1.3), GLOSS),
        *(box((-0.44, 0.36, z), (0.44, 0.4, z + 0.012), STEEL, METAL) for z in (0.06, 0.58)),
        cushion((-0.08, 0.4, 0.2), (0.08, 0.56, 0.42), 0.05, STEEL, METAL),
        box((-0.3, 0.375, 0.66), (0.3, 0.39, 0.8), on_off((0.2, 0.7, 0.9), DARK), GLOSS),
        text_in_front("air fryer", (0.5, 0.12), PAPER, 0.73),
        *(box((-0.3, -0.3 + 0.08 * i, 0.99), (0.3, -0.27 + 0.08 * i, 1.01), BLACK)
          for i in range(6)),
    ),
    "stethoscope": made_of(
        *(row for s in (-1, 1) for row in (
            tube([(s * 0.14, 0.5, 0.5), (s * 0.34, 0.46, 0.5), (s * 0.42, 0.3, 0.5),
                  (s * 0.3, 0.12, 0.5), (s * 0.06, -0.02, 0.5)], (0, 0.004), STEEL),
            ball((s * 0.1, 0.5, 0.5), (0.06, 0.03, 0.4), BLACK, GLOSS, 8))),
        tube([(-0.07, -0.02, 0.5), (0, -0.08, 0.5), (0.07, -0.02, 0.5)], (0, 0.006), BODY, GLOSS),
        tube([(0, -0.06, 0.4), (-0.1, -0.2, 0.4), (-0.34, -0.3, 0.4), (-0.42, -0.42, 0.4),
              (-0.2, -0.5, 0.4), (0.06, -0.46, 0.4), (0.26, -0.34, 0.4)], (0, 0.0065), BODY, GLOSS),
        move((0.32, -0.28, 0), 0, "z", cylinder((0, 0, 0), 0.16, 0.4, STEEL, METAL, segments=18),
             cylinder((0, 0, 0.4), 0.12, 0.3, STEEL, METAL, segments=18),
             cylinder((0, 0, 0.7), 0.13, 0.05, PAPER, GLOSS, segments=18)),
    ),
    "vacuum_cleaner": made_of(  # a canister on wheels, its hose and nozzle to +y
        cushion((-0.42, -0.5, 0.1), (0.42, 0.06, 0.66), 0.3, finish=GLOSS),
        cushion((-0.3, -0.44, 0.56), (0.3, -0.02, 0.74), 0.12, tint(0.6), GLOSS),
        *(move((x, -0.34, 0.24), 90, "y", lambda form: form.sketch.cylinder(
            (0, 0, 0), form.size[2] * 0.24, form.size[0] * 0.1, DARK, GLOSS),
               lambda form: form.sketch.cylinder((0, 0, -0.004), form.size[2] * 0.1,
                                                 form.size[0] * 0.13, STEEL, METAL))
          for x in (-0.5, 0.4)),
        tube([(-0.16, -0.3, 0.72), (-0.14, -0.26, 0.86), (0.14, -0.14, 0.86), (0.16, -0.1, 0.72)],
             (0, 0.011), DARK, GLOSS),
        tube([(0, 0.04, 0.5), (0.1, 0.14, 0.7), (0.3, 0.18, 0.9), (0.44, 0.16, 1.05)], (0, 0.02),
             DARK, MATT, 8),
        *(move((0.0 + 0.06 * i, 0.06 + 0.02 * i, 0.54 + 0.07 * i), 0, "z",
               ball((0, 0, 0), (0.08, 0.045, 0.08), (0.32, 0.32, 0.34), MATT,
                   6)) for i in range(6)),
        tube([(0.44, 0.16, 1.05), (0.4, 0.26, 0.9), (0.3, 0.42, 0.16)], (0, 0.013), STEEL),
        tube([(0.46, 0.14, 1.08), (0.42, 0.22, 0.98)], (0, 0.02), DARK, GLOSS, 8),
        cushion((-0.1, 0.38, 0), (0.56, 0.52, 0.14), 0.06, DARK, GLOSS),
    ),
    "aluminum_foil": made_of(
        box((-0.5, -0.5, 0), (0.5, 0.5, 1)),
        box((-0.42, 0.5, 0.84), (0.42, 0.62, 0.87), (0.86, 0.87, 0.9), METAL),
        box((-0.42, 0.6, 0.02), (0.42, 0.62, 0.86), (0.86, 0.87, 0.9), METAL),
        *(box((-0.48 + 0.04 * i, 0.5, 0.88), (-0.46 + 0.04 * i, 0.54, 0.94), STEEL, METAL)
          for i in range(24)),
        text("foil", (0.7, 0.6), RED, 1.0),
    ),
    "tissue_box": made_of(
        box((-0.5, -0.5, 0), (0.5, 0.5, 0.72)),
        lathe([(0.36, 0), (0, 0.01)], DARK, MATT, base=0.72),
        *(move((0, 0, 0.7), turn, "z", move((0, 0, 0), tilt, "x", prism(
            [(-0.12, -0.005), (0.12, -0.005), (0.16, 0.005), (-0.16, 0.005)], 0, 0.34, PAPER,
            FABRIC))) for turn, tilt in ((0, 14), (60, -16), (120, 10), (30, 24))),
        text_in_front("tissues", (0.7, 0.3), pale(0.7), 0.36),
    ),
    "egg_carton": made_of(
        cushion((-0.5, -0.5, 0), (0.5, 0.5, 0.7), 0.12, finish=MATT),
        *(ball((-0.4 + 0.2 * i, y, 0.72), (0.075, 0.17, 0.3), (0.93, 0.8, 0.66), GLOSS, 8)
          for i in range(5) for y in (-0.23, 0.23)),
        *(box((-0.5, y - 0.02, 0.6), (0.5, y + 0.02, 0.78), tint(0.9)) for y in (-0.48, 0, 0.48)),
    ),
    "lunch_box": made_of(
        package, text("lunch", (0.5, 0.3), PAPER, 1.0, 0.1),
        tube([(-0.2, -0.2, 1), (-0.16, -0.2, 1.25), (0.16, -0.2, 1.25), (0.2, -0.2, 1)], (0, 0.006),
             tint(0.6), GLOSS),
        *(box((x - 0.05, 0.49, 0.6), (x + 0.05, 0.53, 0.9), PAPER, GLOSS) for x in (-0.3, 0.3)),
    ),
    "ashtray": made_of(
        lathe([(0, 0), (0.9, 0), (1, 0.3), (1, 1), (0.8, 1), (0.62, 0.3), (0, 0.25)], segments=20),
        *(move((0, 0, 0.8), turn, "z", box((-0.05, 0.36, 0), (0.05, 0.52, 0.22), DARK))
          for turn in (0, 120, 240)),
        *(move((x, y, 0.5), turn, "z", tube([(-0.16, 0, 0), (0.06, 0, 0.1)], (0, 0.0042), PAPER,
                                           MATT), tube([(0.06, 0, 0.1), (0.2, 0, 0.16)], (0,
                                               0.0042),
                                                       (0.85, 0.55, 0.25), MATT))
          for x, y, turn in ((0, 0.1, 20), (-0.05, -0.12, 130))),
        move((0.1, 0.2, 1.0), 50, "z", tube([(-0.1, 0, -0.1), (0.3, 0, 0.1)], (0, 0.0042), PAPER,
                                            MATT)),
        ball((0.0, 0, 0.3), (0.2, 0.2, 0.12), (0.45, 0.45, 0.46), MATT),
    ),
    "thermos": made_of(
        lathe([(0, 0), (0.95, 0), (1, 0.02), (1, 0.7), (0.8, 0.76)], finish=sheen, segments=18),
        lathe([(1.01, 0), (1.01, 0.03)], BLACK, GLOSS, 18, base=0.02),
        lathe([(0.82, 0), (0.9, 0.01), (0.84, 0.22), (0.8, 0.24), (0, 0.24)], BLACK, GLOSS, 18,
              base=0.76),
        tube([(0, 0.5, 0.66), (0, 0.78, 0.6), (0, 0.78, 0.3), (0, 0.5, 0.24)], (0, 0.008), BLACK,
             GLOSS),
        lathe([(1.01, 0), (1.01, 0.02)], STEEL, METAL, 18, base=0.7),
    ),
    "ceramic_jar": made_of(
        lathe([(0, 0), (0.6, 0), (0.95, 0.25), (1, 0.45), (0.8, 0.68), (0.62, 0.74), (0.66, 0.77)],
              segments=18),
        lathe([(0.72, 0), (0.7, 0.04), (0.3, 0.12), (0, 0.13)], tint(0.8), GLOSS, 18, base=0.77),
        ball((0, 0, 0.95), (0.1, 0.1, 0.05), tint(0.8), GLOSS),
        *(lathe([(r, 0), (r, 0.035)], PAPER, GLOSS, 18, base=z) for r, z in ((1.0, 0.34), (1.01,
            0.43))),
        *(tube([(s * 0.42, 0, 0.66), (s * 0.56, 0, 0.62), (s * 0.5, 0, 0.5)], (0, 0.009), tint(0.8),
               GLOSS) for s in (-1, 1)),
    ),
    "coaster": made_of(
        lathe([(0, 0), (0.97, 0), (1, 0.5), (0.97, 1), (0, 1)], (0.72, 0.54, 0.36), MATT, 24),
        *(cylinder((r * math.sin(2.4 * i), r * math.cos(2.4 * i), 1),
                   (0, 0.0004 + 0.0003 * (i % 3)), (0, 0.0003),
                   (0.5, 0.35, 0.22) if i % 2 else (0.84, 0.68, 0.5), segments=5)
          for i in range(90) for r in (0.46 * math.sqrt(37 * i % 90 / 90),)),
        lathe([(0.66, 0), (0.7, 0.06), (0.72, 0.06), (0.76, 0)], (0.4, 0.24, 0.14), GLOSS, 24,
              base=1.0),
        lathe([(0.94, 0), (0.99, 0.06), (1.01, 0)], BODY, GLOSS, 24, base=0.98),
    ),
    # -- cases
    "first_aid_kit": made_of(
        case, *(box(low, high, lambda form: RED if sum(form.tone()) > 2.0 else PAPER) for low,
            high in (
            ((-0.08, -0.34, 0.82), (0.08, 0.34, 0.87)), ((-0.24, -0.11, 0.82), (0.24, 0.11, 0.87)),
            ((-0.04, 0.5, 0.12), (0.04, 0.505, 0.46)), ((-0.12, 0.5, 0.23), (0.12, 0.505, 0.35)))),
    ),
    "sewing_kit": made_of(
        case,
        *(move((-0.3 + 0.2 * i, 0.3, 0.84), 0, "z",
               cylinder((0, 0, 0), 0.06, 0.02, TIMBER, WOOD), cylinder((0, 0, 0.02), 0.05, 0.2,
                   tone,
                                                                    FABRIC),
               cylinder((0, 0, 0.22), 0.06, 0.02, TIMBER, WOOD)) for i, tone in enumerate(SPOOLS)),
        text("sewing", (0.6, 0.24), lambda form: PAPER if sum(form.tone()) < 1.8 else DARK, 0.86,
             -0.26),
    ),
    "jewellery_box": made_of(
        box((-0.5, -0.5, 0.06), (0.5, 0.5, 0.66), finish=WOOD),
        lambda form: None if form.is_open else cushion(
            (-0.52, -0.52, 0.7), (0.52, 0.52, 1), 0.14, tint(0.85), GLOSS)(form),
        box((-0.505, -0.505, 0.62), (0.505, 0.505, 0.68), BRASS, METAL),
        box((-0.05, 0.5, 0.5), (0.05, 0.53, 0.76), BRASS, METAL),
        *(ball((x, y, 0.05), (0.04, 0.05, 0.06), BRASS, METAL, 8) for x in (-0.44, 0.44)
          for y in (-0.42, 0.42)),
        tube([(-0.3, 0.515, 0.5), (-0.16, 0.52, 0.3), (0, 0.52, 0.24), (0.16, 0.52, 0.3),
              (0.3, 0.515, 0.5)], (0, 0.003), PAPER, GLOSS),
        lambda form: None if form.is_open else ball((0, 0, 1.02), (0.1, 0.14, 0.12),
                                                    (0.75, 0.1, 0.25), GLOSS, 6)(form),
    ),
    "music_box": made_of(  # with a dancer and a crank
        box((-0.5, -0.5, 0), (0.42, 0.5, 0.5), finish=WOOD),
        box((-0.46, -0.46, 0.5), (0.38, 0.46, 0.54), (0.7, 0.15, 0.25), FABRIC),
        tube([(0.42, 0, 0.28), (0.52, 0, 0.28), (0.52, 0.2, 0.28), (0.6, 0.2, 0.28)], (0, 0.003),
             BRASS),
        ball((0.6, 0.2, 0.28), (0.04, 0.06, 0.05), BLACK, GLOSS, 6),
        cylinder((-0.04, 0, 0.54), 0.12, 0.03, BRASS, METAL),
        tube([(-0.04, 0, 0.55), (-0.04, 0, 0.8)], (0, 0.003), (0.95, 0.8, 0.7), MATT),
        move((-0.04, 0, 0), 0, "z", lathe([(0.26, 0.0), (0.05, 0.07), (0.06, 0.15), (0.03, 0.16)],
                                          (0.95, 0.75, 0.85), FABRIC, 12, base=0.68)),
        ball((-0.04, 0, 0.9), (0.035, 0.05, 0.06), (0.95, 0.8, 0.7), MATT, 8),
        tube([(-0.02, 0, 0.82), (0.06, 0, 0.95), (-0.02, 0, 1.02)], (0, 0.002), (0.95, 0.8, 0.7),
             MATT),
        tube([(-0.06, 0, 0.82), (-0.14, 0, 0.95), (-0.06, 0, 1.02)], (0, 0.002), (0.95, 0.8, 0.7),
             MATT),
    ),
    "radio": made_of(
        cushion((-0.5, -0.5, 0), (0.5, 0.44, 0.86), 0.1, finish=GLOSS),
        move((-0.24, 0.44, 0.42), -90, "x", *(cylinder((0, 0, 0.02 * i), r, 0.03, tone, GLOSS,
                                                      segments=18)
             for i, (r, tone) in enumerate(((0.2, STEEL), (0.17, DARK), (0.08, STEEL))))),
        box((0.04, 0.44, 0.5), (0.42, 0.47, 0.72), (0.95, 0.9, 0.7), GLOSS),
        box((0.2, 0.47, 0.5), (0.215, 0.48, 0.72), RED),
        *(move((x, 0.44, 0.28), -90, "x", cylinder((0, 0, 0), 0.055, 0.1, STEEL, METAL))
          for x in (0.12, 0.32)),
        tube([(0.42, -0.2, 0.84), (0.3, -0.2, 1.9)], (0, 0.003), STEEL),
        tube([(-0.3, 0, 0.84), (-0.26, 0, 1.0), (0.2, 0, 1.0), (0.24, 0, 0.84)], (0, 0.006), BLACK,
             GLOSS),
    ),
    "violin": made_of(  # with its bow beside it
        *(move((0, y, 0), 0, "z", lathe([(0, 0), (r, 0), (r, 0), (r, 0.3), (0, 0.45)],
             (0.55, 0.26, 0.1), GLOSS, 20, base=0.2, is_round=True))
          for y, r in ((-0.3, 0.8), (-0.02, 0.66))),
        cushion((-0.26, -0.26, 0.2), (0.26, -0.06, 0.6), 0.15, (0.55, 0.26, 0.1), GLOSS),
        box((-0.06, 0.0, 0.5), (0.06, 0.36, 0.75), BLACK, GLOSS),
        prism([(-0.05, -0.1), (0.05, -0.1), (0.07, 0.1), (-0.07, 0.1)], 0.62, 0.74, BLACK, GLOSS),
        box((-0.07, 0.34, 0.4), (0.07, 0.46, 0.72), (0.5, 0.24, 0.1), WOOD),
        move((-0.06, 0.47, 0.55), 90, "y", cylinder((0, 0, 0), 0.1, 0.3, (0.5, 0.24, 0.1), WOOD)),
        *(tube([(s * 0.05, y, 0.6), (s * 0.2, y, 0.6)], (0, 0.004), BLACK, GLOSS)
          for s, y in ((1, 0.38), (-1, 0.41), (1, 0.43), (-1, 0.37))),
        *(tube([(s * 0.17, -0.2, 0.68), (s * 0.2, -0.17, 0.68), (s * 0.16, -0.12, 0.68),
                (s * 0.13, -0.08, 0.68)], (0, 0.003), BLACK) for s in (-1, 1)),
        cushion((-0.05, -0.46, 0.6), (0.05, -0.28, 0.74), 0.05, BLACK, GLOSS),
        cushion((-0.26, -0.5, 0.55), (-0.06, -0.4, 0.8), 0.1, BLACK, GLOSS),
        box((-0.12, -0.18, 0.6), (0.12, -0.165, 0.85), (0.85, 0.7, 0.5), WOOD),
        *(tube([(x, -0.3, 0.76), (x, -0.17, 0.86), (x, 0.36, 0.76)], (0, 0.0007), STEEL)
          for x in (-0.04, -0.013, 0.013, 0.04)),
        tube([(0.46, -0.5, 0.2), (0.48, 0.0, 0.25), (0.46, 0.5, 0.2)], (0, 0.004), (0.4, 0.2, 0.1),
             WOOD),
        tube([(0.41, -0.48, 0.1), (0.41, 0.49, 0.1)], (0, 0.003), PAPER, FABRIC),
        box((0.39, -0.46, 0.0), (0.48, -0.38, 0.25), BLACK, GLOSS),
    ),
    "frisbee": made_of(
        lathe([(0.9, 0.0), (1, 0.1), (1, 0.45), (0.9, 0.85), (0, 1)], finish=GLOSS, segments=28),
        *(lathe([(r, 0.05), (r + 0.02, 0.1), (r + 0.04, 0.0)], tint(0.7), GLOSS, 28,
            base=0.96 - r / 9)
          for r in (0.56, 0.66, 0.76)),
        text("fly disc", (0.4, 0.4), PAPER, 1.02),
    ),
    "action_figure": made_of(  # a hero with a cape
        *(row for s in (-1, 1) for row in (
            tube([(s * 0.16, 0, 0.03), (s * 0.14, 0, 0.44)], 0.11, BODY, MATT, 8),
            box((s * 0.16 - 0.12, -0.25, 0), (s * 0.16 + 0.12, 0.4, 0.09), RED, GLOSS),
            tube([(s * 0.32, 0, 0.75), (s * 0.46, 0.05, 0.58), (s * 0.3, 0.2, 0.48)], 0.085, BODY,
                 MATT, 8),
            ball((s * 0.3, 0.22, 0.47), (0.09, 0.14, 0.04), (0.93, 0.76, 0.63), MATT, 8))),
        box((-0.25, -0.25, 0.4), (0.25, 0.25, 0.5), RED, GLOSS),
        prism([(-0.32, -0.25), (0.32, -0.25), (0.32, 0.28), (-0.32, 0.28)], 0.5, 0.78),
        box((-0.14, 0.28, 0.6), (0.14, 0.33, 0.72), (0.95, 0.8, 0.2), GLOSS),
        ball((0, 0.02, 0.88), (0.17, 0.26, 0.095), (0.93, 0.76, 0.63), MATT),
        ball((0, -0.05, 0.92), (0.18, 0.26, 0.08), (0.2, 0.14, 0.1), MATT),
        box((-0.14, 0.22, 0.87), (0.14, 0.28, 0.91), BLACK),
        prism([(-0.32, -0.34), (0.32, -0.34), (0.26, -0.26), (-0.26, -0.26)], 0.3, 0.78, RED,
            FABRIC),
        prism([(-0.44, -0.5), (0.44, -0.5), (0.36, -0.34), (-0.36, -0.34)], 0.06, 0.4, RED, FABRIC),
    ),
    "pliers": made_of(
        *(row for s in (-1, 1) for row in (
            tube([(-s * 0.42, -0.5, 0.5), (-s * 0.46, -0.2, 0.5), (-s * 0.14, 0.1, 0.5)], (0,
                0.0055),
                 finish=GLOSS, segments=8),
            prism([(0.06, 0.14), (0.42, 0.14), (0.34, 0.32), (0.16, 0.5), (0.04, 0.5)] if s > 0 else
                  [(-0.04, 0.5), (-0.16, 0.5), (-0.34, 0.32), (-0.42, 0.14), (-0.06, 0.14)], 0.2,
                      0.8,
                  STEEL, METAL))),
        move((0, 0.12, 0.1), 0, "z", cylinder((0, 0, 0), 0.34, 0.75, STEEL, METAL),
             cylinder((0, 0, 0.7), 0.14, 0.2, DARK)),
        *(box((-0.06, 0.3 + 0.04 * i, 0.3), (0.06, 0.315 + 0.04 * i, 0.78),
            DARK) for i in range(5)),
    ),
    "pruning_shears": made_of(  # a wide blade over a hook, a spring between the handles
        *(tube([(s * 0.3, -0.5, 0.5), (s * 0.46, -0.2, 0.5), (s * 0.12, 0.12, 0.5)], (0, 0.006),
               finish=GLOSS, segments=8) for s in (-1, 1)),
        tube([(-0.38, -0.12, 0.5), (-0.2, -0.06, 0.7), (-0.1, -0.16, 0.4), (0.06, -0.06, 0.7),
            (0.14, -0.16, 0.4),
              (0.38, -0.12, 0.5)], (0, 0.0015), STEEL),
        prism([(-0.12, 0.1), (0.3, 0.16), (0.46, 0.32), (0.3, 0.5), (0.0, 0.38)], 0.5, 0.7, STEEL,
            METAL),
        tube([(-0.1, 0.1, 0.35), (-0.3, 0.26, 0.35), (-0.24, 0.42, 0.35), (-0.02, 0.48, 0.35)],
            (0, 0.004), DARK),
        cylinder((0, 0.13, 0.2), 0.17, 0.65, DARK, METAL),
    ),
    "ladle": made_of(
        move((0, 0.36, 0), 0, "z", lathe([(0, 0.02), (0.6, 0.06), (0.95, 0.45), (1, 0.75), (0.92,
            0.75),
             (0.85, 0.45), (0.5, 0.14), (0, 0.1)], STEEL, METAL, 16, is_round=True)),
        tube([(0, 0.24, 0.7), (0, 0.12, 0.9), (0, -0.3, 0.8), (0, -0.46, 0.7), (0, -0.5, 0.4)],
            (0, 0.005),
             STEEL, segments=8),
    ),
    "foam_roller": move((-0.5, 0, 0.5), 90, "y", _foam),
    "food_processor": made_of(  # a wide bowl with a blade, its chute at the back
        cushion((-0.5, -0.5, 0), (0.5, 0.5, 0.34), 0.08, finish=GLOSS),
        *(move((x, 0.5, 0.16), -90, "x", cylinder((0, 0, 0), r, (0, 0.008), tone, GLOSS))
          for x, r, tone in ((-0.26, 0.08, PAPER), (0, 0.13, STEEL), (0.26, 0.08, RED))),
        lathe([(0.8, 0), (0.92, 0.02), (0.94, 0.4), (0.9, 0.4)], GLASSY, GLASS, 18, base=0.34),
        cylinder((0, 0, 0.34), 0.06, 0.2, DARK),
        *(move((0, 0, 0.42 + 0.05 * i), 60 + 180 * i, "z", prism(
            [(0, -0.06), (0.36, 0.02), (0.36, 0.1), (0, 0.06)], 0, 0.012, STEEL,
                METAL)) for i in range(2)),
        lathe([(0.96, 0), (0.96, 0.05), (0, 0.06)], PAPER, GLOSS, 18, base=0.74),
        box((-0.3, -0.34, 0.78), (0.02, -0.06, 0.96), PAPER, GLOSS),
        box((-0.24, -0.28, 0.9), (-0.04, -0.12, 1.0), DARK, GLOSS),
        tube([(0.44, 0.1, 0.7), (0.6, 0.16, 0.68), (0.6, 0.16, 0.42), (0.44, 0.1, 0.4)], (0,
            0.009), DARK, GLOSS),
    ),
    "flower_pot": made_of(  # of clay, with a rim, on its saucer
        lathe([(0, 0), (0.9, 0), (1, 0.12), (0.94, 0.12), (0.86, 0.04)], tint(0.85), MATT, 18),
        lathe([(0.58, 0.03), (0.84, 0.72), (0.98, 0.72), (1, 1), (0.88, 1), (0.86, 0.86)],
            finish=MATT, segments=18),
        lathe([(0.88, 0), (0, 0.02)], (0.24, 0.16, 0.1), MATT, 16, base=0.86),
        *(ball((0.33 * math.cos(2.4 * i) * i / 12, 0.33 * math.sin(2.4 * i) * i / 12, 0.88),
            (0.04, 0.04, 0.03),
               (0.33, 0.23, 0.15), MATT, 5) for i in range(12)),
    ),
    "ice_cube_tray": made_of(
        box((-0.5, -0.5, 0.8), (0.5, 0.5, 0.9), finish=GLOSS),
        *(row for i in range(6) for y in (-0.24, 0.24) for row in (
            box((-0.4 + 0.16 * i - 0.06, y - 0.17, 0), (-0.4 + 0.16 * i + 0.06, y + 0.17, 0.8),
                tint(0.9), GLOSS),
            cushion((-0.4 + 0.16 * i - 0.055, y - 0.15, 0.6), (-0.4 + 0.16 * i + 0.055, y + 0.15,
                1.25), 0.12,
                    (0.8, 0.92, 0.98), GLOSS))),
    ),
    "food_container": made_of(  # a lid with four clips
        cushion((-0.46, -0.45, 0), (0.46, 0.45, 0.8), 0.2, (0.86, 0.9, 0.92), GLOSS),
        cushion((-0.5, -0.5, 0.74), (0.5, 0.5, 0.94), 0.08, finish=GLOSS),
        cushion((-0.36, -0.34, 0.9), (0.36, 0.34, 1), 0.04, tint(0.85), GLOSS),
        *(cushion((x - 0.12, y - 0.03, 0.5), (x + 0.12, y + 0.03, 0.96), 0.04, tint(0.7), GLOSS)
          for x, y in ((0, 0.5), (0, -0.5))),
        *(cushion((x - 0.02, -0.16, 0.5), (x + 0.02, 0.16, 0.96), 0.04, tint(0.7),
            GLOSS) for x in (-0.5, 0.5)),
        text("food", (0.4, 0.3), PAPER),
    ),
    "paper_plate": made_of(  # with a pleated rim
        lathe([(0, 0), (0.62, 0), (0.7, 0.35), (1, 1), (0.96, 1), (0.66, 0.4), (0, 0.2)],
            segments=28, finish=MATT),
        *(move((0, 0, 0.4), 360 / 40 * i, "z", move((0, 0.34, 0.05), 5, "x", box((-0.012, 0, 0),
            (0.012, 0.15, 0.3),
               tint(0.75 if i % 2 else 1.25)))) for i in range(40)),
    ),
}  # fmt: skip
