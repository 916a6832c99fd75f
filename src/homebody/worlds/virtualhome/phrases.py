"""English explanations of problems with an action."""

from __future__ import annotations

from homebody.core.action import join_clauses
from homebody.core.formula import And, Atom, Exists, Formula, Implies, Not, Or, atoms, substitute
from homebody.worlds.virtualhome import actions as a
from homebody.worlds.virtualhome import published

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
    "PERSON": "a person",
    "KNIFE": "a knife",
    "SEALED": "shut inside something closed",
    "BODY_PART": "a part of the body",
}
_DONE = {
    "GRABBABLE": "grabbed",
    "CAN_OPEN": "opened",
    "SITTABLE": "sat on",
    "LIEABLE": "lain on",
    "READABLE": "read",
    "LOOKABLE": "watched",
    "DRINKABLE": "drunk",
    "EATABLE": "eaten",
    "CUTTABLE": "cut",
    "POURABLE": "poured",
    "RECIPIENT": "poured into",
    "MOVABLE": "moved",
    "CLOTHES": "worn",
}
_HAS = {"HAS_SWITCH": "switch", "HAS_PLUG": "plug"}
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

_CLASSES = {
    substitute(formula, {a.DEST: a.OBJ}): done
    for formulas, done in (
        ((a.CAN_GRAB, published.CAN_GRAB), "grabbed"),
        ((a.CAN_OPEN, published.CAN_OPEN), "opened"),
        ((a.CAN_DRINK,), "drunk"),
        ((a.CAN_POUR,), "poured"),
        ((a.CAN_RECEIVE, published.CAN_RECEIVE), "poured into"),
        ((a.CAN_TYPE,), "typed on"),
        ((published.CAN_MOVE,), "moved"),
        ((a.CAN_SQUEEZE, published.CAN_SQUEEZE), "squeezed"),
    )
    for formula in formulas
}
"""Uses of objects that have a property or are of certain classes."""


def phrase(formula: Formula, negated: bool = False) -> str:
    """Return a formula, or its negation, as a clause of a sentence."""
    is_or_not = "is not" if negated else "is"
    can_or_not = "cannot" if negated else "can"
    match formula:
        case Atom("FREE_HAND", (char,)):
            return f"{char} {'has no' if negated else 'has a'} free hand"
        case Atom("SEAT_FREE" | "BED_FREE", (thing,)):
            return f"{thing} {'has no' if negated else 'has'} space left"
        case Atom("ORIGIN_NEAR", (char, thing)):
            return f"{char} {is_or_not} near where {thing} was taken from, or that is closed"
        case Exists(_, Atom("TAKEN_FROM", (thing, _))):
            return f"{thing} was {'not taken from anywhere' if negated else 'taken from somewhere'}"
        case Exists(_, Atom("IN_ROOM", (thing, _))):
            return f"{thing} {is_or_not} in {'any' if negated else 'a'} room"
        case Exists(_, And((Atom("IN_ROOM", (thing, _)), Atom("INSIDE" | "IN_ROOM", (char, _))))):
            return f"{char} {is_or_not} in the room of {thing}"
        case Or((Atom("EATABLE", (thing,)), Exists(_, And((Atom("ONTOP"), Atom("EATABLE")))))):
            is_or_has = "is not food and has none" if negated else "is food or has some"
            return f"{thing} {is_or_has} on it"
        case Exists(_, And((Atom("HOLDS", (char, _)), Atom("KNIFE")))):
            return f"{char} {is_or_not} holding a knife"
        case And((Atom() as place, Not(Atom("HOLDS")))) if not negated:
            return phrase(place)
        case Not(Atom("=", (thing, _))) if negated:
            return f"{thing} would be in or on itself"
        case Not(Atom("WITHIN", (thing, other))):
            return f"{thing} is {'' if negated else 'not '}in or on {other}"
        case And((Not(Atom("SITTING", (char,))), Not(Atom("LYING")))):
            return f"{char} is {'not ' if negated else ''}standing"
        case And((Atom("SITTING" | "LYING") as rest, Atom("ONTOP", (_, seat)))) if not negated:
            return f"{phrase(rest)} on {seat}"
        case Implies(Atom("SITTING" | "LYING") as rest, Atom("ONTOP")) if negated:
            return f"{phrase(rest)} elsewhere"
        case Not(Atom("IS_A", (thing, "character"))) if negated:
            return f"{thing} is oneself"
        case Atom("IS_A", (thing, category)):
            return f"{thing} {is_or_not} {category}"
        case Atom(predicate, (thing,)) if predicate in _DONE:
            return f"{thing} {can_or_not} be {_DONE[predicate]}"
        case Atom(predicate, (thing,)) if predicate in _HAS:
            return f"{thing} has {'no' if negated else 'a'} {_HAS[predicate]}"
        case Atom(predicate, (thing,)):
            return f"{thing} {is_or_not} {_STATES.get(predicate, predicate)}"
        case Or() if (done := _CLASSES.get(_generalise(formula))) is not None:
            return f"{next(iter(atoms(formula))).args[0]} {can_or_not} be {done}"
        case Atom(predicate, (thing, other)):
            name = "anything" if negated and other.startswith("?") else other
            name = "something" if name.startswith("?") else name
            return f"{thing} {is_or_not} {_RELATIONS.get(predicate, predicate)} {name}"
        case Not(body):
            return phrase(body, not negated)
        case And(parts) | Or(parts):
            both = isinstance(formula, And) != negated
            clauses = [phrase(p, negated) for p in _flatten(type(formula), parts)]
            return join_clauses(clauses, "and" if both else "or")
        case Implies(left, right):
            return phrase(right, negated) if negated else phrase(Or((Not(left), right)))
        case Exists(variable, Atom(_, args) as body) if args[-1] == variable:
            return phrase(body, negated)
    return f"{'it is not true that ' if negated else ''}{formula}"


def _generalise(formula: Or) -> Formula:
    """Replace the formula's first object by ``?obj``."""
    thing = next((atom.args[0] for atom in atoms(formula)), "")
    return substitute(formula, {thing: a.OBJ})


def _flatten(connective: type[And | Or], parts: tuple[Formula, ...]) -> list[Formula]:
    """Return the parts, expanding parts of the same connective."""
    flat: list[Formula] = []
    for part in parts:
        flat += _flatten(connective, part.parts) if isinstance(part, connective) else [part]
    return flat
