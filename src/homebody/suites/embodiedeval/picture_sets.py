"""Drawing the pictures of tasks once, in parallel, as shards that :mod:`.pictures` reads.

A navigation graph has finitely many views. A shard is a tar file in WebDataset's format with up to
:data:`VIEWS` views of a task's first scene: each has a ``.png``, and a ``.json`` with the scene,
the view and the camera."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import msgspec

from homebody.core import HomebodyError, Progress
from homebody.core.ground.shards import Shard, make_shards, tar
from homebody.suites.embodiedeval.game import EmbodiedGame, start_state
from homebody.suites.embodiedeval.pictures import FORMAT, digest_of, picture_name, scene_name
from homebody.suites.embodiedeval.tasks import EmbodiedTask, house_of
from homebody.suites.embodiedeval.views import SIDE, camera_of, picture, renderer_of
from homebody.worlds.house.model.recipe import VERSIONS
from homebody.worlds.house.play.navigation_graph import GraphView, navigation_graph

if TYPE_CHECKING:  # require the extra ``house``
    from homebody.worlds.house.rendering.render import Picture

WHICH: Final = ("all", "plan")
"""Choices of views: all views of the graph, or the views of the shortest runs and their neighbours
to each side."""
VIEWS: Final = 64
"""Maximum number of views in a shard. With path tracing, a shard takes about ten minutes."""


def make_pictures(
    out: Path,
    tasks: Sequence[EmbodiedTask],
    *,
    quality: str = "fast",
    which: str = "all",
    engine: str = "pool",
    workers: int | None = None,
    progress: Progress | None = None,
) -> Path:
    """Draw views of tasks' scenes into a folder of shards, or resume; return its manifest.

    Args:
        out: The folder, created if it is missing.
        tasks: The tasks.
        quality: "fast" or "high".
        which: One of :data:`WHICH`.
        engine: One of :data:`~homebody.core.ground.engines.ENGINES`.
        workers: Number of processes; one per core if omitted.
        progress: Receives the number of finished shards.

    Raises:
        HomebodyError: There is no such quality or choice of views, no Blender, or see
            :func:`homebody.core.ground.shards.make_shards`.
    """
    from homebody.worlds.house.rendering.view_sets import check_quality

    check_quality(quality)
    if which not in WHICH:
        raise HomebodyError(
            f"unknown choice of views: {which!r}", f"choose one of: {', '.join(WHICH)}"
        )
    shards = []
    for scene, alike in _group_by_scene(tasks).items():
        views = _views(alike, which)
        for number, first in enumerate(range(0, len(views), VIEWS)):
            job = (alike[0], views[first : first + VIEWS])
            shards.append(Shard(f"{scene}-{number:03}.tar", job))
    work = msgspec.json.encode([(shard.name, shard.job[1]) for shard in shards])
    options: dict[str, Any] = {
        "quality": quality,
        "views": which,
        "side": SIDE,
        "work": hashlib.sha256(work).hexdigest()[:16],
        **VERSIONS,
    }
    maker = ""
    if quality == "high" and tasks:
        from homebody.worlds.house.rendering.pathtracing.pathtracer import PathTracer

        with PathTracer(renderer_of(house_of(tasks[0].scene)), threads=1) as tracer:
            options["blender"] = maker = tracer.maker
    return make_shards(
        out,
        FORMAT,
        options,
        shards,
        partial(pack_shard, maker),
        engine=engine,
        workers=workers,
        progress=progress,
    )


def _group_by_scene(tasks: Sequence[EmbodiedTask]) -> dict[str, list[EmbodiedTask]]:
    """Return the tasks with the same start, by the name of their scene."""
    found: dict[str, list[EmbodiedTask]] = {}
    for task in tasks:
        found.setdefault(scene_name(task), []).append(task)
    return found


def _views(tasks: Sequence[EmbodiedTask], which: str) -> list[GraphView]:
    graph = navigation_graph(house_of(tasks[0].scene))
    if which == "all":
        return list(graph.views())
    seen: dict[GraphView, None] = {}
    for task in tasks:
        game = EmbodiedGame(task)
        views = [game.view]
        for text in task.plan:
            game.do(next(each for each in game.options() if game.text(each) == text))
            views.append(game.view)
        for view in views:
            seen.update(dict.fromkeys((view, graph.turn(view, 1), graph.turn(view, -1))))
    return list(seen)


def pack_shard(maker: str, job: tuple[EmbodiedTask, Sequence[GraphView]]) -> bytes:
    """Return the shard of some views, path-traced by the Blender of a ``maker`` if one is named.

    Raises:
        HomebodyError: This computer has another Blender or device.
    """
    return tar(_files(maker, *job))


def _files(
    maker: str, task: EmbodiedTask, views: Sequence[GraphView]
) -> Iterator[tuple[str, bytes]]:
    from homebody.worlds.house.rendering.pathtracing.pathtracer import PathTracer
    from homebody.worlds.house.rendering.view_sets import png

    state = start_state(task)
    known = digest_of(state)
    with ExitStack() as stack:
        tracer = None
        if maker:
            renderer = renderer_of(state.house)
            renderer.update(state)
            tracer = stack.enter_context(PathTracer(renderer, threads=1))
            if tracer.maker != maker:
                raise HomebodyError(
                    f"the pictures need Blender {maker}, but this computer has {tracer.maker}",
                    "use the same Blender",
                )
        for view in views:
            camera = camera_of(state.house, view)
            drawn: Picture = picture(state, camera) if tracer is None else tracer.picture(camera)
            name = picture_name(known, camera)
            description = {
                "scene": task.scene,
                "states": task.states,
                "view": asdict(view),
                "camera": asdict(camera),
            }
            yield f"{name}.png", png(drawn.rgb)
            yield f"{name}.json", msgspec.json.encode(description)
