"""Stores published data sets. A data set is fetched as packages, converted, and stored in parts.
Each part is a compressed JSON file that is read when it is first needed."""

from __future__ import annotations

import contextlib
import gc
import tempfile
import zipfile
import zlib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import orjson

from homebody.core.ground.files import sha256
from homebody.core.ground.progress import Progress
from homebody.core.ground.user_errors import HomebodyError
from homebody.data.cache import MANIFEST, cache_dir, read_manifest, staging
from homebody.data.downloads import Package, obtain


@dataclass(frozen=True)
class Store:
    """One data set in the cache.

    Attributes:
        name: Its name for ``homebody data fetch``.
        folder_name: The name of its folder in the cache.
        schema: The version of the stored files; data of another version is fetched again.
        packages: Its packages in the order in which they are fetched; ``source`` is one of them.
        parts: The names of its parts.
        convert: The packages' files and a progress report -> parts, as JSON values.
        count: Parts -> the number of tasks.
        level: The level of compression.
    """

    name: str
    folder_name: str
    schema: int
    packages: Mapping[str, Package]
    parts: tuple[str, ...]
    convert: Callable[[Mapping[str, Path], Progress], Mapping[str, Any]]
    count: Callable[[Mapping[str, Any]], int]
    level: int = 9

    def folder(self) -> Path:
        """Return its folder in the cache."""
        return cache_dir() / self.folder_name

    def versions(self) -> dict[str, str]:
        """Return name -> version of its packages."""
        return {package.name: package.version for package in self.packages.values()}

    def is_ready(self) -> bool:
        """Return whether all parts exist unchanged, with this schema. Data without digests, from an
        older homebody, cannot be checked and is therefore not ready."""
        manifest = read_manifest(self.folder())
        return (
            manifest is not None
            and manifest.get("schema") == self.schema
            and manifest.get("digests") == self._digests(self.folder())
        )

    def fetch(
        self,
        given: Mapping[str, Path | None],
        *,
        force: bool = False,
        progress: Progress | None = None,
    ) -> Path:
        """Make sure that the data is in the cache; return its folder.

        Args:
            given: Local files of the packages; with any, existing data is built again.
            force: True to build existing data again.
            progress: Receives each step.

        Raises:
            HomebodyError: there is no network, a file is wrong, or the cache cannot be written.
        """
        if self.is_ready() and not force and not any(given.values()):
            return self.folder()
        report = progress or (lambda step, done, total: None)
        try:
            self._build(given, report)
        except HomebodyError as error:
            if force or any(given.values()) or read_manifest(self.folder()) is None:
                raise
            raise HomebodyError(
                f"the data in {self.folder()} is damaged, or of another version of homebody;"
                f" {error}",
                error.hint,
            ) from error
        _read.cache_clear()
        return self.folder()

    def _build(self, given: Mapping[str, Path | None], report: Progress) -> None:
        with staging(self.folder()) as staged, tempfile.TemporaryDirectory() as scratch:
            files = {
                name: obtain(package, given.get(name), Path(scratch), report)
                for name, package in self.packages.items()
            }
            with disable_collection():
                parts = self.convert(files, report)
            report("writing", 0, 1)
            self.write(staged, parts)
            report("writing", 1, 1)

    def write(self, folder: Path, parts: Mapping[str, Any]) -> None:
        """Store the parts in a staged ``folder``, the manifest last."""
        try:
            self._write(folder, parts)
        except OSError as error:
            raise HomebodyError(
                f"cannot write to {folder.parent}: {error.strerror or error}",
                "set HOMEBODY_DATA to a directory that you can write to",
            ) from error

    def _write(self, folder: Path, parts: Mapping[str, Any]) -> None:
        for name, value in parts.items():
            (folder / file_name(name)).write_bytes(zlib.compress(orjson.dumps(value), self.level))
        manifest: dict[str, Any] = {}
        for name, package in sorted(self.packages.items()):
            manifest[name] = package.requirement
            manifest["sha256" if name == "source" else f"{name}_sha256"] = package.sha256
        manifest["schema"] = self.schema
        manifest["tasks"] = self.count(parts)
        manifest["bytes"] = self._sizes(folder)  # for older versions of homebody
        manifest["digests"] = self._digests(folder)
        (folder / MANIFEST).write_bytes(orjson.dumps(manifest, option=orjson.OPT_INDENT_2))

    def _sizes(self, folder: Path) -> dict[str, int] | int:
        """Return the number of bytes of each part (0 if it is missing), or one number for a single
        part."""
        paths = {name: folder / file_name(name) for name in self.parts}
        sizes = {name: path.stat().st_size if path.is_file() else 0 for name, path in paths.items()}
        return sizes[self.parts[0]] if len(sizes) == 1 else sizes

    def _digests(self, folder: Path) -> dict[str, str]:
        """Return the sha256 of each part; empty if it cannot be read."""
        return {name: _digest(folder / file_name(name)) for name in self.parts}

    def load(self, part: str) -> Any:
        """Load one part; fetch it first if it is missing.

        Raises:
            HomebodyError: it is missing and cannot be fetched, or is damaged.
        """
        if part not in self.parts:
            raise ValueError(f"no such part: {part}")
        return _read(self, self.folder(), part)

    def __hash__(self) -> int:
        return hash(self.name)


@cache
def _read(store: Store, folder: Path, part: str) -> Any:
    store.fetch({})
    try:
        with disable_collection():
            return orjson.loads(zlib.decompress((folder / file_name(part)).read_bytes()))
    except (OSError, zlib.error, orjson.JSONDecodeError) as error:
        hint = f"run: homebody data fetch {store.name} --force"
        raise HomebodyError(f"the data in {folder} is damaged: {error}", hint) from error


@contextlib.contextmanager
def disable_collection() -> Iterator[None]:
    """Exclude the objects that are made in the block from garbage collection. They live as long as
    the process.

    Garbage collection of 200,000 objects takes longer than making them. Objects without references
    are still freed.
    """
    collecting = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collecting:
            gc.freeze()
            gc.enable()


def _digest(path: Path) -> str:
    try:
        return sha256(path)
    except HomebodyError:
        return ""


def file_name(part: str) -> str:
    """Return the name of a part's file."""
    return f"{part}.json.zlib"


@contextlib.contextmanager
def as_expected(path: Path) -> Iterator[None]:
    """Turn errors in reading a package's file into a HomebodyError that names it."""
    try:
        yield
    except (zipfile.BadZipFile, OSError, LookupError, ValueError, TypeError, SyntaxError) as error:
        raise HomebodyError(f"{path.name} is not as expected: {error}") from error
