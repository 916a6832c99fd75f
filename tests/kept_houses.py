"""Generated houses that tests share, so that each is made once for all processes and runs.

They are kept in the checkout's ``.pytest_cache``, for the code and the catalogue that made them.
The tests of generation itself make their own.
"""

from __future__ import annotations

import hashlib
import os
import pickle
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

import homebody
from homebody.worlds.house.generation import generate as generation
from homebody.worlds.house.model.catalogue import catalogue

SOURCE = Path(homebody.__file__).parent / "worlds" / "house"
HOUSES = Path(__file__).parents[1] / ".pytest_cache" / "houses"
OWN = ("worlds/house/generation/", "worlds/house/model/")
"""Folders of tests that get no kept houses."""


def digest() -> str:
    """Return a digest of everything that decides what a house is like."""
    content = hashlib.sha256(np.__version__.encode())
    for path in sorted(_sources()):
        content.update(path.read_bytes())
    return content.hexdigest()[:16]


def _sources() -> Iterator[Path]:
    for folder in ("generation", "model"):
        for kind in ("*.py", "*.toml"):
            yield from (SOURCE / folder).rglob(kind)


def keep_houses() -> None:
    """Let :func:`generate` take houses that were made before."""
    folder = HOUSES / digest()
    for other in HOUSES.glob("*"):
        if other != folder:  # of former code
            shutil.rmtree(other, ignore_errors=True)
    folder.mkdir(parents=True, exist_ok=True)
    make = generation._attempt

    def attempt(rng: np.random.Generator, request: Any, *more: Any) -> Any:
        scene, kinds, entries, scale = more
        own = any(part in os.environ.get("PYTEST_CURRENT_TEST", "") for part in OWN)
        if own or entries is not catalogue():
            return make(rng, request, *more)
        asked = repr((rng.bit_generator.state, request, scene, tuple(kinds), scale))
        path = folder / hashlib.sha256(asked.encode()).hexdigest()[:32]
        try:
            house = pickle.loads(path.read_bytes())
        except (OSError, EOFError, pickle.UnpicklingError):
            house = make(rng, request, *more)
            half = path.with_suffix(f".{os.getpid()}")
            half.write_bytes(pickle.dumps(house))
            half.replace(path)
        return house

    generation._attempt = attempt
