"""A world of EAI's tasks, as the abilities see it.

Each ability is written once, over an :class:`EaiWorld`. There are two: ``virtualhome/world.py`` and
``behavior/world.py`` say what VirtualHome and BEHAVIOR are.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence, Set
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from homebody.core import Action, Protocol, Tasks, Trace, Verdict, execute
from homebody.suites.eai.demands import AbilityDemands
from homebody.suites.eai.plan_results import AnnotatedTask, GoalCounts, WrittenPlan
from homebody.suites.eai.reading import Deviation, Reading

T = TypeVar("T", bound=AnnotatedTask)


@dataclass(frozen=True, slots=True)
class Judged:
    """What a task's goal says of a trace, under a protocol.

    Attributes:
        verdict: On the goal.
        success: Whether the protocol takes it for reached.
        goals: Kind of goal -> how many were met, and how many there are.
    """

    verdict: Verdict
    success: bool
    goals: GoalCounts


def _executed(task: AnnotatedTask, plan: Sequence[Action], protocol: Protocol) -> Trace:
    return execute(task.task.world, task.task.initial, plan)


@dataclass(frozen=True)
class EaiWorld(Generic[T]):
    """What the abilities need to know of a world.

    Attributes:
        name: As the names of suites have it: ``virtualhome``.
        title: For people.
        tasks: The official tasks.
        is_loaded_for: Whether a task has the world of a protocol.
        load_task: One of them by its id; raises HomebodyError.
        quirks: What its published evaluator does otherwise than the paper says.
        demands: What tasks ask for, by what outputs are.
        baselines: Agent -> the plan that it makes of a task without planning.
        left_out: Why a protocol leaves a task out where plans are judged; empty if it counts.
        read_plan: The plan in an output; raises GrammarError.
        prompted: In which ways the example in the prompt for plans is not JSON.
        write_plan: A plan as the prompt asks for it.
        line: An action as records have it.
        execute: Carries out a plan.
        judge: What the goal says of a trace.
        unread_goals: The goals that an output met which is no plan.
        crash: What would have ended the published evaluation after a trace, or an empty string.
        is_unjudged: Whether a protocol does not judge a plan.
        noted: What the record says besides of a verdict; None for that on an output that is no
            plan.
    """

    name: str
    title: str
    tasks: Tasks[T]
    is_loaded_for: Callable[[T, Protocol], bool]
    load_task: Callable[[str, Protocol], T]
    quirks: Set[str]
    demands: AbilityDemands[T]
    baselines: Mapping[str, Callable[[T], Sequence[Action]]]
    read_plan: Callable[[T, str, Protocol, Reading], WrittenPlan]
    write_plan: Callable[[Sequence[Action]], str]
    judge: Callable[[T, Trace, Protocol], Judged]
    unread_goals: Callable[[T, Protocol], GoalCounts]
    crash: Callable[[T, Trace, Protocol], str]
    line: Callable[[Action], str] = str
    prompted: tuple[Deviation, ...] = ()
    execute: Callable[[T, Sequence[Action], Protocol], Trace] = _executed
    left_out: Callable[[T, Protocol], str] = lambda task, protocol: ""
    is_unjudged: Callable[[T, WrittenPlan, Protocol], bool] = lambda task, plan, protocol: False
    noted: Callable[[T, Verdict | None], Mapping[str, Any]] = lambda task, verdict: {}
