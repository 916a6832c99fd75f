"""How models are asked while they play: drivers of sessions, which know no suite.

A driver is ``driver(session, policies) -> Dialogue``: models play those roles for which there is no
policy. It yields the questions that can be asked at the same time, and is sent the replies.

    react    thoughts and an action in text, ``Pick[cup_0]``
    tools    calls of tools, as the provider of the model has them
    options  the number of an action out of a list
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
"""One model that plays a role so, beside others, by the same names."""
DRIVERS: Final[Mapping[str, Driver]] = {"react": react, "tools": tools, "options": options}
"""By the name that the command line takes."""


def check_driver(name: str) -> None:
    """Raises HomebodyError if there is no driver of a name."""
    if name not in DRIVERS:
        raise HomebodyError(
            f"there is no driver {name[:80]!r}", f"choose one of: {', '.join(DRIVERS)}"
        )


__all__ = ["DRIVERS", "PLAYERS", "check_driver", "options", "react", "tools"]
