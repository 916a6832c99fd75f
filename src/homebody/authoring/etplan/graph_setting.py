"""A VirtualHome scene graph as tasks are drafted in it.

What goes together in homes is known of the classes of the house world; ``virtualhome.toml`` says
which of them a class of VirtualHome is. Classes that are none of them are not asked for.
"""

from __future__ import annotations

import math
import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache, cached_property
from importlib import resources
from itertools import pairwise

from homebody.authoring.etplan.setting import CLEARLY, Setting, Start
from homebody.authoring.language.names import Noun, lexicon
from homebody.goals.etplan import PLACED, Condition, Criterion
from homebody.suites.etplan.graph_game import GraphGame
from homebody.suites.etplan.scenes import graph
from homebody.worlds.house.model.catalogue import catalogue
from homebody.worlds.house.simulation.graph_node import Node
from homebody.worlds.virtualhome.sight import bearers, is_shut


class GraphSetting(Setting):
    """A scene graph as it is at first; see :class:`.setting.Setting`.

    Args:
        digest: Of the graph.
    """

    needs_hand = True

    def __init__(self, digest: str) -> None:
        self._graph = graph(digest)
        self.facts = GraphGame(self._graph, Criterion(()), "full", 1)
        self._nodes = self.facts.nodes

    @cached_property
    def grabbable(self) -> Sequence[str]:
        """Classes of things that can be carried, sorted."""
        nodes, kinds = self._nodes, catalogue().things
        return [
            name
            for name in self.categories
            if self.kind(name) in kinds
            and any(nodes[each].kind == "object" for each in self.instances(name))
        ]

    def starts(self) -> Sequence[Sequence[Start]]:
        """The rooms."""
        return [[room] for room in self._graph.rooms]

    def kind(self, category: str) -> str:
        """What the catalogue of houses calls a class."""
        return kinds().get(category.replace("_", ""), "")

    def relations(self, name: str) -> Iterator[Condition]:
        """What it is on or in, its room, and furniture close to it where that can be measured."""
        node = self._nodes[name]
        if node.holder and self.kind(self.facts.category(node.holder)):
            for relation, word in PLACED.items():
                if node.relation == word:
                    yield Condition(relation, node.category, self.facts.category(node.holder))
        if node.room:
            yield Condition("INSIDE", node.category, self._nodes[node.room].category)
        if self._graph.positions:
            for other in self._nodes.values():
                beside = other.kind == "furniture" and self._is_there(other)
                others = node.category != other.category != self.facts.category(node.holder)
                if beside and others and self.facts.holds("CLOSE", name, other.name):
                    yield Condition("CLOSE", node.category, other.category)

    def is_nearly(self, name: str, condition: Condition) -> bool:
        """Whether the middles are within 3 m, in one room."""
        room, at = self.facts.room(name), self.facts.position(name)
        return any(
            self.facts.room(other) == room and math.dist(at, self.facts.position(other)) <= CLEARLY
            for other in self.facts.instances(condition.second)
        )

    def fits(self, name: str, relation: str, target: str) -> bool:
        """There always is room in VirtualHome, but nothing goes into itself."""
        return name != target

    def is_shut(self, name: str) -> bool:
        """Whether it is closed."""
        return is_shut(self._graph.state, self._graph.opens, "INSIDE", name)

    def closed_around(self, name: str) -> list[str]:
        """What has to be opened before one gets at a thing, the outermost first."""
        state, opens = self._graph.state, self._graph.opens
        inside = bearers(state, name)
        return [place for relation, place in inside if is_shut(state, opens, relation, place)][::-1]

    def litres(self, name: str) -> float:
        """The volume of its bounding box; 0 if that is not known."""
        return round(math.prod(self._graph.sizes.get(name, (0.0,))) * 1000, 3)

    def room_at(self, start: Start) -> str:
        """The room."""
        assert isinstance(start, str)
        return start

    def straight_distance(self, start: Start, stops: Sequence[str]) -> float:
        """From position to position; where there are none, how often the room changes."""
        assert isinstance(start, str)
        places = list(map(self.facts.position, (start, *stops)))
        if self._graph.positions:
            return sum(math.dist(a, b) for a, b in pairwise(places))
        return float(sum(a != b for a, b in pairwise(places)))

    def _names(self) -> Iterable[str]:
        nodes = self._nodes.values()
        return [node.name for node in nodes if node.kind == "room" or self._is_there(node)]

    def _is_there(self, node: Node) -> bool:
        """Whether it can be asked for."""
        return node.kind in ("object", "furniture") and bool(node.room and self.kind(node.category))


@cache
def kinds() -> Mapping[str, str]:
    """Class of VirtualHome, without underscores -> that of the catalogue of houses."""
    known = catalogue()
    own = {name.replace("_", ""): name for name in (*known.things, *known.furniture)}
    return own | _table("kinds")


def noun(category: str) -> Noun:
    """What a class of either world is called: as the table has it; else as it is written, or the
    class of houses that has these letters."""
    letters = category.replace("_", "")
    kind = kinds().get(letters, "")
    if kind != category and kind.replace("_", "") == letters:
        category = kind.replace("_", " ")
    return lexicon().noun(_table("words").get(letters, category))


@cache
def _table(name: str) -> dict[str, str]:
    text = (resources.files("homebody.authoring.etplan") / "virtualhome.toml").read_text("utf-8")
    table: dict[str, str] = tomllib.loads(text)[name]
    return table
