"""Failures of skills: errors at the end, time-outs, and wrong objects in the hand.

The kinds are those of the learned skills in appendix A.7 of the PARTNR paper."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field

import numpy as np

from homebody.core.action import Action
from homebody.worlds.house.simulation.conditions import Changes, Refused, SkillContext
from homebody.worlds.house.simulation.skills import SKILLS, WALKING, pick

_PICKS = ("Pick", "Grab")


@dataclass(frozen=True, slots=True)
class SkillFailures:
    """Probabilities and kinds of failures of skills.

    Attributes:
        chances: Skill -> probability that it fails at its end. Rearrange has no probability of its
            own: its walks, Pick and Place fail with their own probabilities.
        time_outs: Skill -> probability that it times out. A walk then stops half-way. For Explore
            the probability applies to each of its stops.
        limit: Steps after which such a skill ends.
        wrong_object: Probability that Pick takes another object from the same place, if there is
            one, and reports success.
        agents: The agents whose skills fail; all if empty.

    Raises:
        ValueError: A skill does not exist, or a probability is not in [0, 1].
    """

    chances: Mapping[str, float] = field(default_factory=dict)
    time_outs: Mapping[str, float] = field(default_factory=dict)
    limit: int = 0
    wrong_object: float = 0.0
    agents: Collection[str] = ()

    def __post_init__(self) -> None:
        for skill, probability in (*self.chances.items(), *self.time_outs.items()):
            if skill not in (*SKILLS, *WALKING) or not 0.0 <= probability <= 1.0:
                raise ValueError(f"{skill} cannot fail with probability {probability}")
        if not 0.0 <= self.wrong_object <= 1.0:
            raise ValueError(f"wrong_object must be a probability, not {self.wrong_object}")


@dataclass(slots=True)
class FailureDraws:
    """The random failures of a simulation; a failure without a probability is never drawn."""

    failures: SkillFailures
    chance: np.random.Generator

    def time_limit(self, agent: str, skill: str) -> int:
        """Return the steps after which a beginning skill times out; 0 if it does not."""
        return self.failures.limit if self._draw(agent, self.failures.time_outs, skill) else 0

    def fails(self, agent: str, skill: str) -> bool:
        """Return whether an ending skill fails."""
        return self._draw(agent, self.failures.chances, skill)

    def wrong_pick(self, context: SkillContext, agent: str, part: Action) -> Changes | None:
        """Return the changes of picking the nearest other object from the same place; None if the
        right one is picked."""
        if part.name not in _PICKS or not self._draw(
            agent, {part.name: self.failures.wrong_object}, part.name
        ):
            return None
        state, (target, *_) = context.state, part.args
        at = np.array(state.poses[target].position)
        others = sorted(
            (round(float(np.linalg.norm(at - state.poses[name].position)), 6), name)
            for name in state.objects_at(state.places[target])
            if name != target
        )
        for _, name in others:
            try:
                return pick(context, agent, name)
            except Refused:
                continue
        return None

    def _draw(self, agent: str, chances: Mapping[str, float], skill: str) -> bool:
        chance = chances.get(skill, 0.0)
        concerned = not self.failures.agents or agent in self.failures.agents
        return concerned and chance > 0.0 and bool(self.chance.random() < chance)
