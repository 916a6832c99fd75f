"""Published scenes of Habitat, such as the scenes of HSSD and ReplicaCAD.

A scene instance (``scenes/NAME.scene_instance.json``) places objects. Its folder and the folders
beside it may have rooms (``semantics/scenes/NAME.semantic_config.json``), categories and sizes
(tables in ``metadata`` or ``semantics``) and meshes (``objects``). Habitat's frame has y up and -z
ahead, metres, quaternions (w, x, y, z); its (x, y, z) is (x, -z, y) here. Doors are not in these
files but in the mesh of the stage, which is not read.
"""

from __future__ import annotations

import csv
import io
import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any

import msgspec
from msgspec import Meta

from homebody.core.ground.user_errors import HomebodyError, name_file
from homebody.worlds.house.exchange.categories import category_of
from homebody.worlds.house.exchange.floors import outline_of
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
    MAX_ROOMS,
    Number,
    Text,
    decode,
    read_bytes,
)
from homebody.worlds.house.generation.openings import DOOR_TOP
from homebody.worlds.house.model.catalogue import Catalogue, catalogue
from homebody.worlds.house.model.house import Box, Opening, Point, Pose, Vector, box_at
from homebody.worlds.house.model.outlines import Rect, edges_of, flat, gap
from homebody.worlds.house.simulation.walking.obstacles import STEPPED_OVER, WALKED_UNDER

PASSAGE = 0.9
"""Width in metres of the openings that are added between neighbouring rooms."""
_NEAR = 0.45
"""Maximum metres between neighbouring rooms: the thickness of a wall."""
_FOLDERS = ("metadata", "semantics", "configs")
_IDS = ("id", "fullid", "object hash", "template_name", "handle")
_CATEGORIES = ("clean_category", "main_category", "category", "semantic category:", "type")
_SIZES = ("aligned.dims", "dims")
_UNKNOWN: Vector = (0.4, 0.4, 0.4)
_MARGIN = 0.5
_STEP = 0.1


class _Instance(msgspec.Struct):
    template_name: Text
    translation: tuple[Number, Number, Number] = (0.0, 0.0, 0.0)
    rotation: tuple[Number, Number, Number, Number] = (1.0, 0.0, 0.0, 0.0)
    non_uniform_scale: tuple[Number, Number, Number] = (1.0, 1.0, 1.0)
    uniform_scale: Number = 1.0


class _SceneInstance(msgspec.Struct):
    object_instances: list[_Instance] = []
    articulated_object_instances: list[_Instance] = []


class _Region(msgspec.Struct):
    poly_loop: list[tuple[Number, Number, Number]]
    name: Text = ""
    label: Text = ""
    floor_height: Number = 0.0
    extrusion_height: Number = 2.6


class _Semantics(msgspec.Struct):
    region_annotations: Annotated[list[_Region], Meta(max_length=MAX_ROOMS)] = []


def read_scene(path: Path, root: Path | None = None, meshes: bool = True) -> Imported:
    """Read a scene of Habitat.

    Args:
        path: Scene instance.
        root: Folder of the data set; by default the nearest parent folder that has ``objects``,
            ``semantics`` or ``metadata``.
        meshes: True to look for the objects' meshes, which also give sizes.

    Raises:
        HomebodyError: The file is not such a scene, or no house can be made of it.
    """
    scene = decode(path, read_bytes(path), _SceneInstance)
    instances = [*scene.object_instances, *scene.articulated_object_instances]
    if len(instances) > MAX_BOXES:
        raise HomebodyError(f"{path}: has {len(instances)} objects", f"at most {MAX_BOXES}")
    data = _DataSet(root or _root_of(path), meshes)
    notes: list[str] = []
    ground, rooms = _rooms(data.semantics(path), notes)
    boxes, files = [], dict[str, Path]()
    without = 0
    for number, instance in enumerate(instances):
        asset = instance.template_name.rsplit("/", 1)[-1]
        identifier = f"{asset}:{number}"
        size, middle, mesh = data.shape(asset)
        if mesh is not None:
            files[identifier] = mesh
        without += size is None
        boxes.append(_box(instance, identifier, data.category(asset), size, middle, ground))
    if without:
        notes.append(
            f"{format_count(without, 'object')} without a size in the files; their category's"
            " usual size is used"
        )
    if not files:
        notes.append("no meshes were found; things have the meshes of their category")
    if rooms:
        top = max(room.height for room in rooms)
        below = [box for box in boxes if box.centre[2] < top]
        if len(below) < len(boxes):
            notes.append(_omitted_note(len(boxes) - len(below), "object"))
        boxes = below
    else:
        notes.append("the files have no rooms; one room is put around all objects")
        rooms = [_enclosing_room(boxes)]
    openings = tuple(_passages(rooms, boxes))
    if openings:
        notes.append("the files have no doors; each two neighbouring rooms get an opening")
    with name_file(path):
        imported = build(Scene(tuple(rooms), openings, tuple(boxes), tuple(notes)), path)
    meshes_by_name = {
        imported.names[identifier]: file
        for identifier, file in files.items()
        if identifier in imported.names
    }
    return replace(imported, meshes=meshes_by_name)


