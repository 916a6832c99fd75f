"""The film of the README and the site: its length and size; its script runs, for few pictures."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest
from PIL import Image

from thorough import THOROUGH
from web.browser import CHROMIUM

FILM = Path(__file__).parents[1] / "docs" / "images" / "film"


def seconds_of(film: Path) -> float:
    ffmpeg = pytest.importorskip("imageio_ffmpeg").get_ffmpeg_exe()
    told = subprocess.run([ffmpeg, "-i", film], capture_output=True, text=True, check=False).stderr
    found = re.search(r"Duration: (\d+):(\d+):([\d.]+)", told)
    assert found is not None, told
    hours, minutes, seconds = map(float, found.groups())
    return 3600 * hours + 60 * minutes + seconds


def check(folder: Path) -> None:
    assert 90 <= seconds_of(folder / "film.mp4") <= 120
    with Image.open(folder / "film.gif") as gif:
        assert gif.size == (640, 360)
        pictures = [gif.seek(at) or gif.info["duration"] for at in range(gif.n_frames)]
    assert 10_000 <= sum(pictures) <= 20_000
    with Image.open(folder / "film.webp") as picture:
        assert picture.size == (960, 540)


def test_the_film_is_short_and_small() -> None:
    check(FILM)
    assert (FILM / "film.mp4").stat().st_size <= 6_000_000
    assert (FILM / "film.gif").stat().st_size <= 3_000_000


@pytest.mark.skipif(CHROMIUM is None, reason="there is no Chromium")
@pytest.mark.skipif(not THOROUGH, reason="it takes minutes; HOMEBODY_THOROUGH=1 runs it")
@pytest.mark.usefixtures("eai_data")
@pytest.mark.slow
def test_the_film_is_made_by_its_script(tmp_path: Path) -> None:
    few = ("--rate", "1", "--out", tmp_path)
    subprocess.run([sys.executable, FILM / "make_film.py", *few], check=True)
    check(tmp_path)
