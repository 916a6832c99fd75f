"""Check outputs for submission to a leaderboard: find missing, wrong and off-format outputs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from homebody.core import CORRECTED, HomebodyError, Score, Suite
from homebody.core.published import Submission
from homebody.results.outputs import read_outputs
from homebody.results.scoring import match_tasks
from homebody.suites import loadable_suites


@dataclass(frozen=True, slots=True)
class CheckedOutputs:
    """A suite's part of a submission, with the results of its checks.

    Attributes:
        suite: The suite.
        answers: Tasks in order, each with its output and score.
        tasks: Number of tasks.
        missing: Ids of tasks without an output.
        wrong: Entries of the file that are not outputs of a task, with the reason.
        troubles: Defect of an output's format -> the tasks.
        epochs: Maximum number of outputs per task.
        source: The file, or None.
    """

    suite: Suite[Any]
    answers: tuple[tuple[Any, str, Score], ...]
    tasks: int
    missing: tuple[str, ...]
    wrong: tuple[str, ...]
    troubles: Mapping[str, Sequence[str]]
    epochs: int = 1
    source: Path | None = None

    @property
    def is_complete(self) -> bool:
        """True if each task has an output and the file has no other entries."""
        return not self.missing and not self.wrong


def submission_of(suite: Suite[Any]) -> Submission[Any]:
    """Return a suite's part of a submission. Raises HomebodyError if it has none."""
    if suite.published.submission is None:
        raise HomebodyError(f"{suite.name} has no submission", list_benchmarks())
    return suite.published.submission


def list_benchmarks() -> str:
    """Return advice with the names of the benchmarks that accept submissions."""
    groups = {
        suite.name.partition(".")[0] for suite in loadable_suites() if suite.published.submission
    }
    return f"choose one of: {', '.join(sorted(groups))}"


def check(suite: Suite[Any], file: Path | None, epoch: int = 1) -> CheckedOutputs:
    """Check a file of outputs as a suite's part of a submission; use the outputs of ``epoch``.

    Raises:
        HomebodyError: The file cannot be read, or none of its outputs is for a task.
    """
    rules, submission = CORRECTED, submission_of(suite)
    identify = suite.tasks.identify
    loaded, wanted = suite.tasks.load(rules), submission.includes
    tasks = {identify(task): task for task in loaded if wanted is None or wanted(task)}
    if file is None:
        return CheckedOutputs(suite, (), len(tasks), tuple(tasks), (), {})
    known, errors = match_tasks(suite, read_outputs(file), rules)
    counts = Counter(identify(task) for task, _ in known)
    texts = {identify(task): output.text for task, output in known if output.epoch == epoch}
    answers: list[tuple[Any, str, Score]] = []
    troubles: dict[str, list[str]] = {}
    for name, task in tasks.items():
        if name not in texts:
            continue
        score = suite.score(task, texts[name], rules)
        answers.append((task, texts[name], score))
        trouble = submission.problem(score.record)
        if not texts[name].strip():
            trouble = "empty"
        if trouble:
            troubles.setdefault(trouble, []).append(name)
    missing = tuple(name for name in tasks if name not in texts)
    wrong = tuple(f"{error.identifier}: {error.reason}" for error in errors)
    epochs = max(counts.values())
    return CheckedOutputs(suite, tuple(answers), len(tasks), missing, wrong, troubles, epochs, file)
