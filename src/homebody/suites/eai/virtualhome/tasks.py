"""The official VirtualHome tasks of the Embodied Agent Interface, as homebody tasks.

Source: EAI paper, appendix L.1; the data is described in :mod:`homebody.data.eai`.
"""

from __future__ import annotations

import re
from collections import ChainMap
from collections.abc import Callable, Mapping, MutableMapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache, partial
from typing import Any

from homebody.core import (
    CORRECTED,
    Action,
    Fact,
    HomebodyError,
    Object,
    Protocol,
    State,
    Task,
    Tasks,
)
from homebody.core.formula import TRUE, Formula
from homebody.data import eai as data
from homebody.data.store import disable_collection
from homebody.goals import ltl
from homebody.goals.ltl.goal import LTLGoal
from homebody.suites.eai.world import annotated_tasks
from homebody.worlds.virtualhome import WORLD_QUIRKS, VirtualHome, action_schemas
from homebody.worlds.virtualhome.scene_graph import RELATIONS, thing

CHARACTER_ID = 65
STATES = (
    "CLEAN",
    "CLOSED",
    "DIRTY",
    "LYING",
    "OFF",
    "ON",
    "OPEN",
    "PLUGGED_IN",
    "PLUGGED_OUT",
    "SITTING",
)
"""Unary states (EAI paper, table 29)."""
SCENE_NAMES = {ours: theirs for theirs, ours in RELATIONS.items()}
"""Relation -> its name in scene graphs, which prompts and outputs use."""


def class_of(name: str) -> str:
    """Return ``"soap"`` for ``"soap.1002"``."""
    return name.rpartition(".")[0]


def id_of(name: str) -> int:
    """Return ``1002`` for ``"soap.1002"``."""
    return int(name.rpartition(".")[2])


@dataclass(frozen=True)
class VirtualHomeTask:
    """A task with the annotations that the EAI modules need.

    Attributes:
        task: World, initial state, LTL goal and ground-truth plan.
        title: Title in the script (``task.name`` is the name of its group of scripts).
        changed: Objects whose states the ground truth changes.
        relevant: ``changed``, and the objects in every relation that the ground truth changes.
            These are the objects in prompts.
        kinds: The official category of each relevant object ("Rooms", "placable_objects").
        ended: Relations that hold at the start but not at the end of the ground truth.
        state_goals: ``(state, object)``, each once.
        relation_goals: ``(relation, first, second)``, each once.
        repeated_goals: Number of relation goals that the annotation repeats.
        action_goals: Action names in order, each once; ``"WASH|RINSE"`` means either.
        categories: Official categories (appendix L.5); empty for a task without categories.
        final: Builds the annotated final state.
    """

    task: Task
    title: str
    changed: tuple[str, ...]
    relevant: tuple[str, ...]
    kinds: Mapping[str, str]
    ended: tuple[Fact, ...]
    state_goals: tuple[Fact, ...]
    relation_goals: tuple[Fact, ...]
    repeated_goals: int
    action_goals: tuple[str, ...]
    categories: tuple[str, ...]
    final: Callable[[], State]

    @property
    def id(self) -> str:
        """The official identifier, ``"417_1"``."""
        return self.task.id

    @property
    def goal_totals(self) -> Mapping[str, int]:
        """Kind -> number of goals in the annotation."""
        return {
            "state": len(self.state_goals),
            "relation": len(self.relation_goals),
            "action": len(self.action_goals),
        }

    @property
    def listed_objects(self) -> list[str]:
        """The objects in ``relevant`` without the agent."""
        return [name for name in self.relevant if name != self.task.world.agent]

    @property
    def goal_actions(self) -> frozenset[str]:
        """Names of all actions in ``action_goals``, with alternatives separated."""
        return frozenset(name for goal in self.action_goals for name in goal.split("|"))

    @property
    def has_goal(self) -> bool:
        """False for the tasks with an empty goal (4 of 342)."""
        return bool(self.state_goals or self.relation_goals or self.action_goals)


def load_tasks(protocol: Protocol = CORRECTED) -> Sequence[VirtualHomeTask]:
    """Load all 342 tasks in the official order. Raises HomebodyError if the data is missing."""
    return _load_tasks(protocol.kept_quirks(WORLD_QUIRKS))


