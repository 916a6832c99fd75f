"""Every suite that is played keeps to the contract: the checks that are shipped, with seeds and
steps that hypothesis draws and shortens."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from homebody.core import CORRECTED
from homebody.core.play.conformance.cases import Check, sample_case
from homebody.core.play.conformance.runner import check_suite, find_problems
from homebody.core.play.conformance.session_checks import (
    SESSION_CHECKS,
    any_planner_is_written,
    asking_changes_nothing,
    done_ends_a_role,
    malformed_arguments_raise,
    session_has_an_end,
    session_is_judged_by_its_protocol,
    session_replays,
    sessions_are_independent,
    time_needs_somebody_busy,
    transcript_gets_the_session_score,
    unknown_roles_are_refused,
    unread_text_is_reported,
    unreadable_actions_are_refused,
)
from homebody.core.play.conformance.suite_checks import any_text_gets_a_score
from homebody.suites import get_suite, loadable_suites
from suites.played import PLAYED
from thorough import examples

pytestmark = pytest.mark.usefixtures("eai_data")

TASKS = 4
"""Tasks of each suite that are played, from all over it."""
AT_THE_START = {
    any_planner_is_written,
    done_ends_a_role,
    malformed_arguments_raise,
    session_has_an_end,
    session_is_judged_by_its_protocol,
    time_needs_somebody_busy,
    unknown_roles_are_refused,
    unread_text_is_reported,
    unreadable_actions_are_refused,
}
"""Checks of sessions that have just begun: two cases say as much as ten."""
EXAMPLES = dict.fromkeys(AT_THE_START, 2) | {
    any_text_gets_a_score: 6,
    asking_changes_nothing: 4,
    session_replays: 8,
    sessions_are_independent: 3,
    transcript_gets_the_session_score: 8,
}


@cache
def tasks(name: str) -> Sequence[Any]:
    """A few tasks from all over a suite."""
    all_tasks = get_suite(name).tasks.load(CORRECTED)
    return all_tasks[:: max(1, len(all_tasks) // TASKS)][:TASKS]


@pytest.mark.sampled
@pytest.mark.parametrize("check", [*SESSION_CHECKS, any_text_gets_a_score])
@pytest.mark.parametrize("name", PLAYED)
def test_sessions_keep_to_the_contract(name: str, check: Check) -> None:
    @examples(EXAMPLES.get(check, 6))
    @given(seed=st.integers(0, 2**53), steps=st.integers(0, 40))
    def keeps(seed: int, steps: int) -> None:
        generator = np.random.default_rng(seed)
        case = sample_case(get_suite(name), tasks(name), generator, steps=steps)
        assert find_problems(check, case) == []

    keeps()


ASKED = [suite.name for suite in loadable_suites() if suite.playing is None]
KNOWN = {"eai.virtualhome.transition_modeling": {"oracle_succeeds"}}
"""Suite -> checks that are known to fail: the operators of its oracle do not reach every goal."""


@pytest.mark.sampled
@pytest.mark.usefixtures("behavior_data")
@pytest.mark.parametrize("name", ASKED)
def test_suites_that_are_asked_pass_every_check(name: str) -> None:
    report = check_suite(get_suite(name), tasks=TASKS)
    failed = {result.check for result in report.results if result.status == "failed"}
    assert failed == KNOWN.get(name, set()), str(report)
