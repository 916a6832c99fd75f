"""Reading, refinement and judgement of subgoals by eai-eval 1.0.5, where the paper differs.

Quirks of :mod:`homebody.suites.eai.virtualhome.protocol`, module ``subgoal_decomposition``.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from typing import Any

from homebody.core import Action, ErrorType, State
from homebody.core.formula import (
    And,
    Atom,
    Exists,
    Formula,
    Or,
    Then,
    atoms,
    has_then,
    with_atoms,
)
from homebody.core.truth import candidates, evaluate
from homebody.goals.ltl import Step, needs_action
from homebody.suites.eai.subgoal_decomposition import published_formulas as formulas
from homebody.suites.eai.subgoal_decomposition.refinement import Limits, Subgoal
from homebody.suites.eai.subgoal_decomposition.scoring import RuleRefinement
from homebody.suites.eai.virtualhome.plans import plan_line
from homebody.suites.eai.virtualhome.tasks import (
    ACTION_PREDICATES,
    VirtualHomeTask,
    id_of,
    subgoal_vocabulary,
)

MAX_DIGITS = 4_300
"""Maximum number of digits of an id that the published evaluator, like Python's ``int``, reads."""


# -- reading -------------------------------------------------------------------------------------


def read(task: VirtualHomeTask, output: str) -> list[Subgoal]:
    """Read the calls in an output, in the order of refinement.

    Raises:
        GrammarError: It cannot be read, or a predicate, a number of arguments or an object is
            wrong.
    """
    items = [_first_choice(item) for item in formulas.published_texts(output)]
    text = " then ".join(item for item in items if item)
    tree = formulas.parse(text, _vocabulary())
    objects = task.task.initial.objects
    classes = {item.category for item in objects.values()}
    formulas.check_calls(
        formulas.calls(tree), _vocabulary(), lambda arg: _is_known_object(arg, objects, classes)
    )
    path = formulas.path(tree, "a quantifier or the negation of more than one call")
    calls = (with_atoms(call, _normalize_ids) for call in path)
    return [Subgoal(formulas.call_text(call), call) for call in calls]


def _first_choice(item: str) -> str:
    if item in ("SLEEP", "WAKEUP", "STANDUP"):
        return f"{item}()"
    return item.split(" or ")[0] if _has_call(item) else ""


def _has_call(item: str) -> bool:
    r"""Return whether ``\w+\(.*?\)`` matches somewhere in the text, in linear time."""
    for line in item.split("\n"):
        call = re.search(r"\w\(", line)
        if call is not None and ")" in line[call.end() :]:
            return True
    return False


@cache
def _vocabulary() -> Mapping[str, int]:
    """Map predicates to numbers of arguments; the published evaluator's copy adds ``WIPE``."""
    return {**subgoal_vocabulary(), "WIPE": 1}


def _is_known_object(arg: str, objects: Mapping[str, Any], classes: set[str]) -> bool:
    name, dot, number = arg.partition(".")
    if not dot:
        return name in classes or name == "?"
    if len(number) > MAX_DIGITS:
        raise formulas.unreadable_error(f"an id of more than {MAX_DIGITS:,} digits")
    return _normalize_id(arg) in objects


def _normalize_ids(call: Atom) -> Formula:
    """Normalize the ids of a call: ``soap.01000`` is soap.1000."""
    return Atom(call.predicate, tuple(map(_normalize_id, call.args)))


def _normalize_id(arg: str) -> str:
    name, dot, number = arg.partition(".")
    return f"{name}.{number.lstrip('0') or '0'}" if dot else name


# -- refining ------------------------------------------------------------------------------------


