"""Meshes of all categories, people and what is unknown."""

from __future__ import annotations

import gc

import numpy as np
import pytest

from homebody.worlds.house.model.catalogue import catalogue
from homebody.worlds.house.model.house import (
    Furniture,
    Pose,
    Thing,
    Vector,
)
from homebody.worlds.house.rendering.meshes.by_category import (
    REMEMBERED,
    SHAPES,
    furniture_mesh,
    thing_mesh,
)
from homebody.worlds.house.rendering.meshes.mesh import Mesh


def well_made(mesh: Mesh, size: Vector, slack: float, fill: float = 0.6) -> None:
    assert len(mesh)
    assert np.isfinite(mesh.corners).all()
    lengths = np.linalg.norm(mesh.normals, axis=-1)
    np.testing.assert_allclose(lengths, 1.0, atol=2e-3)
    assert (mesh.colours >= 0).all()
    assert (mesh.colours <= 1).all()
    low, high = mesh.corners.min(axis=(0, 1)), mesh.corners.max(axis=(0, 1))
    w, d, h = size
    assert (low >= np.array([-w / 2, -d / 2, 0]) - slack).all()
    above = np.array([0, 0, 0.3])  # taps and tills stand on what they belong to
    assert (high <= np.array([w / 2, d / 2, h]) + slack + above).all()
    # It fills its box roughly: what is drawn is where others think it is.
    assert (high - low >= np.array(size) * fill - 0.02).all()


@pytest.mark.parametrize("category", sorted(catalogue().furniture))
def test_furniture_fills_its_box(category: str) -> None:
    kind = catalogue().furniture[category]
    assert kind.shape in SHAPES
    width, depth, height = (low for low, _ in kind.size)
    size = (width, depth, height)
    style = {part: colours[0] for part, colours in kind.style.items()}
    shut = dict.fromkeys(("open", "powered_on", "filled"), False)
    for number in range(3):
        piece = Furniture(f"{category}_{number}", category, "", Pose((0, 0, 0)), size, (), style)
        well_made(furniture_mesh(piece, shut), size, 0.16)
        assert len(furniture_mesh(piece, {"open": True, "powered_on": True, "clean": False}))


@pytest.mark.parametrize("category", sorted(catalogue().things))
def test_things_fill_their_boxes(category: str) -> None:
    kind = catalogue().things[category]
    assert kind.shape in SHAPES
    style = {part: colours[0] for part, colours in kind.style.items()}
    for number in range(2):
        thing = Thing(f"{category}_{number}", category, kind.size, Pose((0, 0, 0)), ("", ""), style)
        well_made(thing_mesh(thing, {"open": True}), kind.size, 0.16)
        states = {"open": False, "filled": True, "powered_on": True, "clean": False}
        assert len(thing_mesh(thing, states))


def test_what_has_no_recipe_is_drawn_all_the_same() -> None:
    thing = Thing("orb_0", "orb", (0.2, 0.2, 0.2), Pose((0, 0, 0)), ("", ""))
    well_made(thing_mesh(thing, {}), (0.2, 0.2, 0.2), 0.01)


def test_no_shape_is_there_for_nothing() -> None:
    used = {kind.shape for kind in catalogue().furniture.values()}
    used |= {kind.shape for kind in catalogue().things.values()}
    assert set(SHAPES) - used == {"table_lamp"}  # of houses of others


def test_meshes_of_many_houses_are_not_all_kept() -> None:
    before = _alive()
    for number in range(2 * REMEMBERED):
        size = (0.1 + number / 10_000, 0.1, 0.1)
        thing_mesh(Thing("lump_0", "lump", size, Pose((0, 0, 0)), ("", ""), {}), {})
    assert _alive() - before <= REMEMBERED


def _alive() -> int:
    gc.collect()
    return sum(isinstance(one, Mesh) for one in gc.get_objects())
