"""A conversation with one planner: what it is told, what it said, and what of it is kept.

Conversations stay bounded: only the last message lists objects, answers are kept up to their call,
and of more than :data:`MOST_TOLD` characters of exchanges the oldest are left out.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Final

from homebody.core import Message
from homebody.suites.partnr.planners import prompts
from homebody.suites.partnr.planners.calls import ASSIGNED, format_call
from homebody.suites.partnr.planners.constrained import Known, known
from homebody.suites.partnr.planners.traces import asked_as_trained, example_for
from homebody.suites.partnr.planners.world_text import describe_objects, describe_world, standing
from homebody.suites.partnr.running import Run
from homebody.worlds.house.simulation.relations import room_of
from homebody.worlds.house.simulation.simulation import Result
from homebody.worlds.house.simulation.skills import WALKING

MOST_TOLD: Final = 24_000
"""Characters of exchanges in a prompt, besides system message, task and the last message."""
MOST_ANSWER: Final = 2_000
"""Characters of an answer that are kept in a conversation."""
WALKING_ONLY: Final = frozenset(WALKING) - {"Rearrange"} | {"Wait"}
"""What others do that is not worth telling; the published code leaves it out, too."""


@dataclass
class Conversation:
    """What one planner was told and has said.

    Attributes:
        planner: Whose planning cycles are counted: the agent, or ``team``.
        agents: Whom it decides for.
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
    agents: tuple[str, ...]
    opening: tuple[Message, ...]
    turns: list[tuple[str, str]] = field(default_factory=list)
    news: list[str] = field(default_factory=list)
    cycle: int = 0
    waiting: dict[str, int] = field(default_factory=dict)
    stirred: bool = False
    finished: set[str] = field(default_factory=set)
    mistake: str = ""


def opened(run: Run, planner: str, agents: tuple[str, ...]) -> Conversation:
    """A conversation before its first question."""
    settings = run.task.settings
    if settings.planner == "finetuned":
        return Conversation(planner, agents, asked_as_trained(run, agents[0]))
    world = "" if settings.planner == "tools" else describe_world(run.simulation, agents)
    instruction = run.task.episode.instruction
    text = prompts.opening(
        instruction,
        world,
        known_by(run, agents),
        standing(run.simulation, agents),
        settings.output,
        run.limits.team_calls if len(agents) > 1 else run.limits.calls,
    )
    if settings.planner == "rag":
        text = f"{example_for(settings.traces, instruction, agents)}\n\n{text}"
    return Conversation(
        planner,
        agents,
        (Message("system", prompts.system(agents, settings.team)), Message("user", text)),
    )


def messages(run: Run, talk: Conversation) -> tuple[Message, ...]:
    """The conversation as it stands; what was to be told is told now."""
    if run.task.settings.planner == "finetuned":
        talk.news, talk.stirred = [], False
        again = talk.turns[-1][0] if talk.mistake else ""
        return asked_as_trained(run, talk.agents[0], again, talk.mistake)
    if not talk.turns:
        return talk.opening
    talk.turns[-1] = talk.turns[-1][0], "\n".join(talk.news) or "Result: nothing yet."
    talk.news, talk.stirred = [], False
    lately = _latest(talk.turns)
    found = list(talk.opening)
    left_out = len(talk.turns) - len(lately)
    if left_out:
        task = found[-1]
        found[-1] = Message("user", f"{task.text}\n\n(Your first {left_out} calls are left out.)")
    for answer, told in lately:
        found += [Message("assistant", answer), Message("user", told)]
    objects = "" if run.task.settings.planner == "tools" else _objects(run, talk)
    now = prompts.observation(lately[-1][1], standing(run.simulation, talk.agents), objects)
    return (*found[:-1], Message("user", now))


def tell(run: Run, talk: Conversation, results: Iterable[Result]) -> None:
    """Keep what a planner is to be told of actions that ended."""
    settings, state = run.task.settings, run.simulation.state
    words = prompts.team_words(talk.agents)
    for result in results:
        if result.agent in talk.waiting:
            continue
        if result.agent in talk.agents:
            talk.stirred = True
            call = f"{format_call(result.action)} " if len(talk.agents) > 1 else ""
            talk.news.append(f"{words[result.agent]}: {call}{said(result)}")
        elif settings.planner != "tools" and result.ok and result.action.name not in WALKING_ONLY:
            seen = settings.observability == "full" or any(
                room_of(state, agent) == room_of(state, result.agent) for agent in talk.agents
            )
            if seen:
                talk.stirred = True
                talk.news.append(f"You saw the {result.agent} do {format_call(result.action)}.")


def known_by(run: Run, agents: Sequence[str]) -> list[Known]:
    """What agents can name now in their calls."""
    perception = run.task.settings.planner == "tools"
    return [known(run.simulation, agent, perception) for agent in agents]


# -- how ------------------------------------------------------------------------------------------


def _objects(run: Run, talk: Conversation) -> str:
    """The objects that are known, and what a partner in the same room is doing."""
    simulation, text = run.simulation, describe_objects(run.simulation, talk.agents)
    for other in run.agents:
        doing = simulation.busy(other)
        if other in talk.agents or doing is None:
            continue
        here = room_of(simulation.state, other)
        if any(room_of(simulation.state, agent) == here for agent in talk.agents):
            text += f"\nThe {other} is here and busy with {doing.name}."
    return text


def said(result: Result) -> str:
    """How an action ended, in words."""
    return f"{'done' if result.ok else 'failed'}: {result.message}."


def kept(answer: str) -> str:
    """An answer as it is kept in a conversation: up to its call, the end of it if it is long."""
    end = answer.find(ASSIGNED)
    text = (answer if end < 0 else answer[: end + len(ASSIGNED)]).strip()
    return text[-MOST_ANSWER:] or "(nothing)"


def _latest(turns: Sequence[tuple[str, str]]) -> Sequence[tuple[str, str]]:
    """The last exchanges that fit, one at least."""
    room = MOST_TOLD
    for place in range(len(turns) - 1, -1, -1):
        room -= sum(map(len, turns[place]))
        if room < 0:
            return turns[min(place + 1, len(turns) - 1) :]
    return turns
