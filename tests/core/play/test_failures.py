"""Labels of failed runs: each rule on a run made by hand, and near misses."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from homebody.core import CORRECTED, DONE, WAIT, Action, Event
from homebody.core.play.failures import (
    KEY,
    LABELS,
    NOT_PLAYED,
    OTHER,
    SPELLS,
    FailureAnalysis,
    FailureLabel,
    find_labels,
    read_labels,
)
from homebody.core.play.run_facts import GoalFacts, GoalPart, RunFacts, WorldChange
from homebody.core.play.transcript import Transcript, TranscriptEntry
from homebody.suites import get_suite

ON_TABLE = GoalPart("cup_0 on table_1", False, frozenset({"cup_0"}), frozenset({"on table_1"}))
KITCHEN = GoalPart(
    "cup_0 in kitchen_0", False, frozenset({"cup_0"}), rooms=frozenset({"kitchen_0"})
)
CLEAN = GoalPart("plate_0 clean", False, frozenset({"plate_0"}), frozenset({"clean"}))
TWO = replace(ON_TABLE, things=frozenset({"cup_0", "cup_1", "cup_2"}), number=2)
HELD = replace(ON_TABLE, held=True)


def put(thing: str, end: str, room: str = "hall_0", clock: int = 1) -> WorldChange:
    return WorldChange(clock, "robot", thing, frozenset({end}), room)


def made(thing: str, state: str) -> WorldChange:
    return WorldChange(1, "robot", thing, frozenset({state}), put=False)


def labels(*parts: GoalPart, ending: Any = "goal", events: Any = (), **given: Any) -> list[str]:
    """Return the labels of a run; its ending alone has none."""
    goal = GoalFacts(parts, **given)
    found = find_labels(RunFacts(ending, ("robot", "human"), tuple(events), goal=goal))
    return [] if found == [OTHER] else [each for each in found if each != "not attempted"]


@pytest.mark.parametrize(
    ("parts", "given", "expected"),
    [
        # never found
        ((ON_TABLE,), {"known": frozenset({"table_1"})}, ["never found"]),
        ((ON_TABLE,), {"known": frozenset({"cup_0"})}, []),
        ((ON_TABLE,), {"known": None}, []),
        ((TWO,), {"known": frozenset({"cup_0"})}, ["never found"]),
        ((TWO,), {"known": frozenset({"cup_0", "cup_2"})}, []),
        ((replace(ON_TABLE, met=True),), {"known": frozenset()}, []),
        # wrong object
        ((ON_TABLE,), {"changes": (put("bowl_0", "on table_1"),)}, ["wrong object"]),
        ((ON_TABLE,), {"changes": (put("cup_7", "on sofa_0"),)}, ["wrong object"]),
        ((ON_TABLE,), {"changes": (put("bowl_0", "on sofa_0"),)}, []),
        ((replace(ON_TABLE, met=True),), {"changes": (put("cup_7", "on table_1"),)}, []),
        ((CLEAN,), {"changes": (made("fork_0", "clean"),)}, ["wrong object"]),
        ((CLEAN, ON_TABLE), {"changes": (made("cup_0", "clean"),)}, []),
        # wrong place
        ((ON_TABLE,), {"changes": (put("cup_0", "on sofa_0"),)}, ["wrong place"]),
        ((ON_TABLE,), {"changes": (put("cup_0", "within table_1"),)}, ["wrong place"]),
        ((KITCHEN,), {"changes": (put("cup_0", "on sofa_0"),)}, ["wrong place"]),
        ((KITCHEN,), {"changes": (put("cup_0", "on counter_0", "kitchen_0"),)}, []),
        ((ON_TABLE, KITCHEN), {"changes": (put("cup_0", "on bin_0", "kitchen_0"),)}, []),
        ((ON_TABLE,), {"changes": (put("cup_0", "on sofa_0"), put("cup_0", "on table_1"))}, []),
        ((CLEAN,), {"changes": (put("plate_0", "on sofa_0"),)}, []),
        ((replace(HELD, holds=True, unequal=True),), {}, ["wrong place"]),
        # wrong order
        ((replace(HELD, holds=True, early=True),), {}, ["wrong order"]),
        ((replace(HELD, early=True),), {}, ["wrong order"]),
        ((ON_TABLE,), {"out_of_order": True}, ["wrong order"]),
        # undone later
        ((HELD,), {}, ["undone later"]),
        ((replace(HELD, met=True),), {}, []),
        ((replace(HELD, holds=True),), {}, []),
        # duplicated work
        (
            (replace(HELD, met=True, holds=True),),
            {"changes": (put("cup_0", "on table_1"), put("cup_0", "on table_1"))},
            ["duplicated work"],
        ),
        (
            (replace(TWO, met=True),),
            {"changes": tuple(put(f"cup_{n}", "on table_1") for n in range(3))},
            ["duplicated work"],
        ),
        (
            (replace(TWO, met=True),),
            {"changes": tuple(put(f"cup_{n}", "on table_1") for n in range(2))},
            [],
        ),
        (  # it has to be put there twice
            (replace(HELD, met=True), replace(HELD, met=True)),
            {"changes": (put("cup_0", "on table_1"), put("cup_0", "on table_1"))},
            [],
        ),
    ],
)
def test_rules_about_the_goal(
    parts: tuple[GoalPart, ...], given: dict[str, Any], expected: list[str]
) -> None:
    assert labels(*parts, **given) == expected


def test_what_is_known_and_not_touched_is_not_attempted() -> None:
    def found(**given: Any) -> bool:
        facts = RunFacts("goal", ("robot",), goal=GoalFacts((ON_TABLE,), **given))
        return "not attempted" in find_labels(facts)

    assert found()
    assert found(tried=frozenset({"cup_1"}))
    assert not found(tried=frozenset({"cup_0"}))
    assert not found(known=frozenset())  # it was never found


def test_what_never_succeeds_was_refused() -> None:
    pick = Action("Pick", ("cup_0",))
    no, yes = (Event("robot", pick, ok, "", 0, 1) for ok in (False, True))
    other = replace(no, action=Action("Pick", ("bowl_0",)))
    assert labels(ON_TABLE, events=[no]) == ["refused"]
    assert labels(ON_TABLE, events=[no, yes]) == []
    assert labels(ON_TABLE, events=[other]) == []


def test_roles_that_wait_for_each_other() -> None:
    def waits(times: int) -> list[Event]:
        spells = [(60 * n, 60 * n + 30) for n in range(times)]
        return [Event(role, WAIT, True, "", *s) for s in spells for role in ("robot", "human")]

    assert labels(ON_TABLE, events=waits(SPELLS)) == ["waited for each other"]
    assert labels(ON_TABLE, events=waits(SPELLS - 1)) == []


@pytest.mark.parametrize(
    ("ending", "label"),
    [("roles", "gave up"), ("limit", "ran out of steps"), ("open", "unfinished")],
)
def test_endings_have_labels(ending: str, label: str) -> None:
    assert labels(ending=ending) == [label]


def test_without_conditions_a_fall_of_the_progress_tells() -> None:
    facts = RunFacts("goal", ("robot",), best=0.5, progress=0.2)
    assert find_labels(facts) == ["undone later"]
    assert find_labels(replace(facts, best=0.0)) == [OTHER]


def test_several_labels_come_in_the_order_of_the_table_and_then_the_suite_s() -> None:
    own = FailureLabel("too loud", "It sang.", lambda facts: True)
    facts = RunFacts(
        "roles", ("robot",), goal=GoalFacts((HELD,), changes=(put("bowl_0", "on table_1"),))
    )
    assert find_labels(facts, (own,)) == ["undone later", "gave up", "too loud"]
    names = [label.name for label in FailureAnalysis(labels=(own,)).all]
    assert names == [*(label.name for label in LABELS), "too loud", NOT_PLAYED, OTHER]
    assert len(set(names)) == len(names)


@pytest.mark.parametrize("record", [{}, {KEY: None}, {KEY: "gave up"}, {KEY: 3}, {KEY: [1, None]}])
def test_damaged_labels_are_none(record: dict[str, Any]) -> None:
    assert read_labels(record) == []


def test_labels_in_records_are_bounded() -> None:
    assert read_labels({KEY: ["a", "b", "a"]}) == ["a", "b"]
    assert len(read_labels({KEY: [str(n) for n in range(1_000)]})) == 40


def test_scoring_labels_what_failed_and_only_that() -> None:
    suite = get_suite("house.bring")
    task = suite.task("home-0-0")
    assert suite.score(task, suite.answer("expert", task)).record[KEY] == []
    idle = suite.score(task, suite.answer("idle", task)).record[KEY]
    assert "gave up" in idle
    assert suite.score(task, "no transcript").record[KEY] == [NOT_PLAYED]
    stopped = Transcript(entries=(TranscriptEntry(0, "agent", "Explore[kitchen_0]"),)).encode()
    assert "unfinished" in suite.score(task, stopped, CORRECTED).record[KEY]
    session = suite.playing.start(task, {}, 0, CORRECTED)  # type: ignore[union-attr]
    session.act("agent", DONE)
    assert KEY not in session.score().record


def test_the_page_has_all_labels_and_their_rules() -> None:
    docs = Path(__file__).parents[3] / "docs" / "reference" / "failure-labels.md"
    rows = [
        tuple(cell.strip() for cell in line.strip("|").split("|"))
        for line in docs.read_text().splitlines()
        if line.startswith("| ")
    ]
    suites = ("house.companion", "etplan.navigation", "embodiedeval.test")
    analyses = [get_suite(name).playing.analysis for name in suites]  # type: ignore[union-attr]
    own = [label for each in analyses for label in each.labels]
    expected = [*FailureAnalysis().all, *own]
    assert [row for row in rows if row[0] != "label"] == [
        (label.name, label.meaning) for label in expected
    ]
