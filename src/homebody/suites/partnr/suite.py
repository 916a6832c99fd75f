"""The suites of PARTNR: episodes that a human and a robot play together in a house."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from homebody.core import (
    Dialogue,
    HomebodyError,
    Playing,
    Policy,
    Protocol,
    Reporting,
    Scoring,
    Suite,
    Tasks,
)
from homebody.core.play import policies
from homebody.core.play.conversation import Player
from homebody.core.published import Published
from homebody.core.suite import Summary
from homebody.core.viewing import Ability, Viewing
from homebody.goals.partnr import OPEN_RULES
from homebody.suites.partnr.episodes.kinds import SPATIAL, TEMPORAL, kinds_in_order, label
from homebody.suites.partnr.judging.failures import ANALYSIS
from homebody.suites.partnr.judging.scoring import score_impossible
from homebody.suites.partnr.partners import PARTNERS
from homebody.suites.partnr.protocol import PROTOCOLS, QUIRKS
from homebody.suites.partnr.report import COLUMNS, CROSS_PLAY, MEASURES, count, rates
from homebody.suites.partnr.session import LIMITS, PartnrSession, start_session
from homebody.suites.partnr.settings import CHOICES, HUMAN, ROBOT, TEAM, read_settings
from homebody.suites.partnr.submission import submission_of
from homebody.suites.partnr.tasks import PartnrTask, load, read_tasks, versions
from homebody.worlds.house.play.filming import film
from homebody.worlds.house.play.looking import look
from homebody.worlds.house.rendering.rays import require_rays

if TYPE_CHECKING:
    import numpy as np


def check_compatible(given: Mapping[str, str]) -> None:
    """Raise HomebodyError if settings contradict each other, solved tasks cannot be read, or
    pictures cannot be made."""
    made = read_settings(given)
    if made.view != "none":
        require_rays()
    if made.traces:
        from homebody.suites.partnr.prompting.traces import read_traces

        read_traces(Path(made.traces))


# imported on demand: scoring needs neither


def expert(session: PartnrSession, generator: np.random.Generator) -> Policy:
    """Return the expert's policy, which knows how the task is judged."""
    from homebody.suites.partnr.expert import expert_policy

    _require_skills(session, "expert")
    return expert_policy(session)


def partner(name: str, session: PartnrSession, generator: np.random.Generator) -> Policy:
    """Return the policy of a partner."""
    from homebody.suites.partnr.expert.partner import partner_policy

    _require_skills(session, name)
    return partner_policy(session, PARTNERS[name])


def copycat(session: PartnrSession, generator: np.random.Generator) -> Policy:
    """Return the policy that only understands names."""
    from homebody.suites.partnr.copycat import copycat_policy

    _require_skills(session, "copycat")
    return copycat_policy(session)


def seeker(session: PartnrSession, generator: np.random.Generator) -> Policy:
    """Return the policy of experts that have to find the objects, and talk if they can."""
    from homebody.suites.partnr.expert.seeker import seeker_policy

    _require_skills(session, "seeker")
    return seeker_policy(session)


def _require_skills(session: PartnrSession, name: str) -> None:
    """Raise HomebodyError if the named agent needs skills and no role has them."""
    if all(map(session.task.settings.is_low_level, session.roles)):
        raise HomebodyError(f"{name} only uses skills", "use actions=skills")


def drive(session: PartnrSession, policies: Mapping[str, Policy]) -> Dialogue:
    """Have models play the roles without a policy."""
    from homebody.suites.partnr.prompting import model_planners as react

    return react.drive(session, policies)


def player(session: PartnrSession, role: str) -> Player:
    """Return a model that plays one role of a team."""
    from homebody.suites.partnr.prompting.model_planners import PlannerOfOne

    return PlannerOfOne(session, role)


PLAYING: Playing[PartnrTask] = Playing(
    start=start_session,
    build=lambda task: task.house,
    roles=(ROBOT, HUMAN),
    planners=(TEAM,),
    policies={
        "expert": expert,
        "seeker": seeker,
        "random": policies.random,
        "copycat": copycat,
        "idle": policies.idle,
        **{name: partial(partner, name) for name in PARTNERS},
    },
    partners=(*PARTNERS, "expert"),
    settings=CHOICES,
    check_compatible=check_compatible,
    driver=drive,
    player=player,
    max_entries=LIMITS.entries,
    analysis=ANALYSIS,
    score_impossible=score_impossible,
)


def _is_of_kind(kind: str, record: Mapping[str, Any]) -> bool:
    return kind in record["kinds"]


ABILITIES: Final = (
    Ability("Collaboration"),
    *(
        Ability(name, tasks=f"of the kind {kind}", applies_to=partial(_is_of_kind, kind))
        for name, kind in (("Spatial relations", SPATIAL), ("Order in time", TEMPORAL))
    ),
)


def conditions(record: Mapping[str, Any]) -> Sequence[tuple[str, bool]]:
    """Return the propositions of a task, each with whether it counts as met."""
    return [(each["proposition"], each["counts"]) for each in record["met"]]


def make_suite(split: str) -> Suite[PartnrTask]:
    """Return the suite of a split, ``val`` or ``test``."""

    def tasks(protocol: Protocol) -> Sequence[PartnrTask]:
        return load(split)

    return Suite(
        name=f"partnr.{split}",
        title=f"Do what a person says, together, in a house (PARTNR, {split})",
        tasks=Tasks(
            load=tasks,
            identify=lambda task: task.id,
            describe=lambda task: f"[{label(task.episode.evaluation)}] {task.episode.instruction}",
            prepare=lambda progress: load(split),
            data=lambda: versions(split),
            cluster=lambda task: task.episode.scene,
            categories=lambda task: kinds_in_order(task.episode.evaluation),
            read=read_tasks,
        ),
        playing=PLAYING,
        scoring=Scoring(PLAYING.score, PROTOCOLS),
        reporting=Reporting(
            measures=MEASURES, summary=Summary(count, rates, COLUMNS), cross_play=CROSS_PLAY
        ),
        published=Published(
            QUIRKS.keys(), submission=submission_of(split), choices=OPEN_RULES.keys()
        ),
        viewing=Viewing(look, film, conditions=conditions, abilities=ABILITIES),
        prompt_version=4,
    )
