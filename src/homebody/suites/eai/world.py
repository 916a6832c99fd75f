"""An EAI world, as the abilities see it.

Each ability is written once, over an :class:`EaiWorld`. ``virtualhome/world.py`` and
``behavior/world.py`` define the two worlds.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence, Set
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from homebody.core import Action, Protocol, Tasks, Trace, Verdict, execute
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
    """All that the abilities need to know of a world.

    Attributes:
        name: Name in suite names: ``virtualhome``.
        title: Name for people.
        tasks: The official tasks.
        world_quirks: Quirks that the world of a task has or has not, once it is loaded.
        load_task: ``load_task(id, protocol)`` -> the task; raises HomebodyError.
        quirks: Deviations of its published evaluator from the paper.
        demands: What tasks demand, for each kind of output.
        baselines: Agent name -> its plan for a task, made without planning.
        read_plan: Reads the plan in an output; raises GrammarError.
        write_plan: Writes a plan in the format of the prompt.
        judge: Judges a trace by the task's goal.
        unread_goals: Goals that an output without a readable plan counts as having met.
        crash: What would have ended the published evaluation after a trace, or an empty string.
        line: Formats an action as in records.
        prompted: Deviations from JSON in the prompt's own example of a plan.
        execute: Executes a plan.
        exclusion_reason: Why a protocol excludes a task from the metrics of plans; empty if it
            counts.
        is_unjudged: True if a protocol does not judge a plan.
        noted: Additional fields of the record for a verdict; None stands for an unreadable plan.
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
    unread_goals: Callable[[T, Protocol], GoalCounts]
    crash: Callable[[T, Trace, Protocol], str]
    line: Callable[[Action], str] = str
    prompted: tuple[Deviation, ...] = ()
    execute: Callable[[T, Sequence[Action], Protocol], Trace] = _execute
    exclusion_reason: Callable[[T, Protocol], str] = lambda task, protocol: ""
    is_unjudged: Callable[[T, WrittenPlan, Protocol], bool] = lambda task, plan, protocol: False
    noted: Callable[[T, Verdict | None], Mapping[str, Any]] = lambda task, verdict: {}

    def is_loaded_for(self, task: T, protocol: Protocol) -> bool:
        """Return whether a task has the world of a protocol."""
        return quirks_of(task.task.world) == protocol.kept_quirks(self.world_quirks)


def annotated_tasks(
    load: Callable[[Protocol], Sequence[T]],
    fetch: Callable[..., object],
    versions: Callable[[], Mapping[str, str]],
) -> Tasks[T]:
    """Return the annotated tasks of a world, which are fetched before they can be loaded."""
    return Tasks(
        load=load,
        identify=lambda task: task.id,
        describe=lambda task: f"{task.task.name}: {task.task.instruction}",
        prepare=lambda progress: fetch(progress=progress),
        data=versions,
        categories=lambda task: task.categories,
        cluster=lambda task: task.task.name,
    )
