"""What learned skills cost, as docs/benchmarks/partnr-learned.md says."""

from __future__ import annotations

from dataclasses import replace

import pytest

from homebody.suites.partnr.expert import play_expert
from homebody.suites.partnr.settings import Settings
from homebody.suites.partnr.tasks import load


@pytest.mark.sampled
def test_learned_skills_about_double_the_steps_of_the_expert() -> None:
    """The paper's ReAct takes 1.97 times as many (table 2, rows e and h)."""
    steps = {"oracle": 0, "failing": 0, "learned": 0}
    tasks = load("val")[5::100]
    for skills in steps:
        for task in tasks:
            session = play_expert(replace(task, settings=Settings(skills=skills)))
            steps[skills] += session.clock
            if skills != "learned":
                assert session.judgement().success
    assert steps["oracle"] < steps["failing"] < 1.3 * steps["oracle"]
    assert 1.6 * steps["oracle"] < steps["learned"] < 3.2 * steps["oracle"]
