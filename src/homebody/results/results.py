"""The results of a run: scores and outputs, as a table, files or a data frame.

results = hb.run("eai.virtualhome.action_sequencing", "oracle")
print(results)
failed = [score for score in results if not score.metrics["success"]]
"""

from __future__ import annotations

import io
import shutil
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from html import escape as escape_html
from pathlib import Path
from typing import Any, overload

from homebody.core import HomebodyError, Protocol, SampleError, Score, Suite
from homebody.core.ground.escaping import escape
from homebody.results.outputs import safe_name
from homebody.results.prompt_versions import prompt_versions_note
from homebody.results.rows import Row, excluded_note, failed_note, make_row
from homebody.results.table import cells, title
from homebody.results.terminal import print_table
from homebody.results.writing import keep_run

_LINE = "border-bottom: 1px solid rgba(128, 128, 128, 0.4)"
_CELL = "padding: 0.15em 0.7em; text-align: right; white-space: nowrap"


@dataclass(frozen=True, repr=False)
class Results:
    """The scores of one model or agent on a suite, in order; can be iterated and indexed.

    Attributes:
        name: Name of the model or agent.
        suite: The suite.
        protocol: The protocol.
        scores: The score of each output.
        outputs: The outputs, in the order of the scores.
        errors: Samples without a score, which are excluded from all metrics.
        log: The file of the run, if there is one.
        run: The identity of the run: model or agent, options and ``prompt_version``.
    """

    name: str
    suite: Suite[Any]
    protocol: Protocol
    scores: tuple[Score, ...]
    outputs: tuple[str, ...]
    errors: tuple[SampleError, ...] = ()
    log: Path | None = None
    run: Mapping[str, Any] = field(default_factory=dict)

    def __iter__(self) -> Iterator[Score]:
        return iter(self.scores)

    def __len__(self) -> int:
        return len(self.scores)

    @overload
    def __getitem__(self, at: int) -> Score: ...

    @overload
    def __getitem__(self, at: slice) -> tuple[Score, ...]: ...

    def __getitem__(self, at: int | slice) -> Score | tuple[Score, ...]:
        return self.scores[at]

    def __repr__(self) -> str:
        lost = f" of {len(self) + len(self.errors)}" if self.errors else ""
        return (
            f"<Results: {escape(self.name)} on {self.suite.name}, {self.protocol.name} protocol,"
            f" {len(self)}{lost} outputs>"
        )

    @cached_property
    def summary(self) -> dict[str, Any]:
        """The metrics in the published evaluator's schema, as in ``summary.json``."""
        return self.suite.summarise(self.scores)

    @cached_property
    def row(self) -> Row:
        """The metrics of the table, by column, with standard errors."""
        return make_row(self.name, self.suite, self.scores, self.errors)

    def table(self, *others: Results) -> str:
        """Return the table that the command line prints, with additional rows for other results.

        Raises:
            HomebodyError: Others have another suite, protocol or version of the data.
        """
        from rich.console import Console

        for other in others:
            if (other.suite.name, other.protocol) != (self.suite.name, self.protocol):
                raise HomebodyError(
                    f"{other.name} was evaluated on {other.suite.name} under the"
                    f" {other.protocol.name} protocol and cannot be compared"
                )
            if (data := other.suite.tasks.data()) != self.suite.tasks.data():
                versions = ", ".join(f"{name} {version}" for name, version in data.items())
                raise HomebodyError(
                    f"{other.name} was evaluated on other data ({versions}) and cannot be compared"
                )
        text = io.StringIO()
        console = Console(
            file=text,
            width=shutil.get_terminal_size().columns,
            force_jupyter=False,
            color_system=None,  # notebooks set FORCE_COLOR
            markup=False,
            emoji=False,
            highlight=False,
        )
        rows = [self.row, *(other.row for other in others)]
        print_table(rows, self.suite, self.protocol, console)
        lines = [line.rstrip() for line in text.getvalue().strip().splitlines()]
        note = prompt_versions_note((each.name, each.run) for each in (self, *others))
        return "\n".join([*lines, note] if note else lines)

    def __str__(self) -> str:
        return "\n".join([self.table(), *self._notes()])

    def _notes(self) -> list[str]:
        notes = [excluded_note(self.row, self.protocol), failed_note(self.errors, len(self))]
        return [escape(note) for note in notes if note]

    def _repr_html_(self) -> str:
        """Return the transposed table for notebooks, without colours to suit any theme."""
        headers, (line,) = cells([self.row], self.suite)
        rows = "".join(
            f'<tr><td style="{_CELL}; text-align: left">{escape_html(header)}</td>'
            f'<td style="{_CELL}">{escape_html(cell)}</td></tr>'
            for header, cell in zip(headers[1:], line[1:], strict=True)
        )
        notes = "".join(f"<p>{escape_html(note)}</p>" for note in self._notes())
        return (
            f"<div><p>{escape_html(title(self.suite, self.protocol))}</p>"
            '<table style="border-collapse: collapse; font-variant-numeric: tabular-nums">'
            f'<thead><tr style="{_LINE}"><th style="{_CELL}"></th>'
            f'<th style="{_CELL}">{escape_html(line[0])}</th></tr></thead>'
            f"<tbody>{rows}</tbody></table>{notes}</div>"
        )

    def to_pandas(self) -> Any:
        """Return a ``pandas.DataFrame`` with a row per score.

        Its columns are the task's ``id``, the ``epoch``, the record, the metrics and ``output``.

        Raises:
            HomebodyError: pandas is not installed.
        """
        try:
            import pandas  # type: ignore[import-untyped,import-not-found,unused-ignore]
        except ImportError:
            raise HomebodyError("pandas is not installed", "pip install pandas") from None
        rows = [
            {"id": "", "epoch": 0, **score.record, **score.metrics}
            | {"id": score.identifier, "epoch": score.epoch, "output": output}
            for score, output in zip(self.scores, self.outputs, strict=True)
        ]
        return pandas.DataFrame.from_records(rows)

    def save(self, folder: Path | str) -> None:
        """Write the files of ``homebody run --out``.

        They are ``<name>/samples.jsonl``, ``<name>/summary.json``, ``<name>/run.json`` and
        ``<name>_outputs.json``.

        Raises:
            HomebodyError: Results of another run exist, or the folder cannot be written.
        """
        keep_run(
            Path(folder),
            safe_name(self.name),
            self.suite,
            self.scores,
            self.protocol,
            self.errors,
            zip((score.identifier for score in self.scores), self.outputs, strict=True),
            self.run,
        )
