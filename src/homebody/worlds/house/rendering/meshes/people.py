"""People in four postures, and the body of an agent.

In a person's frame the front is +y. Who lies has the head at -y and looks up.
"""

from __future__ import annotations

from homebody.worlds.house.model.house import Colour, Vector
from homebody.worlds.house.rendering.materials import Surface
from homebody.worlds.house.rendering.meshes.mesh import Sketch, shade
from homebody.worlds.house.rendering.meshes.parts import Form

FABRIC, MATT, GLOSS = Surface.FABRIC, Surface.MATT, Surface.GLOSS


def person(form: Form, posture: str) -> None:
    """Draw a person: ``standing``, ``pointing``, ``sitting`` or ``lying``."""
    w, d, _h = form.size
    if posture == "lying":
        upright = Sketch()
        _standing(Form(upright, (min(w, 0.5), 0.3, d), form.style, {}, (), form.variant), False)
        # On the back: the feet to +y, the face up.
        form.sketch.add(upright, (0, d / 2, 0.13), 90, "x")
    elif posture == "sitting":
        _sitting(form)
    else:
        _standing(form, posture == "pointing")


def _head(form: Form, at: Vector, r: float) -> None:
    """A head with hair and a face, by its centre."""
    sketch, (x, y, z) = form.sketch, at
    skin, hair = form.tone("skin", (0.85, 0.65, 0.5)), form.tone("hair", (0.25, 0.18, 0.12))
    sketch.ball(at, (r * 0.8, r * 0.95, r * 1.15), skin, MATT, 14)
    long = form.variant % 3 == 0
    sketch.ball((x, y - r * 0.16, z + r * 0.3), (r * 0.9, r * 0.95, r * 0.98), hair, FABRIC, 14)
    if long:
        sketch.ball((x, y - r * 0.5, z - r * 0.4), (r * 0.85, r * 0.5, r * 1.2), hair, FABRIC, 10)
    for side in (-1, 1):
        sketch.ball(
            (x + side * r * 0.32, y + r * 0.86, z + r * 0.02), r * 0.1, (0.08, 0.08, 0.1), GLOSS, 6
        )
    sketch.ball(
        (x, y + r * 0.95, z - r * 0.2), (r * 0.1, r * 0.13, r * 0.14), shade(skin, 0.95), MATT, 6
    )
    sketch.slab((x, y + r * 0.8, z - r * 0.55), (r * 0.45, r * 0.1, r * 0.09), (0.65, 0.3, 0.28))


def _standing(form: Form, pointing: bool) -> None:
    sketch, (_w, _, h) = form.sketch, form.size
    top, trousers = form.tone("top"), form.tone("trousers", (0.2, 0.22, 0.3))
    skin, shoes = form.tone("skin", (0.85, 0.65, 0.5)), form.tone("shoes", (0.12, 0.12, 0.12))
    hip, neck = h * 0.5, h * 0.83
    for side in (-1, 1):
        x = side * h * 0.055
        sketch.cushion((x - 0.045, -0.1, 0), (x + 0.045, 0.15, 0.07), shoes, 0.03, GLOSS)
        sketch.cylinder((x, 0, 0.05), h * 0.035, hip - 0.02, trousers, FABRIC, top=h * 0.05)
    sketch.lathe(
        (0, 0, hip - 0.04),
        [
            (0, 0),
            (h * 0.085, 0),
            (h * 0.1, h * 0.02),
            (h * 0.09, h * 0.12),
            (h * 0.115, h * 0.3),
            (h * 0.05, h * 0.37),
        ],
        top,
        FABRIC,
        14,
        (1, 0.62),
    )
    sketch.lathe(
        (0, 0, hip - 0.05),
        [(0, 0), (h * 0.095, 0), (h * 0.1, h * 0.025), (0, h * 0.03)],
        trousers,
        FABRIC,
        14,
        (1, 0.64),
    )
    sketch.cylinder((0, 0, neck - 0.03), h * 0.03, h * 0.06, skin, MATT)
    for side in (-1, 1):
        shoulder = (side * h * 0.115, 0.0, h * 0.795)
        sketch.ball(shoulder, h * 0.038, top, FABRIC, 8)
        if pointing and side == 1:
            elbow, hand = (side * h * 0.12, h * 0.16, h * 0.79), (side * h * 0.1, h * 0.33, h * 0.8)
            tip = (side * h * 0.098, h * 0.39, h * 0.803)
        else:
            elbow = (side * h * 0.14, -0.01, h * 0.64)
            hand, tip = (side * h * 0.14, 0.03, h * 0.5), (side * h * 0.138, 0.035, h * 0.47)
        _arm(form, shoulder, elbow, hand, tip, h)
    _head(form, (0, 0, h * 0.925), h * 0.068)


