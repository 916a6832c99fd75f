"""Published houses of ProcTHOR and AI2-THOR: JSON with rooms, walls, doors, windows, objects.

The format is the format of ProcTHOR-10K (schema 1.0.0; the older schema 0.0.1, which stores holes
differently, is also read). Its frame is Unity's: x to the right, y up, z ahead, metres, angles
clockwise from above; its (x, y, z) is (x, z, y) here, and angles change their sign. An object's
position is the centre of its box. Sizes are in the asset database of the package ``procthor``
(``databases/asset-database.json``).
"""

from __future__ import annotations

import math
import zlib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Annotated, Any
from zipfile import BadZipFile, ZipFile

import msgspec
from msgspec import Meta

from homebody.core.ground.user_errors import HomebodyError, name_file
from homebody.worlds.house.exchange.imported import (
    Imported,
    ImportedBox,
    ImportedRoom,
    Scene,
    build,
    format_count,
)
from homebody.worlds.house.exchange.reading import (
    MAX_BOXES,
    MAX_BYTES,
    MAX_ROOMS,
    MAX_WALLS,
    Number,
    Text,
    decode,
    read_bytes,
)
from homebody.worlds.house.model.house import Opening, Point, Vector

DATABASE = "procthor/databases/asset-database.json"
"""Path of the asset database in the wheel of ``procthor``."""
CEILING = 2.6
"""Height in metres of a room if the file gives none for its walls."""
_UNKNOWN: Vector = (0.3, 0.3, 0.3)
_MAX_NESTED = 8


class _Vector(msgspec.Struct):
    x: Number = 0.0
    y: Number = 0.0
    z: Number = 0.0


class _Corners(msgspec.Struct):
    min: _Vector
    max: _Vector


class _Room(msgspec.Struct, rename="camel"):
    id: Text
    floor_polygon: list[_Vector]
    room_type: Text = ""


class _Wall(msgspec.Struct, rename="camel"):
    id: Text
    polygon: list[_Vector]
    room_id: Text = ""
    empty: bool = False


class _Hole(msgspec.Struct, rename="camel"):
    id: Text
    wall0: Text | None = None
    wall1: Text | None = None
    room0: Text | None = None
    room1: Text | None = None
    hole_polygon: list[_Vector] = []
    bounding_box: _Corners | None = None
    asset_id: Text = ""
    openable: bool = False
    openness: Number = 0.0


class _Object(msgspec.Struct, rename="camel"):
    id: Text
    asset_id: Text
    position: _Vector
    rotation: _Vector = msgspec.field(default_factory=_Vector)
    children: list[_Object] = []
    openness: Number | None = None
    is_on: bool | None = None
    is_dirty: bool | None = None


class _House(msgspec.Struct, rename="camel"):
    rooms: Annotated[list[_Room], Meta(max_length=MAX_ROOMS)]
    walls: Annotated[list[_Wall], Meta(max_length=MAX_WALLS)] = []
    doors: Annotated[list[_Hole], Meta(max_length=MAX_WALLS)] = []
    windows: Annotated[list[_Hole], Meta(max_length=MAX_WALLS)] = []
    objects: list[_Object] = []


class Asset(msgspec.Struct, rename="camel"):
    """An entry of the asset database: size (x, y up, z) and properties."""

    asset_id: Text
    bounding_box: _Vector
    object_type: Text = ""
    primary_property: Text = ""


def read_assets(path: Path) -> Mapping[str, Asset]:
    """Read the asset database from its JSON file or the wheel of ``procthor``.

    Raises HomebodyError if the file is unreadable or is not an asset database.
    """
    data = read_bytes(path)
    if data[:2] == b"PK":
        data = _from_wheel(path)
    tree = decode(path, data, dict[str, list[msgspec.Raw]])
    assets = {}
    for group in tree.values():
        for raw in group:
            try:
                asset = msgspec.json.decode(raw, type=Asset)
            except msgspec.MsgspecError:  # a few have no size
                continue
            assets[asset.asset_id] = asset
    return assets


