"""Detection boxes in pictures: their places, and labels that can be read."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

pytest.importorskip("PIL", reason="needs: pip install 'homebody[house]'")

from homebody.suites.embodiedeval.boxes import COLOURS, draw_boxes
from homebody.worlds.house.rendering.render import Picture

NAMES = ("outdoors", "wall_0", "coffee_table_0", "red_mug_0", "cup_0", "cup_1")


def seen_of(*squares: tuple[int, int, int, int], side: int = 448) -> Picture:
    """A grey picture of squares: number, left, top, side."""
    ids = np.ones((side, side), np.int32)
    for number, left, top, size in squares:
        ids[top : top + size, left : left + size] = number
    rgb = np.full((side, side, 3), 128, np.uint8)
    return Picture(rgb, np.ones((side, side), np.float32), ids, NAMES)


def where(image: NDArray[np.uint8], colour: int) -> NDArray[np.bool_]:
    same: NDArray[np.bool_] = (image == np.array(COLOURS[colour][0])).all(-1)
    return same


def test_a_box_is_around_what_is_shown_and_nothing_else() -> None:
    seen = seen_of((2, 100, 200, 150), (4, 400, 10, 5))
    image = draw_boxes(seen, set(NAMES[2:]), 100 / 448**2)
    drawn = (image != 128).any(-1)
    rows, columns = np.nonzero(drawn)
    assert (columns.min(), columns.max(), rows.max()) == (100, 249, 349)
    assert drawn[200, 100:250].all()
    assert drawn[200:350, 100].all()
    assert not drawn[300:345, 105:245].any()
    assert (seen.rgb == 128).all()


def test_labels_cover_no_other_label_and_stay_in_the_picture() -> None:
    close = [(2, 200, 0, 40), (3, 208, 12, 30), (4, 220, 24, 20), (5, 230, 36, 16)]
    image = draw_boxes(seen_of(*close), set(NAMES[2:]), 20 / 448**2)
    areas = []
    for colour in range(4):
        rows, columns = np.nonzero(where(image, colour))
        # of a label's own rows most columns are of its ground: no other label is over it
        row = int(np.argmax(np.bincount(rows)))
        areas.append((colour, int((rows == row).sum()), rows.min(), columns.min()))
    assert all(width > 15 for _, width, _, _ in areas)


def test_in_a_crowd_the_largest_are_labelled() -> None:
    grid = [(2 + at % 4, 2 + 6 * (at % 9), 2 + 6 * (at // 9), 5) for at in range(81)]
    image = draw_boxes(seen_of(*grid, side=60), set(NAMES[2:]), 0.0)
    assert image.shape == (60, 60, 3)
    again = draw_boxes(seen_of(*grid, side=60), set(NAMES[2:]), 0.0)
    assert (image == again).all()


@pytest.mark.parametrize("side", [224, 448, 896])
def test_letters_can_be_read_at_every_size(side: int) -> None:
    image = draw_boxes(
        seen_of((2, side // 2, side // 2, side // 4), side=side), set(NAMES[2:]), 0.001
    )
    ground = where(image, 0)
    assert ground.sum(1).max() >= 50  # the label of "coffee table"
    # rows that are mostly ground within the label's columns
    assert (ground.sum(1) >= 20).sum() >= 10