def _arm(form: Form, shoulder: Vector, elbow: Vector, hand: Vector, tip: Vector, h: float) -> None:
    sketch, top, skin = form.sketch, form.tone("top"), form.tone("skin", (0.85, 0.65, 0.5))
    sketch.tube((shoulder, elbow), h * 0.03, top, FABRIC, 8)
    sketch.ball(elbow, h * 0.03, top, FABRIC, 8)
    sleeve = top if form.variant % 2 else skin
    sketch.tube((elbow, hand), h * 0.024, sleeve, FABRIC, 8)
    sketch.ball(hand, h * 0.028, skin, MATT, 8)
    sketch.tube((hand, tip), h * 0.013, skin, MATT, 6)


def _sitting(form: Form) -> None:
    sketch, (_w, d, h) = form.sketch, form.size
    top, trousers = form.tone("top"), form.tone("trousers", (0.2, 0.22, 0.3))
    skin, shoes = form.tone("skin", (0.85, 0.65, 0.5)), form.tone("shoes", (0.12, 0.12, 0.12))
    tall, seat = 1.68, h - 0.84
    back, knee = -d / 2 + 0.2, d / 2 - 0.1
    for side in (-1, 1):
        x = side * 0.1
        sketch.tube(((x, back, seat + 0.07), (x, knee, seat + 0.06)), 0.075, trousers, FABRIC, 10)
        sketch.ball((x, knee, seat + 0.06), 0.075, trousers, FABRIC, 10)
        sketch.tube(((x, knee, seat + 0.06), (x, knee + 0.02, 0.06)), 0.058, trousers, FABRIC, 10)
        sketch.cushion(
            (x - 0.045, knee - 0.08, 0), (x + 0.045, knee + 0.17, 0.07), shoes, 0.03, GLOSS
        )
    profile = [(0, 0), (0.15, 0), (0.165, 0.05), (0.15, 0.2), (0.19, 0.47), (0.08, 0.58)]
    sketch.lathe((0, back, seat), profile, top, FABRIC, 14, (1, 0.66))
    sketch.cylinder((0, back, seat + 0.54), 0.05, 0.1, skin, MATT)
    for side in (-1, 1):
        shoulder, elbow = (side * 0.19, back, seat + 0.5), (side * 0.22, back + 0.08, seat + 0.24)
        hand, tip = (side * 0.11, back + 0.3, seat + 0.17), (side * 0.1, back + 0.35, seat + 0.17)
        sketch.ball(shoulder, 0.06, top, FABRIC, 8)
        _arm(form, shoulder, elbow, hand, tip, tall)
    _head(form, (0, back, seat + 0.72), 0.115)


def agent(form: Form) -> None:
    """The body of an agent: a robot on wheels with a face, two arms."""
    sketch, (w, d, h) = form.sketch, form.size
    r = min(w, d) / 2
    shell: Colour = form.tone("body", (0.9, 0.91, 0.93))
    accent: Colour = form.tone("accent", (0.2, 0.45, 0.75))
    sketch.lathe(
        (0, 0, 0),
        [
            (0, 0.02),
            (r * 0.95, 0.02),
            (r, 0.08),
            (r * 0.95, h * 0.16),
            (r * 0.5, h * 0.22),
            (0, h * 0.23),
        ],
        shell,
        GLOSS,
        18,
    )
    sketch.lathe((0, 0, 0.06), [(r * 1.005, 0), (r * 1.005, 0.05)], accent, GLOSS, 18)
    sketch.cylinder((0, 0, h * 0.2), r * 0.3, h * 0.4, (0.25, 0.26, 0.28), Surface.METAL)
    sketch.cushion(
        (-r * 0.7, -r * 0.45, h * 0.5), (r * 0.7, r * 0.45, h * 0.78), shell, 0.07, GLOSS
    )
    sketch.cylinder((0, 0, h * 0.77), r * 0.2, h * 0.06, (0.25, 0.26, 0.28), Surface.METAL)
    sketch.cushion((-r * 0.55, -r * 0.42, h * 0.82), (r * 0.55, r * 0.42, h), shell, 0.07, GLOSS)
    sketch.cushion(
        (-r * 0.45, r * 0.3, h * 0.85),
        (r * 0.45, r * 0.44, h * 0.97),
        (0.08, 0.09, 0.11),
        0.03,
        GLOSS,
    )
    for side in (-1, 1):
        sketch.ball((side * r * 0.2, r * 0.43, h * 0.91), 0.022, (0.4, 0.85, 1.0), Surface.GLOW, 8)
        shoulder = (side * r * 0.78, 0.0, h * 0.72)
        elbow, hand = (side * r * 0.9, r * 0.2, h * 0.56), (side * r * 0.55, r * 0.85, h * 0.56)
        sketch.ball(shoulder, 0.05, accent, GLOSS, 8)
        sketch.tube((shoulder, elbow), 0.028, shell, GLOSS, 8)
        sketch.ball(elbow, 0.035, accent, GLOSS, 8)
        sketch.tube((elbow, hand), 0.024, shell, GLOSS, 8)
        sketch.ball(hand, 0.035, (0.25, 0.26, 0.28), GLOSS, 8)
