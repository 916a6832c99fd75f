"""Environments, timed: steps a second on one core, and as a share of two peers' in the same run.

    python benchmarks/environments.py [--steps 1000] [--rounds 5] [--peers PYTHON]

Each plays at random in episodes of at most 100 steps (MiniGrid: as long as its own are), resets
included, in rounds, one after the other in each, so that a busy machine is busy for all; the best
round counts. With ``--peers``, a Python that has ``minigrid`` and ``textworld-express`` (which
needs Java), these are timed too.

Goals: with symbols and mask at least as fast as MiniGrid; with text (news) and the mask of valid
actions at least as fast as TextWorldExpress with its list of valid actions; a reset in a known
house under 2 ms.
"""

from __future__ import annotations

import argparse
import json
import random
import subprocess
import sys
import time
import warnings
from collections.abc import Callable
from typing import Any

Timed = tuple[float, float, float]
"""Seconds of steps, of choosing actions, and of resets."""


def gym_loop(env: Any, choose: Callable[[Any, Any], int]) -> Callable[[int], Timed]:
    """Plays a Gymnasium environment."""
    import numpy as np

    rng = np.random.default_rng(0)

    def run(steps: int) -> Timed:
        stepping = choosing = resetting = 0.0
        info: Any = None
        for _ in range(steps):
            a = time.perf_counter()
            if info is None:
                _, info = env.reset(seed=int(rng.integers(2**31)))
            b = time.perf_counter()
            action = choose(rng, info)
            c = time.perf_counter()
            _, _, done, cut, info = env.step(action)
            d = time.perf_counter()
            resetting, choosing, stepping = resetting + b - a, choosing + c - b, stepping + d - c
            if done or cut:
                info = None
        return stepping, choosing, resetting

    return run


def house(**settings: Any) -> Callable[[int], Timed]:
    import gymnasium
    import numpy as np

    import homebody.train  # noqa: F401
    from homebody.worlds.house.generation.generate import generate

    env = gymnasium.make("homebody/House-v0", scene=generate(3), **settings)

    def choose(rng: Any, info: Any) -> int:
        possible = np.flatnonzero(info["action_mask"])
        return int(possible[int(rng.integers(len(possible)))])

    return gym_loop(env, choose)


def minigrid(name: str) -> Callable[[int], Timed]:
    import gymnasium
    import minigrid  # noqa: F401

    env = gymnasium.make(name)
    actions = int(env.action_space.n)  # type: ignore[attr-defined]
    return gym_loop(env, lambda rng, info: int(rng.integers(actions)))


def textworld() -> Callable[[int], Timed]:
    from textworld_express import TextWorldExpressEnv

    env = TextWorldExpressEnv(envStepLimit=100)
    env.load(gameName="cookingworld", gameParams="numLocations=11, numIngredients=5")
    rng = random.Random(0)

    def run(steps: int) -> Timed:
        stepping = choosing = resetting = 0.0
        info: Any = None
        for _ in range(steps):
            a = time.perf_counter()
            if info is None:
                _, info = env.reset(seed=rng.randrange(50), gameFold="train")
            b = time.perf_counter()
            action = rng.choice(info["validActions"])
            c = time.perf_counter()
            _, _, done, info = env.step(action)
            d = time.perf_counter()
            resetting, choosing, stepping = resetting + b - a, choosing + c - b, stepping + d - c
            if done:
                info = None
        return stepping, choosing, resetting

    return run


OURS: dict[str, Callable[[], Callable[[int], Timed]]] = {
    "house symbols": lambda: house(),
    "house news": lambda: house(observe=("news",)),
    "house symbols, sees all": lambda: house(sees="all"),
}
PEERS: dict[str, Callable[[], Callable[[int], Timed]]] = {
    "minigrid DoorKey-8x8": lambda: minigrid("MiniGrid-DoorKey-8x8-v0"),
    "minigrid MultiRoom-N6": lambda: minigrid("MiniGrid-MultiRoom-N6-v0"),
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
    best: dict[str, Timed] = {}
    for _ in range(options.rounds):
        for name, worker in workers.items():
            assert worker.stdin is not None
            assert worker.stdout is not None
            worker.stdin.write(f"{options.steps}\n")
            worker.stdin.flush()
            timed = json.loads(worker.stdout.readline())
            best[name] = min(best.get(name, timed), timed, key=sum)
    for worker in workers.values():
        worker.terminate()
    rates = {}
    for name, (stepping, choosing, resetting) in best.items():
        rates[name] = options.steps / (stepping + resetting)
        with_choosing = options.steps / (stepping + choosing + resetting)
        episodes = max(1, options.steps // 100)
        print(
            f"{name:25} {rates[name]:8.0f} steps/s, {with_choosing:8.0f} with choosing actions"
            + (f", reset {resetting / episodes * 1e3:.2f} ms" if name in OURS else "")
        )
    for ours, peer in (
        ("house symbols", "minigrid DoorKey-8x8"),
        ("house symbols", "minigrid MultiRoom-N6"),
        ("house news", "textworld-express"),
    ):
        if peer in rates:
            print(f"{ours} / {peer}: {rates[ours] / rates[peer]:.2f}")


if __name__ == "__main__":
    main()
