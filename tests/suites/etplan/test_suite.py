"""Runs of the suites: the oracle does all it is asked, the explorer much of it."""

from __future__ import annotations

import msgspec
import pytest

from homebody.core import CORRECTED, Protocol
from homebody.core.protocol import PUBLISHED
from homebody.suites import get_suite

pytest.importorskip("embreex")


@pytest.mark.sampled
@pytest.mark.parametrize("row", ["navigation_relation_size", "several_two_arms", "temporal"])
def test_the_oracle_succeeds_along_the_shortest_plan(row: str) -> None:
    suite = get_suite(f"etplan.{row}")
    for task in suite.tasks.load(CORRECTED)[4::100]:
        score = suite.score(task, suite.answer("oracle", task))
        assert score.metrics == {"success": 1.0, "progress": 1.0}
        assert score.record["lcs_ratio"] == 1.0
        assert score.record["lcs"] == len(task.plan) <= score.record["sequence_length"]


@pytest.mark.parametrize("row", ["navigation", "manipulation_relation", "several"])
def test_who_fails_is_told_why_and_has_the_longest_sequence(row: str) -> None:
    suite = get_suite(f"etplan.{row}")
    task = suite.tasks.load(CORRECTED)[3]
    score = suite.score(task, suite.answer("idle", task))
    assert score.metrics["success"] == 0.0
    assert score.record["sequence_length"] == task.limit
    assert score.record["moving_distance"] is None
    assert "not reached" in score.record["explanation"]


def test_a_layout_map_is_furniture_that_is_known() -> None:
    kinds = {}
    for name in ("navigation", "navigation_layout"):
        playing = get_suite(f"etplan.{name}").playing
        assert playing is not None
        task = get_suite(f"etplan.{name}").tasks.load(CORRECTED)[0]
        session = playing.start(task, {}, 0, CORRECTED)
        nodes = session.observe("robot").knowledge.nodes.values()
        kinds[name] = sum(node.kind == "furniture" for node in nodes)
    assert kinds["navigation"] < kinds["navigation_layout"]


@pytest.mark.slow
@pytest.mark.parametrize("protocol", [CORRECTED, pytest.param(PUBLISHED, marks=pytest.mark.slow)])
def test_the_explorer_finds_things_by_either_protocol(protocol: Protocol) -> None:
    suite = get_suite("etplan.manipulation")
    some = suite.tasks.load(CORRECTED)[:60:12]
    tasks = [msgspec.structs.replace(task, most_actions=0) for task in some]  # the row's limit
    scores = [suite.score(task, suite.answer("explorer", task), protocol) for task in tasks]
    assert sum(score.metrics["success"] for score in scores) >= 2
