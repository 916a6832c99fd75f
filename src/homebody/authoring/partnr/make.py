"""Makes the episode with a given number: samples, instantiates and verifies drafts until one
passes.

The result depends only on the split, the house and the number, so that any part of a data set can
be generated anywhere, in any order, and again.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable

import numpy as np

from homebody.authoring.partnr.draft import Draft, FailureMode, Rejected
from homebody.authoring.partnr.grammar.author import author
from homebody.authoring.partnr.instantiate import instantiate
from homebody.authoring.partnr.verify import verify
from homebody.core import HomebodyError
from homebody.core.ground.seeds import generator
from homebody.goals.partnr import Episode
from homebody.suites.partnr.episodes.kinds import KINDS
from homebody.suites.partnr.episodes.scene import scene

TRIES = 60
"""Maximum number of drafts; most episodes need only one."""


def make(split: str, scene_seed: int, index: int) -> tuple[Episode, Counter[FailureMode]]:
    """Return the episode of a number in a house, and the failures of drafts before it.

    Types of tasks alternate, so that they are balanced. Raises HomebodyError with the failures if
    no draft passed.
    """
    rng = generator(f"partnr {split} {scene_seed} {index}")
    house = scene(scene_seed)
    kind = KINDS[index % len(KINDS)]
    drafts = (lambda: author(house, rng, (kind,)) for _ in range(TRIES))
    problem = HomebodyError(
        f"no draft for {kind} in house {scene_seed} passed", "use another house"
    )
    return first_verified(f"{split}-{scene_seed}-{index}", scene_seed, drafts, rng, problem)


def first_verified(
    id: str,
    scene_seed: int,
    drafts: Iterable[Callable[[], Draft]],
    rng: np.random.Generator,
    problem: HomebodyError,
) -> tuple[Episode, Counter[FailureMode]]:
    """Return the episode of the first draft that passes, and the failures of earlier drafts. Raises
    ``problem``, with the failures, if no draft passes.

    Each draft is sampled only when it is needed. Its author may raise Rejected.
    """
    failures: Counter[FailureMode] = Counter()
    for draw in drafts:
        try:
            episode = instantiate(id, scene_seed, draw(), rng)
            verify(episode)
        except Rejected as rejected:
            failures[rejected.failure] += 1
            continue
        return episode, failures
    counts = ", ".join(f"{failure.value} {count}" for failure, count in sorted(failures.items()))
    raise HomebodyError(f"{problem} ({counts})", problem.hint)
