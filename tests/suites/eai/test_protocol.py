"""The published protocol is one for both worlds, of which each has quirks of its own."""

from __future__ import annotations

import numpy as np
import pytest

from homebody.core import CORRECTED, PUBLISHED, STRICT, HomebodyError, Protocol
from homebody.suites import get_suite

ABILITIES = ("action_sequencing", "goal_interpretation", "subgoal_decomposition")


@pytest.mark.slow
@pytest.mark.usefixtures("eai_data", "behavior_data")
@pytest.mark.parametrize("world", ["virtualhome", "behavior"])
@pytest.mark.parametrize("ability", ABILITIES)
def test_quirks_of_the_other_world_change_nothing(world: str, ability: str) -> None:
    suite = get_suite(f"eai.{world}.{ability}")
    own = Protocol("published", frozenset(suite.published.quirks))
    generator = np.random.default_rng(3)
    for task in suite.tasks.load(PUBLISHED)[::11]:
        for agent in suite.text_agents.values():
            output = agent.answer(task, generator)
            assert suite.score(task, output, PUBLISHED) == suite.score(task, output, own)


@pytest.mark.usefixtures("eai_data", "behavior_data")
@pytest.mark.parametrize(
    "name",
    [
        "eai.virtualhome.action_sequencing",
        "eai.behavior.subgoal_decomposition",
        "eai.behavior.transition_modeling",
    ],
)
def test_a_task_of_another_protocols_world_is_refused(name: str) -> None:
    suite = get_suite(name)
    for loaded, judged in ((CORRECTED, PUBLISHED), (PUBLISHED, CORRECTED)):
        task = suite.tasks.load(loaded)[0]
        suite.score(task, "", loaded)
        with pytest.raises(HomebodyError, match="was loaded for another protocol"):
            suite.score(task, "", judged)


@pytest.mark.usefixtures("behavior_data")
def test_what_is_played_is_judged_in_the_world_of_the_protocol() -> None:
    suite = get_suite("eai.behavior.interactive")
    corrected, published = (suite.tasks.load(protocol)[0] for protocol in (CORRECTED, PUBLISHED))
    for agent in ("oracle", "random"):
        played = suite.answer(agent, corrected)
        for protocol in (CORRECTED, PUBLISHED):
            score = suite.score(corrected, played, protocol)
            assert score == suite.score(published, played, protocol)


@pytest.mark.usefixtures("eai_data")
def test_protocols_of_one_world_take_each_others_tasks() -> None:
    suite = get_suite("eai.virtualhome.action_sequencing")
    task = suite.task("27_2")
    suite.score(task, "", STRICT)
    assert suite.experiments.unreliable is not None
    suite.score(suite.experiments.unreliable(task, 0.5, 0, 1, 0), "", STRICT)
    published = suite.task("27_2", PUBLISHED)
    suite.score(suite.experiments.unreliable(published, 0.5, 0, 1, 0), "", PUBLISHED)
    suite.score(published, "", PUBLISHED.without("ground_truth_plan_not_judged"))
