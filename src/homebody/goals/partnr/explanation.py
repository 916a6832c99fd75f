"""Propositions and failures in English."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from homebody.goals.partnr.constraints import Satisfaction
from homebody.goals.partnr.evaluation_function import (
    CLUSTERED,
    ArgumentConstraint,
    Evaluation,
    Proposition,
    SameArgConstraint,
    TemporalConstraint,
)

MAX_LISTED = 20
"""Maximum number of objects of a kind that an explanation lists."""

PREDICATE_WORDS: Final = {
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


def phrase(proposition: Proposition) -> str:
    """Return a proposition in words: ``two of cup_0, cup_1 or cup_2 on top of table_1``."""
    if proposition.predicate == CLUSTERED:
        groups = [
            _quantity(names, number)
            for names, number in zip(proposition.lists, proposition.numbers, strict=True)
        ]
        return f"{_join(groups, 'and')} close together"
    things = _quantity(proposition.lists[0], proposition.number)
    text = f"{things} {PREDICATE_WORDS[proposition.predicate]}"
    if len(proposition.lists) > 1:
        text += f" {_join(proposition.lists[1], 'or')}"
    return f"{text}, all with the same one" if proposition.same and proposition.number > 1 else text


def explain(
    evaluation: Evaluation,
    unrolled: Evaluation,
    origins: Sequence[int],
    satisfactions: Sequence[Satisfaction],
    broken: Sequence[Sequence[int]],
) -> str:
    """Return the reasons why a run is not a success: the steps that are missing or wrong.

    Args:
        evaluation: The evaluation function, as annotated.
        unrolled: The unrolled evaluation function, with ``origins``.
        satisfactions: The state of each unrolled proposition.
        broken: For each constraint, the propositions that it excludes.
    """
    if not satisfactions:
        return "There is nothing to be done, so nothing can be complete."
    paragraphs = [_explain_missing(evaluation, unrolled, origins, satisfactions)]
    for constraint, indices in zip(unrolled.constraints, broken, strict=True):
        satisfied = _distinct(
            unrolled, origins, [i for i in indices if satisfactions[i].step is not None]
        )
        if not satisfied:
            continue
        phrases = [phrase(unrolled.propositions[i]) for i in satisfied]
        if isinstance(constraint, TemporalConstraint):
            late = []
            for index, text in zip(satisfied, phrases, strict=True):
                earlier = sorted({a for a, b in constraint.edges if b == origins[index]})
                expected = [phrase(unrolled.propositions[i]) for i in earlier]
                late.append(f"{text}, which should have come after {_limit(expected, ' and ')}")
            paragraphs.append(f"In the wrong order: {_limit(late, '; ')}.")
        elif isinstance(constraint, ArgumentConstraint):
            kind = _ARGUMENTS.get(constraint.arguments[0], "thing")
            members = _distinct(unrolled, origins, constraint.propositions)
            names = [phrase(unrolled.propositions[i]) for i in members]
            wanted_text = (
                f"the same {kind}"
                if isinstance(constraint, SameArgConstraint)
                else f"a different {kind} each"
            )
            paragraphs.append(
                f"These needed {wanted_text}: {_limit(names, '; ')}."
                f" Wrong in that: {_limit(phrases, '; ')}."
            )
        else:
            paragraphs.append(f"Done, but not so at the end: {_limit(phrases, '; ')}.")
    return " ".join(text for text in dict.fromkeys(paragraphs) if text)


def _explain_missing(
    evaluation: Evaluation,
    unrolled: Evaluation,
    origins: Sequence[int],
    satisfactions: Sequence[Satisfaction],
) -> str:
    lines = []
    for index, proposition in enumerate(evaluation.propositions):
        own = [i for i, origin in enumerate(origins) if origin == index]
        done = sum(satisfactions[i].step is not None for i in own)
        if done == len(own):
            continue
        text = phrase(proposition)
        if done:
            text += f" ({done} of {len(own)} done)"
        conditions = [
            f"{_WHEN[dependency.relation]} "
            + _limit(
                [phrase(evaluation.propositions[i]) for i in dependency.depends_on],
                " and " if dependency.mode == "all" else " or ",
            )
            for dependency in evaluation.dependencies
            if index in dependency.propositions
        ]
        lines.append(text + (f", which counts {_limit(conditions, ', ')}" if conditions else ""))
    return f"Not done: {_limit(lines, '; ')}." if lines else ""


def _distinct(unrolled: Evaluation, origins: Sequence[int], indices: Sequence[int]) -> list[int]:
    """Return one index for each original proposition, the one with the most objects."""
    best: dict[int, int] = {}
    for index in indices:
        index_before = best.get(origins[index])
        number = unrolled.propositions[index].number
        if index_before is None or number > unrolled.propositions[index_before].number:
            best[origins[index]] = index
    return list(best.values())


def _quantity(names: Sequence[str], number: int) -> str:
    if number == 1:
        return _join(names, "or")
    if number == len(names):
        return _join(names, "and")
    return f"{number} of {_join(names, 'and')}"


def _join(names: Sequence[str], word: str) -> str:
    if len(names) > MAX_LISTED:
        return f"{', '.join(names[:MAX_LISTED])} {word} {len(names) - MAX_LISTED} more"
    if len(names) < 2:
        return "".join(names)
    return f"{', '.join(names[:-1])} {word} {names[-1]}"


def _limit(lines: Sequence[str], separator: str) -> str:
    more = [f"{len(lines) - MAX_LISTED} more"] if len(lines) > MAX_LISTED else []
    return separator.join([*lines[:MAX_LISTED], *more])
