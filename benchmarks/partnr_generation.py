"""How fast verified episodes are made without a model, and what they are like.

    python benchmarks/partnr_generation.py [--episodes 2000] [--workers 4] [--engine pool]
        [--compare-ray 200] [--keep FOLDER]

Makes episodes of train, tells what 100,000 would take at that rate, the most memory of a worker,
why drafts were rejected, and the statistics of the file. With --compare-ray it makes so many
episodes with Ray too, and says whether the files are equal. Houses are shared by 200 episodes each
in a file of 100,000; a small file has the same load only if --episodes is 7,400 or more, so that
what houses cost is over-, not underestimated.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from contextlib import ExitStack
from pathlib import Path

from homebody.authoring.partnr import shards
from homebody.authoring.partnr.counts import GenerationPlan
from homebody.authoring.partnr.make import make
from homebody.authoring.partnr.statistics import format_statistics, statistics
from homebody.core.ground.engines import ENGINES, cores
from homebody.suites.partnr.episodes import files


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--episodes", type=int, default=2_000)
    parser.add_argument("--workers", type=int, default=cores())
    parser.add_argument("--engine", choices=tuple(ENGINES), default="pool")
    parser.add_argument("--compare-ray", type=int, default=0, metavar="EPISODES")
    parser.add_argument("--keep", type=Path, help="write into this folder, and leave it")
    given = parser.parse_args()
    with ExitStack() as stack:
        folder = given.keep or Path(stack.enter_context(tempfile.TemporaryDirectory()))
        began = time.perf_counter()
        report = shards.generate(
            folder / "made",
            GenerationPlan("train", given.episodes),
            make,
            engine=given.engine,
            workers=given.workers,
        )
        seconds = time.perf_counter() - began
        counts = report.counts
        size = (folder / "made" / "episodes.jsonl.gz").stat().st_size
        print(f"{counts.episodes:,} episodes in {report.houses} houses in {seconds:.1f} s")
        print(
            f"  {given.engine}, {given.workers} workers: {counts.episodes / seconds:.1f} a second"
        )
        print(f"  100,000 would take {100_000 * seconds / counts.episodes / 60:.1f} minutes")
        print(f"  {1e3 * counts.seconds / counts.episodes:.0f} ms of one core an episode")
        print(f"  {counts.megabytes:.0f} MB at most in a worker")
        print(f"  {size / counts.episodes:.0f} bytes an episode, compressed")
        print(f"  {counts.acceptance:.1%} of drafts accepted")
        for name, count in sorted(counts.rejected.items(), key=lambda pair: -pair[1]):
            print(f"    {name}: {count}")
        print()
        print(
            format_statistics(
                statistics(files.read_file(folder / "made" / "episodes.jsonl.gz")), 20
            )
        )
        if given.compare_ray:
            plan = GenerationPlan("val", given.compare_ray)
            for engine in ("pool", "ray"):
                shards.generate(folder / engine, plan, make, engine=engine, workers=given.workers)
            pool, ray = (
                (folder / engine / "episodes.jsonl.gz").read_bytes() for engine in ("pool", "ray")
            )
            print(f"\n{given.compare_ray} episodes by pool and by Ray are equal: {pool == ray}")


if __name__ == "__main__":
    main()
