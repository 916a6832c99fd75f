"""Descriptions of suites for ``homebody list``, cached so that listing imports no suite.

The cache is valid until a file changes in a package that offers a suite.
"""

from __future__ import annotations

import hashlib
import json
import os
import sys
from collections.abc import Iterable, Iterator
from contextlib import suppress
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from homebody.core import HomebodyError
from homebody.core.ground.files import read_bounded, write_whole
from homebody.data.cache import cache_dir
from homebody.suites import get_suite, list_entry_points, list_registered, list_suites

if TYPE_CHECKING:
    from homebody.core import Suite

_VERSION: Final = 2
"""Version of the cache's format."""
UNBROKEN: Final = 8
"""Maximum number of values that are printed without spaces, so that no line breaks among them."""
_MAX_BYTES: Final = 1 << 22
Record: TypeAlias = dict[str, Any]


def describe_suites() -> Iterator[tuple[str, Record]]:
    """Yield the name of each suite and its description.

    The description has the fields of ``homebody list --format json`` (docs/reference/formats.md); a
    suite that cannot be loaded has only ``name`` and ``error``.
    """
    stamp = _stamp()
    path = cache_dir() / f"suites-{hashlib.sha256(sys.prefix.encode()).hexdigest()[:12]}.json"
    cached = _read_cached(path, stamp)
    records = {name: record for name, record in cached.items() if name not in list_registered()}
    for name in list_suites():
        if name not in records:
            try:
                records[name] = _describe(get_suite(name))
            except HomebodyError as error:
                yield name, {"name": name, "error": str(error)}
                continue
        yield name, records[name]
    fresh = {name: record for name, record in records.items() if name not in list_registered()}
    if fresh != cached:
        with suppress(HomebodyError, OSError):  # without a cache, suites are described each time
            path.parent.mkdir(parents=True, exist_ok=True)
            write_whole(path, json.dumps({"stamp": stamp, "suites": fresh}))


def _describe(suite: Suite[Any]) -> Record:
    from homebody.cli.person import PERSON

    playing = suite.playing
    return {
        "name": suite.name,
        "title": suite.title,
        "roles": [] if playing is None else list(playing.roles),
        "agents": [*suite.agents, *([] if playing is None else [PERSON])],
        "models": list(suite.models),
        "protocols": list(suite.scoring.protocols),
        "bounds": dict(suite.scoring.bounds),
        "settings": {name: list(values) for name, values in suite.settings.items()},
        "prompt_version": suite.prompt_version,
    }


def description_lines(record: Record) -> list[str]:
    """Return the lines that ``homebody list`` prints of a suite."""
    if "error" in record:
        return [record["error"]]
    roles, models = record["roles"], record["models"]
    how = f"played by {' and '.join(roles)}" if roles else "one question per task"
    lines = [record["title"], f"{how}; agents: {', '.join(record['agents']) or 'none'}"]
    if record["bounds"]:
        bounds = (f"{name}={value:g}" for name, value in record["bounds"].items())
        lines.append(f"bounds (--bound): {', '.join(bounds)}")
    if record["settings"]:
        settings = (
            f"{name}={('|' if len(values) <= UNBROKEN else ' | ').join(values) or name.upper()}"
            for name, values in record["settings"].items()
        )
        lines.append(f"settings (--set): {', '.join(settings)}")
    if len(models) > 1:
        lines.append(f"models (--role): {', '.join(models)}")
    return lines


def _read_cached(path: Path, stamp: str) -> dict[str, Record]:
    """Return the descriptions cached under that stamp; empty without a cache."""
    try:
        cached = json.loads(read_bounded(path, _MAX_BYTES))
    except (HomebodyError, ValueError, RecursionError):
        return {}
    match cached:
        case {"stamp": str(own), "suites": dict(records)} if own == stamp:
            return {name: record for name, record in records.items() if _is_description(record)}
    return {}


def _is_description(record: object) -> bool:
    try:
        return isinstance(record, dict) and bool(description_lines(record))
    except (AttributeError, KeyError, TypeError, ValueError):
        return False


def _stamp() -> str:
    """Return a digest of the suites' names and of the files of the packages that define them."""
    points = sorted((point.name, point.value) for point in list_entry_points())
    packages = {"homebody", *(value.partition(":")[0].partition(".")[0] for _, value in points)}
    files = sorted(found for package in packages for found in _files_of(package))
    inputs = (_VERSION, sys.version, points, files)
    return hashlib.sha256(repr(inputs).encode()).hexdigest()


def _files_of(package: str) -> Iterator[tuple[str, int, int]]:
    """Yield the Python files of a package or a module, with the time and size of each."""
    try:
        spec = find_spec(package)
    except (ImportError, ValueError):
        spec = None
    if spec is None:
        return
    folders = list(spec.submodule_search_locations or ())
    if not folders and spec.origin is not None:
        yield from _stat_files([Path(spec.origin)])
    for folder in folders:
        for place, inside, names in os.walk(folder):
            inside[:] = [name for name in inside if name != "__pycache__"]
            yield from _stat_files(Path(place, name) for name in names if name.endswith(".py"))


def _stat_files(paths: Iterable[Path]) -> Iterator[tuple[str, int, int]]:
    for path in paths:
        with suppress(OSError):
            status = path.stat()
            yield str(path), status.st_mtime_ns, status.st_size
