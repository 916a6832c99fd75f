"""The legend beside a frame. It notes relations that cannot be drawn as a move, such as next to,
same and different.

Notes are short: coloured pills for objects with a few words between them, wrapped to a column."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from homebody.goals.partnr import (
    ArgumentConstraint,
    Proposition,
    SameArgConstraint,
    TerminalSatisfactionConstraint,
)
from homebody.goals.partnr.evaluation_function import CLUSTERED
from homebody.goals.partnr.explanation import PREDICATE_WORDS
from homebody.suites.partnr.pictures.cast import MAX_PROPOSITIONS, Cast
from homebody.suites.partnr.pictures.frames import Frame
from homebody.suites.partnr.pictures.svg_elements import (
    INK,
    MUTED,
    PALE,
    WHITE,
    box,
    colour_of,
    ink_on,
    label,
    width_of,
)

WIDTH: Final = 236.0
MAX_NOTES: Final = 12
MAX_READ: Final = 100
"""Maximum number of dependencies and constraints that are considered."""
MAX_PILLS: Final = 8
"""Maximum number of objects of one list in a note."""
_LINE: Final = 24.0

_WORDS: Final = {**PREDICATE_WORDS, "is_on_top": "on", "is_inside": "in"}
_WHEN: Final = {
    "while_satisfied": "only while",
    "after_satisfied": "only after",
    "after_unsatisfied": "only once no longer",
    "before_satisfied": "only before",
}
_ARGUMENTS: Final = {
    "receptacle_handles": "place",
    "room_ids": "room",
    "object_handles": "object",
    "entity_handles_b": "neighbour",
}


@dataclass(frozen=True, slots=True)
class Fragment:
    """A word, or a pill if it has a colour; a line break if its text is empty."""

    text: str
    colour: str = ""


@dataclass(frozen=True, slots=True)
class LegendEntry:
    """A note beside a frame: its title, and words and pills below."""

    title: str
    parts: tuple[Fragment, ...]


_BREAK: Final = Fragment("")


def legend_of(cast: Cast, frame: Frame, frames: Sequence[Frame]) -> list[LegendEntry]:
    """Return the legend of a frame. Notes about several frames are in the last of them."""
    evaluation = cast.episode.evaluation
    gates, constraints = evaluation.dependencies[:MAX_READ], evaluation.constraints[:MAX_READ]
    here = set(frame.propositions)
    last = {
        index: at for at, proposition in enumerate(frames) for index in proposition.propositions
    }
    at_frame = frames.index(frame)

    def is_mine(indices: Sequence[int]) -> bool:
        at = [last[index] for index in indices if index in last]
        return bool(at) and max(at) == at_frame

    notes = []
    shown: set[int] = set()
    for index in frame.propositions:
        proposition = evaluation.propositions[index]
        if proposition.predicate in ("is_next_to", CLUSTERED):
            title = (
                "Next to each other" if proposition.predicate == "is_next_to" else "Close together"
            )
            parts = _sentence(proposition, cast)
            for d, gate in enumerate(gates):
                if index in gate.propositions and len(gate.propositions) == 1:
                    shown.add(d)
                    parts += _condition(_WHEN[gate.relation], gate.depends_on, gate.mode, cast)
            notes.append(LegendEntry(title, tuple(parts)))
    for d, gate in enumerate(gates):
        if d not in shown and is_mine(gate.propositions):
            parts = _join(_propositions_at(gate.propositions, cast), "and", cast)
            parts += _condition(_WHEN[gate.relation], gate.depends_on, gate.mode, cast)
            notes.append(LegendEntry("When it counts", tuple(parts)))
    for constraint in constraints:
        if isinstance(constraint, ArgumentConstraint) and is_mine(constraint.propositions):
            notes.append(_argument_note(constraint, cast))
    ordered = {index for edge in evaluation.edges for index in edge}
    free = [i for i in sorted(here) if i not in ordered] if len(frames) > 1 else []
    ends = [o for o in evaluation.constraints if isinstance(o, TerminalSatisfactionConstraint)]
    kept = {index for constraint in ends for index in constraint.propositions}
    passing = [i for i in sorted(here) if i not in kept] if ends else []
    for title, indices in (("At any time, too", free), ("Need not last to the end", passing)):
        if indices:
            notes.append(
                LegendEntry(title, tuple(_join(_propositions_at(indices, cast), "", cast)))
            )
    if len(notes) > MAX_NOTES:
        left = len(notes) - MAX_NOTES + 1
        notes[MAX_NOTES - 1 :] = [LegendEntry(f"and {left} more notes", ())]
    return notes


def _argument_note(constraint: ArgumentConstraint, cast: Cast) -> LegendEntry:
    name = constraint.arguments[0] if constraint.arguments else ""
    kind = _ARGUMENTS.get(name, "thing")
    kind = "object" if kind == "place" and len(set(constraint.arguments)) > 1 else kind
    same = isinstance(constraint, SameArgConstraint)
    parts: list[Fragment] = []
    pairs = list(zip(constraint.propositions, constraint.arguments, strict=True))
    for rank, (index, argument) in enumerate(pairs[:MAX_PILLS]):
        proposition = cast.episode.evaluation.propositions[index]
        if rank:
            parts.append(Fragment("and"))
        if (
            argument in ("object_handles", "entity_handles_a")
            and proposition.predicate != CLUSTERED
        ):
            parts.append(Fragment(_WORDS[proposition.predicate]))
            parts += _names(proposition.lists[1], "or", cast) if len(proposition.lists) > 1 else []
        elif proposition.predicate == CLUSTERED:
            parts += _sentence(proposition, cast)
        else:
            parts += _names(proposition.lists[0], "or" if proposition.number == 1 else "and", cast)
    if len(pairs) > MAX_PILLS:
        parts.append(Fragment(f"and {len(pairs) - MAX_PILLS} more"))
    return LegendEntry(f"{'Same' if same else 'Different'} {kind} for", tuple(parts))


def _condition(when: str, indices: Sequence[int], mode: str, cast: Cast) -> list[Fragment]:
    return [
        _BREAK,
        Fragment(when),
        *_join(_propositions_at(indices, cast), "and" if mode == "all" else "or", cast),
    ]


def _propositions_at(indices: Sequence[int], cast: Cast) -> list[Proposition]:
    return [cast.episode.evaluation.propositions[i] for i in indices[:MAX_PROPOSITIONS]]


def _join(propositions: Sequence[Proposition], word: str, cast: Cast) -> list[Fragment]:
    """Return several propositions as words. Propositions that differ only in their objects are
    joined."""
    alike: dict[tuple[object, ...], list[Proposition]] = {}
    for proposition in propositions:
        single = proposition.predicate != CLUSTERED and len(set(proposition.lists[0])) == 1
        key = (proposition.predicate, proposition.lists[1:]) if single else (id(proposition),)
        alike.setdefault(key, []).append(proposition)
    parts: list[Fragment] = []
    for rank, group in enumerate(list(alike.values())[:MAX_PILLS]):
        if rank:
            parts += [Fragment(word)] if word else [_BREAK]
        first = group[0]
        if len(group) == 1:
            parts += _sentence(first, cast)
            continue
        parts += _names([step.lists[0][0] for step in group], word or "and", cast)
        parts.append(Fragment(_WORDS[first.predicate]))
        parts += _names(first.lists[1], "or", cast) if len(first.lists) > 1 else []
    left = len(alike) - MAX_PILLS
    return [*parts, Fragment(f"and {left} more")] if left > 0 else parts


def _sentence(proposition: Proposition, cast: Cast) -> list[Fragment]:
    if proposition.predicate == CLUSTERED:
        parts: list[Fragment] = []
        for names, number in list(zip(proposition.lists, proposition.numbers, strict=True))[
            :MAX_PILLS
        ]:
            parts += [Fragment("and")] if parts else []
            parts += _amount(names, number, cast)
        left = len(proposition.lists) - MAX_PILLS
        return [*parts, Fragment(f"and {left} more kinds")] if left > 0 else parts
    parts = _amount(proposition.lists[0], proposition.number, cast)
    if proposition.predicate != "is_next_to":
        parts.append(Fragment(_WORDS[proposition.predicate]))
    else:
        parts.append(Fragment("↔"))
    if len(proposition.lists) > 1:
        parts += _names(proposition.lists[1], "or", cast)
    if proposition.same and proposition.number > 1:
        parts.append(Fragment("(all the same one)"))
    return parts


def _amount(names: Sequence[str], number: int, cast: Cast) -> list[Fragment]:
    total = len(set(names))
    if number >= total:
        return _names(names, "and", cast)
    return [Fragment(f"{number} of"), *_names(names, "or", cast)]


def _names(names: Sequence[str], word: str, cast: Cast) -> list[Fragment]:
    listed = list(dict.fromkeys(names))
    parts: list[Fragment] = []
    for rank, name in enumerate(listed[:MAX_PILLS]):
        parts += [Fragment(word)] if rank and word == "or" else []
        coloured = name in cast.colours and cast.is_object(name)
        parts.append(
            Fragment(cast.label(name), colour_of(cast.colours[name]) if coloured else PALE)
        )
    left = len(listed) - MAX_PILLS
    return [*parts, Fragment(f"{word} {left} more")] if left > 0 else parts


def draw_legend(notes: Sequence[LegendEntry], x: float, y: float) -> tuple[str, float]:
    """Return the column with its upper left corner at (x, y), and its height."""
    drawn = []
    top = y
    for note in notes:
        inner: list[str] = []
        at_x, at_y = x + 12, y + 32
        for part in note.parts:
            wide = width_of(part.text, 11, bool(part.colour)) + (12 if part.colour else 0)
            if not part.text or at_x + wide > x + WIDTH - 8:
                if at_x > x + 12:
                    at_x, at_y = x + 12, at_y + _LINE
                if not part.text:
                    continue
            inner.append(_part(part, at_x, at_y, wide))
            at_x += wide + 5
        height = at_y + (_LINE if at_x > x + 12 else 0) - y + 4
        drawn.append(box(x, y, WIDTH, height, 6, fill=WHITE, stroke=PALE))
        drawn.append(box(x, y + 6, 4, height - 12, 2, fill=MUTED))
        drawn.append(label(x + 12, y + 20, note.title, 12, anchor="start", weight="bold"))
        drawn += inner
        y += height + 8
    return "".join(drawn), y - top


def _part(part: Fragment, x: float, y: float, wide: float) -> str:
    if not part.colour:
        return label(x, y + 13, part.text, 11, fill=INK, anchor="start")
    return box(x, y, wide, 18, 4, fill=part.colour) + label(
        x + wide / 2, y + 13, part.text, 11, fill=ink_on(part.colour), weight="bold"
    )
