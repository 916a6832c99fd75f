"""Documents of samples: verdicts, problems, and text of which nothing does harm."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from homebody.core import CORRECTED, Message, SampleError
from homebody.core.play.failures import LABELS
from homebody.results.viewing.documents import to_json
from homebody.results.viewing.runs import Log, Run, read_runs
from homebody.results.viewing.samples import (
    MAX_TEXT,
    VERDICTS,
    columns,
    problems_of,
    safe,
    sample_document,
    share_of,
    verdict_of,
)
from homebody.results.writing import keep_run
from homebody.suites import get_suite
from own_suites import in_place
from toy_runs import EVIL, chores, keep

ACTION_SEQUENCING = "eai.virtualhome.action_sequencing"


@pytest.fixture
def run(tmp_path: Path) -> Run:
    suite = chores(evil=True)
    error = SampleError("room-9", 1, "provider_error", "500: down", f"Traceback {EVIL}")
    with in_place([suite]):
        folder = keep(tmp_path, suite, "m", ["yes", "half", "no", "-", EVIL], errors=[error])
        (found,), _ = read_runs([folder])
    return found


def test_columns_say_what_the_list_shows(run: Run) -> None:
    made = columns(run)
    told = [VERDICTS[at] for at in made["verdict"]]
    assert told == ["success", "partial", "failure", "left out", "failure", "error"]
    assert made["share"] == [1.0, 0.5, 0.0, 0.0, 0.0, None]
    problems = [[made["problems"]["words"][n] for n in at] for at in made["problems"]["at"]]
    assert problems[:3] == [[], ["missing step"], ["wrong order"]]
    assert problems[5] == ["provider error"]
    clusters = [made["cluster"]["words"][at] for at in made["cluster"]["at"]]
    assert clusters == ["house 0", "house 1", "house 2", "house 3", "house 0", ""]
    assert len({len(column) for column in (made["task"], told, made["explanation"], problems)}) == 1


def test_a_sample_has_all_that_is_known_of_it(run: Run) -> None:
    made = sample_document(run, 1)
    assert made["messages"] == [
        {"role": "system", "text": "You sweep."},
        {"role": "user", "text": "Sweep room-1, please."},
    ]
    assert (made["answer"], made["verdict"], made["logged"]) == ("half", "partial", False)
    assert made["conditions"] == [["swept", True], ["chairs back", False]]
    assert made["trace"] == [{"call": "walk"}, {"call": "sweep", "problem": "missing step"}]
    assert made["record"]["goals"] == [["swept", True], ["chairs back", False]]
    assert sample_document(run, 5)["error"]["reason"] == "500: down"


def test_a_transcript_is_shown_as_what_was_done() -> None:
    suite = get_suite("house.bring")
    task = suite.tasks.load(CORRECTED)[0]
    output = suite.answer("random", task)
    score = suite.score(task, output)
    record = {"identifier": score.identifier, "epoch": 1, **score.record}
    key = (score.identifier, 1)
    said = {key: (Message("user", "go"), Message("assistant", "[agent] Pick[cup]"))}
    log = Log(Path("x.eval"), {"suite": "house.bring"}, 1, (record,), {key: output}, said)
    (run,), wrong = read_runs([], [log])
    assert wrong == []
    made = sample_document(run, 0)
    assert made["answer"] is None
    assert made["trace"][0]["role"] == "agent"
    assert [each["role"] for each in made["messages"]] == ["user", "assistant"]
    assert made["logged"]


def test_hostile_text_is_written_out_and_cut(run: Run) -> None:
    for document in (columns(run), *(sample_document(run, n) for n in range(6))):
        text = to_json(document)
        text.encode()  # no half of a pair is left
        assert "\x1b" not in text
        assert "\u202e" not in text
        assert r"\\x1b[31m" in text
    assert len(safe("x" * 10 * MAX_TEXT)) == MAX_TEXT


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
)


@pytest.mark.slow
@given(JSON)
def test_what_is_safe_is_json(value: object) -> None:
    assert json.loads(to_json(safe(value))) == json.loads(to_json(safe(safe(value))))


KEYS = (
    "success",
    "progress",
    "f1",
    "error",
    "error_type",
    "ending",
    "valid",
    "deviations",
    "goals",
)


@pytest.mark.slow
@given(st.dictionaries(st.sampled_from(KEYS), JSON))
def test_whatever_a_record_says_there_is_a_verdict(record: dict[str, object]) -> None:
    share = share_of(record)
    assert share is None or 0 <= share <= 1
    assert verdict_of(record) in VERDICTS
    assert all(isinstance(each, str) for each in problems_of(chores(), record))


def test_endings_that_differ_in_a_number_are_one_problem() -> None:
    told = [
        list(problems_of(chores(), {"success": False, "ending": ending}))
        for ending in ("all 24 actions are used up", "all 60 actions are used up", "gave up")
    ]
    assert told[0] == told[1] == ["ended: all actions are used up"]
    assert told[2] == ["ended: gave up"]


def test_labels_are_problems_and_a_sample_has_their_rules(tmp_path: Path) -> None:
    suite = get_suite("house.bring")
    task = suite.tasks.load(CORRECTED)[0]
    output = suite.answer("idle", task)
    keep_run(
        tmp_path,
        "idle",
        suite,
        [suite.score(task, output)],
        CORRECTED,
        [],
        [(task.id, output)],
        {"agent": "idle"},
    )
    (run,), _ = read_runs([tmp_path / "idle"])
    assert set(problems_of(suite, run.records[0])) == {*run.records[0]["labels"]}
    made = sample_document(run, 0)
    assert ["gave up", next(each for each in LABELS if each.name == "gave up").meaning] in (
        made["labels"]
    )
    assert "labels" not in made["record"]


@pytest.mark.usefixtures("eai_data")
def test_prompts_are_those_of_the_suite() -> None:
    suite = get_suite(ACTION_SEQUENCING)
    task = suite.task("27_2")
    score = suite.score(task, suite.answer("random", task))
    record = {"identifier": "27_2", "epoch": 1, **score.record}
    log = Log(Path("x.jsonl"), {"suite": suite.name}, 1, (record,), {})
    (run,), _ = read_runs([], [log])
    made = sample_document(run, 0)
    assert suite.prompting is not None
    assert made["messages"][-1]["text"] == safe(suite.prompting.prompt(task))
    assert [kind for kind, _ in made["conditions"]] == [
        "2 of 3 state goals",
        "0 of 2 relation goals",
    ]
