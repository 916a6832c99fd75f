"""The records of the catalogue: kinds of scenes, rooms, furniture and objects.

:mod:`.catalogue` reads them; docs/reference/houses/catalogue.md and the heads of the files
describe the fields.
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
"""Minimum and maximum."""
Palette: TypeAlias = tuple[Colour, ...]
"""Colours to choose from."""

STATE_OF: Mapping[str, str] = {
    "openable": "open",
    "powerable": "powered_on",
    "cleanable": "clean",
    "fillable": "filled",
    "lockable": "locked",
}
"""Affordance -> its state."""
EMPTY: Mapping[str, float] = {"filled": 0.0}
"""State -> initial probability for objects on a shelf or in a basin, which are empty."""
MAX_THINGS = 450
"""Default maximum number of objects in a house."""
PUT_AWAY: Mapping[str, float] = {"open": 0.0, "powered_on": 0.0, "clean": 1.0, "filled": 0.0}
"""State -> initial probability for objects behind a door, in a drawer or under a lid."""
FURNITURE_AFFORDANCES = (*STATE_OF, "faucet", "sittable", "lieable", "light")
THING_AFFORDANCES = (
    "grabbable", "cleanable", "fillable", "pourable", "powerable", "openable",
    "key", "container", "faucet", "light",
)  # fmt: skip
MOUNTS = ("floor", "wall", "ceiling", "rug", "counter")
WAYS = (
    "wall", "corner", "row", "centre", "block", "hang", "ceiling", "rug",
    "facing", "desk", "counter", "parked", "cubicles",
)  # fmt: skip
"""Ways in which a rule can place furniture; the section on rooms in the file describes them."""
FORMS = (
    "round", "disc-shaped", "cylindrical", "conical", "box-shaped", "flat", "long", "oval",
    "bowl-shaped", "ring-shaped", "bottle-shaped", "bag-shaped", "wedge-shaped", "curved",
    "figure-shaped", "irregular",
)  # fmt: skip
"""Everyday words for shapes."""
COVERINGS = ("paint", "stripes", "dots", "panels", "brick", "tiles")
"""Wall coverings."""


@dataclass(frozen=True, slots=True)
class FloorKind:
    """A floor material: its pattern (planks, tiles, carpet ...) and colours."""

    pattern: str
    colours: Palette


@dataclass(frozen=True, slots=True)
class StyleKind:
    """The style of a home: its preferred colours, floors and wall coverings."""

    colours: frozenset[Colour]
    floors: frozenset[str]
    coverings: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class SceneKind:
    """A kind of scene; the file describes the fields. ``types`` are its subtypes by name."""

    first: tuple[str, ...]
    then: Mapping[str, float]
    most: Mapping[str, int]
    hub: str
    corridor: str
    single: str
    joined: tuple[tuple[str, str], ...]
    apart: tuple[tuple[str, str], ...]
    height: float
    people: tuple[int, int]
    rooms: tuple[int, int] = (3, 8)
    weight: float = 1.0
    scale: float = 1.0
    styles: tuple[str, ...] = ()
    entrances: tuple[str, ...] = ()
    things: int = MAX_THINGS
    types: Mapping[str, SceneKind] = field(default_factory=dict)

    def joins(self, kind: str, other: str) -> bool:
        """Return whether rooms of two kinds should be adjacent, with a doorway between them."""
        return (kind, other) in self.joined or (other, kind) in self.joined

    def separates(self, kind: str, other: str) -> bool:
        """Return whether rooms of two kinds should have no doorway to each other."""
        return (kind, other) in self.apart or (other, kind) in self.apart


@dataclass(frozen=True, slots=True)
class Rule:
    """A rule for furnishing a kind of room.

    Attributes:
        what: Categories; more than one for a row.
        by: One of ``WAYS``.
        count: Least and most pieces (of the whole row if ``what`` is one category).
        chance: Probability that the rule applies.
        gap: Metres of floor between the pieces of a block, or of a row of one category.
        middle: True if it stands near the middle of its wall.
        same: True if all pieces of a block face the same way.
        together: Number of pieces of a block that stand side by side without a gap.
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
    """A kind of room: area in square metres, minimum side in metres, look and contents.

    Attributes:
        things: Number of objects in a lived-in room.
        on_floor: Approximate number of these objects on the floor.
        coverings: Possible wall coverings.
        like: Kinds of rooms whose usual objects are also usual here.
        garage_door: Width of a door for cars in an outer wall, metres; 0 for none.
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
    garage_door: float = 0.0


@dataclass(frozen=True, slots=True)
class DoorKind:
    """Probabilities that a doorway has a leaf, that it is initially open, and that it is locked."""

    leaf: float
    open: float
    locked: float


_FOR_SOMETHING = frozenset(("faucet", "fillable", "powerable", "sittable"))
"""Affordances of furniture that serves a purpose which unrelated objects on it would obstruct."""
_NO_DOOR = DoorKind(0.0, 1.0, 0.0)


@dataclass(frozen=True, slots=True)
class ReceptacleKind:
    """A surface or space of a furniture kind, relative to its size; the file describes the fields.

    Attributes:
        work: Share of its surface that stays free, in one area, for working.
        holds: The only categories that the generator places there; empty for all.
        likely: State -> initial probability for its contents. It replaces the probability of their
            category.
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
        shape: Its mesh; see rendering/meshes.
        size: Minimum and maximum of width, depth and height in metres.
        mount: One of ``MOUNTS``.
        at: Height of its lower edge if it is mounted on a wall.
        front: Metres of free floor in front of it.
        affords: Affordances out of ``FURNITURE_AFFORDANCES``.
        likely: State -> initial probability.
        style: Part -> possible colours.
        receptacles: Spaces for objects.
        synset: Its WordNet 3.0 synset, or the nearest that includes it: ``sofa.n.01``.
        behavior: BEHAVIOR's name of it, where BEHAVIOR has a synset that WordNet lacks.
        materials: Possible materials.
        form: The everyday word for its shape, one of ``FORMS``.
        function: Its purpose as a verb phrase: "sitting on".
        made_of: Colour of the first part of its style -> materials that come in it.
        base: The furniture that it is built onto, of the same width and depth, or an empty string.
        shows: Other categories that its mesh shows although the house has no such objects there:
            the pillows of a bed, the coat on a coat rack.
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
    behavior: str = ""
    materials: tuple[str, ...] = ()
    form: str = ""
    function: str = ""
    made_of: Mapping[Colour, tuple[str, ...]] = field(default_factory=dict)
    base: str = ""
    shows: tuple[str, ...] = ()

    def work(self, receptacle: str) -> float:
        """Return the share of a receptacle that stays free for working."""
        return next((each.work for each in self.receptacles if each.name == receptacle), 0.0)

    def receptacle_kind(self, receptacle: str) -> ReceptacleKind:
        """Return the kind of a receptacle by its name. Raises StopIteration."""
        names = (receptacle, receptacle.rpartition("_")[0])  # layers are numbered
        return next(each for each in self.receptacles if each.name in names)


