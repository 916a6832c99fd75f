"""Sources of drafts for :mod:`.generate`: a model that invents tasks (stage a) or adapts seeds
(stage c). The module also selects solved tasks as examples of evaluation functions (stage d).

Source: PARTNR paper, appendix A.3.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

from homebody.authoring.partnr.draft import Draft, Rejected
from homebody.authoring.partnr.make import make
from homebody.authoring.partnr.prompting.evaluation import Example, example, make_finder
from homebody.authoring.partnr.prompting.tasks import adapt_with_model, author_with_model
from homebody.authoring.partnr.regrounding.from_seeds import Seeds, draft_of, order_of
from homebody.authoring.partnr.regrounding.published import fit
from homebody.authoring.partnr.splits import PER_HOUSE, scenes
from homebody.core import Progress
from homebody.core.play.conversation import Ask
from homebody.suites.partnr.episodes import files
from homebody.suites.partnr.episodes.kinds import KINDS
from homebody.suites.partnr.episodes.scene import scene

PASSED_OVER: Final = 20
"""Maximum number of seeds that are tried before one fits a house."""
EXAMPLES: Final = 40
"""Number of examples if there are no seeds; their houses are from train."""
_MAX_EXAMPLES: Final = 400

Find: TypeAlias = Callable[[str], Example | None]
"""Finds the example that is most similar to an instruction."""


@dataclass(frozen=True, slots=True)
class Batch:
    """Episodes that are made one after the other: all of one house and, unless ``kind`` is empty,
    of one type."""

    scene: int
    kind: str
    indices: tuple[int, ...]


Write: TypeAlias = Callable[[Ask, Batch, Sequence[int], int], Iterator[Draft | Rejected]]
"""A function that writes at most one draft for each missing index of a batch. Its last argument is
the number of earlier requests for the batch."""


@dataclass(frozen=True, slots=True)
class Source:
    """An author of drafts.

    Attributes:
        write: Writes the drafts.
        typed: True if drafts have the type of their batch.
    """

    write: Write
    typed: bool = True


def free_source() -> Source:
    """Return the source of stage (a): a model invents tasks of all types for a house."""

    def write(
        ask: Ask, batch: Batch, missing: Sequence[int], attempt: int
    ) -> Iterator[Draft | Rejected]:
        yield from author_with_model(ask, scene(batch.scene), batch.kind, len(missing))

    return Source(write)


def seeded_source(seeds: Seeds) -> Source:
    """Return the source of stage (c): tasks like seeds, in another house.

    A published template is fitted to the house. It is used as it is for the first time in a house;
    the model rewrites all other seeds. Seeds that do not fit a house are skipped.
    """

    def write(
        ask: Ask, batch: Batch, missing: Sequence[int], attempt: int
    ) -> Iterator[Draft | Rejected]:
        for index in missing:
            turn = index % max(len(seeds), PER_HOUSE)
            try:
                draft, own = _fit_seed(seeds, batch.scene, turn, attempt)
                as_it_is = own and turn < len(seeds) and bool(seeds.templates)
                yield draft if as_it_is else adapt_with_model(ask, draft, scene(batch.scene))
            except Rejected as rejected:
                yield rejected

    return Source(write, typed=False)


def _fit_seed(seeds: Seeds, house: int, turn: int, attempt: int) -> tuple[Draft, bool]:
    """Return the next seed that fits a house, and whether no seed was skipped. Raises Rejected."""
    order = order_of(len(seeds))
    first = attempt * PASSED_OVER
    for step in range(first, first + PASSED_OVER):
        # in leaps, because the next seeds in the order are for other indices
        number = order[(turn + step * (len(seeds) // 7 + 1)) % len(seeds)]
        try:
            if seeds.templates:
                return fit(seeds.templates[number], scene(house)), step == 0
            return draft_of(files.decode(seeds.episodes[number])), step == 0
        except Rejected as rejected:
            why = rejected
    raise why


def example_finder(seeds: Seeds | None = None, progress: Progress | None = None) -> Find:
    """Return a function that finds the solved task most similar to an instruction.

    It searches the seeds with evaluation functions or, without these, episodes by the built-in
    author. Raises HomebodyError if a seed is not an episode."""
    episodes = []
    if seeds is not None and seeds.episodes:
        step = -(-len(seeds) // _MAX_EXAMPLES)
        episodes = [files.decode(line) for line in seeds.episodes[::step]]
    else:
        for number, house in enumerate(scenes("train", EXAMPLES // len(KINDS))):
            for index in range(number * len(KINDS), (number + 1) * len(KINDS)):
                episodes.append(make("train", house, index)[0])
                if progress:
                    progress("examples", len(episodes), EXAMPLES)
    return make_finder([example(episode, scene(episode)) for episode in episodes])
