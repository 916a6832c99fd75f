"""People: a body between joints, in clothes.

In a person's frame the front is +y. A lying person has the head at -y and looks up.
"""

from __future__ import annotations

from dataclasses import dataclass

from homebody.worlds.house.model.house import Colour, Person, Vector
from homebody.worlds.house.model.people import HIP, Response, hips, stature
from homebody.worlds.house.rendering.materials import FABRIC, GLOSS, MATT
from homebody.worlds.house.rendering.meshes.figure import Figure, along, figure, limb
from homebody.worlds.house.rendering.meshes.form import SIDES
from homebody.worlds.house.rendering.meshes.heads import head
from homebody.worlds.house.rendering.meshes.palette import shade
from homebody.worlds.house.rendering.meshes.sketch import Sketch

_GIRTH = {"slim": 0.88, "average": 1.0, "heavy": 1.24}
_HEAD = {"child": 0.076, "teenager": 0.065}
"""Half the width of a head, as a share of the height; children have large ones."""

_OUTER = ("coat", "jacket")
_TOPS = (
    *("dress", "sweater", "striped_shirt", "shirt", "top", "uniform", "scrubs"),
    *("hospital_gown", "sportswear", "pyjamas"),
)
_LONG_SLEEVES = frozenset({"sweater", "coat", "jacket", "uniform", "pyjamas", "top"})
_NO_SLEEVES = frozenset({"sportswear"})
_GOWNS = ("dress", "skirt", "hospital_gown")
"""Garments that hang from the waist to the knees."""
_LONG_LEGS = ("trousers", "uniform", "scrubs", "pyjamas")
_SHORT_LEGS = ("shorts", "sportswear")
_GREY: Colour = (0.45, 0.47, 0.5)


@dataclass(frozen=True, slots=True)
class _Outfit:
    """The visible clothes of a person: the garment of the upper body, its colour, and so on."""

    skin: Colour
    outer: str
    outer_tone: Colour
    top: str
    top_tone: Colour
    gown: str
    gown_tone: Colour
    legs: str
    legs_tone: Colour
    shoes: Colour


def person(sketch: Sketch, someone: Person, response: Response | None = None) -> None:
    """Draw a person in its own frame, with its response to somebody."""
    tall = stature(someone)
    hip = hips(someone)
    where = sketch.at(hip)
    if someone.posture == "lying":  # on the back: the feet to +y, the face up
        _, depth, height = someone.size
        where = sketch.at((0, depth / 2, height * 0.45), 90, "x").at((0, 0, HIP * tall))
        hip = (0.0, 0.0, HIP * tall)
    heavy = _GIRTH[someone.build]
    broad = (0.089 if someone.gender == "female" else 0.1) * (0.6 + 0.4 * heavy)
    gesture = response.gesture if response else ""
    joints = figure(tall, someone.posture, someone.gesture, broad, hip[2], gesture)
    dressed = _choose_outfit(someone)
    lean = -14.0 if someone.posture == "crouching" else 0.0
    _torso(where.at((0, 0, 0), lean, "x"), someone, dressed, tall, heavy)
    points = someone.posture == "pointing" and gesture in ("", "look")
    for side in (0, 1):
        _leg(where, joints, side, dressed, heavy)
        _arm(where, joints, side, dressed, heavy, points and side == 1)
    if dressed.gown or dressed.outer == "coat":
        _skirt(where, joints, dressed, heavy, someone.posture)
    if "apron" in someone.clothes:
        _apron(where.at((0, 0, 0), lean, "x"), someone, tall, heavy)
    r = _HEAD.get(someone.age, 0.0585) * tall
    crown = joints.head[2] + tall * 0.075
    middle = (0.0, joints.head[1], crown - r * 1.22)
    neck: Vector = (0.0, joints.shoulders[0][1], tall * 0.3)
    limb(where, neck, (0, middle[1], middle[2] - r * 0.4), (tall * 0.031,) * 2, dressed.skin, MATT)
    sleeping = someone.posture == "lying" and "sleep" in someone.activity and response is None
    nod = 0.0 if someone.posture == "lying" else joints.nod
    turn, tilt = (response.turn, response.tilt) if response else (0, -nod)
    head(where.at(middle, turn).at((0, 0, 0), tilt, "x"), someone, r, sleeping)
    if "scarf" in someone.clothes:
        ring = [(tall * 0.046, 0), (tall * 0.062, tall * 0.02), (tall * 0.044, tall * 0.042)]
        tone = someone.clothes["scarf"]
        where.lathe((0, neck[1] + tall * 0.008, tall * 0.312), ring, tone, FABRIC, 14)
        end = (tall * 0.03, neck[1] + tall * 0.075 * heavy, tall * 0.2)
        where.ball(end, (tall * 0.022, tall * 0.012, tall * 0.1), tone, FABRIC, 8)


