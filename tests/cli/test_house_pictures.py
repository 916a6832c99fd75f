"""`homebody house views` and `homebody house tour` from end to end."""

from __future__ import annotations

from pathlib import Path

import pytest
from PIL import Image
from typer.testing import CliRunner

from homebody.cli.house_pictures import house_app
from homebody.core.errors import HomebodyError

RUNNER = CliRunner()


def run(*arguments: str) -> str:
    result = RUNNER.invoke(house_app, list(arguments), catch_exceptions=False)
    assert result.exit_code == 0
    return result.output


def test_views_are_written_in_shards(tmp_path: Path) -> None:
    out = tmp_path / "views"
    arguments = ("views", str(out), "--houses", "1", "--rooms", "1", "--size", "16x12")
    assert "1 houses in 1 shards" in run(*arguments, "--engine", "serial")
    assert "1 houses in 1 shards" in run(*arguments, "--engine", "serial")
    with pytest.raises(HomebodyError, match="begun with seed 0"):
        run(*arguments, "--seed", "1")


def test_a_tour_is_a_video(tmp_path: Path) -> None:
    house, out = tmp_path / "flat.json", tmp_path / "tour.gif"
    run("new", str(house), "--rooms", "2", "--things", "5")
    run("tour", str(house), "-o", str(out), "--size", "16x12", "--rate", "2", "--workers", "1")
    with Image.open(out) as image:
        assert image.n_frames > 10
    with pytest.raises(HomebodyError, match="no known format"):
        run("tour", str(house), "-o", "tour.mkv")
    with pytest.raises(HomebodyError, match="0 pictures a second"):
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
    with pytest.raises(HomebodyError, match="no quality 'best'"):
        run("render", "0", "--quality", "best")
