"""Suites of tasks that are played, on either world."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any, TypeVar

from homebody.core import Playing, Protocol, Reporting, Scoring, Suite, Tasks
from homebody.core.demands import Demands
from homebody.core.play import policies
from homebody.core.play.failures import FailureAnalysis
from homebody.core.published import Published
from homebody.core.suite import Experiments, Summary
from homebody.core.viewing import Ability, Viewing
from homebody.suites.eai.interactive import scoring
from homebody.suites.eai.interactive.agents import follow_plan, oracle
from homebody.suites.eai.interactive.failures import find_facts
from homebody.suites.eai.interactive.scene import Scene
from homebody.suites.eai.interactive.session import ROLE, SETTINGS, start
from homebody.suites.eai.plan_results import AnnotatedTask
from homebody.suites.eai.protocol import PROTOCOLS
from homebody.suites.eai.solution import show_solution
from homebody.suites.eai.world import EaiWorld

T = TypeVar("T", bound=AnnotatedTask)

MAX_ENTRIES = 1_000
"""Maximum number of entries of a transcript. The longest annotated plan has 67 steps."""
_NOT_READ = {name: protocol for name, protocol in PROTOCOLS.items() if not protocol.strict}
"""Protocols other than strict: options and tools are chosen, so there is no format to enforce."""


def make_suite(
    world: EaiWorld[T], tasks: int, scene: Callable[[T], Scene], has_goal: Callable[[T], bool]
) -> Suite[Scene]:
    """Make the suite of the scenes of a world.

    Args:
        world: The world.
        tasks: Number of its tasks that have a goal.
        scene: Task -> its scene.
        has_goal: Returns whether a task has a goal.
    """

    @lru_cache(maxsize=2)
    def scenes(quirks: frozenset[str]) -> tuple[Scene, ...]:
        loaded = world.tasks.load(Protocol("world", quirks))
        return tuple(scene(task) for task in loaded if has_goal(task))

    playing: Playing[Scene] = Playing(
        start=start,
        roles=(ROLE,),
        policies={
            "oracle": oracle,
            "random": policies.random,
            **{name: follow_plan(plan) for name, plan in world.baselines.items()},
            "idle": policies.idle,
        },
        settings=SETTINGS,
        max_entries=MAX_ENTRIES,
        analysis=FailureAnalysis(find_facts),
    )
    return Suite(
        name=f"eai.{world.name}.interactive",
        title=f"Reach a goal step by step (EAI, {world.title}, {tasks} tasks)",
        tasks=Tasks(
            load=lambda protocol: scenes(protocol.kept_quirks(world.quirks)),
            identify=lambda scene: scene.annotated_task.id,
            describe=lambda scene: (
                f"{scene.annotated_task.task.name}: {scene.annotated_task.task.instruction}"
            ),
            categories=lambda scene: scene.annotated_task.categories,
            cluster=lambda scene: scene.annotated_task.task.name,
            prepare=world.tasks.prepare,
            data=world.tasks.data,
        ),
        scoring=Scoring(playing.score, _NOT_READ),
        reporting=Reporting(
            means=scoring.MEANS,
            measures=scoring.MEASURES,
            tallies=scoring.TALLIES,
            summary=Summary(scoring.count, scoring.rates, scoring.COLUMNS),
        ),
        published=Published(world.quirks),
        viewing=Viewing(
            abilities=(Ability("Acting step by step"),),
            solution=lambda scene: show_solution(scene.annotated_task),
        ),
        experiments=Experiments(demands=_demands_of_scenes(world.demands.subgoals)),
        playing=playing,
        prompt_version=4,
    )


def _demands_of_scenes(demands: Demands[Any]) -> Demands[Scene]:
    """Convert demands of tasks to demands of scenes."""
    goals = demands.goals
    return Demands(
        factors=lambda scene: demands.factors(scene.annotated_task),
        actions=lambda scene: demands.actions(scene.annotated_task),
        goals=None if goals is None else lambda scene, score: goals(scene.annotated_task, score),
    )
