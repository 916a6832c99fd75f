"""BEHAVIOR's operators for planners, and how they come of the schemas."""

from __future__ import annotations

import pytest

from homebody.core.formula import And, Atom, Not, atoms
from homebody.planning.pddl import operator_text, parse_operators
from homebody.worlds.behavior.actions import STATES, action_schemas
from homebody.worlds.behavior.pddl import PREDICATES, STEPS, WAYS, Way, operators

NAMES = {text.strip("()").split()[0] for text in PREDICATES} | {"="}


def test_every_action_that_changes_a_state_has_a_way() -> None:
    changing = {
        name
        for name, schema in action_schemas().items()
        if any(a.predicate in STATES for e in schema.effects for a in (*e.add, *e.delete))
    }
    assert changing == {way.action for way in WAYS} | {"SLICE"}


@pytest.mark.parametrize("way", WAYS, ids=lambda way: way.name)
def test_a_way_is_said_in_the_words_of_the_planner(way: Way) -> None:
    operator = way.operator()
    assert parse_operators(operator_text(operator)) == [operator]
    for formula in (operator.precondition, operator.effect):
        assert {atom.predicate for atom in atoms(formula)} <= NAMES


def test_a_schema_and_what_a_way_makes_of_it() -> None:
    (dry,) = (way.operator() for way in WAYS if way.name == "clean-dry")
    x, tool = "?x", "?t"
    assert isinstance(dry.precondition, And)
    assert set(dry.precondition.parts) == {
        Atom("dirt", (x,)),
        Atom("dusty", (x,)),
        Atom("there", (x,)),
        Not(Atom("shut", (x,))),
        Atom("tool", (tool,)),
        Atom("held", (tool,)),
        Not(Atom("=", (x, tool))),
    }
    assert dry.effect == Not(Atom("dusty", (x,)))


def test_every_operator_is_a_step_of_an_action() -> None:
    texts = operators(edges=True, cut=True, floors=False, tight=True)
    names = [parse_operators(text)[0].name for text in texts]
    assert set(names) == set(STEPS)
    assert {action for action, _ in STEPS.values()} <= action_schemas().keys()
