"""Converts a criterion to jobs: objects to find, and the places to put them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from homebody.goals.etplan.criterion import PLACED, ROBOT, Condition, Criterion


@dataclass(frozen=True, slots=True)
class Target:
    """An object to find.

    Attributes:
        category: Its class.
        where: The place where it is found: relations with its class as the first class.
    """

    category: str
    where: tuple[Condition, ...] = ()


@dataclass(frozen=True, slots=True)
class Job:
    """An object to find and, optionally, the place to put it.

    Attributes:
        thing: The object to find.
        relation: ``ON`` or ``INSIDE`` the target; empty if the object is only to be found.
        target: The place to put it.
    """

    thing: Target
    relation: str = ""
    target: Target | None = None


def jobs(criterion: Criterion) -> tuple[Job, ...]:
    """Return the jobs: objects to put (:attr:`.Criterion.puts`), then objects only to find."""
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
