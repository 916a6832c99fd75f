"""Where to stand for a good look."""

from __future__ import annotations

import math
import time
from dataclasses import dataclass, replace

import numpy as np
import pytest

from homebody.worlds.house.generation.generate import generate
from homebody.worlds.house.model.house import Opening, Pose
from homebody.worlds.house.rendering.arrays import Floats, Ints
from homebody.worlds.house.rendering.ray_scene import RayScene
from homebody.worlds.house.rendering.rays import FAR
from homebody.worlds.house.rendering.render import Camera, Renderer, camera_matrix, directions
from homebody.worlds.house.rendering.viewpoints import good_view, shows_enough
from worlds.house.rendering.small_house import BALL, small_house


def test_a_view_of_a_wall_or_a_door_does_not_show_enough() -> None:
    cup = replace(BALL, name="cup_0", pose=Pose((3.0, 2.0, 0.0)))
    scene = RayScene(small_house(BALL, cup))
    assert shows_enough(scene, Camera((3.5, 0.4, 1.5), pitch=-17.0))
    assert not shows_enough(scene, Camera((3.5, 0.4, 1.5), yaw=-90.0, pitch=-17.0))
    assert not shows_enough(scene, Camera((3.0, 3.3, 1.0)))  # close to the cabinet
    house = small_house(BALL, cup)
    way, states = ((3.1, 4.06), (3.9, 4.06), 0.0, 2.0, "start", "den_0"), {"open": False}
    door = Opening("door_0", "door", ("den_0",), *way, states)
    shut = RayScene(replace(house, openings=(door,), furniture=house.furniture[1:]))
    assert not shows_enough(shut, Camera((3.5, 2.9, 1.2)))


@dataclass(frozen=True)
class Seen:
    """What a small picture shows, and how far away; no light is worked out."""

    ids: Ints
    depth: Floats

    @classmethod
    def by(cls, renderer: Renderer, camera: Camera) -> Seen:
        ways = directions(64, 48, camera.fov) @ camera_matrix(camera.yaw, camera.pitch)
        origins = np.broadcast_to(np.array(camera.position, np.float32), ways.shape)
        hits = renderer.scene.cast(origins, ways)
        owners = np.append(renderer.scene.owner, np.int32(0))
        return cls(owners[hits.triangle], np.where(hits.distance < FAR, hits.distance, np.inf))


@pytest.mark.slow
@pytest.mark.parametrize(
    "kind", ["home", *(pytest.param(kind, marks=pytest.mark.slow) for kind in ("office", "shop"))]
)
def test_a_good_view_shows_half_of_the_furniture_or_the_length_of_the_room(kind: str) -> None:
    for seed in range(2):
        house = generate(seed, kind, 5)
        renderer = Renderer.of(house)
        for room in house.rooms:
            picture = Seen.by(renderer, good_view(renderer, room.name))
            seen = set(np.unique(picture.ids).tolist())
            own = [
                renderer.scene.number[piece.name] in seen
                for piece in house.furniture
                if piece.room == room.name and piece.category != "ceiling_lamp"
            ]
            xs, ys = zip(*room.outline, strict=True)
            across = math.hypot(max(xs) - min(xs), max(ys) - min(ys))
            far = picture.depth[np.isfinite(picture.depth)].max()
            assert (own and sum(own) >= len(own) / 2) or far >= 0.75 * across, room.name
            assert (picture.depth < 0.6).mean() < 0.2


@pytest.mark.slow
def test_hallways_are_seen_along_their_length() -> None:
    for seed in range(3):
        house = generate(seed, "home", 6)
        room = next((room for room in house.rooms if room.kind == "hallway"), None)
        if room is None:
            continue
        renderer = Renderer.of(house)
        picture = Seen.by(renderer, good_view(renderer, room.name))
        floor = picture.ids == renderer.scene.number[room.floor_name]
        assert floor.mean() > 0.08
        xs, ys = zip(*room.outline, strict=True)
        finite = picture.depth[np.isfinite(picture.depth)]
        assert finite.max() > 0.6 * max(max(xs) - min(xs), max(ys) - min(ys))


@pytest.mark.parametrize(
    ("seed", "type", "room"),
    [(6, "shared_flat", "shared_bedroom_0"), (2, "studio", "studio_room_0")],
)
def test_no_screen_back_or_edge_right_before_the_eyes_hides_the_room(
    seed: int, type: str, room: str
) -> None:
    renderer = Renderer.of(generate(seed, "home", type=type))
    picture = Seen.by(renderer, good_view(renderer, room))
    assert (picture.depth < 1.2).mean() < 0.12


def test_it_is_quick_and_the_same_each_time() -> None:
    house = generate(3, "home", 6)
    renderer = Renderer.of(house)
    views = [good_view(renderer, room.name) for room in house.rooms]
    start = time.process_time()
    again = [good_view(renderer, room.name) for room in house.rooms]
    assert time.process_time() - start < 0.15 * len(house.rooms)
    assert again == views
