"""A house as arrays of fixed size for learning agents: the knowledge of an agent, and its possible
actions.

Each room, piece of furniture, object, person, agent and door has a slot, in this order. Each kind
starts at a fixed slot, so a slot has the same kind in every house. Slots of unknown objects are
zero. An action is the number of a skill and of a slot.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

from homebody.core.action import Action
from homebody.core.ground.user_errors import HomebodyError
from homebody.worlds.house.model.catalogue import catalogue
from homebody.worlds.house.model.house import POSTURES, House
from homebody.worlds.house.simulation.simulation import Simulation

Bools = NDArray[np.bool_]
Floats = NDArray[np.float32]
Ints = NDArray[np.int32]

SKILLS = (
    "Wait", "Navigate", "Explore", "Pick", "PlaceOn", "PlaceWithin", "Open", "Close",
    "Clean", "Fill", "Pour", "PowerOn", "PowerOff",
)  # fmt: skip
"""Rows of the table of actions. PlaceOn and PlaceWithin place the object in the first full hand."""
STATES = ("open", "powered_on", "clean", "filled", "locked")
FEATURES = (
    "known", "x", "y", "z", "distance", "width", "depth", "height",
    *STATES, "mine", "held", "on", "within", "here",
)  # fmt: skip
"""Columns of the table of slots. Positions and sizes are in metres; a state is 1 (true), -1 (false)
or 0 (absent or unknown)."""
_KINDS = ("room", "furniture", "object", "person", "agent", "door")


_MOST_FURNITURE = 240
"""Maximum number of pieces in public buildings of up to 12 rooms; homes have fewer."""
_IN_HANDS = 10
"""Maximum number of objects in people's hands, which a scene has beside its other objects."""


@dataclass(frozen=True, slots=True)
class Sizes:
    """Slots per kind; the default fits inhabited homes of up to 12 rooms."""

    rooms: int = 12
    furniture: int = 160
    objects: int = 460
    people: int = 8
    agents: int = 4
    doors: int = 24

    @classmethod
    def of_kind(cls, kind: str) -> Sizes:
        """Return sizes that fit the houses of a kind of scene, such as stocked shops, of up to 12
        rooms at the usual density. Raises HomebodyError if there is no such kind."""
        scenes = catalogue().scenes
        if kind not in scenes:
            raise HomebodyError(
                f"unknown kind of scene {kind[:40]!r}", f"choose one of: {', '.join(scenes)}"
            )
        if kind == "home":
            return cls()
        return cls(furniture=_MOST_FURNITURE, objects=scenes[kind].things + _IN_HANDS)

    def raised(self, house: House, agents: int) -> Sizes:
        """Return sizes that are at least these, and fit a house with a number of agents."""
        numbers = (*map(len, (house.rooms, house.furniture, house.things, house.people)), agents)
        pairs = zip(self._all(), (*numbers, len(house.door)), strict=True)
        return Sizes(*(max(pair) for pair in pairs))

    @property
    def total(self) -> int:
        """Total number of slots."""
        return sum(self._all())

    def _all(self) -> tuple[int, ...]:
        return self.rooms, self.furniture, self.objects, self.people, self.agents, self.doors

    def slots(self, house: House, agents: Sequence[str]) -> dict[str, int]:
        """Return the slots by name.

        Raises:
            HomebodyError: The house is too large for these sizes.
        """
        slots: dict[str, int] = {}
        first = 0
        groups: tuple[list[str], ...] = (
            [room.name for room in house.rooms],
            [piece.name for piece in house.furniture],
            [thing.name for thing in house.things],
            [person.name for person in house.people],
            list(agents),
            list(house.door),
        )
        for kind, size, names in zip(_KINDS, self._all(), groups, strict=True):
            if len(names) > size:
                raise HomebodyError(
                    f"the house has {len(names)} of kind {kind}, the observation {size} slots",
                    f"make the environment with larger sizes, such as sizes={house.kind!r}",
                )
            slots |= {name: first + number for number, name in enumerate(names)}
            first += size
        return slots


@cache
def categories() -> Mapping[str, int]:
    """Return the numbers of categories, from 2; 0 is nothing, 1 an unknown category."""
    entries = catalogue()
    names = [*entries.rooms, *entries.furniture, *entries.things]
    names += [*POSTURES, "agent", "door"]
    return {name: number for number, name in enumerate(dict.fromkeys(names), start=2)}


_MASKED: Final = "choose an action that the mask allows"


def action_of(
    simulation: Simulation, agent: str, names: Mapping[int, str], skill: int, slot: int
) -> Action:
    """Return the action of a skill and a slot.

    Raises:
        HomebodyError: The slot is empty, or nothing is held to be placed; such actions are always
            masked.
    """
    name, target = SKILLS[skill], names.get(slot)
    if name == "Wait":
        return Action("Wait")
    if target is None:
        raise HomebodyError(f"action {name}: slot {slot} is empty", _MASKED)
    if name not in ("PlaceOn", "PlaceWithin"):
        return Action(name, (target,))
    held = next(iter(simulation.state.held_by(agent).values()), None)
    if held is None:
        raise HomebodyError(f"you hold nothing to put on or in {target}", _MASKED)
    room = simulation.state.house.room.get(target)
    on = room.floor_name if room is not None else target
    return Action("Place", (held, "on" if name == "PlaceOn" else "within", on))
