"""Recipes of devices: screens, telephones, what plays music or prints."""

from __future__ import annotations

import math

from homebody.worlds.house.model.house import Colour
from homebody.worlds.house.rendering.materials import Surface
from homebody.worlds.house.rendering.meshes.decor import screen
from homebody.worlds.house.rendering.meshes.dishes import PAPER, surface_of
from homebody.worlds.house.rendering.meshes.mesh import Sketch, mix, shade
from homebody.worlds.house.rendering.meshes.parts import BLACK, STEEL, Form, Recipe

WOOD, METAL, FABRIC, GLOSS, GLOW = (
    Surface.WOOD,
    Surface.METAL,
    Surface.FABRIC,
    Surface.GLOSS,
    Surface.GLOW,
)


def phone(form: Form) -> None:
    """A flat device, screen up; a calculator has keys."""
    sketch, (w, d, h) = form.sketch, form.size
    tone, on = form.tone("body"), form.is_so("powered_on")
    sketch.cushion((-w / 2, -d / 2, 0), (w / 2, d / 2, h), tone, h * 0.4, GLOSS)
    face: Colour = (0.35, 0.65, 0.95) if on else (0.05, 0.05, 0.06)
    if form.category == "calculator":
        sketch.box((-w * 0.4, d * 0.25, h), (w * 0.4, d * 0.43, h + 0.001), (0.6, 0.7, 0.6), GLOSS)
        for i in range(16):
            x, y = -w * 0.32 + (i % 4) * w * 0.21, d * 0.1 - (i // 4) * d * 0.15
            sketch.slab((x, y, h), (w * 0.15, d * 0.09, 0.003), PAPER)
        return
    sketch.box(
        (-w * 0.45, -d * 0.46, h), (w * 0.45, d * 0.46, h + 0.0006), face, GLOW if on else GLOSS
    )


def remote(form: Form) -> None:
    sketch, (w, d, h) = form.sketch, form.size
    sketch.cushion(
        (-w / 2, -d / 2, 0), (w / 2, d / 2, h), form.tone("body", BLACK), h * 0.35, GLOSS
    )
    for i in range(10):
        x, y = (i % 2 - 0.5) * w * 0.45, d * 0.28 - (i // 2) * d * 0.13
        tone: Colour = (0.85, 0.2, 0.2) if i == 0 else (0.75, 0.75, 0.75)
        sketch.slab((x, y, h), (w * 0.24, d * 0.06, 0.002), tone)


def laptop(form: Form) -> None:
    """A keyboard and a screen that leans back; its user sits at +y."""
    sketch, (w, d, h) = form.sketch, form.size
    tone, on = form.tone("body"), form.is_so("powered_on")
    kind = surface_of(tone)
    if "open" in form.states and not form.is_so("open"):
        sketch.cushion((-w / 2, -d / 2, 0), (w / 2, d / 2, 0.025), tone, 0.008, kind)
        sketch.cylinder((0, 0, 0.025), 0.02, 0.0006, mix(tone, PAPER, 0.5), segments=10)
        return
    sketch.cushion((-w / 2, -d / 2 + 0.02, 0), (w / 2, d / 2, 0.016), tone, 0.006, kind)
    sketch.box((-w * 0.42, -d * 0.28, 0.016), (w * 0.42, d * 0.12, 0.0175), BLACK)
    sketch.box((-w * 0.13, d * 0.2, 0.016), (w * 0.13, d * 0.42, 0.0165), shade(tone, 0.85))
    lid = Form(Sketch(), form.size, {}, {})
    lid.sketch.cushion((-w / 2, -0.01, 0), (w / 2, 0, h - 0.01), tone, 0.004, kind)
    screen(lid, (-w * 0.47, 0.012), (w * 0.47, h - 0.022), 0.0025, on)
    sketch.add(lid.sketch, (0, -d / 2 + 0.03, 0.01), 12, "x")


def monitor(form: Form) -> None:
    sketch, (w, d, h) = form.sketch, form.size
    tone = form.tone("body", BLACK)
    sketch.slab((0, 0, 0), (w * 0.45, d, 0.012), tone, GLOSS)
    sketch.slab((0, -d * 0.2, 0.01), (0.05, 0.03, h * 0.5), tone, GLOSS)
    sketch.cushion((-w / 2, -d * 0.15, h * 0.22), (w / 2, d * 0.05, h), tone, 0.008, GLOSS)
    screen(
        form,
        (-w * 0.48, h * 0.25),
        (w * 0.48, h * 0.98),
        d * 0.05 + 0.003,
        form.is_so("powered_on"),
    )


def keyboard(form: Form) -> None:
    sketch, (w, d, h) = form.sketch, form.size
    tone = form.tone("body", BLACK)
    sketch.cushion((-w / 2, -d / 2, 0), (w / 2, d / 2, h * 0.6), tone, 0.005, GLOSS)
    keys = shade(tone, 0.75) if sum(tone) > 1.5 else (0.3, 0.3, 0.32)
    for row in range(4):
        y = d * 0.38 - row * d * 0.22
        for i in range(12):
            x = -w * 0.45 + (i + 0.5) * w * 0.9 / 12
            sketch.slab((x, y - d * 0.08, h * 0.6), (w * 0.06, d * 0.17, h * 0.3), keys)


def mouse(form: Form) -> None:
    sketch, (w, d, h) = form.sketch, form.size
    sketch.ball((0, 0, 0.004), (w / 2, d / 2, h - 0.004), form.tone("body", BLACK), GLOSS, 12)
    sketch.slab((0, d * 0.25, h * 0.75), (0.006, 0.02, 0.008), STEEL)


def printer(form: Form) -> None:
    sketch, (w, d, h) = form.sketch, form.size
    tone, on = form.tone("body"), form.is_so("powered_on")
    sketch.cushion((-w / 2, -d / 2, 0), (w / 2, d * 0.3, h * 0.9), tone, 0.02, GLOSS)
    sketch.box((-w * 0.35, d * 0.3, h * 0.2), (w * 0.35, d / 2, h * 0.24), shade(tone, 0.7), GLOSS)
    sketch.box((-w * 0.3, d * 0.3, h * 0.24), (w * 0.3, d * 0.48, h * 0.26), PAPER)
    sketch.box((-w * 0.36, d * 0.3, h * 0.26), (w * 0.36, d * 0.305, h * 0.42), BLACK)
    sketch.box((-w * 0.3, -d * 0.45, h * 0.85), (w * 0.3, -d * 0.38, h), PAPER)
    sketch.slab(
        (w * 0.36, d * 0.3, h * 0.6),
        (0.06, 0.006, 0.03),
        (0.3, 0.9, 1.0) if on else BLACK,
        GLOW if on else GLOSS,
    )


def register(form: Form) -> None:
    sketch, (w, d, h) = form.sketch, form.size
    tone, on = form.tone("body"), form.is_so("powered_on")
    sketch.box((-w / 2, -d / 2, 0), (w / 2, d / 2, h * 0.35), tone, GLOSS)
    out = 0.15 if form.is_so("open") else 0.004
    sketch.box(
        (-w * 0.46, d * 0.3, h * 0.06), (w * 0.46, d / 2 + out, h * 0.3), shade(tone, 1.3), GLOSS
    )
    sketch.cushion(
        (-w * 0.46, -d * 0.48, h * 0.33), (w * 0.46, d * 0.35, h * 0.6), tone, 0.02, GLOSS
    )
    for i in range(12):
        x, y = -w * 0.3 + (i % 4) * w * 0.13, d * 0.22 - (i // 4) * d * 0.14
        sketch.slab((x, y, h * 0.6), (w * 0.09, d * 0.09, 0.012), PAPER, GLOSS)
    sketch.box((-w * 0.3, -d * 0.4, h * 0.6), (w * 0.3, -d * 0.3, h), tone, GLOSS)
    screen(form, (-w * 0.27, h * 0.68), (w * 0.27, h * 0.96), -d * 0.29, on)


def speaker(form: Form) -> None:
    sketch, (w, d, h) = form.sketch, form.size
    tone = form.tone("body")
    sketch.box((-w / 2, -d / 2, 0), (w / 2, d / 2 - 0.006, h), tone, WOOD)
    sketch.box(
        (-w * 0.47, d / 2 - 0.006, h * 0.03),
        (w * 0.47, d / 2, h * 0.97),
        (0.15, 0.15, 0.16),
        FABRIC,
    )
    spots = (
        ((0.0, 0.3, 0.32), (0.0, 0.75, 0.16)) if h > w else ((-0.28, 0.5, 0.16), (0.28, 0.5, 0.16))
    )
    for x, z, r in spots:
        cone = Sketch()
        cone.lathe(
            (0, 0, 0),
            [(0, 0.002), (w * r * 0.4, 0.002), (w * r, 0.008), (w * r * 1.1, 0.004)],
            STEEL,
            METAL,
            14,
        )
        sketch.add(cone, (x * w, d / 2, z * h), -90, "x")


def telephone(form: Form) -> None:
    sketch, (w, d, h) = form.sketch, form.size
    tone = form.tone("body")
    sketch.cushion((-w / 2, -d / 2, 0), (w / 2, d / 2, h * 0.5), tone, 0.015, GLOSS)
    sketch.cushion(
        (-w * 0.48, -d * 0.45, h * 0.5), (-w * 0.2, d * 0.45, h), shade(tone, 0.8), 0.02, GLOSS
    )
    for i in range(12):
        x, y = w * 0.02 + (i % 3) * w * 0.16, d * 0.15 - (i // 3) * d * 0.15
        sketch.slab((x, y, h * 0.5), (w * 0.11, d * 0.1, 0.006), PAPER)
    sketch.box(
        (-w * 0.02, d * 0.26, h * 0.5), (w * 0.42, d * 0.42, h * 0.52), (0.5, 0.6, 0.5), GLOSS
    )


def headphones(form: Form) -> None:
    sketch, (w, d, h) = form.sketch, form.size
    tone = form.tone("body", BLACK)
    points = [
        (math.cos(a) * w * 0.45, math.sin(a) * d * 0.9 - d * 0.4, h * 0.4)
        for a in (0.1, 0.6, 1.1, 1.57, 2.04, 2.54, 3.04)
    ]
    sketch.tube(points, 0.009, tone, GLOSS)
    for side in (-1, 1):
        cup_part = Sketch()
        cup_part.cylinder((0, 0, -0.015), min(h, d) * 0.45, 0.03, shade(tone, 0.7), FABRIC)
        sketch.add(cup_part, (side * w * 0.42, -d * 0.3, h * 0.45), 90, "y")


def camera(form: Form) -> None:
    sketch, (w, d, h) = form.sketch, form.size
    tone = form.tone("body", BLACK)
    sketch.cushion((-w / 2, -d / 2, 0), (w / 2, 0.0, h * 0.8), tone, 0.01, GLOSS)
    sketch.box((-w * 0.2, -d * 0.4, h * 0.78), (w * 0.2, -d * 0.1, h), tone, GLOSS)
    lens = Sketch()
    lens.cylinder((0, 0, 0), h * 0.34, d * 0.5, (0.2, 0.2, 0.21), METAL, segments=14)
    lens.cylinder((0, 0, d * 0.5), h * 0.26, 0.002, (0.25, 0.3, 0.5), GLOSS)
    sketch.add(lens, (0, 0, h * 0.4), -90, "x")


def controller(form: Form) -> None:
    sketch, (w, d, h) = form.sketch, form.size
    tone = form.tone("body", BLACK)
    sketch.cushion((-w * 0.4, -d * 0.1, h * 0.3), (w * 0.4, d / 2, h * 0.8), tone, 0.015, GLOSS)
    for side in (-1, 1):
        sketch.ball(
            (side * w * 0.38, -d * 0.1, h * 0.4), (w * 0.12, d * 0.4, h * 0.4), tone, GLOSS, 8
        )
        sketch.cylinder(
            (side * w * 0.15, 0, h * 0.75),
            w * 0.06,
            h * 0.25,
            (0.25, 0.25, 0.27),
            GLOSS,
            segments=8,
        )
    for i, dot in enumerate(((0.8, 0.2, 0.2), (0.2, 0.6, 0.3), (0.2, 0.4, 0.85), (0.9, 0.8, 0.2))):
        x, y = ((0, 0.07), (0.07, 0), (0, -0.07), (-0.07, 0))[i]
        sketch.slab((w * 0.28 + x * w, d * 0.22 + y * d, h * 0.8), (0.01, 0.01, 0.004), dot)


def hair_dryer(form: Form) -> None:
    sketch, (w, d, h) = form.sketch, form.size
    tone = form.tone("body")
    sketch.tube(((0, -d * 0.35, h - w / 2), (0, d / 2, h - w / 2)), w * 0.42, tone, GLOSS, 12)
    sketch.tube(((0, d * 0.4, h - w / 2), (0, d / 2, h - w / 2)), w / 2, BLACK, GLOSS, 12)
    sketch.cushion(
        (-w * 0.25, -d * 0.25, 0), (w * 0.25, -d * 0.02, h * 0.75), shade(tone, 0.8), 0.015, GLOSS
    )


def fan(form: Form) -> None:
    """A table fan, blowing to +y."""
    sketch, (w, d, h) = form.sketch, form.size
    r, z, tone = w / 2, h - w / 2, form.tone("body")
    sketch.cylinder((0, 0, 0), w * 0.36, 0.03, tone, GLOSS, segments=14)
    sketch.cylinder((0, -d * 0.2, 0.02), 0.016, z, tone, GLOSS, segments=8)
    head = Sketch()
    for rim in (1.0, 0.66, 0.33):
        head.lathe(
            (0, 0, 0.05 * (1.3 - rim)),
            [(r * rim, 0), (r * rim, 0.006), (r * rim - 0.006, 0.006), (r * rim - 0.006, 0)],
            STEEL,
            METAL,
            18,
        )
    for i in range(8):
        a = math.pi * i / 4
        head.tube(((0, 0, 0.06), (math.cos(a) * r, math.sin(a) * r, 0.0)), 0.003, STEEL, segments=4)
    for i in range(4):
        blade = Sketch()
        blade.ball((r * 0.45, 0, 0), (r * 0.4, r * 0.22, 0.008), shade(tone, 0.7), GLOSS, 8)
        head.add(blade, (0, 0, -0.01), 90 * i)
    sketch.add(head, (0, d * 0.1, z), -90, "x")


RECIPES: dict[str, Recipe] = {
    "phone": phone,
    "remote": remote,
    "laptop": laptop,
    "monitor": monitor,
    "keyboard": keyboard,
    "mouse": mouse,
    "printer": printer,
    "register": register,
    "speaker": speaker,
    "telephone": telephone,
    "headphones": headphones,
    "camera": camera,
    "controller": controller,
    "hair_dryer": hair_dryer,
    "fan": fan,
}
"""By shape."""
