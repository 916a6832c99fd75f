"""How fast EAI's tasks are played step by step: ``python benchmarks/eai_interactive.py [N]``.

Plays what oracle and random agents did in N tasks (60, evenly spread) of each world once more, and
times only the session: each action, the news of it and the progress. Then the start of a session,
and the memory of a thousand open ones.
"""

from __future__ import annotations

import resource
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from homebody.core import CORRECTED, Action
from homebody.core.ground.seeds import attempt_generator
from homebody.core.play.rounds import play
from homebody.core.play.transcript import read_call
from homebody.core.world import History
from homebody.suites import get_suite


def actions_of(suite: Any, task: Any, agent: str, settings: dict[str, str]) -> list[Action]:
    """What an agent does in a task."""
    session = suite.playing.start(task, settings, 0, CORRECTED)
    policy = suite.playing.policies[agent](session, attempt_generator(0, task.annotated_task.id, 1))
    play(session, {"agent": policy})
    return [action for entry in session.entries if (action := read_call(entry.call)) is not None]


def timed(suite: Any, task: Any, actions: Sequence[Action], settings: dict[str, str]) -> float:
    """Processor seconds for all actions of a session."""
    session = suite.playing.start(task, settings, 0, CORRECTED)
    began = time.process_time()
    for action in actions:
        session.act("agent", action)
        session.observe("agent").news  # noqa: B018
        session.progress()
    return time.process_time() - began


def bare(task: Any, actions: Sequence[Action]) -> float:
    """Processor seconds of the world alone for the same actions."""
    world, state, history = task.world, task.annotated_task.task.initial, History()
    known = [a for a in actions if a.name in world.schemas]
    began = time.process_time()
    for action in known:
        after = world.step(state, action, history).state
        if after is not state:
            history.append(state)
            state = after
    return time.process_time() - began


def memory() -> float:
    """What the process takes now, in MB."""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * resource.getpagesize() / 2**20


def lines(number: int) -> Iterator[str]:
    """The report."""
    for world in ("virtualhome", "behavior"):
        suite = get_suite(f"eai.{world}.interactive")
        tasks = suite.tasks.load(CORRECTED)
        some = tasks[:: max(1, len(tasks) // number)][:number]
        for settings in ({}, {"observability": "room"}):
            for agent in ("oracle", "random"):
                done = [(task, actions_of(suite, task, agent, settings)) for task in some]
                runs = [
                    (
                        sum(timed(suite, task, actions, settings) for task, actions in done),
                        sum(bare(task, actions) for task, actions in done),
                    )
                    for _ in range(5)
                ]
                seconds, alone = (min(column) for column in zip(*runs, strict=True))
                count = sum(len(actions) for _, actions in done)
                seen = settings.get("observability", "full")
                yield (
                    f"{world} {seen} {agent}: {count / seconds:,.0f} actions a second"
                    f" (the world alone: {count / alone:,.0f})"
                )
            began = time.process_time()
            opened = [
                suite.playing.start(some[i % 10], settings, 0, CORRECTED) for i in range(1000)
            ]
            each = (time.process_time() - began) / len(opened)
            plain = memory()
            for i, session in enumerate(opened):
                for action in done[i % 10][1][:10]:
                    session.act("agent", action)
            yield (
                f"{world} {seen}: a session starts in {1000 * each:.3f} ms; 1,000 after ten random"
                f" actions each take {memory() - plain:.0f} MB"
            )


if __name__ == "__main__":
    for line in lines(int(sys.argv[1]) if sys.argv[1:] else 60):
        print(line, flush=True)
