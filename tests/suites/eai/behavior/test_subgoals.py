"""Reading subgoals: what they may look like, and which errors there are."""

from __future__ import annotations

import pytest

from homebody.core import CORRECTED
from homebody.suites.eai.behavior.subgoal_decomposition import render
from homebody.suites.eai.behavior.subgoals import read_subgoals
from homebody.suites.eai.behavior.tasks import load_task
from suites.eai.behavior.subgoal_verdicts import EXAMPLE, FRUIT, verdict

pytestmark = pytest.mark.usefixtures("behavior_data")


def read(*subgoals: str, name: str = FRUIT) -> list[str]:
    found = read_subgoals(load_task(name), render(subgoals), CORRECTED)
    return [str(subgoal.formula) for subgoal in found]


def test_what_is_around_the_object_does_not_matter() -> None:
    plain = render(EXAMPLE)
    expected = read(*EXAMPLE)
    for text in (f"<think>{{no}}</think> Here:\n```json\n{plain}\n```", plain.replace('"', "'")):
        found = read_subgoals(load_task(FRUIT), text, CORRECTED)
        assert [str(subgoal.formula) for subgoal in found] == expected


def test_names_are_written_in_many_ways() -> None:
    expected = read("holds_rh(strawberry_0_part_0)")
    for written in ("strawberry.0_part_0", "strawberry_0_part.0", "strawberry.0.part.0"):
        assert read(f"holds_rh({written})") == expected
    assert read("1. Open(jar.0) AND NOT Sliced(peach_0).") == read(
        "open(jar.0) and not sliced(peach.0)"
    )
    stove = "cleaning_stove"
    assert read("toggled_on(sink.82)", name=stove) == read("toggledon(sink.82)", name=stove)
    assert read("toggled.on(sink.82)", name=stove) == read("toggledon(sink.82)", name=stove)
    boxes = "packing_boxes_for_household_move_or_trip"
    assert "t-shirt_0" in read("holds_rh(t-shirt.0)", name=boxes)[0]


def test_quantifiers_of_the_prompt_and_of_ltl_mean_the_same() -> None:
    assert read("forall(jar_n_01, (not open(jar_n_01)))")[0].replace("jar_n_01", "x") == read(
        "forall x. (jar_n_01(x) implies not open(x))"
    )[0].replace("jar_n_01", "x")
    assert (
        read("forn(2, jar_n_01, open(jar_n_01))")[0].replace("?jar_n_01", "?x")
        == read("forn 2. x. (jar_n_01(x) and open(x))")[0]
    )
    assert read("exists=2 x. (open(x))") == read("forn 2 x. (open(x))")


def test_then_inside_an_item_makes_several_subgoals() -> None:
    assert len(read("open(jar.0) then not open(jar.0)")) == 2


@pytest.mark.parametrize(
    ("output", "error"),
    [
        ("no idea", "parsing"),
        ("{}", "parsing"),
        (render([]), "parsing"),
        ('{"output": {"open": "jar.0"}}', "parsing"),
        ('{"output": [["open(jar.0)"]]}', "parsing"),
        ('{"output": [""]}', "parsing"),
        (render(["open(jar.0"]), "parsing"),
        (render(["open the jar.0"]), "parsing"),
        (render(["(open(jar.0) then open(jar.1)) or open(jar.0)"]), "parsing"),
        (render(["forall(open(jar.0))"]), "parsing"),
        (render(["forpairs(x, jar_n_01, inside(x, jar_n_01))"]), "parsing"),
        (render(["open(jar.0) & open(jar.1)"]), "parsing"),
        (render(["open(jar.0)"] * 201), "parsing"),
        ("[" * 100_000, "parsing"),
        (render(["(" * 50_000]), "parsing"),
        (render(["not " * 30_000 + "open(jar.0)"]), "parsing"),
        (
            render(["exists a. (exists b. (exists c. (exists d. (exists e. (touching(a, e))))))"]),
            "parsing",
        ),
        (render(["shut(jar.0)"]), "action_hallucination"),
        (render(["isInKitchen(jar.0)"]), "action_hallucination"),
        (render(["burn(strawberry.0)"]), "action_hallucination"),
        (render(["open(jar.9)"]), "object_hallucination"),
        (render(["open(jar)"]), "object_hallucination"),
        (render(["inside(strawberry.0, agent)"]), "object_hallucination"),
        (render(["open(jar.0, jar.1)"]), "argument_number"),
        (render(["inside(jar.0)"]), "argument_number"),
        (render(["open()"]), "argument_number"),
        (render(["left_place_nextto_ontop(jar.0)"]), "argument_number"),
    ],
)
def test_grammar_errors(output: str, error: str) -> None:
    found = verdict(output)
    assert found["error_type"] == error, found["explanation"]
    assert not found["executable"]
    assert found["progress"] == 0.0
    assert found["goals_met"] == {"state": [0, 3], "relation": [0, 2]}
