"""Much data in shards, made on all cores, resumable.

A shard is the bytes that a function makes of a job: they are the same whatever the engine, the
number of workers, and how often the work was interrupted. What else they hang on, such as another
program and its version, has to be in the plan. A folder has

- ``plan.json``: what was asked for. Who asks for something else gets an error.
- the shards, each whole or not at all.
- ``manifest.json``, at the end: the plan, and the size and sha256 of every shard.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
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


@dataclass(frozen=True, slots=True)
class Shard:
    """A file to be made.

    Attributes:
        name: Of the file.
        job: What the work makes it of.
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
    """Make all shards, or those that are missing; the manifest's path.

    Args:
        out: The folder, made if it is missing.
        kind: What is made, in a word: the manifest's format.
        plan: What was asked for, as JSON: the same is asked for to go on.
        shards: All of them.
        work: Makes a shard of its job; a function of a module or a ``partial`` of one.
        engine: One of :data:`~homebody.core.ground.engines.ENGINES`.
        workers: How many processes; as many as there are cores if left out.
        progress: Told of shards made.
        grows: A number of the plan that may be larger than when the folder was begun, and how many
            of what it counts are in a shard: one that was not full is made again.

    Raises:
        HomebodyError: there is no such engine; the folder was begun with another plan, or another
            process works in it; or a job raised it. What is finished is kept.
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
    """That a folder is for this plan, whose file is ``path``: new, or begun with it.

    Raises:
        HomebodyError: it was begun with another.
    """
    wanted = orjson.loads(orjson.dumps({"format": kind, **plan, "homebody": __version__}))
    if not path.exists():
        write_json(path, wanted)
        return
    begun = _read(path)
    if not isinstance(begun, dict) or begun.get("format") != kind:
        raise HomebodyError(f"{path} is no manifest of {kind}", "give another folder")
    for name, value in wanted.items():
        if begun.get(name) != value:
            raise HomebodyError(
                f"{path.parent} was begun with {name} {begun.get(name)!s:.40}, not {value!s:.40}",
                f"go on with it: pip install homebody=={begun.get('homebody')!s:.40};"
                " or give another folder"
                if name in ("version", "homebody")
                else "give the same to go on, or another folder",
            )


def _read(path: Path) -> Any:
    """What a plan's file says; None if it is no JSON."""
    try:
        data = path.read_bytes()
        check_depth(data)
        return orjson.loads(data)
    except ValueError:
        return None


def _grow(
    out: Path, kind: str, plan: Mapping[str, Any], shards: Sequence[Shard], name: str, full: int
) -> None:
    """Have a folder's plan ask for more, if nothing else is asked for otherwise.

    First what is not true any more goes: a kill in between leaves the smaller plan, whose missing
    shard is made again.
    """
    path = out / "plan.json"
    begun = _read(path) if path.exists() else None
    if not isinstance(begun, dict):
        return
    before = begun.get(name)
    if type(before) is not int or not 0 < before < plan[name]:
        return
    check_plan(path, kind, {**plan, name: before})
    (out / "manifest.json").unlink(missing_ok=True)
    if before % full:
        (out / shards[before // full].name).unlink(missing_ok=True)
    write_json(path, {**begun, name: plan[name]})


def write_json(path: Path, value: object) -> None:
    """Write a file of indented JSON, whole or not at all."""
    write_whole(path, orjson.dumps(value, option=orjson.OPT_INDENT_2) + b"\n")


def _describe_shard(path: Path) -> dict[str, Any]:
    return {"name": path.name, "bytes": path.stat().st_size, "sha256": sha256(path)}
