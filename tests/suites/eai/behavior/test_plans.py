"""Reading plans."""

from __future__ import annotations

import json
from functools import partial
from typing import Any

import pytest

from homebody.core import CORRECTED, PUBLISHED, Action, ErrorType
from homebody.suites.eai.behavior.action_sequencing import SUITE
from homebody.suites.eai.behavior.plans import read_plan
from homebody.suites.eai.behavior.tasks import BehaviorTask, load_task
from homebody.suites.eai.lenient_json import MAX_CHARACTERS
from homebody.suites.eai.plan_results import GrammarError
from patience import calls

pytestmark = pytest.mark.usefixtures("behavior_data")

OPEN = {"action": "OPEN", "object": "fridge_97"}


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
        json.dumps(OPEN),
        json.dumps([OPEN]) * 2,
        '[{"action": "OPEN", "object": ["fridge_97"]}]',
        '{"OPEN": ["fridge.97"]}',
    ],
)
def test_a_list_is_read_whatever_is_around_it(written: str, bottling: BehaviorTask) -> None:
    assert read_plan(bottling, written, CORRECTED).actions == (Action("OPEN", ("fridge_97",)),)


@pytest.mark.parametrize(
    ("written", "error"),
    [
        ("", ErrorType.PARSING),
        ("[]", ErrorType.PARSING),
        (json.dumps([OPEN])[:-1], ErrorType.PARSING),
        ('[{"action": "OPEN"}]', ErrorType.PARSING),
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
    score = SUITE.scoring.score(bottling, written, CORRECTED)
    assert score.record["error_type"] == error.value
    assert score.metrics["success"] == score.metrics["progress"] == 0


def test_published_reads_what_is_between_the_first_brackets(bottling: BehaviorTask) -> None:
    def names(text: str) -> list[str]:
        return [str(action) for action in read_plan(bottling, text, PUBLISHED).actions]

    assert names(f"{json.dumps([OPEN])} and [more") == ["OPEN(fridge_97)"]
    assert names(str([{"action": "BURN", "object": "jar_0"}, 7])) == ["BURN(jar_0)"]
    assert failure(bottling, f"[1] {[OPEN]}", PUBLISHED).error is ErrorType.PARSING
    assert failure(bottling, str([{**OPEN, "action": "open"}]), PUBLISHED).error is (
        ErrorType.ACTION_HALLUCINATION
    )
    assert failure(bottling, str([{**OPEN, "object": 3}]), PUBLISHED).crash
    burnt = SUITE.scoring.score(bottling, str([{"action": "BURN", "object": "jar_0"}]), PUBLISHED)
    assert not burnt.record["executable"]
    assert burnt.record["error_type"] == ErrorType.EXECUTION_FAILURE.value


def test_hostile_lists_are_refused_in_linear_time(bottling: BehaviorTask) -> None:
    for text in ('["' * (MAX_CHARACTERS // 2), '[ "' + "a" * 9_000 + "[" * 90_000, "[#" * 90_000):
        assert calls(partial(failure, bottling, text)) < 20 * len(text)