def _from_wheel(path: Path) -> bytes:
    try:
        with ZipFile(path) as wheel, wheel.open(DATABASE) as file:
            data = file.read(MAX_BYTES + 1)
    except (KeyError, BadZipFile, OSError, RuntimeError, ValueError, EOFError, zlib.error) as error:
        raise HomebodyError(f"{path}: has no {DATABASE}") from error
    if len(data) > MAX_BYTES:
        raise HomebodyError(f"{path}: {DATABASE} is larger than {MAX_BYTES >> 20} MB")
    return data


def read_house(path: Path, assets: Mapping[str, Asset]) -> Imported:
    """Read a house of ProcTHOR or AI2-THOR.

    Args:
        path: JSON file of one house, optionally gzipped (one line of a JSON-lines file).
        assets: Sizes, from :func:`read_assets`; an unknown asset is a box of 0.3 m.

    Raises:
        HomebodyError: The file is not such a house, or it cannot be converted.
    """
    house = decode(path, read_bytes(path), _House)
    walls = {wall.id: wall for wall in house.walls}
    boxes, unknown = [], []
    for item, parent in _flatten(house.objects):
        asset = assets.get(item.asset_id)
        if asset is None:
            unknown.append(item.asset_id)
        boxes.append(_box(item, parent, asset))
    if len(boxes) > MAX_BOXES:
        raise HomebodyError(f"{path}: has {len(boxes)} objects", f"at most {MAX_BOXES}")
    notes = ["the file has no meshes and materials; things have those of their category"]
    if unknown:
        kinds = sorted(set(unknown))
        notes.append(
            f"{format_count(len(unknown), 'object')} of {format_count(len(kinds), 'asset')}"
            f" without a size, replaced by boxes of {_UNKNOWN[0]} m: {', '.join(kinds[:8])}"
        )
    scene = Scene(
        tuple(_room(room, house.walls) for room in house.rooms),
        tuple(_openings(house, walls)),
        tuple(boxes),
        tuple(notes),
    )
    with name_file(path):
        return build(scene, path)


def _room(room: _Room, walls: list[_Wall]) -> ImportedRoom:
    tops = [corner.y for wall in walls if wall.room_id == room.id for corner in wall.polygon]
    height = max(tops, default=0.0)
    polygon = tuple((corner.x, corner.z) for corner in room.floor_polygon)
    return ImportedRoom(room.id, room.room_type, polygon, height if height > 1 else CEILING)


def _flatten(objects: list[_Object]) -> Iterator[tuple[_Object, str]]:
    """Yield each object with the id of the object that contains it, or ""; containers come
    first."""
    level = [(item, "") for item in objects]
    for _ in range(_MAX_NESTED):
        yield from level
        level = [(child, item.id) for item, _ in level for child in item.children]
    if level:
        raise HomebodyError(f"objects are nested deeper than {_MAX_NESTED}")


def _box(item: _Object, parent: str, asset: Asset | None) -> ImportedBox:
    size = _UNKNOWN
    if asset is not None:
        size = asset.bounding_box.x, asset.bounding_box.z, asset.bounding_box.y
    states = {
        "open": None if item.openness is None else item.openness > 0,
        "powered_on": item.is_on,
        "clean": None if item.is_dirty is None else not item.is_dirty,
    }
    return ImportedBox(
        identifier=item.id,
        type=(asset.object_type if asset is not None else "") or item.id.split("|")[0],
        centre=(item.position.x, item.position.z, item.position.y),
        size=size,
        yaw=-item.rotation.y % 360,
        movable=asset.primary_property == "CanPickup" if asset is not None else None,
        states={name: value for name, value in states.items() if value is not None},
        parent=parent,
    )


