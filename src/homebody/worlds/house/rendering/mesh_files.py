"""Reads mesh files from untrusted sources. Limits are checked before reading, references to other
files are not followed, and the mesh is checked afterwards.

A ``.gltf`` has to contain its own buffers (or be packed as ``.glb``), and an ``.obj`` has to
contain its colours.
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
from homebody.worlds.house.rendering.arrays import Floats, from_linear, linear
from homebody.worlds.house.rendering.gltf import TO_GLTF
from homebody.worlds.house.rendering.materials import Surface
from homebody.worlds.house.rendering.meshes.mesh import Mesh, flat_normals

FORMATS: Final = (".glb", ".gltf", ".obj", ".ply", ".stl")
MAX_TRIANGLES: Final = 200_000
"""Maximum triangles of a user's mesh."""
MAX_BYTES: Final = 64 << 20
"""Maximum file size; 200,000 triangles as text are some 50 MB."""
MAX_COORDINATE: Final = 1e6
"""Maximum coordinate. Beyond it, single precision cannot represent millimetres."""
MAX_POINTS: Final = 4 * MAX_TRIANGLES
"""Maximum number of points of a glTF file, including the points of repeated meshes."""
MAX_PARTS: Final = 10_000
"""Maximum number of meshes, nodes and other elements of a glTF file."""
MAX_PICTURES: Final = 100
MAX_PIXELS: Final = 64 << 20
"""Maximum pixels of all pictures in a file together."""


def read_mesh(path: Path) -> Mesh:
    """Read a mesh from a file, z up.

    Raises:
        HomebodyError: The file is missing, has another format, is too large, refers to other files,
            has no triangles, too many or invalid ones. The message names the file.
    """
    suffix = path.suffix.lower()
    if suffix not in FORMATS:
        raise HomebodyError(f"{path}: unknown mesh format", f"use one of: {' '.join(FORMATS)}")
    if not path.is_file():
        raise HomebodyError(f"{path}: file not found")
    try:
        with path.open("rb") as file:
            data = file.read(MAX_BYTES + 1)
        if len(data) > MAX_BYTES:
            raise HomebodyError("the file is too large", f"use at most {MAX_BYTES >> 20} MiB")
        if suffix in (".glb", ".gltf"):
            _check_gltf(data)
        return _read(data, suffix)
    except HomebodyError as error:
        raise HomebodyError(f"{path}: {error}", error.hint) from error
    except OSError as error:
        raise HomebodyError(f"{path}: cannot be read: {error.strerror or error}") from error
    except Exception as error:  # broken files raise anything in a parser
        raise HomebodyError(f"{path}: cannot be read as a mesh: {error}") from error


def _read(data: bytes, suffix: str) -> Mesh:
    try:
        import trimesh
    except ImportError as error:
        raise HomebodyError(
            "reading meshes needs trimesh", "pip install 'homebody[house]'"
        ) from error

    with _silence_parsers():
        loaded: Any = trimesh.load_scene(io.BytesIO(data), file_type=suffix[1:], resolver=None)
        parts = list(loaded.geometry.values())
        mixed = len({_is_coloured(part) for part in parts}) > 1
        for part in parts:
            _keep_colours_of_corners(part, mixed)
        loaded = loaded.to_mesh()
    if not isinstance(loaded, trimesh.Trimesh) or not len(loaded.faces):
        raise HomebodyError("the file has no triangles")
    faces, vertices = np.asarray(loaded.faces), np.asarray(loaded.vertices)
    if len(faces) > MAX_TRIANGLES:
        raise HomebodyError(f"{len(faces)} triangles are too many", f"use at most {MAX_TRIANGLES}")
    if faces.min() < 0 or faces.max() >= len(vertices):
        raise HomebodyError("a triangle refers to a missing corner")
    corners = vertices[faces]
    if not (np.abs(corners) <= MAX_COORDINATE).all():  # nor is NaN
        raise HomebodyError(f"some coordinates are not finite or exceed {MAX_COORDINATE:,.0f}")
    corners = corners.astype(np.float32)
    if suffix in (".glb", ".gltf", ".obj"):
        corners = corners @ TO_GLTF
    with _silence_parsers():
        colours = _colours(loaded, suffix, len(corners))
    surfaces = np.full(len(corners), Surface.GLOSS, np.uint8)
    return Mesh(corners, flat_normals(corners), colours, colours, surfaces)


@contextmanager
def _silence_parsers() -> Iterator[None]:
    """Suppress logs of trimesh and warnings of numpy about broken files."""
    logger = logging.getLogger("trimesh")
    before = logger.level
    logger.setLevel(logging.CRITICAL + 1)  # child loggers inherit it
    try:
        with np.errstate(all="ignore"):
            yield
    finally:
        logger.setLevel(before)


