"""Groups of the catalogue: objects that are placed together.

Their data is in ``thing_groups.toml``; comments at its top describe the entries.
:mod:`homebody.worlds.house.generation.grouping` places them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

ARRANGEMENTS = ("row", "grid", "stock", "seats", "spot", "scattered", "door")
"""Arrangements of the objects of a part."""


@dataclass(frozen=True, slots=True)
class GroupPart:
    """Some objects of a group.

    Attributes:
        what: Categories to choose from by ``weights``; for stock, related goods are neighbours.
        same: True if all share one category and one look.
        by: One of ``ARRANGEMENTS``.
        count: Least and most objects; for a grid and each product of a stock, columns.
        at: Position, for ``seats`` (metres to the right of and away from the seated person) and
            ``spot`` (shares of the half width and depth of the surface from its middle).
        deep: Maximum number of objects one behind the other, for a grid and a stock.
        gap: Metres between neighbours.
        upright: True if they stand on their edge, like books on a shelf.
        inside: True if they are inside the first object of the group, False if they are beside it.
        chance: Probability that they are present.
    """

    what: tuple[str, ...]
    weights: tuple[float, ...]
    by: str
    count: tuple[int, int] = (1, 1)
    at: tuple[float, float] = (0.0, 0.0)
    deep: int = 2
    gap: float = 0.01
    upright: bool = False
    inside: bool = False
    same: bool = False
    chance: float = 1.0


@dataclass(frozen=True, slots=True)
class GroupKind:
    """Objects that are placed together: a set table, a row of books.

    Attributes:
        rooms: Kinds of rooms in which they are placed.
        on: Furniture, containers or ``floor`` that bear them.
        receptacle: Prefixes of the names of suitable receptacles.
        repeats: True if several receptacles of a piece may each have the group, as for books and
            goods.
        chance: Probability for each such receptacle.
        most: Maximum number per room.
        parts: The parts, in order.
    """

    rooms: tuple[str, ...]
    on: tuple[str, ...]
    receptacle: tuple[str, ...]
    chance: float
    most: int
    repeats: bool
    parts: tuple[GroupPart, ...]


def read_group(
    entry: Mapping[str, Any],
    names: Callable[[Iterable[str]], tuple[str, ...]],
    check: Callable[[Iterable[str], Iterable[str], str], None],
) -> GroupKind:
    """Read a group from its entry.

    Args:
        names: Expands the lists in names.
        check: Refuses unknown names.
    """
    fields = ("rooms", "on", "receptacle", "chance", "most", "repeats", "parts")
    check(entry, fields, "a group's fields")
    parts = []
    for part in entry["parts"]:
        check(part, set(GroupPart.__dataclass_fields__) - {"weights"}, "a part's fields")
        what = part["what"]
        weights = [float(weight) for weight in what.values()] if isinstance(what, Mapping) else []
        by = str(part["by"])
        check([by], ARRANGEMENTS, "by")
        least, most = part.get("count", (1, 1))
        x, y = part.get("at", (0, 0))
        parts.append(
            GroupPart(
                what=tuple(what) if weights else names(what),
                weights=tuple(weights) or (1.0,) * len(names(what)),
                by=by,
                count=(int(least), int(most)),
                at=(float(x), float(y)),
                deep=int(part.get("deep", 2)),
                gap=float(part.get("gap", 0.01)),
                upright=bool(part.get("upright", False)),
                inside=bool(part.get("inside", False)),
                same=bool(part.get("same", False)),
                chance=float(part.get("chance", 1)),
            )
        )
        if not parts[-1].what or not 0 <= parts[-1].count[0] <= parts[-1].count[1]:
            raise ValueError(f"part {len(parts)} is empty or has an invalid count")
        if min(parts[-1].weights) <= 0:
            raise ValueError(f"part {len(parts)}: a weight is not above 0")
    receptacle = entry.get("receptacle", "")
    return GroupKind(
        rooms=names(entry["rooms"]),
        on=names(entry["on"]),
        receptacle=(receptacle,) if isinstance(receptacle, str) else tuple(map(str, receptacle)),
        chance=float(entry.get("chance", 1)),
        most=int(entry.get("most", 1)),
        repeats=bool(entry.get("repeats", False)),
        parts=tuple(parts),
    )
