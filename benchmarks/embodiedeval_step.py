"""How long a step of EmbodiedEval takes, beside its picture alone.

    python benchmarks/embodiedeval_step.py [--tasks FILE] [--limit 40] [--runs 3]

One core. Each task is played by the oracle: options, the transition, the picture of 448 x 448 and
the predicates are a step; then the same cameras are drawn again, in the state that the run ended
in. Times are CPU milliseconds, of each step the best of several runs, over all steps. Goal of the
issue: a step takes at most 1.2 times the picture alone. Without a file the tasks are the test set.
"""

from __future__ import annotations

import argparse
import os
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

os.environ.setdefault("OMP_NUM_THREADS", "1")

import numpy as np

from homebody.core import CORRECTED
from homebody.suites.embodiedeval.interactions import AGENT
from homebody.suites.embodiedeval.session import start
from homebody.suites.embodiedeval.tasks import EmbodiedTask, load, read_tasks
from homebody.suites.embodiedeval.views import camera_of, picture


def timed(work: Callable[[], object]) -> float:
    """CPU milliseconds of some work."""
    began = time.process_time()
    work()
    return (time.process_time() - began) * 1e3


def play(task: EmbodiedTask) -> tuple[list[list[float]], Any]:
    """CPU milliseconds of options, transition with predicates, and picture, of each step."""
    session: Any = start(task, {}, 0, CORRECTED)
    session.images(AGENT)
    found = []
    for text in task.plan:
        times: list[float] = []
        began = time.process_time()
        options = session.options(AGENT)
        action = next(each for each in options if session.game.text(each) == text)
        times.append((time.process_time() - began) * 1e3)
        times.append(timed(lambda action=action: session.act(AGENT, action)))  # type: ignore[misc]
        times.append(timed(lambda: session.images(AGENT)))
        found.append(times)
    return found, session


def alone(session: Any) -> list[float]:
    """CPU milliseconds of the pictures of a run's views, while nothing else happens."""
    game = session.game
    cameras = [camera_of(game.house, step.view) for step in game.taken]
    picture(game.state, cameras[0])
    return [timed(lambda camera=camera: picture(game.state, camera)) for camera in cameras]  # type: ignore[misc]


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tasks", type=Path, help="a file of tasks")
    parser.add_argument("--limit", type=int, default=40, help="tasks, evenly out of all")
    parser.add_argument("--runs", type=int, default=3)
    options = parser.parse_args()
    tasks = read_tasks(options.tasks) if options.tasks else load("test")
    every = max(1, len(tasks) // options.limit)
    steps: list[np.ndarray] = []
    pictures: list[np.ndarray] = []
    for task in tasks[::every][: options.limit]:
        runs, others = [], []
        play(task)  # meshes, light and ways of the house
        for _ in range(options.runs):
            times, session = play(task)
            runs.append(times)
            others.append(alone(session))
        best = np.argmin(np.sum(runs, axis=2), axis=0)
        steps.append(np.array(runs)[best, np.arange(len(best))])
        pictures.append(np.min(others, axis=0))
    parts, drawn = np.concatenate(steps), np.concatenate(pictures)
    named = zip(("options", "transition and predicates", "its picture"), parts.T, strict=True)
    print(f"steps                       {len(parts):8d}")
    for name, values in [*named, ("a step", parts.sum(axis=1)), ("the picture alone", drawn)]:
        print(f"{name:27} {values.mean():8.2f} ms   (most {values.max():.1f})")
    print(f"a step / the picture alone  {parts.sum() / drawn.sum():8.3f}")


if __name__ == "__main__":
    main()
