"""Houses as USD stages."""

from __future__ import annotations

import builtins
from pathlib import Path
from typing import Any

import pytest

from homebody.core.ground.user_errors import HomebodyError
from homebody.worlds.house.exchange.usd import save_usd
from homebody.worlds.house.generation.generate import generate

HOUSE = generate(2, "home", 1)


@pytest.mark.slow
@pytest.mark.parametrize("suffix", [".usda", ".usdc"])
def test_a_stage_has_everything_with_what_it_affords(tmp_path: Path, suffix: str) -> None:
    usd = pytest.importorskip("pxr.Usd")
    path = tmp_path / f"house{suffix}"
    save_usd(HOUSE, path)
    stage = usd.Stage.Open(str(path))
    names = {prim.GetCustomDataByKey("name") for prim in stage.Traverse()}
    assert {piece.name for piece in HOUSE.furniture} <= names
    sofa = stage.GetPrimAtPath("/house/sofa_0")
    assert sofa.GetCustomDataByKey("category") == "sofa"
    assert "sittable" in list(sofa.GetCustomDataByKey("affordances"))


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
