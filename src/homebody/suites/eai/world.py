"""The definition of an EAI world for the abilities.

Each ability is written once, over an :class:`EaiWorld`. ``virtualhome/world.py`` and
``behavior/world.py`` define the two worlds.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence, Set
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from homebody.core import Action, Protocol, Tasks, Trace, Verdict, execute
from homebody.core.formula import Literal
from homebody.suites.eai.demands import AbilityDemands
from homebody.suites.eai.plan_results import AnnotatedTask, GoalCounts, WrittenPlan
from homebody.suites.eai.reading import Deviation, Reading
from homebody.suites.eai.stochastic import quirks_of

T = TypeVar("T", bound=AnnotatedTask)


@dataclass(frozen=True, slots=True)
class Judged:
    """The judgement of a trace under a protocol.

    Attributes:
        verdict: Verdict on the goal.
        success: True if the protocol counts the goal as reached.
        goals: Kind of goal -> number met, and total.
    """

    verdict: Verdict
    success: bool
    goals: GoalCounts


def _execute(task: AnnotatedTask, plan: Sequence[Action], protocol: Protocol) -> Trace:
    return execute(task.task.world, task.task.initial, plan)


@dataclass(frozen=True)
class EaiWorld(Generic[T]):
    """The properties of a world that the abilities need.

    Attributes:
        name: Name in suite names: ``virtualhome``.
        title: Name for people.
        tasks: The official tasks.
        world_quirks: Quirks that are part of the world. A loaded task has them or does not.
        load_task: ``load_task(id, protocol)`` -> the task; raises HomebodyError.
        quirks: Deviations of its published evaluator from the paper.
        demands: The demands of tasks, for each kind of output.
        baselines: Agent name -> function that makes its plan for a task, without planning.
        read_plan: Reads the plan in an output; raises GrammarError.
        write_plan: Writes a plan in the format of the prompt.
        judge: Judges a trace by the task's goal.
        nearest: Task and trace -> the literals of the nearest way to reach the goal.
        unread_goals: Goals that count as met for an output without a readable plan.
        crash: The exception that would have ended the published evaluation after a trace, or an
            empty string.
        line: Writes an action in the format of records.
        prompted: Deviations from JSON in the prompt's own example of a plan.
        execute: Executes a plan.
        exclusion_reason: The reason why a protocol excludes a task from the metrics of plans; empty
            if the task is not excluded.
        is_unjudged: True if a protocol does not judge a plan.
        noted: Verdict -> additional fields of the record. The verdict is None for an unreadable
            plan.
    """

    name: str
    title: str
    tasks: Tasks[T]
    world_quirks: Set[str]
    load_task: Callable[[str, Protocol], T]
    quirks: Set[str]
    demands: AbilityDemands[T]
    baselines: Mapping[str, Callable[[T], Sequence[Action]]]
    read_plan: Callable[[T, str, Protocol, Reading], WrittenPlan]
    write_plan: Callable[[Sequence[Action]], str]
    judge: Callable[[T, Trace, Protocol], Judged]
    nearest: Callable[[T, Trace], Sequence[Literal]]
    unread_goals: Callable[[T, Protocol], GoalCounts]
    crash: Callable[[T, Trace, Protocol], str]
    line: Callable[[Action], str] = str
    prompted: tuple[Deviation, ...] = ()
    execute: Callable[[T, Sequence[Action], Protocol], Trace] = _execute
    exclusion_reason: Callable[[T, Protocol], str] = lambda task, protocol: ""
    is_unjudged: Callable[[T, WrittenPlan, Protocol], bool] = lambda task, plan, protocol: False
    noted: Callable[[T, Verdict | None], Mapping[str, Any]] = lambda task, verdict: {}

    def is_loaded_for(self, task: T, protocol: Protocol) -> bool:
        """Return whether a task was loaded with the world of a protocol."""
        return quirks_of(task.task.world) == protocol.kept_quirks(self.world_quirks)


def annotated_tasks(
    load: Callable[[Protocol], Sequence[T]],
    fetch: Callable[..., object],
    versions: Callable[[], Mapping[str, str]],
) -> Tasks[T]:
    """Return the annotated tasks of a world. Their data is fetched before they are loaded."""
    return Tasks(
        load=load,
        identify=lambda task: task.id,
        describe=lambda task: f"{task.task.name}: {task.task.instruction}",
        prepare=lambda progress: fetch(progress=progress),
        data=versions,
        categories=lambda task: task.categories,
        cluster=lambda task: task.task.name,
    )