def load_task(identifier: str, protocol: Protocol = CORRECTED) -> VirtualHomeTask:
    """Load one task. Raises HomebodyError if there is no such id, and like :func:`load_tasks`."""
    stored = data.load()
    for raw in stored["tasks"]:
        if raw["id"] == identifier:
            return _build(raw, _household(), stored, protocol.kept_quirks(WORLD_QUIRKS))
    raise HomebodyError(
        f"unknown task: {identifier!r}", "see: homebody list eai.virtualhome.action_sequencing"
    )


@lru_cache(maxsize=2)
def _load_tasks(quirks: frozenset[str]) -> tuple[VirtualHomeTask, ...]:
    stored = data.load()
    with disable_collection():
        return tuple(_build(raw, _household(), stored, quirks) for raw in stored["tasks"])


@cache
def _household() -> _Graph:
    """Return the part of the scene that all tasks share."""
    return _Graph({}, {}, {}, {}, {}, {}).apply(data.load()["base"])


class _Graph:
    """A scene graph as the tables of a state."""

    def __init__(
        self,
        nodes: Mapping[int, Sequence[Any]],
        names: Mapping[int, str],
        objects: Mapping[str, Object],
        unary: Mapping[str, frozenset[str]],
        binary: Mapping[str, Mapping[str, frozenset[str]]],
        order: MutableMapping[tuple[str, str], Sequence[str]],
    ) -> None:
        self.nodes = nodes
        self.names = names
        self.objects = objects
        self.unary = unary
        self.binary = binary
        self.order = order

    def state(self) -> State:
        return State(self.objects, self.unary, self.binary)

    def apply(self, difference: Mapping[str, Any]) -> _Graph:
        """Return this graph with a stored difference applied (:mod:`homebody.data.eai`)."""
        nodes = dict(self.nodes)
        names = dict(self.names)
        objects = dict(self.objects)
        restated: dict[str, Sequence[str]] = {}
        for key, row in difference["nodes"].items():
            number = int(key)
            old = nodes.get(number)
            if row is None:
                name = names.pop(number)
                del nodes[number], objects[name]
                restated[name] = ()
                continue
            nodes[number] = row
            if old is None or row[:3] != old[:3]:
                names[number] = f"{row[0]}.{number}"
                objects[names[number]] = thing(names[number], *row[:3])
            restated[names[number]] = row[3]

        unary = dict(self.unary)
        for predicate, names_before in self.unary.items():
            if not names_before.isdisjoint(restated):
                unary[predicate] = names_before.difference(restated)
        added: dict[str, list[str]] = {}
        for name, states in restated.items():
            for predicate in states:
                added.setdefault(predicate, []).append(name)
        for predicate, members in added.items():
            unary[predicate] = unary.get(predicate, frozenset()).union(members)

        binary = dict(self.binary)
        copied: dict[str, dict[str, frozenset[str]]] = {}
        ever = {**self.names, **names}
        order: dict[tuple[str, str], Sequence[str]] = {}
        for key, row in difference["edges"].items():
            predicate, first = _read_edge_key(key, ever)
            seconds = [names[number] for number in row or ()]
            order[predicate, first] = seconds
            if predicate not in copied:
                binary[predicate] = copied[predicate] = dict(binary.get(predicate, {}))
            table = copied[predicate]
            if seconds:
                table[first] = frozenset(seconds)
            else:
                table.pop(first, None)
        return _Graph(nodes, names, objects, unary, binary, ChainMap(order, self.order))


