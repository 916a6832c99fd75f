"""Recordings of sessions in a house: states for rendering, and a document for pages.

To show a clock, a page applies all changes up to this clock, and moves agents in straight lines
between the points of their paths. The initial house is a glTF file that all recordings share; its
name is the digest of its content. A second, small file has the agents and the changed looks.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import fields, replace
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, Final, TypeAlias

import msgspec

from homebody.core.play.session import Event
from homebody.worlds.house.model.house import House, Pose, to_world
from homebody.worlds.house.model.state import Body, HouseState, Place, Reaction
from homebody.worlds.house.simulation.simulation import Simulation
from homebody.worlds.house.simulation.skills import STEPS_PER_SECOND

if TYPE_CHECKING:  # it needs the extra ``house``
    from homebody.worlds.house.rendering.exporting import Node

EVERY: Final = 10
"""Steps of the clock between two samples."""
MAX_POINTS: Final = 20_000
"""Maximum points of an agent's path."""
MAX_CHANGES: Final = 20_000
KEPT: Final = 16
"""Number of recently used house files that are cached, some 2 MB each."""
_files: dict[bytes, tuple[str, bytes]] = {}  # digest of a house -> name and content
_Placed: TypeAlias = tuple[int, tuple[float, float, float, float], str]
"""Number of the appearance; x, y, z and yaw; the agent that holds the object, whose frame is used,
or an empty string."""
_Exact: TypeAlias = tuple[Place | None, Mapping[str, bool] | None, Pose | None]
"""Place of an object; states; pose of the object."""
_Seen: TypeAlias = tuple[tuple[str, Any], ...]
"""States that determine an object's appearance."""
_ORIGIN: Final = Pose((0.0, 0.0, 0.0))


class HouseFilm:
    """A recording of a house from now on.

    Args:
        state: The state, sampled whenever :meth:`take` is called.
        clock: Returns the time.
        rate: Steps of the clock per second.
        simulation: The simulation of the state, if the state is also sampled between its events.
    """

    def __init__(
        self,
        state: HouseState,
        clock: Callable[[], int],
        rate: float,
        simulation: Simulation | None = None,
    ) -> None:
        self._state, self._clock, self._rate = state, clock, rate
        self._house = house = state.house
        self._looks: dict[str, dict[_Seen, int]] = {}
        self._paths: dict[str, list[list[float]]] = {role: [] for role in state.bodies}
        self._changes: list[list[Any]] = []
        begun = HouseState.start(house, state.bodies)
        roles = (role for role, body in state.bodies.items() if body.looks is not None)
        self._people = (*house.person, *roles)
        names = (*house.piece, *house.thing, *house.door, *self._people)
        self._drawn = {name: self._place(name, begun) for name in names}  # in the house's file
        self._first = {name: self._place(name, state) for name in names}
        self._known = dict(self._first)
        self._begun = state.copy()
        self._bodies = dict(self._begun.bodies)
        self._exact = {name: self._read_exact(name, self._first[name][2]) for name in names}
        self._log: list[tuple[str, Body | _Exact | dict[str, Reaction]]] = []
        self._reactions = dict(state.reactions)
        self._version = state.journal.version
        self.take()
        if simulation is not None:
            look_on(simulation, EVERY, self.take)

    def take(self) -> None:
        """Record the changes since the last call."""
        clock, state = self._clock(), self._state
        for role, path in self._paths.items():
            body = state.bodies[role]
            x, y, _ = body.pose.position
            here = [round(x, 3), round(y, 3), round(body.pose.yaw, 1), round(body.pitch, 1)]
            if len(path) > 1 and path[-1][1:] == path[-2][1:] == here:
                path[-1][0] = clock
            elif len(path) < MAX_POINTS and (not path or path[-1] != [clock, *here]):
                path.append([clock, *here])
            if body != self._bodies[role]:
                self._bodies[role] = replace(body)
                self._log.append((role, self._bodies[role]))
        if state.reactions != self._reactions:
            self._reactions = dict(state.reactions)
            self._log.append(("", self._reactions))
        for name in (*reversed(state.journal.since(self._version)), *self._people):
            if name not in self._known or len(self._changes) >= MAX_CHANGES:
                continue
            now = self._place(name, state)
            if now != self._known[name]:
                self._known[name] = now
                self._changes.append([clock, name, now[0], *now[1], now[2]])
            kept = self._read_exact(name, now[2])
            if kept != self._exact[name]:
                self._exact[name] = kept
                place, states, _ = kept
                self._log.append((name, (place, states, state.poses.get(name))))
        self._version = state.journal.version

    @property
    def position(self) -> int:
        """The number of recorded changes, for :meth:`states`."""
        return len(self._log)

    def states(self, moments: Iterable[int]) -> Iterator[HouseState]:
        """Yield the house at some positions in order: one state, changed in place.

        Args:
            moments: Values that :attr:`position` had.
        """
        state, at = self._begun.copy(), 0
        for moment in moments:
            for name, now in self._log[at:moment]:
                if isinstance(now, Body):
                    state.bodies[name] = replace(now, pose=state.bodies[name].pose)
                    state.walk(name, now.pose)  # with what it holds
                    continue
                if isinstance(now, dict):
                    state.reactions = dict(now)
                    continue
                place, states, pose = now
                if place is not None and pose is not None:
                    state.move(name, place, pose)
                for each, value in (states or {}).items():
                    state.set(name, each, value)
            at = max(at, moment)
            yield state

    def document(self) -> dict[str, Any]:
        """Return the recording as JSON.

        Fields: ``scenes``, names of its files; ``rate``, steps of the clock per second; ``rooms``,
        name, x and y of each; ``agents``, role -> height of its eyes in metres; ``paths``, role ->
        samples of clock, x, y, yaw and pitch; ``first``, name -> look, x, y, z, yaw, and the agent
        that holds it and whose frame is used, for everything that differs at some time from the
        file of the house; ``changes``, lists of a clock, a name and the same values. Of a role only
        the look counts.
        """
        from homebody.worlds.house.rendering.meshes.rooms import middle_of

        rooms = [[room.name, *middle_of(room.outline)] for room in self._house.rooms]
        later = {change[1] for change in self._changes}
        return {
            "scenes": list(self.files()),
            "rate": self._rate,
            "rooms": rooms,
            "agents": {role: body.size[2] * 0.95 for role, body in self._state.bodies.items()},
            "paths": self._paths,
            "first": {
                name: [look, *at, bearer]
                for name, (look, at, bearer) in self._first.items()
                if name in later or self._drawn[name] != (look, at, bearer)
            },
            "changes": self._changes,
        }

    def files(self) -> Mapping[str, bytes]:
        """Return the named files: the house, and the session's own parts.

        The ``extras`` of a node have its name and the number of its appearance. Movable nodes are
        in their own frame, other nodes in the frame of the house.
        """
        return dict((house_file(self._house), _file(self._own_nodes())))

    def _place(self, name: str, state: HouseState) -> _Placed:
        from homebody.worlds.house.rendering.meshes.frames import pose_of

        house = self._house
        looks = self._looks.setdefault(name, {})
        look = looks.setdefault(_visible_states(state.visible_states(name)), len(looks))
        if name in house.door:
            return look, _numbers(pose_of(house, house.door[name])), ""
        if name in state.bodies:  # it is where its path says
            return look, _numbers(_ORIGIN), ""
        fixed = house.piece.get(name) or house.person.get(name)
        pose = state.poses[name] if fixed is None else fixed.pose
        bearer = name
        while bearer in state.places:
            bearer = state.places[bearer][0]
        if bearer not in state.bodies:
            return look, _numbers(pose), ""
        of = state.bodies[bearer].pose
        x, y, z = (a - b for a, b in zip(pose.position, of.position, strict=True))
        position = to_world(Pose(_ORIGIN.position, -of.yaw), (x, y, z))
        return look, _numbers(Pose(position, pose.yaw - of.yaw)), bearer

    def _read_exact(self, name: str, bearer: str) -> _Exact:
        """Return place, states and pose of an object. An object that an agent holds has no pose."""
        state = self._state
        pose = None if bearer else state.poses.get(name)
        return state.places.get(name), state.states.get(name), pose

    def _own_nodes(self) -> Iterator[Node]:
        from homebody.worlds.house.rendering.exporting import extras, shape_of

        house = self._house
        for role in self._paths:
            for seen, look in (self._looks.get(role) or {(): 0}).items():
                mesh = shape_of(house, self._state.bodies, role, dict(seen), _ORIGIN)
                extra = {"kind": "agent", "name": role, "look": look}
                yield f"{role} {look}" if look else role, mesh, extra, _ORIGIN
        for name, looks in self._looks.items():
            if name in self._paths:
                continue
            _, (x, y, z, yaw), _ = self._drawn[name]
            for seen, look in looks.items():
                pose = Pose((x, y, z), yaw)
                mesh = shape_of(house, {}, name, dict(seen), pose)
                if look and len(mesh):
                    yield f"{name} {look}", mesh, {**extras(house, name), "look": look}, pose


