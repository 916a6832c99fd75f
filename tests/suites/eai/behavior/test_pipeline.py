"""Goals that a model interpreted, asked for in place of the annotated ones."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest

from homebody.core import CORRECTED
from homebody.core.formula import Atom, Not, atom_of
from homebody.suites import get_suite
from homebody.suites.eai.behavior.goals import RELATIONS
from homebody.suites.eai.behavior.pipeline import PIPELINE
from homebody.suites.eai.behavior.prompts import subgoal_decomposition_prompt
from homebody.suites.eai.behavior.tasks import BehaviorTask, load_task, load_tasks
from homebody.suites.eai.pipeline import MAX_GOALS

pytestmark = pytest.mark.usefixtures("behavior_data")
SUITE = get_suite("eai.behavior.action_sequencing")
GOALS = PIPELINE.first
RNG = np.random.default_rng(0)


@pytest.fixture(scope="module")
def bottling(behavior_data: None) -> BehaviorTask:
    return load_task("bottling_fruit")


def oracle(task: BehaviorTask) -> str:
    return SUITE.text_agents["oracle"].answer(task, RNG)


def answer(node: Any = (), edge: Any = ()) -> str:
    return json.dumps({"node goals": node, "edge goals": edge})


def test_a_pipeline_asks_for_the_interpreted_goals(bottling: BehaviorTask) -> None:
    pipeline = SUITE.experiments.pipeline
    assert pipeline is not None
    output = pipeline.first.text_agents["oracle"].answer(bottling, RNG)
    changed, record = pipeline.feed(bottling, output)
    assert record["readable"]
    assert record["dropped_goals"] == 0
    asked = SUITE.prompting.prompt(changed)
    official = SUITE.prompting.prompt(bottling)
    assert asked != official
    start, end = "target environment state:\n", "interactable objects:"

    def parts(text: str) -> tuple[str, str, str]:
        before, _, rest = text.rpartition(start)
        goals, _, after = rest.partition(end)
        return "\n".join(line.rstrip() for line in before.splitlines()), goals, after

    assert parts(asked)[0] == parts(official)[0]
    assert parts(asked)[2].split() == parts(official)[2].split()
    assert "['sliced', 'strawberry_0']" in parts(asked)[1]
    assert "exists" not in parts(asked)[1]
    assert "exists" in parts(official)[1]
    # the plan is judged by the annotated goal all the same
    plan = oracle(bottling)
    assert SUITE.score(changed, plan, CORRECTED) == SUITE.score(bottling, plan, CORRECTED)
    nothing, record = pipeline.feed(bottling, "no goals at all")
    assert not record["readable"]
    assert parts(SUITE.prompting.prompt(nothing))[1].strip() == ""


def test_subgoals_are_asked_for_interpreted_goals_too(bottling: BehaviorTask) -> None:
    literals = [["toggled_on", "x"], ["not", ["open", "jar.n.01_1"]], ["sliced", "peach.n.03_1"]]
    goals = {"node goals": literals, "edge goals": [["inside", "peach.n.03_1", "jar.n.01_2"]]}
    changed, record = PIPELINE.feed(bottling, json.dumps(goals))
    asked = subgoal_decomposition_prompt(changed).partition("## Goal States\n")[2]
    assert set(asked.partition("\n\n##")[0].splitlines()) == {
        "not open(jar.0)",
        "sliced(peach.0)",
        "inside(peach.0, jar.1)",
    }
    assert record["dropped_goals"] == 1


def test_interpreted_literals_use_the_names_of_plans() -> None:
    task = load_task("bottling_fruit")
    edges = [["Inside", "strawberry.n.01_1", "jar.n.01_1"], ["inside", "x", "jar.n.01_1"]]
    nodes = [["not", ["ToggledOn", "jar.n.01_1"]], 5, ["not", ["toggled_on", "jar.n.01_1"]]]
    changed, record = PIPELINE.feed(task, answer(nodes, edges))
    jar, strawberry = task.names["jar.n.01_1"], task.names["strawberry.n.01_1"]
    inside = Atom("inside", (strawberry, jar))
    assert changed.interpreted == (Not(Atom("toggled_on", (jar,))), inside)
    assert record == {
        "readable": True,
        "goals": {"state": 1, "relation": 1},
        "dropped_goals": 2,
    }


def test_interpreted_literals_are_bounded() -> None:
    task = load_task("sorting_books")
    names = [row["bddl"] for row in task.objects]
    every = [[r, a, b] for r in RELATIONS for a in names for b in names]
    changed, record = PIPELINE.feed(task, answer([], every))
    assert len(changed.interpreted) == MAX_GOALS < len(every)
    assert record["dropped_goals"] == len(every) - MAX_GOALS


def test_unreadable_outputs_are_interpreted_as_no_goals() -> None:
    changed, record = PIPELINE.feed(load_task("bottling_fruit"), "I do not know.")
    assert (changed.interpreted, record["readable"], record["dropped_goals"]) == ((), False, 0)


def test_annotated_goals_are_interpreted_as_goals_of_the_problem() -> None:
    for task in load_tasks():
        changed, record = PIPELINE.feed(task, GOALS.text_agents["oracle"].answer(task, RNG))
        assert record["readable"]
        assert record["dropped_goals"] == 0
        used = {name for literal in changed.interpreted for name in atom_of(literal).args}
        assert used <= set(task.problem.objects)
