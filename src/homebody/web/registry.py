"""All games of a server: created, found by token, stored in a folder and read back."""

from __future__ import annotations

import secrets
import time
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from homebody._version import __version__
from homebody.core import CORRECTED, HomebodyError, Suite, Transcript
from homebody.core.ground.journal import JournalWriter, repair
from homebody.suites import get_suite
from homebody.web import game_journal
from homebody.web.access import RefusedError, digest, new_token
from homebody.web.game_journal import SUFFIX, EndLine, Header, read_journal
from homebody.web.game_setup import NotBuiltError, Setup, begin, playing_of
from homebody.web.hosted_game import AWAY, HostedGame
from homebody.web.partners import PERSON
from homebody.web.recording import SESSION, forget, outputs_file, read_recorded, record

SESSIONS: Final = "sessions"
"""Subfolder of the journals."""
MAX_LABEL: Final = 200


@dataclass(frozen=True, slots=True)
class Limits:
    """Limits of a server.

    Attributes:
        games: Maximum number of open games.
        idle: Seconds without players after which a game is closed. It is read back from its journal
            when somebody returns; without a journal it is lost.
        over: Seconds after which a finished game is closed.
        absent: Seconds after which an absent player's part is over, if others are present.
    """

    games: int = 500
    idle: float = 3600.0
    over: float = 120.0
    absent: float = 300.0


@dataclass(frozen=True, slots=True)
class Place:
    """Game and role of a token."""

    session: str
    role: str