def refine(
    task: VirtualHomeTask, subgoals: Sequence[Subgoal], limits: Limits
) -> tuple[list[RuleRefinement], bool]:
    """Return every refinement by the fixed rules, and whether a bound ended it early.

    Each subgoal has one or two candidates of up to four actions. Every candidate with executable
    actions is followed, breadth-first, without checking that the subgoal holds afterwards.

    Raises:
        formulas.Unevaluated: The published evaluator would raise an exception.
    """
    queue = [RuleRefinement((task.task.initial,))]
    ended: list[RuleRefinement] = []
    tried = 0
    for index, subgoal in enumerate(subgoals):
        following: list[RuleRefinement] = []
        for run in queue:
            sets = candidate_actions(subgoal.formula, run.states[-1], task.task.world.agent)
            if not sets:
                following.append(run)
            for actions in sets:
                tried += len(actions)
                if tried > limits.nodes:
                    return [*ended, *queue], True
                after = _carry_out(task, run, index, actions)
                stopped = (
                    after.errors and after.errors[-1][1].error is not ErrorType.ADDITIONAL_STEP
                )
                (ended if stopped else following).append(after)
        queue = following
    done = [RuleRefinement(run.states, run.actions, run.errors, finished=True) for run in queue]
    return [*ended, *done], False


_WITHOUT_FACT = frozenset({"SEAT_FREE", "BED_FREE", "KNIFE"})
"""Conditions that contain no fact which the published simulator could look for in earlier states.

The copy of its checker that judges subgoals looks for a fact anyway.
"""


def _carry_out(
    task: VirtualHomeTask, run: RuleRefinement, index: int, actions: Iterable[Action]
) -> RuleRefinement:
    world = task.task.world
    states, done, errors = list(run.states), list(run.actions), list(run.errors)
    for action in actions:
        outcome = world.step(states[-1], action, states[:-1])
        failure = outcome.failure
        if failure is None:
            states.append(outcome.state)
            done.append(action)
            continue
        if action.name in ("FIND", "WALK") and failure.error is ErrorType.AFFORDANCE:
            raise formulas.Unevaluated("AssertionError: Unknown error code None")
        if any(atom.predicate in _WITHOUT_FACT for f in failure.unmet for atom in atoms(f)):
            raise formulas.Unevaluated("IndexError: list index out of range")
        errors.append((index, failure))
        if failure.error is not ErrorType.ADDITIONAL_STEP:
            break
    return RuleRefinement(tuple(states), tuple(done), tuple(errors))


def candidate_actions(call: Formula, state: State, agent: str) -> list[list[Action]]:
    """Return the lists of actions of the fixed rules for a subgoal. Each list is tried."""
    if not isinstance(call, Atom):
        raise formulas.Unevaluated("AttributeError: a negated subgoal")
    name, args = call.predicate, call.args
    if any("." not in arg for arg in args):
        raise formulas.Unevaluated("ValueError: an object without an id")
    if name in ACTION_PREDICATES:
        return [_actions_to_do(name, args, state, agent)]
    if len(args) == 1:
        (thing,) = args
        return [
            [Action("FIND", (thing,)), Action(do, (thing,))] for do in _STATE_RULES.get(name, ())
        ]
    return _relation_rules(name, args[0], args[1], state, agent)


_STATE_RULES = {
    "CLOSED": ("CLOSE",),
    "OPEN": ("OPEN",),
    "ON": ("SWITCHON",),
    "OFF": ("SWITCHOFF",),
    "CLEAN": ("WIPE", "WASH"),
    "PLUGGED_IN": ("PLUGIN",),
    "PLUGGED_OUT": ("PLUGOUT",),
}


def _actions_to_do(name: str, args: tuple[str, ...], state: State, agent: str) -> list[Action]:
    before: list[Action] = [Action("FIND", (arg,)) for arg in args]
    if name in ("DRINK", "EAT", "READ") and not _is_holding(args[0], state, agent):
        before.append(Action("GRAB", args))
    elif name in ("LOOKAT", "WATCH"):
        before.append(Action("TURNTO", args))
    return [*before, Action(name, args)]


