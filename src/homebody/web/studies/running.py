"""A running study: gives each participant its next step and creates the games."""

from __future__ import annotations

import hashlib
import hmac
import math
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

import msgspec

from homebody.core import HomebodyError
from homebody.web.access import RefusedError, digest
from homebody.web.hosted_game import HostedGame
from homebody.web.registry import Games
from homebody.web.studies.assignment import PlayingGroup, assign
from homebody.web.studies.participants import (
    MARK,
    Alone,
    Answers,
    Consent,
    Mark,
    Participant,
    Read,
    Try,
    check_answers,
    now,
    questions_of,
    read_mark,
)
from homebody.web.studies.study import Study

PARTICIPANTS: Final = "participants"
"""Subfolder of the participants' files."""
TIME_IS_UP: Final = "the time for this try is over"
NOBODY_CAME: Final = "Nobody came to play the last task with you, so you continue without it."
PARTNER_MARKED: Final = (
    "Somebody reported a problem with the last task, so you continue without it."
)
MARKED: Final = "a participant has reported a problem with this task"
AWAY: Final = 30.0
"""Seconds without activity after which a participant does not count as waiting."""
CODE: Final = 10
"""Characters of a completion code."""


def participant_file(folder: Path, number: int) -> Path:
    """Return the file of a participant."""
    return folder / PARTICIPANTS / f"{number}.jsonl"


def derive_token(secret: str, what: str) -> str:
    """Return a string that nobody can guess without the secret."""
    return hmac.new(secret.encode(), what.encode(), hashlib.sha256).hexdigest()


def seat_token(secret: str, number: int, item: int, count: int) -> str:
    """Return the token of a participant's role in an attempt at one of its tasks."""
    return derive_token(secret, f"seat {number} {item} {count}")[:40]


