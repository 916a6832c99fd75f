"""Meshes of all categories, people and what is unknown."""

from __future__ import annotations

import gc
from collections.abc import Mapping

import numpy as np
import pytest

from homebody.worlds.house.model.catalogue import catalogue
from homebody.worlds.house.model.house import (
    Colour,
    Furniture,
    Pose,
    Thing,
    Vector,
)
from homebody.worlds.house.model.kinds import FurnitureKind
from homebody.worlds.house.model.receptacles import furniture_receptacles
from homebody.worlds.house.rendering.materials import Surface
from homebody.worlds.house.rendering.meshes.by_category import (
    MODULES,
    REMEMBERED,
    SHAPES,
    apply_material,
    furniture_mesh,
    thing_mesh,
)
from homebody.worlds.house.rendering.meshes.mesh import Mesh

OWN_PARTS = {"belt", "glass", "pot", "rope", "tray"}
"""Parts of furniture with the name of an object that it is not: the pane of a window."""
MOST_TRIANGLES = 3200
"""Of one object. Half of all categories have less than 250."""


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


@pytest.mark.sampled
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


@pytest.mark.sampled
@pytest.mark.parametrize("category", sorted(catalogue().things))
def test_things_fill_their_boxes(category: str) -> None:
    kind = catalogue().things[category]
    assert kind.shape in SHAPES
    style = {part: colours[0] for part, colours in kind.style.items()}
    for number in range(2):
        thing = Thing(f"{category}_{number}", category, kind.size, Pose((0, 0, 0)), ("", ""), style)
        well_made(thing_mesh(thing, {"open": True}), kind.size, 0.16)
        states = {"open": False, "filled": True, "powered_on": True, "clean": False}
        assert 0 < len(thing_mesh(thing, states)) <= MOST_TRIANGLES


def _painted(kind: FurnitureKind, style: Mapping[str, Colour]) -> Mesh:
    width, depth, height = ((low + high) / 2 for low, high in kind.size)
    size = (width, depth, height)
    spaces, pose = furniture_receptacles(kind, size), Pose((0, 0, 0))
    return furniture_mesh(Furniture("a_0", kind.name, "", pose, size, spaces, style), {})


def test_a_part_that_looks_like_an_object_is_declared() -> None:
    kinds = catalogue()
    for name, kind in kinds.furniture.items():
        parts = set(kind.style) & set(kinds.things) - OWN_PARTS
        assert parts <= set(kind.shows), name
        for part in parts:
            style = dict.fromkeys(kind.style, (0.0, 0.0, 0.0)) | {part: (0.0, 1.0, 0.0)}
            assert (_painted(kind, style).colours == (0, 1, 0)).all(axis=1).any(), name


def test_soft_things_that_are_declared_are_drawn() -> None:
    for name, kind in catalogue().furniture.items():
        soft = [shown for shown in kind.shows if "fabric" in _materials(shown)]
        style = {part: colours[0] for part, colours in kind.style.items()}
        assert not soft or (_painted(kind, style).surfaces == Surface.FABRIC).any(), name


def _materials(category: str) -> tuple[str, ...]:
    kinds = catalogue()
    return (kinds.things.get(category) or kinds.furniture[category]).materials


def test_what_has_no_recipe_is_drawn_all_the_same() -> None:
    thing = Thing("orb_0", "orb", (0.2, 0.2, 0.2), Pose((0, 0, 0)), ("", ""))
    well_made(thing_mesh(thing, {}), (0.2, 0.2, 0.2), 0.01)


def test_no_shape_is_there_for_nothing() -> None:
    used = {kind.shape for kind in catalogue().furniture.values()}
    used |= {kind.shape for kind in catalogue().things.values()}
    assert set(SHAPES) - used == {"table_lamp"}  # of houses of others


def test_no_shape_is_drawn_twice() -> None:
    names = [name for module in MODULES for name in module.SHAPES]
    assert len(names) == len(set(names))


