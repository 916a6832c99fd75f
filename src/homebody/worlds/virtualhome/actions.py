"""The 42 actions of VirtualHome as data (44 names: LOOKAT has two variants).

Facts use the predicate names of the official LTL vocabulary: unary ``OPEN``, ``CLOSED``, ``ON``
(switched on), ``OFF``, ``PLUGGED_IN``, ``PLUGGED_OUT``, ``CLEAN``, ``DIRTY``, ``SITTING``,
``LYING``; binary ``ONTOP``, ``INSIDE``, ``BETWEEN``, ``NEXT_TO``, ``FACING``, ``HOLDS_RH``,
``HOLDS_LH`` (EAI paper, table 29). Affordances are object properties (``GRABBABLE`` ...). Derived
predicates (``NEAR``, ``HOLDS``, ``IN_ROOM`` ...) are defined in
:mod:`homebody.worlds.virtualhome.view`.

Conditions and effects follow the paper's simulator, reorganised into affordance, intended effect
and precondition as in figure 19. Its mistakes are kept behind quirks, listed in
:mod:`homebody.worlds.virtualhome.published`.

These are never additional steps, as they have no intended effect
(``docs/benchmarks/eai-protocols.md``):

- actions that leave no trace in the facts: looking, touching, pushing, squeezing, typing, reading,
  drinking, eating, cutting, greeting, sleeping, waking up;
- WASH, RINSE, SCRUB, WIPE and POUR: goals require the action, and all objects that annotated plans
  wash are already clean;
- FIND, which annotated plans use for the object that they have just walked to;
- DROP, RELEASE and PUTOFF: if the object is not held (not worn) they are a missing step or a wrong
  order, like the paper's own example (appendix D.2);
- PUTOBJBACK: the origin of an object is forgotten when it is put down.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import cache

from homebody.core.action import ActionSchema, Effect
from homebody.core.formula import (
    EQUALS,
    TRUE,
    And,
    Atom,
    Exists,
    Formula,
    Implies,
    Not,
    Or,
    Parameter,
    atoms,
    conjunction,
    is_variable,
)

CHAR, OBJ, DEST = "?char", "?obj", "?dest"


def atom(predicate: str, *args: str) -> Atom:
    """Return ``predicate(args...)``."""
    return Atom(predicate, args)


def category_in(thing: str, *categories: str) -> Formula:
    """Return the condition that the object is of one of these classes."""
    return Or(tuple(atom("IS_A", thing, name) for name in categories))


NEAR = atom("NEAR", CHAR, OBJ)
NEAR_DEST = atom("NEAR", CHAR, DEST)
HOLDING = atom("HOLDS", CHAR, OBJ)
HOLDING_SOMETHING = Exists("?held", atom("HOLDS", CHAR, "?held"))
FREE_HAND = atom("FREE_HAND", CHAR)
SITTING, LYING = atom("SITTING", CHAR), atom("LYING", CHAR)
RESTING = Or((SITTING, LYING))
ON_FEET = (Not(SITTING), Not(LYING))
ON_IT = atom("ONTOP", CHAR, OBJ)
SETTLED = (Implies(SITTING, ON_IT), Implies(LYING, ON_IT))
"""The condition that the character does not sit or lie elsewhere. It must stand up before it takes
another seat."""
REACHABLE = Not(atom("SEALED", OBJ))
FACED = atom("FACED", CHAR, OBJ)
IN_SOME_ROOM = Exists("?room", atom("IN_ROOM", OBJ, "?room"))
SAME_ROOM = Exists(
    "?room", conjunction(atom("IN_ROOM", OBJ, "?room"), atom("INSIDE", CHAR, "?room"))
)
AT_HAND = Or((NEAR, atom("ONTOP", OBJ, CHAR), atom("BODY_PART", OBJ)))
GRABBABLE, MOVABLE = atom("GRABBABLE", OBJ), atom("MOVABLE", OBJ)
# the properties that prompts state, or the classes for which annotated plans need none
CAN_GRAB = Or((GRABBABLE, category_in(OBJ, "water")))
CAN_OPEN = Or((atom("CAN_OPEN", OBJ), category_in(OBJ, "desk")))
OPEN_DEST = Implies(atom("CAN_OPEN", DEST), atom("OPEN", DEST))
APART = Not(atom("WITHIN", DEST, OBJ))
OTHER = Not(atom(EQUALS, DEST, OBJ))
"""The condition that an object is not put in or on itself."""
CAN_DRINK = Or((atom("DRINKABLE", OBJ), atom("RECIPIENT", OBJ)))
CAN_POUR = Or((atom("POURABLE", OBJ), atom("DRINKABLE", OBJ)))
CAN_RECEIVE = Or((atom("RECIPIENT", DEST), category_in(DEST, "hands_both")))
CAN_TYPE = Or((atom("HAS_SWITCH", OBJ), category_in(OBJ, "keyboard")))
CAN_SQUEEZE = Or((atom("CLOTHES", OBJ), category_in(OBJ, "dish_soap", "soap", "tooth_paste")))
HOLDING_KNIFE = Exists(
    "?knife", conjunction(atom("HOLDS", CHAR, "?knife"), atom("KNIFE", "?knife"))
)
TAKEN = Exists("?from", atom("TAKEN_FROM", OBJ, "?from"))
ORIGIN_NEAR = atom("ORIGIN_NEAR", CHAR, OBJ)

ORIGINS = {"TAKEN_ONTOP": "ONTOP", "TAKEN_INSIDE": "INSIDE", "TAKEN_NEXT_TO": "NEXT_TO"}
"""Predicate for the origin of a grabbed object -> the relation that the object had to its
origin."""


def add(*atoms: Atom) -> Effect:
    """Return an effect that adds facts."""
    return Effect(add=atoms)


def delete(*atoms: Atom) -> Effect:
    """Return an effect that deletes facts."""
    return Effect(delete=atoms)


def delete_each(fact: Atom, where: Formula | None = None, *also: Formula) -> Effect:
    """Return an effect that deletes every fact that matches ``fact`` and the conditions.

    Variables other than parameters are free; ``where``, if given, is looked up first.
    """
    condition = conjunction(*((where,) if where is not None else ()), fact, *also)
    free = dict.fromkeys(v for part in atoms(condition) for v in part.args if is_variable(v))
    for parameter in (CHAR, OBJ, DEST):
        free.pop(parameter, None)
    return Effect(delete=(fact,), variables=tuple(free), each=condition)


def mutual(first: str, second: str) -> tuple[Atom, Atom]:
    """Return nearness in both directions."""
    return atom("NEXT_TO", first, second), atom("NEXT_TO", second, first)


def for_each(variable: str, each: Formula, *added: Atom, when: Formula = TRUE) -> Effect:
    """Return an effect that adds facts for every object for which ``each`` is true."""
    return Effect(add=added, when=when, variables=(variable,), each=each)


def leave_neighbours(thing: str) -> Effect:
    """Return an effect that deletes all nearness of ``thing``, which is always symmetric."""
    near = atom("NEXT_TO", thing, "?other")
    return Effect(delete=mutual(thing, "?other"), variables=("?other",), each=near)


def leave_all(thing: str, *predicates: str) -> tuple[Effect, ...]:
    """Return effects that delete every fact of these relations from and to ``thing``."""
    return tuple(
        delete_each(fact)
        for predicate in predicates
        for fact in (atom(predicate, thing, "?other"), atom(predicate, "?other", thing))
    )


FORGET_ORIGIN = tuple(delete_each(atom(memory, OBJ, "?from")) for memory in ORIGINS)
AT = atom("AT", CHAR, OBJ)
"""The condition that walking there would change nothing.

