"""Reading and refinement of subgoals on BEHAVIOR by eai-eval 1.0.5.

Quirks of :mod:`homebody.suites.eai.behavior.protocol`, module ``subgoal_decomposition``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

from homebody.core import Action, ErrorType, Failure, Protocol, State
from homebody.core.formula import And, Atom, Formula, Not, Or, Then, with_atoms
from homebody.data import behavior as data
from homebody.suites.eai.behavior.tasks import BehaviorTask, dotted_name
from homebody.suites.eai.subgoal_decomposition import published_formulas as formulas
from homebody.suites.eai.subgoal_decomposition.refinement import Subgoal
from homebody.suites.eai.subgoal_decomposition.scoring import RuleRefinement
from homebody.worlds.behavior import Behavior
from homebody.worlds.behavior.published import SUBGOAL_PRIORITY

HANDS = {"left": "holds_lh", "right": "holds_rh"}
"""Hand -> its predicate, in the order in which hands are checked."""


# -- reading -------------------------------------------------------------------------------------


def read(task: BehaviorTask, output: str) -> list[Subgoal]:
    """Read the literals in an output, in the order of refinement, over plan names.

    Raises:
        GrammarError: It cannot be read, or a predicate, a number of arguments or an object is
            wrong.
    """
    states = _states(task)
    items = [
        item
        for item in formulas.published_texts(
            output, {"toggled.on": "toggledon", "t-shirt": "shirt"}
        )
        if item and "agent" not in item
    ]
    concrete = (_first_choice(item) for item in items)
    text = " then ".join(item for item in concrete if item)
    tree = formulas.parse(text, states | set(_vocabulary()["actions"]))
    calls = list(formulas.calls(tree))
    if any(args is None for _, args in calls):
        raise formulas.unreadable_error("a call without objects")
    calls.sort(key=lambda call: call[0] not in states)  # states first
    arity = {**_vocabulary()["action_param"], **_vocabulary()["state_param"]}
    objects = {dotted_name(thing.name) for thing in task.things}
    formulas.check_calls(calls, arity, objects.__contains__)
    return [
        Subgoal(formulas.call_text(literal), with_atoms(literal, _to_world_atom))
        for literal in formulas.path(tree)
    ]


_QUANTIFIERS = ("forall", "exists", "forpairs", "forn")


def _first_choice(item: str) -> str:
    if any(word in item for word in _QUANTIFIERS):
        return ""
    return item.split(" or ")[0]


@cache
def _vocabulary() -> Mapping[str, Any]:
    vocabulary: Mapping[str, Any] = data.load("vocabulary")["subgoals"]
    return vocabulary


def _states(task: BehaviorTask) -> frozenset[str]:
    """Return the names that count as states: the vocabulary's, and the categories of the task."""
    categories = (thing.category.replace(".", "_") for thing in task.things)
    return frozenset(_vocabulary()["states"]).union(categories)


def _to_world_atom(literal: Atom) -> Formula:
    """Translate an atom to the world's vocabulary."""
    name = "toggled_on" if literal.predicate == "toggledon" else literal.predicate
    if name in _vocabulary()["actions"] and name not in _vocabulary()["states"]:
        name = name.upper()
    return Atom(name, tuple(arg.replace(".", "_") for arg in literal.args))


# -- refining ------------------------------------------------------------------------------------


def refine(task: BehaviorTask, subgoals: Sequence[Subgoal], protocol: Protocol) -> RuleRefinement:
    """Refine subgoals by the fixed rules, without checking that a subgoal holds afterwards.

    Args:
        task: The task.
        subgoals: The subgoals. A subgoal with several literals is refined literal by literal.
        protocol: Determines which error counts if several are printed.

    Raises:
        formulas.Unevaluated: The published evaluator would raise an exception.
    """
    world = task.task.world
    assert isinstance(world, Behavior)
    states, done = [task.task.initial], list[Action]()
    noted: list[tuple[int, Failure]] = []
    placed = [
        (at, literal)
        for at, subgoal in enumerate(subgoals)
        for literal in _literals_to_refine(subgoal.formula)
    ]
    literals = [literal for _, literal in placed]
    index, finished = 0, True
    while index < len(literals) and finished:
        ahead = literals[index + 1] if index + 1 < len(literals) else None
        held = hands(states[-1])
        both = _join_placements(literals[index], ahead, held)
        for action in _apply_rules(literals[index], held) if both is None else both:
            outcome = world.step(states[-1], action, states[:-1])
            if outcome.failure is None:
                states.append(outcome.state)
                done.append(action)
                continue
            error = _select_error(world, states, action, outcome.failure, protocol)
            failure = Failure(action, error, outcome.failure.unmet, outcome.failure.message)
            noted.append((placed[index][0], failure))
            if error is not ErrorType.ADDITIONAL_STEP:
                finished = False
                break
        index += 1 if both is None else 2
    if world.goal_check_crashes(states[-1]):
        raise formulas.Unevaluated("UnboundLocalError: the goal cannot be checked")
    return RuleRefinement(tuple(states), tuple(done), tuple(noted), finished)


