"""homebody's names for the classes of published seed tasks.

They are read from ``counterparts.toml``; comments at its top describe the entries.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Any


@dataclass(frozen=True, slots=True)
class Counterparts:
    """The contents of ``counterparts.toml``.

    Attributes:
        objects: Published class of objects -> category of the catalogue, if the names differ.
        stand_ins: Published class that homebody lacks -> a category that is handled similarly.
        furniture: Published class of furniture -> possible categories, the most similar first.
        rooms: Published region -> kinds of rooms of homes.
        alike: Objects that may replace each other.
    """

    objects: Mapping[str, str]
    stand_ins: Mapping[str, str]
    furniture: Mapping[str, tuple[str, ...]]
    rooms: Mapping[str, tuple[str, ...]]
    alike: tuple[tuple[str, ...], ...]


@cache
def counterparts() -> Counterparts:
    """Return the counterparts that come with homebody."""
    folder = resources.files("homebody.authoring.partnr.regrounding")
    data = tomllib.loads((folder / "counterparts.toml").read_text("utf-8"))

    def lists(table: Mapping[str, Any]) -> Mapping[str, tuple[str, ...]]:
        return {name: tuple(categories) for name, categories in table.items()}

    return Counterparts(
        data["objects"],
        data["stand_ins"],
        lists(data["furniture"]),
        lists(data["rooms"]),
        tuple(map(tuple, data["alike"])),
    )
