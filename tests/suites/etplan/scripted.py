"""Scripts that know where everything is, and carry objects in any order."""

from __future__ import annotations

from typing import Any

from homebody.core import CORRECTED, Action, Verdict
from homebody.core.play.rounds import finish
from homebody.goals.etplan import PLACED, ROBOT, Condition, EtplanGoal
from homebody.suites.etplan.facts import Facts
from homebody.suites.etplan.rows import ROWS
from homebody.suites.etplan.session import start
from homebody.suites.etplan.tasks import EtplanTask


def begin(task: EtplanTask) -> Any:
    """Return a session of a task in which the robot knows everything."""
    return start(ROWS[task.row], task, {"knowledge": "full"}, 0, CORRECTED)


def act(session: Any, skill: str, *arguments: str) -> bool:
    """Do an action; return whether it succeeded. An action after the end fails."""
    if session.ending is not None:
        return False
    event = session.act(ROBOT, Action(skill, arguments)) or finish(session, ROBOT)
    return event is not None and bool(event.ok)


def judge(session: Any) -> Verdict:
    """Return the verdict on a session so far."""
    return EtplanGoal(session.source.task.goal).judge(session.source.seen.trace)


def reach(session: Any, name: str) -> bool:
    """Open what an object is shut in, and go to the object."""
    facts: Facts = session.source.facts
    for container in reversed(facts.shut_around(name)):
        act(session, "Navigate", container)
        act(session, "Open", container)
    return act(session, "Navigate", name)


def take(session: Any, name: str) -> bool:
    """Go to an object and pick it up."""
    return reach(session, name) and act(session, "Pick", name)


def put(session: Any, name: str, relation: str, target: str) -> bool:
    """Go to a place, open it if the object goes into it, and put the object there."""
    reach(session, target)
    if relation == "within" and session.source.facts.is_closed(target):
        act(session, "Open", target)
    return act(session, "Place", name, relation, target)


def carry(session: Any, placement: Action) -> bool:
    """Fetch an object and put it where a ``Place`` action says."""
    name, relation, target = placement.args
    return take(session, name) and put(session, name, relation, target)


def placements(task: EtplanTask) -> list[Action]:
    """Return the ``Place`` actions of the reference that bring about a condition, in order."""
    return [placement for stage in placements_of_stages(task) for placement in stage]


def placements_of_stages(task: EtplanTask) -> list[list[Action]]:
    """Return the ``Place`` actions that bring about the conditions of each stage."""
    facts: Facts = begin(task).source.facts
    left = [action for action in task.reference if action.name == "Place"]
    result = []
    for new in task.goal.new_puts:
        mine = [action for action in left if any(_brings_about(action, c, facts) for c in new)]
        left = [action for action in left if action not in mine]
        result.append(mine)
    return result


def _brings_about(action: Action, condition: Condition, facts: Facts) -> bool:
    name, relation, target = action.args
    return (
        PLACED[condition.relation] == relation
        and facts.category(name) == condition.first
        and facts.category(target) == condition.second
    )
