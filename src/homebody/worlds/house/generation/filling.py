"""Fills rooms with objects: first groups, then single objects up to the required number."""

from __future__ import annotations

import math
from collections.abc import Sequence

from homebody.worlds.house.generation.grouping import place_groups
from homebody.worlds.house.generation.random_draws import sample_weighted
from homebody.worlds.house.generation.slots import Slot
from homebody.worlds.house.generation.small_objects import Stocker
from homebody.worlds.house.model.catalogue import ThingKind
from homebody.worlds.house.model.house import Thing

_SINGLES = 0.25
"""Share of the objects of a room that are placed one by one, not in groups."""
_FLOOR_SHARE = 0.2
"""Probability that an object is placed on the floor, if it may be there."""
_IN_VAIN = 25
"""Number of consecutive failures after which a room counts as full."""
_ALL_IN_VAIN = 150
"""Number of consecutive failures after which a whole house counts as full."""


def fill(stocker: Stocker, targets: Sequence[int], exactly: bool = False) -> None:
    """Put objects into a house.

    Args:
        stocker: The :class:`Stocker` of the house.
        targets: Number of objects for each room.
        exactly: True to put objects that do not fit into other rooms, until the house is full.
    """
    total = sum(targets)
    rooms = [_Room(stocker, number) for number in range(len(targets))]
    for room, target in zip(rooms, targets, strict=True):
        limit = min(target - stocker.counts[room.number], total - len(stocker.things))
        limit += len(stocker.things)
        place_groups(stocker, room.number, limit, round(_SINGLES * target))
        in_vain = 0
        while len(stocker.things) < limit and in_vain < _IN_VAIN:
            in_vain = 0 if room.add_one(limit) else in_vain + 1
    shares = [
        max(target, 1.0) if room.options else 0.0
        for room, target in zip(rooms, targets, strict=True)
    ]
    for strewn in (False, True) if exactly and any(shares) else ():
        if strewn and len(stocker.things) < total:
            stocker.strew()
            rooms = [_Room(stocker, number) for number in range(len(targets))]
        in_vain = 0
        while len(stocker.things) < total and in_vain < _ALL_IN_VAIN:
            more = rooms[sample_weighted(stocker.rng, shares)].add_one(total)
            in_vain = 0 if more else in_vain + 1


class _Room:
    """A room while single objects are put into it. Categories that it already has are sampled less
    often."""

    def __init__(self, stocker: Stocker, number: int) -> None:
        self.stocker = stocker
        self.number = number
        self.options = stocker.options[number]
        self.weights = [kind.weight for kind, _ in self.options]
        self.counts = [0] * len(self.options)

    def add_one(self, limit: int) -> bool:
        """Try to add an object and its contents, up to ``limit`` in the house; return success."""
        if not self.options:
            return False
        stocker = self.stocker
        number = sample_weighted(stocker.rng, self.weights)
        kind, slots = self.options[number]
        open_slots = [slot for slot in slots if slot.can_take_more(kind.name)]
        floors = [slot for slot in open_slots if slot.category == "floor"]
        others = [slot for slot in open_slots if slot.category != "floor"]
        if not floors and not others:
            self.weights[number] = 0.0
            return False
        if floors and (not others or stocker.rng.random() < _FLOOR_SHARE):
            slot = floors[0]
        else:  # prefer empty slots, and not those where people sit or lie
            weights = [(0.25 if other.seat else 1.0) / (1 + len(other.taken)) for other in others]
            slot = others[sample_weighted(stocker.rng, weights)]
        if not stocker.put(kind, slot):
            return False
        self.counts[number] += 1
        self.weights[number] = (
            kind.weight / (1 + self.counts[number]) / math.sqrt(1 + self.counts[number])
        )
        if kind.inside and len(stocker.things) < limit and stocker.rng.random() < 0.6:
            self._fill_container(kind, stocker.things[-1], slot, limit)
        return True

    def _fill_container(self, kind: ThingKind, thing: Thing, outer: Slot, limit: int) -> None:
        """Put the usual contents into a container."""
        stocker = self.stocker
        slot = stocker.slot_in(thing, outer)
        around = [option for option, _ in self.options if not option.inside]
        options = [
            option for option in around if kind.name in option.places or option.name in kind.holds
        ]
        for _ in range(int(stocker.rng.integers(1, 4))):
            if options and len(stocker.things) < limit:
                weights = [option.weight for option in options]
                stocker.put(options[sample_weighted(stocker.rng, weights)], slot)
