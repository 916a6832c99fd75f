"""Destinations of walks: the place to stand for a target, and the stops of an exploration.

Functions raise :class:`Refused` if there is no such place. The caller passes the positions of
others.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from homebody.core.ground.sharing import never_changes
from homebody.worlds.house.model.house import Box, Furniture, House, Person, Point, Pose, to_world
from homebody.worlds.house.model.outlines import crossed_part
from homebody.worlds.house.simulation.conditions import Refused, SkillContext
from homebody.worlds.house.simulation.skills import STEPS_PER_SECOND
from homebody.worlds.house.simulation.walking.detours import Detours, Standing
from homebody.worlds.house.simulation.walking.navigation import EXPLORED, Navigation, is_in_reach
from homebody.worlds.house.simulation.walking.obstacles import is_person, person_box
from homebody.worlds.house.simulation.walking.paths import Path, apart
from homebody.worlds.house.simulation.walking.trajectories import Knot
from homebody.worlds.house.simulation.walking.walls import (
    contains,
    doorway_box,
    evict_old,
    memory,
    room_at,
)

LEANING = 4.0
"""Metres of walking that are equivalent to a metre of reaching. Therefore objects on the far side
of a table are taken from that side."""

BEHIND = 3.0
"""Maximum additional metres that an agent walks to stand in front of furniture with doors instead
of beside it."""


def is_free(spot: Point, others: Iterable[Standing]) -> bool:
    """Return whether no other agent is at a place or going there."""
    return not any(abs(spot[0] - x) < keeps and abs(spot[1] - y) < keeps for x, y, keeps in others)


def way_to(
    context: SkillContext,
    ways: Navigation | Detours,
    agent: str,
    target: str,
    others: Sequence[Standing],
) -> tuple[Path, Point | None]:
    """Return the way to the best place from which a target is in reach, and the point to look at.

    Args:
        target: A room, floor, piece of furniture, object, agent or person.
        others: Present and future places of other agents.
    """
    house, here = context.state.house, context.position_of(agent)
    room = house.floors.get(target) or house.room.get(target)
    if room is not None:
        if contains(room, here):
            return Path((here,), 0.0), None
        free = [spot for spot in ways.room_spots(room.name) if is_free(spot, others)]
        if (path := _first_path(ways, here, free)) is not None:
            return path, None
        raise Refused(f"{target} cannot be reached: there is no free place in it")
    at = _bearer(context, agent, target)
    box, middle = _box(context, at), _middle(_box(context, target))
    reach = context.agents[agent].reach
    if is_in_reach(house, here, box, reach):
        return Path((here,), 0.0), middle
    path, taken = None, False
    if not isinstance(ways, Detours):  # without others the result depends on the key alone
        known: dict[object, tuple[Path | None, bool]] = memory(house).setdefault("stands", {})
        key = (
            ways.radius,
            ways.barred,
            here,
            at in house.piece and at,
            box,
            middle,
            reach,
            at != target,
        )
        if key not in known:
            evict_old(known)
            known[key] = _find_stand(ways, house, here, at, box, middle, reach, at != target, ())
        path, taken = known[key]
    # if others leave the best place free, it is also the best free one
    if isinstance(ways, Detours) or (others and not (path and is_free(path.points[-1], others))):
        path, taken = _find_stand(ways, house, here, at, box, middle, reach, at != target, others)
    if path is not None:
        return path, middle
    if taken:
        raise Refused(f"another agent is in the way at {target}; wait until it has gone")
    raise Refused(f"there is no place from which {target} can be reached")


def way_to_box(
    context: SkillContext,
    ways: Navigation | Detours,
    agent: str,
    target: str,
    box: Box,
    others: Sequence[Standing],
) -> Path:
    """Return the way to reach the box of a walking agent, from within its room. Raises Refused."""
    house, here, reach = (
        context.state.house,
        context.position_of(agent),
        context.agents[agent].reach,
    )
    middle = _middle(box)
    room = room_at(house, middle)
    if is_in_reach(house, here, box, reach) and room_at(house, here) == room:
        return Path((here,), 0.0)
    path, _ = _find_stand(ways, house, here, target, box, middle, reach, False, others, room)
    if path is None:
        raise Refused(f"there is no place in {room} from which {target} can be reached")
    return path


def _find_stand(
    ways: Navigation | Detours,
    house: House,
    here: Point,
    at: str,
    box: Box,
    middle: Point,
    reach: float,
    is_borne: bool,
    others: Sequence[Standing],
    room: str = "",
) -> tuple[Path | None, bool]:
    """Find the best place from which a box is in reach.

    Args:
        at: The name of the box's owner.
        middle: The middle of the target, which the owner bears if ``is_borne``.
        room: The required room of the place, if any.

    Returns:
        The way, or None, and whether other agents occupy a suitable place.
    """
    leaning = LEANING if is_borne else 1.0
    piece = house.piece.get(at)
    front = front_of(piece) if piece is not None and "open" in piece.states else None
    taken = False
    for anywhere in (False, True):  # right beside it, else anywhere in reach
        spots = ways.spots(box, reach, anywhere)
        if room:
            spots = tuple(spot for spot in spots if room_at(house, spot) == room)
        empty = [spot for spot in spots if is_free(spot, others)] if others else spots
        taken |= len(empty) < len(spots)
        best, least = None, math.inf
        for spot, walk in zip(empty, ways.distances(here, empty), strict=True):
            cost = walk + leaning * apart(spot, middle)
            if front is not None and _is_behind(front, spot):
                cost += BEHIND
            if cost < least - 1e-9:
                best, least = spot, cost
        path = ways.path(here, best) if best is not None else None
        if path is not None:
            return path, taken
    return None, taken


def way_to_stop(
    context: SkillContext,
    ways: Navigation | Detours,
    agent: str,
    room: str,
    stop: Point,
    others: Sequence[Standing],
) -> Path:
    """Return the way to a stop of an exploration, or to the nearest free place near it."""
    here = context.position_of(agent)
    around = [
        (round(far, 6), spot)
        for spot in ways.room_spots(room)
        if spot != stop and (far := apart(spot, stop)) <= EXPLORED
    ]
    free = [spot for spot in (stop, *(spot for _, spot in sorted(around))) if is_free(spot, others)]
    if (path := _first_path(ways, here, free)) is not None:
        return path
    raise Refused(f"there is no free place in {room} to look around from")


def _first_path(ways: Navigation | Detours, here: Point, spots: Sequence[Point]) -> Path | None:
    """Return the path to the first of some places that can be reached."""
    for some in (spots[:1], spots[1:]):  # the first is usually reachable
        for spot, far in zip(some, ways.distances(here, some), strict=True):
            if far < math.inf and (path := ways.path(here, spot)) is not None:
                return path
    return None


def stops_in(context: SkillContext, ways: Navigation, agent: str, room: str) -> list[Point]:
    """Return the stops from which an agent sees a whole room. The next stop is always the
    nearest."""
    if room not in context.state.house.room:
        rooms = ", ".join(context.state.house.room)
        raise Refused(f"there is no room {room}; there are {rooms}")
    here = context.position_of(agent)
    stops = ways.stops(room)
    far = ways.distances(here, stops)
    left = [at for at, length in zip(stops, far, strict=True) if length < math.inf]
    if not left:
        raise Refused(f"{room} cannot be reached")
    ordered: list[Point] = []
    while left:
        far = ways.distances(here, left)
        _, here = min((round(length, 6), at) for length, at in zip(far, left, strict=True))
        left.remove(here)
        ordered.append(here)
    return ordered


@never_changes
@dataclass(frozen=True, slots=True)
class Pause:
    """A pause on a walk.

    Attributes:
        after: Metres of the path walked before it.
        steps: Its duration.
        reason: The name of the agent waited for.
    """

    after: float
    steps: int
    reason: str


@never_changes
@dataclass(frozen=True, slots=True)
class Walk:
    """A timed walk along a path; made by :func:`walk_along`.

    Attributes:
        path: The path.
        speed: Metres per second.
        pauses: Pauses in order.
        steps: Total duration.
        looks: Steps at which the walk leaves a doorway, in order -> the pose then; None if the
            direction of view is unchanged.
    """

    path: Path
    speed: float
    pauses: tuple[Pause, ...]
    steps: int
    looks: Mapping[int, Pose | None]

    def distance_after(self, steps: float) -> float:
        """Return the metres walked after some steps; not limited to the end of the path."""
        return _distance_after(self.speed, self.pauses, steps)

    def at(self, steps: float) -> Point:
        """Return the position after some steps; the end once the walk is over."""
        return self.path.at(self.distance_after(steps))

    def pose(self, steps: int) -> Pose | None:
        """Return the pose after some steps, looking ahead; None if nothing is ahead."""
        return _pose_after(self.path, self.distance_after(steps))

    def knots(self, begun: int = 0) -> tuple[Knot, ...]:
        """Return timed positions, between which the walk is straight or stands still.

        Args:
            begun: The time at which the walk begins.
        """
        pace = STEPS_PER_SECOND / self.speed
        pauses = list(self.pauses)
        knots: list[Knot] = [(begun, *self.path.points[0])]
        time, gone = float(begun), 0.0
        for point, leg in zip(self.path.points[1:], self.path.legs, strict=True):
            gone += leg
            while pauses and pauses[0].after < gone:
                pause = pauses.pop(0)
                at = self.path.at(pause.after)
                begins = time + (pause.after - gone + leg) * pace
                knots += [(begins, *at), (begins + pause.steps, *at)]
                time += pause.steps
            time += leg * pace
            knots.append((time, *point))
        return tuple(knots)


def walk_along(house: House, path: Path, speed: float, pauses: tuple[Pause, ...] = ()) -> Walk:
    """Return a walk along a path at a speed in metres per second; cached with the house.

    Args:
        pauses: Pauses in order; none is at the end.
    """
    known: dict[tuple[tuple[Point, ...], float, float, tuple[Pause, ...]], Walk]
    known = memory(house).setdefault("walks", {})
    key = path.points, path.length, speed, pauses
    walk = known.get(key)
    if walk is None:
        evict_old(known)
        pace = STEPS_PER_SECOND / speed
        steps = math.ceil(path.length / speed * STEPS_PER_SECOND - 1e-9) + sum(
            pause.steps for pause in pauses
        )
        after = {
            math.ceil(far * pace - 1e-9) + sum(p.steps for p in pauses if p.after < far)
            for far in crossings(house, path)
        }
        looks = {
            at: _pose_after(path, _distance_after(speed, pauses, at))
            for at in sorted(after)
            if 0 < at < steps
        }
        walk = known[key] = Walk(path, speed, pauses, steps, looks)
    return walk


def _distance_after(speed: float, pauses: Sequence[Pause], steps: float) -> float:
    begun = 0.0  # total steps of the pauses so far
    for pause in pauses:
        there = pause.after * STEPS_PER_SECOND / speed
        if steps - begun <= there:
            break
        if steps - begun <= there + pause.steps:
            return pause.after
        begun += pause.steps
    return (steps - begun) * speed / STEPS_PER_SECOND


def _pose_after(path: Path, gone: float) -> Pose | None:
    """Return the pose after some metres of a path, looking ahead; None if nothing is ahead."""
    at = path.at(gone)
    yaw = facing(at, path.at(gone + 0.1))
    return None if yaw is None else Pose((*at, 0.0), yaw)


def facing(at: Point, face: Point) -> float | None:
    """Return the yaw from a point to another; None if they are the same."""
    if apart(at, face) <= 1e-6:
        return None
    # yaw 0 faces north
    return round(math.degrees(math.atan2(at[0] - face[0], face[1] - at[1])), 1) % 360.0


def crossings(house: House, path: Path) -> Sequence[float]:
    """Return the metres after which a walk leaves each doorway on it."""
    boxes = memory(house).get("doorways")
    if boxes is None:
        boxes = [
            doorway_box(opening, house.wall) for opening in house.openings if opening.is_passage
        ]
        memory(house)["doorways"] = boxes
    distances = []
    gone = 0.0
    for start, end, length in zip(path.points, path.points[1:], path.legs, strict=False):
        left, right = (start[0], end[0]) if start[0] < end[0] else (end[0], start[0])
        below, above = (start[1], end[1]) if start[1] < end[1] else (end[1], start[1])
        for box in boxes:
            if right < box[0] or left > box[2] or above < box[1] or below > box[3]:
                continue  # a cheap test that excludes most
            share = _leaves(start, end, box)
            if share is not None:
                distances.append(gone + share * length)
        gone += length
    return distances


def _leaves(start: Point, end: Point, box: tuple[float, float, float, float]) -> float | None:
    """Return the share of a line at which it leaves a rectangle; None if it does not."""
    first, last = crossed_part(start, end, box) or (1.0, 0.0)
    return last if first < last < 1.0 - 1e-9 else None


def front_of(piece: Furniture | Person) -> tuple[Point, Point]:
    """Return the middle of the front side of a piece, and the direction that it faces."""
    x, y, _ = to_world(piece.pose, (0.0, piece.size[1] / 2, 0.0))
    a, b, _ = piece.pose.position
    return (x, y), (x - a, y - b)


def _is_behind(front: tuple[Point, Point], spot: Point) -> bool:
    """Return whether a place is on a side of a piece without doors."""
    (x, y), (ahead, aside) = front
    return (spot[0] - x) * ahead + (spot[1] - y) * aside <= 0


def _bearer(context: SkillContext, agent: str, target: str) -> str:
    """Return the object to stand at for a target: the target, or the furniture or agent that bears
    it."""
    state = context.state
    if not context.exists(target) and not is_person(state.house, target):
        raise Refused(f"there is nothing named {target}")
    at = target
    while at in state.places and state.places[at][0] not in state.house.floors:
        at = state.places[at][0]
    at = _seats(state.house).get(at, at)
    if at == agent:
        raise Refused("that is you" if target == agent else f"you hold {target} already")
    return at


def _seats(house: House) -> Mapping[str, str]:
    """Return the people on furniture, each with its piece."""
    seats: Mapping[str, str] | None = memory(house).get("seats")
    if seats is None:
        seats = {person.name: person.on for person in house.people if person.on}
        memory(house)["seats"] = seats
    return seats


def _box(context: SkillContext, name: str) -> Box:
    state = context.state
    return state.box(name) if context.exists(name) else person_box(state.house, name)


def _middle(box: Box) -> Point:
    x, y, _ = box.centre
    return x, y
