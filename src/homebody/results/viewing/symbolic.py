"""Replays of plans in symbolic worlds: effects and unmet preconditions, step by step."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any, Final

from homebody.core import Action, Protocol, State, Suite, Trace
from homebody.core.action import Failure
from homebody.core.formula import Atom, Formula, Not
from homebody.core.goal import Goal
from homebody.core.state import Fact
from homebody.core.viewing import PlanTrace
from homebody.results.viewing.samples import safe

MAX_STEPS: Final = 300
"""Maximum number of steps shown."""
MAX_JUDGED: Final = 100
"""Maximum length of plans for which the goal is judged after each step."""
MAX_FACTS: Final = 100
"""Maximum number of listed facts per step and kind."""


def symbolic_replay(
    suite: Suite[Any], task: Any, output: str, protocol: Protocol
) -> dict[str, Any] | None:
    """Return the document of a plan's replay; None if the output is not a plan."""
    if suite.viewing.trace is None:
        return None
    traced = suite.viewing.trace(task, output, protocol)
    if traced is None or not traced.plan:
        return None
    verdict = traced.goal.judge(traced.trace)
    return {
        "kind": "symbolic",
        "steps": safe(list(_steps(traced))[:MAX_STEPS]),
        "of": len(traced.plan),
        "end": {
            "success": verdict.success and traced.trace.failure is None,
            "explanation": safe(verdict.explanation),
            "conditions": safe([[part.text, part.satisfied] for part in verdict.parts]),
            "pictures": [],
        },
    }


def _steps(traced: PlanTrace) -> Iterator[dict[str, Any]]:
    trace = traced.trace
    done = {index: at for at, index in enumerate(trace.indices)}
    needless = dict(trace.skipped)
    judged = len(traced.plan) <= MAX_JUDGED
    after = 0  # number of executed actions
    for number, action in enumerate(traced.plan[:MAX_STEPS]):
        step: dict[str, Any] = {"clock": number, "until": number + 1, "role": "", "ok": None}
        step |= {"call": _write_call(action), "added": [], "removed": [], "failing": []}
        if number in done:
            at = done[number]
            after = at + 1
            removed, added = _changed_facts(trace.states[at], trace.states[at + 1])
            step |= {"ok": True, "added": added, "removed": removed}
            step["note"] = trace.labels[at] if trace.labels else ""
            step["message"] = "" if added or removed else "nothing changed"
        elif number in needless:
            step |= {"message": needless[number].message, "needless": True}
        elif number == trace.failed_at and trace.failure is not None:
            step |= {"ok": False, **_describe_failure(trace.failure)}
        else:
            step["message"] = "not executed: the plan ended earlier"
        step["conditions"] = _conditions(traced.goal, trace, after) if judged else []
        yield step


def _write_call(action: Action) -> str:
    return f"{action.name}({', '.join(action.args)})"


def _describe_failure(failure: Failure) -> dict[str, Any]:
    failing = [text for formula in failure.unmet if (text := _formula(formula))]
    return {"message": failure.message, "failing": failing}


def _formula(formula: Formula) -> str:
    """Return an unmet precondition if it is about one fact. Other formulas are only in the
    message."""
    if isinstance(formula, Not):
        inner = _formula(formula.body)
        return f"not {inner}" if inner else ""
    if isinstance(formula, Atom):
        return f"{formula.predicate}({', '.join(formula.args)})"
    return ""


def _changed_facts(before: State, after: State) -> tuple[list[str], list[str]]:
    """Return the facts that an action removed and added."""
    if after is before:
        return [], []
    deleted, added = after.change_from
    out = {fact for fact in deleted if _holds(before, fact) and not _holds(after, fact)}
    new = {fact for fact in added if not _holds(before, fact)}
    return _list_facts(out), _list_facts(new)


def _holds(state: State, fact: Fact) -> bool:
    return bool(state.holds(fact[0], fact[1:]))


def _list_facts(facts: set[Fact]) -> list[str]:
    texts = sorted(f"{name}({', '.join(of)})" for name, *of in facts)
    more = len(texts) - MAX_FACTS
    return texts if more <= 0 else [*texts[:MAX_FACTS], f"and {more} more"]


def _conditions(goal: Goal, trace: Trace, after: int) -> list[list[Any]]:
    """Return the goal conditions after a number of actions."""
    so_far = replace(
        trace,
        states=trace.states[: after + 1],
        actions=trace.actions[:after],
        indices=trace.indices[:after],
        labels=trace.labels[:after],
        skipped=(),
        failure=None,
        failed_at=None,
    )
    return [[part.text, part.satisfied] for part in goal.judge(so_far).parts]
