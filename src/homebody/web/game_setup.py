"""Setup of a game before it exists: its task and its players."""

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
    """A game to create: its task and its players.

    Attributes:
        suite: Name of the suite.
        seats: Role -> player, for every role.
        task: Id of the task. None for the first task or, in a lobby, for any task.
        settings: Settings that differ from the defaults.
        seed: Seed of everything random.
        chat: True if persons can write to each other.
        driver: Driver of models, of :data:`homebody.drivers.PLAYERS`; empty for the suite's own.
        partners_view: True if persons see what their partners see and do, wherever they are, as in
            PARTNR's study (appendix A.12, figure 14).
        feedback: The feedback that persons see at the end: ``all`` (also the missing steps),
            ``solved`` (success only), or ``none``.
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
    """A game whose house must be built first, outside the playing thread.

    Attributes:
        suite: Name of the suite.
        task: Id of the task; None for the first.
    """

    def __init__(self, suite: str, task: str | None) -> None:
        super().__init__(f"{suite} {task}")
        self.suite, self.task = suite, task


def build(suite: str, task: str | None) -> object:
    """Return the slow-to-build part of a task, such as its house, or None after an error.
    Thread-safe."""
    evaluated = get_suite(suite)
    with suppress(HomebodyError):
        return playing_of(evaluated).build(task_of(evaluated, task))
    return None


def task_of(suite: Suite[Any], task: str | None) -> Any:
    """Return a task by its id, or the first one; raise HomebodyError if it does not exist."""
    return suite.tasks.load(CORRECTED)[0] if task is None else suite.task(task)


def playing_of(suite: Suite[Any]) -> Playing[Any]:
    """Return the ``playing`` of a suite; raise HomebodyError if the suite is not played."""
    if suite.playing is None:
        raise HomebodyError(f"{suite.name} is not played", "see: homebody list")
    return suite.playing


def begin(setup: Setup, suite: Suite[Any]) -> tuple[Any, dict[str, str], Session]:
    """Start a session; return its task, its settings other than defaults, and the session.

    Raises HomebodyError if the suite or task does not exist, or the setup is invalid.
    """
    playing = playing_of(suite)
    task = task_of(suite, setup.task)
    settings = dict(setup.settings)
    if setup.driver:
        check_driver(setup.driver)
    for role, kind in setup.seats.items():  # settings that name the player of a role
        check_kind(playing, kind)
        if kind in playing.settings.get(role, ()):
            settings[role] = kind
    playing.check(settings)
    settings = playing.drop_defaults(settings)
    session = playing.start(task, settings, setup.seed, CORRECTED)
    if set(setup.seats) != set(session.roles):
        roles = ", ".join(session.roles)
        raise HomebodyError(f"the seats must name a player for each role: {roles}")
    return task, settings, session
