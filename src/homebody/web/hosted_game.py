"""Games: sessions with a player for each role, independent of the network.

A game changes when a person acts (:meth:`HostedGame.act`), a model replies
(:meth:`~HostedGame.handle_reply`) or time passes (:meth:`~HostedGame.advance`). Each change is one
group of journal lines, which is on disk before the method returns. One thread plays all games of a
process. A game starts when all persons have joined; then time passes as :mod:`.pacing` says.
"""

from __future__ import annotations

import itertools
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, Final

from homebody.core import (
    Action,
    Event,
    HomebodyError,
    Playing,
    Question,
    Reply,
    Score,
    Session,
    Suite,
    ToolCall,
)
from homebody.core.ground.journal import JournalWriter
from homebody.core.play.conversation import Image, Player
from homebody.core.play.rounds import Rounds
from homebody.core.play.session import DONE, ActionInput, NotReadyError, read_action, take
from homebody.core.play.transcript import MAX_CALL, read_call, write_call
from homebody.web.access import RefusedError
from homebody.web.chat import Chat
from homebody.web.game_journal import (
    MAX_SAID,
    Act,
    Answer,
    ChatLine,
    EndLine,
    Header,
    JoinLine,
    Line,
    Own,
    TimeLine,
    encode,
)
from homebody.web.observation_json import event_json, listed_options
from homebody.web.pacing import PACE, Pacing
from homebody.web.partners import PERSON, is_model, make_player, make_policies, trim_reply
from homebody.web.seat_view import Now, SeatView

AWAY: Final = 60.0
"""Seconds without any person after which the game pauses and no model is queried."""
STUCK: Final = "nobody can do anything more"
MAX_FAILURES: Final = 3
"""Consecutive failed queries of a model after which its part is over."""
MAX_IDENTIFIER: Final = 64
"""Maximum characters of a client's identifier of an action."""


def _is_success(score: Score) -> bool:
    return bool(score.record.get("success", score.metrics.get("success", 0) == 1))


