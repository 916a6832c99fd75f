"""Files of meshes, which are anyone's: bounded before they are read, alone, and checked after.

Nothing that a file refers to is looked at: a ``.gltf`` has to hold its numbers itself (or be packed
as ``.glb``), and an ``.obj`` its colours.
"""

from __future__ import annotations

import base64
import io
import logging
import struct
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

import numpy as np
import orjson

from homebody.core.ground.nesting import check_depth
from homebody.core.ground.user_errors import HomebodyError
from homebody.worlds.house.model.house import Colour
from homebody.worlds.house.rendering.arrays import Floats, from_linear
from homebody.worlds.house.rendering.gltf import TO_GLTF
from homebody.worlds.house.rendering.materials import Surface
from homebody.worlds.house.rendering.meshes.mesh import Mesh, flat_normals

FORMATS: Final = (".glb", ".gltf", ".obj", ".ply", ".stl")
MAX_TRIANGLES: Final = 200_000
"""Of a mesh of the user's."""
MAX_BYTES: Final = 64 << 20
"""Of a file; 200,000 triangles as text are some 50 MB."""
MAX_COORDINATE: Final = 1e6
"""Beyond which single precision has no millimetres."""
MAX_POINTS: Final = 4 * MAX_TRIANGLES
"""Of a glTF file, with those of meshes that are shown repeatedly."""
MAX_PARTS: Final = 10_000
"""Meshes, nodes ... of a glTF file."""
MAX_PICTURES: Final = 100
MAX_PIXELS: Final = 64 << 20
"""Of the pictures in a file, together."""


def read_mesh(path: Path) -> Mesh:
    """A mesh out of a file, z up.

    Raises:
        HomebodyError: there is no such file, it is of another format, too large, refers to other
            files, or holds no triangles, too many or such as cannot be; the message names it.
    """
    suffix = path.suffix.lower()
    if suffix not in FORMATS:
        raise HomebodyError(
            f"{path}: no known format of meshes", f"use one of: {' '.join(FORMATS)}"
        )
    if not path.is_file():
        raise HomebodyError(f"{path}: there is no such file")
    try:
        with path.open("rb") as file:
            data = file.read(MAX_BYTES + 1)
        if len(data) > MAX_BYTES:
            raise HomebodyError("larger than a mesh may be", f"at most {MAX_BYTES >> 20} MiB")
        if suffix in (".glb", ".gltf"):
            _check_gltf(data)
        return _read(data, suffix)
    except HomebodyError as error:
        raise HomebodyError(f"{path}: {error}", error.hint) from error
    except OSError as error:
        raise HomebodyError(f"{path}: cannot be read: {error.strerror or error}") from error
    except Exception as error:  # whatever a broken file makes a parser say
        raise HomebodyError(f"{path}: cannot be read as a mesh: {error}") from error


def _read(data: bytes, suffix: str) -> Mesh:
    import trimesh

    with _silence_parsers():
        loaded: Any = trimesh.load_scene(io.BytesIO(data), file_type=suffix[1:], resolver=None)
        for part in loaded.geometry.values():
            _keep_colours_of_corners(part)
        loaded = loaded.to_mesh()
    if not isinstance(loaded, trimesh.Trimesh) or not len(loaded.faces):
        raise HomebodyError("no triangles in it")
    faces, vertices = np.asarray(loaded.faces), np.asarray(loaded.vertices)
    if len(faces) > MAX_TRIANGLES:
        raise HomebodyError(f"{len(faces)} triangles", f"at most {MAX_TRIANGLES}")
    if faces.min() < 0 or faces.max() >= len(vertices):
        raise HomebodyError("a triangle has a corner that is not there")
    corners = vertices[faces]
    if not (np.abs(corners) <= MAX_COORDINATE).all():  # nor is NaN
        raise HomebodyError(f"some coordinates are not finite, or beyond {MAX_COORDINATE:,.0f}")
    corners = corners.astype(np.float32)
    if suffix in (".glb", ".gltf", ".obj"):
        corners = corners @ TO_GLTF
    with _silence_parsers():
        colours = _colours(loaded, suffix, len(corners))
    surfaces = np.full(len(corners), Surface.GLOSS, np.uint8)
    return Mesh(corners, flat_normals(corners), colours, colours, surfaces)


@contextmanager
def _silence_parsers() -> Iterator[None]:
    """Without what trimesh logs, and numpy warns of, about broken files."""
    logger = logging.getLogger("trimesh")
    before = logger.level
    logger.setLevel(logging.CRITICAL + 1)  # of those below it, too
    try:
        with np.errstate(all="ignore"):
            yield
    finally:
        logger.setLevel(before)


def _keep_colours_of_corners(part: Any) -> None:
    """Colours that glTF gives as floats are lost when parts become one mesh."""
    import trimesh

    given = getattr(getattr(part, "visual", None), "vertex_attributes", {}).get("color")
    if given is not None:
        shares = np.nan_to_num(given[:, :3]).clip(0, 1)
        bytes_ = np.rint(shares * 255).astype(np.uint8)
        part.visual = trimesh.visual.ColorVisuals(part, vertex_colors=bytes_)


