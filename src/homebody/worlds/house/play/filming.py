"""A session in a house, filmed while it is played again: the house as glTF, and when what is where.

Whoever shows it puts everything where the last change before a clock has it, and agents on their
paths, between two points of which they go straight on.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final, TypeAlias

from homebody.core.session import Event
from homebody.worlds.house.model.house import Pose, to_world
from homebody.worlds.house.model.state import HouseState
from homebody.worlds.house.simulation.simulation import Simulation
from homebody.worlds.house.simulation.skills import STEPS_PER_SECOND

EVERY: Final = 10
"""Steps of the clock between two times that are looked at."""
MAX_POINTS: Final = 20_000
"""Of an agent's path."""
MAX_CHANGES: Final = 20_000
SCENE: Final = "scene.glb"
_Placed: TypeAlias = tuple[int, tuple[float, float, float, float], str]
"""Which look, x, y, z and yaw, and the agent in whose frame they are; empty: the house's."""
_ORIGIN: Final = Pose((0.0, 0.0, 0.0))


class HouseFilm:
    """What is where, from now on.

    Args:
        state: Of the house. It is looked at whenever :meth:`take` is called.
        clock: Says what time it is.
        rate: Steps of the clock in a second.
        simulation: That changes the state; it is looked at on the way too.
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
        self._looks: dict[str, dict[tuple[tuple[str, bool], ...], int]] = {}
        self._paths: dict[str, list[list[float]]] = {role: [] for role in state.bodies}
        self._changes: list[list[Any]] = []
        names = (*house.piece, *house.thing, *house.door)
        self._first = {name: self._placed(name) for name in names}
        self._known = dict(self._first)
        self._version = state.journal.version
        self.take()
        if simulation is not None:
            look_on(simulation, EVERY, self.take)

    def take(self) -> None:
        """Note what is otherwise than when this was last called."""
        clock, state = self._clock(), self._state
        for role, path in self._paths.items():
            body = state.bodies[role]
            x, y, _ = body.pose.position
            here = [round(x, 3), round(y, 3), round(body.pose.yaw, 1), round(body.pitch, 1)]
            if len(path) > 1 and path[-1][1:] == path[-2][1:] == here:
                path[-1][0] = clock
            elif len(path) < MAX_POINTS and (not path or path[-1] != [clock, *here]):
                path.append([clock, *here])
        for name in reversed(state.journal.since(self._version)):
            now = self._placed(name) if name in self._known else None
            if now is not None and now != self._known[name] and len(self._changes) < MAX_CHANGES:
                self._known[name] = now
                self._changes.append([clock, name, now[0], *now[1], now[2]])
        self._version = state.journal.version

    def document(self) -> dict[str, Any]:
        """What is shown of it, as JSON: ``scene``, the name of the house's file; ``rate``, steps of
        the clock in a second; ``rooms``: name, x and y of each; ``agents``: role -> metres from the
        floor to its eyes; ``paths``: role -> clock, x, y, yaw and pitch at some times; ``first``
        (name -> look, x, y, z, yaw, agent: that of what is in somebody's hand, whose frame it is
        in) and ``changes``: of which each has a clock before it."""
        from homebody.worlds.house.rendering.meshes.rooms import middle_of

        rooms = [[room.name, *middle_of(room.outline)] for room in self._house.rooms]
        return {
            "scene": SCENE,
            "rate": self._rate,
            "rooms": rooms,
            "agents": {role: body.size[2] * 0.95 for role, body in self._state.bodies.items()},
            "paths": self._paths,
            "first": {name: [look, *at, bearer] for name, (look, at, bearer) in self._held()},
            "changes": self._changes,
        }

    def files(self) -> Mapping[str, Callable[[], bytes]]:
        """The files that it names, each made when it is asked for."""
        return {SCENE: self._scene}

    def _held(self) -> Iterator[tuple[str, _Placed]]:
        """What is in somebody's hand at first, or changes later; all else is where it is drawn."""
        later = {change[1] for change in self._changes}
        return ((name, at) for name, at in self._first.items() if at[2] or name in later)

    def _placed(self, name: str) -> _Placed:
        state, house = self._state, self._house
        looks = self._looks.setdefault(name, {})
        look = looks.setdefault(self._seen(name), len(looks))
        if name in house.door:
            return look, (0.0, 0.0, 0.0, 0.0), ""
        pose = house.piece[name].pose if name in house.piece else state.poses[name]
        bearer = name
        while bearer in state.places:
            bearer = state.places[bearer][0]
        if bearer not in state.bodies:
            return look, _numbers(pose), ""
        of = state.bodies[bearer].pose
        x, y, z = (a - b for a, b in zip(pose.position, of.position, strict=True))
        position = to_world(Pose(_ORIGIN.position, -of.yaw), (x, y, z))
        return look, _numbers(Pose(position, pose.yaw - of.yaw)), bearer

    def _seen(self, name: str) -> tuple[tuple[str, bool], ...]:
        """The states of something that change how it looks."""
        from homebody.worlds.house.rendering.meshes.by_category import SEEN_STATES

        states = self._state.states.get(name, {})
        return tuple((state, states[state]) for state in SEEN_STATES if state in states)

    def _scene(self) -> bytes:
        """The house as glTF. A node has its name and its look, the number of it, in ``extras``;
        what moves is in its own frame, others in the house's. Of an agent there is a node too."""
        from homebody.worlds.house.rendering.gltf import GlbFile, extras
        from homebody.worlds.house.rendering.meshes.by_name import mesh_of

        house, file = self._house, GlbFile()

        def add(name: str, states: Mapping[str, bool], look: int, pose: Pose | None) -> None:
            mesh = mesh_of(house, self._state.bodies, name, states)
            if len(mesh):
                kind = {"kind": "agent"} if name in self._paths else extras(house, name)
                file.add(name, mesh, {**kind, "name": name, "look": look}, pose)

        for room in house.rooms:
            for name in (room.floor_name, f"walls_{room.name}", f"ceiling_{room.name}"):
                add(name, {}, 0, None)
        for opening in house.openings:
            if opening.name not in house.door:
                add(opening.name, {}, 0, None)
        for person in house.people:
            if person.name not in self._paths:
                add(person.name, {}, 0, person.pose)
        for name, looks in self._looks.items():
            _, (x, y, z, yaw), _ = self._first[name]
            for seen, look in looks.items():
                add(name, dict(seen), look, Pose((x, y, z), yaw))
        for role in self._paths:
            add(role, {}, 0, _ORIGIN)
        return file.content()


def _numbers(pose: Pose) -> tuple[float, float, float, float]:
    x, y, z = pose.position
    return round(x, 3), round(y, 3), round(z, 3), round(pose.yaw, 1)


def film(session: Any) -> HouseFilm | None:
    """Films a session that has just begun; None of one that is not in a house."""
    simulation = getattr(session, "simulation", None)
    if not isinstance(simulation, Simulation):
        return None
    return HouseFilm(simulation.state, lambda: simulation.clock, STEPS_PER_SECOND, simulation)


def look_on(simulation: Simulation, every: int, take: Callable[[], object]) -> None:
    """Have something called every so many steps while a simulation is advanced, which changes
    nothing of what happens."""
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
