"""The choice of examples: by the words of an instruction, and by the skills that it calls for.

Words alone find tasks about the same objects, whose skills are hardly nearer to those that are
needed than the skills of random tasks. Therefore the skills of an instruction are predicted from
its vector by ridge regression on the instructions and skills of the solved tasks, and compared with
the skills that each of them used."""

from __future__ import annotations

from collections.abc import Sequence, Set
from functools import lru_cache
from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from homebody.suites.partnr.prompting.retrieval import Embedder, build_index, embed_texts

Floats: TypeAlias = NDArray[np.float64]

RIDGE: Final = 3.0
"""Penalty of the regression; vectors of instructions have the length 1."""
MAX_SKILLS: Final = 100
"""Maximum number of skills that are compared: the first in the alphabet."""
MAX_MODELS: Final = 32
"""Maximum number of houses whose models are cached."""
_ROWS: Final = 4_096
"""Number of vectors that are converted at a time."""


class Examples:
    """Solved tasks that can be examples for others.

    Args:
        instructions: Their instructions.
        scenes: Their houses; an empty string if unknown.
        skills: The skills that they used.
        embedder: The embedder of instructions; by default the built-in one.
    """

    def __init__(
        self,
        instructions: Sequence[str],
        scenes: Sequence[str],
        skills: Sequence[Set[str]],
        embedder: Embedder | None = None,
    ) -> None:
        self._index = build_index(instructions, embedder)
        self._scenes = np.array(scenes, dtype=object)
        names = sorted(set().union(*skills))[:MAX_SKILLS]
        used = np.array([[name in own for name in names] for own in skills], np.float64)
        self._used = used.reshape(len(skills), len(names))
        self._model = lru_cache(MAX_MODELS)(self._fit)

    def rank(self, instruction: str, scene: str = "") -> list[tuple[int, float]]:
        """Return the positions of the tasks and the cosines of their instructions, the best example
        first. Skills are predicted without the tasks in the given house."""
        (query,) = embed_texts(self._index.embedder, [instruction])
        cosines = np.round(self._index.vectors @ query, 6)
        mean, weights = self._model(scene if scene in self._scenes else "")
        expected = query.astype(np.float64) @ weights
        own = self._used - mean
        lengths = np.linalg.norm(own, axis=1) * max(np.linalg.norm(expected), 1e-9)
        alike = own @ expected / np.where(lengths > 0, lengths, 1.0)
        order = np.argsort(-np.round(cosines + alike, 6), kind="stable")
        return [(int(place), float(cosines[place])) for place in order]

    def _fit(self, scene: str) -> tuple[Floats, Floats]:
        """Return the mean use of skills outside a house, and the weights of the dimensions of
        vectors for the differences from it."""
        kept = np.flatnonzero((self._scenes != scene) | (scene == ""))
        width = self._index.vectors.shape[1]
        mean: Floats = np.zeros(self._used.shape[1])
        if len(kept):
            mean = self._used[kept].mean(axis=0)
        gram, target = RIDGE * np.eye(width), np.zeros((width, self._used.shape[1]))
        for at in range(0, len(kept), _ROWS):
            part = kept[at : at + _ROWS]
            rows = self._index.vectors[part].astype(np.float64)
            gram += rows.T @ rows
            target += rows.T @ (self._used[part] - mean)
        weights: Floats = np.linalg.solve(gram, target).astype(np.float64)
        return mean, weights
