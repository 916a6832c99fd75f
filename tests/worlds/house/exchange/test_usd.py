"""Houses as USD stages."""

from __future__ import annotations

import builtins
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

from homebody.core.ground.user_errors import HomebodyError
from homebody.worlds.house.exchange.usd import save_usd
from homebody.worlds.house.generation.generate import generate
from homebody.worlds.house.model.state import HouseState
from homebody.worlds.house.simulation.relations import is_shut_in

HOUSE = generate(2, "home", 1)


@pytest.mark.slow
@pytest.mark.parametrize("suffix", [".usda", ".usdc"])
def test_a_stage_has_everything_in_place_with_what_it_affords(tmp_path: Path, suffix: str) -> None:
    usd = pytest.importorskip("pxr.Usd")
    shading = pytest.importorskip("pxr.UsdShade")
    geometry = pytest.importorskip("pxr.UsdGeom")
    path = tmp_path / f"house{suffix}"
    save_usd(HOUSE, path)
    stage = usd.Stage.Open(str(path))
    prims = {prim.GetCustomDataByKey("name"): prim for prim in stage.Traverse()}
    assert any(is_shut_in(HouseState.start(HOUSE), thing.name) for thing in HOUSE.things)
    for each in (*HOUSE.furniture, *HOUSE.things, *HOUSE.people):
        matrix = geometry.Xformable(prims[each.name]).ComputeLocalToWorldTransform(0)
        assert list(matrix.ExtractTranslation()) == pytest.approx(each.pose.position, abs=1e-4)
        ahead = matrix.TransformDir((0, 1, 0))
        turn = np.radians(each.pose.yaw)
        assert list(ahead) == pytest.approx((-np.sin(turn), np.cos(turn), 0), abs=1e-4)
        assert prims[each.name].IsInstance()
    sofa = stage.GetPrimAtPath("/house/sofa_0")
    assert sofa.GetCustomDataByKey("category") == "sofa"
    assert "sittable" in list(sofa.GetCustomDataByKey("affordances"))
    bound = set()
    for prim in usd.PrimRange(stage.GetPseudoRoot(), usd.TraverseInstanceProxies()):
        if prim.IsA(geometry.Subset):
            material, _ = shading.MaterialBindingAPI(prim).ComputeBoundMaterial()
            assert material, prim.GetPath()
            bound.add(material.GetPrim().GetName())
        if prim.IsA(geometry.Mesh):
            assert geometry.Subset.ValidateFamily(
                geometry.Imageable(prim), geometry.Tokens.face, shading.Tokens.materialBind
            )[0]
    assert {"metal", "glass", "wood_painted"} <= bound
    with Image.open(tmp_path / "house.jpg") as picture:
        assert picture.width == 4096


def test_without_usd_core_one_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    real = builtins.__import__

    def without(name: str, *args: Any, **more: Any) -> Any:
        if name.startswith("pxr"):
            raise ImportError(name)
        return real(name, *args, **more)

    monkeypatch.setattr(builtins, "__import__", without)
    with pytest.raises(HomebodyError, match="usd-core"):
        save_usd(HOUSE, tmp_path / "house.usda")
    assert not (tmp_path / "house.usda").exists()
