"""Behaviour of the published VirtualHome evaluator (eai-eval 1.0.5) that differs from homebody's.

Three rules differ from the schemas in :mod:`homebody.worlds.virtualhome.actions`:

- it checks conditions in its own order, stops at the first unmet one, gives some a different error
  type, and uses other facts of the history (:data:`CHECKS`);
- of several supports or containers it takes the first that a Python set of object ids yields
  (:mod:`.python_set_order`);
- some effects (in the schemas, by quirk).

Each is a quirk that a protocol keeps or fixes by name.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final

from homebody.core.action import ActionSchema, Diagnosis, ErrorType, Past
from homebody.core.formula import (
    TRUE,
    And,
    Binding,
    Exists,
    Formula,
    Implies,
    Not,
    Or,
    Structure,
    conjunction,
)
from homebody.core.truth import evaluate
from homebody.core.world import Trace
from homebody.worlds.virtualhome import actions as a

EFFECT_QUIRKS: Final = frozenset(
    {
        "held_objects_stay_behind",
        "contents_left_behind",
        "standing_keeps_seat",
        "worn_clothes_stay_grabbed",
        "grab_support_by_set_order",
        "seats_are_alike",
        "worn_things_are_far",
    }
)
"""Quirks that are implemented in the schemas, by other effects or conditions."""
QUIRKS: Final[Mapping[str, tuple[str, str]]] = {
    "check_order": (
        "Conditions are checked in an order that differs from action to action, and the first"
        " unmet one determines the error type. Sitting on a far chair that is not a seat is a"
        " missing step.",
        "Affordance, then additional step, then preconditions, as in figure 19.",
    ),
    "history_lookup": (
        "Whether an error is a wrong order or a missing step does not depend on the unmet"
        " condition. It depends on literal nearness; for an object in a closed container, on"
        " whether the object itself was open; for two full hands, on whether they were ever empty;"
        " for knives, seats and beds, on nothing.",
        "It is a wrong order if all preconditions of the action held together in an earlier state,"
        " otherwise a missing step.",
    ),
    "unplugged_is_additional_step": (
        "Switching on an unplugged object is an additional step, and the plan continues.",
        "Being plugged in is a precondition.",
    ),
    "opening_while_on_is_additional_step": (
        "Opening a running machine is an additional step, and the plan continues.",
        "Being off is a precondition.",
    ),
    "stateless_is_additional_step": (
        "An object that is neither on nor off (open nor closed) cannot be switched (opened):"
        " trying it is an additional step.",
        "A step is additional only if its effect already holds.",
    ),
    "moving_is_never_additional_step": (
        "Putting an object where it already is, or putting on what is worn, is a missing step or a"
        " wrong order; turning to what the character faces and walking to where it is are executed"
        " again.",
        "They are additional steps, because figure 19 checks the effect before the preconditions.",
    ),
    "seats_are_alike": (
        "To sit (lie) anywhere is an additional step for a character that already sits (lies). A"
        " character that lies on one object can sit on another, or vice versa.",
        "It is an additional step only on the same object. The character must stand up before it"
        " sits or lies elsewhere.",
    ),
    "worn_things_are_far": (
        "Worn objects and parts of the body are found only if they are next to the character.",
        "They are available wherever the character is.",
    ),
    "closed_container_is_affordance_error": (
        "Putting something into a closed container is an affordance error.",
        "Being open is a precondition: a missing step or wrong order.",
    ),
    "other_room_is_affordance_error": (
        "Watching something in another room is an affordance error.",
        "Being in the same room is a precondition.",
    ),
    "plug_out_while_on": (
        "Unplugging a running machine is reported as an error but executed all the same.",
        "Being off is a precondition.",
    ),
    "stated_affordances_unchecked": (
        "PUSH, PUTBACK and PUTIN require no affordance; some classes can be grabbed, opened, moved,"
        " squeezed or poured into without the property that prompts state, and what has food on"
        " it can be eaten; the character can be walked to, washed and the like.",
        "Objects have the properties that prompts state, or are of the few classes that annotated"
        " plans use without them; the character is not an object of an action.",
    ),
    "put_back_without_checks": (
        "PUTOBJBACK far from where the object was taken, or of an object not in hand, counts as"
        " executed and does nothing; for an object never grabbed, it crashes the evaluator.",
        "It needs the object in hand and its old place nearby.",
    ),
    "put_on_itself": (
        "An object can be put on, put into or poured into itself, or what it contains.",
        "It cannot.",
    ),
    "grab_memory_instead_of_hands": (
        "Whether an object is in hand is read from the record of where it was taken, which is"
        " missing for some objects and remains for clothes put on and for poured water.",
        "It is read from the hands.",
    ),
    "grab_support_by_set_order": (
        "The origin of a grabbed object is one of the objects that it was on, in or next to: the"
        " one that a set of ids yields first. The character becomes near to that object.",
        "Its origin is everything that it was on or in, or else what it was next to, or else the"
        " room.",
    ),
    "first_room_by_set_order": (
        "The room of an object inside several objects is the first room in set order, and walking"
        " to an object that is in no room crashes the evaluator.",
        "The room is found through all its containers; a door is in the room that it leads from.",
    ),
    "held_objects_stay_behind": (
        "When the character walks to another room, the objects in its hands stay in the old room"
        " and lose their contents; worn clothes stay in the old room, too.",
        "Objects in hand and worn move with the character, and so do objects in and on them.",
    ),
    "contents_left_behind": (
        "Grabbing an object removes the objects in and on it.",
        "Objects in and on a grabbed object stay there.",
    ),
    "standing_keeps_seat": (
        "After standing up, or lying down elsewhere, the character remains on the seat forever,"
        " and occupies space on it.",
        "The character leaves the seat.",
    ),
    "worn_clothes_stay_grabbed": (
        "Clothes that were put on still count as grabbed, so they can never be grabbed again.",
        "Putting clothes on ends the grab.",
    ),
}
"""Quirk -> the behaviour of the published evaluator, and the behaviour of homebody."""

SORTING_QUIRKS: Final = frozenset(
    {
        "check_order",
        "history_lookup",
        "unplugged_is_additional_step",
        "opening_while_on_is_additional_step",
        "stateless_is_additional_step",
        "moving_is_never_additional_step",
        "closed_container_is_affordance_error",
        "other_room_is_affordance_error",
    }
)
"""Quirks that only change the error type of a failure."""

WORLD_QUIRKS: Final = frozenset(QUIRKS)
CHECK_QUIRKS: Final = WORLD_QUIRKS.difference(
    EFFECT_QUIRKS - {"seats_are_alike", "worn_things_are_far"}, {"first_room_by_set_order"}
)
"""Quirks that change conditions."""

AFFORDANCE, ADDITIONAL, MISSING = (
    ErrorType.AFFORDANCE,
    ErrorType.ADDITIONAL_STEP,
    ErrorType.MISSING_STEP,
)
_UNSUPPORTED: Final = frozenset({"LOOKAT_SHORT", "LOOKAT_LONG"})
"""Actions in the published vocabulary for which its simulator raises an exception."""


@dataclass(frozen=True, slots=True)
class Check:
    """One condition, in the published order.

    Attributes:
        error: The published error type if ``needs`` is unmet.
        needs: The condition.
        history: Facts that make the error a wrong order if earlier states have them.
        every: True if all of ``history`` must be found, False if any.
        quirk: The quirk that explains ``error`` or ``needs``, if any.
        fixed_error: The error type without the quirk.
        fixed_needs: The condition without the quirk; ``TRUE`` drops the check.
    """

    error: ErrorType
    needs: Formula
    history: tuple[Formula, ...] = ()
    every: bool = False
    quirk: str = ""
    fixed_error: ErrorType | None = None
    fixed_needs: Formula | None = None


_NEXT = a.atom("NEXT_TO", a.CHAR, a.OBJ)
_OPEN = a.atom("OPEN", a.OBJ)
NEAR = Check(MISSING, a.NEAR, (_NEXT,))
NEAR_DEST = Check(MISSING, a.NEAR_DEST, (a.atom("NEXT_TO", a.CHAR, a.DEST),))
HOLDING = Check(MISSING, a.HOLDING, (a.HOLDING,))
HANDS = Check(MISSING, a.FREE_HAND, (Not(a.HOLDING_SOMETHING),))
REACHABLE = Check(MISSING, a.REACHABLE, (_OPEN,))
ON_FEET = Check(MISSING, And(a.ON_FEET), a.ON_FEET, every=True)
FACED = Check(MISSING, a.FACED, (a.atom("FACING", a.CHAR, a.OBJ),))
RESTING = Check(MISSING, a.RESTING, (a.LYING,))


APART = (
    Check(AFFORDANCE, TRUE, quirk="put_on_itself", fixed_needs=a.OTHER),
    Check(MISSING, TRUE, quirk="put_on_itself", fixed_needs=a.APART),
)
SETTLED = Check(MISSING, TRUE, quirk="seats_are_alike", fixed_needs=And(a.SETTLED))


def affordance(needs: Formula) -> Check:
    """Return a condition whose failure is an affordance error."""
    return Check(AFFORDANCE, needs)


def state_check(state: str, opposite: str) -> Check:
    """Return a check that the intended state does not hold. The published check requires that its
    opposite holds."""
    return Check(
        ADDITIONAL,
        a.atom(opposite, a.OBJ),
        quirk="stateless_is_additional_step",
        fixed_needs=Not(a.atom(state, a.OBJ)),
    )


def move_check(intended: Formula) -> Check:
    """Return a check that the intended effect of a move does not hold. The published evaluator has
    no such check."""
    return Check(
        ADDITIONAL, TRUE, quirk="moving_is_never_additional_step", fixed_needs=Not(intended)
    )


def rest_check(rest: Formula) -> Check:
    """Return a check that the character does not rest on the object (published: on any object)."""
    there = Not(And((rest, a.ON_IT)))
    return Check(ADDITIONAL, Not(rest), quirk="seats_are_alike", fixed_needs=there)


CAN_GRAB = Or((a.GRABBABLE, a.category_in(a.OBJ, "water", "child")))
CAN_OPEN = Or((a.atom("CAN_OPEN", a.OBJ), a.category_in(a.OBJ, "desk", "window")))
CAN_MOVE = Or((a.atom("MOVABLE", a.OBJ), a.category_in(a.OBJ, "chair", "curtain", "button")))
CAN_RECEIVE = Or(
    (a.atom("RECIPIENT", a.DEST), a.category_in(a.DEST, "hands_both", "sponge", "face"))
)
CAN_SQUEEZE = Or(
    (
        a.atom("CLOTHES", a.OBJ),
        a.category_in(
            a.OBJ,
            "check", "cleaning_solution", "dish_soap", "food_lemon", "food_peanut_butter", "paper",
            "rag", "shampoo", "soap", "sponge", "tooth_paste", "towel",
        ),
    )
)  # fmt: skip
HAS_FOOD = Or(
    (
        a.atom("EATABLE", a.OBJ),
        Exists("?food", conjunction(a.atom("ONTOP", "?food", a.OBJ), a.atom("EATABLE", "?food"))),
    )
)
_PLUG = (affordance(a.atom("HAS_PLUG", a.OBJ)), NEAR, HANDS)
_MOVE = (affordance(CAN_MOVE), NEAR, REACHABLE, HANDS)
_OFF = Not(a.atom("ON", a.OBJ))

CHECKS: Final[dict[str, tuple[Check, ...]]] = {
    **{name: (move_check(a.AT), ON_FEET, affordance(a.IN_SOME_ROOM)) for name in ("WALK", "RUN")},
    "FIND": (
        Check(
            MISSING,
            Implies(a.AT_HAND, a.NEAR),
            (_NEXT,),
            quirk="worn_things_are_far",
            fixed_needs=TRUE,
        ),
        Check(MISSING, Or((a.AT_HAND, And(a.ON_FEET))), a.ON_FEET, every=True),
        affordance(Or((a.AT_HAND, a.IN_SOME_ROOM))),
    ),
    "TURNTO": (move_check(a.atom("FACING", a.CHAR, a.OBJ)),),
    **dict.fromkeys(("LOOKAT", "LOOKAT_SHORT", "LOOKAT_LONG", "POINTAT"), (FACED,)),
    "WATCH": (
        affordance(a.atom("LOOKABLE", a.OBJ)),
        Check(
            AFFORDANCE,
            Exists(
                "?room",
                conjunction(a.atom("IN_ROOM", a.OBJ, "?room"), a.atom("IN_ROOM", a.CHAR, "?room")),
            ),
            quirk="other_room_is_affordance_error",
            fixed_error=MISSING,
            fixed_needs=a.SAME_ROOM,
        ),
        FACED,
        Check(
            MISSING,
            Or((a.category_in(a.OBJ, "computer"), And(a.ON_FEET), a.atom("FACING", a.CHAR, a.OBJ))),
            (a.atom("FACING", a.CHAR, a.OBJ),),
            quirk="check_order",
            fixed_needs=a.FACED,
        ),
        REACHABLE,
    ),
    "SIT": (
        NEAR,
        rest_check(a.SITTING),
        affordance(a.atom("SITTABLE", a.OBJ)),
        SETTLED,
        Check(MISSING, a.atom("SEAT_FREE", a.OBJ)),
    ),
    "LIE": (
        NEAR,
        rest_check(a.LYING),
        affordance(a.atom("LIEABLE", a.OBJ)),
        SETTLED,
        Check(MISSING, a.atom("BED_FREE", a.OBJ)),
    ),
    "STANDUP": (Check(ADDITIONAL, a.RESTING),),
    "SLEEP": (RESTING,),
    "WAKEUP": (RESTING,),
    "GRAB": (
        affordance(CAN_GRAB),
        Check(
            ADDITIONAL,
            Not(a.TAKEN),
            quirk="grab_memory_instead_of_hands",
            fixed_needs=Not(a.HOLDING),
        ),
        NEAR,
        REACHABLE,
        HANDS,
    ),
    "PUTBACK": (move_check(a.lies("ONTOP")), HOLDING, NEAR_DEST, *APART),
    "PUTIN": (
        move_check(a.lies("INSIDE")),
        HOLDING,
        NEAR_DEST,
        Check(
            AFFORDANCE,
            a.OPEN_DEST,
            quirk="closed_container_is_affordance_error",
            fixed_error=MISSING,
        ),
        *APART,
    ),
    "PUTOBJBACK": (Check(MISSING, a.TAKEN), HOLDING, Check(MISSING, a.ORIGIN_NEAR)),
    "DROP": (HOLDING,),
    "RELEASE": (HOLDING,),
    "POUR": (
        affordance(a.CAN_POUR),
        affordance(CAN_RECEIVE),
        HOLDING,
        NEAR_DEST,
        *APART,
    ),
    "PUTON": (
        move_check(a.lies("ONTOP", a.CHAR)),
        HOLDING,
        affordance(a.atom("CLOTHES", a.OBJ)),
    ),
    "PUTOFF": (
        Check(MISSING, a.atom("ONTOP", a.OBJ, a.CHAR), (a.atom("ONTOP", a.OBJ, a.CHAR),)),
        affordance(a.atom("CLOTHES", a.OBJ)),
    ),
    "OPEN": (
        affordance(CAN_OPEN),
        NEAR,
        HANDS,
        state_check("OPEN", "CLOSED"),
        Check(ADDITIONAL, _OFF, quirk="opening_while_on_is_additional_step", fixed_error=MISSING),
    ),
    "CLOSE": (affordance(CAN_OPEN), NEAR, state_check("CLOSED", "OPEN")),
    "SWITCHON": (
        affordance(a.atom("HAS_SWITCH", a.OBJ)),
        NEAR,
        state_check("ON", "OFF"),
        Check(
            ADDITIONAL,
            Not(a.atom("PLUGGED_OUT", a.OBJ)),
            quirk="unplugged_is_additional_step",
            fixed_error=MISSING,
        ),
    ),
    "SWITCHOFF": (affordance(a.atom("HAS_SWITCH", a.OBJ)), NEAR, state_check("OFF", "ON")),
    "PLUGIN": (*_PLUG, state_check("PLUGGED_IN", "PLUGGED_OUT")),
    "PLUGOUT": (
        *_PLUG,
        state_check("PLUGGED_OUT", "PLUGGED_IN"),
        Check(MISSING, TRUE, quirk="plug_out_while_on", fixed_needs=_OFF),
    ),
    **dict.fromkeys(("WASH", "RINSE", "SCRUB"), (NEAR,)),
    "WIPE": (NEAR, Check(MISSING, a.HOLDING_SOMETHING, (a.HOLDING_SOMETHING,))),
    "TOUCH": (NEAR, REACHABLE),
    "PUSH": _MOVE[1:],
    "PULL": _MOVE,
    "MOVE": _MOVE,
    "SQUEEZE": (HANDS, NEAR, affordance(CAN_SQUEEZE)),
    "TYPE": (NEAR, affordance(a.CAN_TYPE)),
    "READ": (affordance(a.atom("READABLE", a.OBJ)), HOLDING),
    "DRINK": (affordance(a.CAN_DRINK), HOLDING),
    "EAT": (NEAR, affordance(HAS_FOOD)),
    "CUT": (
        HANDS,
        NEAR,
        affordance(a.atom("EATABLE", a.OBJ)),
        affordance(a.atom("CUTTABLE", a.OBJ)),
        Check(MISSING, a.HOLDING_KNIFE),
    ),
    "GREET": (affordance(a.atom("PERSON", a.OBJ)),),
}

_FIGURE_19 = {AFFORDANCE: 0, ADDITIONAL: 1, MISSING: 2}


def diagnose(
    schema: ActionSchema,
    binding: Binding,
    now: Structure,
    history: Iterable[Structure],
    quirks: frozenset[str],
) -> Diagnosis | None:
    """Return the same diagnosis as :func:`homebody.core.action.diagnose`, but with the published
    quirks."""
    if is_without_effect(schema, binding, now, quirks):
        return None
    unmet: list[tuple[ErrorType, Formula, Check]] = []
    checks = CHECKS[schema.name]
    if "stated_affordances_unchecked" not in quirks:
        checks = (*checks, *map(affordance, schema.affordances))
    for check in checks:
        error, needs = check.error, check.needs
        if check.quirk and check.quirk not in quirks:
            error = check.fixed_error or error
            needs = needs if check.fixed_needs is None else check.fixed_needs
        if not evaluate(needs, now, binding):
            unmet.append((error, needs, check))
            if "check_order" in quirks:
                break
    if not unmet:
        return None
    error, needs, check = min(unmet, key=lambda row: _FIGURE_19[row[0]])
    if error is ADDITIONAL:
        return error, (Not(needs),)
    if error is MISSING:
        past = Past.of(history)

        def have_held_together(conditions: tuple[Formula, ...]) -> bool:
            return past.held_together(conditions, binding) or all(
                evaluate(f, now, binding) for f in conditions
            )

        if "history_lookup" in quirks:
            # only the facts recorded with the check, not derived nearness
            met = [have_held_together((formula,)) for formula in check.history]
            ever = bool(met) and (all(met) if check.every else any(met))
        else:
            ever = have_held_together((needs, *schema.preconditions))
        if ever:
            error = ErrorType.WRONG_ORDER
    return error, (needs,)


def is_without_effect(
    schema: ActionSchema, binding: Binding, now: Structure, quirks: frozenset[str]
) -> bool:
    """Return whether the published evaluator executes a PUTOBJBACK without any effect."""
    if schema.name != "PUTOBJBACK" or "put_back_without_checks" not in quirks:
        return False
    unmet = [
        check.needs for check in CHECKS[schema.name] if not evaluate(check.needs, now, binding)
    ]
    return bool(unmet) and unmet[0] != a.TAKEN


def crash_of(trace: Trace) -> str:
    """Return the exception of the published evaluator on this run, or an empty string.

    Only meaningful for a world with all quirks.
    """
    tried = [*trace.actions, *(failure.action for _, failure in trace.skipped)]
    failure = trace.failure
    if failure is not None:
        tried.append(failure.action)
    for action in tried:
        if action.name in _UNSUPPORTED:
            return f"TypeError: UnknownExecutor cannot execute {action.name}"
    if failure is None:
        return ""
    never_grabbed = failure.action.name == "PUTOBJBACK"
    no_room = failure.action.name in ("WALK", "RUN", "FIND") and failure.error is AFFORDANCE
    return "AssertionError: Unknown error code None" if never_grabbed or no_room else ""
