"""Visibility for agents: field of view, reach and occlusion.

Each object has key points spread over its surface. A ray is cast from the eye to each key point
that is near enough and in view. The share of key points that a ray reaches is the visible share of
the object. Rays pass through panes of glass. The contents of closed furniture have no key points,
so they are never seen.

    simulation = Simulation(house, agents, sees=looking(house))

updates the partial world graphs of agents in this way. It needs the extra ``house``;
:func:`.simulation.knowledge.sees_room` does not.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from homebody.core.ground.user_errors import HomebodyError
from homebody.worlds.house.model.house import House, Vector
from homebody.worlds.house.model.state import HouseState
from homebody.worlds.house.rendering.arrays import Floats, Index, Ints
from homebody.worlds.house.rendering.meshes.mesh import Mesh
from homebody.worlds.house.rendering.ray_scene import RayScene
from homebody.worlds.house.rendering.render import EYE, eye_of
from homebody.worlds.house.simulation.knowledge import LOOKED_INTO
from homebody.worlds.house.simulation.relations import gap, is_shut_in

POINTS = 16
"""Key points of an object."""
REACH = 8.0
"""Range of an agent's sight, metres."""


@dataclass(frozen=True, slots=True)
class FieldOfView:
    """A field of view.

    Attributes:
        fov: Angle from left to right, degrees; 360 is all around.
        tall: Angle from bottom to top, degrees.
        pitch: Angle of the middle above the horizon, degrees.
        reach: Range, metres.
        least: Minimum visible share of the key points of an object that counts as visible.
    """

    fov: float = 90.0
    tall: float = 90.0
    pitch: float = -15.0
    reach: float = REACH
    least: float = 0.25


AROUND = FieldOfView(fov=360.0, tall=180.0, pitch=0.0)
"""A field of view in all directions at once."""


class Visibility:
    """Computes the visible objects from places, in a scene that follows a state.

    >>> visibility = Visibility(RayScene(house))                # doctest: +SKIP
    >>> visibility.find_visible(eye_of(body.pose), body.pose.yaw)  # doctest: +SKIP
    {'sofa_0': 1.0, 'cup_3': 0.5}
    """

    def __init__(self, scene: RayScene) -> None:
        self.scene = scene
        house = scene.house
        self._names: list[str] = [
            *(piece.name for piece in house.furniture),
            *(thing.name for thing in house.things),
            *(person.name for person in house.people),
            *house.door,
        ]
        self._row = {name: row for row, name in enumerate(self._names)}
        self._numbers: Ints = np.array([scene.number[name] for name in self._names], np.int32)
        self._points: Floats = np.full((len(self._names), POINTS, 3), np.nan, np.float32)
        self._spread: dict[str, tuple[Mesh, Index]] = {}
        self._version = -1
        self._follow()

    def update(self, state: HouseState) -> None:
        """Show another state from now on."""
        self.scene.update(state)
        self._follow()

    def find_visible(
        self,
        eye: Vector,
        yaw: float = 0.0,
        view: FieldOfView | None = None,
        hide: Iterable[str] = (),
    ) -> dict[str, float]:
        """Return the visible objects and agents from a place.

        Args:
            eye: In the house, metres.
            yaw: Direction of the view, degrees.
            view: The field of view.
            hide: Names that neither block the view nor are seen, such as the agent itself.

        Returns:
            Name of furniture, object, person, door or agent -> visible share of its key points, if
            at least ``view.least``.

        Raises:
            HomebodyError: A number is out of range.
        """
        view = view or FieldOfView()
        if view.reach <= 0 or not 0 <= view.least <= 1 or view.fov <= 0 or view.tall <= 0:
            raise HomebodyError(f"invalid field of view: {view}")
        self._follow()
        hidden = set(hide)
        start = np.array(eye, np.float32)
        ways = self._points.reshape(-1, 3) - start
        square = np.einsum("ij,ij->i", ways, ways)
        rays = np.flatnonzero(square <= view.reach**2)  # excludes NaN, the points of hidden objects
        ways, square = ways.take(rays, axis=0), square.take(rays)
        near = np.ones(len(rays), bool)
        if view.fov < 360:
            turn = math.radians(yaw)
            ahead = ways[:, 0] * -math.sin(turn) + ways[:, 1] * math.cos(turn)
            flat = np.hypot(ways[:, 0], ways[:, 1])
            near &= ahead >= flat * math.cos(math.radians(view.fov / 2))
        if view.tall < 180:
            low, high = (math.radians(view.pitch + s * view.tall / 2) for s in (-1, 1))
            up = ways[:, 2] / np.sqrt(square)
            near &= up >= math.sin(max(low, -math.pi / 2))
            near &= up <= math.sin(min(high, math.pi / 2))
        rays = rays[near]
        if not rays.size:
            return {}
        to = ways[near]
        origins = np.empty_like(to)
        origins[:] = start
        hits = self.scene.cast(origins, to, self.scene.without(hidden, glass=True))
        rows = rays // POINTS
        owner = np.where(hits.triangle >= 0, self.scene.owner[hits.triangle], -1)
        free = (hits.distance >= 0.995) | (owner == self._numbers[rows])
        counts = np.bincount(rows[free], minlength=len(self._names))
        return {
            self._names[row]: float(counts[row] / POINTS)
            for row in np.flatnonzero(counts >= max(1.0, view.least * POINTS))
            if self._names[row] not in hidden
        }

    def _follow(self) -> None:
        """Update the key points of redrawn objects."""
        scene = self.scene
        if self._version == scene.version:
            return
        latest = self._version >= 0 and self._version == scene.version - 1
        names = scene.redrawn if latest else list(self._row)
        self._version = scene.version
        for agent in scene.state.bodies:
            if agent not in self._row and agent in scene.number:
                self._row[agent] = len(self._names)
                self._names.append(agent)
                self._numbers = np.append(self._numbers, np.int32(scene.number[agent]))
                blank = np.full((1, POINTS, 3), np.nan, np.float32)
                self._points = np.concatenate([self._points, blank])
                names = [*names, agent]
        for name in names:
            self._points[self._row[name]] = self._key_points(name)

    def _key_points(self, name: str) -> Floats:
        """Return points (POINTS, 3) spread over an object by area; NaN if it is hidden."""
        corners = self.scene.part(name).corners
        if not len(corners):
            return np.full((POINTS, 3), np.nan, np.float32)
        own = self.scene.own_part(name)
        known = self._spread.get(name)
        if known is None or known[0] is not own:
            known = self._spread[name] = own, spread_over(own)
        middles: Floats = corners[known[1]].mean(axis=1)
        return middles


