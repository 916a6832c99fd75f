"""A conversation with one planner: what it is told, what it said, and what of it is kept.

Conversations stay bounded: there are so many questions, only the last message lists objects, and
answers are kept up to their call. As in the published code, all exchanges are told again; those of
which a model cannot read so many at once are left out by :mod:`homebody.drivers.shortening`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from homebody.core import Event, Message, Observation
from homebody.core.play.session import is_done
from homebody.suites.partnr.prompting import prompts
from homebody.suites.partnr.prompting.action_space import ActionSpace, action_space
from homebody.suites.partnr.prompting.calls import ASSIGNED, format_call
from homebody.suites.partnr.prompting.knowledge_text import (
    describe_objects,
    describe_positions,
    describe_states,
    describe_world,
)
from homebody.suites.partnr.prompting.traces import example_for, outcome_text, trained_messages
from homebody.suites.partnr.session import PartnrSession

MAX_ANSWER: Final = 2_000
"""Characters of an answer that are kept in a conversation."""
NOTHING_YET: Final = "Result: nothing yet."


@dataclass
class Conversation:
    """What one planner was told and has said.

    Attributes:
        planner: Whose planning cycles are counted: the agent, or ``team``.
        roles: Whom it decides for.
        opening: The first messages; the last of them has the task.
        turns: Answers so far, each with what it was told after.
        news: What it will be told with the next question.
        cycle: The number of its last question.
        waiting: Agents who wait -> since when.
        stirred: Whether something was told since the last question that ends waiting.
        read: How many events of its history it has looked at.
        answered: Events of its agents that it was told at once.
        mistake: Why its last answer was no call, if it is to answer again.
    """

    planner: str
    roles: tuple[str, ...]
    opening: tuple[Message, ...]
    turns: list[tuple[str, str]] = field(default_factory=list)
    news: list[str] = field(default_factory=list)
    cycle: int = 0
    waiting: dict[str, int] = field(default_factory=dict)
    stirred: bool = False
    read: int = 0
    answered: set[Event] = field(default_factory=set)
    mistake: str = ""


def open_conversation(session: PartnrSession, planner: str, roles: tuple[str, ...]) -> Conversation:
    """A conversation before its first question."""
    settings, instruction = session.task.settings, session.task.episode.instruction
    seen = [session.observe(role) for role in roles]
    if settings.planner == "finetuned":
        return Conversation(
            planner, roles, trained_messages(instruction, seen[0], _is_alone(session))
        )
    text = prompts.opening(
        instruction,
        "" if settings.planner == "tools" else describe_world(seen[0].knowledge, roles),
        action_spaces(session, roles),
        describe_positions(seen, session.busy),
        settings.output,
        seen[0].actions_left or 0,
    )
    if settings.planner == "rag":
        text = f"{example_for(settings.traces, instruction, roles)}\n\n{text}"
    return Conversation(
        planner,
        roles,
        (
            Message("system", prompts.system_message(roles, settings.team, settings.actions)),
            Message("user", text),
        ),
    )


def messages(session: PartnrSession, chat: Conversation) -> tuple[Message, ...]:
    """The conversation as it stands; what was to be told is told now."""
    planner, seen = session.task.settings.planner, [session.observe(role) for role in chat.roles]
    if planner == "finetuned":
        chat.news, chat.stirred = [], False
        answer = chat.turns[-1][0] if chat.mistake else ""
        instruction = session.task.episode.instruction
        return trained_messages(instruction, seen[0], _is_alone(session), answer, chat.mistake)
    if not chat.turns:
        return chat.opening
    said, told_before = chat.turns[-1]  # something, if the same is asked again
    chat.turns[-1] = said, "\n".join(filter(None, (told_before, *chat.news)))
    chat.news, chat.stirred = [], False
    conversation_so_far = list(chat.opening)
    for answer, reply in chat.turns:
        reply = reply or NOTHING_YET
        conversation_so_far += [Message("assistant", answer), Message("user", reply)]
    now = prompts.observation(
        chat.turns[-1][1] or NOTHING_YET,
        describe_positions(seen, session.busy),
        describe_states(seen[0].knowledge) if planner != "tools" else "",
        _objects(seen) if planner != "tools" else "",
    )
    return (*conversation_so_far[:-1], Message("user", now))


def read_news(session: PartnrSession, chat: Conversation) -> None:
    """Keep what a planner is to be told of what has happened since it last looked: how the actions
    of its agents ended, and what they learned of others (:meth:`.session.PartnrSession.perceive`);
    with ``planner=tools`` of others only that they are done."""
    history = session.observe(chat.roles[0]).history  # of a team, which shares what it learns
    words = prompts.team_words(chat.roles)
    for event in history[chat.read :]:
        role = event.role
        if role in chat.roles:
            if role in chat.waiting or event in chat.answered or not _is_news(session, event):
                continue
            chat.stirred = True
            call = f"{format_call(event.action)} " if len(chat.roles) > 1 else ""
            chat.news.append(f"{words[role]}: {call}{outcome_text(event)}.")
        elif is_done(event.action):
            chat.stirred = True
            chat.news.append(prompts.finished_text(role))
        elif session.task.settings.planner != "tools":
            chat.stirred = True
            chat.news.append(f"You saw the {role} do {format_call(event.action)}.")
    chat.read = len(history)
    chat.answered.clear()


def action_spaces(session: PartnrSession, roles: Sequence[str]) -> list[ActionSpace]:
    """What agents can name now in their calls."""
    perception = session.task.settings.planner == "tools"
    return [action_space(session.observe(role), perception, _is_alone(session)) for role in roles]


# -- how ------------------------------------------------------------------------------------------


def _is_alone(session: PartnrSession) -> bool:
    return len(session.roles) == 1


def _is_news(session: PartnrSession, event: Event) -> bool:
    """Whether an event of one of its agents is the end of an action: neither an answer that could
    not be read, nor a door that a teammate saw it open on the way."""
    return event.action.name != "" and event in session.observe(event.role).history


def _objects(seen: Sequence[Observation]) -> str:
    """The objects that are known, and what a partner in the same room is doing."""
    roles = [observation.role for observation in seen]
    text = describe_objects(seen[0].knowledge, roles)
    for observation in seen:
        known = observation.knowledge
        for other, action in observation.doing.items():
            if other not in roles and known[other].room == known.own_room:
                text += f"\nThe {other} is here and busy with {action.name}."
    return text


def shorten_answer(answer: str) -> str:
    """An answer as it is kept in a conversation: up to its call, the end of it if it is long."""
    end = answer.find(ASSIGNED)
    text = (answer if end < 0 else answer[: end + len(ASSIGNED)]).strip()
    return text[-MAX_ANSWER:] or "(nothing)"