def _is_coloured(part: Any) -> bool:
    """Return whether a part of a glTF file has a colour at each corner."""
    return "color" in getattr(getattr(part, "visual", None), "vertex_attributes", {})


def _keep_colours_of_corners(part: Any, mixed: bool) -> None:
    """Keep the float colours of glTF. trimesh loses them when it merges parts.

    Args:
        part: A part.
        mixed: True if others have a texture: then the colours of the texture at the corners are
            kept too.
    """
    import trimesh

    if _is_coloured(part):
        shares = np.nan_to_num(part.visual.vertex_attributes["color"][:, :3]).clip(0, 1)
    elif mixed and getattr(part.visual, "kind", "") == "texture":
        tones = np.asarray(part.visual.to_color().vertex_colors, np.float32)[:, :3] / 255
        shares = linear(np.broadcast_to(tones, (len(part.vertices), 3)))
    else:
        return
    bytes_ = np.rint(shares * 255).astype(np.uint8)
    part.visual = trimesh.visual.ColorVisuals(part, vertex_colors=bytes_)


def _colours(loaded: Any, suffix: str, count: int, default: Colour = (0.7, 0.7, 0.7)) -> Floats:
    """Return the colours of faces, as far as the file has them."""
    try:
        visual = loaded.visual
        # glTF colours are linear, but not its pictures
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


# -- glTF: checks before anything is built -----------------------------------------------------


def _check_gltf(data: bytes) -> None:
    """Raise HomebodyError if a file refers to others or expands beyond the limits."""
    tree, binary = _parts(data)
    for kind in ("accessors", "bufferViews", "buffers", "meshes", "nodes"):
        if len(tree.get(kind, [])) > MAX_PARTS:
            raise HomebodyError(f"the file has more than {MAX_PARTS} {kind}")
    for kind in ("buffers", "images"):
        if any(not item.get("uri", "data:").startswith("data:") for item in tree.get(kind, [])):
            raise HomebodyError(
                "the file refers to other files, which are not read", "pack all in one .glb file"
            )
    counts = [_count(accessor) for accessor in tree.get("accessors", [])]
    if sum(n for n, a in zip(counts, tree.get("accessors", []), strict=True) if _is_implicit(a)) > (
        MAX_POINTS
    ):
        raise HomebodyError(f"the file omits more than {MAX_POINTS} numbers")
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
            f"{triangles} triangles with {points} corners are too many",
            f"use at most {MAX_TRIANGLES} with {MAX_POINTS}",
        )
    _check_pictures(tree, binary)


def _parts(data: bytes) -> tuple[Mapping[str, Any], bytes]:
    """Return the JSON and the buffer of a file."""
    if data[:4] != b"glTF":
        check_depth(data)
        return orjson.loads(data), b""
    length, kind = struct.unpack_from("<I4s", data, 12)
    if kind != b"JSON":
        raise HomebodyError("the file does not begin with JSON")
    check_depth(data[20 : 20 + length])
    return orjson.loads(data[20 : 20 + length]), data[28 + length :]


def _count(accessor: Mapping[str, Any]) -> int:
    count = accessor["count"]
    if type(count) is not int or not 0 <= count <= MAX_BYTES:
        raise HomebodyError("an accessor has an invalid count")
    return count


def _is_implicit(accessor: Mapping[str, Any]) -> bool:
    """Return whether the numbers are implicit zeros, which take no space in the file."""
    return "bufferView" not in accessor


def _count_uses(tree: Mapping[str, Any]) -> dict[int, int]:
    """Return mesh -> number of times it is shown; raise HomebodyError unless nodes are a tree."""
    nodes = tree.get("nodes", [])
    children = [child for node in nodes for child in node.get("children", [])]
    if len(set(children)) < len(children):
        raise HomebodyError("the nodes are not a tree")
    shown: dict[int, int] = dict.fromkeys(range(len(tree.get("meshes", []))), 0 if nodes else 1)
    for node in nodes:
        if "mesh" in node:
            shown[node["mesh"]] += 1
    return shown


def _check_pictures(tree: Mapping[str, Any], binary: bytes) -> None:
    """Raise HomebodyError if pictures are too large: a small file can contain a large one."""
    from PIL import Image

    images = tree.get("images", [])
    if len(images) > MAX_PICTURES:
        raise HomebodyError(f"{len(images)} pictures are too many", f"use at most {MAX_PICTURES}")
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
        raise HomebodyError(
            f"the pictures have too many pixels: {pixels}", f"use at most {MAX_PIXELS}"
        )


def _inline(uri: str) -> bytes:
    """Return the content of a ``data:`` address."""
    return base64.b64decode(uri.partition(",")[2])
