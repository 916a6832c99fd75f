"""Suites: the benchmarks, by name. A new suite is one folder here and one line below."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from homebody.core import HomebodyError, Suite

SUITES = (
    "eai.behavior.action_sequencing",
    "eai.behavior.goal_interpretation",
    "eai.behavior.subgoal_decomposition",
    "eai.behavior.transition_modeling",
    "eai.behavior1k.action_sequencing",
    "eai.virtualhome.action_sequencing",
    "eai.virtualhome.goal_interpretation",
    "eai.virtualhome.subgoal_decomposition",
    "eai.virtualhome.transition_modeling",
    "partnr.test",
    "partnr.val",
)
"""Their names; ``a.b`` is the ``SUITE`` of the module ``homebody.suites.a.b``, imported when asked
for."""


def get_suite(name: str) -> Suite[Any]:
    """A suite by name. Raises HomebodyError if there is none."""
    if name not in SUITES:
        raise HomebodyError(f"there is no suite {name!r}", f"choose one of: {', '.join(SUITES)}")
    suite = import_module(f"{__name__}.{name}").SUITE
    assert isinstance(suite, Suite)
    return suite
