"""An author of episodes that costs nothing, for tests of what is made around one.

In a module of its own, so that other processes can import it.
"""

from __future__ import annotations

import os
import time
from collections import Counter
from pathlib import Path

import numpy as np

from homebody.authoring.partnr.draft import FailureMode, Rejected
from homebody.core import HomebodyError
from homebody.goals.partnr import (
    Episode,
    Evaluation,
    Proposition,
    TemporalConstraint,
    TerminalSatisfactionConstraint,
)

THINGS = ("cup", "plate", "book", "spoon", "apple")
PLACES = ("table", "counter", "shelf")


def make(split: str, scene: int, index: int) -> tuple[Episode, Counter[FailureMode]]:
    """An episode that hangs on its arguments alone, and up to three rejected drafts."""
    rng = np.random.default_rng([scene, index, *split.encode()])
    thing, other = (f"{THINGS[int(i)]}_0" for i in rng.permutation(len(THINGS))[:2])
    place = f"{PLACES[int(rng.integers(3))]}_{int(rng.integers(2))}"
    propositions = (
        Proposition("is_on_top", ((thing,), (place,))),
        Proposition("is_clean", ((other,),)),
    )
    constraints = (TemporalConstraint(((0, 1),)), TerminalSatisfactionConstraint((0, 1)))
    cut = int(rng.integers(1, 3))
    evaluation = Evaluation(propositions[:cut], (), constraints if cut == 2 else ())
    failures = Counter(
        {FailureMode.NO_ROOM: int(rng.integers(3)), FailureMode.SATISFIED: index % 2}
    )
    episode = Episode(
        f"{split}-{scene}-{index}",
        f"home-{scene}",
        f"Put the {thing[:-2]} on {place}, please: number {index}.",
        evaluation,
        house_seed=scene,
    )
    return episode, failures


def slow(split: str, scene: int, index: int) -> tuple[Episode, Counter[FailureMode]]:
    time.sleep(0.005)
    return make(split, scene, index)


def moody(split: str, scene: int, index: int) -> tuple[Episode, Counter[FailureMode]]:
    """Gives up on every third index below 5,000,000."""
    if index % 3 == 0 and index < 5_000_000:
        raise Rejected(FailureMode.UNSOLVED, "on purpose")
    return make(split, scene, index)


def sullen(split: str, scene: int, index: int) -> tuple[Episode, Counter[FailureMode]]:
    """The same with another error."""
    if index % 3 == 0 and index < 5_000_000:
        raise HomebodyError("on purpose")
    return make(split, scene, index)


def hopeless(split: str, scene: int, index: int) -> tuple[Episode, Counter[FailureMode]]:
    raise Rejected(FailureMode.CONTRADICTION, "on purpose")


def broken(split: str, scene: int, index: int) -> tuple[Episode, Counter[FailureMode]]:
    raise ZeroDivisionError("on purpose")


def mistaken(split: str, scene: int, index: int) -> tuple[Episode, Counter[FailureMode]]:
    raise HomebodyError("on purpose", "do otherwise")


def dying(split: str, scene: int, index: int) -> tuple[Episode, Counter[FailureMode]]:
    os._exit(7)


def counted(
    folder: str, split: str, scene: int, index: int
) -> tuple[Episode, Counter[FailureMode]]:
    """As ``make``, with a file for every call, so that work done twice can be told."""
    number = len(list(Path(folder).glob(f"{scene}-{index}.*")))
    (Path(folder) / f"{scene}-{index}.{number}").touch()
    return make(split, scene, index)
