"""The six state predicates of table 6 of the PARTNR paper (A.4.1)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from homebody.worlds.house.model.catalogue import STATE_OF

STATES: Final[Mapping[str, tuple[str, bool]]] = {
    "is_clean": ("clean", True),
    "is_dirty": ("clean", False),
    "is_filled": ("filled", True),
    "is_empty": ("filled", False),
    "is_powered_on": ("powered_on", True),
    "is_powered_off": ("powered_on", False),
}
"""Predicate -> its state and value. Only the human can bring these about."""
OPPOSITES: Final[Mapping[str, str]] = {
    predicate: opposite
    for predicate, (state, value) in STATES.items()
    for opposite in STATES
    if STATES[opposite] == (state, not value)
}
"""State predicate -> its opposite."""
AFFORDANCE: Final[Mapping[str, str]] = {
    predicate: affordance
    for predicate, (state, _) in STATES.items()
    for affordance, its_state in STATE_OF.items()
    if its_state == state
}
"""State predicate -> the affordance that its objects need."""
