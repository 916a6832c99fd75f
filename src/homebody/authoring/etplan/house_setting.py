"""A home in which tasks are drafted."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from functools import cached_property

from homebody.authoring.etplan.setting import CLEARLY, Setting, Start
from homebody.goals.etplan import PLACED, ROBOT, Condition
from homebody.suites.etplan.house_facts import HouseFacts
from homebody.suites.etplan.house_session import body
from homebody.suites.etplan.house_sight import sight
from homebody.suites.etplan.rows import ROWS
from homebody.suites.etplan.scenes import home
from homebody.worlds.house.model.catalogue import catalogue
from homebody.worlds.house.model.house import Point, Pose
from homebody.worlds.house.model.state import Body, HouseState
from homebody.worlds.house.simulation.conditions import Refused, SkillContext
from homebody.worlds.house.simulation.placing import fit, receptacles
from homebody.worlds.house.simulation.relations import is_close, is_shut_in
from homebody.worlds.house.simulation.walking.destinations import way_to
from homebody.worlds.house.simulation.walking.doors import locked_doors
from homebody.worlds.house.simulation.walking.navigation import navigation
from homebody.worlds.house.simulation.walking.walls import room_at


class HouseSetting(Setting):
    """The initial state of the home of a seed; see :class:`.setting.Setting`.

    Attributes:
        state: State of the home.
        ways: The robot's navigation.
    """

    needs_hand = False

    def __init__(self, seed: int) -> None:
        self._home = home(seed)
        robot = body(ROWS["navigation"])
        self.state = HouseState.start(self._home, {ROBOT: Body(Pose((0.0, 0.0, 0.0)), robot.size)})
        self.facts = HouseFacts(self.state)
        self.ways = navigation(self._home, robot.radius, locked_doors(self.state))
        self._context = SkillContext(self.state, {ROBOT: robot}, catalogue().affordances)
        self._fits: dict[tuple[str, str, str], bool] = {}
        self._seen: dict[tuple[Start, str], frozenset[str]] = {}

    @cached_property
    def grabbable(self) -> Sequence[str]:
        """The classes of objects that can be carried, sorted."""
        kinds = catalogue().things
        return [
            name for name in self.categories if name in kinds and "grabbable" in kinds[name].affords
        ]

    @cached_property
    def findable(self) -> Sequence[str]:
        """The classes that people look for: objects, and furniture that stands on the floor."""
        facts = self.facts
        return [
            name
            for name in self.categories
            if facts.is_portable(name) or all(map(facts.is_landmark, self.instances(name)))
        ]

    def is_nearly(self, name: str, condition: Condition) -> bool:
        """Return whether an object is nearly close to anything of a class (:data:`CLEARLY`)."""
        others = self.facts.instances(condition.second)
        return any(is_close(self.state, name, other, CLEARLY) for other in others)

    def closed_around(self, name: str) -> list[str]:
        """Return the containers to open before an object can be reached, the outermost first."""
        around, at = [], name
        while at in self.state.places:
            holder, _ = self.state.places[at]
            if is_shut_in(self.state, at) and self.state.states[holder].get("open") is False:
                around.append(holder)
            at = holder
        return around[::-1]

    def fits(self, name: str, relation: str, target: str) -> bool:
        """Return whether an object fits on or in another, if nothing else is put there."""
        key = name, relation, target
        if key not in self._fits:
            here = self.state.box(target).centre
            self._fits[key] = any(
                fit(self.state, name, (target, space.name), here) is not None
                for space in receptacles(self.state, target, PLACED[relation])
            )
        return self._fits[key]

    def seen_on_entering(self, start: Start, room: str) -> frozenset[str]:
        """Return the objects that the robot sees when it goes from a start to a room and looks all
        around. If the start is in the room, it looks at once."""
        key = start, room
        if key not in self._seen:
            here = Pose((*_point(start), 0.0), 0.0)
            self.state.walk(ROBOT, here)
            if self.room_at(start) != room:
                try:
                    path, _ = way_to(self._context, self.ways, ROBOT, room, ())
                except Refused:
                    return frozenset()
                self.state.walk(ROBOT, Pose((*path.points[-1], 0.0), 0.0))
            self._seen[key] = frozenset(sight(self._home.seed)(self.state, ROBOT))
        return self._seen[key]

    def litres(self, name: str) -> float:
        """Return the volume of the box around an object."""
        width, depth, height = (self._home.piece.get(name) or self._home.thing[name]).size
        return round(width * depth * height * 1000, 3)

    def is_shut(self, name: str) -> bool:
        """Return whether a container must be opened before anything is put into it."""
        return self.state.states[name].get("open") is False

    def starts(self) -> Sequence[Sequence[Start]]:
        """Return the free places of each room."""
        spots = (self.ways.room_spots(room.name) for room in self._home.rooms)
        return [[(x, y, 0.0) for x, y in free] for free in spots if free]

    def room_at(self, start: Start) -> str:
        """Return the room of a start."""
        return room_at(self._home, _point(start))

    def straight_distance(self, start: Start, stops: Sequence[str]) -> float:
        """Return the distance in metres along straight lines. Rooms are skipped."""
        here, total = _point(start), 0.0
        for name in stops:
            if name not in self._home.room:
                x, y, _ = self.state.box(name).centre
                total += math.dist(here, (x, y))
                here = x, y
        return total

    def walk(self, start: Start, stops: Sequence[str]) -> float:
        """Return the metres of the path; infinity if there is no path."""
        here, total = _point(start), 0.0
        for name in stops:
            self.state.walk(ROBOT, Pose((*here, 0.0), 0.0))
            try:
                path, _ = way_to(self._context, self.ways, ROBOT, name, ())
            except Refused:
                return math.inf
            total += path.length
            here = path.points[-1]
        return total

    def _names(self) -> Iterable[str]:
        house = self._home
        return (*house.room, *filter(self._is_free, (*house.piece, *house.thing)))

    def _is_free(self, name: str) -> bool:
        """Return whether an object is available: it is in nobody's hand and not locked away."""
        at = name
        while at in self.state.places:
            if self.state.is_in_state(at, "locked"):
                return False
            at = self.state.places[at][0]
        return not self.state.can_hold(at) and not self.state.is_in_state(at, "locked")


def _point(start: Start) -> Point:
    assert not isinstance(start, str)
    return start[:2]
