"""The file of a study, in TOML: suite, tasks, participants, conditions and questions.

title = "Alone and together"
suite = "partnr.val"
participants = 20
tasks = 40
tasks_each = 5
consent = "consent.md"

[[conditions]]
name = "alone"
settings = {team = "single"}
seats = {human = "person"}

[[conditions]]
name = "with a robot"
seats = {human = "person", robot = "fair"}

[[after_task]]
name = "effort"
text = "How hard was it?"
kind = "rating"
points = 7
low = "easy"
high = "hard"
"""

from __future__ import annotations

import tomllib
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any, Final, Literal

import msgspec

from homebody.core import CORRECTED, HomebodyError, Suite
from homebody.core.ground.files import read_bounded
from homebody.core.ground.nesting import check_depth
from homebody.suites import get_suite
from homebody.web.game_setup import Setup, begin, playing_of
from homebody.web.partners import PERSON

MAX_BYTES: Final = 1 << 20
"""Maximum bytes of a study file and of each text file."""
MAX_TEXT_ANSWER: Final = 4_000
"""Maximum characters of a free-text answer."""

COLUMNS: Final = frozenset(
    {"participant", "group", "condition", "role", "task", "item", "practice", "try", "session"}
    | {"solved", "mark", "seconds", "actions", "partner_actions", "messages", "success"}
)
"""Columns of the table of results besides metrics and questions."""

Name = Annotated[str, msgspec.Meta(min_length=1, max_length=60, pattern=r"^[\w .+=-]+$")]
Text = Annotated[str, msgspec.Meta(max_length=4_000)]


