"""The progress of participants. Each has a file of lines; a line is written before it is
acknowledged.

    {"format": "homebody-participant", "version": 1}
    {"at": 1790000000.1, "kind": "agreed"}
    {"at": 1790000000.2, "kind": "answers", "step": "before", "answers": {"games": "often"}}
    {"at": 1790000000.3, "kind": "try", "item": 0, "number": 1, "session": "...", "success": false}
    {"at": 1790000000.4, "kind": "mark", "item": 0, "mark": "ambiguous"}

Nothing else is stored of a person. The next step follows from the lines.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final, Literal, TypeAlias

import msgspec

from homebody.core import HomebodyError
from homebody.core.ground import journal
from homebody.core.ground.files import make_folder
from homebody.web.studies.study import MAX_TEXT_ANSWER, AskedQuestion, Study


class Consent(msgspec.Struct, frozen=True, tag="agreed", tag_field="kind"):
    """The participant has read the consent text and agrees."""

    at: float


class Read(msgspec.Struct, frozen=True, tag="read", tag_field="kind"):
    """The participant has read the instructions."""

    at: float


class Answers(msgspec.Struct, frozen=True, tag="answers", tag_field="kind"):
    """Answers to ``before``, ``after``, or ``task 0`` after the first task."""

    at: float
    step: str
    answers: dict[str, int | str | None]


class Try(msgspec.Struct, frozen=True, tag="try", tag_field="kind"):
    """An attempt at a task: index of the task, from 0, and number of the attempt, from 1."""

    at: float
    item: int
    number: int
    session: str
    role: str
    success: bool


class Alone(msgspec.Struct, frozen=True, tag="alone", tag_field="kind"):
    """The participant waited in vain for the group and continues without the task. ``item`` is the
    index of the task, from 0."""

    at: float
    item: int


Judgement: TypeAlias = Literal["infeasible", "ambiguous", "fine"]


class Mark(msgspec.Struct, frozen=True, tag="mark", tag_field="kind"):
    """The participant's judgement of an unsolved task, one of :data:`MARKS`. ``item`` is the index
    of the task, from 0."""

    at: float
    item: int
    mark: Judgement


MARKS: Final[Mapping[Judgement, str]] = {
    "infeasible": "It cannot be done",
    "ambiguous": "It is unclear what is meant",
    "fine": "It can be done, but I have not managed",
}
"""Mark -> its words for participants."""
MARK: Final = AskedQuestion(
    "mark",
    "You have not solved this task. What do you think of it?",
    "choice",
    choices=tuple(MARKS.values()),
)
ParticipantLine: TypeAlias = Consent | Read | Answers | Try | Alone | Mark
FORMAT: Final[journal.JournalFormat[Any, ParticipantLine]] = journal.JournalFormat(
    "homebody-participant",
    1,
    dict,
    journal.decoder(ParticipantLine),
    again="finish the study with the version of homebody that started it",
    max_bytes=1 << 24,
    bare=True,
)


def read_lines(path: Path) -> list[ParticipantLine]:
    """Return a participant's lines, if any; raise HomebodyError if the file is unreadable."""
    return list(journal.read(path, FORMAT)[1]) if path.exists() else []


class Participant:
    """The progress of a participant.

    Args:
        study: The study.
        path: The participant's file.
        items: Number of its tasks.
    """

    def __init__(self, study: Study, path: Path, items: int) -> None:
        self._study, self._items = study, items
        make_folder(path.parent)
        self._journal, lines = journal.resume(path, FORMAT)
        self.lines = list(lines)

    def add(self, line: ParticipantLine) -> None:
        """Write down a line; raise HomebodyError if that fails."""
        self._journal.add(msgspec.json.encode(line) + b"\n")
        self.lines.append(line)

    def step(self) -> str:
        """Return the next step.

        One of ``consent``, ``instructions``, ``before``, ``play 0``, ``mark 0`` (if it was not
        solved), ``task 0`` (questions after it), ``play 1`` ..., ``after`` and ``done``.
        """
        study, did = self._study, self.lines
        answered = {line.step for line in did if isinstance(line, Answers)}
        if study.consent and not any(isinstance(line, Consent) for line in did):
            return "consent"
        if study.instructions and not any(isinstance(line, Read) for line in did):
            return "instructions"
        if study.before and "before" not in answered:
            return "before"
        for item in range(self._items):
            if not self._is_over(item):
                return f"play {item}"
            if self._has_to_judge(item):
                return f"mark {item}"
            has_questions = (
                study.after_task and item >= len(study.practice) and not self.has_skipped(item)
            )
            if has_questions and f"task {item}" not in answered:
                return f"task {item}"
        if study.after and "after" not in answered:
            return "after"
        return "done"

    def tries(self, item: int) -> list[Try]:
        """Return the attempts at one of its tasks."""
        return [line for line in self.lines if isinstance(line, Try) and line.item == item]

    def has_skipped(self, item: int) -> bool:
        """Return whether the participant has continued without this task."""
        return any(isinstance(line, Alone) and line.item == item for line in self.lines)

    def mark(self, item: int) -> str:
        """Return the mark of one of its tasks; empty without one."""
        return mark_of(self.lines, item)

    def _has_to_judge(self, item: int) -> bool:
        tries = self.tries(item)
        judged = self._study.mark_tasks and item >= len(self._study.practice)
        unsolved = bool(tries) and not any(line.success for line in tries)
        return judged and unsolved and not self.mark(item)

    def _is_over(self, item: int) -> bool:
        tries = self.tries(item)
        is_done = len(tries) >= self._study.tries or any(line.success for line in tries)
        return is_done or self.has_skipped(item) or bool(self.mark(item))


def mark_of(lines: Iterable[ParticipantLine], item: int) -> str:
    """Return a participant's mark of a task; empty without one."""
    return next((x.mark for x in lines if isinstance(x, Mark) and x.item == item), "")


def read_mark(answers: Mapping[str, Any]) -> Judgement:
    """Return the mark in an answer to :data:`MARK`, which is a mark or its words; raise
    HomebodyError for any other answer."""
    for mark, words in MARKS.items():
        if answers.keys() == {MARK.name} and answers[MARK.name] in (mark, words):
            return mark
    raise HomebodyError("this is not a valid answer to the question", MARK.text)


def questions_of(study: Study, step: str) -> Sequence[AskedQuestion]:
    """Return the questions of a step; none in steps without questions."""
    if step.startswith("task "):
        return study.after_task
    if step.startswith("mark "):
        return (MARK,)
    return {"before": study.before, "after": study.after}.get(step, ())


def check_answers(
    questions: Iterable[AskedQuestion], given: Mapping[str, Any]
) -> dict[str, int | str | None]:
    """Return answers by question; raise HomebodyError if one is invalid or missing."""
    expected = {question.name: question for question in questions}
    for name in given:
        if name not in expected:
            raise HomebodyError(f"unknown question: {name[:60]!r}")
    return {name: _check_answer(question, given.get(name)) for name, question in expected.items()}


def _check_answer(question: AskedQuestion, answer: Any) -> int | str | None:
    if answer is None or answer == "":
        if question.optional:
            return None
        raise HomebodyError("please answer all questions", question.text)
    if question.kind == "rating":
        if type(answer) is int and 1 <= answer <= question.points:
            return answer
    elif isinstance(answer, str):
        if question.kind == "choice" and answer in question.choices:
            return answer
        if question.kind == "text" and len(answer) <= MAX_TEXT_ANSWER:
            return answer
    raise HomebodyError("this is not a valid answer to the question", question.text)


def now() -> float:
    """Return the seconds since 1970, as in lines."""
    return round(time.time(), 3)
