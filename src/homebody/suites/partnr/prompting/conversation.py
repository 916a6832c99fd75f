"""A conversation with one planner: its messages, and the part of its outputs that is kept.

Conversations stay bounded: the number of queries is limited, only the last message describes the
world and has pictures, one for each role, and outputs are kept up to their call. As in the
published code, all exchanges are repeated;
:mod:`homebody.drivers.shortening` omits those that exceed a model's context."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from homebody.core import Action, Event, Message, Observation
from homebody.core.play.conversation import Image
from homebody.core.play.session import is_done
from homebody.drivers.prompt_texts import visible_images
from homebody.suites.partnr.prompting import prompts
from homebody.suites.partnr.prompting.action_space import ActionSpace, action_space
from homebody.suites.partnr.prompting.calls import ASSIGNED, format_call
from homebody.suites.partnr.prompting.knowledge_text import (
    describe_positions,
    describe_world,
)
from homebody.suites.partnr.prompting.traces import example_for, outcome_text, trained_messages
from homebody.suites.partnr.session import SPEAKER, PartnrSession
from homebody.worlds.house.play.captions import caption

MAX_ANSWER: Final = 2_000
"""Characters of an output that are kept in a conversation."""
NOTHING_YET: Final = "Result: nothing yet."


@dataclass
class Conversation:
    """The messages to and from one planner.

    Attributes:
        planner: The planner whose cycles are counted: the agent, or ``team``.
        roles: The roles that it decides for.
        opening: The first messages; the last of them has the task.
        turns: Outputs so far, each with the feedback that followed.
        news: Feedback for the next query.
        cycle: Number of its last query.
        waiting: Waiting role -> since when.
        stirred: True if feedback since the last query ends a wait.
        read: Number of events of its history that were already read.
        answered: Events of its agents that were reported at once.
        mistake: Error of its last output, if the output was invalid and the model is queried again.
        seconds: Time of the answers of this turn.
        decided: Role -> the action that it starts when the time of the answers is over.
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
    seconds: float = 0.0
    decided: Mapping[str, Action] = field(default_factory=dict)


def open_conversation(session: PartnrSession, planner: str, roles: tuple[str, ...]) -> Conversation:
    """Return a conversation before its first query."""
    settings, instruction = session.task.settings, session.task.episode.instruction
    seen = [session.observe(role) for role in roles]
    if settings.planner == "finetuned":
        return Conversation(
            planner, roles, trained_messages(instruction, seen[0], _is_alone(session))
        )
    text = prompts.opening(
        instruction,
        action_spaces(session, roles),
        asks=settings.planner == "tools",
        output=settings.output,
        max_answers=seen[0].actions_left or 0,
    )
    if settings.planner == "rag":
        example = example_for(settings.traces, session.task.episode, roles)
        text = f"{example}\n\n{text}" if example else text
    return Conversation(
        planner,
        roles,
        (
            Message(
                "system",
                prompts.system_message(roles, settings.team, settings.actions, settings.talk),
            ),
            Message("user", text),
        ),
    )


def messages(session: PartnrSession, chat: Conversation) -> tuple[Message, ...]:
    """Return the messages of the next query; pending feedback becomes part of it."""
    planner, seen = session.task.settings.planner, [session.observe(role) for role in chat.roles]
    if planner == "finetuned":
        chat.news, chat.stirred = [], False
        answer = chat.turns[-1][0] if chat.mistake else ""
        changes = (_words(event) for event in seen[0].history if event.role == SPEAKER)
        instruction = "\n".join((session.task.episode.instruction, *changes))
        return trained_messages(instruction, seen[0], _is_alone(session), answer, chat.mistake)
    *before, opening = chat.opening
    conversation_so_far = [*before, Message("user", opening.text)]
    news = ""
    if chat.turns:
        output, feedback = chat.turns[-1]  # not empty if the query is repeated
        chat.turns[-1] = output, "\n".join(filter(None, (feedback, *chat.news)))
        news = chat.turns[-1][1] or NOTHING_YET
        chat.news, chat.stirred = [], False
    for answer, reply in chat.turns:
        conversation_so_far += [Message("assistant", answer), Message("user", reply or NOTHING_YET)]
    views, images = _views(session, seen)
    now = prompts.observation(
        news,
        _describe_positions(session, seen),
        describe_world(seen[0].knowledge, chat.roles) if planner != "tools" else "",
        len(chat.roles) > 1,
        views,
    )
    if not chat.turns:
        now = f"{opening.text}\n\n{now}"
    return (*conversation_so_far[:-1], Message("user", now, images=images))


def _views(session: PartnrSession, seen: Sequence[Observation]) -> tuple[str, tuple[Image, ...]]:
    """Return the first-person views of roles: words, and pictures if models receive these."""
    setting, roles = session.task.settings.view, [observation.role for observation in seen]
    if setting == "pictures":
        images = tuple(image for each in seen for image in visible_images(each))
        return prompts.picture_text(roles), images
    if setting == "captions":
        view, state = session.view, session.simulation.state
        return prompts.caption_text({r: caption(view.picture(r), state) for r in roles}), ()
    return "", ()


def _words(said: Event) -> str:
    return ", ".join(said.action.args[1:])


def read_news(session: PartnrSession, chat: Conversation) -> None:
    """Read new events into the feedback of a planner.

    They are the ends of its agents' actions, and the events of others that its agents perceived
    (:meth:`.session.PartnrSession.perceive`). With ``planner=tools``, it is only notified when
    others are done."""
    history = session.observe(chat.roles[0]).history  # a team shares its history
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
        elif event.action.name == "Say":
            chat.stirred = True
            who = "" if role == SPEAKER else role
            chat.news.append(prompts.heard_text(who, _words(event)))
        elif session.task.settings.planner != "tools":
            chat.stirred = True
            chat.news.append(f"You saw the {role} do {format_call(event.action)}.")
    chat.read = len(history)
    chat.answered.clear()


def action_spaces(session: PartnrSession, roles: Sequence[str]) -> list[ActionSpace]:
    """Return the current action spaces of the agents."""
    perception = session.task.settings.planner == "tools"
    return [action_space(session.observe(role), perception, _is_alone(session)) for role in roles]


# -- how ------------------------------------------------------------------------------------------


def _is_alone(session: PartnrSession) -> bool:
    return len(session.roles) == 1


def _is_news(session: PartnrSession, event: Event) -> bool:
    """Return whether an event of an own agent is the end of an action.

    Unreadable outputs are not, and neither are doors that it opened on the way while a teammate
    watched."""
    return event.action.name != "" and event in session.observe(event.role).history


def _describe_positions(session: PartnrSession, seen: Sequence[Observation]) -> str:
    """Return the agents' positions, and the actions of partners in the same room."""
    lines = [describe_positions(seen, session.busy)]
    roles = [observation.role for observation in seen]
    for observation in seen if session.task.settings.planner != "tools" else ():
        known = observation.knowledge
        for other, action in observation.doing.items():
            if other not in roles and known[other].room == known.own_room:
                lines.append(f"The {other} is here and busy with {action.name}.")
    return "\n".join(lines)


def shorten_answer(answer: str) -> str:
    """Return the part of an output that is kept in a conversation. It ends with the call; of a long
    output, only the end is kept."""
    end = answer.find(ASSIGNED)
    text = (answer if end < 0 else answer[: end + len(ASSIGNED)]).strip()
    return text[-MAX_ANSWER:] or "(nothing)"
