"""Of which things a condition of a criterion holds in a state."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypeAlias

from homebody.core.state import State
from homebody.goals.etplan.criterion import CLOSE, Condition

Members: TypeAlias = Mapping[str, Sequence[str]]
"""Class -> the names of all things of it."""


def pairs_of(state: State, condition: Condition, members: Members) -> list[tuple[str, str]]:
    """The things of which a condition holds in a state."""
    found = []
    seconds = frozenset(members.get(condition.second, ()))
    firsts = frozenset(members.get(condition.first, ()))
    for first in members.get(condition.first, ()):
        for second in sorted(state.targets(condition.relation, first) & seconds):
            found.append((first, second))
    if condition.relation == CLOSE:
        for second in members.get(condition.second, ()):
            for first in sorted(state.targets(CLOSE, second) & firsts):
                found.append((first, second))
    return list(dict.fromkeys(found))


def members_of(state: State, classes: Sequence[str]) -> Members:
    """The things of some classes, in the order of the state."""
    members: dict[str, list[str]] = {name: [] for name in classes}
    for item in state.objects.values():
        if item.category in members:
            members[item.category].append(item.name)
    return members
