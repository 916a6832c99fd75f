"""Reading plans, judging them, and what becomes of the annotated ones."""

from __future__ import annotations

import contextlib
import json
import time
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from homebody.core import CORRECTED, Action, ErrorType
from homebody.suites import get_suite
from homebody.suites.eai.behavior import action_sequencing as suite
from homebody.suites.eai.behavior.audit import audit
from homebody.suites.eai.behavior.plans import read_plan
from homebody.suites.eai.behavior.protocol import PUBLISHED
from homebody.suites.eai.behavior.tasks import BehaviorTask, load_task, load_tasks
from homebody.suites.eai.parsing import MAX_CHARACTERS, ParsingError, parse_list
from homebody.suites.eai.trajectory import GrammarError

pytestmark = pytest.mark.usefixtures("behavior_data")

OPEN = {"action": "OPEN", "object": "fridge_97"}
RNG = np.random.default_rng(0)


@pytest.fixture(scope="module")
def bottling(behavior_data: None) -> BehaviorTask:
    return load_task("bottling_fruit")


def failure(task: BehaviorTask, output: str, protocol: Any = CORRECTED) -> GrammarError:
    with pytest.raises(GrammarError) as caught:
        read_plan(task, output, protocol)
    return caught.value


@pytest.mark.parametrize(
    "written",
    [
        json.dumps([OPEN]),
        f"Here you are:\n```json\n{json.dumps([OPEN], indent=2)}\n```\nDone [1].",
        str([OPEN]),
        '[\n {"action": "OPEN", "object": "fridge_97"}, # it\'s shut [first]\n]',
        f"<think>[{json.dumps(OPEN)}, 3]</think>{json.dumps([OPEN])}",
        '[{"action": " open ", "object": " fridge_97 "}]',
    ],
)
def test_a_list_is_read_whatever_is_around_it(written: str, bottling: BehaviorTask) -> None:
    assert read_plan(bottling, written, CORRECTED) == (Action("OPEN", ("fridge_97",)),)


@pytest.mark.parametrize(
    ("written", "error"),
    [
        ("", ErrorType.PARSING),
        ("[]", ErrorType.PARSING),
        (json.dumps(OPEN), ErrorType.PARSING),
        (json.dumps([OPEN])[:-1], ErrorType.PARSING),
        (json.dumps([OPEN]) * 2, ErrorType.PARSING),
        ('[{"action": "OPEN"}]', ErrorType.PARSING),
        ('[{"action": "OPEN", "object": ["fridge_97"]}]', ErrorType.PARSING),
        ('["OPEN"]', ErrorType.PARSING),
        ("[" * 50_000, ErrorType.PARSING),
        ("[{" + "9" * MAX_CHARACTERS + "}]", ErrorType.PARSING),
        ("[__import__('os').getcwd()]", ErrorType.PARSING),
        ('[{"action": "FLY", "object": "fridge_97"}]', ErrorType.ACTION_HALLUCINATION),
        ('[{"action": "BURN", "object": "fridge_97"}]', ErrorType.ACTION_HALLUCINATION),
        ('[{"action": "OPEN", "object": "fridge_98"}]', ErrorType.OBJECT_HALLUCINATION),
        ('[{"action": "OPEN", "object": "agent.n.01_1"}]', ErrorType.OBJECT_HALLUCINATION),
        ('[{"action": "OPEN", "object": "fridge_97, jar_0"}]', ErrorType.ARGUMENT_NUMBER),
        (
            '[{"action": "LEFT_PLACE_NEXTTO_ONTOP", "object": "jar_0"}]',
            ErrorType.ARGUMENT_NUMBER,
        ),
    ],
)
def test_what_is_no_plan(written: str, error: ErrorType, bottling: BehaviorTask) -> None:
    found = failure(bottling, written)
    assert found.error is error
    assert found.reason
    score = suite.score(bottling, written, CORRECTED)
    assert score.record["error_type"] == error.value
    assert score.metrics["success"] == score.metrics["progress"] == 0


