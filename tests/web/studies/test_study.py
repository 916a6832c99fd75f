"""Study files: read, and refused with what is wrong."""

from __future__ import annotations

from pathlib import Path

import pytest

from homebody.core import HomebodyError
from homebody.web.studies.study import read_study

FILE = """
title = "Bring it"
suite = "house.bring"
participants = 4
tasks = 3
consent = "consent.md"

[[conditions]]
name = "alone"
seats = {agent = "person"}

[[after_task]]
name = "effort"
text = "How hard was it?"
"""


def written(folder: Path, text: str) -> Path:
    path = folder / "study.toml"
    path.write_text(text)
    (folder / "consent.md").write_text("# Consent\n\nYou agree.")
    return path


def test_a_study_has_the_texts_that_it_names(tmp_path: Path) -> None:
    study = read_study(written(tmp_path, FILE))
    assert study.consent.startswith("# Consent")
    assert study.after_task[0].points == 7


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        ('title = "Bring it"', "", "title"),
        ("participants = 4", "participants = 0", "participants"),
        ("participants = 4", "participants = 4\ncolour = 1", "colour"),
        ('suite = "house.bring"', 'suite = "none.such"', "unknown suite"),
        ("tasks = 3", 'tasks = ["none"]', "no task"),
        ("tasks = 3", "tasks = 100000", "has 100 tasks"),
        ("tasks = 3", "tasks = 3\ntasks_each = 4", "tasks_each is 4"),
        ('agent = "person"', 'agent = "expert"', "no person plays"),
        ('agent = "person"', 'cook = "person"', "a player for each role"),
        ('agent = "person"', 'agent = "nobody"', "unknown player: 'nobody'"),
        ("[[after_task]]", '[[before]]\nname="effort"\ntext="x"\n[[after_task]]', "the same name"),
        ('text = "How hard was it?"', 'text = "x"\nkind = "choice"', "choices"),
        ('"consent.md"', '"../consent.md"', "not beside"),
        ('"consent.md"', '"missing.md"', "cannot be read"),
        ("[[conditions]]", "[[conditions", "not a study"),
    ],
)
def test_what_is_no_study_is_refused(tmp_path: Path, old: str, new: str, problem: str) -> None:
    assert old in FILE
    with pytest.raises(HomebodyError, match=problem):
        read_study(written(tmp_path, FILE.replace(old, new)))


@pytest.mark.parametrize("data", [b"\xff\xfe", b"x" * (1 << 21), b"a = " + b"[" * 100_000, b"\x00"])
def test_a_hostile_file_is_refused(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "study.toml"
    path.write_bytes(data)
    with pytest.raises(HomebodyError):
        read_study(path)
