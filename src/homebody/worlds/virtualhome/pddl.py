"""VirtualHome's actions as PDDL operators, generated from the schemas of :mod:`.actions`.

The operators have the names, parameters and predicates of the official domain of EAI's transition
modeling (EAI paper, section 2.6 and appendix M.3.4). That vocabulary has no classes of objects, no
origins of objects, no number of seats, and no way to say that an object is somewhere within
another. Conditions that it cannot express are omitted from preconditions, and effects that depend
on them are omitted; :class:`Translation` lists them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cache

from homebody.core.action import ActionSchema, Effect
from homebody.core.formula import (
    EQUALS,
    FALSE,
    TRUE,
    And,
    Atom,
    Exists,
    Formula,
    Not,
    Parameter,
    flat_parts,
    substitute,
)
from homebody.planning.pddl import parse_expression
from homebody.planning.pddl.printing import whole_text
from homebody.planning.pddl.schemas import Wording, simplify
from homebody.planning.sexpr import parameters_text
from homebody.worlds.virtualhome.actions import (
    CHAR,
    LYING,
    OBJ,
    SETTLED,
    SITTING,
    action_schemas,
    atom,
)

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
"""Parameters of the official operators that the schemas lack."""
_WITNESSES = {"wipe": {"?held": _TOOL}, "drop": {"?room": _ROOM}}
"""Quantified variables that these parameters replace."""
_MOVES = frozenset({"WALK", "TURNTO", "PUTBACK", "PUTIN", "PUTON"})
"""Actions that may be repeated without effect, as in the official operators."""
_RESTING: Mapping[str, Formula] = {"SIT": SITTING, "LIE": LYING}
"""Action -> the fact that stands for its effect. The official operators ignore that the character
may sit or lie elsewhere."""
_KNOWN: Mapping[str, Mapping[Atom, bool]] = {
    "walk_towards": {atom("ROOM", OBJ): False},
    "walk_into": {atom("ROOM", OBJ): True, atom("CAN_OPEN", OBJ): False},
    "find": {atom("ROOM", OBJ): False},
}
"""Truth values of facts about parameters, if an action has two operators."""

_CHARACTER = frozenset({"sitting", "lying"})
_UNARY = frozenset({
    "closed", "open", "on", "off", "plugged_in", "plugged_out", "clean", "dirty", "grabbable",
    "cuttable", "can_open", "readable", "has_paper", "movable", "pourable", "cream", "has_switch",
    "lookable", "has_plug", "drinkable", "body_part", "recipient", "containers", "cover_object",
    "surfaces", "sittable", "lieable", "person", "hangable", "clothes", "eatable",
})  # fmt: skip
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
        name: Its name in the official domain.
        action: The action it stands for.
        text: ``(:action ...)``
        unsaid: Predicates of the schema that the official ones cannot express, each once.
    """

    name: str
    action: str
    text: str
    unsaid: tuple[str, ...]


@cache
def translations() -> Mapping[str, Translation]:
    """Return all 33 operators of the official domain by name, in its order."""
    schemas = action_schemas()
    return {name: _translate(name, schemas[action]) for name, action in OPERATORS.items()}


def _translate(name: str, schema: ActionSchema) -> Translation:
    known, witnesses = _KNOWN.get(name, {}), _WITNESSES.get(name, {})
    rooms = {"?room", _ROOM, *(a.args[0] for a, true in known.items() if true)}
    wording = Wording(lambda fact: _to_official(fact, rooms))
    redundant = None if schema.name in _MOVES else _RESTING.get(schema.name, schema.intended)
    intended = () if redundant is None else (Not(redundant),)
    needs = (part for part in schema.preconditions if part not in SETTLED)
    parts = (
        _simplify(_put_witness(part, witnesses), known)
        for part in dict.fromkeys((*schema.affordances, *needs, *intended))
    )
    conditions = flat_parts(And, parts)
    conditions = list(dict.fromkeys(conditions))  # parts of a thing become the thing itself
    if name == "drop":
        conditions.append(atom("IN_ROOM", CHAR, _ROOM))
    operator = wording.operator(
        name,
        [
            Parameter(variable, "character" if variable == CHAR else "object")
            for variable in (*(p.name for p in schema.parameters), *_MORE_PARAMETERS.get(name, ()))
        ],
        conditions,
        (_resolve(effect, known, witnesses) for effect in schema.effects),
    )
    text = (
        f"(:action {name}\n  :parameters ({parameters_text(operator.parameters)})\n"
        f"  :precondition {whole_text(operator.precondition)}\n"
        f"  :effect {whole_text(operator.effect)}\n)"
    )
    return Translation(name, schema.name, text, tuple(dict.fromkeys(wording.unsaid)))


