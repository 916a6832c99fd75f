"""Frames of doors and windows: on the right side, without faces that lie in each other."""

from __future__ import annotations

import numpy as np
import pytest

from homebody.worlds.house.generation.generate import generate
from homebody.worlds.house.model.house import House, to_world
from homebody.worlds.house.rendering.meshes.frames import pose_of
from homebody.worlds.house.rendering.meshes.mesh import Mesh, join_meshes
from homebody.worlds.house.rendering.meshes.rooms import opening_mesh, walls_mesh
from homebody.worlds.house.rendering.render import Camera, Renderer
from homebody.worlds.house.simulation.walking.walls import contains


@pytest.fixture(scope="module")
def house() -> House:
    return generate(1, "home", rooms=6)


def coplanar_pairs(mesh: Mesh) -> list[tuple[int, int]]:
    """Pairs of upright or level rectangles in one plane that look the same way and overlap."""
    corners = np.round(mesh.corners.astype(np.float64), 5)
    low, high = corners.min(axis=1), corners.max(axis=1)
    normal = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    found = []
    for axis in range(3):
        flat = np.flatnonzero((high - low)[:, axis] < 1e-6)
        u, v = (axis + 1) % 3, (axis + 2) % 3
        for i in range(len(flat)):
            a = flat[i]
            others = flat[i + 1 :]
            same = np.abs(low[others, axis] - low[a, axis]) < 2e-4
            same &= normal[others, axis] * normal[a, axis] > 0
            for k in (u, v):
                same &= (
                    np.minimum(high[others, k], high[a, k])
                    > np.maximum(low[others, k], low[a, k]) + 1e-4
                )
            # The two halves of a rectangle share its box; they do not overlap.
            for b in others[same]:
                shared = {tuple(p) for p in corners[a]} & {tuple(p) for p in corners[b]}
                if len(shared) < 2:
                    found.append((int(a), int(b)))
    return found


def test_no_faces_of_a_frame_lie_in_each_other(house: House) -> None:
    for opening in house.openings:
        walls = [walls_mesh(house, house.room[name]) for name in opening.rooms]
        own = opening_mesh(house, opening)
        low, high = own.corners.min(axis=(0, 1)) - 0.3, own.corners.max(axis=(0, 1)) + 0.3
        near = [
            (((wall.corners.max(axis=1) >= low) & (wall.corners.min(axis=1) <= high)).all(axis=1))
            for wall in walls
        ]
        parts = [
            Mesh(w.corners[k], w.normals[k], w.colours[k], w.seconds[k], w.surfaces[k])
            for w, k in zip(walls, near, strict=True)
        ]
        pairs = coplanar_pairs(join_meshes([own, *parts]))
        pairs = [pair for pair in pairs if min(pair) < len(own)]
        assert not pairs, f"{opening.name} ({opening.kind}): {len(pairs)}"


def test_an_opening_looks_into_its_room(house: House) -> None:
    for opening in house.openings:
        x, y, _ = to_world(pose_of(house, opening), (0.0, 0.3, 0.0))
        assert contains(house.room[opening.rooms[0]], (x, y))


@pytest.mark.slow
def test_nothing_of_the_outside_is_seen_below_the_front_door(house: House) -> None:
    entrance = next(one for one in house.openings if one.kind == "entrance")
    pose = pose_of(house, entrance)
    yaw = pose.yaw + 180.0
    renderer = Renderer.of(house)
    for z, ahead in ((0.1, 1.0), (1.5, 0.8), (1.5, 2.0)):
        x, y, _ = to_world(pose, (0.0, ahead, 0.0))
        pitch = -float(np.degrees(np.arctan2(z, ahead)))
        camera = Camera((x, y, z), yaw, pitch, width=64, height=256, fov=30)
        picture = renderer.picture(camera)
        assert (picture.ids != 0).all()
