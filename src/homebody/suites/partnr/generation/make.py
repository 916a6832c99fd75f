"""Episodes by number: drafts are drawn, instantiated and verified until one is a task.

What comes out depends on the split, the house and the number alone, so that any part of a data
set can be made anywhere, in any order, and again.
"""

from __future__ import annotations

from collections import Counter

from homebody.core import HomebodyError
from homebody.goals.evaluation import Episode
from homebody.suites.partnr.generation.draft import Failure, Rejected
from homebody.suites.partnr.generation.grammar.author import author
from homebody.suites.partnr.generation.instantiate import instantiate
from homebody.suites.partnr.generation.verify import verify
from homebody.suites.partnr.kinds import KINDS
from homebody.suites.partnr.scene import generator, scene

TRIES = 60
"""Drafts that are tried; most episodes take the first."""


def make(split: str, scene_seed: int, index: int) -> tuple[Episode, Counter[Failure]]:
    """The episode of a number in a house, and why drafts before it were rejected.

    The types of tasks take turns, so that they are balanced.

    Raises:
        HomebodyError: no draft passed, which says why.
    """
    rng = generator(f"partnr {split} {scene_seed} {index}")
    house = scene(scene_seed)
    kind = KINDS[index % len(KINDS)]
    failures: Counter[Failure] = Counter()
    for _ in range(TRIES):
        draft = author(house, rng, (kind,))
        try:
            episode = instantiate(f"{split}-{scene_seed}-{index}", scene_seed, draft, rng)
            verify(episode)
        except Rejected as rejected:
            failures[rejected.failure] += 1
            continue
        return episode, failures
    counted = ", ".join(f"{one.value} {count}" for one, count in sorted(failures.items()))
    raise HomebodyError(
        f"no draft for {kind} in house {scene_seed} passed ({counted})", "use another house"
    )
