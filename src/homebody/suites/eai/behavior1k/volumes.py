"""Volumes of the objects of an activity.

The world's table of volumes covers the categories of BEHAVIOR-100. An unlisted object gets the
volume of its nearest listed ancestor in the taxonomy, adjusted so that every object fits into the
container in which the activity or its goal puts it. If object and container are both listed,
nothing is changed.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from homebody.suites.eai.behavior1k.sampling import ancestors
from homebody.worlds.behavior import litres

_UNLISTED = litres("")
ROOMIER = 1.25
"""Minimum ratio of a container's volume to the volume of its content."""


def volumes(
    kinds: Mapping[str, tuple[str, str]], inside: Iterable[tuple[str, str]]
) -> dict[str, float]:
    """Map each object to its volume in litres.

    Args:
        kinds: Object -> its category of simulator objects, and its synset.
        inside: Pairs of an object and a container that it must fit into.
    """
    sizes = {
        name: litres(model, (synset, *ancestors(synset))) for name, (model, synset) in kinds.items()
    }
    listed = {n for n, (model, kind) in kinds.items() if litres(model, (kind,)) != _UNLISTED}
    pairs = [pair for pair in dict.fromkeys(inside) if sizes.keys() >= set(pair)]
    for thing, place in pairs:
        if thing not in listed and place in listed:
            sizes[thing] = min(sizes[thing], sizes[place] / ROOMIER)
    for _ in sizes:  # a box in a bag in a cart
        small = [(t, p) for t, p in pairs if p not in listed and sizes[t] >= sizes[p]]
        for thing, place in small:
            sizes[place] = max(sizes[place], sizes[thing] * ROOMIER)
        if not small:
            break
    return sizes
