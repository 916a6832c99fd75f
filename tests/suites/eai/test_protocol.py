"""The published protocol is one for both worlds, of which each has quirks of its own."""

from __future__ import annotations

import numpy as np
import pytest

from homebody.core import PUBLISHED, Protocol
from homebody.suites import get_suite

ABILITIES = ("action_sequencing", "goal_interpretation", "subgoal_decomposition")


@pytest.mark.usefixtures("eai_data", "behavior_data")
@pytest.mark.parametrize("world", ["virtualhome", "behavior"])
@pytest.mark.parametrize("ability", ABILITIES)
def test_quirks_of_the_other_world_change_nothing(world: str, ability: str) -> None:
    suite = get_suite(f"eai.{world}.{ability}")
    own = Protocol("published", frozenset(suite.scoring.quirks))
    generator = np.random.default_rng(3)
    for task in suite.tasks.load(PUBLISHED)[::11]:
        for agent in suite.text_agents.values():
            output = agent.answer(task, generator)
            assert suite.score(task, output, PUBLISHED) == suite.score(task, output, own)
