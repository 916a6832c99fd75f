"""Read submissions, archives or folders, without trusting their contents."""

from __future__ import annotations

import stat
import zipfile
import zlib
from collections.abc import Mapping
from pathlib import Path, PurePosixPath
from typing import Final

from homebody.core import HomebodyError, SampleError
from homebody.results.outputs import Output, decode_outputs, read_outputs
from homebody.suites import loadable_suites

MAX_ARCHIVE: Final = 512 << 20
"""Maximum bytes of an archive."""
MAX_MEMBER: Final = 256 << 20
"""Maximum bytes of one unpacked file of outputs."""
MAX_MEMBERS: Final = 100_000
_END: Final = b"PK\x05\x06"
_END_SIZE: Final = 22
_COMMENT: Final = 65_535
_PASSED_OVER: Final = ("__MACOSX", ".DS_Store")
_METHODS: Final = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
_DEPTH: Final = 2


def is_archive(path: Path) -> bool:
    """Return whether a file begins like a zip archive."""
    try:
        with path.open("rb") as file:
            return file.read(4) in (b"PK\x03\x04", _END)
    except OSError:
        return False


def read_submission(path: Path) -> dict[str, list[Output | SampleError]]:
    """Return suite name -> outputs, for all suites in a submission.

    Args:
        path: A zip archive, whose files may be in one folder, or a folder.

    Raises:
        HomebodyError: It is not an archive, is too large, or has unsafe or duplicate names,
            encrypted files or links.
    """
    suites = _suites()
    if path.is_dir():
        files = {suite: path / name for name, suite in suites.items() if (path / name).is_file()}
        found = {suite: read_outputs(file) for suite, file in files.items()}
    else:
        found = _unpack(path, suites)
    if not found:
        raise HomebodyError(
            f"{path} has no file of outputs of a submission",
            f"for example: {next(iter(suites), 'none')}",
        )
    return found


def _suites() -> dict[str, str]:
    """Return name of a file -> name of its suite."""
    return {
        suite.published.submission.file: suite.name
        for suite in loadable_suites()
        if suite.published.submission is not None
    }


def _unpack(path: Path, suites: Mapping[str, str]) -> dict[str, list[Output | SampleError]]:
    try:
        status = path.stat()
        if not stat.S_ISREG(status.st_mode):
            raise HomebodyError(f"cannot read {path}: it is not a file")
        if status.st_size > MAX_ARCHIVE:
            raise HomebodyError(f"{path} is larger than {MAX_ARCHIVE >> 20} MiB")
        _check_end(path, status.st_size)
        with zipfile.ZipFile(path) as archive:
            members = _members(archive, path, suites)
            return {
                suite: decode_outputs(_content(archive, info, path), f"{path}: {info.filename}")
                for suite, info in members.items()
            }
    except OSError as error:
        raise HomebodyError(f"cannot read {path}: {error.strerror or error}") from error
    except (zipfile.BadZipFile, zipfile.LargeZipFile, zlib.error, EOFError) as error:
        raise HomebodyError(f"{path} is not a zip archive, or is damaged: {error}") from error
    except (NotImplementedError, RuntimeError, ValueError) as error:
        raise HomebodyError(f"{path} cannot be unpacked: {error}") from error


def _check_end(path: Path, size: int) -> None:
    """Raise HomebodyError if an archive declares too many members. The check comes before the list
    of members is read."""
    with path.open("rb") as file:
        file.seek(max(0, size - _END_SIZE - _COMMENT))
        tail = file.read()
    at = tail.rfind(_END)
    if at < 0 or len(tail) < at + _END_SIZE:
        raise HomebodyError(f"{path} is not a zip archive, or is damaged")
    if int.from_bytes(tail[at + 12 : at + 16], "little") > 300 * MAX_MEMBERS:
        raise HomebodyError(f"{path} has too long a list of files")


def _members(
    archive: zipfile.ZipFile, path: Path, suites: Mapping[str, str]
) -> dict[str, zipfile.ZipInfo]:
    infos = archive.infolist()
    if len(infos) > MAX_MEMBERS:
        raise HomebodyError(f"{path} has more than {MAX_MEMBERS:,} files")
    found: dict[str, zipfile.ZipInfo] = {}
    names: set[str] = set()
    for info in infos:
        name = info.filename
        parts = PurePosixPath(name).parts
        if name.startswith("/") or "\\" in name or ":" in name or ".." in parts:
            raise HomebodyError(f"{path} has a file outside the archive: {name[:80]!r}")
        if name in names:
            raise HomebodyError(f"{path} has two files {name[:80]!r}")
        names.add(name)
        if info.is_dir() or not parts or any(part in _PASSED_OVER for part in parts):
            continue
        suite = suites.get(parts[-1])
        if suite is None or len(parts) > _DEPTH:
            continue
        if suite in found:
            raise HomebodyError(f"{path} has two files {parts[-1]}")
        _check_member(info, path)
        found[suite] = info
    return found


def _check_member(info: zipfile.ZipInfo, path: Path) -> None:
    where = f"{path}: {info.filename[:80]}"
    if info.flag_bits & 0x1:
        raise HomebodyError(f"{where} is encrypted")
    if stat.S_ISLNK(info.external_attr >> 16):
        raise HomebodyError(f"{where} is a link")
    if info.compress_type not in _METHODS:
        raise HomebodyError(f"{where} has an unsupported compression")
    if info.file_size > MAX_MEMBER:
        raise HomebodyError(f"{where} is larger than {MAX_MEMBER >> 20} MiB")


def _content(archive: zipfile.ZipFile, info: zipfile.ZipInfo, path: Path) -> bytes:
    with archive.open(info) as file:
        content = file.read(MAX_MEMBER + 1)
    if len(content) > MAX_MEMBER:
        raise HomebodyError(f"{path}: {info.filename[:80]} is larger than it says")
    return content
