"""Models as robot, as human, or as one planner for both: dialogues of thoughts and calls (ReAct).

Source: section 4.1 and appendices A.8 and A.15 of the PARTNR paper. Each planner has its own
conversation and is queried whenever its agent is free. If several agents are free at the same time,
they are queried concurrently and do not see each other's new call. If one planner decides for both,
its call for a busy agent is ignored. A waiting planner is queried again when it sees its partner
act, or after 20 seconds.

After each call, the feedback has its result, the partner's visible actions, and all known objects.
With ``planner=tools``, it has only results, and the model queries the perception tools, which take
no time. With ``planner=finetuned``, each query is a new conversation in the format of
:func:`.traces.fine_tuning_lines`. After an invalid call the planner is queried once more, with the
error; after a second one the agents wait. Every query counts as a planning cycle.

With ``clock=wall``, the agents of a planner start what it decided once the time of its answers has
passed; meanwhile others act."""

from __future__ import annotations

from collections.abc import Generator, Mapping, Sequence
from contextlib import suppress
from typing import TypeAlias

from homebody.core import WAIT, Action, Dialogue, HomebodyError, Policy, Question, Reply
from homebody.core.play.conversation import check_complete, transcript_text
from homebody.core.play.rounds import Rounds
from homebody.core.play.session import NotReadyError
from homebody.suites.partnr.prompting import grammars, prompts
from homebody.suites.partnr.prompting.action_space import check
from homebody.suites.partnr.prompting.calls import (
    ASSIGNED,
    TOOLS,
    format_call,
    parse_call,
    parse_calls,
)
from homebody.suites.partnr.prompting.conversation import (
    Conversation,
    action_spaces,
    messages,
    open_conversation,
    read_news,
    shorten_answer,
)
from homebody.suites.partnr.prompting.tools import answer_tool
from homebody.suites.partnr.prompting.traces import outcome_text
from homebody.suites.partnr.session import MAX_WAIT, PartnrSession
from homebody.suites.partnr.settings import HUMAN, ROBOT, TEAM


def drive(session: PartnrSession, policies: Mapping[str, Policy]) -> Dialogue:
    """Have models play the roles without a policy. Raises HomebodyError for invalid traces."""
    chats = [
        open_conversation(session, planner, roles)
        for planner, roles in _planners(session, policies)
    ]
    rounds = Rounds(session, policies)
    while not rounds.is_over:
        free = rounds.act()
        _look(session, chats)
        thought = [chat for chat in chats if _has_thought(session, chat)]
        for chat in thought:
            decided, chat.decided = chat.decided, {}
            _begin(session, chat, decided)
        if thought:
            continue
        # planners whose wait is about to end are awaited, so that both agents can be assigned
        asleep = (chat for chat in chats if not chat.decided)
        not_waiting = [chat for chat in asleep if not any(map(session.busy, chat.waiting))]
        ready_to_act = [chat for chat in not_waiting if any(role in free for role in chat.roles)]
        if ready_to_act:
            calls = yield from _ask(session, ready_to_act, free)
            for chat, action_of in calls:
                if not _think(session, chat, action_of):
                    _begin(session, chat, action_of)
            _look(session, chats)
            continue
        rounds.pass_time()
        for chat in chats:
            read_news(session, chat)
            _wait_on(session, chat)


class PlannerOfOne:
    """A model that plays one role of a team at an external clock; queried as in :func:`drive`."""

    def __init__(self, session: PartnrSession, role: str) -> None:
        self._session = session
        self._role = role
        self._chat = open_conversation(session, role, (role,))

    def resume(self) -> bool:
        """Continue waiting in the same planning cycle."""
        read_news(self._session, self._chat)
        _wait_on(self._session, self._chat)
        return self._role not in self._session.ready()

    def question(self) -> Question:
        """Return the conversation so far."""
        return _question(self._session, self._chat)

    def answer(self, reply: Reply) -> None:
        """Have the role execute the model's call."""
        free = self._session.ready()
        if self._role not in free:  # it ended during the query
            return
        read_news(self._session, self._chat)
        action_of = _read_reply(self._session, self._chat, reply, free)
        if action_of is not None:
            _begin(self._session, self._chat, action_of)


# -- asking ---------------------------------------------------------------------------------------

Calls: TypeAlias = list[tuple[Conversation, Mapping[str, Action]]]


def _ask(
    session: PartnrSession, planners: Sequence[Conversation], free: Sequence[str]
) -> Generator[tuple[Question, ...], tuple[Reply, ...], Calls]:
    """Query planners for calls of their free agents, all at once; retry invalid outputs once."""
    calls: dict[str, Mapping[str, Action]] = {}
    for second_try in (False, True):
        pending = [chat for chat in planners if chat.planner not in calls]
        if second_try:  # planners without queries left wait
            for chat in pending:
                if session.observe(chat.roles[0]).actions_left == 0:
                    calls[chat.planner] = _all_wait(chat, free)
            pending = [chat for chat in pending if chat.planner not in calls]
        if not pending:
            break
        replies = yield tuple(_question(session, chat) for chat in pending)
        for chat, reply in zip(pending, replies, strict=True):
            action_of = _read_reply(session, chat, reply, free)
            if action_of is not None:
                calls[chat.planner] = action_of
    return [(chat, calls[chat.planner]) for chat in planners]


