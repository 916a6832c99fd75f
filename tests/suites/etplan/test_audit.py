"""Every problem of released tasks in a case of our own, and how many the published files have."""

from __future__ import annotations

from pathlib import Path

import pytest

from homebody.suites.etplan.audit import PROBLEMS, audit, count_findings
from homebody.suites.etplan.released import read_released
from suites.etplan.released_files import line, published, write

FETCH = "(CLOSE, robot, apple)(CLOSE, robot, box)(INSIDE, apple, box)"
PUT = "walk apple 2, grab apple 2, walk box 3, putin apple 2 box 3"
INTO = "Put the apple into the box."
STEPS = (
    "STEP_1: (CLOSE, robot, apple)(CLOSE, robot, box){} "
    "STEP_2:(CLOSE, robot, box)(CLOSE, robot, desk){}"
)
BOTH = f"{PUT}, grab box 3, walk desk 4, putin box 3 desk 4"
SWAPPED = STEPS.format("(ON, apple, box)", "(INSIDE, box, desk)")
RIGHT = STEPS.format("(INSIDE, apple, box)", "(ON, box, desk)")
THEN = "Put the apple into the box, then put them on the desk."

CASES = {
    # problem -> row, a task that has it, one that does not
    "on_and_inside_swapped": ("temporal", line(THEN, SWAPPED, BOTH), line(THEN, RIGHT, BOTH)),
    "other_relation_than_text": (
        "manipulation", line("Put the apple on a box.", FETCH, PUT), line(INTO, FETCH, PUT)),
    "class_not_in_text": (
        "manipulation", line("Put the apple into the drawer.", FETCH, PUT), line(INTO, FETCH, PUT)),
    "conditions_contradict": (
        "manipulation_relation",
        line(INTO, FETCH + "(INSIDE, apple, kitchen)(INSIDE, box, bedroom)", PUT),
        line(INTO, FETCH + "(INSIDE, apple, kitchen)(INSIDE, box, kitchen)", PUT)),
    "class_with_itself": (
        "navigation_relation", line(criterion="(CLOSE, robot, apple)(ON, apple, apple)"), line()),
    "condition_twice": ("navigation", line(criterion="(CLOSE, robot, apple)" * 2), line()),
    "text_asks_for_more": (
        "navigation", line("Bring me the apple."), line("Please take me to the apple.")),
    "same_task": ("navigation", line(), line(env_id=3)),
    "grabs_unasked": ("navigation", line(plan="walk apple 2, grab apple 2"), line()),
    "put_is_no_verb": (
        "manipulation", line(INTO, FETCH, PUT.replace("putin", "put")), line(INTO, FETCH, PUT)),
    "puts_otherwise": (
        "manipulation", line(INTO, FETCH, PUT.replace("putin", "put")), line(INTO, FETCH, PUT)),
    "plan_of_other_things": (
        "manipulation", line(INTO, FETCH, PUT.replace("apple 2", "pear 2")),
        line(INTO, FETCH, PUT)),
    "plan_of_other_instances": (
        "manipulation", line(INTO, FETCH, PUT.replace("walk box 3", "walk box 4")),
        line(INTO, FETCH, PUT)),
    "plan_in_other_room": (
        "navigation_relation",
        line(criterion="(CLOSE, robot, apple)(INSIDE, apple, bedroom)"),
        line(criterion="(CLOSE, robot, apple)(INSIDE, apple, kitchen)")),
    "too_many_held": (
        "several_two_arms", line(plan="grab apple 2, grab pear 3, grab apple 4"),
        line(plan="grab apple 2, grab pear 3")),
    "put_without_holding": (
        "manipulation", line(INTO, FETCH, "walk apple 2, walk box 3, putin apple 2 box 3"),
        line(INTO, FETCH, PUT)),
    "opens_with_full_hands": (
        "several", line(plan="grab apple 2, open box 3"), line(plan="open box 3, grab apple 2")),
    "walks_to_where_it_is": (
        "navigation", line(plan="walk kitchen 1, walk apple 2, walk kitchen 1"),
        line(plan="walk kitchen 1, walk bedroom 3, walk kitchen 1")),
    "left_open": (
        "navigation", line(plan="open box 3, walk apple 2"),
        line(plan="open box 3, walk apple 2, close box 3")),
}  # fmt: skip


def test_every_problem_has_a_case() -> None:
    assert list(CASES) == list(PROBLEMS)


@pytest.mark.parametrize("problem", PROBLEMS)
def test_what_is_a_problem(problem: str, tmp_path: Path) -> None:
    row, wrong, right = CASES[problem]
    lines = [right, wrong, wrong] if problem == "same_task" else [right, wrong]
    found = list(audit(read_released(write(tmp_path, **{row: lines}))))
    ids = [finding.task for finding in found if finding.problem == problem]
    assert ids == [f"{row.replace('_', '-')}:{len(lines)}"]
    assert all(finding.reason for finding in found)


@pytest.mark.parametrize(
    ("text", "name", "named"),
    [
        ("the kitchen table", "kitchentable", True),
        ("two kitchen tables", "kitchentable", True),
        ("a slice of bread", "breadslice", True),
        ("the bar of soap", "barsoap", True),
        ("a banana", "bananas", True),
        ("the table", "kitchentable", False),
        ("the bookshelf", "book", False),
    ],
)
def test_what_names_a_class(tmp_path: Path, text: str, name: str, named: bool) -> None:
    task = line(f"Find {text}.", f"(CLOSE, robot, {name})", f"walk {name} 1")
    found = list(audit(read_released(write(tmp_path, navigation=[task]))))
    assert any(finding.problem == "class_not_in_text" for finding in found) != named


def test_what_the_released_tasks_have() -> None:
    """The numbers of docs/trust/audits.md."""
    found = list(audit(read_released(published())))
    numbers = count_findings(found)
    assert numbers["temporal", "on_and_inside_swapped"] == 50
    assert numbers["navigation", "grabs_unasked"] == 373
    assert {
        problem: sum(n for (_, other), n in numbers.items() if other == problem)
        for problem in PROBLEMS
    } == {
        "on_and_inside_swapped": 50,
        "other_relation_than_text": 58,
        "class_not_in_text": 49,
        "conditions_contradict": 115,
        "class_with_itself": 4,
        "condition_twice": 367,
        "text_asks_for_more": 620,
        "same_task": 1,
        "grabs_unasked": 633,
        "put_is_no_verb": 269,
        "puts_otherwise": 291,
        "plan_of_other_things": 0,
        "plan_of_other_instances": 3,
        "plan_in_other_room": 1,
        "too_many_held": 0,
        "put_without_holding": 0,
        "opens_with_full_hands": 144,
        "walks_to_where_it_is": 257,
        "left_open": 50,
    }
    assert (len(found), len({finding.task for finding in found})) == (3_369, 1_461)
