"""The report on a suite: the result of each check, and how to reproduce its problems."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, field
from typing import Any, Literal, TypeAlias

Status: TypeAlias = Literal["passed", "failed", "skipped"]


@dataclass(frozen=True, slots=True)
class Violation:
    """A problem, and the case that reproduces it.

    Attributes:
        message: What is wrong and what to do about it.
        task: The task's id; empty if the problem concerns all tasks.
        settings: The settings that differ from the defaults.
        seed: Seed of the session and of the random policies that play it.
        steps: Number of steps they play; in each a role acts or time passes.
        calls: The last calls: clock, role and call.
    """

    message: str
    task: str = ""
    settings: Mapping[str, str] = field(default_factory=dict)
    seed: int = 0
    steps: int = 0
    calls: tuple[str, ...] = ()

    def write_lines(self) -> Iterator[str]:
        """Yield the lines of the printed report."""
        yield f"  - {self.message}"
        if self.task:
            settings = ", ".join(f"{name}={value}" for name, value in self.settings.items())
            yield (
                f"    task {self.task}, settings {settings or 'as usual'},"
                f" seed {self.seed}{f', {self.steps} steps' if self.steps else ''}"
            )
        yield from (f"      {call}" for call in self.calls)


@dataclass(frozen=True, slots=True)
class CheckResult:
    """The result of one check.

    Attributes:
        check: Its name.
        rule: What it checks, in a sentence.
        status: ``passed``, ``failed`` or ``skipped``.
        why: The number of cases that passed or of problems, or the reason why the check was
            skipped.
        problems: The first problems.
    """

    check: str
    rule: str
    status: Status
    why: str
    problems: tuple[Violation, ...] = ()


@dataclass(frozen=True, slots=True)
class CheckReport:
    """The results of all checks of a suite; printed as a table, the problems below it."""

    suite: str
    results: tuple[CheckResult, ...]

    @property
    def passed(self) -> bool:
        """True if no check has failed."""
        return all(result.status != "failed" for result in self.results)

    @property
    def record(self) -> dict[str, Any]:
        """The report as JSON."""
        checks = list(map(asdict, self.results))
        return {"suite": self.suite, "passed": self.passed, "checks": checks}

    def __str__(self) -> str:
        every = [result.status for result in self.results]
        counts = [f"{every.count(status)} {status}" for status in ("passed", "failed", "skipped")]
        width = max((len(result.check) for result in self.results), default=0)
        lines = [f"{self.suite}: {', '.join(counts)}"]
        lines += [f"{r.check:<{width}}  {r.status:<7}  {r.why}" for r in self.results]
        reported: set[str] = set()
        repeated = []
        for result in self.results:
            new = [problem for problem in result.problems if problem.message not in reported]
            reported |= {problem.message for problem in new}
            if new:
                lines += ["", f"{result.check}: {result.rule}"]
                lines += [line for problem in new for line in problem.write_lines()]
            elif result.problems:
                repeated.append(result.check)
        if repeated:
            lines += ["", f"These checks failed with the same problems: {', '.join(repeated)}."]
        return "\n".join(lines)