def _think(session: PartnrSession, chat: Conversation, action_of: Mapping[str, Action]) -> bool:
    """Return whether the time of the answers passes before the decided actions start."""
    seconds, chat.seconds = chat.seconds, 0.0
    for role in action_of:
        if session.think(role, seconds):
            chat.decided = action_of
    return bool(chat.decided)


def _has_thought(session: PartnrSession, chat: Conversation) -> bool:
    """Return whether the time of the answers is over."""
    return bool(chat.decided) and not any(map(session.busy, chat.decided))


def _read_reply(
    session: PartnrSession, chat: Conversation, reply: Reply, free: Sequence[str]
) -> Mapping[str, Action] | None:
    """Return role -> action from a reply; None after a first invalid one."""
    is_second_try = bool(chat.mistake)
    chat.cycle += 1
    chat.seconds += reply.seconds
    chat.turns.append((shorten_answer(reply.text), ""))
    chat.mistake = ""
    try:
        if ASSIGNED not in reply.text:  # else only an invented result was cut off
            check_complete(reply)
        return _read_calls(session, chat, reply.text, free)
    except HomebodyError as error:
        with suppress(NotReadyError):
            text = transcript_text(reply.text, reply.stop_reason)
            session.note(_first_free(chat, free), text, chat.cycle, chat.planner)
        chat.news.append(prompts.unusable_text(error.advice, is_second_try))
        if is_second_try:
            return _all_wait(chat, free)
        chat.mistake = error.advice
        return None


def _question(session: PartnrSession, chat: Conversation) -> Question:
    settings = session.task.settings
    spaces = action_spaces(session, chat.roles)
    calls_only = settings.planner == "finetuned"
    return Question(
        chat.planner,
        messages(session, chat),
        grammars.schema(spaces) if settings.output == "json" else None,
        grammars.gbnf(spaces, calls_only) if settings.output == "gbnf" else "",
        grammars.regex(spaces, calls_only) if settings.output == "regex" else "",
    )


def _read_calls(
    session: PartnrSession, chat: Conversation, answer: str, free: Sequence[str]
) -> Mapping[str, Action]:
    """Return the calls for the free roles. Raises CallError."""
    needed = [role for role in chat.roles if role in free]
    both = len(chat.roles) > 1
    calls = parse_calls(answer, needed) if both else {needed[0]: parse_call(answer)}
    for space in action_spaces(session, needed):
        check(calls[space.role], space)
    return calls


def _begin(session: PartnrSession, chat: Conversation, action_of: Mapping[str, Action]) -> None:
    """Start the actions that were decided, and record their immediate feedback."""
    words = prompts.team_words(chat.roles)
    for role in chat.roles:
        doing = session.busy(role)
        if doing is not None:
            chat.news.append(f"{words[role]}: {format_call(doing)} is still in progress.")
    for role, action in action_of.items():
        clock = session.clock
        try:
            event = session.act(role, action, chat.cycle, chat.planner)
        except NotReadyError:
            continue
        if event is not None:
            chat.answered.add(event)
        if action == WAIT:
            chat.waiting[role] = clock
        if action.name in TOOLS:
            chat.news.append(f"{words[role]}: {answer_tool(session, chat.roles, role, action)}")
        elif event is not None and not event.ok:
            chat.news.append(f"{words[role]}: {outcome_text(event)}.")


def _look(session: PartnrSession, chats: Sequence[Conversation]) -> None:
    """Have planners read new events."""
    for chat in chats:
        read_news(session, chat)


def _wait_on(session: PartnrSession, chat: Conversation) -> None:
    """Continue the waits of a planner unless there is feedback or they lasted long enough."""
    for role, since in list(chat.waiting.items()):
        if session.busy(role) is not None:
            continue
        if not chat.stirred and session.clock - since < MAX_WAIT:
            with suppress(NotReadyError):
                session.act(role, WAIT, chat.cycle, chat.planner)
                continue
        del chat.waiting[role]
        word = prompts.team_words(chat.roles)[role]
        chat.news.append(f"{word}: done: you waited.")


# -- who plays ------------------------------------------------------------------------------------


def _planners(
    session: PartnrSession, policies: Mapping[str, Policy]
) -> list[tuple[str, tuple[str, ...]]]:
    """Return the planners that are models, each with its roles."""
    if session.task.settings.team == "centralised":
        return [(TEAM, (ROBOT, HUMAN))]
    return [(role, (role,)) for role in session.roles if role not in policies]


def _all_wait(chat: Conversation, free: Sequence[str]) -> Mapping[str, Action]:
    return {role: WAIT for role in chat.roles if role in free}


def _first_free(chat: Conversation, free: Sequence[str]) -> str:
    return next(role for role in chat.roles if role in free)
