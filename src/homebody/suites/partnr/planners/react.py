"""Models as robot, as human, or as one planner for both: dialogues of thoughts and calls (ReAct).

Source: section 4.1 and appendices A.8 and A.15 of the PARTNR paper. Each planner has a conversation
of its own, and is asked for a call whenever its agent is free; agents who are free at the same
moment are asked at once, and none sees what the other was just told to do. What one planner for
both assigns to an agent that is still busy is passed over. Who waits is asked again when it sees
its partner do something, or after 20 seconds (as long as in the published code).

After each call a planner is told what came of it, what its agent saw the partner do, and all
objects that it knows. With ``planner=tools`` it is told results only, and asks with the perception
tools, which take no time. With ``planner=finetuned`` each question is a new one, in the words of
:func:`.traces.fine_tuning`. An answer that is no valid call is asked for once more, with the error;
if that is none either, the agents wait. Every question counts as a planning cycle.
"""

from __future__ import annotations

from collections.abc import Generator, Mapping, Sequence
from typing import Final, TypeAlias

import numpy as np

from homebody.core import Action, Dialogue, Question
from homebody.suites.partnr.expert import Expert, Policy
from homebody.suites.partnr.planners import constrained, prompts
from homebody.suites.partnr.planners.calls import (
    DONE,
    TOOLS,
    WAIT,
    CallError,
    format_call,
    parse_call,
    parse_calls,
)
from homebody.suites.partnr.planners.constrained import check, random_call
from homebody.suites.partnr.planners.conversation import (
    Conversation,
    kept,
    known_by,
    messages,
    opened,
    said,
    tell,
)
from homebody.suites.partnr.planners.tools import answer as ask_tool
from homebody.suites.partnr.running import Run, read_call, write_transcript
from homebody.suites.partnr.settings import HUMAN, ROBOT, TEAM
from homebody.suites.partnr.tasks import PartnrTask

LONGEST_WAIT: Final = 600
"""Steps after which a model that waits is asked again."""
REFUSALS: Final = 20
"""Calls in a row that may be refused to one who is no model, before it has to wait."""


def play(task: PartnrTask, rng: np.random.Generator) -> Dialogue:
    """Play a task with models in the roles that are theirs.

    Yields questions that can be asked at the same time, and is sent their answers in the same
    order; any text will do. Returns the transcript.

    Args:
        rng: What random partners are drawn from.

    Raises:
        HomebodyError: the episode is not possible, or the file of traces cannot be read.
    """
    run = Run(task)
    policies = _policies(run, rng)
    talks = [opened(run, planner, agents) for planner, agents in _planners(run, policies)]
    while not run.over:
        _act_by_themselves(run, policies)
        _tell_who_is_done(run, talks)
        free = run.free()
        # who is about to stop waiting is waited for, so that both can be told what to do
        ready = [talk for talk in talks if not any(map(run.simulation.busy, talk.waiting))]
        asked = [talk for talk in ready if any(agent in free for agent in talk.agents)]
        if asked:
            calls = yield from _ask(run, asked, free)
            for talk, action_of in calls:
                _begin(run, talk, action_of)
            _tell_who_is_done(run, talks)
            continue
        before = run.clock
        results = run.advance()
        for talk in talks:
            tell(run, talk, results)
            _wait_on(run, talk)
        if not results and run.clock == before:
            break
    return write_transcript(run)


# -- asking ---------------------------------------------------------------------------------------

Calls: TypeAlias = list[tuple[Conversation, Mapping[str, Action]]]


def _ask(
    run: Run, asked: Sequence[Conversation], free: Sequence[str]
) -> Generator[tuple[Question, ...], tuple[str, ...], Calls]:
    """Ask planners for the calls of those of their agents who are free, all at once; those whose
    answer is no good a second time."""
    found: dict[str, Mapping[str, Action]] = {}
    for last in (False, True):
        again = [talk for talk in asked if talk.planner not in found]
        if last:  # who has no question left waits
            for talk in again:
                if run.spent(talk.planner):
                    found[talk.planner] = _waiting(talk, free)
            again = [talk for talk in again if talk.planner not in found]
        if not again:
            break
        answers = yield tuple(_question(run, talk) for talk in again)
        for talk, answer in zip(again, answers, strict=True):
            talk.cycle += 1
            talk.turns.append((kept(answer), ""))
            talk.mistake = ""
            try:
                found[talk.planner] = _read(run, talk, answer, free)
            except CallError as error:
                talk.mistake = "" if last else str(error)
                run.note(_first(talk, free), answer, talk.cycle, talk.planner)
                talk.news.append(prompts.unusable(str(error), last))
                if last:
                    found[talk.planner] = _waiting(talk, free)
    return [(talk, found[talk.planner]) for talk in asked]


