"""Checks that surfaces have space to work; part of
:mod:`homebody.worlds.house.generation.validity`.

The catalogue states the share of a counter, desk or table that stays free in one piece.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from homebody.worlds.house.model.catalogue import Catalogue
from homebody.worlds.house.model.house import House, Thing, box_at, to_world
from homebody.worlds.house.model.outlines import PLAY, Rect, flat


def find_cluttered(house: House, entries: Catalogue) -> Iterator[str]:
    """Yield a sentence for each surface with less free area than the catalogue requires."""
    things: dict[tuple[str, str], list[Thing]] = {}
    for thing in house.things:
        things.setdefault(thing.place, []).append(thing)
    for piece in house.furniture:
        kind = entries.furniture.get(piece.category)
        for surface in piece.receptacles if kind is not None else ():
            share = kind.work(surface.name) if kind is not None else 0.0
            on = things.get((piece.name, surface.name))
            if not share or not on:
                continue
            ends = to_world(piece.pose, surface.low), to_world(piece.pose, surface.high)
            (x0, x1), (y0, y1) = (sorted(end[axis] for end in ends) for axis in (0, 1))
            room = free_area(
                (x0, y0, x1, y1), [flat(box_at(thing.pose, thing.size)) for thing in on]
            )
            if room < share * (x1 - x0) * (y1 - y0) - PLAY:
                yield f"{piece.name} has no room to work on its {surface.name}"


def free_area(surface: Rect, taken: Sequence[Rect]) -> float:
    """Return the area of the largest free axis-parallel rectangle, in square metres."""
    x0, y0, x1, y1 = surface
    xs = sorted({x0, x1, *(x for rect in taken for x in (rect[0], rect[2]) if x0 < x < x1)})
    best = 0.0
    for i, left in enumerate(xs):
        for right in xs[i + 1 :]:
            if (right - left) * (y1 - y0) <= best:
                continue
            between = sorted(
                (rect[1], rect[3]) for rect in taken if rect[0] < right and left < rect[2]
            )
            edges, top = [(y0, y0)], y0
            for low, high in between:
                edges.append((max(low, top), max(high, top)))
                top = max(high, top)
            edges.append((max(y1, top), y1))
            widest = max(low - high for (_, high), (low, _) in pairwise(edges))
            best = max(best, widest * (right - left))
    return best