def _choose_outfit(someone: Person) -> _Outfit:
    """Return the visible garments of a person."""
    worn = someone.clothes

    def first(names: tuple[str, ...]) -> str:
        return next((name for name in names if name in worn), "")

    outer, top, gown = first(_OUTER), first(_TOPS), first(_GOWNS)
    legs = first((*_LONG_LEGS, *_SHORT_LEGS))
    skin = worn.get("skin", (0.85, 0.65, 0.5))
    legs_tone = worn.get(legs, (0.2, 0.22, 0.3))
    if legs in ("uniform", "sportswear"):
        legs_tone = shade(legs_tone, 0.55)
    return _Outfit(
        skin=skin,
        outer=outer,
        outer_tone=worn.get(outer, _GREY),
        top=top,
        top_tone=worn.get(top, _GREY),
        gown=gown,
        gown_tone=worn.get(gown, _GREY),
        legs=legs if legs or gown else "trousers",
        legs_tone=legs_tone,
        shoes=worn.get("shoes", (0.12, 0.12, 0.13)),
    )


def _torso(sketch: Sketch, someone: Person, dressed: _Outfit, tall: float, heavy: float) -> None:
    tone = dressed.outer_tone if dressed.outer else dressed.top_tone
    waist = {"slim": 0.078, "average": 0.086, "heavy": 0.118}[someone.build]
    female = someone.gender == "female" and someone.age != "child"
    hip = 0.095 * (0.35 + 0.65 * heavy) * (1.06 if female else 1.0)
    chest = (0.094 if female else 0.102) * (0.5 + 0.5 * heavy)
    waist *= 0.94 if female else 1.0
    heights = ((0, -0.06), (hip * 0.8, -0.055), (hip, -0.01), (hip * 0.98, 0.03), (waist, 0.11))
    upper = (
        (chest, 0.21),
        (chest * 1.03, 0.25),
        (chest * 1.0, 0.285),
        (chest * 0.9, 0.305),
        (chest * 0.62, 0.323),
        (0.04, 0.338),
        (0, 0.34),
    )
    profile = [(r * tall, z * tall) for r, z in (*heights, *upper)]
    deep = 0.66 if someone.build != "heavy" else 0.78
    sketch.lathe((0, 0, 0), profile, tone, FABRIC, 20, (1, deep))
    if female:
        bust = (0, tall * 0.058 * (0.4 + 0.6 * heavy), tall * 0.222)
        sketch.ball(bust, (tall * 0.08, tall * 0.038, tall * 0.046), tone, FABRIC, 14)
    if dressed.legs and not dressed.gown and dressed.outer != "coat":  # the waistband
        belt = [(r * tall * 1.025, z * tall) for r, z in heights[:4]]
        low = dressed.legs_tone
        sketch.lathe((0, 0, 0), belt, low, FABRIC, 20, (1, deep * 1.02))
    if dressed.top == "striped_shirt" and not dressed.outer:
        for i in range(5):
            z = 0.065 + i * 0.045
            near = waist + (chest - waist) * min(1.0, max(0.0, (z - 0.11) / 0.1))
            if z < 0.11:
                near = waist + (hip - waist) * (0.11 - z) / 0.08
            ring = [(near * tall * 1.012, z * tall), (near * tall * 1.014, (z + 0.018) * tall)]
            sketch.lathe((0, 0, 0), ring, (0.95, 0.95, 0.93), FABRIC, 20, (1, deep * 1.01))
    if dressed.outer or dressed.top == "uniform":  # the garment under it shows in front
        under = dressed.top_tone if dressed.outer else (0.95, 0.95, 0.95)
        strip = (0, chest * deep * tall * 0.86, tall * 0.24)
        sketch.ball(strip, (tall * 0.024, tall * 0.026, tall * 0.08), under, FABRIC, 12)