def test_published_reads_what_is_between_the_first_brackets(bottling: BehaviorTask) -> None:
    def names(text: str) -> list[str]:
        return [str(action) for action in read_plan(bottling, text, PUBLISHED)]

    assert names(f"{json.dumps([OPEN])} and [more") == ["OPEN(fridge_97)"]
    assert names(str([{"action": "BURN", "object": "jar_0"}, 7])) == ["BURN(jar_0)"]
    assert failure(bottling, f"[1] {[OPEN]}", PUBLISHED).error is ErrorType.PARSING
    assert failure(bottling, str([{**OPEN, "action": "open"}]), PUBLISHED).error is (
        ErrorType.ACTION_HALLUCINATION
    )
    assert failure(bottling, str([{**OPEN, "object": 3}]), PUBLISHED).crash
    burnt = suite.score(bottling, str([{"action": "BURN", "object": "jar_0"}]), PUBLISHED)
    assert not burnt.record["executable"]
    assert burnt.record["error_type"] == ErrorType.EXECUTION_FAILURE.value


@given(st.text(alphabet="[]{}'\"#,:\n\\ab1", max_size=60))
def test_any_text_is_read_or_refused(text: str) -> None:
    with contextlib.suppress(ParsingError):
        assert isinstance(parse_list(text), list)


