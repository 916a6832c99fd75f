"""How big the things of an activity are.

The world's table of sizes was made for the categories of BEHAVIOR-100. Here a thing that is not
listed is taken to be as big as its nearest listed ancestor in the taxonomy, and then as the
activity implies: what it says to be inside something, or wants there, fits in. Of a thing and a
container that are both listed, nothing is changed.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from homebody.suites.eai.behavior1k.sampling import ancestors
from homebody.worlds.behavior import litres

_UNLISTED = litres("")
ROOMIER = 1.25
"""How much larger a container is taken to be than what is to fit into it, at least."""


def volumes(
    kinds: Mapping[str, tuple[str, str]], inside: Iterable[tuple[str, str]]
) -> dict[str, float]:
    """Object -> litres.

    Args:
        kinds: Object -> the category of simulator objects that it is, and its synset.
        inside: Pairs of a thing and a container that it is to fit into.
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
