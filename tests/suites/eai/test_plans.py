"""The one reader of plans: each world's format where the other's is asked for, and what lies
between."""

from __future__ import annotations

import json

import pytest

from homebody.suites.eai.plans import find_object, read_steps, spelling, spellings
from homebody.suites.eai.reading import Deviation, ParsingError, Reading

ACTIONS = ("FIND", "GRAB", "STANDUP")
STEPS = [("FIND", ("cup", "1")), ("GRAB", ("cup", "1")), ("FIND", ("sink", "2")), ("STANDUP", ())]
KEYED = '{"FIND": ["cup", "1"], "GRAB": ["cup", 1], "FIND": ["sink", 2], "STANDUP": []}'
PIECES = [json.dumps({name: words}) for name, words in STEPS]
ENTRIES = [{"action": name, "object": ", ".join(words)} for name, words in STEPS[:3]]


def steps(text: str, listed: bool, reading: Reading | None = None) -> list[tuple[str, object]]:
    read = read_steps(text, reading or Reading(), listed=listed, actions=ACTIONS)
    return [(step.name, step.args) for step in read]


@pytest.mark.parametrize(
    ("text", "deviations"),
    [
        (KEYED, set()),
        (f"[{', '.join(PIECES)}]", {Deviation.SHAPE}),
        ("\n".join(PIECES), {Deviation.PIECES}),
        (", ".join(PIECES), {Deviation.PIECES}),
        (f'{{"actions": {KEYED}}}', {Deviation.SHAPE}),
        (f'{{"thought": "so", "actions": [{KEYED}], "sure": true}}', {Deviation.SHAPE}),
        (f'{{"objects": ["cup"], "plan": {KEYED}}}', {Deviation.SHAPE}),
        (f'{{"thought": "so", {KEYED[1:-1]}, "sure": 0.9}}', {Deviation.SHAPE}),
        (f'As {{"a": ["b"]}}: {KEYED}', {Deviation.PROSE}),
        (KEYED[1:-1], {Deviation.BRACES}),
        (KEYED.replace('"', "'"), {Deviation.PYTHON}),
        (f"{KEYED}\n{KEYED}", {Deviation.REPEATED}),
        (f"[] or {KEYED}", {Deviation.PROSE}),
    ],
)
def test_a_plan_for_an_object_from_actions_to_lists(text: str, deviations: set[Deviation]) -> None:
    reading = Reading()
    assert steps(text, False, reading) == STEPS
    assert set(reading.deviations or ()) == deviations
    assert steps(text, True) == STEPS


@pytest.mark.parametrize(
    ("text", "deviations"),
    [
        (json.dumps(ENTRIES), set()),
        (
            json.dumps([{**e, "object": e["object"].split(", ")} for e in ENTRIES]),
            {Deviation.SHAPE},
        ),
        (json.dumps([{**e, "why": "so"} for e in ENTRIES]), {Deviation.SHAPE}),
        (json.dumps({"plan": ENTRIES}), {Deviation.SHAPE}),
        (json.dumps([ENTRIES]), {Deviation.SHAPE}),
        (json.dumps({"plan": [ENTRIES]}), {Deviation.SHAPE}),
        ("\n".join(map(json.dumps, ENTRIES)), {Deviation.PIECES}),
        (json.dumps(ENTRIES, indent=1).replace("},", "}, # so"), {Deviation.COMMENTS}),
    ],
)
def test_a_plan_for_a_list_of_actions(text: str, deviations: set[Deviation]) -> None:
    reading = Reading()
    assert steps(text, True, reading) == STEPS[:3]
    assert set(reading.deviations or ()) == deviations
    assert steps(text, False) == STEPS[:3]


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("{}", "no action"),
        ("[]", "no action"),
        ('{"FIND": {"a": 1}}', "not a list"),
        ('{"FIND": [["cup"]]}', "neither a name nor an id"),
        ('{"FIND": [null]}', "neither a name nor an id"),
        ('{"FIND": [true]}', "neither a name nor an id"),
        ('[{"action": 3, "object": "cup"}]', 'the "action" of a step is a number'),
        ('[{"action": "FIND", "action": "GRAB", "object": "cup"}]', "a key twice"),
        ('["FIND cup", "GRAB cup"]', "a list of strings where"),
        (json.dumps([*ENTRIES, "STANDUP"]), "something else than objects"),
        (json.dumps(ENTRIES).replace("}, {", "},, {", 1), "is expected in line 1, not ','"),
        ("\n".join(PIECES).replace('["sink"', '["sink" 1'), "is expected in line 3, not '1'"),
        ("\n".join(PIECES)[:-4], "never closed"),
        ("1. " + "\n2. ".join(PIECES[:2])[:-1], "never closed"),
        (f"2. {PIECES[0]}\n1. {PIECES[1]}", "different answers, in lines 1 and 2"),
        (f"1. {PIECES[0]}\n3. {PIECES[1]}", "different answers, in lines 1 and 2"),
        (f"{PIECES[0]}\nor {PIECES[1]}", "different answers, in lines 1 and 2"),
        (f"{KEYED}\n{KEYED.replace('cup', 'mug')}", "different answers, in lines 1 and 2"),
    ],
)
def test_what_is_no_plan_says_why(text: str, reason: str) -> None:
    for listed in (False, True):
        with pytest.raises(ParsingError, match=reason):
            steps(text, listed)


def test_a_step_of_a_list_needs_objects_only_where_they_are_asked_for() -> None:
    assert steps('[{"action": "STANDUP"}]', listed=False) == [("STANDUP", ())]
    with pytest.raises(ParsingError, match='no "object"'):
        steps('[{"action": "STANDUP"}]', listed=True)


@pytest.mark.parametrize(
    "words",
    [["soap", "1002"], ["soap.1002"], ["soap (1002)"], ["<soap> (1002)"], ["soap_1002"],
     ["soap 1002"], ["Soap", "(1002)"]],
)  # fmt: skip
def test_a_name_is_a_name_however_it_is_joined_to_its_id(words: list[str]) -> None:
    known = spellings(["soap.1002", "soap_dish.3"])
    found = find_object([*words, "soap_dish", "3"], known, lambda name: None)
    assert found == (len(words), "soap.1002")
    assert find_object(["soap", "9"], known, lambda name: "soap.1002") == (2, None)
    assert find_object(["soap"], known, lambda name: f"{name}.1002") == (1, "soap.1002")
    assert spelling("soap_dish") != spelling("soapdish")
