"""BEHAVIOR, as EAI's abilities see it.

A condition of a goal counts as a state goal or a relation goal. If it has both, it counts half for
each, as in the published evaluation. Source: EAI paper, sections 2.4 and 2.5 and appendix D.2.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from homebody.core import Action, ErrorType, Failure, Protocol, Score, Trace, Verdict, execute
from homebody.core.formula import Atom, Literal, Structure, atom_of, atoms
from homebody.goals.bddl.goal import BDDLGoal
from homebody.goals.bddl.published import Option
from homebody.suites.eai.behavior.baselines import copied_plan, frequent_plan
from homebody.suites.eai.behavior.goals import KINDS
from homebody.suites.eai.behavior.plans import PROMPTED, read_plan, render
from homebody.suites.eai.behavior.protocol import QUIRKS
from homebody.suites.eai.behavior.tasks import TASKS, BehaviorTask, load_task, shares
from homebody.suites.eai.demands import GoalsMet, make_demands
from homebody.suites.eai.plan_results import GoalCounts
from homebody.suites.eai.summary import Layout
from homebody.suites.eai.world import EaiWorld, Judged
from homebody.worlds.behavior import WORLD_QUIRKS, Behavior

LAYOUT = Layout(
    kinds=KINDS,
    runtime_errors={
        **{name: name for name in ("wrong_order", "missing_step")},
        "affordance_error": "affordance",
        "additional_step": "additional_step",
    },
    undefined=0,
)
"""BEHAVIOR has no action goals: the summary has them as 0, and tables omit them."""

# -- plans ---------------------------------------------------------------------------------------


def _execute(task: BehaviorTask, plan: Sequence[Action], protocol: Protocol) -> Trace:
    """Execute a plan. Stop before an action that exists only in the published vocabulary."""
    world = task.task.world
    end = next((i for i, action in enumerate(plan) if action.name not in world.schemas), len(plan))
    trace = execute(world, task.task.initial, plan[:end])
    if trace.failure is not None or end == len(plan):
        return trace
    message = "Not possible: the published simulator does not know it."
    failure = Failure(plan[end], ErrorType.EXECUTION_FAILURE, (), message)
    return replace(trace, failure=failure, failed_at=end)


def _crash(task: BehaviorTask, trace: Trace, protocol: Protocol) -> str:
    world = task.task.world
    crashes = isinstance(world, Behavior) and world.goal_check_crashes(trace.final)
    return "UnboundLocalError" if crashes else ""


# -- goals ---------------------------------------------------------------------------------------


def _judge(task: BehaviorTask, trace: Trace, protocol: Protocol) -> Judged:
    """Judge a trace condition by condition. The published protocol uses the options of the
    published code."""
    verdict = task.task.goal.judge(trace)
    if protocol.keeps("goals_met_by_options"):
        verdict = _judge_by_options(task, trace, verdict)
    return Judged(verdict, verdict.success, _count_conditions(verdict))


def _judge_by_options(task: BehaviorTask, trace: Trace, verdict: Verdict) -> Verdict:
    final = task.task.world.view(trace.final)
    parts = tuple(
        replace(part, satisfied=any(_is_option_met(option, final) for option in options))
        for part, options in zip(verdict.parts, task.published_options, strict=True)
    )
    success = all(part.satisfied for part in parts)
    explanation = verdict.explanation
    odd = [
        part.text
        for part, own in zip(parts, verdict.parts, strict=True)
        if part.satisfied != own.satisfied
    ]
    if odd:
        judged = "not hold" if not success else "hold"
        explanation = (
            f"By the options that are tried these conditions do {judged}: {'; '.join(odd)}."
        )
    return replace(verdict, parts=parts, success=success, explanation=explanation)


def _is_option_met(option: Option, final: Structure) -> bool:
    wanted = ((atom_of(literal), isinstance(literal, Atom)) for literal in option)
    return all(final.holds(atom.predicate, atom.args) == positive for atom, positive in wanted)


def _count_conditions(verdict: Verdict) -> GoalCounts:
    counts: dict[str, tuple[float, float]] = {}
    for kind in KINDS:
        weighted = [(shares(part.kind)[kind], part.satisfied) for part in verdict.parts]
        met = sum(weight for weight, satisfied in weighted if satisfied)
        counts[kind] = (met, sum(weight for weight, _ in weighted))
    return counts


def _conditions_met(task: BehaviorTask, verdict: Verdict | None) -> dict[str, list[bool]]:
    """Return whether each condition holds, in the order of the goal."""
    if verdict is None:
        return {"conditions_met": [False] * len(task.problem.conditions)}
    return {"conditions_met": [part.satisfied for part in verdict.parts]}


def _unread_goals(task: BehaviorTask, protocol: Protocol) -> GoalCounts:
    """Return the goals that count as met for an unreadable output: none or, as published, the goals
    that are met initially."""
    if protocol.keeps("unread_outputs_meet_what_held"):
        return _judge(task, Trace((task.task.initial,)), protocol).goals
    return {kind: (0.0, total) for kind, total in task.goal_totals.items()}


# -- demands -------------------------------------------------------------------------------------


def _goals_of_subgoals(task: BehaviorTask, score: Score) -> GoalsMet:
    met = len(score.record["conditions_met"])
    as_instructed = task.as_instructed  # unless judged by the changed goal, as published
    return _goals(as_instructed if len(as_instructed.problem.conditions) == met else task, score)


def _goals(task: BehaviorTask, score: Score) -> GoalsMet:
    """Return the goals that are met. A condition counts once for each of its predicates."""
    conditions = zip(task.problem.conditions, score.record["conditions_met"], strict=True)
    return [
        ("relation" if len(atom.args) > 1 else "state", atom.predicate, met)
        for condition, met in conditions
        for atom in {atom.predicate: atom for atom in atoms(condition)}.values()
    ]


def _nearest(task: BehaviorTask, trace: Trace) -> Sequence[Literal]:
    goal = task.task.goal
    assert isinstance(goal, BDDLGoal)
    return goal.nearest(trace)


WORLD: EaiWorld[BehaviorTask] = EaiWorld(
    name="behavior",
    title="BEHAVIOR",
    tasks=TASKS,
    world_quirks=WORLD_QUIRKS,
    load_task=load_task,
    quirks=QUIRKS,
    # all objects of the problem count, without the agent
    demands=make_demands(
        lambda task: len(task.things),
        lambda line: line.partition("(")[0],
        _goals,
        _goals_of_subgoals,
    ),
    baselines={"copycat": copied_plan, "frequent": frequent_plan},
    read_plan=read_plan,
    prompted=PROMPTED,
    write_plan=render,
    execute=_execute,
    judge=_judge,
    nearest=_nearest,
    unread_goals=_unread_goals,
    crash=_crash,
    noted=_conditions_met,
)
