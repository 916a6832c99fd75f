"""The official BEHAVIOR tasks of the Embodied Agent Interface, as homebody tasks.

Source: EAI paper, appendix L.2 and M.2; the data is described in :mod:`homebody.data.behavior`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from typing import Any

from homebody.core import CORRECTED, Action, Fact, HomebodyError, Protocol, Task, Tasks
from homebody.core.formula import Literal
from homebody.data import behavior as data
from homebody.data.store import disable_collection
from homebody.goals.bddl import (
    BDDLGoal,
    Problem,
    kind_of,
    parse_problem,
    published_options,
    rename_objects,
    universe,
)
from homebody.goals.bddl.published import Option
from homebody.suites.eai.world import annotated_tasks
from homebody.worlds.behavior import WORLD_QUIRKS, Behavior, Thing, assumed_facts, scene

AGENT = "agent.n.01_1"
ALIASES = {
    "cleaning_up_after_a_meal_0_Merom_1_int_0_2021-06-06_19-55-27": (
        "cleaning_up_after_a_meal_0_Wainscott_0_int_0_2021-10-20_05-33-24"
    )
}
"""Identifier in the official prompts of goal interpretation -> id of the task."""


@dataclass(frozen=True)
class BehaviorTask:
    """A task with the annotations that the EAI modules need.

    Objects have two names: ``strawberry_0`` in plans and prompts, ``strawberry.n.01_1`` in BDDL.
    All attributes except ``raw`` use the first.

    Attributes:
        task: World, initial state, BDDL goal and ground-truth plan.
        problem: The activity that judges it: its goal is ``task.goal``.
        names: BDDL name -> name, in the order of the problem, without the agent.
        things: The objects, in the same order.
        unstated: Facts of the initial state that hold without being stated in the problem; see
            :func:`unstated_facts`.
        categories: Official categories (appendix L.5).
        raw: The stored task (:mod:`homebody.data.behavior`).
        interpreted: Goals that prompts request instead of the annotated goals, if a model has
            interpreted the goals itself (:mod:`.pipeline`).
    """

    task: Task
    problem: Problem
    names: Mapping[str, str]
    things: tuple[Thing, ...]
    unstated: tuple[Fact, ...]
    categories: tuple[str, ...]
    raw: Mapping[str, Any]
    interpreted: tuple[Literal, ...] | None = None

    @property
    def id(self) -> str:
        """The identifier of the task in files and prompts."""
        return self.task.id

    @property
    def objects(self) -> Sequence[Mapping[str, Any]]:
        """The stored rows of ``things``."""
        rows: Sequence[Mapping[str, Any]] = self.raw["objects"]
        return rows

    @cached_property
    def published_options(self) -> tuple[Sequence[Option], ...]:
        """The goal options that the published code makes for each condition."""
        over = universe(self.problem)
        return tuple(published_options(condition, over) for condition in self.problem.conditions)

    @cached_property
    def as_instructed(self) -> BehaviorTask:
        """The task with the goal of its instruction (``bddl`` 1.0.1); EAI changed 3 goals."""
        original = self.raw.get("original")
        if not original:
            return self
        problem = rename_objects(parse_problem(original), self.names)
        goal = BDDLGoal.of(problem, self.task.world.view)
        return replace(self, problem=problem, task=replace(self.task, goal=goal))

    @property
    def goal_totals(self) -> Mapping[str, float]:
        """Kind -> number of conditions of the goal; see :func:`shares`."""
        return {
            kind: sum(shares(kind_of(condition))[kind] for condition in self.problem.conditions)
            for kind in ("state", "relation")
        }


def shares(kind: str) -> Mapping[str, float]:
    """Return the weight of a condition in each kind; mixed ones count half each, as published."""
    if kind == "mixed":
        return {"state": 0.5, "relation": 0.5}
    return {"state": float(kind == "state"), "relation": float(kind == "relation")}


def load_tasks(protocol: Protocol = CORRECTED) -> Sequence[BehaviorTask]:
    """Load all 100 tasks in the official order. Raises HomebodyError if the data is missing."""
    return _load_tasks(protocol.kept_quirks(WORLD_QUIRKS))


def load_task(identifier: str, protocol: Protocol = CORRECTED) -> BehaviorTask:
    """Load one task. Raises HomebodyError if there is no such id, and like :func:`load_tasks`."""
    for raw in data.load("tasks"):
        if identifier in (raw["id"], raw["activity"]):
            return _build(raw, protocol.kept_quirks(WORLD_QUIRKS))
    raise HomebodyError(
        f"unknown task: {identifier!r}", "see: homebody list eai.behavior.action_sequencing"
    )


@lru_cache(maxsize=2)
def _load_tasks(quirks: frozenset[str]) -> tuple[BehaviorTask, ...]:
    with disable_collection():
        return tuple(_build(raw, quirks) for raw in data.load("tasks"))


def _build(raw: Mapping[str, Any], quirks: frozenset[str]) -> BehaviorTask:
    names = {row["bddl"]: row["name"] for row in raw["objects"]}
    things = tuple(_make_thing(row, raw["rooms"]) for row in raw["objects"])
    stated = [
        (row[0], *(names.get(name, name) for name in row[1:]))
        for row in raw["initial"]
        if row[0] != "not"
    ]
    denied = [
        (row[1], *(names.get(name, name) for name in row[2:]))
        for row in raw["initial"]
        if row[0] == "not"
    ]
    unstated = unstated_facts(things, raw["rooms"], names, stated, denied)
    world = Behavior(AGENT, quirks)
    problem = rename_objects(parse_problem(raw["problem"]), names)
    return BehaviorTask(
        task=Task(
            id=raw["id"],
            name=raw["activity"],
            instruction=raw["instruction"],
            world=world,
            initial=scene(things, [*stated, *unstated], AGENT),
            goal=BDDLGoal.of(problem, world.view),
            reference=tuple(_step(name, written) for name, written in raw["plan"]),
        ),
        problem=problem,
        names=names,
        things=things,
        unstated=unstated,
        categories=tuple(
            category.replace("_", " ")
            for category in data.load("pddl")["task_categories"].get(raw["id"], ())
        ),
        raw=raw,
    )


def _make_thing(row: Mapping[str, Any], rooms: Mapping[str, str]) -> Thing:
    floor = row["model"] == "floors"
    abilities = data.load("taxonomy")[row["synset"]]["abilities"]
    return Thing(
        name=row["name"],
        category=row["category"],
        kind=row["synset"],
        abilities=frozenset(abilities),
        fixed=row["bddl"] in rooms and not floor,
        floor=floor,
    )


def unstated_facts(
    things: Sequence[Thing],
    rooms: Mapping[str, str],
    names: Mapping[str, str],
    stated: Sequence[Fact],
    denied: Sequence[Fact],
) -> tuple[Fact, ...]:
    """Return the initial facts that the problem does not state.

    The published evaluation measured them in its physics simulator. By rule:

    - The problem states only the room of scene objects. Objects that are not inside or on anything
      stand on the floor of that room.
    - The world assumes facts (:func:`homebody.worlds.behavior.assumed_facts`): cartons are open.

    Facts that the problem denies are not assumed.
    """
    floor_of = {room: names[name] for name, room in rooms.items() if name.startswith("floor.n.01_")}
    placed = {fact[1] for fact in stated if fact[0] in ("inside", "ontop", "onfloor")}
    standing = [
        ("onfloor", names[name], floor_of[room])
        for name, room in rooms.items()
        if room in floor_of and names[name] not in placed and not name.startswith("floor.n.01_")
    ]
    facts = (*standing, *assumed_facts(things, stated))
    return tuple(fact for fact in facts if fact not in denied)


def dotted_name(name: str) -> str:
    """Return ``carving_knife_0`` as ``carving_knife.0``, as prompts of subgoals write it."""
    head, _, number = name.replace(".", "_").rpartition("_")
    return f"{head}.{number}" if head else name


def _step(name: str, written: str) -> Action:
    return Action(name, tuple(word.strip() for word in written.split(",")))


TASKS: Tasks[BehaviorTask] = annotated_tasks(load_tasks, data.fetch, data.STORE.versions)
"""The tasks, for the suites of this world."""
