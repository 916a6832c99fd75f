"""Classes of objects, such as clothes and toys, in one place for instructions and their checks.

Their members come from the hypernyms of synsets (:mod:`homebody.worlds.house.model.wordnet`) and
from ``classes.toml``.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import cache
from importlib import resources
from typing import Any

from homebody.worlds.house.model.wordnet import things_in_class


@cache
def _classes() -> Mapping[str, Any]:
    file = resources.files("homebody.authoring.language") / "classes.toml"
    return tomllib.loads(file.read_text("utf-8"))


@cache
def members(name: str) -> tuple[str, ...]:
    """Return the categories of a class, such as ``clothes``. Raises KeyError if it is unknown."""
    entry = _classes()[name]
    found = [*things_in_class(*entry.get("kinds", ()))]
    for thing in entry.get("things", ()):
        found += members(thing[1:]) if thing.startswith("@") else [thing]
    return tuple(dict.fromkeys(found))


@cache
def classes_by_word() -> Mapping[str, tuple[str, ...]]:
    """Return word for a class -> its categories."""
    return {word: members(name) for name, entry in _classes().items() for word in entry["words"]}
