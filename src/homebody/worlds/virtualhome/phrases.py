"""Plain English for what was wrong with an action."""

from __future__ import annotations

from homebody.core.action import ErrorType
from homebody.core.formula import And, Atom, Exists, Formula, Implies, Not, Or

_STATES = {
    "OPEN": "open",
    "CLOSED": "closed",
    "ON": "switched on",
    "OFF": "switched off",
    "PLUGGED_IN": "plugged in",
    "PLUGGED_OUT": "unplugged",
    "SITTING": "sitting",
    "LYING": "lying",
    "CLEAN": "clean",
    "DIRTY": "dirty",
    "GRABBABLE": "something that can be grabbed",
    "CAN_OPEN": "something that can be opened",
    "HAS_SWITCH": "something with a switch",
    "HAS_PLUG": "something with a plug",
    "SITTABLE": "something to sit on",
    "LIEABLE": "something to lie on",
    "READABLE": "something to read",
    "LOOKABLE": "something to watch",
    "DRINKABLE": "a drink",
    "EATABLE": "food",
    "CUTTABLE": "something that can be cut",
    "POURABLE": "something that can be poured",
    "RECIPIENT": "something to pour into",
    "CLOTHES": "clothes",
    "MOVABLE": "something that can be moved",
    "PERSON": "a person",
    "KNIFE": "a knife",
    "SEALED": "shut inside something closed",
    "BODY_PART": "a part of the body",
}
_RELATIONS = {
    "NEAR": "near",
    "NEXT_TO": "next to",
    "ONTOP": "on",
    "INSIDE": "inside",
    "FACED": "facing",
    "FACING": "facing",
    "HOLDS": "holding",
    "HOLDS_LH": "holding",
    "HOLDS_RH": "holding",
    "IN_ROOM": "in the room",
    "TAKEN_FROM": "a thing taken from",
}


def explain(error: ErrorType, unmet: tuple[Formula, ...]) -> str:
    """One sentence on why an action could not be executed."""
    if error is ErrorType.ADDITIONAL_STEP:
        return "Not needed: " + " and ".join(phrase(f) for f in unmet) + " already."
    text = " and ".join(phrase(f, negated=True) for f in unmet)
    return f"Not possible: {text}."


def phrase(formula: Formula, negated: bool = False) -> str:
    """A formula, or its negation, as a clause of a sentence."""
    is_or_not = "is not" if negated else "is"
    match formula:
        case Atom("FREE_HAND", (char,)):
            return f"{char} {'has no' if negated else 'has a'} free hand"
        case Atom("SEAT_FREE" | "BED_FREE", (thing,)):
            return f"{thing} {'has no' if negated else 'has'} space left"
        case Atom("ORIGIN_NEAR", (char, thing)):
            return f"{char} {is_or_not} near where {thing} was taken from, or that is closed"
        case Exists(_, Atom("TAKEN_FROM", (thing, _))):
            return f"{thing} was {'not ' if negated else ''}taken from anywhere"
        case Atom("IS_A", (thing, category)):
            return f"{thing} {is_or_not} a {category}"
        case Atom(predicate, (thing,)):
            return f"{thing} {is_or_not} {_STATES.get(predicate, predicate)}"
        case Atom(predicate, (thing, other)):
            name = "anything" if negated and other.startswith("?") else other
            name = "something" if name.startswith("?") else name
            return f"{thing} {is_or_not} {_RELATIONS.get(predicate, predicate)} {name}"
        case Not(body):
            return phrase(body, not negated)
        case And(parts) | Or(parts):
            both = isinstance(formula, And) != negated
            return (" and " if both else " or ").join(phrase(p, negated) for p in parts)
        case Implies(left, right):
            return phrase(right, negated) if negated else phrase(Or((Not(left), right)))
        case Exists(variable, Atom(_, args) as body) if args[-1] == variable:
            return phrase(body, negated)
        case Exists(variable, And(parts)) if all(isinstance(p, Atom) for p in parts):
            kinds = [p for p in parts if isinstance(p, Atom) and p.args == (variable,)]
            links = [p for p in parts if isinstance(p, Atom) and p.args[-1] == variable][:1]
            if kinds and links and links[0] not in kinds:
                verb = phrase(links[0], negated).removesuffix("something").removesuffix("anything")
                return verb + " or ".join(_STATES.get(k.predicate, k.predicate) for k in kinds)
    return f"{'it is not true that ' if negated else ''}{formula}"
