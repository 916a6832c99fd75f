"""Goal interpretation on BEHAVIOR: what is right, what is read, and what each quirk changes."""

from __future__ import annotations

import json
from functools import cache
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from homebody.core import CORRECTED, PUBLISHED, Protocol, Score
from homebody.data import behavior as data
from homebody.suites.eai.behavior import goal_interpretation as gi
from homebody.suites.eai.behavior import goals, prompts
from homebody.suites.eai.behavior.goal_options import gold_options
from homebody.suites.eai.behavior.protocol import GOAL_INTERPRETATION
from homebody.suites.eai.behavior.tasks import BehaviorTask, load_tasks

pytestmark = pytest.mark.usefixtures("behavior_data")

BOTH = (CORRECTED, PUBLISHED)
QUIRKS = tuple(GOAL_INTERPRETATION)


@cache
def tasks() -> dict[str, BehaviorTask]:
    return {task.task.name: task for task in load_tasks()}


def said(node: Any = (), edge: Any = ()) -> str:
    return json.dumps({"node goals": node, "edge goals": edge})


def score(name: str, output: str, protocol: Protocol = CORRECTED) -> Score:
    return gi.score(tasks()[name], output, protocol)


def scores(agent: str, protocol: Protocol) -> list[Score]:
    act = gi.SUITE.text_agents[agent].answer
    generator = np.random.default_rng(3)
    return [gi.score(task, act(task, generator), protocol) for task in tasks().values()]


# -- the annotation ------------------------------------------------------------------------------


def test_prompts_are_the_official_texts() -> None:
    user, system = (data.load("prompts")[part] for part in ("user", "system"))
    for task in tasks().values():
        assert prompts.goal_interpretation_prompt(task) == user["goal_interpretation"][task.id]
        assert prompts.action_sequencing_prompt(task) == user["action_sequencing"][task.id]
        assert prompts.subgoal_decomposition_prompt(task) == user["subgoal_decomposition"][task.id]
        assert prompts.transition_modeling_prompt(task) == user["transition_modeling"][task.id]
        assert task.task.instruction in gi.SUITE.prompting.prompt(task)
    assert gi.SUITE.prompting.system() == system["goal_interpretation"]
    assert prompts.subgoal_decomposition_system() == system["subgoal_decomposition"]


def test_the_published_count_of_goals() -> None:
    summary = gi.SUITE.summarise(scores("empty", PUBLISHED))
    sections = ("overall", "state_goal", "relation_goal")
    assert [summary[name]["num_GT_conditions"] for name in sections] == [673, 153, 520]


def test_vocabulary_is_the_official_one() -> None:
    vocabulary = data.load("vocabulary")
    assert set(goals.RELATIONS) == set(vocabulary["relations"])
    states = {name.lower() for name in vocabulary["states"]["node_states"]}
    assert {name.replace("_", "") for name in goals.STATES} == states


@pytest.mark.parametrize("protocol", BOTH, ids=lambda p: p.name)
def test_agents_bound_what_a_model_can_score(protocol: Protocol) -> None:
    table = {
        agent: gi.SUITE.summarise(scores(agent, protocol), exact=True)["overall"][
            "overall_confusion_metrics"
        ]["f1_score"]
        for agent in ("oracle", "random", "empty")
    }
    assert table["oracle"] == 100
    assert 0 < table["random"] < 10
    assert table["empty"] == 0


# -- what is read --------------------------------------------------------------------------------

NAME = "locking_every_door"
DOORS = [["not", ["open", "door.n.01_1"]], ["not", ["open", "door.n.01_2"]]]


@pytest.mark.parametrize(
    "output",
    [
        said(DOORS),
        f"```json\n{said(DOORS)}\n```",
        f"<think>{{a}}</think> The goals are: {said(DOORS)} That is all.",
        said(DOORS).replace('"', "'"),
        said(DOORS).upper(),
        said(DOORS).replace("open", " Open "),
        said([], DOORS),
        json.dumps({"node goals": DOORS}),
        json.dumps({"notes": "none", "Node Goals": DOORS, "edge goals": []}),
    ],
)
def test_ways_to_write_the_same_goals(output: str) -> None:
    found = score(NAME, output)
    assert found.record["counts"] == {"state": [2, 0, 0], "relation": [0, 0, 0]}
    assert found.record["format_errors"] == found.record["hallucinations"] == 0


def test_negative_goals_have_to_be_said() -> None:
    assert score(NAME, said()).record["counts"]["state"] == [0, 0, 2]
    positive = [goal[1] for goal in DOORS]
    assert score(NAME, said(positive)).record["counts"]["state"] == [0, 2, 2]


def test_toggled_on_may_be_written_as_in_the_list_of_states() -> None:
    name = next(n for n, t in tasks().items() if "toggled_on" in str(gold_options(t.id)))
    found = gi.oracle(tasks()[name], np.random.default_rng(0))
    assert "toggled_on" in found
    assert score(name, found.replace("toggled_on", "ToggledOn")).metrics["f1"] == 1


@pytest.mark.parametrize(
    "output", ["", "no goals", "{}", '{"goals": [["open", "door.n.01_1"]]}', "[]", "{" * 500]
)
def test_unreadable_outputs_cost_recall(output: str) -> None:
    found = score(NAME, output).record
    assert found["counts"]["state"] == [0, 0, 2]
    assert not found["readable"]
    assert found["format_errors"] == 1


