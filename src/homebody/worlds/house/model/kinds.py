"""Kinds: what the catalogue of the house world says of scenes, rooms, furniture and objects.

:mod:`.catalogue` reads them from its files; what the fields mean is told in
docs/reference/houses/catalogue.md and in the heads of the files.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import TypeAlias

from homebody.worlds.house.model.groups import GroupKind
from homebody.worlds.house.model.house import Colour
from homebody.worlds.house.model.people_kinds import PeopleKinds

Span: TypeAlias = tuple[float, float]
"""Least and most."""
Palette: TypeAlias = tuple[Colour, ...]
"""Colours to choose from."""

STATE_OF: Mapping[str, str] = {
    "openable": "open",
    "powerable": "powered_on",
    "cleanable": "clean",
    "fillable": "filled",
    "lockable": "locked",
}
"""Affordance -> the state that a thing with it has."""
EMPTY: Mapping[str, float] = {"filled": 0.0}
"""Chances of states of what stands on a board or lies in a basin: full cups are on tables."""
PUT_AWAY: Mapping[str, float] = {"open": 0.0, "powered_on": 0.0, "clean": 1.0, "filled": 0.0}
"""Of what is behind a door, in a drawer or under a lid."""
FURNITURE_AFFORDANCES = (*STATE_OF, "faucet", "sittable", "lieable", "light")
THING_AFFORDANCES = (
    *("grabbable", "cleanable", "fillable", "pourable", "powerable", "openable"),
    *("key", "container", "faucet", "light"),
)
MOUNTS = ("floor", "wall", "ceiling", "rug", "counter")
WAYS = (
    *("wall", "corner", "row", "centre", "block", "hang", "ceiling", "rug"),
    *("facing", "desk", "counter", "parked"),
)
"""How a rule may place furniture: see the section on rooms in the file."""
FORMS = (
    *("round", "disc-shaped", "cylindrical", "conical", "box-shaped", "flat", "long", "oval"),
    *("bowl-shaped", "ring-shaped", "bottle-shaped", "bag-shaped", "wedge-shaped", "curved"),
    *("figure-shaped", "irregular"),
)
"""Everyday words for the shape of a thing."""
COVERINGS = ("paint", "stripes", "dots", "panels", "brick", "tiles")
"""What walls may be covered with."""


@dataclass(frozen=True, slots=True)
class FloorKind:
    """A material of floors: its pattern (planks, tiles, carpet ...) and the colours in it."""

    pattern: str
    colours: Palette


@dataclass(frozen=True, slots=True)
class StyleKind:
    """The look that runs through a home: colours, floors and coverings of walls it prefers."""

    colours: frozenset[Colour]
    floors: frozenset[str]
    coverings: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class SceneKind:
    """A kind of scene: which rooms it has. See the file for the meaning of the fields.

    ``types`` are kinds of it by name (a studio is a home): each is the scene with other fields.
    """

    first: tuple[str, ...]
    then: Mapping[str, float]
    most: Mapping[str, int]
    hub: str
    corridor: str
    single: str
    joined: tuple[tuple[str, str], ...]
    height: float
    people: tuple[int, int]
    rooms: tuple[int, int] = (3, 8)
    weight: float = 1.0
    scale: float = 1.0
    styles: tuple[str, ...] = ()
    types: Mapping[str, SceneKind] = field(default_factory=dict)

    def joins(self, kind: str, other: str) -> bool:
        """Whether rooms of two kinds are side by side, with a doorway between, where they can."""
        return (kind, other) in self.joined or (other, kind) in self.joined


@dataclass(frozen=True, slots=True)
class Rule:
    """A rule of how a kind of room is furnished.

    Attributes:
        what: Categories; more than one for a row.
        by: One of ``WAYS``.
        count: Least and most pieces (rows: of the whole row, if ``what`` is one category).
        chance: That the rule applies at all.
        gap: Metres of floor kept between the pieces of a block.
        middle: Whether it stands near the middle of its wall rather than anywhere.
        same: Whether all pieces of a block face the same way.
        together: So many pieces of a block stand side by side without a gap.
        companions: ``sides front before opposite around above`` -> category.
    """

    what: tuple[str, ...]
    by: str
    count: tuple[int, int] = (1, 1)
    chance: float = 1.0
    gap: float = 0.8
    middle: bool = False
    same: bool = False
    together: int = 1
    companions: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class RoomKind:
    """A kind of room: area in square metres, least side in metres, what it looks like and has.

    ``things`` is how many objects there are in one that is lived in, ``on_floor`` about how many of
    them are on its floor, ``coverings`` are what its walls may be covered with, ``like`` are kinds
    of rooms whose usual objects are usual here, too.
    """

    area: Span
    side: float
    lets: bool
    windows: bool
    floors: tuple[str, ...]
    walls: Palette
    furniture: tuple[Rule, ...]
    extra: tuple[str, ...]
    things: int = 20
    on_floor: int = 1
    coverings: tuple[str, ...] = ("paint",)
    like: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class DoorKind:
    """Chances that a doorway to a room has a leaf, that it is open at first, that it is locked."""

    leaf: float
    open: float
    locked: float


_NO_DOOR = DoorKind(0.0, 1.0, 0.0)


@dataclass(frozen=True, slots=True)
class ReceptacleKind:
    """A surface or space of a kind of furniture, relative to its size: see the file.

    Attributes:
        work: The share of it that is left free in one piece, to work on.
        holds: The only categories of objects that are in or on it unasked; all, if there are none.
        likely: State -> chance that objects in or on it are in it at first, instead of their own.
    """

    name: str
    kind: str
    start: float
    end: float | None
    space: float
    layers: int
    side: float
    back: float
    front: float
    work: float = 0.0
    holds: frozenset[str] = frozenset()
    likely: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class FurnitureKind:
    """A category of furniture.

    Attributes:
        shape: How it is drawn: see rendering/meshes.
        size: Least and most width, depth, height in metres.
        mount: One of ``MOUNTS``.
        at: Height of its lower edge if it hangs on a wall.
        front: Metres of floor kept free in front of it.
        affords: Out of ``FURNITURE_AFFORDANCES``.
        likely: State -> chance that it is so at first.
        style: Part -> colours to choose from.
        receptacles: Where things can be put.
        synset: Of WordNet 3.0, as BEHAVIOR names it: ``sofa.n.01``.
        materials: What it may be made of.
        form: The everyday word for its shape, one of ``FORMS``.
        function: What it is for: a verb phrase, "sitting on".
        made_of: Colour of the first part of its style -> the materials that come in it.
        base: The furniture that it is built onto, as wide and deep as it, or an empty string.
    """

    name: str
    shape: str
    size: tuple[Span, Span, Span]
    mount: str
    at: float
    front: float
    affords: tuple[str, ...]
    likely: Mapping[str, float]
    style: Mapping[str, Palette]
    receptacles: tuple[ReceptacleKind, ...]
    synset: str = ""
    materials: tuple[str, ...] = ()
    form: str = ""
    function: str = ""
    made_of: Mapping[Colour, tuple[str, ...]] = field(default_factory=dict)
    base: str = ""

    def work(self, receptacle: str) -> float:
        """The share of a receptacle that is left free to work on."""
        return next((each.work for each in self.receptacles if each.name == receptacle), 0.0)

    def receptacle_kind(self, receptacle: str) -> ReceptacleKind:
        """What a receptacle of such a piece, by its name, is like.

        Raises:
            StopIteration: there is none.
        """
        names = (receptacle, receptacle.rpartition("_")[0])  # layers are numbered
        return next(each for each in self.receptacles if each.name in names)


@dataclass(frozen=True, slots=True)
class ThingKind:
    """A category of small objects.

    Attributes:
        shape: How it is drawn, shared by many: see rendering/meshes.
        size: Width, depth, height in metres, as most are.
        varies: Least and most that its size is multiplied with.
        affords: Out of ``THING_AFFORDANCES``.
        likely: State -> chance that it is so at first.
        style: Part -> colours to choose from; ``body`` is the main part.
        rooms: Kinds of rooms where it usually is.
        places: Furniture, containers or ``floor`` where it usually is.
        weight: How common it is; most have 1.
        inside: Share of its box that its inner space takes, if it is a container.
        flat: Whether things are on it instead of in it: a tray.
        holds: Categories that are in a container besides those that have it among their places.
        synset, materials, form, function, made_of: As of furniture; of the colour of ``body``.
    """

    name: str
    shape: str
    size: tuple[float, float, float]
    affords: tuple[str, ...]
    likely: Mapping[str, float]
    style: Mapping[str, Palette]
    rooms: tuple[str, ...]
    places: tuple[str, ...]
    weight: float
    inside: tuple[float, float, float] | None
    varies: Span = (0.9, 1.1)
    synset: str = ""
    materials: tuple[str, ...] = ()
    form: str = ""
    function: str = ""
    made_of: Mapping[Colour, tuple[str, ...]] = field(default_factory=dict)
    flat: bool = False
    holds: frozenset[str] = frozenset()

    @property
    def largest(self) -> tuple[float, float, float]:
        """Width, depth and height of the largest of them, in metres."""
        width, depth, height = (side * self.varies[1] for side in self.size)
        return width, depth, height


@dataclass(frozen=True)
class Catalogue:
    """Everything by name; ``doors`` by kinds of rooms, and the colours of their ``leaves``."""

    scenes: Mapping[str, SceneKind]
    rooms: Mapping[str, RoomKind]
    furniture: Mapping[str, FurnitureKind]
    things: Mapping[str, ThingKind]
    people: PeopleKinds
    floors: Mapping[str, FloorKind]
    colours: Mapping[str, Colour]
    styles: Mapping[str, StyleKind] = field(default_factory=dict)
    groups: Mapping[str, GroupKind] = field(default_factory=dict)
    doors: Mapping[str, DoorKind] = field(default_factory=dict)
    leaves: Mapping[str, Palette] = field(default_factory=dict)

    def door_of(self, room: str) -> DoorKind:
        """What the doorways to a kind of room are like; always open if nothing is said."""
        return self.doors.get(room, _NO_DOOR)

    def affords(self, category: str) -> tuple[str, ...]:
        """What a category of furniture or objects affords; nothing if it is unknown."""
        kind = self.furniture.get(category) or self.things.get(category)
        return kind.affords if kind is not None else ()

    @cached_property
    def affordances(self) -> Mapping[str, frozenset[str]]:
        """Category of furniture or objects -> what it affords."""
        return {
            name: frozenset(kind.affords)
            for kinds in (self.furniture, self.things)
            for name, kind in kinds.items()
        }