def _root_of(path: Path) -> Path:
    for folder in path.resolve().parents:
        if any((folder / name).is_dir() for name in ("objects", *_FOLDERS)):
            return folder
    return path.resolve().parent


class _DataSet:
    """Categories, sizes and meshes of a data set's objects."""

    def __init__(self, root: Path, meshes: bool) -> None:
        self._root = root
        self._entries: Catalogue = catalogue()
        self._types: dict[str, str] = {}
        self._sizes: dict[str, Vector] = {}
        for folder in _FOLDERS:
            for table in sorted((root / folder).glob("*.csv")):
                self._read_table(table)
        self._meshes: dict[str, Path] = {}
        if meshes and (root / "objects").is_dir():
            for file in sorted((root / "objects").rglob("*.glb")):
                self._meshes.setdefault(file.stem, file)
        self._known: dict[str, tuple[Vector | None, Vector, Path | None]] = {}

    def category(self, asset: str) -> str:
        """Return the type of an asset, from a table or else its name."""
        if asset in self._types:
            return self._types[asset]
        words = re.sub(r"[_\-\s]*\d+$", "", asset)
        for start in range(words.count("_") + 1):  # frl_apartment_sofa is a sofa
            tail = "_".join(words.split("_")[start:])
            if category_of(tail, self._entries).is_known:
                return tail
        return "thing" if re.fullmatch(r"[0-9a-f]{16,}.*", asset) else words.rsplit("_", 1)[-1]

    def shape(self, asset: str) -> tuple[Vector | None, Vector, Path | None]:
        """Return size in the asset's own frame (x, y up, z), middle of its box, and mesh."""
        if asset not in self._known:
            self._known[asset] = self._shape(asset)
        return self._known[asset]

    def semantics(self, path: Path) -> list[_Region]:
        """Return the rooms of a scene. The result is empty if there is no file of rooms."""
        name = path.name.removesuffix(".gz").removesuffix(".scene_instance.json")
        for folder in ("semantics/scenes", "semantics", "scenes"):
            file = self._root / folder / f"{name}.semantic_config.json"
            if file.is_file():
                return decode(file, read_bytes(file), _Semantics).region_annotations
        return []

    def _shape(self, asset: str) -> tuple[Vector | None, Vector, Path | None]:
        mesh = self._meshes.get(asset)
        if mesh is not None:
            bounds = _bounds(mesh)
            if bounds is not None:
                low, high = bounds
                size = tuple(b - a for a, b in zip(low, high, strict=True))
                middle = tuple((a + b) / 2 for a, b in zip(low, high, strict=True))
                return _to_vector(size), _to_vector(middle), mesh
        return self._sizes.get(asset), (0.0, 0.0, 0.0), None

    def _read_table(self, path: Path) -> None:
        text = read_bytes(path).decode("utf-8", "replace")
        try:
            rows = list(csv.DictReader(io.StringIO(text)))
        except csv.Error as error:
            raise HomebodyError(f"{path}: {error}") from error
        for row in rows:
            fields = {str(key).strip().lower(): value for key, value in row.items()}
            name = _first(fields, _IDS).rsplit(".", 1)[-1]  # fpModel.0a1b is 0a1b
            if not name:
                continue
            if kind := _first(fields, _CATEGORIES):
                self._types.setdefault(name, kind)
            numbers = re.findall(r"\d+(?:\.\d+)?", _first(fields, _SIZES))
            if len(numbers) == 3:  # centimetres: x, y (depth), z (height) of the aligned model
                x, depth, height = (float(number) / 100 for number in numbers)
                if min(x, depth, height) > 0 and max(x, depth, height) < 100:
                    self._sizes.setdefault(name, (x, height, depth))


