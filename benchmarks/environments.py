"""Environments, timed: steps a second on one core, and as a share of two peers' in the same run.

    python benchmarks/environments.py [--steps 1000] [--rounds 5] [--peers PYTHON]

Each plays at random in episodes of at most 100 steps (MiniGrid: as long as its own are), resets
included, the same episodes in each round, one environment after the other. Of each step the fastest
round counts, so that a machine that is busy with other things is no disadvantage to any. With
``--peers``, a Python that has ``minigrid`` and ``textworld-express`` (which needs Java), these are
timed too.

Goals: with symbols and mask at least as fast as MiniGrid; with text (news) and the mask of valid
actions at least as fast as TextWorldExpress with its list of valid actions; a reset in a known
house under 2 ms.
"""

from __future__ import annotations

import argparse
import json
import random
import statistics
import subprocess
import sys
import time
import warnings
from collections.abc import Callable
from typing import Any

Times = list[tuple[str, float]]
"""What was done (``step``, ``choose``, ``reset``), and seconds."""
Play = Callable[[int], Times]


class Clock:
    """Times what is done."""

    def __init__(self) -> None:
        self.times: Times = []

    def __call__(self, name: str, work: Callable[[], Any]) -> Any:
        began = time.perf_counter()
        result = work()
        self.times.append((name, time.perf_counter() - began))
        return result


def gym_loop(env: Any, choose: Callable[[Any, Any], int]) -> Play:
    """Plays a Gymnasium environment."""
    import numpy as np

    def run(steps: int) -> Times:
        rng, clock, info = np.random.default_rng(0), Clock(), None
        for _ in range(steps):
            if info is None:
                seed = int(rng.integers(2**31))
                _, info = clock("reset", lambda seed=seed: env.reset(seed=seed))
            action = clock("choose", lambda info=info: choose(rng, info))
            _, _, done, cut, info = clock("step", lambda action=action: env.step(action))
            if done or cut:
                info = None
        return clock.times

    return run


def house(**settings: Any) -> Play:
    import gymnasium
    import numpy as np

    import homebody.train  # noqa: F401
    from homebody.worlds.house.generation.generate import generate

    env = gymnasium.make("homebody/House-v0", scene=generate(3), **settings)

    def choose(rng: Any, info: Any) -> int:
        possible = np.flatnonzero(info["action_mask"])
        return int(possible[int(rng.integers(len(possible)))])

    return gym_loop(env, choose)


def minigrid(name: str) -> Play:
    import gymnasium
    import minigrid  # noqa: F401

    env = gymnasium.make(name)
    actions = int(env.action_space.n)  # type: ignore[attr-defined]
    return gym_loop(env, lambda rng, info: int(rng.integers(actions)))


def textworld() -> Play:
    from textworld_express import TextWorldExpressEnv

    env = TextWorldExpressEnv(envStepLimit=100)
    env.load(gameName="cookingworld", gameParams="numLocations=11, numIngredients=5")

    def run(steps: int) -> Times:
        rng, clock, info = random.Random(0), Clock(), None
        for _ in range(steps):
            if info is None:
                seed = rng.randrange(50)
                _, info = clock("reset", lambda seed=seed: env.reset(seed=seed, gameFold="train"))
            action = clock("choose", lambda info=info: rng.choice(info["validActions"]))
            _, _, done, info = clock("step", lambda action=action: env.step(action))
            if done:
                info = None
        return clock.times

    return run


OURS: dict[str, Callable[[], Play]] = {
    "house symbols": lambda: house(),
    "house news": lambda: house(observe=("news",)),
    "house symbols, sees all": lambda: house(sees="all"),
}
PEERS: dict[str, Callable[[], Play]] = {
    "minigrid DoorKey-8x8": lambda: minigrid("MiniGrid-DoorKey-8x8-v0"),
    "minigrid MultiRoom-N6": lambda: minigrid("MiniGrid-MultiRoom-N6-v0"),
    "minigrid FourRooms": lambda: minigrid("MiniGrid-FourRooms-v0"),
    "minigrid Dynamic-Obstacles-16x16": lambda: minigrid("MiniGrid-Dynamic-Obstacles-16x16-v0"),
    "textworld-express": textworld,
}


def work(name: str) -> None:
    """Time one of them whenever a number of steps comes in."""
    warnings.simplefilter("ignore")
    run = {**OURS, **PEERS}[name]()
    for line in sys.stdin:
        print(json.dumps(run(int(line))), flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--steps", type=int, default=1000)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--peers", metavar="PYTHON", default="")
    parser.add_argument("--work", default="", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.work:
        work(options.work)
        return
    pythons = dict.fromkeys(OURS, sys.executable)
    pythons |= {name: options.peers for name in PEERS if options.peers}
    workers = {
        name: subprocess.Popen(
            [python, __file__, "--work", name],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )
        for name, python in pythons.items()
    }
    best: dict[str, Times] = {}
    for _ in range(options.rounds):
        for name, worker in workers.items():
            assert worker.stdin is not None
            assert worker.stdout is not None
            worker.stdin.write(f"{options.steps}\n")
            worker.stdin.flush()
            times = json.loads(worker.stdout.readline())
            before = best.get(name, times)
            best[name] = [
                (what, min(seconds, other))
                for (what, seconds), (_, other) in zip(times, before, strict=True)
            ]
    for worker in workers.values():
        worker.terminate()
    rates = {}
    for name, times in best.items():
        taken: dict[str, list[float]] = {"step": [], "choose": [], "reset": []}
        for what, seconds in times:
            taken[what].append(seconds)
        rates[name] = options.steps / (sum(taken["step"]) + sum(taken["reset"]))
        choosing = options.steps / sum(map(sum, taken.values()))
        reset = statistics.median(taken["reset"]) * 1e3
        print(
            f"{name:32} {rates[name]:6.0f} steps/s, {choosing:6.0f} with choosing actions, "
            f"a reset {reset:.2f} ms"
        )
    for peer in PEERS:
        ours = "house news" if peer == "textworld-express" else "house symbols"
        if peer in rates:
            print(f"{ours} / {peer}: {rates[ours] / rates[peer]:.2f}")


if __name__ == "__main__":
    main()
