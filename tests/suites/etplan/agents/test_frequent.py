"""The frequent agent: searches where objects of the class most often are."""

from __future__ import annotations

import msgspec
import numpy as np
import pytest

from homebody.core import CORRECTED, DONE, Action
from homebody.core.play.rounds import play
from homebody.goals.etplan import ROBOT
from homebody.suites.etplan.agents.frequent import frequent
from homebody.suites.etplan.frequencies import room_share
from homebody.suites.etplan.rows import ROWS
from homebody.suites.etplan.scenes import home
from homebody.suites.etplan.session import start
from homebody.suites.etplan.tasks import EtplanTask, load

PLACES = ("on", "within")


def steps(task: EtplanTask, knowledge: str = "visible") -> tuple:
    """The session, and actions with what was known before each."""
    session = start(ROWS[task.row], task, {"knowledge": knowledge}, 0, CORRECTED)
    policy, done = frequent(session, np.random.default_rng(0)), []

    def told(session: object, role: str) -> Action:
        known = dict(session.observe(ROBOT).knowledge.nodes)
        done.append((policy(session, role), known))
        return done[-1][0]

    play(session, {ROBOT: told})
    return session, done


@pytest.mark.sampled
@pytest.mark.parametrize("row", load("test"))
def test_it_wastes_no_action_and_knows_what_it_names(row: str) -> None:
    for task in load("test")[row][7::66]:
        session, done = steps(task)
        at = ""
        for action, known in done:
            assert all(arg in known or arg in PLACES for arg in action.args), (task.id, action)
            if action.name == "Navigate":
                assert action.args[0] != at, (task.id, "it stands there")
                at = action.args[0]
            if action.name == "Open":
                assert known[action.args[0]].states["open"] is False
        opened = [action for action, _ in done if action.name == "Open"]
        assert len(set(opened)) == len(opened), "nothing is searched twice"
        assert session.ending is not None


def test_it_goes_to_the_likeliest_room_first_and_ends_where_nothing_is_left() -> None:
    first = load("test")["navigation"][0]
    task = msgspec.structs.replace(first, criterion="(CLOSE, robot, sofa)", most_actions=0)
    _, done = steps(task)
    kinds = [known[action.args[0]].category for action, known in done if action.name == "Navigate"]
    rooms = {room.kind for room in home(task.house).rooms}  # type: ignore[arg-type]
    assert kinds[0] in ("sofa", max(rooms, key=lambda kind: room_share("sofa", kind)))

    task = msgspec.structs.replace(task, criterion="(CLOSE, robot, submarine)")
    session, done = steps(task)
    assert done[-1][0] == DONE or len(done) == ROWS["navigation"].most_actions
    assert session.score().metrics["success"] == 0


def test_who_is_told_all_goes_straight_to_the_object() -> None:
    task = load("test")["navigation"][0]
    _, done = steps(task, "full")
    assert [action.name for action, _ in done if action.name == "Navigate"] == ["Navigate"]


def test_it_ignores_relations() -> None:
    """It stands for what costs no understanding."""
    for task in load("test")["navigation_relation"][::20]:
        goal = f"(CLOSE, robot, {task.goal.stages[-1][0].second})"
        plain = msgspec.structs.replace(task, criterion=goal)
        walks = [[str(action) for action, _ in steps(each)[1]] for each in (task, plain)]
        assert walks[0][: len(walks[1])] == walks[1]
