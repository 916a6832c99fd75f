"""What the published evaluator reads is read, or refused for one of a few reasons.

The same outputs, right ones changed as text and wrong ones, are judged under both protocols. The
reasons are those that docs/benchmarks/eai-answers.md gives.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

import numpy as np
import pytest

from differential import test_behavior_goal_interpretation as behavior_goals
from differential import test_behavior_subgoals as behavior_subgoals
from differential import test_behavior_world as behavior_plans
from differential import test_eai as virtualhome
from differential import test_subgoal_decomposition as virtualhome_subgoals
from differential import test_transition_modeling as transition
from differential.recorded import SAMPLES, SEED
from differential.texts import WAYS, changed
from homebody.core import CORRECTED, PUBLISHED
from homebody.suites import get_suite
from homebody.suites.eai.reading import ParsingError
from homebody.suites.eai.transition_modeling.operators import read

pytestmark = pytest.mark.usefixtures("eai_data", "behavior_data")

COUNT = SAMPLES // 10
"""Outputs of a suite that are changed as text, and as many with mistakes of other kinds."""

REASONS = {
    "reasoning that never ends": r"reasoning that never ends",
    "nothing behind its reasoning": r"is empty behind its reasoning|has no JSON, but",
    "cut off": r"never closed|never ends$",
    "a sign too many or too few": r"is expected in line \d+, not",
    "several different answers": r"has different answers",
    "nothing of what is asked for": r"the output (is empty|has (no action|no \(:action|no subgoal"
    r"|an? (empty )?(list|object)|something else))",
    "a part that is none": r", (not a (list|string|text)|neither a name nor an id)$"
    r'|something else than objects|has no "object"|names its objects twice',
    "a subgoal that is no formula": r"is not a formula",
}
"""Reason -> what a message has that tells it."""
REASONS_OF_OPERATORS = {
    **REASONS,
    "in the reasoning or cut off": r"not defined",
    "it ends too early": r"it closes before its",
    "it is no PDDL": r"line \d+, column \d+ of the operator",
    "several different operators": r"is defined twice, and differently",
}

Texts = Sequence[tuple[str, str]]
"""Identifiers and outputs."""


def outputs(name: str) -> Texts:
    """Right answers as models wrap and garble them, and outputs with other mistakes."""
    suite, generator = get_suite(name), np.random.default_rng(SEED)
    tasks = suite.tasks.load(PUBLISHED)
    texts = []
    for at in generator.integers(0, len(tasks), size=COUNT):
        answer = suite.answer("oracle", tasks[int(at)])
        texts.append((suite.tasks.identify(tasks[int(at)]), changed(generator, answer)[1]))
    return [*texts, *MISTAKEN[name]()]


def listed(made: Sequence[dict[str, str]]) -> Texts:
    return [(output["identifier"], output["llm_output"]) for output in made[-COUNT:]]


MISTAKEN = {
    "eai.virtualhome.action_sequencing": lambda: listed(virtualhome.plan_outputs()),
    "eai.virtualhome.goal_interpretation": lambda: listed(virtualhome.goal_outputs()),
    "eai.virtualhome.subgoal_decomposition": lambda: listed(virtualhome_subgoals.outputs()),
    "eai.behavior.action_sequencing": lambda: [
        (case.task.id, text) for case, text in behavior_plans.outputs()[-COUNT:]
    ],
    "eai.behavior.goal_interpretation": lambda: listed(behavior_goals.perturbed()),
    "eai.behavior.subgoal_decomposition": lambda: listed(behavior_subgoals.outputs()),
}


@pytest.mark.sampled
@pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=[pytest.mark.slow] if "subgoal" in name else [])
        for name in MISTAKEN
    ],
)
def test_outputs(name: str) -> None:
    suite = get_suite(name)
    tasks = {
        protocol: {suite.tasks.identify(task): task for task in suite.tasks.load(protocol)}
        for protocol in (PUBLISHED, CORRECTED)
    }
    seen: Counter[str] = Counter()
    for identifier, text in outputs(name):
        if identifier not in tasks[CORRECTED] or identifier not in tasks[PUBLISHED]:
            continue
        records = [
            suite.score(tasks[protocol][identifier], text, protocol).record
            for protocol in (PUBLISHED, CORRECTED)
        ]
        assert "deviations" not in records[0], text
        refused = [
            record.get("error_type") == "parsing"
            or (
                bool(record.get("format_errors")) and record["explanation"].startswith("the output")
            )
            for record in records
        ]
        if refused == [False, True]:
            seen[reason(records[1]["explanation"].removesuffix("."), REASONS, text)] += 1
        seen["read"] += refused == [False, False]
    assert seen["read"] > COUNT


@pytest.mark.slow
@pytest.mark.parametrize("dataset", ["virtualhome", "behavior"])
def test_operators(dataset: str) -> None:
    suite = get_suite(f"eai.{dataset}.transition_modeling")
    published = transition.published_protocol(dataset)
    tasks = {task.id: task for task in transition.tasks_of(dataset)}
    generator = np.random.default_rng(SEED)
    texts = [
        (task.id, changed(generator, suite.answer("oracle", task))[1])
        for task in [tasks[str(name)] for name in generator.choice(list(tasks), size=COUNT)]
    ]
    texts += listed(transition.outputs(dataset, 2 * SAMPLES))
    seen: Counter[str] = Counter()
    for identifier, text in texts:
        asked, reference = tasks[identifier].to_define, tasks[identifier].reference
        try:
            theirs = read(text, published, reference)
        except ParsingError:
            continue
        problem = ""
        try:
            ours = read(text, CORRECTED, reference)
        except ParsingError as error:
            ours, problem = {}, str(error)
        for name, prediction in theirs.items():
            if prediction.operator is None or name not in asked:
                continue
            if name not in ours or ours[name].operator is None:
                told = ours[name].problem if name in ours else problem or "not defined"
                why = reason(told, REASONS_OF_OPERATORS, text)
                assert "</think>" in text or why != "in the reasoning or cut off", text
                seen[why] += 1
            seen["read"] += name in ours and ours[name].operator is not None
    assert seen["read"] > COUNT


def reason(message: str, reasons: dict[str, str], text: str) -> str:
    """The first reason that a message tells."""
    found = [name for name, pattern in reasons.items() if re.search(pattern, message, re.I)]
    assert found, f"{message!r} is none of the reasons, of {text!r}"
    return found[0]


@pytest.mark.parametrize("name", MISTAKEN)
@pytest.mark.parametrize("way", ["as_it_is", "json_fence", "reasoning", "reasoning_unopened"])
def test_what_is_no_deviation(name: str, way: str) -> None:
    suite = get_suite(name)
    task = suite.tasks.load(CORRECTED)[5]
    answer = suite.answer("oracle", task)
    text = WAYS[way](np.random.default_rng(SEED), answer)
    assert suite.score(task, text).record == suite.score(task, answer).record
