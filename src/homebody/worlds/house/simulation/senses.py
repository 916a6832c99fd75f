"""What agents come to know while they act: they look around, or are told of all that changes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TypeAlias

import numpy as np

from homebody.core.action import Action
from homebody.worlds.house.model.state import HouseState
from homebody.worlds.house.simulation.current_action import Activity
from homebody.worlds.house.simulation.knowledge import PerceptionErrors, WorldGraph, sees_room
from homebody.worlds.house.simulation.rooms import lying_open, room_from

Perception: TypeAlias = Callable[[HouseState, str], Iterable[str]]
"""State, agent -> names of what it sees from where it stands, looking ahead as far to the sides as
its body's ``view`` says, or all around if it is ``turning``."""


class Senses:
    """What the agents in one house see and know.

    Args:
        state: Of the house, with all agents in it.
        agents: Their names.
        sees: How they see; they know everything if it is left out.
        layout: Whether those who know only what they have seen know the furniture at first.
        errors: How often what is seen is misperceived.
        chance: Of all that is random about it.

    Attributes:
        graphs: What each agent knows.
        looking: Whether they know only what they have seen.
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
        """Have an agent look at what is before it; those who know everything learn what changed.

        Args:
            done: What it has done, if anything.
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
        """As :meth:`observe`, to all sides."""
        body = self._state.bodies[agent]
        body.turning = True
        self.observe(agent, done)
        body.turning = False

    def passes_by(self, activities: Mapping[str, Activity], clock: int) -> bool:
        """Whether all that happens now is that an agent on its way looks into a room where it
        knows all; then it learns nothing, and need not be put there.

        Of one that is alone and carries nothing with other things in it: nobody could tell the
        difference when it has arrived.
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
