"""Action sequencing: from a goal to an executable plan, judged in a world by what it does.

Source: EAI paper, section 2.5 and appendix D.2.
"""

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
    none_met,
    plan_score,
    unreadable,
)
from homebody.suites.eai.protocol import PROTOCOLS
from homebody.suites.eai.reading import Reading
from homebody.suites.eai.stochastic import unreliable
from homebody.suites.eai.submission import submission_of
from homebody.suites.eai.summary import Layout, viewing
from homebody.suites.eai.world import EaiWorld, Judged

T = TypeVar("T", bound=AnnotatedTask)


def score(world: EaiWorld[T], task: T, output: str, protocol: Protocol) -> Score:
    """Judge one output; any text gives a score."""
    judged = None
    reading = Reading.of(protocol, *world.prompted)
    try:
        plan = world.read_plan(task, output, protocol, reading)
    except GrammarError as error:
        goals = world.unread_goals(task, protocol)
        result = replace(unreadable(task, error), goals=goals, crash=error.crash)
    else:
        if world.is_unjudged(task, plan, protocol):
            result = _unjudged(task, plan)
        else:
            trace = world.execute(task, plan.actions, protocol)
            judged = world.judge(task, trace, protocol)
            result = _result(world, trace, judged, plan, protocol)
            result = replace(result, crash=plan.crash or world.crash(task, trace, protocol))
    why = world.left_out(task, protocol)
    if why:  # the published evaluator drops a task before it reads the output
        result = replace(result, crash="")
    made = plan_score(task, result, reading)
    noted = world.noted(task, None if judged is None else judged.verdict)
    return replace(made, record={**made.record, **noted}).exclude(why)


def _result(
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


def _unjudged(task: AnnotatedTask, plan: WrittenPlan) -> PlanResult:
    return PlanResult(
        success=False,
        executable=True,
        goals=none_met(task),
        progress=0.0,
        explanation="Equal to the ground truth; the published evaluator does not judge it.",
        plan=plan.written,
        judged=False,
        crash=plan.crash,
    )


def traced(world: EaiWorld[T], task: T, output: str, protocol: Protocol) -> PlanTrace | None:
    """What the plan of an output did; None if it is none."""
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
    """Action sequencing in a world.

    Args:
        world: The world.
        tasks: How many it has.
        prompt: Asks for a plan.
        pipeline: How it starts from the answers to goal interpretation.
        layout: Of the published summary.
        objects: What a random plan does something with.
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
        viewing=viewing(partial(traced, world)),
        experiments=Experiments(plan_feedback, unreliable, pipeline, world.demands.plans),
        prompting=Prompting(prompt),
        text_agents={
            "oracle": annotated_plan(write),
            **planners,
            "random": random_plan(write, objects),
            **baselines,
            "empty": always(empty),
        },
    )
