"""What results were made with: written, read, compared with the files beside it."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from homebody import __version__
from homebody.core import CORRECTED, HomebodyError, Suite
from homebody.results.outputs import Output, write_outputs
from homebody.results.record import NAME, find_mismatches, is_mismatched, read_record
from homebody.results.scoring import score_outputs
from homebody.results.writing import write_results
from homebody.suites import get_suite, list_suites

ANSWERS = (Output("t1", "yes"), Output("t2", "no"))


def save(suite: Suite[str], folder: Path, answers: tuple[Output, ...] = ANSWERS) -> Path:
    """The folder of the results of a model, with its outputs beside it."""
    file = folder / "m_outputs.json"
    write_outputs(file, answers)
    scores = score_outputs(suite, answers, CORRECTED).scores
    write_results(folder / "m", suite, scores, CORRECTED, run={"model": "m"}, outputs=file)
    return folder / "m"


def test_a_record_says_what_results_were_made_with(suite: Suite[str], tmp_path: Path) -> None:
    made = replace(suite, tasks=replace(suite.tasks, data=lambda: {"toys": "2.1"}))
    record = read_record(save(made, tmp_path))
    assert (record.suite, record.protocol, record.samples) == ("toy.world.quiz", "corrected", 2)
    assert (record.homebody, record.data) == (__version__, {"toys": "2.1"})
    assert record.run == {"model": "m"}
    assert record.outputs["file"] == "m_outputs.json"


def test_the_same_results_have_the_same_record(suite: Suite[str], tmp_path: Path) -> None:
    first, second = save(suite, tmp_path / "1"), save(suite, tmp_path / "2")
    assert (first / NAME).read_bytes() == (second / NAME).read_bytes()


@pytest.mark.parametrize("name", ["m/samples.jsonl", "m/summary.json", "m_outputs.json"])
def test_files_of_another_run_are_found(suite: Suite[str], tmp_path: Path, name: str) -> None:
    folder = save(suite, tmp_path / "now")
    assert find_mismatches(folder, read_record(folder)) == []
    save(suite, tmp_path / "other", (Output("t1", "no"),))
    (tmp_path / "now" / name).write_bytes((tmp_path / "other" / name).read_bytes())
    assert find_mismatches(folder, read_record(folder)) == [str(tmp_path / "now" / name)]
    assert is_mismatched(tmp_path / "now" / "m_outputs.json", folder) == (name == "m_outputs.json")


def test_a_missing_file_is_out_of_step(suite: Suite[str], tmp_path: Path) -> None:
    folder = save(suite, tmp_path)
    (folder / "samples.jsonl").unlink()
    (tmp_path / "m_outputs.json").unlink()  # it may have been moved away
    assert find_mismatches(folder, read_record(folder)) == [str(folder / "samples.jsonl")]


def test_results_of_an_older_homebody(suite: Suite[str], tmp_path: Path) -> None:
    folder = save(suite, tmp_path)
    (folder / NAME).unlink()
    with pytest.raises(HomebodyError, match=r"has no run\.json: .* older homebody") as caught:
        read_record(folder)
    assert "homebody score" in caught.value.hint
    assert not is_mismatched(tmp_path / "m_outputs.json", folder)


@pytest.mark.parametrize(
    ("change", "why", "hint"),
    [
        ({"version": 2}, "has version 2; this homebody reads version 1", "--upgrade"),
        ({"version": 0}, "has version 0", "homebody run"),
        ({"format": "other"}, "was not written by homebody", "homebody run"),
        ({"files": 3}, "is damaged", "homebody run"),
        ({"data": {"eai": 1}}, "is damaged", "homebody run"),
    ],
)
def test_other_records_are_refused(
    suite: Suite[str], tmp_path: Path, change: dict[str, Any], why: str, hint: str
) -> None:
    folder = save(suite, tmp_path)
    record = json.loads((folder / NAME).read_bytes())
    (folder / NAME).write_text(json.dumps(record | change))
    with pytest.raises(HomebodyError, match=why) as caught:
        read_record(folder)
    assert hint in caught.value.hint


@pytest.mark.parametrize(
    "data", [b"", b"[" * 100_000, b"\xff\xfe", b'{"format"', b" " * (17 << 20)]
)
def test_rubbish_is_refused(suite: Suite[str], tmp_path: Path, data: bytes) -> None:
    folder = save(suite, tmp_path)
    (folder / NAME).write_bytes(data)
    with pytest.raises(HomebodyError, match=r"run\.json"):
        read_record(folder)


def test_a_record_leads_nowhere_else(suite: Suite[str], tmp_path: Path) -> None:
    folder = save(suite, tmp_path)
    record = json.loads((folder / NAME).read_bytes())
    record["files"] = {"../../../etc/passwd": "0"}
    record["outputs"] = {"file": "../../../etc/passwd", "sha256": "0"}
    (folder / NAME).write_text(json.dumps(record))
    assert find_mismatches(folder, read_record(folder)) == [str(folder / "passwd")]


@pytest.mark.parametrize("name", [name for name in list_suites() if "." in name])
def test_every_suite_says_what_it_is_made_of(name: str) -> None:
    data = get_suite(name).tasks.data()
    assert data
    assert all(isinstance(text, str) for pair in data.items() for text in pair)
