"""Masses of objects are those of such objects in a real home."""

from __future__ import annotations

import pytest

from homebody.worlds.house.exchange.masses import BY_MATERIAL, _by_category, mass_of, volume_of
from homebody.worlds.house.model.catalogue import catalogue
from homebody.worlds.house.model.house import Pose, Thing
from homebody.worlds.house.rendering.meshes.by_category import thing_mesh
from homebody.worlds.house.rendering.meshes.sketch import Sketch

PLAUSIBLE = {
    "pillow": (0.4, 1.2),
    "wrench": (0.2, 0.7),
    "fork": (0.03, 0.07),
    "cup": (0.15, 0.4),
    "plate": (0.4, 1.0),
    "wine_glass": (0.1, 0.3),
    "wine_bottle": (1.1, 1.7),
    "milk_carton": (0.9, 1.5),
    "cereal_box": (0.3, 0.7),
    "apple": (0.1, 0.25),
    "bread": (0.4, 1.0),
    "book": (0.4, 1.0),
    "laptop": (1.0, 2.5),
    "phone": (0.08, 0.25),
    "t_shirt": (0.1, 0.3),
    "shoes": (0.6, 1.4),
    "hammer": (0.4, 1.0),
    "pan": (0.8, 2.0),
    "teddy_bear": (0.15, 0.5),
    "basketball": (0.4, 0.7),
    "suitcase": (2.5, 5.0),
    "cardboard_box": (0.3, 1.0),
    "bucket": (0.4, 1.0),
}
"""Category -> kilograms."""


def usual(category: str, material: str = "") -> Thing:
    kind = catalogue().things[category]
    style = {part: colours[0] for part, colours in kind.style.items()}
    pose = Pose((0.0, 0.0, 0.0))
    return Thing(f"{category}_0", category, kind.size, pose, ("", ""), style, material=material)


@pytest.mark.parametrize("category", PLAUSIBLE)
def test_masses_are_plausible(category: str) -> None:
    low, high = PLAUSIBLE[category]
    assert low < mass_of(usual(category)) < high


def test_no_object_is_lighter_than_a_gram_or_heavier_than_a_person_lifts() -> None:
    for name, kind in catalogue().things.items():
        for material in kind.materials or ("",):
            assert 0.001 < mass_of(usual(name, material)) < 25, (name, material)


def test_the_table_names_categories_and_materials_of_the_catalogue() -> None:
    assert _by_category().keys() <= catalogue().things.keys()
    used = {name for kind in catalogue().things.values() for name in kind.materials}
    assert BY_MATERIAL.keys() == used


def test_hollow_shapes_have_less_volume_than_their_box() -> None:
    sketch = Sketch()
    sketch.box((0, 0, 0), (1, 2, 3), (1, 1, 1))
    assert volume_of(sketch.mesh()) == pytest.approx(6)
    cup = usual("cup")
    w, d, h = cup.size
    assert 0.05 < volume_of(thing_mesh(cup, {})) / (w * d * h) < 0.4


def test_the_material_counts() -> None:
    metal, wood = (mass_of(usual("baseball_bat", material)) for material in ("metal", "wood"))
    assert metal > wood
