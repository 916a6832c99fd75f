"""Agents that are no models: functions from a session and an agent to its next action."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final, TypeAlias

from homebody.core import Action
from homebody.suites.partnr.session import DONE, PartnrSession

Policy: TypeAlias = Callable[[PartnrSession, str], Action]
"""A session and an agent who is free -> what it does."""

TRIES: Final = 4
"""Refused actions in one event after which an agent waits."""


def play_policies(session: PartnrSession, policies: Mapping[str, Policy]) -> PartnrSession:
    """Play a run to its end; agents for whom there is no policy are done at once."""
    while not session.over:
        before = session.clock, len(session.transcript)
        for agent in session.free():
            policy = policies.get(agent)
            for _ in range(2 * TRIES):
                if not session.may_act(agent):
                    break
                if session.take(agent, DONE if policy is None else policy(session, agent)) is None:
                    break
        session.advance()
        if (session.clock, len(session.transcript)) == before:
            break
    return session
