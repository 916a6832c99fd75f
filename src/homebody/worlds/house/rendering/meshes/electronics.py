"""Devices: screens, computers, telephones, audio, printers and copiers."""

from __future__ import annotations

import math

from homebody.worlds.house.model.house import Colour
from homebody.worlds.house.rendering.materials import FABRIC, GLOSS, GLOW, MATT, METAL, WOOD
from homebody.worlds.house.rendering.meshes.form import SIDES, Form, Shape
from homebody.worlds.house.rendering.meshes.motifs import sea, work
from homebody.worlds.house.rendering.meshes.palette import (
    BLACK,
    PAPER,
    STEEL,
    mix,
    shade,
    surface_of,
)  # fmt: skip
from homebody.worlds.house.rendering.meshes.sketch import Sketch
from homebody.worlds.house.rendering.meshes.solids import (
    Length,
    ball,
    box,
    cushion,
    cylinder,
    lit,
    made_of,
    metres,
    move,
    on_off,
    slab,
    tint,
    tone,
    tube,
)  # fmt: skip

DARK = tone("body", BLACK)
"""The colour of the body, black unless its style says so."""


def screen(
    sketch: Sketch, low: tuple[float, float], high: tuple[float, float], y: float, is_on: bool
) -> None:
    """Draw a display over (x, z): black, or a bright picture."""
    (x0, z0), (x1, z1) = low, high
    if not is_on:
        sketch.box((x0, y - 0.004, z0), (x1, y, z1), (0.04, 0.045, 0.05), GLOSS)
        return
    wide, tall = x1 - x0, z1 - z0
    number = round(wide * 100)  # a film on wide ones, work on others
    patches = sea(number, (0.35, 0.55, 0.85), (0.2, 0.45, 0.55), wide / tall)
    if wide < 0.8:
        patches = work(number)
    sketch.box((x0, y - 0.004, z0), (x1, y, z1), (0.3, 0.42, 0.6), GLOW)
    for layer, (outline, ink) in enumerate(patches):
        at = y + 0.0002 + 0.0001 * layer
        sketch.polygon([(x1 - u * wide, at, z0 + v * tall) for u, v in outline], ink, GLOW)


def display(low: tuple[Length, Length], high: tuple[Length, Length], y: Length) -> Shape:
    """Return a :func:`screen` over (x, z) as a row of a table."""

    def draw(form: Form) -> None:
        w, d, h = form.size
        corners = [(metres(x, w), metres(z, h)) for x, z in (low, high)]
        screen(form.sketch, corners[0], corners[1], metres(y, d), form.is_on)

    return draw


def laptop(form: Form) -> None:
    """A keyboard and a screen that leans back; its user sits at +y."""
    sketch, (w, d, _), (x, y, h), body = form.sketch, form.size, form.half, form.tone()
    surface = surface_of(body)
    if "open" in form.states and not form.is_open:
        sketch.cushion((-x, -y, 0), (x, y, 0.025), body, 0.008, surface)
        sketch.cylinder((0, 0, 0.025), 0.02, 0.0006, mix(body, PAPER, 0.5), segments=10)
        return
    sketch.cushion((-x, -y + 0.02, 0), (x, y, 0.016), body, 0.006, surface)
    sketch.box((-w * 0.42, -d * 0.28, 0.016), (w * 0.42, d * 0.12, 0.0175), BLACK)
    sketch.box((-w * 0.13, d * 0.2, 0.016), (w * 0.13, d * 0.42, 0.0165), shade(body, 0.85))
    lid = sketch.at((0, -y + 0.03, 0.01), 12, "x")
    lid.cushion((-x, -0.01, 0), (x, 0, h - 0.01), body, 0.004, surface)
    screen(lid, (-w * 0.47, 0.012), (w * 0.47, h - 0.022), 0.0025, form.is_on)


def keyboard(form: Form) -> None:
    """Four rows of keys."""
    sketch, (w, d, h), body = form.sketch, form.size, form.tone("body", BLACK)
    sketch.cushion((-w / 2, -d / 2, 0), (w / 2, d / 2, h * 0.6), body, 0.005, GLOSS)
    keys = shade(body, 0.75) if sum(body) > 1.5 else (0.3, 0.3, 0.32)
    for row in range(4):
        y = d * 0.38 - row * d * 0.22 - d * 0.08
        for i in range(12):
            x = -w * 0.45 + (i + 0.5) * w * 0.9 / 12
            sketch.slab((x, y, h * 0.6), (w * 0.06, d * 0.17, h * 0.3), keys)