def _openings(house: _House, walls: Mapping[str, _Wall]) -> Iterator[Opening]:
    for i, door in enumerate(house.doors):
        rooms = _rooms_of(door, walls)
        span = _span(door, walls)
        if span is None or not rooms:
            continue
        start, end, bottom, top = span
        if len(rooms) < 2:
            yield Opening(f"entrance_{i}", "entrance", rooms, start, end, 0.0, top)
        elif door.openable:
            states = {"open": door.openness > 0, "locked": False}
            yield Opening(
                f"door_{i}",
                "door",
                rooms,
                start,
                end,
                0.0,
                top,
                hinge="start",
                swings_into=rooms[1],
                states=states,
            )
        else:
            yield Opening(f"doorway_{i}", "doorway", rooms, start, end, 0.0, top)
    for i, window in enumerate(house.windows):
        span = _span(window, walls)
        rooms = _rooms_of(window, walls)[:1]
        if span is not None and rooms:
            start, end, bottom, top = span
            yield Opening(f"window_{i}", "window", rooms, start, end, bottom, top)
    yield from _missing_walls(house)


def _rooms_of(hole: _Hole, walls: Mapping[str, _Wall]) -> tuple[str, ...]:
    names = [hole.room0, hole.room1]
    names += [walls[wall].room_id for wall in (hole.wall0 or "", hole.wall1 or "") if wall in walls]
    return tuple(dict.fromkeys(name for name in names if name))[:2]


def _span(hole: _Hole, walls: Mapping[str, _Wall]) -> tuple[Point, Point, float, float] | None:
    """Return the ends, bottom and top of a hole in its first known wall; None if unknown."""
    wall = walls.get(hole.wall0 or "") or walls.get(hole.wall1 or "")
    corners = hole.hole_polygon
    if len(corners) < 2 and hole.bounding_box is not None:
        corners = [hole.bounding_box.min, hole.bounding_box.max]
    if wall is None or len(wall.polygon) < 2 or len(corners) < 2:
        return None
    a, b = wall.polygon[0], wall.polygon[1]
    length = math.hypot(b.x - a.x, b.z - a.z)
    low, high = sorted((corners[0].x, corners[1].x))
    low, high = max(0.0, low), min(length, high)
    bottom, top = sorted((corners[0].y, corners[1].y))
    if high - low < 0.05 or top - max(0.0, bottom) < 0.05:
        return None
    return (*_points_on_wall(a, b, length, low, high), round(max(0.0, bottom), 3), round(top, 3))


def _points_on_wall(
    a: _Vector, b: _Vector, length: float, low: float, high: float
) -> tuple[Point, Point]:
    """Return two points of a wall, which is assumed to be parallel to an axis."""
    ends = []
    for at in (low / length, high / length):
        ends.append([a.x + (b.x - a.x) * at, a.z + (b.z - a.z) * at])
    flat = 0 if abs(b.x - a.x) < abs(b.z - a.z) else 1
    ends[1][flat] = ends[0][flat]
    (ax, ay), (bx, by) = ends
    return (round(ax, 3), round(ay, 3)), (round(bx, 3), round(by, 3))


def _missing_walls(house: _House) -> Iterator[Opening]:
    """Yield openings between rooms whose common walls are marked as ``empty``."""
    ends: dict[tuple[Any, ...], str] = {}
    count = 0
    for wall in house.walls:
        if not wall.empty or len(wall.polygon) < 2:
            continue
        a, b = wall.polygon[0], wall.polygon[1]
        key = tuple(sorted(((round(a.x, 2), round(a.z, 2)), (round(b.x, 2), round(b.z, 2)))))
        other = ends.setdefault(key, wall.room_id)
        if other == wall.room_id:
            continue
        length = math.hypot(b.x - a.x, b.z - a.z)
        if length < 0.2:
            continue
        start, end = _points_on_wall(a, b, length, 0.05, length - 0.05)
        top = round(max((corner.y for corner in wall.polygon), default=CEILING) - 0.02, 3)
        rooms = (other, wall.room_id)
        yield Opening(f"gap_{count}", "doorway", rooms, start, end, 0.0, max(top, 1.0))
        count += 1
