"""The explorer: knows what to look for and not where."""

from __future__ import annotations

import msgspec
import numpy as np
import pytest

from homebody.core import CORRECTED, DONE, Action
from homebody.core.play.rounds import play
from homebody.core.play.session import GOAL_MET
from homebody.goals.etplan import ROBOT
from homebody.suites.etplan.agents.explorer import explorer
from homebody.suites.etplan.rows import ROWS
from homebody.suites.etplan.scenes import home
from homebody.suites.etplan.session import start
from homebody.suites.etplan.tasks import EtplanTask, load


def task_of(row: str, number: int = 0) -> EtplanTask:
    return load("test")[ROWS[row].tasks][number]


def asking(criterion: str) -> EtplanTask:
    """A task with another criterion, within the limit of its row."""
    return msgspec.structs.replace(task_of("navigation"), criterion=criterion, most_actions=0)


def task_room(task: EtplanTask) -> str:
    """The room in which the robot starts."""
    session = start(ROWS[task.row], task, {}, 0, CORRECTED)
    return str(session.observe(ROBOT).knowledge.nodes[ROBOT].room)


def steps(row: str, task: EtplanTask, knowledge: str = "visible") -> tuple:
    """The session, and actions with what was known before each."""
    session = start(ROWS[row], task, {"knowledge": knowledge}, 0, CORRECTED)
    policy, done = explorer(session, np.random.default_rng(0)), []

    def told(session: object, role: str) -> Action:
        known = dict(session.observe(ROBOT).knowledge.nodes)
        done.append((policy(session, role), known))
        return done[-1][0]

    play(session, {ROBOT: told})
    return session, done


@pytest.mark.sampled
@pytest.mark.parametrize("row", ["navigation", "manipulation_relation", "temporal"])
@pytest.mark.parametrize("number", [0, 60])
def test_it_acts_only_on_what_it_knows(row: str, number: int) -> None:
    _, done = steps(row, task_of(row, number))
    relations = ("on", "within", "in", "inside")
    for action, known in done:
        assert all(arg in known or arg in relations for arg in action.args), action
        if action.name == "Open":
            assert known[action.args[0]].states["open"] is False


@pytest.mark.parametrize("row", ["navigation", "manipulation"])
def test_who_is_told_all_goes_straight_to_the_thing(row: str) -> None:
    task = task_of(row)
    session, done = steps(row, task, "full")
    assert session.ending == GOAL_MET
    assert done[0][0].name == "Navigate"
    assert done[0][1][done[0][0].args[0]].category == task.goal.stages[0][0].second


@pytest.mark.slow
def test_no_place_is_searched_twice() -> None:
    for number in range(0, 200, 50):
        _, done = steps("navigation_distance", task_of("navigation_distance", number))
        walks = [action for action, _ in done if action.name == "Navigate"]
        assert len(set(walks)) == len(walks)


def test_it_ends_where_nothing_is_left_to_search() -> None:
    task = asking("(CLOSE, robot, submarine)")
    session, done = steps("navigation", task)
    assert session.ending != GOAL_MET
    assert done[-1][0] == DONE or len(done) == ROWS["navigation"].most_actions


def test_it_opens_nothing_to_find_furniture() -> None:
    task = asking("(CLOSE, robot, pool_table)")
    _, done = steps("navigation", task)  # of which there is none
    assert set(home(int(task.house)).room) <= {task_room(task), *(a.args[-1] for a, _ in done[:-1])}
    assert not [action for action, _ in done if action.name == "Open"]

    shut = next(t for t in load("test")["navigation_size"] if "Open[" in "".join(t.plan))
    _, done = steps("navigation", msgspec.structs.replace(shut, most_actions=0))
    assert [action for action, _ in done if action.name == "Open"]
