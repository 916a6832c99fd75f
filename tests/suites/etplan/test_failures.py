"""The labels of ET-Plan-Bench, on facts made by hand and on runs that were played."""

from __future__ import annotations

from typing import Any

import pytest

from homebody.core import Action
from homebody.core.play.failures import KEY, find_labels
from homebody.core.play.run_facts import GoalFacts, RunFacts
from homebody.core.play.transcript import Transcript, TranscriptEntry
from homebody.suites import get_suite
from homebody.suites.etplan.failures import LABELS, JobFacts, SearchFacts

FIND = JobFacts(
    things=frozenset({"apple_0"}),
    look_alikes=frozenset({"apple_1"}),
    rooms=frozenset({"kitchen_0"}),
    shut=(frozenset(),),
    targets=frozenset(),
    relation="",
    shut_targets=frozenset(),
)
PUT = JobFacts(
    things=frozenset({"apple_0"}),
    look_alikes=frozenset(),
    rooms=frozenset({"hall_0"}),
    shut=(frozenset({"drawer_0"}),),
    targets=frozenset({"fridge_0"}),
    relation="within",
    shut_targets=frozenset({"fridge_0"}),
)
NAMED = frozenset({"apple_0", "apple_1", "fridge_0"})


def labels(job: JobFacts, *calls: str, ending: Any = "limit", known: Any = NAMED) -> list[str]:
    done = tuple(
        Action(name, tuple(arguments.split()))
        for name, _, arguments in (call.partition(" ") for call in calls)
    )
    own = SearchFacts((job,), done, frozenset({"hall_0"}), NAMED)
    facts = RunFacts(ending, ("robot",), goal=GoalFacts(known=known, own=own))
    names = {label.name for label in LABELS}
    return [label for label in find_labels(facts, LABELS) if label in names]


ENTERED = "never entered the room"
OPENED = "never opened the container"
CIRCLES = "walked in circles"


@pytest.mark.parametrize(
    ("job", "calls", "expected"),
    [
        (FIND, [], [ENTERED]),
        (PUT, [], [OPENED]),
        (PUT, ["Open drawer_0"], []),
        (PUT, ["Open drawer_0", "Pick apple_0"], [OPENED]),  # of the fridge
        (PUT, ["Open drawer_0", "Pick apple_0", "Open fridge_0"], []),
        (FIND, ["Navigate apple_1"], [ENTERED, "wrong instance"]),
        (FIND, ["Navigate apple_1", "Navigate sofa_0"], [ENTERED]),
        (FIND, ["Pick apple_1"], [ENTERED, "wrong instance"]),
        (FIND, ["Navigate a", "Navigate b", "Navigate a"], [ENTERED]),
        (FIND, [f"Navigate {place}" for place in "abacab"], [ENTERED, CIRCLES]),
        (
            FIND,
            ["Navigate a", "Navigate b", "Navigate a", "Open x", "Navigate b", "Navigate a"],
            [ENTERED],
        ),
    ],
)
def test_rules(job: JobFacts, calls: list[str], expected: list[str]) -> None:
    assert labels(job, *calls) == expected


@pytest.mark.parametrize(
    ("job", "calls", "misread"),
    [
        (PUT, ["Pick scarf_0"], True),
        (PUT, ["Pick scarf_0", "Pick apple_0"], False),
        (PUT, ["Pick apple_0", "Place apple_0 on fridge_0"], True),
        (PUT, ["Pick apple_0", "Place apple_0 within oven_0"], True),
        (PUT, ["Pick apple_0", "Place apple_0 within fridge_0"], False),
        (PUT, ["Navigate sofa_0"], False),
        (FIND, ["Navigate sofa_0"], True),
        (FIND, ["Navigate apple_1"], False),
        (FIND, [], False),
    ],
)
def test_only_who_says_done_has_misread_the_task(
    job: JobFacts, calls: list[str], misread: bool
) -> None:
    assert ("misread the task" in labels(job, *calls, ending="roles")) == misread
    assert "misread the task" not in labels(job, *calls, ending="limit")


def test_what_it_never_saw_is_not_misread() -> None:
    found = labels(FIND, "Navigate sofa_0", ending="roles", known=frozenset())
    assert "misread the task" not in found


def play(row: str, task: str, *calls: str) -> list[str]:
    suite = get_suite(f"etplan.{row}")
    entries = tuple(TranscriptEntry(0, "robot", call) for call in (*calls, "Done[]"))
    found: list[str] = suite.score(suite.task(task), Transcript(entries=entries).encode()).record[
        KEY
    ]
    return found


def test_the_reference_without_its_last_step_has_no_label_on_the_search() -> None:
    suite = get_suite("etplan.manipulation")
    task = suite.tasks.load(suite.protocol("corrected"))[0]
    assert play("manipulation", task.id, *task.plan) == []
    found = play("manipulation", task.id, *task.plan[:-1])
    assert found == ["gave up"]
    assert {"never found", "gave up"} <= {*play("manipulation", task.id)}


def test_objects_put_into_two_places_of_a_class_are_in_the_wrong_place() -> None:
    suite = get_suite("etplan.several")
    task = next(
        task
        for task in suite.tasks.load(suite.protocol("corrected"))
        if suite.score(task, suite.answer("explorer", task)).record[KEY]
        == ["wrong place", "gave up"]
    )
    assert len(set(task.goal.classes)) >= 4  # the robot, two or three objects, one place