class HostedGame:
    """A session played by people, policies and models.

    Args:
        suite: Suite of the task.
        header: The task and the players.
        session: A new session.
        journal: Its journal.
        pace: World seconds that pass per second of thinking.
        over: Called with the game when it ends.

    Attributes:
        revision: Counter that grows whenever something happens; the same after a replay.
        due: Time of ``time.monotonic`` at which to call :meth:`advance`; None while somebody has to
            act first.
        seen: Role of a person -> when it was last active, in the same clock.
        awaited: Roles of persons who have not joined yet.
        begun: When all had joined, in seconds since 1970; None before that.
        journal: Its journal.
        sound: True if the journal is complete. If not, the game must be read again from the
            journal.
    """

    def __init__(
        self,
        suite: Suite[Any],
        header: Header,
        session: Session,
        journal: JournalWriter,
        pace: float = PACE,
        over: Callable[[HostedGame], object] = lambda game: None,
    ) -> None:
        playing = suite.playing
        assert playing is not None
        self.suite, self.header, self.session = suite, header, session
        self.playing: Playing[Any] = playing
        self.revision = 0
        self.due: float | None = None
        self.sound = True
        self.journal = journal
        self._over = over
        self._lines: list[Line] = []
        self._at = 0.0
        self._written = 0  # entries of the transcript
        self._replies: dict[tuple[str, str], dict[str, Any]] = {}
        self._pacing = Pacing(pace)
        self._chat = Chat(header.chat and len(header.digests) > 1)
        self._ended = ""
        self._view = SeatView(header, session)
        self._queried: dict[str, float] = {}  # role -> when its model was queried
        self._failures: dict[str, int] = {}
        kinds = header.seats
        self._policies = make_policies(playing, session, kinds, header.seed, header.task)
        self._players: dict[str, Player] = {
            role: make_player(playing, session, role, header.driver)
            for role, kind in kinds.items()
            if is_model(kind)
        }
        self.seen = dict.fromkeys(header.digests, time.monotonic())
        self.awaited = {role for role, kind in kinds.items() if kind == PERSON}
        self.begun = None if self.awaited else header.made
        self._rounds = Rounds(session, self._policies)

    # -- observations ------------------------------------------------------------------------

    @property
    def ending(self) -> str | None:
        """The reason why the game is over; None while it runs."""
        return self.session.ending or self._ended or None

    def seat(self, role: str, here: bool = True) -> dict[str, Any]:
        """Return the observation of a person's role now. With ``here=False``, the person does not
        join the game."""
        if here:
            self.join(role)
        return self._view.seat(role, self._now())

    def find(self, role: str, words: Sequence[str]) -> Sequence[Mapping[str, str]]:
        """Return the options of a role that contain all words, also unlisted ones."""
        return self._view.find(role, words)

    def image(self, role: str, number: int) -> Image | None:
        """Return a picture of a role's view now; None if there is no such picture."""
        return self._view.image(role, number, self._now())

    def scene(self, role: str, of: str = "") -> dict[str, Any] | None:
        """Return the 3D knowledge of a role, or of a partner whose knowledge it may see. None in
        worlds without geometry."""
        self.join(role)
        return self._view.scene(role, of or role, self._now())

    def meshes(self, role: str, names: Sequence[str]) -> list[Callable[[], bytes]] | None:
        """For each mesh, return a function that makes it in any thread; None if the role may not
        see the mesh."""
        return self._view.meshes(role, names)

    def _now(self) -> Now:
        now = time.monotonic()
        thinking = {role: round(now - since, 1) for role, since in self._queried.items()}
        awaited = frozenset(self.awaited)
        return Now(self.revision, awaited, self.ending, thinking, self._chat.messages_json())

    def result(self) -> dict[str, Any]:
        """Return the part of the result that persons may see. Raise RefusedError before the end."""
        if self.ending is None:
            raise RefusedError("the game is not over", "continue, or do Done[] to end your part")
        transcript = self.session.transcript().encode()
        feedback = self.header.feedback
        if feedback != "all":
            success = self.is_solved() if feedback == "solved" else None
            return {"success": success, "score": {}, "explanation": [], "transcript": transcript}
        score = self.session.score()
        explanation = score.record.get("explanation", "")
        return {
            "success": _is_success(score),
            "score": dict(score.metrics),
            "explanation": [line for line in str(explanation).splitlines() if line.strip()],
            "transcript": transcript,
        }

    def is_solved(self) -> bool:
        """Return whether the task is solved now."""
        return _is_success(self.session.score())

    # -- changes ------------------------------------------------------------------------------

    def join(self, role: str) -> None:
        """Note that the person of a role is here; the game begins when all are."""
        away = self._is_deserted()
        self.seen[role] = time.monotonic()
        if role in self.awaited:
            with self._one_group():
                self._write(JoinLine(self._at, role))
                self._add_person(role)
                self._advance()
        elif away:
            self.advance()

    def _add_person(self, role: str) -> None:
        self.awaited.discard(role)
        if not self.awaited:
            self.begun = self._at

    def act(
        self, role: str, action_input: ActionInput, identifier: str, revision: int | None = None
    ) -> dict[str, Any]:
        """Let a person act. A repeated identifier does nothing and returns the same reply.

        Args:
            role: Role of the person.
            action_input: The action, as the client wrote it.
            identifier: The client's name of this action.
            revision: The revision on which the decision was based, if that matters.

        Raises:
            HomebodyError: No action can be read; nothing has happened.
            RefusedError: The role cannot act now, or the revision is out of date.
        """
        known = self._find_reply(role, identifier)
        if known is not None:
            return known
        self.join(role)
        if self.awaited:
            raise RefusedError("not everybody has joined yet", "wait until all have")
        if self.ending is not None:
            raise RefusedError("the game is over", "see /api/v1/seat/result")
        if role not in self.session.ready():
            raise RefusedError("you cannot act now", "wait until you are ready")
        if revision is not None and revision != self.revision:
            raise RefusedError("something has happened since", "observe again, then decide")
        call = write_call(self._resolve(role, action_input))
        with self._one_group():
            self._write(Act(self._at, role, call[:MAX_SAID], identifier))
            event = self._take(role, call)
            self._advance()
            self._keep_reply(role, identifier, event)
        return self._replies[role, identifier]

    def write(self, role: str, text: str, identifier: str) -> dict[str, Any]:
        """Let a person write to the others. Repetitions and errors are handled as in
        :meth:`act`."""
        known = self._find_reply(role, identifier)
        if known is not None:
            return known
        text = self._chat.check(text)
        self.join(role)
        with self._one_group():
            message = ChatLine(self._at, role, text, identifier)
            self._write(message)
            self._add_message(message)
        return self._replies[role, identifier]

    def _add_message(self, message: ChatLine) -> None:
        self._chat.messages.append(message)
        self._replies[message.role, message.identifier] = {"revision": self.revision}

    def _find_reply(self, role: str, identifier: str) -> dict[str, Any] | None:
        """Return the earlier reply to an identifier; raise HomebodyError if it is invalid."""
        if not 0 < len(identifier) <= MAX_IDENTIFIER:
            raise HomebodyError(f"an id has 1 to {MAX_IDENTIFIER} characters")
        return self._replies.get((role, identifier))

    def _resolve(self, role: str, action_input: ActionInput) -> Action:
        """Return the intended action; a number is an index into the listed options."""
        observation = self.session.observe(role)
        if isinstance(action_input, int):
            options = listed_options(observation.options)
            if not 0 <= action_input < len(options):
                raise HomebodyError(
                    f"there is no option {action_input}"[:60], f"the last is {len(options) - 1}"
                )
            return options[action_input]
        return read_action(observation, action_input)

    def leave(self, role: str) -> None:
        """End the part of a person who has left, if the role can act now."""
        if role in self.awaited:
            self.join(role)
        if self.ending is None and not self.awaited and role in self.session.ready():
            self.act(role, write_call(DONE), f"left {self.revision}")

    def stop(self, why: str) -> None:
        """End the game at once; the reason is a sentence for people."""
        if self.ending is None:
            with self._one_group():
                self.due = None
                session = self.session  # actions in progress finish, as in scoring
                while any(session.busy(role) for role in session.roles) and self._pass_time():
                    pass
                self._end(self.ending or why[:MAX_SAID])

    def advance(self) -> None:
        """Do everything that is due: policies act, time passes."""
        if self.ending is None:
            with self._one_group():
                self._advance()

    def questions(self) -> dict[str, Question]:
        """Return the queries for models that are ready and not queried yet, by role.

        Each must be answered by :meth:`handle_reply` or :meth:`handle_failure`.
        """
        queries = {}
        is_running = self.ending is None and not self.awaited and not self._is_deserted()
        for role in self.session.ready() if is_running else ():
            if role in self._players and role not in self._queried:
                queries[role] = self._players[role].question()
                self._queried[role] = time.monotonic()
        return queries

    def thinking_roles(self) -> Iterable[str]:
        """Return the roles with a pending query to their model."""
        return self._queried.keys()

    def handle_reply(self, role: str, reply: Reply) -> None:
        """Let a model act on its reply."""
        seconds = time.monotonic() - self._queried.pop(role)
        self._failures[role] = 0
        if self.ending is not None:
            return
        with self._one_group():
            reply = trim_reply(reply)
            calls = tuple((call.name, dict(call.arguments), call.id) for call in reply.calls)
            written = self._at, role, round(seconds, 3), reply.text, reply.stop_reason, calls
            self._write(Answer(*written))
            self._apply_reply(role, reply)
            self._advance()

    def handle_failure(self, role: str) -> None:
        """Note a failed query; after :data:`MAX_FAILURES` the model's part is over."""
        del self._queried[role]
        self._failures[role] = self._failures.get(role, 0) + 1
        if self._failures[role] >= MAX_FAILURES and role in self.session.ready():
            with self._one_group():
                self.session.act(role, DONE)
                self._note_entries()
                self._advance()

    def replay(self, lines: Iterable[Line]) -> None:
        """Repeat a journal in a new game; raise HomebodyError if that is not possible."""
        journal, self.journal = self.journal, JournalWriter(None)
        for at, group in itertools.groupby(lines, lambda line: line.at):
            self._at = at
            acts = [(line, self._replay_line(line)) for line in group]
            for line, event in acts:
                if isinstance(line, Act):
                    self._keep_reply(line.role, line.identifier, event)
            self._lines.clear()
        self.journal = journal
        self._pacing.reset()

    # -- private -------------------------------------------------------------------------------

    @contextmanager
    def _one_group(self) -> Iterator[None]:
        """Collect a group of journal lines and write it. After an error, the game must be read
        again from the journal."""
        self.sound = False
        self._at = max(time.time(), self._at + 1e-6)
        yield
        lines, self._lines = self._lines, []
        self.journal.add(encode(lines))
        self.sound = True
        if any(isinstance(line, EndLine) for line in lines):
            self._over(self)

    def _write(self, line: Line) -> None:
        self._lines.append(line)
        self.revision += 1

    def _note_entries(self) -> int:
        """Write down new actions of policies and models; return their number."""
        entries = self.session.transcript().entries[self._written :]
        for entry in entries:
            self._write(Own(self._at, entry.role, entry.call, entry.cycle, entry.planner))
        self._written += len(entries)
        return len(entries)

    def _take(self, role: str, call: str) -> Event | None:
        event = take(self.session, role, call)
        self._written = len(self.session.transcript().entries)
        self._pacing.note_action()
        return event

    def _keep_reply(self, role: str, identifier: str, event: Event | None) -> None:
        """Keep the reply to a person's action, with the event if the action is over."""
        if event is None:
            news = self.session.observe(role).news
            event = next((each for each in news if each.role == role), None)
        reply = None if event is None else event_json(event)
        self._replies[role, identifier] = {"revision": self.revision, "event": reply}

    def _apply_reply(self, role: str, reply: Reply) -> None:
        self._players[role].answer(reply)
        self._written = len(self.session.transcript().entries)
        self._pacing.note_action()

    def _advance(self) -> None:
        """Let policies act and time pass until a person or a model has to act."""
        session = self.session
        self.due = None
        if self.seen and self._is_deserted():
            return
        while self.ending is None and not self.awaited:
            ready = self._let_others_act()
            busy = any(session.busy(role) is not None for role in session.roles)
            self.due = None
            if ready and not busy:
                return
            if ready:
                self.due = self._pacing.due
                if time.monotonic() < self.due:
                    return
            self._pass_time()
            if self._rounds.is_stuck:
                self._end(STUCK)
        self.due = None
        if self.ending is not None and not self._ended:
            self._end(self.ending)

    def _end(self, why: str) -> None:
        self._ended = why
        self._write(EndLine(self._at, why))

    def _is_deserted(self) -> bool:
        """Return whether no person has been active for :data:`AWAY` seconds."""
        return max(self.seen.values(), default=0.0) < time.monotonic() - AWAY

    def _pass_time(self) -> bool:
        before = self.session.clock
        events = self._rounds.pass_time()
        steps = self.session.clock - before
        has_passed = bool(events) or steps > 0
        if has_passed:
            self._write(TimeLine(self._at, self.session.clock))
        self._pacing.note_passed_time(steps / self.session.rate if self.session.rate else 0.0)
        return has_passed

    def _let_others_act(self) -> tuple[str, ...]:
        """Let policies act and models continue; return the ready roles to wait for."""
        waiting = self._rounds.act()
        if self._note_entries():
            self._pacing.note_action()
        for role in waiting:
            if role in self._players and role not in self._queried and role in self.session.ready():
                self._players[role].resume()
                self._note_entries()
        ready = self.session.ready()
        return tuple(role for role in ready if role not in self._policies)

    def _replay_line(self, line: Line) -> Event | None:
        """Repeat a line of a journal. If it is a person's action that ends at once, return its
        event."""
        session = self.session
        self.revision += 1
        try:
            match line:
                case Act():
                    return self._take(line.role, line.said)
                case Answer():
                    player = self._players[line.role]
                    player.resume()
                    player.question()
                    calls = tuple(ToolCall(*call) for call in line.calls)
                    self._apply_reply(line.role, Reply(line.text, calls, line.stop_reason))  # type: ignore[arg-type]
                case Own():
                    self._replay_own(line)
                case ChatLine():
                    self._add_message(line)
                case EndLine():
                    self._ended = line.why
                case JoinLine():
                    self._add_person(line.role)
                case TimeLine():
                    self._pass_time()
                    self.revision -= 1  # _pass_time counted it already
                    if session.clock != line.clock:
                        raise HomebodyError(f"the clock is {session.clock}, not {line.clock}")
        except (NotReadyError, KeyError) as error:
            raise HomebodyError(f"{self.header.session} cannot be replayed: {error}") from error
        return None

    def _replay_own(self, line: Own) -> None:
        """Repeat an action of a policy or model. The policy or model is queried as well, to update
        its state."""
        session, role = self.session, line.role
        if role in self._policies:
            self._policies[role](session, role)
        elif role in self._players:
            self._players[role].resume()
        if len(session.transcript().entries) == self._written:
            action = read_call(line.call[:MAX_CALL])
            if action is None:
                session.note(role, line.call, line.cycle, line.planner)
            else:
                session.act(role, action, line.cycle, line.planner)
        self._written = len(session.transcript().entries)