def _colours(loaded: Any, suffix: str, count: int, default: Colour = (0.7, 0.7, 0.7)) -> Floats:
    """Colours of faces, as far as the file says."""
    try:
        visual = loaded.visual
        # glTF has light in its colours, but not in its pictures
        is_light = suffix in (".glb", ".gltf")
        if visual.kind == "texture":
            is_light &= getattr(visual.material, "baseColorTexture", None) is None
            visual = visual.to_color()
        colours = np.asarray(visual.face_colors, np.float32)[:, :3] / np.float32(255)
        if is_light:
            colours = from_linear(colours)
    except Exception:  # textures without a picture, colours of the wrong number
        colours = np.empty((0, 3), np.float32)
    if colours.shape != (count, 3) or not ((colours >= 0) & (colours <= 1)).all():
        return np.tile(np.array(default, np.float32), (count, 1))
    return np.ascontiguousarray(colours)


# -- glTF: what it says of itself, before anything is made of it ----------------------------------


def _check_gltf(data: bytes) -> None:
    """Refuse a file that refers to others, or makes more of its bytes than a mesh may be.

    Raises:
        HomebodyError: it does.
        Exception: it is broken.
    """
    tree, binary = _parts(data)
    for kind in ("accessors", "bufferViews", "buffers", "meshes", "nodes"):
        if len(tree.get(kind, [])) > MAX_PARTS:
            raise HomebodyError(f"more than {MAX_PARTS} {kind} in it")
    for kind in ("buffers", "images"):
        if any(not item.get("uri", "data:").startswith("data:") for item in tree.get(kind, [])):
            raise HomebodyError(
                "refers to other files, which are not read", "pack all in one file: .glb"
            )
    counts = [_count(accessor) for accessor in tree.get("accessors", [])]
    if sum(n for n, a in zip(counts, tree.get("accessors", []), strict=True) if _is_implicit(a)) > (
        MAX_POINTS
    ):
        raise HomebodyError(f"more than {MAX_POINTS} numbers that are not in it")
    shown = _count_uses(tree)
    points = triangles = 0
    for index, times in shown.items():
        for primitive in tree["meshes"][index]["primitives"]:
            corners = counts[primitive["attributes"]["POSITION"]]
            points += times * corners
            indices = primitive.get("indices")
            triangles += times * (corners if indices is None else counts[indices]) // 3
    if points > MAX_POINTS or triangles > 3 * MAX_TRIANGLES:  # strips have three times as many
        raise HomebodyError(
            f"{triangles} triangles with {points} corners",
            f"at most {MAX_TRIANGLES} with {MAX_POINTS}",
        )
    _check_pictures(tree, binary)


def _parts(data: bytes) -> tuple[Mapping[str, Any], bytes]:
    """The JSON and the numbers of a file."""
    if data[:4] != b"glTF":
        check_depth(data)
        return orjson.loads(data), b""
    length, kind = struct.unpack_from("<I4s", data, 12)
    if kind != b"JSON":
        raise HomebodyError("does not begin with JSON")
    check_depth(data[20 : 20 + length])
    return orjson.loads(data[20 : 20 + length]), data[28 + length :]


def _count(accessor: Mapping[str, Any]) -> int:
    count = accessor["count"]
    if type(count) is not int or not 0 <= count <= MAX_BYTES:
        raise HomebodyError("a number of numbers that cannot be")
    return count


def _is_implicit(accessor: Mapping[str, Any]) -> bool:
    """Whether the numbers are zeros, which take no room in the file."""
    return "bufferView" not in accessor


def _count_uses(tree: Mapping[str, Any]) -> dict[int, int]:
    """Mesh -> how often it is shown. Nodes are a tree, so no more often than there are nodes.

    Raises:
        HomebodyError: they are none.
    """
    nodes = tree.get("nodes", [])
    children = [child for node in nodes for child in node.get("children", [])]
    if len(set(children)) < len(children):
        raise HomebodyError("its nodes are no tree")
    shown: dict[int, int] = dict.fromkeys(range(len(tree.get("meshes", []))), 0 if nodes else 1)
    for node in nodes:
        if "mesh" in node:
            shown[node["mesh"]] += 1
    return shown


def _check_pictures(tree: Mapping[str, Any], binary: bytes) -> None:
    """Refuse pictures that would take more room than they may: a small file can hold a large one.

    Raises:
        HomebodyError: there are.
    """
    from PIL import Image

    images = tree.get("images", [])
    if len(images) > MAX_PICTURES:
        raise HomebodyError(f"{len(images)} pictures", f"at most {MAX_PICTURES}")
    pixels = 0
    buffers = [
        _inline(buffer["uri"]) if "uri" in buffer else binary for buffer in tree.get("buffers", [])
    ]
    for image in images:
        if "uri" in image:
            packed = _inline(image["uri"])
        else:
            view = tree["bufferViews"][image["bufferView"]]
            start = view.get("byteOffset", 0)
            packed = buffers[view["buffer"]][start : start + view["byteLength"]]
        with Image.open(io.BytesIO(packed)) as picture:  # reads no more than the size
            pixels += picture.width * picture.height
    if pixels > MAX_PIXELS:
        raise HomebodyError(f"pictures of {pixels} pixels", f"at most {MAX_PIXELS}")


def _inline(uri: str) -> bytes:
    """What is written in a ``data:`` address."""
    return base64.b64decode(uri.partition(",")[2])
