"""The scene of an episode while the built-in author writes it.

It names and places objects, and resolves descriptions: :meth:`Stage.resolve` returns the objects
that a description means, so that words can be checked against the scene.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TypeVar

import numpy as np

from homebody.authoring.language.names import lexicon
from homebody.authoring.partnr.draft import Placement
from homebody.authoring.partnr.grammar.meaning import Spot, Things
from homebody.authoring.partnr.grammar.themes import Moving, Place
from homebody.core.ground.seeds import choose, shuffle
from homebody.suites.partnr.episodes.scene import lived_in_scene
from homebody.worlds.house.model.catalogue import catalogue
from homebody.worlds.house.model.house import Furniture, House
from homebody.worlds.house.model.receptacles import (
    relations_to,
    resolve_relation,
    thing_receptacles,
)

FULL = 0.4
"""Maximum share of a surface that the objects may cover, at the start or at the end."""
WIDER = 0.5
"""Probability that furniture is named by a wider word: a table for a coffee table."""
SPARE = 1.02
"""Ratio of the space that an object needs to its largest dimension."""
_DESCRIBED = ("table",)
"""Furniture that is always named with its room, because its word alone is too vague."""
_T = TypeVar("_T")


class Stuck(Exception):
    """Raised when the house or the scene so far does not allow a step; the caller samples again."""


@dataclass(slots=True)
class PlacedObject:
    """An object of the task: its name, category, place, and relevant states."""

    name: str
    category: str
    furniture: str
    relation: str
    states: dict[str, bool] = field(default_factory=dict)


class Stage:
    """The scene during composition. ``rng`` makes all random choices."""

    def __init__(self, house: House, rng: np.random.Generator) -> None:
        self.house = house
        self.rng = rng
        self.placed: list[PlacedObject] = []
        self.furniture_states: dict[str, dict[str, bool]] = {}
        self.mentioned: set[str] = set()
        self.moved: list[Moving] = []
        self.lived_in = lived_in_scene(house.seed)
        self._load: dict[tuple[str, str], float] = {}
        self._count: dict[str, int] = {}

    # -- drawing --------------------------------------------------------------------------------

    def chance(self, share: float) -> bool:
        """Return True with a probability."""
        return bool(self.rng.random() < share)

    def choice(self, options: Sequence[_T]) -> _T:
        """Return a random option. Raises Stuck without options."""
        if not options:
            raise Stuck
        return choose(self.rng, options)

    def shuffle(self, items: Iterable[_T]) -> list[_T]:
        """Return items in random order."""
        return shuffle(self.rng, items)

    # -- places ---------------------------------------------------------------------------------

    def pieces(self, categories: Iterable[str], relation: str) -> list[Furniture]:
        """Return the furniture of these categories that objects can be on, or within."""
        wanted = frozenset(categories)
        return [
            piece
            for piece in self.house.furniture
            if piece.category in wanted
            and (not relation or any(space.kind == relation for space in piece.receptacles))
        ]

    def _bearing_furniture(
        self, categories: Iterable[str], said: str
    ) -> tuple[list[Furniture], str]:
        """Return the furniture of these categories that can hold objects, and the relation (on or
        within) that people would use for it."""
        pieces = self.pieces(categories, "")
        kinds = {space.kind for piece in pieces for space in piece.receptacles}
        relation = resolve_relation(said, kinds)
        return (self.pieces(categories, relation) if relation else []), relation

    def rooms(self, kind: str) -> tuple[str, ...]:
        """The rooms of a kind."""
        return tuple(room.name for room in self.house.rooms if room.kind == kind)

    def spot(self, place: Place, described: float = 0.22) -> Spot | None:
        """Return a description of a place that fits a theme; None if the house has no such
        place."""
        if place.kind == "room":
            names = self.rooms(place.name)
            return Spot("room", place.name, "", names) if names else None
        if place.kind == "floor":
            names = tuple(f"floor_{room}" for room in self.rooms(place.name))
            return Spot("floor", place.name, "on", names) if names else None
        if place.kind == "container":
            return self._container(place)
        wider = lexicon().wider.get(place.name)
        on_top = place.relation == "on" and bool(self.pieces((place.name,), "on"))
        if wider and on_top and not place.loose and self.chance(WIDER):
            wider_spot = self.spot(Place("furniture", wider, place.relation, loose=True), 0.75)
            if wider_spot is not None and set(wider_spot.names) & {
                piece.name for piece in self.pieces((place.name,), place.relation)
            }:
                return wider_spot
        word = place.name
        meant = lexicon().pieces(word) if place.loose else (word,)
        own, relation = self._bearing_furniture(meant, place.relation)
        if not own:
            return None
        covered = self.pieces(lexicon().pieces(word), relation)
        kinds = list(dict.fromkeys(self._kind(piece) for piece in own))
        room = ""
        if (word in _DESCRIBED and not place.loose) or (
            len(covered) > 1 and self.chance(described)
        ):
            room = self.choice(kinds)
        fits = [piece for piece in covered if not room or self._kind(piece) == room]
        names = tuple(piece.name for piece in fits)
        return Spot("furniture", word, relation, names, room, len(fits) < len(covered))

    def _kind(self, piece: Furniture) -> str:
        return self.house.room[piece.room].kind

    def _container(self, place: Place) -> Spot:
        kind = catalogue().things[place.name]
        (relation,) = relations_to(kind)
        if any(placed.category in lexicon().alike(place.name) for placed in self.placed):
            raise Stuck
        there_already = tuple(
            placed.name for placed in self.placed if placed.category == place.name
        )
        if there_already:
            return Spot("container", place.name, relation, there_already)
        usual = [
            Place("furniture", proposition, "on")
            for proposition in kind.places
            if proposition != "floor"
        ]
        usual += [Place("floor", room, "on") for room in kind.rooms]
        for source in self.shuffle(usual):
            start = self.somewhere(source, place.name, ())
            if start is not None:
                name = self.put(place.name, *start)
                return Spot("container", place.name, relation, (name,))
        raise Stuck

    def somewhere(
        self, place: Place, category: str, avoid: Iterable[str], number: int = 1
    ) -> tuple[str, str] | None:
        """Return a piece or floor, and the relation, where objects of a category can start. None if
        ``avoid`` (names of furniture, floors and rooms) excludes all."""
        no = frozenset(avoid)
        if place.kind == "floor":
            names = [f"floor_{room}" for room in self.rooms(place.name) if room not in no]
            names = [name for name in names if name not in no]
            return (self.choice(names), "on") if names else None
        pieces, relation = self._bearing_furniture((place.name,), place.relation)
        fits = [
            piece
            for piece in pieces
            if piece.name not in no
            and piece.room not in no
            and self.has_room(piece.name, relation, (category,) * number)
        ]
        return (self.choice(fits).name, relation) if fits else None

    def has_room(self, holder: str, relation: str, categories: Sequence[str]) -> bool:
        """Return whether there is space for objects of these categories beside the objects that are
        or will be there."""
        piece = self.house.piece.get(holder)
        if piece is None:
            return True
        spaces = [
            [high - low for low, high in zip(receptacle.low, receptacle.high, strict=True)]
            for receptacle in piece.receptacles
            if receptacle.kind == relation
        ]
        need = 0.0
        for category in categories:
            w, d, h = (side * SPARE for side in catalogue().things[category].largest)
            if not any(
                h <= c and ((w <= a and d <= b) or (d <= a and w <= b)) for a, b, c in spaces
            ):
                return False
            need += w * d
        taken = self._load.get((holder, relation), 0.0)
        area = sum(a * b for a, b, _ in spaces)
        return need + taken <= area * FULL or (taken == 0.0 and len(categories) == 1)

    def can_take(self, spot: Spot, categories: Sequence[str], same: bool = False) -> bool:
        """Return whether a spot has room for objects of these categories: each of its
        places must hold each object, and together (or each alone, if the objects share one)
        they must hold all."""
        if spot.kind in ("room", "floor", "back"):
            return True
        if spot.kind == "container":
            holder = catalogue().things[spot.word]
            x, y, z = (side * holder.varies[0] / SPARE for side in holder.size)
            (space,) = thing_receptacles(holder, (x, y, z))
            w, d, h = (b - a for a, b in zip(space.low, space.high, strict=True))
            need = 0.0
            for category in categories:
                a, b, c = (side * SPARE for side in catalogue().things[category].largest)
                if c > h or not ((a <= w and b <= d) or (b <= w and a <= d)):
                    return False
                need += a * b
            return need <= 0.6 * w * d
        if not all(
            self.has_room(name, spot.relation, (category,))
            for name in spot.names
            for category in categories
        ):
            return False
        rooms = [self.has_room(name, spot.relation, categories) for name in spot.names]
        return all(rooms) if same else any(rooms)

    def has_room_for_all(self, spot: Spot) -> bool:
        """Return whether each place of a spot has room for all objects with a claim there."""
        return spot.kind != "furniture" or all(
            self.has_room(name, spot.relation, ()) for name in spot.names
        )

    def claim(self, spot: Spot, categories: Iterable[str]) -> None:
        """Reserve room for the objects that come to a spot."""
        if spot.kind != "furniture":
            return
        for category in categories:
            w, d, _ = catalogue().things[category].size
            for name in spot.names:
                key = name, spot.relation
                self._load[key] = self._load.get(key, 0.0) + w * d
        self.mentioned.update(spot.names)

    def places_to_avoid(self, spots: Iterable[Spot]) -> set[str]:
        """Return the places where objects with these targets must not start.

        These are the targets, rooms that are targets, and furniture above them: by the paper's
        definition an object in a wall cabinet is on top of the counter below."""
        names: set[str] = set()
        for spot in spots:
            names.update(spot.names)
            if spot.kind == "floor":
                names.update(name.removeprefix("floor_") for name in spot.names)
            if spot.kind == "room":
                names.update(f"floor_{name}" for name in spot.names)
            if spot.kind == "furniture":
                targets = [self.house.piece[name] for name in spot.names]
                categories = {target.category for target in targets}
                names.update(
                    piece.name
                    for piece in self.house.furniture
                    if piece.receptacles
                    and (
                        piece.category in categories
                        or any(_is_above(piece, other) for other in targets)
                    )
                )
        return names

    # -- objects --------------------------------------------------------------------------------

    def put(
        self,
        category: str,
        furniture: str,
        relation: str,
        states: Mapping[str, bool] | None = None,
    ) -> str:
        """Put an object at an initial place and return its name.

        Its number is drawn when the episode is made (:mod:`..instantiate`)."""
        number = self._count.get(category, len(self.own_things(category)))
        self._count[category] = number + 1
        name = f"{category}_{number}"
        self.placed.append(PlacedObject(name, category, furniture, relation, dict(states or {})))
        w, d, _ = catalogue().things[category].size
        key = furniture, relation
        self._load[key] = self._load.get(key, 0.0) + w * d
        return name

    def own_things(self, category: str) -> list[str]:
        """Return the house's own objects of a category."""
        return [thing.name for thing in self.lived_in.things if thing.category == category]

    def mark(self) -> int:
        """Return the number of objects so far, which :meth:`undo` takes as a mark."""
        return len(self.placed)

    def undo(self, mark: int) -> None:
        """Remove the objects that were added after a mark."""
        for placed in reversed(self.placed[mark:]):
            self._count[placed.category] -= 1
            w, d, _ = catalogue().things[placed.category].size
            self._load[placed.furniture, placed.relation] -= w * d
        del self.placed[mark:]

    def is_free(self, category: str) -> bool:
        """Return whether an additional object of a category could not be confused with other
        objects."""
        alike = lexicon().alike(category)
        if any(piece.category.endswith(f"_{category}") for piece in self.house.furniture):
            return False  # a potted plant is a plant
        return not any(
            placed.category == category or placed.category in alike for placed in self.placed
        )

    def thing(self, name: str) -> PlacedObject:
        """Return the object of a name."""
        return next(placed for placed in self.placed if placed.name == name)

    def resolve(self, things: Things) -> tuple[str, ...]:
        """Return the objects that a description means."""
        categories = lexicon().categories(things.word) - {things.but}
        return tuple(
            placed.name
            for placed in self.placed
            if placed.category in categories
            and (things.where is None or self.is_at(placed, things.where))
            and (not things.state or placed.states.get("clean") is (things.state == "clean"))
        )

    def is_at(self, placed: PlacedObject, where: Spot) -> bool:
        """Return whether an object starts at a described place."""
        if where.kind == "room":
            piece = self.house.piece.get(placed.furniture)
            room = piece.room if piece else placed.furniture.removeprefix("floor_")
            return room in where.names
        return placed.furniture in where.names and placed.relation == where.relation

    def origins(self) -> dict[str, tuple[str, str]]:
        """Return object -> its initial piece or floor, and the relation."""
        return {placed.name: (placed.furniture, placed.relation) for placed in self.placed}

    def placements(self) -> tuple[Placement, ...]:
        """Return the placements; consecutive objects with the same placement are merged."""
        placements: list[Placement] = []
        for placed in self.placed:
            names = (placed.name,)
            alike = Placement(
                placed.category, 1, placed.furniture, placed.relation, placed.states, names
            )
            last = placements[-1] if placements else None
            if last is not None and _is_same_but_number(last, alike):
                more = (*last.names, *names)
                placements[-1] = replace(last, number=len(more), names=more)
            else:
                placements.append(alike)
        return tuple(placements)

    def usable_categories(self, moving: Moving) -> list[str]:
        """Return the categories of a move that can still be added."""
        return [things for things in moving.things if self.is_free(things)]


def _is_same_but_number(placed: Placement, other: Placement) -> bool:
    states: tuple[Mapping[str, bool], Mapping[str, bool]] = (placed.states, other.states)
    return (placed.category, placed.furniture, placed.relation) == (
        other.category,
        other.furniture,
        other.relation,
    ) and states[0] == states[1]


def _is_above(piece: Furniture, other: Furniture) -> bool:
    """Return whether objects on or in a piece of furniture can be above another piece."""
    a, b = piece.box, other.box
    return (
        piece.name != other.name
        and a.high[2] > b.low[2]
        and a.low[0] < b.high[0] - 1e-6
        and a.high[0] > b.low[0] + 1e-6
        and a.low[1] < b.high[1] - 1e-6
        and a.high[1] > b.low[1] + 1e-6
    )
