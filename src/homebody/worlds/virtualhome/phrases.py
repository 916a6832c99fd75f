"""Plain English for what was wrong with an action."""

from __future__ import annotations

import re

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
    "AT": "at",
    "NEXT_TO": "next to",
    "ONTOP": "on",
    "INSIDE": "inside",
    "FACED": "facing",
    "FACING": "facing",
    "HOLDS": "holding",
    "HOLDS_LH": "holding",
    "HOLDS_RH": "holding",
}

_HEAD = re.compile(r"\S+ is (not )?")


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
        case Exists(_, Atom("IN_ROOM", (thing, _))):
            return f"{thing} {is_or_not} in {'any' if negated else 'a'} room"
        case Exists(_, And((Atom("IN_ROOM", (thing, _)), Atom("INSIDE" | "IN_ROOM", (char, _))))):
            return f"{char} {is_or_not} in the room of {thing}"
        case Exists(_, And((Atom("ONTOP", (_, thing)), Atom("EATABLE")))):
            return f"{'no' if negated else 'some'} food is on {thing}"
        case Exists(_, And((Atom("HOLDS", (char, _)), Atom("KNIFE")))):
            return f"{char} {is_or_not} holding a knife"
        case And((Atom() as place, Not(Atom("HOLDS")))) if not negated:
            return phrase(place)
        case Not(Atom("WITHIN", (thing, other))):
            return f"{thing} is {'' if negated else 'not '}{other} itself, or in or on it"
        case Atom("IS_A", (thing, category)):
            return f"{thing} {is_or_not} {category}"
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
            clauses = [phrase(p, negated) for p in _flat(type(formula), parts)]
            return _join(clauses, "and" if both else "or")
        case Implies(left, right):
            return phrase(right, negated) if negated else phrase(Or((Not(left), right)))
        case Exists(variable, Atom(_, args) as body) if args[-1] == variable:
            return phrase(body, negated)
    return f"{'it is not true that ' if negated else ''}{formula}"


def _flat(connective: type[And | Or], parts: tuple[Formula, ...]) -> list[Formula]:
    """The parts, with those that are of the same connective taken apart."""
    flat: list[Formula] = []
    for part in parts:
        flat += _flat(connective, part.parts) if isinstance(part, connective) else [part]
    return flat


def _join(clauses: list[str], word: str) -> str:
    """Clauses as one, without repeating a beginning that all share.

    "x is not a drink", "x is not food" and "and" make "x is not a drink or food".
    """
    heads = {match[0] if (match := _HEAD.match(clause)) else clause for clause in clauses}
    head = heads.pop() if len(heads) == 1 else ""
    negative = head.endswith(" not ")
    if len(clauses) < 2 or not head or (negative and word == "or"):
        return f" {word} ".join(clauses)
    ends = [clause.removeprefix(head) for clause in clauses]
    return f"{head}{', '.join(ends[:-1])} {'or' if negative else word} {ends[-1]}"
