"""Calls that are valid, drawn at random, and as JSON."""

from __future__ import annotations

from typing import Any

import numpy as np

from homebody.core import Action
from homebody.suites.partnr.prompting.action_space import ActionSpace
from homebody.suites.partnr.prompting.calls import CALLS, TOOLS


def random_call(space: ActionSpace, rng: np.random.Generator) -> Action:
    """A valid call, drawn at random; never Done or a perception tool."""
    name = str(
        rng.choice(
            [name for name in space.possible_calls() if name != "Done" and name not in TOOLS]
        )
    )
    args: list[str] = []
    for _, kind in CALLS[name]:
        if kind == "beside" and rng.random() < 0.5:
            continue
        names = space.holders[args[1]] if kind == "holder" else space.names(kind)
        if kind == "relation":
            names = tuple(relation for relation in names if space.holders.get(relation))
        drawn = names[int(rng.integers(len(names)))]
        args += ["next_to", drawn] if kind == "beside" else [drawn]
    return Action(name, tuple(args))


def as_json(action: Action) -> dict[str, Any]:
    """A call as the schema has it, whether or not the call is valid."""
    args = list(action.args)
    found: dict[str, Any] = {"call": action.name}
    for field, kind in CALLS.get(action.name, ()):
        if kind == "beside":
            found[field] = args[1] if args[:1] == ["next_to"] and len(args) > 1 else None
        elif kind == "holder" and args:
            found["where"] = f"{found.pop('relation')} {args.pop(0)}"
        elif args:
            found[field] = args.pop(0)
    return found