# -- known facts of the parameters ---------------------------------------------------------------


def _simplify(formula: Formula, known: Mapping[Atom, bool]) -> Formula:
    """Substitute known facts into the formula and simplify it."""

    def replace_part(part: Formula) -> Formula:
        match part:
            case Atom() if part in known:
                return TRUE if known[part] else FALSE
            case Atom("IN_ROOM", (thing, room)) if thing == OBJ and known.get(atom("ROOM", OBJ)):
                return Atom(EQUALS, (room, OBJ))  # a room is in itself
            case Atom("IS_A", (_, "character")):
                return FALSE  # objects are of another type
            case Atom("WITHIN", args):  # contents cannot be expressed, only the thing itself
                return Atom(EQUALS, args)
            case Exists(variable, Atom("=" | "IN_ROOM", args)) if variable in args:
                # being in some room: the official problems state it for few things
                return TRUE
        return part

    return simplify(formula, replace_part)


def _put_witness(formula: Formula, witnesses: Mapping[str, str]) -> Formula:
    """Replace an existentially quantified variable by its parameter."""
    if isinstance(formula, Exists) and formula.variable in witnesses:
        return substitute(formula.body, witnesses)
    return formula


def _resolve(effect: Effect, known: Mapping[Atom, bool], witnesses: Mapping[str, str]) -> Effect:
    """Substitute known facts into the effect, and variables that have one value."""
    when, each = _simplify(effect.when, known), _simplify(effect.each, known)
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
        each=_simplify(substitute(each, values), {**known, **equal}),
    )


# -- the official predicates ---------------------------------------------------------------------


def _to_official(fact: Atom, rooms: Iterable[str]) -> Formula | None:
    """Translate an atom of the schemas to the official predicates; None if impossible."""
    predicate, args = fact.predicate, fact.args
    if predicate in _DERIVED:
        return parse_expression(_DERIVED[predicate].format(*args))
    name = predicate.lower()
    if len(args) == 1:
        return Atom(name, args) if name in (_CHARACTER if args[0] == CHAR else _UNARY) else None
    if predicate == EQUALS:
        return fact
    if args[0] == CHAR and predicate in _OF_CHARACTER:
        return Atom(_OF_CHARACTER[predicate], args)
    if args[1] == CHAR:
        if predicate == "ONTOP":
            return Atom("on_char", args)
        return TRUE if predicate == "NEXT_TO" else None  # the same fact reversed
    if predicate == "INSIDE" and args[1] in rooms:
        return Atom("inside_room", args)
    return Atom(_OF_OBJECTS[predicate], args) if predicate in _OF_OBJECTS else None


_DERIVED = {
    "HOLDS": "(or (holds_lh {0} {1}) (holds_rh {0} {1}))",
    "FREE_HAND": "(not (and (exists (?left - object) (holds_lh {0} ?left))"
    " (exists (?right - object) (holds_rh {0} ?right))))",
    "SEALED": "(exists (?shut - object) (and (obj_inside {0} ?shut) (closed ?shut)))",
    "CARRIED": "(or (holds_lh {0} {1}) (holds_rh {0} {1}) (on_char {1} {0}))",
}
"""Derived predicates of the world -> their definition in the official ones."""
