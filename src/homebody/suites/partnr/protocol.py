"""The protocols of the suite and the quirks that they keep."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from homebody.core import CORRECTED, PUBLISHED, Protocol
from homebody.goals.partnr import QUIRKS as EVALUATION_QUIRKS

CARRIED: Final = "carried_things_are_somewhere"
QUIRKS: Final[Mapping[str, tuple[str, str]]] = {
    **EVALUATION_QUIRKS,
    CARRIED: (
        "A carried object is in the rooms that it is carried through, and next to, inside or on top"
        " of what it passes.",
        "A carried object is nowhere until it is put down; only objects together in one hand are"
        " inside, on top of or next to each other.",
    ),
}
"""Quirk -> what the published code does, and what we do."""

PROTOCOLS: Final[Mapping[str, Protocol]] = {
    protocol.name: protocol for protocol in (CORRECTED, PUBLISHED)
}
