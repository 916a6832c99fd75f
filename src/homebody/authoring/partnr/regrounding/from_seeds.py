"""Seeds: good tasks, and the author that adapts them to other houses.

This is stage (c) of appendix A.3 of the PARTNR paper, without a model. A seed is an episode of
homebody; its evaluation function is adapted too (:mod:`.adapt`). The first episodes of a house use
each seed once. In later episodes, and after a rejection, a kind of object is replaced. Published
seed files have no evaluation functions: a model must write them
(:mod:`homebody.authoring.partnr.prompting.generate`).
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from pathlib import Path
from typing import Final

import numpy as np

from homebody.authoring.language.mentions import OBJECT, mentions
from homebody.authoring.partnr.checks.lint import lint
from homebody.authoring.partnr.draft import Draft, FailureMode, Placement, Rejected
from homebody.authoring.partnr.make import first_verified
from homebody.authoring.partnr.regrounding.adapt import adapt, exchange_objects
from homebody.authoring.partnr.regrounding.published import MAX_SEEDS, Seed, read_seeds
from homebody.authoring.partnr.situation import Situation, situation
from homebody.authoring.partnr.splits import PER_HOUSE
from homebody.authoring.partnr.verify import examine
from homebody.core import HomebodyError
from homebody.core.ground.seeds import choose, generator, shuffle
from homebody.goals.partnr import Episode
from homebody.suites.partnr.episodes import files
from homebody.suites.partnr.episodes.predicates import AFFORDANCE
from homebody.suites.partnr.episodes.scene import scene
from homebody.worlds.house.model.catalogue import STATE_OF, catalogue
from homebody.worlds.house.model.house import House

TRIES: Final = 60
"""Maximum number of seeds that are tried for an episode; most need about two."""
_REMEMBERED: Final = 512
"""Number of seeds that are cached as drafts."""


@dataclass(frozen=True, slots=True)
class Seeds:
    """The contents of a folder or file of seeds: either episodes or published templates.

    Attributes:
        episodes: Episodes as lines of JSON, which take less memory.
        templates: Tasks without evaluation functions.
        digest: Digest of the contents, for manifests.
    """

    episodes: tuple[bytes, ...]
    templates: tuple[Seed, ...]
    digest: str

    def __len__(self) -> int:
        return len(self.episodes) + len(self.templates)


def load(path: Path) -> Seeds:
    """Read seeds.

    Args:
        path: A file of episodes (``.jsonl``, ``.jsonl.gz``), a folder of such files, or a folder
            of published seed files (``.json``).

    Raises:
        HomebodyError: there are no seeds or too many, or a file has something else.
        OSError: a file cannot be read.
    """
    if not path.exists():
        raise HomebodyError(f"there are no seeds at {path}", "give a file of episodes or a folder")
    if path.is_dir():
        paths = sorted([*path.glob("*.jsonl"), *path.glob("*.jsonl.gz")])
        if not paths:
            templates = tuple(read_seeds(path))
            return Seeds((), templates, _digest(repr(seed).encode() for seed in templates))
    elif ".jsonl" in path.suffixes:
        paths = [path]
    else:
        raise HomebodyError(
            f"{path} is not a file of episodes", "give a .jsonl.gz file, or a folder of seed files"
        )
    lines: list[bytes] = []
    for file in paths:
        for episode in files.read_file(file):
            if episode.house_seed is None:
                raise HomebodyError(
                    f"{file.name}: the episode {episode.id[:80]} is not set in a generated house",
                    "use episodes that homebody generated as seeds",
                )
            lines.append(files.encode(episode))
            if len(lines) > MAX_SEEDS:
                raise HomebodyError(f"{path} has more than {MAX_SEEDS} seeds", "give fewer")
    if not lines:
        raise HomebodyError(f"there are no episodes in {path}")
    return Seeds(tuple(lines), (), _digest(lines))


def load_episodes(path: Path) -> Seeds:
    """Read seeds that have evaluation functions. Raises HomebodyError as :func:`load`, or if the
    seeds are published templates."""
    seeds = load(path)
    if not seeds.episodes:
        raise HomebodyError(
            f"the seeds in {path} have no evaluation functions, which a model has to write",
            "give --model, or episodes of homebody as seeds",
        )
    return seeds


@lru_cache(maxsize=4)
def order_of(count: int) -> tuple[int, ...]:
    """Return the seeds in random order, so that a few episodes cover many seeds."""
    return tuple(shuffle(generator("partnr seeds"), range(count)))


def make(
    path: str, split: str, scene_seed: int, index: int
) -> tuple[Episode, Counter[FailureMode]]:
    """Return the episode of a number in a house, adapted from one of the seeds, and the failures of
    drafts before it.

    With ``functools.partial``, it is an author for :func:`~.shards.generate`.

    Raises:
        HomebodyError: no draft passed, or the path has no seeds.
    """
    seeds = _load_cached(path).episodes
    order = order_of(len(seeds))
    # indices continue from house to house, and a house has at most PER_HOUSE:
    # in none does a seed occur twice before all have occurred, or unvaried
    turn = index % max(len(seeds), PER_HOUSE)
    rng = generator(f"partnr seeds {split} {scene_seed} {index}")
    house = scene(scene_seed)

    def draw(attempt: int) -> Draft:
        number = order[turn % len(seeds)] if attempt == 0 else int(rng.integers(len(seeds)))
        return _adapt_seed(path, number, house, rng, attempt > 0 or turn >= len(seeds))

    drafts = (partial(draw, attempt) for attempt in range(TRIES))
    problem = HomebodyError(
        f"none of {TRIES} seeds has a counterpart in house {scene_seed}",
        "give more seeds, or of more kinds",
    )
    return first_verified(f"{split}-{scene_seed}-s{index}", scene_seed, drafts, rng, problem)


def draft_of(episode: Episode) -> Draft:
    """Return a draft from which an episode could have been made.

    The draft contains the objects that the evaluation function or the instruction mentions. It
    contains a state if the goal is about this state, or if the state distinguishes objects of a
    kind.

    Raises:
        Rejected: The episode is not a valid task.
        HomebodyError: Its house was not generated by homebody.
    """
    examine(episode)
    house = scene(episode)
    where = situation(episode, house)
    names_judged = {
        name
        for proposition in episode.evaluation.propositions
        for names in proposition.lists
        for name in names
    }
    kinds = {where.category[name] for name in names_judged if name in where.category}
    for mention in mentions(episode.instruction):
        kinds |= mention.categories(OBJECT) & set(where.category.values())
    own = [name for name, kind in where.category.items() if kind in kinds]
    # things that others stand on are kept with them
    own = list(dict.fromkeys(at for name in own for at in (name, *_below(where, name))))
    own.sort(key=lambda name: (_depth(where, name), where.category[name], _number(name)))
    numbers: Counter[str] = Counter()
    names: dict[str, str] = {}
    for name in own:
        kind = where.category[name]
        names[name] = f"{kind}_{numbers[kind]}"
        numbers[kind] += 1
    states = {name: _kept_states(episode, where, name) for name in own}
    placements: list[Placement] = []
    for name in own:
        holder = where.holder[name]
        placement = Placement(
            where.category[name],
            1,
            names.get(holder, holder),
            "within" if name in where.within else "on",
            states[name],
        )
        if placements and replace(placements[-1], number=1) == placement:
            placement = replace(placement, number=placements[-1].number + 1)
            placements.pop()
        placements.append(placement)
    furniture = {
        name: given
        for name, given in where.states.items()
        if name in names_judged and name in house.piece
    }
    return Draft(
        episode.instruction,
        tuple(placements),
        episode.evaluation.rename(names),
        furniture,
        episode.assigned,
    )


def _number(name: str) -> int:
    return int(name.rpartition("_")[2])


def _adapt_seed(
    path: str, number: int, house: House, rng: np.random.Generator, varied: bool
) -> Draft:
    """Return a seed in a house. Raises Rejected, also if the instruction no longer fits."""
    draft, seed = _draft_cached(path, number)
    if varied or seed == house.seed:
        draft = exchange_objects(draft, _exchange(draft, rng))
    made = adapt(draft, scene(seed), house)
    for failure, why in lint(made, house):
        raise Rejected(failure, why)
    return made


def _exchange(draft: Draft, rng: np.random.Generator) -> Mapping[str, str]:
    """Return a kind of object of a draft, and another kind with the same usual places."""
    things = catalogue().things
    there = sorted({placed.category for placed in draft.placements})
    own = choose(rng, there)
    usual = things[own]
    others = [
        kind.name
        for kind in things.values()
        if kind.name not in there
        and "key" not in kind.affords
        and set(usual.affords) <= set(kind.affords)
        and set(usual.rooms) & set(kind.rooms)
        and set(usual.places) & set(kind.places)
    ]
    if not others:
        raise Rejected(FailureMode.ENTITY, f"there is nothing to exchange for {own}")
    return {own: choose(rng, others)}


def _kept_states(episode: Episode, where: Situation, name: str) -> dict[str, bool]:
    """Return the relevant states of an object."""
    states = {}
    for state, value in where.states.get(name, {}).items():
        judged = any(
            STATE_OF[AFFORDANCE[proposition.predicate]] == state and name in proposition.lists[0]
            for proposition in episode.evaluation.propositions
            if proposition.predicate in AFFORDANCE
        )
        alike = where.of_kind(where.category[name])
        if judged or any(where.states.get(other, {}).get(state) is not value for other in alike):
            states[state] = value
    return states


def _depth(where: Situation, name: str) -> int:
    """Return the number of objects below an object."""
    return len(_below(where, name))


def _below(where: Situation, name: str) -> list[str]:
    """Return the objects below an object, the nearest first."""
    below, at = [], where.holder[name]
    while at in where.holder:
        below.append(at)
        at = where.holder[at]
    return below


@lru_cache(maxsize=2)
def _load_cached(path: str) -> Seeds:
    return load_episodes(Path(path))


@lru_cache(maxsize=_REMEMBERED)
def _draft_cached(path: str, number: int) -> tuple[Draft, int]:
    """Return a seed as a draft, and the random seed of its house. Raises Rejected; failures are not
    cached."""
    episode = files.decode(_load_cached(path).episodes[number])
    try:
        draft = draft_of(episode)
    except HomebodyError as error:
        raise Rejected(FailureMode.HALLUCINATION, str(error)) from None
    assert episode.house_seed is not None
    return draft, episode.house_seed


def _digest(parts: Iterable[bytes]) -> str:
    digest = hashlib.sha256()
    for part in parts:
        digest.update(part + b"\n")
    return digest.hexdigest()[:16]
