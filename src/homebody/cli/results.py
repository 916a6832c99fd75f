"""Results that were written before: what they were made with, and whether they are whole."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from homebody.cli.app import app
from homebody.cli.printing import note, say
from homebody.core import HomebodyError

if TYPE_CHECKING:
    from homebody.results.record import RunRecord


@app.command()
def results(
    paths: Annotated[
        list[Path],
        typer.Argument(
            help="What --out named, a folder in it, or one of several such folders",
            metavar="DIR...",
        ),
    ],
) -> None:
    """Say what results were made with, and if they belong together.

    The exit code is 1 if some do not, or say nothing of it.
    """
    from homebody.results.record import out_of_step, read_record

    problems = 0
    for folder in result_folders(paths):
        try:
            record = read_record(folder)
        except HomebodyError as error:
            problems += 1
            note(f"{error} ({error.hint})" if error.hint else str(error))
            continue
        say(*_told(folder, record))
        if others := out_of_step(folder, record):
            problems += 1
            note(
                f"{folder} is out of step, as a kill or a full disk leaves it: not what {folder}/"
                f"run.json was written for: {', '.join(others)}; run or score again with --out"
            )
    if problems:
        raise typer.Exit(1)


def result_folders(paths: list[Path]) -> Iterator[Path]:
    """The folders of results that are meant: those named, or those in them, two levels down.

    Raises:
        HomebodyError: a folder has none.
    """
    for path in paths:
        if (path / "samples.jsonl").exists() or (path / "summary.json").exists():
            yield path
            continue
        files = chain(path.glob("*/s*.json*"), path.glob("*/*/s*.json*"))
        inside = sorted({file.parent for file in files if file.stem in _STEMS})
        if not inside:
            raise HomebodyError(
                f"{path} has no results, nor have the folders in it, two levels down",
                "name a folder that --out named",
            )
        yield from inside


_STEMS = ("samples", "summary")


def _told(folder: Path, record: RunRecord) -> Iterator[str]:
    unscored = f", {record.unscored} of them without a score" if record.unscored else ""
    yield f"{folder}: {record.suite}, {record.protocol}, {record.samples} samples{unscored}"
    yield f"    homebody {record.homebody}" + (
        f", {record.distribution}" if record.distribution else ""
    )
    yield f"    data: {_pairs(record.data)}"
    own = ("suite", "protocol", "version", "distribution", "data")
    told = {name: value for name, value in record.run.items() if name not in own}
    yield f"    run: {_pairs({name: value for name, value in told.items() if value is not None})}"


def _pairs(values: Mapping[str, object]) -> str:
    return ", ".join(f"{name} {value}" for name, value in values.items()) or "nothing said"
