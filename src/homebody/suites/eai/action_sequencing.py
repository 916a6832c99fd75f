"""Action sequencing: from a goal to an executable plan (EAI paper, section 2.5, appendix D.2)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from types import MappingProxyType
from typing import TypeVar

from homebody.core import Prompting, Protocol, Score, Scoring, Suite, TextAgent, Trace
from homebody.core.published import Published
from homebody.core.suite import Experiments, Pipeline
from homebody.core.viewing import PlanTrace
from homebody.suites.eai.agents import always, annotated_plan, given_plan, random_plan
from homebody.suites.eai.feedback import plan_feedback
from homebody.suites.eai.plan_results import (
    AnnotatedTask,
    GrammarError,
    PlanResult,
    WrittenPlan,
    explain_trace,
    no_goals_met,
    plan_score,
    unreadable_result,
)
from homebody.suites.eai.protocol import PROTOCOLS
from homebody.suites.eai.reading import Reading
from homebody.suites.eai.stochastic import make_unreliable
from homebody.suites.eai.submission import submission_of
from homebody.suites.eai.summary import Layout, make_viewing
from homebody.suites.eai.world import EaiWorld, Judged

T = TypeVar("T", bound=AnnotatedTask)


def score(world: EaiWorld[T], task: T, output: str, protocol: Protocol) -> Score:
    """Judge one output; any text gets a score."""
    judged = None
    reading = Reading.of(protocol, *world.prompted)
    try:
        plan = world.read_plan(task, output, protocol, reading)
    except GrammarError as error:
        goals = world.unread_goals(task, protocol)
        result = replace(unreadable_result(task, error), goals=goals, crash=error.crash)
    else:
        if world.is_unjudged(task, plan, protocol):
            result = _unjudged_result(task, plan)
        else:
            trace = world.execute(task, plan.actions, protocol)
            judged = world.judge(task, trace, protocol)
            result = _make_result(world, trace, judged, plan, protocol)
            result = replace(result, crash=plan.crash or world.crash(task, trace, protocol))
    why = world.exclusion_reason(task, protocol)
    if why:  # the published evaluator drops a task before it reads the output
        result = replace(result, crash="")
    made = plan_score(task, result, reading)
    noted = world.noted(task, None if judged is None else judged.verdict)
    return replace(made, record={**made.record, **noted}).exclude(why)


def _make_result(
    world: EaiWorld[T], trace: Trace, judged: Judged, plan: WrittenPlan, protocol: Protocol
) -> PlanResult:
    failure = trace.failure
    executable = failure is None
    success = judged.success and (executable or protocol.keeps("stopped_plans_can_succeed"))
    additional = len(trace.skipped)
    singly = "additional_steps_counted_singly" in protocol.kept_quirks(world.quirks)
    return PlanResult(
        success=success,
        executable=executable,
        goals=judged.goals,
        progress=judged.verdict.progress,
        explanation=explain_trace(trace, judged.verdict, success, judged.success),
        plan=plan.written,
        error=failure.error if failure else None,
        error_step=trace.failed_at,
        error_action=str(failure.action) if failure else None,
        additional_steps=additional,
        counted_additional=additional if singly else min(additional, 1),
    )


def _unjudged_result(task: AnnotatedTask, plan: WrittenPlan) -> PlanResult:
    return PlanResult(
        success=False,
        executable=True,
        goals=no_goals_met(task),
        progress=0.0,
        explanation="Equal to the ground truth; the published evaluator does not judge it.",
        plan=plan.written,
        judged=False,
        crash=plan.crash,
    )


def trace_plan(world: EaiWorld[T], task: T, output: str, protocol: Protocol) -> PlanTrace | None:
    """Execute the plan of an output and return its trace; None if the output is not a plan."""
    reading = Reading.of(protocol, *world.prompted)
    try:
        plan = world.read_plan(task, output, protocol, reading).actions
    except GrammarError:
        return None
    return PlanTrace(plan, world.execute(task, plan, protocol), task.task.goal)


def make_suite(
    world: EaiWorld[T],
    tasks: int,
    *,
    prompt: Callable[[T], str],
    pipeline: Pipeline[T],
    layout: Layout,
    objects: Callable[[T], Sequence[str]],
    empty: str,
    planners: Mapping[str, TextAgent[T]] = MappingProxyType({}),
) -> Suite[T]:
    """Make the suite of action sequencing in a world.

    Args:
        world: The world.
        tasks: Number of its tasks.
        prompt: Writes the prompt that requests a plan.
        pipeline: The pipeline from goal interpretation to this suite.
        layout: Layout of the published summary.
        objects: Objects that a random plan uses.
        empty: A plan without an action.
        planners: Further agents that plan.
    """
    name = f"eai.{world.name}.action_sequencing"
    write = world.write_plan
    baselines = {agent: given_plan(write, plan) for agent, plan in world.baselines.items()}
    return Suite(
        name=name,
        title=f"Turn a goal into an executable plan (EAI, {world.title}, {tasks} tasks)",
        tasks=world.tasks,
        scoring=Scoring(partial(score, world), PROTOCOLS),
        reporting=layout.reporting(),
        published=Published(world.quirks, world.is_loaded_for, submission=submission_of(name)),
        viewing=make_viewing(partial(trace_plan, world)),
        experiments=Experiments(plan_feedback, make_unreliable, pipeline, world.demands.plans),
        prompting=Prompting(prompt),
        text_agents={
            "oracle": annotated_plan(write),
            **planners,
            "random": random_plan(write, objects),
            **baselines,
            "empty": always(empty),
        },
        prompt_version=2,
    )