def _leg(sketch: Sketch, joints: Figure, side: int, dressed: _Outfit, heavy: float) -> None:
    tall, knee, ankle = joints.tall, joints.knees[side], joints.ankles[side]
    sign = SIDES[side]
    thick = tall * (0.6 + 0.4 * heavy)
    start: Vector = (sign * tall * 0.052, 0.0, -tall * 0.01)
    long = dressed.legs in _LONG_LEGS
    thigh = dressed.legs_tone if dressed.legs else dressed.skin
    shin = dressed.legs_tone if long else dressed.skin
    cloth = FABRIC if dressed.legs else MATT
    limb(sketch, start, knee, (thick * 0.056, thick * 0.043), thigh, cloth)
    if dressed.gown or dressed.outer == "coat":  # it hangs over the thighs
        covered = 0.8 if dressed.gown else 0.6
        covered = 1.0 if knee[1] > tall * 0.05 else covered
        x, y, z = (a + covered * (b - a) for a, b in zip(start, knee, strict=True))
        tone = dressed.gown_tone if dressed.gown else dressed.outer_tone
        limb(sketch, start, (x, y, z), (thick * 0.059, thick * 0.05), tone, FABRIC)
    if long:
        limb(sketch, knee, ankle, (thick * 0.043, thick * 0.036), shin, FABRIC)
    else:
        limb(sketch, knee, ankle, (thick * 0.038, thick * 0.026), shin, MATT)
    foot = sketch.at(ankle, -joints.tilts[side], "x")
    foot.ball(
        (0, tall * 0.042, -tall * 0.018),
        (tall * 0.027, tall * 0.074, tall * 0.024),
        dressed.shoes,
        GLOSS,
        12,
    )
    foot.ball(
        (0, -tall * 0.006, -tall * 0.008),
        (tall * 0.026, tall * 0.034, tall * 0.034),
        dressed.shoes,
        GLOSS,
        10,
    )
    sole = shade(dressed.shoes, 0.5)
    low, high = (
        (-tall * 0.019, -tall * 0.022, -tall * 0.04),
        (tall * 0.019, tall * 0.098, -tall * 0.03),
    )
    foot.cushion(low, high, sole, tall * 0.004, GLOSS)


