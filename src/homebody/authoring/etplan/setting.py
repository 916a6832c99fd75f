"""A home as tasks are drafted in it: what is there, at first, and how far it is."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cache, cached_property
from itertools import chain

from homebody.goals.etplan import ROBOT, Condition
from homebody.suites.etplan.agents.jobs import RELATION, Wanted
from homebody.suites.etplan.house_trace import holds, instances
from homebody.suites.etplan.rows import ROWS
from homebody.suites.etplan.session import body
from homebody.suites.etplan.tasks import SPLITS, home
from homebody.worlds.house.model.catalogue import catalogue
from homebody.worlds.house.model.house import Furniture, Point, Pose
from homebody.worlds.house.model.state import Body, HouseState
from homebody.worlds.house.simulation.conditions import Refused, SkillContext
from homebody.worlds.house.simulation.doors import locked
from homebody.worlds.house.simulation.navigation import navigation
from homebody.worlds.house.simulation.placing import fit, receptacles
from homebody.worlds.house.simulation.relations import is_close, is_shut_in, room_of
from homebody.worlds.house.simulation.walking import way_to

CLEARLY = 3.0
"""Metres beyond which nobody would say that one thing is near another."""


class Setting:
    """The home of a seed, as it is at first.

    Attributes:
        state: How things are.
        ways: Where the robot can walk.
    """

    def __init__(self, seed: int) -> None:
        self.seed = seed
        self.house = home(seed)
        robot = body(ROWS["navigation"])
        self.state = HouseState.start(self.house, {ROBOT: Body(Pose((0.0, 0.0, 0.0)), robot.size)})
        self.ways = navigation(self.house, robot.radius, locked(self.state))
        self._context = SkillContext(self.state, {ROBOT: robot}, catalogue().affordances)
        self._instances: dict[str, list[str]] = {}
        self._fits: dict[tuple[str, str, str], bool] = {}

    @cached_property
    def categories(self) -> Sequence[str]:
        """Classes of things and furniture that can be gone to, sorted."""
        names = (*self.house.piece, *self.house.thing)
        return sorted({self.category(name) for name in names if self._is_free(name)})

    @cached_property
    def grabbable(self) -> Sequence[str]:
        """Classes of things that can be carried, sorted."""
        kinds = catalogue().things
        return [
            name for name in self.categories if name in kinds and "grabbable" in kinds[name].affords
        ]

    def category(self, name: str) -> str:
        """The class of a piece or thing."""
        return (self.house.piece.get(name) or self.house.thing[name]).category

    def instances(self, category: str) -> Sequence[str]:
        """What a class can stand for, of what can be gone to; rooms too."""
        known = self._instances.get(category)
        if known is None:
            names = instances(self.house, category, "")
            known = self._instances[category] = [
                name for name in names if name in self.house.room or self._is_free(name)
            ]
        return known

    def those(self, wanted: Wanted) -> list[str]:
        """What is of a class, and where it is said to be found."""
        return [
            name
            for name in self.instances(wanted.category)
            if all(self.holds_for(name, condition) for condition in wanted.where)
        ]

    def holds_for(self, name: str, condition: Condition) -> bool:
        """Whether a thing is in a relation to anything of a class."""
        others = instances(self.house, condition.second, "")
        return any(holds(self.state, condition.relation, name, other) for other in others)

    def is_nearly(self, name: str, condition: Condition) -> bool:
        """Whether a thing is so near to anything of a class that some would call it close."""
        others = instances(self.house, condition.second, "")
        return any(is_close(self.state, name, other, CLEARLY) for other in others)

    def room(self, name: str) -> str:
        """The room that a piece or thing is in."""
        return room_of(self.state, name)

    def shut(self, name: str) -> list[str]:
        """What has to be opened before one gets at a thing, the outermost first."""
        around, at = [], name
        while at in self.state.places:
            holder, _ = self.state.places[at]
            if is_shut_in(self.state, at) and self.state.states[holder].get("open") is False:
                around.append(holder)
            at = holder
        return around[::-1]

    def takes(self, name: str, relation: str) -> bool:
        """Whether anything can be put on or into a piece or thing."""
        whole = self.house.piece.get(name) or self.house.thing.get(name)
        kind = RELATION[relation]
        return whole is not None and any(space.kind == kind for space in whole.receptacles)

    def fits(self, name: str, relation: str, target: str) -> bool:
        """Whether there is room for a thing on or in another, as long as nothing else is put
        there."""
        key = name, relation, target
        if key not in self._fits:
            here = self.state.box(target).centre
            self._fits[key] = any(
                fit(self.state, name, (target, space.name), here) is not None
                for space in receptacles(self.state, target, RELATION[relation])
            )
        return self._fits[key]

    def litres(self, name: str) -> float:
        """The volume of the box around a thing."""
        width, depth, height = (self.house.piece.get(name) or self.house.thing[name]).size
        return round(width * depth * height * 1000, 3)

    def walk(self, start: Point, name: str) -> tuple[float, Point]:
        """Metres from a point to where the robot goes for a thing or a room, and that place;
        infinitely many if there is no way."""
        self.state.walk(ROBOT, Pose((*start, 0.0), 0.0))
        try:
            path, _ = way_to(self._context, self.ways, ROBOT, name, ())
        except Refused:
            return math.inf, start
        return path.length, path.points[-1]

    def relations(self, name: str) -> Iterator[Condition]:
        """What could be said of where a thing is found: that it is on or in something, in a room,
        or close to a piece of furniture."""
        category = self.category(name)
        if name in self.state.places:
            holder = self.state.places[name][0]
            if holder in self.house.piece or holder in self.house.thing:
                for relation in ("ON", "INSIDE"):
                    if holds(self.state, relation, name, holder):
                        yield Condition(relation, category, self.category(holder))
        room = self.room(name)
        yield Condition("INSIDE", category, self.house.room[room].kind)
        for piece in self.house.furniture:
            other = piece.room == room and category != piece.category
            if other and _is_landmark(piece) and is_close(self.state, name, piece.name):
                yield Condition("CLOSE", category, piece.category)

    def _is_free(self, name: str) -> bool:
        """Whether anybody may have it: it is nobody's in a picture, not locked away."""
        at = name
        while at in self.state.places:
            if self.state.is_so(at, "locked"):
                return False
            at = self.state.places[at][0]
        return not self.state.bears(at) and not self.state.is_so(at, "locked")


def _is_landmark(piece: Furniture) -> bool:
    """Whether one would say that something is near it: it stands on the floor and is not small."""
    width, depth, _ = piece.size
    return piece.pose.position[2] < 0.3 and width * depth >= 0.15


@cache
def usual() -> frozenset[Condition]:
    """What is on or in what in homes, more than once: common sense, for what to put where."""
    counts: Counter[Condition] = Counter()
    for seed in chain(*SPLITS.values()):
        house = home(seed)
        state = HouseState.start(house)
        for thing in house.things:
            holder = house.piece.get(thing.place[0]) or house.thing.get(thing.place[0])
            if holder is not None:
                inside = holds(state, "INSIDE", thing.name, holder.name)
                relation = "INSIDE" if inside else "ON"
                counts[Condition(relation, thing.category, holder.category)] += 1
    return frozenset(condition for condition, count in counts.items() if count > 1)
