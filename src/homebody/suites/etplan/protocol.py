"""The protocols of the suite and the quirks that they keep."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from homebody.core import CORRECTED, PUBLISHED, Protocol
from homebody.goals.etplan import QUIRKS as SUCCESS_QUIRKS
from homebody.suites.etplan.metrics import QUIRKS as METRIC_QUIRKS

QUIRKS: Final[Mapping[str, tuple[str, str]]] = {**SUCCESS_QUIRKS, **METRIC_QUIRKS}
"""Quirk -> the behaviour of the published code, and the behaviour of homebody."""

PROTOCOLS: Final[Mapping[str, Protocol]] = {
    protocol.name: protocol for protocol in (CORRECTED, PUBLISHED)
}
