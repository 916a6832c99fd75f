"""Checks of language against meaning: no false alarms, and mistakes are found."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from authoring.partnr.lint_mistakes import MISTAKES, spoiled
from authoring.partnr.scribe import plain
from homebody.authoring.partnr.checks.lint import lint
from homebody.authoring.partnr.draft import Draft, FailureMode, Placement
from homebody.authoring.partnr.grammar.author import author
from homebody.authoring.partnr.packing import complete
from homebody.goals.partnr import PREDICATES, Proposition, TemporalConstraint
from homebody.suites.partnr.episodes.scene import scene
from homebody.suites.partnr.tasks import load
from thorough import THOROUGH, part_of

HOUSES = [scene(seed) for seed in range(41, 49)]


def drafts(count: int, seed: int = 0) -> list[tuple[Draft, int]]:
    return [
        (plain(author(HOUSES[i % len(HOUSES)], np.random.default_rng([seed, i]))), i % len(HOUSES))
        for i in range(count)
    ]


@pytest.mark.slow
def test_hardly_any_false_alarm_on_the_built_in_authors_drafts() -> None:
    some = drafts(150)
    wrong = [draft.instruction for draft, at in some if lint(draft, HOUSES[at])]
    assert len(wrong) <= 3, wrong


@pytest.mark.slow
def test_most_mistakes_are_found() -> None:
    seen: Counter[str] = Counter()
    found: Counter[str] = Counter()
    for number, (draft, at) in enumerate(drafts(200 if THOROUGH else 100, seed=1)):
        rng = np.random.default_rng(number)
        for name, bad, modes in spoiled(draft, HOUSES[at], rng):
            seen[name] += 1
            found[name] += any(failure in modes for failure, _ in lint(bad, HOUSES[at]))
    assert set(seen) == {mistake.__name__ for mistake, _ in MISTAKES}
    shares = {name: found[name] / seen[name] for name in seen}
    assert sum(found.values()) / sum(seen.values()) >= 0.83, shares
    # whether only the room or the furniture is meant can often not be told from words alone
    assert min(share for name, share in shares.items() if name != "room_for_furniture") > 0.5, (
        shares
    )


@pytest.mark.slow
@pytest.mark.parametrize("split", ["val", "test"])
def test_packaged_tasks_pass(split: str) -> None:
    found = {
        task.id: findings
        for task in part_of(load(split), 5)
        if (findings := lint(task.episode, scene(task.episode)))
    }
    assert found == {}


KITCHEN = next(one for one in HOUSES if one.piece.get("table_0"))


def task(text: str, *propositions: Proposition, groups: list[list[int]] | None = None) -> Draft:
    placements = (
        Placement("cup", 2, "counter_0"),
        Placement("bowl", 1, "counter_0", states={"clean": False}),
    )
    return Draft(text, placements, complete(propositions, groups or []) if propositions else None)


def at(name: str, *places: str, predicate: str = "is_on_top") -> Proposition:
    return Proposition(predicate, ((name,), places))


def modes(draft: Draft) -> set[FailureMode]:
    return {failure for failure, _ in lint(draft, KITCHEN)}


TABLES = tuple(one.name for one in KITCHEN.furniture if one.category == "coffee_table")
ROOMS = tuple(one.name for one in KITCHEN.rooms if one.kind == "living_room")


def test_a_good_task_passes() -> None:
    good = task("Please put the bowl on the coffee table.", at("bowl_0", *TABLES))
    assert lint(good, KITCHEN) == []


def test_the_papers_example_of_a_contradiction() -> None:
    counters = tuple(one.name for one in KITCHEN.furniture if one.category == "counter")
    text = "Set the bowl on the coffee table. Set a cup on the counter next to the bowl."
    near = Proposition("is_next_to", (("cup_0",), ("bowl_0",)))
    evaluation = complete((at("bowl_0", *TABLES), at("cup_0", *counters), near))
    assert modes(Draft(text, task(text).placements, evaluation)) >= {FailureMode.CONTRADICTION}


def test_the_papers_example_of_room_and_furniture() -> None:
    bad = task("Move the bowl to the living room.", at("bowl_0", TABLES[0]))
    assert modes(bad) == {FailureMode.ROOM_OR_FURNITURE}


def test_the_papers_example_of_too_few_alternatives() -> None:
    bad = task("Move a cup to the living room.", at("cup_0", *ROOMS, predicate="is_in_room"))
    assert modes(bad) == {FailureMode.INCORRECT_AMBIGUITY}


def test_a_class_has_all_of_its_members() -> None:
    shirt, hoodie = (at(name, *TABLES) for name in ("shirt_0", "hoodie_0"))
    placements = (Placement("shirt", 1, "counter_0"), Placement("hoodie", 1, "counter_0"))

    def found(text: str, *propositions: Proposition) -> set[FailureMode]:
        return modes(Draft(text, placements, complete(propositions, [])))

    some = {FailureMode.INCORRECT_AMBIGUITY}
    for words in ("all the clothes", "the clothes", "all clothes"):
        assert found(f"Put {words} on the coffee table.", shirt) == some
        assert found(f"Put {words} on the coffee table.", shirt, hoodie) == set()
    assert found("Put all the clothes but the hoodie on the coffee table.", shirt) == set()
    assert found("Let's do the laundry. Put the shirt on the coffee table.", shirt) == set()


def test_a_wrong_predicate() -> None:
    bad = task("Wash the bowl.", Proposition("is_powered_on", (("bowl_0",),)))
    assert FailureMode.PREDICATE in modes(bad)


def test_what_is_not_there() -> None:
    assert FailureMode.HALLUCINATION in modes(task("Put the sushi mat on the coffee table."))
    assert FailureMode.HALLUCINATION in modes(task("Put four cups on the coffee table."))
    assert modes(task("Put two cups on the coffee table.")) == set()
    unknown = task("Put the bowl on the coffee table.", at("bowl_0", "coffee_table_99"))
    assert modes(unknown) == {FailureMode.ENTITY}


def test_order_in_words_and_meaning() -> None:
    moved = at("bowl_0", *TABLES)
    clean = Proposition("is_clean", (("bowl_0",),))
    text = "First wash the bowl, then put it on the coffee table."
    assert modes(task(text, clean, moved, groups=[[0], [1]])) == set()
    assert modes(task(text, clean, moved)) == {FailureMode.TEMPORAL_GROUPING}
    text = "Wash the bowl and put it on the coffee table."
    assert modes(task(text, clean, moved, groups=[[0], [1]])) == {FailureMode.TEMPORAL_GROUPING}


def test_words_for_going_back() -> None:
    """Things go back to where they themselves were; "I'm back" sends nothing anywhere."""
    house = KITCHEN
    placements = (Placement("cup", 1, "counter_0"), Placement("fork", 1, "sofa_0"))
    there = Proposition("is_on_top", (("cup_0",), ("sink_0",)))
    fork = Proposition("is_on_top", (("fork_0",), ("table_0",)))
    again = Proposition("is_on_top", (("cup_0",), ("counter_0",)))
    evaluation = complete([there, fork, again], [[0], [1], [2]], ())
    for text in (
        "I'm back from my trip. Put the cup in the sink. Then put the fork on the table in the"
        " kitchen. Finally, put the cup on the counter.",
        "Put the cup in the sink. Then put the fork on the table in the kitchen. Finally, put the"
        " cup back to where it was.",
    ):
        assert not [
            one
            for one in lint(Draft(text, placements, evaluation), house)
            if one[0] is FailureMode.TEMPORAL_GROUPING
        ], text
    turned = complete([there, fork, again], [[2], [1], [0]], ())
    found = lint(Draft(text, placements, turned), house)
    assert FailureMode.TEMPORAL_GROUPING in {failure for failure, _ in found}


def test_nearness_at_another_step_than_the_placing() -> None:
    rooms = at("bowl_0", *ROOMS, predicate="is_in_room")
    cup = at("cup_0", *TABLES)
    text = "Bring the bowl to the living room. Then set a cup on the coffee table next to the bowl."
    near = Proposition("is_next_to", (("bowl_0",), ("bowl_0",)))
    draft = task(text, rooms, cup, near, groups=[[0, 2], [1]])
    assert draft.evaluation is not None
    order = TemporalConstraint(((0, 1), (1, 2)))
    constraints = (order, *draft.evaluation.constraints[1:])
    evaluation = type(draft.evaluation)(draft.evaluation.propositions, (), constraints)
    bad = Draft(draft.instruction, draft.placements, evaluation)
    assert FailureMode.TEMPORAL_GROUPING in modes(bad)


@settings(max_examples=60)
@given(st.text(max_size=300))
def test_any_text_can_be_checked(text: str) -> None:
    lint(task(text, at("bowl_0", *TABLES)), KITCHEN)


names = st.sampled_from(
    ["cup_0", "cup_1", "bowl_0", "sofa_0", "counter_1", "kitchen_0", "x", "floor_kitchen_0"]
)
lists = st.lists(names, min_size=1, max_size=3).map(tuple)
propositions = st.builds(
    lambda predicate, some, number: Proposition(
        predicate,
        tuple(some[: len(PREDICATES[predicate].arguments)]),
        (1,) if predicate == "is_clustered" else (number,),
    ),
    st.sampled_from(list(PREDICATES)),
    st.tuples(lists, lists),
    st.integers(1, 3),
)


@pytest.mark.slow
@settings(max_examples=150)
@given(st.lists(propositions, min_size=1, max_size=5), st.integers(0, 4))
def test_any_evaluation_function_can_be_checked(some: list[Proposition], cut: int) -> None:
    every = list(range(len(some)))
    groups = [one for one in (every[:cut], every[cut:]) if one]
    text = "Put the cups and the bowl on the sofa, then wash them. Bring one back to the kitchen."
    draft = task(text, *some, groups=groups)
    assert all(why for _, why in lint(draft, KITCHEN))
    known = {*KITCHEN.piece, *KITCHEN.room, *KITCHEN.floors, "cup_0", "cup_1", "bowl_0"}
    if any(name not in known for one in some for part in one.lists for name in part):
        assert FailureMode.ENTITY in modes(draft)
