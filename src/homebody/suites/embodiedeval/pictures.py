"""Sets of pictures that were rendered in advance. They show scenes in the initial state of tasks.

A picture is found by the digest of its content: the state of the house, without the agent, and the
camera. Pictures of another house, state or graph are not found, and are drawn when needed.
:mod:`.picture_sets` makes such sets."""

from __future__ import annotations

import hashlib
import io
import re
import tarfile
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from functools import cached_property, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import msgspec
import numpy as np
from msgspec import Meta
from numpy.typing import NDArray

from homebody.core import HomebodyError
from homebody.core.ground.files import read_bounded, sha256
from homebody.suites.embodiedeval.tasks import EmbodiedTask
from homebody.suites.embodiedeval.views import SIDE
from homebody.worlds.house.io.files import digest
from homebody.worlds.house.model.house import House
from homebody.worlds.house.model.state import HouseState
from homebody.worlds.house.simulation.walking.walls import first_memory

if TYPE_CHECKING:  # requires the extra ``house``
    from homebody.worlds.house.rendering.render import Camera

FORMAT: Final = "homebody.embodiedeval.pictures"
MAX_MANIFEST: Final = 16 << 20
MAX_PICTURE: Final = 16 << 20
_SHARD: Final = re.compile(r"([0-9a-f]{16})-\d{3}\.tar")


class _Shard(msgspec.Struct, frozen=True):
    name: Annotated[str, Meta(max_length=80)]
    sha256: str


class _Manifest(msgspec.Struct, frozen=True):
    format: str
    quality: Annotated[str, Meta(max_length=40)]
    shards: Annotated[tuple[_Shard, ...], Meta(max_length=100_000)]


def scene_name(task: EmbodiedTask) -> str:
    """Return 16 hexadecimal digits for a task's scene and first states, which name shards."""
    return hashlib.sha256(msgspec.json.encode((task.scene, task.states))).hexdigest()[:16]


def picture_name(known: str, camera: Camera) -> str:
    """Return 32 hexadecimal digits for a state, by its :func:`digest_of`, and a camera."""
    content = msgspec.json.encode((known, asdict(camera)))
    return hashlib.sha256(content).hexdigest()[:32]


def digest_of(state: HouseState) -> str:
    """Return 16 hexadecimal digits for the state of a house without agents."""
    house = _digest_of_house(state.house)
    content = (
        house,
        sorted((name, sorted(own.items())) for name, own in state.states.items()),
        sorted(state.places.items()),
        [(name, asdict(pose)) for name, pose in sorted(state.poses.items())],
    )
    return hashlib.sha256(msgspec.json.encode(content)).hexdigest()[:16]


def _digest_of_house(house: House) -> str:
    kept = first_memory(house)
    if "digest" not in kept:
        kept["digest"] = digest(house)
    return str(kept["digest"])


@dataclass(frozen=True)
class PictureSet:
    """A folder of pictures.

    Attributes:
        folder: The folder.
        quality: Quality of its pictures.
        digest: 16 hexadecimal digits that identify the set.
        shards: Name of a file -> its sha256.
    """

    folder: Path
    quality: str
    digest: str
    shards: Mapping[str, str] = field(repr=False)

    def __str__(self) -> str:
        return f"{self.quality} {self.digest}"

    def find(self, scene: str, name: str) -> NDArray[np.uint8] | None:
        """Return a picture of a scene by its name, (height, width, 3) bytes; or None.

        Raises:
            HomebodyError: A file differs from the manifest, or is no picture.
        """
        place = _index(self, scene).get(name)
        if place is None:
            return None
        file, offset, size = place
        try:
            with (self.folder / file).open("rb") as opened:
                opened.seek(offset)
                data = opened.read(min(size, MAX_PICTURE))
        except OSError as error:
            raise HomebodyError(f"cannot read {self.folder / file}: {error.strerror}") from error
        return _decode(data, self.folder / file)

    def __hash__(self) -> int:
        return hash((self.folder, self.digest))


