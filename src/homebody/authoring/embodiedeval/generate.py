"""Generation of the tasks of a split: a balanced choice among the candidates of each scene."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import chain, cycle, islice
from typing import Final, TypeAlias

import msgspec
import numpy as np

from homebody.authoring.embodiedeval.families import FAMILIES
from homebody.authoring.embodiedeval.make import ANSWERS, choose_answers, make_task, places_of
from homebody.authoring.embodiedeval.survey import Survey
from homebody.core import HomebodyError, Progress
from homebody.core.ground.engines import all_results
from homebody.core.ground.seeds import shuffle
from homebody.suites.embodiedeval.tasks import CATEGORIES, EmbodiedTask, Scene
from homebody.worlds.house.model.catalogue import catalogue

COUNTS: Final[Mapping[str, int]] = {
    "attribute_qa": 95,
    "spatial_qa": 52,
    "navigation": 58,
    "object_interaction": 89,
    "social_interaction": 34,
}
"""Category -> number of tasks of the test set, as in the paper (section 3.4)."""
KINDS: Final = tuple(
    kind
    for other in (
        "office",
        "classroom",
        "restaurant",
        "shop",
        "hospital",
        "gym",
        "hotel",
        "gallery",
        "supermarket",
    )
    for kind in ("home", other)
)
"""Kinds of scenes in the order of their use: every second one is a home."""
SCENES: Final = 144
"""Number of scenes of the test set; the paper has 125."""
FIRST: Final = {"test": 30_000, "train": 40_000}
"""Split -> seed of its first scene."""
TRIED: Final = 3
"""Maximum number of drafts of a family that are tried in a scene."""
PER_SCENE: Final = 14
"""Maximum number of families that are tried in a scene."""
EASIEST: Final = 0.5
"""Maximum number of tasks by which a choice may make guessing more successful than chance. A family
is passed over in a round if all its tasks would exceed it."""
_Rank: TypeAlias = tuple[str, int]
"""The key by which answers are sorted, and a position in this order."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A task of a scene, with all possible wrong answers."""

    task: EmbodiedTask
    right: str
    wrong: tuple[str, ...]


def scenes(split: str, count: int) -> list[Scene]:
    """Return the scenes of a split. Types of homes alternate."""
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
    """Return tasks of a split, each solved by its shortest run.

    Args:
        split: ``test`` or ``train``, which share no scene.
        counts: Category -> number of tasks.
        seed: Seed of all random choices.
        count: Number of scenes.
        engine: One of :data:`~homebody.core.ground.engines.ENGINES`.
        workers: Number of processes; default: the number of cores.
        progress: Is notified of finished scenes.

    Raises:
        HomebodyError: the split or engine is unknown, or too few tasks were found.
    """
    if split not in FIRST:
        raise HomebodyError(f"unknown split: {split[:40]!r}", f"choose one of: {', '.join(FIRST)}")
    jobs = {job[0]: job for job in enumerate(scenes(split, count))}
    found = all_results(
        work=partial(candidates, seed),
        jobs=jobs,
        engine=engine,
        workers=workers,
        progress=progress,
        activity="scenes",
    )
    return choose([*chain.from_iterable(found.values())], counts, seed)


def candidates(seed: int, job: tuple[int, Scene]) -> list[Candidate]:
    """Return tasks of some families in a scene, one of each."""
    number, scene = job
    rng = np.random.default_rng([seed, scene.seed])
    survey = Survey(scene)
    entered = [(category, name) for category in CATEGORIES for name in FAMILIES.get(category, ())]
    start = number * PER_SCENE % len(entered)
    chosen = [*entered[start:], *entered[:start]][:PER_SCENE]
    made = []
    for category, name in chosen:
        for draft in shuffle(rng, FAMILIES[category][name](survey, rng))[:TRIED]:
            identifier = f"{name}-{scene.seed}"
            task = make_task(survey, category, name, draft, identifier, rng)
            if task is not None:
                made.append(Candidate(task, draft.right, draft.wrong))
                break
    return made


