"""Tasks that a model writes: what is asked, and what is made of answers."""

from __future__ import annotations

import json
from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from homebody.authoring.partnr.draft import Draft, FailureMode, Placement, Rejected
from homebody.authoring.partnr.prompting.tasks import (
    TASK_TYPES,
    adapt_with_model,
    author_messages,
    author_with_model,
    read_drafts,
)
from homebody.authoring.partnr.regrounding.template import find_furniture
from homebody.core import Message
from suites.partnr import homes

HOUSE = homes.HOUSE
GOOD = {
    "instruction": "Put both  cups on the sofa and wash the bowl.",
    "initial_state": [
        {
            "number": 2,
            "object_classes": ["cup"],
            "furniture_names": ["counter_0"],
            "allowed_regions": ["kitchen_0"],
        },
        {
            "number": 1,
            "object_classes": ["bowl"],
            "furniture_names": ["fridge"],
            "location": "in",
            "object_states": {"is_clean": False},
        },
    ],
    "initial_furniture_state": [
        {"furniture_names": ["counter_0"], "object_states": {"clean": False}}
    ],
}


def only(raw: object) -> Draft | Rejected:
    (found,) = read_drafts(json.dumps(raw), HOUSE)
    return found


def changed(**fields: object) -> dict[str, object]:
    entry = {**GOOD["initial_state"][0], **fields}  # type: ignore[dict-item]
    return {**GOOD, "initial_state": [entry]}


def failure(raw: object) -> FailureMode:
    found = only(raw)
    assert isinstance(found, Rejected), found
    return found.failure


def test_a_task_becomes_a_draft() -> None:
    draft = only([GOOD])
    assert isinstance(draft, Draft)
    assert draft.instruction == "Put both cups on the sofa and wash the bowl."
    cups, bowl = draft.placements
    assert (cups.category, cups.number, cups.furniture, cups.relation) == (
        "cup",
        2,
        "counter_0",
        "on",
    )
    assert (bowl.furniture, bowl.relation, bowl.states) == ("fridge_0", "within", {"clean": False})
    assert draft.furniture_states == {"counter_0": {"clean": False}}
    assert draft.evaluation is None


def test_fences_and_words_around_the_answer_do_no_harm() -> None:
    text = f"Sure [of course]! Here:\n```json\n{json.dumps({'tasks': [GOOD, GOOD]})}\n```\nBye {{}}"
    # the first bracket that opens JSON counts: "[of course]" is none
    assert [type(one) for one in read_drafts(text, HOUSE)] == [Draft, Draft]


def test_each_bad_task_is_rejected_alone() -> None:
    found = read_drafts(json.dumps([GOOD, {"instruction": 3}, GOOD]), HOUSE)
    assert [type(one) for one in found] == [Draft, Rejected, Draft]
    assert isinstance(found[1], Rejected)
    assert found[1].failure == FailureMode.UNREADABLE


@pytest.mark.parametrize(
    ("fields", "mode"),
    [
        ({"object_classes": ["dragon"]}, FailureMode.HALLUCINATION),
        ({"furniture_names": ["throne_0"]}, FailureMode.HALLUCINATION),
        ({"furniture_names": ["counter"]}, FailureMode.HALLUCINATION),  # there are three
        ({"furniture_names": ["sofa_0"]}, FailureMode.HALLUCINATION),  # not in the kitchen
        ({"allowed_regions": ["ballroom_0"]}, FailureMode.HALLUCINATION),
        ({"furniture_names": ["ceiling_lamp_2"]}, FailureMode.HALLUCINATION),  # bears nothing
        ({"object_states": {"powered_on": True}}, FailureMode.HALLUCINATION),  # of a cup
        ({"object_states": {"happy": True}}, FailureMode.UNREADABLE),
        ({"number": 0}, FailureMode.UNREADABLE),
        ({"number": "many"}, FailureMode.UNREADABLE),
        ({"number": -4}, FailureMode.UNREADABLE),
        ({"furniture_names": [], "allowed_regions": []}, FailureMode.UNREADABLE),
        ({"object_classes": [["cup"]]}, FailureMode.UNREADABLE),
    ],
)
def test_what_does_not_exist(fields: dict[str, object], mode: FailureMode) -> None:
    assert failure(changed(**fields)) == mode


