"""Neither the order of the objects in a prompt nor their numbers show what an episode is about."""

from __future__ import annotations

from dataclasses import replace

import pytest

from homebody.suites.partnr.prompting.knowledge_text import describe_objects
from homebody.suites.partnr.session import PartnrSession
from homebody.suites.partnr.settings import ROBOT, Settings
from homebody.suites.partnr.tasks import load
from leaks import guess_wanted

EVERY = 5


@pytest.mark.slow
@pytest.mark.parametrize("observability", ["full", "partial"])
def test_no_position_or_number_shows_what_is_wanted(observability: str) -> None:
    lists = []
    for task in load("val")[::EVERY]:
        seen = replace(task, settings=Settings(observability=observability))
        known = PartnrSession(seen).observe(ROBOT).knowledge
        lines = describe_objects(known, [ROBOT]).splitlines()
        wanted = {
            name
            for proposition in task.episode.evaluation.propositions
            for name in proposition.lists[0]
        }
        lists.append(([line.partition(":")[0] for line in lines if ":" in line], wanted))
    rules = guess_wanted(lists)
    assert {rule: score for rule, score in rules.items() if score[2] > 3.5} == {}
