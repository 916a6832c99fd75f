"""What is counted of tasks and plans."""

from __future__ import annotations

import json

import numpy as np
import pytest

from homebody.core import CORRECTED
from homebody.suites import get_suite
from homebody.suites.eai.behavior.tasks import BehaviorTask, load_task

pytestmark = pytest.mark.usefixtures("behavior_data")
SUITE = get_suite("eai.behavior.action_sequencing")
RNG = np.random.default_rng(0)


@pytest.fixture(scope="module")
def bottling(behavior_data: None) -> BehaviorTask:
    return load_task("bottling_fruit")


def oracle(task: BehaviorTask) -> str:
    return SUITE.text_agents["oracle"].answer(task, RNG)


def test_what_is_counted_of_tasks_and_plans(bottling: BehaviorTask) -> None:
    demands = SUITE.experiments.demands
    assert demands is not None
    assert demands.steps is not None
    assert demands.goals is not None
    score = SUITE.score(bottling, oracle(bottling), CORRECTED)
    assert demands.factors(bottling)["goals"] == 5
    assert demands.factors(bottling)["plan length"] == len(bottling.task.reference)
    assert len(demands.steps(bottling, score)) == len(bottling.task.reference)
    assert all(met for _, _, met in demands.goals(bottling, score))
    stopped = SUITE.score(
        bottling, json.dumps([{"action": "CLOSE", "object": "jar_0"}] * 2), CORRECTED
    )
    assert [name for name, _ in demands.steps(bottling, stopped)] == ["CLOSE", "CLOSE"]
