"""What a criterion asks for, as things to find and where to put them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from homebody.goals.etplan.criterion import PLACED, ROBOT, Condition, Criterion


@dataclass(frozen=True, slots=True)
class Target:
    """A thing to find.

    Attributes:
        category: Its class.
        where: At what it is found: relations with its class first.
    """

    category: str
    where: tuple[Condition, ...] = ()


@dataclass(frozen=True, slots=True)
class Job:
    """A thing to find and, unless it is enough to be there, where to put it.

    Attributes:
        thing: What is to be found.
        relation: ``ON`` or ``INSIDE`` the target; empty if it is only to be found.
        target: Where it is to be put.
    """

    thing: Target
    relation: str = ""
    target: Target | None = None


def jobs(criterion: Criterion) -> tuple[Job, ...]:
    """What is to be done, in order: things are to be put where :attr:`.Criterion.puts` says; any
    other relation between two things says where one of them is found."""
    moves = dict.fromkeys(c for c in criterion.puts if c.relation in PLACED)
    where = [c for c in criterion.conditions if ROBOT not in (c.first, c.second) and c not in moves]
    moved = {name for condition in moves for name in (condition.first, condition.second)}
    near = (c.second for c in criterion.conditions if c.reaches and c.second not in moved)
    return (
        *(
            Job(_make_target(move.first, where), move.relation, _make_target(move.second, where))
            for move in moves
        ),
        *(Job(_make_target(name, where)) for name in dict.fromkeys(near)),
    )


def _make_target(category: str, where: Iterable[Condition]) -> Target:
    return Target(category, tuple(dict.fromkeys(c for c in where if c.first == category)))
