"""Neither the order nor the numbers of objects show which of a kind a task is about."""

from __future__ import annotations

from itertools import product

import pytest

from homebody.core import CORRECTED
from homebody.goals.etplan import ROBOT
from homebody.suites.etplan.rows import ROWS
from homebody.suites.etplan.session import KNOWLEDGE, start
from homebody.suites.etplan.tasks import load
from leaks import RULES, guess_wanted, read_names, split_name

EVERY = 10


@pytest.mark.slow
def test_no_position_or_number_shows_what_is_wanted() -> None:
    sample = [
        (row, task)
        for row, tasks in load("test").items()
        for task in sorted(tasks, key=lambda task: str(task.house))[::EVERY]
    ]
    sample.sort(key=lambda each: str(each[1].house))  # a home is built once
    lists: dict[str, list[tuple[list[str], set[str]]]] = {each: [] for each in KNOWLEDGE}
    for (row, task), knowledge in product(sample, KNOWLEDGE):
        session = start(ROWS[row], task, {"knowledge": knowledge}, 0, CORRECTED)
        house = session.simulation.state.house  # type: ignore[attr-defined]
        wanted = {name for action in task.reference for name in action.args}
        view = session.observe(ROBOT).view
        told = read_names(view.describe(ROBOT), {*house.thing, *house.piece})
        offered = [name for action in view.options(ROBOT) for name in action.args]
        for names in (told, list(dict.fromkeys(offered))):
            for kind in {split_name(name)[0] for name in wanted}:
                own = [name for name in names if split_name(name)[0] == kind]
                lists[knowledge].append((own, wanted))
    for knowledge, those in lists.items():
        rules = guess_wanted(those)
        assert len(rules) == len(RULES)
        assert {rule: score for rule, score in rules.items() if score[2] > 3.5} == {}, knowledge
