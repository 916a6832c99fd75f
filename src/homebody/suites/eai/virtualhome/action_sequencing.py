"""Action sequencing on VirtualHome: from an instruction's goals to an executable plan.

Source: EAI paper, section 2.5 and appendix D.2.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence
from dataclasses import replace

from homebody.core import (
    Action,
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
from homebody.suites.eai.feedback import plan_feedback
from homebody.suites.eai.plan_results import (
    GrammarError,
    PlanResult,
    none_met,
    plan_score,
    unreadable,
)
from homebody.suites.eai.protocol import PROTOCOLS
from homebody.suites.eai.reading import Reading
from homebody.suites.eai.stochastic import unreliable
from homebody.suites.eai.submission import submission_of
from homebody.suites.eai.summary import Layout, viewing
from homebody.suites.eai.virtualhome.baselines import copied_plan, frequent_plan
from homebody.suites.eai.virtualhome.demands import PLAN_DEMANDS
from homebody.suites.eai.virtualhome.judging import judge, left_out
from homebody.suites.eai.virtualhome.pipeline import PIPELINE
from homebody.suites.eai.virtualhome.plans import read_plan, render, script_line
from homebody.suites.eai.virtualhome.prompts import action_sequencing_prompt
from homebody.suites.eai.virtualhome.protocol import QUIRKS
from homebody.suites.eai.virtualhome.tasks import TASKS, VirtualHomeTask, loaded_for
from homebody.worlds.virtualhome.published import crash_of

NAME = "eai.virtualhome.action_sequencing"
MAX_CHANGES = 150_000
"""Most facts that a plan can put in and take out. To walk about eight thousand times is half of
that; more is to carry a pile of things about. The published simulator leaves piles where they are,
so that its verdicts need no bound."""
LAYOUT = Layout(whole=100, executable_digits=1)


def score(task: VirtualHomeTask, output: str, protocol: Protocol) -> Score:
    """Judge one output; any text gives a score."""
    reading = Reading.of(protocol)
    try:
        plan = read_plan(task, output, protocol, reading)
    except GrammarError as error:
        result, crash = unreadable(task, error), error.crash
    else:
        crash = plan.crash
        if protocol.keeps("ground_truth_plan_not_judged") and plan.written == _reference(task):
            result = _uncounted(task)
        else:
            trace = _executed(task, plan.actions, protocol)
            if protocol.keeps("crashes"):
                crash = crash or crash_of(trace)
            verdict, goals, reached = judge(task, trace, protocol)
            result = plan_result(trace, verdict, goals, plan.written, protocol, reached=reached)
            if protocol.keeps("additional_steps_counted_singly"):
                result = replace(result, counted_additional=result.additional_steps)
    why = left_out(task, protocol)
    # the published evaluator drops a task before it reads the output
    return plan_score(task, replace(result, crash="" if why else crash), reading).left_out(why)


def _executed(task: VirtualHomeTask, plan: Iterable[Action], protocol: Protocol) -> Trace:
    piles = not protocol.keeps("contents_left_behind")
    most = MAX_CHANGES if piles else sys.maxsize
    return execute(task.task.world, task.task.initial, plan, most)


def traced(task: VirtualHomeTask, output: str, protocol: Protocol) -> Traced | None:
    """What the plan of an output did; None if it is none."""
    try:
        plan = tuple(read_plan(task, output, protocol, Reading.of(protocol)).actions)
    except GrammarError:
        return None
    return Traced(plan, _executed(task, plan, protocol), task.task.goal)


def _reference(task: VirtualHomeTask) -> tuple[str, ...]:
    return tuple(script_line(action.name, action.args) for action in task.task.reference)


def _uncounted(task: VirtualHomeTask) -> PlanResult:
    return PlanResult(
        success=False,
        executable=True,
        goals=none_met(task),
        progress=0.0,
        explanation="Equal to the ground truth; the published evaluator does not judge it.",
        plan=_reference(task),
        judged=False,
    )


def _objects(task: VirtualHomeTask) -> Sequence[str]:
    """What a random plan does something with: the listed objects, or else any."""
    listed = [name for name in task.relevant if name != task.task.world.agent]
    return listed or list(task.task.initial.objects)


SUITE: Suite[VirtualHomeTask] = Suite(
    name=NAME,
    title="Turn a goal into an executable plan (EAI, VirtualHome, 342 tasks)",
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
        "random": random_plan(render, _objects),
        "copycat": given_plan(render, copied_plan),
        "frequent": given_plan(render, frequent_plan),
        "empty": always("{}"),
    },
)
