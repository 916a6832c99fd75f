"""Counting episodes: types, language, characteristics, uniqueness."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from homebody.authoring.partnr.phenomena import phenomena, without_nouns
from homebody.authoring.partnr.statistics import (
    CHARACTERISTICS,
    characteristics,
    close_pairs,
    edit_distance,
    format_statistics,
    statistics,
)
from homebody.goals.partnr import (
    Dependency,
    DifferentArgConstraint,
    Episode,
    Evaluation,
    Proposition,
    SameArgConstraint,
    TemporalConstraint,
    TerminalSatisfactionConstraint,
    read_evaluation,
    write_evaluation,
)
from homebody.suites.partnr.episodes.kinds import (
    FREE,
    HETEROGENEOUS,
    SPATIAL,
    TEMPORAL,
    kinds,
    label,
)

ON, INSIDE, ROOM, NEAR = "is_on_top", "is_inside", "is_in_room", "is_next_to"


def on(things: str, places: str, number: int = 1, same: bool = False) -> Proposition:
    return Proposition(ON, (tuple(things.split()), tuple(places.split())), (number,), same)


@pytest.mark.parametrize(
    ("evaluation", "expected"),
    [
        (Evaluation((on("cup_0", "table_0"),)), {FREE}),
        (
            Evaluation((on("cup_0", "table_0"),), (), (TemporalConstraint(()),)),
            {FREE},  # an order without edges is none
        ),
        (
            Evaluation(
                (on("cup_0", "table_0"), on("cup_1", "table_0")),
                (),
                (SameArgConstraint((0, 1), ("receptacle_handles",) * 2),),
            ),
            {FREE},
        ),
        (Evaluation((Proposition(NEAR, (("cup_0",), ("book_0",))),)), {SPATIAL}),
        (
            Evaluation((Proposition("is_clustered", (("cup_0",), ("book_0",)), (1, 1)),)),
            {SPATIAL},
        ),
        (
            Evaluation(
                (on("cup_0", "table_0"), Proposition("is_powered_off", (("tv_0",),))),
                (),
                (TemporalConstraint(((0, 1),)), TerminalSatisfactionConstraint((0, 1))),
            ),
            {TEMPORAL, HETEROGENEOUS},
        ),
        (Evaluation((Proposition("is_on_floor", (("cup_0",),)),)), {FREE}),
        *(
            (Evaluation((Proposition(state, (("cup_0",),)),)), {HETEROGENEOUS})
            for state in ("is_clean", "is_dirty", "is_filled", "is_empty", "is_powered_on")
        ),
    ],
)
def test_types_are_told_from_the_evaluation(evaluation: Evaluation, expected: set[str]) -> None:
    assert kinds(evaluation) == expected
    assert set(label(evaluation).split("+")) == expected
    assert kinds(read_evaluation(write_evaluation(evaluation))) == expected


def counted(evaluation: Evaluation) -> list[int]:
    found = characteristics(evaluation)
    assert tuple(found) == CHARACTERISTICS
    return list(found.values())


def test_subset_counts() -> None:
    assert counted(Evaluation((on("a_0 a_1 a_2", "t_0", 2),)))[0] == 1
    assert counted(Evaluation((on("a_0 a_1", "t_0", 2),)))[0] == 0  # all of them
    assert counted(Evaluation((on("a_0 a_1", "t_0", 1),)))[0] == 0  # a choice, no count
    near = Proposition("is_clustered", (("a_0", "a_1", "a_2"), ("b_0", "b_1")), (2, 1))
    assert counted(Evaluation((near,)))[0] == 1


def test_resolvable_ambiguity() -> None:
    assert counted(Evaluation((on("a_0", "t_0"),)))[1] == 0
    assert counted(Evaluation((on("a_0", "t_0 t_1"),)))[1] == 1
    assert counted(Evaluation((on("a_0 a_1", "t_0 t_1"),)))[1] == 2
    assert counted(Evaluation((on("a_0 a_1", "t_0", 2),)))[1] == 0
    assert counted(Evaluation((Proposition("is_clean", (("a_0", "a_1"),)),)))[1] == 1
    room = Proposition(ROOM, (("a_0",), ("kitchen_0", "kitchen_1")))
    assert counted(Evaluation((room, on("b_0 b_1", "t_0"))))[1] == 2


def test_dependent_rearranges() -> None:
    two = (on("a_0", "t_0 t_1"), on("b_0", "t_0 t_1"))
    names = ("receptacle_handles",) * 2
    assert counted(Evaluation(two))[2] == 0
    assert counted(Evaluation(two, (), (SameArgConstraint((0, 1), names),)))[2] == 1
    assert counted(Evaluation(two, (), (DifferentArgConstraint((0, 1), names),)))[2] == 0
    assert counted(Evaluation((on("a_0 a_1", "t_0 t_1", 2, True),)))[2] == 1


def test_multi_step_rearranges() -> None:
    first, then = on("a_0", "sink_0"), Proposition(INSIDE, (("a_0",), ("cabinet_0",)))
    clean = Proposition("is_clean", (("a_0",),))
    assert counted(Evaluation((first, then)))[3] == 0  # in no order
    assert counted(Evaluation((first, then), (), (TemporalConstraint(((0, 1),)),)))[3] == 1
    after = Dependency((1,), (0,), "after_unsatisfied")
    assert counted(Evaluation((first, then), (after,)))[3] == 1
    meanwhile = Dependency((1,), (0,), "while_satisfied")
    assert counted(Evaluation((first, then), (meanwhile,)))[3] == 0
    through = TemporalConstraint(((0, 1), (1, 2)))  # by way of being clean
    assert counted(Evaluation((first, clean, then), (), (through,)))[3] == 1
    other = on("b_0", "table_0")
    assert counted(Evaluation((first, other), (), (TemporalConstraint(((0, 1),)),)))[3] == 0
    assert counted(Evaluation((first, clean), (), (TemporalConstraint(((0, 1),)),)))[3] == 0


@pytest.mark.parametrize(
    ("instruction", "expected"),
    [
        (
            "Put the cup on the table.",
            {"class reference": 2, "active voice": 1},
        ),
        (
            "Bring the red mug to the kitchen table and wash it.",
            {"class reference": 0, "instance reference": 2, "co-reference": 1, "active voice": 2},
        ),
        (
            "The plates should be washed. Then they have to be put into a cabinet.",
            {"class reference": 2, "co-reference": 1, "passive voice": 2},
        ),
        (
            "Could you please carry both books to the bedroom?",
            {"class reference": 2, "passive voice": 1, "active voice": 0},
        ),
        (
            "Let's tidy up the living room. Move the toys into the toy chest.",
            {"high-level goal": 1, "active voice": 2, "class reference": 3},
        ),
        (
            "Guests are coming tonight. Set three plates on the dining table.",
            {"high-level goal": 1, "active voice": 1},
        ),
        (
            "Move the books to the shelf while I wash the cups.",
            {"agentic reference": 1, "class reference": 3},
        ),
        (
            "Place a vase on the shelf. Place the candle next to it and those apples beside them.",
            {"co-reference": 3, "active voice": 2},
        ),
        ("Turn the lamp off.", {"high-level goal": 0, "agentic reference": 0, "co-reference": 0}),
    ],
)
def test_linguistic_phenomena(instruction: str, expected: dict[str, int]) -> None:
    found = phenomena(instruction)
    assert {name: found[name] for name in expected} == expected


@given(st.text(max_size=300))
def test_any_text_has_phenomena(text: str) -> None:
    assert all(count >= 0 for count in phenomena(text).values())
    bare = without_nouns(text)
    assert len(bare) <= len(text.lower()) + 10


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Put the cup on the table.", "Put the Forks on the shelf!"),
        ("Bring a coffee table book to the kitchen.", "bring an apple to the bedrooms"),
        ("Move the toys, please.", "Move the dishes, please."),
        ("Tidy up before dinner.", "Tidy up before breakfast."),
    ],
)
def test_without_nouns_these_are_equal(one: str, other: str) -> None:
    shared = without_nouns(one).replace(" book", ""), without_nouns(other)
    assert shared[0].split()[0] == shared[1].split()[0]
    assert without_nouns(one.replace("coffee table book", "book")) == without_nouns(other)


def test_verbs_and_little_words_stay() -> None:
    assert without_nouns("Can you wash the cups, then set two of them on any shelf?") == (
        "can you wash the then set two of them on any"
    )


def plain_edits(one: str, other: str) -> int:
    last = list(range(len(other) + 1))
    for row, letter in enumerate(one, 1):
        new = [row]
        for column, mark in enumerate(other, 1):
            new.append(min(last[column] + 1, new[-1] + 1, last[column - 1] + (letter != mark)))
        last = new
    return last[-1]


few = st.text("ab ", max_size=12)


@given(few, few, st.integers(1, 8))
def test_edits_are_counted_up_to_a_limit(one: str, other: str, limit: int) -> None:
    assert edit_distance(one, other, limit) == min(plain_edits(one, other), limit)


@given(st.lists(few, max_size=8), st.integers(1, 6))
def test_close_pairs_are_all_found(texts: list[str], limit: int) -> None:
    expected = sum(
        plain_edits(one, other) < limit
        for place, one in enumerate(texts)
        for other in texts[place + 1 :]
    )
    assert close_pairs(texts, limit) == expected


def episode(number: int, instruction: str, evaluation: Evaluation) -> Episode:
    return Episode(str(number), f"home-{number % 2}", instruction, evaluation)


def test_a_file_of_episodes() -> None:
    table = on("cup_0 cup_1", "table_0 table_1")
    room = Proposition(ROOM, (("book_0",), ("bedroom_0",)))
    lamp = Proposition("is_powered_on", (("floor_lamp_0",),))
    floor = on("book_0", "floor_kitchen_0")
    some = [
        episode(0, "Put a cup on a table.", Evaluation((table,))),
        episode(1, "Put a book on a shelf.", Evaluation((floor, room))),
        episode(2, "Switch the lamp on.", Evaluation((lamp,))),
        episode(3, "Switch the lamp on.", Evaluation((lamp, on("a_0 a_1", "table_0", 2)))),
    ]
    found = statistics(iter(some))
    assert (found.episodes, found.houses, found.sample) == (4, 2, 4)
    assert found.types == {FREE: 50, SPATIAL: 0, TEMPORAL: 0, HETEROGENEOUS: 50}
    assert dict(found.combinations) == {FREE: 50, HETEROGENEOUS: 50}
    assert found.propositions == 1.5
    assert found.unrolled == 1.75
    assert found.characteristics["resolvable ambiguity"] == (25, 0.5)
    assert found.unique == 50
    assert found.unique_without_nouns == 0  # "put a on a" twice, too
    assert found.distinct_without_nouns == 50
    assert found.close_pairs == 1
    assert dict(found.entities["object"]) == {"a": 2, "book": 2, "cup": 2}
    assert dict(found.entities["furniture"]) == {"table": 3, "floor_lamp": 2}
    assert dict(found.entities["room"]) == {"bedroom": 1, "kitchen": 1}
    assert dict(found.predicates) == {ON: 3, "is_powered_on": 2, ROOM: 1}
    text = format_statistics(found, most=1)
    assert "4 episodes in 2 houses" in text
    assert "[68 %, 1.68]" in text
    assert "and 2 more" in text


def test_no_episodes_are_no_error() -> None:
    found = statistics(())
    assert found.episodes == found.unique == 0
    assert "0 episodes" in format_statistics(found)


def test_the_sample_hangs_on_the_seed_alone() -> None:
    some = [
        episode(
            n,
            f"{n * 7919 % 1009} times {chr(97 + n % 26) * (n % 90)}.",
            Evaluation((on("a_0", "t_0"),)),
        )
        for n in range(1100)
    ]
    assert statistics(some, 1) == statistics(iter(some), 1)
    assert statistics(some, 1).sample == 1000
