"""Outlines of rooms cut into rectangles, and the faces of walls."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from homebody.worlds.house.rendering.hard_patterns import WALL_TILES_UP_TO
from homebody.worlds.house.rendering.materials import Surface
from homebody.worlds.house.rendering.meshes.rooms import rectangles, walls_mesh
from worlds.house.rendering.small_house import small_house


def test_an_outline_is_cut_into_rectangles() -> None:
    outline = ((0, 0), (4, 0), (4, 2), (2, 2), (2, 5), (0, 5))
    strips = rectangles(outline)
    assert sum((c - a) * (d - b) for a, b, c, d in strips) == 4 * 2 + 2 * 3


def test_walls_are_painted_above_their_tiles() -> None:
    house = small_house()
    mesh = walls_mesh(house, replace(house.rooms[0], covering="tiles"))
    top = mesh.corners[..., 2].max(axis=1)
    tiled = mesh.surfaces == Surface.WALL_TILES
    painted = mesh.surfaces == Surface.WALL
    assert top[tiled].max() == np.float32(WALL_TILES_UP_TO)
    assert top[painted].max() == np.float32(house.rooms[0].height)
    assert mesh.corners[painted][..., 2].min() == np.float32(WALL_TILES_UP_TO)
