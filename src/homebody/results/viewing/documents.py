"""The documents of the page. They are made on demand."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from homebody.results.viewing.overview import overview
from homebody.results.viewing.replays import (
    SCENES,
    ShownReplay,
    make_replay,
    replies_by_role,
    shown_replay,
)
from homebody.results.viewing.runs import Run, key_of
from homebody.results.viewing.samples import columns, sample_document, verdict_of
from homebody.results.viewing.symbolic import symbolic_replay


@dataclass(frozen=True)
class Documents:
    """The documents of runs, by their paths.

    Attributes:
        runs: The runs to show.
        name: Title of the page.
        papers: True if suites without a run have a table of published rows.
        live: True if runs may grow.
    """

    runs: tuple[Run, ...]
    name: str = ""
    papers: bool = False
    live: bool = False

    @cached_property
    def by_id(self) -> dict[str, Run]:
        """The runs by id."""
        return {run.id: run for run in self.runs}

    @cached_property
    def overview(self) -> dict[str, Any]:
        """``data/runs.json``."""
        return overview(self.runs, papers=self.papers, live=self.live, name=self.name)

    def columns(self, run: str) -> dict[str, Any]:
        """Return ``data/samples/<run>.json``. Raises KeyError if there is no such run."""
        return columns(self.by_id[run])

    def sample(self, run: str, number: int) -> dict[str, Any]:
        """Return ``data/sample/<run>/<number>.json``. Raises KeyError or IndexError if missing."""
        if number < 0:
            raise IndexError(number)
        replay = self.can_be_replayed(run, number)
        return {**sample_document(self.by_id[run], number), "replay": replay}

    def select_samples(self, most: int, tasks: Sequence[str] = ()) -> Iterator[tuple[str, int]]:
        """Yield run and number of the samples to show in detail.

        These are ``most`` samples per run, failures first, or all samples of ``tasks``.
        """
        for run in self.runs:
            if tasks:
                numbers = [n for n, each in enumerate(run.records) if each["identifier"] in tasks]
            else:
                ended = [verdict_of(each) == "success" for each in run.records]
                numbers = sorted(range(len(ended)), key=lambda n: ended[n])[:most]
            for number in sorted(numbers):
                yield run.id, number

    def details(
        self, samples: Iterable[tuple[str, int]], replays: int = 0
    ) -> Iterator[list[tuple[str, Any]]]:
        """Yield each sample's documents by path.

        The first ``replays`` samples of a run include their replay, and the files that the replay
        names unless an earlier sample includes them.
        """
        played: Counter[str] = Counter()
        scenes: set[str] = set()
        for run, number in samples:
            is_shown = played[run] < replays
            made = self.replay(run, number, beforehand=True) if is_shown else None
            sample = {**self.sample(run, number), "replay": made is not None}
            documents: list[tuple[str, Any]] = [(f"data/sample/{run}/{number}.json", sample)]
            if made is not None:
                played[run] += 1
                folder = f"data/replay/{run}/{number}"
                documents += [
                    (f"{folder}.json", made.document),
                    *((f"{folder}/{name}", make()) for name, make in made.pictures.items()),
                    *(
                        (f"{SCENES}/{name}", content)
                        for name, content in made.scenes.items()
                        if name not in scenes
                    ),
                ]
                scenes |= made.scenes.keys()
            yield documents

    def can_be_replayed(self, run: str, number: int) -> bool:
        """Return whether a sample was played and its output and task are available."""
        of = self.by_id[run]
        record = of.records[number]
        is_known = key_of(record) in of.outputs and record["identifier"] in of.tasks
        shows = of.suite.playing is not None or of.suite.viewing.trace is not None
        return is_known and shows and verdict_of(record) not in ("error", "left out")

    def replay(self, run: str, number: int, beforehand: bool = False) -> ShownReplay | None:
        """Return ``data/replay/<run>/<number>.json`` and the files that it names; None if missing.

        Args:
            run: Id of the run.
            number: Number of the sample.
            beforehand: True to render the files at once.

        Raises:
            KeyError: There is no such run.
            IndexError: There is no such sample.
        """
        if number < 0:
            raise IndexError(number)
        if not self.can_be_replayed(run, number):
            return None
        of = self.by_id[run]
        key = key_of(of.records[number])
        task, output = of.tasks[key[0]], of.outputs[key]
        if of.suite.playing is None:
            document = symbolic_replay(of.suite, task, output, of.protocol)
            return None if document is None else ShownReplay(document, {}, {})
        said = replies_by_role(of.messages.get(key, ()))
        made = make_replay(of.suite, task, output, of.protocol, said)
        return None if made is None else shown_replay(made, beforehand)

    def all_of_runs(self) -> Iterator[tuple[str, dict[str, Any]]]:
        """Yield the documents without details, by path."""
        yield "data/runs.json", self.overview
        for run in self.runs:
            yield f"data/samples/{run.id}.json", self.columns(run.id)


def to_json(document: Any) -> str:
    """Return a document as JSON."""
    return json.dumps(document, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
