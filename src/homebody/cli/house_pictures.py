"""Many pictures of houses from the shell: sets of views, and videos of walks."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from homebody.cli.app import EngineName, Interrupted, Workers, progress
from homebody.cli.command import Argument, Option
from homebody.cli.house import HouseFile, Quality, SeedKind, house_app, read_house, size_of
from homebody.cli.printing import remark, say
from homebody.core import HomebodyError

if TYPE_CHECKING:
    from homebody.worlds.house.model.house import House
    from homebody.worlds.house.rendering.pathtracing.pathtracer import PathTracer
    from homebody.worlds.house.rendering.render import Camera, Renderer
    from homebody.worlds.house.rendering.video import Frame

Time = Annotated[str, Option(help="day, evening or night")]
_TOGETHER = 24
"""Frames that a process draws at a time."""


@house_app.command()
def views(
    out: Annotated[Path, Argument(help="The folder for the shards", metavar="FOLDER")],
    houses: Annotated[int, Option(help="How many houses")] = 100,
    views: Annotated[int, Option(help="Of each room: its best, then random ones")] = 1,
    kind: Annotated[
        list[str] | None, Option(help="Of scenes; may be repeated; all if left out")
    ] = None,
    rooms: Annotated[int | None, Option(help="Of each house; the usual if left out")] = None,
    seed: Annotated[int, Option(help="Of the first house")] = 0,
    size: Annotated[str, Option(help="Pixels, WIDTHxHEIGHT")] = "448x448",
    fov: Annotated[float, Option(help="Angle over the width, degrees")] = 84.0,
    quality: Quality = "fast",
    time: Time = "day",
    engine: EngineName = "pool",
    workers: Workers = None,
) -> None:
    """Draw views of many houses, with ids, depths and cameras, in shards; goes on if interrupted.

    The same command with more --houses adds to what is there.

    Each shard is a tar file that WebDataset reads; manifest.json has their sizes and sha256.
    """
    from homebody.worlds.house.rendering.view_sets import ViewPlan, make_views

    width, height = size_of(size)
    plan = ViewPlan(
        houses, views, tuple(kind or ()), rooms, seed, width, height, fov, quality, time
    )
    try:
        with progress() as report:
            manifest = make_views(out, plan, engine=engine, workers=workers, progress=report)
    except KeyboardInterrupt as error:
        raise Interrupted("interrupted; the same command goes on") from error
    count = sum(1 for _ in out.glob("*.tar"))
    megabytes = sum(path.stat().st_size for path in out.glob("*.tar")) / 1e6
    say(f"{manifest}: {houses} houses in {count} shards, {megabytes:,.1f} MB")


@house_app.command()
def tour(
    house: HouseFile,
    out: Annotated[
        Path, Option("--out", "-o", help="The video: *.mp4, *.webp, *.gif or *.png")
    ] = Path("tour.mp4"),
    size: Annotated[str, Option(help="Pixels, WIDTHxHEIGHT")] = "640x480",
    rate: Annotated[int, Option(help="Pictures a second")] = 15,
    fov: Annotated[float, Option(help="Angle over the width, degrees")] = 84.0,
    pitch: Annotated[float, Option(help="Degrees above the horizon")] = -12.0,
    samples: Annotated[int, Option(help="Rays along each side of a pixel")] = 1,
    quality: Quality = "fast",
    time: Time = "day",
    kind: SeedKind = None,
    workers: Workers = None,
) -> None:
    """A video of a walk through all rooms of a house."""
    from homebody.worlds.house.rendering.lighting import time_of
    from homebody.worlds.house.rendering.render import Camera, Renderer
    from homebody.worlds.house.rendering.tour import adapt_exposures, open_doors
    from homebody.worlds.house.rendering.tour import tour as cameras_of
    from homebody.worlds.house.rendering.video import check_video, write_video
    from homebody.worlds.house.rendering.view_sets import check_quality

    if not 1 <= rate <= 60:
        raise HomebodyError(f"{rate} pictures a second", "choose 1 to 60")
    check_quality(quality)
    time_of(time)
    width, height = size_of(size)
    check_video(out, width, height)
    scene = read_house(house, kind)
    lens = Camera((0.0, 0.0, 0.0), 0.0, pitch, width, height, fov)
    eyes = Renderer.of(scene, open_doors(scene), time=time)
    cameras = adapt_exposures(eyes, cameras_of(scene, rate, lens), rate)
    draw = FramePainter(scene, samples, quality, time)
    frames = _frames(draw, cameras, workers)
    with closing(frames):
        write_video(out, frames, rate)
    remark(f"{out}: {len(cameras) / rate:.0f} s, {out.stat().st_size / 1e6:.1f} MB")


def _frames(
    draw: FramePainter, cameras: Sequence[Camera], workers: int | None
) -> Generator[Frame, None, None]:
    """The pictures of some cameras, in their order, drawn in processes."""
    from homebody.core.ground.engines import results

    jobs = dict(enumerate(cameras))
    drawing = results(draw, jobs, workers=workers, together=_TOGETHER, in_order=True)
    with progress() as report, drawing as drawn:
        done = 0
        for frames in drawn:
            done += len(frames)
            report("drawing", done, len(jobs))
            yield from frames.values()


class FramePainter:
    """Draws frames of a house, its doors open, job after job.

    A process is given it once: scene, baked light and Blender stay from its first job to its last.
    """

    def __init__(self, house: House, samples: int, quality: str, time: str) -> None:
        """Say what is drawn; nothing is begun yet, so that processes can be given it."""
        self.house, self.samples, self.quality, self.time = house, samples, quality, time
        self._renderer: Renderer | None = None
        self._tracer: PathTracer | None = None

    def __call__(self, camera: Camera) -> Frame:
        """The picture of a camera. Raises HomebodyError if Blender failed."""
        try:
            return self._picture(camera)
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        """End Blender, if it runs; it also ends with its process."""
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
