"""The protocols of the suite and the quirks that they keep."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from homebody.core import CORRECTED, PUBLISHED, Protocol
from homebody.goals.partnr import LAST_SATISFACTION
from homebody.goals.partnr import QUIRKS as EVALUATION_QUIRKS

CARRIED: Final = "carried_things_are_somewhere"
QUIRKS: Final[Mapping[str, tuple[str, str]]] = {
    **EVALUATION_QUIRKS,
    CARRIED: (
        "A carried object counts as being in the rooms that it passes through, and as next to,"
        " inside or on top of what it passes.",
        "A carried object has no room and no relations until it is put down, except to other"
        " objects in the same hand.",
    ),
}
"""Quirk -> the behaviour of the published code, and the behaviour of homebody."""

PROTOCOLS: Final[Mapping[str, Protocol]] = {
    protocol.name: protocol
    for protocol in (
        CORRECTED,
        PUBLISHED,
        Protocol(LAST_SATISFACTION, choices=frozenset({LAST_SATISFACTION})),
    )
}
