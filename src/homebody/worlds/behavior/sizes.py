"""Sizes of objects: estimated volumes of bounding boxes, in litres.

The published simulator measures iGibson's models (``GRASP``, ``PLACE_INSIDE`` and
``TRANSFER_CONTENTS_INSIDE`` compare volumes of bounding boxes). These models are encrypted, so
``sizes.toml`` has estimates instead.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping
from functools import cache
from importlib import resources

HOLDABLE = 1500.0
"""Litres above which an object cannot be grasped (the published limit: 1.5 cubic metres)."""


def word(kind: str) -> str:
    """Return ``"carton"`` for ``"carton.n.02"``; a model's name is unchanged."""
    return kind.partition(".")[0]


@cache
def _table() -> tuple[float, Mapping[str, float]]:
    text = (resources.files("homebody.worlds.behavior") / "sizes.toml").read_text("utf-8")
    data = tomllib.loads(text)
    return float(data["default"]), {name: float(size) for name, size in data["litres"].items()}


def litres(kind: str, ancestors: Iterable[str] = ()) -> float:
    """Return the volume of the bounding box of a kind of object.

    Args:
        kind: Synset or model name.
        ancestors: Its other categories, nearest first, which are tried if ``kind`` is not listed.

    Returns:
        Litres; ``default`` of ``sizes.toml`` (one litre, an object for one hand) if nothing is
        listed.
    """
    default, table = _table()
    for name in (kind, *ancestors):
        size = table.get(word(name))
        if size is not None:
            return size
    return default
