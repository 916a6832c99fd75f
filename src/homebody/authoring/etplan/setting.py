"""The initial state of a world in which tasks are drafted: its objects, relations and distances."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache, cached_property
from typing import TypeAlias

from homebody.goals.etplan import PLACED, Condition, Target
from homebody.suites.etplan.facts import Facts
from homebody.suites.etplan.frequencies import room_share
from homebody.suites.etplan.house_facts import HouseFacts
from homebody.suites.etplan.scenes import SPLITS, home
from homebody.worlds.house.model.state import HouseState

Start: TypeAlias = tuple[float, float, float] | str
"""Start of a robot: x and y in metres and yaw in degrees, or a room."""
RARE = 3
"""Number of rooms of a home in which a class is more often than where it is rarely."""
CLEARLY = 3.0
"""Maximum distance in metres at which people call two objects near."""


class Setting(ABC):
    """The initial state of a world.

    Attributes:
        facts: Facts of the initial state.
        needs_hand: True if opening needs a free hand.
    """

    facts: Facts
    needs_hand: bool

    @cached_property
    def categories(self) -> Sequence[str]:
        """The classes of objects and furniture that can be targets of a walk, sorted."""
        names = (name for name in self._names() if self.facts.room(name) != name)
        return sorted(set(map(self.facts.category, names)))

    @property
    def findable(self) -> Sequence[str]:
        """The classes that people look for."""
        return self.categories

    def usual_places(self, category: str) -> frozenset[tuple[str, str]]:
        """Return the relations and classes of this world where objects of a class usually are."""
        if category not in self._places:
            places = usual().get(self.kind(category), frozenset())
            self._places[category] = frozenset(
                (relation, second)
                for second in self.categories
                for relation in PLACED
                if (relation, self.kind(second)) in places
            )
        return self._places[category]

    def is_rarely_in(self, category: str, room: str) -> bool:
        """Return whether there are several rooms in which objects of a class are more often than in
        rooms of a kind."""
        kind = self.kind(category)
        share = room_share(kind, room)
        others = (self.facts.category(each) for each in self.rooms)
        return sum(room_share(kind, other) > share for other in others) >= RARE

    @cached_property
    def _places(self) -> dict[str, frozenset[tuple[str, str]]]:
        return {}

    @property
    @abstractmethod
    def grabbable(self) -> Sequence[str]:
        """The classes of objects that can be carried, sorted."""

    @abstractmethod
    def starts(self) -> Sequence[Sequence[Start]]:
        """Return the possible starts of the robot in each room."""

    def kind(self, category: str) -> str:
        """Return the house catalogue's name of a class; empty if it has none."""
        return category

    def house_name(self, name: str) -> str:
        """Return a name of an object in the manner of houses: its class, and what tells it from
        others of the class."""
        return name

    @cached_property
    def rooms(self) -> Sequence[str]:
        """The rooms."""
        return [name for name in self._names() if self.facts.room(name) == name]

    def instances(self, category: str) -> Sequence[str]:
        """Return the objects, furniture or rooms that a class can refer to."""
        return self._instances.get(category, ())

    @cached_property
    def _instances(self) -> Mapping[str, Sequence[str]]:
        found: dict[str, list[str]] = {}
        for name in self._names():
            found.setdefault(self.facts.category(name), []).append(name)
        return found

    @abstractmethod
    def _names(self) -> Iterable[str]:
        """Return the names of all targets of a walk, including rooms."""

    def relations(self, name: str) -> Sequence[Condition]:
        """Return possible descriptions of an object's place: on or in something, in a room, and
        close to or facing furniture that is the only one of its class."""
        if name not in self._described:
            self._described[name] = tuple(self._describe(name))
        return self._described[name]

    def _describe(self, name: str) -> Iterator[Condition]:
        facts = self.facts
        category = facts.category(name)
        for relation, other in facts.stated_relations(name):
            second = facts.category(other)
            named = facts.room(other) == other or self.kind(second)
            alone = relation in PLACED or len(self.instances(second)) == 1
            if named and alone and category != second:
                yield Condition(relation, category, second)

    @cached_property
    def _described(self) -> dict[str, Sequence[Condition]]:
        return {}

    def holds_for(self, name: str, condition: Condition) -> bool:
        """Return whether an object is in a relation to anything of a class."""
        key = name, condition
        if key not in self._held:
            others = self.facts.instances(condition.second)
            self._held[key] = any(
                self.facts.holds(condition.relation, name, other) for other in others
            )
        return self._held[key]

    @cached_property
    def _held(self) -> dict[tuple[str, Condition], bool]:
        return {}

    @abstractmethod
    def is_nearly(self, name: str, condition: Condition) -> bool:
        """Return whether an object is nearly close to anything of a class (:data:`CLEARLY`)."""

    @abstractmethod
    def fits(self, name: str, relation: str, target: str) -> bool:
        """Return whether an object fits on or in another, if nothing else is put there."""

    @abstractmethod
    def is_shut(self, name: str) -> bool:
        """Return whether a container must be opened before anything is put into it."""

    @abstractmethod
    def closed_around(self, name: str) -> list[str]:
        """Return the containers to open before an object can be reached, the outermost first."""

    @abstractmethod
    def seen_on_entering(self, start: Start, room: str) -> frozenset[str]:
        """Return the objects that the robot sees when it goes from a start to a room and looks all
        around. If the start is in the room, it looks at once."""

    def around(self, name: str) -> Iterator[str]:
        """Yield the objects and furniture that bear or enclose an object, from the inside out."""
        for holder in self.facts.around(name):
            known = self.facts.category(holder) in self._instances
            if known and any(self.facts.holds(relation, name, holder) for relation in PLACED):
                yield holder

    @abstractmethod
    def litres(self, name: str) -> float:
        """Return the volume of the box around an object; 0 if it is unknown."""

    @abstractmethod
    def room_at(self, start: Start) -> str:
        """Return the room of a start."""

    @abstractmethod
    def straight_distance(self, start: Start, stops: Sequence[str]) -> float:
        """Return the distance in metres along straight lines from a start to one object or room
        after the other."""

    def walk(self, start: Start, stops: Sequence[str]) -> float:
        """Return the metres of the robot's path from a start to one object or room after the other;
        infinity if there is no path. If paths are unknown, straight lines count."""
        return self.straight_distance(start, stops)


def matching_instances(setting: Setting, wanted: Target) -> list[str]:
    """Return the objects of a class that are at the described place."""
    return [
        name
        for name in setting.instances(wanted.category)
        if all(setting.holds_for(name, condition) for condition in wanted.where)
    ]


@cache
def usual() -> Mapping[str, frozenset[tuple[str, str]]]:
    """Return class -> its usual places: the relations (on and in) and classes where it is more than
    once in homes for training. This is common sense about places."""
    counts: Counter[Condition] = Counter()
    for seed in SPLITS["train"]:
        house = home(seed)
        facts = HouseFacts(HouseState.start(house))
        for thing in house.things:
            holder = thing.place[0]
            if holder in house.piece or holder in house.thing:
                relation = "INSIDE" if facts.holds("INSIDE", thing.name, holder) else "ON"
                counts[Condition(relation, thing.category, facts.category(holder))] += 1
    places: dict[str, set[tuple[str, str]]] = {}
    for condition, count in counts.items():
        if count > 1:
            places.setdefault(condition.first, set()).add((condition.relation, condition.second))
    return {first: frozenset(found) for first, found in places.items()}
