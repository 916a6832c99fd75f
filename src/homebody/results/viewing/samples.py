"""Documents of samples: all samples of a run by column, and one sample with all details.

Texts of models, tasks and files are untrusted: invisible characters are escaped, long strings are
cut and non-finite numbers are dropped.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal, TypeAlias

from homebody.core import HomebodyError, Suite
from homebody.core.ground.escaping import escape
from homebody.core.play.conversation import STOP_REASON
from homebody.core.play.failures import KEY as LABELS
from homebody.core.play.failures import read_labels
from homebody.core.play.transcript import decode
from homebody.results.viewing.runs import Run, key_of

Verdict: TypeAlias = Literal["success", "partial", "failure", "left out", "error"]
VERDICTS: Final[tuple[Verdict, ...]] = ("success", "partial", "failure", "left out", "error")
SHARES: Final = ("progress", "percent_complete", "f1")
"""Keys of records for partial success. If a record has several, the first one counts."""
_ALL_OF: Final = re.compile(r"\ball \d+ ")
"""Pattern of a number in an ending. It is replaced, so that "all 24 actions ..." and "all 60
actions ..." are the same problem."""
MAX_TEXT: Final = 50_000
"""Maximum characters of a string in a sample's document."""
MAX_LINE: Final = 2_000
"""Maximum characters of a string in the list of samples."""
MAX_STEPS: Final = 2_000
"""Maximum number of listed steps."""
_APART: Final = frozenset(
    {
        *("identifier", "epoch", "protocol", "explanation", "instruction", "plan", "usage"),
        *("cluster", "metrics", "error", "met", "conditions", "predicates", "trajectory"),
        LABELS,
    }
)
"""Keys of records that are shown outside the list of other keys."""


def safe(value: Any, most: int = MAX_TEXT) -> Any:
    """Return a JSON value that is safe to show; see the module's docstring."""
    if isinstance(value, str):
        return escape(value, most, lines=True)
    if isinstance(value, Mapping):
        return {escape(key, 200): safe(each, most) for key, each in value.items()}
    if isinstance(value, Sequence):
        return [safe(each, most) for each in value]
    if isinstance(value, float) and not math.isfinite(value):
        return None
    return value if value is None or isinstance(value, bool | int | float) else escape(value, most)


def share_of(record: Mapping[str, Any]) -> float | None:
    """Return an output's partial success in [0, 1]; None if unknown."""
    for key in (*SHARES, "success"):
        value = record.get(key)
        if isinstance(value, int | float) and math.isfinite(value):
            return min(1.0, max(0.0, float(value)))
    return None


def verdict_of(record: Mapping[str, Any]) -> Verdict:
    """Return a sample's verdict. It is "partial" if only a part of the goal was met."""
    if "error" in record:
        return "error"
    if record.get("valid") is False:
        return "left out"
    share = share_of(record) or 0.0
    success = record.get("success")
    if success is True or (not isinstance(success, bool) and share == 1):
        return "success"
    return "partial" if share > 0 else "failure"


def problems_of(suite: Suite[Any], record: Mapping[str, Any]) -> Iterator[str]:
    """Yield the problems of a sample, in its suite's terms."""
    if "error" in record:
        error = record["error"] if isinstance(record["error"], Mapping) else {}
        yield str(error.get("kind", "error")).replace("_", " ")
        return
    kind = record.get("error_type")
    if isinstance(kind, str) and kind:
        yield kind.replace("_", " ")
    for header, key in suite.reporting.tallies.items():
        number = record.get(key)
        if isinstance(number, int) and number > 0:
            yield header.lower()
    labels = read_labels(record)
    yield from labels
    ending, reason = record.get("ending"), record.get(STOP_REASON)
    failed = record.get("success") is False and not labels  # labels say how it ended
    if isinstance(ending, str) and ending and failed:
        yield f"ended: {_ALL_OF.sub('all ', ending)}"
    if reason in ("max_tokens", "refused", "empty"):
        yield {"max_tokens": "answer cut off"}.get(reason, f"answer {reason}")
    if record.get("deviations"):
        yield "off format"


def instruction_of(run: Run, record: Mapping[str, Any]) -> str:
    """Return a task's instruction in one line."""
    instruction = record.get("instruction")
    if isinstance(instruction, str) and instruction:
        return instruction
    task = run.tasks.get(record["identifier"])
    if task is not None:
        return run.suite.tasks.describe(task)
    return str(record.get("task") or record["identifier"])


@dataclass(frozen=True, slots=True)
class _Words:
    """A column with a table of its distinct words."""

    words: list[str]
    at: list[int | list[int]]

    @classmethod
    def of(cls, values: Iterable[str | tuple[str, ...]]) -> _Words:
        known: dict[str, int] = {}

        def number(word: str) -> int:
            return known.setdefault(escape(word, MAX_LINE), len(known))

        at: list[int | list[int]] = [
            number(value) if isinstance(value, str) else [number(word) for word in value]
            for value in values
        ]
        return cls(list(known), at)

    def json(self) -> dict[str, Any]:
        return {"words": self.words, "at": self.at}


