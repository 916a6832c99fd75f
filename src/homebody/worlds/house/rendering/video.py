"""Videos: MP4 by ffmpeg, run as a program; GIF, WebP and animated PNG by pillow."""

from __future__ import annotations

import subprocess
import tempfile
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from homebody.core.ground.files import replace_whole
from homebody.core.ground.user_errors import HomebodyError

Frame: TypeAlias = NDArray[np.uint8]
"""(height, width, 3), sRGB."""
ANIMATED: Final = {".gif": "GIF", ".webp": "WEBP", ".png": "PNG"}
"""Suffix -> pillow's name of the format."""


def check_video(path: Path, width: int, height: int) -> None:
    """Check that a video of this size can be written to a path, before long work.

    Raises:
        HomebodyError: The suffix is unknown, ffmpeg is missing, or MP4 cannot have the size.
    """
    suffix = path.suffix.lower()
    if suffix == ".mp4":
        _ffmpeg()
        if width % 2 or height % 2:
            raise HomebodyError(f"{width} x {height}: MP4 needs an even width and height")
    elif suffix not in ANIMATED:
        known = ", ".join([".mp4", *ANIMATED])
        raise HomebodyError(f"{path}: unknown video format", f"use one of the suffixes {known}")


def write_video(path: Path, frames: Iterable[Frame], rate: int) -> None:
    """Write frames of one size as a video, whole or not at all.

    Args:
        path: Its suffix determines the format, see :func:`check_video`.
        frames: The frames. For MP4, only one frame is in memory at a time.
        rate: Frames per second.

    Raises:
        HomebodyError: See :func:`check_video`; there are no frames; ffmpeg failed; the file cannot
            be written.
    """
    each = iter(frames)
    first = next(each, None)
    if first is None:
        raise HomebodyError("the video has no frames")
    check_video(path, first.shape[1], first.shape[0])
    with replace_whole(path) as half:
        if path.suffix.lower() == ".mp4":
            _encode(half, first, each, rate)
        else:
            _animate(half, ANIMATED[path.suffix.lower()], first, each, rate)


def write_frames(folder: Path, frames: Iterable[Frame]) -> int:
    """Write frames as ``0000.png`` and so on, each whole or not at all; return their number.

    Raises:
        HomebodyError: A frame cannot be written.
    """
    from PIL import Image

    count = 0
    for frame in frames:
        with replace_whole(folder / f"{count:04d}.png") as half:
            Image.fromarray(frame).save(half, "PNG")
        count += 1
    return count


def mp4(frames: Iterable[Frame], rate: int) -> bytes:
    """Return the file of a video in MP4; see :func:`write_video`."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "video.mp4"
        write_video(path, frames, rate)
        return path.read_bytes()


def require_mp4() -> None:
    """Raise HomebodyError if ffmpeg is missing."""
    _ffmpeg()


def _animate(path: Path, form: str, first: Frame, frames: Iterator[Frame], rate: int) -> None:
    from PIL import Image

    more = [Image.fromarray(frame) for frame in frames]
    Image.fromarray(first).save(
        path, form, save_all=True, append_images=more, duration=round(1000 / rate), loop=0
    )


def _encode(path: Path, first: Frame, frames: Iterator[Frame], rate: int) -> None:
    height, width = first.shape[:2]
    command = [
        *(_ffmpeg(), "-loglevel", "error", "-y"),
        *("-f", "rawvideo", "-pix_fmt", "rgb24", "-s", f"{width}x{height}", "-r", str(rate)),
        *("-i", "-", "-c:v", "libx264", "-crf", "20", "-pix_fmt", "yuv420p"),
        *("-movflags", "+faststart", "-f", "mp4", str(path)),
    ]
    with tempfile.TemporaryFile() as output:
        process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=output, stderr=output)
        assert process.stdin is not None
        try:
            process.stdin.write(first.tobytes())
            for frame in frames:
                process.stdin.write(np.ascontiguousarray(frame).tobytes())
            process.stdin.close()
        except BrokenPipeError:
            pass  # its error output says why
        except BaseException:
            process.kill()
            process.wait()
            raise
        if process.wait():
            output.seek(0)
            why = output.read().decode(errors="replace").strip()
            raise HomebodyError(f"ffmpeg: {why or process.returncode}")


def _ffmpeg() -> str:
    try:
        import imageio_ffmpeg  # type: ignore[import-not-found, import-untyped, unused-ignore]

        program: Any = imageio_ffmpeg.get_ffmpeg_exe()
    except (ImportError, RuntimeError) as error:
        raise HomebodyError(
            "videos in MP4 need ffmpeg",
            "pip install 'homebody[video]', or write *.webp, which needs no ffmpeg",
        ) from error
    return str(program)