def test_hostile_lists_are_refused_soon() -> None:
    start = time.process_time()
    for text in ('["' * (MAX_CHARACTERS // 2), '[ "' + "a" * 9_000 + "[" * 90_000, "[#" * 90_000):
        with pytest.raises(ParsingError):
            parse_list(text)
    assert time.process_time() - start < 60  # a quadratic reader takes hours


# -- judging -------------------------------------------------------------------------------------


def test_the_annotated_plans_succeed_but_for_those_that_the_audit_explains() -> None:
    findings = {one.task: one for one in audit()}
    assert len(findings) == 100
    broken = {task for task, one in findings.items() if one.problem}
    assert len(broken) == 12
    for task in load_tasks():
        score = suite.score(task, suite.oracle(task, RNG), CORRECTED)
        assert (score.metrics["success"] == 1) == (task.id not in broken), task.id
        assert bool(findings[task.id].reason) or task.id not in broken
        assert score.metrics["additional_step"] == bool(findings[task.id].additional_steps)


def test_conditions_about_states_and_relations_count_half_each(bottling: BehaviorTask) -> None:
    # two about where the fruits are, one about jars, two about slices; none is mixed
    assert bottling.goal_totals == {"state": 3, "relation": 2}
    totals = [task.goal_totals for task in load_tasks()]
    assert sum(sum(total.values()) for total in totals) == sum(
        len(task.problem.conditions) for task in load_tasks()
    )
    assert any(total["state"] % 1 for total in totals)


def test_unread_outputs_meet_nothing_or_as_published_what_held(bottling: BehaviorTask) -> None:
    now, then = (suite.score(bottling, "", p).record["goals_met"] for p in (CORRECTED, PUBLISHED))
    assert now == {"state": [0, 3], "relation": [0, 2]}
    assert then == {"state": [1, 3], "relation": [0, 2]}  # both jars are closed at first
    mended = PUBLISHED.without("unread_outputs_meet_what_held")
    assert suite.score(bottling, "", mended).record["goals_met"] == now


def test_a_plan_that_stops_cannot_succeed_but_as_published(bottling: BehaviorTask) -> None:
    plan = json.loads(suite.oracle(bottling, RNG))
    longer = json.dumps([*plan, {"action": "RIGHT_PLACE_INSIDE", "object": "jar_0"}])
    assert suite.score(bottling, longer, CORRECTED).metrics["success"] == 0
    said = suite.score(bottling, longer, CORRECTED).record["explanation"]
    assert said.endswith("does not count, as the plan cannot be carried out to its end.")
    assert suite.score(bottling, longer, PUBLISHED).metrics["success"] == 1
    mended = PUBLISHED.without("stopped_plans_can_succeed")
    assert suite.score(bottling, longer, mended).metrics["success"] == 0


def test_exactly_n_is_at_least_n_in_published_options() -> None:
    counted = [
        task for task in load_tasks() if "(forn" in task.raw["problem"] and not task.raw["original"]
    ]
    assert counted  # the options are compared in tests/goals; here: that they are used
    task = counted[0]
    score = suite.score(task, suite.oracle(task, RNG), PUBLISHED)
    assert score.record["goals_met"]


def test_the_summary_has_the_published_schema() -> None:
    found = get_suite(suite.NAME)
    tasks = found.load(CORRECTED)[:5]
    scores = [found.score(task, suite.oracle(task, RNG), CORRECTED) for task in tasks]
    summary = found.summarise(scores)
    assert summary["goal_evaluation"] == {
        "task_success_rate": 1.0,
        "state_goal": 1.0,
        "relation_goal": 1.0,
        "action_goal": 0,
        "total_goal": 1.0,
    }
    assert set(summary["trajectory_evaluation"]["runtime_error"]) == {
        "wrong_order",
        "missing_step",
        "affordance",
        "additional_step",
    }
    assert found.summarise(scores, exact=True)["goal_evaluation"]["task_success_rate"] == 100


def test_feedback_names_the_step_and_the_kind_of_error(bottling: BehaviorTask) -> None:
    plan = [{"action": "RIGHT_GRASP", "object": "strawberry_0"}]
    score = suite.score(bottling, json.dumps(plan), CORRECTED)
    assert suite.SUITE.feedback is not None
    said = suite.SUITE.feedback(bottling, score)
    assert said is not None
    assert "RIGHT_GRASP(strawberry_0)" in said
    assert "missing step" in said


# -- pipelines and what is told of tasks ---------------------------------------------------------


def test_a_pipeline_asks_for_the_interpreted_goals(bottling: BehaviorTask) -> None:
    pipeline = get_suite(suite.NAME).pipeline
    assert pipeline is not None
    first = get_suite(pipeline.first)
    output = first.agent("oracle")(bottling, RNG)
    changed, record = pipeline.feed(bottling, output)
    assert record["readable"]
    assert record["dropped_goals"] == 0
    asked = get_suite(suite.NAME).prompt(changed)
    official = get_suite(suite.NAME).prompt(bottling)
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
    plan = suite.oracle(bottling, RNG)
    assert suite.score(changed, plan, CORRECTED) == suite.score(bottling, plan, CORRECTED)
    nothing, record = pipeline.feed(bottling, "no goals at all")
    assert not record["readable"]
    assert parts(get_suite(suite.NAME).prompt(nothing))[1].strip() == ""


def test_subgoals_are_asked_for_interpreted_goals_too(bottling: BehaviorTask) -> None:
    from homebody.suites.eai.behavior.pipeline import feed
    from homebody.suites.eai.behavior.prompts import subgoal_decomposition_prompt

    literals = [["toggled_on", "x"], ["not", ["open", "jar.n.01_1"]], ["sliced", "peach.n.03_1"]]
    goals = {"node goals": literals, "edge goals": [["inside", "peach.n.03_1", "jar.n.01_2"]]}
    changed, record = feed(bottling, json.dumps(goals))
    asked = subgoal_decomposition_prompt(changed).partition("## Goal States\n")[2]
    assert set(asked.partition("\n\n##")[0].splitlines()) == {
        "not open(jar.0)",
        "sliced(peach.0)",
        "inside(peach.0, jar.1)",
    }
    assert record["dropped_goals"] == 1


def test_what_is_counted_of_tasks_and_plans(bottling: BehaviorTask) -> None:
    demands = get_suite(suite.NAME).demands
    assert demands is not None
    assert demands.steps is not None
    assert demands.goals is not None
    score = suite.score(bottling, suite.oracle(bottling, RNG), CORRECTED)
    assert demands.factors(bottling)["goals"] == 5
    assert demands.factors(bottling)["plan length"] == len(bottling.task.reference)
    assert len(demands.steps(bottling, score)) == len(bottling.task.reference)
    assert all(met for _, _, met in demands.goals(bottling, score))
    stopped = suite.score(
        bottling, json.dumps([{"action": "CLOSE", "object": "jar_0"}] * 2), CORRECTED
    )
    assert [name for name, _ in demands.steps(bottling, stopped)] == ["CLOSE", "CLOSE"]
