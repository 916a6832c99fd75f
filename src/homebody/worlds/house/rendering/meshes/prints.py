"""Prints on packages and covers: what is in them, in capital letters."""

from __future__ import annotations

import math
from collections.abc import Mapping
from functools import lru_cache
from itertools import groupby
from types import MappingProxyType
from typing import Final

import numpy as np

from homebody.worlds.house.model.house import Colour
from homebody.worlds.house.rendering.arrays import Floats
from homebody.worlds.house.rendering.meshes.mesh import flat_normals
from homebody.worlds.house.rendering.meshes.sketch import Sketch

_LETTERS: Final = [
    "25755",
    "65656",
    "34443",
    "65556",
    "74647",
    "74644",
    "34553",
    "55755",
    "72227",
    "11152",
    "55655",
    "44447",
    "57755",
    "65555",
    "25552",
    "65644",
    "25563",
    "65655",
    "34216",
    "72222",
    "55557",
    "55552",
    "55775",
    "55255",
    "55222",
    "71247",
]
"""A to Z: five rows from the top, each the bits of three pixels."""
_WRAPPERS: Final = frozenset({"bag", "bottle", "box", "can", "carton", "jar", "hand", "frozen"})
"""Words of a category that no package prints."""
_PRINTED: Final[Mapping[str, str]] = MappingProxyType(
    {
        "cat_food": "cat", "dog_food": "dog", "food_can": "beans", "soda_can": "cola",
        "soda_bottle": "soda", "dish_soap": "dish soap", "aluminum_foil": "foil",
        "board_game": "game", "photo_album": "photos", "hand_sanitizer": "gel",
        "comic_book": "comic", "medicine_box": "pills", "pill_bottle": "pills",
        "coffee_jar": "coffee", "cookbook": "cook book", "textbook": "maths",
        "newspaper": "news", "milk_carton": "milk", "juice_carton": "juice",
            "fabric_softener": "soft",
        "potting_soil": "soil", "dictionary": "a to z",
    }
)  # fmt: skip
"""Prints that differ from the name of the category."""


def words_on(category: str) -> list[str]:
    """Return the lines that are printed on a package or cover of a category."""
    words = _PRINTED.get(category, category.replace("_", " ")).split()
    return [word for word in words if word not in _WRAPPERS] or words


def print_words(
    sketch: Sketch,
    lines: list[str],
    size: tuple[float, float],
    colour: Colour,
    bend: tuple[float, float] | None = None,
) -> None:
    """Print lines of words, as large as fit, around the origin of a plane that faces +z.

    Args:
        sketch: Its x runs along the lines, its y up.
        lines: Words of letters.
        size: Width and height of the space.
        colour: Of the letters.
        bend: Half the width and depth of the round vessel that the plane is bent to.
    """
    longest = max(map(len, lines))
    pixel = min(size[0] / (4 * longest - 1), size[1] / (6 * len(lines) - 1))
    flat = _pixels(tuple(lines)) * np.float32(pixel)
    if bend:
        angle = flat[..., 0] / bend[0]
        out = (np.cos(angle) - 1) * bend[1]
        flat = np.stack([np.sin(angle) * bend[0], flat[..., 1], out], axis=2)
    sketch.triangles(flat.astype(np.float32), colour, normals=flat_normals(flat))


@lru_cache(maxsize=256)
def _pixels(lines: tuple[str, ...]) -> Floats:
    """Return triangles (n, 3, 3) of lines of words in pixels, around the origin."""
    corners = []
    top = (6 * len(lines) - 1) / 2
    for row, word in enumerate(lines):
        for column, letter in enumerate(word):
            if not letter.isalpha():
                continue
            rows = _LETTERS[ord(letter.lower()) - ord("a")]
            for y, bits in enumerate(rows):
                x = column * 4 - (4 * len(word) - 1) / 2
                for is_ink, run in groupby(f"{int(bits):03b}"):
                    wide = len(list(run))
                    if is_ink == "1":
                        x1, y1 = x + wide, top - 6 * row - y
                        a, b, c, d = (x, y1 - 1, 0), (x1, y1 - 1, 0), (x1, y1, 0), (x, y1, 0)
                        corners += [(a, b, c), (a, c, d)]
                    x += wide
    return np.array(corners, np.float32)


def front(sketch: Sketch, y: float, z: float, turn: float = 0.0) -> Sketch:
    """Return the plane of a face to +y at a height, turned (degrees) about z, to print on."""
    a = math.radians(turn)
    return sketch.at((-math.sin(a) * y, math.cos(a) * y, z), 180 + turn).at((0, 0, 0), 90, "x")
