"""Subgoals as the published evaluator reads and refines them."""

from __future__ import annotations

import json
from typing import Any

import pytest

from homebody.core import PUBLISHED
from homebody.suites.eai.behavior.subgoals import read_subgoals
from homebody.suites.eai.behavior.tasks import load_task
from homebody.suites.eai.plan_results import GrammarError
from suites.eai.behavior.subgoal_verdicts import FRUIT, HELD, verdict

pytestmark = pytest.mark.usefixtures("behavior_data")


def test_published_reads_by_pattern() -> None:
    def texts(*items: Any) -> list[str]:
        found = read_subgoals(load_task(FRUIT), json.dumps({"output": items}), PUBLISHED)
        return [subgoal.text for subgoal in found]

    assert texts("open(jar.0) or open(jar.1)") == ["open(jar.0)"]
    assert texts("open(jar.0)", "exists(jar_n_01, open(jar_n_01))", "onfloor(agent.1, x)") == [
        "open(jar.0)"
    ]
    assert texts("not not not open(jar.0)", "(open(jar.1)) and sliced(peach.0)") == [
        *("not open(jar.0)", "open(jar.1)", "sliced(peach.0)")
    ]
    assert texts("toggled.on(fridge.97)", "left_grasp(jar.0)") == [
        *("toggledon(fridge.97)", "left_grasp(jar.0)")
    ]
    for items in (["not not open(jar.0)"], [7], [], ["jar_n_01(jar.0)"], ["open()"]):
        with pytest.raises(GrammarError) as caught:
            texts(*items)
        assert caught.value.error.value == "parsing", items


@pytest.mark.parametrize(
    ("subgoals", "plan"),
    [
        (["holds_rh(jar.0)", "inside(jar.1, bottom_cabinet_no_top.80)"], ["LEFT_GRASP(jar_1)"]),
        ([*HELD, "open(fridge.97)"], ["RIGHT_RELEASE(carving_knife_0)", "OPEN(fridge_97)"]),
        ([*HELD, "holds_rh(jar.1)"], ["RIGHT_RELEASE(carving_knife_0)", "RIGHT_GRASP(jar_1)"]),
        ([*HELD, "not holds_rh(jar.0)", "not holds_lh(jar.0)"], ["LEFT_RELEASE(jar_0)"]),
        (["not ontop(jar.0, countertop.84)", "open(jar.0)"], ["OPEN(jar_0)"]),
        (
            ["nextto(jar.0, jar.1)", "ontop(jar.0, countertop.84)"],
            ["RIGHT_GRASP(jar_0)", "RIGHT_PLACE_NEXTTO_ONTOP(jar_1, countertop_84)"],
        ),
        (
            ["ontop(jar.0, countertop.84)", "ontop(jar.1, countertop.84)"],
            ["RIGHT_GRASP(jar_1)", "RIGHT_PLACE_ONTOP(countertop_84)"],
        ),
    ],
)
def test_published_rules(subgoals: list[str], plan: list[str]) -> None:
    assert verdict(subgoals, protocol=PUBLISHED)["plan"][-len(plan) :] == plan
