"""Many views of many houses, rendered in parallel, in shards for training.

A shard is a tar file of some houses in WebDataset's layout: the files of one view are consecutive
and share their name up to the first dot.

- ``.png``: the picture.
- ``.ids.png``: 16 bits, the number of the object at each pixel; 0 is outdoors.
- ``.depth.png``: 16 bits, millimetres along the direction of the camera; 65535 is farther or none.
- ``.json``: the house's recipe, the room, the camera, and the names of the visible numbers.

The bytes of ``fast`` shards depend on the plan alone. The bytes of ``high`` shards also depend on
the version of Blender and on its device. ``plan.json`` stores both. A folder cannot be continued
with a different version or device.
"""

from __future__ import annotations

import io
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import asdict, dataclass, replace
from functools import partial
from itertools import chain
from pathlib import Path
from typing import Any, Final

import numpy as np
import orjson

from homebody.core.ground.progress import Progress
from homebody.core.ground.seeds import choose
from homebody.core.ground.shards import Shard, make_shards, tar
from homebody.core.ground.user_errors import HomebodyError
from homebody.worlds.house.generation.generate import MAX_ROOMS, generate
from homebody.worlds.house.model.catalogue import catalogue
from homebody.worlds.house.model.recipe import VERSIONS, HouseRecipe
from homebody.worlds.house.rendering.lighting import time_of
from homebody.worlds.house.rendering.pathtracing.pathtracer import PathTracer
from homebody.worlds.house.rendering.render import EYE, Camera, Picture, Renderer
from homebody.worlds.house.rendering.viewpoints import good_view, shows_enough
from homebody.worlds.house.simulation.walking.navigation import navigation

FORMAT: Final = "homebody.views"
QUALITIES: Final = ("fast", "high")
HOUSES: Final = 8
"""Houses in a shard: some minutes' work."""
MAX_HOUSES: Final = 1_000_000
MAX_VIEWS: Final = 1_000


@dataclass(frozen=True, slots=True)
class ViewPlan:
    """A plan of views to render.

    Attributes:
        houses: Number of houses, with seeds ``seed``, ``seed + 1`` ...
        views: Views of each room: its best view, then random ones.
        kinds: Kinds of scenes, in turn; all if empty.
        rooms: Number of rooms of each house; the usual number if None.
        seed: Seed of the first house.
        width: Width of pictures, pixels.
        height: Height of pictures, pixels.
        fov: Horizontal field of view, degrees.
        quality: One of ``QUALITIES``.
        time: "day", "evening" or "night".
    """

    houses: int
    views: int = 1
    kinds: tuple[str, ...] = ()
    rooms: int | None = None
    seed: int = 0
    width: int = 448
    height: int = 448
    fov: float = 84.0
    quality: str = "fast"
    time: str = "day"


def make_views(
    out: Path,
    plan: ViewPlan,
    *,
    engine: str = "pool",
    workers: int | None = None,
    progress: Progress | None = None,
) -> Path:
    """Render views into a folder of shards, or resume an interrupted run; return its manifest.

    A plan that only adds houses resumes the folder of a smaller plan.

    Args:
        out: The folder, made if it is missing.
        plan: The views to render.
        engine: One of :data:`~homebody.core.ground.engines.ENGINES`.
        workers: Number of processes; the number of cores if None.
        progress: Receives the number of finished shards.

    Raises:
        HomebodyError: A number of the plan is out of range, or see
            :func:`homebody.core.ground.shards.make_shards`.
    """
    _check(plan)
    shards = [
        Shard(f"views-{number:06}.tar", range(first, min(first + HOUSES, plan.houses)))
        for number, first in enumerate(range(0, plan.houses, HOUSES))
    ]
    settings = {**asdict(plan), **VERSIONS}
    maker = ""
    if plan.quality == "high":
        with PathTracer(Renderer.of(generate(0, "home", 1)), threads=1) as tracer:
            settings["blender"] = maker = tracer.maker
    work = partial(pack_shard, plan, maker)
    return make_shards(
        *(out, FORMAT, settings, shards, work),
        engine=engine,
        workers=workers,
        progress=progress,
        grows=("houses", HOUSES),
    )


def pack_shard(plan: ViewPlan, maker: str, numbers: range) -> bytes:
    """Return the shard of some houses of a plan, by their numbers.

    ``maker`` is :attr:`.PathTracer.maker` for quality "high".

    Raises:
        HomebodyError: This computer has another Blender or device.
    """
    return tar(chain.from_iterable(_files(plan, maker, number) for number in numbers))


