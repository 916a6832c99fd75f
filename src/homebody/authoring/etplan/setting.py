"""What tasks are drafted in, a house or a scene graph as it is at first: what is there, what goes
where, how far it is."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache, cached_property
from itertools import chain
from typing import TypeAlias

from homebody.goals.etplan import Condition, Target
from homebody.suites.etplan.facts import Facts
from homebody.suites.etplan.house_facts import HouseFacts
from homebody.suites.etplan.scenes import home
from homebody.suites.etplan.tasks import SPLITS
from homebody.worlds.house.model.state import HouseState

Start: TypeAlias = tuple[float, float, float] | str
"""Where a robot starts: x and y in metres and yaw in degrees, or a room."""
CLEARLY = 3.0
"""Metres beyond which nobody would say that one thing is near another."""


class Setting(ABC):
    """A world as it is at first.

    Attributes:
        facts: How it is.
        needs_hand: Whether nobody can open anything whose hands are full.
    """

    facts: Facts
    needs_hand: bool

    @cached_property
    def categories(self) -> Sequence[str]:
        """Classes of things and furniture that can be gone to, sorted."""
        names = (name for name in self._names() if self.facts.room(name) != name)
        return sorted(set(map(self.facts.category, names)))

    @property
    @abstractmethod
    def grabbable(self) -> Sequence[str]:
        """Classes of things that can be carried, sorted."""

    @abstractmethod
    def starts(self) -> Sequence[Sequence[Start]]:
        """Where the robot can start: for each room the places in it."""

    def kind(self, category: str) -> str:
        """What the catalogue of houses calls a class; empty if it has none of it."""
        return category

    def instances(self, category: str) -> Sequence[str]:
        """What a class can stand for, of what can be gone to; rooms too."""
        return self._instances.get(category, ())

    @cached_property
    def _instances(self) -> Mapping[str, Sequence[str]]:
        found: dict[str, list[str]] = {}
        for name in self._names():
            found.setdefault(self.facts.category(name), []).append(name)
        return found

    @abstractmethod
    def _names(self) -> Iterable[str]:
        """All that can be gone to, rooms too."""

    @abstractmethod
    def relations(self, name: str) -> Iterator[Condition]:
        """What could be said of where a thing is found: that it is on or in something, in a room,
        or close to a piece of furniture."""

    def holds_for(self, name: str, condition: Condition) -> bool:
        """Whether a thing is in a relation to anything of a class."""
        others = self.facts.instances(condition.second)
        return any(self.facts.holds(condition.relation, name, other) for other in others)

    @abstractmethod
    def is_nearly(self, name: str, condition: Condition) -> bool:
        """Whether a thing is so near to anything of a class that some would call it close."""

    @abstractmethod
    def fits(self, name: str, relation: str, target: str) -> bool:
        """Whether there is room for a thing on or in another, as long as nothing else is put
        there."""

    @abstractmethod
    def is_shut(self, name: str) -> bool:
        """Whether it has to be opened before anything is put into it."""

    @abstractmethod
    def closed_around(self, name: str) -> list[str]:
        """What has to be opened before one gets at a thing, the outermost first."""

    @abstractmethod
    def litres(self, name: str) -> float:
        """The volume of the box around a thing; 0 if that is not known."""

    @abstractmethod
    def room_at(self, start: Start) -> str:
        """The room of a start."""

    @abstractmethod
    def straight_distance(self, start: Start, stops: Sequence[str]) -> float:
        """Metres from a start over things and rooms as the crow flies."""

    def walk(self, start: Start, stops: Sequence[str]) -> float:
        """Metres on the way from a start to where the robot goes for one thing or room after the
        other; infinitely many if there is no way. Straight, if nothing is known of it."""
        return self.straight_distance(start, stops)


def matching_instances(setting: Setting, wanted: Target) -> list[str]:
    """What is of a class, and where it is said to be found."""
    return [
        name
        for name in setting.instances(wanted.category)
        if all(setting.holds_for(name, condition) for condition in wanted.where)
    ]


def is_usual(setting: Setting, condition: Condition) -> bool:
    """Whether things of a class are on or in those of another in homes."""
    first, second = setting.kind(condition.first), setting.kind(condition.second)
    return Condition(condition.relation, first, second) in usual()


@cache
def usual() -> frozenset[Condition]:
    """What is on or in what in homes, more than once: common sense, for what to put where."""
    counts: Counter[Condition] = Counter()
    for seed in chain(*SPLITS.values()):
        house = home(seed)
        facts = HouseFacts(HouseState.start(house))
        for thing in house.things:
            holder = thing.place[0]
            if holder in house.piece or holder in house.thing:
                relation = "INSIDE" if facts.holds("INSIDE", thing.name, holder) else "ON"
                counts[Condition(relation, thing.category, facts.category(holder))] += 1
    return frozenset(condition for condition, count in counts.items() if count > 1)
