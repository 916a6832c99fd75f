"""Policies that choose the actions of agents in a simulation, until all are done."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TypeAlias

from homebody.core.action import Action
from homebody.core.session import Event
from homebody.worlds.house.simulation.simulation import Simulation

Policy: TypeAlias = Callable[[Simulation, str], Action | None]
"""Chooses the next action of an agent, or None when it is done for good."""


def run_policies(
    simulation: Simulation,
    policies: Mapping[str, Policy],
    *,
    max_steps: int = 20_000,
    max_actions: int = 50,
    until: Callable[[Simulation], bool] | None = None,
) -> list[Event]:
    """Let agents act until all are done.

    Args:
        simulation: In which they act; it is changed.
        policies: Agent -> how it chooses; asked whenever the agent is free.
        max_steps: The clock at which the simulation ends (PARTNR: 20,000).
        max_actions: Actions that each agent may choose (PARTNR: 50 calls of a model).
        until: Ends the simulation early; asked after each action.

    Returns:
        The results, in order of their ends.
    """
    results: list[Event] = []
    left = dict.fromkeys(policies, max_actions)
    while simulation.clock < max_steps:
        for agent, policy in policies.items():
            while left[agent] > 0 and simulation.busy(agent) is None:
                action = policy(simulation, agent)
                if action is None:
                    left[agent] = 0
                    break
                left[agent] -= 1
                refused = simulation.act(agent, action)
                if refused is None:
                    break
                results.append(refused)
        ended = simulation.advance()
        if not ended:
            break
        results += ended
        if until is not None and until(simulation):
            break
    return results
