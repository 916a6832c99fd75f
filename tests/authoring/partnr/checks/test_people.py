"""Episodes that people solved are kept, by the stated rule; other files are refused."""

from __future__ import annotations

from pathlib import Path

import pytest

from homebody.authoring.partnr.checks.people import COLUMNS, find_complaint, read_people
from homebody.core import HomebodyError

ROWS = """\
participant,group,task,practice,try,solved,mark,remarks
1,1,good,no,1,no,,
1,1,good,no,2,yes,,"first, I
looked"
2,2,never,no,1,no,fine,
3,3,impossible,no,1,no,infeasible,
4,4,impossible,no,1,no,ambiguous,
5,5,contested,no,1,yes,,
6,6,contested,no,1,no,ambiguous,
7,7,mostly,no,1,yes,,
8,8,mostly,no,1,yes,,
9,9,mostly,no,1,no,ambiguous,
9,9,drill,yes,1,yes,,
10,10,lonely,no,0,nobody came,,
"""


def test_what_people_solved_and_did_not_dispute_is_kept(tmp_path: Path) -> None:
    file = tmp_path / "results.csv"
    file.write_text(ROWS)
    people = read_people(file)
    named = ("good", "never", "impossible", "contested", "mostly", "drill", "lonely", "unknown")
    assert {name: find_complaint(people.get(name)) for name in named} == {
        "good": "",
        "never": "0 of 1 people solved it",
        "impossible": "0 of 2 people solved it, "
        "1 marked it as infeasible, 1 marked it as ambiguous",
        "contested": "1 of 2 people solved it, 1 marked it as ambiguous",
        "mostly": "",
        "drill": "nobody has tried it",
        "lonely": "nobody has tried it",
        "unknown": "nobody has tried it",
    }


@pytest.mark.parametrize(
    "text",
    ["", "a,b\n1,2\n", f'{",".join(COLUMNS)}\n"open', "\x00", f"{','.join(COLUMNS[1:])}\n"],
)
def test_other_files_are_refused(tmp_path: Path, text: str) -> None:
    file = tmp_path / "results.csv"
    file.write_text(text)
    with pytest.raises(HomebodyError, match="no results of a study"):
        read_people(file)


def test_a_short_row_counts_as_nothing(tmp_path: Path) -> None:
    file = tmp_path / "results.csv"
    file.write_text(f"{','.join(COLUMNS)}\n1,task\n")
    assert find_complaint(read_people(file)["task"]) == "0 of 1 people solved it"
    file.write_bytes(b"\xff")
    with pytest.raises(HomebodyError):
        read_people(file)
