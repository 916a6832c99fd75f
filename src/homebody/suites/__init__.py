"""Suites: the benchmarks, by name. A new suite is one folder here and one line below."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from homebody.core import HomebodyError, Suite

SUITES = {
    "eai.virtualhome.action_sequencing": "homebody.suites.eai.action_sequencing",
    "eai.virtualhome.goal_interpretation": "homebody.suites.eai.goal_interpretation",
    "eai.virtualhome.subgoal_decomposition": "homebody.suites.eai.subgoal_decomposition",
    "eai.virtualhome.transition_modeling": "homebody.suites.eai.transition_modeling",
}
"""Suite name -> the module that holds it as ``SUITE``; imported when asked for."""


def get_suite(name: str) -> Suite[Any]:
    """A suite by name. Raises HomebodyError if there is none."""
    try:
        module = SUITES[name]
    except KeyError:
        raise HomebodyError(
            f"there is no suite {name!r}", f"choose one of: {', '.join(SUITES)}"
        ) from None
    suite = import_module(module).SUITE
    assert isinstance(suite, Suite)
    return suite