@dataclass(slots=True)
class Games:
    """The games of a server; used by one thread.

    Args:
        folder: Folder of journals and outputs; None stores nothing.
        served: Names of the suites that can be played.
        pace: World seconds that pass per second of thinking.
        limits: Limits of the server.

    Attributes:
        open: Games being played, by name.
        later: True if the caller syncs journals to disk before it notifies clients.
        touched: Names of games that may have changed since the caller cleared this set.
        put_away: Number of games closed since the caller cleared it.
        built: Houses that the caller has built, by suite and task. If None, a house is built when
            its game begins.
    """

    folder: Path | None
    served: tuple[str, ...]
    pace: float
    limits: Limits = field(default_factory=Limits)
    open: dict[str, HostedGame] = field(default_factory=dict)
    later: bool = False
    touched: set[str] = field(default_factory=set)
    put_away: int = 0
    built: Mapping[tuple[str, str | None], object] | None = None
    _places: dict[str, Place] = field(default_factory=dict)  # by digest of the token
    _writer: ThreadPoolExecutor = field(default_factory=lambda: ThreadPoolExecutor(1, "recording"))

    def suite(self, name: str) -> Suite[Any]:
        """Return a served suite; raise HomebodyError if it is not served."""
        if name not in self.served:
            known = ", ".join(self.served)
            raise HomebodyError(f"{name[:80]!r} cannot be played here", f"choose one of: {known}")
        return get_suite(name)

    def create(
        self, setup: Setup, label: str = "", tokens: Mapping[str, str] | None = None
    ) -> tuple[HostedGame, dict[str, str]]:
        """Create a game; return it and the tokens of its persons' roles.

        Args:
            setup: The task and the players.
            label: The creator's label.
            tokens: Secret tokens of the persons' roles; missing ones are generated.

        Raises:
            HomebodyError: The suite or task does not exist, or the setup is invalid.
            RefusedError: The server has too many games.
            NotBuiltError: The caller must build the house first.
        """
        self.tidy()
        if len(self.open) >= self.limits.games:
            raise RefusedError("this server has too many games", "try again later")
        suite = self.suite(setup.suite)
        self._check_built(setup.suite, setup.task)
        task, settings, session = begin(setup, suite)
        persons = [role for role, kind in setup.seats.items() if kind == PERSON]
        given = {role: (tokens or {}).get(role) or new_token() for role in persons}
        header = Header(
            session=secrets.token_hex(8),
            suite=setup.suite,
            task=suite.tasks.identify(task),
            task_version=session.transcript().version,
            settings=settings,
            seed=setup.seed,
            seats=dict(setup.seats),
            digests={role: digest(token) for role, token in given.items()},
            made=time.time(),
            homebody=__version__,
            label=label[:MAX_LABEL],
            chat=setup.chat,
            driver=setup.driver,
            partners_view=setup.partners_view,
            feedback=setup.feedback,
        )
        journal = game_journal.begin(self._path(header.session), header, self.later)
        game = HostedGame(suite, header, session, journal, self.pace, self._record_later)
        self._add(game)
        return game, given

    def has_token(self, token: str) -> bool:
        """Return whether a token belongs to a game. Any thread may call it."""
        return digest(token) in self._places

    def find(self, token: str) -> tuple[HostedGame, str] | None:
        """Return the game and role of a token, or None; may raise NotBuiltError."""
        place = self._places.get(digest(token))
        if place is None:
            return None
        game = self.open.get(place.session)
        if game is None or not game.sound:
            path = self._path(place.session)
            if path is None:
                return None
            game = self.open[place.session] = self._read(path)
        self.touched.add(place.session)
        return game, place.role

    def load(self) -> Iterator[HomebodyError]:
        """Register the games of the folder by their tokens. Yield an error for each unreadable
        journal.

        A game is replayed when somebody asks for it; finished games without an output at once.
        """
        if self.folder is None:
            return
        recorded: dict[Path, set[str]] = {}
        for path in sorted((self.folder / SESSIONS).glob(f"*{SUFFIX}")):
            try:
                repair(path)
                header, lines = read_journal(path)
                if header.suite not in self.served or header.session != path.stem:
                    continue
                self._place(header)
                file = outputs_file(self.folder, header)
                if file not in recorded:
                    recorded[file] = {str(entry.get(SESSION)) for entry in read_recorded(file)}
                if header.session not in recorded[file] and any(
                    isinstance(line, EndLine) for line in lines
                ):
                    self._record_later(self._read(path))
            except HomebodyError as error:
                yield error

    def forget(self, session: str) -> None:
        """Remove all stored data of a game, if there is any. Raise HomebodyError if that fails."""
        path = self._path(session)
        if path is None or not path.exists():
            return
        header, _ = read_journal(path)
        self.open.pop(session, None)
        self.touched.add(session)
        for token in header.digests.values():
            self._places.pop(token, None)
        self._writer.submit(forget, path.parent.parent, header).result()
        path.unlink(missing_ok=True)

    def close(self) -> None:
        """Wait until all outputs are stored."""
        self._writer.shutdown(wait=True)

    def _record_later(self, game: HostedGame) -> None:
        """Store the output of a finished game in another thread, or else at the next start."""
        if self.folder is not None:
            transcript = game.session.transcript().encode()
            self._writer.submit(record, self.folder, game.suite, game.header, transcript)

    def tidy(self) -> None:
        """Close games that nobody plays. If a player has left others alone, end the player's
        part."""
        now = time.monotonic()
        for name, game in list(self.open.items()):
            quiet = now - max(game.seen.values(), default=0.0)
            if quiet > (self.limits.idle if game.ending is None else self.limits.over):
                self._close_idle(name, game)
            elif quiet < min(AWAY, self.limits.absent):
                for role, seen in game.seen.items():
                    if now - seen > self.limits.absent:
                        self.touched.add(name)
                        game.leave(role)

    def _check_built(self, suite: str, task: str | None) -> None:
        if self.built is not None and (suite, task) not in self.built:
            raise NotBuiltError(suite, task)

    def _close_idle(self, name: str, game: HostedGame) -> None:
        del self.open[name]
        self.put_away += 1
        self.touched.add(name)
        if self.folder is None:
            for token in game.header.digests.values():
                del self._places[token]

    def _add(self, game: HostedGame) -> None:
        self.open[game.header.session] = game
        self.touched.add(game.header.session)
        self._place(game.header)

    def _place(self, header: Header) -> None:
        for role, token in header.digests.items():
            self._places[token] = Place(header.session, role)

    def _path(self, session: str) -> Path | None:
        return None if self.folder is None else self.folder / SESSIONS / f"{session}{SUFFIX}"

    def _read(self, path: Path) -> HostedGame:
        """Return a game, replayed from its journal."""
        header, lines = read_journal(path)
        suite = self.suite(header.suite)
        self._check_built(header.suite, header.task)
        task = suite.task(header.task)
        session = playing_of(suite).start(task, header.settings, header.seed, CORRECTED)
        written = Transcript(version=header.task_version)
        written.check_version(session.transcript().version)
        game = HostedGame(
            suite, header, session, JournalWriter(path, self.later), self.pace, self._record_later
        )
        game.replay(lines)
        game.advance()
        return game