def spread_over(mesh: Mesh, count: int = POINTS) -> Index:
    """Return triangles (count,) of a non-empty mesh, spread over it by area."""
    corners = mesh.corners
    across = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    sums = np.cumsum(np.sqrt((across * across).sum(axis=1)))
    steps = (np.arange(count, dtype=np.float32) + np.float32(0.5)) * (sums[-1] / count)
    nearest: Index = np.minimum(np.searchsorted(sums, steps), len(sums) - 1)
    return nearest


class Looking:
    """The sight of agents in a house; made by :func:`looking`.

    Attributes:
        fov: Maximum degrees from left to right of any agent; simulations read it.
    """

    def __init__(self, house: House, view: FieldOfView, height: float) -> None:
        self.fov = view.fov
        self._view = view
        self._height = height
        self._house = house
        self._visibility: Visibility | None = None

    def __reduce__(self) -> tuple[Any, ...]:
        return Looking, (self._house, self._view, self._height)  # each copy follows its own state

    def __call__(self, state: HouseState, agent: str) -> Iterable[str]:
        """Return the objects that an agent sees, and its held objects, which do not block its
        view."""
        visibility = self._visibility
        if visibility is None or state.house is not visibility.scene.house:
            # after a person has got up, the house is another one, without them
            visibility = self._visibility = Visibility(RayScene(state.house, reactions=False))
        alone = state.bodies if len(state.bodies) == 1 else ()
        visibility.scene.unshown = frozenset(alone)
        visibility.update(state)
        body = state.bodies[agent]
        held = _find_held(state, agent)
        fov = 360.0 if body.turning else min(self._view.fov, body.view)
        eye = eye_of(body.pose, self._height)
        view = replace(self._view, fov=fov)
        seen = visibility.find_visible(eye, body.pose.yaw, view, (agent, *held))
        return [
            *seen,
            *(name for name in held if not is_shut_in(state, name)),
            *_look_over(state, agent, seen),
        ]


def looking(
    house: House, reach: float = REACH, *, view: float | FieldOfView = 360.0, height: float = EYE
) -> Looking:
    """Return the sight of agents. They see objects that are near enough, not occluded and not in
    closed furniture.

    Make one for each simulation.

    Args:
        house: The house.
        reach: Range, metres.
        view: Maximum degrees from left to right, with no limit above and below; or a whole field of
            view with its own range. An agent with a narrower view keeps its own. An agent that sees
            only ahead still looks all around when it explores.
        height: Height of the eyes, metres.
    """
    if not isinstance(view, FieldOfView):
        view = replace(AROUND, fov=float(view), reach=reach)
    return Looking(house, view, height)


def _look_over(state: HouseState, agent: str, seen: Iterable[str]) -> Iterator[str]:
    """Yield the objects on and in the open furniture and objects that an agent sees in front of it.
    The agent inspects them completely, and believes that nothing else is there.
    """
    house, here = state.house, state.box(agent)
    things = [name for name in seen if name in house.piece or name in house.thing]
    near = [name for name in things if gap(here, state.box(name)) <= LOOKED_INTO]
    for name in near:  # grows during the loop
        whole = house.piece.get(name) or house.thing[name]
        shut = state.states[name].get("open") is False
        for receptacle in whole.receptacles:
            if not (shut and receptacle.kind == "within"):
                within = state.objects_at((name, receptacle.name))
                near += within
                yield from within


def _find_held(state: HouseState, agent: str) -> list[str]:
    """Return the held objects of an agent, and the objects on or in them."""
    names = list(state.held_by(agent).values())
    for name in names:  # grows during the loop
        for receptacle in state.house.thing[name].receptacles:
            names += state.objects_at((name, receptacle.name))
    return names
