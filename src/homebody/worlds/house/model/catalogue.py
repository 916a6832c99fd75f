"""The catalogue of the house world: its kinds of rooms, furniture, objects and people.

The data is in the folder ``catalogue``; comments at the top of ``looks.toml`` describe the entries.
:func:`read_catalogue` reads other catalogues. Reading checks all references, and errors name the
file and the entry. :mod:`.kinds` defines the records.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from importlib import resources
from importlib.resources.abc import Traversable
from typing import Any

from homebody.core.ground.user_errors import HomebodyError
from homebody.worlds.house.model.catalogue_tables import read_tables
from homebody.worlds.house.model.groups import read_group
from homebody.worlds.house.model.house import Colour
from homebody.worlds.house.model.kinds import (
    COVERINGS,
    EMPTY,
    FORMS,
    FURNITURE_AFFORDANCES,
    MAX_THINGS,
    MOUNTS,
    PUT_AWAY,
    STATE_OF,
    THING_AFFORDANCES,
    WAYS,
    Catalogue,
    DoorKind,
    FloorKind,
    FurnitureKind,
    Palette,
    ReceptacleKind,
    RoomKind,
    Rule,
    SceneKind,
    Span,
    StyleKind,
    ThingKind,
)
from homebody.worlds.house.model.people_kinds import read_people

__all__ = [
    "STATE_OF",
    "Catalogue",
    "FurnitureKind",
    "Palette",
    "ReceptacleKind",
    "RoomKind",
    "Rule",
    "SceneKind",
    "StyleKind",
    "ThingKind",
    "catalogue",
    "catalogue_files",
    "read_catalogue",
]


@cache
def catalogue() -> Catalogue:
    """Return the catalogue that comes with homebody."""
    return read_catalogue(catalogue_files())


def catalogue_files() -> dict[str, str]:
    """Return the texts of homebody's catalogue files by name, in reading order."""
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
        texts: TOML as in the files of ``catalogue``. Several texts by file name are read as one, so
            ``{**catalogue_files(), "mine.toml": text}`` extends homebody's.

    Raises:
        HomebodyError: A text is not TOML, or an entry is duplicated, incomplete or has an unknown
            reference; the message names the file and the entry.
    """
    files = {"catalogue": texts} if isinstance(texts, str) else texts
    tables, file_of = read_tables(files)
    where = ["catalogue"]
    try:
        return _Reader(tables, where).read()
    except (KeyError, TypeError, ValueError, IndexError, AttributeError) as error:
        why = f"there is no {error}" if isinstance(error, KeyError) else str(error)
        hint = "the head of catalogue/looks.toml describes the entries"
        raise HomebodyError(f"{file_of.get(where[0], '')}{where[0]}: {why}", hint) from error


class _Reader:
    """Reads the tables one by one; ``where[0]`` is the current entry, for messages."""

    def __init__(self, data: Mapping[str, Mapping[str, Any]], where: list[str]) -> None:
        self.data = data
        self.where = where
        self.lists: Mapping[str, Any] = data.get("lists", {})
        self.colours = {name: _colour(code) for name, code in data["colours"].items()}
        self.likely: Mapping[str, float] = data["likely"]
        self._palettes: dict[tuple[str, ...], Palette] = {}  # many entries share a list
        self.materials = {
            name: frozenset(self.palette(colours)) for name, colours in data["materials"].items()
        }

    def read(self) -> Catalogue:
        data = self.data
        floors = {
            name: FloorKind(str(entry["pattern"]), self.palette(entry["colours"]))
            for name, entry in self.entries("floors")
        }
        styles = {name: self.read_style(entry, floors) for name, entry in self.entries("styles")}
        furniture = {
            name: self.read_furniture(name, entry) for name, entry in self.entries("furniture")
        }
        for name, piece in furniture.items():
            self.where[0] = f"furniture.{name}"
            bases = [name for name, other in furniture.items() if not other.base]
            _check_known([piece.base] if piece.base else [], bases, "base")
        things = {name: self.read_thing(name, entry) for name, entry in self.entries("things")}
        rooms = {
            name: self.read_room(entry, floors, furniture) for name, entry in self.entries("rooms")
        }
        for name, room in rooms.items():
            self.where[0] = f"rooms.{name}"
            _check_known(room.like, rooms, "like")
        scenes = {
            name: self.read_scene(entry, rooms, styles) for name, entry in self.entries("scenes")
        }
        self.where[0] = "catalogue"
        counts = Counter([*rooms, *furniture, *things])
        if twice := [name for name, count in counts.items() if count > 1]:
            raise ValueError(f"rooms, furniture and objects share names: {' '.join(twice)}")
        containers = {name for name, thing in things.items() if thing.inside}
        for name, thing in things.items():
            self.where[0] = f"things.{name}"
            _check_known(thing.rooms, rooms, "rooms")
            _check_known(thing.places, {"floor", *furniture, *containers}, "places")
            _check_known(thing.holds, things, "holds")
            _check_known(thing.shows, {**furniture, **things}, "shows")
        for name, piece in furniture.items():
            self.where[0] = f"furniture.{name}"
            _check_known(piece.shows, {**furniture, **things}, "shows")
            for receptacle in piece.receptacles:
                _check_known(receptacle.holds, things, "holds")
        groups = {}
        for name, entry in self.entries("groups"):
            group = groups[name] = read_group(entry, self.expand_names, _check_known)
            _check_known(group.rooms, rooms, "rooms")
            _check_known(group.on, {"floor", *furniture, *containers}, "on")
            for part in group.parts:
                _check_known(part.what, things, "what")
            if any(part.inside for part in group.parts):
                _check_known(group.parts[0].what, containers, "the first part, for `inside`")
        self.where[0] = "people"
        known: dict[str, Iterable[str]] = {"rooms": rooms, "furniture": furniture, "things": things}
        people = read_people(data["people"], self.palette, self.expand_names, known)
        self.where[0] = "leaves"
        leaves = {part: self.palette(colours) for part, colours in data.get("leaves", {}).items()}
        return Catalogue(
            scenes=scenes,
            rooms=rooms,
            furniture=furniture,
            things=things,
            people=people,
            floors=floors,
            colours=self.colours,
            styles=styles,
            groups=groups,
            doors=self.read_doors(rooms),
            leaves=leaves,
        )

    def read_doors(self, rooms: Mapping[str, RoomKind]) -> dict[str, DoorKind]:
        doors: dict[str, DoorKind] = {}
        for _, entry in self.entries("doors") if "doors" in self.data else ():
            kind = DoorKind(float(entry["leaf"]), float(entry["open"]), float(entry["locked"]))
            names = self.expand_names(entry["rooms"])
            _check_known(names, rooms, "rooms")
            if twice := [name for name in names if name in doors]:
                raise ValueError(f"rooms that have doors already: {' '.join(twice)}")
            doors |= dict.fromkeys(names, kind)
        return doors

    def entries(self, table: str) -> Iterable[tuple[str, Mapping[str, Any]]]:
        for name, entry in self.data.get(table, {}).items():
            self.where[0] = f"{table}.{name}"
            yield name, entry

    def expand_names(self, names: Iterable[str]) -> tuple[str, ...]:
        """Return each name once, with lists expanded."""
        spelt_out: dict[str, None] = {}
        for name in names:
            new = self.expand_names(self.lists[name[1:]]) if name.startswith("@") else (name,)
            spelt_out.update(dict.fromkeys(new))
        return tuple(spelt_out)

    def palette(self, names: Iterable[str]) -> Palette:
        key = tuple(names)
        if key not in self._palettes:
            self._palettes[key] = tuple(self.colours[name] for name in self.expand_names(key))
        return self._palettes[key]

    def read_chances(self, affords: Iterable[str], own: Mapping[str, float]) -> dict[str, float]:
        states = [STATE_OF[affordance] for affordance in affords if affordance in STATE_OF]
        _check_known(own, states, "likely")
        return {state: float(own.get(state, self.likely[state])) for state in states}

    def read_furniture(self, name: str, entry: Mapping[str, Any]) -> FurnitureKind:
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
            likely=self.read_chances(affords, entry.get("likely", {})),
            style=style,
            receptacles=tuple(
                self.read_receptacle(receptacle, "openable" in affords)
                for receptacle in entry.get("receptacles", ())
            ),
            base=str(entry.get("base", "")),
            **self.read_common(entry, next(iter(style.values()), ())),
        )

    def read_receptacle(self, entry: Mapping[str, Any], openable: bool) -> ReceptacleKind:
        _check_known([entry["kind"]], ("on", "within"), "kind")
        edge = 0.02 if entry["kind"] == "on" else 0.03
        side = float(entry.get("side", edge))
        layers = int(entry.get("layers", 1))
        within = entry["kind"] == "within"
        kept = PUT_AWAY if within and openable else EMPTY if within or layers > 1 else {}
        own = {state: float(chance) for state, chance in entry.get("likely", {}).items()}
        _check_known(own, PUT_AWAY, "likely")
        return ReceptacleKind(
            name=str(entry["name"]),
            kind=str(entry["kind"]),
            start=float(entry["from"]),
            end=float(entry["to"]) if "to" in entry else None,
            space=float(entry.get("space", 0.4)),
            layers=layers,
            side=side,
            back=float(entry.get("back", side)),
            front=float(entry.get("front", side)),
            work=float(entry.get("work", 0)),
            holds=frozenset(self.expand_names(entry.get("holds", ()))),
            likely={**kept, **own},
        )

    def read_thing(self, name: str, entry: Mapping[str, Any]) -> ThingKind:
        affords = tuple(entry["affords"])
        _check_known(affords, THING_AFFORDANCES, "affords")
        if ("container" in affords) != ("inside" in entry) + ("top" in entry):
            raise ValueError("containers, and nothing else, have `inside` or `top`")
        style = {"body": self.palette(entry["colours"])}
        style |= {part: self.palette(colours) for part, colours in entry.get("style", {}).items()}
        width, depth, height = (float(side) for side in entry["size"])
        inside = [float(share) for share in entry.get("inside", entry.get("top", ()))]
        return ThingKind(
            name=name,
            shape=str(entry.get("shape", name)),
            size=(width, depth, height),
            affords=affords,
            likely=self.read_chances(affords, entry.get("likely", {})),
            style=style,
            rooms=self.expand_names(entry["rooms"]),
            places=self.expand_names(entry["places"]),
            weight=float(entry.get("weight", 1)),
            inside=(inside[0], inside[1], inside[2]) if inside else None,
            varies=_span(entry.get("varies", [0.9, 1.1])),
            flat="top" in entry,
            holds=frozenset(self.expand_names(entry.get("holds", ()))),
            content=_read_synset(entry, "content"),
            **self.read_common(entry, style["body"]),
        )

    def read_common(self, entry: Mapping[str, Any], palette: Palette) -> dict[str, Any]:
        """Read the fields that furniture and objects share.

        Args:
            palette: The colours of the main part.
        """
        synset, behavior = _read_synset(entry, "synset"), _read_synset(entry, "behavior")
        form = str(entry.get("form", ""))
        _check_known([form] if form else [], FORMS, "form")
        materials = self.expand_names(entry.get("materials", ()))
        _check_known(materials, self.materials, "materials")
        made_of = {
            colour: tuple(name for name in materials if colour in self.materials[name])
            for colour in palette
        }
        if materials and not all(made_of.values()):
            raise ValueError("materials: one of its colours belongs to none of them")
        for name in materials:
            if palette and not self.materials[name].intersection(palette):
                raise ValueError(f"materials: {name} does not come in its colours")
        function = str(entry.get("function", ""))
        return {
            "synset": synset,
            "behavior": behavior,
            "materials": materials,
            "form": form,
            "function": function,
            "shows": self.expand_names(entry.get("shows", ())),
            "made_of": made_of,
        }

    def read_room(
        self,
        entry: Mapping[str, Any],
        floors: Mapping[str, FloorKind],
        furniture: Mapping[str, FurnitureKind],
    ) -> RoomKind:
        rules = tuple(_rule(rule) for rule in entry["furniture"])
        for rule in rules:
            _check_known(rule.what, furniture, "what")
            _check_known(rule.companions.values(), furniture, "companions")
        extra = self.expand_names(entry.get("extra", ()))
        _check_known(extra, furniture, "extra")
        kinds = self.expand_names(entry["floors"])
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
            on_floor=int(entry.get("on_floor", 1)),
            coverings=coverings,
            like=tuple(entry.get("like", ())),
            garage_door=float(entry.get("garage_door", 0)),
        )

    def read_style(self, entry: Mapping[str, Any], floors: Mapping[str, FloorKind]) -> StyleKind:
        kinds = self.expand_names(entry["floors"])
        _check_known(kinds, floors, "floors")
        coverings = tuple(entry["coverings"])
        _check_known(coverings, COVERINGS, "coverings")
        return StyleKind(frozenset(self.palette(entry["colours"])), frozenset(kinds), coverings)

    def read_scene(
        self,
        entry: Mapping[str, Any],
        rooms: Mapping[str, RoomKind],
        styles: Mapping[str, StyleKind],
    ) -> SceneKind:
        plain = {field: value for field, value in entry.items() if field != "types"}
        types = {
            name: self.read_scene({**plain, **changed}, rooms, styles)
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
            apart=tuple((str(a), str(b)) for a, b in entry.get("apart", ())),
            height=float(entry["height"]),
            people=(int(entry["people"][0]), int(entry["people"][1])),
            rooms=(int(entry.get("rooms", (3, 8))[0]), int(entry.get("rooms", (3, 8))[1])),
            weight=float(entry.get("weight", 1)),
            scale=float(entry.get("scale", 1)),
            styles=tuple(entry.get("styles", ())),
            entrances=tuple(entry.get("entrances", ())),
            things=int(entry.get("things", MAX_THINGS)),
            types=types,
        )
        _check_known(kind.styles, styles, "styles")
        named = (*kind.first, *kind.then, *kind.most, kind.hub, kind.corridor, kind.single)
        _check_known((*named, *kind.entrances), rooms, "rooms")
        _check_known([name for pair in kind.joined for name in pair], rooms, "joined")
        _check_known([name for pair in kind.apart for name in pair], rooms, "apart")
        return kind


_SYNSET = re.compile(r"[a-z0-9_'.-]+\.n\.\d\d")
_COMPANIONS = ("sides", "front", "before", "opposite", "around", "above")


def _rule(entry: Mapping[str, Any]) -> Rule:
    fields = {"what", "by", "count", "chance", "gap", "middle", "same", "together", *_COMPANIONS}
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
        gap=float(entry.get("gap", 0.2 if by == "row" else 0.8)),
        middle=bool(entry.get("middle", False)),
        same=bool(entry.get("same", False)),
        together=max(1, int(entry.get("together", 1))),
        companions={key: str(entry[key]) for key in _COMPANIONS if key in entry},
    )


def _check_known(names: Iterable[str], options: Iterable[str], field: str) -> None:
    allowed = frozenset(options)
    for name in names:
        if name not in allowed:
            raise ValueError(f"{field}: unknown {name!r}")


def _read_synset(entry: Mapping[str, Any], field: str) -> str:
    """Return a synset, or an empty string. Raises ValueError if it is not like ``mug.n.04``."""
    synset = str(entry.get(field, ""))
    if synset and not _SYNSET.fullmatch(synset):
        raise ValueError(f"{field}: {synset!r} is not like 'mug.n.04'")
    return synset


def _span(value: float | list[float]) -> Span:
    if isinstance(value, list):
        least, most = value
        if not 0 < least <= most:
            raise ValueError(f"{value} is not a range from least to most")
        return float(least), float(most)
    return float(value), float(value)


def _colour(code: str) -> Colour:
    red, green, blue = (int(code[start : start + 2], 16) for start in (1, 3, 5))
    return round(red / 255, 4), round(green / 255, 4), round(blue / 255, 4)
