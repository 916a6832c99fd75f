"""VirtualHome's scene graphs, in the JSON format of its simulator and datasets.

A node has an ``id``, a ``class_name``, a ``category`` (``Rooms`` for rooms), ``properties``
(``GRABBABLE``) and ``states`` (``CLOSED``), and may have a ``bounding_box`` (``center`` and
``size``) or an ``obj_transform`` (``position``), in metres, the second number upwards. An edge has
``from_id``, ``relation_type`` (``INSIDE``) and ``to_id``.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Annotated, Final, TypeAlias

import msgspec
from msgspec import Meta

from homebody.core.ground.user_errors import HomebodyError
from homebody.core.state import Object, State
from homebody.worlds.virtualhome.sight import find_openable
from homebody.worlds.virtualhome.view import StateView

MAX_BYTES: Final = 32 * 1024**2
"""Most bytes of a graph's file."""
RELATIONS: Final = {"ON": "ONTOP", "CLOSE": "NEXT_TO"}
"""Relation name in graphs -> predicate, if they differ."""
CHARACTER: Final = "character"
"""The class of the acting character."""

Vector: TypeAlias = tuple[float, float, float]
_Word: TypeAlias = Annotated[str, Meta(pattern=r"^[A-Za-z][A-Za-z0-9_-]*$", max_length=60)]
_Id: TypeAlias = Annotated[int, Meta(ge=0, le=10**9)]
_Metres: TypeAlias = Annotated[float, Meta(ge=-1e4, le=1e4)]
_Raw: TypeAlias = tuple[_Metres, _Metres, _Metres]


class _Box(msgspec.Struct, frozen=True):
    center: _Raw
    size: _Raw


class _Transform(msgspec.Struct, frozen=True):
    position: _Raw


class _Node(msgspec.Struct, frozen=True):
    id: _Id
    class_name: _Word
    category: Annotated[str, Meta(max_length=60)] = ""
    properties: Annotated[tuple[_Word, ...], Meta(max_length=40)] = ()
    states: Annotated[tuple[_Word, ...], Meta(max_length=40)] = ()
    bounding_box: _Box | None = None
    obj_transform: _Transform | None = None


class _Edge(msgspec.Struct, frozen=True):
    from_id: _Id
    relation_type: _Word
    to_id: _Id


class _Graph(msgspec.Struct, frozen=True):
    nodes: Annotated[tuple[_Node, ...], Meta(min_length=1, max_length=5_000)]
    edges: Annotated[tuple[_Edge, ...], Meta(max_length=400_000)]


class _Episode(msgspec.Struct, frozen=True):
    """A file of a script's run in EAI's data."""

    init_graph: _Graph


@dataclass(frozen=True, eq=False)
class SceneGraph:
    """A household in its initial state.

    Attributes:
        state: The facts, of objects called ``class.id``.
        agent: The acting character's name.
        positions: Object -> its centre in metres, z upwards; empty if the graph has none.
        sizes: Object -> width, depth and height of its bounding box in metres, as far as known.
    """

    state: State
    agent: str
    positions: Mapping[str, Vector] = field(default_factory=dict)
    sizes: Mapping[str, Vector] = field(default_factory=dict)

    @cached_property
    def rooms(self) -> tuple[str, ...]:
        """The rooms, in the order of the graph."""
        return tuple(name for name in self.state.objects if self.state.holds("ROOM", (name,)))

    @cached_property
    def opens(self) -> frozenset[str]:
        """The objects that can be opened."""
        return find_openable(StateView(self.state, self.agent, frozenset(), {}))

    @cached_property
    def digest(self) -> str:
        """A hash of 16 hexadecimal digits that identifies the graph."""
        things = [(o.name, o.category, sorted(o.properties)) for o in self.state.objects.values()]
        placed = sorted(self.positions.items()), sorted(self.sizes.items())
        content = (things, sorted(self.state.facts()), self.agent, placed)
        return hashlib.sha256(msgspec.json.encode(content)).hexdigest()[:16]

    def start(self, room: str) -> SceneGraph:
        """Return a copy with the character standing in the middle of a room, its hands empty.

        Raises:
            HomebodyError: The room does not exist.
        """
        if room not in self.rooms:
            raise HomebodyError(f"unknown room: {room[:80]!r}", f"choose one of: {self.rooms}")
        gone = [fact for fact in self.state.facts() if self.agent in fact[1:]]
        return replace(self, state=self.state.change(gone, [("INSIDE", self.agent, room)]))