def test_unsound_goals_are_counted_and_left_out() -> None:
    goals = [
        *DOORS,
        ["locked", "door.n.01_1"],
        ["open", "gate.n.01_1"],
        ["open", "door.n.01_1", "door.n.01_2"],
        ["not", "open", "door.n.01_1"],
        7,
    ]
    found = score(NAME, said(goals)).record
    assert found["counts"]["state"] == [2, 0, 0]
    assert found["wrong_of_no_kind"] == 0
    assert found["grammar"] == {
        "valid": 2,
        "malformed": 3,
        "unknown_predicate": 1,
        "unknown_object": 1,
        "entries": 7,
    }


HOSTILE = [
    '{"node goals": ' + "[" * 900 + "]" * 900 + "}",
    '{"node goals": ' + "[" * 90_000,
    '{"node goals": {"open": {"open": []}}, "edge goals": {}}',
    '{"node goals": [{}, {"a": 1}, ["not", {}], ["not", [[]]], [["open"], "x"]]}',
    said([["not", ["not", ["not", ["open", "door.n.01_1"]]]]]),
    said(7, None),
    said("open", True),
    said([[], "", "x", None, 1e308, -0.0, ["open"], ["not"], ["not", []], ["not", ""]]),
    '{"node goals": [NaN, Infinity, [NaN, NaN]]}',
    '{"node goals": [' + "9" * 5000 + "]}",
    said([["open", "door.n.01_1"]] * 6000),
    "\ud800 {\x00}",
    "x" * 300_000,
]


@pytest.mark.sampled
@pytest.mark.parametrize("at", range(len(HOSTILE)))
def test_any_text_gives_a_score_under_any_set_of_quirks(at: int) -> None:
    sets = [(), *((quirk,) for quirk in QUIRKS), QUIRKS]
    sets += [tuple(q for q in QUIRKS if q != left_out) for left_out in QUIRKS]
    for quirks in sets:
        found = score(NAME, HOSTILE[at], Protocol("some", frozenset(quirks)))
        assert 0 <= found.metrics["f1"] <= 1
        json.dumps(found.record)
        gi.SUITE.summarise([found])


_words = st.sampled_from(["not", "open", "Stained", "nextto", "door.n.01_1", "x", "", 3, None])
_nested = st.recursive(_words, lambda inner: st.lists(inner, max_size=3), max_leaves=6)


@settings(max_examples=150)
@given(st.lists(_nested, max_size=4), _nested, st.sets(st.sampled_from(QUIRKS)))
def test_odd_goals_give_a_score(node: Any, edge: Any, quirks: set[str]) -> None:
    found = score(NAME, said(node, edge), Protocol("some", frozenset(quirks)))
    right, _, missed = found.record["counts"]["state"]
    assert right + missed == 2


# -- quirks --------------------------------------------------------------------------------------

# quirk -> task, output, key of the record, its value with the quirk and without
PENS = [["nextto", "backpack.n.01_1", "folder.n.02_1"]]
CASES: dict[str, tuple[str, str, str, Any, Any]] = {
    "first_braces_read": (NAME, said(DOORS) + said([]), "readable", True, False),
    "value_types_unchecked": (
        NAME,
        said([5]),
        "published_crash",
        "TypeError: 'int' object is not subscriptable",
        None,
    ),
    "unsound_goals_compared": (
        NAME,
        said([*DOORS, ["open", "gate.n.01_1"]]),
        "counts",
        {"state": [2, 1, 0], "relation": [0, 0, 0]},
        {"state": [2, 0, 0], "relation": [0, 0, 0]},
    ),
    "repeated_goals_counted": (
        NAME,
        said([["open", "door.n.01_1"]] * 2),
        "counts",
        {"state": [0, 2, 2], "relation": [0, 0, 0]},
        {"state": [0, 1, 2], "relation": [0, 0, 0]},
    ),
    "options_chosen_one_by_one": (
        "bottling_fruit",
        said(
            [],
            [["inside", f"{fruit}_1", "jar.n.01_1"] for fruit in ("strawberry.n.01", "peach.n.03")],
        ),
        "counts",
        {"state": [0, 0, 4], "relation": [2, 0, 2]},
        {"state": [0, 0, 4], "relation": [1, 1, 3]},
    ),
    "symmetric_relations_directed": (
        "organizing_school_stuff",
        said([], PENS),
        "counts",
        {"state": [0, 0, 0], "relation": [0, 1, 8]},
        {"state": [0, 0, 0], "relation": [1, 0, 7]},
    ),
    "self_relations_asked_for": (
        "sorting_mail",
        said([], [["touching", "envelope.n.01_1", "envelope.n.01_1"]]),
        "counts",
        {"state": [0, 0, 0], "relation": [1, 0, 7]},
        {"state": [0, 0, 0], "relation": [0, 1, 8]},
    ),
}


def test_every_quirk_has_a_case() -> None:
    assert set(CASES) == set(QUIRKS)


@pytest.mark.parametrize("quirk", QUIRKS)
def test_quirk_changes_the_published_verdict(quirk: str) -> None:
    name, output, key, kept, mended = CASES[quirk]
    assert score(name, output, PUBLISHED).record.get(key) == kept
    assert score(name, output, PUBLISHED.without(quirk)).record.get(key) == mended
