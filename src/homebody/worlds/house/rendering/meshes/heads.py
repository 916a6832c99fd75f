"""Heads: faces, hair, glasses, beards and headgear."""

from __future__ import annotations

from homebody.worlds.house.model.house import Colour, Person
from homebody.worlds.house.rendering.materials import FABRIC, GLOSS, MATT
from homebody.worlds.house.rendering.meshes.form import SIDES
from homebody.worlds.house.rendering.meshes.palette import mix, shade
from homebody.worlds.house.rendering.meshes.sketch import Sketch

_EYE: Colour = (0.09, 0.07, 0.07)
_WHITE: Colour = (0.74, 0.71, 0.67)


def head(sketch: Sketch, person: Person, r: float, sleeping: bool) -> None:
    """Draw a head with its centre at the origin of a sketch, the face to +y.

    Args:
        sketch: The sketch.
        person: The person.
        r: Half its width; it is 2.4 r high.
        sleeping: True for closed eyes.
    """
    skin = person.clothes.get("skin", (0.85, 0.65, 0.5))
    hair = person.clothes.get("hair", (0.25, 0.18, 0.12))
    jaw = 0.93 if person.gender == "female" else 1.0
    low = [(0, -1.16), (0.3 * jaw, -1.13), (0.55 * jaw, -1.0), (0.71 * jaw, -0.75)]
    high = [(0.91, 0.2), (0.85, 0.5), (0.69, 0.8), (0.47, 1.02), (0.25, 1.13), (0, 1.17)]
    profile = [(r * a, r * z) for a, z in [*low, (0.8 * jaw, -0.45), (0.88, -0.1), *high]]
    sketch.lathe((0, r * 0.02, 0), profile, skin, MATT, 20, (1, 1.1))
    _face(sketch, person, r, skin, hair, sleeping)
    if "beard" in person.clothes:
        tone = shade(person.clothes["beard"], 0.9)
        sketch.ball((0, r * 0.3, -r * 0.72), (r * 0.72, r * 0.74, r * 0.52), tone, FABRIC, 14)
        sketch.ball((0, r * 0.9, -r * 0.4), (r * 0.3, r * 0.12, r * 0.075), tone, FABRIC, 8)
    covered = any(worn in person.clothes for worn in _HATS) and person.hair in ("curly", "bun")
    _hair(sketch, "short" if covered else person.hair, r, hair)
    for worn in ("glasses", "sunglasses"):
        if worn in person.clothes:
            _glasses(sketch, r, person.clothes[worn], worn == "sunglasses")
    for worn in ("hat", "cap", "chef_hat"):
        if worn in person.clothes:
            _HATS[worn](sketch, r, person.clothes[worn])


def _face(
    sketch: Sketch, person: Person, r: float, skin: Colour, hair: Colour, sleeping: bool
) -> None:
    old = person.age == "elderly"
    for side in SIDES:
        x = side * r * 0.36
        if sleeping:
            sketch.ball((x, r * 0.93, r * 0.06), (r * 0.13, r * 0.05, r * 0.02), _EYE, MATT, 8)
        else:
            sketch.ball((x, r * 0.87, r * 0.05), (r * 0.15, r * 0.1, r * 0.085), _WHITE, MATT, 12)
            sketch.ball((x, r * 0.935, r * 0.05), (r * 0.075, r * 0.05, r * 0.08), _EYE, GLOSS, 10)
            lid = (x, r * 0.87, r * 0.128)
            sketch.ball(lid, (r * 0.18, r * 0.125, r * 0.05), shade(skin, 0.93), MATT, 12)
        brow = sketch.at((x, r * 0.9, r * 0.3), side * -6.0, "y")
        tone = mix(skin, hair, 0.75)
        brow.ball((0, 0, 0), (r * 0.17, r * 0.07, r * 0.03), tone, FABRIC, 8)
        ear = (side * r * 0.92, -r * 0.02, -r * 0.08)
        sketch.ball(ear, (r * 0.1, r * 0.18, r * 0.27), shade(skin, 0.95), MATT, 8)
        if old:
            cheek = (side * r * 0.5, r * 0.72, -r * 0.3)
            sketch.ball(cheek, (r * 0.2, r * 0.1, r * 0.05), shade(skin, 0.9), MATT, 8)
    sketch.ball(
        (0, r * 0.98, -r * 0.17), (r * 0.1, r * 0.11, r * 0.18), shade(skin, 0.97), MATT, 10
    )
    lips = mix(skin, (0.72, 0.28, 0.28), 0.55 if person.gender == "female" else 0.35)
    sketch.ball((0, r * 0.885, -r * 0.56), (r * 0.24, r * 0.08, r * 0.05), lips, MATT, 10)
    for side in SIDES:  # the corners of a smile
        corner = (side * r * 0.24, r * 0.84, -r * 0.535)
        sketch.ball(corner, (r * 0.06, r * 0.06, r * 0.04), lips, MATT, 6)


