"""The program with Blender: spoken with as it is, and as others play it."""

from __future__ import annotations

import os
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from homebody.core.ground.user_errors import HomebodyError
from homebody.worlds.house.model.house import Pose
from homebody.worlds.house.model.state import HouseState
from homebody.worlds.house.rendering.pathtracing import pathtracer
from homebody.worlds.house.rendering.pathtracing.pathtracer import (
    VARIABLE,
    PathTracer,
    blender_python,
)
from homebody.worlds.house.rendering.render import Camera, Renderer
from worlds.house.rendering.small_house import BALL, small_house

CAMERA = Camera((5.5, 0.5, 1.5), yaw=60.0, pitch=-15.0, width=40, height=30)

PLAYED = """#!{python}
import json, sys
import numpy as np
out, scenes = sys.stdout.buffer, 0
def say(message, array=None):
    message["arrays"] = [] if array is None else [["light", array.dtype.str, list(array.shape)]]
    out.write(json.dumps(message).encode() + b"\\n" + (b"" if array is None else array.tobytes()))
    out.flush()
{hello}
while line := sys.stdin.buffer.readline():
    message = json.loads(line)
    for name, kind, shape in message["arrays"]:
        sys.stdin.buffer.read(int(np.prod(shape)) * np.dtype(kind).itemsize)
    if message["kind"] == "scene":
        scenes += 1
        {scene}
    else:
        width, height = message["size"]
        {camera}
"""
"""A program that speaks as the worker does; its pictures tell how many scenes it was given."""
LIGHT = 'say({"kind": "picture"}, np.full((height, width, 3), 0.1 * scenes, np.float32))'


HELLO = 'say({"kind": "hello", "blender": "5.0", "device": "CPU"})'
READY = 'say({"kind": "ready"})'


def player(tmp_path: Path, camera: str = LIGHT, hello: str = HELLO, scene: str = READY) -> str:
    program = tmp_path / "python"
    program.write_text(
        PLAYED.format(python=sys.executable, camera=camera, hello=hello, scene=scene)
    )
    program.chmod(0o755)
    return str(program)


@pytest.fixture(scope="module")
def renderer() -> Renderer:
    return Renderer.of(small_house())


def test_it_says_how_to_get_blender_where_there_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(VARIABLE, raising=False)
    monkeypatch.setattr(pathtracer, "find_spec", lambda name: None)
    with pytest.raises(HomebodyError, match="bpy, which is not installed") as caught:
        blender_python()
    assert "pip install" in caught.value.hint
    monkeypatch.setenv(VARIABLE, "/somewhere/python")
    assert blender_python() == "/somewhere/python"


@pytest.mark.slow
def test_pictures_have_its_light_and_the_fast_ones_ids_and_depths(tmp_path: Path) -> None:
    renderer = Renderer.of(small_house(BALL))
    with PathTracer(renderer, python=player(tmp_path)) as tracer:
        picture = tracer.picture(CAMERA)
    fast = renderer.picture(CAMERA)
    assert (picture.ids == fast.ids).all()
    assert (picture.depth == fast.depth).all()
    assert picture.names == fast.names
    assert picture.rgb.shape == fast.rgb.shape
    assert len(np.unique(picture.rgb)) == 1


@pytest.mark.slow
def test_a_path_may_bring_what_all_windows_give(tmp_path: Path) -> None:
    most = 'np.full((height, width, 3), message["clamp"] / 100, np.float32)'
    program = player(tmp_path, f'say({{"kind": "picture"}}, {most})')
    with PathTracer(Renderer.of(small_house()), python=program) as tracer:
        assert tracer.picture(CAMERA).rgb.min() > 150


@pytest.mark.slow
def test_it_tells_how_far_it_is(tmp_path: Path) -> None:
    told = [f'say({{"kind": "progress", "done": {done}}})' for done in ("4", "None", "10**9")]
    camera = "; ".join((*told, LIGHT))
    calls: list[tuple[str, int, int]] = []
    with PathTracer(Renderer.of(small_house()), python=player(tmp_path, camera)) as tracer:
        tracer.light(CAMERA, progress=lambda *call: calls.append(call))
    assert calls == [("tracing", 0, 12), ("tracing", 4, 12), ("tracing", 12, 12)]


@pytest.mark.slow
def test_a_scene_is_told_once_and_again_when_it_changes(tmp_path: Path) -> None:
    house = small_house(BALL)
    renderer = Renderer.of(house)
    with PathTracer(renderer, python=player(tmp_path)) as tracer:

        def scenes(*hide: str) -> int:
            return round(float(tracer.light(CAMERA, hide=hide)[0, 0, 0]) * 10)

        assert scenes() == scenes() == 1
        assert scenes("ball_0") == 2
        state = HouseState.start(house)
        state.move("ball_0", ("floor_den_0", ""), Pose((2.0, 2.0, 0.0)))
        renderer.update(state)
        assert scenes("ball_0") == 3


