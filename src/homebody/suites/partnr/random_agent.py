"""The random agent: any of the actions that look possible to it, now and then ``Done``.

It knows no more than its world graph: rooms and furniture, and the objects that it has seen or, in
a fully observed episode, all of them.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from homebody.core import DONE, Action, Policy
from homebody.suites.partnr.session import PartnrSession
from homebody.worlds.house.simulation import views

STOPS: Final = 0.02
"""Probability that it says ``Done``."""


def random_policy(session: PartnrSession, rng: np.random.Generator) -> Policy:
    """A policy that draws from a generator."""

    def act(session: PartnrSession, agent: str) -> Action:
        if rng.random() < STOPS:
            return DONE
        options = views.options(session.simulation, agent)
        kinds = sorted({action.name for action in options})
        kind = kinds[int(rng.integers(len(kinds)))]
        of_kind = [action for action in options if action.name == kind]
        return of_kind[int(rng.integers(len(of_kind)))]

    return act
