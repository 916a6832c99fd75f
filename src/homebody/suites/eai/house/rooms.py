"""The rooms of tasks: the content of their pictures as objects and facts.

Facts have the predicates of the BEHAVIOR world: ``open``, ``toggled_on``, ``ontop``, ``inside`` and
``onfloor``. Only objects in the pictures exist.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from threading import Lock
from typing import TYPE_CHECKING, Annotated, Final, TypeAlias

import msgspec
from msgspec import Meta

from homebody.core import Fact
from homebody.core.play.conversation import Image
from homebody.worlds.behavior import Thing
from homebody.worlds.house.generation.generate import generate
from homebody.worlds.house.model.bounds import Name, Seed
from homebody.worlds.house.model.catalogue import catalogue
from homebody.worlds.house.model.house import Furniture, House
from homebody.worlds.house.model.house import Thing as HouseThing
from homebody.worlds.house.model.state import HouseState

if TYPE_CHECKING:  # they need the extra ``house``
    from homebody.worlds.house.rendering.render import Picture, Renderer

SIDE: Final = 448
"""Height and width of pictures, in pixels."""
FOV: Final = 90.0
"""Field of view over the width and height of pictures, in degrees."""
SEEN: Final = 200
"""Minimum number of pixels at which an object counts as seen: some 14 by 14."""
STATES: Final = {"open": "open", "powered_on": "toggled_on"}
"""State of a house that is visible in pictures -> state of BEHAVIOR."""
ABILITIES: Final = {"open": "openable", "powered_on": "toggleable"}
ALWAYS_ON: Final = frozenset({"aquarium", "fridge", "freezer", "thermostat", "wall_clock"})
"""Furniture that nobody switches off."""

_Number = Annotated[float, Meta(ge=-1e4, le=1e4)]
_Texts: TypeAlias = Annotated[tuple[Name, ...], Meta(min_length=2, max_length=3)]
"""A predicate and its arguments."""


class VisibleObject(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An object or piece of furniture visible in pictures of a room.

    Attributes:
        name: Name in its house.
        category: Category of the catalogue, or ``floor``.
        abilities: Its abilities: ``openable``, ``toggleable``.
        litres: Volume of its bounding box.
        fixed: True if it cannot be moved.
    """

    name: Name
    category: Name
    abilities: Annotated[tuple[Name, ...], Meta(max_length=4)]
    litres: Annotated[float, Meta(gt=0, le=1e7)]
    fixed: bool


