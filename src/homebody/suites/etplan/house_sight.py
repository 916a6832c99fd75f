"""How the robot sees in a home: all around from where it stands, along real lines of sight."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import Any, Final

from homebody.core.ground.sharing import never_changes
from homebody.suites.etplan.scenes import home
from homebody.worlds.house.model.state import HouseState

REMEMBERED: Final = 1024
"""Looks of a home that are not taken again: those that were taken last."""


@never_changes
class Sight:
    """How the robot sees in the home of a seed, in states that began as the home is.

    A look is remembered: a session that is played again, as every score is made, takes none.
    """

    def __init__(self, house: int) -> None:
        from homebody.worlds.house.rendering.visibility import looking

        self._house = house
        self._look = looking(home(house))
        self._taken: dict[tuple[Any, ...], frozenset[str]] = {}

    def __call__(self, state: HouseState, robot: str) -> Iterable[str]:
        """What a robot sees in a state."""
        taken = self._taken
        key = robot, *_situation(state)
        names = taken.pop(key, None)
        if names is None:
            names = frozenset(self._look(state, robot))
            if len(taken) >= REMEMBERED:
                del taken[next(iter(taken))]
        taken[key] = names  # the last
        return names

    def __reduce__(self) -> tuple[Any, ...]:
        return sight, (self._house,)


@lru_cache(2)
def sight(house: int) -> Sight:
    """The sight in the home of a seed; the two that were used last are kept."""
    return Sight(house)


def _situation(state: HouseState) -> tuple[Any, ...]:
    """All that a look hangs on: where robots are, and what is otherwise than at first."""
    changed = [
        (name, state.poses.get(name), state.places.get(name), *state.states.get(name, {}).values())
        for name in state.journal.since(0)
    ]
    robots = [
        (name, body.pose, body.size, body.hands, body.view, body.turning)
        for name, body in state.bodies.items()
    ]
    return frozenset(changed), *robots
