"""Evaluation functions by a model in three steps, and what is added by rule."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from contextlib import suppress

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from homebody.authoring.partnr.draft import Draft, FailureMode, Placement, Rejected
from homebody.authoring.partnr.grammar.author import author
from homebody.authoring.partnr.prompting.evaluation import (
    evaluate_with_model,
    example,
    make_finder,
    read_argument_constraints,
    read_groups,
)
from homebody.authoring.partnr.prompting.propositions import read_propositions, write_proposition
from homebody.authoring.partnr.situation import situation
from homebody.core import Message
from homebody.goals.partnr import (
    ArgumentConstraint,
    Dependency,
    Proposition,
    SameArgConstraint,
    TemporalConstraint,
    TerminalSatisfactionConstraint,
    temporal_groups,
)
from suites.partnr import homes

HOUSE = homes.HOUSE
DRAFT = Draft(
    "First wash the bowl, then put it and a cup next to each other on a counter.",
    (
        Placement("cup", 2, "dresser_0"),
        Placement("bowl", 1, "sofa_0", states={"clean": False}),
        Placement("basket", 1, "floor_kitchen_0"),
        Placement("tray", 1, "counter_0"),
    ),
)
WHERE = situation(DRAFT, HOUSE)
COUNTERS = ("counter_0", "counter_1", "counter_2")
CALLS = """\
is_clean("bowl_0")
is_on_top("bowl_0", "counter in kitchen_0")
is_on_top("cup_0 or cup_1", "counter")
is_next_to("bowl_0", "cup_0 or cup_1")"""


def scripted(*answers: str) -> tuple[Callable[[Sequence[Message]], str], list[list[Message]]]:
    left = list(answers)
    asked: list[list[Message]] = []

    def ask(messages: Sequence[Message]) -> str:
        asked.append(list(messages))
        return left.pop(0)

    return ask, asked


def test_three_steps_make_an_evaluation_function() -> None:
    constraints = json.dumps([{"kind": "same", "propositions": [2, 3], "arguments": [0, 1]}])
    ask, asked = scripted(CALLS, "[[0], [1, 2], [3]]", f"```json\n{constraints}\n```")
    made = evaluate_with_model(ask, DRAFT, HOUSE).evaluation
    assert made is not None
    cups = ("cup_0", "cup_1")
    assert made.propositions == (
        Proposition("is_clean", (("bowl_0",),)),
        Proposition("is_on_top", (("bowl_0",), COUNTERS)),
        Proposition("is_on_top", (cups, COUNTERS)),
        Proposition("is_next_to", (("bowl_0",), cups)),
    )
    # nearness belongs to the step of placing, and counts while things are there
    assert temporal_groups(made) == [(0,), (1, 2, 3)]
    assert made.dependencies == (Dependency((3,), (1, 2), "while_satisfied", "any"),)
    assert made.constraints == (
        TemporalConstraint(((0, 1), (0, 2), (0, 3))),
        SameArgConstraint((2, 3), ("object_handles", "entity_handles_b")),
        TerminalSatisfactionConstraint((0, 1, 2, 3)),
    )
    assert len(asked) == 3
    assert "- bowl_0 on sofa_0 in living_room_0 (not clean)" in asked[0][-1].text
    assert '2: is_on_top("cup_0 or cup_1"' in asked[1][-1].text


def test_a_bad_answer_is_asked_for_once_more_with_the_reason() -> None:
    bad = 'is_clean("bowl_7")'
    ask, asked = scripted(bad, CALLS, "[[0, 1, 2]]", "[[0], [1, 2, 3]]", "[]")
    evaluate_with_model(ask, DRAFT, HOUSE)
    assert [one.role for one in asked[1][-2:]] == ["assistant", "user"]
    assert asked[1][-2].text == bad
    assert "'bowl_7'" in asked[1][-1].text
    assert "every number up to 3" in asked[3][-1].text
    ask, asked = scripted(bad, bad)
    with pytest.raises(Rejected) as caught:
        evaluate_with_model(ask, DRAFT, HOUSE)
    assert caught.value.failure == FailureMode.ENTITY
    assert len(asked) == 2


def test_steps_that_can_decide_nothing_are_not_asked() -> None:
    draft = Draft("Wash the bowl and bring it to the kitchen.", DRAFT.placements)
    ask, asked = scripted('is_clean("bowl_0") is_in_room("bowl_0", "kitchen")')
    made = evaluate_with_model(ask, draft, HOUSE).evaluation
    assert made is not None
    assert len(asked) == 1
    assert made.constraints == (TerminalSatisfactionConstraint((0, 1)),)


def test_the_nearest_example_is_shown() -> None:
    drafts = [author(HOUSE, np.random.default_rng(seed)) for seed in range(6)]
    examples = [example(one, HOUSE) for one in drafts]
    text = f"Please {drafts[4].instruction} Thanks."
    assert make_finder([])(text) is None
    assert make_finder(examples)(text) == examples[4]
    find = lambda _: make_finder(examples)(text)  # noqa: E731
    ask, asked = scripted(CALLS, "[[0], [1, 2, 3]]", "[]")
    evaluate_with_model(ask, DRAFT, HOUSE, find)
    assert [one.role for one in asked[0]] == ["system", "user", "assistant", "user"]
    assert drafts[4].instruction in asked[0][1].text
    assert asked[0][2].text == examples[4].propositions
    assert asked[1][2].text == examples[4].groups
    assert asked[2][2].text == examples[4].argument_constraints


def test_examples_can_be_read_as_answers() -> None:
    for seed in range(40):
        draft = author(HOUSE, np.random.default_rng(seed))
        assert draft.evaluation is not None
        where = situation(draft, HOUSE)
        shown = example(draft, HOUSE)
        propositions = draft.evaluation.propositions
        if len(set(propositions)) == len(propositions):
            read = read_propositions(shown.propositions, where)
            assert [one.predicate for one in read] == [one.predicate for one in propositions]
            for one, other in zip(read, propositions, strict=True):
                assert [set(names) for names in one.lists] == [set(names) for names in other.lists]
        assert read_groups(shown.groups, len(propositions)) == [
            list(group) for group in temporal_groups(draft.evaluation)
        ]
        constraints = [
            one for one in draft.evaluation.constraints if isinstance(one, ArgumentConstraint)
        ]
        assert (
            list(read_argument_constraints(shown.argument_constraints, propositions)) == constraints
        )


@pytest.mark.parametrize(
    ("call", "read"),
    [
        ('is_inside("cup", "fridge")', ("is_inside", (("cup_0", "cup_1"), ("fridge_0",)))),
        ("is_inside('cup_0', 'basket_0')", ("is_inside", (("cup_0",), ("basket_0",)))),
        ('is_on_top("cup_0", "tray")', ("is_on_top", (("cup_0",), ("tray_0",)))),
        ('is_inside("cup_0", "tray")', ("is_on_top", (("cup_0",), ("tray_0",)))),
        ('is_on_top("cup_0", "basket")', None),
        ('is_inside("cup_0", "table lamp or sofa")', None),
        ('is_inside("cup_0", "sofa")', ("is_on_top", (("cup_0",), ("sofa_0",)))),
        ('is_on_top("cup_0", "fridge_0")', None),
        ('is_on_top("cup_0", "floor_kitchen_0")', None),
        ('is_filled("bowl_0")', ("is_filled", (("bowl_0",),))),
        ('is_filled("sofa_0")', None),
        ('is_broken("cup_0")', None),
        ('is_clean("cup_0", number=2)', None),
        ('is_clean("cup_0"', None),
        ('is_clean("cup_0", same=true)', None),
        (
            'is_clustered("cup_0", "cup_1", "bowl")',
            ("is_clustered", (("cup_0",), ("cup_1",), ("bowl_0",))),
        ),
        ("nothing", None),
        ('is_clean(__import__("os"))', None),
    ],
)
def test_calls(call: str, read: tuple[str, tuple[tuple[str, ...], ...]] | None) -> None:
    if read is None:
        with pytest.raises(Rejected):
            read_propositions(call, WHERE)
    else:
        (one,) = read_propositions(call, WHERE)
        assert (one.predicate, one.lists) == read


def test_numbers_and_the_same_place() -> None:
    text = 'is_on_top("cup_0 or cup_1", "counter", number=2, same=true)'
    (one,) = read_propositions(text, WHERE)
    assert (one.number, one.same) == (2, True)
    assert read_propositions(write_proposition(one, WHERE), WHERE) == (one,)


@pytest.mark.parametrize("text", ['["\\ud800"]', '[{"\\ud800": 1}]', '[{"kind": "\\ud800"}]'])
def test_half_a_surrogate_is_rejected(text: str) -> None:
    for read in (read_groups, read_argument_constraints):
        with pytest.raises(Rejected):
            read(text, 1 if read is read_groups else ())


@settings(max_examples=200)
@given(st.text(alphabet="is_clean()\"' ,=or0123cupin_tabl", max_size=120) | st.text(max_size=80))
def test_any_text_is_read_or_rejected(text: str) -> None:
    state = [Proposition("is_clean", (("cup_0",),))]
    for read in (
        lambda: read_propositions(text, WHERE),
        lambda: read_groups(text, 2),
        lambda: read_argument_constraints(text, state),
    ):
        with suppress(Rejected):
            assert read() is not None
