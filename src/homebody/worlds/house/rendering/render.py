"""First-person pictures of a house: colour, depth, and the object at each pixel.

A picture is computed by ray casting with Embree: one ray for each pixel, one from its hit to the
lamp, and one to the sun if the sun can reach the hit (:mod:`shading`). Patterns of floors and walls
are computed for each point (:mod:`patterns`). Pictures are computed in tiles that fit a core's
cache. More rays pass the pixels at edges (:mod:`edges`).

Frame: the frame of the house. A camera with yaw 0 looks north (+y), with pitch 0 level; angles are
degrees, yaw counter-clockwise seen from above, pitch up.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from homebody.core.ground.progress import Progress, ignore_progress
from homebody.core.ground.user_errors import HomebodyError
from homebody.worlds.house.model.house import House, Pose, Vector
from homebody.worlds.house.model.state import HouseState
from homebody.worlds.house.rendering.arrays import Floats, Ints
from homebody.worlds.house.rendering.edges import smooth_edges
from homebody.worlds.house.rendering.ray_scene import MeshOf, RayScene
from homebody.worlds.house.rendering.rays import FAR
from homebody.worlds.house.rendering.shading import Shader

TILE = 100352
"""Number of pixels computed together, so that their data fits the cache of a core."""
MAX_PIXELS = 64_000_000
"""Maximum pixels of a picture, samples included."""
EYE = 1.5
"""Height of the eyes of a standing agent, metres."""


@dataclass(frozen=True, slots=True)
class Camera:
    """A pinhole camera.

    Attributes:
        position: In the house, metres.
        yaw: 0 looks north, 90 west.
        pitch: 0 looks level, 90 up.
        width: Width of the picture, pixels.
        height: Height of the picture, pixels.
        fov: Horizontal field of view, degrees.
        exposure: Factor of the light. If None, the factor of eyes that are adapted to the room.
    """

    position: Vector
    yaw: float = 0.0
    pitch: float = 0.0
    width: int = 448
    height: int = 448
    fov: float = 79.0
    exposure: float | None = None


@dataclass(frozen=True, slots=True)
class Picture:
    """The view of a camera.

    Attributes:
        rgb: (height, width, 3) bytes, sRGB.
        depth: (height, width): metres along the direction of the camera; ``inf`` for outdoors.
        ids: (height, width): numbers of the visible objects, see ``names``; 0 is outdoors.
        names: Number -> name.
    """

    rgb: NDArray[np.uint8]
    depth: Floats
    ids: Ints
    names: tuple[str, ...]


def eye_of(pose: Pose, height: float = EYE) -> Vector:
    """Return the position of an agent's eyes."""
    x, y, z = pose.position
    return x, y, z + height


