"""Precision and recall of what models list in pictures."""

from __future__ import annotations

import json
import math

import pytest

from homebody.core import CORRECTED
from homebody.goals.etplan import ROBOT
from homebody.suites.etplan.picture_lists import PictureLists, compare_list, count_lists
from homebody.suites.etplan.rows import ROWS
from homebody.suites.etplan.session import start
from homebody.suites.etplan.tasks import load

CLASSES = frozenset({"sofa", "table_lamp", "mug", "tv"})


def test_a_list_by_hand() -> None:
    found = compare_list('["a sofa", "table lamps", "unicorn"]', {"sofa", "mug"}, CLASSES)
    assert found == PictureLists(named=3, visible=2, right=1)
    assert (round(found.precision, 1), found.recall) == (33.3, 50.0)
    nothing = compare_list("nothing to see", {"sofa"}, CLASSES)
    assert nothing == PictureLists(0, 1, 0)
    assert math.isnan(nothing.precision)
    assert found + nothing == PictureLists(3, 3, 1)


@pytest.mark.slow
def test_the_lists_of_a_run_are_compared_with_what_is_visible() -> None:
    task, settings = load("test")["navigation"][0], {"observation": "pictures"}
    session = start(ROWS["navigation"], task, settings, 0, CORRECTED)
    nodes = session.observe(ROBOT).knowledge.nodes.values()
    seen = sorted({node.category for node in nodes if node.kind in ("furniture", "object")})
    jobs = json.dumps([{"thing": "unicorn"}])
    answers = ['["navigation"]', jobs, json.dumps(seen)]
    found = count_lists(task, answers, settings)
    assert found.right == found.named == len(seen)  # later lists are empty
    assert found.visible >= found.right
    assert count_lists(task, ['["navigation"]', jobs, '["unicorn"]'], settings).right == 0
