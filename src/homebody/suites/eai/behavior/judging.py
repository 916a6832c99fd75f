"""What plans on BEHAVIOR are judged by: conditions met, and the numbers of the two abilities that
end in a plan.

A goal is a list of conditions. Each counts as a goal about states or about relations or, if it
has both, half as either; that is how the published evaluation counts.

Source: EAI paper, sections 2.4 and 2.5 and appendix D.2.
"""

from __future__ import annotations

from dataclasses import replace

from homebody.core import Protocol, Trace, Verdict
from homebody.core.formula import Atom, Structure
from homebody.goals.bddl.published import Option
from homebody.suites.eai.behavior.goals import atom_of
from homebody.suites.eai.behavior.tasks import BehaviorTask, shares
from homebody.suites.eai.summary import Layout

KINDS = ("state", "relation")

LAYOUT = Layout(
    kinds=KINDS,
    runtime_errors={
        **{name: name for name in ("wrong_order", "missing_step")},
        "affordance_error": "affordance",
        "additional_step": "additional_step",
    },
    undefined=0,
)
"""BEHAVIOR has no goals of actions: the summary has them as 0, and tables leave them out."""


def judge(task: BehaviorTask, trace: Trace, protocol: Protocol) -> Verdict:
    """How far a trace meets the goal of its task, condition by condition.

    By its definition (:mod:`homebody.goals.bddl`) or, as published, by whether one of the goal
    options holds that the published code makes of it.
    """
    verdict = task.task.goal.judge(trace)
    if not protocol.keeps("goals_met_by_options"):
        return verdict
    final = task.task.world.view(trace.final)
    parts = tuple(
        replace(part, satisfied=any(_holds(option, final) for option in options))
        for part, options in zip(verdict.parts, task.published_options, strict=True)
    )
    success = all(part.satisfied for part in parts)
    explanation = verdict.explanation
    odd = [
        part.text
        for part, own in zip(parts, verdict.parts, strict=True)
        if part.satisfied != own.satisfied
    ]
    if odd:
        judged = "not hold" if not success else "hold"
        explanation = (
            f"By the options that are tried these conditions do {judged}: {'; '.join(odd)}."
        )
    return replace(verdict, parts=parts, success=success, explanation=explanation)


def _holds(option: Option, final: Structure) -> bool:
    atoms = ((atom_of(literal), isinstance(literal, Atom)) for literal in option)
    return all(final.holds(atom.predicate, atom.args) == positive for atom, positive in atoms)


def count_conditions(verdict: Verdict) -> dict[str, tuple[float, float]]:
    """Kind -> conditions met, and conditions."""
    counts: dict[str, tuple[float, float]] = {}
    for kind in KINDS:
        weighted = [(shares(part.kind)[kind], part.satisfied) for part in verdict.parts]
        met = sum(weight for weight, satisfied in weighted if satisfied)
        counts[kind] = (met, sum(weight for weight, _ in weighted))
    return counts


def conditions_met(verdict: Verdict | None, task: BehaviorTask) -> dict[str, list[bool]]:
    """For the record of a score: which conditions hold, in the order of the goal."""
    parts = [False] * len(task.problem.conditions)
    if verdict is not None:
        parts = [part.satisfied for part in verdict.parts]
    return {"conditions_met": parts}


def at_start(task: BehaviorTask, protocol: Protocol) -> dict[str, tuple[float, float]]:
    """What an output that is no plan has met: nothing or, as published, what held already."""
    if protocol.keeps("unread_outputs_meet_what_held"):
        return count_conditions(judge(task, Trace((task.task.initial,)), protocol))
    return {kind: (0.0, total) for kind, total in task.goal_totals.items()}
