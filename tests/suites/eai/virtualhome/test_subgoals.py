"""Reading subgoals: what they may look like, and which errors there are."""

from __future__ import annotations

import pytest

from homebody.core import CORRECTED
from homebody.suites.eai.plan_results import GrammarError
from homebody.suites.eai.virtualhome.subgoal_decomposition import render
from homebody.suites.eai.virtualhome.subgoals import read_subgoals
from homebody.suites.eai.virtualhome.tasks import load_task
from suites.eai.virtualhome.subgoal_verdicts import LIGHT, ME, verdict

pytestmark = pytest.mark.usefixtures("eai_data")


def read(text: str, identifier: str = LIGHT) -> list[str]:
    return [str(s.formula) for s in read_subgoals(load_task(identifier), text, CORRECTED)]


def test_what_is_around_the_object_does_not_matter() -> None:
    plain = render(["ON(light.245)", f"NEXT_TO({ME}, light.411)"])
    expected = read(plain)
    assert read(f"<think>{{no}}</think> Here it is:\n```json\n{plain}\n```") == expected
    assert read(plain.replace('"', "'")) == expected


def test_names_and_cases_are_looked_up() -> None:
    assert read(render(["on(light)"])) == read(render(["ON(light.245)"]))
    assert read(render(["SLEEP"])) == read(render(["SLEEP()"]))
    assert read(render(["1. ON(light.245) AND OFF(light.411).", ""])) == read(
        render(["ON(light.245) and OFF(light.411)"])
    )
    assert read(render(["BETWEEN(door.44, bathroom.1, bedroom.67)"])) == read(
        render(["BETWEEN(door.44, bathroom.1) and BETWEEN(door.44, bedroom.67)"])
    )


def test_then_inside_an_item_makes_several_subgoals() -> None:
    assert len(read(render(["PLUGGED_IN(light.245) then ON(light.245)"]))) == 2


def test_what_is_wrong_with_the_list_is_told() -> None:
    for written, found in (("{}", "an empty object"), ("null", "null"), ("3", "a number")):
        explanation = verdict(f'{{"output": {written}}}')["explanation"]
        assert f'"output" is {found}, not a list' in explanation


@pytest.mark.parametrize(
    ("output", "error"),
    [
        ("no idea", "parsing"),
        ("{}", "parsing"),
        (render([]), "parsing"),
        ('{"output": {"ON": "light.245"}}', "parsing"),
        ('{"output": [["ON(light.245)"]]}', "parsing"),
        ('{"output": [""]}', "parsing"),
        (render(["ON(light.245"]), "parsing"),
        (render(["turn on the light.245"]), "parsing"),
        (render(["(ON(light.245) then OFF(light.245)) or OPEN(light.245)"]), "parsing"),
        (render(["exists x. (exists y. (exists z. (BETWEEN(x, y, z))))"]), "parsing"),
        (render(["ON(light.245)"] * 201), "parsing"),
        ("[" * 100_000, "parsing"),
        (render(["(" * 50_000]), "parsing"),
        (render(["GLOWING(light.245)"]), "action_hallucination"),
        (render([f"WALK({ME}, light.245)"]), "action_hallucination"),
        (render(["POUR(light.245, light.411)"]), "action_hallucination"),
        (render(["ON(light.9)"]), "object_hallucination"),
        (render(["ON(lantern)"]), "object_hallucination"),
        (render(["ON(light.245, light.411)"]), "argument_number"),
        (render(["FACING(light.245)"]), "argument_number"),
        (render(["SLEEP(light.245)"]), "argument_number"),
    ],
)
def test_grammar_errors(output: str, error: str) -> None:
    found = verdict(output)
    assert found["error_type"] == error, found["explanation"]
    assert not found["executable"]
    assert found["progress"] == 0.0


def test_an_action_that_the_task_asks_for_is_known_there() -> None:
    assert read_subgoals(
        load_task("183_2"), render(["POUR(ground_coffee.1001, coffe_maker.290)"]), CORRECTED
    )
    with pytest.raises(GrammarError):
        read_subgoals(load_task(LIGHT), render(["POUR(light.245, light.411)"]), CORRECTED)
