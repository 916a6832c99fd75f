"""The suites of PARTNR: episodes that a human and a robot play together in a house.

The output of an episode is its transcript, and scoring it plays it again. Agents that need no
model write transcripts too.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from functools import cache
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from homebody.core import CORRECTED, Dialogue, HomebodyError, Measure, Protocol, Score, Suite
from homebody.goals.partnr import Judgement, phrase
from homebody.suites.partnr import judging
from homebody.suites.partnr.files import read_file
from homebody.suites.partnr.kinds import KINDS, kinds
from homebody.suites.partnr.measures import counts, done_by, measure
from homebody.suites.partnr.running import Run, replace_task, replay, write_transcript
from homebody.suites.partnr.scene import generator
from homebody.suites.partnr.settings import CHOICES, HUMAN, ROBOT, TEAM, changed, read_settings
from homebody.suites.partnr.tasks import PartnrTask

if TYPE_CHECKING:
    import numpy as np

PROTOCOLS: Final[Mapping[str, Protocol]] = {
    "corrected": CORRECTED,
    "published": Protocol("published", judging.PUBLISHED),
}
MAX_SAID: Final = 2_000
"""Most characters of an explanation in a record."""


@cache
def load(split: str) -> tuple[PartnrTask, ...]:
    """The tasks of a split.

    Raises:
        HomebodyError: its file is missing, or something in it is no episode.
    """
    folder = resources.files("homebody.suites.partnr") / "data"
    with resources.as_file(folder / f"{split}.jsonl.gz") as path:
        if not path.is_file():
            raise HomebodyError(
                f"the episodes of partnr.{split} are not there: {path}",
                f"make them and put them there: homebody partnr generate FOLDER --split {split}",
            )
        tasks = tuple(PartnrTask(one) for one in read_file(path))
    twice = [name for name, times in Counter(one.id for one in tasks).items() if times > 1]
    if twice:
        raise HomebodyError(f"partnr.{split} has the episode {twice[0][:80]} twice")
    return tasks


# -- scoring --------------------------------------------------------------------------------------


def score(task: PartnrTask, output: str, protocol: Protocol) -> Score:
    """Play a transcript again and judge it; any text gives a score."""
    try:
        run = replay(task, output, protocol.quirks)
    except HomebodyError as error:
        return _impossible(task, str(error))
    return score_run(run)


def score_run(run: Run) -> Score:
    """The score of a run that is over."""
    judgement = run.judgement()
    measured = measure(run, judgement)
    said = judgement.explanation or "Everything was done as it was asked."
    if run.problem:
        said = f"Nothing was done: {run.problem}. {said}"
    log = run.simulation.log
    return Score(
        run.task.id,
        {
            "success": float(judgement.success),
            "percent_complete": judgement.percent_complete,
        },
        {
            "instruction": run.task.episode.instruction,
            "success": judgement.success,
            "percent_complete": judgement.percent_complete,
            "explanation": said[:MAX_SAID],
            "kinds": categories(run.task),
            "propositions": len(judgement.propositions),
            "met": _met(run, judgement),
            "steps": measured.steps,
            "cycles": measured.cycles,
            "calls": {
                planner: run.cycles(planner)
                for planner in (ROBOT, HUMAN, TEAM)
                if run.cycles(planner)
            },
            "offloading": measured.offloading,
            # as in table 12, of successful runs only; of all runs below
            "extraneous": measured.extraneous if judgement.success else None,
            "exploration": measured.exploration if judgement.success else None,
            "effort": {
                "extraneous": measured.extraneous,
                "exploration": measured.exploration,
            },
            "moved": round(sum(measured.moved.values()), 3),
            "moved_by": measured.moved,
            "actions": len(log),
            "failed": sum(not one.ok for one in log),
            "settings": changed(run.task.settings),
            "problem": run.problem,
        },
    )


def _met(run: Run, judgement: Judgement) -> list[dict[str, Any]]:
    """Of each unrolled proposition: what it is, when and by whom it was met, and whether that
    counts."""
    clocks = run.watch.clocks
    rows = zip(
        judgement.propositions,
        judgement.satisfied_at,
        done_by(run, judgement),
        counts(judgement),
        strict=True,
    )
    return [
        {
            "proposition": phrase(one)[:MAX_SAID],
            "step": min(clocks[at], run.clock) if at is not None else None,
            "by": list(by),
            "counts": counted,
        }
        for one, at, by, counted in rows
    ]


def _impossible(task: PartnrTask, why: str) -> Score:
    """The score of an episode that cannot be played."""
    empty = dict.fromkeys(("cycles", "offloading", "extraneous", "exploration", "effort"))
    record = {
        "instruction": task.episode.instruction,
        "success": False,
        "percent_complete": 0.0,
        "explanation": why[:MAX_SAID],
        "kinds": categories(task),
        "propositions": sum(one.number for one in task.episode.evaluation.propositions),
        "met": [],
        "steps": 0,
        "calls": {},
        **empty,
        "moved": 0.0,
        "moved_by": {},
        "actions": 0,
        "failed": 0,
        "settings": changed(task.settings),
        "problem": why[:MAX_SAID],
    }
    return Score(task.id, {"success": 0.0, "percent_complete": 0.0}, record)


def count(made: Score) -> Counter[str]:
    """What one output adds to the summary."""
    sums: Counter[str] = Counter()
    if made.valid:
        sums["tasks"] = 1
        sums["success"] = made.record["success"]
        sums["complete"] = made.record["percent_complete"]
        for kind in made.record["kinds"]:
            sums[f"{kind} tasks"] = 1
            sums[f"{kind} success"] = made.record["success"]
            sums[f"{kind} complete"] = made.record["percent_complete"]
    return sums


def rates(sums: Mapping[str, float], *, exact: bool = False) -> dict[str, Any]:
    """Success rate and percent complete of all tasks, and by type of task: between 0 and 1,
    rounded; if ``exact``, for tables, percentages, unrounded, and NaN where there are no tasks."""

    def share(part: float, whole: float) -> float:
        if exact:
            return 100.0 * part / whole if whole else math.nan
        return round(part / whole, 4) if whole else 0.0

    def of(prefix: str) -> dict[str, float]:
        tasks = sums[f"{prefix}tasks"]
        return {
            "success_rate": share(sums[f"{prefix}success"], tasks),
            "percent_complete": share(sums[f"{prefix}complete"], tasks),
        }

    return {**of(""), "by_type": {kind: of(f"{kind} ") for kind in KINDS}}


COLUMNS: Final[Mapping[str, tuple[str, ...]]] = {
    "Success": ("success_rate",),
    "Complete": ("percent_complete",),
    **{kind.capitalize(): ("by_type", kind, "success_rate") for kind in KINDS},
}
"""The last four are success by type of task."""
MEASURES: Final[Mapping[str, Measure]] = {
    "Steps": Measure("steps", best="low"),
    "Cycles": Measure("cycles", best="low"),
    "Offloading": Measure("offloading", percent=True),
    "Extraneous": Measure("extraneous", percent=True, best="low"),
    "Exploration": Measure("exploration", best="low"),
    "Metres": Measure("moved", best="low"),
}


def categories(task: PartnrTask) -> list[str]:
    """The types of a task, in the order of the paper."""
    found = kinds(task.episode.evaluation)
    return [kind for kind in KINDS if kind in found]


# -- playing --------------------------------------------------------------------------------------


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
    return write_transcript(Run(task))


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
    return f"[{'+'.join(categories(task))}] {task.episode.instruction}"


def make_suite(split: str) -> Suite[PartnrTask]:
    """The suite of the episodes of a split, ``val`` or ``test``."""

    def tasks(protocol: Protocol) -> Sequence[PartnrTask]:
        return load(split)

    return Suite(
        name=f"partnr.{split}",
        title=f"Do what a person says, together, in a house (PARTNR, {split})",
        protocols=PROTOCOLS,
        prepare=lambda progress: load(split),
        load=tasks,
        identify=lambda task: task.id,
        describe=describe,
        score=score,
        count=count,
        rates=rates,
        columns=COLUMNS,
        measures=MEASURES,
        agents={"expert": expert, "random": random, "idle": idle},
        categories=categories,
        play=play,
        roles=(ROBOT, HUMAN, TEAM),
        settings=CHOICES,
        compatible=compatible,
        arrange=arrange,
    )
