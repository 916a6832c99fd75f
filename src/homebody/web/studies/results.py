"""Results of a study: a row per attempt, and outputs by condition.

Only reads, so that it works while the study is running.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from homebody.core import CORRECTED, Suite
from homebody.core.play.transcript import decode
from homebody.results.outputs import SUFFIX, rename_outputs, safe_name, write_outputs
from homebody.suites import get_suite
from homebody.web.game_journal import SUFFIX as JOURNAL
from homebody.web.game_journal import ChatLine, JoinLine, read_journal
from homebody.web.game_setup import playing_of
from homebody.web.recording import SESSION, read_recorded
from homebody.web.registry import SESSIONS
from homebody.web.studies.assignment import PlayingGroup, assign
from homebody.web.studies.participants import (
    Alone,
    Answers,
    ParticipantLine,
    Try,
    mark_of,
    read_lines,
)
from homebody.web.studies.running import participant_file
from homebody.web.studies.study import Study


@dataclass(frozen=True, slots=True)
class StudyTry:
    """A finished attempt.

    Attributes:
        participant: Number of the participant.
        group: Number of its group.
        condition: Name of the condition.
        task: Id of the task.
        practice: True if it is excluded from results.
        line: The participant's line.
        transcript: All actions.
        answers: Answers about this task and about all, by name.
        mark: The participant's mark of the task; empty without one.
    """

    participant: int
    group: int
    condition: str
    task: str
    practice: bool
    line: Try
    transcript: str
    answers: Mapping[str, int | str | None]
    mark: str


BEFORE_METRICS: Final = (
    "participant",
    "group",
    "condition",
    "role",
    "task",
    "item",
    "practice",
    "try",
    "session",
    "solved",
    "mark",
)
"""Columns that do not depend on the suite."""


def study_tries(study: Study, folder: Path) -> Iterator[StudyTry]:
    """Yield all attempts by participant; raise HomebodyError if a file is unreadable."""
    transcripts = {
        str(entry.get(SESSION)): str(entry.get("llm_output"))
        for file in sorted((folder / study.suite).glob(f"*{SUFFIX}"))
        for entry in read_recorded(file)
    }
    for group in assign(study):
        for member in group.members:
            yield from _tries_of(group, member, folder, transcripts)


def result_rows(study: Study, folder: Path) -> list[dict[str, str]]:
    """Return a row for each attempt.

    Columns: participant, group, condition, role, task, item (from 1), practice, try, session,
    solved, mark, the suite's metrics, seconds, actions, partner_actions, messages, and one for each
    question. A row with try 0 is a task for which the other members of the group did not come, or
    which they marked.

    Raises:
        HomebodyError: A stored file cannot be read.
    """
    suite = get_suite(study.suite)
    questions = [q.name for q in (*study.before, *study.after_task, *study.after)]
    rows = []
    for tried in study_tries(study, folder):
        score = suite.score(suite.task(tried.task), tried.transcript, CORRECTED)
        seconds, messages = _measure(folder, tried.line)
        own, others = _count_actions(tried, playing_of(suite).max_entries)
        rows.append(
            {
                "participant": str(tried.participant),
                "group": str(tried.group),
                "condition": tried.condition,
                "role": tried.line.role,
                "task": tried.task,
                "item": str(tried.line.item + 1),
                "practice": "yes" if tried.practice else "no",
                "try": str(tried.line.number),
                "session": tried.line.session,
                "solved": "yes" if tried.line.success else "no",
                "mark": tried.mark,
                **{name: f"{value:.4f}" for name, value in score.metrics.items()},
                "seconds": f"{seconds:.1f}",
                "actions": str(own),
                "partner_actions": str(others),
                "messages": str(messages),
                **{name: _cell(tried.answers.get(name)) for name in questions},
            }
        )
    columns = list(rows[0]) if rows else list(BEFORE_METRICS)
    for group in assign(study):
        of_member = {m: read_lines(participant_file(folder, m)) for m in group.members}
        for member in group.members:
            lines = of_member[member]
            for line in lines:
                if isinstance(line, Alone) and line.item < len(group.items):
                    item = group.items[line.item]
                    marked = any(mark_of(lines, line.item) for lines in of_member.values())
                    row = {
                        "participant": str(member),
                        "group": str(group.number),
                        "condition": item.condition.name,
                        "role": group.role(member, item),
                        "task": item.task,
                        "item": str(line.item + 1),
                        "practice": "yes" if item.practice else "no",
                        "try": "0",
                        "solved": "partner marked it" if marked else "nobody came",
                        "mark": mark_of(lines, line.item),
                    }
                    rows.append({**dict.fromkeys(columns, ""), **row})
    return rows


def write_study_outputs(study: Study, folder: Path, out: Path) -> list[Path]:
    """Write a file of outputs per condition, of the last attempt at each task.

    The files have the format of models' outputs. HomebodyError is raised if one cannot be written.
    """
    suite: Suite[Any] = get_suite(study.suite)
    last: dict[str, dict[tuple[int, int], tuple[str, str]]] = defaultdict(dict)
    for tried in study_tries(study, folder):  # members of a group have the same transcript
        if tried.practice:
            continue
        last[tried.condition][tried.group, tried.line.item] = tried.task, tried.transcript
    files = []
    for condition, outputs in last.items():
        file = out / f"{safe_name(condition)}{SUFFIX}"
        write_outputs(file, rename_outputs(suite, outputs.values()))
        files.append(file)
    return files


def _tries_of(
    group: PlayingGroup, member: int, folder: Path, transcripts: Mapping[str, str]
) -> Iterator[StudyTry]:
    lines = read_lines(participant_file(folder, member))
    for line in lines:
        if isinstance(line, Try) and line.session in transcripts and line.item < len(group.items):
            item = group.items[line.item]
            yield StudyTry(
                member,
                group.number,
                item.condition.name,
                item.task,
                item.practice,
                line,
                transcripts[line.session],
                _answers(lines, line.item),
                mark_of(lines, line.item),
            )


def _answers(lines: list[ParticipantLine], item: int) -> dict[str, int | str | None]:
    steps = ("before", f"task {item}", "after")
    return {
        name: answer
        for line in lines
        if isinstance(line, Answers) and line.step in steps
        for name, answer in line.answers.items()
    }


def _count_actions(tried: StudyTry, most: int) -> tuple[int, int]:
    """Return the number of actions of the participant and of others."""
    entries = decode(tried.transcript, most).entries
    own = sum(entry.role == tried.line.role for entry in entries)
    return own, len(entries) - own


def _measure(folder: Path, tried: Try) -> tuple[float, int]:
    """Return the duration of an attempt in seconds, counted after all had joined, and its number of
    messages."""
    _, lines = read_journal(folder / SESSIONS / f"{tried.session}{JOURNAL}")
    begun = max((line.at for line in lines if isinstance(line, JoinLine)), default=0.0)
    messages = sum(isinstance(line, ChatLine) and line.role == tried.role for line in lines)
    return (lines[-1].at - begun if lines else 0.0), messages


def _cell(answer: int | str | None) -> str:
    return "" if answer is None else str(answer)
