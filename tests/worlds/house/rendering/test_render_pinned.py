"""Pictures of this version are what they were when it got its number.

If they are not, and pictures were changed on purpose, raise ``PICTURES`` (model/recipe.py), run
``python tests/worlds/house/rendering/test_render_pinned.py`` and look at the file that it writes.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray
from PIL import Image

from homebody.worlds.house.generation.generate import generate
from homebody.worlds.house.model.catalogue import catalogue
from homebody.worlds.house.model.recipe import PICTURES
from homebody.worlds.house.rendering.render import Renderer
from homebody.worlds.house.rendering.view_sets import cameras

FOLDER = Path(__file__).parent
SIDE = 96
KINDS = tuple(catalogue().scenes)
TIMES = ("day", "evening", "night")


def draw(number: int) -> NDArray[np.uint8]:
    """Draw the best view of the first room of a house of a kind, with a person in it if it can."""
    house = generate(40 + number, KINDS[number], 2, people=2)
    renderer = Renderer.of(house, time=TIMES[number % len(TIMES)])
    camera = next(iter(cameras(renderer, house.rooms[0].name, 1, 84.0)))
    return renderer.picture(replace(camera, width=SIDE, height=SIDE)).rgb


def kept() -> NDArray[np.uint8]:
    """Return the pictures in the file of this version, one below the other."""
    with Image.open(FOLDER / f"pinned_pictures.{PICTURES}.png") as image:
        return np.asarray(image.convert("RGB")).reshape(len(KINDS), SIDE, SIDE, 3)


@pytest.mark.parametrize("number", range(len(KINDS)), ids=KINDS)
def test_a_picture_is_what_it_was(number: int) -> None:
    difference = np.abs(draw(number).astype(int) - kept()[number])
    changed = float((difference.max(axis=-1) > 6).mean())
    assert changed < 0.005, "more than rays that pass an edge on the other side on this platform"


def test_one_version_is_kept() -> None:
    assert [file.name for file in FOLDER.glob("*.png")] == [f"pinned_pictures.{PICTURES}.png"]


if __name__ == "__main__":
    for file in FOLDER.glob("pinned_pictures.*.png"):
        file.unlink()
    sheet = np.concatenate([draw(number) for number in range(len(KINDS))])
    Image.fromarray(sheet).save(FOLDER / f"pinned_pictures.{PICTURES}.png", optimize=True)
