"""A stored data set in parts: each a compressed JSON file that is read when it is first needed."""

from __future__ import annotations

import zlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import orjson

from homebody.core.errors import HomebodyError
from homebody.data.cache import MANIFEST, read_manifest


def write(folder: Path, parts: Mapping[str, Any], manifest: Mapping[str, Any]) -> None:
    """Store ``parts`` (name -> JSON value) in a staged ``folder``, the manifest last."""
    sizes = {}
    for name, value in parts.items():
        packed = zlib.compress(orjson.dumps(value), 9)
        (folder / _file(name)).write_bytes(packed)
        sizes[name] = len(packed)
    whole = {**manifest, "bytes": sizes}
    (folder / MANIFEST).write_bytes(orjson.dumps(whole, option=orjson.OPT_INDENT_2))


def is_ready(folder: Path, schema: int, names: tuple[str, ...]) -> bool:
    """Whether all parts are there, whole, and written with this schema."""
    manifest = read_manifest(folder)
    if manifest is None or manifest.get("schema") != schema:
        return False
    sizes = manifest.get("bytes")
    return isinstance(sizes, dict) and all(
        (folder / _file(name)).is_file()
        and (folder / _file(name)).stat().st_size == sizes.get(name)
        for name in names
    )


def read(folder: Path, name: str, hint: str) -> Any:
    """One part.

    Args:
        folder: Of the data set.
        name: Of the part.
        hint: What to do if it is damaged.

    Raises:
        HomebodyError: it is not there, or damaged.
    """
    try:
        return orjson.loads(zlib.decompress((folder / _file(name)).read_bytes()))
    except (OSError, zlib.error, orjson.JSONDecodeError) as error:
        raise HomebodyError(f"the data in {folder} is damaged: {error}", hint) from error


def _file(name: str) -> str:
    return f"{name}.json.zlib"
