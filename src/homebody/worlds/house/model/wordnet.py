"""Classes of objects by WordNet: a hoodie is clothing, a carton of milk is a drink.

``hypernyms.json`` maps each synset that the catalogue uses, and each synset above these, to its
direct hypernyms in WordNet 3.0; a second name of a synset maps to its first name. It is written by
``tests/worlds/house/model/wordnet_files.py``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from importlib import resources

import orjson

from homebody.worlds.house.model.catalogue import catalogue


@cache
def _hypernyms() -> Mapping[str, Sequence[str]]:
    file = resources.files("homebody.worlds.house.model") / "hypernyms.json"
    hypernyms: Mapping[str, Sequence[str]] = orjson.loads(file.read_bytes())
    return hypernyms


@cache
def classes_of(synset: str) -> frozenset[str]:
    """Return a synset and all its hypernyms. Raises KeyError if the catalogue does not use it."""
    return frozenset((synset,)).union(*map(classes_of, _hypernyms()[synset]))


@cache
def _classes_of_things() -> Mapping[str, frozenset[str]]:
    """Return object -> the classes of what it is and, of a package, of what it contains."""
    kinds = catalogue().things.values()
    return {
        kind.name: classes_of(kind.synset).union(classes_of(kind.content) if kind.content else ())
        for kind in kinds
    }


@cache
def things_in_class(*synsets: str) -> tuple[str, ...]:
    """Return the objects of the catalogue that belong to one of some classes, in its order.

    An object belongs to a class if it is of this class, or is a package with contents of this
    class.

    Args:
        synsets: Classes such as ``clothing.n.01``.

    Raises:
        ValueError: No object is in one of the classes.
    """
    meanings = _classes_of_things()
    for synset in synsets:
        if not any(synset in classes for classes in meanings.values()):
            raise ValueError(f"no object of the catalogue is in the class {synset!r}")
    return tuple(name for name, classes in meanings.items() if not classes.isdisjoint(synsets))
