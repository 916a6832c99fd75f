"""The robot's sight in a home: all around from its position, along real lines of sight."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import Any, Final

from homebody.core.ground.sharing import never_changes
from homebody.suites.etplan.scenes import home
from homebody.worlds.house.model.state import HouseState

REMEMBERED: Final = 1024
"""Maximum number of cached looks of a home; the last are kept."""


@never_changes
class Sight:
    """The robot's sight in the home of a seed, in states derived from the home.

    Looks are cached, so replaying a session, as for every score, casts no rays."""

    def __init__(self, house: int) -> None:
        from homebody.worlds.house.rendering.visibility import looking

        self._house = house
        self._look = looking(home(house))
        self._taken: dict[tuple[Any, ...], frozenset[str]] = {}

    def __call__(self, state: HouseState, robot: str) -> Iterable[str]:
        """Return the names that a robot sees in a state."""
        taken = self._taken
        key = robot, *_situation(state)
        names = taken.pop(key, None)
        if names is None:
            names = frozenset(self._look(state, robot))
            if len(taken) >= REMEMBERED:
                del taken[next(iter(taken))]
        taken[key] = names  # now the most recent
        return names

    def __reduce__(self) -> tuple[Any, ...]:
        return sight, (self._house,)


@lru_cache(2)
def sight(house: int) -> Sight:
    """Return the sight in the home of a seed; the last two are cached."""
    return Sight(house)


def _situation(state: HouseState) -> tuple[Any, ...]:
    """Return everything that visibility depends on: the robots, and all changes since the start."""
    changed = [
        (name, state.poses.get(name), state.places.get(name), *state.states.get(name, {}).values())
        for name in state.journal.since(0)
    ]
    robots = [
        (name, body.pose, body.size, body.hands, body.view, body.turning)
        for name, body in state.bodies.items()
    ]
    return frozenset(changed), *robots