def test_meshes_of_many_houses_are_not_all_kept() -> None:
    before = _alive()
    for number in range(2 * REMEMBERED):
        size = (0.1 + number / 10_000, 0.1, 0.1)
        thing_mesh(Thing("lump_0", "lump", size, Pose((0, 0, 0)), ("", ""), {}), {})
    assert _alive() - before <= REMEMBERED


def _alive() -> int:
    gc.collect()
    return sum(isinstance(one, Mesh) for one in gc.get_objects())


def drawn_as(category: str, material: str, colour: str) -> set[int]:
    """Surfaces of a thing or piece in its main colour."""
    kinds = catalogue()
    furniture = kinds.furniture.get(category)
    parts = (furniture or kinds.things[category]).style
    style = {part: kinds.colours[colour] if part == "body" else (0, 1, 0) for part in parts}
    pose, size = Pose((0, 0, 0)), (0.6, 0.4, 0.8)
    if furniture:
        piece = Furniture("a", category, "", pose, size, (), style, material=material)
        mesh = furniture_mesh(piece, {})
    else:
        thing = Thing("a", category, size, pose, ("", ""), style, material=material)
        mesh = thing_mesh(thing, {})
    main = np.array(kinds.colours[colour], np.float32)
    return set(mesh.surfaces[np.abs(mesh.colours - main).max(axis=1) < 1e-4].tolist())


@pytest.mark.parametrize(
    ("category", "material", "colour", "surface"),
    [
        ("wardrobe", "wood", "oak", Surface.WOOD),
        ("wardrobe", "painted_wood", "white", Surface.GLOSS),
        ("shelf", "metal", "steel", Surface.METAL),
        ("filing_cabinet", "metal", "green", Surface.GLOSS),
        ("tray", "metal", "copper", Surface.METAL),
        ("tray", "plastic", "red", Surface.GLOSS),
        ("salad_bowl", "wood", "oak", Surface.WOOD),
        ("boots", "leather", "brown", Surface.LEATHER),
        ("boots", "rubber", "green", Surface.MATT),
        ("slippers", "fabric", "pink", Surface.FABRIC),
    ],
)
def test_what_a_thing_is_made_of_chooses_its_surface(
    category: str, material: str, colour: str, surface: Surface
) -> None:
    assert drawn_as(category, material, colour) == {surface}


def test_what_shines_or_is_clear_stays_so() -> None:
    pane = np.zeros((3, 3, 3), np.float32)
    tone = np.full((3, 3), 0.5, np.float32)
    codes = np.array([Surface.GLOW, Surface.MIRROR, Surface.GLASS], np.uint8)
    mesh = Mesh(pane, pane, tone, tone, codes)
    assert apply_material(mesh, "wood", (0.5, 0.5, 0.5)).surfaces.tolist() == codes.tolist()


def test_no_glass_lies_in_the_face_it_stands_on() -> None:
    kind, glass = catalogue().things["wine_glass"], {"body": (0.74, 0.85, 0.87)}
    thing = Thing("wine_glass_0", kind.name, kind.size, Pose((0, 0, 0)), ("", ""), glass)
    mesh = thing_mesh(thing, {})
    assert (mesh.surfaces == Surface.GLASS).all()
    assert mesh.corners[..., 2].min() == 0.0
    assert (mesh.corners[..., 2].max(axis=1) > 0.0).all()


def test_handles_of_another_surface_keep_it() -> None:
    corners = np.zeros((2, 3, 3), np.float32)
    tones = np.array([[0.9, 0.9, 0.9], [0.7, 0.7, 0.7]], np.float32)
    codes = np.array([Surface.WOOD, Surface.METAL], np.uint8)
    mesh = apply_material(
        Mesh(corners, corners, tones, tones, codes), "painted_wood", (0.9, 0.9, 0.9)
    )
    assert mesh.surfaces.tolist() == [Surface.GLOSS, Surface.METAL]
