"""`homebody house import` and `homebody house export`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from command import Homebody
from homebody.worlds.house.generation.generate import generate
from homebody.worlds.house.io import files
from worlds.house.exchange import scenes

HOUSE = generate(5, "home", ["living_room", "kitchen"], things=20, people=0)


def test_a_scene_is_imported_and_what_is_lost_is_said(homebody: Homebody, tmp_path: Path) -> None:
    scene, assets = scenes.procthor(HOUSE)
    (tmp_path / "scene.json").write_text(json.dumps(scene))
    (tmp_path / "assets.json").write_text(json.dumps(assets))
    given = ("--assets", tmp_path / "assets.json", "-o", tmp_path / "flat.json")
    done = homebody("house", "import", tmp_path / "scene.json", *given)
    assert done.code == 0, done.err
    assert "home, scene.json: " in done.out
    assert "living_room" in done.out
    assert "the file has no meshes and materials" in done.err
    assert len(files.load(tmp_path / "flat.json").furniture) == len(HOUSE.furniture)


def test_what_is_no_scene_is_told_as_what_it_is(homebody: Homebody, tmp_path: Path) -> None:
    files.save(HOUSE, tmp_path / "flat.json")
    whole = (tmp_path / "flat.json").read_bytes()
    (tmp_path / "half.json").write_bytes(whole[:2000])
    for name, why in (
        ("flat.json", "is already a house of homebody"),
        ("half.json", "is incomplete"),
    ):
        done = homebody("house", "import", tmp_path / name, "-o", tmp_path / "new.json")
        assert done.code == 2
        assert why in done.err


def test_a_scene_of_habitat_is_told_by_its_name(homebody: Homebody, tmp_path: Path) -> None:
    path = tmp_path / "a.scene_instance.json"
    path.write_text(json.dumps(scenes.habitat(HOUSE)[0]))
    done = homebody("house", "import", path, "-o", tmp_path / "flat.json")
    assert done.code == 0, done.err
    assert "no rooms" in done.err


@pytest.mark.parametrize(
    ("options", "why"),
    [
        (("-o", "house.obj"), "unknown format"),
        (("-o", "house.xml", "--mesh", "sofa=sofa.glb"), "sofa.glb"),
    ],
)
def test_what_cannot_be_exported_gets_a_sentence(
    homebody: Homebody, tmp_path: Path, options: tuple[str, ...], why: str
) -> None:
    files.save(HOUSE, tmp_path / "flat.json")
    done = homebody("house", "export", tmp_path / "flat.json", *options)
    assert done.code == 2
    assert why in done.err


def test_collision_boxes_are_written(homebody: Homebody, tmp_path: Path) -> None:
    files.save(HOUSE, tmp_path / "flat.json")
    done = homebody("house", "export", tmp_path / "flat.json", "-o", tmp_path / "flat.xml")
    assert done.code == 0, done.err
    assert (tmp_path / "flat.xml").read_text().startswith("<mujoco")


@pytest.mark.parametrize(
    "command",
    [
        ("new", "file.json", "--rooms", "1", "--things", "0"),
        ("import", "a.scene_instance.json", "-o", "file.json"),
        ("export", "flat.json", "-o", "file.xml"),
    ],
)
def test_houses_and_scenes_are_replaced_only_on_request(
    homebody: Homebody,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    command: tuple[str, ...],
) -> None:
    monkeypatch.chdir(tmp_path)
    files.save(HOUSE, "flat.json")
    Path("a.scene_instance.json").write_text(json.dumps(scenes.habitat(HOUSE)[0]))
    (out,) = (Path(word) for word in command if word.startswith("file."))
    out.write_text("mine")
    done = homebody("house", *command)
    assert done.code == 2
    assert f"{out} exists" in done.err
    assert out.read_text() == "mine"
    assert homebody("house", *command, "--force").code == 0
    assert out.read_text() != "mine"
