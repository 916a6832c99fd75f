"""All documents of some runs, made when they are asked for: what the page shows, however it is
served."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from homebody.results.viewing.overview import overview
from homebody.results.viewing.runs import Run
from homebody.results.viewing.samples import columns, sample_document, verdict_of


@dataclass(frozen=True)
class Documents:
    """The documents of runs, by their paths.

    Attributes:
        runs: That are shown.
        name: What the page is called.
        papers: Whether suites have a table of which only published rows are there.
        live: Whether more is to come.
    """

    runs: tuple[Run, ...]
    name: str = ""
    papers: bool = False
    live: bool = False

    @cached_property
    def by_id(self) -> dict[str, Run]:
        """The runs by their ids."""
        return {run.id: run for run in self.runs}

    @cached_property
    def overview(self) -> dict[str, Any]:
        """``data/runs.json``."""
        return overview(self.runs, papers=self.papers, live=self.live, name=self.name)

    def columns(self, run: str) -> dict[str, Any]:
        """``data/samples/<run>.json``. Raises KeyError if there is no such run."""
        return columns(self.by_id[run])

    def sample(self, run: str, number: int) -> dict[str, Any]:
        """``data/sample/<run>/<number>.json``. Raises KeyError or IndexError if there is none."""
        if number < 0:
            raise IndexError(number)
        return sample_document(self.by_id[run], number)

    def chosen(self, most: int, tasks: Sequence[str] = ()) -> Iterator[tuple[str, int]]:
        """Run and number of the samples that are worth their details: of each run so many, those
        that were no success first; or all samples of some tasks."""
        for run in self.runs:
            if tasks:
                numbers = [n for n, each in enumerate(run.records) if each["identifier"] in tasks]
            else:
                ended = [verdict_of(each) == "success" for each in run.records]
                numbers = sorted(range(len(ended)), key=lambda n: ended[n])[:most]
            for number in sorted(numbers):
                yield run.id, number

    def details(self, samples: Iterable[tuple[str, int]]) -> Iterator[tuple[str, Any]]:
        """The documents of samples, by their paths."""
        for run, number in samples:
            yield f"data/sample/{run}/{number}.json", self.sample(run, number)

    def all_of_runs(self) -> Iterator[tuple[str, dict[str, Any]]]:
        """The documents without details, by their paths."""
        yield "data/runs.json", self.overview
        for run in self.runs:
            yield f"data/samples/{run.id}.json", self.columns(run.id)


def written(document: Any) -> str:
    """A document as JSON."""
    return json.dumps(document, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
