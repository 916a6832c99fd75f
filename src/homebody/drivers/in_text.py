"""A model that says in a text what it does."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from homebody.core import (
    DONE,
    WAIT,
    Action,
    HomebodyError,
    Message,
    Observation,
    Question,
    Reply,
    Session,
)
from homebody.core.play.conversation import transcript_text
from homebody.drivers import prompt_texts as words
from homebody.drivers.model_rounds import MAX_MISTAKES, Wait


@dataclass(frozen=True, slots=True)
class Form:
    """How answers are asked for and read.

    Attributes:
        rules: Observation -> what an answer has to be, told first.
        offered: Observation -> the actions to choose from; none if any will do.
        ask: Those actions -> how each question ends.
        read: Answer and those actions -> what it says. Raises HomebodyError, with what to say
            instead.
    """

    rules: Callable[[Observation], str]
    offered: Callable[[Observation], Sequence[Action]]
    ask: Callable[[Sequence[Action]], str]
    read: Callable[[str, Sequence[Action]], Action]


@dataclass(slots=True)
class _Turn:
    """An answer, and what was told of it."""

    said: str
    told: str = ""


class TextPlayer:
    """A model that plays a role by answering in texts.

    Before each answer it is told what came of the last one, what it saw others do, and what it
    knows. Earlier answers and what came of them are shown again. An answer in which no action can
    be read is noted, and asked for again with the reason.
    """

    def __init__(self, session: Session, role: str, form: Form) -> None:
        self._session = session
        self._role = role
        self._form = form
        self._cycle = 0
        self._wait = Wait()
        self._turns: list[_Turn] = []
        self._mistakes: list[str] = []  # in a row
        self._offered: Sequence[Action] = ()

    def resume(self) -> bool:
        """Go on waiting, in the same planning cycle."""
        if not self._wait.goes_on(self._session.observe(self._role).news, self._role):
            return False
        self._session.act(self._role, WAIT, self._cycle, self._role)
        return True

    def question(self) -> Question:
        """The conversation so far."""
        observation = self._session.observe(self._role)
        self._offered = self._form.offered(observation)
        if self._turns:
            news = words.news(observation.news, self._role)
            self._turns[-1].told = self._mistakes[-1] if self._mistakes else news
        system = f"{words.who_is_who(self._session, self._role)}\n\n{self._form.rules(observation)}"
        messages = [Message("system", system), Message("user", words.task(observation))]
        for turn in self._turns:
            messages += [Message("assistant", turn.said), Message("user", turn.told)]
        end = f"{words.now(observation)}\n\n{self._form.ask(self._offered)}"
        text = f"{messages[-1].text}\n\n{end}".lstrip()
        messages[-1] = Message("user", text, images=words.shown(observation))
        return Question(self._role, tuple(messages))

    def answer(self, reply: Reply) -> None:
        """Have the role do what the model says."""
        session, role = self._session, self._role
        if role not in session.ready():  # it has ended while the model was asked
            return
        self._cycle += 1
        text = words.before_results(reply.text)
        self._turns.append(_Turn(words.clipped(text, words.MAX_ANSWER)))
        try:
            action = self._form.read(text, self._offered)
        except HomebodyError as error:
            self._mistakes.append(words.not_understood(error))
            session.note(role, transcript_text(text, reply.stop_reason), self._cycle, role)
            if len(self._mistakes) >= MAX_MISTAKES and role in session.ready():
                session.act(role, DONE)
            return
        self._mistakes.clear()
        if session.act(role, action, self._cycle, role) is None and action == WAIT:
            self._wait.begin()
