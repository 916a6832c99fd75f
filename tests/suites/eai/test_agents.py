"""Agents that need no model: shortcuts answer in the format, the same each time, and use nothing
of a task's annotation but what its prompt shows."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from types import ModuleType
from typing import Any, TypeAlias

import pytest

from homebody.core import CORRECTED, PUBLISHED, Action
from homebody.core.formula import Atom, Not
from homebody.results.reference import figures
from homebody.results.rows import make_row
from homebody.suites import get_suite
from homebody.suites.eai.agents import majority, most_frequent
from homebody.suites.eai.behavior import baselines as behavior
from homebody.suites.eai.behavior import goal_interpretation as behavior_goals
from homebody.suites.eai.behavior.tasks import load_task as behavior_task
from homebody.suites.eai.behavior1k.tasks import load_task as activity
from homebody.suites.eai.virtualhome import baselines as virtualhome
from homebody.suites.eai.virtualhome import goal_interpretation as virtualhome_goals
from homebody.suites.eai.virtualhome.tasks import VirtualHomeTask
from homebody.suites.eai.virtualhome.tasks import load_task as virtualhome_task
from homebody.suites.eai.virtualhome.tasks import load_tasks as load_virtualhome

pytestmark = pytest.mark.usefixtures("eai_data", "behavior_data")

SUITES = [
    f"eai.{world}.{ability}"
    for world in ("virtualhome", "behavior")
    for ability in (
        "goal_interpretation",
        "subgoal_decomposition",
        "action_sequencing",
        "transition_modeling",
        "interactive",
    )
]


def test_what_most_say() -> None:
    assert most_frequent(["b", "a", "c", "a", "b"]) == "a"
    assert majority([["b", "a"], ["a", "a"], ["c", "b"], ["b", "d"], ["a"]]) == ["a", "b"]
    assert majority([["a"], ["b"]]) == majority([]) == []


@pytest.mark.sampled
@pytest.mark.parametrize("name", SUITES)
@pytest.mark.parametrize("agent", ["copycat", "frequent"])
def test_shortcuts_answer_in_the_format_and_the_same_each_time(name: str, agent: str) -> None:
    suite = get_suite(name)
    for task in suite.tasks.load(CORRECTED)[::20]:
        output = suite.answer(agent, task)
        seed = 0 if suite.playing is not None else 1  # transcripts say theirs
        assert output == suite.answer(agent, task, seed=seed)
        record = suite.score(task, output).record
        assert not record.get("format_errors")
        assert record.get("error_type") != "parsing"
        assert not record.get("problem")


Pools: TypeAlias = Callable[[ModuleType, Sequence[Any]], None]
"""Has a module count over these tasks."""


@pytest.fixture
def pools(monkeypatch: pytest.MonkeyPatch) -> Iterator[Pools]:
    """What a module has counted is forgotten, here and afterwards."""
    modules = (virtualhome, behavior, virtualhome_goals, behavior_goals)

    def forget() -> None:
        for module in modules:
            for name in ("_shapes_by_goals", "_shapes_by_kind", "_all_tasks"):
                if hasattr(module, name):
                    getattr(module, name).cache_clear()

    def pool(module: ModuleType, tasks: Sequence[Any]) -> None:
        forget()
        monkeypatch.setattr(module, "load_tasks", lambda: tasks)

    yield pool
    forget()


NOWHERE = (Action("WALK", ("nowhere.1",)),)


def with_other_plan(task: Any) -> Any:
    return replace(task, task=replace(task.task, reference=NOWHERE))


def without_goals(task: Any) -> Any:
    return replace(task, state_goals=(), relation_goals=(), action_goals=())


@pytest.mark.parametrize("agent", ["copycat", "frequent"])
@pytest.mark.parametrize(
    ("name", "module", "hide"),
    [
        ("eai.virtualhome.goal_interpretation", virtualhome_goals, without_goals),
        ("eai.virtualhome.action_sequencing", virtualhome, with_other_plan),
        ("eai.behavior.action_sequencing", behavior, with_other_plan),
    ],
)
def test_shortcuts_do_not_see_what_is_annotated_of_the_task(
    name: str, module: ModuleType, hide: Callable[[Any], Any], agent: str, pools: Pools
) -> None:
    suite = get_suite(name)
    tasks = suite.tasks.load(CORRECTED)
    for at in range(1, len(tasks) - 1, 10):  # of few tasks each counts
        first, task, last = tasks[at - 1 : at + 2]
        pools(module, [first, task, last])
        answer = suite.answer(agent, task)
        pools(module, [first, hide(task), last])
        assert suite.answer(agent, hide(task)) == answer


def test_frequent_goals_are_not_those_of_the_task(
    monkeypatch: pytest.MonkeyPatch, pools: Pools
) -> None:
    suite = get_suite("eai.behavior.goal_interpretation")
    first_option = behavior_goals._first_option
    tasks = suite.tasks.load(CORRECTED)
    for at in range(1, len(tasks) - 1, 10):
        pool, task = tasks[at - 1 : at + 2], tasks[at]
        pools(behavior_goals, pool)
        answer = suite.answer("frequent", task)
        monkeypatch.setattr(
            behavior_goals,
            "_first_option",
            lambda other, hidden=task.id: [] if other.id == hidden else first_option(other),
        )
        pools(behavior_goals, pool)
        assert suite.answer("frequent", task) == answer
        monkeypatch.setattr(behavior_goals, "_first_option", first_option)


def written(plan: Callable[[Any], tuple[Action, ...]], task: Any) -> list[str]:
    return list(map(str, plan(task)))


def test_copied_plans_do_what_the_goal_says_and_no_more() -> None:
    task = virtualhome_task("417_1")
    assert task.state_goals[0] == ("CLOSED", "washing_machine.1000")
    assert written(virtualhome.copied_plan, task)[:2] == [
        "WALK(washing_machine.1000)",
        "CLOSE(washing_machine.1000)",
    ]
    assert written(behavior.copied_plan, behavior_task("bottling_fruit")) == [
        "OPEN(jar_0)",
        "OPEN(jar_1)",
        "OPEN(fridge_97)",
        "RIGHT_GRASP(strawberry_0)",
        "RIGHT_PLACE_INSIDE(jar_0)",
        "RIGHT_GRASP(peach_0)",
        "RIGHT_PLACE_INSIDE(jar_0)",
        "CLOSE(jar_0)",
        "CLOSE(jar_1)",
        "SLICE(strawberry_0)",
        "SLICE(peach_0)",
    ]


def test_copied_plans_take_the_first_listed_of_the_classes_that_the_prompt_names() -> None:
    task = virtualhome_task("1083_2")
    assert task.relation_goals == (("ONTOP", "pot.1003", "oven.295"),)
    assert written(virtualhome.copied_plan, task)[-1] == "PUTBACK(pot.1000, oven.295)"
    twice = virtualhome_task("446_2")  # the same is said of two plates
    assert [goal[1] for goal in twice.relation_goals] == ["plate.1001", "plate.1000"]
    assert written(virtualhome.copied_plan, twice)[3::4] == [
        "PUTBACK(plate.1000, table.226)",
        "PUTBACK(plate.1001, table.226)",
    ]


def test_frequent_plans_leave_out_the_same_activity(pools: Pools) -> None:
    name = "bringing_in_wood"  # both in EAI and in BEHAVIOR-1K
    pools(behavior, [behavior_task(name)])
    assert written(behavior.frequent_plan, activity(name)) == ["NAVIGATE_TO(plywood_0)"]


def test_frequent_plans_are_those_of_other_tasks() -> None:
    task = virtualhome_task("417_1")
    names = {name for action in virtualhome.frequent_plan(task) for name in action.args}
    assert names <= {*task.relevant}
    literals = behavior.stated_literals(behavior_task("bottling_fruit"))
    assert Atom("sliced", ("peach_0",)) in literals
    assert Not(Atom("open", ("jar_0",))) in literals


def test_a_copied_goal_is_the_effect_of_every_operator() -> None:
    suite = get_suite("eai.virtualhome.transition_modeling")
    task = suite.task("27_2")
    text = json.loads(suite.answer("copycat", task))["output"]
    assert text.count("(:action") == len(task.to_define)
    assert text.count(":precondition ()") == len(task.to_define)
    assert "(obj_ontop ?obj1 ?obj2)" in text
    assert suite.score(task, suite.answer("copycat", task)).metrics["success"] == 1.0


def goals_and_plan(task: VirtualHomeTask) -> object:
    return task.state_goals, task.relation_goals, task.action_goals, task.task.reference


def prompts(name: str) -> list[str]:
    suite = get_suite(name)
    assert suite.prompting is not None
    return [suite.prompting.prompt(task) for task in suite.tasks.load(CORRECTED)]


def test_what_the_page_on_baselines_says_of_prompts_that_are_the_same() -> None:
    same = {
        name: sum(number for number in Counter(prompts(name)).values() if number > 1)
        for name in SUITES
        if "interactive" not in name
    }
    assert {name.removeprefix("eai."): number for name, number in same.items() if number} == {
        "virtualhome.action_sequencing": 81,
        "virtualhome.subgoal_decomposition": 96,
        "virtualhome.transition_modeling": 80,
    }


@pytest.mark.slow
def test_what_the_page_on_baselines_says_of_tasks_that_are_alike(pools: Pools) -> None:
    suite = get_suite("eai.virtualhome.action_sequencing")
    tasks = load_virtualhome()
    asked = prompts(suite.name)
    stated, ids = map(virtualhome._stated_goals, tasks), list(map(goals_and_plan, tasks))
    alone = {goals for goals, number in Counter(stated).items() if number == 1}

    def succeeds(agent: str, task: VirtualHomeTask) -> bool:
        score = suite.score(task, suite.answer(agent, task), CORRECTED)
        return bool(score.valid and score.metrics["success"])

    done = [succeeds("frequent", task) for task in tasks]
    assert sum(d for d, same in zip(done, ids, strict=True) if ids.count(same) > 1) == 74
    assert (
        sum(d for d, t in zip(done, tasks, strict=True) if virtualhome._stated_goals(t) in alone)
        == 1
    )
    lost = 0
    for at, prompt in enumerate(asked):
        if asked.count(prompt) > 1:
            others = [task for task, its in zip(tasks, asked, strict=True) if its != prompt]
            pools(virtualhome, others)
            lost += done[at] - succeeds("frequent", tasks[at])
    assert lost == 1

    copied = {at: succeeds("copycat", task) for at, task in enumerate(tasks) if task.has_goal}
    mean = sum(copied.values()) / len(copied)
    off: Counter[str] = Counter()
    for at, success in copied.items():
        off[asked[at]] += success - mean
    squares = [len(copied) * mean * (1 - mean), sum(one * one for one in off.values())]
    assert [f"{100 * total**0.5 / len(copied):.1f}" for total in squares] == ["2.6", "3.2"]


@pytest.mark.parametrize(("world", "solved"), [("virtualhome", 296), ("behavior", 99)])
@pytest.mark.differential
def test_what_the_page_on_baselines_says_of_refusals(world: str, solved: int) -> None:
    suite = get_suite(f"eai.{world}.transition_modeling")
    refusal = "I am sorry, I cannot help."
    scores = [suite.score(task, refusal, PUBLISHED) for task in suite.tasks.load(PUBLISHED)]
    assert sum(score.metrics["success"] for score in scores) == solved


@pytest.mark.parametrize(
    ("world", "reached", "behind"),
    [("virtualhome", (56.4, 72.1), (7, 15)), ("behavior", (48.0, 22.0), (14, 3))],
)
def test_what_the_page_on_baselines_says_of_ranks(
    world: str, reached: tuple[float, float], behind: tuple[int, int]
) -> None:
    """What is reached is checked in tests/test_docs.py."""
    models = figures(f"eai.{world}.action_sequencing").values()
    assert behind == tuple(sum(m["Task SR"].value < own for m in models) for own in reached)


def test_what_the_page_on_baselines_says_of_the_benchmarks() -> None:
    tasks = load_virtualhome()
    assert len({task.title for task in tasks}) == 26
    stated = Counter(virtualhome._stated_goals(task) for task in tasks)
    assert sum(number == 1 for number in stated.values()) == 25
    operators = get_suite("eai.virtualhome.transition_modeling").tasks.load(CORRECTED)
    asked = Counter(name for task in operators for name in task.to_define)
    assert (len(operators), len(asked), asked["walk_towards"]) == (296, 15, 293)
    ids = Counter(map(goals_and_plan, tasks))
    assert sum(number for number in ids.values() if number > 1) == 74
    suite = get_suite("eai.virtualhome.goal_interpretation")
    goals = [("washing_machine", state) for state in virtualhome_goals.EXAMPLE]
    example = virtualhome_goals.render({"state": goals, "relation": [], "action": []})
    row = make_row("example", suite, [suite.score(task, example) for task in tasks])
    assert (row.values["State P"], round(row.values["State R"], 1)) == (100.0, 3.8)