class Renderer:
    """Makes pictures of a scene at a time of day, and keeps their shared data.

    >>> renderer = Renderer(RayScene(house))                              # doctest: +SKIP
    >>> renderer.picture(Camera((2.0, 3.0, 1.5), yaw=90.0)).rgb.shape     # doctest: +SKIP
    (448, 448, 3)
    """

    def __init__(self, scene: RayScene, time: str = "day") -> None:
        """Prepare a renderer. Raise HomebodyError if there is no such time of day."""
        self.scene, self.time = scene, time
        self._shader = Shader(scene, time)

    @classmethod
    def of(
        cls,
        house: House,
        state: HouseState | None = None,
        meshes: MeshOf | None = None,
        time: str = "day",
    ) -> Renderer:
        """Return a renderer of a house in a state.

        Args:
            house: The house.
            state: Its state; the first state if None.
            meshes: The user's own meshes, such as :class:`.user_meshes.UserMeshes`.
            time: "day", "evening" or "night".

        Raises:
            HomebodyError: There is no such time of day.
        """
        return cls(RayScene(house, state, meshes), time)

    def update(self, state: HouseState) -> None:
        """Show another state of the same house from now on."""
        self.scene.update(state)

    def picture(
        self,
        camera: Camera,
        *,
        samples: int = 1,
        hide: Iterable[str] = (),
        progress: Progress = ignore_progress,
    ) -> Picture:
        """Return the view of a camera.

        Args:
            camera: The camera.
            samples: Rays along each side of a pixel. With 1, only edges get more rays; 2 also
                smooths fine patterns and reflections, at three times the cost. Depth and object
                numbers come from one of these rays.
            hide: Names that are not shown, such as the agent that looks.
            progress: Receives the progress; the light of a house is baked at its first picture.

        Raises:
            HomebodyError: A number is out of range.
        """
        _check(camera, samples)
        progress("light", 0, 0)
        self._shader.prepare()
        shown = self.scene.without(hide)
        big = replace(camera, width=camera.width * samples, height=camera.height * samples)
        self._shader.pixel = 2 * math.tan(math.radians(camera.fov / 2)) / big.width
        matrix = camera_matrix(camera.yaw, camera.pitch)
        base = directions(big.width, big.height, camera.fov)
        count = len(base)
        rgb = np.empty((count, 3), np.uint8)
        looks = np.empty(count, np.int64)
        depth = np.empty(count, np.float32)
        ids = np.empty(count, np.int32)
        origin = np.array(camera.position, np.float32)
        exposure = np.float32(self.exposure(camera))
        owners = np.append(self.scene.owner, np.int32(0))  # the last is for -1, a missing hit
        rows = max(4, 4 * round(TILE / big.width / 4))
        for start in range(0, count, rows * big.width):
            progress("drawing", start, count)
            part = slice(start, min(start + rows * big.width, count))
            ways = base[part] @ matrix
            origins = np.broadcast_to(origin, ways.shape)
            light, hits = self._shader.light(origins, ways, shown, big.width)
            light *= exposure
            rgb[part] = tone_map(light)
            depth[part] = hits.distance
            ids[part] = owners.take(hits.triangle)
            looks[part] = self._shader.looks(hits.triangle)
        depth[depth >= FAR] = np.inf
        shape = big.height, big.width
        image = rgb.reshape(*shape, 3)
        if samples > 1:
            image = _shrink(image, samples)
        else:

            def rays(x: Floats, y: Floats) -> tuple[Floats, Floats]:
                ways = _directions(x, y, big.width, big.height, big.fov) @ matrix
                return np.broadcast_to(origin, ways.shape), ways

            smooth_edges(
                image,
                looks.reshape(shape),
                lambda x, y: self._shader.looks(self.scene.cast(*rays(x, y), shown).triangle),
                lambda x, y: tone_map(self._shader.light(*rays(x, y), shown)[0] * exposure),
            )
        return Picture(
            image,
            depth.reshape(shape)[::samples, ::samples].copy(),
            ids.reshape(shape)[::samples, ::samples].copy(),
            tuple(self.scene.names),
        )

    def exposure(self, camera: Camera) -> float:
        """Return the exposure of a camera: eyes adapt to the mean light of their room."""
        if camera.exposure is not None:
            return camera.exposure
        return float(self.exposures(np.array([camera.position], np.float32))[0])

    def exposures(self, places: Floats) -> Floats:
        """Return the exposures of eyes at places (n, 3); see ``exposure``."""
        return self._shader.exposures(np.ascontiguousarray(places.T))

    def light(self, origins: Floats, ways: Floats) -> Floats:
        """Return linear light (3, n) along any rays: (n, 3) starts and directions."""
        self._shader.prepare()
        light = np.empty((3, len(ways)), np.float32)
        for start in range(0, len(ways), TILE):
            part = slice(start, start + TILE)
            light[:, part], _ = self._shader.light(origins[part], ways[part])
        return light


@lru_cache(maxsize=8)
def directions(width: int, height: int, fov: float) -> Floats:
    """Return directions through the pixels, row by row from the top: right, forward (1), up."""
    columns = np.arange(width, dtype=np.float32)
    rows = np.arange(height, dtype=np.float32)[:, None]
    return _directions(columns, rows, width, height, fov).reshape(-1, 3)


