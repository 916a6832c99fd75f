"""Detection boxes in a picture, with names of objects, furniture and people.

Boxes and labels take colours in turn. A label has a background and covers no other label. If there
are too many objects, the largest have labels and the others only boxes."""

from __future__ import annotations

from collections.abc import Container, Iterator
from typing import TYPE_CHECKING, Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:  # requires the extra ``house``
    from homebody.worlds.house.rendering.render import Picture

Rectangle: TypeAlias = tuple[int, int, int, int]
"""First and last column and row: left, top, right, bottom; pixels."""
COLOURS: Final = (
    ((230, 25, 75), "white"),
    ((255, 225, 25), "black"),
    ((0, 100, 220), "white"),
    ((60, 180, 75), "black"),
    ((145, 30, 180), "white"),
    ((70, 240, 240), "black"),
    ((245, 130, 48), "black"),
    ((0, 0, 0), "white"),
)
"""Colour of a box and its label's background, and of the letters."""
LETTERS: Final = 11
"""Height of letters in a picture of 448 x 448, pixels; the minimum in smaller ones."""


def draw_boxes(seen: Picture, shown: Container[str], least: float) -> NDArray[np.uint8]:
    """Return a picture with boxes: (height, width, 3) bytes.

    Args:
        seen: The picture.
        shown: Names with a box.
        least: Minimum share of the picture for a box.
    """
    from PIL import Image, ImageDraw

    from homebody.worlds.house.rendering.map_picture import font_of

    height, width = seen.ids.shape
    image = Image.fromarray(seen.rgb)
    draw = ImageDraw.Draw(image)
    font = font_of(max(LETTERS, LETTERS * height / 448))
    found = [each for each in _find_boxes(seen, least) if each[0] in shown]
    taken: list[Rectangle] = []
    for at, (_, box) in enumerate(found):
        draw.rectangle(box, outline=COLOURS[at % len(COLOURS)][0], width=max(1, height // 448))
    for at, (name, box) in enumerate(found):
        text = name.rpartition("_")[0].replace("_", " ")
        ground, letters = COLOURS[at % len(COLOURS)]
        size = draw.textbbox((0, 0), text, font)
        place = _find_label_place(box, (int(size[2]) + 3, int(size[3]) + 3), taken, (width, height))
        if place is not None:
            taken.append(place)
            draw.rectangle(place, fill=ground)
            draw.text((place[0] + 2, place[1] + 1), text, letters, font)
    return np.asarray(image)


def _find_boxes(seen: Picture, least: float) -> list[tuple[str, Rectangle]]:
    """Return names and boxes in a picture, the largest area first."""
    counts = np.bincount(seen.ids.ravel(), minlength=len(seen.names))
    counts[0] = 0  # outdoors
    numbers = np.flatnonzero(counts >= max(1, least * seen.ids.size))
    found = []
    for number in numbers[np.argsort(-counts[numbers], kind="stable")]:
        rows, columns = np.nonzero(seen.ids == number)
        box = int(columns.min()), int(rows.min()), int(columns.max()), int(rows.max())
        found.append((seen.names[number], box))
    return found


def _find_label_place(
    box: Rectangle, size: tuple[int, int], taken: list[Rectangle], picture: tuple[int, int]
) -> Rectangle | None:
    """Return a place for a label near its box that covers no other label; None without one."""
    width, height = size
    for left, top in _label_places(box, width, height):
        left = max(0, min(left, picture[0] - width))
        top = max(0, min(top, picture[1] - height))
        place = left, top, left + width - 1, top + height - 1
        if not any(_has_overlap(place, other) for other in taken):
            return place
    return None


def _label_places(box: Rectangle, width: int, height: int) -> Iterator[tuple[int, int]]:
    """Yield the upper left corners for a label, the best first.

    They are inside at the top if the box is large, else above, below, beside; then inside along its
    edges, and a little away."""
    left, top, right, bottom = box
    is_large = right - left > 2 * width and bottom - top > 4 * height
    inside = (left, top), (right - width, top), (left, bottom - height)
    if is_large:
        yield from inside
    yield from ((left, top - height), (left, bottom + 1), (right + 1, top), (left - width, top))
    if not is_large:
        yield from inside
        yield from ((left, bottom + 1 + height), (left, top - 2 * height), (right + 1, bottom))


def _has_overlap(one: Rectangle, other: Rectangle) -> bool:
    return one[0] <= other[2] and other[0] <= one[2] and one[1] <= other[3] and other[1] <= one[3]
