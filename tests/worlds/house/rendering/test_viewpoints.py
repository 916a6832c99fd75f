"""Where to stand for a good look."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from homebody.worlds.house.generation.generate import generate
from homebody.worlds.house.rendering.render import Renderer
from homebody.worlds.house.rendering.viewpoints import good_view


def test_a_good_view_shows_the_room() -> None:
    house = generate(5, rooms=3)
    renderer = Renderer.of(house)
    for room in house.rooms:
        camera = replace(good_view(renderer, room.name), width=40, height=30)
        picture = renderer.picture(camera)
        own = {renderer.scene.number[p.name] for p in house.furniture if p.room == room.name}
        assert len(own & set(picture.ids.ravel().tolist())) >= 1
        assert np.median(picture.depth) > 0.6
