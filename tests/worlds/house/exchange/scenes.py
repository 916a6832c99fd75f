"""Scenes in the formats of others, made of houses of ours: what an importer gives back is known."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from homebody.worlds.house.exchange.floors import _shrink
from homebody.worlds.house.model.house import Furniture, House, Thing


def procthor(house: House) -> tuple[dict[str, Any], dict[str, Any]]:
    """A house as ProcTHOR writes one, and the asset database of its things.

    Walls there have no thickness, so each room reaches to the middle of its walls.
    """
    rooms, walls = [], []
    for number, room in enumerate(house.rooms):
        outline = _shrink(room.outline, -house.wall / 2)
        floor = [{"x": x, "y": 0, "z": y} for x, y in outline]
        rooms.append({"id": f"room|{number}", "roomType": room.kind, "floorPolygon": floor})
        for start, end in zip(floor, (*floor[1:], floor[0]), strict=True):
            low, high = sorted((start, end), key=lambda p: (p["x"], p["z"]))
            name = f"wall|{number}|{low['x']}|{low['z']}|{high['x']}|{high['z']}"
            polygon = [low, high, {**low, "y": room.height}, {**high, "y": room.height}]
            walls.append({"id": name, "roomId": f"room|{number}", "polygon": polygon})
    numbers = {room.name: f"room|{i}" for i, room in enumerate(house.rooms)}
    doors, windows = [], []
    for opening in house.openings:
        owners = [numbers[name] for name in opening.rooms]
        wall = next(
            wall for wall in walls if wall["roomId"] == owners[0] and _beside(wall, opening)
        )
        low = wall["polygon"][0]
        ends = sorted(
            math.hypot(x - low["x"], y - low["z"]) for x, y in (opening.start, opening.end)
        )
        hole = {
            "id": f"{opening.kind}|{opening.name}",
            "wall0": wall["id"],
            "room0": owners[0],
            "room1": owners[-1],
            "holePolygon": [
                {"x": ends[0], "y": opening.bottom, "z": 0},
                {"x": ends[1], "y": opening.top, "z": 0},
            ],
        }
        if opening.kind == "window":
            windows.append(hole)
        else:
            is_door = opening.kind == "door"
            is_open = float(opening.states.get("open", False))
            doors.append({**hole, "openable": is_door, "openness": is_open})
    objects = {thing.name: _object(thing) for thing in (*house.furniture, *house.things)}
    top = []
    for named in (*house.furniture, *house.things):
        owner = named.place[0] if isinstance(named, Thing) else ""
        if owner in objects:
            objects[owner]["children"].append(objects[named.name])
        else:
            top.append(objects[named.name])
    assets: dict[str, Any] = {}
    for named in (*house.furniture, *house.things):
        w, d, h = named.size
        carried = isinstance(named, Thing)
        assets.setdefault(named.category, []).append(
            {
                "assetId": f"asset_{named.name}",
                "objectType": named.category,
                "boundingBox": {"x": w, "y": h, "z": d},
                "primaryProperty": "CanPickup" if carried else "Static",
            }
        )
    scene = {"rooms": rooms, "walls": walls, "doors": doors, "windows": windows, "objects": top}
    return {**scene, "metadata": {"schema": "1.0.0"}}, assets


def _beside(wall: Mapping[str, Any], opening: Any) -> bool:
    a, b = wall["polygon"][:2]
    (x0, y0), (x1, y1) = opening.start, opening.end
    if a["x"] == b["x"]:
        span = min(y0, y1) >= a["z"] - 0.01 and max(y0, y1) <= b["z"] + 0.01
        return x0 == x1 and abs(x0 - a["x"]) < 0.1 and span
    span = min(x0, x1) >= a["x"] - 0.01 and max(x0, x1) <= b["x"] + 0.01
    return y0 == y1 and abs(y0 - a["z"]) < 0.1 and span


def _object(named: Furniture | Thing) -> dict[str, Any]:
    x, y, z = named.pose.position
    made: dict[str, Any] = {
        "id": named.name.replace("_", "|"),
        "assetId": f"asset_{named.name}",
        "position": {"x": x, "y": z + named.size[2] / 2, "z": y},
        "rotation": {"x": 0, "y": (-named.pose.yaw) % 360, "z": 0},
        "children": [],
        "kinematic": isinstance(named, Furniture),
    }
    if "open" in named.states:
        made["openness"] = float(named.states["open"])
    if "powered_on" in named.states:
        made["isOn"] = named.states["powered_on"]
    return made


def habitat(house: House) -> tuple[dict[str, Any], dict[str, Any], str]:
    """A house as a scene instance of Habitat, its rooms, and a table of categories and sizes."""
    instances, rows = [], ["id,main_category,aligned.dims"]
    for number, named in enumerate((*house.furniture, *house.things)):
        x, y, z = named.pose.position
        w, d, h = named.size
        half = math.radians(named.pose.yaw) / 2
        instances.append(
            {
                "template_name": f"objects/{number:016x}",
                "translation": [x, z + h / 2, -y],
                "rotation": [math.cos(half), 0.0, math.sin(half), 0.0],
                "motion_type": "STATIC" if isinstance(named, Furniture) else "DYNAMIC",
            }
        )
        size = f'"{w * 100:g},{d * 100:g},{h * 100:g}"'
        rows.append(f"{number:016x},{named.category.replace('_', ' ')},{size}")
    regions = [
        {
            "name": f"{room.kind.replace('_', ' ')} {i}",
            "label": room.kind.replace("_", " "),
            "poly_loop": [[x, 0.0, -y] for x, y in room.outline],
            "floor_height": 0.0,
            "extrusion_height": room.height,
        }
        for i, room in enumerate(house.rooms)
    ]
    scene = {"stage_instance": {"template_name": "stages/0"}, "object_instances": instances}
    return scene, {"region_annotations": regions}, "\n".join(rows) + "\n"
