"""Placement of labels on a map without overlap.

Labels are placed one after the other, the most important first. Each label is tried at its place
and around it, then in smaller sizes. A label that does not fit becomes a number, which a legend
explains. Lengths are pixels, y goes down.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TypeAlias

Rect: TypeAlias = tuple[float, float, float, float]
"""Left, top, right, bottom."""

_SMALLER = (1.0, 0.85, 0.7)
_LEAST = 8.0
"""Smallest readable letter size."""
_APART = 2.0


@dataclass(frozen=True, slots=True)
class Label:
    """A text to write.

    Attributes:
        text: The words.
        x: Preferred x of its centre.
        y: Preferred y of its centre.
        size: Letter size.
        within: Rectangle that contains it, such as the floor of its room; the whole map if None.
    """

    text: str
    x: float
    y: float
    size: float
    within: Rect | None = None


@dataclass(frozen=True, slots=True)
class PlacedLabel:
    """A text on a map, with its letter size and the box that it fills."""

    text: str
    size: float
    box: Rect


def place_labels(
    labels: Sequence[Label],
    measure: Callable[[str, float], tuple[float, float]],
    width: float,
    height: float,
) -> tuple[list[PlacedLabel], list[str]]:
    """Place labels without overlap.

    Args:
        labels: Labels, the most important first.
        measure: Text, letter size -> width and height.
        width: Width of the map.
        height: Height of the map.

    Returns:
        The placed labels, and the legend: ``1 the text that did not fit``. Equal texts have the
        same number. A number that does not fit either is only in the legend.
    """
    placed: list[PlacedLabel] = []
    numbers: dict[str, str] = {}
    whole = (0.0, 0.0, width, height)
    for label in labels:
        found = _place(label, label.text, measure, label.within or whole, placed)
        if found is None:
            number = numbers.setdefault(label.text, str(len(numbers) + 1))
            found = _place(label, number, measure, whole, placed)
        if found is not None:
            placed.append(found)
    return placed, [f"{number} {text}" for text, number in numbers.items()]


def _place(
    label: Label,
    text: str,
    measure: Callable[[str, float], tuple[float, float]],
    within: Rect,
    placed: Sequence[PlacedLabel],
) -> PlacedLabel | None:
    for share in _SMALLER:
        size = max(_LEAST, label.size * share)
        wide, high = measure(text, size)
        for x, y in _around(label, wide, high):
            box = (x - wide / 2, y - high / 2, x + wide / 2, y + high / 2)
            inside = box[0] >= within[0] and box[1] >= within[1]
            inside = inside and box[2] <= within[2] and box[3] <= within[3]
            if inside and not any(_touch(box, other.box) for other in placed):
                return PlacedLabel(text, size, box)
        if size == _LEAST:
            break
    return None


def _around(label: Label, wide: float, high: float) -> Iterator[tuple[float, float]]:
    """Yield positions for the centre of a label: its place, then farther and farther from it."""
    yield label.x, label.y
    for ring in (1, 2, 3):
        for across, along in ((0, -1), (0, 1), (-1, 0), (1, 0), (-1, -1), (1, -1), (-1, 1), (1, 1)):
            yield label.x + across * ring * wide * 0.35, label.y + along * ring * (high * 0.6 + 1)


def _touch(box: Rect, other: Rect) -> bool:
    return (
        box[0] < other[2] + _APART
        and other[0] < box[2] + _APART
        and box[1] < other[3] + _APART
        and other[1] < box[3] + _APART
    )
