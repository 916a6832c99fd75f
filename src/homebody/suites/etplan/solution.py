"""The criterion, plan and map of a task, and its classes, as text for people."""

from __future__ import annotations

from collections.abc import Mapping

from homebody.core.play.transcript import number_lines
from homebody.suites.etplan.classification import classify
from homebody.suites.etplan.failures import first_facts
from homebody.suites.etplan.rows import Row
from homebody.suites.etplan.scenes import graph, home
from homebody.suites.etplan.tasks import EtplanTask
from homebody.worlds.house.model.state import HouseState
from homebody.worlds.house.play.text_map import text_map


def show_solution(row: Row, task: EtplanTask) -> Mapping[str, str]:
    """Return criterion, shortest plan, map and the classes of appendix A.5."""
    classes = classify(row, task)
    return {
        "Goal": f"{task.instruction}\n{task.criterion}",
        "Plan": number_lines(task.plan),
        "Map": _draw(task),
        "Classes": "\n".join(f"{name}: {value}" for name, value in classes.items()),
    }


def _draw(task: EtplanTask) -> str:
    named = dict.fromkeys(name for action in task.reference for name in action.args)
    if isinstance(task.house, int):
        house = home(task.house)
        names = [name for name in named if name in house.piece or name in house.thing]
        assert not isinstance(task.start, str)
        return text_map(house, HouseState.start(house), names, task.start[:2])
    facts, rooms = first_facts(task), graph(task.house).rooms
    lines = [f"{room}{' (start)' if room == task.start else ''}" for room in rooms]
    for name in named:
        stated = facts.stated_relations(name)
        where = ", ".join(f"{relation} {other}" for relation, other in stated)
        lines += [f"{name}: {where}"] if where and name not in rooms else []
    return "\n".join(lines)
