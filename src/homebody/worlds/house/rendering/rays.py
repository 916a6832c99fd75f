"""The triangles of a house for casting rays at: kept up to date cheaply while things move.

All triangles but those of agents are in one Embree tree, from which none can be taken out. So what
moved or changed is only marked as gone there, and stands anew in a second, small tree; each agent
has a tree of its own. Rays go to the large tree, and to those of the small ones whose box they
meet; a ray that hits what is gone goes on behind it. When the second tree has grown, it is built
again with the large one.

Embree works in single precision. Positions are metres in the frame of the house.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from homebody.core.errors import HomebodyError
from homebody.worlds.house.model.house import House
from homebody.worlds.house.model.state import HouseState
from homebody.worlds.house.rendering.drawing import (
    agent_mesh,
    furniture_mesh,
    person_mesh,
    thing_mesh,
)
from homebody.worlds.house.rendering.materials import Surface
from homebody.worlds.house.rendering.meshes.mesh import Floats, Mesh, joined
from homebody.worlds.house.rendering.meshes.rooms import (
    ceiling_mesh,
    floor_mesh,
    opening_mesh,
    walls_mesh,
)

Ints: TypeAlias = NDArray[np.int32]
"""An array of whole numbers."""
MeshOf: TypeAlias = Callable[[str, str], Mesh | None]
"""(name, category) -> a mesh of the user's in the thing's own frame, or None."""

FAR = 1e4
_STEP = 2e-4  # metres by which a ray starts anew behind what it passes
_MOST = 12000  # triangles in the second scene before all is built again
AGENT_COLOURS = (
    ((0.90, 0.91, 0.93), (0.20, 0.45, 0.75)),
    ((0.93, 0.90, 0.84), (0.80, 0.40, 0.15)),
    ((0.85, 0.88, 0.85), (0.25, 0.60, 0.35)),
)


@dataclass(frozen=True, slots=True)
class Hits:
    """What rays hit.

    Attributes:
        distance: Along the ray, in lengths of its direction; ``FAR`` if it hits nothing.
        triangle: Number of the triangle in the tables of the scene; -1 for none.
        u: Barycentric coordinates of the hit: its corners weigh 1 - u - v, u, v.
        v: See u.
    """

    distance: Floats
    triangle: Ints
    u: Floats
    v: Floats


class _Tree:
    """One Embree scene of some triangles."""

    __slots__ = ("count", "scene")

    def __init__(self, corners: Floats, faces: Ints | None = None) -> None:
        """Of triangles (n, 3, 3), or of points (m, 3) and which of them are corners (n, 3)."""
        device = _device()
        from embreex.mesh_construction import TriangleMesh  # type: ignore[import-untyped]
        from embreex.rtcore_scene import EmbreeScene  # type: ignore[import-untyped]

        self.count = len(corners) if faces is None else len(faces)
        self.scene = EmbreeScene(device)
        if self.count and faces is None:
            TriangleMesh(self.scene, np.ascontiguousarray(corners, np.float32))
        elif self.count:
            TriangleMesh(self.scene, np.ascontiguousarray(corners, np.float32), faces)

    def cast(self, origins: Floats, directions: Floats, far: Floats | None = None) -> Hits:
        found = self.scene.run(origins, directions, far, output=True)
        triangle: Ints = found["primID"]
        return Hits(found["tfar"], triangle, found["u"], found["v"])


@dataclass(frozen=True, slots=True)
class _Small:
    """A small tree: its first triangle's number, the box around it, whose triangles it holds, and
    those triangles by owner."""

    tree: _Tree
    first: int
    low: Floats
    high: Floats
    names: frozenset[str]
    parts: tuple[Mesh, ...]

    def met(self, origins: Floats, directions: Floats) -> NDArray[np.intp]:
        """Which rays meet the box."""
        with np.errstate(divide="ignore", invalid="ignore"):
            enter, leave = np.float32(0), np.float32(FAR)
            for axis in range(3):
                turned = 1 / directions[:, axis]
                a = (self.low[axis] - origins[:, axis]) * turned
                b = (self.high[axis] - origins[:, axis]) * turned
                enter = np.maximum(enter, np.fmin(a, b))
                leave = np.minimum(leave, np.fmax(a, b))
        found: NDArray[np.intp] = np.flatnonzero(leave >= enter)
        return found


@dataclass(frozen=True, slots=True)
class Without:
    """What rays pass through: see :meth:`RayScene.without`.

    Attributes:
        small: The small trees that count.
        stop: Triangle -> whether rays stop at it.
        whole: Whether they stop at all triangles of the large tree.
    """

    small: tuple[_Small, ...]
    stop: NDArray[np.bool_]
    whole: bool


_devices: list[Any] = []


def _device() -> Any:
    if not _devices:
        try:
            from embreex import rtcore  # type: ignore[import-untyped]
        except ImportError as error:
            raise HomebodyError(
                "casting rays needs embreex", "pip install 'homebody[house]'"
            ) from error
        _devices.append(rtcore.EmbreeDevice())
    return _devices[0]


class RayScene:
    """A house and its state as triangles.

    Attributes:
        house: What is shown.
        names: Number -> name. 0 is ``""``, outdoors. Floors, ``walls_<room>``, ``ceiling_<room>``,
            openings, furniture, objects, people and agents follow.
        number: Name -> number.
        owner: Triangle -> number of what it belongs to.
        surfaces: Triangle -> code of its surface.
        base: The triangles of the large tree; ``added``, of the small one, are numbered after them.
        builds: Grows when ``base`` is new, ``version`` with each change: who keeps something
            derived compares them.
        state: The state that is shown.
    """

    def __init__(
        self, house: House, state: HouseState | None = None, meshes: MeshOf | None = None
    ) -> None:
        """Build everything.

        Args:
            house: The house.
            state: Where things are and how; the first state if left out.
            meshes: The user's own meshes, which go before the recipes.
        """
        self.house = house
        self.names: list[str] = [""]
        self.number: dict[str, int] = {"": 0}
        self.version = self.builds = 0
        self._meshes = meshes
        self._looks: dict[str, Any] = {}
        self._parts: dict[str, Mesh] = {}
        self._local: dict[str, Mesh] = {}
        self._welds: dict[str, tuple[Mesh, NDArray[np.intp], Ints]] = {}
        self._trees: dict[tuple[str, ...], _Small] = {}
        state = state or HouseState.start(house)
        for name, mesh in _fixed(house, meshes):
            self._enter(name)
            self._parts[name] = mesh
        for name in self._variable(state):
            self._enter(name)
        self.looks_of(state)
        self._build()

    # -- following a state ------------------------------------------------------------------------

    def update(self, state: HouseState) -> bool:
        """Take over what changed; whether anything did."""
        changed = self.looks_of(state)
        if not changed:
            return False
        self.version += 1
        fresh = [name for name in changed if name not in self._moved]
        for name in fresh:
            self._moved[name] = None
            self._alive[self._owner == self.number[name]] = False
        if sum(len(self._parts[name]) for name in self._moved) > _MOST:
            self._build()
        else:
            self._overlay()
        return True

    def part(self, name: str) -> Mesh:
        """The triangles of one thing in the house; none if it is hidden. Raises KeyError."""
        return self._parts[name]

    def looks_of(self, state: HouseState) -> list[str]:
        """Draw anew what looks different from before; its names."""
        self.state = state
        changed = []
        for name, look in self._variable(state).items():
            old = self._looks.get(name)
            if old is None or old != look:
                self._enter(name)
                self._looks[name] = look
                self._parts[name] = self._drawn(state, name)
                changed.append(name)
        return changed

    def _variable(self, state: HouseState) -> dict[str, Any]:
        """What decides on the look of each thing that can change."""
        states = state.states
        hidden = hidden_things(state)
        found: dict[str, Any] = {}
        for one in self.house.furniture:
            found[one.name] = tuple(states[one.name].values())
        for thing in self.house.things:
            name = thing.name
            look = None if name in hidden else state.poses[name]
            found[name] = (look, tuple(states[name].values()))
        for agent, body in state.bodies.items():
            found[agent] = (body.pose, body.size)
        return found

    def _drawn(self, state: HouseState, name: str) -> Mesh:
        house, states = self.house, state.states.get(name, {})
        if name in house.piece:
            piece = house.piece[name]
            own = self._meshes(name, piece.category) if self._meshes else None
            mesh = own if own is not None else furniture_mesh(piece, states)
            self._local[name] = mesh
            return mesh.placed(piece.pose)
        if name in house.thing:
            thing = house.thing[name]
            if self._looks[name][0] is None:
                self._local[name] = joined([])
                return self._local[name]
            own = self._meshes(name, thing.category) if self._meshes else None
            mesh = own if own is not None else thing_mesh(thing, states)
            self._local[name] = mesh
            return mesh.placed(state.poses[name])
        body = state.bodies[name]
        colours = AGENT_COLOURS[list(state.bodies).index(name) % len(AGENT_COLOURS)]
        self._local[name] = agent_mesh(body.size, *colours)
        return self._local[name].placed(body.pose)

    def _enter(self, name: str) -> None:
        if name not in self.number:
            self.number[name] = len(self.names)
            self.names.append(name)

    # -- triangles --------------------------------------------------------------------------------

    def _build(self) -> None:
        """Put all triangles but those of agents into the large tree."""
        agents = self.state.bodies
        parts = {name: mesh for name, mesh in self._parts.items() if name not in agents}
        self.base = joined(list(parts.values()))
        counts = [len(mesh) for mesh in parts.values()]
        numbers = [self.number[name] for name in parts]
        self._owner: Ints = np.repeat(np.array(numbers, np.int32), counts)
        self._old = len(self._owner)
        self._alive = np.ones(self._old, bool)
        self._moved: dict[str, None] = {}
        self._tree = _Tree(self.base.corners)
        self._trees.clear()
        self.builds += 1
        self._overlay()

    def _overlay(self) -> None:
        """Put what moved into the second tree, and agents into theirs."""
        groups = [[name] for name in self.state.bodies]
        groups.append([name for name in self._moved if name not in self.state.bodies])
        self._small: list[_Small] = []
        meshes, names = [], []
        first = self._old
        for group in groups:
            own = [self._parts[name] for name in group]
            if not any(map(len, own)):
                continue
            small = self._trees.get(tuple(group))
            if small is None or any(a is not b for a, b in zip(small.parts, own, strict=True)):
                small = self._planted(group, own)
                if len(self._trees) > 64:
                    self._trees.clear()
                self._trees[tuple(group)] = small
            self._small.append(replace(small, first=first))
            meshes += own
            names += [self.number[name] for name in group]
            first += small.tree.count
        self.added = joined(meshes)
        added = np.repeat(np.array(names, np.int32), [len(mesh) for mesh in meshes])
        self.owner = np.concatenate([self._owner, added])
        self.surfaces = np.concatenate([self.base.surfaces, self.added.surfaces])

    def _planted(self, group: Sequence[str], own: Sequence[Mesh]) -> _Small:
        """A small tree. Corners that are the same point are given to Embree once, which is much
        faster; which are the same does not change while a thing moves."""
        points, faces, count = [], [], 0
        for name, mesh in zip(group, own, strict=True):
            weld = self._welds.get(name)
            if weld is None or weld[0] is not self._local[name]:
                flat = self._local[name].corners.reshape(-1, 3)
                _, at, back = np.unique(flat, axis=0, return_index=True, return_inverse=True)
                weld = (self._local[name], at, back.reshape(-1, 3).astype(np.int32))
                self._welds[name] = weld
            points.append(mesh.corners.reshape(-1, 3)[weld[1]])
            faces.append(weld[2] + np.int32(count))
            count += len(weld[1])
        corners = np.concatenate(points)
        tree = _Tree(corners, np.concatenate(faces))
        low, high = corners.min(axis=0), corners.max(axis=0)
        return _Small(tree, 0, low, high, frozenset(group), tuple(own))

    def without(self, hide: Iterable[str] = (), glass: bool = False) -> Without:
        """What rays pass through: some things by name, and glass if it says so."""
        names = set(hide)
        small = tuple(one for one in self._small if not one.names <= names)
        numbers = [self.number[name] for name in sorted(names) if name in self.number]
        through = np.isin(self.owner, numbers) if numbers else np.zeros(len(self.owner), bool)
        if glass:
            through |= self.surfaces == Surface.GLASS
        stop = ~through
        old = stop[: self._old]
        old &= self._alive
        return Without(small, stop, bool(old.all()))

    # -- rays -------------------------------------------------------------------------------------

    def cast(self, origins: Floats, directions: Floats, without: Without | None = None) -> Hits:
        """The first triangles that rays hit.

        Args:
            origins: (n, 3), single precision.
            directions: (n, 3), of any length.
            without: What they pass through; of the state that is shown now.
        """
        without = without or self.without()
        hits = self._tree.cast(origins, directions)
        if not without.whole:
            hits = _beyond(self._tree, hits, without.stop, origins, directions)
        for small in without.small:
            near = small.met(origins, directions)
            if not near.size:
                continue
            starts, ways = origins[near], directions[near]
            more = small.tree.cast(starts, ways)
            stop = without.stop[small.first : small.first + small.tree.count]
            more = _beyond(small.tree, more, stop, starts, ways)
            closer = np.flatnonzero((more.triangle >= 0) & (more.distance < hits.distance[near]))
            at = near[closer]
            hits.distance[at] = more.distance[closer]
            hits.triangle[at] = more.triangle[closer] + np.int32(small.first)
            hits.u[at], hits.v[at] = more.u[closer], more.v[closer]
        return hits

    def blocked(
        self, origins: Floats, directions: Floats, opaque: NDArray[np.bool_]
    ) -> NDArray[np.bool_]:
        """Whether something opaque is on the way of rays, within the length of their directions.

        ``opaque``: triangle -> whether it keeps light off.
        """
        far = np.ones(len(origins), np.float32)
        found = _blocked(self._tree, origins, directions, far, opaque[: self._old] & self._alive)
        for small in self._small:
            near = small.met(origins, directions)
            if near.size:
                part = opaque[small.first : small.first + small.tree.count]
                starts, ways = origins[near], directions[near]
                found[near] |= _blocked(small.tree, starts, ways, far[near], part)
        return found


def _blocked(
    tree: _Tree, origins: Floats, directions: Floats, far: Floats, opaque: NDArray[np.bool_]
) -> NDArray[np.bool_]:
    hit: Ints = tree.scene.run(origins, directions, far)
    found: NDArray[np.bool_] = hit >= 0
    if opaque.all():
        return found
    rest = np.flatnonzero(found)
    rest = rest[~opaque.take(hit.take(rest))]
    if rest.size:  # what they met lets light through: only these go on
        hits = tree.cast(origins[rest], directions[rest], far[rest])
        after = _beyond(tree, hits, opaque, origins[rest], directions[rest])
        found[rest] = (after.triangle >= 0) & (after.distance < 1)
    return found


def _beyond(
    tree: _Tree, hits: Hits, stop: NDArray[np.bool_], origins: Floats, directions: Floats
) -> Hits:
    """Where rays end that pass through the triangles at which they need not ``stop``."""
    passing = np.flatnonzero(hits.triangle >= 0)
    passing = passing[~stop.take(hits.triangle.take(passing))]
    if not passing.size:
        return hits
    distance, triangle = hits.distance.copy(), hits.triangle.copy()
    u, v = hits.u.copy(), hits.v.copy()
    for _ in range(64):
        lengths = np.linalg.norm(directions[passing], axis=1)
        start = distance[passing] + _STEP / lengths
        start = start.astype(np.float32)
        ways = directions[passing]
        again = tree.cast(origins[passing] + ways * start[:, None], ways)
        missed = again.triangle < 0
        distance[passing] = np.where(missed, np.float32(FAR), again.distance + start)
        triangle[passing], u[passing], v[passing] = again.triangle, again.u, again.v
        passing = passing[~missed & ~stop[np.maximum(again.triangle, 0)]]
        if not passing.size:
            break
    triangle[passing] = -1
    distance[passing] = FAR
    return Hits(distance, triangle, u, v)


def hidden_things(state: HouseState) -> set[str]:
    """Objects inside of what is closed, however deep."""
    hidden: set[str] = set()
    house, places = state.house, state.places
    shut: dict[tuple[str, str], bool] = {}

    def is_hidden(place: tuple[str, str]) -> bool:
        known = shut.get(place)
        if known is not None:
            return known
        around, where = place
        found = False
        owner = house.piece.get(around) or house.thing.get(around)
        if owner is not None:
            own = state.states[around]
            if "open" in own and not own["open"]:
                found = any(r.name == where and r.kind == "within" for r in owner.receptacles)
        if not found and around in places:
            found = is_hidden(places[around])
        shut[place] = found
        return found

    for name, place in places.items():
        if is_hidden(place):
            hidden.add(name)
    return hidden


def _fixed(house: House, meshes: MeshOf | None) -> Iterable[tuple[str, Mesh]]:
    """What never changes, by name."""
    for room in house.rooms:
        yield room.floor_name, floor_mesh(room)
        yield f"walls_{room.name}", walls_mesh(house, room)
        yield f"ceiling_{room.name}", ceiling_mesh(room)
    for opening in house.openings:
        yield opening.name, opening_mesh(house, opening)
    for someone in house.people:
        own = meshes(someone.name, "person") if meshes else None
        mesh = own if own is not None else person_mesh(someone)
        yield someone.name, mesh.placed(someone.pose)


def opaque_triangles(scene: RayScene) -> NDArray[np.bool_]:
    """Triangles that keep light off: not glass, not what shines."""
    table = np.ones(32, bool)
    table[[Surface.GLASS, Surface.GLOW]] = False
    found: NDArray[np.bool_] = table[scene.surfaces]
    return found