def _first(fields: Mapping[str, Any], names: Sequence[str]) -> str:
    for name in names:
        value = fields.get(name)
        if isinstance(value, str) and value.strip():
            return value.strip()[:300]
    return ""


def _bounds(path: Path) -> tuple[Vector, Vector] | None:
    """Return the box of a mesh in its own frame (y up), or None if it cannot be read."""
    from homebody.worlds.house.rendering.gltf import TO_GLTF
    from homebody.worlds.house.rendering.mesh_files import read_mesh

    try:
        points = read_mesh(path).corners.reshape(-1, 3) @ TO_GLTF
    except HomebodyError:
        return None
    return _to_vector(points.min(axis=0).tolist()), _to_vector(points.max(axis=0).tolist())


def _to_vector(values: Sequence[float]) -> Vector:
    x, y, z = values
    return float(x), float(y), float(z)


def _box(
    instance: _Instance,
    identifier: str,
    type: str,
    size: Vector | None,
    middle: Vector,
    ground: float,
) -> ImportedBox:
    """Return an upright box around an object, with heights from ``ground``."""
    scale = [abs(a * instance.uniform_scale) for a in instance.non_uniform_scale]
    turn = _matrix(instance.rotation)
    known = size is not None
    if size is None:
        size = _usual_size(type)
    size = _to_vector([a * b for a, b in zip(size, scale, strict=True)])
    shift = [a * b for a, b in zip(middle, scale, strict=True)]
    x, y, z = (
        t + sum(turn[i][j] * shift[j] for j in range(3)) for i, t in enumerate(instance.translation)
    )
    y -= ground
    if not known:  # an origin in the middle would sink the object into the floor
        y = max(y, size[1] / 2)
    upright = abs(turn[1][1]) > 0.99
    if upright:
        # direction of its front (-z) on the plan
        yaw = math.degrees(math.atan2(turn[0][2], turn[2][2]))
        box = size[0], size[2], size[1]
    else:
        around = [sum(abs(turn[i][j]) * size[j] for j in range(3)) for i in range(3)]
        yaw, box = 0.0, (around[0], around[2], around[1])
    return ImportedBox(identifier, type, (x, -z, y), box, yaw % 360)


def _usual_size(type: str) -> Vector:
    """Return the size of a category in the catalogue, in Habitat's frame."""
    entries = catalogue()
    category = category_of(type, entries)
    if category.of == "furniture":
        w, d, h = (sum(span) / 2 for span in entries.furniture[category.name].size)
        return w, h, d
    if category.of == "things":
        w, d, h = _middle(entries.things[category.name].size)
        return w, h, d
    return _UNKNOWN


def _middle(size: Sequence[Any]) -> Vector:
    return _to_vector([sum(s) / 2 if isinstance(s, tuple) else float(s) for s in size])


