"""Goals written out for planners mean what they meant."""

from __future__ import annotations

from collections.abc import Mapping

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from goals.bddl.test_options import ATOMS, SMALL, conditions, states
from homebody.core.formula import And, Atom, Formula, Not, Or
from homebody.core.state import Object, State
from homebody.goals.bddl import TooLargeError, Universe, evaluate, parse_condition
from homebody.goals.bddl.ground_goal import MAX_LITERALS, expand


def truth(formula: Formula, true: frozenset[Atom], known: Mapping[str, bool]) -> bool:
    match formula:
        case Atom(name, ()) if name in known:
            return known[name]
        case Atom():
            return formula in true
        case Not(Atom() as body):
            return not truth(body, true, known)
        case And(parts):
            return all(truth(part, true, known) for part in parts)
        case Or(parts):
            return any(truth(part, true, known) for part in parts)
    raise AssertionError(f"neither a literal, nor and, nor or: {formula}")


def state(over: Universe, true: frozenset[Atom]) -> State:
    facts = [(a.predicate, *a.args) for a in sorted(true, key=str)]
    names = sorted({*over.names, *(name for fact in facts for name in fact[1:])})
    return State.from_facts([Object(name, "thing") for name in names], facts)


def holds(condition: Formula, over: Universe, true: frozenset[Atom]) -> bool:
    goal = expand([condition], over)
    known: dict[str, bool] = {}
    for name, body in goal.definitions.items():  # each over earlier ones only
        known[name] = truth(body, true, known)
    return truth(goal.formula, true, known)


@pytest.mark.slow
@settings(max_examples=400)
@given(conditions(), SMALL, states(ATOMS))
def test_truth_stays(condition: Formula, over: Universe, true: frozenset[Atom]) -> None:
    assert holds(condition, over, true) == evaluate(condition, state(over, true), over)


COUNTS = [
    "(forn (2) (?x - a) (p ?x))",
    "(not (forn (2) (?x - a) (p ?x)))",
    "(forn (0) (?x - a) (p ?x))",
    "(forpairs (?x - a) (?y - b) (r ?x ?y))",
    "(fornpairs (2) (?x - a) (?y - b) (r ?x ?y))",
    "(forn (1) (?x - a) (forn (1) (?y - b) (r ?x ?y)))",
]


@pytest.mark.sampled
@pytest.mark.parametrize("text", COUNTS)
@settings(max_examples=60)
@given(data=st.data())
def test_counting(text: str, data: st.DataObject) -> None:
    over = data.draw(SMALL)
    condition = parse_condition(text)
    true = data.draw(states(ATOMS))
    assert holds(condition, over, true) == evaluate(condition, state(over, true), over)


def test_counting_stays_small() -> None:
    """ "Exactly 10 of 20" has 184,756 options, and some 200 definitions."""
    names = tuple(f"a{i}" for i in range(20))
    over = Universe(names, lambda name, category: True)
    goal = expand([parse_condition("(forn (10) (?x - a) (p ?x))")], over)
    assert len(goal.definitions) < 250
    assert all(len(f.parts) <= 2 for f in goal.definitions.values() if isinstance(f, And | Or))
    for number in (9, 10, 11):
        true = frozenset(Atom("p", (name,)) for name in names[20 - number :])
        known: dict[str, bool] = {}
        for name, body in goal.definitions.items():
            known[name] = truth(body, true, known)
        assert truth(goal.formula, true, known) == (number == 10)


def test_too_much_is_refused() -> None:
    names = tuple(f"a{i}" for i in range(60))
    over = Universe(names, lambda name, category: True)
    text = "(forall (?x - a) (forall (?y - a) (forall (?z - a) (or (r ?x ?y) (r ?y ?z)))))"
    with pytest.raises(TooLargeError, match=str(MAX_LITERALS)):
        expand([parse_condition(text)], over)
