"""Calls that are valid, drawn at random."""

from __future__ import annotations

import numpy as np

from homebody.core import Action
from homebody.suites.partnr.prompting.action_space import ActionSpace
from homebody.suites.partnr.prompting.calls import CALLS, TOOLS


def random_call(space: ActionSpace, rng: np.random.Generator) -> Action:
    """A valid call, drawn at random; never Done or a perception tool."""
    name = str(
        rng.choice([name for name in space.possible() if name != "Done" and name not in TOOLS])
    )
    args: list[str] = []
    for _, kind in CALLS[name]:
        if kind == "beside" and rng.random() < 0.5:
            continue
        names = space.names(kind)
        drawn = names[int(rng.integers(len(names)))]
        args += ["next_to", drawn] if kind == "beside" else [drawn]
    return Action(name, tuple(args))
