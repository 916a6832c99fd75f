"""Behaviour of the published graph simulator (eai-eval 1.0.5) that differs from the paper.

Each difference is a quirk that a protocol keeps or fixes by name, in any combination. Most change
the schemas (:mod:`homebody.worlds.behavior.actions`) or derived predicates
(:mod:`homebody.worlds.behavior.world`). The remaining differences are here: the simulator checks
conditions in its own order and stops at the first unmet one, and it raises exceptions.

It prints its error types, and the caller decides which of them counts: see
:meth:`homebody.worlds.behavior.world.Behavior.errors`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final, TypeAlias

from homebody.core.action import ActionSchema, Diagnosis, ErrorType, Past
from homebody.core.formula import Binding, Formula, Implies, Not, Structure
from homebody.core.state import State
from homebody.core.truth import evaluate
from homebody.worlds.behavior import actions as a

CHECK_QUIRKS: Final = frozenset(
    {"check_order", "history_of_all_checks", "placing_is_never_wrong_order"}
)

QUIRKS: Final[Mapping[str, tuple[str, str]]] = {
    "check_order": (
        "Conditions are checked in a different order, and the first unmet one determines the error"
        " type, unless a wrong order is reported too.",
        "Affordance, then additional step, then preconditions, as in figure 19.",
    ),
    "history_of_all_checks": (
        "A wrong order needs an earlier state in which every check passes, including that the"
        " effect did not hold yet.",
        "It needs an earlier state in which the preconditions held.",
    ),
    "placing_is_never_wrong_order": (
        "Placing and transferring never count as a wrong order.",
        "Both can be a wrong order, like other actions.",
    ),
    "other_hand_is_additional_step": (
        "Grasping an object that the other hand holds is an additional step.",
        "The grasping hand takes the object. In table 27 the effect is: object in this hand.",
    ),
    "release_by_relations": (
        "Releasing with an empty hand is an additional step if the object has none of the"
        " relations next to, under and on the floor; otherwise it is a missing step.",
        "The object must be in the hand: otherwise it is a missing step or a wrong order (appendix"
        " D.2).",
    ),
    "released_things_float": (
        "A released object has no location.",
        "It is on the floor of the room where the agent acted last (table 27: on the floor).",
    ),
    "floors_only_if_stated": (
        "An object that is put next to or under another gets no support, unless the other is"
        " stated to be on a floor.",
        "An object without a stated floor stands on the floor of the scene.",
    ),
    "one_relation_per_pair": (
        "From one object to another there is at most one of the relations next to, under and on"
        " the floor; a later one overwrites it.",
        "The relations are independent.",
    ),
    "contents_keep_neighbours": (
        "The contents of a grasped object remain next to and under objects that stay behind.",
        "Only objects that move together keep their relations.",
    ),
    "big_contents_stay_behind": (
        "Something in or on a grasped object loses its support if it is five times as big.",
        "Contents move with it.",
    ),
    "fixed_things_can_be_grasped": (
        "Everything up to 1.5 cubic metres can be grasped, even sinks and shelves.",
        "Built-in objects cannot be grasped, except doors and windows of this size.",
    ),
    "equal_sizes_fit": (
        "An object fits into another of the same size, such as a basket into a basket of its kind.",
        "The container must be larger.",
    ),
    "tools_clean_themselves": (
        "A cleaning tool in a hand cleans itself.",
        "Another tool is needed.",
    ),
    "place_anywhere": (
        "Objects can be put next to and under a floor; next to what the other hand holds; both"
        " next to and on top of the same object; and on or next to objects inside a container that"
        " is too small for them.",
        "They cannot.",
    ),
    "floor_as_container_crashes": (
        "Placing inside a floor raises an exception: the plan stops with an error that has no"
        " type.",
        "It is an affordance error.",
    ),
    "transfer_crashes": (
        "Transferring contents raises an exception if there are any. Without contents,"
        " transferring inside is executed without effect, and transferring on top is an affordance"
        " error.",
        "The contents are moved (table 27); at least one is required.",
    ),
    "navigate_crashes": (
        "NAVIGATE_TO raises an exception.",
        "It puts the agent next to the object (table 27).",
    ),
    "free_hand_always_needed": (
        "Drying, unfreezing and slicing also need a free hand.",
        "They need no free hand (table 27).",
    ),
    "freeze_anywhere": ("Freezing needs no fridge.", "Freezing needs a fridge (table 27)."),
    "cooks_in_saucepans_only": (
        "Food can only be cooked in or on objects named saucepan.",
        "It can be cooked in or on pans, pots and sources of heat (table 27 says pan).",
    ),
    "soaks_in_sinks_and_teapots_only": (
        "Objects can only be soaked in objects named sink or teapot.",
        "They can be soaked in sinks, other sources of water, and all pots (table 27 says sink or"
        " pot).",
    ),
    "cleaners_by_name": (
        "Stains are only removed by objects named detergent (not soap) and, of the machines, by"
        " those named sink. With CLEAN, a dishwasher only removes dust.",
        "Detergent, soap, and sinks and dishwashers that are on remove stains.",
    ),
    "dishwasher_cleans_top_level": (
        "A dishwasher that is switched on cleans only what is directly in or on it.",
        "It cleans everything inside.",
    ),
    "parts_exist_unsliced": (
        "The halves of objects can be used before anything is sliced.",
        "They do not exist yet, so using them is a missing step.",
    ),
    "sliced_whole_keeps_contents": (
        "When an object is sliced, what lies on it stays on the original object and cannot be"
        " taken any more.",
        "It lies on the first half.",
    ),
    "relations_as_stored": (
        "Goals see only direct support (`inside` across several levels was planned, but never"
        " holds), touching never holds, and relations to a sliced whole do not apply to its"
        " halves.",
        "What is on a plate in a cabinet is inside the cabinet; what rests on an object touches"
        " it; what is in either half is in the whole.",
    ),
    "nesting_without_relations_crashes": (
        "Goals cannot be checked (an exception ends the task) while three objects are nested (one"
        " in or on another, which is in or on a third) and nothing at all is next to, under or on"
        " the floor of anything. homebody marks the sample (`published_crash`) and continues.",
        "They can be checked.",
    ),
}
"""Quirk -> the behaviour of the published simulator, and the behaviour of homebody."""

WORLD_QUIRKS: Final = frozenset(QUIRKS)
"""All quirks of a :class:`~homebody.worlds.behavior.world.Behavior`."""

_Checks: TypeAlias = list[tuple[ErrorType, Formula]]
_INTENDED = "intended"
_PLACED: Final = ("_PLACE_", "_TRANSFER_")


CRASH: Final[Diagnosis] = (ErrorType.EXECUTION_FAILURE, ())
"""Raised where the published simulator raises an exception."""


def goal_check_crashes(state: State, agent: str, quirks: frozenset[str]) -> bool:
    """Return whether the published simulator raises an exception when it checks a goal."""
    if "nesting_without_relations_crashes" not in quirks:
        return False
    related = (row for name in a.EDGES[:3] for row in state.match(name, (None, None)))
    if any(agent not in row for row in related):
        return False
    supports = [row for name in ("inside", "ontop") for row in state.match(name, (None, None))]
    resting = {row[0] for row in supports}
    return any(place in resting for _, place in supports)


def has_early_crash(
    schema: ActionSchema, binding: Binding, now: Structure, quirks: frozenset[str]
) -> bool:
    """Return whether the published simulator raises an exception before any check."""
    if schema.name == "NAVIGATE_TO":
        return "navigate_crashes" in quirks
    if "floor_as_container_crashes" in quirks and schema.name.endswith("_PLACE_INSIDE"):
        held = a.holds_something(_hand(schema))
        return now.holds("FLOOR", (binding[a.OBJ],)) and evaluate(held, now, binding)
    return False


def has_late_crash(
    schema: ActionSchema, binding: Binding, now: Structure, quirks: frozenset[str]
) -> bool:
    """Return whether it raises an exception after all checks have passed."""
    if schema.name == "SLICE" and "parts_exist_unsliced" in quirks:  # a cycle of supports: no end
        own = ((half, binding[a.OBJ]) for half, _ in now.match("part_of", (None, binding[a.OBJ])))
        return any(now.holds("WITHIN", (thing, half)) for half, thing in own)
    if "_TRANSFER_" not in schema.name:
        return False
    floor = schema.name.endswith("_INSIDE") and now.holds("FLOOR", (binding[a.OBJ],))
    if "transfer_crashes" in quirks or (floor and "floor_as_container_crashes" in quirks):
        return evaluate(a.contents(_hand(schema)), now, binding)
    return False


def diagnose(
    schema: ActionSchema,
    binding: Binding,
    now: Structure,
    history: Iterable[Structure],
    quirks: frozenset[str],
) -> Diagnosis | None:
    """Return the same diagnosis as :func:`homebody.core.action.diagnose`, but with the published
    checks."""
    checks, success = _printed_checks(schema, binding, now, history, quirks)
    if success:
        return None
    by_error: dict[ErrorType, list[Formula]] = {}
    for error, formula in checks:
        by_error.setdefault(error, []).append(formula)
    error = next(e for e in PRIORITY if e in by_error)
    return error, tuple(by_error[error])


def printed_errors(
    schema: ActionSchema,
    binding: Binding,
    now: Structure,
    history: Iterable[Structure],
    quirks: frozenset[str],
) -> tuple[ErrorType, ...]:
    """Return all error types that the published simulator prints for an action, each once."""
    checks, _ = _printed_checks(schema, binding, now, history, quirks)
    return tuple(dict.fromkeys(error for error, _ in checks))


PRIORITY: Final = (
    ErrorType.ADDITIONAL_STEP,
    ErrorType.AFFORDANCE,
    ErrorType.WRONG_ORDER,
    ErrorType.MISSING_STEP,
)
"""Order in which action sequencing chooses one of the printed error types."""
SUBGOAL_PRIORITY: Final = (
    ErrorType.ADDITIONAL_STEP,
    ErrorType.WRONG_ORDER,
    ErrorType.MISSING_STEP,
    ErrorType.AFFORDANCE,
)
"""Order in which subgoal decomposition chooses one of the printed error types."""


def _printed_checks(
    schema: ActionSchema,
    binding: Binding,
    now: Structure,
    history: Iterable[Structure],
    quirks: frozenset[str],
) -> tuple[_Checks, bool]:
    """Return the printed errors with their unmet conditions, and whether the action is executed."""
    past = Past.of(history)
    checks = _checks(schema)
    ordered = "check_order" in quirks
    if not ordered:
        unmet = _unmet_checks(checks, schema, now, binding, first=False)
        return _add_wrong_order(unmet, checks, schema, binding, past, quirks), not unmet
    checks = _published_order(schema, checks)
    if schema.name != "CLEAN":
        unmet = _unmet_checks(checks, schema, now, binding, first=True)
        return _add_wrong_order(unmet, checks, schema, binding, past, quirks), not unmet
    dirts = [dirt for dirt in a.CAN_REMOVE if now.holds(dirt, (binding[a.OBJ],))]
    if not evaluate(a.CAN_BE_DIRTY, now, binding):
        return [(ErrorType.AFFORDANCE, a.CAN_BE_DIRTY)], False
    if not dirts:
        return [(ErrorType.ADDITIONAL_STEP, a.CLEAN_ALREADY)], False
    printed: _Checks = []
    success = False
    for dirt in dirts:  # each is a separate try; one success is enough
        tries = [
            (ErrorType.ADDITIONAL_STEP, a.atom(dirt, a.OBJ)),
            *(check for check in checks if check[1] not in _CLEAN_ONCE and check[1] != _WAYS),
            (ErrorType.MISSING_STEP, a.CAN_REMOVE[dirt]),
        ]
        unmet = _unmet_checks(tries, schema, now, binding, first=True)
        success = success or not unmet
        printed += _add_wrong_order(unmet, tries, schema, binding, past, quirks)
    return printed, success


def _checks(schema: ActionSchema) -> _Checks:
    """Return the conditions of a schema as checks, in the order of the paper."""
    intended = [] if schema.intended is None else [Not(schema.intended)]
    return [
        *((ErrorType.AFFORDANCE, formula) for formula in schema.affordances),
        *((ErrorType.ADDITIONAL_STEP, formula) for formula in intended),
        *((ErrorType.MISSING_STEP, formula) for formula in schema.preconditions),
    ]


def _unmet_checks(
    checks: _Checks, schema: ActionSchema, now: Structure, binding: Binding, *, first: bool
) -> _Checks:
    """Return the unmet checks: only the first, or all checks of the first kind with an unmet
    check."""
    unmet: _Checks = []
    for error, formula in checks:
        if unmet and error is not unmet[0][0]:
            break
        if not evaluate(formula, now, binding):
            if error is ErrorType.ADDITIONAL_STEP and schema.intended is not None:
                formula = schema.intended
            unmet.append((error, formula))
            if first:
                break
    return unmet


def _add_wrong_order(
    unmet: _Checks,
    checks: _Checks,
    schema: ActionSchema,
    binding: Binding,
    past: Past,
    quirks: frozenset[str],
) -> _Checks:
    """Return ``unmet``. Its error is a wrong order if an earlier state met the conditions.

    The paper limits this to missing steps; the published simulator looks back for any error.
    """
    if not unmet:
        return unmet
    if "placing_is_never_wrong_order" in quirks and any(part in schema.name for part in _PLACED):
        return unmet
    if "check_order" not in quirks and unmet[0][0] is not ErrorType.MISSING_STEP:
        return unmet
    needed = [formula for _, formula in checks]
    if "history_of_all_checks" not in quirks:
        if unmet[0][0] is not ErrorType.MISSING_STEP:
            return unmet
        needed = [formula for error, formula in checks if error is ErrorType.MISSING_STEP]
    if any(all(evaluate(f, earlier, binding) for f in needed) for earlier in past):
        return [*unmet, *((ErrorType.WRONG_ORDER, formula) for _, formula in unmet)]
    return unmet


# -- the published order ------------------------------------------------------------------------

_CLEAN_ONCE: Final = (a.CAN_BE_DIRTY, Not(a.CLEAN_ALREADY))
_WAYS: Final = a.action_schemas()["CLEAN"].preconditions[-1]
_USABLE: Final = (a.REACHABLE, a.WHOLE)


def _hand(schema: ActionSchema) -> str:
    return a.HANDS[schema.name.partition("_")[0]]


def _published_conditions(schema: ActionSchema) -> tuple[Formula | str, ...]:
    """Return conditions in the published order; conditions that it lacks come last."""
    side, _, manner = schema.name.partition("_")
    if side not in a.HANDS:
        turned = schema.affordances[:1]
        return (a.HOLDS_SLICER, a.FREE_HAND, *turned, _INTENDED, *_USABLE)
    hand = a.HANDS[side]
    holding, apart = a.holds_something(hand), a.apart(hand, a.OBJ)
    match manner:
        case "GRASP":
            big = Not(a.atom("TOO_BIG_TO_HOLD", a.OBJ))
            return (a.NO_FLOOR, big, _INTENDED, Not(holding), *_USABLE)
        case "RELEASE":
            return (_INTENDED, a.atom(hand, a.OBJ), *_USABLE)
        case "PLACE_INSIDE":
            return (a.fits(hand), a.IS_OPEN, holding, apart, *_USABLE)
        case "TRANSFER_CONTENTS_INSIDE":
            return (a.contents_fit(hand), a.IS_OPEN, holding, apart, *_USABLE)
        case "TRANSFER_CONTENTS_ONTOP":
            something = Implies(holding, a.contents(hand))
            return (something, holding, apart, *_USABLE)
        case "PLACE_NEXTTO_ONTOP":
            beside = (holding, apart, *_USABLE)
            return (*beside, a.apart(hand, a.DEST), a.reachable(a.DEST), a.whole(a.DEST))
    return (holding, apart, *_USABLE)


def _published_order(schema: ActionSchema, checks: _Checks) -> _Checks:
    order = _published_conditions(schema)
    rank: dict[Formula | str, int] = {}
    for place, item in enumerate(order):
        rank.setdefault(item, place)
    return sorted(
        checks,
        key=lambda check: rank.get(
            _INTENDED if check[0] is ErrorType.ADDITIONAL_STEP else check[1], len(order)
        ),
    )
