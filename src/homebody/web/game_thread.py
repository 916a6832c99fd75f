"""The thread that plays all games while many clients wait.

All code that uses a game runs as a short job in that thread. Slow work runs elsewhere: waiting for
clients, timers, model queries and building houses. A job that needs a house is repeated once the
house is built, so it must not change anything before it asks for the house.
"""

from __future__ import annotations

import asyncio
import gc
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from typing import Any, Final, Generic, TypeVar

from homebody.core import HomebodyError, Question, Reply
from homebody.core.ground.journal import JournalWriter
from homebody.evals.asking import open_model
from homebody.web.game_setup import NotBuiltError, build
from homebody.web.hosted_game import HostedGame
from homebody.web.memory import release_memory
from homebody.web.registry import Games

T = TypeVar("T")
MAX_ASKED: Final = 32
"""Maximum number of models queried at a time; others wait."""
SYNCED: Final = 8
"""Journals that are synced to disk at a time."""
TIDY: Final = 10.0
"""Seconds between two searches for abandoned games."""
LEFT: Final = 10
"""Closed games after which garbage is collected.

Each leaves one or two megabytes in reference cycles; a collection stops all threads for 0.2 s.
"""
AGAIN: Final = 2.0
"""Seconds before a failed query of a model is retried."""


class Stage:
    """Runs all games in one thread for many clients.

    Args:
        games: The games; from then on only this object touches them.
    """

    def __init__(self, games: Games) -> None:
        self._games = games
        games.later = True
        for game in games.open.values():
            game.journal.later = True
        self._syncers = ThreadPoolExecutor(SYNCED, "syncing")
        self._syncing: dict[str, asyncio.Future[None]] = {}
        self._thread = ThreadPoolExecutor(1, "playing")
        self._builder = ThreadPoolExecutor(1, "building")
        self._askers = ThreadPoolExecutor(MAX_ASKED, "asking")
        self._models: dict[str, Callable[[Question], Reply]] = {}
        self._open = ExitStack()
        self._opening = threading.Lock()
        self._watchers: dict[str, set[asyncio.Event]] = {}
        self._timers: dict[str, asyncio.TimerHandle] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._states: dict[str, object] = {}  # of games at the last look

    def has_token(self, token: str) -> bool:
        """Return whether a token belongs to a game. It never waits."""
        return self._games.has_token(token)

    async def play(self, token: str, do: Callable[[HostedGame, str], T]) -> tuple[str, T] | None:
        """Run ``do`` in a token's game, as its role; return game name and result, or None."""

        def job(games: Games) -> tuple[HostedGame, T] | None:
            found = games.find(token)
            return None if found is None else (found[0], do(*found))

        done = await self.work(job)
        if done is None:
            return None
        game, result = done
        return game.header.session, result

    async def work(self, do: Callable[[Games], T]) -> T:
        """Run ``do`` with the games in their thread.

        Returns once all changes to these games are on disk.
        """
        loop = asyncio.get_running_loop()
        built: dict[tuple[str, str | None], object] = {}
        while True:
            done = await loop.run_in_executor(self._thread, self._job, do, built)
            await self._wait_until_synced(done.journals)
            for change in done.changed:
                self._handle_change(change)
            if isinstance(done.error, NotBuiltError):
                of = done.error.suite, done.error.task
                built[of] = await loop.run_in_executor(self._builder, build, *of)
            elif done.error is not None:
                raise done.error
            else:
                return done.result  # type: ignore[return-value]

    @contextmanager
    def watching(self, session: str) -> Iterator[asyncio.Event]:
        """Yield an event that is set whenever something happens in a game."""
        event = asyncio.Event()
        self._watchers.setdefault(session, set()).add(event)
        try:
            yield event
        finally:
            self._watchers[session].discard(event)
            if not self._watchers[session]:
                del self._watchers[session]

    async def tidy_periodically(self) -> None:
        """Tidy up regularly until cancelled."""
        while True:
            await asyncio.sleep(TIDY)
            with suppress(HomebodyError):  # a journal failed; the next round tidies the others
                await self.work(lambda games: games.tidy())
            if self._games.put_away >= LEFT:
                self._games.put_away = 0
                await asyncio.to_thread(gc.collect)
            await asyncio.to_thread(release_memory)

    async def close(self) -> None:
        """Stop everything. All acknowledged actions are in the journals."""
        for timer in self._timers.values():
            timer.cancel()
        for task in self._tasks:
            task.cancel()
        self._builder.shutdown(wait=True, cancel_futures=True)
        self._thread.shutdown(wait=True)
        self._syncers.shutdown(wait=True)
        self._askers.shutdown(wait=False, cancel_futures=True)
        self._games.close()
        await asyncio.get_running_loop().run_in_executor(None, self._open.close)

    # -- private -------------------------------------------------------------------------------

    def _job(
        self, do: Callable[[Games], T], built: Mapping[tuple[str, str | None], object]
    ) -> _Done[T]:
        """Run ``do`` in the playing thread. If it needs a house, build the house first."""
        result, error = None, None
        self._games.built = built
        try:
            result = do(self._games)
        except Exception as raised:
            error = raised
        journals = self._take_unsynced()
        return _Done(result, error, self._changes(), journals)

    def _take_unsynced(self) -> dict[str, JournalWriter | None]:
        """Return the changed games, and their journals if they are not yet on disk. Runs in the
        playing thread."""
        journals: dict[str, JournalWriter | None] = {}
        for name in self._games.touched & self._games.open.keys():
            journal = self._games.open[name].journal
            journals[name] = journal if journal.dirty else None
            journal.dirty = False
        return journals

    async def _wait_until_synced(self, journals: Mapping[str, JournalWriter | None]) -> None:
        """Wait until journals are on disk, including earlier writes.

        If one cannot be synced, HomebodyError is raised, and its game is read again from disk.
        """
        loop = asyncio.get_running_loop()
        for name, journal in journals.items():
            if journal is not None:
                self._syncing[name] = loop.run_in_executor(self._syncers, journal.sync)
        for name in journals:
            syncing = self._syncing.get(name)
            if syncing is None:
                continue
            try:
                await asyncio.shield(syncing)
            except HomebodyError:
                await loop.run_in_executor(self._thread, self._mark_unsound, name)
                raise
            finally:
                if syncing.done() and self._syncing.get(name) is syncing:
                    del self._syncing[name]

    def _mark_unsound(self, name: str) -> None:
        if name in self._games.open:
            self._games.open[name].sound = False

    def _changes(self) -> list[_Change]:
        """Return the games that have changed. Runs in the playing thread."""
        changes = []
        for name in self._games.touched:
            game = self._games.open.get(name)
            if game is None:
                self._states.pop(name, None)
                continue
            questions = game.questions()
            state = game.revision, game.due, tuple(game.thinking_roles())
            if questions or self._states.get(name) != state:
                self._states[name] = state
                changes.append(_Change(name, game.due, game.header.seats, questions))
        self._games.touched.clear()
        return changes

    def _handle_change(self, change: _Change) -> None:
        """Notify watchers of a change, set its timer and query its models."""
        loop = asyncio.get_running_loop()
        for event in self._watchers.get(change.session, ()):
            event.set()
        timer = self._timers.pop(change.session, None)
        if timer is not None:
            timer.cancel()
        if change.due is not None:
            later = max(0.0, change.due - time.monotonic())
            self._timers[change.session] = loop.call_later(later, self._tick, change.session)
        for role, question in change.questions.items():
            self._start(self._query(change.session, change.kinds[role], role, question))

    def _tick(self, session: str) -> None:
        def advance(games: Games) -> None:
            if session in games.open:
                games.touched.add(session)
                games.open[session].advance()

        self._timers.pop(session, None)
        self._start(self.work(advance))

    def _start(self, work: Any) -> None:
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _query(self, session: str, model: str, role: str, question: Question) -> None:
        """Query a model and let it act on the reply."""
        loop = asyncio.get_running_loop()
        try:
            reply = await loop.run_in_executor(self._askers, self._query_model, model, question)
        except Exception:  # any error costs this game its partner, but no other game
            await asyncio.sleep(AGAIN)
            reply = None

        def answer(games: Games) -> None:
            game = games.open.get(session)
            if game is None:
                return
            games.touched.add(session)
            if reply is None:
                game.handle_failure(role)
            else:
                game.handle_reply(role, reply)

        await self.work(answer)

    def _query_model(self, model: str, question: Question) -> Reply:
        with self._opening:
            if model not in self._models:
                self._models[model] = self._open.enter_context(open_model(model))
        return self._models[model](question)


@dataclass(frozen=True, slots=True)
class _Done(Generic[T]):
    """A job's result, the games that changed, and their journals (see ``_take_unsynced``)."""

    result: T | None
    error: Exception | None
    changed: Sequence[_Change]
    journals: Mapping[str, JournalWriter | None]


@dataclass(frozen=True, slots=True)
class _Change:
    """The data of a changed game that the event loop needs."""

    session: str
    due: float | None
    kinds: Mapping[str, str]
    questions: Mapping[str, Question]
