"""Subgoals as the published evaluator reads and refines them."""

from __future__ import annotations

import json

import pytest

from homebody.core import PUBLISHED
from homebody.suites.eai.subgoal_decomposition.refinement import Limits
from homebody.suites.eai.virtualhome.subgoal_decomposition import render, score
from homebody.suites.eai.virtualhome.tasks import load_task, load_tasks
from suites.eai.virtualhome.subgoal_verdicts import LIGHT, ME, verdict

pytestmark = pytest.mark.usefixtures("eai_data")


def test_action_goals_by_name_need_no_object_and_stop_at_the_first_unmet() -> None:
    task = next(t for t in load_tasks(PUBLISHED) if len(t.action_goals) > 1)
    first = task.action_goals[0].split("|")[0]
    last = task.action_goals[-1].split("|")[0]
    assert first != last
    thing = next(n for n in task.relevant if n != ME)
    output = render([f"{last}({thing})"])
    base = PUBLISHED.without("goals_outside_subgoal_vocabulary")
    kept = score(task, output, base).record["goals_met"]["action"]
    assert kept[0] == 0
    assert kept[1] == len(task.action_goals)


def test_exceptions_of_the_published_evaluator_are_parsing_errors() -> None:
    for subgoal in ("not ON(light.245)", "ON(light)", "forall x. (ON(x))"):
        found = verdict([subgoal], protocol=PUBLISHED)
        assert found["error_type"] == "parsing", subgoal


def test_what_the_published_reader_takes() -> None:
    """``not not not`` is one; ids may have zeros in front; WIPE is known though not offered."""
    padded = verdict(["ON(light.00245)", "ON(light.411)"], protocol=PUBLISHED)
    assert padded["success"]
    assert verdict(["not not not ON(light.245)"], protocol=PUBLISHED)["subgoals"]
    assert verdict(["WIPE(light.245)"], protocol=PUBLISHED)["error_type"] == "missing_step"


@pytest.mark.sampled
@pytest.mark.parametrize(
    ("opening", "most", "closing"),
    [("(", 120, ")"), ("not ", 482, ""), ("not (", 96, ")"), ("exists x.(", 120, ")")],
)
def test_nesting_is_read_to_where_the_published_parser_reads(
    opening: str, most: int, closing: str
) -> None:
    """Measured of eai-eval 1.0.5; deeper, it calls an exception of its own a parsing error."""
    for depth, read in ((2, True), (most, True), (most + 1, False), (most + 50, False)):
        found = verdict([opening * depth + "FLY(light.245)" + closing * depth], protocol=PUBLISHED)
        assert found["error_type"] == ("action_hallucination" if read else "parsing"), depth


def test_the_rules_are_bounded_too() -> None:
    task = load_task(LIGHT, PUBLISHED)
    output = render([f"ONTOP({ME}, bed.105)", f"NEXT_TO({ME}, bed.105)"] * 60)
    found = score(task, output, PUBLISHED, Limits(nodes=200)).record
    assert found["search_limit"] or found["error_type"]
    json.dumps(dict(found))