def phone(form: Form) -> None:
    """A flat device, screen up; a calculator has keys."""
    sketch, (w, d, h) = form.sketch, form.size
    sketch.cushion((-w / 2, -d / 2, 0), (w / 2, d / 2, h), form.tone(), h * 0.4, GLOSS)
    if form.category == "calculator":
        sketch.box((-w * 0.4, d * 0.25, h), (w * 0.4, d * 0.43, h + 0.001), (0.6, 0.7, 0.6), GLOSS)
        for i in range(16):
            x, y = -w * 0.32 + (i % 4) * w * 0.21, d * 0.1 - (i // 4) * d * 0.15
            sketch.slab((x, y, h), (w * 0.15, d * 0.09, 0.003), PAPER)
        return
    face, surface = ((0.35, 0.65, 0.95), GLOW) if form.is_on else ((0.05, 0.05, 0.06), GLOSS)
    sketch.box((-w * 0.45, -d * 0.46, h), (w * 0.45, d * 0.46, h + 0.0006), face, surface)


def telephone(form: Form) -> None:
    """A receiver beside keys and a display."""
    sketch, (w, d, h), body = form.sketch, form.size, form.tone()
    sketch.cushion((-w / 2, -d / 2, 0), (w / 2, d / 2, h * 0.5), body, 0.015, GLOSS)
    low, high = (-w * 0.48, -d * 0.45, h * 0.5), (-w * 0.2, d * 0.45, h)
    sketch.cushion(low, high, shade(body, 0.8), 0.02, GLOSS)
    for i in range(12):
        x, y = w * 0.02 + (i % 3) * w * 0.16, d * 0.15 - (i // 3) * d * 0.15
        sketch.slab((x, y, h * 0.5), (w * 0.11, d * 0.1, 0.006), PAPER)
    low, high = (-w * 0.02, d * 0.26, h * 0.5), (w * 0.42, d * 0.42, h * 0.52)
    sketch.box(low, high, (0.5, 0.6, 0.5), GLOSS)


def remote(form: Form) -> None:
    """A remote control, its red key at +y."""
    sketch, (w, d, h), body = form.sketch, form.size, form.tone("body", BLACK)
    sketch.cushion((-w / 2, -d / 2, 0), (w / 2, d / 2, h), body, h * 0.35, GLOSS)
    for i in range(10):
        x, y = (i % 2 - 0.5) * w * 0.45, d * 0.28 - (i // 2) * d * 0.13
        key: Colour = (0.85, 0.2, 0.2) if i == 0 else (0.75, 0.75, 0.75)
        sketch.slab((x, y, h), (w * 0.24, d * 0.06, 0.002), key)


def register(form: Form) -> None:
    """A cash register: drawer, keys, display."""
    sketch, (w, d, _), (x, y, h), body = form.sketch, form.size, form.half, form.tone()
    sketch.box((-x, -y, 0), (x, y, h * 0.35), body, GLOSS)
    out = 0.15 if form.is_open else 0.004
    low, high = (-w * 0.46, d * 0.3, h * 0.06), (w * 0.46, y + out, h * 0.3)
    sketch.box(low, high, shade(body, 1.3), GLOSS)
    low, high = (-w * 0.46, -d * 0.48, h * 0.33), (w * 0.46, d * 0.35, h * 0.6)
    sketch.cushion(low, high, body, 0.02, GLOSS)
    for i in range(12):
        place = (-w * 0.3 + (i % 4) * w * 0.13, d * 0.22 - (i // 4) * d * 0.14, h * 0.6)
        sketch.slab(place, (w * 0.09, d * 0.09, 0.012), PAPER, GLOSS)
    sketch.box((-w * 0.3, -d * 0.4, h * 0.6), (w * 0.3, -d * 0.3, h), body, GLOSS)
    screen(sketch, (-w * 0.27, h * 0.68), (w * 0.27, h * 0.96), -d * 0.29, form.is_on)


def copier(form: Form) -> None:
    """An office copier: trays, a panel, a flap."""
    sketch, (w, d, _), (x, y, h) = form.sketch, form.size, form.half
    body, tray = form.tone(), form.tone("tray", (0.3, 0.3, 0.32))
    sketch.cushion((-x, -y, 0.03), (x, y - 0.03, h * 0.68), body, 0.015, GLOSS)
    for i in range(3):
        z, out = 0.08 + i * h * 0.17, 0.2 if form.is_open and i == 1 else 0.0
        low, high = (-x + 0.03, y - 0.2, z), (x - 0.03, y + out, z + h * 0.15)
        sketch.box(low, high, shade(body, 0.92), GLOSS)
        sketch.slab((0, y + out, z + h * 0.1), (0.2, 0.012, 0.025), tray)
    sketch.box((-x, -y, h * 0.68), (-w * 0.3, y - 0.05, h * 0.84), body, GLOSS)
    sketch.box((-w * 0.3, -y, h * 0.68), (x, -y + 0.1, h * 0.84), body, GLOSS)
    sketch.box((-w * 0.28, -d * 0.3, h * 0.69), (x - 0.04, y - 0.08, h * 0.705), tray)
    sketch.cushion((-x, -y, h * 0.84), (x, y - 0.05, h), body, 0.02, GLOSS)
    sketch.box((-x, y - 0.05, h * 0.84), (w * 0.1, y, h * 0.95), tray, GLOSS)
    light, surface = ((0.4, 0.8, 1.0), GLOW) if form.is_on else ((0.1, 0.12, 0.14), GLOSS)
    sketch.box((-w * 0.4, y, h * 0.86), (-w * 0.1, y + 0.003, h * 0.93), light, surface)


def speaker(form: Form) -> None:
    """Two cones behind cloth, above each other, or side by side in a low box."""
    sketch, (w, _, _), (x, y, h) = form.sketch, form.size, form.half
    sketch.box((-x, -y, 0), (x, y - 0.006, h), form.tone(), WOOD)
    low, high = (-w * 0.47, y - 0.006, h * 0.03), (w * 0.47, y, h * 0.97)
    sketch.box(low, high, (0.15, 0.15, 0.16), FABRIC)
    upright, flat = ((0.0, 0.3, 0.32), (0.0, 0.75, 0.16)), ((-0.28, 0.5, 0.16), (0.28, 0.5, 0.16))
    for u, v, r in upright if h > w else flat:
        cone = [(0, 0.002), (w * r * 0.4, 0.002), (w * r, 0.008), (w * r * 1.1, 0.004)]
        sketch.at((u * w, y, v * h), -90, "x").lathe((0, 0, 0), cone, STEEL, METAL, 14)


def headphones(form: Form) -> None:
    """A headband that lies flat, with two ear cups."""
    sketch, (w, d, h), body = form.sketch, form.size, form.tone("body", BLACK)
    points = [
        (math.cos(a) * w * 0.45, math.sin(a) * d * 0.9 - d * 0.4, h * 0.4)
        for a in (0.1, 0.6, 1.1, 1.57, 2.04, 2.54, 3.04)
    ]
    sketch.tube(points, 0.009, body, GLOSS)
    for side in SIDES:
        cup = sketch.at((side * w * 0.42, -d * 0.3, h * 0.45), 90, "y")
        cup.cylinder((0, 0, -0.015), min(h, d) * 0.45, 0.03, shade(body, 0.7), FABRIC)


def camera(form: Form) -> None:
    """A camera, its lens to +y."""
    sketch, (w, d, h), body = form.sketch, form.size, form.tone("body", BLACK)
    sketch.cushion((-w / 2, -d / 2, 0), (w / 2, 0.0, h * 0.8), body, 0.01, GLOSS)
    sketch.box((-w * 0.2, -d * 0.4, h * 0.78), (w * 0.2, -d * 0.1, h), body, GLOSS)
    lens = sketch.at((0, 0, h * 0.4), -90, "x")
    lens.cylinder((0, 0, 0), h * 0.34, d * 0.5, (0.2, 0.2, 0.21), METAL, segments=14)
    lens.cylinder((0, 0, d * 0.5), h * 0.26, 0.002, (0.25, 0.3, 0.5), GLOSS)


def controller(form: Form) -> None:
    """A game controller: two grips with sticks, four coloured keys."""
    sketch, (w, d, h), body = form.sketch, form.size, form.tone("body", BLACK)
    sketch.cushion((-w * 0.4, -d * 0.1, h * 0.3), (w * 0.4, d / 2, h * 0.8), body, 0.015, GLOSS)
    for side in SIDES:
        grip, stick = (side * w * 0.38, -d * 0.1, h * 0.4), (side * w * 0.15, 0, h * 0.75)
        sketch.ball(grip, (w * 0.12, d * 0.4, h * 0.4), body, GLOSS, 8)
        sketch.cylinder(stick, w * 0.06, h * 0.25, (0.25, 0.25, 0.27), GLOSS, segments=8)
    keys = (
        *((0, 0.07, (0.8, 0.2, 0.2)), (0.07, 0, (0.2, 0.6, 0.3))),
        *((0, -0.07, (0.2, 0.4, 0.85)), (-0.07, 0, (0.9, 0.8, 0.2))),
    )
    for x, y, key in keys:
        sketch.slab((w * 0.28 + x * w, d * 0.22 + y * d, h * 0.8), (0.01, 0.01, 0.004), key)


SHAPES: dict[str, Shape] = {
    "tv": made_of(
        cushion((-0.5, -0.5, 0), (0.5, (0.5, -0.004), 1), (0, 0.01), DARK, GLOSS),
        display(((-0.5, 0.015), (0, 0.02)), ((0.5, -0.015), (1, -0.015)), 0.5),
    ),
    "monitor": made_of(
        tube(
            [(0.1, -0.2, (0, 0.06)), (0.16, -0.5, (0, 0.03)), (0.05, -0.62, (0, 0.004))],
            *((0, 0.003), BLACK, MATT, 4),
        ),
        slab((0, 0, 0), (0.45, 1, (0, 0.012)), DARK, GLOSS),
        slab((0, -0.2, (0, 0.01)), ((0, 0.05), (0, 0.03), 0.5), DARK, GLOSS),
        cushion((-0.5, -0.15, 0.22), (0.5, 0.05, 1), (0, 0.008), DARK, GLOSS),
        display((-0.48, 0.25), (0.48, 0.98), (0.05, 0.003)),
    ),
    "laptop": laptop, "keyboard": keyboard, "phone": phone,
    "telephone": telephone, "remote": remote, "register": register, "copier": copier,
    "speaker": speaker, "headphones": headphones, "camera": camera, "controller": controller,
    "mouse": made_of(  # two buttons, a wheel between them, its cable to +y
        ball((0, -0.1, (0, 0.002)), (0.5, 0.4, (1, -0.004)), DARK, GLOSS, 16),
        *(tube(seam, (0, 0.0006), (0.4, 0.4, 0.42), MATT, 4) for seam in (
            [(0, 0.4 * math.sin(t) - 0.1, 0.05 + 0.91 * math.cos(t))
             for t in (0.2, 0.4, 0.6, 0.8, 1.0, 1.2, 1.4)],
            [(0.49 * math.sin(t), -0.02, 0.05 + 0.89 * math.cos(t))
             for t in (-1.4, -1.0, -0.6, -0.2, 0.2, 0.6, 1.0, 1.4)])),
        move((0, 0.1, 0.7), 90, "y", cylinder((0, 0, (0, -0.003)), (0, 0.008), (0, 0.006), STEEL,
                                              METAL)),
        tube([(0, 0.28, 0.12), (0, 0.4, 0.06), (0.1, 0.5, 0.06)], (0, 0.002), BLACK, GLOSS),
    ),
    "printer": made_of(
        cushion((-0.5, -0.5, 0), (0.5, 0.3, 0.9), (0, 0.02), finish=GLOSS),
        box((-0.35, 0.3, 0.2), (0.35, 0.5, 0.24), tint(0.7), GLOSS),
        box((-0.3, 0.3, 0.24), (0.3, 0.48, 0.26), PAPER),
        box((-0.36, 0.3, 0.26), (0.36, 0.305, 0.42), BLACK),
        box((-0.3, -0.45, 0.85), (0.3, -0.38, 1), PAPER),
        slab((0.36, 0.3, 0.6), ((0, 0.06), (0, 0.006), (0, 0.03)),
             on_off((0.3, 0.9, 1.0), BLACK), lit),
    ),
}  # fmt: skip