def _hair(sketch: Sketch, style: str, r: float, tone: Colour) -> None:
    if style == "bald":
        for side in SIDES:
            fringe = (side * r * 0.62, -r * 0.42, -r * 0.02)
            sketch.ball(fringe, (r * 0.36, r * 0.55, r * 0.36), tone, FABRIC, 10)
        sketch.ball((0, -r * 0.68, -r * 0.05), (r * 0.6, r * 0.38, r * 0.36), tone, FABRIC, 10)
        return
    cap = sketch.at((0, -r * 0.12, r * 0.3), 14, "x")
    cap.ball((0, 0, 0), (r * 1.03, r * 1.06, r * 0.98), tone, FABRIC, 18)
    sketch.ball((0, -r * 0.45, -r * 0.12), (r * 0.9, r * 0.66, r * 0.75), tone, FABRIC, 14)
    if style == "curly":
        for i in range(5):
            for j in range(5):
                x, y = (i - 2) * 0.46, (j - 2) * 0.46 - 0.18
                far = x * x + (y + 0.18) ** 2
                if far < 1.05:
                    z = 0.32 + (1.25 - far) ** 0.5 * 0.78
                    sketch.ball((r * x, r * y, r * z), r * 0.34, tone, FABRIC, 8)
        for side in SIDES:
            for z in (0.5, 0.1):
                sketch.ball((side * r * 0.95, -r * 0.3, r * z), r * 0.33, tone, FABRIC, 8)
    if style in ("bob", "long"):
        low = -1.0 if style == "bob" else -1.75
        for side in SIDES:
            lock = (side * r * 0.8, -r * 0.2, r * (low + 0.45) / 2)
            sketch.ball(lock, (r * 0.3, r * 0.5, r * (0.45 - low) / 2), tone, FABRIC, 10)
        back = (0, -r * 0.62, r * (low + 0.45) / 2)
        sketch.ball(back, (r * 0.9, r * 0.42, r * (0.5 - low) / 2), tone, FABRIC, 14)
    if style == "ponytail":
        sketch.ball((0, -r * 1.06, r * 0.42), r * 0.2, shade(tone, 0.7), FABRIC, 8)
        tail = sketch.at((0, -r * 1.3, -r * 0.2), -12, "x")
        tail.ball((0, 0, 0), (r * 0.28, r * 0.26, r * 0.78), tone, FABRIC, 10)
    if style == "bun":
        sketch.ball((0, -r * 0.85, r * 0.85), r * 0.42, tone, FABRIC, 12)


def _glasses(sketch: Sketch, r: float, tone: Colour, dark: bool) -> None:
    for side in SIDES:
        x, y, z = side * r * 0.38, r * 1.02, r * 0.06
        ring = [
            (x + r * 0.25 * a, y, z + r * 0.2 * b)
            for a, b in ((1, 0), (0.7, 0.8), (0, 1), (-0.7, 0.8), (-1, 0), (-0.7, -0.8), (0, -1))
        ]
        ring += [(x + r * 0.175, y, z - r * 0.16), ring[0]]
        sketch.tube(ring, r * 0.035, tone, GLOSS, 5)
        sketch.tube(((side * r * 0.63, y, z), (side * r * 0.95, 0, z)), r * 0.03, tone, GLOSS, 5)
        if dark:
            sketch.ball((x, y, z), (r * 0.25, r * 0.02, r * 0.2), (0.05, 0.05, 0.06), GLOSS, 10)
    bridge = ((-r * 0.13, r * 1.02, r * 0.1), (r * 0.13, r * 1.02, r * 0.1))
    sketch.tube(bridge, r * 0.03, tone, GLOSS, 5)


def _hat(sketch: Sketch, r: float, tone: Colour) -> None:
    crown = sketch.at((0, -r * 0.1, r * 0.55), 8, "x")
    brim = [(0, 0), (r * 1.55, 0), (r * 1.58, r * 0.05), (r * 1.08, r * 0.1)]
    profile = [*brim, (r * 1.0, r * 0.75), (r * 0.85, r * 0.9), (0, r * 0.92)]
    crown.lathe((0, 0, 0), profile, tone, FABRIC, 18)
    band = [(r * 1.09, r * 0.1), (r * 1.06, r * 0.28)]
    crown.lathe((0, 0, 0), band, shade(tone, 0.6), FABRIC, 18)


def _cap(sketch: Sketch, r: float, tone: Colour) -> None:
    crown = sketch.at((0, -r * 0.1, r * 0.5), 8, "x")
    profile = [(r * 1.12, 0), (r * 1.1, r * 0.35), (r * 0.8, r * 0.72), (0, r * 0.85)]
    crown.lathe((0, 0, 0), [(0, 0), *profile], tone, FABRIC, 16)
    crown.ball(
        (0, r * 0.95, r * 0.04), (r * 0.75, r * 0.7, r * 0.06), shade(tone, 0.85), FABRIC, 12
    )


def _chef_hat(sketch: Sketch, r: float, tone: Colour) -> None:
    crown = sketch.at((0, -r * 0.15, r * 0.55), 8, "x")
    profile = [(0, 0), (r * 1.1, 0), (r * 1.08, r * 0.8), (r * 1.35, r * 1.1)]
    crown.lathe((0, 0, 0), [*profile, (r * 1.3, r * 1.5), (0, r * 1.7)], tone, FABRIC, 16)


_HATS = {"hat": _hat, "cap": _cap, "chef_hat": _chef_hat}
