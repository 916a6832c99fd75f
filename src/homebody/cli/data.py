"""Published data: fetched, shown, audited."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from types import ModuleType
from typing import Annotated

import typer

from homebody.cli.app import FormatName, app, output_format, progress
from homebody.core import HomebodyError

data_app = typer.Typer(help="Fetch, show and audit the published data.", no_args_is_help=True)
app.add_typer(data_app, name="data")


@data_app.command()
def fetch(
    name: Annotated[str, typer.Argument(help="A data set: eai", metavar="DATASET")],
    wheel: Annotated[Path | None, typer.Option(help="The official wheel, if it is at hand")] = None,
    force: Annotated[bool, typer.Option("--force", help="Build it again")] = False,
) -> None:
    """Download a published data set, check it and store it."""
    eai = _data_set(name)
    with progress() as report:
        folder = eai.fetch(wheel, force=force, progress=report)
    print(folder)


@data_app.command()
def status() -> None:
    """Say which data is here."""
    from homebody.data import eai
    from homebody.data.cache import cache_dir, read_manifest

    print(f"data directory: {cache_dir()}")
    if eai.is_ready():
        size = sum(file.stat().st_size for file in eai.folder().iterdir())
        manifest = read_manifest(eai.folder()) or {}
        tasks = manifest.get("tasks")
        print(f"eai: ready, {tasks} VirtualHome tasks, {size / 1e6:.1f} MB ({eai.REQUIREMENT})")
    else:
        print("eai: not here, or not whole (homebody data fetch eai)")


@data_app.command()
def audit(
    name: Annotated[str, typer.Argument(help="A data set: eai", metavar="DATASET")],
    operators: Annotated[
        bool,
        typer.Option(
            "--operators", help="Tasks whose PDDL problem the simulator's own actions cannot solve"
        ),
    ] = False,
    form: FormatName = "table",
) -> None:
    """List the tasks whose own ground truth does not do what it should."""
    _data_set(name)
    form_ = output_format(form)
    from homebody.results.table import render_records

    with progress() as report:
        _data_set(name).fetch(progress=report)
    if operators:
        from homebody.suites.eai.operator_audit import audit_operators

        found = [asdict(finding) for finding in audit_operators()]
    else:
        from homebody.suites.eai.audit import audit as find

        found = [asdict(finding) for finding in find()]
    print(render_records(found, form_))


def _data_set(name: str) -> ModuleType:
    from homebody.data import eai

    if name != "eai":
        raise HomebodyError(f"there is no data set {name!r}", "choose: eai")
    return eai
