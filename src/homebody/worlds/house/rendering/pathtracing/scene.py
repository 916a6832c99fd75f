"""What a path tracer is told of a house: triangles, surfaces, textures, lights.

All numbers come from where the fast pictures have theirs: colours and patterns from
:mod:`..materials`, sun and lamps from :mod:`..lighting`.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from homebody.worlds.house.rendering.arrays import Floats, Mask
from homebody.worlds.house.rendering.faces import FaceTable
from homebody.worlds.house.rendering.lighting import TIMES, inward, lamps_on
from homebody.worlds.house.rendering.materials import MATERIALS, MAX_SURFACES, Material, Surface
from homebody.worlds.house.rendering.meshes.mesh import Mesh, flat_normals, joined
from homebody.worlds.house.rendering.outside import sky
from homebody.worlds.house.rendering.pathtracing.textures import paint
from homebody.worlds.house.rendering.ray_scene import RayScene

SKY_WIDTH = 2048
"""Of the picture of the sky, pixels; half as high."""
_GAP = 5e-5  # metres between faces in one plane


def described(scene: RayScene, hide: Iterable[str] = ()) -> tuple[dict[str, Any], dict[str, Any]]:
    """A scene as plain values and as arrays, for :mod:`.worker`; without some things by name."""
    hidden = set(hide)
    names = [name for name in scene.names[1:] if name not in hidden and len(scene.part(name))]
    parts = [scene.part(name) for name in names]
    mesh = joined(parts)
    numbers = np.array([scene.number[name] for name in names], np.int32)
    owner = np.repeat(numbers, [len(part) for part in parts])
    atlas = paint(mesh, owner)
    corners = _apart(mesh, FaceTable.of(mesh, owner).planes)
    lamps = {p.name for p in scene.house.furniture if p.category == "ceiling_lamp"}
    under = np.isin(owner, [scene.number[name] for name in sorted(lamps)])
    shadowless: Mask = under | (mesh.surfaces == Surface.GLOW)
    values = {
        "surfaces": [
            _surface(MATERIALS.get(code, Material()))  # type: ignore[call-overload]
            for code in range(MAX_SURFACES)
        ],
        "lamps": _lamps(scene),
        "sun": {
            "direction": TIMES["day"].sun.tolist(),
            "colour": (TIMES["day"].sunlight / TIMES["day"].sunlight.max()).tolist(),
            "power": float(TIMES["day"].sunlight.max()) * math.pi,
            "angle": math.radians(0.53),
        },
        "windows": _windows(scene),
        "skylight": 6.0,
    }
    arrays = {
        "corners": corners,
        "normals": mesh.normals,
        "codes": mesh.surfaces,
        "colours": np.clip(mesh.colours, 0, 1) ** 2,
        "shadowless": shadowless.astype(np.uint8),
        "textured": atlas.textured.astype(np.uint8),
        "places": atlas.places,
        "atlas": atlas.texels,
        "sky": _sky_picture(),
    }
    return values, arrays


def _apart(mesh: Mesh, planes: NDArray[np.int64]) -> Floats:
    """The corners, with faces of one thing that lie in one plane moved apart: where two of them
    cover each other, a path that leaves one would be caught by the other, and it looks black."""
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
    """A material in the words of Blender's shader."""
    return {
        "roughness": material.roughness,
        "metallic": material.metalness,
        "ior": _index(material.mirrored),
        "glow": material.emission,
        "clear": material.transmission,
    }


def _index(mirrored: float) -> float:
    """The refractive index of what mirrors that share of the light head-on."""
    root = math.sqrt(min(mirrored, 0.5))
    return (1 + root) / (1 - root)


def _lamps(scene: RayScene) -> list[dict[str, Any]]:
    return [
        {
            "position": lamp.position.tolist(),
            "colour": (lamp.power / lamp.power.max()).tolist(),
            "power": float(lamp.power.max()),
            "radius": lamp.radius,
        }
        for lamp in lamps_on(scene)
    ]


def _windows(scene: RayScene) -> list[dict[str, Any]]:
    """Where daylight comes in: the middles of windows, which way, and how large."""
    told = []
    for window in scene.house.openings:
        if window.kind != "window":
            continue
        nx, ny = inward(scene.house, window, window.rooms[0])
        (ax, ay), (bx, by) = window.start, window.end
        out = scene.house.wall
        told.append(
            {
                "position": [(ax + bx) / 2 - nx * out, (ay + by) / 2 - ny * out,
                             (window.bottom + window.top) / 2],
                "inward": [nx, ny, 0.0],
                "size": [math.dist(window.start, window.end), window.top - window.bottom],
            }
        )  # fmt: skip
    return told


def _sky_picture() -> Floats:
    """The sky all around, as Blender looks it up: the first row straight down."""
    turn = (0.5 - (np.arange(SKY_WIDTH) + 0.5) / SKY_WIDTH) * 2 * np.pi
    up = ((np.arange(SKY_WIDTH // 2) + 0.5) / (SKY_WIDTH // 2) - 0.5) * np.pi
    around, above = np.meshgrid(turn, up)
    level = np.cos(above)
    ways = np.stack([level * np.cos(around), level * np.sin(around), np.sin(above)])
    light = sky(ways.reshape(3, -1).astype(np.float32))
    return np.ascontiguousarray(light.T.reshape(SKY_WIDTH // 2, SKY_WIDTH, 3))
