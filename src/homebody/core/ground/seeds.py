"""Random numbers that depend on names alone, not on the machine or on the order of work."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:  # numpy takes longer to import than the command line may
    import numpy as np


T = TypeVar("T")


def generator(text: str) -> np.random.Generator:
    """Return a random generator that depends on a string alone."""
    import numpy as np

    digest = hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest()
    return np.random.default_rng(int.from_bytes(digest[:16], "big"))


def choose(rng: np.random.Generator, options: Sequence[T]) -> T:
    """Choose one of the options, uniformly."""
    return options[int(rng.integers(len(options)))]


def shuffle(rng: np.random.Generator, items: Iterable[T]) -> list[T]:
    """Return the items in random order."""
    listed = list(items)
    return [listed[at] for at in rng.permutation(len(listed)).tolist()]


def attempt_generator(
    seed: int, identifier: str, epoch: int, attempt: int = 0
) -> np.random.Generator:
    """Return the generator of one attempt (from 0) at a task in an epoch (from 1), independent of
    anything else that runs."""
    import numpy as np

    retry = [attempt] if attempt else []
    return np.random.default_rng(
        np.random.SeedSequence([seed, epoch, *identifier.encode(errors="surrogatepass"), *retry])
    )


def session_seed(seed: int, epoch: int) -> int:
    """Return the seed of all random choices in a session of an epoch (from 1)."""
    return int(generator(f"epoch {seed} {epoch}").integers(2**53))
