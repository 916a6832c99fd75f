"""Plain English for what was wrong with an action."""

from __future__ import annotations

from homebody.core.formula import EQUALS, And, Atom, Exists, Formula, Implies, Not, Or

_STATES = {
    "toggled_on": "switched on",
    "openable": "something that can be opened",
    "toggleable": "something with a switch",
    "sliceable": "something that can be sliced",
    "cookable": "something that can be cooked",
    "freezable": "something that can be frozen",
    "soakable": "something that can be soaked",
    "dustyable": "something that gets dusty",
    "stainable": "something that gets stained",
    "slicer": "a knife",
    "FLOOR": "a floor",
    "HELD": "in a hand",
    "CARRIED_LH": "in the left hand, or in or on what is",
    "CARRIED_RH": "in the right hand, or in or on what is",
    "holds_lh": "in the left hand",
    "holds_rh": "in the right hand",
    "SHUT_IN": "shut inside something closed",
    "HALVED": "sliced, so that only its halves can be used",
    "TOO_BIG_TO_HOLD": "too big to be held, or fixed",
    "IN_COOKER": "in or on a pan",
    "IN_WATER": "in a running sink or a pot",
    "CHILLED": "in a fridge",
    "RELATED": "next to, under or on the floor of anything",
}
_RELATIONS = {"onfloor": "on the floor", "ontop": "on", "nextto": "next to", EQUALS: "the same as"}
_HANDS = {"holds_lh": "the left hand", "holds_rh": "the right hand"}
_TOOLS = {
    "CAN_DUST": "a cleaning tool in a hand, or a running sink or dishwasher around {thing}",
    "CAN_WASH": (
        "a soaked cleaning tool, detergent or soap in a hand, or a running sink or dishwasher "
        "around {thing}"
    ),
}


def phrase(formula: Formula, negated: bool = False) -> str:
    """A formula, or its negation, as a clause of a sentence."""
    is_or_not = "is not" if negated else "is"
    no_or_some = "nothing" if negated else "something"
    match formula:
        case Atom("FREE_HAND", _):
            return f"the agent has {'no' if negated else 'a'} free hand"
        case And((Not(Atom("dusty", (thing,))), Not(Atom("stained", _)))) if not negated:
            return f"{thing} is clean"
        case Atom("ABSENT", (thing,)):
            return f"{thing} is {'' if negated else 'not '}there (its whole is not sliced)"
        case Atom("CAN_DUST" | "CAN_WASH" as tool, (thing,)):
            return (
                f"there is {'no' if negated else ''} ".rstrip() + " " + _tool(tool, thing, negated)
            )
        case Exists(_, Atom("holds_lh" | "holds_rh" as hand, _)):
            return f"{no_or_some} is in {_HANDS[hand]}"
        case Exists(_, Atom("onfloor", (thing, _))):
            return f"{thing} {is_or_not} on the floor"
        case Exists(_, And((Atom("HELD"), Atom(ability)))):
            return f"{'no' if negated else 'a'} {_STATES[ability].removeprefix('a ')} is in a hand"
        case Exists(_, And((Atom("holds_lh" | "holds_rh" as hand, _), condition))):
            return _about_held(_HANDS[hand], condition, negated)
        case Atom(predicate, (thing,)):
            return f"{thing} {is_or_not} {_STATES.get(predicate, predicate)}"
        case Atom(predicate, (thing, other)):
            return f"{thing} {is_or_not} {_RELATIONS.get(predicate, predicate)} {other}"
        case Not(Atom("ABSENT", (thing,))):
            return phrase(Atom("ABSENT", (thing,)), not negated)
        case Not(body):
            return phrase(body, not negated)
        case And((Atom("dusty" | "stained" as dirt, (thing,)), Atom(tool, _))):
            if negated:
                return f"{thing} is not {dirt} or there is no {_tool(tool, thing, True)}"
            return f"{thing} is {dirt} and there is {_tool(tool, thing, False)}"
        case And(parts) | Or(parts):
            both = isinstance(formula, And) != negated
            return (", and " if both else " or ").join(phrase(p, negated) for p in parts)
        case Implies(left, right):
            return phrase(right, negated) if negated else phrase(Or((Not(left), right)))
    return f"{'it is not true that ' if negated else ''}{formula}"


def _tool(tool: str, thing: str, negated: bool) -> str:
    text = _TOOLS.get(tool, tool).format(thing=thing)
    return text.removeprefix("a ") if negated else text


def _about_held(hand: str, condition: Formula, negated: bool) -> str:
    """A clause about what is in or on the thing in a hand, or about that thing."""
    match condition:
        case Atom("TOO_BIG", (_, place)):
            return f"what is in {hand} {'fits into' if negated else 'is too big for'} {place}"
        case Exists(_, And((Atom("LIES"), Atom("TOO_BIG", (_, place))))):
            fit = "all fits into" if negated else "some is too big for"
            return f"of what is in or on the thing in {hand} {fit} {place}"
        case Atom("NO_ROOM", (_, thing)):
            fit = "fits into" if negated else "is too big for"
            return f"what is in {hand} {fit} what {thing} is inside"
        case Exists(_, Atom("LIES")):
            return f"{'nothing' if negated else 'something'} is in or on what is in {hand}"
    return f"{'nothing' if negated else 'something'} in {hand}: {condition}"
