"""Action sequencing on VirtualHome: from an instruction's goals to an executable plan.

Source: EAI paper, sections 2.5 and appendix D.2.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from homebody.core import Action, Protocol, Score, Suite, Trace, execute
from homebody.data import eai as data
from homebody.suites.eai.feedback import plan_feedback
from homebody.suites.eai.stochastic import unreliable
from homebody.suites.eai.trajectory import (
    GRAMMAR,
    KINDS,
    RUNTIME,
    GrammarError,
    Result,
    columns,
    count,
    count_goals,
    explain_trace,
    make_score,
    none_met,
    unreadable,
)
from homebody.suites.eai.virtualhome.demands import PLAN_DEMANDS
from homebody.suites.eai.virtualhome.pipeline import PIPELINE
from homebody.suites.eai.virtualhome.plans import WrittenPlan, read_plan, render, script_line
from homebody.suites.eai.virtualhome.prompts import action_sequencing_prompt
from homebody.suites.eai.virtualhome.protocol import PROTOCOLS
from homebody.suites.eai.virtualhome.tasks import (
    VirtualHomeTask,
    load_tasks,
)
from homebody.worlds.virtualhome.published import crash_of

if TYPE_CHECKING:
    import numpy as np

NAME = "eai.virtualhome.action_sequencing"

# -- scoring -------------------------------------------------------------------------------------


def score(task: VirtualHomeTask, output: str, protocol: Protocol) -> Score:
    """Judge one output; any text gives a score."""
    try:
        plan = read_plan(task, output, protocol)
    except GrammarError as error:
        result, crash = unreadable(task, error), error.crash
    else:
        crash = plan.crash
        if protocol.keeps("ground_truth_plan_not_judged") and plan.written == _reference(task):
            result = _uncounted(task)
        else:
            trace = execute(task.task.world, task.task.initial, plan.actions)
            if protocol.keeps("crashes"):
                crash = crash or crash_of(trace)
            result = _judge(task, plan, trace, protocol)
    valid = task.has_goal or protocol.keeps("goalless_tasks_counted")
    if protocol.keeps("unsolvable_tasks_dropped"):
        valid = valid and _passes_gold_test(task, protocol)
    # the published evaluator drops a task before it reads the output
    return make_score(task, replace(result, crash=crash if valid else ""), valid)


def _reference(task: VirtualHomeTask) -> tuple[str, ...]:
    return tuple(script_line(action.name, action.args) for action in task.task.reference)


def _uncounted(task: VirtualHomeTask) -> Result:
    return Result(
        success=False,
        executable=True,
        goals=none_met(task),
        progress=0.0,
        explanation="Equal to the ground truth; the published evaluator does not judge it.",
        plan=_reference(task),
        judged=False,
    )


def _judge(task: VirtualHomeTask, plan: WrittenPlan, trace: Trace, protocol: Protocol) -> Result:
    verdict = task.task.goal.judge(trace)
    goals = count_goals(verdict.parts)
    reached = verdict.success
    if protocol.keeps("one_relation_goal_counts"):
        met, total = goals["relation"]
        goals["relation"] = (min(met, 1), total)
        reached = all(met == total for met, total in goals.values())
    executable = trace.failure is None
    success = reached and (executable or protocol.keeps("stopped_plans_can_succeed"))
    additional = len(trace.skipped)
    singly = protocol.keeps("additional_steps_counted_singly")
    failure = trace.failure
    return Result(
        success=success,
        executable=executable,
        goals=goals,
        progress=verdict.progress,
        explanation=explain_trace(trace, verdict, success),
        plan=plan.written,
        error=failure.error if failure else None,
        error_step=trace.failed_at,
        error_action=str(failure.action) if failure else None,
        additional_steps=additional,
        counted_additional=additional if singly else min(additional, 1),
    )


def _passes_gold_test(task: VirtualHomeTask, protocol: Protocol) -> bool:
    final = task.final()
    states = all(final.holds(s, (o,)) for s, o in task.state_goals)
    held = sum(final.holds(r, (a, b)) for r, a, b in task.relation_goals)
    if protocol.keeps("one_relation_goal_counts"):
        held = min(held, 1)
    return states and held == len(task.relation_goals)


# -- summary -------------------------------------------------------------------------------------


def rates(sums: Mapping[str, float], *, exact: bool = False) -> dict[str, Any]:
    """Percentages over the valid tasks, in the schema of the published summary.json.

    They are rounded as the published ones are, and 0 of 0 is 0, unless ``exact``.
    """

    def percent(part: float, whole: float, digits: int = 4) -> float:
        if exact:
            return 100.0 * part / whole if whole else math.nan
        return round(100.0 * part / whole if whole else 0.0, digits)

    def share(name: str, digits: int = 4) -> float:
        return percent(sums[name], sums["tasks"], digits)

    met, goals = (sum(sums[f"{kind} {what}"] for kind in KINDS) for what in ("met", "goals"))
    return {
        "goal_evaluation": {
            "task_success_rate": share("success"),
            **{f"{k}_goal": percent(sums[f"{k} met"], sums[f"{k} goals"]) for k in KINDS},
            "total_goal": percent(met, goals),
        },
        "trajectory_evaluation": {
            "execution_success_rate": share("executable", 1),
            "grammar_error": {name: share(name) for name in GRAMMAR},
            "runtime_error": {name: share(name) for name in (*RUNTIME, "additional_step")},
        },
    }


# -- agents that need no model -------------------------------------------------------------------


def oracle(task: VirtualHomeTask, generator: np.random.Generator) -> str:
    """The ground-truth plan."""
    return render(task.task.reference)


def random(task: VirtualHomeTask, generator: np.random.Generator) -> str:
    """As many random actions on random listed objects as the ground truth has."""
    schemas = task.task.world.schemas
    names = sorted(schemas)
    objects = [name for name in task.relevant if name != task.task.world.agent]
    objects = objects or list(task.task.initial.objects)
    plan = []
    for _ in task.task.reference:
        name = names[generator.integers(len(names))]
        picked = generator.integers(len(objects), size=schemas[name].arity)
        plan.append(Action(name, tuple(objects[i] for i in picked)))
    return render(plan)


def empty(task: VirtualHomeTask, generator: np.random.Generator) -> str:
    """No plan at all."""
    return "{}"


SUITE: Suite[VirtualHomeTask] = Suite(
    name=NAME,
    title="Turn a goal into an executable plan (EAI, VirtualHome, 342 tasks)",
    protocols=PROTOCOLS,
    prepare=lambda progress: data.fetch(progress=progress),
    load=load_tasks,
    identify=lambda task: task.id,
    describe=lambda task: f"{task.id:<7} {task.task.name}: {task.task.instruction}",
    prompt=action_sequencing_prompt,
    score=score,
    count=count,
    rates=rates,
    columns=columns(total="total_goal", affordance="affordance_error"),
    means={"Partial": "progress"},
    agents={"oracle": oracle, "random": random, "empty": empty},
    categories=lambda task: task.categories,
    feedback=plan_feedback,
    pipeline=PIPELINE,
    unreliable=unreliable,
    demands=PLAN_DEMANDS,
)
