"""Motifs of pictures and screens."""

from __future__ import annotations

import pytest

from homebody.worlds.house.rendering.meshes.motifs import MOTIFS, Outline, motif

FIELD, FIGURE = (0.8, 0.8, 0.7), (0.3, 0.4, 0.6)


def is_convex(outline: Outline) -> bool:
    """Whether it turns to the left at all corners."""
    corners = zip(outline[-2:] + outline[:-2], outline[-1:] + outline[:-1], outline, strict=True)
    return all(
        (b[0] - a[0]) * (c[1] - b[1]) - (b[1] - a[1]) * (c[0] - b[0]) >= -1e-9
        for a, b, c in corners
    )


@pytest.mark.parametrize("number", range(2 * len(MOTIFS)))
def test_patches_are_convex_and_in_the_picture(number: int) -> None:
    patches = list(motif(number, FIELD, FIGURE, 1.3))
    assert len(patches) > 3
    for outline, colour in patches:
        assert is_convex(outline)
        assert all(-0.1 <= share <= 1.1 for point in outline for share in point)
        assert all(0 <= part <= 1 for part in colour)


def test_no_two_motifs_are_alike() -> None:
    drawn = [str(list(motif(number, FIELD, FIGURE, 1.0))) for number in range(2 * len(MOTIFS))]
    assert len(set(drawn)) == len(drawn)
