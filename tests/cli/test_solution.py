"""`homebody show --solution`: goal, plan and map of a task, for every suite."""

from __future__ import annotations

import re

import pytest

from command import Homebody
from homebody.cli.solution import solution_of
from homebody.core import CORRECTED
from homebody.suites import get_suite, list_suites

SUITES = [name for name in list_suites() if not name.startswith(("toy", "own"))]


@pytest.mark.sampled
@pytest.mark.usefixtures("eai_data", "behavior_data")
@pytest.mark.parametrize("name", SUITES)
def test_every_suite_shows_a_goal_a_plan_and_a_map(name: str) -> None:
    suite = get_suite(name)
    parts = solution_of(suite, suite.tasks.load(CORRECTED)[0])
    assert [*parts][:3] == ["Goal", "Plan", "Map"]
    assert all(parts.values())


def test_a_task_of_etplan_is_shown_with_its_criterion(homebody: Homebody) -> None:
    suite = get_suite("etplan.manipulation")
    task = suite.tasks.load(CORRECTED)[0]
    out = homebody("show", suite.name, suite.tasks.identify(task), "--solution").out
    for text in (task.instruction, task.criterion, *task.plan, "spatial relation: none"):
        assert text in out
    assert re.search("^a  [a-z_]+_0$", out, re.MULTILINE)
    assert "@" in out
    assert "takes a task" in homebody("show", suite.name, "--all", "--solution").err
