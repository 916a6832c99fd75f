"""The tasks of a split: candidates of each scene, of which a balanced choice is taken."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from functools import partial
from itertools import cycle, islice
from typing import Final

import msgspec
import numpy as np

from homebody.authoring.embodiedeval import families
from homebody.authoring.embodiedeval.draft import FAMILIES
from homebody.authoring.embodiedeval.make import answered, make_task
from homebody.authoring.embodiedeval.survey import Survey
from homebody.core import HomebodyError, Progress, engines
from homebody.suites.embodiedeval.tasks import CATEGORIES, EmbodiedTask, Scene
from homebody.worlds.house.model.catalogue import catalogue

COUNTS: Final[Mapping[str, int]] = {
    "attribute_qa": 95,
    "spatial_qa": 52,
    "navigation": 58,
    "object_interaction": 89,
    "social_interaction": 34,
}
"""Category -> tasks of the test set: as many as the paper has (section 3.4)."""
KINDS: Final = (
    *("home", "office", "home", "classroom", "home", "restaurant", "home", "shop", "home"),
    *("hospital", "home", "gym", "home", "hotel", "home", "gallery", "home", "supermarket"),
)
"""Kinds of scenes, in turn."""
SCENES: Final = 144
"""Of which the test set takes its tasks: the paper has 125."""
FIRST: Final = {"test": 30_000, "train": 40_000}
"""Split -> seed of its first scene."""
TRIED: Final = 3
"""Drafts of a family that are tried in a scene."""
PER_SCENE: Final = 14
"""Families that are tried in a scene."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A task of a scene, with all that could be answered wrongly."""

    task: EmbodiedTask
    right: str
    wrong: tuple[str, ...]


def scenes(split: str, count: int) -> list[Scene]:
    """The scenes of a split. Homes are of all types, in turn."""
    types = cycle(("", *catalogue().scenes["home"].types))
    made = []
    for number, kind in enumerate(islice(cycle(KINDS), count)):
        type_ = next(types) if kind == "home" else ""
        made.append(Scene(kind, FIRST[split] + number, None, type_))
    return made


def generate(
    split: str = "test",
    *,
    counts: Mapping[str, int] = COUNTS,
    seed: int = 0,
    count: int = SCENES,
    engine: str = "pool",
    workers: int | None = None,
    progress: Progress | None = None,
) -> list[EmbodiedTask]:
    """Tasks of a split, each solved by its shortest run.

    Args:
        split: ``test`` or ``train``: no two have a scene in common.
        counts: Category -> how many.
        seed: Another makes other tasks.
        count: Of scenes.
        engine: One of :data:`~homebody.core.engines.ENGINES`.
        workers: How many processes; as many as there are cores if left out.
        progress: Told of scenes.

    Raises:
        HomebodyError: there is no such split or engine, or there are not so many tasks.
    """
    if split not in FIRST:
        raise HomebodyError(f"there is no split {split[:40]!r}", f"there are: {', '.join(FIRST)}")
    jobs = list(enumerate(scenes(split, count)))
    found: dict[int, list[Candidate]] = {}
    run = engines.named(engine)(partial(candidates, seed), jobs, workers or engines.cores())
    with closing(run):
        for number, made in run:
            found[number] = made
            if progress is not None:
                progress("scenes", len(found), len(jobs))
    pool = [candidate for number in sorted(found) for candidate in found[number]]
    return choose(pool, counts, seed)


def candidates(seed: int, job: tuple[int, Scene]) -> tuple[int, list[Candidate]]:
    """Tasks of some families in a scene, one of each."""
    number, scene = job
    rng = np.random.default_rng([seed, scene.seed])
    survey = Survey(scene)
    entered = [(category, name) for category in CATEGORIES for name in FAMILIES.get(category, ())]
    start = number * PER_SCENE % len(entered)
    chosen = [*entered[start:], *entered[:start]][:PER_SCENE]
    made = []
    for category, name in chosen:
        drafts = list(FAMILIES[category][name](survey, rng))
        for at in rng.permutation(len(drafts))[:TRIED]:
            draft = drafts[int(at)]
            identifier = f"{name}-{scene.seed}"
            task = make_task(survey, category, name, draft, identifier, rng)
            if task is not None:
                made.append(Candidate(task, draft.right, draft.wrong))
                break
    return number, made


def choose(pool: Sequence[Candidate], counts: Mapping[str, int], seed: int) -> list[EmbodiedTask]:
    """A choice of so many of each category: families and scenes as even as can be, and of a family
    those whose answer was right least often. Raises HomebodyError if there are not so many."""
    rng = np.random.default_rng(seed)
    used: Counter[int] = Counter()
    chosen: list[Candidate] = []
    for category, count in counts.items():
        groups: dict[str, list[Candidate]] = defaultdict(list)
        for candidate in pool:
            if candidate.task.category == category:
                groups[candidate.task.family].append(candidate)
        right: dict[str, Counter[str]] = defaultdict(Counter)
        taken = 0
        while taken < count and groups:
            for family in sorted(groups):
                if taken == count:
                    break
                best = min(
                    groups[family],
                    key=lambda each: (right[family][each.right], used[each.task.scene.seed]),
                )
                groups[family].remove(best)
                right[family][best.right] += 1
                used[best.task.scene.seed] += 1
                chosen.append(best)
                taken += 1
            groups = {family: left for family, left in groups.items() if left}
        if taken < count:
            raise HomebodyError(
                f"there are {taken} tasks of {category}, not {count}", "more scenes"
            )
    return list(_finished(chosen, pool, rng))


def _finished(
    chosen: Sequence[Candidate], pool: Sequence[Candidate], rng: np.random.Generator
) -> Iterator[EmbodiedTask]:
    """The tasks, with wrong answers that are as often right in others of their family."""
    likely: dict[str, Counter[str]] = defaultdict(Counter)
    for candidate in pool:
        likely[candidate.task.family][candidate.right] += 1
    for candidate in chosen:
        task = candidate.task
        if not candidate.right:
            yield task
            continue
        answers = answered(candidate.right, candidate.wrong, rng, likely[task.family])
        others = tuple(option for option in task.options if option not in task.answers)
        yield msgspec.structs.replace(task, options=(*others, *answers))


__all__ = ["COUNTS", "Candidate", "candidates", "choose", "families", "generate", "scenes"]
