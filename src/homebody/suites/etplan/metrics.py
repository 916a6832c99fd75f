"""The metrics of one run (paper, appendix A.9), and the quirks of the published code.

The goal decides success. The others are:

- sequence length: the number of attempted actions, except looking around; for a failed run,
  the limit;
- longest common subsequence (LCS) of the executed actions and the ground truth, compared by names
  and classes as in the published code: ``walk kitchen`` is the same for every kitchen. The LCS
  ratio is the LCS divided by the length of the ground truth;
- moving distance: length of the walked path in metres, for successful runs only;
- success weighted by path length (SPL): for a successful run, the length of the ground truth
  divided by the sequence length, at most 1; for a failed run, 0. Its path is one of actions and not
  of metres, because the ground truth has the fewest actions and only then the shortest walk, the
  limits are limits of actions, and scene graphs need not have distances.

The moving distance is averaged over the successful tasks, everything else over all tasks. The
published code has an evaluation script for manipulation only. For the other kinds of tasks, the
quirks follow the published scripts that run the tasks and write distances and steps to files."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import dist
from typing import Final, Literal, TypeAlias

from homebody.core import Action
from homebody.suites.etplan.facts import Point3

Words: TypeAlias = tuple[str, ...]
"""Name of an action and the classes of its arguments."""

RATIO_OF_SHORT: Final = "ratio_of_short_plans_is_one"
STILL_LEFT_OUT: Final = "who_does_not_move_is_left_out"
REFUSED_BY_KIND: Final = "refused_actions_by_kind"
STRAIGHT: Final = "distance_is_straight"
TO_TARGETS: Final = "distance_is_to_targets"
NO_DEPTH: Final = "distance_without_depth"
QUIRKS: Final[Mapping[str, tuple[str, str]]] = {
    RATIO_OF_SHORT: (
        "The LCS ratio of a plan shorter than the ground truth is 1, even if it failed.",
        "It is the LCS divided by the length of the ground truth.",
    ),
    STILL_LEFT_OUT: (
        "A run without a walk is excluded from all metrics.",
        "All metrics include all tasks.",
    ),
    REFUSED_BY_KIND: (
        "In navigation and manipulation, refused actions are ignored. In tasks with several"
        " objects, they count in the sequence length and in the LCS.",
        "They count in the sequence length, but not in the LCS.",
    ),
    STRAIGHT: (
        "In navigation and in tasks with several objects, the distance is the sum of straight"
        " lines between the robot's positions before and after each walk, even through walls.",
        "It is the length of the walked path.",
    ),
    TO_TARGETS: (
        "In manipulation, the distance is the sum of straight lines from the start through the"
        " centres of the targets of all walks, in order. Targets count at their final positions,"
        " so a carried object counts at its destination. Height is included.",
        "It is the length of the walked path.",
    ),
    NO_DEPTH: (
        "In tasks with several objects, the distance uses the height instead of one horizontal"
        " direction, because the simulator's second coordinate is the height.",
        "It is a horizontal distance.",
    ),
}
"""Quirk -> the behaviour of the published code, and the behaviour of homebody."""


@dataclass(frozen=True, slots=True)
class Run:
    """The data of a run that the metrics need.

    Attributes:
        tried: Attempted actions in order, each with whether it succeeded.
        reference: The ground truth.
        category: Function from an instance to its class; other names are returned as they are.
        length: Number of attempted actions, unreadable ones included, without ``Done``.
        metres: Length of the walked path; None if distances are unknown.
        success: The goal's verdict.
        most_actions: Limit of actions.
        kind: Kind of the task; decides which published distance applies.
        stops: Robot positions at the start and after each walk.
        targets: Final centre of each walk's target.
    """

    tried: tuple[tuple[Action, bool], ...]
    reference: tuple[Action, ...]
    category: Callable[[str], str]
    length: int
    metres: float | None
    success: bool
    most_actions: int
    kind: Literal["navigation", "manipulation", "several", "temporal"] = "navigation"
    stops: tuple[Point3, ...] = ()
    targets: tuple[Point3, ...] = ()

    @property
    def has_several(self) -> bool:
        """True if the task is to move several objects."""
        return self.kind in ("several", "temporal")


def measure(run: Run, quirks: frozenset[str] = frozenset()) -> dict[str, float | None]:
    """Return the metrics ``sequence_length``, ``spl``, ``lcs``, ``lcs_ratio`` and
    ``moving_distance``.

    The last is None for a failed run."""
    refused = REFUSED_BY_KIND in quirks
    compared = [
        words(action, run.category)
        for action, ok in run.tried
        if ok or (refused and run.has_several)
    ]
    reference = [words(action, run.category) for action in run.reference]
    common = longest_common_subsequence(reference, compared)
    ratio = common / len(reference) if reference else 1.0
    if RATIO_OF_SHORT in quirks and len(reference) > len(compared):
        ratio = 1.0
    length = len(compared) if refused and not run.has_several else run.length
    return {
        "sequence_length": length if run.success else run.most_actions,
        "spl": _weighted(len(reference), length) if run.success else 0.0,
        "lcs": common,
        "lcs_ratio": ratio,
        "moving_distance": distance(run, quirks) if run.success else None,
    }


def _weighted(shortest: int, taken: int) -> float:
    """Return the SPL of a successful run, 1 if there was nothing to do and nothing was done."""
    return shortest / max(shortest, taken) if taken else 1.0


def reason_to_exclude(run: Run, quirks: frozenset[str] = frozenset()) -> str:
    """Return the reason for excluding a run from all metrics; empty if it is not excluded."""
    if STILL_LEFT_OUT in quirks and distance(run, quirks) == 0:
        return "the robot did not walk"
    return ""


def distance(run: Run, quirks: frozenset[str] = frozenset()) -> float | None:
    """Return the metres walked, measured with the given :data:`QUIRKS`; None if unknown."""
    if run.metres is None:
        return None
    if run.kind == "manipulation":
        if TO_TARGETS not in quirks:
            return run.metres
        return _path_length((*run.stops[:1], *run.targets))
    if NO_DEPTH in quirks and run.has_several:
        return _path_length([(x, height) for x, _, height in run.stops])
    return _path_length(run.stops) if STRAIGHT in quirks else run.metres


def _path_length(points: Sequence[Sequence[float]]) -> float:
    return sum(dist(start, end) for start, end in pairwise(points))


def words(action: Action, category: Callable[[str], str]) -> Words:
    """Return the part of an action that is compared: its name and the classes of its arguments."""
    return (action.name, *map(category, action.args))


def longest_common_subsequence(first: Sequence[Words], second: Sequence[Words]) -> int:
    """Return the length of the longest common subsequence, in quadratic time and linear space."""
    row = [0] * (len(second) + 1)
    for words in first:
        before = 0
        for column, other in enumerate(second, 1):
            above = row[column]
            row[column] = before + 1 if words == other else max(above, row[column - 1])
            before = above
    return row[-1]
