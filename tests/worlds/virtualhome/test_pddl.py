"""Operators generated from the action schemas say what the actions do."""

from __future__ import annotations

import pytest

from homebody.core import Action, Object, State
from homebody.core.formula import And, Atom, Not
from homebody.planning.pddl import Domain, Operator, Problem, parse_domain, parse_operators
from homebody.planning.solver.execution import fault
from homebody.worlds.virtualhome import VirtualHome, action_schemas
from homebody.worlds.virtualhome.pddl import OPERATORS, translations

DOMAIN = """
(define (domain virtualhome)
  (:types object character)
  (:predicates
    (closed ?o) (open ?o) (on ?o) (off ?o) (plugged_in ?o) (plugged_out ?o) (clean ?o) (dirty ?o)
    (sitting ?c) (lying ?c) (obj_ontop ?a ?b) (ontop ?c ?o) (on_char ?o ?c) (inside_room ?o ?r)
    (obj_inside ?a ?b) (inside ?c ?o) (obj_next_to ?a ?b) (next_to ?c ?o) (facing ?c ?o)
    (holds_rh ?c ?o) (holds_lh ?c ?o) (grabbable ?o) (has_switch ?o) (has_plug ?o) (can_open ?o)
    (sittable ?o) (lieable ?o) (clothes ?o) (body_part ?o) (readable ?o) (eatable ?o)
    (cuttable ?o) (lookable ?o) (drinkable ?o) (recipient ?o) (pourable ?o) (movable ?o)))
"""


def operators() -> dict[str, Operator]:
    return {name: parse_operators(found.text)[0] for name, found in translations().items()}


def domain() -> Domain:
    empty = parse_domain(DOMAIN)
    return Domain(empty.name, empty.types, empty.predicates, operators())


def test_33_operators_each_of_an_action() -> None:
    found = translations()
    assert len(found) == 33
    assert {one.action for one in found.values()} == set(OPERATORS.values())
    assert set(OPERATORS.values()) <= action_schemas().keys()


def test_what_cannot_be_said_is_listed() -> None:
    assert translations()["switch_on"].unsaid == ()
    assert "SEAT_FREE" in translations()["sit"].unsaid
    assert "KNIFE" in translations()["cut"].unsaid
    assert "IS_A" in translations()["grab"].unsaid


def test_a_schema_becomes_its_operator() -> None:
    switch_on = operators()["switch_on"]
    lamp = "?obj"
    assert isinstance(switch_on.precondition, And)
    assert set(switch_on.precondition.parts) == {
        Atom("has_switch", (lamp,)),
        Atom("next_to", ("?char", lamp)),
        Not(Atom("plugged_out", (lamp,))),
        Not(Atom("on", (lamp,))),
    }
    assert switch_on.effect == And((Not(Atom("off", (lamp,))), Atom("on", (lamp,))))


# -- the world and the planner do the same ---------------------------------------------------------

