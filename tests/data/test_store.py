"""Data sets in parts: what is written is given back, and what is not whole is not ready."""

from __future__ import annotations

import gc
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from homebody.core.ground.user_errors import HomebodyError
from homebody.data.cache import read_manifest
from homebody.data.downloads import Package
from homebody.data.store import Store, disable_collection

PACKAGE = Package("tiny", "1.0", "0" * 64, "wheel", 1, "tiny --wheel")


def made(folder: Path, parts: tuple[str, ...]) -> Store:
    """A store in a folder of its own: an absolute path is the whole path."""
    return Store(
        name="tiny",
        folder_name=str(folder),
        schema=3,
        packages={"source": PACKAGE},
        parts=parts,
        convert=lambda files, report: {},
        count=lambda parts: len(parts),
    )


values = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53), 2**53) | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner),
    max_leaves=8,
)


@given(value=values)
def test_a_part_is_given_back(value: Any, tmp_path_factory: pytest.TempPathFactory) -> None:
    folder = tmp_path_factory.mktemp("store")
    store = made(folder, ("one", "two"))
    store.write(store.folder(), {"one": value, "two": 2})
    assert store.load("one") == value
    assert store.load("two") == 2
    assert store.is_ready()


def test_readiness(tmp_path: Path) -> None:
    store = made(tmp_path, ("one", "two"))
    assert not store.is_ready()
    store.write(tmp_path, {"one": 1, "two": 2})
    assert store.is_ready()
    assert not replace(store, schema=4).is_ready()
    assert not replace(store, parts=("one", "two", "three")).is_ready()
    (tmp_path / "one.json.zlib").write_bytes(b"short")
    assert not store.is_ready()


def test_of_a_single_part_the_manifest_has_the_size(tmp_path: Path) -> None:
    store = made(tmp_path, ("one",))
    store.write(tmp_path, {"one": 1})
    assert store.is_ready()
    manifest = read_manifest(tmp_path)
    assert manifest is not None
    assert manifest["bytes"] == (tmp_path / "one.json.zlib").stat().st_size


def test_a_damaged_part_is_said_to_be_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store = made(tmp_path, ("one", "two"))
    store.write(tmp_path, {"one": 1, "two": 2})
    (tmp_path / "one.json.zlib").write_bytes(b"rubbish")
    monkeypatch.setattr(Store, "is_ready", lambda self: True)
    with pytest.raises(HomebodyError, match="is damaged") as caught:
        store.load("one")
    assert caught.value.hint == "run: homebody data fetch tiny --force"
    (tmp_path / "two.json.zlib").unlink()
    with pytest.raises(HomebodyError, match="is damaged"):
        store.load("two")
    with pytest.raises(ValueError, match="no such part"):
        store.load("absent")


@pytest.mark.parametrize("collecting", [True, False])
def test_garbage_is_collected_again_after_what_is_kept_for_good(collecting: bool) -> None:
    before = gc.isenabled()
    try:
        (gc.enable if collecting else gc.disable)()
        with suppress(KeyError), disable_collection():
            assert not gc.isenabled()
            raise KeyError
        assert gc.isenabled() == collecting
    finally:
        (gc.enable if before else gc.disable)()
