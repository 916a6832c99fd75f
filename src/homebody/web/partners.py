"""Policies and models that play roles."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from homebody.core import HomebodyError, Playing, Policy, Reply, Session
from homebody.core.ground.seeds import attempt_generator
from homebody.core.play.conversation import Player
from homebody.drivers import PLAYERS
from homebody.drivers.tool_calls import MAX_CALLS, make_sendable
from homebody.web.game_journal import MAX_SAID

PERSON: Final = "person"
"""The name of a player who is a person. A token is issued for the role."""
MODEL: Final = "model"
"""Shown instead of a model's name."""
POLICY: Final = "policy"
"""Shown instead of a policy's name, which may tell how it plays."""


def is_model(kind: str) -> bool:
    """Return whether a player is a model; its name has a provider, ``openai/gpt-4o``."""
    return "/" in kind


def shown_kind(kind: str) -> str:
    """Return a player as others see it: a person, a model or a policy, without its name."""
    if kind == PERSON:
        return kind
    return MODEL if is_model(kind) else POLICY


def check_kind(playing: Playing[Any], kind: str) -> None:
    """Raise HomebodyError if a player does not exist for a suite."""
    if kind == PERSON or kind in playing.policies or is_model(kind):
        return
    known = ", ".join((PERSON, *playing.policies))
    raise HomebodyError(
        f"unknown player: {kind[:80]!r}",
        f"use one of: {known}; or a model, such as openai/gpt-4o",
    )


def make_policies(
    playing: Playing[Any], session: Session, seats: Mapping[str, str], seed: int, identifier: str
) -> dict[str, Policy]:
    """Return the policies by role. Roles with the same kind of policy share one. The task and the
    seed determine all random choices."""
    generator = attempt_generator(seed, identifier, 1)
    made = {
        kind: playing.policies[kind](session, generator)
        for kind in dict.fromkeys(seats.values())
        if kind != PERSON and not is_model(kind)
    }
    return {role: made[kind] for role, kind in seats.items() if kind in made}


def make_player(playing: Playing[Any], session: Session, role: str, driver: str) -> Player:
    """Return the driver of a model. It is the same as in runs."""
    own = playing.player or PLAYERS["react"]
    return (PLAYERS[driver] if driver else own)(session, role)


def trim_reply(reply: Reply) -> Reply:
    """Return the part of a reply that is stored and executed."""
    calls = tuple(map(make_sendable, reply.calls[:MAX_CALLS]))
    return Reply(reply.text[-MAX_SAID:], calls, reply.stop_reason)
