"""Samples are read back as they were written, and only if all of a folder belongs together."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from homebody.core import HomebodyError, SampleError, Suite
from homebody.core.score import Usage
from homebody.results.samples import find_result_folders, read_run
from results.runs import kept


def test_a_run_is_read_back(suite: Suite[str], tmp_path: Path) -> None:
    took = Usage(120, 7, 1.5, 0.002)
    lost = SampleError("t4", 1, "provider_error", "no answer: 500")
    run = kept(suite, tmp_path, "m", {"t1": ["yes"], "t2": ["no", "-"]}, [lost], usage=took)
    assert (run.name, run.model, run.about.suite, run.seed) == ("m", "m", suite.name, None)
    first, second, left_out, error = run.samples
    assert (first.identifier, first.epoch, first.cluster) == ("t1", 1, "t1")
    assert (first.success, first.valid, first.error, first.usage) == (True, True, "", took)
    assert first.explanation == "t1 was answered with yes"
    assert (second.success, second.epoch) == (False, 1)
    assert (left_out.epoch, left_out.valid, left_out.metrics["success"]) == (2, False, 0.0)
    assert (error.valid, error.success, error.error) == (
        False,
        None,
        "provider_error: no answer: 500",
    )
    assert error.usage is None


def test_folders_are_found(suite: Suite[str], tmp_path: Path) -> None:
    for name in ("a", "b"):
        kept(suite, tmp_path / "deep", name, {"t1": ["yes"]})
    assert [folder.name for folder in find_result_folders([tmp_path / "deep"])] == ["a", "b"]
    assert [folder.name for folder in find_result_folders([tmp_path / "deep" / "b"])] == ["b"]
    with pytest.raises(HomebodyError, match="no results in"):
        list(find_result_folders([tmp_path / "deep" / "a" / "nothing"]))


def test_what_does_not_belong_together_is_not_read(suite: Suite[str], tmp_path: Path) -> None:
    run = kept(suite, tmp_path, "m", {"t1": ["yes"]})
    lines = run.folder / "samples.jsonl"
    lines.write_text(lines.read_text() * 2)
    with pytest.raises(HomebodyError, match="do not belong together"):
        read_run(run.folder)


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ("{", "damaged"),
        ('{"epoch": 1}', "not the record"),
        ('{"identifier": "t1", "metrics": {"success": "much"}}', "metrics"),
        ('{"identifier": "t1", "success": true}', "older homebody"),
        ("[" * 500, "damaged"),
    ],
)
def test_lines_that_are_none_are_refused(
    suite: Suite[str], tmp_path: Path, line: str, problem: str
) -> None:
    run = kept(suite, tmp_path, "m", {"t1": ["yes"]})
    (run.folder / "samples.jsonl").write_text(line + "\n")
    record = json.loads((run.folder / "run.json").read_text())
    record["files"] = {}
    (run.folder / "run.json").write_text(json.dumps(record))
    with pytest.raises(HomebodyError, match=problem):
        read_run(run.folder)
