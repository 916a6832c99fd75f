"""Who plays the roles that no person plays: policies of the suite, and models."""

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
"""Who plays a role for which a token is given out."""
MODEL: Final = "model"
"""Who plays, where it is not to be told which model does."""


def is_model(kind: str) -> bool:
    """Whether who plays a role is a model: its name has a provider, ``openai/gpt-4o``."""
    return "/" in kind


def shown_kind(kind: str) -> str:
    """Who plays, as others are told: not which model."""
    return MODEL if is_model(kind) else kind


def check_kind(playing: Playing[Any], kind: str) -> None:
    """Raises HomebodyError if nobody of that kind plays such a suite."""
    if kind == PERSON or kind in playing.policies or is_model(kind):
        return
    known = ", ".join((PERSON, *playing.policies))
    raise HomebodyError(
        f"there is no {kind[:80]!r} to play a role",
        f"there are: {known}, and models, by name: openai/gpt-4o",
    )


def make_policies(
    playing: Playing[Any], session: Session, seats: Mapping[str, str], seed: int, identifier: str
) -> dict[str, Policy]:
    """Role -> policy, of those that policies play; roles of the same kind are played by one. Their
    random numbers hang on the task and the seed."""
    generator = attempt_generator(seed, identifier, 1)
    made = {
        kind: playing.policies[kind](session, generator)
        for kind in dict.fromkeys(seats.values())
        if kind != PERSON and not is_model(kind)
    }
    return {role: made[kind] for role, kind in seats.items() if kind in made}


def make_player(playing: Playing[Any], session: Session, role: str, driver: str) -> Player:
    """A model that plays a role, and its conversation: as runs ask it."""
    own = playing.player or PLAYERS["react"]
    return (PLAYERS[driver] if driver else own)(session, role)


def trim_reply(reply: Reply) -> Reply:
    """As much of an answer as is kept, and carried out."""
    calls = tuple(map(make_sendable, reply.calls[:MAX_CALLS]))
    return Reply(reply.text[-MAX_SAID:], calls, reply.stop_reason)
