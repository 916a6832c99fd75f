"""Reading operators: in any wrapping, and broken ones beside whole ones."""

from __future__ import annotations

import json
import time
from dataclasses import replace

import pytest

from homebody.core import CORRECTED, PUBLISHED
from homebody.planning.pddl import parse_operators
from homebody.suites.eai.lenient_json import MAX_CHARACTERS
from homebody.suites.eai.reading import ParsingError, SeveralAnswers
from homebody.suites.eai.transition_modeling.operators import read as read_as
from homebody.suites.eai.transition_modeling.scoring import score
from homebody.suites.eai.virtualhome.transition_modeling import reference
from suites.eai.virtualhome.operator_answers import GOOD, GRAB, counts, read, task

pytestmark = pytest.mark.usefixtures("eai_data")


WALK = "(:action walk_towards\n  :parameters () ; where\n  :effect (here))"


@pytest.mark.parametrize(
    "output",
    [
        json.dumps({"output": f"{GOOD}\n{WALK}"}),
        "```json\n" + json.dumps({"output": f"{GOOD}\n{WALK}"}, indent=2) + "\n```",
        "Sure, here it is:\n" + json.dumps({"output": f"{GOOD}{WALK}"}) + "\nDone.",
        "<think>(:action grab :parameters (</think>" + json.dumps({"output": f"{GOOD}{WALK}"}),
        f"<think>{GOOD.replace('near', 'far')}</think>```pddl\n{GOOD}\n{WALK}\n```",
        f'{{"output": "{GOOD}\n{WALK}"}}',
        f"{{'output': '{GOOD}\n{WALK}'}}",
        json.dumps({"output": f"{GOOD}\\n{WALK}".replace("\n", "\\n")}),
        f"{GOOD.upper()}\n{WALK}",
        json.dumps([{"output": f"{GOOD}{WALK}"}]),
        json.dumps({"output": [GOOD, WALK]}),
        json.dumps({"output": f"{GOOD}\n{WALK}"}).replace(" ", "\u00a0"),
        json.dumps(json.dumps({"output": f"{GOOD}\n{WALK}"})),
        f"(a draft: {GOOD.replace('near', 'far')} {{so}}: </think>\n{GOOD}{WALK}",
        f"(a draft: {GOOD.replace('near', 'far')}</think>" + json.dumps({"output": GOOD + WALK}),
        f"{GOOD}\nOnce more:\n{WALK}\n{GOOD}",
        f"{GOOD[:-2]}\nOnce more:\n{WALK}\n{GOOD}",
    ],
)
def test_operators_are_found_in_any_wrapping(output: str) -> None:
    found = read(output, CORRECTED)
    assert {name: one.operator for name, one in found.items()} == {
        "grab": parse_operators(GOOD)[0],
        "walk_towards": parse_operators(WALK)[0],
    }


@pytest.mark.parametrize("between", [f"\nNo, wait:\n{WALK}\n", f"{GOOD}\n", ""])
def test_an_operator_that_is_defined_differently_is_wrong(between: str) -> None:
    found = read(f"{GOOD.replace('near', 'far')}{between}{GOOD}", CORRECTED)["grab"]
    assert found.operator is None
    assert found.problem == "it is defined twice, and differently"


def test_several_answers_that_differ_are_none() -> None:
    output = json.dumps({"output": GOOD}) + "\nOr:\n" + json.dumps({"output": WALK})
    with pytest.raises(SeveralAnswers):
        read(output, CORRECTED)


def test_heads_are_closed_where_prompts_close_them_whatever_is_behind() -> None:
    head, parts = GOOD.split(" :", 1)
    written = f"{head}) ; why (not\n  ; so\n :{parts}"
    closed = replace(reference(), closed_heads=True)
    assert read_as(written, CORRECTED, closed)["grab"].operator == parse_operators(GOOD)[0]


def test_a_broken_operator_does_not_take_the_others_along() -> None:
    cut = "(:action open :parameters (?c) :precondition (and (a ?c)"
    found = read(json.dumps({"output": f"{cut}\n{GOOD}\n{WALK[:-9]}"}), CORRECTED)
    assert found["grab"].operator is not None
    assert found["open"].operator is found["walk_towards"].operator is None
    assert "never closed" in found["open"].problem


PARENTHESIS = "(:action open :parameters (?c ?o) :precondition (and (a ?o)) :effect (b ?o))"


@pytest.mark.parametrize(
    ("written", "lost"),
    [
        (PARENTHESIS.replace("(a ?o))", "(a ?o)))"), ":effect"),
        (PARENTHESIS.replace("(a ?o))", "(a ?o))) (c ?o))\n; then\n"), ":effect"),
        (PARENTHESIS.replace("(a ?o))", "))) (a ?o))"), ":effect"),
        (PARENTHESIS.replace("?o) :pre", "?o)) :PRE"), ":precondition"),
        (PARENTHESIS.replace("open", "open)"), ":parameters"),
    ],
)
def test_a_parenthesis_that_closes_an_operator_early_is_a_problem(written: str, lost: str) -> None:
    """What comes after it is not lost in silence, and the other operators are."""
    for output in (json.dumps({"output": f"{written}\n{GOOD}"}), f"{GOOD}\n{written}\nDone."):
        found = read(output, CORRECTED)
        assert found["open"].operator is None
        assert found["open"].problem == f"it closes before its {lost}"
        assert found["grab"].operator is not None


@pytest.mark.parametrize(
    "after",
    [
        ")",
        "))\n```",
        ")\n; :effect",
        " Note: the :effect (b ?o) is all.",
        "\n(see :effect (b))",
        "",
    ],
)
def test_what_comes_after_a_whole_operator_does_not_matter(after: str) -> None:
    expected = parse_operators(PARENTHESIS)[0]
    for output in (f"{PARENTHESIS}{after}\n{GOOD}", f"{GOOD}\n{PARENTHESIS}{after}"):
        assert read(output, CORRECTED)["open"].operator == expected


@pytest.mark.parametrize("output", ["", "I cannot do that.", "{}", '{"output": ["x"]}', "null"])
def test_outputs_without_operators_are_format_errors(output: str) -> None:
    with pytest.raises(ParsingError):
        read(output, CORRECTED)
    found = score(task(GRAB), output, CORRECTED)
    assert found.valid
    assert found.metrics["format_error"] == 1
    assert found.metrics["recall"] == found.metrics["success"] == 0
    assert counts(found)[2] > 0


def test_thousands_of_backslashes_take_no_time() -> None:
    start = time.process_time()
    read("\\" * (MAX_CHARACTERS - 1_000) + GOOD, CORRECTED)
    assert time.process_time() - start < 3


def test_outputs_longer_than_any_answer_are_format_errors() -> None:
    for protocol in (CORRECTED, PUBLISHED):
        with pytest.raises(ParsingError):
            read(GOOD + " " * MAX_CHARACTERS, protocol)
