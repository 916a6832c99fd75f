"""What is to be played, and by whom, before there is a game of it."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

from homebody.core import CORRECTED, HomebodyError, Playing, Session, Suite
from homebody.drivers import check_driver
from homebody.suites import get_suite
from homebody.web.partners import check_kind


@dataclass(frozen=True, slots=True)
class Setup:
    """What is to be played, and by whom.

    Attributes:
        suite: Name of the suite.
        seats: Role -> who plays it; all roles that there are.
        task: Id of the task; None for the first, and for any in a lobby.
        settings: How the task is set, where not as usual.
        seed: Of all that is random.
        chat: Whether persons can write to each other.
        driver: How models are asked, one of :data:`homebody.drivers.PLAYERS`; empty for as the
            suite has it.
        partners_view: Whether persons see what their partners see and do, wherever these are, as
            in PARTNR's study (appendix A.12, figure 14).
        feedback: What persons are told at the end: ``all`` (what is missing, too), ``solved``
            (whether it is), or ``none``.
    """

    suite: str
    seats: Mapping[str, str]
    task: str | None = None
    settings: Mapping[str, str] = field(default_factory=dict)
    seed: int = 0
    chat: bool = False
    driver: str = ""
    partners_view: bool = False
    feedback: str = "all"


class NotBuiltError(Exception):
    """What a game is played in is still to be built, which takes too long for the thread that
    plays.

    Attributes:
        suite: Its name.
        task: Its id; None: the first.
    """

    def __init__(self, suite: str, task: str | None) -> None:
        super().__init__(f"{suite} {task}")
        self.suite, self.task = suite, task


def build(suite: str, task: str | None) -> object:
    """What a task is played in, to be kept until its game is there; any thread may call it. None
    if it is not possible: whoever starts it is told why."""
    evaluated = get_suite(suite)
    with suppress(HomebodyError):
        return playing_of(evaluated).build(task_of(evaluated, task))
    return None


def task_of(suite: Suite[Any], task: str | None) -> Any:
    """A task by its id, or the first. Raises HomebodyError if there is none of that id."""
    return suite.tasks.load(CORRECTED)[0] if task is None else suite.task(task)


def playing_of(suite: Suite[Any]) -> Playing[Any]:
    """How a suite is played. Raises HomebodyError if it is not."""
    if suite.playing is None:
        raise HomebodyError(f"{suite.name} is not played", "see: homebody list")
    return suite.playing


def begin(setup: Setup, suite: Suite[Any]) -> tuple[Any, dict[str, str], Session]:
    """A task, those of its settings that are not as usual, and a session of it.

    Raises:
        HomebodyError: there is no such thing, or it cannot be played so.
    """
    playing = playing_of(suite)
    task = task_of(suite, setup.task)
    settings = dict(setup.settings)
    if setup.driver:
        check_driver(setup.driver)
    for role, kind in setup.seats.items():  # as those settings have it that say who plays
        check_kind(playing, kind)
        if kind in playing.settings.get(role, ()):
            settings[role] = kind
    playing.check(settings)
    settings = playing.drop_defaults(settings)
    session = playing.start(task, settings, setup.seed, CORRECTED)
    if set(setup.seats) != set(session.roles):
        roles = ", ".join(session.roles)
        raise HomebodyError(f"say of each role who plays it: {roles}", "as the seats")
    return task, settings, session
