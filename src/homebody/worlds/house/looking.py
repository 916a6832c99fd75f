"""Agents that look: what fills partial world graphs, by casting rays.

    simulation = Simulation(house, agents, sees=looking(house))

Needs the extra ``house``; :func:`homebody.worlds.house.graph.sees_room` does without.
"""

from __future__ import annotations

from collections.abc import Iterable

from homebody.worlds.house.house import House
from homebody.worlds.house.rays import RayScene
from homebody.worlds.house.simulation import Sees
from homebody.worlds.house.state import HouseState
from homebody.worlds.house.visibility import Sight

REACH = 8.0
"""Metres that an agent sees."""


def looking(house: House, reach: float = REACH) -> Sees:
    """How agents see in a house: all around from where they stand, what is near enough, not
    hidden behind something and not in something closed. One for each simulation."""
    sight = Sight(RayScene(house))

    def sees(state: HouseState, agent: str) -> Iterable[str]:
        sight.update(state)
        return sight.around(state.bodies[agent].pose, reach, hide=(agent,))

    return sees
