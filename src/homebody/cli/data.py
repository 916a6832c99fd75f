"""`homebody data`: fetch, show and audit published data."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final

from homebody.cli.app import (
    FormatName,
    TextOrJson,
    app,
    check_format,
    complete_words,
    prepare_suite,
    progress,
    read_format,
)
from homebody.cli.command import Argument, Option
from homebody.cli.printing import say, say_text
from homebody.core import HomebodyError
from homebody.core.ground.escaping import escape_json

if TYPE_CHECKING:
    from homebody.data.store import Store
    from homebody.suites.eai.audit import Finding

DATASETS: Final = ("eai", "behavior", "behavior1k")
data_app = app.group("data", help="Fetch, show and audit published data.")


@data_app.command()
def fetch(
    name: Annotated[
        str,
        Argument(
            help="eai, behavior or behavior1k.",
            metavar="DATASET",
            complete=complete_words(*DATASETS),
        ),
    ],
    wheel: Annotated[
        Path | None, Option(help="Read this official eai-eval wheel instead of downloading it.")
    ] = None,
    bddl: Annotated[
        Path | None, Option(help="Read this bddl source distribution instead of downloading it.")
    ] = None,
    force: Annotated[bool, Option(help="Rebuild the data set if it exists.")] = False,
) -> None:
    """Download a published data set, check it and store it."""
    from homebody.data import behavior, behavior1k, eai

    with progress(name) as report:
        match name:
            case "eai":
                folder = eai.fetch(wheel, force=force, progress=report)
            case "behavior":
                folder = behavior.fetch(wheel, bddl, force=force, progress=report)
            case "behavior1k":
                folder = behavior1k.fetch(bddl, force=force, progress=report)
            case _:
                raise HomebodyError(
                    f"unknown data set: {name!r}", f"choose one of: {', '.join(DATASETS)}"
                )
    say(folder)


@data_app.command()
def status(form: TextOrJson = "text") -> None:
    """Show which data sets are stored."""
    from homebody.data import behavior, behavior1k, eai
    from homebody.data.cache import cache_dir

    check_format(form, "text", "json")
    records = [
        _read_status(eai.STORE, "VirtualHome tasks"),
        _read_status(behavior.STORE, "BEHAVIOR tasks"),
        _read_status(behavior1k.STORE, "activities"),
    ]
    if form == "json":
        say_text(escape_json({"directory": str(cache_dir()), "datasets": records}))
        return
    say(f"data directory: {cache_dir()}")
    texts = {
        "ready": "ready, {count} {contents}, {megabytes:.1f} MB ({source})",
        "damaged": "damaged, or of another version of homebody (homebody data fetch {name})",
        "missing": "not stored (homebody data fetch {name})",
    }
    for record in records:
        text = texts[record["state"]].format(megabytes=record["bytes"] / 1e6, **record)
        say(f"{record['name']}: {text}")


def _read_status(store: Store, contents: str) -> dict[str, Any]:
    """Return the fields of ``homebody data status --format json`` (docs/reference/formats.md)."""
    from homebody.data.cache import read_manifest

    manifest = read_manifest(store.folder())
    is_ready = store.is_ready()
    return {
        "name": store.name,
        "state": "ready" if is_ready else "missing" if manifest is None else "damaged",
        "count": (manifest or {}).get("tasks") if is_ready else None,
        "contents": contents,
        "bytes": sum(f.stat().st_size for f in store.folder().iterdir()) if is_ready else 0,
        "source": (manifest or {}).get("source") if is_ready else None,
    }


@data_app.command()
def summary(
    name: Annotated[str, Argument(help="behavior.", metavar="DATASET")],
) -> None:
    """Count BEHAVIOR's activities, conditions and objects."""
    from homebody.suites.eai.behavior1k import summary as behavior

    if name != "behavior":
        raise HomebodyError(f"no summary is available for {name!r}", "choose: behavior")
    prepare_suite("eai.behavior1k.action_sequencing")
    say_text(behavior.summary_text(behavior.summary()))


@data_app.command()
def audit(
    name: Annotated[str, Argument(help="eai, behavior or etplan.", metavar="DATASET")],
    operators: Annotated[
        bool, Option(help="List tasks whose PDDL problem the simulator's own actions cannot solve.")
    ] = False,
    every: Annotated[bool, Option("--all", help="List BEHAVIOR's sound tasks too.")] = False,
    folder: Annotated[
        Path | None,
        Option(metavar="DIR", help="etplan: folder of its seven files of released tasks."),
    ] = None,
    counts: Annotated[bool, Option(help="etplan: count the tasks with each problem.")] = False,
    form: FormatName = "table",
) -> None:
    """List tasks with defective annotations.

    These are failing ground truth, duplicated goals and duplicated prompts; for etplan also a
    criterion that differs from the instruction. eai covers both worlds.
    """
    from homebody.results.table import render_records

    if name not in ("eai", "behavior", "etplan"):
        raise HomebodyError(
            f"no audit is available for {name!r}", "choose one of: eai, behavior, etplan"
        )
    form_ = read_format(form)
    if name == "etplan":
        findings = _audit_etplan(folder, counts=counts)
    elif operators:
        findings = _audit_operators()
    else:
        findings = [*(_audit_virtualhome() if name == "eai" else ()), *_audit_behavior(every)]
    say_text(render_records(findings, form_))


def _audit_etplan(folder: Path | None, *, counts: bool) -> list[dict[str, Any]]:
    from homebody.suites.etplan.audit import PROBLEMS, audit, count_findings
    from homebody.suites.etplan.released import FILES, read_released

    if folder is None:
        raise HomebodyError(
            "the released tasks of ET-Plan-Bench do not come with homebody",
            "give the folder with their seven files: --folder DIR",
        )
    found = list(audit(read_released(folder)))
    if not counts:
        return [asdict(finding) for finding in found]
    numbers = count_findings(found)
    return [
        {"problem": problem, **{row: numbers.get((row, problem), 0) for row in FILES.values()}}
        for problem in PROBLEMS
    ]


def _audit_operators() -> list[dict[str, Any]]:
    from homebody.data import eai
    from homebody.suites.eai.virtualhome.operator_audit import audit_operators

    with progress() as report:
        eai.fetch(progress=report)
    return [asdict(finding) for finding in audit_operators()]


def _audit_virtualhome() -> list[dict[str, Any]]:
    from homebody.data import eai
    from homebody.suites.eai.virtualhome.audit import audit as find
    from homebody.suites.eai.virtualhome.audit import (
        find_repeated_goals,
        find_same_goal_lines,
        find_shared_prompts,
    )

    with progress() as report:
        eai.fetch(progress=report)
    found = (*find(), *find_repeated_goals(), *find_same_goal_lines(), *find_shared_prompts())
    return [_row("virtualhome", finding) for finding in found]


def _audit_behavior(every: bool) -> list[dict[str, Any]]:
    from homebody.data import behavior
    from homebody.suites.eai.behavior.audit import audit as find
    from homebody.suites.eai.behavior.audit import find_repeated_goals

    with progress() as report:
        behavior.fetch(progress=report)
    found = [finding for finding in find() if every or finding.problem]
    return [_row("behavior", finding) for finding in (*found, *find_repeated_goals())]


def _row(world: str, finding: Finding) -> dict[str, Any]:
    return {
        "world": world,
        "task": finding.task,
        "name": finding.name,
        "problem": finding.problem or "none",
        "reason": finding.reason,
    }
