"""Which drafts count as hidden."""

from __future__ import annotations

import msgspec
import pytest

from homebody.authoring.etplan.make import drafts_of_row
from homebody.suites.etplan.rows import ROWS
from homebody.suites.etplan.tasks import EtplanTask, load

_ONE = load("test")["navigation_relation"][0]


def pool(*sizes: tuple[float, float]) -> dict[str, list[EtplanTask]]:
    """Drafts of things of some litres, some metres away."""
    return {
        "navigation_relation": [
            msgspec.structs.replace(_ONE, id=f"draft-{number}", volume=litres, away=metres)
            for number, (litres, metres) in enumerate(sizes)
        ]
    }


def chosen(row: str, *sizes: tuple[float, float]) -> list[int]:
    found = drafts_of_row(ROWS[row], pool(*sizes))
    assert all(task.row == row for task in found)
    return [int(task.id.removeprefix("draft-")) for task in found]


TEN = [(5.0, 1.0), (2.0, 9.0), (8.0, 3.0), (0.1, 4.0), (7.0, 2.0)]
TEN += [(6.0, 8.5), (9.0, 5.0), (4.0, 6.0), (3.0, 7.0), (1.0, 0.5)]


@pytest.mark.parametrize(
    ("row", "expected"),
    [
        ("navigation_relation_size", [3, 9]),
        ("navigation_relation_distance", [1, 5]),
        ("navigation_relation", list(range(10))),
    ],
)
def test_hidden_is_the_fifth_of_the_smallest_or_farthest(row: str, expected: list[int]) -> None:
    assert chosen(row, *TEN) == expected  # in the order in which they were drafted


def test_less_than_five_drafts_have_no_fifth() -> None:
    assert chosen("navigation_relation_size", *TEN[:4]) == []
    assert chosen("navigation_relation_size", *TEN[:9]) == [3]


def test_of_drafts_that_are_alike_those_are_hidden_that_come_first_by_name() -> None:
    assert chosen("navigation_relation_size", *[(1.0, 1.0)] * 10) == [0, 1]
    assert chosen("navigation_relation_distance", *[(1.0, 1.0)] * 10) == [0, 1]
