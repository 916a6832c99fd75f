"""Sets of views: what is in a shard, and that it is the same for any number of workers."""

from __future__ import annotations

import io
import json
import tarfile
from dataclasses import asdict, replace
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from homebody.core.ground.user_errors import HomebodyError
from homebody.worlds.house.generation.generate import generate
from homebody.worlds.house.model.recipe import HouseRecipe
from homebody.worlds.house.rendering import view_sets
from homebody.worlds.house.rendering.render import Camera, Renderer
from homebody.worlds.house.rendering.view_sets import ViewPlan, make_views

PLAN = ViewPlan(houses=2, views=2, kinds=("home",), rooms=1, width=24, height=16)


@pytest.mark.slow
def test_shards_are_the_same_for_any_number_of_workers(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(view_sets, "HOUSES", 1)
    plan = replace(PLAN, views=1)
    alone = make_views(tmp_path / "alone", plan, engine="serial")
    many = make_views(tmp_path / "many", plan, engine="pool", workers=2)
    assert alone.read_bytes() == many.read_bytes()
    for shard in ("views-000000.tar", "views-000001.tar"):
        assert (alone.parent / shard).read_bytes() == (many.parent / shard).read_bytes()


@pytest.mark.slow
def test_a_view_is_a_picture_with_ids_depth_and_camera(tmp_path: Path) -> None:
    make_views(tmp_path, replace(PLAN, houses=1), engine="serial")
    with tarfile.open(tmp_path / "views-000000.tar") as file:
        data = {entry.name: file.extractfile(entry).read() for entry in file}  # type: ignore[union-attr]
    house = generate(0, "home", 1)
    stems = {name.split(".")[0] for name in data}
    assert len(stems) == 2 * len(house.rooms)
    assert len(data) == 4 * len(stems)
    for stem in sorted(stems):
        told = json.loads(data[f"{stem}.json"])
        assert told["house"] == asdict(HouseRecipe(0, "home", 1))
        own = Camera(**{**told["camera"], "position": tuple(told["camera"]["position"])})
        picture = Renderer.of(house).picture(own, samples=2)
        ids = np.array(Image.open(io.BytesIO(data[f"{stem}.ids.png"])))
        depth = np.array(Image.open(io.BytesIO(data[f"{stem}.depth.png"])))
        rgb = np.array(Image.open(io.BytesIO(data[f"{stem}.png"]))).astype(int)
        assert np.abs(rgb - picture.rgb).mean() < 1.0
        assert (ids == picture.ids).all()
        near = picture.depth < 60
        assert np.abs(depth[near] / 1000 - picture.depth[near]).max() < 1e-3
        assert (depth[~near] == 65535).all()
        assert {int(i) for i in told["names"]} == set(np.unique(ids).tolist()) - {0}


@pytest.mark.parametrize(
    "plan",
    [
        replace(PLAN, houses=0),
        replace(PLAN, views=0),
        replace(PLAN, quality="best"),
        replace(PLAN, kinds=("castle",)),
        replace(PLAN, rooms=13),
        replace(PLAN, width=100_000),
        replace(PLAN, fov=0.0),
        replace(PLAN, time="noon"),
    ],
)
def test_plans_that_cannot_be_are_refused(tmp_path: Path, plan: ViewPlan) -> None:
    with pytest.raises(HomebodyError):
        make_views(tmp_path, plan, engine="serial")
    assert view_sets.QUALITIES == ("fast", "high")


@pytest.mark.slow
def test_a_path_traced_set_is_of_one_blender(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Tracer:
        maker = "5.0.1 on CPU"

        def __init__(self, renderer: Renderer, threads: int) -> None:
            self.picture = renderer.picture

        def __enter__(self) -> Tracer:
            return self

        def __exit__(self, *error: object) -> None:
            pass

    monkeypatch.setattr(view_sets, "PathTracer", Tracer)
    plan = replace(PLAN, houses=1, views=1, quality="high")
    make_views(tmp_path, plan, engine="serial")
    assert json.loads((tmp_path / "plan.json").read_text())["blender"] == "5.0.1 on CPU"
    with pytest.raises(HomebodyError, match=r"made by Blender 4\.9 on CPU"):
        view_sets.pack_shard(plan, "4.9 on CPU", range(1))
    monkeypatch.setattr(Tracer, "maker", "5.1 on CPU")
    with pytest.raises(HomebodyError, match="started with blender"):
        make_views(tmp_path, plan, engine="serial")


@pytest.mark.slow
def test_a_set_grows(tmp_path: Path) -> None:
    plan = replace(PLAN, houses=1, views=1)
    make_views(tmp_path / "grown", plan, engine="serial")
    whole = make_views(tmp_path / "whole", replace(plan, houses=2), engine="serial")
    grown = make_views(tmp_path / "grown", replace(plan, houses=2), engine="serial")
    assert grown.read_bytes() == whole.read_bytes()
