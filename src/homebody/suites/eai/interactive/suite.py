"""A suite of tasks that are played, on either world."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence, Set
from typing import Any, TypeVar

from homebody.core import Action, Playing, Protocol, Reporting, Scoring, Suite, Tasks
from homebody.core.demands import Demands
from homebody.core.play import policies
from homebody.core.published import Published
from homebody.core.suite import Experiments, Summary
from homebody.core.viewing import Ability, Viewing
from homebody.suites.eai.interactive import scoring
from homebody.suites.eai.interactive.agents import following, oracle
from homebody.suites.eai.interactive.scene import Scene
from homebody.suites.eai.interactive.session import ROLE, SETTINGS, start
from homebody.suites.eai.protocol import PROTOCOLS

MAX_ENTRIES = 1_000
"""Most entries of a transcript. The longest annotated plan has 67 steps."""
_NOT_READ = {name: protocol for name, protocol in PROTOCOLS.items() if not protocol.strict}
"""Options and tools are chosen, not written: there is no format to be strict of."""

S = TypeVar("S", bound=Scene)


def make_suite(
    name: str,
    title: str,
    load: Callable[[Protocol], Sequence[Any]],
    annotated: Tasks[Any],
    quirks: Set[str],
    demands: Demands[Any],
    baselines: Mapping[str, Callable[[Any], Sequence[Action]]],
) -> Suite[Any]:
    """The suite of the scenes of a world.

    Args:
        name: Dotted name.
        title: One line for people.
        load: Protocol -> the scenes.
        annotated: The tasks that the scenes are of.
        quirks: Those of its published evaluator.
        demands: What the annotated tasks ask for, and which of their goals a plan met that was
            carried out.
        baselines: Name -> the plan that an agent follows, made from an annotated task.
    """
    playing: Playing[Scene] = Playing(
        start=start,
        roles=(ROLE,),
        policies={
            "oracle": oracle,
            "random": policies.random,
            **{name: following(plan) for name, plan in baselines.items()},
            "idle": policies.idle,
        },
        settings=SETTINGS,
        max_entries=MAX_ENTRIES,
    )
    return Suite(
        name=name,
        title=title,
        tasks=Tasks(
            load=load,
            identify=lambda scene: scene.annotated.id,
            describe=lambda scene: (
                f"{scene.annotated.task.name}: {scene.annotated.task.instruction}"
            ),
            categories=lambda scene: scene.annotated.categories,
            cluster=lambda scene: scene.annotated.task.name,
            prepare=annotated.prepare,
            data=annotated.data,
        ),
        scoring=Scoring(playing.score, _NOT_READ),
        reporting=Reporting(
            means=scoring.MEANS,
            measures=scoring.MEASURES,
            tallies=scoring.TALLIES,
            summary=Summary(scoring.count, scoring.rates, scoring.COLUMNS),
        ),
        published=Published(quirks),
        viewing=Viewing(abilities=(Ability("Acting step by step"),)),
        experiments=Experiments(demands=_of_scenes(demands)),
        playing=playing,
    )


def _of_scenes(demands: Demands[Any]) -> Demands[Any]:
    """What tasks demand, asked of their scenes."""
    goals = demands.goals
    return Demands(
        factors=lambda scene: demands.factors(scene.annotated),
        actions=lambda scene: demands.actions(scene.annotated),
        goals=None if goals is None else lambda scene, score: goals(scene.annotated, score),
    )