class AskedQuestion(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A question to participants.

    Attributes:
        name: Name of the column of its answers.
        text: The question.
        kind: ``rating`` from 1 to ``points``, ``choice`` of one of ``choices``, or free ``text``.
        points: Number of points of a rating.
        low: Label of the lowest point.
        high: Label of the highest point.
        choices: Possible answers.
        optional: True if it may stay unanswered.
    """

    name: Name
    text: Text
    kind: Literal["rating", "choice", "text"] = "rating"
    points: Annotated[int, msgspec.Meta(ge=2, le=20)] = 7
    low: Text = ""
    high: Text = ""
    choices: tuple[Text, ...] = ()
    optional: bool = False


class Condition(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A condition of the experiment.

    Attributes:
        name: Name of the condition.
        seats: Role -> player: ``person`` is a participant.
        settings: Settings that differ from the defaults.
        chat: True if participants who play together can write to each other.
        driver: Driver of models; empty for the suite's own.
        partners_view: True if participants see what their partners see and do.
    """

    name: Name
    seats: dict[str, str]
    settings: dict[str, str] = {}
    chat: bool = False
    driver: str = ""
    partners_view: bool = False

    @property
    def persons(self) -> tuple[str, ...]:
        """The roles that participants play."""
        return tuple(role for role, kind in self.seats.items() if kind == PERSON)


class Study(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A study.

    Attributes:
        title: Title shown to participants.
        suite: Name of the suite.
        conditions: Conditions to compare.
        participants: Number of participants.
        tasks: Ids of the tasks, or their number, sampled by the seed.
        practice: Ids of tasks that everybody plays first; excluded from results.
        tasks_each: Number of tasks per participant; 0 for all.
        design: ``between``: a participant plays in one condition; ``within``: in all, in turn.
        order: Order of a participant's tasks: ``balanced`` (each task is equally often first,
            second ...), ``random``, or ``listed``.
        tries: Maximum number of attempts at a task.
        feedback: The feedback that participants see after an attempt: ``all`` (also the missing
            steps), ``solved`` (success only), or ``none``.
        mark_tasks: True if participants can mark a task as infeasible or ambiguous: at any time
            with a button, which ends the task, and when all their attempts have failed.
        time_limit: Seconds per attempt; 0 for no limit.
        wait_limit: Seconds to wait for others of a group before continuing without the task; 0 for
            no limit.
        seed: Seed of everything random.
        consent: Consent text in Markdown, or the name of a file beside the study.
        instructions: Instructions in Markdown, or the name of a file. They are shown after the
            consent text.
        goodbye: Text at the end in Markdown, or the name of a file.
        before: Questions before the tasks.
        after_task: Questions after each task.
        after: Questions at the end.
    """

    title: Text
    suite: str
    conditions: Annotated[tuple[Condition, ...], msgspec.Meta(min_length=1, max_length=20)]
    participants: Annotated[int, msgspec.Meta(ge=1, le=10_000)]
    tasks: tuple[str, ...] | Annotated[int, msgspec.Meta(ge=1, le=100_000)]
    practice: tuple[str, ...] = ()
    tasks_each: Annotated[int, msgspec.Meta(ge=0, le=1_000)] = 0
    design: Literal["between", "within"] = "between"
    order: Literal["balanced", "random", "listed"] = "balanced"
    tries: Annotated[int, msgspec.Meta(ge=1, le=20)] = 3
    feedback: Literal["all", "solved", "none"] = "all"
    mark_tasks: bool = False
    time_limit: Annotated[int, msgspec.Meta(ge=0, le=100_000)] = 0
    wait_limit: Annotated[int, msgspec.Meta(ge=0, le=100_000)] = 600
    seed: Annotated[int, msgspec.Meta(ge=0)] = 0
    consent: str = ""
    instructions: str = ""
    goodbye: str = ""
    before: tuple[AskedQuestion, ...] = ()
    after_task: tuple[AskedQuestion, ...] = ()
    after: tuple[AskedQuestion, ...] = ()

    def setup(self, condition: Condition, task: str, seed: int) -> Setup:
        """Return a game in a condition."""
        return Setup(
            self.suite,
            condition.seats,
            task,
            condition.settings,
            seed,
            condition.chat,
            condition.driver,
            condition.partners_view,
            self.feedback,
        )


def read_study(path: Path) -> Study:
    """Return the study in a file, with its texts; raise HomebodyError if it is invalid."""
    try:
        text = read_bounded(path, MAX_BYTES).decode()
        check_depth(text)
        raw = tomllib.loads(text)
        study = msgspec.convert(raw, Study, strict=True)
    except HomebodyError as error:
        raise HomebodyError(f"{path} {error}") from None
    except (ValueError, msgspec.ValidationError) as error:
        raise HomebodyError(
            f"{path} is not a study: {error}", "see: docs/guides/studies.md"
        ) from None
    check_study(study)
    texts = {name: _text(path, getattr(study, name)) for name in _TEXTS}
    return msgspec.structs.replace(study, **texts)


_TEXTS: Final = ("consent", "instructions", "goodbye")


def _text(path: Path, written: str) -> str:
    """Return a text. If the string is the name of a file beside the study, the text is read from
    this file."""
    if "\n" in written or not written.endswith(".md"):
        return written
    beside = path.parent / written
    if beside.resolve().parent != path.parent.resolve():
        raise HomebodyError(f"{written[:100]!r} is not beside {path}")
    try:
        return read_bounded(beside, MAX_BYTES).decode()
    except (HomebodyError, ValueError) as error:
        raise HomebodyError(f"{beside} {error}") from None


def check_study(study: Study) -> None:
    """Raise HomebodyError if a study cannot be played."""
    suite = get_suite(study.suite)
    playing_of(suite)
    tasks = study_tasks(study, suite)
    if study.tasks_each > len(tasks):
        raise HomebodyError(
            f"tasks_each is {study.tasks_each}, but there are only {len(tasks)} tasks"
        )
    if len({condition.name for condition in study.conditions}) < len(study.conditions):
        raise HomebodyError("two conditions have the same name")
    for condition in study.conditions:
        try:
            begin(study.setup(condition, tasks[0], 0), suite)
        except HomebodyError as error:
            raise HomebodyError(f"condition {condition.name!r}: {error}", error.hint) from error
        if not condition.persons:
            raise HomebodyError(
                f"no person plays in condition {condition.name!r}", 'let a seat be "person"'
            )
    if study.design == "within" and len({len(c.persons) for c in study.conditions}) > 1:
        raise HomebodyError(
            "within participants, all conditions need the same number of persons",
            'or set design = "between"',
        )
    each = study.tasks_each or len(tasks)
    if study.design == "within" and each < len(study.conditions):
        raise HomebodyError(
            f"{each} tasks each are too few for all {len(study.conditions)} conditions",
            "set tasks_each to at least the number of conditions",
        )
    asked = (*study.before, *study.after_task, *study.after)
    if len({question.name for question in asked}) < len(asked):
        raise HomebodyError("two questions have the same name")
    for question in asked:
        if question.name in COLUMNS:
            raise HomebodyError(
                f"a question cannot be called {question.name!r}: a column has this name"
            )
        if (question.kind == "choice") != bool(question.choices):
            raise HomebodyError(f"{question.name!r}: a choice needs choices, other kinds have none")


def study_tasks(study: Study, suite: Suite[Any]) -> Sequence[str]:
    """Return the ids of a study's tasks; raise HomebodyError if one does not exist."""
    known = [suite.tasks.identify(task) for task in suite.tasks.load(CORRECTED)]
    _check_known(study, study.practice, known)
    if isinstance(study.tasks, int):
        from homebody.core.ground.seeds import generator

        if study.tasks > len(known):
            raise HomebodyError(f"{study.suite} has {len(known)} tasks, not {study.tasks}")
        sampled = generator(f"study tasks {study.seed}").permutation(len(known))[: study.tasks]
        return [known[at] for at in sorted(sampled.tolist())]
    if not study.tasks:
        raise HomebodyError("the study has no tasks")
    _check_known(study, study.tasks, known)
    return study.tasks


def _check_known(study: Study, tasks: Sequence[str], known: Sequence[str]) -> None:
    for task in tasks:
        if task not in known:
            raise HomebodyError(f"{study.suite} has no task {task[:80]!r}")
    if len(set(tasks)) < len(tasks):
        raise HomebodyError("the study lists a task twice")