Nearness is not enough: objects in an open fridge are near only after walking to the fridge.
"""
LET_GO = delete(atom("HOLDS_RH", CHAR, OBJ), atom("HOLDS_LH", CHAR, OBJ))


def _walk(quirks: frozenset[str]) -> tuple[Effect, ...]:
    held, other = "?held", "?other"
    to_thing = Not(atom("ROOM", OBJ))
    arrive = (
        leave_neighbours(CHAR),
        *leave_all(CHAR, "INSIDE", "FACING"),
        for_each("?room", atom("IN_ROOM", OBJ, "?room"), atom("INSIDE", CHAR, "?room")),
        Effect(add=mutual(CHAR, OBJ), when=to_thing),
        for_each("?part", atom("BODY_PART", "?part"), *mutual(CHAR, "?part"), when=to_thing),
        for_each(
            other,
            conjunction(atom("INSIDE", OBJ, other), Not(atom("ROOM", other))),
            *mutual(CHAR, other),
            when=to_thing,
        ),
        for_each(
            other,
            atom("INSIDE", other, OBJ),
            *mutual(CHAR, other),
            when=conjunction(atom("CAN_OPEN", OBJ), Not(HOLDING)),
        ),
        for_each(other, atom("ONTOP", OBJ, other), *mutual(CHAR, other)),
    )
    if "held_objects_stay_behind" in quirks:
        moved = atom("HOLDS", CHAR, held)
        gone = tuple(
            delete_each(fact, moved)
            for predicate in ("INSIDE", "NEXT_TO", "FACING")
            for fact in (atom(predicate, held, other), atom(predicate, other, held))
        )
        entered = atom("IN_ROOM", CHAR, "?room")  # still the room being left
    else:
        moved = atom("CARRIED", CHAR, held)
        gone = (
            delete_each(atom("NEXT_TO", held, other), moved, Not(atom("CARRIED", CHAR, other))),
            delete_each(atom("NEXT_TO", other, held), moved, Not(atom("CARRIED", CHAR, other))),
            delete_each(atom("INSIDE", held, other), moved, atom("ROOM", other)),
            delete_each(atom("FACING", held, other), moved),
            delete_each(atom("FACING", other, held), moved),
        )
        entered = atom("IN_ROOM", OBJ, "?room")
    inside = Effect(
        add=(atom("INSIDE", held, "?room"),),
        variables=(held, "?room"),
        each=conjunction(moved, entered),
    )
    return (*arrive, *gone, inside, for_each(held, moved, *mutual(CHAR, held)))


def _grab(quirks: frozenset[str]) -> tuple[Effect, ...]:
    part, other = "?part", "?other"
    if "contents_left_behind" in quirks:
        detach: tuple[Effect, ...] = (
            leave_neighbours(OBJ),
            *leave_all(OBJ, "ONTOP", "INSIDE", "HOLDS_LH", "HOLDS_RH"),
        )
        attach: tuple[Effect, ...] = (
            add(*mutual(CHAR, OBJ)),
            for_each("?room", atom("IN_ROOM", CHAR, "?room"), atom("INSIDE", OBJ, "?room")),
        )
    else:
        within = atom("WITHIN", part, OBJ)
        apart = Not(atom("WITHIN", other, OBJ))
        detach = (
            delete_each(atom("ONTOP", part, other), within, atom("ONTOP", OBJ, other)),
            delete_each(atom("INSIDE", part, other), within, atom("INSIDE", OBJ, other)),
            delete_each(atom("NEXT_TO", part, other), within, apart),
            delete_each(atom("NEXT_TO", other, part), within, apart),
            delete_each(atom("INSIDE", part, other), within, atom("ROOM", other)),
        )
        attach = (
            for_each(part, within, *mutual(CHAR, part)),
            Effect(
                add=(atom("INSIDE", part, "?room"),),
                variables=(part, "?room"),
                each=conjunction(within, atom("IN_ROOM", CHAR, "?room")),
            ),
        )
    # its support is within reach; a neighbour may not be
    stay_near = ["ONTOP", "INSIDE"]
    if "grab_support_by_set_order" in quirks:
        stay_near.append("NEXT_TO")
    right_free = Not(Exists("?held", atom("HOLDS_RH", CHAR, "?held")))
    return (
        *detach,
        *attach,
        *FORGET_ORIGIN,  # of poured water
        Effect(add=(atom("HOLDS_RH", CHAR, OBJ),), when=right_free),
        Effect(add=(atom("HOLDS_LH", CHAR, OBJ),), when=Not(right_free)),
        *(
            for_each("?from", atom(f"SUPPORT_{relation}", OBJ, "?from"), atom(memory, OBJ, "?from"))
            for memory, relation in ORIGINS.items()
        ),
        *(
            for_each(
                "?from",
                conjunction(atom(f"SUPPORT_{relation}", OBJ, "?from"), Not(atom("ROOM", "?from"))),
                *mutual(CHAR, "?from"),
            )
            for relation in stay_near
        ),
    )


def lies(relation: str, where: str = DEST) -> Formula:
    """Return the condition that an object has been put somewhere: it is there, and not held."""
    return conjunction(atom(relation, OBJ, where), Not(HOLDING))


def _put(relation: str, where: str = DEST) -> tuple[Effect, ...]:
    return (
        LET_GO,
        add(*mutual(CHAR, where), *mutual(OBJ, where), atom(relation, OBJ, where)),
        *FORGET_ORIGIN,
    )


@cache
def action_schemas(quirks: frozenset[str] = frozenset()) -> Mapping[str, ActionSchema]:
    """Return all actions by name, with published effects where ``quirks`` say so.

    Args:
        quirks: Names in :data:`homebody.worlds.virtualhome.published.EFFECT_QUIRKS`; others are
            ignored.
    """
    walk = _walk(quirks)
    find = (delete_each(atom("FACING", CHAR, "?other")), add(*mutual(CHAR, OBJ)))
    clean = (delete(atom("DIRTY", OBJ)), add(atom("CLEAN", OBJ)))
    leave_seat = (
        () if "standing_keeps_seat" in quirks else (delete_each(atom("ONTOP", CHAR, "?seat")),)
    )
    alike = "seats_are_alike" in quirks
    settled = () if alike else SETTLED
    far = "worn_things_are_far" in quirks
    find_walks = Not(NEAR if far else AT_HAND)
    forget_worn = () if "worn_clothes_stay_grabbed" in quirks else FORGET_ORIGIN
    schemas: dict[str, ActionSchema] = {}

    def schema(
        name: str,
        objects: int = 1,
        affordances: tuple[Formula, ...] = (),
        intended: Formula | None = None,
        preconditions: tuple[Formula, ...] = (),
        effects: tuple[Effect, ...] = (),
    ) -> None:
        parameters = (
            Parameter(CHAR, "character"),
            *(Parameter(name) for name in (OBJ, DEST)[:objects]),
        )
        others = tuple(
            Not(atom("IS_A", parameter.name, "character")) for parameter in parameters[1:]
        )
        schemas[name] = ActionSchema(
            name, parameters, (*affordances, *others), intended, preconditions, effects
        )

    def toggle(on: str, off: str) -> tuple[Effect, Effect]:
        return delete(atom(off, OBJ)), add(atom(on, OBJ))

    for name in ("WALK", "RUN"):
        schema(name, 1, (IN_SOME_ROOM,), AT, ON_FEET, walk)
    schema(
        "FIND",
        preconditions=(
            *((Implies(AT_HAND, NEAR),) if far else ()),
            *(Implies(find_walks, condition) for condition in ON_FEET),
        ),
        effects=(
            *(_only_if(AT_HAND, effect) for effect in find),
            *(_only_if(Not(AT_HAND), effect) for effect in walk),
        ),
        affordances=(Implies(Not(AT_HAND), IN_SOME_ROOM),),
    )
    facing = atom("FACING", CHAR, OBJ)
    schema("TURNTO", intended=facing, effects=(find[0], add(facing)))
    for name in ("LOOKAT", "LOOKAT_SHORT", "LOOKAT_LONG", "POINTAT"):
        schema(name, preconditions=(FACED,))
    schema(
        "WATCH", affordances=(atom("LOOKABLE", OBJ),), preconditions=(SAME_ROOM, FACED, REACHABLE)
    )

    schema(
        "SIT",
        affordances=(atom("SITTABLE", OBJ),),
        intended=SITTING if alike else And((SITTING, ON_IT)),
        preconditions=(NEAR, *settled, atom("SEAT_FREE", OBJ)),
        effects=(
            delete(LYING),
            *leave_seat,
            add(SITTING, atom("ONTOP", CHAR, OBJ)),
            for_each("?seen", atom("FACING", OBJ, "?seen"), atom("FACING", CHAR, "?seen")),
        ),
    )
    schema(
        "LIE",
        affordances=(atom("LIEABLE", OBJ),),
        intended=LYING if alike else And((LYING, ON_IT)),
        preconditions=(NEAR, *settled, atom("BED_FREE", OBJ)),
        effects=(delete(SITTING), *leave_seat, add(LYING, atom("ONTOP", CHAR, OBJ))),
    )
    schema("STANDUP", 0, intended=And(ON_FEET), effects=(delete(SITTING, LYING), *leave_seat))
    schema("SLEEP", 0, preconditions=(RESTING,))
    schema("WAKEUP", 0, preconditions=(RESTING,))

    schema(
        "GRAB",
        affordances=(CAN_GRAB,),
        intended=HOLDING,
        preconditions=(NEAR, REACHABLE, FREE_HAND),
        effects=_grab(quirks),
    )
    schema(
        "PUTBACK",
        2,
        affordances=(GRABBABLE, OTHER),
        intended=lies("ONTOP"),
        preconditions=(HOLDING, NEAR_DEST, APART),
        effects=_put("ONTOP"),
    )
    schema(
        "PUTIN",
        2,
        affordances=(GRABBABLE, atom("CAN_OPEN", DEST), OTHER),
        intended=lies("INSIDE"),
        preconditions=(HOLDING, NEAR_DEST, OPEN_DEST, APART),
        effects=_put("INSIDE"),
    )
    schema(
        "PUTOBJBACK",
        preconditions=(HOLDING, Implies(HOLDING, TAKEN), Implies(TAKEN, ORIGIN_NEAR)),
        effects=(
            LET_GO,
            *(
                for_each("?from", atom(memory, OBJ, "?from"), atom(relation, OBJ, "?from"))
                for memory, relation in ORIGINS.items()
            ),
            *(
                for_each(
                    "?from",
                    conjunction(atom(memory, OBJ, "?from"), Not(atom("ROOM", "?from"))),
                    *mutual(CHAR, "?from"),
                    *mutual(OBJ, "?from"),
                )
                for memory in ORIGINS
            ),
            *FORGET_ORIGIN,
        ),
    )
    for name in ("DROP", "RELEASE"):
        schema(
            name,
            preconditions=(HOLDING,),
            effects=(
                LET_GO,
                for_each("?room", atom("IN_ROOM", CHAR, "?room"), atom("INSIDE", OBJ, "?room")),
                *FORGET_ORIGIN,
            ),
        )
    schema(
        "POUR",
        2,
        affordances=(CAN_POUR, CAN_RECEIVE, OTHER),
        preconditions=(HOLDING, NEAR_DEST, APART),
        effects=(
            add(atom("INSIDE", OBJ, DEST)),
            Effect(delete=LET_GO.delete, when=atom("IS_A", OBJ, "water")),
        ),
    )
    schema(
        "PUTON",
        affordances=(atom("CLOTHES", OBJ),),
        intended=lies("ONTOP", CHAR),
        preconditions=(HOLDING,),
        effects=(LET_GO, add(atom("ONTOP", OBJ, CHAR)), *forget_worn),
    )
    schema(
        "PUTOFF",
        affordances=(atom("CLOTHES", OBJ),),
        preconditions=(atom("ONTOP", OBJ, CHAR),),
        effects=(delete(atom("ONTOP", OBJ, CHAR)),),
    )

    schema(
        "OPEN",
        affordances=(CAN_OPEN,),
        intended=atom("OPEN", OBJ),
        preconditions=(NEAR, FREE_HAND, Not(atom("ON", OBJ))),
        effects=toggle("OPEN", "CLOSED"),
    )
    schema(
        "CLOSE",
        affordances=(CAN_OPEN,),
        intended=atom("CLOSED", OBJ),
        preconditions=(NEAR,),
        effects=toggle("CLOSED", "OPEN"),
    )
    schema(
        "SWITCHON",
        affordances=(atom("HAS_SWITCH", OBJ),),
        intended=atom("ON", OBJ),
        preconditions=(NEAR, Not(atom("PLUGGED_OUT", OBJ))),
        effects=toggle("ON", "OFF"),
    )
    schema(
        "SWITCHOFF",
        affordances=(atom("HAS_SWITCH", OBJ),),
        intended=atom("OFF", OBJ),
        preconditions=(NEAR,),
        effects=toggle("OFF", "ON"),
    )
    schema(
        "PLUGIN",
        affordances=(atom("HAS_PLUG", OBJ),),
        intended=atom("PLUGGED_IN", OBJ),
        preconditions=(NEAR, FREE_HAND),
        effects=toggle("PLUGGED_IN", "PLUGGED_OUT"),
    )
    schema(
        "PLUGOUT",
        affordances=(atom("HAS_PLUG", OBJ),),
        intended=atom("PLUGGED_OUT", OBJ),
        preconditions=(NEAR, FREE_HAND, Not(atom("ON", OBJ))),
        effects=toggle("PLUGGED_OUT", "PLUGGED_IN"),
    )

    for name in ("WASH", "RINSE", "SCRUB"):
        schema(name, preconditions=(NEAR,), effects=clean)
    schema("WIPE", preconditions=(NEAR, HOLDING_SOMETHING), effects=clean)
    schema("TOUCH", preconditions=(NEAR, REACHABLE))
    for name in ("PUSH", "PULL", "MOVE"):
        schema(name, affordances=(MOVABLE,), preconditions=(NEAR, REACHABLE, FREE_HAND))
    schema("SQUEEZE", affordances=(CAN_SQUEEZE,), preconditions=(NEAR, FREE_HAND))
    schema("TYPE", affordances=(CAN_TYPE,), preconditions=(NEAR,))
    schema("READ", affordances=(atom("READABLE", OBJ),), preconditions=(HOLDING,))
    schema("DRINK", affordances=(CAN_DRINK,), preconditions=(HOLDING,))
    schema("EAT", affordances=(atom("EATABLE", OBJ),), preconditions=(NEAR,))
    schema(
        "CUT",
        affordances=(atom("EATABLE", OBJ), atom("CUTTABLE", OBJ)),
        preconditions=(NEAR, FREE_HAND, HOLDING_KNIFE),
    )
    schema("GREET", affordances=(atom("PERSON", OBJ),))
    return schemas


def _only_if(condition: Formula, effect: Effect) -> Effect:
    return replace(effect, when=conjunction(condition, effect.when))
