"""The catalogue of the house world: what rooms, furniture, objects and people there are.

All of it is data, in the files of the folder ``catalogue``, read as one; the head of ``looks.toml``
describes the entries. :func:`catalogue` gives ours; :func:`read_catalogue` reads another, so that
a user can add categories without touching code. Reading checks every name that an entry refers to,
and says which entry of which file is wrong.
"""

from __future__ import annotations

import re
import tomllib
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache, cached_property
from importlib import resources
from importlib.resources.abc import Traversable
from typing import Any, TypeAlias

from homebody.core.errors import HomebodyError
from homebody.worlds.house.model.groups import GroupKind, read_group
from homebody.worlds.house.model.house import Colour
from homebody.worlds.house.model.people_kinds import PeopleKinds, read_people

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
FURNITURE_AFFORDANCES = (*STATE_OF, "faucet", "sittable", "lieable", "light")
THING_AFFORDANCES = (
    *("grabbable", "cleanable", "fillable", "pourable", "powerable", "openable"),
    *("key", "container", "faucet", "light"),
)
MOUNTS = ("floor", "wall", "ceiling", "rug", "counter")
WAYS = (
    *("wall", "corner", "row", "centre", "block", "hang", "ceiling", "rug"),
    *("facing", "desk", "counter"),
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
        companions: ``sides front before opposite around above`` -> category.
    """

    what: tuple[str, ...]
    by: str
    count: tuple[int, int] = (1, 1)
    chance: float = 1.0
    gap: float = 0.8
    middle: bool = False
    same: bool = False
    companions: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class RoomKind:
    """A kind of room: area in square metres, least side in metres, what it looks like and has.

    ``things`` is how many objects there are in one that is lived in, ``coverings`` are what its
    walls may be covered with, ``like`` are kinds of rooms whose usual objects are usual here, too.
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

    ``work`` is the share of it that is left free in one piece, to work on.
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


@cache
def catalogue() -> Catalogue:
    """The catalogue that comes with homebody."""
    return read_catalogue(catalogue_files())


def catalogue_files() -> dict[str, str]:
    """The texts of the files of homebody's catalogue by their names, in the order they are read."""
    folder = resources.files("homebody.worlds.house.model") / "catalogue"
    return {name: file.read_text("utf-8") for name, file in sorted(_files(folder, ""))}


def _files(folder: Traversable, name: str) -> Iterator[tuple[str, Traversable]]:
    for item in folder.iterdir():
        if item.is_dir():
            yield from _files(item, f"{name}{item.name}/")
        elif item.name.endswith(".toml"):
            yield f"{name}{item.name}", item


def read_catalogue(texts: str | Mapping[str, str]) -> Catalogue:
    """Read a catalogue.

    Args:
        texts: TOML as in the files of ``catalogue``; several, by file name, are read as one, so
            ``{**catalogue_files(), "mine.toml": text}`` is ours and more.

    Raises:
        HomebodyError: A text is no TOML, an entry is there twice, lacks something or refers to
            what there is not; the message names the file and the entry.
    """
    files = {"catalogue": texts} if isinstance(texts, str) else texts
    tables, file_of = _tables(files)
    where = ["catalogue"]
    try:
        return _Reader(tables, where).catalogue()
    except (KeyError, TypeError, ValueError, IndexError, AttributeError) as error:
        why = f"there is no {error}" if isinstance(error, KeyError) else str(error)
        hint = "the head of catalogue/looks.toml describes the entries"
        raise HomebodyError(f"{file_of.get(where[0], '')}{where[0]}: {why}", hint) from error


def _tables(files: Mapping[str, str]) -> tuple[dict[str, dict[str, Any]], dict[str, str]]:
    """All files as one: table -> name -> entry; and entry ``table.name`` -> its file and ": "."""
    tables: dict[str, dict[str, Any]] = {}
    file_of: dict[str, str] = {}
    for file, text in files.items():
        try:
            data = tomllib.loads(text)
        except tomllib.TOMLDecodeError as error:
            raise HomebodyError(f"{file} is no TOML: {error}") from error
        for table, entries in data.items():
            if not isinstance(entries, dict):
                continue
            for name, entry in _ungrouped(f"{file}: {table}", entries):
                key = f"{table}.{name}"
                if key in file_of:
                    raise HomebodyError(f"{key} is in {file_of[key][:-2]} and again in {file}")
                file_of[key] = f"{file}: "
                tables.setdefault(table, {})[name] = entry
    return tables, file_of


def _ungrouped(where: str, entries: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    """The entries of a table; those of a group with what its head says of all of them."""
    table = where.rpartition(" ")[2]
    fields = _FIELDS.get(table)
    for name, entry in entries.items():
        members = set(entry).difference(fields) if fields and isinstance(entry, dict) else ()
        if not members:
            yield name, entry
            continue
        shared = {key: value for key, value in entry.items() if key not in members}
        for member, own in entry.items():
            if member not in members:
                continue
            if not isinstance(own, dict):
                raise HomebodyError(f"{where}.{name}: unknown field {member!r}")
            if unknown := set(own).difference(fields or ()):
                raise HomebodyError(f"{where}.{member}: unknown field {min(unknown)!r}")
            yield member, {**shared, **own}


_ABOUT = {"shape", "size", "affords", "likely", "style"}
_ABOUT |= {"synset", "materials", "form", "function"}
_FIELDS: Mapping[str, set[str]] = {
    "furniture": _ABOUT | {"mount", "at", "front", "receptacles", "base"},
    "things": _ABOUT | {"varies", "colours", "rooms", "places", "weight", "inside"},
}
"""Table -> what an entry may say; an entry that says something else is a group of entries."""


class _Reader:
    """Reads the tables one by one; ``where[0]`` is the entry at hand, for messages."""

    def __init__(self, data: Mapping[str, Mapping[str, Any]], where: list[str]) -> None:
        self.data = data
        self.where = where
        self.lists: Mapping[str, Any] = data.get("lists", {})
        self.colours = {name: _colour(code) for name, code in data["colours"].items()}
        self.likely: Mapping[str, float] = data["likely"]
        self._palettes: dict[tuple[str, ...], Palette] = {}  # many entries choose from one list
        self.materials = {
            name: frozenset(self.palette(colours)) for name, colours in data["materials"].items()
        }

    def catalogue(self) -> Catalogue:
        data = self.data
        floors = {
            name: FloorKind(str(entry["pattern"]), self.palette(entry["colours"]))
            for name, entry in self.entries("floors")
        }
        styles = {name: self.style(entry, floors) for name, entry in self.entries("styles")}
        furniture = {name: self.piece(name, entry) for name, entry in self.entries("furniture")}
        for name, piece in furniture.items():
            self.where[0] = f"furniture.{name}"
            onto = [piece.base] if piece.base else []
            _check_known(onto, [one.name for one in furniture.values() if not one.base], "base")
        things = {name: self.thing(name, entry) for name, entry in self.entries("things")}
        rooms = {name: self.room(entry, floors, furniture) for name, entry in self.entries("rooms")}
        for name, room in rooms.items():
            self.where[0] = f"rooms.{name}"
            _check_known(room.like, rooms, "like")
        scenes = {name: self.scene(entry, rooms, styles) for name, entry in self.entries("scenes")}
        self.where[0] = "catalogue"
        counts = Counter([*rooms, *furniture, *things])
        if twice := [name for name, count in counts.items() if count > 1]:
            raise ValueError(f"rooms, furniture and objects share names: {' '.join(twice)}")
        containers = {name for name, thing in things.items() if thing.inside}
        for name, thing in things.items():
            self.where[0] = f"things.{name}"
            _check_known(thing.rooms, rooms, "rooms")
            _check_known(thing.places, {"floor", *furniture, *containers}, "places")
        groups = {}
        for name, entry in self.entries("groups"):
            group = groups[name] = read_group(entry, self.names, _check_known)
            _check_known(group.rooms, rooms, "rooms")
            _check_known(group.on, {"floor", *furniture, *containers}, "on")
            for part in group.parts:
                _check_known(part.what, things, "what")
            if any(part.inside for part in group.parts):
                _check_known(group.parts[0].what, containers, "the first part, for `inside`")
        self.where[0] = "people"
        known: dict[str, Iterable[str]] = {"rooms": rooms, "furniture": furniture, "things": things}
        people = read_people(data["people"], self.palette, self.names, known)
        self.where[0] = "leaves"
        leaves = {part: self.palette(colours) for part, colours in data.get("leaves", {}).items()}
        doors = self.doors(rooms)
        return Catalogue(
            *(scenes, rooms, furniture, things, people, floors, self.colours),
            *(styles, groups, doors, leaves),
        )

    def doors(self, rooms: Mapping[str, RoomKind]) -> dict[str, DoorKind]:
        doors: dict[str, DoorKind] = {}
        for _, entry in self.entries("doors") if "doors" in self.data else ():
            kind = DoorKind(float(entry["leaf"]), float(entry["open"]), float(entry["locked"]))
            names = self.names(entry["rooms"])
            _check_known(names, rooms, "rooms")
            if twice := [name for name in names if name in doors]:
                raise ValueError(f"rooms that have doors already: {' '.join(twice)}")
            doors |= dict.fromkeys(names, kind)
        return doors

    def entries(self, table: str) -> Iterable[tuple[str, Mapping[str, Any]]]:
        for name, entry in self.data.get(table, {}).items():
            self.where[0] = f"{table}.{name}"
            yield name, entry

    def names(self, names: Iterable[str]) -> tuple[str, ...]:
        """Names, with lists spelt out, each once."""
        spelt_out: dict[str, None] = {}
        for name in names:
            new = self.names(self.lists[name[1:]]) if name.startswith("@") else (name,)
            spelt_out.update(dict.fromkeys(new))
        return tuple(spelt_out)

    def palette(self, names: Iterable[str]) -> Palette:
        key = tuple(names)
        if key not in self._palettes:
            self._palettes[key] = tuple(self.colours[name] for name in self.names(key))
        return self._palettes[key]

    def chances(self, affords: Iterable[str], own: Mapping[str, float]) -> dict[str, float]:
        states = [STATE_OF[affordance] for affordance in affords if affordance in STATE_OF]
        _check_known(own, states, "likely")
        return {state: float(own.get(state, self.likely[state])) for state in states}

    def piece(self, name: str, entry: Mapping[str, Any]) -> FurnitureKind:
        affords = tuple(entry.get("affords", ()))
        _check_known(affords, FURNITURE_AFFORDANCES, "affords")
        mount = str(entry.get("mount", "floor"))
        _check_known([mount], MOUNTS, "mount")
        width, depth, height = (_span(side) for side in entry["size"])
        style = {part: self.palette(colours) for part, colours in entry.get("style", {}).items()}
        return FurnitureKind(
            name=name,
            shape=str(entry.get("shape", name)),
            size=(width, depth, height),
            mount=mount,
            at=float(entry.get("at", 0.0)),
            front=float(entry.get("front", 0.0)),
            affords=affords,
            likely=self.chances(affords, entry.get("likely", {})),
            style=style,
            receptacles=tuple(
                _receptacle(receptacle) for receptacle in entry.get("receptacles", ())
            ),
            base=str(entry.get("base", "")),
            **self.about(entry, next(iter(style.values()), ())),
        )

    def thing(self, name: str, entry: Mapping[str, Any]) -> ThingKind:
        affords = tuple(entry["affords"])
        _check_known(affords, THING_AFFORDANCES, "affords")
        if ("container" in affords) != ("inside" in entry):
            raise ValueError("containers, and nothing else, have `inside`")
        style = {"body": self.palette(entry["colours"])}
        style |= {part: self.palette(colours) for part, colours in entry.get("style", {}).items()}
        width, depth, height = (float(side) for side in entry["size"])
        inside = [float(share) for share in entry.get("inside", ())]
        return ThingKind(
            name=name,
            shape=str(entry.get("shape", name)),
            size=(width, depth, height),
            affords=affords,
            likely=self.chances(affords, entry.get("likely", {})),
            style=style,
            rooms=self.names(entry["rooms"]),
            places=self.names(entry["places"]),
            weight=float(entry.get("weight", 1)),
            inside=(inside[0], inside[1], inside[2]) if inside else None,
            varies=_span(entry.get("varies", [0.9, 1.1])),
            **self.about(entry, style["body"]),
        )

    def about(self, entry: Mapping[str, Any], palette: Palette) -> dict[str, Any]:
        """What furniture and objects say alike; ``palette`` has the colours of the main part."""
        synset, form = str(entry.get("synset", "")), str(entry.get("form", ""))
        if synset and not _SYNSET.fullmatch(synset):
            raise ValueError(f"synset: {synset!r} is not like 'mug.n.04'")
        _check_known([form] if form else [], FORMS, "form")
        materials = self.names(entry.get("materials", ()))
        _check_known(materials, self.materials, "materials")
        made_of = {
            colour: tuple(name for name in materials if colour in self.materials[name])
            for colour in palette
        }
        if materials and not all(made_of.values()):
            raise ValueError("materials: one of its colours is of none of them")
        for name in materials:
            if palette and not self.materials[name].intersection(palette):
                raise ValueError(f"materials: {name} does not come in its colours")
        function = str(entry.get("function", ""))
        return {
            "synset": synset,
            "materials": materials,
            "form": form,
            "function": function,
            "made_of": made_of,
        }

    def room(
        self,
        entry: Mapping[str, Any],
        floors: Mapping[str, FloorKind],
        furniture: Mapping[str, FurnitureKind],
    ) -> RoomKind:
        rules = tuple(_rule(rule) for rule in entry["furniture"])
        for rule in rules:
            _check_known(rule.what, furniture, "what")
            _check_known(rule.companions.values(), furniture, "companions")
        extra = self.names(entry.get("extra", ()))
        _check_known(extra, furniture, "extra")
        kinds = self.names(entry["floors"])
        _check_known(kinds, floors, "floors")
        coverings = tuple(entry.get("coverings", ("paint",)))
        _check_known(coverings, COVERINGS, "coverings")
        return RoomKind(
            area=_span(entry["area"]),
            side=float(entry["side"]),
            lets=bool(entry.get("lets", False)),
            windows=bool(entry.get("windows", True)),
            floors=kinds,
            walls=self.palette(entry["walls"]),
            furniture=rules,
            extra=extra,
            things=int(entry.get("things", 20)),
            coverings=coverings,
            like=tuple(entry.get("like", ())),
        )

    def style(self, entry: Mapping[str, Any], floors: Mapping[str, FloorKind]) -> StyleKind:
        kinds = self.names(entry["floors"])
        _check_known(kinds, floors, "floors")
        coverings = tuple(entry["coverings"])
        _check_known(coverings, COVERINGS, "coverings")
        return StyleKind(frozenset(self.palette(entry["colours"])), frozenset(kinds), coverings)

    def scene(
        self,
        entry: Mapping[str, Any],
        rooms: Mapping[str, RoomKind],
        styles: Mapping[str, StyleKind],
    ) -> SceneKind:
        plain = {field: value for field, value in entry.items() if field != "types"}
        types = {
            name: self.scene({**plain, **changed}, rooms, styles)
            for name, changed in entry.get("types", {}).items()
        }
        kind = SceneKind(
            first=tuple(entry["first"]),
            then={name: float(weight) for name, weight in entry["then"].items()},
            most={name: int(count) for name, count in entry.get("most", {}).items()},
            hub=str(entry["hub"]),
            corridor=str(entry["corridor"]),
            single=str(entry["single"]),
            joined=tuple((str(a), str(b)) for a, b in entry.get("joined", ())),
            height=float(entry["height"]),
            people=(int(entry["people"][0]), int(entry["people"][1])),
            rooms=(int(entry.get("rooms", (3, 8))[0]), int(entry.get("rooms", (3, 8))[1])),
            weight=float(entry.get("weight", 1)),
            scale=float(entry.get("scale", 1)),
            styles=tuple(entry.get("styles", ())),
            types=types,
        )
        _check_known(kind.styles, styles, "styles")
        named = (*kind.first, *kind.then, *kind.most, kind.hub, kind.corridor, kind.single)
        _check_known(named, rooms, "rooms")
        _check_known([name for pair in kind.joined for name in pair], rooms, "joined")
        return kind


_SYNSET = re.compile(r"[a-z0-9_'.-]+\.n\.\d\d")
_COMPANIONS = ("sides", "front", "before", "opposite", "around", "above")


def _rule(entry: Mapping[str, Any]) -> Rule:
    fields = {"what", "by", "count", "chance", "gap", "middle", "same", *_COMPANIONS}
    _check_known(entry, fields, "a rule's fields")
    categories = entry["what"]
    by = str(entry["by"])
    _check_known([by], WAYS, "by")
    least, most = entry.get("count", (1, 1))
    return Rule(
        what=(categories,) if isinstance(categories, str) else tuple(categories),
        by=by,
        count=(int(least), int(most)),
        chance=float(entry.get("chance", 1)),
        gap=float(entry.get("gap", 0.8)),
        middle=bool(entry.get("middle", False)),
        same=bool(entry.get("same", False)),
        companions={key: str(entry[key]) for key in _COMPANIONS if key in entry},
    )


def _receptacle(entry: Mapping[str, Any]) -> ReceptacleKind:
    _check_known([entry["kind"]], ("on", "within"), "kind")
    edge = 0.02 if entry["kind"] == "on" else 0.03
    side = float(entry.get("side", edge))
    return ReceptacleKind(
        name=str(entry["name"]),
        kind=str(entry["kind"]),
        start=float(entry["from"]),
        end=float(entry["to"]) if "to" in entry else None,
        space=float(entry.get("space", 0.4)),
        layers=int(entry.get("layers", 1)),
        side=side,
        back=float(entry.get("back", side)),
        front=float(entry.get("front", side)),
        work=float(entry.get("work", 0)),
    )


def _check_known(names: Iterable[str], options: Iterable[str], field: str) -> None:
    allowed = frozenset(options)
    for name in names:
        if name not in allowed:
            raise ValueError(f"{field}: unknown {name!r}")


def _span(value: float | list[float]) -> Span:
    if isinstance(value, list):
        least, most = value
        if not 0 < least <= most:
            raise ValueError(f"{value} is no span from least to most")
        return float(least), float(most)
    return float(value), float(value)


def _colour(code: str) -> Colour:
    red, green, blue = (int(code[start : start + 2], 16) for start in (1, 3, 5))
    return round(red / 255, 4), round(green / 255, 4), round(blue / 255, 4)
