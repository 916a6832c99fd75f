"""Captions: the content of pictures of a house, in words."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Final

import numpy as np

from homebody.worlds.house.model.state import HouseState

if TYPE_CHECKING:  # requires the extra ``house``
    from homebody.worlds.house.rendering.render import Picture

SEEN: Final = 0.001
"""Minimum share of a picture that a named object covers: 14 by 14 pixels of 448 by 448."""
THIRDS: Final = ("on the left", "in the middle", "on the right")


def caption(seen: Picture, state: HouseState) -> str:
    """Return the content of a picture in words.

    The kinds of furniture, objects, doors and people are listed by thirds of the picture, with
    their number if there are several, the largest first. Each counts where its mean column lies.
    Anything that covers less than :data:`SEEN` of the picture is omitted, as are floors, walls
    and ceilings. Agents have their names.
    """
    width = seen.ids.shape[1]
    numbers = seen.ids.ravel()
    areas = np.bincount(numbers, minlength=len(seen.names))
    columns = np.bincount(numbers, np.arange(numbers.size) % width, len(seen.names))
    found: dict[str, Counter[str]] = {third: Counter() for third in THIRDS}
    for number in np.argsort(-areas, kind="stable"):
        kind = _kind(state, seen.names[number])
        if kind and areas[number] >= SEEN * numbers.size:
            middle = columns[number] / areas[number]
            found[THIRDS[int(len(THIRDS) * middle / width)]][kind] += 1
    parts = [
        f"{third}: {', '.join(_count(*each) for each in kinds.items()) or 'nothing'}"
        for third, kinds in found.items()
    ]
    return f"{'; '.join(parts)}."


def _kind(state: HouseState, name: str) -> str:
    """Return the word for something in a picture; empty if it is not worth mentioning."""
    house = state.house
    if name in state.bodies:
        return f"the {name}"
    if name in house.person:
        return "person"
    if name in house.door:
        return "door"
    thing = house.thing.get(name) or house.piece.get(name)
    return thing.category.replace("_", " ") if thing is not None else ""


def _count(kind: str, number: int) -> str:
    return kind if number == 1 else f"{kind} ({number})"
