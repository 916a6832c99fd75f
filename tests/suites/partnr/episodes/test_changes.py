"""Changes: seeded, unambiguous, and contradictions where they say so."""

from __future__ import annotations

import re
from collections import Counter

import pytest

from homebody.core import HomebodyError
from homebody.goals.partnr import TemporalConstraint, TerminalSatisfactionConstraint
from homebody.suites.partnr.episodes.changes import make_change
from homebody.suites.partnr.tasks import load
from homebody.worlds.house.simulation.walking.walls import with_things
from suites.partnr.homes import home, make_task, of
from suites.partnr.test_session import MIXED, THINGS
from thorough import part_of


@pytest.mark.parametrize("kind", ["adds", "replaces"])
def test_the_words_name_one_object_and_one_place(kind: str) -> None:
    made = Counter[str]()
    for task in part_of(load("val"), 100):
        house, before = task.house, task.episode.evaluation
        change = make_change(task.episode, house, kind)
        assert change == make_change(task.episode, house, kind)
        made[change.kind] += 1
        after = change.evaluation
        wanted = [p for p in after.propositions if p not in before.propositions]
        (((name,), (target,)),) = (proposition.lists for proposition in wanted)
        piece = house.piece[target]
        thing = house.thing[name].category
        assert [one.category for one in house.things].count(thing) == 1
        there = [p.category for p in house.furniture if p.room == piece.room]
        assert there.count(piece.category) == 1
        for word in (thing, piece.category, house.room[piece.room].kind):
            assert re.sub(r"\btv\b", "TV", word.replace("_", " ")) in change.words
        index = after.propositions.index(wanted[0])
        assert after.constraints[-1] == TerminalSatisfactionConstraint((index,))
        if change.kind == "adds":
            assert after.propositions[:-1] == before.propositions
            assert all(name not in names for p in before.propositions for names in p.lists)
        else:
            old = before.propositions[index]
            assert old.lists[0] == (name,)
            assert {target, piece.room}.isdisjoint(old.lists[1])  # a contradiction
            edges = [
                e for c in after.constraints if isinstance(c, TemporalConstraint) for e in c.edges
            ]
            assert index not in {first for first, _ in edges}
    assert made[kind] >= (10 if kind == "adds" else 3)


def test_a_house_with_nothing_to_ask_for() -> None:
    task = make_task(MIXED, *THINGS)
    with pytest.raises(HomebodyError, match="unambiguously"):
        make_change(task.episode, with_things(home(*THINGS), ()), "adds")


def test_what_others_depend_on_is_not_replaced() -> None:
    house = home(("cup_0", "counter_0"), ("book_0", "sofa_0"))
    cup = of("is_on_top", ["cup_0"], ["coffee_table_0"])
    clean = of("is_clean", ["cup_0"])
    for evaluation, kind in (
        (MIXED.__class__((cup, clean)), "replaces"),
        (MIXED.__class__((cup, clean), (), (TemporalConstraint(((1, 0),)),)), "replaces"),
        (MIXED.__class__((cup, clean), (), (TemporalConstraint(((0, 1),)),)), "adds"),
        (MIXED.__class__((cup, of("is_next_to", ["cup_0"], ["book_0"]))), "adds"),
    ):
        task = make_task(evaluation, ("cup_0", "counter_0"), ("book_0", "sofa_0"))
        try:
            assert make_change(task.episode, house, "replaces").kind == kind
        except HomebodyError:
            assert kind == "adds"
