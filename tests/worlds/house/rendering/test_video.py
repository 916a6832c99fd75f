"""Videos in all formats."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from homebody.core.ground.user_errors import HomebodyError
from homebody.worlds.house.rendering import video
from homebody.worlds.house.rendering.video import check_video, mp4, write_video

FRAMES = [np.full((16, 24, 3), shade, np.uint8) for shade in (0, 120, 250)]


@pytest.mark.parametrize("name", ["a.gif", "a.webp", "a.png"])
def test_pillow_writes_moving_pictures(tmp_path: Path, name: str) -> None:
    write_video(tmp_path / name, iter(FRAMES), 10)
    with Image.open(tmp_path / name) as image:
        assert image.n_frames == 3
        assert image.size == (24, 16)
    assert [path.name for path in tmp_path.iterdir()] == [name]


@pytest.mark.skipif(find_spec("imageio_ffmpeg") is None, reason="needs imageio-ffmpeg")
def test_ffmpeg_writes_mp4(tmp_path: Path) -> None:
    write_video(tmp_path / "a.mp4", iter(FRAMES), 10)
    assert (tmp_path / "a.mp4").read_bytes()[4:8] == b"ftyp"
    assert mp4(FRAMES, 10) == (tmp_path / "a.mp4").read_bytes()
    with pytest.raises(HomebodyError, match="even width"):
        check_video(tmp_path / "a.mp4", 15, 16)


def test_what_cannot_be_written_is_refused_first(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(HomebodyError, match="unknown video format"):
        check_video(tmp_path / "a.mkv", 16, 16)
    with pytest.raises(HomebodyError, match="no frames"):
        write_video(tmp_path / "a.gif", [], 10)
    monkeypatch.setitem(__import__("sys").modules, "imageio_ffmpeg", None)
    with pytest.raises(HomebodyError, match="need ffmpeg"):
        check_video(tmp_path / "a.mp4", 16, 16)


def test_ffmpeg_that_fails_leaves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    broken = tmp_path / "ffmpeg"
    broken.write_text("#!/bin/sh\necho no such codec >&2\nexit 1\n")
    broken.chmod(0o755)
    monkeypatch.setattr(video, "_ffmpeg", lambda: str(broken))
    with pytest.raises(HomebodyError, match="no such codec"):
        write_video(tmp_path / "a.mp4", iter(FRAMES * 100), 10)
    assert [path.name for path in tmp_path.iterdir()] == ["ffmpeg"]
