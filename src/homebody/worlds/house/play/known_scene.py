"""An agent's knowledge of a house as solids for rendering.

Rooms, walls and openings are always known. Furniture is known from the start if the agent knows the
layout. Everything else comes from the world graph. The graph has no yaws. An object has the yaw
that it had when it was last at its believed place.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Set
from typing import Final

import numpy as np

from homebody.core.play.known_scene import KnownScene, KnownSolid, SolidKind, Triangles
from homebody.worlds.house.play.possible import is_near
from homebody.worlds.house.rendering.materials import Surface
from homebody.worlds.house.rendering.meshes.by_category import SEEN_STATES
from homebody.worlds.house.rendering.meshes.by_name import mesh_of
from homebody.worlds.house.simulation.graph_node import Node
from homebody.worlds.house.simulation.knowledge import WorldGraph
from homebody.worlds.house.simulation.simulation import Simulation

NEAR: Final = 1e-6
"""Maximum distance in metres at which an object counts as being at its believed place."""
_ORIGIN: Final = (0.0, 0.0, 0.0)


class SceneMaker:
    """A builder of scenes from one agent's knowledge.

    Args:
        simulation: The simulation.
        agent: The agent.
    """

    def __init__(self, simulation: Simulation, agent: str) -> None:
        self._simulation = simulation
        self._agent = agent
        self._house = simulation.state.house
        self._yaws: dict[str, float] = {}
        self._looks: dict[str, tuple[str, str, tuple[tuple[str, bool], ...]]] = {}
        self._shell = tuple(self._fixed_solids())

    @property
    def _graph(self) -> WorldGraph:
        return self._simulation.graphs[self._agent]

    def scene(self, eyes: float, fov: float, seen: Set[str]) -> KnownScene:
        """Return the scene known now.

        Args:
            eyes: Height of the agent's eyes as a share of its height.
            fov: Horizontal field of view in degrees.
            seen: Agents that are in sight now.
        """
        body = self._simulation.state.bodies[self._agent]
        x, y, z = body.pose.position
        eye = x, y, z + body.size[2] * eyes
        known = (self._solid(node, seen) for node in self._graph.nodes.values())
        solids = (*self._shell, *(solid for solid in known if solid is not None))
        return KnownScene(eye, body.pose.yaw, body.pitch, fov, solids, self._draw)

    def _draw(self, mesh: str) -> Triangles:
        """Return the mesh of a known look. Raises KeyError."""
        name, category, visible = self._looks[mesh]
        bodies = self._simulation.state.bodies
        drawn = mesh_of(self._house, bodies, name, dict(visible), category)
        kinds = np.zeros(len(drawn), np.uint8)
        kinds[drawn.surfaces == Surface.GLASS] = 1
        kinds[drawn.surfaces == Surface.GLOW] = 2
        return Triangles(drawn.corners, drawn.normals, drawn.colours, kinds)

    def _look(self, name: str, category: str, states: Mapping[str, bool]) -> str:
        """Register an appearance and return its identifier."""
        visible = tuple((state, states[state]) for state in SEEN_STATES if state in states)
        text = repr((self._house.seed, name, category, visible))
        mesh = hashlib.sha256(text.encode()).hexdigest()[:16]
        self._looks[mesh] = name, category, visible
        return mesh

    def _fixed_solids(self) -> Iterator[KnownSolid]:
        for room in self._house.rooms:
            parts: tuple[tuple[SolidKind, str], ...] = (
                ("floor", room.floor_name),
                ("wall", f"walls_{room.name}"),
                ("ceiling", f"ceiling_{room.name}"),
            )
            for kind, name in parts:
                mesh = self._look(name, "", {})
                yield KnownSolid(name, kind, room.kind, mesh, _ORIGIN, 0.0, room.name)
        for opening in self._house.openings:
            if opening.kind != "door":
                mesh = self._look(opening.name, "", {})
                yield KnownSolid(opening.name, "opening", opening.kind, mesh, _ORIGIN)

    def _solid(self, node: Node, seen: Set[str]) -> KnownSolid | None:
        """Return the solid of a known object; None for rooms, the agent and hidden objects."""
        name, kind = node.name, node.kind
        if kind == "room" or name == self._agent or (kind == "object" and self._is_shut_in(node)):
            return None
        placed = kind != "door"  # door meshes are in the house's frame
        return KnownSolid(
            name,
            kind,  # type: ignore[arg-type]
            node.category,
            self._look(name, node.category if kind == "object" else "", node.states),
            self._position(node) if placed else _ORIGIN,
            self._yaw(node) if placed else 0.0,
            node.room,
            node.holder,
            node.relation,
            node.states,
            name in seen,
            is_near(self._simulation, self._agent, node),
        )

    def _position(self, node: Node) -> tuple[float, float, float]:
        x, y, z = node.position
        return x, y, z

    def _yaw(self, node: Node) -> float:
        """Return the yaw that an object had when it was at its believed place."""
        name, state = node.name, self._simulation.state
        if name in self._house.piece:
            return self._house.piece[name].pose.yaw
        if name in state.bodies:
            pose = state.bodies[name].pose
        elif name in state.poses:
            pose = state.poses[name]
        else:
            return self._house.person[name].pose.yaw
        apart = max(abs(a - b) for a, b in zip(pose.position, node.position, strict=True))
        if apart < NEAR:
            self._yaws[name] = pose.yaw
        return self._yaws.get(name, 0.0)

    def _is_shut_in(self, node: Node) -> bool:
        """Return whether an object is known to be in something closed."""
        nodes, passed = self._graph.nodes, set()
        while node.name not in passed and node.holder in nodes:
            passed.add(node.name)
            holder = nodes[node.holder]
            if node.relation == "within" and holder.states.get("open") is False:
                return True
            node = holder
        return False
