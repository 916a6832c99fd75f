"""Figures of people: all postures and gestures, hair and clothes."""

from dataclasses import replace

import numpy as np
import pytest

from homebody.worlds.house.model.catalogue import catalogue
from homebody.worlds.house.model.house import AGES, BUILDS, GESTURES, HAIR, POSTURES, Person, Pose
from homebody.worlds.house.model.people import box_size, grip, hips, stature
from homebody.worlds.house.rendering.meshes.by_category import person_mesh
from homebody.worlds.house.rendering.meshes.mesh import Mesh
from homebody.worlds.house.rendering.rays import Tree

RED = (0.8, 0.1, 0.1)


def someone(posture: str = "standing", height: int = 1700, **looks: str) -> Person:
    size = box_size(posture, height, height * 28 // 100, height // 5, 460)
    clothes = {"shirt": RED, "trousers": (0.1, 0.1, 0.6), "skin": (0.9, 0.7, 0.6)}
    return Person("person_0", posture, "den_0", Pose((0, 0, 0)), size, clothes, **looks)


def bounds(mesh: Mesh) -> tuple[np.ndarray, np.ndarray]:  # type: ignore[type-arg]
    points = mesh.corners.reshape(-1, 3)
    return points.min(axis=0), points.max(axis=0)


@pytest.mark.parametrize("posture", POSTURES)
@pytest.mark.parametrize("height", [1150, 1750])
@pytest.mark.parametrize("build", BUILDS)
def test_people_fill_their_boxes_but_for_their_arms(posture: str, height: int, build: str) -> None:
    person = someone(posture, height, build=build)
    mesh = person_mesh(person)
    low, high = bounds(mesh)
    w, d, h = person.size
    assert np.isfinite(mesh.corners).all()
    dangling = posture == "sitting" and height < 1500
    assert -0.04 < low[2] < (0.25 if dangling else 0.06)
    assert h - 0.07 < high[2] < h + (0.1 if posture == "lying" else 0.07)
    assert high[0] - low[0] < w + 0.16
    assert low[1] > -d / 2 - 0.12


@pytest.mark.parametrize("gesture", GESTURES)
@pytest.mark.parametrize("posture", ["standing", "sitting"])
def test_hands_are_where_something_is_held(gesture: str, posture: str) -> None:
    person = someone(posture, gesture=gesture)
    x, y, z = grip(person)
    skin = np.all(np.abs(mesh_colours(person) - np.array((0.9, 0.7, 0.6))) < 0.01, axis=1)
    points = person_mesh(person).corners[skin].reshape(-1, 3)
    near = np.linalg.norm(points - (x, y, z), axis=1).min()
    if gesture != "none" or posture == "standing":
        assert near < 0.15


def mesh_colours(person: Person) -> np.ndarray:  # type: ignore[type-arg]
    return person_mesh(person).colours


@pytest.mark.parametrize("posture", ["standing", "pointing", "walking"])
@pytest.mark.parametrize("garment", ["dress", "skirt", "coat"])
@pytest.mark.parametrize("build", BUILDS)
def test_no_legs_show_through_a_skirt(posture: str, garment: str, build: str) -> None:
    person = replace(someone(posture, build=build), clothes={garment: RED, "skin": (0.1, 0.1, 0.6)})
    mesh, tall = person_mesh(person), stature(person)
    x, z = np.meshgrid(np.linspace(-0.12, 0.12, 49), np.linspace(-0.15, -0.03, 25))
    for front in (1, -1):
        starts = np.stack([x, np.full_like(x, front), z], axis=-1).reshape(-1, 3) * tall
        starts = (starts + hips(person)).astype(np.float32)
        ways = np.tile(np.array([0, -front, 0], np.float32), (len(starts), 1))
        hit = Tree(mesh.corners).cast(starts, ways).triangle
        shown = mesh.colours[hit[hit >= 0]]
        assert len(shown) > 400
        assert (shown[:, 0] > shown[:, 2]).all()


@pytest.mark.parametrize("hair", HAIR)
@pytest.mark.parametrize("age", AGES)
def test_hair_and_age_are_seen(hair: str, age: str) -> None:
    plain = person_mesh(someone())
    other = person_mesh(someone(hair=hair, age=age))
    if hair != "short" or age not in ("adult", "young_adult"):
        assert len(plain.corners) != len(other.corners) or not np.allclose(
            plain.corners, other.corners
        )


def test_each_garment_of_the_catalogue_is_drawn() -> None:
    bare = {"skin": (0.9, 0.7, 0.6), "hair": (0.2, 0.1, 0.1)}
    for name in catalogue().people.garments:
        person = someone()
        dressed = Person(
            person.name,
            person.posture,
            person.room,
            person.pose,
            person.size,
            {**bare, name: (0.013, 0.777, 0.131)},
        )
        tones = person_mesh(dressed).colours
        # straps and shadows of a colour are shades of it: what counts is that it is green
        assert (tones[:, 1] > 2 * tones[:, 0] + 0.1).any(), name