def choose(pool: Sequence[Candidate], counts: Mapping[str, int], seed: int) -> list[EmbodiedTask]:
    """Choose tasks of each category, in random order.

    Families and scenes get equal numbers of tasks as far as possible. Within a family, a task is
    preferred if its answer is hard to guess, from other answers or from its rank by length or
    number, and was rarely the right answer before. So few counting questions are chosen, because
    most counts are small. Raises HomebodyError if there are too few tasks.
    """
    rng = np.random.default_rng(seed)
    used: Counter[int] = Counter()
    chosen: list[EmbodiedTask] = []
    finished = list(_finish(pool, rng))
    for category, count in counts.items():
        groups: dict[str, list[_FinishedTask]] = defaultdict(list)
        for each in finished:
            if each.task.category == category:
                groups[each.task.family].append(each)
        taken: dict[str, _FamilyTally] = defaultdict(_FamilyTally)
        ranks: dict[_Rank, float] = defaultdict(float)
        missing, most = count, EASIEST
        while missing and groups:
            before = missing
            for family in sorted(groups):
                order = partial(_order, taken[family], ranks, used)
                best = min(groups[family], key=order)
                if not missing or order(best)[0] > most:
                    continue
                groups[family].remove(best)
                taken[family].take(best)
                for rank, share in best.ranks.items():
                    ranks[rank] += share
                used[best.task.scene.seed] += 1
                chosen.append(best.task)
                missing -= 1
            groups = {family: left for family, left in groups.items() if left}
            most = EASIEST if missing < before else math.inf
        if missing:
            raise HomebodyError(
                f"only {count - missing} of {count} tasks of {category} could be made",
                "more scenes",
            )
    return shuffle(rng, chosen)


@dataclass(frozen=True, slots=True)
class _FinishedTask:
    """A task with its answers, and the success rate of a guesser that picks the most frequent
    answer.

    ``ranks`` are the ranks that the right answer can have among the answers, with their
    probabilities: several if answers are equally long."""

    task: EmbodiedTask
    right: str
    guessed: float
    ranks: Mapping[_Rank, float]


@dataclass(slots=True)
class _FamilyTally:
    """The chosen tasks of a family."""

    right: Counter[str] = field(default_factory=Counter)
    guessed: float = 0.0

    def take(self, one: _FinishedTask) -> None:
        """Count one more task."""
        self.right[one.right] += 1
        self.guessed += one.guessed


def _order(
    taken: _FamilyTally, ranks: Mapping[_Rank, float], used: Mapping[int, int], one: _FinishedTask
) -> tuple[float, int, int]:
    """Return the sort key of a task: the task with the lowest key keeps guessing nearest to
    chance level, by frequency in its family and by rank in its category."""
    by_chance = (taken.right.total() + 1) / ANSWERS
    off = abs(taken.guessed + one.guessed - by_chance) if one.right else 0.0
    for kind in dict.fromkeys(kind for kind, _ in one.ranks):
        mean_count = sum(ranks.get((kind, place), 0.0) for place in range(ANSWERS)) / ANSWERS
        own = {rank: share for rank, share in one.ranks.items() if rank[0] == kind}
        off += sum(share * ranks.get(rank, 0.0) for rank, share in own.items()) - mean_count
    return off, taken.right[one.right], used[one.task.scene.seed]


def _ranks(right: str, texts: Sequence[str]) -> dict[_Rank, float]:
    """Return the possible ranks of an answer by length, and by number if all have one."""
    keys: dict[str, Callable[[str], float]] = {"length": len}
    if all(text[0].isdigit() for text in texts):
        keys["number"] = lambda text: float(text.split()[0])
    places = {kind: places_of(right, texts, key) for kind, key in keys.items()}
    return {(kind, at): 1 / len(found) for kind, found in places.items() for at in found}


def _finish(pool: Sequence[Candidate], rng: np.random.Generator) -> Iterator[_FinishedTask]:
    """Yield the tasks with their wrong answers. All answers of a task are right equally often in
    the other tasks of its family."""
    likely: dict[str, Counter[str]] = defaultdict(Counter)
    for candidate in pool:
        likely[candidate.task.family][candidate.right] += 1
    for candidate in pool:
        task, right = candidate.task, candidate.right
        if not right:
            yield _FinishedTask(task, "", 0.0, {})
            continue
        elsewhere = likely[task.family] - Counter([right])
        answers = choose_answers(right, candidate.wrong, rng, elsewhere)
        others = tuple(option for option in task.options if option not in task.answers)
        most = max(elsewhere[option.text] for option in answers)
        best = [option.text for option in answers if elsewhere[option.text] == most]
        whole = msgspec.structs.replace(task, options=(*others, *answers))
        ranks = _ranks(right, [option.text for option in answers])
        yield _FinishedTask(whole, right, (right in best) / len(best), ranks)
