"""Scenes of Habitat become houses: rooms, categories, sizes and places are those of the files."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from homebody.core.ground.user_errors import HomebodyError
from homebody.core.play.transcript import find_call
from homebody.worlds.house.exchange.habitat import read_scene
from homebody.worlds.house.generation.generate import generate
from homebody.worlds.house.model.agents import HUMAN
from homebody.worlds.house.model.catalogue import catalogue
from homebody.worlds.house.model.house import box_at
from homebody.worlds.house.simulation.simulation import Simulation
from worlds.house.exchange import scenes

HOUSE = generate(5, "home", ("living_room", "kitchen", "bedroom", "bathroom"), things=60, people=0)


def _write(folder: Path, table: bool = True, rooms: bool = True) -> Path:
    scene, semantics, rows = scenes.habitat(HOUSE)
    for name in ("scenes", "semantics/scenes", "metadata", "objects"):
        (folder / name).mkdir(parents=True)
    (folder / "scenes" / "flat.scene_instance.json").write_text(json.dumps(scene))
    if rooms:
        (folder / "semantics" / "scenes" / "flat.semantic_config.json").write_text(
            json.dumps(semantics)
        )
    if table:
        (folder / "metadata" / "models.csv").write_text(rows)
    return folder / "scenes" / "flat.scene_instance.json"


def test_rooms_and_things_are_where_they_are(tmp_path: Path) -> None:
    house = read_scene(_write(tmp_path)).house
    assert sorted(room.kind for room in house.rooms) == sorted(room.kind for room in HOUSE.rooms)
    for group, back in ((HOUSE.things, house.things), (HOUSE.furniture, house.furniture)):
        assert len(group) == len(back)
        for named, other in zip(group, back, strict=True):
            assert other.category == named.category
            a, b = box_at(named.pose, named.size), box_at(other.pose, other.size)
            assert (*b.low, *b.high) == pytest.approx((*a.low, *a.high), abs=0.052)
    on_furniture = [t.place[0] in house.piece for t in house.things]
    assert sum(on_furniture) >= 0.9 * sum(t.place[0] in HOUSE.piece for t in HOUSE.things)


def test_lamps_are_on_where_there_are_no_windows(tmp_path: Path) -> None:
    house = read_scene(_write(tmp_path)).house
    lamps = [piece for piece in house.furniture if "light" in catalogue().affords(piece.category)]
    assert lamps
    assert all(lamp.states["powered_on"] for lamp in lamps)


def test_one_can_walk_from_room_to_room(tmp_path: Path) -> None:
    imported = read_scene(_write(tmp_path))
    assert any("the files have no doors" in note for note in imported.notes)
    simulation = Simulation(imported.house, {"human": HUMAN}, seed=0)
    for room in imported.house.rooms:
        assert simulation.do("human", find_call(f"Navigate[{room.name}]")).ok


def test_without_tables_and_rooms_there_are_still_boxes(tmp_path: Path) -> None:
    imported = read_scene(_write(tmp_path, table=False, rooms=False))
    assert len(imported.house.rooms) == 1
    found = len(imported.house.furniture) + len(imported.house.things)
    added = sum(name not in imported.names.values() for name in imported.house.piece)
    assert found - added == len(HOUSE.furniture) + len(HOUSE.things)
    told = " ".join(imported.notes)
    assert "no rooms" in told
    assert "without a size" in told
    assert "no meshes" in told


def test_names_of_replicacad_say_the_category(tmp_path: Path) -> None:
    instances = [
        {"template_name": f"objects/frl_apartment_{name}", "translation": [i, 0.4, 0.0]}
        for i, name in enumerate(("sofa", "book_04", "table_02", "bowl_07"))
    ]
    path = tmp_path / "apt.scene_instance.json"
    path.write_text(json.dumps({"object_instances": instances}))
    house = read_scene(path).house
    assert {piece.category for piece in house.furniture} >= {"sofa"}
    assert {thing.category for thing in house.things} == {"book", "bowl"}


def test_meshes_give_sizes_and_are_found(tmp_path: Path) -> None:
    trimesh = pytest.importorskip("trimesh")
    (tmp_path / "objects" / "a").mkdir(parents=True)
    box = trimesh.creation.box((1.2, 0.8, 0.5))  # y up
    box.apply_translation((0.0, 0.4, 0.0))  # its origin is at the bottom
    box.export(tmp_path / "objects" / "a" / "table.glb")
    path = tmp_path / "room.scene_instance.json"
    quarter = [0.7071068, 0.0, 0.7071068, 0.0]
    instance = {"template_name": "table", "translation": [2.0, 0.0, -1.0], "rotation": quarter}
    path.write_text(json.dumps({"object_instances": [instance]}))
    imported = read_scene(path)
    piece, lamp = imported.house.furniture
    assert lamp.category == "ceiling_lamp"
    assert piece.size == pytest.approx((1.2, 0.5, 0.8))
    assert piece.pose.yaw == 90.0
    assert piece.pose.position == pytest.approx((2.0, 1.0, 0.0))
    assert imported.meshes == {piece.name: tmp_path / "objects" / "a" / "table.glb"}


@pytest.mark.parametrize(
    ("content", "why"),
    [
        (b"{", "truncated"),
        (b'{"object_instances": 1}', "array"),
        (b'{"object_instances": [{"template_name": "a", "translation": [1, 2]}]}', "length 3"),
        (b'{"object_instances": [{"template_name": "a", "translation": [1e9, 2, 3]}]}', "10000"),
    ],
)
def test_hostile_files_are_refused(tmp_path: Path, content: bytes, why: str) -> None:
    path = tmp_path / "a.scene_instance.json"
    path.write_bytes(content)
    with pytest.raises(HomebodyError, match=why):
        read_scene(path)


def test_a_quaternion_of_nothing_turns_nothing(tmp_path: Path) -> None:
    path = tmp_path / "a.scene_instance.json"
    instance: dict[str, Any] = {"template_name": "sofa", "rotation": [0, 0, 0, 0]}
    path.write_text(json.dumps({"object_instances": [instance]}))
    assert read_scene(path).house.furniture[0].pose.yaw == 0.0


def _two_floors(ground: float) -> tuple[dict[str, Any], dict[str, Any]]:
    def region(name: str, floor: float) -> dict[str, Any]:
        loop = [[0, floor, 0], [5, floor, 0], [5, floor, -4], [0, floor, -4]]
        return {"label": name, "poly_loop": loop, "floor_height": floor, "extrusion_height": 2.6}

    instances = [
        {"template_name": "table", "translation": [1.5, ground + 0.4, -2.0]},
        {"template_name": "bed", "translation": [2.5, ground + 3.3, -2.0]},
    ]
    regions = [region("kitchen", ground), region("bedroom", ground + 2.9)]
    return {"object_instances": instances}, {"region_annotations": regions}


@pytest.mark.parametrize("ground", [0.0, 2.0, -1.5])
def test_floors_begin_at_0_and_upper_ones_are_left_out(tmp_path: Path, ground: float) -> None:
    scene, semantics = _two_floors(ground)
    (tmp_path / "semantics" / "scenes").mkdir(parents=True)
    (tmp_path / "semantics" / "scenes" / "a.semantic_config.json").write_text(json.dumps(semantics))
    path = tmp_path / "a.scene_instance.json"
    path.write_text(json.dumps(scene))
    imported = read_scene(path)
    piece, lamp = imported.house.furniture
    assert lamp.category == "ceiling_lamp"
    assert piece.category == "table"
    assert abs(piece.pose.position[2]) < 0.1
    told = " ".join(imported.notes)
    assert "1 room on upper floors omitted" in told
    assert "1 object on upper floors omitted" in told


def test_too_many_rooms_are_refused_at_once(tmp_path: Path) -> None:
    _, semantics = _two_floors(0.0)
    semantics["region_annotations"] *= 200
    (tmp_path / "semantics" / "scenes").mkdir(parents=True)
    (tmp_path / "semantics" / "scenes" / "a.semantic_config.json").write_text(json.dumps(semantics))
    path = tmp_path / "a.scene_instance.json"
    path.write_text('{"object_instances": []}')
    with pytest.raises(HomebodyError, match="length <= 200"):
        read_scene(path)
