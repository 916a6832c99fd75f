"""Submissions: what is found, what is said to be wrong, and the archive."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from homebody.core import HomebodyError, Suite
from homebody.core.published import Published, Submission
from homebody.results.outputs import Output, write_outputs
from homebody.results.submission_checks import check
from homebody.results.submission_writing import archive_of, find_runs, find_submitted_suites, write
from own_suites import in_place
from toy_runs import NAME, chores, keep

FILE = "chores_outputs.json"


def suite(most: int = 4) -> Suite[str]:
    submission: Submission[str] = Submission(
        FILE,
        lambda record: "untidy" if record["slips"] else "",
        lambda answers: {"more/scores.json": str([task for task, _, _ in answers]).encode()},
    )
    return replace(chores(most), published=Published(submission=submission))


@pytest.fixture
def toy() -> Iterator[Suite[str]]:
    with in_place([suite()]):
        yield suite()


def test_a_run_is_found_by_what_it_says_of_itself(tmp_path: Path, toy: Suite[str]) -> None:
    keep(tmp_path / "deep" / "er", toy, "one", ["yes", "no", "half", "yes"])
    file = (tmp_path / "deep" / "er" / "one_outputs.json").resolve()
    for path in (tmp_path, file, tmp_path / "deep" / "er" / "one"):
        assert find_runs([path], [toy]) == {NAME: file}
    write_outputs(tmp_path / "unsaid_outputs.json", [Output("room-0", "yes")])
    assert find_runs([tmp_path], [toy]) == {NAME: file}


def test_of_two_runs_one_is_chosen(tmp_path: Path, toy: Suite[str]) -> None:
    for name in ("one", "two"):
        keep(tmp_path, toy, name, ["yes"])
    with pytest.raises(HomebodyError, match="2 runs") as told:
        find_runs([tmp_path], [toy])
    assert "--model" in (told.value.hint or "")
    found = find_runs([tmp_path], [toy], "two")
    assert found[NAME].name == "two_outputs.json"


def test_what_is_missing_wrong_or_untidy_is_told(tmp_path: Path, toy: Suite[str]) -> None:
    texts = {"room-0": "yes", "room-2": "no!", "attic": "yes", "room-3": " "}
    write_outputs(tmp_path / FILE, [Output(name, text) for name, text in texts.items()])
    part = check(toy, tmp_path / FILE)
    assert part.missing == ("room-1",)
    assert [wrong.partition(":")[0] for wrong in part.wrong] == ["attic"]
    assert dict(part.troubles) == {"untidy": ["room-2"], "empty": ["room-3"]}
    assert not part.is_complete
    assert check(toy, None).missing == ("room-0", "room-1", "room-2", "room-3")


def test_an_epoch_is_taken(tmp_path: Path, toy: Suite[str]) -> None:
    names = [f"room-{at}" for at in range(4)]
    outputs = [*(Output(name, "yes") for name in names), *(Output(name, "no") for name in names)]
    write_outputs(tmp_path / FILE, outputs)
    for epoch, text in ((1, "yes"), (2, "no")):
        part = check(toy, tmp_path / FILE, epoch)
        assert part.is_complete
        assert part.epochs == 2
        assert {answer for _, answer, _ in part.answers} == {text}
    assert len(check(toy, tmp_path / FILE, 3).missing) == 4


@pytest.mark.slow
@given(st.permutations(range(4)), st.lists(st.text(), min_size=4, max_size=4))
def test_the_same_outputs_give_the_same_bytes(order: list[int], texts: list[str]) -> None:
    import tempfile

    toy = suite()
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / FILE
        write_outputs(file, [Output(f"room-{at}", texts[at]) for at in range(4)])
        first = archive_of([check(toy, file)])
        write_outputs(file, [Output(f"room-{at}", texts[at]) for at in order])
        assert archive_of([check(toy, file)]) == first
    with zipfile.ZipFile(io.BytesIO(first)) as archive:
        assert archive.namelist() == [FILE, "more/scores.json"]
        entries = json.loads(archive.read(FILE))
    assert [entry["identifier"] for entry in entries] == [f"room-{at}" for at in range(4)]
    assert [entry["llm_output"] for entry in entries] == texts


def test_an_archive_that_cannot_be_written_leaves_what_was_there(
    tmp_path: Path, toy: Suite[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    keep(tmp_path, toy, "one", ["yes"] * 4)
    part = check(toy, tmp_path / "one_outputs.json")
    (tmp_path / "s.zip").write_bytes(b"before")

    def fails(*_: object) -> None:
        raise OSError(28, "the disk is full")

    monkeypatch.setattr("homebody.core.ground.files.os.fsync", fails)
    with pytest.raises(HomebodyError, match="the disk is full"):
        write(tmp_path / "s.zip", [part])
    assert (tmp_path / "s.zip").read_bytes() == b"before"


def test_a_benchmark_is_its_suites_that_are_handed_in() -> None:
    files = {
        each.published.submission.file
        for each in find_submitted_suites("eai")
        if each.published.submission is not None
    }
    abilities = (
        "goal_interpretation",
        "subgoal_decomposition",
        "action_sequencing",
        "transition_modeling",
    )
    assert files == {
        f"{world}_{ability}_outputs.json"
        for world in ("behavior", "virtualhome")
        for ability in abilities
    }
    assert [each.name for each in find_submitted_suites("partnr.val")] == ["partnr.val"]
    with pytest.raises(HomebodyError, match="has no submission") as told:
        find_submitted_suites("house.bring")
    assert "partnr" in (told.value.hint or "")
