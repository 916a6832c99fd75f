"""Receptacles of furniture and containers: the free spaces where objects can be put.

The catalogue gives them as shares of a piece; here they become boxes in metres, without the space
that other furniture takes (a microwave on a counter). :func:`resolve_relation` maps everyday
prepositions to relations.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Final

from homebody.worlds.house.model.catalogue import FurnitureKind, ReceptacleKind, ThingKind
from homebody.worlds.house.model.house import Receptacle, Vector

_MIN_SIDE = 0.05
"""Minimum side of a space in metres."""
_BOARD = 0.02
"""Thickness of the boards between layers."""
_ABOVE = 0.2
"""Headroom of a container without a lid, in metres."""
PREPOSITIONS: Final = {"on": "on", "within": "in"}
"""Relation of a receptacle -> its everyday preposition."""
_WITHIN: Final = frozenset({"in", "into", "inside", "within"})


def resolve_relation(preposition: str, relations: Collection[str]) -> str:
    """Return the relation that a preposition means: ``on``, ``within``, or an empty string.

    In, into and inside mean within; all others mean on. If only one relation is possible, every
    preposition means this relation: books in a bookcase are on its boards, and a towel on a bathtub
    is in the bathtub.

    Args:
        preposition: ``on``, ``into`` ...
        relations: The relations of its receptacles.
    """
    meant = "within" if preposition in _WITHIN else "on"
    return meant if meant in relations else next(iter(relations), "")


def relations_to(kind: FurnitureKind | ThingKind) -> frozenset[str]:
    """Return the relations in which objects can be to a category: ``on`` and ``within``, if any."""
    if isinstance(kind, FurnitureKind):
        return frozenset(space.kind for space in kind.receptacles)
    return frozenset(() if kind.inside is None else ("on" if kind.flat else "within",))


def furniture_receptacles(
    kind: FurnitureKind, size: Vector, obstacles: Iterable[tuple[Vector, Vector]] = ()
) -> tuple[Receptacle, ...]:
    """Return the receptacles of a piece.

    Args:
        kind: Its category.
        size: Its size in metres.
        obstacles: Boxes (low, high) of other furniture, in metres, relative to the piece.
    """
    blocks = list(obstacles)
    receptacles = []
    for spec in kind.receptacles:
        for name, low, high in _layers(spec, size):
            for block in blocks:
                low, high = carve(low, high, *block)
            if is_usable(low, high):
                receptacles.append(Receptacle(name, spec.kind, low, high))
    return tuple(receptacles)


def thing_receptacles(kind: ThingKind, size: Vector) -> tuple[Receptacle, ...]:
    """Return the inner space of a container (open ones have headroom) or the top of a flat one."""
    if kind.inside is None:
        return ()
    (relation,) = relations_to(kind)
    x, y = (round(size[i] * kind.inside[i] / 2, 3) for i in (0, 1))
    height = size[2] * kind.inside[2]
    if "openable" in kind.affords:
        bottom = round((size[2] - height) / 2, 3)
        top = round(bottom + height, 3)
    else:
        bottom = round(size[2] - height, 3)
        top = round(bottom + max(height, _ABOVE), 3)
    name = "top" if relation == "on" else "inside"
    return (Receptacle(name, relation, (-x, -y, bottom), (x, y, top)),)


def _layers(spec: ReceptacleKind, size: Vector) -> Iterable[tuple[str, Vector, Vector]]:
    width, depth, height = size
    x = round(width / 2 - spec.side, 3)
    back, front = round(-depth / 2 + spec.back, 3), round(depth / 2 - spec.front, 3)
    start = spec.start * height
    end = spec.end * height if spec.end is not None else start + spec.space
    step = (end - start) / spec.layers
    for i in range(spec.layers):
        low = round(start + i * step, 3)
        high = round(start + (i + 1) * step - (_BOARD if spec.layers > 1 else 0.0), 3)
        name = spec.name if spec.layers == 1 else f"{spec.name}_{i + 1}"
        yield name, (-x, back, low), (x, front, high)


def is_usable(low: Vector, high: Vector) -> bool:
    """Return whether a space is large enough for objects."""
    return all(b - a >= _MIN_SIDE for a, b in zip(low, high, strict=True))


def carve(low: Vector, high: Vector, start: Vector, end: Vector) -> tuple[Vector, Vector]:
    """Return the largest part of a box beside, in front of, behind or below an obstacle."""
    if not all(low[i] < end[i] and start[i] < high[i] for i in range(3)):
        return low, high
    parts: list[tuple[Vector, Vector]] = []
    for i in range(3):
        parts.append((low, _with(high, i, start[i])))
        if i < 2:  # nothing stands above an obstacle
            parts.append((_with(low, i, end[i]), high))
    return max(parts, key=lambda part: _volume(*part))


def _with(point: Vector, axis: int, value: float) -> Vector:
    changed = list(point)
    changed[axis] = round(value, 3)
    return changed[0], changed[1], changed[2]


def _volume(low: Vector, high: Vector) -> float:
    sides = [max(0.0, b - a) for a, b in zip(low, high, strict=True)]
    return sides[0] * sides[1] * sides[2]
