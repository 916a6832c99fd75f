"""The oracle: the shortest plan, with looks before where something has not been seen."""

from __future__ import annotations

import msgspec
import numpy as np
import pytest

from homebody.core import CORRECTED, Action
from homebody.core.play.rounds import play
from homebody.core.play.session import GOAL_MET
from homebody.goals.etplan import ROBOT
from homebody.suites.etplan.agents.oracle import LOOKS, oracle
from homebody.suites.etplan.rows import ROWS
from homebody.suites.etplan.session import start
from homebody.suites.etplan.tasks import load


def played(row: str, number: int = 0, knowledge: str = "visible", **changed: object) -> tuple:
    task = msgspec.structs.replace(load("test")[ROWS[row].tasks][number], **changed)
    session = start(ROWS[row], task, {"knowledge": knowledge}, 0, CORRECTED)
    play(session, {ROBOT: oracle(session, np.random.default_rng(0))})
    return session, task.plan, [entry.call for entry in session.transcript().entries]


@pytest.mark.parametrize("row", ["navigation", "manipulation_relation", "several_two_arms"])
def test_who_knows_the_home_needs_no_looks(row: str) -> None:
    session, plan, done = played(row, knowledge="full")
    assert session.ending == GOAL_MET
    assert done == list(plan)


@pytest.mark.parametrize("row", ["navigation_distance", "manipulation", "temporal"])
def test_it_follows_the_plan_in_order_and_looks_between(row: str) -> None:
    session, plan, done = played(row)
    follows = iter(done)
    assert session.ending == GOAL_MET
    assert all(call in follows for call in plan)
    assert all(call.startswith("Navigate[") for call in done if call not in plan)
    walks = sum(call.startswith("Navigate[") for call in plan)
    assert len(done) <= len(plan) + LOOKS * walks


def test_it_says_that_it_is_done_when_the_plan_is_over() -> None:
    session, _, done = played("navigation", criterion="(CLOSE, robot, fork)(ON, fork, bed)")
    assert session.ending != GOAL_MET
    assert done[-1] == "Done[]"


def test_it_does_only_what_is_in_the_plan() -> None:
    task = load("test")["navigation"][0]
    session = start(ROWS["navigation"], task, {"knowledge": "full"}, 0, CORRECTED)
    policy = oracle(session, np.random.default_rng(0))
    said = [policy(session, ROBOT) for _ in range(len(task.plan) + 2)]
    assert said == [*task.reference, Action("Done"), Action("Done")]
