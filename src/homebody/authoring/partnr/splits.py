"""Train, val and test: the split of each house.

No house is in two splits, as in section 3.3 of the PARTNR paper, which has 37, 13 and 10 houses.
homebody can generate any number of houses, so each house of train has at most :data:`PER_HOUSE`
episodes: 100,000 episodes use 500 houses. More episodes per house would be less varied.

The seed of a house determines its split: of every 20 consecutive seeds, the last but one is in val
and the last in test. A split uses the first such seeds whose house allows varied tasks
(:func:`hosts`). These houses have 3 to 8 rooms.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Final

from homebody.core import HomebodyError
from homebody.worlds.house.generation.generate import generate
from homebody.worlds.house.model.catalogue import catalogue
from homebody.worlds.house.model.house import House

SPLITS: Final = ("train", "val", "test")
HOUSES: Final = {"train": 37, "val": 13, "test": 10}
"""Minimum number of houses of a split, as in the paper; val and test have exactly these."""
PER_HOUSE: Final = 200
"""Episodes per house of train, unless that would give fewer than 37 houses."""
MIN_ROOMS: Final = 3
MIN_PIECES: Final = 24
"""Minimum pieces of furniture with a place for objects; one house in 20 has fewer."""
_CYCLE: Final = 20


def split_of(seed: int) -> str:
    """Return the split of a house, by its seed (0 or more)."""
    return {_CYCLE - 2: "val", _CYCLE - 1: "test"}.get(seed % _CYCLE, "train")


def hosts(house: House) -> bool:
    """Return whether a house allows varied tasks.

    It has a kitchen and at least two rooms more, a faucet to fill and clean objects at, and at
    least :data:`MIN_PIECES` pieces of furniture that objects can be put on or in.
    """
    kinds = catalogue()
    return (
        len(house.rooms) >= MIN_ROOMS
        and any(room.kind == "kitchen" for room in house.rooms)
        and any("faucet" in kinds.affords(piece.category) for piece in house.furniture)
        and sum(bool(piece.receptacles) for piece in house.furniture) >= MIN_PIECES
    )


def scenes(split: str, count: int | None = None) -> tuple[int, ...]:
    """Return the seeds of a split's houses, in order.

    Args:
        split: One of :data:`SPLITS`.
        count: Number of houses; default :data:`HOUSES`. It takes some 15 ms a house, once.

    Raises:
        HomebodyError: the split is unknown.
    """
    check_split(split)
    wanted = HOUSES[split] if count is None else count
    seeds, more = _houses_so_far(split)
    while len(seeds) < wanted:
        seeds.append(next(more))
    return tuple(seeds[:wanted])


def houses_for(split: str, episodes: int) -> tuple[tuple[int, int], ...]:
    """Return a house's seed and its number of episodes, for each house in order. The numbers differ
    by at most one. Raises HomebodyError if there is no such split."""
    check_split(split)
    count = HOUSES[split]
    if split == "train":
        count = max(count, -(-episodes // PER_HOUSE))
    each, left = divmod(episodes, count)
    shares = [each + (place < left) for place in range(count)]
    return tuple(zip(scenes(split, sum(map(bool, shares))), filter(None, shares), strict=True))


@cache
def _houses_so_far(split: str) -> tuple[list[int], Iterator[int]]:
    """Return the seeds found so far, and the search for more."""
    return [], _search(split)


def _search(split: str) -> Iterator[int]:
    seed = 0
    while True:
        if split_of(seed) == split and hosts(generate(seed, "home", things=0, people=0)):
            yield seed
        seed += 1


def check_split(split: str) -> None:
    """Raise HomebodyError if a split does not exist."""
    if split not in SPLITS:
        raise HomebodyError(f"unknown split: {split!r}", f"choose one of: {', '.join(SPLITS)}")
