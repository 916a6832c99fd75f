"""Path-traced pictures of the same scenes and cameras as the fast pictures.

Blender's Cycles computes them in a separate program (:mod:`.worker`), because Blender is large and
under the GPL. The program runs in a Python interpreter with ``bpy``. The caller or the environment
variable ``HOMEBODY_BLENDER`` can name it; the default is the current interpreter, if it has
``bpy``.
"""

from __future__ import annotations

import json
import math
import os
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterable
from contextlib import suppress
from importlib.util import find_spec
from pathlib import Path
from types import TracebackType
from typing import Any, Final

import numpy as np

from homebody.core.ground.progress import Progress, ignore_progress
from homebody.core.ground.user_errors import HomebodyError
from homebody.worlds.house.rendering.arrays import Floats, Mask
from homebody.worlds.house.rendering.outside import Outside
from homebody.worlds.house.rendering.pathtracing.scene import describe_scene
from homebody.worlds.house.rendering.render import (
    Camera,
    Picture,
    Renderer,
    camera_matrix,
    directions,
    tone_map,
)

VARIABLE: Final = "HOMEBODY_BLENDER"
WORKER: Final = Path(__file__).with_name("worker.py")
_BOUNCES: Final = 24
"""Maximum number of bounces between matt surfaces. With 6, a white room would be 7 % too dark."""
_BRIGHTEST: Final = 200.0
"""Maximum indirect light that a single path adds to a pixel. More would be visible as a speckle.

A much lower limit would lose light. A path samples one lamp or window and multiplies its light by
their number. With a limit of 8, rooms lit only by the sun were a third too dark.
"""
_PATIENCE: Final = 600.0
"""Timeout in seconds for Blender to start or to load a scene: a hundred times the usual time."""
_PATH: Final = 1e-4
"""Additional seconds for each path: about twenty times the time on one core."""
_LONGEST: Final = 65536
"""Maximum bytes of a line of a reply."""
_MOST_LIGHT: Final = 1e9
"""Upper bound of light in any scene."""


def blender_python() -> str:
    """Return the Python that has Blender.

    Raises:
        HomebodyError: No such Python is known.
    """
    named = os.environ.get(VARIABLE)
    if named:
        return named
    if find_spec("bpy") is not None:
        return sys.executable
    raise HomebodyError(
        "path-traced pictures need Blender as a Python module, bpy, which is not installed",
        "python3.11 -m venv ~/blender && ~/blender/bin/pip install 'bpy>=5.0,<5.1'"
        f" && export {VARIABLE}=~/blender/bin/python   (0.9 GB)",
    )