def _build(
    raw: Mapping[str, Any],
    base: _Graph,
    stored: Mapping[str, Any],
    quirks: frozenset[str],
) -> VirtualHomeTask:
    start = base.apply(raw["initial"])
    names = start.names
    state = start.state()
    changed = {
        names[int(key)]
        for key, row in raw["final"]["nodes"].items()
        if row != start.nodes[int(key)]
    }
    ended: list[Fact] = []
    relevant = set(changed)
    for key, row in raw["final"]["edges"].items():
        predicate, first = _read_edge_key(key, names)
        before = state.targets(predicate, first)
        after = {names[number] for number in row or ()}
        if before != after:
            relevant.add(first)
            relevant |= before ^ after
            ended += [(predicate, first, second) for second in before - after]

    listed = raw["goal"]["goal"]
    states, relations = _scene_goals(listed, names)
    world = VirtualHome(names[CHARACTER_ID], quirks, start.order)
    task = Task(
        id=raw["id"],
        name=raw["name"],
        instruction=raw["instruction"],
        world=world,
        initial=state,
        goal=_goal(raw["ltl"], world),
        reference=tuple(_script_line(line, names) for line in raw["script"]),
    )
    return VirtualHomeTask(
        task=task,
        title=raw["title"],
        changed=_sort_by_id(changed),
        relevant=_sort_by_id(relevant),
        kinds={name: start.nodes[id_of(name)][1] for name in relevant},
        ended=tuple(sorted(ended, key=lambda f: (f[0], id_of(f[1]), id_of(f[2])))),
        state_goals=states,
        relation_goals=relations,
        repeated_goals=sum("state" not in goal for goal in listed) - len(relations),
        action_goals=tuple(dict.fromkeys(raw["goal"]["actions"])),
        categories=tuple(
            c.replace("_", " ") for c in stored["vocabulary"]["task_categories"].get(raw["id"], ())
        ),
        final=partial(_final_state, start, raw["final"]),
    )


def _final_state(start: _Graph, changes: Mapping[str, Any]) -> State:
    return start.apply(changes).state()


def _goal(text: str | None, world: VirtualHome) -> LTLGoal:
    formula = TRUE if text is None else _formula(text)
    return LTLGoal(formula, ACTION_PREDICATES, world.view, text or "")


@cache
def _formula(text: str) -> Formula:
    """Parse a formula, cached: the tasks share 92 formulas."""
    return ltl.parse(text)


def _read_edge_key(key: str, names: Mapping[int, str]) -> tuple[str, str]:
    relation, _, number = key.partition(" ")
    return RELATIONS.get(relation, relation), names[int(number)]


def _sort_by_id(names: set[str]) -> tuple[str, ...]:
    return tuple(sorted(names, key=id_of))


def _scene_goals(
    raw: Sequence[Mapping[str, Any]], names: Mapping[int, str]
) -> tuple[tuple[Fact, ...], tuple[Fact, ...]]:
    states: dict[Fact, None] = {}
    relations: dict[Fact, None] = {}
    for goal in raw:
        if "state" in goal:
            states[(goal["state"], names[goal["id"]])] = None
        else:
            relation = RELATIONS.get(goal["relation_type"], goal["relation_type"])
            relations[(relation, names[goal["from_id"]], names[goal["to_id"]])] = None
    return tuple(states), tuple(relations)


def _script_line(line: str, names: Mapping[int, str]) -> Action:
    """Read a ground-truth line such as ``[PUTBACK] <soap> (1.1002) <sink> (1.231)``."""
    action, _, objects = line.partition("]")
    ids = re.findall(r"\(\d+\.(\d+)\)", objects)
    return Action(action.lstrip("[").strip().upper(), tuple(names[int(n)] for n in ids))


ACTION_NAMES = frozenset(action_schemas())
ACTION_PREDICATES = ACTION_NAMES - set(STATES)
"""Predicates of goals that are actions; ``OPEN(x)`` in a goal is the state."""
ACTION_ALIASES = {"LOOKAT_MEDIUM": "LOOKAT"}


@cache
def subgoal_vocabulary() -> Mapping[str, int]:
    """Map the official vocabulary of subgoals (predicates and actions) to numbers of objects."""
    vocabulary = data.load()["vocabulary"]["vocabulary"]
    relations = set(vocabulary["vh_relations_to_tl"].values()) - {"SITTING"}
    states = {name: 2 if name in relations else 1 for name in vocabulary["tl_predicates"]}
    return {**vocabulary["subgoal_actions"], **states}


TASKS: Tasks[VirtualHomeTask] = annotated_tasks(load_tasks, data.fetch, data.STORE.versions)
"""The tasks, for the suites of this world."""
