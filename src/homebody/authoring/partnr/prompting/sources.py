"""Who writes drafts for :mod:`.generate`: a model, freely (stage a) or after seeds (stage c), and
the solved tasks that it is shown as examples of evaluation functions (stage d).

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
"""How many seeds are looked at for one that fits a house."""
EXAMPLES: Final = 40
"""How many examples there are to choose from without seeds; their houses are of train."""
_MAX_EXAMPLES: Final = 400

Find: TypeAlias = Callable[[str], Example | None]
"""Finds the example that is most like an instruction."""


@dataclass(frozen=True, slots=True)
class Batch:
    """Episodes that are made one after the other: of a house, and of a type unless it is empty."""

    scene: int
    kind: str
    indices: tuple[int, ...]


Write: TypeAlias = Callable[[Ask, Batch, Sequence[int], int], Iterator[Draft | Rejected]]
"""Writes at most one draft for each of a batch's missing indices. The number says how often they
were asked for before."""


@dataclass(frozen=True, slots=True)
class Source:
    """Who writes drafts.

    Attributes:
        write: Writes them.
        typed: Whether they are of the type of their batch.
    """

    write: Write
    typed: bool = True


def free_source() -> Source:
    """Stage (a): a model invents tasks of all types for a house."""

    def write(
        ask: Ask, batch: Batch, missing: Sequence[int], attempt: int
    ) -> Iterator[Draft | Rejected]:
        yield from author_with_model(ask, scene(batch.scene), batch.kind, len(missing))

    return Source(write)


def seeded_source(seeds: Seeds) -> Source:
    """Stage (c): tasks like seeds, in another house.

    A published template is fitted to the house, and taken as it is the first time that it comes
    up there; all else is written anew by the model. Seeds that do not fit a house are passed over.
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
    """A seed that fits a house, and whether it is the first whose turn it is. Raises Rejected."""
    order = order_of(len(seeds))
    first = attempt * PASSED_OVER
    for step in range(first, first + PASSED_OVER):
        # leaps, as the next seeds in the order are for others
        number = order[(turn + step * (len(seeds) // 7 + 1)) % len(seeds)]
        try:
            if seeds.templates:
                return fit(seeds.templates[number], scene(house)), step == 0
            return draft_of(files.decode(seeds.episodes[number])), step == 0
        except Rejected as rejected:
            why = rejected
    raise why


def example_finder(seeds: Seeds | None = None, progress: Progress | None = None) -> Find:
    """Finds the solved task most like an instruction: among seeds with evaluation functions, or
    else among episodes of all types by the built-in author.

    Raises:
        HomebodyError: a seed is no episode.
    """
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
