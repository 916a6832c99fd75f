"""Explanations: whatever is wrong with an action is said in plain English."""

from __future__ import annotations

import re

import pytest

from homebody.core import ErrorType
from homebody.core.action import explain
from homebody.core.formula import (
    TRUE,
    And,
    Atom,
    Exists,
    Formula,
    Implies,
    Not,
    Or,
    atoms,
    substitute,
)
from homebody.worlds.virtualhome import action_schemas
from homebody.worlds.virtualhome import actions as a
from homebody.worlds.virtualhome.phrases import phrase
from homebody.worlds.virtualhome.published import CAN_MOVE, CAN_SQUEEZE, CHECKS, HAS_FOOD

NAMES = {a.CHAR: "ann", a.OBJ: "milk", a.DEST: "fridge"}


def ground(formula: Formula) -> Formula:
    return substitute(formula, NAMES)


def faults() -> dict[str, tuple[ErrorType, Formula]]:
    """Everything that can be wrong with an action: by the schemas, and by the published checks."""
    found: dict[str, tuple[ErrorType, Formula]] = {}
    for name, schema in action_schemas().items():
        groups = {
            ErrorType.AFFORDANCE: schema.affordances,
            ErrorType.ADDITIONAL_STEP: (schema.intended,) if schema.intended is not None else (),
            ErrorType.MISSING_STEP: schema.preconditions,
        }
        for error, formulas in groups.items():
            for number, formula in enumerate(formulas):
                found[f"{name} {error} {number}"] = error, ground(formula)
    for name, checks in CHECKS.items():
        for number, check in enumerate(checks):
            wanted = {"published": check.needs, "mended": check.fixed_needs}
            for protocol, needs in wanted.items():
                if needs is None or needs == TRUE:
                    continue
                fault = Not(needs) if check.error is ErrorType.ADDITIONAL_STEP else needs
                found[f"{protocol} {name} {number}"] = check.error, ground(fault)
    return found


FAULTS = faults()
RAW = re.compile(r"[?()=_]|\b[A-Z]{2,}|\b(Atom|Not|And|Or|Implies|Forall|Exists|Exactly)\b")
CLASSES_WITH_UNDERSCORE = (
    "hands_both",
    *(part.args[1] for part in atoms(CAN_SQUEEZE) if part.predicate == "IS_A"),
)


@pytest.mark.parametrize(
    ("error", "formula"),
    [pytest.param(*fault, id=name) for name, fault in FAULTS.items()],
)
def test_every_fault_makes_a_readable_sentence(error: ErrorType, formula: Formula) -> None:
    sentence = explain(error, (formula,), phrase)
    start = "Not needed: " if error is ErrorType.ADDITIONAL_STEP else "Not possible: "
    assert sentence.startswith(start)
    assert re.fullmatch(r"[a-z].*[a-z]\.", sentence.removeprefix(start))
    for name in CLASSES_WITH_UNDERSCORE:
        sentence = sentence.replace(name, name.replace("_", ""))
    assert not RAW.search(sentence.removeprefix("Not "))
    assert re.search(r"\b(ann|milk|fridge)\b", sentence)
    assert "  " not in sentence
    assert "not true that" not in sentence
    assert not re.search(r"(?<!holding )\b(any|some)thing\b(?! (that|to|with|closed))", sentence)
    clauses = re.split(" and | or ", sentence.rstrip(".").removeprefix(start))
    assert len({clause.replace(" is not ", " is ") for clause in clauses}) == len(clauses)