@lru_cache(maxsize=8)
def open_set(folder: Path) -> PictureSet:
    """Return the pictures in a folder. Raises HomebodyError if missing, unfinished or damaged."""
    path = folder / "manifest.json"
    if not path.is_file():
        raise HomebodyError(
            f"{folder} has no finished set of pictures",
            "make one, or resume it: homebody embodiedeval pictures",
        )
    try:
        data = read_bounded(path, MAX_MANIFEST)
        manifest = msgspec.json.decode(data, type=_Manifest)
    except (HomebodyError, msgspec.MsgspecError, RecursionError) as error:
        raise HomebodyError(f"{path}: {error}") from error
    if manifest.format != FORMAT:
        raise HomebodyError(f"{path} is not a manifest of {FORMAT}")
    shards = {each.name: each.sha256 for each in manifest.shards}
    for name in shards:
        if not _SHARD.fullmatch(name):
            raise HomebodyError(f"{path} lists an invalid file name {name[:40]!r}")
    return PictureSet(folder, manifest.quality, hashlib.sha256(data).hexdigest()[:16], shards)


@lru_cache(maxsize=64)
def _index(pictures: PictureSet, scene: str) -> dict[str, tuple[str, int, int]]:
    """Return a mapping from the name of a picture of a scene to its file, its offset in the file
    and its size in bytes."""
    found: dict[str, tuple[str, int, int]] = {}
    for name in sorted(pictures.shards):
        if not name.startswith(f"{scene}-"):
            continue
        path = pictures.folder / name
        if sha256(path) != pictures.shards[name]:
            raise HomebodyError(f"{path} is not the file in the manifest")
        try:
            with tarfile.open(path, "r:") as shard:
                for entry in shard:
                    if entry.isfile() and entry.name.endswith(".png"):
                        at = (name, entry.offset_data, entry.size)
                        found[entry.name.removesuffix(".png")] = at
        except (OSError, tarfile.TarError) as error:
            raise HomebodyError(f"{path} is damaged: {error}") from error
    return found


def _decode(data: bytes, path: Path) -> NDArray[np.uint8]:
    from PIL import Image

    try:
        with Image.open(io.BytesIO(data), formats=["PNG"]) as picture:
            if picture.size != (SIDE, SIDE):
                raise HomebodyError(f"{path} has a picture of another size: {picture.size}")
            return np.asarray(picture.convert("RGB"))
    except (OSError, SyntaxError, ValueError, Image.DecompressionBombError) as error:
        raise HomebodyError(f"{path} has a damaged picture: {error}") from error


class KeptPictures:
    """The pictures that a run takes from a set. They show the initial state of its task."""

    def __init__(self, folder: str, before: str, task: EmbodiedTask, state: HouseState) -> None:
        """Store the arguments. The set is opened when it is first used.

        Args:
            folder: Folder of the set.
            before: The set that was used when the run was first played; empty for a new run. Other
                sets are not used.
            task: The task.
            state: The first state.
        """
        self._folder, self._before, self._scene = Path(folder), before, scene_name(task)
        self._as = dict(state.places), dict(state.poses), dict(state.states)
        self._digest = ""

    @cached_property
    def pictures(self) -> PictureSet | None:
        """The set. None if it differs from the set that was used before."""
        if not self._before:
            return open_set(self._folder)
        with suppress(HomebodyError):
            if str(opened := open_set(self._folder)) == self._before:
                return opened
        return None

    def find(self, state: HouseState, camera: Camera) -> NDArray[np.uint8] | None:
        """Return the picture of a camera; None if it has to be drawn.

        Raises:
            HomebodyError: The run is new, and the set is missing or damaged.
        """
        now = (state.places, state.poses, state.states)
        if self.pictures is None or self._as != now or state.reactions:
            return None
        self._digest = self._digest or digest_of(state)
        return self.pictures.find(self._scene, picture_name(self._digest, camera))
