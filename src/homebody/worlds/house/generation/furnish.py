"""Furnishes rooms by the rules of the catalogue.

Rules are tried in order. Each names a way of placing (against a wall, in a corner, in rows ...) and
companions of a piece (chairs around a table, nightstands beside a bed).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from homebody.core.ground.seeds import shuffle
from homebody.worlds.house.generation.along_walls import (
    BOARDS,
    hang,
    place_cubicles,
    place_desk,
    place_facing,
    place_on_counter,
    place_row,
)
from homebody.worlds.house.generation.arrange import Arranger
from homebody.worlds.house.generation.in_the_open import (
    place_block,
    place_in_centre,
    place_lamps,
    place_parked,
)
from homebody.worlds.house.generation.rugs import place_rug
from homebody.worlds.house.model.catalogue import FurnitureKind, Rule

_ONE_BY_ONE: Mapping[str, Callable[[Arranger, Rule, FurnitureKind], bool]] = {
    "wall": Arranger.place_at_wall,
    "corner": Arranger.place_in_corner,
    "centre": place_in_centre,
    "parked": place_parked,
    "facing": place_facing,
    "desk": place_desk,
    "hang": hang,
    "rug": place_rug,
    "counter": place_on_counter,
}
_TOGETHER: Mapping[str, Callable[[Arranger, Rule, FurnitureKind, int], bool]] = {
    "row": place_row,
    "cubicles": place_cubicles,
    "block": place_block,
    "ceiling": place_lamps,
}
"""Name of a rule in the catalogue -> function that places furniture by it and returns success."""


def follow_rules(arranger: Arranger) -> None:
    """Place the furniture that the rules of the kind of room require, as far as it fits."""
    late = ("hang", "ceiling", "rug")  # so that nothing hangs behind a wardrobe
    rules = list(enumerate(arranger.kind.furniture))
    # Boards come early: rows of seats face them on whichever wall they are.
    rules.sort(key=lambda ranked: ranked[1].by in late and ranked[1].what[0] not in BOARDS)
    for rank, rule in rules:
        arranger.rank = rank
        if arranger.rng.random() < rule.chance:
            _follow(arranger, rule)


def add_extra(arranger: Arranger) -> bool:
    """Place one of the additional pieces of the kind of room; return success."""
    arranger.rank = len(arranger.kind.furniture) + 1
    for name in shuffle(arranger.rng, arranger.kind.extra):
        kind = arranger.catalogue.furniture[name]
        by = {"wall": "hang", "ceiling": "ceiling", "rug": "rug"}.get(kind.mount)
        by = by or ("wall" if kind.front else "corner")
        if _follow(arranger, Rule((kind.name,), by)):
            return True
    return False


def _follow(arranger: Arranger, rule: Rule) -> bool:
    kind = arranger.catalogue.furniture[rule.what[0]]
    count = int(arranger.rng.integers(rule.count[0], rule.count[1] + 1))
    together = _TOGETHER.get(rule.by)
    if together is not None:
        return together(arranger, rule, kind, count)
    placed = [_ONE_BY_ONE[rule.by](arranger, rule, kind) for _ in range(count)]
    return any(placed)
