"""How the robot sees in a home: all around from where it stands, along real lines of sight."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import Any, Final

from homebody.suites.etplan.scenes import home
from homebody.worlds.house.model.state import HouseState
from homebody.worlds.house.simulation.senses import Perception

REMEMBERED: Final = 1024
"""Looks of a home that are not taken again: those that were taken last."""


@lru_cache(2)
def sight(house: int) -> Perception:
    """How the robot sees in the home of a seed, in states that began as the home is.

    A look is remembered: a session that is played again, as every score is made, takes none.
    """
    from homebody.worlds.house.rendering.visibility import looking

    look = looking(home(house))
    taken: dict[tuple[Any, ...], frozenset[str]] = {}

    def seen(state: HouseState, robot: str) -> Iterable[str]:
        key = robot, *_situation(state)
        names = taken.pop(key, None)
        if names is None:
            names = frozenset(look(state, robot))
            if len(taken) >= REMEMBERED:
                del taken[next(iter(taken))]
        taken[key] = names  # the last
        return names

    return seen


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
