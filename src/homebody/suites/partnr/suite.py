"""The suites of PARTNR: episodes that a human and a robot play together in a house.

The output of an episode is its transcript, and scoring it plays it again. Agents that need no
model write transcripts too.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from homebody.core import (
    Dialogue,
    HomebodyError,
    Protocol,
    Reporting,
    Scoring,
    Suite,
    Tasks,
    TextAgent,
)
from homebody.suites.partnr.kinds import kinds_in_order, label
from homebody.suites.partnr.protocol import PROTOCOLS
from homebody.suites.partnr.report import COLUMNS, MEASURES, count, rates
from homebody.suites.partnr.scene import generator
from homebody.suites.partnr.scoring import score
from homebody.suites.partnr.session import PartnrSession, replace_task, write_transcript
from homebody.suites.partnr.settings import CHOICES, HUMAN, ROBOT, TEAM, read_settings
from homebody.suites.partnr.tasks import PartnrTask, load

if TYPE_CHECKING:
    import numpy as np


def arrange(task: PartnrTask, settings: Mapping[str, str], seed: int, epoch: int) -> PartnrTask:
    """The task as it is played with settings, in an epoch. Raises HomebodyError."""
    drawn = int(generator(f"epoch {seed} {epoch}").integers(2**53))
    return replace_task(task, read_settings(settings), drawn)


def compatible(given: Mapping[str, str]) -> None:
    """Raise HomebodyError if settings do not go together, or solved tasks cannot be read."""
    made = read_settings(given)
    if made.traces:
        from homebody.suites.partnr.planners.traces import read_traces

        read_traces(Path(made.traces))


def _plays_all(task: PartnrTask) -> None:
    """Raise HomebodyError if others than models are to play beside an agent that plays all."""
    if (task.settings.robot, task.settings.human) != ("model", "model"):
        raise HomebodyError(
            "an agent that is no model plays both the robot and the human",
            "leave the settings robot and human out, or give --model",
        )


def idle(task: PartnrTask, rng: np.random.Generator) -> str:
    """Nobody does anything."""
    _plays_all(task)
    return write_transcript(PartnrSession(task))


# imported when they are asked for: whoever only scores needs neither


def expert(task: PartnrTask, rng: np.random.Generator) -> str:
    """Both agents are played by the expert, which knows how the task is judged."""
    from homebody.suites.partnr.expert import expert_output

    _plays_all(task)
    return expert_output(task, rng)


def random(task: PartnrTask, rng: np.random.Generator) -> str:
    """Both agents do anything that they can."""
    from homebody.suites.partnr.random_agent import random_output

    _plays_all(task)
    return random_output(task, rng)


def play(task: PartnrTask, rng: np.random.Generator) -> Dialogue:
    """Models play those agents that are theirs."""
    from homebody.suites.partnr.planners import react

    return react.play(task, rng)


def describe(task: PartnrTask) -> str:
    """One line for people."""
    return f"[{label(task.episode.evaluation)}] {task.episode.instruction}"


def make_suite(split: str) -> Suite[PartnrTask]:
    """The suite of the episodes of a split, ``val`` or ``test``."""

    def tasks(protocol: Protocol) -> Sequence[PartnrTask]:
        return load(split)

    return Suite(
        name=f"partnr.{split}",
        title=f"Do what a person says, together, in a house (PARTNR, {split})",
        play=play,
        roles=(ROBOT, HUMAN, TEAM),
        settings=CHOICES,
        compatible=compatible,
        arrange=arrange,
        tasks=Tasks(
            prepare=lambda progress: load(split),
            load=tasks,
            identify=lambda task: task.id,
            describe=describe,
            categories=lambda task: kinds_in_order(task.episode.evaluation),
        ),
        scoring=Scoring(
            protocols=PROTOCOLS,
            score=score,
        ),
        reporting=Reporting(
            count=count,
            rates=rates,
            columns=COLUMNS,
            measures=MEASURES,
        ),
        text_agents={
            "expert": TextAgent(expert),
            "random": TextAgent(random),
            "idle": TextAgent(idle),
        },
    )