@pytest.mark.sampled
@pytest.mark.parametrize(
    ("camera", "message"),
    [
        ('say({"kind": "error", "text": "no more memory"})', "no more memory"),
        ('sys.exit("Blender quit")', "ended: Blender quit"),
        ('say({"kind": "picture"}, np.zeros((2, 2, 3), np.float32))', "wrong shape"),
        ('out.write(b"Read blend\\n"); out.flush()', "an invalid reply"),
        ('out.write(b"[1]\\n"); out.flush()', "an invalid reply"),
        ('out.write(b"[" * 60000 + b"\\n"); out.flush()', "an invalid reply"),
        ('out.write(b"x" * 70000); out.flush()', "an invalid reply"),
        ("say({})", "replied None"),
        ('say({"kind": "hello"})', "replied hello"),
        ('say({"kind": "picture"})', "without a picture"),
        ('say({"kind": "picture"}, np.zeros((height, width, 3)))', "wrong shape"),
        (
            'say({"kind": "picture"}, np.full((height, width, 3), np.nan, np.float32))',
            "invalid or infinite",
        ),
        (
            'say({"kind": "picture"}, np.full((height, width, 3), 1e30, np.float32))',
            "invalid or infinite",
        ),
        (
            'out.write(b\'{"kind": "picture", "arrays": [["light", "O", [-1]]]}\\n\'); out.flush()',
            "wrong shape",
        ),
    ],
)
def test_failures_there_are_reported(
    tmp_path: Path,
    renderer: Renderer,
    camera: str,
    message: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(pathtracer, "describe_scene", lambda *args, **options: ({}, {}))
    with (
        PathTracer(renderer, python=player(tmp_path, camera)) as tracer,
        pytest.raises(HomebodyError, match=message),
    ):
        tracer.light(CAMERA)


@pytest.mark.parametrize(
    "hello", ["say([1])", "say({})", READY, 'say({"kind": "hello"})', "sys.exit(1)", "input()"]
)
def test_a_program_that_begins_otherwise_is_ended(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, hello: str
) -> None:
    started = []

    class Noted(subprocess.Popen):  # type: ignore[type-arg]
        def __init__(self, *args: Any, **options: Any) -> None:
            super().__init__(*args, **options)
            started.append((self, options["stderr"]))

    monkeypatch.setattr(subprocess, "Popen", Noted)
    monkeypatch.setattr(pathtracer, "_PATIENCE", 3.0)
    hello = hello.replace("say([1])", 'out.write(b"[1]\\n"); out.flush()')
    with pytest.raises(HomebodyError):
        PathTracer(Renderer.of(small_house()), python=player(tmp_path, hello=hello))
    ((process, said),) = started
    assert process.returncode is not None
    assert all(stream.closed for stream in (process.stdin, process.stdout, said))


@pytest.mark.slow
def test_a_silent_program_is_given_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with PathTracer(Renderer.of(small_house()), python=player(tmp_path, "pass")) as tracer:
        monkeypatch.setattr(pathtracer, "_PATIENCE", 1.0)
        monkeypatch.setattr(pathtracer, "_PATH", 0.0)
        with pytest.raises(HomebodyError, match="no reply in 1 s"):
            tracer.light(CAMERA)
        with pytest.raises(HomebodyError, match="has ended"):
            tracer.light(CAMERA)


@pytest.mark.slow
def test_a_scene_that_failed_is_not_drawn_later(tmp_path: Path) -> None:
    scene = f'{READY} if scenes != 2 else say({{"kind": "error", "text": "broken"}})'
    with PathTracer(Renderer.of(small_house(BALL)), python=player(tmp_path, scene=scene)) as tracer:
        assert tracer.light(CAMERA)[0, 0, 0] == pytest.approx(0.1)
        with pytest.raises(HomebodyError, match="broken"):
            tracer.light(CAMERA, hide=("ball_0",))
        assert tracer.light(CAMERA)[0, 0, 0] == pytest.approx(0.3)  # told again


def test_a_python_without_blender_is_told() -> None:
    if find_spec("bpy") is not None:
        pytest.skip("this Python has Blender")
    with pytest.raises(HomebodyError, match="No module named 'bpy'"):
        PathTracer(Renderer.of(small_house()), python=sys.executable)


def test_a_python_that_is_not_there_is_told() -> None:
    with pytest.raises(HomebodyError, match="cannot run /nowhere/python"):
        PathTracer(Renderer.of(small_house()), python="/nowhere/python")
    with pytest.raises(HomebodyError, match="0 samples"):
        PathTracer(Renderer.of(small_house()), samples=0)


@pytest.mark.skipif(VARIABLE not in os.environ and find_spec("bpy") is None, reason="needs Blender")
def test_blender_draws_what_the_fast_renderer_draws() -> None:
    renderer = Renderer.of(small_house(BALL))
    with PathTracer(renderer, threads=2) as tracer:
        high = tracer.picture(CAMERA).rgb.astype(float)
    fast = renderer.picture(CAMERA, samples=2).rgb.astype(float)
    assert np.corrcoef(high.ravel(), fast.ravel())[0, 1] > 0.8
    assert abs(high.mean() - fast.mean()) < 60
