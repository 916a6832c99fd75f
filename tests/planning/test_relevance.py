"""What the search for relevant actions reads from schemas."""

from __future__ import annotations

from homebody.core.action import ActionSchema, Effect
from homebody.core.formula import TRUE, And, Atom, Parameter
from homebody.planning.relevance import achievers

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
    assert lit.matched(Atom("LIT", ("kitchen",)), "ann") == {ME: "ann", "?room": "kitchen"}
    (held,) = table[True, "HELD_BY"]
    assert held.matched(Atom("HELD_BY", ("lamp", "ann")), "ann") == {ME: "ann", LAMP: "lamp"}
    assert held.matched(Atom("HELD_BY", ("lamp", "bob")), "ann") is None
