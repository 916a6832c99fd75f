"""Running all checks on a suite."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, Final, TypeVar

import numpy as np

from homebody.core import CORRECTED, HomebodyError, Progress, Suite
from homebody.core.ground.escaping import escape
from homebody.core.ground.progress import ignore_progress
from homebody.core.play.conformance.cases import (
    Check,
    CheckCase,
    NotApplicable,
    describe_error,
    sample_case,
)
from homebody.core.play.conformance.fresh_process import fresh_process_agrees
from homebody.core.play.conformance.report import CheckReport, CheckResult, Violation
from homebody.core.play.conformance.session_checks import SESSION_CHECKS, find_start_error
from homebody.core.play.conformance.suite_checks import OUTPUT_CHECKS, SUITE_CHECKS, TASK_CHECKS

MAX_PROBLEMS: Final = 3
"""Maximum number of problems reported for one check."""
MAX_CALLS: Final = 12
"""Maximum number of calls reported for one problem; the last calls are reported."""
T = TypeVar("T")
_FEWER_STEPS: Final = (0, 1, 2, 3, 5, 8, 13, 21, 34)


def check_suite(
    suite: Suite[Any],
    *,
    tasks: int = 4,
    seed: int = 0,
    settings: Mapping[str, str] | None = None,
    progress: Progress | None = None,
) -> CheckReport:
    """Check whether a suite keeps homebody's rules; see :func:`homebody.api.check_suite`. Each task
    is tried once in its default settings and once in sampled settings."""
    chosen = dict(settings or {})
    suite.check_settings(chosen)
    suite.tasks.prepare(None)
    loaded = suite.tasks.load(CORRECTED)
    if not loaded:
        raise HomebodyError(f"{suite.name} has no tasks")
    some = loaded[:: max(1, len(loaded) // tasks)][:tasks]
    generator = np.random.default_rng(seed)
    usual = [sample_case(suite, [task], generator, settings=chosen) for task in some]
    cases = usual + [sample_case(suite, [task], generator, settings=settings) for task in some]
    roles = () if suite.playing is None else suite.playing.roles  # agents play all of them
    as_set = {name: value for name, value in chosen.items() if name not in roles}
    whole = [replace(case, steps=0, settings=as_set) for case in usual]
    starting, *others = SESSION_CHECKS
    runs = [partial(_check_each, starting, cases)]
    if suite.playing is not None:
        cases = [case for case in cases if not find_start_error(case)]
        whole = [case for case in whole if not find_start_error(case)]
    runs += [partial(_check_each, check, cases) for check in (*others, *OUTPUT_CHECKS)]
    runs += [partial(_check_each, check, whole) for check in TASK_CHECKS]
    runs += [partial(_check_all, check, whole) for check in (*SUITE_CHECKS, fresh_process_agrees)]
    results = []
    for number, run in enumerate(runs):
        (progress or ignore_progress)("checks", number, len(runs))
        results.append(run())
    return CheckReport(suite.name, tuple(results))


def _check_each(check: Check, cases: Sequence[CheckCase]) -> CheckResult:
    problems: dict[str, Violation] = {}
    skipped = ""
    tried = 0
    for case in cases:
        try:
            messages = find_problems(check, case)
        except NotApplicable as error:
            skipped = str(error)
            continue
        tried += 1
        if messages and not problems.keys() & set(messages):
            case, messages = _shorten_case(check, case, messages)
        for message in messages:
            problems.setdefault(message, _make_violation(message, case))
    return _make_result(check, list(problems.values()), f"{tried} cases" if tried else "", skipped)


def _check_all(
    check: Callable[[Sequence[CheckCase]], Iterator[str]], cases: Sequence[CheckCase]
) -> CheckResult:
    try:
        messages = find_problems(check, cases) if cases else []
    except NotApplicable as error:
        return _make_result(check, [], "", str(error))
    tried = f"{len(cases)} tasks" if cases else ""
    return _make_result(check, list(map(Violation, messages)), tried, "")


def _make_result(
    check: Callable[..., object], problems: Sequence[Violation], tried: str, skipped: str
) -> CheckResult:
    rule = " ".join((check.__doc__ or "").split("\n\n")[0].split())
    make = partial(CheckResult, check.__name__, rule)
    if problems:
        count = len(problems)
        why = f"{count} problem{'s' * (count > 1)}"
        return make("failed", why, tuple(problems[:MAX_PROBLEMS]))
    if tried:
        return make("passed", tried)
    return make("skipped", skipped or "no session can be started: see session_starts")


def find_problems(check: Callable[[T], Iterator[str]], cases: T) -> list[str]:
    """Return the problems that a check finds. An exception in the suite's own code is a problem,
    too. Raises NotApplicable."""
    try:
        return list(check(cases))
    except NotApplicable:
        raise
    except Exception as error:  # the suite's own code may raise anything
        return [describe_error(error)]


def _shorten_case(
    check: Check, case: CheckCase, messages: list[str]
) -> tuple[CheckCase, list[str]]:
    """Return a case with fewer steps that also has problems, and its problems."""
    for steps in _FEWER_STEPS:
        if steps >= case.steps:
            break
        shorter = replace(case, steps=steps)
        if found := find_problems(check, shorter):
            return shorter, found
    return case, messages


def _make_violation(message: str, case: CheckCase) -> Violation:
    try:
        entries = case.play().transcript().entries[-MAX_CALLS:]
    except Exception:  # this is the problem, or the suite has no sessions
        entries = ()
    calls = tuple(f"{entry.clock} {entry.role}: {escape(entry.call, 100)}" for entry in entries)
    identifier = str(case.suite.tasks.identify(case.task))
    return Violation(message, identifier, dict(case.settings), case.seed, case.steps, calls)
