"""Lamps of floors, tables and ceilings, light bulbs, candles."""

from __future__ import annotations

from homebody.worlds.house.model.house import Colour
from homebody.worlds.house.rendering.materials import FABRIC, GLOSS, GLOW, MATT, METAL
from homebody.worlds.house.rendering.meshes.form import Form, Shape
from homebody.worlds.house.rendering.meshes.palette import BLACK, PAPER, STEEL, WARM, mix
from homebody.worlds.house.rendering.meshes.solids import cylinder, lathe, made_of


def floor_lamp(form: Form) -> None:
    """A shade on a pole."""
    sketch, (w, _, h), pole = form.sketch, form.size, form.tone("pole")
    sketch.cylinder((0, 0, 0), w * 0.38, 0.025, pole, METAL, segments=18)
    sketch.cylinder((0, 0, 0.02), 0.013, h - 0.25, pole, METAL, segments=8)
    cloth, surface = form.tone("shade"), FABRIC
    bulb: Colour = (0.9, 0.9, 0.88)
    if form.is_on:
        cloth, surface, bulb = mix(cloth, WARM, 0.6), GLOW, WARM
    sketch.lathe((0, 0, 0), [(w / 2, h - 0.3), (w * 0.34, h)], cloth, surface, 18)
    sketch.ball((0, 0, h - 0.17), 0.04, bulb, GLOW if form.is_on else GLOSS, 8)


def table_lamp(form: Form) -> None:
    """A shade on a turned foot."""
    sketch, (w, _, h) = form.sketch, form.size
    foot = form.tone("body", form.tone("pole", (0.6, 0.45, 0.3)))
    shares = ((0, 0), (0.3, 0), (0.3, 0.04), (0.1, 0.1), (0.17, 0.3), (0.05, 0.5), (0.04, 0.7))
    sketch.lathe((0, 0, 0), [(w * r, h * z) for r, z in shares], foot, GLOSS, 14)
    cloth, surface = form.tone("shade", (0.93, 0.89, 0.8)), FABRIC
    if form.is_on:
        cloth, surface = mix(cloth, WARM, 0.6), GLOW
    sketch.lathe((0, 0, 0), [(w / 2, h * 0.5), (w * 0.3, h)], cloth, surface, 16)
    sketch.ball((0, 0, h * 0.7), w * 0.1, WARM, GLOW if form.is_on else GLOSS, 8)
    cable = ((0, -w * 0.28, 0.006), (w * 0.12, -w * 0.45, 0.004), (w * 0.1, -w * 0.62, 0.004))
    sketch.tube(cable, 0.003, BLACK, MATT, 4)


def ceiling_lamp(form: Form) -> None:
    """A bowl under the ceiling, or a shade on a cord."""
    sketch, (w, _, h), glow = form.sketch, form.size, GLOW if form.is_on else GLOSS
    sketch.cylinder((0, 0, h - 0.02), 0.06, 0.02, (0.9, 0.9, 0.88), GLOSS)
    sketch.cylinder((0, 0, h * 0.45), 0.007, h * 0.55, BLACK, segments=6)
    if form.variant % 2:
        bulb = WARM if form.is_on else (0.95, 0.94, 0.9)
        sketch.ball((0, 0, h * 0.35), (w * 0.4, w * 0.4, h * 0.33), bulb, glow, 18)
    else:
        profile = [(w / 2, 0.02), (w * 0.42, h * 0.25), (w * 0.12, h * 0.5), (0, h * 0.52)]
        sketch.lathe((0, 0, 0), profile, form.tone("shade"), GLOSS, 20)
        sketch.ball((0, 0, h * 0.16), w * 0.14, WARM, glow, 10)


def bulb(form: Form) -> None:
    """A light bulb, its thread down."""
    sketch, (w, _, h) = form.sketch, form.size
    sketch.ball((0, 0, h * 0.64), (w / 2, w / 2, h * 0.36), form.tone(), GLOSS, 10)
    sketch.cylinder((0, 0, 0), w * 0.22, h * 0.36, STEEL, METAL, segments=8)


_HOLDER = made_of(
    lathe([(0, 0), (1, 0), (0.9, 0.04), (0.2, 0.1), (0.2, 0.4), (0.5, 0.5), (0.3, 0.52)]),
    cylinder((0, 0, 0.5), 0.15, 0.42, PAPER, segments=8),
)


def candle(form: Form) -> None:
    """A candle, or one on a holder; with a flame if it is on."""
    sketch, (w, _, h) = form.sketch, form.size
    if form.category == "candle_holder":
        _HOLDER(form)
    else:
        sketch.cylinder((0, 0, 0), w / 2, h * 0.85, form.tone(), GLOSS)
    sketch.cylinder((0, 0, h * 0.85), 0.002, h * 0.08, BLACK, segments=4)
    if form.is_on:
        sketch.ball((0, 0, h * 0.98), (0.008, 0.008, 0.02), (1.0, 0.8, 0.3), GLOW, 6)


SHAPES: dict[str, Shape] = {
    "floor_lamp": floor_lamp, "table_lamp": table_lamp, "lamp": table_lamp,
    "ceiling_lamp": ceiling_lamp, "bulb": bulb, "candle": candle,
}  # fmt: skip
