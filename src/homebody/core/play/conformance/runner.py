"""Running all checks on a suite, and the report."""

from __future__ import annotations

import os
import subprocess
import sys
import traceback
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from functools import partial
from typing import Any, Final, Literal, TypeAlias

import numpy as np
import orjson

from homebody.core.ground.escaping import escape
from homebody.core.ground.importing import find_import, import_object
from homebody.core.ground.progress import Progress, ignore_progress
from homebody.core.ground.user_errors import HomebodyError
from homebody.core.play.conformance.cases import (
    MAX_STEPS,
    Check,
    CheckCase,
    NotApplicable,
    cut,
    draw_case,
)
from homebody.core.play.conformance.session_checks import SESSION_CHECKS
from homebody.core.play.conformance.suite_checks import (
    OUTPUT_CHECKS,
    SUITE_CHECKS,
    TASK_CHECKS,
    some_output,
)
from homebody.core.protocol import CORRECTED
from homebody.core.suite import Suite

MAX_PROBLEMS: Final = 3
"""Problems that are reported of one check."""
MAX_CALLS: Final = 12
"""Entries of a transcript that are reported of one problem, the last."""
_FEWER_STEPS: Final = (0, 1, 2, 3, 5, 8, 13, 21, 34)
Status: TypeAlias = Literal["passed", "failed", "skipped"]


@dataclass(frozen=True, slots=True)
class Violation:
    """What is wrong, and what reproduces it: the task in its settings, started with the seed and
    played by random policies of the same seed for so many steps.

    Attributes:
        message: What is wrong and what to do about it.
        task: The task's id; empty if it is about all of them.
        settings: Those that are not as usual.
        seed: Of the session and the policies.
        steps: How often somebody says something or time passes.
        calls: What was said then: clock, role and call, the last ones.
    """

    message: str
    task: str = ""
    settings: Mapping[str, str] = field(default_factory=dict)
    seed: int = 0
    steps: int = 0
    calls: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class CheckResult:
    """What came of one check.

    Attributes:
        check: Its name.
        rule: What it checks, in a sentence.
        status: ``passed``, ``failed`` or ``skipped``.
        why: How many cases passed, or why not.
        problems: The first that were found.
    """

    check: str
    rule: str
    status: Status
    why: str
    problems: tuple[Violation, ...] = ()


@dataclass(frozen=True, slots=True)
class CheckReport:
    """What came of all checks of a suite; printed as a table, the problems below it."""

    suite: str
    results: tuple[CheckResult, ...]

    @property
    def passed(self) -> bool:
        """Whether no check has failed."""
        return all(result.status != "failed" for result in self.results)

    @property
    def record(self) -> dict[str, Any]:
        """The report as JSON."""
        return {
            "suite": self.suite,
            "passed": self.passed,
            "checks": list(map(asdict, self.results)),
        }

    def __str__(self) -> str:
        counts = [
            f"{sum(result.status == status for result in self.results)} {status}"
            for status in ("passed", "failed", "skipped")
        ]
        width = max((len(result.check) for result in self.results), default=0)
        lines = [f"{self.suite}: {', '.join(counts)}"]
        lines += [f"{r.check:<{width}}  {r.status:<7}  {r.why}" for r in self.results]
        for result in self.results:
            if result.problems:
                lines += ["", f"{result.check}: {result.rule}"]
                lines += [line for problem in result.problems for line in _lines(problem)]
        return "\n".join(lines)


def _lines(problem: Violation) -> Iterator[str]:
    yield f"  - {problem.message}"
    if problem.task:
        settings = ", ".join(f"{name}={value}" for name, value in problem.settings.items())
        yield (
            f"    task {problem.task}, settings {settings or 'as usual'},"
            f" seed {problem.seed}, {problem.steps} steps"
        )
    yield from (f"      {call}" for call in problem.calls)


_Outcome: TypeAlias = tuple[Status, str, tuple[Violation, ...]]


