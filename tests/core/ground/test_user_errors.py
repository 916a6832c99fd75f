"""Errors that are the user's to mend: files of other versions say what reads or replaces them."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from homebody.core.ground.user_errors import HomebodyError
from homebody.core.play.transcript import decode
from homebody.evals.run_journal import read_journal
from homebody.results.record import read_record
from homebody.worlds.house.io import files


def journal(folder: Path, version: object) -> None:
    header = {"format": "homebody-run", "version": version, "run": {"epochs": 1}, "tasks": []}
    (folder / "run.jsonl").write_text(json.dumps(header) + "\n")
    read_journal(folder / "run.jsonl")


def results(folder: Path, version: object) -> None:
    (folder / "run.json").write_text(json.dumps({"format": "homebody-results", "version": version}))
    read_record(folder)


def transcript(folder: Path, version: object) -> None:
    decode(json.dumps({"format": "homebody-transcript", "version": version, "entries": []}))


def house(folder: Path, version: object) -> None:
    files.decode(json.dumps({"format": "homebody.house", "version": version}).encode())


def scenario(folder: Path, version: object) -> None:
    files.decode_scenario(json.dumps({"format": "homebody.episode", "version": version}).encode())


@pytest.mark.parametrize("read", [journal, results, transcript, house, scenario])
@pytest.mark.parametrize(
    ("version", "hint"), [(0, "homebody "), (99, "pip install --upgrade homebody")]
)
def test_another_version_is_refused_with_what_mends_it(
    tmp_path: Path, read: Callable[[Path, object], None], version: int, hint: str
) -> None:
    with pytest.raises(HomebodyError, match=str(version)) as caught:
        read(tmp_path, version)
    assert hint in caught.value.hint
    assert ("--upgrade" in caught.value.hint) == (version == 99)


@pytest.mark.parametrize("read", [journal, results, transcript, house, scenario])
@pytest.mark.parametrize("version", [None, "1.5", [1], {}])
def test_what_is_no_version_is_refused(
    tmp_path: Path, read: Callable[[Path, object], None], version: object
) -> None:
    with pytest.raises(HomebodyError):
        read(tmp_path, version)