def house_file(house: House) -> tuple[str, bytes]:
    """Return the name and glTF file of a house with its initial contents; cached."""
    content = msgspec.json.encode([getattr(house, each.name) for each in fields(house)])
    key = hashlib.sha256(content).digest()
    known = _files.pop(key, None) or _file(_house_nodes(house))
    _files[key] = known  # most recently used last
    while len(_files) > KEPT:
        del _files[next(iter(_files))]
    return known


def _house_nodes(house: House) -> Iterator[Node]:
    from homebody.worlds.house.rendering.exporting import nodes_of

    for name, mesh, known, pose in nodes_of(house, ceilings=True):
        yield name, mesh, {**known, "look": 0}, pose


def _visible_states(states: Mapping[str, bool]) -> _Seen:
    """Return the states that change the appearance of an object."""
    from homebody.worlds.house.rendering.meshes.by_category import SEEN_STATES

    return tuple((state, states[state]) for state in SEEN_STATES if state in states)


def _file(nodes: Iterable[Node]) -> tuple[str, bytes]:
    from homebody.worlds.house.rendering.gltf import glb

    content = glb(nodes)
    return f"{hashlib.sha256(content).hexdigest()[:20]}.glb", content


def _numbers(pose: Pose) -> tuple[float, float, float, float]:
    x, y, z = pose.position
    return round(x, 3), round(y, 3), round(z, 3), round(pose.yaw, 1)


def film(session: Any) -> HouseFilm | None:
    """Start recording a new session; None if it is not in a house, or trimesh is not installed."""
    simulation = getattr(session, "simulation", None)
    if not isinstance(simulation, Simulation) or find_spec("trimesh") is None:
        return None
    return HouseFilm(simulation.state, lambda: simulation.clock, STEPS_PER_SECOND, simulation)


def look_on(simulation: Simulation, every: int, take: Callable[[], object]) -> None:
    """Call a function at regular steps while a simulation advances, without side effects on the
    simulation."""
    advance, due = simulation.advance, simulation.clock

    def stopping(until: int | None = None) -> list[Event]:
        nonlocal due
        while True:
            if simulation.clock >= due:
                take()
                due = simulation.clock + every
            stop = due if until is None else min(due, until)
            events = advance(stop)
            if events or simulation.clock < stop or simulation.clock == until:
                return events

    simulation.advance = stopping  # type: ignore[method-assign]