@dataclass(frozen=True, slots=True)
class ThingKind:
    """A category of small objects.

    Attributes:
        shape: Its mesh, shared by many categories; see rendering/meshes.
        size: Usual width, depth and height in metres.
        varies: Minimum and maximum factor of its size.
        affords: Affordances out of ``THING_AFFORDANCES``.
        likely: State -> initial probability.
        style: Part -> possible colours; ``body`` is the main part.
        rooms: Kinds of rooms in which it is usual.
        places: Furniture, containers or ``floor`` where it is usual.
        weight: Frequency; 1 for most.
        inside: Share of its box that its inner space takes, if it is a container.
        flat: True if objects lie on it rather than in it: a tray.
        holds: Categories that a container holds, in addition to the categories that list it among
            their places.
        synset, behavior, materials, form, function, made_of, shows: The same as for furniture;
            ``made_of`` has the colours of ``body``.
        content: The synset of what a package contains: ``milk.n.01`` for a carton of milk.
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
    behavior: str = ""
    materials: tuple[str, ...] = ()
    form: str = ""
    function: str = ""
    made_of: Mapping[Colour, tuple[str, ...]] = field(default_factory=dict)
    flat: bool = False
    holds: frozenset[str] = frozenset()
    content: str = ""
    shows: tuple[str, ...] = ()

    @property
    def largest(self) -> tuple[float, float, float]:
        """Maximum width, depth and height in metres."""
        width, depth, height = (side * self.varies[1] for side in self.size)
        return width, depth, height


@dataclass(frozen=True)
class Catalogue:
    """All kinds by name; ``doors`` by room kind, ``leaves`` the colours of door leaves."""

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
        """Return the door kind of a room kind; always open by default."""
        return self.doors.get(room, _NO_DOOR)

    def affords(self, category: str) -> tuple[str, ...]:
        """Return the affordances of a category; none if it is unknown."""
        kind = self.furniture.get(category) or self.things.get(category)
        return kind.affords if kind is not None else ()

    def takes_anything(self, category: str) -> bool:
        """Return whether people put down unrelated objects on or in furniture of a category: it has
        no faucet, cannot be filled, is not powered, and nobody sits on it."""
        return _FOR_SOMETHING.isdisjoint(self.affordances.get(category, ()))

    @cached_property
    def affordances(self) -> Mapping[str, frozenset[str]]:
        """Category of furniture or objects -> its affordances."""
        return {
            name: frozenset(kind.affords)
            for kinds in (self.furniture, self.things)
            for name, kind in kinds.items()
        }
