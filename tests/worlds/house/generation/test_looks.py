"""Size, colours and material of objects."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from homebody.worlds.house.generation.looks import sample_size, sample_style
from homebody.worlds.house.model.catalogue import catalogue, catalogue_files, read_catalogue


@given(st.integers(0, 2**32), st.sampled_from(sorted(catalogue().things)))
def test_sizes_lie_in_the_range_of_the_category(seed: int, category: str):
    kind = catalogue().things[category]
    for side, usual in zip(sample_size(np.random.default_rng(seed), kind), kind.size, strict=True):
        least, most = (usual * factor * 1000 for factor in kind.varies)
        assert max(4, least - 1) <= side <= max(4, most + 1)


def test_material_and_colour_fit():
    mine = """
[things.jar_of_mine]
shape = "cup"
size = [0.1, 0.1, 0.1]
varies = [0.5, 2]
colours = ["oak", "blue"]
materials = ["wood", "ceramic"]
affords = ["grabbable"]
rooms = ["kitchen"]
places = ["table"]
"""
    entries = read_catalogue({**catalogue_files(), "mine.toml": mine})
    kind, rng = entries.things["jar_of_mine"], np.random.default_rng(1)
    drawn = [sample_style(rng, kind) for _ in range(40)]
    seen = {(style["body"] == entries.colours["oak"], material) for style, material in drawn}
    assert seen == {(True, "wood"), (False, "ceramic")}
    sides = [sample_size(rng, kind)[0] for _ in range(40)]
    assert min(sides) < 80 < 130 < max(sides)
