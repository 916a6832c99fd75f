"""Drivers: they let models play sessions, and know no suite.

A driver is ``driver(session, policies) -> Dialogue``: models play the roles without a policy. It
yields the queries that can run concurrently, and is sent the replies.

    react    thoughts and an action in text, ``Pick[cup_0]``
    tools    native tool calls of the model's provider
    options  the number of an action in a list
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from homebody.core.ground.user_errors import HomebodyError
from homebody.core.play.conversation import Player
from homebody.core.play.session import Session
from homebody.core.suite import Driver
from homebody.drivers.options import options, options_player
from homebody.drivers.react import react, react_player
from homebody.drivers.tool_calls import ToolPlayer, tools

PLAYERS: Final[Mapping[str, Callable[[Session, str], Player]]] = {
    "react": react_player,
    "tools": ToolPlayer,
    "options": options_player,
}
"""Name of a driver -> maker of a model that plays one role beside others."""
DRIVERS: Final[Mapping[str, Driver]] = {"react": react, "tools": tools, "options": options}
"""Name on the command line -> driver."""


def check_driver(name: str) -> None:
    """Raise HomebodyError if there is no driver of a name."""
    if name not in DRIVERS:
        raise HomebodyError(
            f"unknown driver: {name[:80]!r}", f"choose one of: {', '.join(DRIVERS)}"
        )


__all__ = ["DRIVERS", "PLAYERS", "check_driver", "options", "react", "tools"]