def _literals_to_refine(formula: Formula) -> list[Formula]:
    """Return the literals to refine, in order. Only the first part of an ``or`` is refined."""
    match formula:
        case Atom() | Not(Atom()):
            return [formula]
        case And(parts) | Then(parts):
            return [literal for part in parts for literal in _literals_to_refine(part)]
        case Or(parts):
            return _literals_to_refine(parts[0])
    raise formulas.Unevaluated(
        "there is no rule for quantifiers and for the negation of several literals"
    )


def _select_error(
    world: Behavior,
    states: Sequence[State],
    action: Action,
    failure: Failure,
    protocol: Protocol,
) -> ErrorType:
    """Return the error type that counts, out of the error types that the simulator prints."""
    if failure.error is ErrorType.EXECUTION_FAILURE:
        raise formulas.Unevaluated(f"the simulator crashes at {action}")
    if not protocol.keeps("affordance_errors_come_last"):
        return failure.error
    return min(world.errors(states[-1], action, states[:-1]), key=SUBGOAL_PRIORITY.index)


def hands(state: State) -> dict[str, str | None]:
    """Map each hand to its content."""
    return {
        hand: next((row[0] for row in state.match(fact, (None,))), None)
        for hand, fact in HANDS.items()
    }


_REST = ("ontop", "onfloor")
_BESIDE = ("nextto", "touching")
_PUT = {
    "inside": "PLACE_INSIDE",
    **dict.fromkeys(_REST, "PLACE_ONTOP"),
    **dict.fromkeys(_BESIDE, "PLACE_NEXTTO"),
    "under": "PLACE_UNDER",
}
_DO = {
    "cooked": "COOK",
    "burnt": "COOK",
    "frozen": "FREEZE",
    "open": "OPEN",
    "sliced": "SLICE",
    "soaked": "SOAK",
    "toggled_on": "TOGGLE_ON",
}
_UNDO = {
    "frozen": "UNFREEZE",
    "open": "CLOSE",
    "toggled_on": "TOGGLE_OFF",
    "dusty": "CLEAN",
    "stained": "CLEAN",
}

_Held = Mapping[str, str | None]


def _apply_rules(literal: Formula, held: _Held) -> list[Action]:
    """Return the actions of the fixed rules for a literal; empty where there is no rule."""
    wanted = not isinstance(literal, Not)
    atom = literal.body if isinstance(literal, Not) else literal
    assert isinstance(atom, Atom)
    name, thing = atom.predicate, atom.args[0]
    if wanted and name in _PUT:
        hand, before = _grasp(thing, held)
        return [*before, Action(f"{hand.upper()}_{_PUT[name]}", atom.args[1:])]
    if name in (_DO if wanted else _UNDO):
        return [*_free_a_hand(held), Action((_DO if wanted else _UNDO)[name], (thing,))]
    for hand, fact in HANDS.items():
        if name == fact and wanted:
            return [*_empty_hand(hand, held), Action(f"{hand.upper()}_GRASP", (thing,))]
        if name == fact:
            return _empty_hand(hand, held) if _hand_of(thing, held) == hand else []
    if name == "inside":
        _, before = _grasp(thing, held)
        return [*before, Action("RIGHT_RELEASE", (thing,))]
    return []


def _join_placements(literal: Formula, ahead: Formula | None, held: _Held) -> list[Action] | None:
    """Return the actions for two consecutive literals if they are "on top of" and "next to" for the
    same object; else None."""
    if not isinstance(literal, Atom) or not isinstance(ahead, Atom):
        return None
    resting, beside = (literal, ahead) if literal.predicate in _REST else (ahead, literal)
    if resting.predicate not in _REST or beside.predicate not in _BESIDE:
        return None
    thing, place = resting.args
    if thing not in beside.args:
        return None
    other = beside.args[0] if thing == beside.args[1] else beside.args[1]
    hand, before = _grasp(thing, held)
    return [*before, Action(f"{hand.upper()}_PLACE_NEXTTO_ONTOP", (other, place))]


def _hand_of(thing: str, held: _Held) -> str | None:
    """Return the hand with an object, by substring: ``jar_1`` matches ``jar_10``."""
    return next((hand for hand, name in held.items() if name is not None and thing in name), None)


def _grasp(thing: str, held: _Held) -> tuple[str, list[Action]]:
    """Return the hand for an object and the actions for this hand. The right hand comes first; a
    hand is freed if necessary."""
    hand = _hand_of(thing, held)
    if hand is not None:
        return hand, []
    hand = "left" if held["left"] is None and held["right"] is not None else "right"
    return hand, [*_empty_hand(hand, held), Action(f"{hand.upper()}_GRASP", (thing,))]


def _free_a_hand(held: _Held) -> list[Action]:
    """Return the actions that free a hand. If both are full, the right hand releases its object."""
    return _empty_hand("right", held) if all(held.values()) else []


def _empty_hand(hand: str, held: _Held) -> list[Action]:
    name = held[hand]
    return [] if name is None else [Action(f"{hand.upper()}_RELEASE", (name,))]