def _question(run: Run, talk: Conversation) -> Question:
    settings = run.task.settings
    of = known_by(run, talk.agents)
    bare = settings.planner == "finetuned"
    return Question(
        talk.planner,
        messages(run, talk),
        constrained.schema(of) if settings.output == "json" else None,
        constrained.gbnf(of, bare) if settings.output == "gbnf" else "",
        constrained.regex(of, bare) if settings.output == "regex" else "",
    )


def _read(run: Run, talk: Conversation, answer: str, free: Sequence[str]) -> Mapping[str, Action]:
    """The calls of an answer for those who are free. Raises CallError."""
    needed = [agent for agent in talk.agents if agent in free]
    both = len(talk.agents) > 1
    calls = parse_calls(answer, needed) if both else {needed[0]: parse_call(answer)}
    for one in known_by(run, needed):
        check(calls[one.agent], one)
    return calls


def _begin(run: Run, talk: Conversation, action_of: Mapping[str, Action]) -> None:
    """Have agents begin what was decided, and keep what there is to say of it at once."""
    settings, words = run.task.settings, prompts.team_words(talk.agents)
    for agent in talk.agents:
        doing = run.simulation.busy(agent)
        if doing is not None:
            talk.news.append(f"{words[agent]}: {format_call(doing)} is still in progress.")
    for agent, action in action_of.items():
        if not run.may_act(agent):
            continue
        word = words[agent]
        if action == WAIT:
            talk.waiting[agent] = run.clock
        refused = run.take(agent, action, talk.cycle, talk.planner)
        if refused is not None:
            talk.news.append(f"{word}: {said(refused)}")
        elif action.name in TOOLS and settings.planner == "tools":
            talk.news.append(f"{word}: {ask_tool(run.simulation, talk.agents, agent, action)}")


def _tell_who_is_done(run: Run, talks: Sequence[Conversation]) -> None:
    """Have planners know whose part is finished, so that nobody waits for it."""
    done = [one.agent for one in run.transcript if read_call(one.call) == DONE]
    for talk in talks:
        for agent in done:
            if agent not in talk.agents and agent not in talk.finished:
                talk.finished.add(agent)
                talk.news.append(prompts.finished(agent))
                talk.stirred = True


def _wait_on(run: Run, talk: Conversation) -> None:
    """Have those who wait go on with it, in the same planning cycle, unless there is something to
    be told or it was long enough."""
    for agent, since in list(talk.waiting.items()):
        if run.simulation.busy(agent) is not None:
            continue
        if talk.stirred or run.clock - since >= LONGEST_WAIT or not run.may_act(agent):
            del talk.waiting[agent]
            word = prompts.team_words(talk.agents)[agent]
            talk.news.append(f"{word}: done: you waited.")
        else:
            run.take(agent, WAIT, talk.cycle, talk.planner)


# -- who plays ------------------------------------------------------------------------------------


def _planners(run: Run, policies: Mapping[str, Policy]) -> list[tuple[str, tuple[str, ...]]]:
    """Planners that are models, and whom each decides for."""
    if run.task.settings.team == "centralised":
        return [(TEAM, (ROBOT, HUMAN))]
    return [(agent, (agent,)) for agent in run.agents if agent not in policies]


def _policies(run: Run, rng: np.random.Generator) -> dict[str, Policy]:
    """How those decide who are no models."""
    players = {ROBOT: run.task.settings.robot, HUMAN: run.task.settings.human}
    kinds: dict[str, Policy] = {
        "random": lambda run, agent: random_call(known_by(run, (agent,))[0], rng),
        "idle": lambda run, agent: DONE,
    }
    if "expert" in players.values():
        expert = Expert(run)
        kinds["expert"] = lambda run, agent: expert.act(agent)
    return {agent: kinds[players[agent]] for agent in run.agents if players[agent] in kinds}


def _act_by_themselves(run: Run, policies: Mapping[str, Policy]) -> None:
    """Have those who are no models and free begin something."""
    for agent, decide in policies.items():
        for _ in range(REFUSALS):
            if agent not in run.free():
                break
            run.take(agent, decide(run, agent))
        if agent in run.free():
            run.take(agent, WAIT)


def _waiting(talk: Conversation, free: Sequence[str]) -> Mapping[str, Action]:
    return {agent: WAIT for agent in talk.agents if agent in free}


def _first(talk: Conversation, free: Sequence[str]) -> str:
    return next(agent for agent in talk.agents if agent in free)
