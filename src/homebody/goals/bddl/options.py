"""Generates goal options, one after the other.

An option is a conjunction of ground literals that fulfils the goal (EAI paper, section 3 and
appendix M.2). As in the published code, it may repeat a literal that two parts of the goal require.
A conjunction with an atom and its negation is not an option.

Only one option is in memory at a time; :mod:`homebody.goals.bddl.counting` counts options and
:mod:`homebody.goals.bddl.best_option` finds the best one without listing them.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TypeAlias

from homebody.core.formula import Atom, Literal, Not, negation
from homebody.goals.bddl.grounding import All, Any, Choose, Match, Tree, largest_matching


@dataclass(frozen=True, slots=True)
class _Choosing:
    """The choices left from place ``start`` on, with ``taken`` chosen so far."""

    node: Choose
    start: int
    taken: int


@dataclass(frozen=True, slots=True)
class _Matching:
    node: Match
    row: int
    columns: tuple[int, ...]  # taken columns


_Step: TypeAlias = Tree | _Choosing | _Matching
_Agenda: TypeAlias = "tuple[_Step, _Agenda] | None"


def options(tree: Tree) -> Iterator[tuple[Literal, ...]]:
    """Yield the options in the order of the goal and of its objects.

    Earlier parts of the goal change more slowly. Memory does not grow with the number of options,
    which can be astronomical; see :func:`.counting.count_options`.
    """
    trail: list[Literal] = []
    present: defaultdict[Literal, int] = defaultdict(int)
    open_choices: list[tuple[Iterator[_Agenda], int]] = [(iter([(tree, None)]), 0)]
    while open_choices:
        alternatives, length = open_choices[-1]
        while len(trail) > length:
            present[trail.pop()] -= 1
        try:
            agenda = next(alternatives)
        except StopIteration:
            open_choices.pop()
            continue
        while agenda is not None:
            step, agenda = agenda
            if isinstance(step, Atom | Not):
                if present[negation(step)]:
                    break
                trail.append(step)
                present[step] += 1
            elif isinstance(step, All):
                for part in reversed(step.parts):
                    agenda = (part, agenda)
            else:
                open_choices.append((_alternatives(step, agenda), len(trail)))
                break
        else:
            yield tuple(trail)


def _alternatives(step: _Step, later: _Agenda) -> Iterator[_Agenda]:
    match step:
        case Any(parts):
            for part in parts:
                yield part, later
        case Choose():
            yield from _alternatives(_Choosing(step, 0, 0), later)
        case _Choosing(node, start, taken):
            if start == len(node.yes):
                yield later
                return
            for tree, total in ((node.yes[start], taken + 1), (node.no[start], taken)):
                if tree != Any(()) and _is_reachable(node, start + 1, total):
                    yield tree, (_Choosing(node, start + 1, total), later)
        case Match():
            yield from _alternatives(_Matching(step, 0, ()), later)
        case _Matching(node, row, columns):
            yield from _match_row(node, row, columns, later)


def _is_reachable(node: Choose, start: int, taken: int) -> bool:
    """Return whether an allowed count is still possible from place ``start`` on."""
    least = taken + sum(tree == Any(()) for tree in node.no[start:])
    most = taken + sum(tree != Any(()) for tree in node.yes[start:])
    return any(least <= count <= most for count in node.counts)


def _match_row(
    node: Match, row: int, columns: tuple[int, ...], later: _Agenda
) -> Iterator[_Agenda]:
    """Assign each free column to ``row`` in turn, then no column if enough rows remain."""
    if len(columns) == node.size:
        yield later
        return
    for column, tree in enumerate(node.cells[row]):
        if column not in columns and tree != Any(()):
            after = (*columns, column)
            if _is_matchable(node, row + 1, after):
                yield tree, (_Matching(node, row + 1, after), later)
    if _is_matchable(node, row + 1, columns):
        yield _Matching(node, row + 1, columns), later


def _is_matchable(node: Match, start: int, columns: tuple[int, ...]) -> bool:
    needed = node.size - len(columns)
    if node.full or needed > len(node.cells) - start:
        return needed <= len(node.cells) - start
    left = [
        [tree != Any(()) and column not in columns for column, tree in enumerate(row)]
        for row in node.cells[start:]
    ]
    return largest_matching(left) >= needed
