"""Compares a suite with itself in a new process, where sets and hashes have another order."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import redirect_stdout
from dataclasses import replace
from typing import Any, Final

import orjson

from homebody.core import CORRECTED, Suite
from homebody.core.ground.escaping import escape
from homebody.core.ground.importing import find_import, import_object
from homebody.core.play.conformance.cases import (
    MAX_STEPS,
    CheckCase,
    NotApplicable,
    find_difference,
    read_score,
    snapshot,
    take_step,
)

COMPARED_STEPS: Final = 12
"""Number of steps of each session that are compared."""


def fresh_process_agrees(cases: Sequence[CheckCase]) -> Iterator[str]:
    """Prompts, observations, options and scores are the same in a new process, where sets and
    hashes have another order."""
    suite = cases[0].suite
    place = find_import(suite)
    if place is None:
        raise NotApplicable("a fresh process cannot import the suite: put it into a module")
    requests = []
    for case in cases:
        output = replace(case, steps=MAX_STEPS).make_any_output()
        identifier = suite.tasks.identify(case.task)
        requests.append((identifier, dict(case.settings), case.seed, output))
    hashing = "2" if os.environ.get("PYTHONHASHSEED") == "1" else "1"
    fresh = subprocess.run(
        [sys.executable, "-c", f"from {__name__} import print_shown; print_shown()"],
        input=orjson.dumps([place, requests]),
        capture_output=True,
        env={**os.environ, "PYTHONHASHSEED": hashing, "PYTHONPATH": os.pathsep.join(sys.path)},
    )
    if fresh.returncode:
        reason = fresh.stderr.decode(errors="replace").strip().rpartition("\n")[2]
        yield f"a fresh process cannot use {place[1]} of {place[0]}: {escape(reason, 300)}"
        return
    for request, there in zip(requests, orjson.loads(fresh.stdout), strict=True):
        if found := find_difference(_show(suite, *request), there):
            yield (
                f"task {request[0]}: in a fresh process {found}: sort what comes out of a set, and"
                " depend on no hash, time or global state"
            )


def print_shown() -> None:
    """Print what :func:`fresh_process_agrees` compares for the requests on standard input."""
    place, requests = orjson.loads(sys.stdin.buffer.read())
    with redirect_stdout(sys.stderr):  # suites may print
        suite: Suite[Any] = import_object(*place)
        suite.tasks.prepare(None)
        shown_here = [_show(suite, *request) for request in requests]
    sys.stdout.buffer.write(orjson.dumps(shown_here))


def _show(
    suite: Suite[Any], identifier: str, settings: dict[str, str], seed: int, output: str
) -> dict[str, str]:
    """Return the prompt of a task, the observations of a random session, and the scores of an
    output."""
    case = CheckCase(suite, suite.task(identifier, CORRECTED), settings, seed)
    shown_here: dict[str, Any] = {"the description": suite.tasks.describe(case.task)}
    if suite.prompting is not None:
        task = suite.prompting.set_to(case.task, settings)
        shown_here["the prompt"] = suite.prompting.text(task)
    if suite.playing is not None:
        session, generator = case.start(), case.generator
        for number in range(COMPARED_STEPS):
            for name, value in snapshot(session).items():
                shown_here[f"{name} after {number} steps"] = value
            take_step(session, generator)
    for protocol in case.protocols:
        score = suite.score(suite.task(identifier, protocol), output, protocol)
        shown_here[f"the order of the record by {protocol.name}"] = list(score.record)
        for name, value in read_score(score).items():
            shown_here[f"{name} by {protocol.name}"] = value
    return {name: repr(value) for name, value in shown_here.items()}
