"""Samples as documents: all of a run by column, to be listed and filtered, and one with all that is
known of it.

What models, tasks and files say is hostile. Here what does not show is written out, long texts are
cut and numbers that JSON lacks are left out; the page shows text as text.
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
from homebody.core.play.transcript import decode
from homebody.results.viewing.runs import Run, key_of

Verdict: TypeAlias = Literal["success", "partial", "failure", "left out", "error"]
VERDICTS: Final[tuple[Verdict, ...]] = ("success", "partial", "failure", "left out", "error")
SHARES: Final = ("progress", "percent_complete", "f1")
"""Keys of records that say how far an output got, the first that is there."""
_ALL_OF: Final = re.compile(r"\ball \d+ ")
"""Of an ending: "all 24 actions are used up" and "all 60 actions ..." are one problem."""
MAX_TEXT: Final = 50_000
"""Characters of a text in the document of a sample."""
MAX_LINE: Final = 2_000
"""Characters of a text in the list of samples."""
MAX_STEPS: Final = 2_000
"""Of what was done, that are listed."""
_APART: Final = frozenset(
    {
        *("identifier", "epoch", "protocol", "explanation", "instruction", "plan", "usage"),
        *("cluster", "metrics", "error", "met", "conditions", "predicates", "trajectory"),
    }
)
"""Keys of records that are shown elsewhere than in the list of the others."""


def safe(value: Any, most: int = MAX_TEXT) -> Any:
    """A value of JSON as it can be shown: see the module."""
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
    """How far an output got, in [0, 1]; None if its record does not say."""
    for key in (*SHARES, "success"):
        value = record.get(key)
        if isinstance(value, int | float) and math.isfinite(value):
            return min(1.0, max(0.0, float(value)))
    return None


def verdict_of(record: Mapping[str, Any]) -> Verdict:
    """How a sample ended: success if all that was asked was done, partial if some of it was."""
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
    """What went wrong in a sample, in the words of its suite; several things may have."""
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
    ending, reason = record.get("ending"), record.get(STOP_REASON)
    if isinstance(ending, str) and ending and record.get("success") is False:
        yield f"ended: {_ALL_OF.sub('all ', ending)}"
    if reason in ("max_tokens", "refused", "empty"):
        yield {"max_tokens": "answer cut off"}.get(reason, f"answer {reason}")
    if record.get("deviations"):
        yield "off format"


def instruction_of(run: Run, record: Mapping[str, Any]) -> str:
    """What was asked for, in a line."""
    told = record.get("instruction")
    if isinstance(told, str) and told:
        return told
    task = run.tasks.get(record["identifier"])
    if task is not None:
        return run.suite.tasks.describe(task)
    return str(record.get("task") or record["identifier"])


@dataclass(frozen=True, slots=True)
class _Words:
    """A column whose words are said once."""

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
    """All samples of a run by column: the document ``data/samples/<run>.json``."""
    records = run.records
    return {
        "run": run.id,
        "suite": run.suite.name,
        "model": run.name,
        "protocol": run.protocol.name,
        "task": [escape(each["identifier"], 200) for each in records],
        "epoch": [each["epoch"] for each in records],
        "verdict": [VERDICTS.index(verdict_of(each)) for each in records],
        "share": [_rounded(share_of(each)) for each in records],
        "problems": _Words.of(
            tuple(dict.fromkeys(problems_of(run.suite, each))) for each in records
        ).json(),
        "cluster": _Words.of(cluster_of(each) for each in records).json(),
        "instruction": _Words.of(instruction_of(run, each) for each in records).json(),
        "explanation": [escape(explanation_of(each), MAX_LINE) for each in records],
        "tokens": [_tokens(each) for each in records],
    }


def _rounded(share: float | None) -> float | None:
    return None if share is None else round(share, 4)


def cluster_of(record: Mapping[str, Any]) -> str:
    """What a task shares with others; empty if its record does not say."""
    found = record.get("cluster", record.get("task", record.get("category", "")))
    return found if isinstance(found, str) else ""


def explanation_of(record: Mapping[str, Any]) -> str:
    """Why a sample ended as it did."""
    error = record.get("error")
    if isinstance(error, Mapping):
        return str(error.get("reason", ""))
    return str(record.get("explanation", ""))


def _tokens(record: Mapping[str, Any]) -> int | None:
    """All tokens that a sample took, if its record says."""
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
    """All that is known of a sample: the document ``data/sample/<run>/<number>.json``.

    Args:
        run: Which has it.
        number: Its place in the columns, from 0.
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
        "error": safe(error) if isinstance(error, Mapping) else None,
        "usage": safe(record.get("usage") or {}),
        "record": safe({k: v for k, v in record.items() if k not in _APART}),
    }


def _messages(run: Run, record: Mapping[str, Any]) -> list[dict[str, str]]:
    """What was asked and said as the log has it; else what the suite asks first."""
    key = key_of(record)
    if key in run.messages:
        return [{"role": m.role, "text": safe(m.text)} for m in run.messages[key]]
    task, prompting = run.tasks.get(key[0]), run.suite.prompting
    if task is None or prompting is None:
        return []
    try:
        asked = (("system", prompting.system()), ("user", prompting.prompt(task)))
    except HomebodyError:  # what it is made of is not here
        return []
    return [{"role": role, "text": safe(text)} for role, text in asked if text]


def _trace(record: Mapping[str, Any], answer: str | None) -> dict[str, Any]:
    """What was done, step by step, and whether the answer is a transcript."""
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
    """What was to be met, and whether it was; of who says no more, how many of each kind."""
    try:
        told = [[str(text), bool(met)] for text, met in suite.viewing.conditions(record)]
    except (AttributeError, LookupError, TypeError, ValueError):  # somebody has edited the file
        told = []
    counted = record.get("goals_met")
    if told or not isinstance(counted, Mapping):
        return told
    return [
        [f"{pair[0]:g} of {pair[1]:g} {kind} goals", pair[0] == pair[1]]
        for kind, pair in counted.items()
        if isinstance(pair, list)
        and len(pair) == 2
        and all(isinstance(number, int | float) for number in pair)
        and pair[1]
    ]
