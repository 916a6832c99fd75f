"""Subgoal decomposition on VirtualHome: from a goal to the states on the way to it.

Source: EAI paper, section 2.4 and appendix D.3.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, replace
from functools import partial
from typing import TYPE_CHECKING, Any

from homebody.core import Action, ErrorType, Protocol, Score, State, Suite, execute
from homebody.core.formula import Formula, atoms
from homebody.data import eai as data
from homebody.suites.eai.subgoal_decomposition.refinement import (
    LIMITS,
    Limits,
    Subgoal,
    limits_of,
)
from homebody.suites.eai.subgoal_decomposition.scoring import (
    Telling,
    followed,
    searched,
)
from homebody.suites.eai.trajectory import (
    GRAMMAR,
    KINDS,
    GrammarError,
    Result,
    columns,
    count,
    count_goals,
    make_score,
    unreadable,
)
from homebody.suites.eai.virtualhome import published_subgoals as published
from homebody.suites.eai.virtualhome.demands import SUBGOAL_DEMANDS
from homebody.suites.eai.virtualhome.pipeline import PIPELINE
from homebody.suites.eai.virtualhome.plans import script_line
from homebody.suites.eai.virtualhome.prompts import (
    subgoal_decomposition_prompt,
    subgoal_decomposition_system,
)
from homebody.suites.eai.virtualhome.protocol import PROTOCOLS
from homebody.suites.eai.virtualhome.refinement import refine
from homebody.suites.eai.virtualhome.subgoals import read_subgoals
from homebody.suites.eai.virtualhome.tasks import (
    ACTION_PREDICATES,
    STATES,
    VirtualHomeTask,
    load_tasks,
    subgoal_vocabulary,
)

if TYPE_CHECKING:
    import numpy as np

NAME = "eai.virtualhome.subgoal_decomposition"
NEAR = "NEXT_TO"
"""Often so already, as a side effect of something else."""

# -- scoring -------------------------------------------------------------------------------------


def score(task: VirtualHomeTask, output: str, protocol: Protocol, limits: Limits = LIMITS) -> Score:
    """Judge one output; any text gives a score, after a bounded search."""
    extra: dict[str, Any] = {"subgoals": [], "failed_subgoal": None, "search_limit": False}
    try:
        subgoals = read_subgoals(task, output, protocol)
        extra["subgoals"] = [subgoal.text for subgoal in subgoals]
        if protocol.keeps("subgoals_refined_by_rules"):
            result = _follow_rules(task, subgoals, protocol, limits, extra)
        else:
            result = _search(task, subgoals, protocol, limits, extra)
    except GrammarError as error:
        result = unreadable(task, error, "Subgoal")
    valid = task.has_goal or protocol.keeps("goalless_tasks_counted")
    made = make_score(task, result, valid)
    totals = {kind: [met, total] for kind, (met, total) in _totals(task, result, protocol).items()}
    return replace(made, record={**made.record, "goals_met": totals, **extra})


def _totals(
    task: VirtualHomeTask, result: Result, protocol: Protocol
) -> dict[str, tuple[float, float]]:
    goals = dict(result.goals)
    if result.grammar_errors and protocol.keeps("repeated_goals_of_unread_outputs"):
        met, total = goals["relation"]
        goals["relation"] = (met, total + task.repeated_goals)
    return goals


def _search(
    task: VirtualHomeTask,
    subgoals: Sequence[Subgoal],
    protocol: Protocol,
    limits: Limits,
    extra: dict[str, Any],
) -> Result:
    """Refine by search, and judge the best refinement like a plan."""
    outcome = refine(task, subgoals, limits)
    return searched(outcome, subgoals, task.task.goal.judge, _TELLING, extra)[0]


def _notable(subgoal: Subgoal) -> bool:
    """Whether it asks for more than being near, which is often so as a side effect."""
    return any(atom.predicate != NEAR for atom in atoms(subgoal.formula))


_TELLING = Telling(
    goals=lambda verdict: count_goals(verdict.parts),
    line=lambda action: script_line(action.name, action.args),
    notable=_notable,
)


def _follow_rules(
    task: VirtualHomeTask,
    subgoals: Sequence[Subgoal],
    protocol: Protocol,
    limits: Limits,
    extra: dict[str, Any],
) -> Result:
    """Refine by the published rules, and choose and judge as the published evaluator does."""
    if protocol.keeps("goals_outside_subgoal_vocabulary") and not published.goal_is_read(task):
        raise GrammarError(ErrorType.PARSING, "the task's goal cannot be read")
    if not task.has_goal:
        raise GrammarError(ErrorType.PARSING, "the task has no goal")
    goal = task.task.goal
    try:
        runs, extra["search_limit"] = published.refine(task, subgoals, limits)
        formula: Formula = goal.formula  # type: ignore[attr-defined]
        if protocol.keeps("goals_met_along_the_way"):
            reached = [run.finished and published.was_true(formula, run) for run in runs]
        else:
            reached = [run.finished and goal.judge(run.trace).success for run in runs]
    except published.Unevaluated as error:
        raise GrammarError(ErrorType.PARSING, str(error)) from None
    chosen = published.best(runs, reached)
    run, success = runs[chosen], reached[chosen]
    verdict = goal.judge(run.trace)
    all_counted = not protocol.keeps("additional_steps_of_failed_plans_uncounted")
    result = followed(run, verdict, _TELLING, extra, success=success, all_counted=all_counted)
    if protocol.keeps("action_goals_by_name"):
        return replace(result, goals=published.goals_met(task, run))
    return result


# -- summary -------------------------------------------------------------------------------------


def rates(sums: Mapping[str, float], *, exact: bool = False) -> dict[str, Any]:
    """The published summary: shares of 1, rounded; if ``exact``, percentages as they are."""

    def rate(part: float, whole: float) -> float:
        if exact:
            return 100.0 * part / whole if whole else math.nan
        return round(part / whole if whole else 0.0, 4)

    def share(name: str) -> float:
        return rate(sums[name], sums["tasks"])

    met, goals = (sum(sums[f"{kind} {what}"] for kind in KINDS) for what in ("met", "goals"))
    return {
        "trajectory_evaluation": {
            "execution_success_rate": share("executable"),
            "grammar_error": {name: share(name) for name in GRAMMAR},
            "runtime_error": {
                "wrong_order": share("wrong_order"),
                "missing_step": share("missing_step"),
                "additional_step": share("additional_step"),
                "affordance": share("affordance_error"),
            },
        },
        "goal_evaluation": {
            "task_success_rate": share("success"),
            **{f"{k}_goal": rate(sums[f"{k} met"], sums[f"{k} goals"]) for k in KINDS},
            "overall_goal": rate(met, goals),
        },
    }


# -- agents that need no model -------------------------------------------------------------------


def render(subgoals: Sequence[str], actions: Sequence[str] = ()) -> str:
    """Subgoals as the prompt asks for them."""
    answer = {
        "necessity_to_use_action": "yes" if actions else "no",
        "actions_to_include": list(actions),
        "output": list(subgoals),
    }
    return json.dumps(answer)


_STATE_AFTER = {
    "OPEN": "OPEN",
    "CLOSE": "CLOSED",
    "SWITCHON": "ON",
    "SWITCHOFF": "OFF",
    "PLUGIN": "PLUGGED_IN",
    "PLUGOUT": "PLUGGED_OUT",
}
_RESTS = {"SIT": "SITTING", "LIE": "LYING"}


def oracle(task: VirtualHomeTask, generator: np.random.Generator) -> str:
    """The ground-truth plan, told as the states it goes through (and its actions that change no
    state, where the vocabulary has them)."""
    trace = execute(task.task.world, task.task.initial, task.task.reference)
    asked = {choice for goal in task.action_goals for choice in goal.split("|")}
    told: list[str] = []
    for action, after in zip(trace.actions, trace.states[1:], strict=True):
        text = _told(action, after, task.task.world.agent, asked)
        if text and (not told or told[-1] != text):
            told.append(text)
    return render(told, sorted({a.name for a in trace.actions if a.name in asked}))


def _told(action: Action, after: State, agent: str, asked: set[str]) -> str:
    """An action as the subgoal it reaches; empty for one that no subgoal can tell."""
    name, args = action.name, action.args
    if name in subgoal_vocabulary() and name not in {*STATES, "GRAB", "SWITCHOFF"}:
        return f"{name}({', '.join(args)})"
    if name in asked and name not in STATES:
        return f"{name}({', '.join(args)})"
    match name, args:
        case _, (thing,) if name in _STATE_AFTER:
            return f"{_STATE_AFTER[name]}({thing})"
        case _, (place,) if name in _RESTS:
            return f"{_RESTS[name]}({agent}) and ONTOP({agent}, {place})"
        case "STANDUP", ():
            return f"not SITTING({agent}) and not LYING({agent})"
        case (("WALK" | "RUN" | "FIND"), (thing,)):
            in_it = after.holds("ROOM", (thing,))
            return f"INSIDE({agent}, {thing})" if in_it else f"NEXT_TO({agent}, {thing})"
        case "TURNTO", (thing,):
            return f"FACING({agent}, {thing})"
        case "GRAB", (thing,):
            hand = "HOLDS_RH" if after.holds("HOLDS_RH", (agent, thing)) else "HOLDS_LH"
            return f"{hand}({agent}, {thing})"
        case (("DROP" | "RELEASE"), (thing,)):
            return f"not HOLDS_RH({agent}, {thing}) and not HOLDS_LH({agent}, {thing})"
        case "PUTBACK", (thing, place):
            return f"ONTOP({thing}, {place})"
        case (("PUTIN" | "POUR"), (thing, place)):
            return f"INSIDE({thing}, {place})"
        case "PUTOBJBACK", (thing,):
            places = [
                f"{relation}({thing}, {place})"
                for relation in ("ONTOP", "INSIDE")
                for place in sorted(after.targets(relation, thing))
                if not after.holds("ROOM", (place,))
            ]
            return places[0] if places else ""
        case "PUTON", (thing,):
            return f"ONTOP({thing}, {agent})"
        case "PUTOFF", (thing,):
            return f"not ONTOP({thing}, {agent})"
        case "WIPE", (thing,):
            return f"CLEAN({thing})"
    return ""


def random(task: VirtualHomeTask, generator: np.random.Generator) -> str:
    """As many random subgoals over listed objects as the ground truth has actions."""
    vocabulary = sorted(set(SCENE_STATES) | set(subgoal_vocabulary()) & ACTION_PREDICATES)
    objects = list(task.relevant) or list(task.task.initial.objects)
    told = []
    for _ in task.task.reference:
        name = vocabulary[generator.integers(len(vocabulary))]
        picked = generator.integers(len(objects), size=subgoal_vocabulary()[name])
        told.append(f"{name}({', '.join(objects[i] for i in picked)})")
    return render(told)


SCENE_STATES = (*STATES, "ONTOP", "INSIDE", "NEXT_TO", "FACING", "HOLDS_RH", "HOLDS_LH")
"""What a random subgoal asks for, besides actions."""


def empty(task: VirtualHomeTask, generator: np.random.Generator) -> str:
    """No subgoal at all."""
    return render([])


def _rebound(bounds: Mapping[str, float]) -> Callable[[VirtualHomeTask, str, Protocol], Score]:
    return partial(score, limits=limits_of(bounds))


SUITE: Suite[VirtualHomeTask] = Suite(
    name=NAME,
    title="Turn a goal into subgoals that lead to it (EAI, VirtualHome, 338 tasks)",
    protocols=PROTOCOLS,
    prepare=lambda progress: data.fetch(progress=progress),
    load=load_tasks,
    identify=lambda task: task.id,
    describe=lambda task: f"{task.id:<7} {task.task.name}: {task.task.instruction}",
    prompt=subgoal_decomposition_prompt,
    system=subgoal_decomposition_system,
    score=score,
    count=count,
    rates=rates,
    columns=columns(total="overall_goal", affordance="affordance"),
    means={"Partial": "progress"},
    agents={"oracle": oracle, "random": random, "empty": empty},
    categories=lambda task: task.categories,
    output_id=lambda task: f"scene_1_{task.id}",
    bounds=asdict(LIMITS),
    rebound=_rebound,
    pipeline=PIPELINE,
    demands=SUBGOAL_DEMANDS,
)
