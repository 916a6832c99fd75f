"""Scores runs that the published code recorded, with homebody's metrics.

A folder of results has a folder ``trajNNNN`` for each episode, with a file ``NNNNa.json`` for each
step (or all of them in ``traj.json``) and the task in ``task.json``."""

from __future__ import annotations

import math
import os
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Annotated, Any, Final, Literal

import msgspec
from msgspec import Meta

from homebody.core import HomebodyError, Protocol, SampleError, Score
from homebody.suites.embodiedeval.metrics import goal_conditions, spl_of
from homebody.suites.embodiedeval.protocol import (
    CRASHES_FAIL,
    EXCUSED,
    LISTED,
    NO_SPL,
    QUIRKS,
    STALE,
)
from homebody.suites.embodiedeval.published_tasks import PublishedTask, category_of, read_json
from homebody.suites.embodiedeval.session import MAX_STEPS

MOST_EPISODES: Final = 10_000
MOST_STEPS: Final = 1_000
_EPISODE: Final = re.compile(r"traj(\d{1,9})")
_ERRORS: Final = {-1: "no option match", -2: "option out of range", None: "api error"}
"""Chosen number -> error of the reply.

As text it is ``action_error`` (for the last, api_crash)."""

_Text = Annotated[str, Meta(max_length=200_000)]
_Done = Annotated[int, Meta(ge=-1, le=1)]


class RecordedStep(msgspec.Struct, frozen=True):
    """A step with the fields of its file; others are ignored."""

    step: Annotated[int, Meta(ge=0, le=MOST_STEPS)]
    action_choice: int | None = None
    action: _Text | None = None
    action_error: Literal["", "no option match", "option out of range", "api_crash"] = ""
    done_after_action: _Done = 0
    feedback: _Text | None = None
    predicates_done: Annotated[tuple[_Done, ...], Meta(max_length=100)] = ()

    @property
    def error(self) -> str:
        """The error of the reply; empty if there was none."""
        if self.action_error == "api_crash":
            return _ERRORS[None]
        return self.action_error or _ERRORS.get(self.action_choice, "")


class _Instance(msgspec.Struct, frozen=True):
    task_instance: PublishedTask


class _Setting(msgspec.Struct, frozen=True):
    scene: _Instance
    task_id: _Text = ""


_Steps = Annotated[tuple[RecordedStep, ...], Meta(max_length=MOST_STEPS)]


def score_runs(
    folder: Path, protocol: Protocol, people: Path | None = None
) -> Iterator[Score | SampleError]:
    """Yield the scores of all episodes of a folder, in the order of their numbers.

    Unreadable episodes give errors. Under ``corrected``, episodes that a provider's error ended do,
    too.

    Args:
        folder: Folder of results.
        protocol: The protocol.
        people: Folder of people's runs, the baseline of SPL. Without it, or for episodes that it
            lacks, there is no SPL.

    Raises:
        HomebodyError: There are no episodes, or one of the folders cannot be read.
    """
    for each in (folder, people):
        if each is not None and not os.path.isdir(each):
            raise HomebodyError(f"{each} is not a folder")
    try:
        names = [name for name in os.listdir(folder) if _EPISODE.fullmatch(name)]
    except OSError as error:
        raise HomebodyError(f"cannot read {folder}: {error.strerror}") from error
    episodes = [folder / name for name in sorted(names, key=lambda name: (int(name[4:]), name))]
    if not episodes:
        raise HomebodyError(f"{folder} has no recorded runs", "give a folder with traj0000")
    quirks = protocol.kept_quirks(QUIRKS)
    for episode in episodes[:MOST_EPISODES]:
        try:
            yield _score(episode, quirks, people)
        except (HomebodyError, OSError) as error:
            yield SampleError(episode.name, 1, "provider_error", str(error))


def _score(episode: Path, quirks: frozenset[str], people: Path | None) -> Score:
    setting = read_json(episode / "task.json", _Setting)
    steps = read_steps(episode, quirks)
    category = category_of(setting.task_id.partition("/")[0])
    if category is None:
        raise HomebodyError(f"{episode.name}: the task {setting.task_id[:60]!r} has no category")
    task, last = setting.scene.task_instance, steps[-1]
    errors = [step.error for step in (steps[-1:] if LISTED in quirks else steps) if step.error]
    if _ERRORS[None] in errors and CRASHES_FAIL not in quirks:
        raise HomebodyError(f"{episode.name}: the provider failed")
    success = last.done_after_action == 1
    shortest = _count_people_steps(people, episode.name, quirks)
    done = [step for step in steps if step.feedback and (EXCUSED in quirks or not step.error)]
    well = sum(_has_succeeded(step, quirks) for step in done)
    gcs = _goal_condition_success(task, steps, quirks)
    spl = math.nan
    if shortest is not None or NO_SPL in quirks:
        spl = spl_of(success, shortest or 0, len(steps), quirks)
    record: dict[str, Any] = {
        "success": success,
        "gcs": gcs,
        "spl": spl,
        "category": category,
        "family": "",
        "capabilities": [],
        "instruction": task.task_text,
        "steps": len(steps),
        "shortest": shortest,
        "steps_used_up": last.done_after_action == 0 and len(steps) >= MAX_STEPS and not last.error,
        "interactions": len(done),
        "interactions_done": well,
        "errors": errors,
        "explanation": "Recorded as done." if success else "Recorded as not done.",
    }
    return Score(episode.name, {"success": float(success), "gcs": gcs, "spl": spl}, record)


def read_steps(episode: Path, quirks: frozenset[str]) -> Sequence[RecordedStep]:
    """Return the steps of an episode, in order. Raises HomebodyError if it has no steps."""
    whole = episode / "traj.json"
    if whole.is_file():
        steps: Sequence[RecordedStep] = read_json(whole, _Steps)
    else:
        names = [name for name in os.listdir(episode) if name.endswith("a.json")][:MOST_STEPS]
        steps = [read_json(episode / name, RecordedStep) for name in names]
    if not steps:
        raise HomebodyError(f"{episode.name} has no steps")
    return steps if LISTED in quirks else sorted(steps, key=lambda step: step.step)


def _count_people_steps(people: Path | None, name: str, quirks: frozenset[str]) -> int | None:
    if people is None or not (people / name).is_dir():
        return None
    return len(read_steps(people / name, quirks))


def _has_succeeded(step: RecordedStep, quirks: frozenset[str]) -> bool:
    feedback = step.feedback or ""
    return feedback != "failed" if EXCUSED in quirks else not feedback.startswith("failed")


def _goal_condition_success(
    task: PublishedTask, steps: Sequence[RecordedStep], quirks: frozenset[str]
) -> float:
    """Return goal-condition success.

    Predicates that are not recorded after a wrong answer keep the value of the previous step,
    because an answer changes nothing."""
    if len(task.predicates) == 1:
        return float(steps[-1].done_after_action == 1)
    if len(steps) == 1 and steps[0].error and STALE not in quirks:
        return 0.0
    last = steps[-1].predicates_done
    before = steps[-2].predicates_done if len(steps) > 1 else ()
    rest = before[len(last) : len(task.predicates)]
    met = [done == 1 for done in (*last, *rest)]
    met += [False] * (len(task.predicates) - len(met))
    cut = len(last) - 1 if last and last[-1] == -1 else None
    return goal_conditions(met, cut, quirks)
