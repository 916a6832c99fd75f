"""The goal, plan and map of a task, as text for people."""

from __future__ import annotations

from collections.abc import Mapping

from homebody.core.play.transcript import number_lines
from homebody.suites.embodiedeval.tasks import EmbodiedTask, house_of
from homebody.worlds.house.model.state import HouseState
from homebody.worlds.house.play.text_map import text_map


def show_solution(task: EmbodiedTask) -> Mapping[str, str]:
    """Return the predicates, the options of a shortest run, and the place from above."""
    house = house_of(task.scene)
    return {
        "Goal": "\n".join((task.instruction, *task.predicates)),
        "Plan": number_lines(task.plan),
        "Map": text_map(house, HouseState.start(house)),
    }
