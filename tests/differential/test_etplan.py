"""homebody beside the published code of ET-Plan-Bench: how it compares actions, and its checker.

It takes that code: the environment variable ``HOMEBODY_ETPLAN_CHECKOUT`` names its folder, and
``HOMEBODY_ETPLAN_TASKS`` that of the released tasks.
"""

from __future__ import annotations

import os
import runpy
import sys
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from random import Random
from types import ModuleType
from typing import Any

import pytest

from homebody.core import Object, State, Trace
from homebody.goals.etplan import CLOSE, QUIRKS, ROBOT, EtplanGoal, read_criterion
from homebody.suites.etplan.metrics import longest_common_subsequence, words
from homebody.suites.etplan.released import VERBS, class_of, read_released, read_step
from suites.etplan.released_files import published

pytestmark = pytest.mark.differential

VARIABLE = "HOMEBODY_ETPLAN_CHECKOUT"
EVALUATION = "evaluation_generation/navigation_manipulation_tasks/EmbodiedAI/utils/eval.py"
CHECKER = "evaluation_generation/navigation_tasks/tasks/task_checker.py"
CLASSES = ("apple", "mug", "fridge", "bed")


@pytest.fixture(scope="module")
def checkout() -> Path:
    if VARIABLE not in os.environ:
        pytest.skip(f"no published code of ET-Plan-Bench: {VARIABLE} names no folder")
    return Path(os.environ[VARIABLE])


@pytest.fixture(scope="module")
def evaluation(checkout: Path) -> dict[str, Any]:
    return runpy.run_path(str(checkout / EVALUATION))


@pytest.fixture
def checker(checkout: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """Its checker, with a scene graph of ours in place of the one that needs the simulator."""
    graphs = ModuleType("tasks.scene_graph")
    graphs.VirtualHomeSceneGraph = object  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "tasks", ModuleType("tasks"))
    monkeypatch.setitem(sys.modules, "tasks.scene_graph", graphs)
    path = list(sys.path)
    yield runpy.run_path(str(checkout / CHECKER))["TaskChecker"]
    sys.path[:] = path


class Graph:
    """Facts, asked of as the published checker asks."""

    def __init__(self, state: State) -> None:
        self.state = state
        self.names = list(state.objects)

    def things(self, which: str | list[int]) -> list[str]:
        if isinstance(which, list):
            return [self.names[number] for number in which]
        wanted = ROBOT if which == "character" else which
        return [name for name, item in self.state.objects.items() if item.category == wanted]

    def pairs(self, relation: str, first: Any, second: Any) -> tuple[bool, list[Any]]:
        found = [
            ({"id": self.names.index(a)}, {"id": self.names.index(b)})
            for a in self.things(first)
            for b in self.things(second)
            if self.state.holds(relation, (a, b))
            or (relation == CLOSE and self.state.holds(relation, (b, a)))
        ]
        return bool(found), found

    def is_close(self, first: Any, second: Any) -> tuple[bool, list[Any]]:
        return self.pairs("CLOSE", first, second)

    def is_on(self, first: Any, second: Any) -> tuple[bool, list[Any]]:
        return self.pairs("ON", first, second)

    def is_inside(self, first: Any, second: Any) -> tuple[bool, list[Any]]:
        return self.pairs("INSIDE", first, second)


def test_actions_are_compared_alike(evaluation: dict[str, Any]) -> None:
    """On all plans, each beside another of its file with one step in three left out."""
    rng = Random(1)
    tasks = read_released(published())
    verbs = {ours: theirs for theirs, ours in VERBS.items()}
    for task, other in pairwise(tasks):
        kept = tuple(action for action in other.plan if rng.random() < 0.7)
        lists = []
        for plan in (task.plan, kept):
            steps = []
            for action in plan:
                how = action.args[1] if len(action.args) == 3 else ""
                things = [action.args[0], *action.args[2:]]
                named = " ".join("<{}> ({})".format(*name.rsplit("_", 1)) for name in things)
                steps.append(f"<char0> [{verbs[action.name, how]}] {named}")
            assert tuple(map(read_step, steps)) == plan
            lists.append([evaluation["get_action_object_list"](step) for step in steps])
        theirs = len(evaluation["lcs"](*lists)) - 1
        ours = [[words(action, class_of) for action in plan] for plan in (task.plan, kept)]
        assert longest_common_subsequence(*ours) == theirs


@pytest.mark.parametrize("seed", range(300))
def test_candidates_are_narrowed_alike(seed: int, checker: Any) -> None:
    rng = Random(seed)
    names = [ROBOT, *(f"{name}_{n}" for name in CLASSES for n in range(3))]
    objects = [Object(name, class_of(name)) for name in names]
    facts = [(rng.choice(("CLOSE", "ON", "INSIDE")), *rng.sample(names, 2)) for _ in range(40)]
    state = State.from_facts(objects, facts)
    text = "".join(
        "({}, {}, {})".format(
            rng.choice(("CLOSE", "ON", "INSIDE")), *rng.choices((ROBOT, *CLASSES), k=2)
        )
        for _ in range(rng.randint(1, 5))
    )
    text = text.replace(f"{ROBOT}, {ROBOT}", f"{ROBOT}, apple")
    asked = checker.parse_conditions(text.replace(ROBOT, "character"), pass_preprocess=True)
    theirs = checker.is_success(Graph(state), asked)
    goal = EtplanGoal(read_criterion(text), frozenset({"candidates_are_narrowed"}))
    assert goal.judge(Trace((state,))).success == theirs


def test_it_reads_no_released_criterion(checker: Any) -> None:
    """It knows of no class ``robot``; steps it reads as one list, with ``character`` in its
    place."""
    for task in read_released(published()):
        assert checker.parse_conditions(str(task.criterion), pass_preprocess=True) is None
        as_it_knows = str(task.criterion).replace(ROBOT, "character")
        read = checker.parse_conditions(as_it_knows, pass_preprocess=True)
        assert len(read) == len(task.criterion.conditions)
    assert "steps_are_one_list" in QUIRKS
