"""Records of a model's drafts, one line each in a :mod:`~homebody.core.ground.journal`.

Outputs cost time and money and cannot be reproduced, so each line is written to disk before the
next draft. The files of episodes and counts are computed from the lines.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Final

import msgspec

from homebody.authoring.partnr import shards
from homebody.authoring.partnr.counts import GenerationPlan, Report, Tally, sort_counts
from homebody.core import HomebodyError
from homebody.core.ground import journal
from homebody.core.ground.json_lines import decode_record
from homebody.core.ground.nesting import MAX_DEPTH
from homebody.core.ground.shards import write_json
from homebody.goals.partnr import EvaluationError, read_episode
from homebody.suites.partnr.episodes import files
from homebody.suites.partnr.episodes.kinds import kinds


class DraftRecord(msgspec.Struct, frozen=True, omit_defaults=True):
    """The result of a draft, a line of ``drafts.jsonl``.

    Attributes:
        scene: The house.
        kind: The requested type of task, if any.
        instruction: The model's instruction; empty if it could not be read.
        calls: Number of queries since the draft before it was finished.
        seconds: Time, mostly spent on waiting for the model.
        failure: The failure mode; empty for an episode.
        why: The reason for the rejection.
        findings: The failure modes that rules found in it.
        index: Index of the episode.
        episode: The episode.
    """

    scene: int
    kind: str = ""
    instruction: str = ""
    calls: int = 0
    seconds: float = 0.0
    failure: str = ""
    why: str = ""
    findings: tuple[str, ...] = ()
    index: int = -1
    episode: dict[str, Any] | None = None


FORMAT: Final[journal.JournalFormat[Any, DraftRecord]] = journal.JournalFormat(
    "partnr-drafts",
    1,
    dict,
    journal.decoder(DraftRecord, MAX_DEPTH),
    again="generate into another folder",
    bare=True,
)


@dataclass(frozen=True, slots=True)
class PromptingReport(Report):
    """The report of a generation by a model.

    Attributes:
        calls: Number of queries for finished drafts.
        findings: Failure mode -> number of findings by rules; a draft may have several.
        reproducible: Always False: a model would write something else.
    """

    calls: int = 0
    findings: dict[str, int] = field(default_factory=dict)
    reproducible: bool = False


def read_finished(out: Path, plan: GenerationPlan) -> PromptingReport | None:
    """Return the report of a folder if it has everything that a plan requests, else None."""
    try:
        report = decode_record((out / "report.json").read_bytes(), PromptingReport)
    except (OSError, ValueError):
        return None
    full = report.counts.episodes == plan.episodes and (out / "episodes.jsonl.gz").exists()
    return report if full and report.plan == plan else None


def read_outcomes(path: Path) -> Iterator[DraftRecord]:
    """Yield the lines of a file. Raises HomebodyError if one is damaged."""
    return journal.read(path, FORMAT)[1]


def write(out: Path, plan: GenerationPlan) -> PromptingReport:
    """Write ``episodes.jsonl.gz`` and ``report.json`` from the lines of ``drafts.jsonl``. Without
    lines, remove all files. Raises HomebodyError if a line is damaged."""
    path = out / "drafts.jsonl"
    lines: dict[int, bytes] = {}
    houses: dict[int, list[int]] = {}
    tally = Tally()
    findings: Counter[str] = Counter()
    calls, seconds = 0, 0.0
    for record in read_outcomes(path):
        calls, seconds = calls + record.calls, seconds + record.seconds
        findings.update(record.findings)
        if record.episode is None:
            tally.reject({record.failure: 1}, (record.kind,) if record.kind else ())
            continue
        try:
            episode = read_episode(record.episode)
        except EvaluationError as error:
            raise HomebodyError(f"{path}, episode {record.index}: {error}") from None
        if record.index not in lines:
            lines[record.index] = files.encode(episode)
            houses.setdefault(record.scene, []).append(record.index)
            tally.of_kind.update(sorted(kinds(episode.evaluation)))
    counts = tally.counts(len(lines), seconds, shards.megabytes())
    report = PromptingReport(plan, len(houses), counts, calls, sort_counts(findings))
    if not lines and not tally.rejected:
        for name in ("drafts.jsonl", "manifest.json"):
            (out / name).unlink(missing_ok=True)
        return report
    with files.open_whole(out / "episodes.jsonl.gz") as file:
        for index in _in_turn(plan.split, houses):
            file.write(lines[index] + b"\n")
    write_json(out / "report.json", asdict(report))
    return report


def _in_turn(split: str, houses: Mapping[int, list[int]]) -> list[int]:
    """Return the order of episodes in a file: house after house in train. In val and test houses
    alternate, so that the first episodes cover all houses."""
    each = [sorted(indices) for _, indices in sorted(houses.items())]
    if split == "train":
        return [index for indices in each for index in indices]
    placed = [
        (place, own, i) for own, indices in enumerate(each) for place, i in enumerate(indices)
    ]
    return [index for _, _, index in sorted(placed)]
