"""The numbers of runs, worked out by hand."""

from __future__ import annotations

from dataclasses import replace

import pytest

from homebody.core import Action
from homebody.suites.etplan.metrics import (
    QUIRKS,
    Run,
    longest_common_subsequence,
    measure,
    reason_to_exclude,
)

PUBLISHED = frozenset(QUIRKS)


def actions(text: str) -> tuple[Action, ...]:
    """Actions as "Navigate kitchen_1, Place apple_1 on table_2"."""
    return tuple(
        Action(name, tuple(args)) for name, *args in (step.split() for step in text.split(","))
    )


def run(tried: str, reference: str, **changes: object) -> Run:
    """A run of which every action was carried out, but those that end in "!"."""
    done = tuple(
        (a, not step.endswith("!"))
        for a, step in zip(actions(tried.replace("!", "")), tried.split(","), strict=True)
    )
    made = Run(
        tried=done,
        reference=actions(reference),
        category=lambda name: name.rpartition("_")[0] or name,
        length=len(done),
        metres=12.5,
        success=True,
        most_actions=20,
        stops=((0.0, 0.0, 0.0), (3.0, 4.0, 0.0), (3.0, 4.0, 2.0)),
        targets=((0.0, 6.0, 8.0), (0.0, 6.0, 7.0)),
    )  # fmt: skip
    return replace(made, **changes)  # type: ignore[arg-type]


def numbers(made: Run, quirks: frozenset[str] = frozenset()) -> list[object]:
    return list(measure(made, quirks).values())


def test_a_success() -> None:
    made = run("Navigate bedroom_1, Navigate kitchen_1, Open fridge_1, Navigate apple_2",
               "Navigate kitchen_1, Navigate fridge_2, Navigate apple_1")  # fmt: skip
    assert numbers(made) == [4, 3 / 4, 2, 2 / 3, 12.5]


def test_a_failure_has_the_most_actions_and_no_distance() -> None:
    made = run("Navigate kitchen_1", "Navigate kitchen_1, Navigate apple_1", success=False)
    assert numbers(made) == [20, 0, 1, 0.5, None]


def test_where_things_are_put_is_compared_too() -> None:
    reference = "Pick apple_1, Place apple_1 on table_1"
    assert numbers(run("Pick apple_2, Place apple_2 on table_9", reference))[2] == 2
    assert numbers(run("Pick apple_2, Place apple_2 within table_9", reference))[2] == 1
    assert numbers(run("Place apple_2 on table_9, Pick apple_2", reference))[2] == 1


def test_refused_actions_take_time_and_are_in_common_with_nothing() -> None:
    made = run("Navigate apple_1!, Navigate kitchen_1, Navigate apple_1",
               "Navigate apple_1, Navigate kitchen_1, Navigate apple_1")  # fmt: skip
    assert numbers(made) == [3, 1, 2, 2 / 3, 12.5]


def test_success_is_weighted_by_the_shortest_plan() -> None:
    reference = "Navigate kitchen_1, Navigate apple_1"
    long = run("Navigate a_1, Navigate kitchen_1!, Navigate kitchen_1, Navigate apple_1", reference)
    assert measure(long)["spl"] == 2 / 4
    assert measure(long, PUBLISHED)["spl"] == 2 / 3, "of the length of the protocol"
    assert measure(run("Navigate apple_1", reference))["spl"] == 1, "shorter than the plan"
    assert measure(replace(long, success=False))["spl"] == 0
    assert measure(replace(long, tried=(), length=0))["spl"] == 1, "nothing was to be done"


@pytest.mark.parametrize(
    ("first", "second", "length"),
    [
        ("", "", 0),
        ("abc", "", 0),
        ("abc", "abc", 3),
        ("abc", "cba", 1),
        ("abcbdab", "bdcaba", 4),
        ("aab", "ab", 2),
        ("axbxc", "abc", 3),
    ],
)
def test_longest_common_subsequences(first: str, second: str, length: int) -> None:
    lists = [[(letter,) for letter in text] for text in (first, second)]
    assert longest_common_subsequence(*lists) == length
    assert longest_common_subsequence(*lists[::-1]) == length


SHORT = run("Navigate bedroom_1", "Navigate kitchen_1, Navigate apple_1", success=False)
REFUSED = run("Navigate apple_1!, Navigate kitchen_1", "Navigate apple_1, Navigate kitchen_1")
STILL = run("Open fridge_1", "Open fridge_1", stops=((0.0, 0.0, 0.0),), targets=(), metres=0.0)
CASES = {
    # quirk -> run, number, with the quirk, without
    "ratio_of_short_plans_is_one": [(SHORT, "lcs_ratio", 1.0, 0.0)],
    "who_does_not_move_is_left_out": [],
    "refused_actions_by_kind": [
        (REFUSED, "sequence_length", 1, 2),
        (REFUSED, "lcs", 1, 1),
        (replace(REFUSED, kind="several"), "sequence_length", 2, 2),
        (replace(REFUSED, kind="several"), "lcs", 2, 1),
    ],
    "distance_is_straight": [
        (REFUSED, "moving_distance", 7.0, 12.5),
        (replace(REFUSED, kind="manipulation"), "moving_distance", 12.5, 12.5),
        (replace(REFUSED, kind="temporal"), "moving_distance", 7.0, 12.5),
    ],
    "distance_is_to_targets": [
        (REFUSED, "moving_distance", 12.5, 12.5),
        (replace(REFUSED, kind="manipulation"), "moving_distance", 11.0, 12.5),
    ],
    "distance_without_depth": [
        (REFUSED, "moving_distance", 12.5, 12.5),
        (replace(REFUSED, kind="several"), "moving_distance", 5.0, 12.5),
    ],
}


def test_every_quirk_has_a_case() -> None:
    assert list(CASES) == list(QUIRKS)


@pytest.mark.parametrize("quirk", QUIRKS)
def test_what_a_quirk_changes(quirk: str) -> None:
    for made, number, with_it, without in CASES[quirk]:
        assert measure(made, frozenset({quirk}))[number] == with_it
        assert measure(made)[number] == without


def test_who_does_not_move_is_left_out() -> None:
    for kind in ("navigation", "manipulation", "several"):
        still = replace(STILL, kind=kind)  # type: ignore[arg-type]
        assert reason_to_exclude(still, PUBLISHED) == "the robot did not walk"
        assert reason_to_exclude(still) == ""
        assert reason_to_exclude(replace(REFUSED, kind=kind), PUBLISHED) == ""  # type: ignore[arg-type]
