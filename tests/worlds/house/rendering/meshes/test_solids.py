"""Shapes as tables: lengths, paints, and rows that are drawn only sometimes."""

from __future__ import annotations

import numpy as np

from homebody.worlds.house.model.house import Colour
from homebody.worlds.house.rendering.materials import GLASS, GLOSS, GLOW, MATT
from homebody.worlds.house.rendering.meshes.form import Form, Shape
from homebody.worlds.house.rendering.meshes.mesh import Mesh
from homebody.worlds.house.rendering.meshes.palette import BLACK, GLASSY
from homebody.worlds.house.rendering.meshes.sketch import Sketch
from homebody.worlds.house.rendering.meshes.solids import (
    ball,
    box,
    filling,
    lathe,
    lit,
    made_of,
    move,
    on_off,
    only,
    tint,
    unless,
)

RED: Colour = (0.8, 0.2, 0.1)
CUBE = box((-0.5, -0.5, 0), (0.5, 0.5, 1))


def drawn(shape: Shape, category: str = "", body: Colour = RED, **states: bool) -> Mesh:
    """A shape as a thing of 2 x 4 x 6 m shows it."""
    sketch = Sketch()
    shape(Form(sketch, (2.0, 4.0, 6.0), {"body": body}, states, category=category))
    return sketch.mesh()


def bounds(mesh: Mesh) -> tuple[list[float], list[float]]:
    low, high = mesh.corners.min(axis=(0, 1)), mesh.corners.max(axis=(0, 1))
    return low.tolist(), high.tolist()


def test_lengths_are_shares_with_metres_on_top() -> None:
    assert bounds(drawn(CUBE)) == ([-1.0, -2.0, 0.0], [1.0, 2.0, 6.0])
    inner = box((-0.5, (-0.5, 0.5), (0, 0.25)), ((0, 0.75), 0.25, (1, -1.0)))
    assert bounds(drawn(inner)) == ([-1.0, -1.5, 0.25], [0.75, 1.0, 5.0])


def test_one_radius_alone_is_a_share_of_the_width() -> None:
    low, high = bounds(drawn(ball((0, 0, 0.5), 0.5)))
    np.testing.assert_allclose([low[2], high[2]], [2.0, 4.0], atol=1e-6)


def test_what_is_turned_is_as_deep_as_the_thing_unless_it_is_round() -> None:
    profile = [(0.0, 0.0), (1.0, 0.0), (1.0, 1.0)]
    assert bounds(drawn(lathe(profile)))[1][1] > 1.5
    assert bounds(drawn(lathe(profile, is_round=True)))[1][1] < 1.1


def test_rows_may_lie_in_a_turned_frame() -> None:
    low, high = bounds(drawn(move((0.5, 0, 0), 90, "z", CUBE)))
    np.testing.assert_allclose(low, [-1.0, -1.0, 0.0], atol=1e-6)
    np.testing.assert_allclose(high, [3.0, 1.0, 6.0], atol=1e-6)


def test_rows_for_states_and_categories() -> None:
    both = made_of(only("cup mug", CUBE), unless("cup", CUBE))
    assert [len(drawn(both, name)) for name in ("cup", "mug", "pan")] == [12, 24, 12]
    assert len(drawn(filling(0.9, 0.5))) == 0
    assert len(drawn(filling(0.9, 0.5), filled=True))


def test_paints_and_finishes() -> None:
    lamp = box((0, 0, 0), (1, 1, 1), on_off(RED, BLACK), lit)
    off, on = drawn(lamp), drawn(lamp, powered_on=True)
    assert (set(off.surfaces.tolist()), set(on.surfaces.tolist())) == ({GLOSS}, {GLOW})
    np.testing.assert_allclose(off.colours[0], BLACK)
    np.testing.assert_allclose(on.colours[0], RED)
    dark = drawn(box((0, 0, 0), (1, 1, 1), tint(0.5)))
    np.testing.assert_allclose(dark.colours[0], [0.4, 0.1, 0.05])
    assert set(dark.surfaces.tolist()) == {MATT}
    bottle = lathe([(0, 0), (1, 0), (1, 1)])
    assert set(drawn(bottle, body=GLASSY).surfaces.tolist()) == {GLASS}
