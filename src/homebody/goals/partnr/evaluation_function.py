"""The data of an evaluation function: propositions, dependencies, constraints, and their limits.

Source: PARTNR paper, appendices A.4.2 to A.4.4; field names as in the published datasets.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Final, TypeAlias

from homebody.core.ground.sharing import never_changes
from homebody.core.ground.user_errors import HomebodyError

MAX_PROPOSITIONS = 500
"""Maximum number of propositions after unrolling; published episodes have about ten."""
MAX_ALTERNATIVES = 1_000
"""Maximum number of names in one list of a proposition."""
MAX_ATOMS = 500_000
"""Maximum number of ground atoms of the propositions, each counted separately and unrolled."""
MAX_PARTS = 2_000
"""Maximum number of dependencies, constraints, or members and edges of one."""
CLUSTERED: Final = "is_clustered"
MEMBERS: Final = "*args"
NEAR = 0.5
"""Default maximum distance in metres between objects that are next to each other."""


class EvaluationError(HomebodyError):
    """An evaluation function that cannot be read or is invalid."""


@dataclass(frozen=True, slots=True)
class Predicate:
    """Names of a predicate's lists and, if there is one, of the flag that all objects must have the
    same second argument."""

    arguments: tuple[str, ...]
    same: str = ""


_PLACED = Predicate(("object_handles", "receptacle_handles"), "is_same_receptacle")
_STATE = Predicate(("object_handles",))

PREDICATES: Final[Mapping[str, Predicate]] = {
    "is_on_top": _PLACED,
    "is_inside": _PLACED,
    "is_in_room": Predicate(("object_handles", "room_ids"), "is_same_room"),
    "is_on_floor": _STATE,
    "is_next_to": Predicate(("entity_handles_a", "entity_handles_b"), "is_same_b"),
    CLUSTERED: Predicate((MEMBERS,)),
    "is_clean": _STATE,
    "is_dirty": _STATE,
    "is_filled": _STATE,
    "is_empty": _STATE,
    "is_powered_on": _STATE,
    "is_powered_off": _STATE,
}
RELATIONS: Final = ("while_satisfied", "after_satisfied", "after_unsatisfied", "before_satisfied")
MODES: Final = ("all", "any")


@never_changes
@dataclass(frozen=True, slots=True)
class Proposition:
    """A predicate over lists of alternatives.

    Attributes:
        predicate: A key of :data:`PREDICATES`.
        lists: Alternatives for each argument; for ``is_clustered`` a list for each kind of object.
        numbers: Number of objects of the first list; for ``is_clustered`` of each list.
        same: True if all of them need the same second argument.
        threshold: Metres, for ``is_next_to`` and ``is_clustered``.
    """

    predicate: str
    lists: tuple[tuple[str, ...], ...]
    numbers: tuple[int, ...] = (1,)
    same: bool = False
    threshold: float = NEAR

    @property
    def number(self) -> int:
        """Number of objects of the first list."""
        return self.numbers[0]

    @property
    def argument_names(self) -> tuple[str, ...]:
        """The names of its arguments in argument constraints."""
        if self.predicate == CLUSTERED:
            return tuple(f"{MEMBERS}_{i}" for i in range(len(self.lists)))
        return PREDICATES[self.predicate].arguments


@dataclass(frozen=True, slots=True)
class Dependency:
    """Propositions that count only if ``relation`` holds for all or any of ``depends_on``."""

    propositions: tuple[int, ...]
    depends_on: tuple[int, ...]
    relation: str
    mode: str = "all"


@dataclass(frozen=True, slots=True)
class TemporalConstraint:
    """``(i, j)``: proposition i has to be satisfied at an earlier step than j. No cycles."""

    edges: tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class SameArgConstraint:
    """The named argument of each proposition has to be satisfied by the same object."""

    propositions: tuple[int, ...]
    arguments: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class DifferentArgConstraint:
    """The named argument of each proposition has to be satisfied by a different object."""

    propositions: tuple[int, ...]
    arguments: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class TerminalSatisfactionConstraint:
    """These propositions have to hold at the end."""

    propositions: tuple[int, ...]


ArgumentConstraint: TypeAlias = SameArgConstraint | DifferentArgConstraint
Constraint: TypeAlias = TemporalConstraint | ArgumentConstraint | TerminalSatisfactionConstraint


@never_changes
@dataclass(frozen=True, slots=True)
class Evaluation:
    """An evaluation function over a whole run. Indices are places in ``propositions``."""

    propositions: tuple[Proposition, ...]
    dependencies: tuple[Dependency, ...] = ()
    constraints: tuple[Constraint, ...] = field(default=())

    @property
    def edges(self) -> tuple[tuple[int, int], ...]:
        """``(i, j)`` of all orders: proposition i has to come before j."""
        orders = (order for order in self.constraints if isinstance(order, TemporalConstraint))
        return tuple(edge for order in orders for edge in order.edges)

    def rename(self, names: Mapping[str, str]) -> Evaluation:
        """Return a copy with some objects renamed, such as handles for readable names."""
        return replace(
            self,
            propositions=tuple(
                replace(
                    proposition,
                    lists=tuple(
                        tuple(names.get(name, name) for name in alternatives)
                        for alternatives in proposition.lists
                    ),
                )
                for proposition in self.propositions
            ),
        )


def check(evaluation: Evaluation) -> Evaluation:
    """Return the evaluation function. Raises EvaluationError if it is too large or invalid."""
    for problem in problems(evaluation):
        raise EvaluationError(problem)
    return evaluation


def problems(evaluation: Evaluation) -> Iterator[str]:
    """Yield the problems of an evaluation function, as sentences without a full stop."""
    count = len(evaluation.propositions)
    for index, proposition in enumerate(evaluation.propositions):
        for problem in _proposition_problems(proposition):
            yield f"proposition {index}: {problem}"
    copies = [
        1
        if proposition.predicate == CLUSTERED or not proposition.numbers
        else max(proposition.number, 1)
        for proposition in evaluation.propositions
    ]
    if sum(copies) > MAX_PROPOSITIONS:
        yield f"{sum(copies)} propositions are more than {MAX_PROPOSITIONS}"
    sizes = [_size(proposition) for proposition in evaluation.propositions]
    if sum(size * number for size, number in zip(sizes, copies, strict=True)) > MAX_ATOMS:
        yield f"the propositions have more than {MAX_ATOMS} atoms"
    if max(len(evaluation.dependencies), len(evaluation.constraints)) > MAX_PARTS:
        yield f"there are more than {MAX_PARTS} dependencies or constraints"
    for index, dependency in enumerate(evaluation.dependencies):
        for problem in _dependency_problems(dependency, count):
            yield f"dependency {index}: {problem}"
    for index, constraint in enumerate(evaluation.constraints):
        for problem in _constraint_problems(constraint, evaluation.propositions):
            yield f"constraint {index}: {problem}"


def _proposition_problems(proposition: Proposition) -> Iterator[str]:
    form = PREDICATES.get(proposition.predicate)
    if form is None:
        yield f"unknown predicate: {proposition.predicate[:40]!r}"
        return
    clustered = proposition.predicate == CLUSTERED
    if not proposition.lists or (not clustered and len(proposition.lists) != len(form.arguments)):
        yield f"{proposition.predicate} does not take {len(proposition.lists)} lists"
    if any(not names for names in proposition.lists):
        yield "a list of alternatives is empty"
    if any(len(names) > MAX_ALTERNATIVES for names in proposition.lists):
        yield f"a list has more than {MAX_ALTERNATIVES} alternatives"
    if len(proposition.numbers) != (len(proposition.lists) if clustered else 1):
        yield f"{len(proposition.numbers)} numbers do not fit"
    if any(number < 1 for number in proposition.numbers):
        yield "a number is below 1"
    if proposition.same and not form.same:
        yield f"{proposition.predicate} has no second argument to be the same"
    if not 0 <= proposition.threshold <= 1_000:  # excludes NaN, too
        yield "the threshold is not a distance"


def _size(proposition: Proposition) -> int:
    lengths = [len(names) for names in proposition.lists]
    if proposition.predicate == CLUSTERED:
        return sum(lengths) ** 2
    return lengths[0] * (lengths[1] if len(lengths) > 1 else 1) if lengths else 0


def _dependency_problems(dependency: Dependency, count: int) -> Iterator[str]:
    if dependency.relation not in RELATIONS:
        yield f"unknown relation: {dependency.relation[:40]!r}"
    if dependency.mode not in MODES:
        yield f"unknown mode: {dependency.mode[:40]!r}"
    yield from _index_problems((*dependency.propositions, *dependency.depends_on), count)


def _constraint_problems(
    constraint: Constraint, propositions: tuple[Proposition, ...]
) -> Iterator[str]:
    if isinstance(constraint, TemporalConstraint):
        index_problems = list(
            _index_problems([i for edge in constraint.edges for i in edge], len(propositions))
        )
        yield from index_problems
        if not index_problems and ancestors(constraint.edges) is None:
            yield "the order is cyclic"
        return
    index_problems = list(_index_problems(constraint.propositions, len(propositions)))
    yield from index_problems
    if index_problems or isinstance(constraint, TerminalSatisfactionConstraint):
        return
    if len(constraint.propositions) != len(constraint.arguments):
        count = len(constraint.propositions)
        yield f"{count} propositions have {len(constraint.arguments)} arguments"
        return
    if len(set(constraint.propositions)) != len(constraint.propositions):
        yield "an argument constraint names a proposition twice"
    for index, name in zip(constraint.propositions, constraint.arguments, strict=True):
        if name not in propositions[index].argument_names:
            yield f"proposition {index} has no argument {name[:40]!r}"


def _index_problems(indices: tuple[int, ...] | list[int], count: int) -> Iterator[str]:
    if len(indices) > MAX_PARTS:
        yield f"it names more than {MAX_PARTS} propositions"
    for index in indices:
        if not 0 <= index < count:
            yield f"there is no proposition {index}"
            return


def ancestors(edges: tuple[tuple[int, int], ...]) -> dict[int, frozenset[int]] | None:
    """Return the indices that have to come before each index, or None if the order is cyclic."""
    before: dict[int, set[int]] = {}
    after: dict[int, set[int]] = {}
    for first, second in edges:
        before.setdefault(first, set())
        before.setdefault(second, set()).add(first)
        after.setdefault(first, set()).add(second)
    waiting = {index: len(direct) for index, direct in before.items()}
    ready = [index for index, left in waiting.items() if not left]
    done: dict[int, frozenset[int]] = {}
    while ready:
        index = ready.pop()
        direct = before[index]
        done[index] = frozenset(direct).union(*(done[earlier] for earlier in direct))
        for other in sorted(after.get(index, ())):
            waiting[other] -= 1
            if not waiting[other]:
                ready.append(other)
    return done if len(done) == len(before) else None


def temporal_groups(evaluation: Evaluation) -> list[tuple[int, ...]]:
    """Return the propositions in groups. Each proposition is in the earliest group that the orders
    allow; cycles are ignored."""
    return groups_by_depth(evaluation.edges, range(len(evaluation.propositions)))


def groups_by_depth(
    edges: tuple[tuple[int, int], ...], indices: Iterable[int]
) -> list[tuple[int, ...]]:
    """Return indices grouped by the number of steps before them; cyclic orders give one group."""
    depth = dict.fromkeys(indices, 0)
    for index, before in (ancestors(edges) or {}).items():
        depth[index] = max((depth[earlier] + 1 for earlier in before), default=0)
    groups: dict[int, list[int]] = {}
    for index, level in depth.items():
        groups.setdefault(level, []).append(index)
    return [tuple(groups[level]) for level in sorted(groups)]
