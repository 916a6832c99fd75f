"""Large data sets in shards, made on all cores, resumable.

A function maps a job to a shard, which is a byte string. Its bytes do not depend on the engine, the
number of workers or interruptions. Everything else that they depend on, such as the version of
another program, must be in the plan. A folder has

- ``plan.json``: the request. A different request for the same folder is an error.
- the shards, each complete.
- ``manifest.json``, written last: the plan, and the size and sha256 of every shard.
"""

from __future__ import annotations

import io
import tarfile
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import orjson

from homebody._version import __version__
from homebody.core.ground.engines import finish
from homebody.core.ground.files import lock_file, make_folder, sha256, write_whole
from homebody.core.ground.nesting import check_depth
from homebody.core.ground.progress import Progress
from homebody.core.ground.user_errors import HomebodyError


def tar(files: Iterable[tuple[str, bytes]]) -> bytes:
    """Return an archive of files, by name and content, without dates or owners."""
    data = io.BytesIO()
    with tarfile.TarFile(fileobj=data, mode="w", format=tarfile.USTAR_FORMAT) as archive:
        for name, content in files:
            entry = tarfile.TarInfo(name)
            entry.size = len(content)
            archive.addfile(entry, io.BytesIO(content))
    return data.getvalue()


@dataclass(frozen=True, slots=True)
class Shard:
    """A file to make.

    Attributes:
        name: The name of the file.
        job: The job whose result is the file.
    """

    name: str
    job: Any


def make_shards(
    out: Path,
    kind: str,
    plan: Mapping[str, Any],
    shards: Sequence[Shard],
    work: Callable[[Any], bytes],
    *,
    engine: str = "pool",
    workers: int | None = None,
    progress: Progress | None = None,
    grows: tuple[str, int] | None = None,
) -> Path:
    """Make all missing shards, and return the manifest's path.

    Args:
        out: The folder, made if it is missing.
        kind: The format in the manifest.
        plan: The request, as JSON; the same request resumes the work.
        shards: All shards.
        work: Job -> shard; a function of a module or a ``partial`` of one.
        engine: One of :data:`~homebody.core.ground.engines.ENGINES`.
        workers: Number of processes; by default the number of cores.
        progress: Receives the number of finished shards.
        grows: The name of a number in the plan that may be larger in a later request, and the
            number of items in a full shard. A later request makes a shard again if it was not full.

    Raises:
        HomebodyError: there is no such engine, the folder was started with another plan, another
            process works in it, or a job raised it. Finished work is kept.
    """
    make_folder(out)
    manifest = out / "manifest.json"
    with lock_file(out / ".lock", f"another process works in {out}"):
        if grows is not None:
            _grow(out, kind, plan, shards, *grows)
        check_plan(out / "plan.json", kind, plan)
        whole = {shard.name for shard in shards if (out / shard.name).is_file()}

        def keep(made: dict[str, bytes]) -> None:
            for name, data in made.items():
                write_whole(out / name, data)

        finish(
            *(work, {shard.name: shard.job for shard in shards}, whole, keep),
            engine=engine,
            workers=workers,
            progress=progress,
            activity="making shards",
        )
        if len(whole) < len(shards) or not manifest.exists():
            files = [_describe_shard(out / shard.name) for shard in shards]
            write_json(manifest, {"format": kind, "homebody": __version__, **plan, "shards": files})
    return manifest


def check_plan(path: Path, kind: str, plan: Mapping[str, Any]) -> None:
    """Write a plan to ``path`` in a new folder, or check that the folder was started with it.

    Raises:
        HomebodyError: it was started with another plan.
    """
    wanted = orjson.loads(orjson.dumps({"format": kind, **plan, "homebody": __version__}))
    if not path.exists():
        write_json(path, wanted)
        return
    former = _read(path)
    if not isinstance(former, dict) or former.get("format") != kind:
        raise HomebodyError(f"{path} is not a manifest of {kind}", "give another folder")
    for name, value in wanted.items():
        if former.get(name) != value:
            raise HomebodyError(
                f"{path.parent} was started with {name} {former.get(name)!s:.40},"
                f" not {value!s:.40}",
                f"to resume, pip install homebody=={former.get('homebody')!s:.40};"
                " or give another folder"
                if name in ("version", "homebody")
                else "give the same value to resume, or another folder",
            )


def _read(path: Path) -> Any:
    """Return the content of a plan's file; None if it is not JSON."""
    try:
        data = path.read_bytes()
        check_depth(data)
        return orjson.loads(data)
    except ValueError:
        return None


def _grow(
    out: Path, kind: str, plan: Mapping[str, Any], shards: Sequence[Shard], name: str, full: int
) -> None:
    """Increase a number in a folder's plan, if the rest of the request is the same.

    Outdated files are removed first, so a kill leaves the smaller plan with a missing shard.
    """
    path = out / "plan.json"
    former = _read(path) if path.exists() else None
    if not isinstance(former, dict):
        return
    before = former.get(name)
    if type(before) is not int or not 0 < before < plan[name]:
        return
    check_plan(path, kind, {**plan, name: before})
    (out / "manifest.json").unlink(missing_ok=True)
    if before % full:
        (out / shards[before // full].name).unlink(missing_ok=True)
    write_json(path, {**former, name: plan[name]})


def write_json(path: Path, value: object) -> None:
    """Write a file of indented JSON atomically."""
    write_whole(path, orjson.dumps(value, option=orjson.OPT_INDENT_2) + b"\n")


def _describe_shard(path: Path) -> dict[str, Any]:
    return {"name": path.name, "bytes": path.stat().st_size, "sha256": sha256(path)}
