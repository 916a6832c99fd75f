"""How long generating houses takes, whether all are sound, and what a house weighs.

    python benchmarks/house_generate.py [--houses 1000]

One core. Times are CPU seconds of ``generate`` for homes of 6 rooms that are lived in, over 20
seeds. Then so many houses of all kinds and types, each of another seed, bare to cluttered, with 1
to 12 rooms or as many as are drawn, are generated and given to ``validity.check``; the exit status
is 1 if one has a problem. The memory is how far a house of 6 rooms and its structures for casting
rays, pictures and sight take the peak of the process above what it held before, with all libraries
loaded (Linux).
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
from homebody.worlds.house.model.catalogue import catalogue
from homebody.worlds.house.rendering.render import Camera, Renderer
from homebody.worlds.house.rendering.visibility import Visibility

KINDS = [(kind, type) for kind, scene in catalogue().scenes.items() for type in ("", *scene.types)]
ROOMS = (None, *range(1, 13))
DENSITIES = (1.0, 1.0, 0.0, 0.5, 2.0)
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
    house = generate(1, rooms=6)
    renderer = Renderer.of(house)
    renderer.picture(GLIMPSE)
    visibility = Visibility(renderer.scene)
    used = peak() - before
    del visibility
    return used


def times(count: int = 20) -> list[float]:
    """CPU seconds of generating a home of six rooms."""
    found = []
    for seed in range(count):
        start = time.process_time()
        house = generate(seed, rooms=6)
        found.append(time.process_time() - start)
        assert len(house.things) > 150
    return found


def faults(count: int) -> list[str]:
    """What is wrong with so many houses of all kinds and numbers of rooms."""
    found = []
    for seed in range(count):
        kind, type = KINDS[seed % len(KINDS)]
        rooms = ROOMS[seed // len(KINDS) % len(ROOMS)]
        density = DENSITIES[seed // 7 % len(DENSITIES)]
        for problem in check(generate(seed, kind, rooms, type=type, density=density)):
            found.append(f"generate({seed}, {kind!r}, {rooms}, {type=}, {density=}): {problem}")
    return found


def main() -> int:
    """Print the numbers."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--houses", type=int, default=2000)
    options = parser.parse_args()
    used = memory()
    took = times()
    print(f"memory with structures for rays  {used:8.1f} MB   (asked: under 80)")
    print(
        f"generate, mean of {len(took)}             {np.mean(took):8.3f} s    (asked: under 0.15)"
    )
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
