"""The perception of agents while they act: by looking, or by receiving all changes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TypeAlias

import numpy as np

from homebody.core.action import Action
from homebody.worlds.house.model.state import HouseState
from homebody.worlds.house.simulation.current_action import Activity
from homebody.worlds.house.simulation.knowledge import WorldGraph, sees_room
from homebody.worlds.house.simulation.misperception import PerceptionErrors
from homebody.worlds.house.simulation.rooms import lying_open, room_from

Perception: TypeAlias = Callable[[HouseState, str], Iterable[str]]
"""(state, agent) -> visible names, within its body's ``view``, or all around while ``turning``."""


class Senses:
    """The perception and knowledge of all agents in a house.

    Args:
        state: The state with all agents in it.
        agents: Their names.
        sees: Their perception; None for full knowledge.
        layout: True if agents with partial knowledge know the furniture initially.
        errors: Perception errors.
        chance: Source of randomness.

    Attributes:
        graphs: Knowledge of each agent.
        looking: True if knowledge is partial.
    """

    def __init__(
        self,
        state: HouseState,
        agents: Sequence[str],
        sees: Perception | None,
        layout: bool,
        errors: PerceptionErrors | None,
        chance: np.random.Generator,
    ) -> None:
        self.looking = sees is not None
        self.graphs = {
            name: WorldGraph(
                state, name, partial=self.looking, layout=layout, errors=errors, rng=rng
            )
            for name, rng in zip(agents, chance.spawn(len(agents)), strict=True)
        }
        self._state = state
        self._sees = sees
        self._told = state.journal.version

    def observe(self, agent: str, done: Action | None = None) -> None:
        """Let an agent look ahead. Agents with full knowledge receive all changes.

        Args:
            done: Its completed action, if any.
        """
        if self._sees is None:
            changed = sorted(self._state.journal.since(self._told))
            self._told = self._state.journal.version
            for graph in self.graphs.values():
                graph.refresh(changed)
            return
        if done is not None:
            self.graphs[agent].learn_from_action(done)
        self.graphs[agent].see(self._sees(self._state, agent))

    def look_around(self, agent: str, done: Action | None = None) -> None:
        """Observe like :meth:`observe`, but all around."""
        body = self._state.bodies[agent]
        body.turning = True
        self.observe(agent, done)
        body.turning = False

    def passes_by(self, activities: Mapping[str, Activity], clock: int) -> bool:
        """Return whether a walking agent without others around only looks into a room that it knows
        fully. In this case, it need not be moved there to look. The result is False if it carries a
        container.
        """
        if self._sees is not sees_room or len(self.graphs) > 1:
            return False
        (agent, activity), *_ = activities.items()
        if not activity.looks or activity.walk is None:
            return False
        things = self._state.house.thing
        if any(things[name].receptacles for name in self._state.held_by(agent).values()):
            return False
        pose = activity.walk.looks[clock - activity.begun]
        if pose is None:
            return False
        seen = lying_open(self._state, room_from(self._state, agent, pose))
        if not self.graphs[agent].is_no_news(seen):
            return False
        activity.looks.pop()
        return True
