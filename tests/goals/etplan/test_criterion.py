"""Reading criteria, and reading released ones as table 5 has them."""

from __future__ import annotations

import pytest

from homebody.core import HomebodyError
from homebody.goals.etplan import Condition, add_stages, read_criterion


def test_conditions_are_read() -> None:
    criterion = read_criterion("(CLOSE, robot, apple) ( INSIDE,apple , fridge )")
    assert criterion.stages == (
        (Condition("CLOSE", "robot", "apple"), Condition("INSIDE", "apple", "fridge")),
    )
    assert criterion.classes == ("robot", "apple", "fridge")
    assert str(criterion) == "(CLOSE, robot, apple)(INSIDE, apple, fridge)"


def test_steps_are_read() -> None:
    text = "STEP_1: (ON, milk, kitchen-counter) STEP_2:(CLOSE, robot, milk)(FACING, sofa, tv)"
    criterion = read_criterion(text)
    assert list(map(len, criterion.stages)) == [1, 2]
    assert len(criterion.conditions) == 3
    assert str(criterion) == text.replace("STEP_2:(", "STEP_2: (")
    assert read_criterion(str(criterion)) == criterion


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "a condition is missing"),
        ("STEP_1:", "a condition is missing"),
        ("STEP_1: STEP_2: (ON, a, b)", "a condition such as"),
        ("STEP_2: (ON, a, b)", "STEP_1 is expected"),
        ("STEP_1: (ON, a, b) STEP_3: (ON, a, b)", "STEP_2 is expected"),
        ("(ON, a, b) STEP_2: (ON, a, b)", "a condition such as"),
        ("(ON, a, b) and more", "'and more'"),
        ("(ON, a, b", "a condition such as"),
        ("(ON, a)", "a condition such as"),
        ("(ON, a, b, c)", "a condition such as"),
        ("(UNDER, a, b)", "a relation is one of"),
        ("(on, a, b)", "a relation is one of"),
        ("(ON, a, <b>)", "a class is a word"),
        ("(ON, a, \x1b)", "a class is a word"),
        ("(CLOSE, robot, robot)", "two things"),
        ("(ON, a, b)" * 33, "at most 32"),
        ("(ON, a, b)" * 65, "cannot be read"),
        ("(" * 5_000, "at most 4,000 characters"),
    ],
)
def test_what_is_no_criterion(text: str, why: str) -> None:
    with pytest.raises(HomebodyError, match=why) as error:
        read_criterion(text)
    assert "\x1b" not in str(error.value)


@pytest.mark.parametrize(
    ("released", "read"),
    [
        ("(CLOSE, robot, apple)", "(CLOSE, robot, apple)"),
        (
            "(CLOSE, robot, apple)(INSIDE, apple, fridge)",
            "STEP_1: (INSIDE, apple, fridge) STEP_2: (CLOSE, robot, apple)",
        ),
        (
            "(CLOSE, robot, apple)(CLOSE, robot, fridge)(INSIDE, apple, fridge)",
            "(CLOSE, robot, apple)(CLOSE, robot, fridge)(INSIDE, apple, fridge)",
        ),
        (
            "(CLOSE, robot, apple)(CLOSE, robot, fridge)(INSIDE, apple, fridge)"
            "(CLOSE, apple, cup)(INSIDE, fridge, kitchen)",
            "STEP_1: (CLOSE, robot, apple)(CLOSE, apple, cup) "
            "STEP_2: (CLOSE, robot, fridge)(INSIDE, apple, fridge)(INSIDE, fridge, kitchen)",
        ),
        (
            "(CLOSE, robot, apple)(CLOSE, robot, bed)(ON, apple, bed)"
            "(CLOSE, robot, cup)(CLOSE, robot, bed)(ON, cup, bed)",
            "(CLOSE, robot, apple)(CLOSE, robot, bed)(ON, apple, bed)(CLOSE, robot, cup)"
            "(ON, cup, bed)",
        ),
        (
            "STEP_1: (CLOSE, robot, milk)(CLOSE, robot, cup)(INSIDE, milk, cup) "
            "STEP_2: (CLOSE, robot, cup)(CLOSE, robot, oven)(INSIDE, cup, oven)",
            "STEP_1: (CLOSE, robot, milk)(CLOSE, robot, cup)(INSIDE, milk, cup) "
            "STEP_2: (CLOSE, robot, cup)(CLOSE, robot, oven)(INSIDE, cup, oven)(INSIDE, milk, cup)",
        ),
        (  # what is put elsewhere does not stay
            "STEP_1: (CLOSE, robot, cup)(CLOSE, robot, bed)(ON, cup, bed) "
            "STEP_2: (CLOSE, robot, cup)(CLOSE, robot, oven)(INSIDE, cup, oven)",
            "STEP_1: (CLOSE, robot, cup)(CLOSE, robot, bed)(ON, cup, bed) "
            "STEP_2: (CLOSE, robot, cup)(CLOSE, robot, oven)(INSIDE, cup, oven)",
        ),
        (
            "(CLOSE, robot, apple)(ON, apple, apple)",
            "STEP_1: (ON, apple, apple) STEP_2: (CLOSE, robot, apple)",
        ),
    ],
)
def test_lists_as_table_5_reads_them(released: str, read: str) -> None:
    assert str(add_stages(read_criterion(released))) == read
