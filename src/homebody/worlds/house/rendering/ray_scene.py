"""The triangles of a house for ray casting, updated cheaply while objects move.

All triangles except the triangles of agents are in one Embree tree. Embree cannot remove triangles.
Therefore a moved or changed object is only marked as removed in this tree, and is added to a
second, small tree. Each agent has a tree of its own. Rays are cast at the large tree, and at small
trees whose box they meet; a ray that hits a removed triangle continues behind it. When the second
tree has grown, it is merged into the large one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeAlias

import numpy as np

from homebody.worlds.house.model.house import House
from homebody.worlds.house.model.state import HouseState
from homebody.worlds.house.rendering.arrays import Floats, Index, Ints, Mask
from homebody.worlds.house.rendering.materials import Surface
from homebody.worlds.house.rendering.meshes.by_category import person_mesh
from homebody.worlds.house.rendering.meshes.by_name import mesh_of
from homebody.worlds.house.rendering.meshes.mesh import Mesh, join_meshes
from homebody.worlds.house.rendering.meshes.rooms import (
    ceiling_mesh,
    floor_mesh,
    opening_mesh,
    walls_mesh,
)
from homebody.worlds.house.rendering.rays import Hits, SmallTree, Tree
from homebody.worlds.house.simulation.relations import is_shut_in

MeshOf: TypeAlias = Callable[[str, str], Mesh | None]
"""(name, category) -> a user's mesh in the object's own frame, or None."""

_MAX_MOVED = 12000  # maximum triangles in the second tree before all is rebuilt
_MAX_SMALL_TREES = 64  # maximum that are cached
_NONE = slice(0, 0)


@dataclass(frozen=True, slots=True)
class Filter:
    """Triangles that rays pass through: see :meth:`RayScene.without`.

    Attributes:
        small_trees: The small trees to test.
        stops: Triangle -> True if rays stop at it.
        all_old_stop: True if they stop at all triangles of the large tree.
    """

    small_trees: tuple[SmallTree, ...]
    stops: Mask
    all_old_stop: bool


class RayScene:
    """A house and its state as triangles.

    Attributes:
        house: The house.
        names: Number -> name. 0 is ``""``, outdoors. Floors, ``walls_<room>``, ``ceiling_<room>``,
            openings, furniture, objects, people and agents follow.
        number: Name -> number.
        owner: Triangle -> number of its owner.
        surfaces: Triangle -> code of its surface.
        base: The triangles of the large tree. The triangles of the small trees, ``added``, are
            numbered after them.
        builds: Number that grows when ``base`` is new; ``version`` grows with each change. Derived
            data compares them.
        state: The state that is shown.
        redrawn: Names whose look differs between the newest and the previous version.
        unshown: Agents that are not drawn. An agent that looks must not see itself.
    """

    def __init__(
        self,
        house: House,
        state: HouseState | None = None,
        meshes: MeshOf | None = None,
        *,
        reactions: bool = True,
    ) -> None:
        """Build the scene.

        Args:
            house: The house.
            state: Poses and states of its objects; the first state if None.
            meshes: The user's own meshes, which take precedence.
            reactions: False to draw people as if nobody spoke to them, for perception.
        """
        self._reactions = reactions
        self.house = house
        self.names: list[str] = [""]
        self.number: dict[str, int] = {"": 0}
        self.version = self.builds = 0
        self._meshes = meshes
        self.unshown: frozenset[str] = frozenset()
        self._followed: tuple[HouseState | None, int] = (None, 0)
        self._looks: dict[str, Any] = {}
        self._parts: dict[str, Mesh] = {}
        self._local: dict[str, Mesh] = {}
        self._welds: dict[str, tuple[Mesh, Index, Ints]] = {}
        self._remembered: dict[tuple[str, ...], SmallTree] = {}
        state = state or HouseState.start(house)
        for name, mesh in _fixed_meshes(house, meshes):
            self._enter(name)
            self._parts[name] = mesh
        self._looks |= self._look_at_people(HouseState.start(house))
        for name in self._collect_looks(state, [*house.piece, *house.thing]):
            self._enter(name)
        self.redrawn = self._draw_changed(state)
        self._build()

    # -- following a state ------------------------------------------------------------------------

    def update(self, state: HouseState) -> bool:
        """Show another state; return whether anything changed."""
        changed = self._draw_changed(state)
        if not changed:
            return False
        self.version += 1
        self.redrawn = changed
        for name in changed:
            back = name in self._built and self._built[name] == self._looks[name]
            if back:  # back to its mesh in the large tree
                self._moved.pop(name, None)
            else:
                self._moved[name] = None
            self._alive[self._spans.get(name, _NONE)] = back
        if sum(len(self._parts[name]) for name in self._moved) > _MAX_MOVED:
            self._build()
        else:
            self._overlay()
        return True

    def part(self, name: str) -> Mesh:
        """Return the triangles of one name in the house; empty if hidden. Raise KeyError."""
        return self._parts[name]

    def own_part(self, name: str) -> Mesh:
        """Return the mesh in its own frame. It is the same Python object until the appearance
        changes. Raises KeyError."""
        return self._local.get(name, self._parts[name])

    def furniture_at_first(self) -> list[tuple[str, Mesh]]:
        """Return the furniture, by name, as in the first state of the house."""
        start = HouseState.start(self.house)
        return [(piece.name, self._draw(start, piece.name)[1]) for piece in self.house.furniture]

    def _draw_changed(self, state: HouseState) -> list[str]:
        """Redraw everything that looks different from before. Return the names."""
        self.state = state
        changed = []
        for name, look in self._collect_looks(state, self._find_touched(state)).items():
            old = self._looks.get(name)
            if old is None or old != look:
                self._enter(name)
                self._looks[name] = look
                self._local[name], self._parts[name] = self._draw(state, name)
                changed.append(name)
        return changed

    def _find_touched(self, state: HouseState) -> Iterable[str]:
        """Return the furniture and objects that may look different from before.

        For another state, these are all of them. For the same state, they are the names in its
        journal and their contents, because the contents may now be behind a closed door or lid.
        """
        before, self._followed = self._followed, (state, state.journal.version)
        if before[0] is not state:
            return [*self.house.piece, *self.house.thing]
        names = dict.fromkeys(state.journal.since(before[1]))
        left = list(names)
        while left:
            name = left.pop()
            holder = self.house.piece.get(name) or self.house.thing.get(name)
            for receptacle in holder.receptacles if holder is not None else ():
                inside = state.objects_at((name, receptacle.name))
                left += inside
                names.update(dict.fromkeys(inside))
        return sorted(
            (name for name in names if name in self.house.piece or name in self.house.thing),
            key=self.number.__getitem__,
        )

    def _collect_looks(self, state: HouseState, names: Iterable[str]) -> dict[str, Any]:
        """Return everything that determines the appearance of some furniture and objects, and of
        all doors, agents and people."""
        states = state.states
        looks: dict[str, Any] = {}
        for name in names:
            own = tuple(states[name].values())
            if name in self.house.piece:
                looks[name] = own
            else:
                looks[name] = (None if is_shut_in(state, name) else state.poses[name], own)
        for name in self.house.door:
            looks[name] = states[name]["open"]
        for agent, body in state.bodies.items():
            if agent not in self.unshown:
                seen = body.looks and state.visible_states(agent, self._reactions)
                looks[agent] = (body.pose, body.size, seen)
        return looks | self._look_at_people(state)

    def _look_at_people(self, state: HouseState) -> dict[str, Any]:
        """Return everything that determines the appearance of the people of the scene."""
        people = self.house.person
        return {name: state.visible_states(name, self._reactions) for name in people}

    def _draw(self, state: HouseState, name: str) -> tuple[Mesh, Mesh]:
        """Return the mesh of a name in its own frame, and in the house."""
        house, states, own = self.house, state.visible_states(name, self._reactions), None
        if name in house.thing and self._looks[name][0] is None:
            nothing = join_meshes([])
            return nothing, nothing
        if self._meshes and name not in house.door and name not in state.bodies:
            known = house.piece.get(name) or house.thing.get(name)
            own = self._meshes(name, "person" if known is None else known.category)
        mesh = own if own is not None else mesh_of(house, state.bodies, name, states)
        if name in house.door:
            return mesh, mesh
        fixed = house.piece.get(name) or house.person.get(name)
        if fixed is not None:
            return mesh, mesh.place(fixed.pose)
        return mesh, mesh.place(
            state.poses[name] if name in house.thing else state.bodies[name].pose
        )

    def _enter(self, name: str) -> None:
        if name not in self.number:
            self.number[name] = len(self.names)
            self.names.append(name)

    # -- triangles --------------------------------------------------------------------------------

    def _build(self) -> None:
        """Put all triangles except the triangles of agents into the large tree."""
        agents = self.state.bodies
        parts = {name: mesh for name, mesh in self._parts.items() if name not in agents}
        self.base = join_meshes(list(parts.values()))
        counts = [len(mesh) for mesh in parts.values()]
        numbers = [self.number[name] for name in parts]
        self._owner: Ints = np.repeat(np.array(numbers, np.int32), counts)
        self._old = len(self._owner)
        ends = np.cumsum(counts).tolist()
        self._spans = {
            name: slice(end - count, end)
            for name, end, count in zip(parts, ends, counts, strict=True)
        }
        self._clear = self.base.surfaces != Surface.GLASS
        self._alive = np.ones(self._old, bool)
        self._moved: dict[str, None] = {}
        self._built = {name: self._looks[name] for name in parts if name in self._looks}
        self._tree = Tree(self.base.corners)
        self._shade: tuple[Tree, Mask] | None = None
        self._remembered.clear()
        self.builds += 1
        self._overlay()

    def _overlay(self) -> None:
        """Put moved objects into the second tree, and agents into theirs."""
        groups = [[name] for name in self.state.bodies if name in self._parts]
        groups.append([name for name in self._moved if name not in self.state.bodies])
        self._small_trees: list[SmallTree] = []
        meshes, names = [], []
        first = self._old
        for group in groups:
            own = [self._parts[name] for name in group]
            if not any(map(len, own)):
                continue
            small = self._remembered.get(tuple(group))
            if small is None or any(a is not b for a, b in zip(small.parts, own, strict=True)):
                small = self._plant(group, own)
                if len(self._remembered) > _MAX_SMALL_TREES:
                    self._remembered.clear()
                self._remembered[tuple(group)] = small
            self._small_trees.append(replace(small, first=first))
            meshes += own
            names += [self.number[name] for name in group]
            first += small.tree.count
        self.added = join_meshes(meshes)
        added = np.repeat(np.array(names, np.int32), [len(mesh) for mesh in meshes])
        self.owner = np.concatenate([self._owner, added])
        self.surfaces = np.concatenate([self.base.surfaces, self.added.surfaces])

    def _plant(self, group: Sequence[str], own: Sequence[Mesh]) -> SmallTree:
        """Return a search tree of a few meshes.

        Embree receives equal corners only once, which is much faster. An object that moves keeps
        its equal corners.
        """
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
        tree = Tree(corners, np.concatenate(faces))
        low, high = corners.min(axis=0), corners.max(axis=0)
        return SmallTree(tree, 0, low, high, frozenset(group), tuple(own))

    # -- rays -------------------------------------------------------------------------------------

    def without(self, hide: Iterable[str] = (), glass: bool = False) -> Filter:
        """Return a filter for rays that pass through some names, and through glass if ``glass``."""
        names = set(hide)
        small_trees = tuple(small for small in self._small_trees if not small.names <= names)
        stops = np.ones(len(self.owner), bool)
        old, new = stops[: self._old], stops[self._old :]
        old[:] = self._alive
        for name in names & self.number.keys():
            old[self._spans.get(name, _NONE)] = False
            new &= self.owner[self._old :] != self.number[name]
        if glass:
            old &= self._clear
            new &= self.added.surfaces != Surface.GLASS
        return Filter(small_trees, stops, bool(old.all()))

    def cast(self, origins: Floats, directions: Floats, only: Filter | None = None) -> Hits:
        """Return the first hits of rays.

        Args:
            origins: (n, 3), single precision.
            directions: (n, 3), of any length.
            only: Triangles that stop them, in the current state.
        """
        only = only or self.without()
        hits = self._tree.cast(origins, directions)
        if not only.all_old_stop:
            hits = self._tree.cast_past(hits, only.stops, origins, directions)
        for small in only.small_trees:
            near = small.find_entering(origins, directions)
            if not near.size:
                continue
            starts, ways = origins[near], directions[near]
            more = small.tree.cast(starts, ways)
            more = small.tree.cast_past(more, only.stops[small.numbers], starts, ways)
            closer = np.flatnonzero((more.triangle >= 0) & (more.distance < hits.distance[near]))
            at = near[closer]
            hits.distance[at] = more.distance[closer]
            hits.triangle[at] = more.triangle[closer] + np.int32(small.first)
            hits.u[at], hits.v[at] = more.u[closer], more.v[closer]
        return hits

    def find_blocked(self, origins: Floats, directions: Floats, opaque: Mask) -> Mask:
        """Return the mask of rays that meet something opaque within their lengths.

        ``opaque``: triangle -> True if it blocks light.
        """
        blocked = self._find_shaded(origins, directions, opaque[: self._old] & self._alive)
        for small in self._small_trees:
            near = small.find_entering(origins, directions)
            if near.size:
                starts, ways, part = origins[near], directions[near], opaque[small.numbers]
                blocked[near] |= small.tree.blocks(starts, ways, part)
        return blocked

    def _find_shaded(self, origins: Floats, directions: Floats, opaque: Mask) -> Mask:
        """Return the same mask for the large tree alone.

        Rays are cast at a tree of opaque triangles, so that no ray has to continue behind a pane.
        If some of these triangles were removed since, rays with hits are cast again.
        """
        if self._shade is None or (opaque & ~self._shade[1]).any():
            self._shade = Tree(self.base.corners[opaque]), opaque
        tree, stops = self._shade
        blocked = tree.blocks(origins, directions)
        if not np.array_equal(stops, opaque):
            again = np.flatnonzero(blocked)
            starts, ways = origins[again], directions[again]
            blocked[again] = self._tree.blocks(starts, ways, opaque)
        return blocked

    def opaque_triangles(self) -> Mask:
        """Return triangle -> True if it blocks light: neither glass nor glowing."""
        table = np.ones(32, bool)
        table[[Surface.GLASS, Surface.GLOW]] = False
        opaque: Mask = table[self.surfaces]
        return opaque


def _fixed_meshes(house: House, meshes: MeshOf | None) -> Iterable[tuple[str, Mesh]]:
    """Yield everything that never changes, by name."""
    for room in house.rooms:
        yield room.floor_name, floor_mesh(room)
        yield f"walls_{room.name}", walls_mesh(house, room)
        yield f"ceiling_{room.name}", ceiling_mesh(house, room)
    for opening in house.openings:
        if opening.kind != "door":
            yield opening.name, opening_mesh(house, opening)
    for person in house.people:
        own = meshes(person.name, "person") if meshes else None
        mesh = own if own is not None else person_mesh(person)
        yield person.name, mesh.place(person.pose)