class Room(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A room of a home in some state, seen from some places.

    Attributes:
        house: Seed of the home.
        name: Name of the room.
        changes: Furniture, state and value that differ from the initial home.
        cameras: x, y, height in metres, yaw and pitch in degrees of each picture.
        objects: Objects of the room in the pictures.
        facts: Facts that hold.
        unclear: States whose truth the pictures do not show.
    """

    house: Seed
    name: Name
    changes: Annotated[tuple[tuple[Name, Name, bool], ...], Meta(max_length=64)]
    cameras: Annotated[
        tuple[tuple[_Number, _Number, _Number, _Number, _Number], ...],
        Meta(min_length=1, max_length=8),
    ]
    objects: Annotated[tuple[VisibleObject, ...], Meta(max_length=500)]
    facts: Annotated[tuple[_Texts, ...], Meta(max_length=2_000)]
    unclear: Annotated[tuple[_Texts, ...], Meta(max_length=500)] = ()

    @property
    def things(self) -> tuple[Thing, ...]:
        """The objects in the BEHAVIOR world."""
        return tuple(
            Thing(
                name=each.name,
                category=each.category,
                kind=each.category,
                abilities=frozenset(each.abilities),
                fixed=each.fixed,
                floor=each.category == "floor",
                litres=each.litres,
            )
            for each in self.objects
        )

    @property
    def stated_facts(self) -> tuple[Fact, ...]:
        """The facts, and the possible states that objects do not have."""
        held = set(self.facts)
        able = {ABILITIES[state]: fact for state, fact in STATES.items()}
        denied = (
            ("not", able[ability], each.name)
            for each in self.objects
            for ability in each.abilities
            if (able[ability], each.name) not in held
        )
        return (*self.facts, *denied)


@lru_cache(12)
def home(seed: int) -> House:
    """Generate the home of a seed: four to seven rooms."""
    return generate(seed, "home", rooms=4 + seed % 4)


_DRAWING: Final = Lock()


@lru_cache(2)
def _renderer(seed: int) -> Renderer:
    from homebody.worlds.house.rendering.render import Renderer

    return Renderer.of(home(seed))


def make_state(house: House, changes: Sequence[tuple[str, str, bool]]) -> HouseState:
    """Make the state of a house after some changes to its initial state."""
    state = HouseState.start(house)
    for name, what, value in changes:
        state.set(name, what, value)
    return state


def pictures(
    seed: int,
    changes: Sequence[tuple[str, str, bool]],
    cameras: Sequence[tuple[float, float, float, float, float]],
) -> list[Picture]:
    """Render a home in a state from some cameras. Needs the extra ``house``."""
    from homebody.worlds.house.rendering.render import Camera

    state = make_state(home(seed), changes)
    with _DRAWING:  # samples run in threads
        renderer = _renderer(seed)
        renderer.update(state)
        return [
            renderer.picture(Camera((x, y, z), yaw, pitch, SIDE, SIDE, FOV))
            for x, y, z, yaw, pitch in cameras
        ]


@lru_cache(16)
def images(room: Room) -> tuple[Image, ...]:
    """Return the pictures of a room, numbered. Needs the extra ``house``."""
    drawn = pictures(room.house, room.changes, room.cameras)
    return tuple(Image(f"Picture {at}", each.rgb) for at, each in enumerate(drawn, 1))


def pixels(drawn: Sequence[Picture]) -> dict[str, int]:
    """Map each name to its number of pixels in the picture that shows it largest."""
    most: dict[str, int] = {}
    for each in drawn:
        numbers, counts = _counts(each)
        for number, count in zip(numbers, counts, strict=True):
            name = each.names[number]
            most[name] = max(most.get(name, 0), count)
    return most


def _counts(picture: Picture) -> tuple[list[int], list[int]]:
    import numpy as np

    numbers, counts = np.unique(picture.ids, return_counts=True)
    return numbers.tolist(), counts.tolist()


def visible_contents(
    state: HouseState, room: str, most: Mapping[str, int]
) -> tuple[tuple[VisibleObject, ...], tuple[tuple[str, ...], ...]]:
    """Return the visible objects and the facts of a room.

    Args:
        state: State of the house.
        room: Name of the room.
        most: Name -> number of pixels; fewer than :data:`SEEN` do not count as seen.
    """
    house, known = state.house, catalogue()
    floor = house.room[room].floor_name
    holders = {piece.name for piece in house.furniture if piece.room == room} | {floor}
    within: dict[str, str] = {}
    for thing in house.things:
        at = thing.name
        while at in state.places:
            at = state.places[at][0]
        if at in holders:
            within[thing.name] = at
    objects = [VisibleObject(floor, "floor", (), 1e5, True)]
    wholes: list[Furniture | HouseThing] = [*house.furniture, *house.things]
    for each in wholes:
        if most.get(each.name, 0) < SEEN or (each.name not in holders and each.name not in within):
            continue
        fixed = each.category in known.furniture
        x, y, z = each.size
        can = tuple(
            ability
            for name, ability in ABILITIES.items()
            if name in each.states and not (name == "powered_on" and each.category in ALWAYS_ON)
        )
        litres = round(max(1000 * x * y * z, 0.001), 3)
        objects.append(VisibleObject(each.name, each.category, can if fixed else (), litres, fixed))
    names = {each.name for each in objects}
    facts: list[tuple[str, ...]] = []
    for seen in objects:
        facts += [
            (fact, seen.name)
            for name, fact in STATES.items()
            if ABILITIES[name] in seen.abilities and state.is_in_state(seen.name, name)
        ]
        holder, place = state.places.get(seen.name, ("", ""))
        if holder in names:
            facts.append((_relation(house, holder, place), seen.name, holder))
    return tuple(objects), tuple(facts)


def _relation(house: House, holder: str, place: str) -> str:
    """Return the relation of an object to its holder, which is an object, furniture or a floor."""
    whole = house.piece.get(holder) or house.thing.get(holder)
    if whole is None:
        return "onfloor"
    kinds = {receptacle.name: receptacle.kind for receptacle in whole.receptacles}
    return "inside" if kinds.get(place) == "within" else "ontop"
