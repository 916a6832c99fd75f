"""Drivers let models play sessions. They do not depend on any suite.

A driver is ``driver(session, policies) -> Dialogue``: models play the roles without a policy. The
dialogue yields queries that can run concurrently; the caller sends the replies.

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
"""Name of a driver -> function that makes a model for one role. Others may play the other roles."""
DRIVERS: Final[Mapping[str, Driver]] = {"react": react, "tools": tools, "options": options}
"""Name on the command line -> driver."""


def check_driver(name: str) -> None:
    """Raise HomebodyError if there is no driver of a name."""
    if name not in DRIVERS:
        raise HomebodyError(
            f"unknown driver: {name[:80]!r}", f"choose one of: {', '.join(DRIVERS)}"
        )


__all__ = ["DRIVERS", "PLAYERS", "check_driver", "options", "react", "tools"]
