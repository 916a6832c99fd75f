"""Joints of a person, by posture and gesture, and limbs between them.

Lengths are shares of the height. The frame belongs to a person standing upright, with the origin
between the hips and the front at +y.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from homebody.worlds.house.model.house import Colour, Vector
from homebody.worlds.house.rendering.materials import Surface
from homebody.worlds.house.rendering.meshes.sketch import Sketch

UPPER_ARM, FOREARM = 0.165, 0.15
SHOULDER = 0.288
"""Height of the shoulders above the hips."""
THIGH, SHIN = 0.245, 0.225

_HANDS: dict[str, tuple[Vector, Vector]] = {
    "none": ((-0.15, 0.03, -0.035), (0.15, 0.03, -0.035)),
    "forward": ((-0.085, 0.25, 0.1), (0.085, 0.25, 0.1)),
    "reading": ((-0.065, 0.205, 0.15), (0.065, 0.205, 0.15)),
    "phone": ((-0.15, 0.03, -0.035), (0.086, 0.045, 0.395)),
    "raised": ((-0.15, 0.03, -0.035), (0.14, 0.02, 0.6)),
    "carrying": ((-0.1, 0.19, 0.075), (0.1, 0.19, 0.075)),
    "pointing": ((-0.15, 0.03, -0.035), (0.1, 0.3, 0.3)),
    "striding": ((-0.1, 0.17, 0.12), (0.13, -0.04, 0.06)),
}
_AT_REST: dict[str, tuple[Vector, Vector]] = {
    "sitting": ((-0.07, 0.2, 0.065), (0.07, 0.2, 0.065)),
    "crouching": ((-0.08, 0.2, 0.14), (0.08, 0.2, 0.14)),
}
"""Posture -> positions of the left and right hand, if idle hands are not at the sides."""
_RESPONSES: dict[str, Vector] = {"wave": (0.19, 0.1, 0.41), "reach": (0.05, 0.27, 0.16)}
"""Gesture of a :class:`.people.Response` -> position of the right hand, if it moves."""


@dataclass(frozen=True, slots=True)
class Figure:
    """The joints, left before right; metres, in the frame of the module.

    Attributes:
        tall: Height when standing.
        knees: Both knees.
        ankles: Both ankles.
        tilts: Angles by which the toes point down, degrees.
        shoulders: Both shoulders.
        elbows: Both elbows.
        hands: Both hands.
        head: Its centre.
        nod: Angle by which the face looks down, degrees.
    """

    tall: float
    knees: tuple[Vector, Vector]
    ankles: tuple[Vector, Vector]
    tilts: tuple[float, float]
    shoulders: tuple[Vector, Vector]
    elbows: tuple[Vector, Vector]
    hands: tuple[Vector, Vector]
    head: Vector
    nod: float


def figure(
    tall: float, posture: str, gesture: str, broad: float, hip: float, response: str = ""
) -> Figure:
    """Return the joints of a person.

    Args:
        tall: Height when standing, metres.
        posture: One of :data:`homebody.worlds.house.model.house.POSTURES`.
        gesture: One of its ``GESTURES``.
        broad: Half the width between the shoulders, as a share of the height.
        hip: Height of the hips above the floor, metres; a seated person's feet reach down to it.
        response: What the right hand does instead, or the left if the right one is raised.
    """
    if posture == "pointing":
        gesture = "pointing"
    elif posture == "walking":
        gesture = "striding"
    lean = 0.06 if posture == "crouching" else 0.0
    arms = list(_HANDS[gesture])
    for i in range(2):
        if arms[i] == _HANDS["none"][i] and posture in _AT_REST:
            arms[i] = _AT_REST[posture][i]
    if response in _RESPONSES:
        x, y, z = _RESPONSES[response]
        left = gesture in ("phone", "raised")
        arms[0 if left else 1] = (-x if left else x, y, z)
    shoulders = [(side * broad, lean, SHOULDER) for side in (-1, 1)]
    elbows, hands = [], []
    for side, shoulder, wanted in zip((-1, 1), shoulders, arms, strict=True):
        above = wanted[2] > SHOULDER + 0.05 and wanted[2] < SHOULDER + 0.2
        hint = (side * 0.35, 0.9, -1.0) if above else (side * 0.4, -0.6, -1.0)
        elbow, hand = _bend_arm(shoulder, wanted, hint)
        elbows.append(elbow)
        hands.append(hand)
    legs = [_leg(side, posture, hip / tall) for side in (-1, 1)]

    def pair(points: list[Vector]) -> tuple[Vector, Vector]:
        left, right = (tuple(tall * share for share in point) for point in points)
        return left, right  # type: ignore[return-value]

    down = {"reading": 28.0, "forward": 16.0, "carrying": 6.0}.get(gesture, 2.0)
    return Figure(
        tall,
        pair([knee for knee, _, _ in legs]),
        pair([ankle for _, ankle, _ in legs]),
        (legs[0][2], legs[1][2]),
        pair(shoulders),
        pair(elbows),
        pair(hands),
        (0.0, tall * (lean * 1.4 + 0.012), tall * 0.425),
        down,
    )


def _leg(side: int, posture: str, hip: float) -> tuple[Vector, Vector, float]:
    """Return knee, ankle and the angle by which the toes point down."""
    x = side * 0.055
    if posture == "sitting":
        knee_height = min(max(hip, 0.0), SHIN + 0.045)
        drop = max(0.0, hip - knee_height) if hip < SHIN + 0.2 else 0.0
        knee = (side * 0.068, math.sqrt(max(0.02, THIGH**2 - drop**2)), -drop)
        low = max(knee[2] - SHIN, -hip + 0.04)
        return knee, (side * 0.062, knee[1] + 0.01, low), 0.0
    if posture == "crouching":
        return (side * 0.085, 0.17, 0.11), (side * 0.07, 0.06, 0.04 - hip), 0.0
    if posture == "walking":
        if side < 0:
            return (x, 0.13, -0.19), (x, 0.15, -0.455), 0.0
        return (x, 0.0, -0.24), (x, -0.16, -0.4), 37.0
    return (x, 0.012, -0.235), (x, -0.012, -0.46), 0.0


def _bend_arm(shoulder: Vector, wanted: Vector, hint: Vector) -> tuple[Vector, Vector]:
    """Return elbow and hand of an arm that reaches for a place, the elbow pushed towards a hint."""
    way = [b - a for a, b in zip(shoulder, wanted, strict=True)]
    far = math.sqrt(sum(part * part for part in way))
    reach = min(far, (UPPER_ARM + FOREARM) * 0.995)
    unit = [part / far for part in way]
    hand = tuple(a + reach * part for a, part in zip(shoulder, unit, strict=True))
    along = (UPPER_ARM**2 - FOREARM**2 + reach**2) / (2 * reach)
    aside = math.sqrt(max(0.0, UPPER_ARM**2 - along**2))
    dot = sum(a * b for a, b in zip(hint, unit, strict=True))
    off = [a - dot * b for a, b in zip(hint, unit, strict=True)]
    norm = math.sqrt(sum(part * part for part in off)) or 1.0
    elbow = tuple(
        a + along * u + aside * o / norm for a, u, o in zip(shoulder, unit, off, strict=True)
    )
    return elbow, hand  # type: ignore[return-value]


def along(sketch: Sketch, start: Vector, way: Vector) -> Sketch:
    """Return a sketch at a place whose z is a direction, a unit vector."""
    x, y, z = way
    pitch = math.degrees(math.acos(max(-1.0, min(1.0, z))))
    heading = math.degrees(math.atan2(-x, y)) if x or y else 0.0
    return sketch.at(start, heading).at((0, 0, 0), -pitch, "x")


def limb(
    sketch: Sketch,
    start: Vector,
    end: Vector,
    radii: tuple[float, float],
    colour: Colour,
    surface: Surface,
) -> None:
    """Draw a tapering limb between two joints, round at both ends."""
    way = [b - a for a, b in zip(start, end, strict=True)]
    length = math.sqrt(sum(part * part for part in way))
    if length < 1e-4:
        return
    a, b = radii
    turns = [math.radians(degrees) for degrees in (-90, -55, -25, 0)]
    profile = [(a * math.cos(t), a * math.sin(t)) for t in turns]
    profile += [(b * math.cos(t), length - b * math.sin(t)) for t in reversed(turns)]
    profile = [(round(r, 5), round(z, 5)) for r, z in profile]
    unit: Vector = (way[0] / length, way[1] / length, way[2] / length)
    along(sketch, start, unit).lathe((0, 0, 0), profile, colour, surface, 10)