def _directions(x: Floats, y: Floats, width: int, height: int, fov: float) -> Floats:
    """Return directions through columns and rows, whole numbers in the middles of pixels."""
    half = math.tan(math.radians(fov) / 2)
    right = (x + np.float32(0.5)) * np.float32(2 / width) - 1
    up = 1 - (y + np.float32(0.5)) * np.float32(2 / height)
    ways = np.empty((*np.broadcast_shapes(x.shape, y.shape), 3), np.float32)
    ways[..., 0] = right * np.float32(half)
    ways[..., 1] = 1
    ways[..., 2] = up * np.float32(half * height / width)
    return ways


def camera_matrix(yaw: float, pitch: float) -> Floats:
    """Return the matrix from directions (rows: right, forward, up) to the house's frame."""
    a, b = math.radians(yaw), math.radians(pitch)
    right = [math.cos(a), math.sin(a), 0.0]
    ahead = [-math.sin(a) * math.cos(b), math.cos(a) * math.cos(b), math.sin(b)]
    up = [math.sin(a) * math.sin(b), -math.cos(a) * math.sin(b), math.cos(b)]
    return np.array([right, ahead, up], np.float32)


@lru_cache(maxsize=1)
def _tone_table() -> NDArray[np.uint8]:
    """Return the table from light to sRGB bytes.

    Its index is 1024 times the square root of the light, which is below 16. Dark tones are
    unchanged, middle tones get a little more contrast, and highlights are compressed.
    """
    light = (np.arange(4096) / 1024) ** 2
    pressed = light * (light + 0.08) / (light * (light + 0.32) + 0.1)
    return np.clip(np.round(255 * np.power(pressed, 1 / 2.2)), 0, 255).astype(np.uint8)


def tone_map(light: Floats) -> NDArray[np.uint8]:
    """Return bytes (n, 3), sRGB, of linear light (3, n) after exposure."""
    rgb = np.empty((light.shape[1], 3), np.uint8)
    for row in range(3):
        steps = np.sqrt(light[row])
        steps *= np.float32(1024)
        rgb[:, row] = _tone_table().take(steps.astype(np.intp), mode="clip")
    return rgb


def _shrink(image: NDArray[np.uint8], samples: int) -> NDArray[np.uint8]:
    """Return the means of ``samples`` x ``samples`` pixels."""
    height, width = image.shape[0] // samples, image.shape[1] // samples
    blocks = image.reshape(height, samples, width, samples, 3).astype(np.float32)
    means: NDArray[np.uint8] = np.round(blocks.mean(axis=(1, 3))).astype(np.uint8)
    return means


def check_fov(fov: float) -> None:
    """Raise HomebodyError if an angle in degrees is not a valid field of view."""
    if not 1 <= fov <= 170:
        raise HomebodyError(f"field of view of {fov} degrees is out of range", "choose 1 to 170")


def _check(camera: Camera, samples: int) -> None:
    check_fov(camera.fov)
    if samples < 1:
        raise HomebodyError(f"{samples} samples are out of range", "choose at least 1")
    if camera.width < 1 or camera.height < 1:
        raise HomebodyError(
            f"a picture cannot have {camera.width} x {camera.height} pixels", "choose at least 1"
        )
    if camera.width * camera.height * samples * samples > MAX_PIXELS:
        raise HomebodyError(
            f"a picture of {camera.width} x {camera.height} pixels, {samples} samples, is too big",
            f"choose at most {MAX_PIXELS} rays",
        )
    if camera.exposure is not None and not 0 < camera.exposure < math.inf:
        raise HomebodyError(f"exposure {camera.exposure} is out of range", "choose more than 0")
    if not all(math.isfinite(x) for x in (*camera.position, camera.yaw, camera.pitch)):
        raise HomebodyError("the camera's position, yaw or pitch is infinite or not a number")
