"""Houses of ProcTHOR become houses: rooms, doors, places and states are those of the file."""

from __future__ import annotations

import gzip
import json
import os
import zipfile
from pathlib import Path
from typing import Any

import pytest

from homebody.core.ground.user_errors import HomebodyError
from homebody.core.play.transcript import find_call
from homebody.worlds.house.exchange.procthor import DATABASE, read_assets, read_house
from homebody.worlds.house.generation.generate import generate
from homebody.worlds.house.generation.validity import check
from homebody.worlds.house.model.agents import HUMAN
from homebody.worlds.house.simulation.simulation import Simulation
from worlds.house.exchange import scenes

HOUSE = generate(5, "home", ("living_room", "kitchen", "bedroom", "bathroom"), things=60, people=0)


@pytest.fixture(scope="module")
def imported(tmp_path_factory: pytest.TempPathFactory) -> Any:
    return _import(tmp_path_factory.mktemp("procthor"), *scenes.procthor(HOUSE))


def _import(folder: Path, scene: Any, assets: Any) -> Any:
    (folder / "house.json.gz").write_bytes(gzip.compress(json.dumps(scene).encode()))
    (folder / "assets.json").write_text(json.dumps(assets))
    return read_house(folder / "house.json.gz", read_assets(folder / "assets.json"))


def test_rooms_doors_and_furniture_are_where_they_are(imported: Any) -> None:
    house = imported.house
    assert sorted(room.kind for room in house.rooms) == sorted(room.kind for room in HOUSE.rooms)
    assert len(house.furniture) == len(HOUSE.furniture)
    for piece in HOUSE.furniture:
        other = house.piece[imported.names[piece.name.replace("_", "|")]]
        assert other.category == piece.category
        for side in ("low", "high"):  # walls are thinner: what hangs on them moves
            assert getattr(other.box, side) == pytest.approx(getattr(piece.box, side), abs=0.052)
    kinds = sorted(opening.kind for opening in house.openings)
    assert kinds == sorted(opening.kind for opening in HOUSE.openings)
    ends = {(o.kind, *sorted((o.start, o.end))) for o in HOUSE.openings}
    assert all(
        min(
            abs(a[0] - o.start[0]) + abs(a[1] - o.start[1]) + abs(b[0] - o.end[0])
            + abs(b[1] - o.end[1])
            for kind, *pair in ends if kind == o.kind
            for a, b in (pair, pair[::-1])
        ) < 0.2
        for o in house.openings
    )  # fmt: skip


def test_things_are_on_what_they_are_on(imported: Any) -> None:
    house, names = imported.house, imported.names
    back = {names[n.name.replace("_", "|")]: n.name for n in (*HOUSE.furniture, *HOUSE.things)}
    assert len(house.things) == len(HOUSE.things)
    for thing in house.things:
        ours = HOUSE.thing[back[thing.name]]
        assert thing.pose.position == pytest.approx(ours.pose.position, abs=0.052)
        if ours.place[0] in HOUSE.floors:
            assert thing.place[0] in house.floors
        else:
            assert back[thing.place[0]] == ours.place[0]
            if ours.place[0] in HOUSE.piece:
                assert thing.place[1] == ours.place[1]
    is_open = {back[p.name]: p.states["open"] for p in house.furniture if "open" in p.states}
    assert is_open == {p.name: p.states["open"] for p in HOUSE.furniture if "open" in p.states}


def test_one_can_live_in_it(imported: Any) -> None:
    simulation = Simulation(imported.house, {"human": HUMAN}, seed=0)
    done = 0
    for room in imported.house.rooms:
        done += simulation.do("human", find_call(f"Navigate[{room.name}]")).ok
    assert done == len(imported.house.rooms)
    on_top = [thing.name for thing in imported.house.things if thing.place[1] == "top"]
    assert on_top
    for name in on_top[:4]:
        event = simulation.do("human", find_call(f"Rearrange[{name}, on, {room.floor_name}]"))
        assert event.ok, event.message


REAL = os.environ.get("HOMEBODY_PROCTHOR", "")
"""Folder with the wheel of ``procthor`` and published houses, a JSON file each."""


@pytest.mark.slow
@pytest.mark.skipif(not REAL, reason="HOMEBODY_PROCTHOR is not set")
def test_in_published_houses_all_stands_on_something_in_the_light() -> None:
    (wheel,) = Path(REAL).glob("*.whl")
    assets = read_assets(wheel)
    overlapping = count = 0
    for path in sorted(Path(REAL).glob("*.json")):
        house = read_house(path, assets).house
        problems = check(house)
        count += len(house.furniture) + len(house.things)
        overlapping += sum("overlaps" in problem for problem in problems)
        for wrong in ("does not stand on", "does not fit in", "does not touch", "hangs in the air"):
            assert not [problem for problem in problems if wrong in problem], path
        with_light = {piece.room for piece in house.furniture if piece.states.get("powered_on")}
        with_light |= {each.rooms[0] for each in house.openings if each.kind == "window"}
        assert with_light == house.room.keys()
    assert count > 100
    assert overlapping < 0.04 * count


