"""The scene description that a path tracer receives: triangles, surfaces, textures, lights.

All numbers have the same sources as the fast pictures: colours and patterns from :mod:`..materials`
and :mod:`..patterns`, sun and lamps from :mod:`..lighting`, the sky and the surroundings from
:mod:`..outside`.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from homebody.worlds.house.rendering.arrays import Floats, Mask, linear
from homebody.worlds.house.rendering.lighting import inward, lamps_on, time_of
from homebody.worlds.house.rendering.materials import MATERIALS, MAX_SURFACES, Material, Surface
from homebody.worlds.house.rendering.meshes.mesh import Mesh, flat_normals, join_meshes
from homebody.worlds.house.rendering.outside import Outside
from homebody.worlds.house.rendering.ray_scene import RayScene
from homebody.worlds.house.rendering.textures import paint
from homebody.worlds.house.rendering.triangle_tables import FaceTable

SKY_WIDTH = 512
"""Width of the picture of the surroundings, pixels; its height is half."""
_GAP = 5e-5  # metres between faces in one plane
_SUN = math.radians(0.53)  # angular diameter of the sun


def describe_scene(
    scene: RayScene, outside: Outside, time: str, hide: Iterable[str] = ()
) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return a scene as plain values and as arrays, for :mod:`.worker`.

    Args:
        scene: The house in its state.
        outside: Its surroundings.
        time: Time of day, one of :data:`~.lighting.TIMES`.
        hide: Names to omit.
    """
    hidden = set(hide)
    names = [name for name in scene.names[1:] if name not in hidden and len(scene.part(name))]
    parts = [scene.part(name) for name in names]
    mesh = join_meshes(parts)
    numbers = np.array([scene.number[name] for name in names], np.int32)
    owner = np.repeat(numbers, [len(part) for part in parts])
    atlas = paint(mesh, owner)
    lamps = lamps_on(scene)
    under = np.isin(owner, [scene.number[lamp.name] for lamp in lamps if lamp.name])
    shadowless: Mask = under | (mesh.surfaces == Surface.GLOW)
    hour = time_of(time)
    colours = linear(np.clip(mesh.colours, 0, 1))
    colours[(mesh.surfaces == Surface.GLOW) & ~under] *= np.float32(hour.screens)
    values = {
        "surfaces": [
            _surface(MATERIALS.get(code, Material()))  # type: ignore[call-overload]
            for code in range(MAX_SURFACES)
        ],
        "lamps": [
            {
                "position": lamp.position.tolist(),
                "colour": (lamp.power / lamp.power.max()).tolist(),
                "power": float(lamp.power.max()),
                "radius": lamp.radius,
                "shadow": bool(lamp.name),  # residual light casts none
            }
            for lamp in lamps
        ],
        "sun": {
            "direction": hour.sun.tolist(),
            "colour": (hour.sunlight / hour.sunlight.max()).tolist(),
            "power": float(hour.sunlight.max()) * math.pi,  # light is irradiance by pi
            "angle": _SUN,
        },
        "windows": _windows(scene),
    }
    arrays = {
        "corners": _separate_faces(mesh, FaceTable.of(mesh, owner).planes),
        "normals": mesh.normals,
        "codes": mesh.surfaces,
        "colours": colours,
        "shadowless": shadowless.astype(np.uint8),
        "textured": atlas.textured.astype(np.uint8),
        "places": atlas.places,
        "atlas": atlas.texels,
        "sky": _surroundings(scene, outside, time),
    }
    return values, arrays


def _separate_faces(mesh: Mesh, planes: NDArray[np.int64]) -> Floats:
    """Return the corners, with coplanar faces of one object moved apart.

    If two faces overlap, a light path that leaves one face hits the other at once, and both look
    black.
    """
    begins = np.append(True, planes[1:] != planes[:-1])  # the triangles of a quad stay together
    quad = np.cumsum(begins) - 1
    _, of = np.unique(planes[begins], return_inverse=True)
    order = np.argsort(of, kind="stable")
    starts = np.append(True, of[order][1:] != of[order][:-1])
    place = np.arange(len(order))
    rank = np.empty(len(order), np.int64)
    rank[order] = place - np.maximum.accumulate(np.where(starts, place, 0))
    step = (rank % 16).astype(np.float32)[quad] * np.float32(_GAP)
    corners: Floats = mesh.corners + flat_normals(mesh.corners) * step[:, None, None]
    return corners


def _surface(material: Material) -> dict[str, float]:
    """Return a material in the terms of Blender's shader."""
    return {
        "roughness": material.roughness,
        "metallic": material.metalness,
        "ior": material.refractive_index,
        "glow": material.emission,
        "clear": material.transmission,
    }


def _windows(scene: RayScene) -> list[dict[str, Any]]:
    """Return centres, directions and sizes of windows, where daylight enters."""
    windows = []
    for window in scene.house.openings:
        if window.kind != "window":
            continue
        nx, ny = inward(scene.house, window, window.rooms[0])
        (ax, ay), (bx, by) = window.start, window.end
        out = scene.house.wall
        windows.append(
            {
                "position": [(ax + bx) / 2 - nx * out, (ay + by) / 2 - ny * out,
                             (window.bottom + window.top) / 2],
                "inward": [nx, ny, 0.0],
                "size": [math.dist(window.start, window.end), window.top - window.bottom],
            }
        )  # fmt: skip
    return windows


def _surroundings(scene: RayScene, outside: Outside, time: str) -> Floats:
    """Return the light of the surroundings in the layout that Blender requires: the first row is
    straight down.

    Rays start outside the house, because its walls would block most of them.
    """
    turn = (0.5 - (np.arange(SKY_WIDTH) + 0.5) / SKY_WIDTH) * 2 * np.pi
    up = ((np.arange(SKY_WIDTH // 2) + 0.5) / (SKY_WIDTH // 2) - 0.5) * np.pi
    around, above = np.meshgrid(turn, up)
    level = np.cos(above)
    shape = (level * np.cos(around), level * np.sin(around), np.sin(above))
    ways = np.stack(shape, axis=-1).reshape(-1, 3).astype(np.float32)
    corners = np.array([corner for room in scene.house.rooms for corner in room.outline])
    low, high = corners.min(axis=0), corners.max(axis=0)
    starts = np.zeros_like(ways)
    flat = ways[:, :2] / np.maximum(np.linalg.norm(ways[:, :2], axis=1, keepdims=True), 1e-6)
    with np.errstate(divide="ignore"):
        far = ((high - low) / 2 + 1.0) / np.abs(flat)
    starts[:, :2] = (low + high) / 2 + flat * far.min(axis=1, keepdims=True)
    starts[:, 2] = 1.5
    light = outside.light(starts, ways, time)
    return np.ascontiguousarray(light.T.reshape(SKY_WIDTH // 2, SKY_WIDTH, 3))
