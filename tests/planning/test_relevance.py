"""What the search for relevant actions reads from schemas."""

from __future__ import annotations

from homebody.core.action import ActionSchema, Effect
from homebody.core.formula import TRUE, And, Atom, Not, Parameter
from homebody.planning.relevance import achievers, exclusive

ME, LAMP, SHELF = "?me", "?lamp", "?shelf"
ON, LIT = Atom("ON", (LAMP,)), Atom("LIT", ("?room",))
HERE = Atom("IN", (LAMP, "?room"))
SWITCH = ActionSchema(
    "SWITCH",
    (Parameter(ME), Parameter(LAMP)),
    effects=(
        Effect(add=(ON,), delete=(Atom("OFF", (LAMP,)),)),
        Effect(add=(LIT,), variables=("?room",), each=HERE, when=Atom("WORKS", (LAMP,))),
    ),
)
PUT = ActionSchema(
    "PUT",
    (Parameter(ME), Parameter(LAMP), Parameter(SHELF)),
    effects=(Effect(add=(Atom("HELD_BY", (LAMP, ME)), Atom("AT", (LAMP, SHELF)))),),
)


def test_achievers_are_the_effects_by_what_they_make_so() -> None:
    table = achievers({"SWITCH": SWITCH, "PUT": PUT})
    assert set(table) == {
        (True, "ON"),
        (False, "OFF"),
        (True, "LIT"),
        (True, "HELD_BY"),
        (True, "AT"),
    }
    (switched,) = table[True, "ON"]
    assert (switched.schema, switched.fact, switched.condition) == (SWITCH, ON, TRUE)
    (lit,) = table[True, "LIT"]
    assert lit.condition == And((Atom("WORKS", (LAMP,)), HERE))
    assert lit.conditions() == (Atom("WORKS", (LAMP,)), HERE)


def test_a_match_binds_what_the_fact_tells_and_leaves_the_rest_free() -> None:
    table = achievers({"SWITCH": SWITCH, "PUT": PUT})
    (lit,) = table[True, "LIT"]
    assert lit.match(Atom("LIT", ("kitchen",)), "ann") == {ME: "ann", "?room": "kitchen"}
    (held,) = table[True, "HELD_BY"]
    assert held.match(Atom("HELD_BY", ("lamp", "ann")), "ann") == {ME: "ann", LAMP: "lamp"}
    assert held.match(Atom("HELD_BY", ("lamp", "bob")), "ann") is None


def test_what_one_action_ends_when_it_brings_about_the_other_excludes_it() -> None:
    off = Effect(add=(Atom("OFF", (LAMP,)),), delete=(ON,))
    switch_off = ActionSchema("SWITCH_OFF", (Parameter(ME), Parameter(LAMP)), effects=(off,))
    both = achievers({"SWITCH": SWITCH, "SWITCH_OFF": switch_off})
    on, is_off = Atom("ON", ("lamp",)), Atom("OFF", ("lamp",))
    assert exclusive(both, on, is_off, "ann")
    assert exclusive(both, is_off, on, "ann")
    assert exclusive(both, on, Not(on), "ann")
    assert not exclusive(both, on, on, "ann")
    assert not exclusive(both, on, Atom("OFF", ("torch",)), "ann")
    assert not exclusive(both, on, Atom("LIT", ("lamp",)), "ann")
    # nothing is said of what no effect brings about: it may be derived
    assert not exclusive(achievers({"SWITCH": SWITCH}), on, is_off, "ann")
    # nor where another action brings about one and leaves the other
    bright = ActionSchema("BRIGHTEN", switch_off.parameters, effects=(Effect(add=(ON,)),))
    table = achievers({"SWITCH": SWITCH, "SWITCH_OFF": switch_off, "BRIGHTEN": bright})
    assert not exclusive(table, on, is_off, "ann")
