"""Groups of the catalogue: objects that come together, and how they lie. They are data, in
``thing_groups.toml``, whose head describes the entries; what places them is
:mod:`homebody.worlds.house.generation.grouping`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

ARRANGEMENTS = ("row", "grid", "seats", "spot", "scattered", "door")
"""How the objects of a part lie."""


@dataclass(frozen=True, slots=True)
class GroupPart:
    """Some objects of a group.

    Attributes:
        what: Categories to choose from, by ``weights``; ``same``: one of them, and one look, for
            all.
        by: One of ``ARRANGEMENTS``.
        count: Least and most; of a grid: columns.
        at: Where, for ``seats`` (metres to the right and away from who sits there) and ``spot``
            (shares of the half width and depth of the surface from its middle).
        gap: Metres between neighbours.
        upright: Whether they stand on their edge, as books on a shelf do.
        inside: Whether they are in the first object of the group rather than beside it.
        chance: That they are there at all.
    """

    what: tuple[str, ...]
    weights: tuple[float, ...]
    by: str
    count: tuple[int, int] = (1, 1)
    at: tuple[float, float] = (0.0, 0.0)
    gap: float = 0.01
    upright: bool = False
    inside: bool = False
    same: bool = False
    chance: float = 1.0


@dataclass(frozen=True, slots=True)
class GroupKind:
    """Objects that come together: a set table, a row of books.

    Attributes:
        rooms: Kinds of rooms in which they do.
        on: Furniture, containers or ``floor``: on or in which.
        receptacle: How the names of the receptacles begin, one of these.
        repeats: Whether they may be in several receptacles of one piece: books, goods.
        chance: For each such receptacle, that they are there.
        most: So often in a room.
        parts: In this order.
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
    """A group out of its entry; ``names`` spells out lists, ``check`` refuses unknown names."""
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
                gap=float(part.get("gap", 0.01)),
                upright=bool(part.get("upright", False)),
                inside=bool(part.get("inside", False)),
                same=bool(part.get("same", False)),
                chance=float(part.get("chance", 1)),
            )
        )
        if not parts[-1].what or not 0 <= parts[-1].count[0] <= parts[-1].count[1]:
            raise ValueError(f"part {len(parts)} has nothing, or a count that is no span")
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
