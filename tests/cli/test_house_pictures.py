"""`homebody house views` and `homebody house tour` from end to end."""

from __future__ import annotations

import pickle
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from PIL import Image

from homebody.cli.house_pictures import FramePainter, house_app
from homebody.core.ground.user_errors import HomebodyError
from homebody.worlds.house.generation.generate import generate
from homebody.worlds.house.rendering.pathtracing import pathtracer
from homebody.worlds.house.rendering.render import Camera, Renderer

RUNNER = CliRunner()


def run(*arguments: str) -> str:
    result = RUNNER.invoke(house_app, list(arguments), catch_exceptions=False)
    assert result.exit_code == 0
    return result.output


@pytest.mark.slow
def test_views_are_written_in_shards(tmp_path: Path) -> None:
    out = tmp_path / "views"
    arguments = ("views", str(out), "--houses", "1", "--rooms", "1", "--size", "16x12")
    assert "1 houses in 1 shards" in run(*arguments, "--engine", "serial")
    assert "1 houses in 1 shards" in run(*arguments, "--engine", "serial")
    with pytest.raises(HomebodyError, match="started with seed 0"):
        run(*arguments, "--seed", "1")


@pytest.mark.slow
def test_a_tour_is_a_video(tmp_path: Path) -> None:
    house, out = tmp_path / "flat.json", tmp_path / "tour.gif"
    run("new", str(house), "--rooms", "2", "--things", "5")
    run("tour", str(house), "-o", str(out), "--size", "16x12", "--rate", "2", "--workers", "1")
    with Image.open(out) as image:
        assert image.n_frames > 10
    with pytest.raises(HomebodyError, match="unknown video format"):
        run("tour", str(house), "-o", "tour.mkv")
    with pytest.raises(HomebodyError, match="--rate is 0"):
        run("tour", str(house), "-o", str(out), "--rate", "0")


def test_high_quality_without_blender_says_what_to_do(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOMEBODY_BLENDER", "/nowhere/python")
    render = ("render", "0", "-o", str(tmp_path / "a.png"), "--quality", "high")
    with pytest.raises(HomebodyError, match="cannot run /nowhere/python"):
        run(*render, "--at", "1,1", "--size", "8x8")
    with pytest.raises(HomebodyError, match="views from inside"):
        run(*render)
    with pytest.raises(HomebodyError, match="unknown quality 'best'"):
        run("render", "0", "--quality", "best")


@pytest.mark.slow
@pytest.mark.parametrize("quality", ["fast", "high"])
def test_a_process_makes_scene_light_and_blender_once(
    monkeypatch: pytest.MonkeyPatch, quality: str
) -> None:
    begun: list[str] = []
    made = Renderer.of

    def of(*args: Any, **options: Any) -> Renderer:
        begun.append("scene")
        return made(*args, **options)

    class Tracer:
        def __init__(self, renderer: Renderer, threads: int) -> None:
            begun.append("blender")
            self.renderer = renderer

        def picture(self, camera: Camera) -> Any:
            if camera.pitch < -80:
                raise HomebodyError("Blender ended")
            return self.renderer.picture(camera)

        def close(self) -> None:
            begun.append("closed")

    monkeypatch.setattr(Renderer, "of", of)
    monkeypatch.setattr(pathtracer, "PathTracer", Tracer)
    paint = pickle.loads(pickle.dumps(FramePainter(generate(0, "home", 1), 1, quality, "day")))
    cameras = [Camera((1.0, 1.0, 1.5), yaw, width=8, height=6) for yaw in (0.0, 90.0, 180.0)]
    assert [paint(camera).shape for camera in cameras] == [(6, 8, 3)] * 3
    blender = ["blender"] if quality == "high" else []
    assert begun == ["scene", *blender]
    if blender:
        with pytest.raises(HomebodyError):
            paint(Camera((1.0, 1.0, 1.5), 0.0, -85.0, width=8, height=6))
        assert begun[-1] == "closed"
