"""Propositions and failures in plain English."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from homebody.goals.partnr.constraints import Record
from homebody.goals.partnr.model import (
    CLUSTERED,
    ArgumentConstraint,
    Evaluation,
    Proposition,
    SameArgConstraint,
    TemporalConstraint,
)

MAX_SAID = 20
"""Most things that an explanation lists of a kind."""

WORDS: Final = {
    "is_on_top": "on top of",
    "is_inside": "inside",
    "is_in_room": "in",
    "is_on_floor": "on the floor",
    "is_next_to": "next to",
    "is_clean": "clean",
    "is_dirty": "dirty",
    "is_filled": "filled",
    "is_empty": "empty",
    "is_powered_on": "switched on",
    "is_powered_off": "switched off",
}
_ARGUMENTS: Final = {"receptacle_handles": "place", "room_ids": "room"}
_WHEN: Final = {
    "while_satisfied": "while",
    "after_satisfied": "after",
    "after_unsatisfied": "once it was so and no longer is that",
    "before_satisfied": "before",
}


def phrase(one: Proposition) -> str:
    """What a proposition wants: ``two of cup_0, cup_1 or cup_2 on top of table_1``."""
    if one.predicate == CLUSTERED:
        groups = [_some(names, n) for names, n in zip(one.lists, one.numbers, strict=True)]
        return f"{_listed(groups, 'and')} close together"
    text = f"{_some(one.lists[0], one.number)} {WORDS[one.predicate]}"
    if len(one.lists) > 1:
        text += f" {_listed(one.lists[1], 'or')}"
    return f"{text}, all with the same one" if one.same and one.number > 1 else text


def explain(
    evaluation: Evaluation,
    unrolled: Evaluation,
    origins: Sequence[int],
    records: Sequence[Record],
    broken: Sequence[Sequence[int]],
) -> str:
    """Why a run is no success: what was not done, and what was done wrongly.

    Args:
        evaluation: As annotated.
        unrolled: The same unrolled, with ``origins``.
        records: What the run has shown of each unrolled proposition.
        broken: For each constraint the propositions that it keeps from counting.
    """
    if not records:
        return "There is nothing to be done, so nothing can be complete."
    paragraphs = [_missing(evaluation, unrolled, origins, records)]
    for constraint, wrong in zip(unrolled.constraints, broken, strict=True):
        done = _distinct(unrolled, origins, [i for i in wrong if records[i].at is not None])
        if not done:
            continue
        said = [phrase(unrolled.propositions[i]) for i in done]
        if isinstance(constraint, TemporalConstraint):
            late = []
            for index, text in zip(done, said, strict=True):
                earlier = sorted({a for a, b in constraint.edges if b == origins[index]})
                wanted = [phrase(unrolled.propositions[i]) for i in earlier]
                late.append(f"{text}, which should have come after {_bounded(wanted, ' and ')}")
            paragraphs.append(f"In the wrong order: {_bounded(late, '; ')}.")
        elif isinstance(constraint, ArgumentConstraint):
            kind = _ARGUMENTS.get(constraint.arguments[0], "thing")
            tied = _distinct(unrolled, origins, constraint.propositions)
            names = [phrase(unrolled.propositions[i]) for i in tied]
            wanted_text = (
                f"the same {kind}"
                if isinstance(constraint, SameArgConstraint)
                else f"a different {kind} each"
            )
            paragraphs.append(
                f"These needed {wanted_text}: {_bounded(names, '; ')}."
                f" Wrong in that: {_bounded(said, '; ')}."
            )
        else:
            paragraphs.append(f"Done, but not so at the end: {_bounded(said, '; ')}.")
    return " ".join(text for text in dict.fromkeys(paragraphs) if text)


def _missing(
    evaluation: Evaluation,
    unrolled: Evaluation,
    origins: Sequence[int],
    records: Sequence[Record],
) -> str:
    lines = []
    for index, one in enumerate(evaluation.propositions):
        own = [i for i, origin in enumerate(origins) if origin == index]
        done = sum(records[i].at is not None for i in own)
        if done == len(own):
            continue
        text = phrase(one)
        if done:
            text += f" ({done} of {len(own)} done)"
        conditions = [
            f"{_WHEN[gate.relation]} "
            + _bounded(
                [phrase(evaluation.propositions[i]) for i in gate.depends_on],
                " and " if gate.mode == "all" else " or ",
            )
            for gate in evaluation.dependencies
            if index in gate.propositions
        ]
        lines.append(text + (f", which counts {_bounded(conditions, ', ')}" if conditions else ""))
    return f"Not done: {_bounded(lines, '; ')}." if lines else ""


def _distinct(unrolled: Evaluation, origins: Sequence[int], indices: Sequence[int]) -> list[int]:
    """One index for each original proposition, the one that takes most things."""
    best: dict[int, int] = {}
    for index in indices:
        known = best.get(origins[index])
        number = unrolled.propositions[index].number
        if known is None or number > unrolled.propositions[known].number:
            best[origins[index]] = index
    return list(best.values())


def _some(names: Sequence[str], number: int) -> str:
    if number == 1:
        return _listed(names, "or")
    if number == len(names):
        return _listed(names, "and")
    return f"{number} of {_listed(names, 'and')}"


def _listed(names: Sequence[str], word: str) -> str:
    if len(names) > MAX_SAID:
        return f"{', '.join(names[:MAX_SAID])} {word} {len(names) - MAX_SAID} more"
    if len(names) < 2:
        return "".join(names)
    return f"{', '.join(names[:-1])} {word} {names[-1]}"


def _bounded(lines: Sequence[str], separator: str) -> str:
    more = [f"{len(lines) - MAX_SAID} more"] if len(lines) > MAX_SAID else []
    return separator.join([*lines[:MAX_SAID], *more])
