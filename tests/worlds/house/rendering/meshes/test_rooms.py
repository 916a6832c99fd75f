"""Outlines of rooms cut into rectangles."""

from __future__ import annotations

from homebody.worlds.house.rendering.meshes.rooms import rectangles


def test_an_outline_is_cut_into_rectangles() -> None:
    outline = ((0, 0), (4, 0), (4, 2), (2, 2), (2, 5), (0, 5))
    strips = rectangles(outline)
    assert sum((c - a) * (d - b) for a, b, c, d in strips) == 4 * 2 + 2 * 3
