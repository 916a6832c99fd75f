"""Shards: whole, the same whoever makes them, and made once."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from homebody.core.ground.files import sha256
from homebody.core.ground.shards import Shard, make_shards
from homebody.core.ground.user_errors import HomebodyError

SHARDS = [Shard(f"part-{number}", number) for number in range(5)]
PLAN = {"count": 5, "kinds": ("a", "b")}


def work(number: int) -> bytes:
    if number == 3 and Path("stop").exists():
        raise HomebodyError("stopped")
    return b"%d" % number * 100


def test_an_interrupted_folder_goes_on_to_the_same_bytes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    whole = make_shards(tmp_path / "whole", "things", PLAN, SHARDS, work, engine="serial")
    Path("stop").touch()
    halves = tmp_path / "halves"
    with pytest.raises(HomebodyError, match="stopped"):
        make_shards(halves, "things", PLAN, SHARDS, work, engine="serial")
    assert sorted(path.name for path in halves.glob("part-*")) == ["part-0", "part-1", "part-2"]
    assert not (halves / "manifest.json").exists()
    Path("stop").unlink()
    before = (halves / "part-1").stat().st_mtime_ns
    told: list[tuple[int, int]] = []
    again = make_shards(
        *(halves, "things", PLAN, SHARDS, work),
        engine="serial",
        progress=lambda what, done, total: told.append((done, total)),
    )
    assert told[0] == (3, 5)
    assert told[-1] == (5, 5)
    assert (halves / "part-1").stat().st_mtime_ns == before
    assert again.read_bytes() == whole.read_bytes()
    for shard in json.loads(again.read_bytes())["shards"]:
        assert sha256(halves / shard["name"]) == shard["sha256"]


def test_another_plan_needs_another_folder(tmp_path: Path) -> None:
    make_shards(tmp_path, "things", PLAN, SHARDS, work, engine="serial")
    with pytest.raises(HomebodyError, match="started with count 5, not 6"):
        make_shards(tmp_path, "things", {**PLAN, "count": 6}, SHARDS, work, engine="serial")
    with pytest.raises(HomebodyError, match="not a manifest of others"):
        make_shards(tmp_path, "others", PLAN, SHARDS, work, engine="serial")
    with pytest.raises(HomebodyError, match="unknown engine: 'steam'"):
        make_shards(tmp_path, "things", PLAN, SHARDS, work, engine="steam")
    with pytest.raises(HomebodyError, match="1 to 1024 workers"):
        make_shards(tmp_path, "things", PLAN, SHARDS, work, workers=0)


def test_a_folder_grows_to_the_same_bytes(tmp_path: Path) -> None:
    def make(folder: str, count: int, seed: int = 0) -> Path:
        shards = [
            Shard(f"part-{first // 4}", range(first, min(first + 4, count)))
            for first in range(0, count, 4)
        ]
        return make_shards(
            *(tmp_path / folder, "things", {"seed": seed, "count": count}, shards),
            lambda numbers: repr(list(numbers)).encode(),
            engine="serial",
            grows=("count", 4),
        )

    whole, grown = make("whole", 11), make("grown", 6)
    first = (tmp_path / "grown" / "part-0").stat().st_mtime_ns
    with pytest.raises(HomebodyError, match="started with seed 0, not 1"):
        make("grown", 11, seed=1)
    assert grown.exists()
    make("grown", 11)
    assert (tmp_path / "grown" / "part-0").stat().st_mtime_ns == first
    for name in ("plan.json", "manifest.json", "part-0", "part-1", "part-2"):
        assert (whole.parent / name).read_bytes() == (grown.parent / name).read_bytes()
    with pytest.raises(HomebodyError, match="started with count 11, not 6"):
        make("grown", 6)
