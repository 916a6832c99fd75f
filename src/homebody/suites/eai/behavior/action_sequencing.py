"""Action sequencing on BEHAVIOR: from a goal to an executable plan.

Source: EAI paper, section 2.5 and appendix D.2.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from homebody.core import (
    Action,
    ErrorType,
    Failure,
    Protocol,
    Score,
    Suite,
    Trace,
    Verdict,
    execute,
)
from homebody.data import behavior as data
from homebody.suites.eai.behavior.demands import PLAN_DEMANDS
from homebody.suites.eai.behavior.judging import (
    COLUMNS,
    at_start,
    conditions_met,
    count_conditions,
    judge,
    rates,
)
from homebody.suites.eai.behavior.pipeline import PIPELINE
from homebody.suites.eai.behavior.planner import planner
from homebody.suites.eai.behavior.plans import known_objects, read_plan, render
from homebody.suites.eai.behavior.prompts import action_sequencing_prompt
from homebody.suites.eai.behavior.protocol import PROTOCOLS
from homebody.suites.eai.behavior.tasks import BehaviorTask, load_tasks
from homebody.suites.eai.feedback import plan_feedback
from homebody.suites.eai.stochastic import unreliable
from homebody.suites.eai.trajectory import (
    GrammarError,
    Result,
    count,
    explain_trace,
    make_score,
    unreadable,
)
from homebody.worlds.behavior import Behavior

if TYPE_CHECKING:
    import numpy as np

NAME = "eai.behavior.action_sequencing"


def score(task: BehaviorTask, output: str, protocol: Protocol) -> Score:
    """Judge one output; any text gives a score."""
    verdict = None
    try:
        plan = read_plan(task, output, protocol)
    except GrammarError as error:
        result = replace(unreadable(task, error), goals=at_start(task, protocol), crash=error.crash)
    else:
        trace = _execute(task, plan)
        verdict = judge(task, trace, protocol)
        result = _judged(plan, trace, verdict, protocol)
        world = task.task.world
        if isinstance(world, Behavior) and world.goal_check_crashes(trace.final):
            result = replace(result, crash="UnboundLocalError")
    made = make_score(task, result, valid=True)
    return replace(made, record={**made.record, **conditions_met(verdict, task)})


def _execute(task: BehaviorTask, plan: Sequence[Action]) -> Trace:
    """Carry out a plan, up to an action that only the published vocabulary has."""
    world = task.task.world
    end = next((i for i, one in enumerate(plan) if one.name not in world.schemas), len(plan))
    trace = execute(world, task.task.initial, plan[:end])
    if trace.failure is not None or end == len(plan):
        return trace
    message = "Not possible: the published simulator does not know it."
    failure = Failure(plan[end], ErrorType.EXECUTION_FAILURE, (), message)
    return replace(trace, failure=failure, failed_at=end)


def _judged(plan: Sequence[Action], trace: Trace, verdict: Verdict, protocol: Protocol) -> Result:
    failure = trace.failure
    executable = failure is None
    success = verdict.success and (executable or protocol.keeps("stopped_plans_can_succeed"))
    return Result(
        success=success,
        executable=executable,
        goals=count_conditions(verdict),
        progress=verdict.progress,
        explanation=explain_trace(trace, verdict, success),
        plan=tuple(map(str, plan)),
        error=failure.error if failure else None,
        error_step=trace.failed_at,
        error_action=str(failure.action) if failure else None,
        additional_steps=len(trace.skipped),
        counted_additional=min(len(trace.skipped), 1),
    )


# -- agents that need no model -------------------------------------------------------------------


def oracle(task: BehaviorTask, generator: np.random.Generator) -> str:
    """The annotated plan."""
    return render(task.task.reference)


def random(task: BehaviorTask, generator: np.random.Generator) -> str:
    """As many random actions on random objects as the annotated plan has."""
    schemas = task.task.world.schemas
    names, objects = sorted(schemas), sorted(known_objects(task))
    plan = []
    for _ in task.task.reference:
        name = names[generator.integers(len(names))]
        picked = generator.integers(len(objects), size=schemas[name].arity)
        plan.append(Action(name, tuple(objects[i] for i in picked)))
    return render(plan)


def empty(task: BehaviorTask, generator: np.random.Generator) -> str:
    """No plan at all."""
    return "[]"


SUITE: Suite[BehaviorTask] = Suite(
    name=NAME,
    title="Turn a goal into an executable plan (EAI, BEHAVIOR, 100 tasks)",
    protocols=PROTOCOLS,
    prepare=lambda progress: data.fetch(progress=progress),
    load=load_tasks,
    identify=lambda task: task.id,
    describe=lambda task: f"{task.task.name}: {task.task.instruction}",
    prompt=action_sequencing_prompt,
    score=score,
    count=count,
    rates=rates,
    columns=COLUMNS,
    means={"Partial": "progress"},
    agents={"oracle": oracle, "planner": planner, "random": random, "empty": empty},
    categories=lambda task: task.categories,
    feedback=plan_feedback,
    pipeline=PIPELINE,
    unreliable=unreliable,
    demands=PLAN_DEMANDS,
)
