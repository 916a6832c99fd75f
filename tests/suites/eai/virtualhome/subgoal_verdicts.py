"""What tests of subgoals on VirtualHome share."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from homebody.core import CORRECTED, Protocol
from homebody.suites.eai.virtualhome.subgoal_decomposition import render, score
from homebody.suites.eai.virtualhome.tasks import load_task

LIGHT = "120_1"  # ON and PLUGGED_IN of light.245 and light.411
CLOTHES = "417_1"  # clothes and soap onto a washing machine that is closed, on and plugged in
ME = "character.65"


def verdict(
    subgoals: Sequence[str] | str, identifier: str = LIGHT, protocol: Protocol = CORRECTED
) -> dict[str, Any]:
    text = subgoals if isinstance(subgoals, str) else render(subgoals)
    return dict(score(load_task(identifier, protocol), text, protocol).record)
