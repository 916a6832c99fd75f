"""The file of a study, in TOML: what is played, by how many, how, and what they are asked.

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
seats = {human = "person", robot = "expert"}

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
"""Of a study file, and of a text that it names."""
MAX_TEXT_ANSWER: Final = 4_000
"""Characters of an answer in free text."""

COLUMNS: Final = frozenset(
    {"participant", "group", "condition", "role", "task", "item", "practice", "try", "session"}
    | {"solved"}
    | {"seconds", "actions", "partner_actions", "messages", "success"}
)
"""Of the table of results, besides those of metrics and questions."""

Name = Annotated[str, msgspec.Meta(min_length=1, max_length=60, pattern=r"^[\w .+=-]+$")]
Text = Annotated[str, msgspec.Meta(max_length=4_000)]


class AskedQuestion(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Something that participants are asked.

    Attributes:
        name: Of the column of its answers.
        text: The question.
        kind: ``rating`` from 1 to ``points``, ``choice`` of one of ``choices``, or free ``text``.
        points: Of a rating.
        low: What its lowest point means.
        high: What its highest point means.
        choices: To choose one of.
        optional: Whether it need not be answered.
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
    """A way of playing that is compared with others.

    Attributes:
        name: Of it.
        seats: Role -> who plays it: ``person`` is a participant.
        settings: How tasks are set, where not as usual.
        chat: Whether participants who play together can write to each other.
        driver: How models are asked that play; as the suite has it if left out.
        partners_view: Whether participants see what their partners see and do.
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
        title: What participants read first.
        suite: Name of what is played.
        conditions: Those that are compared.
        participants: How many there are.
        tasks: Ids of the tasks, or how many of all, drawn by the seed.
        practice: Ids of tasks that everybody plays first, to learn how; they count for nothing.
        tasks_each: How many of them each participant plays; all if 0.
        design: ``between``: a participant plays in one condition; ``within``: in all, by turns.
        order: Of a participant's tasks: ``balanced`` (each task is as often first, second ...),
            ``random``, or ``listed``.
        tries: How often a task may be tried until it is solved.
        feedback: What participants are told after a try: ``all`` (what is missing, too), ``solved``
            (whether it is), or ``none``.
        time_limit: Seconds for a try; none if 0.
        wait_limit: Seconds for which others of a group are waited for, before the one who waits
            goes on without that task; without end if 0.
        seed: Of all that is random.
        consent: What participants agree to, in Markdown: a text, or the name of a file beside.
        instructions: What they read then, likewise.
        goodbye: What they read at the end, likewise.
        before: What they are asked first.
        after_task: After each task.
        after: At the end.
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
        """A game in a condition."""
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

    @property
    def group_size(self) -> int:
        """How many participants play together."""
        return len(self.conditions[0].persons)


def read_study(path: Path) -> Study:
    """The study of a file, with its texts.

    Raises:
        HomebodyError: it cannot be read, is none, or cannot be played so.
    """
    try:
        text = read_bounded(path, MAX_BYTES).decode()
        check_depth(text)
        raw = tomllib.loads(text)
        study = msgspec.convert(raw, Study, strict=True)
    except HomebodyError as error:
        raise HomebodyError(f"{path} {error}") from None
    except (ValueError, msgspec.ValidationError) as error:
        raise HomebodyError(f"{path} is no study: {error}", "see: docs/guides/studies.md") from None
    check_study(study)
    texts = {name: _text(path, getattr(study, name)) for name in _TEXTS}
    return msgspec.structs.replace(study, **texts)


_TEXTS: Final = ("consent", "instructions", "goodbye")


def _text(path: Path, written: str) -> str:
    """A text, out of its file if it names one beside the study's."""
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
    """Raises HomebodyError if a study cannot be played as it says."""
    suite = get_suite(study.suite)
    playing_of(suite)
    tasks = study_tasks(study, suite)
    if study.tasks_each > len(tasks):
        raise HomebodyError(f"there are {len(tasks)} tasks, and not {study.tasks_each} for each")
    if len({condition.name for condition in study.conditions}) < len(study.conditions):
        raise HomebodyError("two conditions have one name")
    for condition in study.conditions:
        try:
            begin(study.setup(condition, tasks[0], 0), suite)
        except HomebodyError as error:
            raise HomebodyError(f"{condition.name!r}: {error}", error.hint) from error
        if not condition.persons:
            raise HomebodyError(f"nobody plays in {condition.name!r}", 'a role is a "person"')
    if study.design == "within" and len({len(c.persons) for c in study.conditions}) > 1:
        raise HomebodyError(
            "within participants, all conditions are for as many persons",
            'or have design = "between"',
        )
    each = study.tasks_each or len(tasks)
    if study.design == "within" and each < len(study.conditions):
        raise HomebodyError(
            f"nobody plays in all {len(study.conditions)} conditions with {each} tasks each",
            "have tasks_each be as many at least",
        )
    asked = (*study.before, *study.after_task, *study.after)
    if len({question.name for question in asked}) < len(asked):
        raise HomebodyError("two questions have one name")
    for question in asked:
        if question.name in COLUMNS:
            raise HomebodyError(f"a question cannot be called {question.name!r}: a column is")
        if (question.kind == "choice") != bool(question.choices):
            raise HomebodyError(f"{question.name!r}: a choice has choices, and nothing else has")


def study_tasks(study: Study, suite: Suite[Any]) -> Sequence[str]:
    """Ids of the tasks of a study. Raises HomebodyError if there is no such task, or one of its
    practice."""
    known = [suite.tasks.identify(task) for task in suite.tasks.load(CORRECTED)]
    _check_known(study, study.practice, known)
    if isinstance(study.tasks, int):
        from homebody.core.ground.seeds import generator

        if study.tasks > len(known):
            raise HomebodyError(f"{study.suite} has {len(known)} tasks, not {study.tasks}")
        drawn = generator(f"study tasks {study.seed}").permutation(len(known))[: study.tasks]
        return [known[at] for at in sorted(drawn.tolist())]
    if not study.tasks:
        raise HomebodyError("a study has tasks")
    _check_known(study, study.tasks, known)
    return study.tasks


def _check_known(study: Study, tasks: Sequence[str], known: Sequence[str]) -> None:
    for task in tasks:
        if task not in known:
            raise HomebodyError(f"{study.suite} has no task {task[:80]!r}")
    if len(set(tasks)) < len(tasks):
        raise HomebodyError("a study has each of its tasks once")
