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
"""Seconds after which nothing goes on, and no model is asked, if no person was heard of."""
STUCK: Final = "nobody can do anything more"
MAX_FAILURES: Final = 3
"""Times in a row that a model could not be asked, after which its part is over."""
MAX_IDENTIFIER: Final = 64
"""Characters of what a client calls an action."""


def _is_success(score: Score) -> bool:
    return bool(score.record.get("success", score.metrics.get("success", 0) == 1))


class HostedGame:
    """A session that is being played, by people, policies and models.

    Args:
        suite: Of the task.
        header: What is played, and by whom.
        session: One that has just begun.
        journal: Where it is written down.
        pace: Seconds of the world that pass in one of those who think.
        over: Called with the game when it has come to its end.

    Attributes:
        revision: Grows whenever something happens; the same when it is read back.
        due: When :meth:`advance` has something to do, in seconds of ``time.monotonic``; None if
            somebody has to act first.
        seen: Role of a person -> when it was last heard of, likewise.
        awaited: The roles of persons who have not come yet.
        begun: When all had come, in seconds since 1970; None before that.
        journal: Where it is written down.
        sound: Whether all that has happened is there; if not, it has to be read back from there.
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
        self._telling = SeatView(header, session)
        self._asked: dict[str, float] = {}  # model -> since when
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

    # -- what is told --------------------------------------------------------------------------

    @property
    def ending(self) -> str | None:
        """Why it is over; None while it goes on."""
        return self.session.ending or self._ended or None

    def seat(self, role: str, here: bool = True) -> dict[str, Any]:
        """What a person who plays a role is told now. Who only looks has not come by that."""
        if here:
            self.join(role)
        return self._telling.seat(role, self._now())

    def find(self, role: str, words: Sequence[str]) -> Sequence[Mapping[str, str]]:
        """What a role can do that has some words in it, also what it is not told of."""
        return self._telling.find(role, words)

    def image(self, role: str, number: int) -> Image | None:
        """A picture of what a role sees now; None if there is none of that number."""
        return self._telling.image(role, number, self._now())

    def scene(self, role: str, of: str = "") -> dict[str, Any] | None:
        """What a role, or a partner whose view it may see, knows of a world with geometry; None of
        other worlds and other roles."""
        self.join(role)
        return self._telling.scene(role, of or role, self._now())

    def meshes(self, role: str, names: Sequence[str]) -> list[Callable[[], bytes]] | None:
        """What makes each of some meshes, in any thread; None if this role was not told of one."""
        return self._telling.meshes(role, names)

    def _now(self) -> Now:
        now = time.monotonic()
        thinking = {role: round(now - since, 1) for role, since in self._asked.items()}
        awaited = frozenset(self.awaited)
        return Now(self.revision, awaited, self.ending, thinking, self._chat.messages_json())

    def result(self) -> dict[str, Any]:
        """How it went, as far as persons are told. Raises Refused while it goes on."""
        if self.ending is None:
            raise RefusedError("it is not over yet", "go on, or do Done[] to end your part")
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
        """Whether the task is solved, as it is now."""
        return _is_success(self.session.score())

    # -- what happens --------------------------------------------------------------------------

    def join(self, role: str) -> None:
        """The person who plays a role is here; when all are, it begins."""
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
        self, role: str, said: ActionInput, identifier: str, revision: int | None = None
    ) -> dict[str, Any]:
        """Have a person do something. The same identifier again does nothing, and is told the same.

        Args:
            role: Of the person.
            said: What it does.
            identifier: What it calls this.
            revision: What it had been told when it decided, where that matters.

        Raises:
            HomebodyError: no action can be read in it; nothing has happened.
            Refused: the role cannot act now, or has decided by what is not so any more.
        """
        known = self._find_reply(role, identifier)
        if known is not None:
            return known
        self.join(role)
        if self.awaited:
            raise RefusedError("somebody has not come yet", "wait until all are here")
        if self.ending is not None:
            raise RefusedError("it is over", "see /api/v1/seat/result")
        if role not in self.session.ready():
            raise RefusedError("you cannot act now", "wait until you are ready")
        if revision is not None and revision != self.revision:
            raise RefusedError("something has happened meanwhile", "look again, and decide anew")
        call = write_call(self._resolve(role, said))
        with self._one_group():
            self._write(Act(self._at, role, call[:MAX_SAID], identifier))
            event = self._take(role, call)
            self._advance()
            self._keep_reply(role, identifier, event)
        return self._replies[role, identifier]

    def write(self, role: str, text: str, identifier: str) -> dict[str, Any]:
        """Have a person write to the others; as :meth:`act`, it is told the same again.

        Raises:
            HomebodyError: it is empty or too long.
            Refused: nobody writes in this game, or it has been too much.
        """
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
        """What was told of the same before. Raises HomebodyError if it is no identifier."""
        if not 0 < len(identifier) <= MAX_IDENTIFIER:
            raise HomebodyError(f"an id has 1 to {MAX_IDENTIFIER} characters")
        return self._replies.get((role, identifier))

    def _resolve(self, role: str, said: ActionInput) -> Action:
        """The action that is meant; a number is the place of an option among those that are told.
        Raises HomebodyError if none is."""
        observation = self.session.observe(role)
        if isinstance(said, int):
            options = listed_options(observation.options)
            if not 0 <= said < len(options):
                raise HomebodyError(
                    f"there is no option {said}"[:60], f"the last is {len(options) - 1}"
                )
            return options[said]
        return read_action(observation, said)

    def leave(self, role: str) -> None:
        """Have the part of a person be over who has gone, if it can act now."""
        if role in self.awaited:
            self.join(role)
        if self.ending is None and not self.awaited and role in self.session.ready():
            self.act(role, write_call(DONE), f"left {self.revision}")

    def stop(self, why: str) -> None:
        """Have it be over, whatever is still to be done: the reason is a sentence for people."""
        if self.ending is None:
            with self._one_group():
                self.due = None
                session = self.session  # what was begun comes to its end, as when it is scored
                while any(session.busy(role) for role in session.roles) and self._pass_time():
                    pass
                self._end(self.ending or why[:MAX_SAID])

    def advance(self) -> None:
        """Have all happen that is due: policies act, time passes."""
        if self.ending is None:
            with self._one_group():
                self._advance()

    def questions(self) -> dict[str, Question]:
        """Role -> what its model is to be asked, of those that are ready and not asked yet; then
        each is to be :meth:`answered <handle_reply>` or :meth:`failed <handle_failure>`."""
        asked = {}
        going_on = self.ending is None and not self.awaited and not self._is_deserted()
        for role in self.session.ready() if going_on else ():
            if role in self._players and role not in self._asked:
                asked[role] = self._players[role].question()
                self._asked[role] = time.monotonic()
        return asked

    def thinking_roles(self) -> Iterable[str]:
        """The roles whose models are being asked."""
        return self._asked.keys()

    def handle_reply(self, role: str, reply: Reply) -> None:
        """Have a model do what it answers."""
        seconds = time.monotonic() - self._asked.pop(role)
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
        """A model could not be asked. After some times its part is over."""
        del self._asked[role]
        self._failures[role] = self._failures.get(role, 0) + 1
        if self._failures[role] >= MAX_FAILURES and role in self.session.ready():
            with self._one_group():
                self.session.act(role, DONE)
                self._note_entries()
                self._advance()

    def replay(self, lines: Iterable[Line]) -> None:
        """Have all happen again that is in its journal, in a game that has just begun.

        Raises:
            HomebodyError: it cannot have happened so in this version.
        """
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

    # -- inside --------------------------------------------------------------------------------

    @contextmanager
    def _one_group(self) -> Iterator[None]:
        """A group of lines, which are on disk when the block is left. If they cannot be, the game
        must not go on: it is read anew from what is."""
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
        """Write down what policies and models have done since; return how many actions."""
        entries = self.session.transcript().entries[self._written :]
        for entry in entries:
            self._write(Own(self._at, entry.role, entry.call, entry.cycle, entry.planner))
        self._written += len(entries)
        return len(entries)

    def _take(self, role: str, said: str) -> Event | None:
        event = take(self.session, role, said)
        self._written = len(self.session.transcript().entries)
        self._pacing.note_action()
        return event

    def _keep_reply(self, role: str, identifier: str, event: Event | None) -> None:
        """Keep what a person who has acted is told: the end of it too, if it is over by now."""
        if event is None:
            news = self.session.observe(role).news
            event = next((one for one in news if one.role == role), None)
        told = None if event is None else event_json(event)
        self._replies[role, identifier] = {"revision": self.revision, "event": told}

    def _apply_reply(self, role: str, reply: Reply) -> None:
        self._players[role].answer(reply)
        self._written = len(self.session.transcript().entries)
        self._pacing.note_action()

    def _advance(self) -> None:
        """As the rule of time has it."""
        session = self.session
        self.due = None
        if self.seen and self._is_deserted():
            return
        while self.ending is None and not self.awaited:
            ready = self._others_act()
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
        """Whether nobody is there to see what happens."""
        return max(self.seen.values(), default=0.0) < time.monotonic() - AWAY

    def _pass_time(self) -> bool:
        before = self.session.clock
        events = self._rounds.pass_time()
        steps = self.session.clock - before
        goes_on = bool(events) or steps > 0
        if goes_on:
            self._write(TimeLine(self._at, self.session.clock))
        self._pacing.note_passed_time(steps / self.session.rate if self.session.rate else 0.0)
        return goes_on

    def _others_act(self) -> tuple[str, ...]:
        """Have policies act, and models go on with what they had decided; return who is ready
        then and has to be waited for."""
        waiting = self._rounds.act()
        if self._note_entries():
            self._pacing.note_action()
        for role in waiting:
            if role in self._players and role not in self._asked and role in self.session.ready():
                self._players[role].resume()
                self._note_entries()
        ready = self.session.ready()
        return tuple(role for role in ready if role not in self._policies)

    def _replay_line(self, line: Line) -> Event | None:
        """Have a line of a journal happen again; return how a person's action ended at once."""
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
                    self.revision -= 1  # which that has counted
                    if session.clock != line.clock:
                        raise HomebodyError(f"the clock is {session.clock}, not {line.clock}")
        except (NotReadyError, KeyError) as error:
            raise HomebodyError(f"{self.header.session} goes otherwise now: {error}") from error
        return None

    def _replay_own(self, line: Own) -> None:
        """What a policy or a model did: each is asked too, so that it knows where it is, but what
        it did then is what counts."""
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
