"""The cache of fetched data: one folder per data set and version, written atomically."""

from __future__ import annotations

import contextlib
import glob
import os
import platform
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import orjson

from homebody.core.ground.files import is_alive
from homebody.core.ground.user_errors import HomebodyError

MANIFEST = "manifest.json"


def cache_dir() -> Path:
    """Return ``$HOMEBODY_DATA`` if set, else the platform's cache directory for homebody."""
    override = os.environ.get("HOMEBODY_DATA")
    if override:
        return Path(override).expanduser()
    import platformdirs

    return Path(platformdirs.user_cache_dir("homebody", appauthor=False))


def read_manifest(folder: Path) -> dict[str, object] | None:
    """Return the manifest of a complete data set; None if it is missing or unreadable."""
    try:
        manifest = orjson.loads((folder / MANIFEST).read_bytes())
    except (OSError, orjson.JSONDecodeError):
        return None
    return manifest if isinstance(manifest, dict) else None


@contextlib.contextmanager
def staging(target: Path) -> Iterator[Path]:
    """Yield a private folder that replaces ``target`` if the block ends without an exception.

    Readers see the old ``target``, none, or the complete new one. The next process removes the
    files of a killed process.

    Raises:
        HomebodyError: the cache directory cannot be written.
    """
    parent = target.parent
    try:
        parent.mkdir(parents=True, exist_ok=True)
        _remove_abandoned(parent)
        folder = Path(tempfile.mkdtemp(prefix=f"{_ours()}{os.getpid()}-", dir=parent))
    except OSError as error:
        raise HomebodyError(
            f"cannot write to the data directory {parent}: {error.strerror}",
            "set HOMEBODY_DATA to a directory that you can write to",
        ) from error
    try:
        yield folder
        folder.chmod(0o755)  # mkdtemp keeps it private; a cache may be shared
        _swap(folder, target)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _swap(folder: Path, target: Path) -> None:
    old = folder.with_name(folder.name + "-old")
    with contextlib.suppress(FileNotFoundError):
        target.rename(old)
    try:
        folder.rename(target)
    except OSError:
        if read_manifest(target) is None:  # else another process came first
            raise
    finally:
        shutil.rmtree(old, ignore_errors=True)


def _ours() -> str:
    """Return the prefix of this machine's staging folders, as a cache may be shared."""
    return f".fetch-{platform.node() or 'host'}-"


def _remove_abandoned(parent: Path) -> None:
    for folder in parent.glob(f"{glob.escape(_ours())}*"):
        pid = folder.name.removeprefix(_ours()).split("-")[0]
        if pid.isdecimal() and not is_alive(int(pid)):
            shutil.rmtree(folder, ignore_errors=True)