@pytest.mark.parametrize(
    ("unmet", "sentence"),
    [
        (a.NEAR, "ann is not near milk"),
        (a.NEAR_DEST, "ann is not near fridge"),
        (a.FACED, "ann is not facing milk"),
        (a.HOLDING, "ann is not holding milk"),
        (a.HOLDING_SOMETHING, "ann is not holding anything"),
        (a.HOLDING_KNIFE, "ann is not holding a knife"),
        (a.FREE_HAND, "ann has no free hand"),
        (a.REACHABLE, "milk is shut inside something closed"),
        (a.OPEN_DEST, "fridge is not open"),
        (a.ON_FEET[0], "ann is sitting"),
        (a.ON_FEET[1], "ann is lying"),
        (a.TAKEN, "milk was not taken from anywhere"),
        (a.ORIGIN_NEAR, "ann is not near where milk was taken from, or that is closed"),
        (a.atom("ONTOP", a.OBJ, a.CHAR), "milk is not on ann"),
        (a.atom("SEAT_FREE", a.OBJ), "milk has no space left"),
        (a.atom("BED_FREE", a.OBJ), "milk has no space left"),
        (a.atom("PERSON", a.OBJ), "milk is not a person"),
        (a.atom("SITTABLE", a.OBJ), "milk cannot be sat on"),
        (Not(a.atom("PLUGGED_OUT", a.OBJ)), "milk is unplugged"),
        (Not(a.atom("ON", a.OBJ)), "milk is switched on"),
        (a.IN_SOME_ROOM, "milk is not in any room"),
        (Not(a.atom("IS_A", a.OBJ, "character")), "milk is oneself"),
        (a.SAME_ROOM, "ann is not in the room of milk"),
        (HAS_FOOD, "milk is not food and has none on it"),
    ],
)
def test_unmet_conditions(unmet: Formula, sentence: str) -> None:
    for error in (ErrorType.AFFORDANCE, ErrorType.MISSING_STEP, ErrorType.WRONG_ORDER):
        assert explain(error, (ground(unmet),), phrase) == f"Not possible: {sentence}."


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("SIT", "ann is sitting on milk"),
        ("LIE", "ann is lying on milk"),
        ("GRAB", "ann is holding milk"),
        ("OPEN", "milk is open"),
        ("CLOSE", "milk is closed"),
        ("SWITCHON", "milk is switched on"),
        ("SWITCHOFF", "milk is switched off"),
        ("PLUGIN", "milk is plugged in"),
        ("PLUGOUT", "milk is unplugged"),
        ("WALK", "ann is at milk"),
        ("TURNTO", "ann is facing milk"),
        ("PUTBACK", "milk is on fridge"),
        ("PUTIN", "milk is inside fridge"),
        ("PUTON", "milk is on ann"),
    ],
)
def test_what_holds_already(name: str, sentence: str) -> None:
    intended = action_schemas()[name].intended
    assert intended is not None
    found = explain(ErrorType.ADDITIONAL_STEP, (ground(intended),), phrase)
    assert found == f"Not needed: {sentence} already."


def test_several_faults_are_joined() -> None:
    unmet = (ground(a.NEAR), ground(a.FREE_HAND))
    assert (
        explain(ErrorType.MISSING_STEP, unmet, phrase)
        == "Not possible: ann is not near milk and has no free hand."
    )


@pytest.mark.parametrize(
    ("formula", "done"),
    [
        (a.CAN_GRAB, "grabbed"),
        (a.CAN_OPEN, "opened"),
        (a.CAN_DRINK, "drunk"),
        (a.CAN_POUR, "poured"),
        (a.CAN_RECEIVE, "poured into"),
        (a.CAN_TYPE, "typed on"),
        (CAN_MOVE, "moved"),
        (a.CAN_SQUEEZE, "squeezed"),
        (CAN_SQUEEZE, "squeezed"),
    ],
)
def test_properties_and_classes_are_told_as_what_they_are_good_for(
    formula: Formula, done: str
) -> None:
    thing = "fridge" if formula == a.CAN_RECEIVE else "milk"
    assert phrase(ground(formula)) == f"{thing} can be {done}"
    assert phrase(ground(formula), negated=True) == f"{thing} cannot be {done}"


def test_nothing_is_put_into_itself() -> None:
    itself = substitute(a.OTHER, {a.OBJ: "milk", a.DEST: "milk"})
    sentence = explain(ErrorType.AFFORDANCE, (itself,), phrase)
    assert sentence == "Not possible: milk would be in or on itself."


@pytest.mark.parametrize("formula", [a.NEAR, a.FREE_HAND, a.CAN_OPEN, a.SITTING, a.TAKEN])
def test_a_negation_reads_like_what_it_denies(formula: Formula) -> None:
    formula = ground(formula)
    assert phrase(Not(formula)) == phrase(formula, negated=True)
    assert phrase(Not(formula), negated=True) == phrase(formula)
    assert phrase(formula) != phrase(formula, negated=True)


@pytest.mark.parametrize(
    ("formula", "text", "negation"),
    [
        (
            And((Atom("OPEN", ("fridge",)), Atom("ONTOP", ("milk", "table")))),
            "fridge is open and milk is on table",
            "fridge is not open or milk is not on table",
        ),
        (
            Or((Atom("OPEN", ("fridge",)), Atom("ONTOP", ("milk", "table")))),
            "fridge is open or milk is on table",
            "fridge is not open and milk is not on table",
        ),
        (
            Implies(Atom("CAN_OPEN", ("box",)), Atom("OPEN", ("box",))),
            "box cannot be opened or is open",
            "box is not open",
        ),
        (
            Exists("?x", Atom("HOLDS", ("ann", "?x"))),
            "ann is holding something",
            "ann is not holding anything",
        ),
    ],
)
def test_connectives(formula: Formula, text: str, negation: str) -> None:
    assert phrase(formula) == text
    assert phrase(formula, negated=True) == negation
