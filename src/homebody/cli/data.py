"""Published data: fetched, shown, audited."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from homebody.cli.app import FormatName, app, output_format, prepared, progress
from homebody.cli.command import Argument, Option
from homebody.cli.printing import say, say_text
from homebody.core import HomebodyError

if TYPE_CHECKING:
    from homebody.data.store import Store
    from homebody.suites.eai.audit import Finding

data_app = app.group("data", help="Fetch, show and audit the published data.")


@data_app.command()
def fetch(
    name: Annotated[
        str, Argument(help="A data set: eai, behavior or behavior1k", metavar="DATASET")
    ],
    wheel: Annotated[
        Path | None, Option(help="The official eai-eval wheel, if it is at hand")
    ] = None,
    bddl: Annotated[
        Path | None, Option(help="The bddl source distribution, if it is at hand")
    ] = None,
    force: Annotated[bool, Option("--force", help="Build it again")] = False,
) -> None:
    """Download a published data set, check it and store it."""
    from homebody.data import behavior, behavior1k, eai

    with progress() as report:
        match name:
            case "eai":
                folder = eai.fetch(wheel, force=force, progress=report)
            case "behavior":
                folder = behavior.fetch(wheel, bddl, force=force, progress=report)
            case "behavior1k":
                folder = behavior1k.fetch(bddl, force=force, progress=report)
            case _:
                raise HomebodyError(
                    f"there is no data set {name!r}", "choose one of: eai, behavior, behavior1k"
                )
    say(folder)


@data_app.command()
def status() -> None:
    """Say which data is here."""
    from homebody.data import behavior, behavior1k, eai
    from homebody.data.cache import cache_dir

    say(f"data directory: {cache_dir()}")
    for store, contents in (
        (eai.STORE, "VirtualHome tasks"),
        (behavior.STORE, "BEHAVIOR tasks"),
        (behavior1k.STORE, "activities"),
    ):
        say(f"{store.name}: {_status_of(store, contents)}")


def _status_of(store: Store, contents: str) -> str:
    from homebody.data.cache import read_manifest

    if not store.is_ready():
        known = read_manifest(store.folder()) is not None
        what = "damaged, or of another version of homebody" if known else "not here"
        return f"{what} (homebody data fetch {store.name})"
    size = sum(file.stat().st_size for file in store.folder().iterdir())
    manifest = read_manifest(store.folder()) or {}
    count = manifest.get("tasks")
    return f"ready, {count} {contents}, {size / 1e6:.1f} MB ({manifest.get('source')})"


@data_app.command()
def summary(
    name: Annotated[str, Argument(help="A data set: behavior", metavar="DATASET")],
) -> None:
    """Say how much there is of BEHAVIOR: activities, conditions, objects."""
    from homebody.suites.eai.behavior1k import summary as behavior

    if name != "behavior":
        raise HomebodyError(f"there is no summary of {name!r}", "choose: behavior")
    prepared("eai.behavior1k.action_sequencing")
    say_text(behavior.summary_text(behavior.summary()))


@data_app.command()
def audit(
    name: Annotated[str, Argument(help="A data set: eai, behavior or etplan", metavar="DATASET")],
    operators: Annotated[
        bool,
        Option(
            "--operators", help="Tasks whose PDDL problem the simulator's own actions cannot solve"
        ),
    ] = False,
    every: Annotated[bool, Option("--all", help="Also BEHAVIOR's tasks that are sound")] = (False),
    folder: Annotated[
        Path | None, Option(help="etplan: where its seven files of released tasks are")
    ] = None,
    counts: Annotated[
        bool, Option("--counts", help="etplan: how many tasks have which problem")
    ] = False,
    form: FormatName = "table",
) -> None:
    """List the tasks whose own ground truth does not do what it should, whose prompt lists a goal
    twice where that costs something, or is that of other tasks; eai: on both worlds. etplan: also
    those whose criterion is not what the text asks."""
    from homebody.results.table import render_records

    if name not in ("eai", "behavior", "etplan"):
        raise HomebodyError(
            f"there is no audit of {name!r}", "choose one of: eai, behavior, etplan"
        )
    form_ = output_format(form)
    if name == "etplan":
        findings = _audited_etplan(folder, counts=counts)
    elif operators:
        findings = _audited_operators()
    else:
        findings = [*(_audited_virtualhome() if name == "eai" else ()), *_audited_behavior(every)]
    say_text(render_records(findings, form_))


def _audited_etplan(folder: Path | None, *, counts: bool) -> list[dict[str, Any]]:
    from homebody.suites.etplan.audit import PROBLEMS, audit
    from homebody.suites.etplan.audit import counts as count
    from homebody.suites.etplan.released import FILES, read_released

    if folder is None:
        raise HomebodyError(
            "the released tasks of ET-Plan-Bench do not come with homebody",
            "name the folder with their seven files: --folder FOLDER",
        )
    found = list(audit(read_released(folder)))
    if not counts:
        return [asdict(finding) for finding in found]
    numbers = count(found)
    return [
        {"problem": problem, **{row: numbers.get((row, problem), 0) for row in FILES.values()}}
        for problem in PROBLEMS
    ]


def _audited_operators() -> list[dict[str, Any]]:
    from homebody.data import eai
    from homebody.suites.eai.virtualhome.operator_audit import audit_operators

    with progress() as report:
        eai.fetch(progress=report)
    return [asdict(finding) for finding in audit_operators()]


def _audited_virtualhome() -> list[dict[str, Any]]:
    from homebody.data import eai
    from homebody.suites.eai.virtualhome.audit import audit as find
    from homebody.suites.eai.virtualhome.audit import find_repeated_goals, find_shared_prompts

    with progress() as report:
        eai.fetch(progress=report)
    found = (*find(), *find_repeated_goals(), *find_shared_prompts())
    return [_row("virtualhome", finding) for finding in found]


def _audited_behavior(every: bool) -> list[dict[str, Any]]:
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
