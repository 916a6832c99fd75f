"""Suites as targets: whatever a model answers gets a score, and whatever it says while it plays."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from functools import partial
from random import Random
from typing import Any

from homebody.core import (
    CORRECTED,
    DONE,
    HomebodyError,
    Playing,
    Protocol,
    Reply,
    Score,
    Suite,
    ToolCall,
)
from homebody.core.play.conformance.suite_checks import find_score_problems
from homebody.core.play.failures import drop_labels
from homebody.core.play.rounds import play
from homebody.core.play.transcript import decode, read_call
from homebody.drivers import DRIVERS
from homebody.evals.samples import driver_of
from homebody.suites import get_suite, list_suites
from hostile.corpus import long_ones, outputs_for
from hostile.target import Broken, Input, Prepared, Target

TASKS, PLAYED = 20, 5
"""Tasks of each suite whose answers are mutated, from all over it: of one that is played each has
its own world."""
REPLIES = 6
"""Answers of a model that plays, in one case."""
MAX_RECORD = 8_000_000
"""Characters of a record: an output has 200,000 at most, a transcript 4,000,000."""
_NEXT = "\n=====\n"


def suite_targets() -> Iterator[Target]:
    """For each suite its outputs, and for those that are played what models say meanwhile."""
    for name in list_suites():
        yield Target(name, partial(_outputs, name), is_suite=True)
    for name in list_suites():
        if get_suite(name).playing is not None:
            yield Target(f"playing {name}", partial(_playing, name))


def _outputs(name: str) -> Prepared:
    suite = get_suite(name)
    protocols = list(suite.scoring.protocols.values())
    loaded = {protocol.name: _some(suite, suite.tasks.load(protocol)) for protocol in protocols}

    def judge(output: Input, which: int, random: Random) -> bytes:
        assert isinstance(output, str)
        protocol = random.choice(protocols)
        task = loaded[protocol.name][which % len(loaded[protocol.name])]
        return judged(suite, task, output, protocol)

    tasks = _some(suite, suite.tasks.load(CORRECTED))
    valid = [suite.answer(agent, task, seed=1) for agent in _authors(suite) for task in tasks]
    crafted = [(output, None) for output in outputs_for(name)]
    return Prepared(
        valid, judge, [*crafted, *((grown, at) for at in (0, 1) for grown in long_ones(valid[at]))]
    )


def _some(suite: Suite[Any], tasks: Sequence[Any]) -> Sequence[Any]:
    return tasks[:: math.ceil(len(tasks) / (PLAYED if suite.playing else TASKS))]


def _authors(suite: Suite[Any]) -> list[str]:
    return [name for name in ("oracle", "expert", "random") if name in suite.agents]


def judged(suite: Suite[Any], task: Any, output: str, protocol: Protocol) -> bytes:
    """Score an output and look at all that is made of a score. Raises Broken."""
    score = suite.score(task, output, protocol)
    check(suite, task, score)
    if suite.experiments.feedback is not None:
        told = suite.experiments.feedback(task, score)
        if told is not None and not (isinstance(told, str) and told):
            raise Broken(f"the feedback is {told!r}")
    if suite.experiments.pipeline is not None:
        _, record = suite.experiments.pipeline.feed(task, output)
        json.dumps(record, allow_nan=False)
    return repr((score.identifier, dict(score.metrics), dict(score.record), score.valid)).encode(
        "utf-8", "backslashreplace"
    )


def check(suite: Suite[Any], task: Any, score: Score) -> None:
    """What a score promises."""
    for problem in find_score_problems(suite, task, score):
        raise Broken(problem)
    if len(json.dumps(dict(score.record))) > MAX_RECORD:
        raise Broken("the record is too long")
    demands = suite.experiments.demands
    if demands is not None and demands.steps is not None:
        demands.steps(task, score)
    if demands is not None and demands.goals is not None:
        demands.goals(task, score)


# -- what models say while they play ---------------------------------------------------------------


def _playing(name: str) -> Prepared:
    suite = get_suite(name)
    playing = suite.playing
    assert playing is not None
    tasks = _some(suite, suite.tasks.load(CORRECTED))

    def judge(said: Input, which: int, random: Random) -> bytes:
        assert isinstance(said, str)
        task = tasks[which % len(tasks)]
        settings = _settings(playing, random)
        driver = random.choice(["", *DRIVERS])
        session = playing.start(task, settings, random.getrandbits(40), CORRECTED)
        _drive(playing, session, driver, said, settings)
        play(session, {})  # to its end, as its transcript is played
        score = session.score(CORRECTED)
        check(suite, task, score)
        text = session.transcript().encode()
        again = drop_labels(suite.score(task, text, CORRECTED))
        if (again.metrics, again.record) != (score.metrics, score.record):
            raise Broken("the transcript of what was played gets another score")
        return text.encode()

    return Prepared([_conversation(suite, task) for task in tasks], judge)


def _drive(
    playing: Playing[Any], session: Any, driver: str, said: str, settings: Mapping[str, str]
) -> None:
    import numpy as np

    players = playing.players(session, settings, np.random.default_rng(0))
    with closing(driver_of(playing, driver)(session, players)) as dialogue:
        questions = next(dialogue, ())
        for part in said.split(_NEXT)[:REPLIES]:
            if not questions:
                return
            try:
                questions = dialogue.send(tuple(reply(part) for _ in questions))
            except StopIteration:
                return


def reply(part: str) -> Reply:
    """A text, of which the lines ``CALL name {...}`` are calls of tools."""
    calls = []
    for at, line in enumerate(part.splitlines()):
        if line.startswith("CALL "):
            name, _, arguments = line[5:].partition(" ")
            try:
                read = json.loads(arguments)
            except (ValueError, RecursionError):
                read = arguments
            calls.append(ToolCall(name, read if isinstance(read, dict) else {"": read}, str(at)))
    return Reply(part, tuple(calls))


def _settings(playing: Playing[Any], random: Random) -> dict[str, str]:
    """Any settings that go together; those that name files are left out."""
    given = {name: random.choice(values) for name, values in playing.settings.items() if values}
    chosen = playing.drop_defaults(given)
    try:
        playing.check(chosen)
    except HomebodyError:
        return {}
    return chosen


def _conversation(suite: Suite[Any], task: Any) -> str:
    """What somebody says who knows how it is done."""
    assert suite.playing is not None
    session = suite.playing.start(task, {}, 0, CORRECTED)
    tools = session.observe(session.roles[0]).tools
    names = {tool.name: list(tool.parameters.get("properties", ())) for tool in tools}
    entries = decode(suite.answer(_authors(suite)[0], task)).entries[:REPLIES]
    return _NEXT.join(_said(entry.call, names) for entry in entries)


def _said(call: str, names: Mapping[str, Sequence[str]]) -> str:
    action = read_call(call) or DONE
    arguments = dict(zip(names.get(action.name, ()), action.args, strict=False))
    return f"Thought: next.\nAction: {call}\nCALL {action.name} {json.dumps(arguments)}"
