"""The houses of this version of the generator are what they were when it got its number.

If a house is another, and neither the generator nor the catalogue was changed on purpose, then this
platform or version of numpy makes other houses of the same seeds, which is a bug. If one was, raise
``GENERATOR`` (model/recipe.py), write the digests anew (``python
tests/worlds/house/generation/test_generate_pinned.py``), make PARTNR's episodes, the pages and the
gallery again (docs/project/developing.md), and say so in CHANGELOG.md: recipes of older
versions are refused from then on.
"""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import pytest

from homebody.worlds.house.generation.generate import generate
from homebody.worlds.house.io import files
from homebody.worlds.house.model.catalogue import catalogue
from homebody.worlds.house.model.recipe import GENERATOR

FILE = Path(__file__).parent / "pinned.toml"
PINNED = tomllib.loads(FILE.read_text())


def requests() -> dict[str, dict[str, Any]]:
    """What is pinned: every kind and type, small and large, bare and full, by a name."""
    made: dict[str, dict[str, Any]] = {}
    for number, (kind, scene) in enumerate(catalogue().scenes.items()):
        for rooms in (1, 3, 6, 12):
            seed = 100 * number + rooms
            made[f"{kind} of {rooms}"] = {"seed": seed, "kind": kind, "rooms": rooms}
        for type in scene.types:
            made[f"{kind}, {type}"] = {"seed": 100 * number, "kind": kind, "type": type}
    made["bare"] = {"seed": 7, "density": 0.0}
    made["full"] = {"seed": 7, "density": 2.0}
    made["exact"] = {"seed": 7, "rooms": 6, "furniture": 60, "things": 150, "people": 2}
    return made


@pytest.mark.sampled
@pytest.mark.parametrize("name", PINNED["houses"])
def test_a_house_is_what_it_was(name: str) -> None:
    assert files.digest(generate(**requests()[name])) == PINNED["houses"][name]


def test_all_is_pinned_for_this_version() -> None:
    assert PINNED["generator"] == GENERATOR
    assert list(PINNED["houses"]) == list(requests())


if __name__ == "__main__":
    digests = {name: files.digest(generate(**wanted)) for name, wanted in requests().items()}
    lines = [f"generator = {GENERATOR}", "", "[houses]"]
    lines += [f'"{name}" = "{digest}"' for name, digest in digests.items()]
    FILE.write_text("\n".join(lines) + "\n")