class PathTracer:
    """Makes path-traced pictures of a renderer's scene; close it, or use it in a ``with``.

    Attributes:
        maker: The version of Blender, and its device. Pictures of another version or device are not
            the same to the last bit.

    >>> with PathTracer(Renderer.of(house)) as tracer:                    # doctest: +SKIP
    ...     tracer.picture(Camera((2.0, 3.0, 1.5), yaw=90.0)).rgb.shape
    (448, 448, 3)
    """

    def __init__(
        self, renderer: Renderer, *, samples: int = 12, threads: int = 0, python: str | None = None
    ) -> None:
        """Start the program.

        Args:
            renderer: Source of scene, state, depths and ids.
            samples: Paths for each pixel, 1 to 4096; Cycles removes the remaining noise.
            threads: Threads that Cycles uses; all cores if 0.
            python: A Python that has ``bpy``; :func:`blender_python` if None.

        Raises:
            HomebodyError: There is no such Python, or it does not start.
        """
        if not 1 <= samples <= 4096:
            raise HomebodyError(f"{samples} samples are out of range", "choose 1 to 4096")
        self.renderer, self.samples, self.threads = renderer, samples, threads
        self._shown: tuple[int, frozenset[str]] | None = None
        self._outside = Outside(renderer.scene.house)
        self._log = tempfile.TemporaryFile()  # noqa: SIM115 - closed by close()
        try:
            program = python or blender_python()
            self._process = subprocess.Popen(
                [program, "-I", str(WORKER)],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=self._log,
            )
        except OSError as error:
            self._log.close()
            raise HomebodyError(f"cannot run {program}: {error.strerror}") from error
        except HomebodyError:
            self._log.close()
            raise
        hello = self._ask(None, {}, "hello", _PATIENCE)
        version, device = hello.get("blender"), hello.get("device")
        if not isinstance(version, str) or not isinstance(device, str):
            self.close()
            raise HomebodyError("Blender did not report its version and device")
        self.maker = f"{version:.80} on {device:.200}"

    def picture(
        self, camera: Camera, *, hide: Iterable[str] = (), progress: Progress = ignore_progress
    ) -> Picture:
        """Return the view of a camera; depths and ids are :meth:`.render.Renderer.picture`'s.

        ``progress`` receives the number of traced paths of each pixel.

        Raises:
            HomebodyError: A number is out of range, or Blender failed.
        """
        fast = self.renderer.picture(camera, hide=hide)
        light = self.light(camera, hide=hide, progress=progress) * np.float32(
            self.renderer.exposure(camera)
        )
        rgb = tone_map(light.reshape(-1, 3).T).reshape(fast.rgb.shape)
        return Picture(rgb, fast.depth, fast.ids, fast.names)

    def light(
        self, camera: Camera, *, hide: Iterable[str] = (), progress: Progress = ignore_progress
    ) -> Floats:
        """Return the linear light (height, width, 3) that a camera sees. It raises the same errors
        as :meth:`picture`."""
        hidden = frozenset(hide)
        shown = (self.renderer.scene.version, hidden)
        if self._shown != shown:
            values, arrays = describe_scene(
                self.renderer.scene, self._outside, self.renderer.time, hidden
            )
            self._shown = None  # after a failure, the earlier scene is lost too
            scene = {"kind": "scene", "threads": self.threads, "bounces": _BOUNCES, **values}
            self._ask(scene, arrays, "ready", _PATIENCE)
            self._shown = shown
        axes = camera_matrix(camera.yaw, camera.pitch).tolist()
        message = {
            "kind": "camera",
            "position": camera.position,
            "axes": axes,
            "angle": math.radians(camera.fov),
            "size": [camera.width, camera.height],
            "samples": self.samples,
            "clamp": _BRIGHTEST / self.renderer.exposure(camera),
        }
        shape = (camera.height, camera.width, 3)
        seconds = _PATIENCE + _PATH * camera.height * camera.width * self.samples
        outdoors = {"outdoors": self._outdoors(camera, hidden)}
        progress("tracing", 0, self.samples)
        answer = self._ask(message, outdoors, "picture", seconds, shape, progress)
        light: Floats = answer["light"]
        return light

    def _outdoors(self, camera: Camera, hidden: frozenset[str]) -> Floats:
        """Return the camera's view outdoors (twice the height, twice the width, 3).

        It is the same as in fast pictures, extended a little beyond its edges. It is empty if
        nothing outdoors is visible.
        """
        scene = self.renderer.scene
        width, height = 2 * camera.width, 2 * camera.height
        ways = directions(width, height, camera.fov) @ camera_matrix(camera.yaw, camera.pitch)
        origins = np.broadcast_to(np.array(camera.position, np.float32), ways.shape)
        missed = scene.cast(origins, ways, scene.without(hidden)).triangle < 0
        if not missed.any():
            return np.zeros((0, 0, 3), np.float32)
        light = np.zeros((height * width, 3), np.float32)
        pixel = 2 * math.tan(math.radians(camera.fov / 2)) / width
        starts, gone = origins[missed], ways[missed]
        light[missed] = self._outside.light(starts, gone, self.renderer.time, pixel).T
        return _spread(light.reshape(height, width, 3), missed.reshape(height, width))

    def close(self) -> None:
        """End the program, unless it has ended."""
        self._process.kill()
        for stream in (self._process.stdin, self._process.stdout):
            with suppress(OSError):  # unread input is lost
                assert stream is not None
                stream.close()
        self._process.wait()
        self._log.close()

    def __enter__(self) -> PathTracer:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def _ask(
        self,
        message: dict[str, Any] | None,
        arrays: dict[str, Any],
        kind: str,
        seconds: float,
        shape: tuple[int, ...] = (),
        progress: Progress = ignore_progress,
    ) -> dict[str, Any]:
        """Send a message; return the reply of a kind, whose ``light`` has a shape.

        An invalid reply ends the program, since later replies could not be matched.

        Raises:
            HomebodyError: The program reports an error, sends another reply, or none in time.
        """
        if self._log.closed:
            raise HomebodyError("the program with Blender has ended", "make a new PathTracer")
        late = threading.Event()

        def give_up() -> None:
            late.set()
            self._process.kill()

        timer = threading.Timer(seconds, give_up)
        timer.daemon = True
        timer.start()
        try:
            try:
                if message is not None:
                    self._send(message, arrays)
                answer = self._read_reply(shape)
                while answer.get("kind") == "progress":
                    if isinstance(done := answer.get("done"), int):
                        progress("tracing", max(0, min(done, self.samples)), self.samples)
                    answer = self._read_reply(shape)
            except (OSError, EOFError):
                raise self._explain_end(
                    f"no reply in {seconds:.0f} s" if late.is_set() else ""
                ) from None
            if answer.get("kind") not in (kind, "error"):
                raise HomebodyError(f"Blender replied {answer.get('kind')!s:.80} instead of {kind}")
            if answer["kind"] == kind and shape and "light" not in answer:
                raise HomebodyError("Blender replied without a picture")
        except BaseException:
            self.close()
            raise
        finally:
            timer.cancel()
        if answer["kind"] != kind:
            if kind == "hello":
                self.close()
            raise HomebodyError(f"Blender: {answer.get('text')!s:.200}")
        return answer

    def _send(self, message: dict[str, Any], arrays: dict[str, Any]) -> None:
        whole = {name: np.ascontiguousarray(array) for name, array in arrays.items()}
        message["arrays"] = [[name, a.dtype.str, list(a.shape)] for name, a in whole.items()]
        stream = self._process.stdin
        assert stream is not None
        stream.write(json.dumps(message).encode() + b"\n")
        for array in whole.values():
            stream.write(array.tobytes())
        stream.flush()

    def _read_reply(self, shape: tuple[int, ...]) -> dict[str, Any]:
        """Read a message whose only array is ``light`` of a shape; raise EOFError at the end."""
        stream = self._process.stdout
        assert stream is not None
        line = stream.readline(_LONGEST)
        if not line:
            raise EOFError
        try:
            message = json.loads(line)
        except (ValueError, RecursionError):
            message = None
        if not isinstance(message, dict):
            raise HomebodyError(f"Blender sent an invalid reply: {line[:80]!r}")
        arrays = message.pop("arrays", [])
        if arrays == []:
            return message
        if not shape or arrays != [["light", "<f4", list(shape)]]:
            raise HomebodyError(f"Blender sent a picture of the wrong shape {arrays!s:.80}")
        data = stream.read(4 * math.prod(shape))
        if len(data) < 4 * math.prod(shape):
            raise EOFError
        light = np.frombuffer(data, "<f4").reshape(shape)
        if not (np.abs(light) < _MOST_LIGHT).all():  # refuses nan, too
            raise HomebodyError("Blender sent a picture with invalid or infinite light")
        return {**message, "light": light}

    def _explain_end(self, why: str) -> HomebodyError:
        """Return an error with the reason for the program's end, or its last output."""
        self._process.kill()
        code = self._process.wait()
        self._log.seek(0, os.SEEK_END)
        self._log.seek(max(0, self._log.tell() - _LONGEST))
        lines = self._log.read().decode(errors="replace").strip().splitlines()
        last = lines[-1][:200] if lines else f"code {code}"
        return HomebodyError(
            f"the program with Blender ended: {why or last}",
            f"it needs a Python with bpy: see {VARIABLE} in docs/reference/houses/pictures.md",
        )


def _spread(image: Floats, known: Mask) -> Floats:
    """Copy known pixels to unknown ones beside them, up to three pixels away."""
    for _ in range(3):
        for shift, axis in ((1, 0), (-1, 0), (1, 1), (-1, 1)):
            near = np.roll(known, shift, axis) & ~known
            image = np.where(near[..., None], np.roll(image, shift, axis), image)
            known = known | near
    return image