def read_graph(data: bytes) -> SceneGraph:
    """Read a scene graph, or the initial one of a script's run in EAI's data.

    Raises:
        HomebodyError: It is not a scene graph, or has no rooms.
    """
    try:
        is_episode = b'"init_graph"' in data[:1000]
        raw = (
            msgspec.json.decode(data, type=_Episode).init_graph
            if is_episode
            else msgspec.json.decode(data, type=_Graph)
        )
    except (msgspec.DecodeError, RecursionError, UnicodeDecodeError) as error:
        raise HomebodyError(f"this is not a scene graph: {error}") from error
    names = {node.id: f"{node.class_name}.{node.id}" for node in raw.nodes}
    if len(names) < len(raw.nodes):
        raise HomebodyError("this is not a scene graph: two nodes have the same id")
    objects = [
        thing(names[node.id], node.class_name, node.category, node.properties) for node in raw.nodes
    ]
    agents = [item.name for item in objects if item.category == CHARACTER]
    if not agents:
        agents = [f"{CHARACTER}.{max(names) + 1}"]
        objects.append(Object(agents[0], CHARACTER))
    facts: list[tuple[str, ...]] = [
        (state.upper(), names[node.id]) for node in raw.nodes for state in node.states
    ]
    for number, edge in enumerate(raw.edges):
        if edge.from_id not in names or edge.to_id not in names:
            raise HomebodyError(f"this is not a scene graph: edge {number} leads to no node")
        first, second = names[edge.from_id], names[edge.to_id]
        relation = RELATIONS.get(edge.relation_type.upper(), edge.relation_type.upper())
        facts.append((relation, first, second))
        if relation == "NEXT_TO":  # nearness goes both ways
            facts.append((relation, second, first))
    if not any("ROOM" in item.properties for item in objects):
        raise HomebodyError("this scene graph has no rooms: no node is of the category Rooms")
    boxes = {names[n.id]: n.bounding_box for n in raw.nodes if n.bounding_box is not None}
    moved = {names[n.id]: n.obj_transform for n in raw.nodes if n.obj_transform is not None}
    positions = {name: _swap_axes(each.position) for name, each in moved.items()}
    return SceneGraph(
        State.from_facts(objects, facts),
        agents[0],
        positions | {name: _swap_axes(box.center) for name, box in boxes.items()},
        {name: _swap_axes(box.size) for name, box in boxes.items()},
    )


def write_graph(graph: SceneGraph) -> bytes:
    """Return a graph as a line of JSON, which :func:`read_graph` can read."""
    objects = graph.state.objects
    numbers = {name: int(name.rpartition(".")[2]) for name in objects}
    facts = list(graph.state.facts())
    states: dict[str, list[str]] = {name: [] for name in objects}
    for fact in facts:
        if len(fact) == 2:
            states[fact[1]].append(fact[0])
    nodes = []
    for item in objects.values():
        at, size = graph.positions.get(item.name), graph.sizes.get(item.name)
        nodes.append(
            _Node(
                numbers[item.name],
                item.category,
                "Rooms" if item.name in graph.rooms else "",
                tuple(sorted(item.properties - {"ROOM"})),
                tuple(states[item.name]),
                _Box(_swap_axes(at), _swap_axes(size)) if at and size else None,
                _Transform(_swap_axes(at)) if at and not size else None,
            )
        )
    plain = {ours: theirs for theirs, ours in RELATIONS.items()}
    edges = (
        _Edge(numbers[fact[1]], plain.get(fact[0], fact[0]), numbers[fact[2]])
        for fact in facts
        if len(fact) == 3
    )
    return msgspec.json.encode(_Graph(tuple(nodes), tuple(edges)))


def thing(name: str, class_name: str, category: str, properties: tuple[str, ...]) -> Object:
    """Return a node as an object; rooms have the property ``ROOM``."""
    kind = ("ROOM",) if category == "Rooms" else ()
    return Object(name, class_name, frozenset((*properties, *kind)))


def _swap_axes(raw: Vector) -> Vector:
    """Swap the last two coordinates, so that the third is upwards, or back."""
    x, up, y = raw
    return x, y, up