def _matrix(rotation: Sequence[float]) -> list[list[float]]:
    """Return the matrix of a quaternion (w, x, y, z)."""
    length = math.sqrt(sum(a * a for a in rotation))
    w, x, y, z = (a / length for a in rotation) if length > 1e-9 else (1.0, 0.0, 0.0, 0.0)
    return [
        [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
        [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
        [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
    ]


def _omitted_note(count: int, noun: str) -> str:
    """Return a note on omitted rooms or objects."""
    return f"{format_count(count, noun)} on upper floors omitted"


def _rooms(regions: Sequence[_Region], notes: list[str]) -> tuple[float, list[ImportedRoom]]:
    """Return the height of the lowest floor, and the rooms on it."""
    ground = min((region.floor_height for region in regions), default=0.0)
    level = [region for region in regions if region.floor_height - ground < 1.0]
    if len(level) < len(regions):
        notes.append(_omitted_note(len(regions) - len(level), "room"))
    rooms = []
    for number, region in enumerate(level):
        polygon = tuple((x, -z) for x, _, z in region.poly_loop)
        height = min(max(region.extrusion_height, 2.0), 10.0)
        identifier = f"{region.name or region.label}:{number}"
        rooms.append(ImportedRoom(identifier, region.label or region.name, polygon, height))
    return ground, rooms


def _enclosing_room(boxes: Sequence[ImportedBox]) -> ImportedRoom:
    """Return one room around all boxes."""
    xs = [box.centre[0] for box in boxes] or [0.0]
    ys = [box.centre[1] for box in boxes] or [0.0]
    wide = max((max(box.size) for box in boxes), default=0.0) / 2 + _MARGIN
    x0, x1, y0, y1 = min(xs) - wide, max(xs) + wide, min(ys) - wide, max(ys) + wide
    return ImportedRoom("all", "living room", ((x0, y0), (x1, y0), (x1, y1), (x0, y1)), 2.8)


def _passages(rooms: Sequence[ImportedRoom], boxes: Sequence[ImportedBox]) -> Iterator[Opening]:
    """Yield an opening for each pair of neighbouring rooms.

    It is near the middle of the longest stretch of wall between them, at the place with the fewest
    obstacles.
    """
    obstacles = [
        flat(_enclosing_box(box)) for box in boxes if box.size[2] > STEPPED_OVER and _is_low(box)
    ]
    edges = [list(edges_of(outline_of(room.polygon))) for room in rooms]
    count = 0
    for i, first in enumerate(edges):
        for j in range(i + 1, len(edges)):
            shared = [
                (min(b, d) - max(a, c), axis, (at + other) / 2, max(a, c), min(b, d))
                for axis, at, a, b, _ in first
                for along, other, c, d, _ in edges[j]
                if axis == along and abs(at - other) <= _NEAR and min(b, d) - max(a, c) > PASSAGE
            ]
            if not shared:
                continue
            start, end = _passage(max(shared), obstacles)
            pair = rooms[i].identifier, rooms[j].identifier
            yield Opening(f"doorway_{count}", "doorway", pair, start, end, 0.0, DOOR_TOP)
            count += 1


def _passage(
    stretch: tuple[float, int, float, float, float], obstacles: Sequence[Rect]
) -> tuple[Point, Point]:
    """Return the two ends of an opening in a stretch of wall.

    A stretch is length, axis, coordinate, low and high end."""
    length, axis, at, low, high = stretch
    steps = int((length - PASSAGE) / 2 / _STEP)
    centre = (low + high) / 2
    middles = sorted(
        (centre + k * _STEP for k in range(-steps, steps + 1)), key=lambda m: abs(m - centre)
    )

    def count_obstacles(middle: float) -> int:
        side = middle - PASSAGE / 2, middle + PASSAGE / 2
        deep = at - _NEAR - PASSAGE / 2, at + _NEAR + PASSAGE / 2
        xs, ys = (deep, side) if axis == 0 else (side, deep)
        free = xs[0], ys[0], xs[1], ys[1]
        return sum(gap(free, obstacle) < 0 for obstacle in obstacles)

    middle = min(middles, key=count_obstacles)
    ends: list[Point] = [
        (at, middle + s * PASSAGE / 2) if axis == 0 else (middle + s * PASSAGE / 2, at)
        for s in (-1, 1)
    ]
    (a, b), (c, d) = ends
    return (round(a, 3), round(b, 3)), (round(c, 3), round(d, 3))


def _is_low(box: ImportedBox) -> bool:
    """Return whether a box is too low to walk under."""
    return box.centre[2] - box.size[2] / 2 < WALKED_UNDER


def _enclosing_box(box: ImportedBox) -> Box:
    """Return the axis-parallel box around a box."""
    x, y, z = box.centre
    return box_at(Pose((x, y, z - box.size[2] / 2), box.yaw), box.size)
