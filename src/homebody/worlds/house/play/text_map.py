"""Maps of a house in letters."""

from __future__ import annotations

import math
from collections.abc import Sequence
from string import ascii_lowercase
from typing import Final

from homebody.worlds.house.model.house import House, Point
from homebody.worlds.house.model.outlines import rooms_extent
from homebody.worlds.house.model.state import HouseState
from homebody.worlds.house.simulation.relations import room_of
from homebody.worlds.house.simulation.walking.walls import contains

CELL: Final = 0.5
"""Side in metres of the square that a character stands for."""
LOW: Final = 0.1
"""Height in metres up to which furniture, such as a rug, is not drawn."""
HIGH: Final = 1.5
"""Height in metres of the bottom of furniture that is not drawn."""


def text_map(
    house: House, state: HouseState, names: Sequence[str] = (), start: Point | None = None
) -> str:
    """Draw a house from above, the north at the top: each room in its letter, furniture as ``#``.

    Args:
        house: The house.
        state: The places of its objects.
        names: Objects and furniture to number and to list with their places.
        start: Where to draw an ``@``.
    """
    letters = dict(zip((room.name for room in house.rooms), ascii_lowercase, strict=False))
    west, south, east, north = rooms_extent(house)
    rows, columns = math.ceil((north - south) / CELL), math.ceil((east - west) / CELL)
    grid = [[" "] * columns for _ in range(rows)]

    def cell(x: float, y: float) -> tuple[int, int]:
        row = rows - 1 - int((y - south) / CELL)
        return min(max(row, 0), rows - 1), min(max(int((x - west) / CELL), 0), columns - 1)

    solid = [p.box for p in house.furniture if p.box.high[2] > LOW and p.box.low[2] < HIGH]
    for row in range(rows):
        for column in range(columns):
            x, y = west + (column + 0.5) * CELL, south + (rows - row - 0.5) * CELL
            for room in house.rooms:
                if contains(room, (x, y)):
                    grid[row][column] = letters.get(room.name, "?")
            if any(b.low[0] <= x <= b.high[0] and b.low[1] <= y <= b.high[1] for b in solid):
                grid[row][column] = "#"
    marked = []
    for number, name in enumerate(names, 1):
        x, y, _ = state.box(name).centre
        row, column = cell(x, y)
        grid[row][column] = str(number % 10)
        holder = state.places.get(name, ("",))[0]
        where = f" on or in {holder}" if holder in house.piece or holder in house.thing else ""
        marked.append(f"{number % 10}  {name}{where}, in {room_of(state, name)}")
    if start is not None:
        row, column = cell(*start)
        grid[row][column] = "@"
        marked.append("@  the start")
    rooms = [f"{letter}  {name}" for name, letter in letters.items()]
    drawn = ["".join(line).rstrip() for line in grid]
    return "\n".join([*drawn, "", *rooms, *marked])
