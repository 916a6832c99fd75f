"""`homebody house views` and `tour`: sets of views, and videos of walks."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from homebody.cli.app import EngineName, Interrupted, Workers, progress
from homebody.cli.command import OUTPUT, Argument, Option
from homebody.cli.house import HouseFile, Quality, SeedKind, house_app, read_house, read_size
from homebody.cli.printing import remark, say
from homebody.core import HomebodyError

if TYPE_CHECKING:
    from homebody.worlds.house.model.house import House
    from homebody.worlds.house.rendering.pathtracing.pathtracer import PathTracer
    from homebody.worlds.house.rendering.render import Camera, Renderer
    from homebody.worlds.house.rendering.video import Frame

Time = Annotated[str, Option(metavar="NAME", help="day, evening or night.")]
_TOGETHER = 24
"""Frames that a process renders per job."""


@house_app.command()
def views(
    out: Annotated[Path, Argument(help="The folder of shards to write.", metavar="FOLDER")],
    houses: Annotated[int, Option(help="Number of houses.")] = 100,
    views: Annotated[int, Option(help="Views per room: the best one, then random ones.")] = 1,
    kind: Annotated[
        list[str] | None,
        Option(metavar="NAME", help="Kind of scene. Repeatable; all kinds if omitted."),
    ] = None,
    rooms: Annotated[
        int | None, Option(help="Rooms per house. The usual number if omitted.")
    ] = None,
    seed: Annotated[int, Option(help="Seed of the first house.")] = 0,
    size: Annotated[
        str, Option(metavar="WIDTHxHEIGHT", panel=OUTPUT, help="Size in pixels.")
    ] = "448x448",
    fov: Annotated[
        float, Option(metavar="DEGREES", panel=OUTPUT, help="Horizontal field of view.")
    ] = 84.0,
    quality: Quality = "fast",
    time: Time = "day",
    engine: EngineName = "pool",
    workers: Workers = None,
) -> None:
    """Render views of many houses in shards; resume if interrupted.

    Each view has object ids, depths and its camera. A larger --houses extends an existing folder.

    A shard is a tar file for WebDataset; manifest.json has the shards' sizes and sha256.
    """
    from homebody.worlds.house.rendering.view_sets import ViewPlan, make_views

    width, height = read_size(size)
    plan = ViewPlan(
        houses, views, tuple(kind or ()), rooms, seed, width, height, fov, quality, time
    )
    try:
        with progress() as report:
            manifest = make_views(out, plan, engine=engine, workers=workers, progress=report)
    except KeyboardInterrupt as error:
        raise Interrupted("interrupted; run the same command to resume") from error
    count = sum(1 for _ in out.glob("*.tar"))
    megabytes = sum(path.stat().st_size for path in out.glob("*.tar")) / 1e6
    say(f"{manifest}: {houses} houses in {count} shards, {megabytes:,.1f} MB")


@house_app.command()
def tour(
    house: HouseFile,
    out: Annotated[
        Path, Option("-o", panel=OUTPUT, help="The video: *.mp4, *.webp, *.gif or *.png.")
    ] = Path("tour.mp4"),
    size: Annotated[
        str, Option(metavar="WIDTHxHEIGHT", panel=OUTPUT, help="Size in pixels.")
    ] = "640x480",
    rate: Annotated[int, Option(panel=OUTPUT, help="Pictures per second.")] = 15,
    fov: Annotated[
        float, Option(metavar="DEGREES", panel=OUTPUT, help="Horizontal field of view.")
    ] = 84.0,
    pitch: Annotated[
        float, Option(metavar="DEGREES", panel=OUTPUT, help="Angle above the horizon.")
    ] = -12.0,
    samples: Annotated[int, Option(panel=OUTPUT, help="Rays per side of a pixel.")] = 1,
    quality: Quality = "fast",
    time: Time = "day",
    kind: SeedKind = None,
    workers: Workers = None,
) -> None:
    """Render a video of a walk through all rooms of a house."""
    from homebody.worlds.house.rendering.lighting import time_of
    from homebody.worlds.house.rendering.render import Camera, Renderer
    from homebody.worlds.house.rendering.tour import adapt_exposures, open_doors
    from homebody.worlds.house.rendering.tour import tour as cameras_of
    from homebody.worlds.house.rendering.video import check_video, write_video
    from homebody.worlds.house.rendering.view_sets import check_quality

    if not 1 <= rate <= 60:
        raise HomebodyError(f"--rate is {rate}", "choose 1 to 60")
    check_quality(quality)
    time_of(time)
    width, height = read_size(size)
    check_video(out, width, height)
    scene = read_house(house, kind)
    lens = Camera((0.0, 0.0, 0.0), 0.0, pitch, width, height, fov)
    eyes = Renderer.of(scene, open_doors(scene), time=time)
    cameras = adapt_exposures(eyes, cameras_of(eyes, rate, lens), rate)
    draw = FramePainter(scene, samples, quality, time)
    frames = _frames(draw, cameras, workers)
    with closing(frames):
        write_video(out, frames, rate)
    remark(f"{out}: {len(cameras) / rate:.0f} s, {out.stat().st_size / 1e6:.1f} MB")


def _frames(
    draw: FramePainter, cameras: Sequence[Camera], workers: int | None
) -> Generator[Frame, None, None]:
    """Yield the pictures of cameras in their order, rendered in processes."""
    from homebody.core.ground.engines import results

    jobs = dict(enumerate(cameras))
    drawing = results(draw, jobs, workers=workers, together=_TOGETHER, in_order=True)
    with progress() as report, drawing as drawn:
        done = 0
        for frames in drawn:
            done += len(frames)
            report("rendering", done, len(jobs))
            yield from frames.values()


class FramePainter:
    """A renderer of a house with open doors that can be sent to a process.

    Scene, baked light and Blender are kept from a process's first job to its last.
    """

    def __init__(self, house: House, samples: int, quality: str, time: str) -> None:
        """Store the arguments only, so that the object can be sent to processes."""
        self.house, self.samples, self.quality, self.time = house, samples, quality, time
        self._renderer: Renderer | None = None
        self._tracer: PathTracer | None = None

    def __call__(self, camera: Camera) -> Frame:
        """Render the picture of a camera. Raises HomebodyError if Blender fails."""
        try:
            return self._picture(camera)
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        """Stop Blender if it runs; it also stops with its process."""
        if self._tracer is not None:
            self._tracer.close()
            self._tracer = None

    def _picture(self, camera: Camera) -> Frame:
        from homebody.worlds.house.rendering.pathtracing.pathtracer import PathTracer
        from homebody.worlds.house.rendering.render import Renderer
        from homebody.worlds.house.rendering.tour import open_doors

        if self._renderer is None:
            self._renderer = Renderer.of(self.house, open_doors(self.house), time=self.time)
        if self.quality != "high":
            return self._renderer.picture(camera, samples=self.samples).rgb
        if self._tracer is None:
            self._tracer = PathTracer(self._renderer, threads=1)
        return self._tracer.picture(camera).rgb
