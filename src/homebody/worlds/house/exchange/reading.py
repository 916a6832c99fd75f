"""Reads files of other programs, with checks and limits of size."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, TypeAlias, TypeVar

import msgspec
from msgspec import Meta

from homebody.core.ground.files import read_bounded
from homebody.core.ground.nesting import TooDeep, check_depth
from homebody.core.ground.user_errors import HomebodyError, name_file
from homebody.worlds.house.io.schema import HOUSE, Head

MAX_BYTES = 128 << 20
"""Maximum bytes of an unpacked file; published scenes have 1 MB, asset databases 45."""
MAX_BOXES = 20_000
"""Maximum objects of a scene."""
MAX_ROOMS = 200
"""Maximum rooms of a scene; the same as for a house."""
MAX_WALLS = 5_000
"""Maximum walls, doors and windows of a scene."""

Number: TypeAlias = Annotated[float, Meta(ge=-1e4, le=1e4)]
"""A coordinate, length or angle."""
Text: TypeAlias = Annotated[str, Meta(max_length=300)]

StructT = TypeVar("StructT")


def read_bytes(path: Path) -> bytes:
    """Return a file, unpacked if gzipped; raise HomebodyError if it is damaged or too large."""
    with name_file(path):
        return read_bounded(path, MAX_BYTES)


def decode(path: Path, data: bytes, type: type[StructT]) -> StructT:
    """Decode JSON as a type. Raises HomebodyError with the file and the position of the error."""
    try:
        check_depth(data)
        return msgspec.json.decode(data, type=type)
    except TooDeep as error:
        raise HomebodyError(f"{path}: is nested too deeply") from error
    except (UnicodeDecodeError, msgspec.MsgspecError) as error:
        raise _explain_error(path, data, error) from error


def _explain_error(path: Path, data: bytes, error: Exception) -> HomebodyError:
    """Return an error about a file, with the reason."""
    try:
        form = msgspec.json.decode(data, type=Head).format
    except msgspec.ValidationError:
        form = ""
    except (UnicodeDecodeError, msgspec.DecodeError) as worse:
        return HomebodyError(f"{path}: is not JSON or is incomplete: {worse}")
    if form == HOUSE:
        return HomebodyError(f"{path}: is already a house of homebody", "use it directly")
    return HomebodyError(f"{path}: {error}")
