"""Predicates hold from their thresholds on, whatever their order."""

from __future__ import annotations

from dataclasses import replace
from itertools import permutations

import pytest

from homebody.goals.embodiedeval import CHOICE_ENDS, START_SKIPPED, Judge, Step, read_predicate


def step(
    apart: float = 9.0,
    *,
    chosen: str = "",
    answered: bool = False,
    ok: bool = True,
    held: str = "",
    rests: bool = False,
    so: bool = False,
) -> Step:
    """A step after which everything is so far apart."""
    return Step(
        chosen,
        answered,
        ok,
        held,
        lambda name, other: apart,
        lambda name, other: apart,
        lambda relation, name, place: rests,
        lambda name, state: so,
    )


def judge(text: str, first: Step | None = None) -> Judge:
    return Judge([read_predicate(text)], first or step())


@pytest.mark.parametrize(
    ("text", "met", "unmet"),
    [
        ("agent_at p1", 0.299, 0.3),
        ("agent_pass p1", 0.299, 0.3),
        ("at 1 2", 0.299, 0.3),
        ("agent_near 1", 1.499, 1.5),
        ("near 1 2", 1.499, 1.5),
        ("not_near 1 2", 1.501, 1.5),
        ("not_at 1 2", 0.301, 0.3),
        ("closer 1 2", 6.999, 7.0),
        ("further 1 2", 10.001, 10.0),
    ],
)
def test_thresholds(text: str, met: float, unmet: float) -> None:
    for apart, expected in ((met, True), (unmet, False)):
        run = judge(text)
        run.follow(step(apart))
        assert run.met == (expected,), apart


def test_what_is_behind_a_wall_is_not_near() -> None:
    run = judge("agent_near 1")
    run.follow(replace(step(1.0), is_walled_off=lambda name: name == "1"))
    assert run.met == (False,)


@pytest.mark.parametrize("text", ["agent_pass p1", "grab_once a", "special_action_success wash it"])
def test_what_was_once_so_stays(text: str) -> None:
    run = judge(text)
    run.follow(step(0.1, chosen="wash it", held="a"))
    run.follow(step())
    assert run.success


def test_a_right_answer_lasts_unless_it_is_of_one_step() -> None:
    for quirks, lasts in ((frozenset[str](), True), ({CHOICE_ENDS}, False)):
        run = Judge([read_predicate("choose yes")], step(), quirks)
        run.follow(step(chosen="yes", answered=True))
        assert run.success
        run.follow(step())
        assert (run.success, run.wrong) == (lasts, False)


def test_a_start_is_passed_unless_it_is_not_judged() -> None:
    for quirks, passed in ((frozenset[str](), True), ({START_SKIPPED}, False)):
        run = Judge([read_predicate("agent_pass p1")], step(0.1), quirks)
        assert run.success == passed
        run.follow(step())
        assert run.success == passed


@pytest.mark.parametrize("text", ["agent_at p1", "grab a", "on a b", "is a open yes"])
def test_what_is_so_no_more_is_not_met(text: str) -> None:
    run = judge(text)
    run.follow(step(0.1, held="a", rests=True, so=True))
    assert run.success
    run.follow(step())
    assert not run.success


def test_an_interaction_that_failed_is_none() -> None:
    run = judge("special_action_success wash it")
    run.follow(step(chosen="wash it", ok=False))
    assert not run.success


def test_an_answer_is_right_or_wrong_for_good() -> None:
    for answer, right in (("yes", True), ("no", False)):
        run = judge("choose yes")
        run.follow(step(chosen=answer, answered=True))
        assert (run.success, run.answered) == (right, True)


@pytest.mark.parametrize(
    "order", list(permutations(["agent_pass p1", "grab_once a", "choose yes"]))
)
def test_all_are_looked_at_whatever_their_order(order: tuple[str, ...]) -> None:
    run = Judge([read_predicate(text) for text in order], step())
    run.follow(step(0.1))
    run.follow(step(held="a"))
    assert run.progress == pytest.approx(2 / 3)
    run.follow(step(chosen="no", answered=True))
    assert run.progress == pytest.approx(2 / 3)


@pytest.mark.parametrize("text", ["again is a open no", "again on a b", "again agent_at p1"])
def test_what_holds_at_the_start_is_met_only_after_it_did_not_hold(text: str) -> None:
    begin, between = step(0.1, rests=True), step(9.0, so=True)
    run = judge(text, begin)
    assert run.met == (False,)
    run.follow(begin)
    assert run.met == (False,)
    run.follow(between)
    assert run.met == (False,)
    run.follow(begin)
    assert run.success


def test_again_needs_nothing_more_of_what_does_not_hold_at_the_start() -> None:
    run = judge("again grab a")
    run.follow(step(held="a"))
    assert run.success
