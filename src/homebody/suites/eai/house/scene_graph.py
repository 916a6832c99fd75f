"""The model writes the scene graph of a room from pictures.

This measures errors of perception, before goal interpretation.

The numbers in names of nodes have no meaning. The score depends on how many nodes of a
category there are, how many of them are in a state, and how many have a relation to a node of a
given category.

Source: EAI paper, appendix K.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Final, TypeAlias

from homebody.core import Prompting, Protocol, Reporting, Score, Scoring, Suite, TextAgent
from homebody.core.ground.seeds import choose
from homebody.core.viewing import Ability, Viewing
from homebody.suites.eai.agents import always
from homebody.suites.eai.answers import object_with, read_answer
from homebody.suites.eai.goal_interpretation import MicroAverages, compared_text, goals_score
from homebody.suites.eai.house.action_sequencing import OWN
from homebody.suites.eai.house.prompts import RELATIONS, STATES, scene_graph_prompt
from homebody.suites.eai.house.tasks import TASKS, HouseTask, load_rooms, shown_images
from homebody.suites.eai.lenient_json import JsonObject, to_plain
from homebody.suites.eai.plan_results import sentence
from homebody.suites.eai.reading import OFF_FORMAT, ParsingError, Reading
from homebody.suites.eai.solution import show_solution

if TYPE_CHECKING:
    import numpy as np

NAME: Final = "eai.house.scene_graph"
KINDS: Final = {"nodes": 1, "states": 2, "edges": 3}
"""Kind of element -> length of its row: node, (state, node), (relation, node, node)."""
UNCOUNTED: Final = frozenset({"cushion", "pillow", "throw_pillow"})
"""Categories that are not counted: sofas and beds are drawn with cushions and pillows that are not
objects of the house."""
MOST: Final = 5_000
"""Maximum number of elements of a kind that are read; further ones count as malformed."""

Row: TypeAlias = tuple[str, ...]
Graph: TypeAlias = Mapping[str, Counter[Row]]
"""Kind -> its rows, with categories in place of nodes."""
_NUMBER: Final = re.compile(r"[\s_.#-]*\d+$")


def truth(task: HouseTask) -> Graph:
    """Return the graph that the pictures show."""
    return _graph(*_rows(task))


def _rows(task: HouseTask) -> tuple[list[Row], list[Row], list[Row]]:
    room = task.line.room
    nodes: list[Row] = [(each.name,) for each in room.objects]
    return (
        nodes,
        [fact for fact in room.facts if len(fact) == 2 and fact not in room.unclear],
        [fact for fact in room.facts if len(fact) == 3],
    )


def _graph(nodes: Iterable[Row], states: Iterable[Row], edges: Iterable[Row]) -> Graph:
    graph: dict[str, Counter[Row]] = {}
    for kind, those in zip(KINDS, (nodes, states, edges), strict=True):
        graph[kind] = Counter(filter(_is_counted, (_by_category(kind, row) for row in those)))
    return graph


def _is_counted(row: Row) -> bool:
    return UNCOUNTED.isdisjoint(row)


def _by_category(kind: str, row: Row) -> Row:
    names = row if kind == "nodes" else row[1:]
    return (*row[: len(row) - len(names)], *map(category, names))


def category(name: str) -> str:
    """Return ``"bar_stool"`` for ``"Bar stool 2"``. The floor of a room is a ``floor``."""
    word = _NUMBER.sub("", name.strip().lower())
    word = re.sub(r"[\s_-]+", "_", word)
    return "floor" if word.startswith("floor_") and word != "floor_lamp" else word


def score(task: HouseTask, output: str, protocol: Protocol) -> Score:
    """Compare a graph with the content of the pictures; any text gets a score."""
    reading = Reading.of(protocol)
    wanted, unread, malformed = truth(task), "", 0
    predicted: Graph = {kind: Counter() for kind in KINDS}
    try:
        predicted, malformed = _read(output, reading)
    except ParsingError as error:
        unread = str(error)
    counts = {}
    missed, wrong = [], []
    unclear = _graph((), task.line.room.unclear, ())["states"]
    predicted = {
        **predicted,
        "states": predicted["states"] - (unclear - (unclear & wanted["states"])),
    }
    for kind in KINDS:
        right = (predicted[kind] & wanted[kind]).total()
        counts[kind] = [right, predicted[kind].total() - right, wanted[kind].total() - right]
        missed += [_text(kind, row) for row in (wanted[kind] - predicted[kind]).elements()]
        wrong += [_text(kind, row) for row in (predicted[kind] - wanted[kind]).elements()]
    counts["nodes"][1] += malformed
    overall = [sum(numbers[at] for numbers in counts.values()) for at in range(3)]
    known = {row[0] for row in wanted["nodes"]}
    return goals_score(
        task,
        overall,
        {"counts": counts, "readable": not unread, **reading.record},
        format_errors=malformed + bool(unread),
        hallucinations=sum(n for (name,), n in predicted["nodes"].items() if name not in known),
        explanation=sentence(unread)
        if unread
        else compared_text(overall, {"Missed": missed, "Wrong": wrong}),
    )


def _read(output: str, reading: Reading) -> tuple[Graph, int]:
    """Read a graph; return it and its number of malformed elements. Raises ParsingError."""
    wanted = "an object with the lists nodes, states and edges"
    lists = dict(read_answer(output, reading, object_with(KINDS), wanted))
    graph: dict[str, Counter[Row]] = {}
    malformed = 0
    for kind, length in KINDS.items():
        listed = lists.get(kind, [])
        graph[kind] = Counter()
        if not isinstance(listed, list) or isinstance(listed, JsonObject):
            malformed += 1
            continue
        malformed += max(0, len(listed) - MOST)
        for item in listed[:MOST]:
            words = to_plain(item)
            words = [words] if isinstance(words, str) else words
            if (
                not isinstance(words, list)
                or len(words) != length
                or not all(isinstance(word, str) and word.strip() for word in words)
            ):
                malformed += 1
            else:
                head = [] if kind == "nodes" else [words[0].strip().lower()]
                row = _by_category(kind, (*head, *words[len(head) :]))
                if _is_counted(row):
                    graph[kind][row] += 1
    return graph, malformed


def _text(kind: str, row: Row) -> str:
    return row[0] if kind == "nodes" else f"{row[0]}({', '.join(row[1:])})"


def render(nodes: Sequence[Row], states: Sequence[Row], edges: Sequence[Row]) -> str:
    """Write a graph in the format of the prompt."""
    return json.dumps({"nodes": [name for (name,) in nodes], "states": states, "edges": edges})


def oracle(task: HouseTask, generator: np.random.Generator) -> str:
    """Return the graph that the pictures show."""
    return render(*_rows(task))


def random(task: HouseTask, generator: np.random.Generator) -> str:
    """Return random nodes, states and edges, the same numbers as in the graph, with names of nodes
    from other rooms."""
    others = [
        each.name
        for other in load_rooms()
        if other.id != task.id
        for each in other.line.room.objects
    ]
    nodes, states, edges = _rows(task)
    names = [choose(generator, others) for _ in nodes]
    return render(
        [(name,) for name in names],
        [(choose(generator, list(STATES)), choose(generator, names)) for _ in states],
        [
            (choose(generator, list(RELATIONS)), choose(generator, names), choose(generator, names))
            for _ in edges
        ],
    )


SUITE: Final[Suite[HouseTask]] = Suite(
    name=NAME,
    title="Write down the scene graph that pictures of a room show (house)",
    tasks=replace(
        TASKS,
        load=load_rooms,
        describe=lambda task: f"The scene graph of {task.line.room.name}",
        categories=lambda task: (),
    ),
    scoring=Scoring(score, protocols=OWN),
    reporting=Reporting(
        summary=MicroAverages(
            {kind: kind for kind in KINDS},
            {"nodes": "Nodes", "states": "States", "edges": "Edges", "all": "Overall"},
        ).summary(),
        measures=OFF_FORMAT,
        tallies={"Format errors": "format_errors", "Halluc. nodes": "hallucinations"},
    ),
    viewing=Viewing(
        abilities=(Ability("Perception", "f1"),),
        faults={"format_error", "hallucination"},
        solution=show_solution,
    ),
    prompting=Prompting(scene_graph_prompt, images=shown_images),
    text_agents={
        "oracle": TextAgent(oracle),
        "random": TextAgent(random),
        "empty": always(render((), (), ())),
    },
    prompt_version=2,
)
