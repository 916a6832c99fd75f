"""Neither the order of the objects in a prompt nor their numbers show what an episode is about."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest

from homebody.suites.partnr.prompting.knowledge_text import describe_world
from homebody.suites.partnr.session import PartnrSession
from homebody.suites.partnr.settings import ROBOT, Settings
from homebody.suites.partnr.tasks import load
from leaks import guess_wanted, read_names

BY_PLACE_OR_KIND = {"first", "last", "first in the alphabet"}
"""Rules that depend on places and kinds: objects that lie about alone, and those of some kinds, are
wanted more often than books."""


@pytest.mark.slow
@pytest.mark.parametrize(("observability", "every"), [("full", 5), ("partial", 1)])
def test_no_position_or_number_shows_what_is_wanted(observability: str, every: int) -> None:
    lists = []
    for task in load("val")[::every]:  # of one room, few lists have several objects of a kind
        seen = replace(task, settings=Settings(observability=observability))
        known = PartnrSession(seen).observe(ROBOT).knowledge
        text = describe_world(known, [ROBOT])
        wanted = {
            name
            for proposition in task.episode.evaluation.propositions
            for name in proposition.lists[0]
        }
        objects = list(known.of_kind("object"))
        lists.append((read_names(text, {node.name for node in objects}), wanted))
        rest = {name: node for name, node in known.nodes.items() if node.kind != "object"}
        Random(0).shuffle(objects)
        known.nodes = rest | {node.name: node for node in objects}
        assert describe_world(known, [ROBOT]) == text  # the order depends on the places alone
    rules = guess_wanted(lists)
    assert len(rules) > len(BY_PLACE_OR_KIND)
    others = {rule: score for rule, score in rules.items() if rule not in BY_PLACE_OR_KIND}
    assert {rule: score for rule, score in others.items() if score[2] > 3.5} == {}
