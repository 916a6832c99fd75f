"""A driver with native tool calls: the kinds of actions are the model's tools."""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Final

import orjson

from homebody.core import (
    DONE,
    WAIT,
    Dialogue,
    HomebodyError,
    Message,
    Policy,
    Question,
    Reply,
    Session,
    ToolCall,
)
from homebody.core.ground.nesting import is_deep
from homebody.core.play.conversation import check_complete, transcript_text
from homebody.core.play.session import read_action
from homebody.drivers import prompt_texts as words
from homebody.drivers.model_rounds import MAX_MISTAKES, Wait, play_rounds

MAX_CALLS: Final = 8
"""Maximum number of calls of one reply that are carried out."""
_RULES: Final = (
    "You do so by calling tools; each call is one action, and its result says what happened. Do"
    " not answer without a call."
)
NOT_DONE: Final = "Not done: a call before it failed, or you saw something happen. Decide anew."
SHOWN: Final = "This is what you see now."
NO_CALL: Final = "You have called no tool. Call one; call Done when your part is finished."


def tools(session: Session, policies: Mapping[str, Policy]) -> Dialogue:
    """Let models play by calling tools."""
    return play_rounds(session, policies, ToolPlayer)


@dataclass(slots=True)
class _Turn:
    """A reply, and the results of its calls, or the feedback on a reply without calls."""

    message: Message
    feedback: str
    results: list[str] = field(default_factory=list)


class ToolPlayer:
    """A model that plays a role by calling tools.

    If a reply has several calls, each begins when the previous one has succeeded. If a call fails,
    or if the role sees another role's action, the remaining calls are not done, and their results
    say so. The last result also contains the role's current knowledge.
    """

    def __init__(self, session: Session, role: str) -> None:
        self._session = session
        self._role = role
        self._cycle = 0
        self._wait = Wait()
        self._turns: list[_Turn] = []
        self._mistakes = 0  # consecutive replies without an executable call
        self._calls: deque[ToolCall] = deque()  # without a result; the first has begun

    def resume(self) -> bool:
        """Continue a wait, or do the next call of the last reply, in the same planning cycle."""
        news = self._session.observe(self._role).news
        if self._wait.extend(news, self._role):
            self._session.act(self._role, WAIT, self._cycle, self._role)
            return True
        if not self._calls:
            return False
        self._add_result(words.news(news, self._role) or "Nothing happened.")
        if self._calls and all(event.ok and event.role == self._role for event in news):
            return self._begin()
        self._drop_calls()
        return False

    def question(self) -> Question:
        """Return the next query."""
        observation = self._session.observe(self._role)
        messages = [
            Message("system", f"{words.who_is_who(self._session, self._role)} {_RULES}"),
            Message("user", words.task(observation)),
        ]
        for turn in self._turns:
            messages.append(turn.message)
            messages += [
                Message("tool", result, call_id=call.id)
                for call, result in zip(turn.message.calls, turn.results, strict=False)
            ] or [Message("user", turn.feedback)]
        last = messages[-1]
        messages[-1] = replace(last, text=f"{last.text}\n\n{words.now(observation)}")
        if images := words.visible_images(observation):  # results of tools cannot have images
            messages.append(Message("user", SHOWN, images=images))
        return Question(self._role, tuple(messages), tools=tuple(observation.tools))

    def answer(self, reply: Reply) -> None:
        """Begin the first call."""
        session, role = self._session, self._role
        if role not in session.ready():  # the session ended during the query
            return
        self._cycle += 1
        calls, feedback = tuple(map(make_sendable, reply.calls[:MAX_CALLS])), NO_CALL
        try:
            check_complete(reply)
        except HomebodyError as error:
            calls, feedback = (), words.not_understood(error)
        whole = reply.text[: words.MAX_READ]
        text = words.clip(whole, words.MAX_ANSWER)
        self._turns.append(_Turn(Message("assistant", text, calls), feedback))
        self._calls.extend(calls)
        if not calls:
            session.note(role, transcript_text(whole, reply.stop_reason), self._cycle, role)
        if calls and self._begin():
            self._mistakes = 0
            return
        self._mistakes += 1
        if self._mistakes >= MAX_MISTAKES and role in session.ready():
            session.act(role, DONE)

    def _begin(self) -> bool:
        """Let the role do the next call. Return False if it is not a readable action."""
        session, role, call = self._session, self._role, self._calls[0]
        try:
            action = read_action(session.observe(role), call)
        except HomebodyError as error:
            session.note(role, f"{call.name} {dict(call.arguments)}", self._cycle, role)
            self._add_result(words.not_understood(error))
            self._drop_calls()
            return False
        begun = session.act(role, action, self._cycle, role) is None
        if begun and action == WAIT and len(self._calls) == 1:
            self._wait.begin()
        return True

    def _add_result(self, result: str) -> None:
        """Store the result of the current call."""
        self._turns[-1].results.append(result)
        self._calls.popleft()

    def _drop_calls(self) -> None:
        """Set the result of the remaining calls: they are not done."""
        while self._calls:
            self._add_result(NOT_DONE)


def make_sendable(call: ToolCall) -> ToolCall:
    """Return a call that can be sent to a model again, in plain text with a limited length."""
    try:
        short = (
            isinstance(call.arguments, Mapping)
            and not is_deep(call.arguments)
            and len(orjson.dumps(call.arguments)) <= words.MAX_ANSWER
        )
    except (TypeError, ValueError):
        short = False
    return ToolCall(words.clip(call.name, 80), call.arguments if short else {}, call.id)
