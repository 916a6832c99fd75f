"""A house seen from above, without its ceilings: a map with the names of rooms and things."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from homebody.core.errors import HomebodyError
from homebody.worlds.house.rendering.meshes.rooms import middle_of, rectangles
from homebody.worlds.house.rendering.render import MAX_PIXELS, Renderer, toned

CUT = 2.15
"""Height from which one looks down, metres: over furniture, below lamps."""
MARGIN = 0.5
"""Metres around the rooms."""
WALL_TONE = (58, 60, 66)
BACK_TONE = (250, 250, 248)
WINDOW_TONE = (120, 185, 225)
DOOR_TONE = (150, 95, 55)
INK = (25, 27, 32)
UNNAMED = frozenset({"ceiling_lamp", "rug", "painting", "wall_clock", "mirror", "wall_cabinet"})
"""Furniture whose names would only be in the way."""


def map_picture(
    renderer: Renderer,
    scale: float = 60.0,
    *,
    labels: bool = True,
    furniture: bool = False,
    marked: Iterable[tuple[float, float, str]] = (),
) -> NDArray[np.uint8]:
    """The map of a house.

    Args:
        renderer: Of the house, in the state to show.
        scale: Pixels per metre.
        labels: Write the names of rooms (and people).
        furniture: Write the names of larger furniture too.
        marked: Places (x, y in metres) to mark, each with a word.

    Returns:
        (height, width, 3) bytes, north at the top.

    Raises:
        HomebodyError: the scale is out of range.
    """
    house = renderer.scene.house
    xs = [x for room in house.rooms for x, _ in room.outline]
    ys = [y for room in house.rooms for _, y in room.outline]
    x0, y1 = min(xs) - MARGIN, max(ys) + MARGIN
    width = round((max(xs) + MARGIN - x0) * scale)
    height = round((y1 - min(ys) + MARGIN) * scale)
    if scale <= 0 or not 1 <= width * height <= MAX_PIXELS:
        raise HomebodyError(f"a map of {scale} pixels per metre", "choose 10 to 200")
    columns = x0 + (np.arange(width) + 0.5) / scale
    rows = y1 - (np.arange(height) + 0.5) / scale
    origins = np.empty((height, width, 3), np.float32)
    origins[..., 0], origins[..., 1], origins[..., 2] = columns, rows[:, None], CUT
    inside = np.zeros((height, width), bool)
    near = np.zeros((height, width), bool)
    for room in house.rooms:
        for a, b, c, d in rectangles(room.outline):
            _fill(inside, columns, rows, (a, b, c, d))
            wall = house.wall + 0.03
            _fill(near, columns, rows, (a - wall, b - wall, c + wall, d + wall))
    image = np.empty((height, width, 3), np.uint8)
    image[:] = BACK_TONE
    image[near & ~inside] = WALL_TONE
    down = np.array([0, 0, -1], np.float32)
    show = inside.copy()
    for opening in house.openings:
        (ax, ay), (bx, by) = opening.start, opening.end
        half = house.wall / 2 + 0.02
        box = (min(ax, bx), min(ay, by), max(ax, bx), max(ay, by))
        level = abs(ay - by) < 1e-6
        grown = (box[0], box[1] - half, box[2], box[3] + half) if level else (
            box[0] - half, box[1], box[2] + half, box[3])  # fmt: skip
        mask = np.zeros_like(inside)
        _fill(mask, columns, rows, grown)
        if opening.is_passage:
            show |= mask
        image[mask] = WINDOW_TONE if opening.kind == "window" else DOOR_TONE
    origin = origins[show]
    light = renderer.light(origin, np.broadcast_to(down, origin.shape).copy())
    image[show] = toned(light)
    return _labelled(image, renderer, (x0, y1, scale), labels, furniture, marked)


def _fill(
    mask: NDArray[np.bool_],
    columns: NDArray[np.floating],
    rows: NDArray[np.floating],
    box: tuple[float, float, float, float],
) -> None:
    x0, y0, x1, y1 = box
    mask[np.ix_((rows >= y0) & (rows <= y1), (columns >= x0) & (columns <= x1))] = True


def _labelled(
    image: NDArray[np.uint8],
    renderer: Renderer,
    frame: tuple[float, float, float],
    labels: bool,
    furniture: bool,
    marked: Iterable[tuple[float, float, str]],
) -> NDArray[np.uint8]:
    from PIL import Image, ImageDraw, ImageFont

    x0, y1, scale = frame
    picture = Image.fromarray(image)
    draw = ImageDraw.Draw(picture)

    def write(x: float, y: float, text: str, size: float) -> None:
        font = ImageFont.load_default(size=max(8.0, size))
        at = ((x - x0) * scale, (y1 - y) * scale)
        draw.text(at, text, INK, font, anchor="mm", stroke_width=2, stroke_fill=(255, 255, 255))

    house, state = renderer.scene.house, renderer.scene.state
    if furniture:
        for piece in house.furniture:
            if piece.category not in UNNAMED:
                x, y, _ = piece.box.centre
                write(x, y, piece.category.replace("_", " "), scale * 0.17)
    if labels:
        for room in house.rooms:
            x, y = middle_of(room.outline)
            write(x, y, room.name.replace("_", " "), scale * 0.3)
        for person in house.people:
            x, y, _ = person.pose.position
            write(x, y, person.name.replace("_", " "), scale * 0.2)
        for name, body in state.bodies.items():
            write(body.pose.position[0], body.pose.position[1], name, scale * 0.22)
    for x, y, word in marked:
        px, py, r = (x - x0) * scale, (y1 - y) * scale, scale * 0.12
        draw.ellipse((px - r, py - r, px + r, py + r), (220, 50, 40), (255, 255, 255))
        write(x, y + 0.3, word, scale * 0.22)
    return np.asarray(picture)