CHAR, HALL, DEN = "character.1", "hall.2", "den.3"
THINGS = {
    CHAR: (),
    HALL: ("ROOM",),
    DEN: ("ROOM",),
    "box.4": ("CAN_OPEN", "GRABBABLE"),
    "cup.5": ("GRABBABLE",),
    "lamp.6": ("HAS_SWITCH", "HAS_PLUG"),
    "chair.7": ("SITTABLE",),
    "shirt.8": ("GRABBABLE", "CLOTHES"),
    "shelf.9": (),
}
FACTS = [
    ("INSIDE", CHAR, HALL),
    *(("INSIDE", thing, DEN) for thing in THINGS if thing not in (CHAR, HALL, DEN)),
    ("ONTOP", "cup.5", "shelf.9"),
    ("CLOSED", "box.4"),
    ("OFF", "lamp.6"),
    ("PLUGGED_OUT", "lamp.6"),
    ("DIRTY", "cup.5"),
]
PLANS = {
    "light": [
        ("walk_towards", "lamp.6"),
        ("plug_in", "lamp.6"),
        ("switch_on", "lamp.6"),
        ("turn_to", "lamp.6"),
    ],
    "tidy": [
        ("walk_towards", "cup.5"),
        ("grab", "cup.5"),
        ("wash", "cup.5"),
        ("walk_towards", "box.4"),
        ("open", "box.4"),
        ("put_inside", "cup.5", "box.4"),
        ("close", "box.4"),
    ],
    "dress": [
        ("walk_towards", "shirt.8"),
        ("grab", "shirt.8"),
        ("put_on_character", "shirt.8"),
        ("walk_towards", "chair.7"),
        ("sit", "chair.7"),
        ("standup",),
        ("walk_towards", "shelf.9"),
    ],
    "both hands": [
        ("walk_towards", "cup.5"),
        ("grab", "cup.5"),
        ("walk_towards", "shirt.8"),
        ("grab", "shirt.8"),
        ("walk_towards", "shelf.9"),
        ("put_on", "cup.5", "shelf.9"),
    ],
}
UNARY = {
    *("OPEN", "CLOSED", "ON", "OFF", "PLUGGED_IN", "PLUGGED_OUT", "CLEAN", "DIRTY"),
    *("SITTING", "LYING"),
}
OF_CHARACTER = {"HOLDS_RH": "holds_rh", "HOLDS_LH": "holds_lh", "ONTOP": "ontop"}


def said(state: State) -> set[tuple[str, ...]]:
    """The facts that the operators keep exactly: states, what is held, worn, sat on, and where
    things are put. (Nearness is worked out otherwise, see the module.)"""
    found: set[tuple[str, ...]] = set()
    for predicate, *args in state.facts():
        if predicate in UNARY:
            found.add((predicate.lower(), *args))
        elif predicate in OF_CHARACTER and args[0] == CHAR:
            found.add((OF_CHARACTER[predicate], *args))
        elif predicate == "ONTOP" and args[1] == CHAR:
            found.add(("on_char", *args))
        elif predicate == "ONTOP":
            found.add(("obj_ontop", *args))
        elif predicate == "INSIDE" and args[1] in (HALL, DEN):
            found.add(("inside" if args[0] == CHAR else "inside_room", *args))
        elif predicate == "INSIDE":
            found.add(("obj_inside", *args))
    return found


def facts_of(state: State) -> frozenset[Atom]:
    properties = {
        Atom(name.lower(), (thing,))
        for thing, names in THINGS.items()
        for name in names
        if name != "ROOM"
    }
    return frozenset({Atom(p, tuple(args)) for p, *args in said(state)} | properties)


@pytest.mark.parametrize("name", PLANS)
def test_a_plan_ends_in_the_same_state_in_both(name: str) -> None:
    """Every fact of the world's last state is a goal of the planning problem, and every such fact
    of the first state that has ended is forbidden by it."""
    objects = [Object(n, n.split(".")[0], frozenset(p)) for n, p in THINGS.items()]
    state = State.from_facts(objects, FACTS)
    world = VirtualHome(CHAR)
    first = state
    for operator, *args in PLANS[name]:
        outcome = world.step(state, Action(OPERATORS[operator], tuple(args)))
        assert outcome.failure is None, (operator, outcome.failure)
        state = outcome.state
    ended = said(first) - said(state)
    goal = [Atom(p, tuple(args)) for p, *args in sorted(said(state))]
    problem = Problem(
        name="test",
        domain="virtualhome",
        objects={n: "character" if n == CHAR else "object" for n in THINGS},
        initial=facts_of(first),
        goal=And((*goal, *(Not(Atom(p, tuple(args))) for p, *args in sorted(ended)))),
    )
    plan = tuple((operator, (CHAR, *args)) for operator, *args in PLANS[name])
    assert not fault(domain(), problem, plan)
    assert fault(domain(), problem, plan[1:])
