"""A conversation with one planner: what it is told, what it said, and what of it is kept.

Conversations stay bounded: there are so many questions, only the last message lists objects, and
answers are kept up to their call. As in the published code, all exchanges are told again; those of
which a model cannot read so many at once are left out by :mod:`homebody.drivers.shortening`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Final

from homebody.core import Message
from homebody.core.play.session import Event, is_done
from homebody.suites.partnr.prompting import prompts
from homebody.suites.partnr.prompting.action_space import ActionSpace, action_space
from homebody.suites.partnr.prompting.calls import ASSIGNED, format_call
from homebody.suites.partnr.prompting.knowledge_text import (
    describe_objects,
    describe_states,
    describe_world,
    standing,
)
from homebody.suites.partnr.prompting.traces import asked_as_trained, example_for, outcome_text
from homebody.suites.partnr.session import QUIET, PartnrSession
from homebody.worlds.house.simulation.relations import room_of

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
        finished: Partners that it was told have finished.
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
    finished: set[str] = field(default_factory=set)
    mistake: str = ""


def open_conversation(session: PartnrSession, planner: str, roles: tuple[str, ...]) -> Conversation:
    """A conversation before its first question."""
    settings = session.task.settings
    if settings.planner == "finetuned":
        return Conversation(planner, roles, asked_as_trained(session, roles[0]))
    world = "" if settings.planner == "tools" else describe_world(session.simulation, roles)
    instruction = session.task.episode.instruction
    text = prompts.opening(
        instruction,
        world,
        action_spaces(session, roles),
        standing(session.simulation, roles),
        settings.output,
        session.limits.team_calls if len(roles) > 1 else session.limits.calls,
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
    if session.task.settings.planner == "finetuned":
        chat.news, chat.stirred = [], False
        answer = chat.turns[-1][0] if chat.mistake else ""
        return asked_as_trained(session, chat.roles[0], answer, chat.mistake)
    if not chat.turns:
        return chat.opening
    said, told_before = chat.turns[-1]  # something, if the same is asked again
    chat.turns[-1] = said, "\n".join(filter(None, (told_before, *chat.news)))
    chat.news, chat.stirred = [], False
    conversation_so_far = list(chat.opening)
    for answer, reply in chat.turns:
        reply = reply or NOTHING_YET
        conversation_so_far += [Message("assistant", answer), Message("user", reply)]
    simulation, roles = session.simulation, chat.roles
    told = session.task.settings.planner != "tools"
    now = prompts.observation(
        chat.turns[-1][1] or NOTHING_YET,
        standing(simulation, roles),
        describe_states(simulation, roles) if told else "",
        _objects(session, chat) if told else "",
    )
    return (*conversation_so_far[:-1], Message("user", now))


def note_results(session: PartnrSession, chat: Conversation, results: Iterable[Event]) -> None:
    """Keep what a planner is to be told of actions that ended."""
    settings = session.task.settings
    words = prompts.team_words(chat.roles)
    for result in results:
        if result.role in chat.waiting:
            continue
        if result.role in chat.roles:
            chat.stirred = True
            call = f"{format_call(result.action)} " if len(chat.roles) > 1 else ""
            chat.news.append(f"{words[result.role]}: {call}{outcome_text(result)}.")
        elif (
            settings.planner != "tools"
            and result.ok
            and result.action.name not in QUIET
            and not is_done(result.action)
            and any(session.sees(role, result) for role in chat.roles)
        ):
            chat.stirred = True
            chat.news.append(f"You saw the {result.role} do {format_call(result.action)}.")


def action_spaces(session: PartnrSession, roles: Sequence[str]) -> list[ActionSpace]:
    """What agents can name now in their calls."""
    perception = session.task.settings.planner == "tools"
    return [action_space(session.simulation, role, perception) for role in roles]


# -- how ------------------------------------------------------------------------------------------


def _objects(session: PartnrSession, chat: Conversation) -> str:
    """The objects that are known, and what a partner in the same room is doing."""
    simulation, text = session.simulation, describe_objects(session.simulation, chat.roles)
    for other in session.roles:
        doing = simulation.busy(other)
        if other in chat.roles or doing is None:
            continue
        here = room_of(simulation.state, other)
        if any(room_of(simulation.state, role) == here for role in chat.roles):
            text += f"\nThe {other} is here and busy with {doing.name}."
    return text


def kept_answer(answer: str) -> str:
    """An answer as it is kept in a conversation: up to its call, the end of it if it is long."""
    end = answer.find(ASSIGNED)
    text = (answer if end < 0 else answer[: end + len(ASSIGNED)]).strip()
    return text[-MAX_ANSWER:] or "(nothing)"
