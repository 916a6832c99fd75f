"""Policies for any session: they look at what a role is told, and at nothing else."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from homebody.core.action import Action
from homebody.core.play.options import by_kind
from homebody.core.play.session import DONE, Policy, Session

if TYPE_CHECKING:  # numpy takes longer to import than the command line may
    import numpy as np

STOPS: Final = 0.02
"""Probability that a random policy says ``Done`` instead of anything else."""


def idle(session: Session, generator: np.random.Generator) -> Policy:
    """Nobody does anything."""
    return lambda session, role: DONE


def random(session: Session, generator: np.random.Generator) -> Policy:
    """Any of the actions that look possible, now and then ``Done``: first the kind of action is
    drawn, then one of its kind."""

    def act(session: Session, role: str) -> Action:
        if generator.random() < STOPS:
            return DONE
        kinds = by_kind(session.observe(role).options)
        names = sorted(kinds.keys() - {DONE.name})
        if not names:
            return DONE
        of_kind = kinds[names[int(generator.integers(len(names)))]]
        return of_kind[int(generator.integers(len(of_kind)))]

    return act
