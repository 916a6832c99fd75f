"""The body of an agent."""

from __future__ import annotations

from homebody.worlds.house.model.house import Colour
from homebody.worlds.house.rendering.materials import GLOSS, GLOW, METAL
from homebody.worlds.house.rendering.meshes.form import SIDES, Form

JOINT: Colour = (0.25, 0.26, 0.28)
AGENT_COLOURS = (
    ((0.90, 0.91, 0.93), (0.20, 0.45, 0.75)),
    ((0.93, 0.90, 0.84), (0.80, 0.40, 0.15)),
    ((0.85, 0.88, 0.85), (0.25, 0.60, 0.35)),
)
"""Body and accent of the first, second and third agent; the fourth is as the first, and so on."""


def agent(form: Form) -> None:
    """The body of an agent: a robot on wheels with a face, two arms."""
    sketch, (w, d, h) = form.sketch, form.size
    r = min(w, d) / 2
    shell, accent = form.tone("body", (0.9, 0.91, 0.93)), form.tone("accent", (0.2, 0.45, 0.75))
    base = [(0, 0.02), (r * 0.95, 0.02), (r, 0.08), (r * 0.95, h * 0.16)]
    sketch.lathe((0, 0, 0), [*base, (r * 0.5, h * 0.22), (0, h * 0.23)], shell, GLOSS, 18)
    sketch.lathe((0, 0, 0.06), [(r * 1.005, 0), (r * 1.005, 0.05)], accent, GLOSS, 18)
    sketch.cylinder((0, 0, h * 0.2), r * 0.3, h * 0.4, JOINT, METAL)
    low, high = (-r * 0.7, -r * 0.45, h * 0.5), (r * 0.7, r * 0.45, h * 0.78)
    sketch.cushion(low, high, shell, 0.07, GLOSS)
    sketch.cylinder((0, 0, h * 0.77), r * 0.2, h * 0.06, JOINT, METAL)
    sketch.cushion((-r * 0.55, -r * 0.42, h * 0.82), (r * 0.55, r * 0.42, h), shell, 0.07, GLOSS)
    low, high = (-r * 0.45, r * 0.3, h * 0.85), (r * 0.45, r * 0.44, h * 0.97)
    sketch.cushion(low, high, (0.08, 0.09, 0.11), 0.03, GLOSS)
    for side in SIDES:
        sketch.ball((side * r * 0.2, r * 0.43, h * 0.91), 0.022, (0.4, 0.85, 1.0), GLOW, 8)
        shoulder = (side * r * 0.78, 0.0, h * 0.72)
        elbow, hand = (side * r * 0.9, r * 0.2, h * 0.56), (side * r * 0.55, r * 0.85, h * 0.56)
        sketch.ball(shoulder, 0.05, accent, GLOSS, 8)
        sketch.tube((shoulder, elbow), 0.028, shell, GLOSS, 8)
        sketch.ball(elbow, 0.035, accent, GLOSS, 8)
        sketch.tube((elbow, hand), 0.024, shell, GLOSS, 8)
        sketch.ball(hand, 0.035, JOINT, GLOSS, 8)
