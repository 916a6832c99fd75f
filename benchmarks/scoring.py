"""How long scoring takes: milliseconds for an output, by suite and by who wrote the outputs.

    python benchmarks/scoring.py [SUITE ...] [--quick] [--protocol published] [--profile 25]

The agents without a model answer the tasks of every suite, the best of them also with seeded
mistakes, and all that is scored in this process. ``PYTHONPATH`` says of which version. ``--quick``
takes every 20th task; ``--profile`` prints the functions that cost most.
"""

from __future__ import annotations

import argparse
import cProfile
import pstats
import random
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

sys.path.insert(0, str(Path(__file__).parent))

from same_results import with_mistakes

from homebody.suites import get_suite

SUITES = [
    f"eai.{world}.{ability}"
    for world in ("virtualhome", "behavior")
    for ability in (
        "action_sequencing",
        "goal_interpretation",
        "subgoal_decomposition",
        "transition_modeling",
    )
] + ["eai.behavior1k.action_sequencing", "partnr.val"]
SEED = 0


def outputs_of(suite: Any, tasks: Sequence[Any]) -> dict[str, list[str]]:
    """Who wrote the outputs -> one for each task."""
    written = {
        name: [agent(task, np.random.default_rng([SEED, at])) for at, task in enumerate(tasks)]
        for name, agent in suite.agents.items()
        if name in ("oracle", "expert", "random")
    }
    best = "oracle" if "oracle" in written else "expert"
    written["mistakes"] = [
        with_mistakes(output, random.Random(at)) for at, output in enumerate(written.get(best, ()))
    ]
    return {name: outputs for name, outputs in written.items() if outputs}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("suites", nargs="*", choices=[*SUITES, []], metavar="SUITE")
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--protocol", default="corrected")
    parser.add_argument("--profile", type=int, default=0, metavar="LINES")
    options = parser.parse_args()
    print(f"{'suite':36}{'load s':>8}{'outputs of':>12}{'number':>8}{'ms each':>10}{'longest':>10}")
    for name in options.suites or SUITES:
        start = time.perf_counter()
        suite = get_suite(name)
        protocol = suite.protocol(options.protocol)
        tasks = suite.load(protocol)
        loading = time.perf_counter() - start
        tasks = tasks[:: 50 if name.startswith("partnr") else 1][:: 20 if options.quick else 1]
        for author, outputs in outputs_of(suite, tasks).items():
            profile = cProfile.Profile()
            if options.profile:
                profile.enable()
            times = []
            for task, output in zip(tasks, outputs, strict=True):
                start = time.perf_counter()
                suite.score(task, output, protocol)
                times.append(1000 * (time.perf_counter() - start))
            profile.disable()
            mean = sum(times) / len(times)
            numbers = f"{author:>12}{len(times):8}{mean:10.2f}{max(times):10.1f}"
            print(f"{name:36}{loading:8.2f}{numbers}", flush=True)
            if options.profile:
                pstats.Stats(profile).sort_stats("tottime").print_stats(options.profile)


if __name__ == "__main__":
    main()
