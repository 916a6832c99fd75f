"""Requests for episodes, and counts of accepted and rejected drafts.

Rejected drafts are counted by the failure modes of the PARTNR paper's table 8.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from homebody.core import HomebodyError
from homebody.core.ground.json_lines import decode_record


@dataclass(frozen=True, slots=True)
class GenerationPlan:
    """A request for episodes. ``author`` names the author of drafts in the manifest."""

    split: str
    episodes: int
    seed: int = 0
    author: str = "grammar"


@dataclass(frozen=True, slots=True)
class Counts:
    """Numbers of accepted and rejected drafts.

    Attributes:
        episodes: Number of accepted drafts.
        rejected: Failure mode -> number of drafts.
        of_kind: Type of task -> number of accepted episodes.
        rejected_of_kind: Type of task -> failure mode -> number of drafts rejected before an
            episode of that type was accepted. This is comparable to the paper's table 8, because
            unreadable drafts have no type of their own.
        seconds: Working time, summed over workers.
        megabytes: Peak memory of a worker.
    """

    episodes: int = 0
    rejected: dict[str, int] = field(default_factory=dict)
    of_kind: dict[str, int] = field(default_factory=dict)
    rejected_of_kind: dict[str, dict[str, int]] = field(default_factory=dict)
    seconds: float = 0.0
    megabytes: float = 0.0

    @property
    def acceptance(self) -> float:
        """The share of drafts that became episodes."""
        drafts = self.episodes + sum(self.rejected.values())
        return self.episodes / drafts if drafts else 0.0


@dataclass(frozen=True, slots=True)
class ShardCounts:
    """Counts of a shard's drafts, and the sha256 of the file of its episodes."""

    counts: Counts
    sha256: str


@dataclass(frozen=True, slots=True)
class Report:
    """A finished generation: the plan, the number of houses, and the counts of all shards."""

    plan: GenerationPlan
    houses: int
    counts: Counts


def read_report(path: Path) -> Report:
    """Read a report. Raises HomebodyError if the file is not a report."""
    try:
        return decode_record(path.read_bytes(), Report)
    except ValueError as error:
        raise HomebodyError(
            f"{path} is not a report of generated episodes: {error}",
            "run the same command with another folder",
        ) from None


def read_counts(path: Path) -> ShardCounts:
    """Read the counts of a shard. Raises HomebodyError if they are damaged, and OSError."""
    try:
        return decode_record(path.read_bytes(), ShardCounts)
    except ValueError as error:
        raise HomebodyError(f"{path} is damaged: {error}") from None


class Tally:
    """Running counts of accepted and rejected drafts, for :class:`Counts`.

    Attributes:
        rejected: Failure mode -> number of drafts.
        of_kind: Type of task -> number of accepted episodes.
        rejected_of_kind: Type of task -> failure mode -> number of drafts.
    """

    def __init__(self) -> None:
        self.rejected: Counter[str] = Counter()
        self.of_kind: Counter[str] = Counter()
        self.rejected_of_kind: dict[str, Counter[str]] = {}

    def reject(self, failures: Mapping[str, int], kinds: Iterable[str]) -> None:
        """Count rejected drafts of episodes of these types."""
        self.rejected.update(failures)
        for kind in kinds:
            self.rejected_of_kind.setdefault(kind, Counter()).update(failures)

    def add(self, counts: Counts) -> None:
        """Add the counts of a shard."""
        self.rejected.update(counts.rejected)
        self.of_kind.update(counts.of_kind)
        for kind, failures in counts.rejected_of_kind.items():
            self.rejected_of_kind.setdefault(kind, Counter()).update(failures)

    def counts(self, episodes: int, seconds: float, megabytes: float) -> Counts:
        """Return all counts, sorted by name."""
        return Counts(
            episodes,
            sort_counts(self.rejected),
            sort_counts(self.of_kind),
            {
                kind: sort_counts(self.rejected_of_kind[kind])
                for kind in sorted(self.rejected_of_kind)
            },
            round(seconds, 3),
            megabytes,
        )


def sum_counts(shards: Sequence[Counts]) -> Counts:
    """Return the sum of several shards' counts."""
    tally = Tally()
    for counts in shards:
        tally.add(counts)
    return tally.counts(
        sum(counts.episodes for counts in shards),
        sum(counts.seconds for counts in shards),
        max(counts.megabytes for counts in shards),
    )


def sort_counts(counts: Mapping[str, int]) -> dict[str, int]:
    """Return counts sorted by name, as a plain dictionary."""
    return {str(name): counts[name] for name in sorted(counts)}
