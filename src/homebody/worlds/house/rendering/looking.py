"""Agents that look: what fills partial world graphs, by casting rays.

    simulation = Simulation(house, agents, sees=looking(house))

Needs the extra ``house``; :func:`.simulation.knowledge.sees_room` does without.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from homebody.worlds.house.model.house import House
from homebody.worlds.house.model.state import HouseState
from homebody.worlds.house.rendering.rays import RayScene
from homebody.worlds.house.rendering.render import EYE, eye_of
from homebody.worlds.house.rendering.visibility import AROUND, Sight, View
from homebody.worlds.house.simulation.relations import is_shut_in

REACH = 8.0
"""Metres that an agent sees."""


class Looking:
    """How agents see in a house; made by :func:`looking`.

    Attributes:
        fov: Degrees from left to right that any agent sees at most; a simulation asks for it.
    """

    def __init__(self, house: House, view: View, height: float) -> None:
        self.fov = view.fov
        self._view = view
        self._height = height
        self._sight = Sight(RayScene(house))

    def __call__(self, state: HouseState, agent: str) -> Iterable[str]:
        """What an agent sees from where it stands, and what it holds, which it does not see past
        but knows."""
        self._sight.update(state)
        body = state.bodies[agent]
        held = _borne(state, agent)
        fov = 360.0 if body.turning else min(self._view.fov, body.view)
        eye = eye_of(body.pose, self._height)
        view = replace(self._view, fov=fov)
        seen = self._sight.seen(eye, body.pose.yaw, view, (agent, *held))
        return [*seen, *(one for one in held if not is_shut_in(state, one))]


def looking(
    house: House,
    reach: float = REACH,
    *,
    view: float | View = 360.0,
    height: float = EYE,
) -> Looking:
    """How agents see in a house: from where they stand, what is near enough, not hidden behind
    something and not in something closed. One for each simulation.

    Args:
        reach: Metres.
        view: Degrees from left to right that they see at most, of all that is above and below; or
            all about it, its own reach too. An agent whose own view is narrower sees that much.
            Who sees only ahead still looks all around where it explores.
        height: Of their eyes, metres.
    """
    if not isinstance(view, View):
        view = View(float(view), AROUND.tall, AROUND.pitch, reach)
    return Looking(house, view, height)


def _borne(state: HouseState, agent: str) -> list[str]:
    """What an agent holds, and what is on or in that."""
    found = list(state.held(agent).values())
    for name in found:  # which grows meanwhile
        for receptacle in state.house.thing[name].receptacles:
            found += state.on((name, receptacle.name))
    return found
