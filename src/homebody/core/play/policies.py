"""Policies for any session: they look at observations only."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from homebody.core.action import Action
from homebody.core.ground.seeds import choose
from homebody.core.play.options import by_kind
from homebody.core.play.session import DONE, Policy, Session

if TYPE_CHECKING:  # numpy takes longer to import than the command line may
    import numpy as np

STOPS: Final = 0.02
"""Probability with which a random policy chooses ``Done``."""


def idle(session: Session, generator: np.random.Generator) -> Policy:
    """Return a policy that does nothing."""
    return lambda session, role: DONE


def random(session: Session, generator: np.random.Generator) -> Policy:
    """Return a policy that samples a kind of action among the options, then an action of that kind;
    sometimes it chooses ``Done``."""

    def act(session: Session, role: str) -> Action:
        if generator.random() < STOPS:
            return DONE
        kinds = by_kind(session.observe(role).options)
        names = sorted(kinds.keys() - {DONE.name})
        if not names:
            return DONE
        of_kind = kinds[choose(generator, names)]
        return choose(generator, of_kind)

    return act
