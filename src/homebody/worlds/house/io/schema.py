"""The file format of houses and episodes: what a file may hold, with all its bounds.

The classes mirror :mod:`house`, :mod:`agents` and :mod:`scenario` field by field, and add what a
file must be checked for. They are what is decoded into, and what the JSON Schema is made from.
Lengths are in metres, angles in degrees, as in :mod:`house`.

A file is an object with ``format`` and ``version`` first. Fields that are missing have defaults,
unknown ones are refused. A later version gets a class of its own.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal, TypeAlias

import msgspec
from msgspec import Meta

VERSION = 1
HOUSE = "homebody.house"
SCENARIO = "homebody.episode"

MOST = 1000.0
"""Metres from the origin that anything may be."""
_NAME = r"^(?!.*\s)[A-Za-z0-9][A-Za-z0-9_.:-]*$"

Name: TypeAlias = Annotated[str, Meta(pattern=_NAME, max_length=80)]
"""As actions write it: no spaces, commas or brackets."""
MaybeName: TypeAlias = Annotated[str, Meta(max_length=80)]
"""A name or nothing; what it names must exist, so no more need be asked of it here."""
Metres: TypeAlias = Annotated[float, Meta(ge=-MOST, le=MOST)]
Length: TypeAlias = Annotated[float, Meta(gt=0.0, le=100.0)]
Height: TypeAlias = Annotated[float, Meta(ge=0.0, le=100.0)]
Degrees: TypeAlias = Annotated[float, Meta(ge=-360.0, le=360.0)]
Share: TypeAlias = Annotated[float, Meta(ge=0.0, le=1.0)]
Count: TypeAlias = Annotated[int, Meta(ge=0, le=100_000)]
Seed: TypeAlias = Annotated[int, Meta(ge=0, le=2**63 - 1)]
Point: TypeAlias = tuple[Metres, Metres]
Vector: TypeAlias = tuple[Metres, Metres, Metres]
Size: TypeAlias = tuple[Length, Length, Length]
Colours: TypeAlias = Annotated[dict[Name, tuple[Share, Share, Share]], Meta(max_length=64)]
States: TypeAlias = dict[Literal["open", "powered_on", "clean", "filled", "locked"], bool]


class _Record(msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True):
    """What all parts of a file have in common."""


class Pose(_Record):
    position: Vector
    yaw: Degrees = 0.0


class Room(_Record):
    name: Name
    kind: Name
    outline: Annotated[tuple[Point, ...], Meta(min_length=4, max_length=64)]
    height: Length
    floor: Name
    walls: tuple[Share, Share, Share]


class Opening(_Record):
    name: Name
    kind: Literal["doorway", "entrance", "window"]
    rooms: Annotated[tuple[Name, ...], Meta(min_length=1, max_length=2)]
    start: Point
    end: Point
    bottom: Height
    top: Length


class Receptacle(_Record):
    name: Name
    kind: Literal["on", "within"]
    low: Vector
    high: Vector


Receptacles: TypeAlias = Annotated[tuple[Receptacle, ...], Meta(max_length=64)]


class Furniture(_Record):
    name: Name
    category: Name
    room: Name
    pose: Pose
    size: Size
    receptacles: Receptacles = ()
    style: Colours = {}
    states: States = {}
    key: MaybeName = ""


class Thing(_Record):
    name: Name
    category: Name
    size: Size
    pose: Pose
    place: tuple[Name, MaybeName]
    style: Colours = {}
    states: States = {}
    receptacles: Receptacles = ()


class Person(_Record):
    name: Name
    posture: Literal["standing", "sitting", "lying", "pointing"]
    room: Name
    pose: Pose
    size: Size
    clothes: Colours = {}
    on: MaybeName = ""
    pointing_at: MaybeName = ""


class House(_Record):
    """A scene."""

    seed: Seed
    kind: Name
    rooms: Annotated[tuple[Room, ...], Meta(min_length=1, max_length=200)]
    openings: Annotated[tuple[Opening, ...], Meta(max_length=2000)] = ()
    furniture: Annotated[tuple[Furniture, ...], Meta(max_length=3000)] = ()
    things: Annotated[tuple[Thing, ...], Meta(max_length=20_000)] = ()
    people: Annotated[tuple[Person, ...], Meta(max_length=500)] = ()
    wall: Annotated[float, Meta(gt=0.0, le=1.0)] = 0.12


class HouseRecipe(_Record):
    seed: Seed
    kind: Name = "home"
    rooms: (
        Annotated[int, Meta(ge=1, le=12)]
        | Annotated[tuple[Name, ...], Meta(min_length=1, max_length=12)]
        | None
    ) = None
    furniture: Count | None = None
    things: Count | None = None
    people: Count | None = None
    digest: Annotated[str, Meta(max_length=64)] = ""


class Role(_Record):
    name: Name
    skills: Annotated[tuple[Name, ...], Meta(max_length=64)]
    speed: Annotated[float, Meta(ge=0.01, le=20.0)]
    reach: Annotated[float, Meta(gt=0.0, le=10.0)]
    size: Size
    hands: Annotated[tuple[Name, ...], Meta(max_length=8)]
    view: Annotated[float, Meta(gt=0.0, le=360.0)] = 360.0
    pose: Pose | None = None


class PerceptionErrors(_Record):
    missed: Share = 0.0
    misclassified: Share = 0.0
    wrong_room: Share = 0.0


class Scenario(_Record):
    """An episode: ``house`` or ``recipe``, not both."""

    agents: Annotated[tuple[Role, ...], Meta(min_length=1, max_length=64)]
    house: House | None = None
    recipe: HouseRecipe | None = None
    instruction: Annotated[str, Meta(max_length=20_000)] = ""
    goal: Any = None
    seed: Seed = 0
    partial: bool = True
    failures: Annotated[dict[Name, Share], Meta(max_length=64)] = {}
    errors: PerceptionErrors | None = None
    max_steps: Annotated[int, Meta(ge=1, le=2**31 - 1)] = 20_000
    max_actions: Annotated[int, Meta(ge=1, le=1_000_000)] = 50


class Head(msgspec.Struct):
    """What every file begins with; the rest is passed over."""

    format: str
    version: int


class HouseFile(House, kw_only=True):
    """A house in a file of its own."""

    format: Literal["homebody.house"]
    version: Literal[1]


class ScenarioFile(Scenario, kw_only=True):
    """An episode in a file of its own."""

    format: Literal["homebody.episode"]
    version: Literal[1]


def schema(of: str = "house") -> dict[str, Any]:
    """The JSON Schema (2020-12) of a file.

    Args:
        of: ``house`` or ``scenario``.

    Raises:
        ValueError: there are no other kinds of files.
    """
    if of not in ("house", "scenario"):
        raise ValueError(f"there are files of houses and scenarios, not of {of!r}")
    kind, title = (HouseFile, HOUSE) if of == "house" else (ScenarioFile, SCENARIO)
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": f"{title} {VERSION}",
        **msgspec.json.schema(kind),
    }