def _files(plan: ViewPlan, maker: str, number: int) -> Iterator[tuple[str, bytes]]:
    kinds = plan.kinds or tuple(sorted(catalogue().scenes))
    seed, kind = plan.seed + number, kinds[number % len(kinds)]
    house = generate(seed, kind, plan.rooms)
    renderer = Renderer.of(house, time=plan.time)
    with ExitStack() as stack:
        tracer = None
        if plan.quality == "high":
            tracer = stack.enter_context(PathTracer(renderer, threads=1))
            if tracer.maker != maker:
                raise HomebodyError(
                    f"the views were made by Blender {maker}, but this computer has {tracer.maker}",
                    "resume where version and device are the same",
                )
        for room in house.rooms:
            for view, camera in enumerate(cameras(renderer, room.name, plan.views, plan.fov)):
                camera = replace(camera, width=plan.width, height=plan.height)
                if tracer is not None:
                    picture = tracer.picture(camera)
                else:
                    picture = renderer.picture(camera, samples=2)
                name = f"{kind}-{seed}-{room.name}-{view}"
                seen = {int(i): picture.names[i] for i in np.unique(picture.ids) if i}
                metadata = {
                    "house": asdict(HouseRecipe(seed, kind, plan.rooms)),
                    "room": room.name,
                    "camera": asdict(camera),
                    "quality": plan.quality,
                    "time": plan.time,
                    "names": seen,
                }
                yield f"{name}.png", png(picture.rgb)
                yield f"{name}.ids.png", png(picture.ids.astype(np.uint16))
                yield f"{name}.depth.png", png(millimetres(picture))
                yield f"{name}.json", orjson.dumps(metadata, option=orjson.OPT_NON_STR_KEYS)


def cameras(renderer: Renderer, room: str, count: int, fov: float) -> Iterator[Camera]:
    """Yield a room's best view, then views from places to stand. Raise KeyError if unknown."""
    house = renderer.scene.house
    yield good_view(renderer, room, fov=fov)
    rng = np.random.default_rng([house.seed, list(house.room).index(room)])
    spots = navigation(house).room_spots(room)
    for _ in range(count - 1):
        best = None
        for _ in range(12):
            yaw, pitch = round(360 * rng.random(), 1), round(-25 * rng.random(), 1)
            if spots:
                x, y = choose(rng, spots)
                trial = Camera((x, y, EYE), yaw, pitch, fov=fov)
            else:  # no place to stand: look about from the best place
                trial = replace(good_view(renderer, room, fov=fov), yaw=yaw, pitch=pitch)
            best = best or trial
            if shows_enough(renderer.scene, trial):
                best = trial
                break
        assert best is not None
        yield best


def millimetres(picture: Picture) -> Any:
    """Return depth (height, width) as 16-bit millimetres."""
    depth = np.minimum(picture.depth.astype(np.float64) * 1000, 65535)
    return np.round(depth).astype(np.uint16)


def png(image: Any) -> bytes:
    """Return an image as PNG: 8 bits (height, width, 3) or 16 bits (height, width)."""
    from PIL import Image

    data = io.BytesIO()
    Image.fromarray(image).save(data, "PNG")
    return data.getvalue()


def check_quality(quality: str) -> None:
    """Raise HomebodyError if there is no such quality of pictures."""
    if quality not in QUALITIES:
        raise HomebodyError(
            f"unknown quality {quality!r}", f"choose one of: {', '.join(QUALITIES)}"
        )


def _check(plan: ViewPlan) -> None:
    if not 1 <= plan.houses <= MAX_HOUSES:
        raise HomebodyError(f"choose 1 to {MAX_HOUSES:,} houses, not {plan.houses}")
    if not 1 <= plan.views <= MAX_VIEWS:
        raise HomebodyError(f"choose 1 to {MAX_VIEWS:,} views of a room, not {plan.views}")
    if plan.rooms is not None and not 1 <= plan.rooms <= MAX_ROOMS:
        raise HomebodyError(f"choose 1 to {MAX_ROOMS} rooms of a house, not {plan.rooms}")
    check_quality(plan.quality)
    time_of(plan.time)
    unknown = [kind for kind in plan.kinds if kind not in catalogue().scenes]
    if unknown:
        raise HomebodyError(
            f"unknown kind of scene {unknown[0]!r}",
            f"choose one of: {' '.join(catalogue().scenes)}",
        )
    if not 1 <= plan.fov <= 170 or not (1 <= plan.width <= 8192 and 1 <= plan.height <= 8192):
        raise HomebodyError(
            "choose 1 to 8192 pixels for each side and a field of view of 1 to 170 degrees"
        )
