"""The score of a session: judged and measured."""

from __future__ import annotations

from typing import Any

from homebody.core import Score
from homebody.core.play.failures import KEY as LABELS
from homebody.core.play.failures import NOT_PLAYED
from homebody.core.score import cut_text
from homebody.goals.partnr import Judgement, phrase
from homebody.suites.partnr.episodes.kinds import kinds_in_order
from homebody.suites.partnr.judging.measures import MeasuredSession, counts, credit_roles, measure
from homebody.suites.partnr.settings import HUMAN, ROBOT, TEAM, changed_settings
from homebody.suites.partnr.tasks import PartnrTask


def score_session(session: MeasuredSession) -> Score:
    """Return the score of a session as if it ended now."""
    judgement = session.judgement()
    measured = measure(session, judgement)
    explanation = judgement.explanation or "Everything was done as it was asked."
    log = session.simulation.log
    return Score(
        session.task.id,
        {
            "success": float(judgement.success),
            "percent_complete": judgement.percent_complete,
        },
        {
            "instruction": session.instruction,
            "success": judgement.success,
            "percent_complete": judgement.percent_complete,
            "explanation": cut_text(explanation),
            "kinds": kinds_in_order(session.task.episode.evaluation),
            "propositions": len(judgement.propositions),
            "met": _met_propositions(session, judgement),
            "steps": measured.steps,
            "cycles": measured.cycles,
            "calls": {
                planner: session.cycles(planner)
                for planner in (ROBOT, HUMAN, TEAM)
                if session.cycles(planner)
            },
            "offloading": measured.offloading,
            # as in table 12, for successful runs only; for all runs below
            "extraneous": measured.extraneous if judgement.success else None,
            "exploration": measured.exploration if judgement.success else None,
            "effort": {
                "extraneous": measured.extraneous,
                "exploration": measured.exploration,
            },
            "moved": round(sum(measured.moved.values()), 3),
            "moved_by": measured.moved,
            "actions": len(log),
            "failed": sum(not result.ok for result in log),
            **_changed_instruction(session),
            "settings": changed_settings(session.task.settings),
            "problem": "",
        },
    )


def _changed_instruction(session: MeasuredSession) -> dict[str, Any]:
    """Return how and when the instruction changed; nothing if it does not change."""
    change = session.change
    if change is None:
        return {}
    heard = session.changed_at
    return {"change": {"kind": change.kind, "words": change.words, "heard": heard}}


def _met_propositions(session: MeasuredSession, judgement: Judgement) -> list[dict[str, Any]]:
    """Return when and by whom each unrolled proposition was met, and whether it counts."""
    clocks = session.simulation_judge.clocks
    rows = zip(
        judgement.propositions,
        judgement.satisfied_at,
        credit_roles(session, judgement),
        counts(judgement),
        strict=True,
    )
    return [
        {
            "proposition": cut_text(phrase(proposition)),
            "step": min(clocks[step], session.simulation.clock) if step is not None else None,
            "by": list(by),
            "counts": counted,
        }
        for proposition, step, by, counted in rows
    ]


def score_impossible(task: PartnrTask, why: str) -> Score:
    """Return the score of an episode that cannot be played, with the reason."""
    empty = dict.fromkeys(("cycles", "offloading", "extraneous", "exploration", "effort"))
    record = {
        "instruction": task.episode.instruction,
        "success": False,
        "percent_complete": 0.0,
        "explanation": cut_text(why),
        "kinds": kinds_in_order(task.episode.evaluation),
        "propositions": sum(
            proposition.number for proposition in task.episode.evaluation.propositions
        ),
        "met": [],
        "steps": 0,
        "calls": {},
        **empty,
        "moved": 0.0,
        "moved_by": {},
        "actions": 0,
        "failed": 0,
        "settings": changed_settings(task.settings),
        "problem": cut_text(why),
        LABELS: [NOT_PLAYED],
    }
    return Score(task.id, {"success": 0.0, "percent_complete": 0.0}, record)
