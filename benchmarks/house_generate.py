"""How long generating houses takes, whether all are sound, and what a house weighs.

    python benchmarks/house_generate.py [--houses 1000]

One core. Times are CPU seconds of ``generate`` for 6 rooms, 60 pieces of furniture and 150
objects over 20 seeds. Then so many houses of all kinds, each of another seed and 1 to 12 rooms,
are generated and given to ``validity.check``; the exit status is 1 if one has a problem. The
memory is how far a house of 6 rooms and its structures for casting rays, pictures and sight take
the peak of the process above what it held before, with all libraries loaded (Linux).
"""

from __future__ import annotations

import argparse
import os
import resource
import sys
import time
from pathlib import Path

os.environ.setdefault("OMP_NUM_THREADS", "1")

import numpy as np

from homebody.worlds.house.generation.generate import generate
from homebody.worlds.house.generation.validity import check
from homebody.worlds.house.rendering.render import Camera, Renderer
from homebody.worlds.house.rendering.visibility import Visibility

KINDS = ("home", "office", "classroom", "shop", "gym", "restaurant", "gallery")
GLIMPSE = Camera((1.0, 1.0, 1.5), width=32, height=32)


def resident() -> float:
    """Memory that is resident now, MB."""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * resource.getpagesize() / 1e6


def peak() -> float:
    """The most memory that was resident so far, MB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024 / 1e6


def memory() -> float:
    """Peak memory of a house with its structures for casting rays, MB."""
    Renderer.of(generate(0, rooms=1)).picture(GLIMPSE)  # libraries and tables
    before = resident()
    house = generate(1, rooms=6, furniture=60, things=150)
    renderer = Renderer.of(house)
    renderer.picture(GLIMPSE)
    visibility = Visibility(renderer.scene)
    used = peak() - before
    del visibility
    return used


def times(count: int = 20) -> list[float]:
    """CPU seconds of generating a house of the asked size."""
    found = []
    for seed in range(count):
        start = time.process_time()
        house = generate(seed, rooms=6, furniture=60, things=150)
        found.append(time.process_time() - start)
        assert (len(house.furniture), len(house.things)) == (60, 150)
    return found


def faults(count: int) -> list[str]:
    """What is wrong with so many houses of all kinds and numbers of rooms."""
    found = []
    for seed in range(count):
        kind, rooms = KINDS[seed % len(KINDS)], 1 + seed // len(KINDS) % 12
        for problem in check(generate(seed, kind, rooms)):
            found.append(f"generate({seed}, {kind!r}, {rooms}): {problem}")
    return found


def main() -> int:
    """Print the numbers."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--houses", type=int, default=1000)
    options = parser.parse_args()
    used = memory()
    took = times()
    print(f"memory with structures for rays  {used:8.1f} MB   (asked: under 50)")
    print(f"generate, mean of {len(took)}             {np.mean(took):8.3f} s    (asked: under 0.3)")
    print(f"generate, slowest                {max(took):8.3f} s")
    start = time.process_time()
    found = faults(options.houses)
    print(f"houses generated and checked     {options.houses:8d}      "
          f"({time.process_time() - start:.0f} s)")  # fmt: skip
    print(f"problems                         {len(found):8d}      (asked: none)")
    print(*found[:20], sep="\n", end="")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