def check_suite(
    suite: Suite[Any],
    *,
    tasks: int = 4,
    seed: int = 0,
    settings: Mapping[str, str] | None = None,
    progress: Progress | None = None,
) -> CheckReport:
    """Check whether a suite keeps to what homebody assumes of every suite.

    Args:
        suite: Any suite.
        tasks: How many of its tasks are tried, from all over it: each once as it is usually set,
            and once in other settings.
        seed: Of all that is drawn.
        settings: How all tasks are set; drawn if left out.
        progress: Told before each check.

    Raises:
        HomebodyError: the suite has no tasks or no such settings, or its data cannot be had.
    """
    chosen = dict(settings or {})
    suite.check_settings(chosen)
    suite.tasks.prepare(None)
    loaded = suite.tasks.load(CORRECTED)
    if not loaded:
        raise HomebodyError(f"{suite.name} has no tasks")
    some = loaded[:: max(1, len(loaded) // tasks)][:tasks]
    generator = np.random.default_rng(seed)
    usual = [draw_case(suite, [task], generator, settings=chosen) for task in some]
    cases = usual + [draw_case(suite, [task], generator, settings=settings) for task in some]
    roles = () if suite.playing is None else suite.playing.roles  # agents play all of them
    as_set = {name: value for name, value in chosen.items() if name not in roles}
    whole = [replace(case, steps=0, settings=as_set) for case in usual]
    runs: list[tuple[Callable[..., object], Callable[[], _Outcome]]] = []
    for check in (*SESSION_CHECKS, *OUTPUT_CHECKS):
        runs.append((check, partial(_on_each, check, cases)))
    for check in TASK_CHECKS:
        runs.append((check, partial(_on_each, check, whole)))
    for together in (*SUITE_CHECKS, scores_are_reproducible):
        runs.append((together, partial(_on_all, together, whole)))
    results = []
    for number, (rule, run) in enumerate(runs):
        (progress or ignore_progress)("checks", number, len(runs))
        status, why, problems = run()
        results.append(CheckResult(rule.__name__, _rule(rule), status, why, problems))
    return CheckReport(suite.name, tuple(results))


def _rule(check: Callable[..., object]) -> str:
    """The first sentence of a check's docstring."""
    return " ".join((check.__doc__ or "").split("\n\n")[0].split())


def _on_each(check: Check, cases: Sequence[CheckCase]) -> _Outcome:
    problems: dict[str, Violation] = {}
    skipped = ""
    tried = 0
    for case in cases:
        try:
            messages = problems_of(check, case)
        except NotApplicable as error:
            skipped = str(error)
            continue
        tried += 1
        if messages and not problems.keys() & set(messages):
            case, messages = _shortened(check, case, messages)
        for message in messages:
            problems.setdefault(message, _problem(message, case))
    return _outcome(list(problems.values()), f"{tried} cases" if tried else "", skipped)


def _on_all(
    check: Callable[[Sequence[CheckCase]], Iterator[str]], cases: Sequence[CheckCase]
) -> _Outcome:
    try:
        found = [Violation(message) for message in check(cases)]
    except NotApplicable as error:
        return _outcome([], "", str(error))
    except Exception as error:  # of the suite: its author is told where
        found = [Violation(_where_raised(error))]
    return _outcome(found, f"{len(cases)} tasks", "")


def _outcome(problems: Sequence[Violation], tried: str, skipped: str) -> _Outcome:
    if problems:
        count = len(problems)
        return "failed", f"{count} problem{'s' * (count > 1)}", tuple(problems[:MAX_PROBLEMS])
    return ("passed", tried, ()) if tried else ("skipped", skipped, ())


def problems_of(check: Check, case: CheckCase) -> list[str]:
    """The problems that a check finds in a case; what a suite's own code raises is one. Raises
    NotApplicable."""
    try:
        return list(check(case, np.random.default_rng([case.seed, case.steps])))
    except NotApplicable:
        raise
    except Exception as error:
        return [_where_raised(error)]


def _where_raised(error: Exception) -> str:
    frame = traceback.extract_tb(error.__traceback__)[-1]
    return (
        f"{cut(error)} was raised at {frame.filename}:{frame.lineno}, in {frame.name}():"
        " mend it, or raise HomebodyError where an action cannot be done"
    )


def _shortened(check: Check, case: CheckCase, messages: list[str]) -> tuple[CheckCase, list[str]]:
    """The case with the fewest steps that has problems too, of some that are tried."""
    for steps in _FEWER_STEPS:
        if steps >= case.steps:
            break
        shorter = replace(case, steps=steps)
        if found := problems_of(check, shorter):
            return shorter, found
    return case, messages


def _problem(message: str, case: CheckCase) -> Violation:
    try:
        entries = case.played().transcript().entries[-MAX_CALLS:]
    except Exception:  # which is the problem, or there is no session
        entries = ()
    calls = tuple(f"{entry.clock} {entry.role}: {escape(entry.call, 100)}" for entry in entries)
    identifier = str(case.suite.tasks.identify(case.task))
    return Violation(message, identifier, dict(case.settings), case.seed, case.steps, calls)


# --- A fresh process ----------------------------------------------------------------------------


def scores_are_reproducible(cases: Sequence[CheckCase]) -> Iterator[str]:
    """Scores are the same bytes in a fresh process, in which sets and hashes have another order."""
    place = find_import(cases[0].suite)
    if place is None:
        raise NotApplicable("a fresh process cannot import the suite: put it into a module")
    outputs = [
        (
            case.suite.tasks.identify(case.task),
            some_output(replace(case, steps=MAX_STEPS)),
            each.name,
        )
        for case in cases
        for each in case.protocols
    ]
    here = _scores(cases[0].suite, outputs)
    hashing = "2" if os.environ.get("PYTHONHASHSEED") == "1" else "1"
    fresh = subprocess.run(
        [sys.executable, "-c", f"from {__name__} import print_scores; print_scores()"],
        input=orjson.dumps([place, outputs]),
        capture_output=True,
        env={**os.environ, "PYTHONHASHSEED": hashing, "PYTHONPATH": os.pathsep.join(sys.path)},
    )
    if fresh.returncode:
        reason = fresh.stderr.decode(errors="replace").strip().rpartition("\n")[2]
        yield f"a fresh process cannot score with {place[1]} of {place[0]}: {escape(reason, 300)}"
        return
    for (task, _, protocol), mine, other in zip(
        outputs, here, fresh.stdout.splitlines(), strict=True
    ):
        if mine != other:
            yield (
                f"the score of {task} by {protocol} is {escape(other.decode(), 300)} in a fresh"
                f" process and {escape(mine.decode(), 300)} here: let no order of a set, no hash,"
                " time or global state matter"
            )


def print_scores() -> None:
    """Print the scores of the outputs on standard input, as :func:`scores_are_reproducible` has
    them."""
    place, outputs = orjson.loads(sys.stdin.buffer.read())
    suite: Suite[Any] = import_object(*place)
    suite.tasks.prepare(None)
    for line in _scores(suite, outputs):
        sys.stdout.buffer.write(line + b"\n")


def _scores(suite: Suite[Any], outputs: Sequence[tuple[str, str, str]]) -> list[bytes]:
    lines = []
    for identifier, output, name in outputs:
        protocol = suite.scoring.protocols[name]
        score = suite.score(suite.task(identifier, protocol), output, protocol)
        lines.append(orjson.dumps([dict(score.metrics), dict(score.record), score.valid]))
    return lines