def _arm(
    sketch: Sketch, joints: Figure, side: int, dressed: _Outfit, heavy: float, pointing: bool
) -> None:
    tall = joints.tall
    shoulder, elbow, hand = joints.shoulders[side], joints.elbows[side], joints.hands[side]
    worn = dressed.outer or dressed.top
    tone = dressed.outer_tone if dressed.outer else dressed.top_tone
    thick = tall * (0.7 + 0.3 * heavy)
    bare = worn in _NO_SLEEVES
    sketch.ball(shoulder, thick * 0.034, tone, FABRIC, 12)
    limb(
        sketch,
        shoulder,
        elbow,
        (thick * 0.032, thick * 0.028),
        dressed.skin if bare else tone,
        MATT if bare else FABRIC,
    )
    if worn in _LONG_SLEEVES:
        limb(sketch, elbow, hand, (thick * 0.029, thick * 0.024), tone, FABRIC)
    else:
        limb(sketch, elbow, hand, (thick * 0.025, thick * 0.018), dressed.skin, MATT)
    way = [b - a for a, b in zip(elbow, hand, strict=True)]
    length = sum(part * part for part in way) ** 0.5
    unit: Vector = (way[0] / length, way[1] / length, way[2] / length)
    palm = along(sketch, hand, unit)
    palm.ball(
        (0, 0, tall * 0.018), (tall * 0.014, tall * 0.022, tall * 0.03), dressed.skin, MATT, 10
    )
    if pointing:
        tip = ((0, 0, tall * 0.03), (0, 0, tall * 0.075))
        limb(palm, *tip, (tall * 0.008, tall * 0.006), dressed.skin, MATT)
    else:
        for i in range(4):
            x = (i - 1.5) * tall * 0.0095
            root, end = (0, x, tall * 0.032), (tall * 0.006, x, tall * 0.058)
            limb(palm, root, end, (tall * 0.0065, tall * 0.005), dressed.skin, MATT)
    thumb = ((0, -tall * 0.015, tall * 0.012), (tall * 0.008, -tall * 0.028, tall * 0.034))
    limb(palm, *thumb, (tall * 0.008, tall * 0.006), dressed.skin, MATT)


def _skirt(sketch: Sketch, joints: Figure, dressed: _Outfit, heavy: float, posture: str) -> None:
    """Draw a skirt, or the lower part of a dress or coat."""
    tall = joints.tall
    tone = dressed.gown_tone if dressed.gown else dressed.outer_tone
    girth = 0.4 + 0.6 * heavy
    if posture in ("sitting", "crouching"):
        for side in (0, 1):
            knee = joints.knees[side]
            start = (SIDES[side] * tall * 0.05, 0.0, tall * 0.005)
            past = (knee[0] * 1.05, knee[1] * 0.97, knee[2] + tall * 0.004)
            limb(sketch, start, past, (tall * 0.068 * girth, tall * 0.058), tone, FABRIC)
        middle = tuple((a + b) / 2 for a, b in zip(*joints.knees, strict=True))
        lap = (0.0, middle[1] * 0.5, middle[2] * 0.5 + tall * 0.01)
        sketch.ball(lap, (tall * 0.085 * girth, tall * 0.12, tall * 0.035), tone, FABRIC, 12)
        return
    low = -0.235 if dressed.gown else -0.17
    flare = 0.128 if dressed.gown else 0.112
    hem = [(flare * 0.97, low), (flare, low), (0.106, -0.06), (0.1, 0.0), (0.088, 0.1)]
    profile = [(r * tall * girth, z * tall) for r, z in hem]
    sketch.lathe((0, 0, 0), [(0.0, low * tall + 0.005), *profile], tone, FABRIC, 20, (1, 0.78))


def _apron(sketch: Sketch, someone: Person, tall: float, heavy: float) -> None:
    tone = someone.clothes["apron"]
    ahead = tall * (0.088 if someone.gender == "female" else 0.074) * (0.3 + 0.7 * heavy)
    bib = sketch.at((0, ahead, tall * 0.15))
    bib.cushion(
        (-tall * 0.06, -0.012, -tall * 0.05), (tall * 0.06, 0.012, tall * 0.12), tone, 0.012
    )
    if someone.posture == "standing":
        low = (-tall * 0.09, ahead - 0.02, -tall * 0.17)
        sketch.cushion(low, (tall * 0.09, ahead + 0.014, tall * 0.11), tone, 0.016)
    for side in SIDES:
        strap = ((side * tall * 0.05, ahead, tall * 0.26), (side * tall * 0.045, 0.0, tall * 0.325))
        sketch.tube(strap, tall * 0.006, tone, FABRIC, 6)