def columns(run: Run) -> dict[str, Any]:
    """Return the document ``data/samples/<run>.json``: all samples of a run by column."""
    records = run.records
    return {
        "run": run.id,
        "suite": run.suite.name,
        "model": run.name,
        "protocol": run.protocol.name,
        "task": [escape(each["identifier"], 200) for each in records],
        "epoch": [each["epoch"] for each in records],
        "verdict": [VERDICTS.index(verdict_of(each)) for each in records],
        "share": [_round_share(share_of(each)) for each in records],
        "problems": _Words.of(
            tuple(dict.fromkeys(problems_of(run.suite, each))) for each in records
        ).json(),
        "cluster": _Words.of(cluster_of(each) for each in records).json(),
        "instruction": _Words.of(instruction_of(run, each) for each in records).json(),
        "explanation": [escape(explanation_of(each), MAX_LINE) for each in records],
        "tokens": [_tokens(each) for each in records],
    }


def _round_share(share: float | None) -> float | None:
    return None if share is None else round(share, 4)


def cluster_of(record: Mapping[str, Any]) -> str:
    """Return a task's cluster; empty if unknown."""
    found = record.get("cluster", record.get("task", record.get("category", "")))
    return found if isinstance(found, str) else ""


def explanation_of(record: Mapping[str, Any]) -> str:
    """Return the explanation of a sample's score or error."""
    error = record.get("error")
    if isinstance(error, Mapping):
        return str(error.get("reason", ""))
    return str(record.get("explanation", ""))


def _tokens(record: Mapping[str, Any]) -> int | None:
    """Return a sample's total tokens; None if unknown."""
    usage = record.get("usage")
    if not isinstance(usage, Mapping):
        return None
    found = [
        value
        for key, value in usage.items()
        if key in ("input_tokens", "output_tokens") and isinstance(value, int)
    ]
    return sum(found) if found else None


def sample_document(run: Run, number: int) -> dict[str, Any]:
    """Return the document ``data/sample/<run>/<number>.json`` with all details of a sample.

    Args:
        run: The run.
        number: Index of the sample, from 0.
    """
    record = run.records[number]
    key = key_of(record)
    answer = run.outputs.get(key)
    error = record.get("error")
    trace = _trace(record, answer)
    return {
        "run": run.id,
        "number": number,
        "suite": run.suite.name,
        "model": run.name,
        "protocol": run.protocol.name,
        "task": escape(key[0], 200),
        "epoch": key[1],
        "verdict": verdict_of(record),
        "share": share_of(record),
        "problems": safe(list(dict.fromkeys(problems_of(run.suite, record)))),
        "cluster": safe(cluster_of(record)),
        "instruction": safe(instruction_of(run, record)),
        "messages": _messages(run, record),
        "logged": key in run.messages,
        "answer": None if answer is None or trace["played"] else safe(answer),
        "trace": safe(trace["steps"]),
        "conditions": safe(_conditions(run.suite, record)),
        "explanation": safe(explanation_of(record)),
        "labels": safe(_explain_labels(run.suite, record)),
        "error": safe(error) if isinstance(error, Mapping) else None,
        "usage": safe(record.get("usage") or {}),
        "record": safe({k: v for k, v in record.items() if k not in _APART}),
    }


def _explain_labels(suite: Suite[Any], record: Mapping[str, Any]) -> list[list[str]]:
    """Return the labels of a failed run, each with its rule in words."""
    known = () if suite.playing is None else suite.playing.analysis.all
    meanings = {label.name: label.meaning for label in known}
    return [[label, meanings.get(label, "")] for label in read_labels(record)]


def _messages(run: Run, record: Mapping[str, Any]) -> list[dict[str, str]]:
    """Return a sample's messages from the log, otherwise the suite's first query."""
    key = key_of(record)
    if key in run.messages:
        return [{"role": m.role, "text": safe(m.text)} for m in run.messages[key]]
    task, prompting = run.tasks.get(key[0]), run.suite.prompting
    if task is None or prompting is None:
        return []
    try:
        query = (("system", prompting.system()), ("user", prompting.prompt(task)))
    except HomebodyError:  # its data is not stored
        return []
    return [{"role": role, "text": safe(text)} for role, text in query if text]


def _trace(record: Mapping[str, Any], answer: str | None) -> dict[str, Any]:
    """Return the steps of an output, and whether it is a transcript."""
    try:
        entries = decode(answer).entries if answer is not None else ()
    except HomebodyError:
        entries = ()
    if entries:
        steps = [
            {"clock": each.clock, "role": each.role, "call": each.call}
            for each in entries[:MAX_STEPS]
        ]
        return {"played": True, "steps": steps}
    plan = record.get("plan")
    listed = plan if isinstance(plan, list) else []
    failed, kind = record.get("error_step"), record.get("error_type")
    made: list[dict[str, Any]] = []
    for number, call in enumerate(listed[:MAX_STEPS], 1):
        step: dict[str, Any] = {"call": str(call)}
        if isinstance(failed, int) and number >= failed:
            step["problem"] = str(kind or "").replace("_", " ") if number == failed else "not tried"
        made.append(step)
    return {"played": False, "steps": made}


def _conditions(suite: Suite[Any], record: Mapping[str, Any]) -> list[list[Any]]:
    """Return the goal conditions and whether they are met; otherwise counts per kind."""
    try:
        conditions = [[str(text), bool(met)] for text, met in suite.viewing.conditions(record)]
    except (AttributeError, LookupError, TypeError, ValueError):  # the file was edited
        conditions = []
    counted = record.get("goals_met")
    if conditions or not isinstance(counted, Mapping):
        return conditions
    return [
        [f"{pair[0]:g} of {pair[1]:g} {kind} goals", pair[0] == pair[1]]
        for kind, pair in counted.items()
        if isinstance(pair, list)
        and len(pair) == 2
        and all(isinstance(number, int | float) for number in pair)
        and pair[1]
    ]