def test_floors_and_kinds_of_furniture() -> None:
    assert find_furniture("floor", HOUSE, ["kitchen_0"]) == "floor_kitchen_0"
    assert find_furniture("floor_kitchen_0", HOUSE) == "floor_kitchen_0"
    assert find_furniture("fridge_7", HOUSE) == "fridge_0"
    assert find_furniture("fridge", HOUSE, ["kitchen"]) == "fridge_0"
    draft = only(changed(furniture_names=["floor"]))
    assert isinstance(draft, Draft)
    assert draft.placements[0].furniture == "floor_kitchen_0"


def test_several_kinds_share_a_number() -> None:
    draft = only(changed(number=5, object_classes=["cup", "plate"]))
    assert isinstance(draft, Draft)
    assert [(one.category, one.number) for one in draft.placements] == [("cup", 3), ("plate", 2)]


@settings(max_examples=150)
@given(st.text(max_size=200) | st.text(alphabet='[]{}",:01 instruction_state', max_size=200))
def test_any_answer_is_read(text: str) -> None:
    for one in read_drafts(text, HOUSE):
        assert isinstance(one, Draft | Rejected)


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=10),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(
            st.sampled_from([*GOOD, *GOOD["initial_state"][0]]),
            inner,
            max_size=4,
        )
    ),
    max_leaves=12,
)


@settings(max_examples=150)
@given(json_values)
def test_any_json_is_read(raw: object) -> None:
    for one in read_drafts(json.dumps([{**GOOD, "initial_state": raw}, raw]), HOUSE):
        assert isinstance(one, Draft | Rejected)


def test_deep_and_long_answers() -> None:
    for text in ("[" * 100_000, '{"a":' * 50_000, "x" * 10**6, json.dumps([GOOD] * 500)):
        assert len(read_drafts(text, HOUSE)) <= 50


def test_half_a_surrogate_is_unreadable_alone() -> None:
    """No file could be written with it."""
    bad = [
        {**GOOD, "instruction": "\ud800"},
        {**GOOD, "\udfff": 1},
        changed(object_classes=["\ud800"]),
    ]
    *rejected, last = read_drafts(json.dumps([*bad, GOOD]), HOUSE)
    assert [one.failure for one in rejected if isinstance(one, Rejected)] == [
        FailureMode.UNREADABLE
    ] * 3
    assert isinstance(last, Draft)


@pytest.mark.parametrize("kind", TASK_TYPES)
def test_the_prompt_has_the_house_and_the_type(kind: str) -> None:
    asked: list[Sequence[Message]] = []

    def model(messages: Sequence[Message]) -> str:
        asked.append(messages)
        return json.dumps([GOOD, GOOD, GOOD])

    assert len(author_with_model(model, HOUSE, kind, count=2)) == 2
    text = asked[0][-1].text
    assert all(piece.name in text for piece in HOUSE.furniture)
    assert all(room.name in text for room in HOUSE.rooms)
    assert "teapot" in text
    assert TASK_TYPES[kind] in text
    assert "Write 2 tasks" in text
    assert author_messages(HOUSE, kind, 2) == asked[0]


def test_a_task_like_another() -> None:
    seed = Draft(
        "Put the cup on the sofa.",
        (Placement("cup", 1, "fridge_0", "within", {"clean": False}),),
        furniture_states={"counter_0": {"clean": False}},
    )
    asked: list[Sequence[Message]] = []
    answers = [
        {
            "instruction": "Put the mug on the bed.",
            "initial_state": [
                {"number": 1, "object_classes": ["mug"], "furniture_names": ["sofa_0"]}
            ],
        },
        [],
    ]

    def ask(messages: Sequence[Message]) -> str:
        asked.append(messages)
        return json.dumps(answers.pop(0))

    made = adapt_with_model(ask, seed, HOUSE)
    assert made.instruction == "Put the mug on the bed."
    assert made.evaluation is None
    text = asked[0][-1].text
    assert "sofa_0" in text
    assert '"location": "in"' in text
    assert seed.instruction in text
    assert '"object_states": {"clean": false}' in text
    with pytest.raises(Rejected) as caught:
        adapt_with_model(ask, seed, HOUSE)
    assert caught.value.failure == FailureMode.UNREADABLE
