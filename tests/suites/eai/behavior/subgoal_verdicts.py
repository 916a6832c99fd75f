"""What tests of subgoals on BEHAVIOR share."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from homebody.core import CORRECTED, Protocol
from homebody.suites.eai.behavior.subgoal_decomposition import render, score
from homebody.suites.eai.behavior.tasks import load_task

FRUIT = "bottling_fruit"
EXAMPLE = (
    "ontop(strawberry.0, countertop.84) and ontop(peach.0, countertop.84)",
    "holds_rh(carving_knife.0)",
    "sliced(strawberry.0) and sliced(peach.0)",
    "inside(strawberry.0, jar.0) and not inside(peach.0, jar.0)",
    "inside(peach.0, jar.1) and not inside(strawberry.0, jar.1)",
    "not open(jar.0) and not open(jar.1)",
)
"""What the official prompt gives as an example."""
HELD = ("holds_rh(carving_knife.0)", "holds_lh(jar.0)")


def verdict(
    subgoals: Sequence[Any] | str, name: str = FRUIT, protocol: Protocol = CORRECTED
) -> dict[str, Any]:
    text = subgoals if isinstance(subgoals, str) else render(subgoals)
    return dict(score(load_task(name, protocol), text, protocol).record)