def _relation_rules(
    name: str, thing: str, other: str, state: State, agent: str
) -> list[list[Action]]:
    go = Action("FIND", (other,))
    char = id_of(agent)
    match name:
        case "ONTOP" if id_of(thing) == char:
            return [[go, Action(posture, (other,))] for posture in ("SIT", "LIE")]
        case "ONTOP" if id_of(other) == char:
            return [[Action("PUTON", (thing,))]]
        case "INSIDE" if id_of(thing) == char:
            return [[Action("WALK", (other,))]]
        case "ONTOP" | "INSIDE":
            held = _is_holding(thing, state, agent)
            fetch = [] if held else [Action("FIND", (thing,)), Action("GRAB", (thing,))]
            puts = ("PUTBACK",) if name == "ONTOP" else ("PUTIN", "POUR")
            return [[*fetch, go, Action(put, (thing, other))] for put in puts]
        case "NEXT_TO" if id_of(thing) == char:
            return [[go]]
        case "FACING":
            return [[go, Action("TURNTO", (other,))]]
        case "HOLDS_RH" | "HOLDS_LH":
            return [[go, Action("GRAB", (other,))]]
    return []


def _is_holding(thing: str, state: State, agent: str) -> bool:
    return any(thing in state.targets(hand, agent) for hand in ("HOLDS_RH", "HOLDS_LH"))


# -- judging -------------------------------------------------------------------------------------


def has_readable_goal(task: VirtualHomeTask) -> bool:
    """Return whether the task's goal uses only the vocabulary of subgoals."""
    goal = task.task.goal
    formula: Formula = goal.formula  # type: ignore[attr-defined]
    return all(atom.predicate in _vocabulary() for atom in atoms(formula))


def has_been_true(formula: Formula, run: RuleRefinement) -> bool:
    """Return whether state goals became true one after another, as the published evaluator checks
    it."""
    steps = [
        Step(state, action, ACTION_PREDICATES)
        for state, action in zip(run.states, (*run.actions, None), strict=True)
    ]
    return _end(formula, steps) is not None


def _end(formula: Formula, steps: Sequence[Step]) -> int | None:
    """Return the length of the shortest prefix of ``steps`` that satisfies a formula."""
    if not has_then(formula):
        return next((i + 1 for i, step in enumerate(steps) if _is_true(formula, step, {})), None)
    match formula:
        case Then(parts):
            used = 0
            for part in parts:
                end = _end(part, steps[used:])
                if end is None:
                    return None
                used += end
            return used
        case And(parts):
            ends = [_end(part, steps) for part in parts]
            return None if None in ends else max(end for end in ends if end is not None)
        case Or(parts):
            return min((e for p in parts if (e := _end(p, steps)) is not None), default=None)
    raise formulas.Unevaluated("a goal that no published task has")


def _is_true(formula: Formula, step: Step, binding: Mapping[str, str]) -> bool:
    match formula:
        case Exists(variable, body):
            if needs_action(body, variable, ACTION_PREDICATES):
                names: Iterable[str] = step.action.args if step.action is not None else ()
            else:
                names = candidates(variable, body)(step, binding)
            return any(_is_true(body, step, {**binding, variable: name}) for name in names)
        case And(parts):
            return all(_is_true(part, step, binding) for part in parts)
        case Or(parts):
            return any(_is_true(part, step, binding) for part in parts)
    return evaluate(formula, step, binding)


def goals_met(task: VirtualHomeTask, run: RuleRefinement) -> dict[str, tuple[int, int]]:
    """Count the goals that are met at the end. Action goals count up to the first one that the plan
    never mentions."""
    final = run.states[-1]
    lines = list(map(plan_line, run.actions))
    done = 0
    for choice in task.action_goals:
        if not any(name in line for name in choice.split("|") for line in lines):
            break
        done += 1
    return {
        "state": (
            sum(final.holds(s, (o,)) for s, o in task.state_goals),
            len(task.state_goals),
        ),
        "relation": (
            sum(final.holds(r, (a, b)) for r, a, b in task.relation_goals),
            len(task.relation_goals),
        ),
        "action": (done, len(task.action_goals)),
    }


def select_best(runs: Sequence[RuleRefinement], reached: Sequence[bool]) -> int:
    """Return the best run; of equal runs, the first. The criteria in order: the goal is reached,
    all subgoals are refined, fewest errors, and most actions if it is unfinished."""
    order = range(len(runs))
    if any(reached):
        return min((i for i in order if reached[i]), key=lambda i: len(runs[i].errors))
    finished = [i for i in order if runs[i].finished]
    return min(finished or order, key=lambda i: (len(runs[i].errors), -len(runs[i].actions)))
