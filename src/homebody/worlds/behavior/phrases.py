"""English explanations of problems with an action."""

from __future__ import annotations

from homebody.core.action import join_clauses
from homebody.core.formula import EQUALS, And, Atom, Exists, Formula, Implies, Not, Or

_STATES = {
    "toggled_on": "switched on",
    "slicer": "a knife",
    "FLOOR": "a floor",
    "HELD": "in a hand",
    "CARRIED_LH": "in or on what is in the left hand",
    "CARRIED_RH": "in or on what is in the right hand",
    "holds_lh": "in the left hand",
    "holds_rh": "in the right hand",
    "SHUT_IN": "shut inside something closed",
    "HALVED": "sliced, so that only its halves can be used",
    "TOO_BIG_TO_HOLD": "fixed or too big to be held",
    "IN_COOKER": "in or on a pan, a pot or a source of heat",
    "IN_WATER": "in a running sink or a pot",
    "CHILLED": "in a fridge",
    "RELATED": "next to, under or on the floor of anything",
}
_DONE = {
    "openable": "be opened",
    "sliceable": "be sliced",
    "cookable": "be cooked",
    "freezable": "be frozen",
    "soakable": "be soaked",
    "dustyable": "get dusty",
    "stainable": "get stained",
}
_RELATIONS = {"onfloor": "on the floor", "ontop": "on", "nextto": "next to", EQUALS: "the same as"}
_HANDS = {"holds_lh": "the left hand", "holds_rh": "the right hand"}
_TOOLS = {"CAN_DUST": "cleaning tool", "CAN_WASH": "soaked cleaning tool, detergent or soap"}


def phrase(formula: Formula, negated: bool = False) -> str:
    """Return a formula, or its negation, as a clause of a sentence."""
    is_or_not = "is not" if negated else "is"
    can_or_not = "cannot" if negated else "can"
    no_or_some = "nothing" if negated else "something"
    match formula:
        case Atom("FREE_HAND", _):
            return f"the agent has {'no' if negated else 'a'} free hand"
        case Or((Atom("CAN_DUST", (thing,)), Atom("CAN_WASH", _))) if negated:
            return _cleaning_phrase(thing, "cleaning tool, detergent or soap", negated)
        case And((Not(Atom("dusty", (thing,))), Not(Atom("stained", _)))) if not negated:
            return f"{thing} is clean"
        case Atom("ABSENT", (thing,)):
            exists, is_or_not = ("exists", "is") if negated else ("does not exist", "is not")
            return f"{thing} {exists}, as its whole {is_or_not} sliced"
        case Atom("CAN_DUST" | "CAN_WASH" as tool, (thing,)):
            return _cleaning_phrase(thing, _TOOLS[tool], negated)
        case Exists(_, Atom("holds_lh" | "holds_rh" as hand, _)):
            return f"{no_or_some} is in {_HANDS[hand]}"
        case Exists(_, Atom("onfloor", (thing, _))):
            return f"{thing} {is_or_not} on the floor"
        case Exists(_, And((Atom("HELD"), Atom(ability)))):
            return f"{'no' if negated else 'a'} {_STATES[ability].removeprefix('a ')} is in a hand"
        case And((Atom("holds_lh" | "holds_rh", (held,)), condition)):
            return _held_phrase(held, condition, negated)
        case Exists(_, And((Atom("holds_lh" | "holds_rh" as hand, _), condition))):
            return _held_phrase(f"what is in {_HANDS[hand]}", condition, negated)
        case Atom(predicate, (thing,)) if predicate in _DONE:
            return f"{thing} {can_or_not} {_DONE[predicate]}"
        case Atom("toggleable", (thing,)):
            return f"{thing} has {'no' if negated else 'a'} switch"
        case Or((Atom("dustyable", (thing,)), Atom("stainable"))):
            return f"{thing} {can_or_not} get dusty or stained"
        case Atom(predicate, (thing,)):
            return f"{thing} {is_or_not} {_STATES.get(predicate, predicate)}"
        case Not(Atom(predicate, (thing, other))) if predicate == EQUALS and negated:
            return f"{thing} cannot be next to and on {thing} at once"
        case Atom(predicate, (thing, other)):
            return f"{thing} {is_or_not} {_RELATIONS.get(predicate, predicate)} {other}"
        case Not(Atom("ABSENT", (thing,))):
            return phrase(Atom("ABSENT", (thing,)), not negated)
        case Not(body):
            return phrase(body, not negated)
        case And(parts) | Or(parts):
            clauses = [phrase(part, negated) for part in parts]
            return join_clauses(clauses, "and" if isinstance(formula, And) != negated else "or")
        case Implies(left, right):
            return phrase(right, negated) if negated else phrase(Or((Not(left), right)))
    return f"{'it is not true that ' if negated else ''}{formula}"


def _cleaning_phrase(thing: str, tools: str, negated: bool) -> str:
    """Return a clause on the tools that can clean an object."""
    link, a_or_no, is_or_not = ("and", "no", "is not") if negated else ("or", "a", "is")
    hand = f"there is {a_or_no} {tools} for {thing} in a hand"
    return f"{hand}, {link} it {is_or_not} in a running sink or dishwasher"


def _held_phrase(held: str, condition: Formula, negated: bool) -> str:
    """Return a clause on an object in a hand, or on its contents."""
    fits = "fits into" if negated else "is too big for"
    match condition:
        case Atom("TOO_BIG", (_, place)) if place == held:
            return f"{held} {'can' if negated else 'cannot'} be inside itself"
        case Atom("TOO_BIG", (_, place)):
            return f"{held} {fits} {place}"
        case Exists(_, And((Atom("LIES"), Atom("TOO_BIG", (_, place))))):
            return f"{'all' if negated else 'something'} in or on {held} {fits} {place}"
        case Atom("NO_ROOM", (_, thing)):
            return f"{held} {fits} what {thing} is inside"
        case Exists(_, Atom("LIES")):
            return f"{'nothing' if negated else 'something'} is in or on {held}"
    return f"{'nothing' if negated else 'something'} in {held}: {condition}"