def test_what_is_not_there_is_said(tmp_path: Path) -> None:
    scene, assets = scenes.procthor(HOUSE)
    del assets["sofa"]
    scene["objects"][0]["position"]["x"] = 500.0
    scene["objects"].append(
        {**scene["objects"][1], "id": "Gizmo|1", "assetId": "gizmo", "children": []}
    )
    assets["Gizmo"] = [{**assets["bed"][0], "assetId": "gizmo", "objectType": "FancyGizmo"}]
    imported = _import(tmp_path, scene, assets)
    told = " ".join(imported.notes)
    assert "1 object of 1 asset without a size" in told
    assert "asset_sofa_0" in told
    assert "1 thing in no room omitted" in told
    assert "FancyGizmo" in told
    assert "without affordances" in told
    assert any(piece.category == "fancy_gizmo" for piece in imported.house.furniture)


def test_walls_that_are_empty_are_open(tmp_path: Path) -> None:
    corners = [[(0, 0), (3, 0), (3, 4), (0, 4)], [(3, 0), (7, 0), (7, 4), (3, 4)]]
    wall = [{"x": 3, "y": 0, "z": 0}, {"x": 3, "y": 0, "z": 4}, {"x": 3, "y": 2.5, "z": 0}]
    scene = {
        "rooms": [
            {"id": f"room|{i}", "roomType": kind, "floorPolygon": [{"x": x, "z": z} for x, z in c]}
            for i, (kind, c) in enumerate(zip(("Kitchen", "LivingRoom"), corners, strict=True))
        ],
        "walls": [
            {"id": f"wall|{i}", "roomId": f"room|{i}", "polygon": wall, "empty": True}
            for i in range(2)
        ],
    }
    house = _import(tmp_path, scene, {}).house
    (gap,) = house.openings
    assert gap.kind == "doorway"
    assert sorted(gap.rooms) == ["kitchen_0", "living_room_0"]
    assert (gap.start, gap.end) == ((3.0, 0.05), (3.0, 3.95))


def test_sizes_come_out_of_the_wheel_too(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "procthor.whl", "w") as wheel:
        wheel.writestr(DATABASE, json.dumps(scenes.procthor(HOUSE)[1]))
    assert "asset_sofa_0" in read_assets(tmp_path / "procthor.whl")
    with zipfile.ZipFile(tmp_path / "other.whl", "w") as wheel:
        wheel.writestr("other", "")
    with pytest.raises(HomebodyError, match="asset-database"):
        read_assets(tmp_path / "other.whl")


@pytest.mark.parametrize("name", [DATABASE, "other"])
def test_damaged_wheels_are_refused(tmp_path: Path, name: str) -> None:
    path = tmp_path / "procthor.whl"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as wheel:
        wheel.writestr(name, json.dumps(scenes.procthor(HOUSE)[1]))
    whole = path.read_bytes()
    for place in range(30, len(whole), max(1, len(whole) // 200)):
        path.write_bytes(whole[:place] + bytes([whole[place] ^ 0xFF]) + whole[place + 1 :])
        try:
            read_assets(path)
        except HomebodyError as error:
            assert str(path) in str(error)  # noqa: PT017


def test_two_things_of_one_identifier_are_refused(tmp_path: Path) -> None:
    scene, assets = scenes.procthor(HOUSE)
    scene["objects"].append(scene["objects"][0])
    with pytest.raises(HomebodyError, match="two things have the identifier"):
        _import(tmp_path, scene, assets)


@pytest.mark.parametrize(
    ("content", "why"),
    [
        (b"", "truncated|empty"),
        (b"[1]", "object"),
        (b'{"rooms": []}', "no rooms"),
        (b'{"rooms": [{"id": "a", "floorPolygon": []}]}', "0 corners"),
        (b'{"rooms": [{"id": "a", "floorPolygon": [{"x": 1e300}]}]}', "<= 10000"),
        (b'{"rooms": [{"id": "a", "floorPolygon": [{"x":0},{"x":1},{"x":2}]}]}', "no area"),
        (b"[" * 100_000, "nested too deeply"),
        (b"\x1f\x8bnothing", "damaged"),
    ],
)
def test_hostile_files_are_refused(tmp_path: Path, content: bytes, why: str) -> None:
    path = tmp_path / "house.json"
    path.write_bytes(content)
    with pytest.raises(HomebodyError, match=why) as refused:
        read_house(path, {})
    assert str(path) in str(refused.value)


def test_objects_in_objects_without_end_are_refused(tmp_path: Path) -> None:
    scene, assets = scenes.procthor(HOUSE)
    inner: dict[str, Any] = {"id": "Cup|0", "assetId": "cup", "position": {}}
    for number in range(20):
        inner = {"id": f"Cup|{number + 1}", "assetId": "cup", "position": {}, "children": [inner]}
    with pytest.raises(HomebodyError, match="nested deeper"):
        _import(tmp_path, {**scene, "objects": [inner]}, assets)
