"""Action sequencing on BEHAVIOR: from a goal to an executable plan.

Source: EAI paper, section 2.5 and appendix D.2.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from homebody.core import (
    Action,
    ErrorType,
    Failure,
    Prompting,
    Protocol,
    Score,
    Scoring,
    Suite,
    Trace,
    execute,
)
from homebody.core.published import Published
from homebody.core.suite import Experiments
from homebody.core.viewing import Traced
from homebody.suites.eai.action_sequencing.scoring import plan_result
from homebody.suites.eai.agents import always, annotated_plan, given_plan, random_plan
from homebody.suites.eai.behavior.baselines import copied_plan, frequent_plan
from homebody.suites.eai.behavior.demands import PLAN_DEMANDS
from homebody.suites.eai.behavior.judging import (
    LAYOUT,
    at_start,
    conditions_met,
    count_conditions,
    judge,
)
from homebody.suites.eai.behavior.pipeline import PIPELINE
from homebody.suites.eai.behavior.planner import planner
from homebody.suites.eai.behavior.plans import PROMPTED, known_objects, read_plan, render
from homebody.suites.eai.behavior.prompts import action_sequencing_prompt
from homebody.suites.eai.behavior.protocol import QUIRKS
from homebody.suites.eai.behavior.tasks import TASKS, BehaviorTask, loaded_for
from homebody.suites.eai.feedback import plan_feedback
from homebody.suites.eai.plan_results import GrammarError, plan_score, unreadable
from homebody.suites.eai.protocol import PROTOCOLS
from homebody.suites.eai.reading import Reading
from homebody.suites.eai.stochastic import unreliable
from homebody.suites.eai.submission import submission_of
from homebody.suites.eai.summary import viewing
from homebody.worlds.behavior import Behavior

NAME = "eai.behavior.action_sequencing"


def score(task: BehaviorTask, output: str, protocol: Protocol) -> Score:
    """Judge one output; any text gives a score."""
    verdict = None
    reading = Reading.of(protocol, *PROMPTED)
    try:
        plan = read_plan(task, output, protocol, reading)
    except GrammarError as error:
        result = replace(unreadable(task, error), goals=at_start(task, protocol), crash=error.crash)
    else:
        trace = _execute(task, plan)
        verdict = judge(task, trace, protocol)
        goals = count_conditions(verdict)
        plan_lines = map(str, plan)
        result = plan_result(trace, verdict, goals, plan_lines, protocol, reached=verdict.success)
        world = task.task.world
        if isinstance(world, Behavior) and world.goal_check_crashes(trace.final):
            result = replace(result, crash="UnboundLocalError")
    made = plan_score(task, result, reading)
    return replace(made, record={**made.record, **conditions_met(verdict, task)})


def _execute(task: BehaviorTask, plan: Sequence[Action]) -> Trace:
    """Carry out a plan, up to an action that only the published vocabulary has."""
    world = task.task.world
    end = next((i for i, action in enumerate(plan) if action.name not in world.schemas), len(plan))
    trace = execute(world, task.task.initial, plan[:end])
    if trace.failure is not None or end == len(plan):
        return trace
    message = "Not possible: the published simulator does not know it."
    failure = Failure(plan[end], ErrorType.EXECUTION_FAILURE, (), message)
    return replace(trace, failure=failure, failed_at=end)


def traced(task: BehaviorTask, output: str, protocol: Protocol) -> Traced | None:
    """What the plan of an output did; None if it is none."""
    try:
        plan = tuple(read_plan(task, output, protocol, Reading.of(protocol, *PROMPTED)))
    except GrammarError:
        return None
    return Traced(plan, _execute(task, plan), task.task.goal)


SUITE: Suite[BehaviorTask] = Suite(
    name=NAME,
    title="Turn a goal into an executable plan (EAI, BEHAVIOR, 100 tasks)",
    tasks=TASKS,
    scoring=Scoring(
        protocols=PROTOCOLS,
        score=score,
    ),
    reporting=LAYOUT.reporting(),
    published=Published(QUIRKS, loaded_for, submission=submission_of(NAME)),
    viewing=viewing(traced),
    experiments=Experiments(plan_feedback, unreliable, PIPELINE, PLAN_DEMANDS),
    prompting=Prompting(
        prompt=action_sequencing_prompt,
    ),
    text_agents={
        "oracle": annotated_plan(render),
        "planner": planner,
        "random": random_plan(render, known_objects),
        "copycat": given_plan(render, copied_plan),
        "frequent": given_plan(render, frequent_plan),
        "empty": always("[]"),
    },
)
