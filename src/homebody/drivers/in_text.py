"""A model that writes its actions as text."""

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
from homebody.core.play.conversation import check_complete, transcript_text
from homebody.drivers import prompt_texts as words
from homebody.drivers.model_rounds import MAX_MISTAKES, Wait


@dataclass(frozen=True, slots=True)
class Form:
    """The format of replies.

    Attributes:
        rules: Observation -> the system prompt on the format.
        offered: Observation -> the actions to choose from; empty if every action is allowed.
        ask: The offered actions -> the end of each query.
        read: Reply and offered actions -> the chosen action. Raises HomebodyError with advice on
            what to write.
    """

    rules: Callable[[Observation], str]
    offered: Callable[[Observation], Sequence[Action]]
    ask: Callable[[Sequence[Action]], str]
    read: Callable[[str, Sequence[Action]], Action]


@dataclass(slots=True)
class _Turn:
    """A reply, and the feedback on it."""

    reply: str
    feedback: str = ""


class TextPlayer:
    """A model that plays a role by writing text.

    Each query has the feedback on the last reply, the events that the role saw and what it knows.
    It repeats earlier replies with their feedback. A reply without a readable action is noted, and
    the model is queried again with the reason.
    """

    def __init__(self, session: Session, role: str, form: Form) -> None:
        self._session = session
        self._role = role
        self._form = form
        self._cycle = 0
        self._wait = Wait()
        self._turns: list[_Turn] = []
        self._mistakes: list[str] = []  # consecutive
        self._offered: Sequence[Action] = ()

    def resume(self) -> bool:
        """Continue a wait in the same planning cycle. Return whether the role waits."""
        if not self._wait.extend(self._session.observe(self._role).news, self._role):
            return False
        self._session.act(self._role, WAIT, self._cycle, self._role)
        return True

    def question(self) -> Question:
        """Return the next query."""
        observation = self._session.observe(self._role)
        self._offered = self._form.offered(observation)
        if self._turns:
            news = words.news(observation.news, self._role)
            self._turns[-1].feedback = self._mistakes[-1] if self._mistakes else news
        system = f"{words.who_is_who(self._session, self._role)}\n\n{self._form.rules(observation)}"
        messages = [Message("system", system), Message("user", words.task(observation))]
        for turn in self._turns:
            messages += [Message("assistant", turn.reply), Message("user", turn.feedback)]
        end = f"{words.now(observation)}\n\n{self._form.ask(self._offered)}"
        text = f"{messages[-1].text}\n\n{end}".lstrip()
        messages[-1] = Message("user", text, images=words.visible_images(observation))
        return Question(self._role, tuple(messages))

    def answer(self, reply: Reply) -> None:
        """Let the role do the action in the model's reply."""
        session, role = self._session, self._role
        if role not in session.ready():  # the session ended during the query
            return
        self._cycle += 1
        text = words.before_results(reply.text)
        self._turns.append(_Turn(words.clip(text, words.MAX_ANSWER)))
        try:
            if text == reply.text[: words.MAX_READ]:  # else only an invented result was cut off
                check_complete(reply)
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
