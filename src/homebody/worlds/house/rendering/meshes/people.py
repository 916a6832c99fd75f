"""People in four postures, and the body of an agent.

In a person's frame the front is +y. Who lies has the head at -y and looks up.
"""

from __future__ import annotations

from homebody.worlds.house.model.house import Colour, Vector
from homebody.worlds.house.rendering.materials import FABRIC, GLOSS, GLOW, MATT, METAL
from homebody.worlds.house.rendering.meshes.form import SIDES, Form
from homebody.worlds.house.rendering.meshes.palette import shade
from homebody.worlds.house.rendering.meshes.sketch import Sketch

JOINT: Colour = (0.25, 0.26, 0.28)


def person(form: Form, posture: str) -> None:
    """Draw a person: ``standing``, ``pointing``, ``sitting`` or ``lying``."""
    if posture == "sitting":
        _sitting(form)
    elif posture == "lying":  # on the back: the feet to +y, the face up
        _, d, _ = form.size
        _standing(form, form.sketch.at((0, d / 2, 0.13), 90, "x"), d, False)
    else:
        _standing(form, form.sketch, form.size[2], posture == "pointing")


def _clothes(form: Form) -> tuple[Colour, Colour, Colour, Colour]:
    """Colours of top, trousers, skin, shoes."""
    trousers, shoes = form.tone("trousers", (0.2, 0.22, 0.3)), form.tone("shoes", (0.12,) * 3)
    return form.tone("top"), trousers, form.tone("skin", (0.85, 0.65, 0.5)), shoes


def _head(form: Form, sketch: Sketch, at: Vector, r: float) -> None:
    """A head with hair and a face, by its centre."""
    x, y, z = at
    skin, hair = form.tone("skin", (0.85, 0.65, 0.5)), form.tone("hair", (0.25, 0.18, 0.12))
    sketch.ball(at, (r * 0.8, r * 0.95, r * 1.15), skin, MATT, 14)
    sketch.ball((x, y - r * 0.16, z + r * 0.3), (r * 0.9, r * 0.95, r * 0.98), hair, FABRIC, 14)
    if form.variant % 3 == 0:  # long hair
        back = (x, y - r * 0.5, z - r * 0.4)
        sketch.ball(back, (r * 0.85, r * 0.5, r * 1.2), hair, FABRIC, 10)
    for side in SIDES:
        eye = (x + side * r * 0.32, y + r * 0.86, z + r * 0.02)
        sketch.ball(eye, r * 0.1, (0.08, 0.08, 0.1), GLOSS, 6)
    nose = (x, y + r * 0.95, z - r * 0.2)
    sketch.ball(nose, (r * 0.1, r * 0.13, r * 0.14), shade(skin, 0.95), MATT, 6)
    sketch.slab((x, y + r * 0.8, z - r * 0.55), (r * 0.45, r * 0.1, r * 0.09), (0.65, 0.3, 0.28))


def _standing(form: Form, sketch: Sketch, h: float, is_pointing: bool) -> None:
    """A person of a height, upright in the frame of a sketch."""
    top, trousers, skin, shoes = _clothes(form)
    hip, neck = h * 0.5, h * 0.83
    for side in SIDES:
        x = side * h * 0.055
        sketch.cushion((x - 0.045, -0.1, 0), (x + 0.045, 0.15, 0.07), shoes, 0.03, GLOSS)
        sketch.cylinder((x, 0, 0.05), h * 0.035, hip - 0.02, trousers, FABRIC, top=h * 0.05)
    chest = ((0, 0), (0.085, 0), (0.1, 0.02), (0.09, 0.12), (0.115, 0.3), (0.05, 0.37))
    profile = [(h * r, h * z) for r, z in chest]
    sketch.lathe((0, 0, hip - 0.04), profile, top, FABRIC, 14, (1, 0.62))
    belt = [(0, 0), (h * 0.095, 0), (h * 0.1, h * 0.025), (0, h * 0.03)]
    sketch.lathe((0, 0, hip - 0.05), belt, trousers, FABRIC, 14, (1, 0.64))
    sketch.cylinder((0, 0, neck - 0.03), h * 0.03, h * 0.06, skin, MATT)
    for side in SIDES:
        shoulder = (side * h * 0.115, 0.0, h * 0.795)
        sketch.ball(shoulder, h * 0.038, top, FABRIC, 8)
        if is_pointing and side == 1:
            elbow, hand = (side * h * 0.12, h * 0.16, h * 0.79), (side * h * 0.1, h * 0.33, h * 0.8)
            tip = (side * h * 0.098, h * 0.39, h * 0.803)
        else:
            elbow = (side * h * 0.14, -0.01, h * 0.64)
            hand, tip = (side * h * 0.14, 0.03, h * 0.5), (side * h * 0.138, 0.035, h * 0.47)
        _arm(form, sketch, (shoulder, elbow, hand, tip), h)
    _head(form, sketch, (0, 0, h * 0.925), h * 0.068)


def _arm(
    form: Form, sketch: Sketch, joints: tuple[Vector, Vector, Vector, Vector], h: float
) -> None:
    """An arm from shoulder over elbow and hand to fingertip, of a person of a height."""
    (shoulder, elbow, hand, tip), (top, _, skin, _) = joints, _clothes(form)
    sketch.tube((shoulder, elbow), h * 0.03, top, FABRIC, 8)
    sketch.ball(elbow, h * 0.03, top, FABRIC, 8)
    sketch.tube((elbow, hand), h * 0.024, top if form.variant % 2 else skin, FABRIC, 8)
    sketch.ball(hand, h * 0.028, skin, MATT, 8)
    sketch.tube((hand, tip), h * 0.013, skin, MATT, 6)


def _sitting(form: Form) -> None:
    sketch, (_, d, h) = form.sketch, form.size
    top, trousers, skin, shoes = _clothes(form)
    tall, seat = 1.68, h - 0.84
    back, knee = -d / 2 + 0.2, d / 2 - 0.1
    for side in SIDES:
        x = side * 0.1
        joint = (x, knee, seat + 0.06)
        sketch.tube(((x, back, seat + 0.07), joint), 0.075, trousers, FABRIC, 10)
        sketch.ball(joint, 0.075, trousers, FABRIC, 10)
        sketch.tube((joint, (x, knee + 0.02, 0.06)), 0.058, trousers, FABRIC, 10)
        low, high = (x - 0.045, knee - 0.08, 0), (x + 0.045, knee + 0.17, 0.07)
        sketch.cushion(low, high, shoes, 0.03, GLOSS)
    profile = [(0, 0), (0.15, 0), (0.165, 0.05), (0.15, 0.2), (0.19, 0.47), (0.08, 0.58)]
    sketch.lathe((0, back, seat), profile, top, FABRIC, 14, (1, 0.66))
    sketch.cylinder((0, back, seat + 0.54), 0.05, 0.1, skin, MATT)
    for side in SIDES:
        shoulder, elbow = (side * 0.19, back, seat + 0.5), (side * 0.22, back + 0.08, seat + 0.24)
        hand, tip = (side * 0.11, back + 0.3, seat + 0.17), (side * 0.1, back + 0.35, seat + 0.17)
        sketch.ball(shoulder, 0.06, top, FABRIC, 8)
        _arm(form, sketch, (shoulder, elbow, hand, tip), tall)
    _head(form, sketch, (0, back, seat + 0.72), 0.115)


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
