"""A VirtualHome scene graph in which tasks are drafted.

``virtualhome.toml`` maps the classes of VirtualHome to classes of the house world. The catalogue of
the house world defines which objects belong together. Other classes are not used in tasks.
"""

from __future__ import annotations

import math
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from functools import cache, cached_property
from importlib import resources
from itertools import pairwise

from homebody.authoring.etplan.setting import CLEARLY, Setting, Start
from homebody.authoring.language.names import Noun, lexicon
from homebody.goals.etplan import Condition, Criterion
from homebody.suites.etplan.graph_game import GraphGame
from homebody.suites.etplan.scenes import graph
from homebody.worlds.house.model.catalogue import catalogue
from homebody.worlds.house.simulation.graph_node import Node
from homebody.worlds.virtualhome.sight import bearers, is_shut


class GraphSetting(Setting):
    """The initial state of a scene graph; see :class:`.setting.Setting`."""

    needs_hand = True

    def __init__(self, digest: str) -> None:
        self._graph = graph(digest)
        self.facts = GraphGame(self._graph, Criterion(()), "full", 1)
        self._nodes = self.facts.nodes

    @cached_property
    def grabbable(self) -> Sequence[str]:
        """The classes of objects that can be carried, sorted."""
        nodes, kinds = self._nodes, catalogue().things
        return [
            name
            for name in self.categories
            if self.kind(name) in kinds
            and any(nodes[each].kind == "object" for each in self.instances(name))
        ]

    def starts(self) -> Sequence[Sequence[Start]]:
        """Return the rooms."""
        return [[room] for room in self._graph.rooms]

    def kind(self, category: str) -> str:
        """Return the catalogue's name of a class."""
        return kinds().get(category.replace("_", ""), "")

    def house_name(self, name: str) -> str:
        """Return a name of an object in the manner of houses: its class, and what tells it from
        others of the class."""
        return f"{self.kind(self.facts.category(name))}_{name.replace('_', '-')}"

    def is_nearly(self, name: str, condition: Condition) -> bool:
        """Return whether the centres are in one room and at most 3 m apart."""
        room, at = self.facts.room(name), self.facts.position(name)
        return any(
            self.facts.room(other) == room and math.dist(at, self.facts.position(other)) <= CLEARLY
            for other in self.facts.instances(condition.second)
        )

    def fits(self, name: str, relation: str, target: str) -> bool:
        """Return whether the names differ. VirtualHome does not check sizes, but an object cannot
        be in itself."""
        return name != target

    def is_shut(self, name: str) -> bool:
        """Return whether a container is closed."""
        return is_shut(self._graph.state, self._graph.opens, "INSIDE", name)

    def closed_around(self, name: str) -> list[str]:
        """Return the containers to open before an object can be reached, the outermost first."""
        state, opens = self._graph.state, self._graph.opens
        inside = bearers(state, name)
        return [place for relation, place in inside if is_shut(state, opens, relation, place)][::-1]

    def seen_on_entering(self, start: Start, room: str) -> frozenset[str]:
        """Return the objects of a room that are in no closed container."""
        inside = (name for name in self._names() if self.facts.room(name) == room)
        return frozenset(name for name in inside if not self.closed_around(name))

    def litres(self, name: str) -> float:
        """Return the volume of the bounding box; 0 if it is unknown."""
        return round(math.prod(self._graph.sizes.get(name, (0.0,))) * 1000, 3)

    def room_at(self, start: Start) -> str:
        """Return the room of a start."""
        assert isinstance(start, str)
        return start

    def straight_distance(self, start: Start, stops: Sequence[str]) -> float:
        """Return the metres on the floor between positions, or the number of changes of room if
        positions are unknown."""
        assert isinstance(start, str)
        places = list(map(self.facts.position, (start, *stops)))
        if self._graph.positions:
            return sum(math.dist(a[:2], b[:2]) for a, b in pairwise(places))
        return float(sum(a != b for a, b in pairwise(places)))

    def _names(self) -> Iterable[str]:
        nodes = self._nodes.values()
        return [node.name for node in nodes if node.kind == "room" or self._is_there(node)]

    def _is_there(self, node: Node) -> bool:
        """Return whether a node can occur in a task."""
        return node.kind in ("object", "furniture") and bool(node.room and self.kind(node.category))


@cache
def kinds() -> Mapping[str, str]:
    """Return class of VirtualHome without underscores -> class of the house catalogue."""
    known = catalogue()
    own = {name.replace("_", ""): name for name in (*known.things, *known.furniture)}
    return own | _table("kinds")


@cache
def noun(category: str) -> Noun:
    """Return the noun of a class of either world."""
    return lexicon().noun(word(category))


def word(category: str) -> str:
    """Return the word of the lexicon for a class of either world: from the table, the house class
    with the same letters, or else the class name itself."""
    letters = category.replace("_", "")
    kind = kinds().get(letters, "")
    same = kind != category and kind.replace("_", "") == letters
    return _table("words").get(letters, kind.replace("_", " ") if same else category)


@cache
def _table(name: str) -> dict[str, str]:
    text = (resources.files("homebody.authoring.etplan") / "virtualhome.toml").read_text("utf-8")
    table: dict[str, str] = tomllib.loads(text)[name]
    return table