class RunningStudy:
    """A running study; used by the playing thread.

    Args:
        study: The study.
        games: Creates the games.
        folder: Folder in which everything is stored.
        secret: Secret from which tokens and codes are derived; the same secret gives the same ones.
    """

    def __init__(self, study: Study, games: Games, folder: Path, secret: str) -> None:
        self.study = study
        self._games, self._folder, self._secret = games, folder, secret
        self.groups = assign(study)
        self._group = {member: group for group in self.groups for member in group.members}
        self._numbers = {digest(self.token(number)): number for number in self._group}
        self._participants: dict[int, Participant] = {}
        self._heard: dict[int, float] = {}  # when each was last active
        self._waiting: dict[tuple[int, int], float] = {}  # (participant, task) -> since when

    def token(self, number: int) -> str:
        """Return the token of a participant."""
        return derive_token(self._secret, f"participant {number}")[:40]

    def code(self, number: int) -> str:
        """Return a participant's completion code."""
        return derive_token(self._secret, f"completed {number}")[:CODE].upper()

    def number(self, token: str) -> int | None:
        """Return the participant of a token, or None."""
        return self._numbers.get(digest(token))

    def step(self, number: int) -> dict[str, Any]:
        """Return a participant's current step."""
        study, participant = self.study, self._participant(number)
        self._note_presence(number)
        step, note = participant.step(), ""
        if step.startswith("play "):
            played = self._play(number, int(step.split()[1]))
            if played is not None:
                return {"step": step, "title": study.title, **played}
            note = self._note_on_skipping(number, int(step.split()[1]))
            step = participant.step()  # the try was over
            if step.startswith("play "):
                later = self.step(number)
                return {**later, "note": note or later.get("note", "")}
        texts = {"consent": study.consent, "instructions": study.instructions}
        reply: dict[str, Any] = {"step": step, "title": study.title, "note": note}
        if step in texts:
            reply["text"] = texts[step]
        elif step == "done":
            reply |= {"text": study.goodbye, "code": self.code(number)}
        else:
            reply["questions"] = [msgspec.to_builtins(q) for q in questions_of(study, step)]
        return reply

    def finish_step(self, number: int, step: str, answers: Mapping[str, Any]) -> None:
        """Finish a step other than playing. Repeating it does nothing.

        Raises HomebodyError for a bad answer, RefusedError if this is not the current step.
        """
        participant = self._participant(number)
        if step != participant.step():
            done = {line.step for line in participant.lines if isinstance(line, Answers)}
            kind, _, item = step.partition(" ")
            marked = kind in ("play", "mark") and item.isdigit() and participant.mark(int(item))
            if step in done or marked or step in ("consent", "instructions"):
                return
            raise RefusedError("this is not the current step", "reload the page")
        if step == "consent":
            participant.add(Consent(now()))
        elif step == "instructions":
            participant.add(Read(now()))
        elif step.startswith("mark "):
            participant.add(Mark(now(), int(step.split()[1]), read_mark(answers)))
        elif step.startswith("play ") and MARK.name in answers:
            self._mark(number, int(step.split()[1]), answers)
        elif questions := questions_of(self.study, step):
            participant.add(Answers(now(), step, check_answers(questions, answers)))
        else:
            raise RefusedError("this step ends when the game does", "continue to play")

    # -- private -------------------------------------------------------------------------------

    def _participant(self, number: int) -> Participant:
        if number not in self._participants:
            path, items = participant_file(self._folder, number), self._group[number].items
            self._participants[number] = Participant(self.study, path, len(items))
        return self._participants[number]

    def _mark(self, number: int, at: int, answers: Mapping[str, Any]) -> None:
        """Store a mark of the task that a participant plays, and end its game."""
        mark = read_mark(answers)
        playing = self._play(number, at)
        game = self._games.find(playing["seat"]) if playing and "seat" in playing else None
        if mark == "fine" or not self._can_mark(at) or game is None:
            raise RefusedError("this task cannot be marked now", "continue to play")
        game[0].stop(MARKED)
        self._play(number, at)  # stores the attempt
        self._participant(number).add(Mark(now(), at, mark))

    def _can_mark(self, at: int) -> bool:
        return self.study.mark_tasks and at >= len(self.study.practice)

    def _note_on_skipping(self, number: int, at: int) -> str:
        """Return the reason why a participant continues without a task; empty if it does not."""
        if not self._participant(number).has_skipped(at):
            return ""
        return PARTNER_MARKED if self._is_marked(self._group[number], at) else NOBODY_CAME

    def _is_marked(self, group: PlayingGroup, at: int) -> bool:
        return any(self._participant(member).mark(at) for member in group.members)

    def _play(self, number: int, at: int) -> dict[str, Any] | None:
        """Return the game of a participant. If the game is over, store the attempt and return
        None."""
        group = self._group[number]
        item, count = group.items[at], len(self._participant(number).tries(at)) + 1
        role = group.role(number, item)
        practice = len(self.study.practice)
        fields = {"task": at + 1 - practice, "tasks": len(group.items) - practice}
        fields |= {"practice": item.practice, "try": count, "tries": self.study.tries}
        fields["marks"] = self._can_mark(at)
        tokens = {
            group.role(member, item): seat_token(self._secret, member, at, count)
            for member in group.members
        }
        if not self._games.has_token(tokens[role]):
            if not self._is_group_present(group, at, count):
                if self._has_waited(number, group, at):
                    self._participant(number).add(Alone(now(), at))
                    return None
                return {**fields, "waiting": True}
            for member in group.members:
                self._waiting.pop((member, at), None)
            self._games.create(
                self.study.setup(item.condition, item.task, self.study.seed + at),
                label=f"{group.number} {at} {count} {item.condition.name}",
                tokens=tokens,
            )
        found = self._games.find(tokens[role])
        if found is None:
            raise HomebodyError("the game does not exist any more")
        game = found[0]
        left = self._time_left(game)
        if game.ending is None:
            return {**fields, "seat": tokens[role], "seconds_left": left}
        success = game.is_solved()
        self._participant(number).add(Try(now(), at, count, game.header.session, role, success))
        return None

    def _is_group_present(self, group: PlayingGroup, at: int, count: int) -> bool:
        """Return whether all members of a group have come to an attempt and are active."""
        clock = time.monotonic()
        members = [self._participant(member) for member in group.members]
        return all(
            member.step() == f"play {at}" and len(member.tries(at)) + 1 == count
            for member in members
        ) and all(clock - self._heard.get(member, -math.inf) < AWAY for member in group.members)

    def _has_waited(self, number: int, group: PlayingGroup, at: int) -> bool:
        """Return whether a participant stops waiting: the time limit is reached, or the group has
        stopped waiting or marked the task."""
        skipped = any(self._participant(member).has_skipped(at) for member in group.members)
        if skipped or self._is_marked(group, at):
            return True
        since = self._waiting.setdefault((number, at), time.monotonic())
        limit = self.study.wait_limit
        return bool(limit) and time.monotonic() - since >= limit

    def _note_presence(self, number: int) -> None:
        """Note that a participant is active; after an absence its waiting starts anew."""
        clock = time.monotonic()
        if clock - self._heard.get(number, clock) > AWAY:
            for waiting in [key for key in self._waiting if key[0] == number]:
                del self._waiting[waiting]
        self._heard[number] = clock

    def _time_left(self, game: HostedGame) -> float | None:
        """Return the remaining seconds. At zero, stop the game."""
        if not self.study.time_limit or game.ending is not None:
            return None
        left = (game.begun or time.time()) + self.study.time_limit - time.time()
        if left <= 0:
            game.stop(TIME_IS_UP)
        return max(0.0, round(left, 1))
