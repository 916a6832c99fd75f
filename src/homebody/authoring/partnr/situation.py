"""The initial places of the objects of a draft or an episode."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Final

from homebody.authoring.partnr.draft import Draft, Placement
from homebody.goals.partnr import Episode
from homebody.suites.partnr.episodes.scene import furnish, lived_in_scene
from homebody.worlds.house.model.house import Furniture, House, Thing
from homebody.worlds.house.model.state import Place

BEARING: Final[Mapping[str, str]] = {"is_on_top": "on", "is_inside": "within"}
"""Predicate -> the relation to furniture that it requires."""


@dataclass(frozen=True)
class Situation:
    """The initial places and states of the objects of a draft or an episode.

    Attributes:
        house: The house, without the objects.
        category: Object -> category, in order.
        holder: Object -> the furniture or floor that it is on or in.
        within: Objects that are inside their holder rather than on it.
        states: Object or furniture -> explicit states, such as ``{"clean": False}``.
    """

    house: House
    category: dict[str, str]
    holder: dict[str, str]
    within: frozenset[str] = frozenset()
    states: Mapping[str, Mapping[str, bool]] = field(default_factory=dict)

    def room(self, name: str) -> str:
        """Return the room of an object, piece or floor; empty if the name is unknown."""
        at = self.holder.get(name, name)
        if at in self.house.piece:
            return self.house.piece[at].room
        return self.house.floors[at].name if at in self.house.floors else ""

    def of_kind(self, category: str) -> tuple[str, ...]:
        """Return the objects of a category."""
        return tuple(name for name, own in self.category.items() if own == category)

    def pieces(self, category: str, rooms: Iterable[str] | None = None) -> tuple[str, ...]:
        """Return the furniture of a category, in some rooms or all."""
        wanted = None if rooms is None else frozenset(rooms)
        return tuple(
            piece.name
            for piece in self.house.furniture
            if piece.category == category and (wanted is None or piece.room in wanted)
        )


def situation(subject: Draft | Episode, house: House) -> Situation:
    """Return the initial situation, including the house's own objects that certainly stay."""
    if isinstance(subject, Episode):
        things = furnish(house, subject).things
        states = {thing.name: dict(thing.states) for thing in things}
        for state, values in subject.states.items():
            for name, value in values.items():
                states.setdefault(name, {})[state.removeprefix("is_")] = value
        return _of_things(house, things, states)
    named = dict(objects_of(subject.placements))
    states = {name: dict(placed.states) for name, placed in named.items() if placed.states}
    states |= {name: dict(given) for name, given in subject.furniture_states.items()}
    staying = subject.staying or frozenset[str]()
    own = [thing for thing in lived_in_scene(house.seed).things if thing.name in staying]
    there = _of_things(house, own, states)
    return Situation(
        house,
        {name: placed.category for name, placed in named.items()} | there.category,
        {name: placed.furniture for name, placed in named.items()} | there.holder,
        there.within.union(name for name, placed in named.items() if placed.relation == "within"),
        states,
    )


def _of_things(
    house: House, things: Iterable[Thing], states: Mapping[str, Mapping[str, bool]]
) -> Situation:
    return Situation(
        house,
        {thing.name: thing.category for thing in things},
        {thing.name: thing.place[0] for thing in things},
        frozenset(thing.name for thing in things if _is_within(house, thing.place)),
        states,
    )


def objects_of(placements: Iterable[Placement]) -> list[tuple[str, Placement]]:
    """Return the objects of placements with their names. Unnamed ones are ``category_0``,
    ``category_1`` ... in order."""
    counts: dict[str, int] = {}
    objects = []
    for placed in placements:
        for place in range(placed.number):
            index = counts.get(placed.category, 0)
            counts[placed.category] = index + 1
            name = placed.names[place] if placed.names else f"{placed.category}_{index}"
            objects.append((name, placed))
    return objects


def bears(piece: Furniture, relation: str) -> bool:
    """Return whether objects can be ``on`` or ``within`` a piece."""
    return any(receptacle.kind == relation for receptacle in piece.receptacles)


def _is_within(house: House, place: Place) -> bool:
    owner, receptacle = place
    piece = house.piece.get(owner)
    kinds = (
        {receptacle.name: receptacle.kind for receptacle in piece.receptacles}
        if piece is not None
        else {}
    )
    return kinds.get(receptacle) == "within"
