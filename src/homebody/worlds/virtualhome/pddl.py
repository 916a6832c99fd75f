"""VirtualHome's actions as PDDL operators, generated from the schemas of :mod:`.actions`.

The operators have the names, parameters and predicates of the official domain of EAI's transition
modeling (EAI paper, section 2.6 and appendix M.3.4). That vocabulary cannot say everything the
schemas do: it has no classes of objects, no memory of where things were taken from, no number of
seats, and no way to say that one thing is somewhere within another. A condition that cannot be
said is left out of a precondition, and an effect that hangs on one is left out;
:class:`Translation` lists them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cache

from homebody.core.action import ActionSchema, Effect
from homebody.core.formula import (
    EQUALS,
    FALSE,
    TRUE,
    And,
    Atom,
    Exists,
    Forall,
    Formula,
    Implies,
    Not,
    Or,
    atoms,
    conjunction,
    substitute,
)
from homebody.worlds.virtualhome.actions import CHAR, OBJ, action_schemas, atom

OPERATORS = {
    "walk_towards": "WALK",
    "walk_into": "WALK",
    "find": "FIND",
    "sit": "SIT",
    "standup": "STANDUP",
    "grab": "GRAB",
    "open": "OPEN",
    "close": "CLOSE",
    "put_on": "PUTBACK",
    "put_on_character": "PUTON",
    "put_inside": "PUTIN",
    "switch_on": "SWITCHON",
    "switch_off": "SWITCHOFF",
    "drink": "DRINK",
    "turn_to": "TURNTO",
    "look_at": "LOOKAT",
    "wipe": "WIPE",
    "drop": "DROP",
    "read": "READ",
    "touch": "TOUCH",
    "lie": "LIE",
    "pour": "POUR",
    "type": "TYPE",
    "watch": "WATCH",
    "move": "MOVE",
    "wash": "WASH",
    "squeeze": "SQUEEZE",
    "plug_in": "PLUGIN",
    "plug_out": "PLUGOUT",
    "cut": "CUT",
    "eat": "EAT",
    "sleep": "SLEEP",
    "wake_up": "WAKEUP",
}
"""Operator of the official domain -> the action it stands for."""

_TOOL, _ROOM = "?tool", "?place"
_MORE_PARAMETERS = {"wipe": (_TOOL,), "drop": (_ROOM,), "sleep": (OBJ,), "wake_up": (OBJ,)}
"""Parameters that the official operators have and the schemas do not."""
_WITNESSES = {"wipe": {"?held": _TOOL}, "drop": {"?room": _ROOM}}
"""Quantified variables that those parameters stand for."""
_KNOWN: Mapping[str, Mapping[Atom, bool]] = {
    "walk_towards": {atom("ROOM", OBJ): False},
    "walk_into": {atom("ROOM", OBJ): True, atom("CAN_OPEN", OBJ): False},
    "find": {atom("ROOM", OBJ): False},
}
"""What is true or false of the parameters because there are two operators for one action."""

_CHARACTER = frozenset({"sitting", "lying"})
_UNARY = frozenset(
    [
        *("closed", "open", "on", "off", "plugged_in", "plugged_out", "clean", "dirty"),
        *("grabbable", "cuttable", "can_open", "readable", "has_paper", "movable", "pourable"),
        *("cream", "has_switch", "lookable", "has_plug", "drinkable", "body_part", "recipient"),
        *("containers", "cover_object", "surfaces", "sittable", "lieable", "person", "hangable"),
        *("clothes", "eatable"),
    ]
)
_OF_CHARACTER = {
    "NEAR": "next_to",
    "NEXT_TO": "next_to",
    "FACING": "facing",
    "FACED": "facing",
    "ONTOP": "ontop",
    "INSIDE": "inside",
    "IN_ROOM": "inside",
    "HOLDS_RH": "holds_rh",
    "HOLDS_LH": "holds_lh",
}
_OF_OBJECTS = {
    "NEXT_TO": "obj_next_to",
    "ONTOP": "obj_ontop",
    "INSIDE": "obj_inside",
    "IN_ROOM": "inside_room",
    "SUPPORT_ONTOP": "obj_ontop",
    "SUPPORT_INSIDE": "obj_inside",
    "SUPPORT_NEXT_TO": "obj_next_to",
}


@dataclass(frozen=True, slots=True)
class Translation:
    """One operator.

    Attributes:
        name: In the official domain.
        action: The action it stands for.
        text: ``(:action ...)``
        unsaid: What the schema says and the official predicates cannot, as predicates of the
            schema; each once.
    """

    name: str
    action: str
    text: str
    unsaid: tuple[str, ...]


@cache
def translations() -> Mapping[str, Translation]:
    """All 33 operators of the official domain by name, in its order."""
    schemas = action_schemas()
    return {name: _translate(name, schemas[action]) for name, action in OPERATORS.items()}


def _translate(name: str, schema: ActionSchema) -> Translation:
    known = _KNOWN.get(name, {})
    words = _Words({"?room", _ROOM, *(a.args[0] for a, true in known.items() if true)})
    intended = () if schema.intended is None else (Not(schema.intended),)
    conditions = _flat(
        _simple(_with_witness(part, _WITNESSES.get(name, {})), known)
        for part in (*schema.affordances, *schema.preconditions, *intended)
    )
    if name == "drop":
        conditions.append(atom("IN_ROOM", CHAR, _ROOM))
    preconditions = [said for part in conditions if (said := words.condition(part)) is not None]
    effects = [
        said
        for effect in schema.effects
        for said in words.effects(_resolved(effect, known, _WITNESSES.get(name, {})))
    ]
    parameters = [parameter.name for parameter in schema.parameters]
    parameters += _MORE_PARAMETERS.get(name, ())
    typed = " ".join(f"{p} - {'character' if p == CHAR else 'object'}" for p in parameters)
    text = (
        f"(:action {name}\n  :parameters ({typed})\n"
        f"  :precondition {_all(preconditions)}\n  :effect {_all(effects)}\n)"
    )
    return Translation(name, schema.name, text, tuple(dict.fromkeys(words.unsaid)))


def _all(parts: list[str]) -> str:
    distinct = list(dict.fromkeys(parts))
    if not distinct:
        return "()"
    return distinct[0] if len(distinct) == 1 else f"(and {' '.join(distinct)})"


# -- what is known of the parameters -------------------------------------------------------------


def _simple(formula: Formula, known: Mapping[Atom, bool]) -> Formula:
    """The formula with what is known put in, and without what that settles."""
    match formula:
        case Atom():
            if formula in known:
                return TRUE if known[formula] else FALSE
            predicate, args = formula.predicate, formula.args
            if predicate == "IN_ROOM" and args[0] == OBJ and known.get(atom("ROOM", OBJ)):
                return Atom(EQUALS, (args[1], OBJ))  # a room is in itself
            if predicate == "WITHIN":  # what is in a thing cannot be said; the thing itself can
                return Atom(EQUALS, args)
            return formula
        case Not(body):
            simple = _simple(body, known)
            if simple in (TRUE, FALSE):
                return FALSE if simple == TRUE else TRUE
            match simple:
                case Not(inner):
                    return inner
                case And(parts) if all(isinstance(part, Not) for part in parts):
                    return Or(tuple(part.body for part in parts if isinstance(part, Not)))
            return Not(simple)
        case And(parts):
            left = [p for part in parts if (p := _simple(part, known)) != TRUE]
            return FALSE if FALSE in left else conjunction(*left)
        case Or(parts):
            left = [p for part in parts if (p := _simple(part, known)) != FALSE]
            if TRUE in left:
                return TRUE
            return left[0] if len(left) == 1 else Or(tuple(left))
        case Implies(left_side, right_side):
            return _simple(Or((Not(left_side), right_side)), known)
        case Exists(variable, body):
            simple = _simple(body, known)
            match simple:
                # that a thing is in some room: the official problems know it of few things
                case Atom("=" | "IN_ROOM", args) if variable in args:
                    return TRUE
            return Exists(variable, simple)
        case Forall(variable, body):
            return Forall(variable, _simple(body, known))
    return formula


def _flat(formulas: Iterator[Formula]) -> list[Formula]:
    return [
        part
        for formula in formulas
        for part in (formula.parts if isinstance(formula, And) else (formula,))
    ]


def _with_witness(formula: Formula, witnesses: Mapping[str, str]) -> Formula:
    """A parameter in the place of a variable of which something is said to exist."""
    if isinstance(formula, Exists) and formula.variable in witnesses:
        return substitute(formula.body, witnesses)
    return formula


def _resolved(effect: Effect, known: Mapping[Atom, bool], witnesses: Mapping[str, str]) -> Effect:
    """The effect with what is known put in, and without variables that have one value."""
    when, each = _simple(effect.when, known), _simple(effect.each, known)
    values = {v: witnesses[v] for v in effect.variables if v in witnesses}
    for part in each.parts if isinstance(each, And) else (each,):
        if isinstance(part, Atom) and part.predicate == EQUALS and part.args[0] in effect.variables:
            values[part.args[0]] = part.args[1]
    if not values:
        return replace(effect, when=when, each=each)
    equal = {Atom(EQUALS, (value, value)): True for value in values.values()}
    return Effect(
        add=tuple(Atom(a.predicate, tuple(values.get(t, t) for t in a.args)) for a in effect.add),
        delete=tuple(
            Atom(a.predicate, tuple(values.get(t, t) for t in a.args)) for a in effect.delete
        ),
        when=when,
        variables=tuple(v for v in effect.variables if v not in values),
        each=_simple(substitute(each, values), {**known, **equal}),
    )


# -- putting it into words -----------------------------------------------------------------------


@dataclass
class _Words:
    """Writes formulas with the official predicates, and keeps what they cannot say."""

    rooms: set[str]
    unsaid: list[str] = field(default_factory=list)

    def condition(self, formula: Formula, strict: bool = False) -> str | None:
        """``None`` if it cannot be said. A part of a conjunction that cannot be said is left out,
        unless ``strict``; so is an alternative."""
        match formula:
            case Atom():
                return self._atom(formula)
            case Not(body):
                said = self.condition(body, strict=True)
                return None if said is None else f"(not {said})"
            case And(parts):
                found = [self.condition(part, strict) for part in parts]
                if strict and None in found:
                    return None
                words = [said for said in found if said is not None]
                return _all(words) if words or not parts else None
            case Or(parts):
                alternatives = [s for part in parts if (s := self.condition(part, True))]
                return self._any(alternatives)
            case Exists(variable, body) | Forall(variable, body):
                said = self.condition(body, strict)
                word = "exists" if isinstance(formula, Exists) else "forall"
                return None if said is None else f"({word} ({variable} - object) {said})"
        self.unsaid.extend(a.predicate for a in atoms(formula))
        return None

    @staticmethod
    def _any(alternatives: list[str]) -> str | None:
        if not alternatives:
            return None
        return alternatives[0] if len(alternatives) == 1 else f"(or {' '.join(alternatives)})"

    def effects(self, effect: Effect) -> Iterator[str]:
        """One for each fact that is added or deleted, if it and its conditions can be said."""
        condition = conjunction(effect.when, effect.each)
        if condition == FALSE:
            return
        when = self.condition(condition, strict=True)
        if when is None:
            return
        for fact, added in (
            *((fact, False) for fact in effect.delete),
            *((fact, True) for fact in effect.add),
        ):
            said = self._atom(fact)
            if said is None or not said.startswith("("):
                continue
            literal = said if added else f"(not {said})"
            variables = effect.variables
            if said == when:  # to delete what is there, or nothing, is to delete
                inner = literal
            else:
                inner = literal if condition == TRUE else f"(when {when} {literal})"
            if variables:
                typed = " ".join(f"{v} - object" for v in variables)
                inner = f"(forall ({typed}) {inner})"
            yield inner

    def _atom(self, formula: Atom) -> str | None:
        predicate, args = formula.predicate, formula.args
        derived = _DERIVED.get(predicate)
        if derived is not None:
            return derived(*args)
        name = predicate.lower()
        if len(args) == 1:
            if name in (_CHARACTER if args[0] == CHAR else _UNARY):
                return f"({name} {args[0]})"
        elif predicate == EQUALS:
            return f"(= {args[0]} {args[1]})"
        elif args[0] == CHAR and predicate in _OF_CHARACTER:
            return f"({_OF_CHARACTER[predicate]} {CHAR} {args[1]})"
        elif args[1] == CHAR:
            if predicate == "ONTOP":
                return f"(on_char {args[0]} {CHAR})"
            if predicate == "NEXT_TO":  # the same fact the other way round
                return None
        elif predicate == "INSIDE" and args[1] in self.rooms:
            return f"(inside_room {args[0]} {args[1]})"
        elif predicate in _OF_OBJECTS:
            return f"({_OF_OBJECTS[predicate]} {args[0]} {args[1]})"
        self.unsaid.append(predicate)
        return None


def _holds(char: str, thing: str) -> str:
    return f"(or (holds_lh {char} {thing}) (holds_rh {char} {thing}))"


def _free_hand(char: str) -> str:
    return (
        f"(not (and (exists (?left - object) (holds_lh {char} ?left))"
        f" (exists (?right - object) (holds_rh {char} ?right))))"
    )


def _sealed(thing: str) -> str:
    return f"(exists (?shut - object) (and (obj_inside {thing} ?shut) (closed ?shut)))"


def _carried(char: str, thing: str) -> str:
    return f"(or (holds_lh {char} {thing}) (holds_rh {char} {thing}) (on_char {thing} {char}))"


_DERIVED: Mapping[str, Callable[..., str]] = {
    "HOLDS": _holds,
    "FREE_HAND": _free_hand,
    "SEALED": _sealed,
    "CARRIED": _carried,
}
