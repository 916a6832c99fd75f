"""Subgoal decomposition on VirtualHome: published rules, and agents (EAI paper, 2.4 and D.3)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import partial
from itertools import permutations
from typing import TYPE_CHECKING

from homebody.core import Action, ErrorType, Prompting, Protocol, State, Trace, execute
from homebody.core.formula import Formula, atoms
from homebody.suites.eai.agents import random_calls
from homebody.suites.eai.plan_results import GoalCounts, GrammarError, count_goals, no_goals_met
from homebody.suites.eai.subgoal_decomposition import scoring
from homebody.suites.eai.subgoal_decomposition.refinement import Limits, Subgoal
from homebody.suites.eai.subgoal_decomposition.scoring import RulesFollowed, SubgoalScoring
from homebody.suites.eai.summary import Layout
from homebody.suites.eai.virtualhome import published_subgoals as published
from homebody.suites.eai.virtualhome.baselines import frequent_plan
from homebody.suites.eai.virtualhome.pipeline import PIPELINE
from homebody.suites.eai.virtualhome.prompts import (
    listed_goals,
    subgoal_decomposition_prompt,
    subgoal_decomposition_system,
)
from homebody.suites.eai.virtualhome.refinement import make_setting
from homebody.suites.eai.virtualhome.subgoals import read_subgoals, render
from homebody.suites.eai.virtualhome.tasks import (
    ACTION_PREDICATES,
    STATES,
    VirtualHomeTask,
    subgoal_vocabulary,
)
from homebody.suites.eai.virtualhome.world import WORLD, no_goal_reason
from homebody.suites.eai.world import Judged

if TYPE_CHECKING:
    import numpy as np

NEAR = "NEXT_TO"
"""Relations that are often true as a side effect of another action."""

# -- scoring -------------------------------------------------------------------------------------


def _follow_rules(
    task: VirtualHomeTask, subgoals: Sequence[Subgoal], protocol: Protocol, limits: Limits
) -> RulesFollowed:
    """Refine subgoals by the published rules, and choose a refinement as the published evaluator
    does."""
    if protocol.keeps("goals_outside_subgoal_vocabulary") and not published.has_readable_goal(task):
        raise GrammarError(ErrorType.PARSING, "the task's goal cannot be read")
    if not task.has_goal:
        raise GrammarError(ErrorType.PARSING, "the task has no goal")
    goal = task.task.goal
    ways, limited = published.refine(task, subgoals, limits)
    formula: Formula = goal.formula  # type: ignore[attr-defined]
    if protocol.keeps("goals_met_along_the_way"):
        reached = [way.finished and published.has_been_true(formula, way) for way in ways]
    else:
        reached = [way.finished and goal.judge(way.trace).success for way in ways]
    chosen = published.select_best(ways, reached)
    by_name = protocol.keeps("action_goals_by_name")
    goals = published.goals_met(task, ways[chosen]) if by_name else None
    return RulesFollowed(ways[chosen], reached[chosen], goals, limited)


def _judge(task: VirtualHomeTask, trace: Trace, protocol: Protocol) -> Judged:
    verdict = task.task.goal.judge(trace)
    return Judged(verdict, verdict.success, count_goals(verdict.parts))


def _unread_goals(task: VirtualHomeTask, protocol: Protocol) -> GoalCounts:
    goals = no_goals_met(task)
    if protocol.keeps("repeated_goals_of_unread_outputs"):
        met, total = goals["relation"]
        goals["relation"] = (met, total + task.repeated_goals)
    return goals


def _is_notable(subgoal: Subgoal) -> bool:
    """Return whether a subgoal requires more than being near, a frequent side effect."""
    return any(atom.predicate != NEAR for atom in atoms(subgoal.formula))


SCORING: SubgoalScoring[VirtualHomeTask] = SubgoalScoring(
    WORLD,
    read=read_subgoals,
    setting=make_setting,
    follow_rules=_follow_rules,
    judge=_judge,
    unread_goals=_unread_goals,
    is_notable=_is_notable,
    exclusion_reason=no_goal_reason,
)
score = partial(scoring.score, SCORING)

# -- agents that need no model -------------------------------------------------------------------


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
    """Return the states of the ground-truth plan, and its actions that change no state."""
    trace = execute(task.task.world, task.task.initial, task.task.reference)
    return _states_output(task, zip(trace.actions, trace.states[1:], strict=True))


def frequent(task: VirtualHomeTask, generator: np.random.Generator) -> str:
    """Return the states of the most frequent plan of other tasks."""
    return as_states(task, frequent_plan(task))


def as_states(task: VirtualHomeTask, plan: Iterable[Action]) -> str:
    """Return an output with the states that a plan passes through, including states after
    impossible actions."""
    state, steps = task.task.initial, []
    for action in plan:
        state = task.task.world.step(state, action).state
        steps.append((action, state))
    return _states_output(task, steps)


def _states_output(task: VirtualHomeTask, steps: Iterable[tuple[Action, State]]) -> str:
    """Write actions, each with the state after it, as subgoals."""
    subgoals: list[str] = []
    names: set[str] = set()
    for action, after in steps:
        names.add(action.name)
        text = _subgoal_of(action, after, task)
        if text and subgoals[-1:] != [text]:
            subgoals.append(text)
    return render(subgoals, sorted(names & task.goal_actions))


def _subgoal_of(action: Action, after: State, task: VirtualHomeTask) -> str:
    """Return the subgoal that an action reaches; empty if no subgoal can express it."""
    name, args, agent = action.name, action.args, task.task.world.agent
    if name in subgoal_vocabulary() and name not in {*STATES, "GRAB", "SWITCHOFF"}:
        return f"{name}({', '.join(args)})"
    if name in task.goal_actions and name not in STATES:
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


SCENE_STATES = (*STATES, "ONTOP", "INSIDE", "NEXT_TO", "FACING", "HOLDS_RH", "HOLDS_LH")
"""Predicates of random subgoals, besides actions."""


def random(task: VirtualHomeTask, generator: np.random.Generator) -> str:
    """Return random subgoals over listed objects, one for each action of the ground truth."""
    vocabulary = subgoal_vocabulary()
    arity = {
        name: vocabulary[name] for name in {*SCENE_STATES, *ACTION_PREDICATES & vocabulary.keys()}
    }
    objects = list(task.relevant) or list(task.task.initial.objects)
    calls = random_calls(arity, objects, len(task.task.reference), generator)
    return render([f"{name}({', '.join(args)})" for name, args in calls])


def copycat(task: VirtualHomeTask, generator: np.random.Generator) -> str:
    """Return the goal as stated in the prompt: its actions in order, then all its states at once.

    The prompt names no objects for actions, so an action may be on any of the listed objects.
    """
    subgoals = []
    for goal in task.action_goals:
        calls = (
            f"{name}({', '.join(args)})"
            for name in goal.split("|")
            for args in permutations(task.listed_objects, task.task.world.schemas[name].arity)
        )
        subgoals.append(" or ".join(calls))
    states = " and ".join(listed_goals(task))
    return render([*subgoals, *([states] if states else [])], sorted(task.goal_actions))


SUITE = scoring.make_suite(
    SCORING,
    338,
    output_id=lambda task: f"scene_1_{task.id}",
    wanted=lambda task: task.has_goal,
    prompting=Prompting(subgoal_decomposition_prompt, system=subgoal_decomposition_system),
    pipeline=PIPELINE,
    layout=Layout(
        sections=("trajectory_evaluation", "goal_evaluation"),
        total="overall_goal",
        runtime_errors={
            "wrong_order": "wrong_order",
            "missing_step": "missing_step",
            "additional_step": "additional_step",
            "affordance_error": "affordance",
        },
    ),
    agents={"oracle": oracle, "random": random, "copycat": copycat, "frequent": frequent},
    empty=render([]),
)
