"""Maps of a house from above, without ceilings, with the names of rooms and objects."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from homebody.core.ground.user_errors import HomebodyError
from homebody.worlds.house.model.doors import hinge_of, open_leaf, shut_leaf, swing
from homebody.worlds.house.model.house import House, Point
from homebody.worlds.house.model.outlines import grown_by, rooms_extent
from homebody.worlds.house.model.state import HouseState
from homebody.worlds.house.model.told_apart import appearance
from homebody.worlds.house.rendering.labels import Label, Rect, place_labels
from homebody.worlds.house.rendering.meshes.rooms import middle_of, rectangles
from homebody.worlds.house.rendering.render import MAX_PIXELS, Renderer, tone_map

CUT = 2.15
"""Height at which the map cuts the house, metres: above furniture, below lamps."""
MARGIN = 0.5
"""Metres around the rooms."""
WALL_TONE = (58, 60, 66)
BACK_TONE = (250, 250, 248)
WINDOW_TONE = (120, 185, 225)
DOOR_TONE = (150, 95, 55)
MARK_TONE = (220, 50, 40)
LEGEND_SIZE = 13.0
"""Letter size of a legend, pixels."""
INK = (25, 27, 32)
UNNAMED = frozenset({"ceiling_lamp", "rug", "painting", "wall_clock", "mirror", "wall_cabinet"})
"""Furniture without a label, because the names would be clutter."""


def map_picture(
    renderer: Renderer,
    scale: float = 60.0,
    *,
    labels: bool = True,
    furniture: bool = False,
    marked: Iterable[tuple[float, float, str]] = (),
    lines: Iterable[tuple[Point, Point]] = (),
) -> NDArray[np.uint8]:
    """Return the map of a house.

    Args:
        renderer: A renderer of the house, in the state to show.
        scale: Pixels per metre.
        labels: True to write the names of rooms and people.
        furniture: True to write also the names of larger furniture.
        marked: Places (x, y in metres) to mark, each with a word.
        lines: Lines to draw from place to place, such as the edges of a navigation graph.

    Returns:
        (height, width, 3) bytes, north at the top. Labels do not overlap: a label that does not fit
        is a number, explained in the legend below the map.

    Raises:
        HomebodyError: The scale is out of range.
    """
    house = renderer.scene.house
    x0, y0, x1, y1 = extent(house)
    width, height = round((x1 - x0) * scale), round((y1 - y0) * scale)
    if scale <= 0 or not 1 <= width * height <= MAX_PIXELS:
        raise HomebodyError(f"a map cannot have {scale} pixels per metre", "choose 10 to 200")
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
    image[show] = tone_map(light * renderer.exposures(origin))
    image = _draw_doors(image, renderer.scene.state, (x0, y1, scale))
    image = _draw_lines(image, lines, (x0, y1, scale))
    frame, marks = (x0, y1, scale), list(marked)
    written = (
        map_labels(renderer.scene.state, frame, furniture, marks)
        if labels or furniture
        else [
            Label(word, (x - x0) * scale, (y1 - y - 0.3) * scale, 0.22 * scale)
            for x, y, word in marks
        ]
    )
    dots = [((x - x0) * scale, (y1 - y) * scale) for x, y, _ in marks]
    return _draw_labels(image, written, dots, scale)


def extent(house: House) -> Rect:
    """Return the area that maps show: minimum x and y, maximum x and y, metres."""
    return grown_by(rooms_extent(house), MARGIN)


def _draw_doors(
    image: NDArray[np.uint8], state: HouseState, frame: tuple[float, float, float]
) -> NDArray[np.uint8]:
    """Draw the leaves of doors in their state, and the arcs that they sweep."""
    if not state.house.door:
        return image
    from PIL import Image, ImageDraw

    x0, y1, scale = frame
    picture = Image.fromarray(image)
    draw = ImageDraw.Draw(picture)

    def at(x: float, y: float) -> tuple[float, float]:
        return (x - x0) * scale, (y1 - y) * scale

    for name, door in state.house.door.items():
        shut, opened = shut_leaf(state.house, door), open_leaf(state.house, door)
        box = opened if state.states[name]["open"] else shut
        draw.rectangle((*at(box.low[0], box.high[1]), *at(box.high[0], box.low[1])), DOOR_TONE)
        pivot, radius = hinge_of(state.house, door), max(shut.size[:2])
        x, y, _ = swing(state.house, door).centre
        middle = math.degrees(math.atan2(pivot[1] - y, x - pivot[0])) // 90 * 90 + 45
        low, high = (pivot[0] - radius, pivot[1] + radius), (pivot[0] + radius, pivot[1] - radius)
        ring = (*at(*low), *at(*high))
        draw.arc(ring, middle - 45, middle + 45, DOOR_TONE, max(1, round(scale / 60)))
    return np.asarray(picture)


def _draw_lines(
    image: NDArray[np.uint8],
    lines: Iterable[tuple[Point, Point]],
    frame: tuple[float, float, float],
) -> NDArray[np.uint8]:
    from PIL import Image, ImageDraw

    x0, y1, scale = frame
    picture = Image.fromarray(image)
    draw = ImageDraw.Draw(picture)
    for (a, b), (c, d) in lines:
        ends = (a - x0) * scale, (y1 - b) * scale, (c - x0) * scale, (y1 - d) * scale
        draw.line(ends, MARK_TONE, max(1, round(scale / 20)))
    return np.asarray(picture)


def _fill(
    mask: NDArray[np.bool_],
    columns: NDArray[np.floating],
    rows: NDArray[np.floating],
    box: tuple[float, float, float, float],
) -> None:
    x0, y0, x1, y1 = box
    mask[np.ix_((rows >= y0) & (rows <= y1), (columns >= x0) & (columns <= x1))] = True


def map_labels(
    state: HouseState,
    frame: tuple[float, float, float],
    furniture: bool = False,
    marked: Iterable[tuple[float, float, str]] = (),
) -> list[Label]:
    """Return the labels of a map: rooms, agents, marks, people, furniture, in this order.

    Args:
        state: State of the house, with the positions of agents.
        frame: x of the left and y of the upper edge in metres, pixels per metre.
        furniture: True to name furniture too.
        marked: See :func:`map_picture`.
    """
    x0, y1, scale = frame

    def label(x: float, y: float, text: str, size: float, within: Rect | None = None) -> Label:
        words = text.replace("_", " ")
        return Label(words, (x - x0) * scale, (y1 - y) * scale, max(8.0, size * scale), within)

    house, labels = state.house, []
    for room in house.rooms:
        x, y = middle_of(room.outline)
        a, b, c, d = max(rectangles(room.outline), key=lambda r: (r[2] - r[0]) * (r[3] - r[1]))
        floor = ((a - x0) * scale, (y1 - d) * scale, (c - x0) * scale, (y1 - b) * scale)
        labels.append(label(x, y, room.name, 0.3, floor))
    for name, body in state.bodies.items():
        labels.append(label(*body.pose.position[:2], name, 0.22))
    labels += [label(x, y + 0.3, word, 0.22) for x, y, word in marked]
    for person in house.people:
        who = appearance(person, house.people).removeprefix("the ")
        labels.append(label(*person.pose.position[:2], who, 0.2))
    for piece in house.furniture if furniture else ():
        if piece.category not in UNNAMED:
            labels.append(label(*piece.box.centre[:2], piece.category, 0.17))
    return labels


def measure_text(text: str, size: float) -> tuple[float, float]:
    """Return width and height in pixels of a string on a map, including its white outline."""
    left, top, right, bottom = font_of(size).getbbox(text, anchor="mm", stroke_width=2)
    return float(right - left), float(bottom - top)


@lru_cache(maxsize=64)
def font_of(size: float) -> Any:
    """Return the font of maps at a size in pixels."""
    from PIL import ImageFont

    return ImageFont.load_default(size=size)


def _draw_labels(
    image: NDArray[np.uint8],
    labels: Sequence[Label],
    marked: Iterable[tuple[float, float]],
    scale: float,
) -> NDArray[np.uint8]:
    """Draw labels, and below the map a legend of the labels that did not fit."""
    from PIL import Image, ImageDraw

    height, width, _ = image.shape
    placed, legend = place_labels(labels, measure_text, width, height)
    band, cells = _legend(legend, width)
    whole = np.full((height + band, width, 3), BACK_TONE, np.uint8)
    whole[:height] = image
    picture = Image.fromarray(whole)
    draw = ImageDraw.Draw(picture)
    r = scale * 0.12
    for x, y in marked:
        draw.ellipse((x - r, y - r, x + r, y + r), MARK_TONE, (255, 255, 255))
    for one in placed:
        x, y = (one.box[0] + one.box[2]) / 2, (one.box[1] + one.box[3]) / 2
        font = font_of(one.size)
        draw.text((x, y), one.text, INK, font, "mm", stroke_width=2, stroke_fill=(255, 255, 255))
    for x, y, text in cells:
        draw.text((x, height + y), text, INK, font_of(LEGEND_SIZE), "ls")
    return np.asarray(picture)


def _legend(lines: Sequence[str], width: int) -> tuple[int, list[tuple[float, float, str]]]:
    """Return the height of a legend and the positions of its lines: rows from left to right."""
    cells: list[tuple[float, float, str]] = []
    x, row = LEGEND_SIZE, 1
    for line in lines:
        wide = measure_text(line, LEGEND_SIZE)[0] + LEGEND_SIZE
        if x + wide > width and x > LEGEND_SIZE:
            x, row = LEGEND_SIZE, row + 1
        cells.append((x, row * LEGEND_SIZE * 1.5, line))
        x += wide
    return round((row + 0.6) * LEGEND_SIZE * 1.5) if lines else 0, cells
