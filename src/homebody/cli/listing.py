"""What ``homebody list`` tells of each suite, kept, so that listing them imports none.

It is kept until a file of a package that offers a suite is another. What of it cannot be read, or
is of other files, is told anew, as are suites that could not be loaded.
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
from typing import TYPE_CHECKING, Any, Final

from homebody.core import HomebodyError
from homebody.core.ground.files import read_bounded, write_whole
from homebody.data.cache import cache_dir
from homebody.suites import get_suite, list_suites, offered, registered

if TYPE_CHECKING:
    from homebody.core import Suite

_VERSION: Final = 1
"""Of what is kept."""
_MAX_BYTES: Final = 1 << 22


def describe_suites() -> Iterator[tuple[str, list[str]]]:
    """The name of each suite, and lines about it, or on why it cannot be loaded."""
    stamp = _stamp()
    path = cache_dir() / f"suites-{hashlib.sha256(sys.prefix.encode()).hexdigest()[:12]}.json"
    known = _read_cached(path, stamp)
    told = {name: lines for name, lines in known.items() if name not in registered()}
    for name in list_suites():
        if name not in told:
            try:
                told[name] = _describe(get_suite(name))
            except HomebodyError as error:  # of this suite: the others are as good as before
                yield name, [str(error)]
                continue
        yield name, told[name]
    fresh = {name: lines for name, lines in told.items() if name not in registered()}
    if fresh != known:
        with suppress(HomebodyError, OSError):  # where it cannot be kept, it is told anew
            path.parent.mkdir(parents=True, exist_ok=True)
            write_whole(path, json.dumps({"stamp": stamp, "told": fresh}))


def _describe(suite: Suite[Any]) -> list[str]:
    from homebody.cli.person import PERSON

    playing = suite.playing
    how = "asked" if playing is None else f"played by {' and '.join(playing.roles)}"
    agents = [*suite.agents, *([] if playing is None else [PERSON])]
    lines = [suite.title, f"{how}; agents: {', '.join(agents) or 'none'}"]
    if suite.scoring.bounds:
        bounds = (f"{name}={value:g}" for name, value in suite.scoring.bounds.items())
        lines.append(f"bounds (--bound): {', '.join(bounds)}")
    if suite.settings:
        settings = (
            f"{name}={'|'.join(values) or name.upper()}" for name, values in suite.settings.items()
        )
        lines.append(f"settings (--set): {', '.join(settings)}")
    if len(suite.models) > 1:
        lines.append(f"models (--role): {', '.join(suite.models)}")
    return lines


def _read_cached(path: Path, stamp: str) -> dict[str, list[str]]:
    """What is kept of that stamp; empty if nothing is that can be read."""
    try:
        kept = json.loads(read_bounded(path, _MAX_BYTES))
    except (HomebodyError, ValueError, RecursionError):
        return {}
    match kept:
        case {"stamp": str(own), "told": dict(told)} if own == stamp:
            return {
                name: lines
                for name, lines in told.items()
                if isinstance(lines, list) and all(isinstance(line, str) for line in lines)
            }
    return {}


def _stamp() -> str:
    """A digest of which suites there are, and of the files of the packages that they are in."""
    points = sorted((point.name, point.value) for point in offered())
    packages = {"homebody", *(value.partition(":")[0].partition(".")[0] for _, value in points)}
    files = sorted(found for package in packages for found in _files_of(package))
    told = (_VERSION, sys.version, points, files)
    return hashlib.sha256(repr(told).encode()).hexdigest()


def _files_of(package: str) -> Iterator[tuple[str, int, int]]:
    """The Python files of a package or a module, with the time and the size of each."""
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
