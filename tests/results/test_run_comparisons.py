"""Two runs beside each other."""

from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path

import pytest

from homebody.core import CORRECTED, PUBLISHED, HomebodyError, Suite
from homebody.results.run_comparisons import compare, rejudge
from homebody.suites import get_suite
from results.runs import kept

stats = pytest.importorskip("scipy.stats")
pytest.importorskip("statsmodels")


def test_pairs_are_compared_as_by_the_paired_t_test(suite: Suite[str], tmp_path: Path) -> None:
    a = {"t1": ["no", "no"], "t2": ["yes"], "t3": ["no"], "t4": ["no"]}
    b = {"t1": ["yes", "no"], "t2": ["no"], "t3": ["yes"], "t4": ["yes"]}
    found = compare(
        kept(suite, tmp_path, "a", a).comparable, kept(suite, tmp_path, "b", b).comparable
    )
    success, length = found.differences
    expected = stats.ttest_rel([0.5, 0.0, 1.0, 1.0], [0.0, 1.0, 0.0, 0.0])
    low, high = expected.confidence_interval()
    assert (success.first, success.second) == (0.25, 0.625)
    assert success.of_pairs.mean == pytest.approx(0.375)
    assert (success.of_pairs.low, success.of_pairs.high) == pytest.approx((low, high))
    assert success.of_pairs.p == pytest.approx(expected.pvalue)
    assert success.p >= success.of_pairs.p  # two were tested
    assert length.metric == "length"
    assert [(change.task, change.first, change.second) for change in found.won] == [
        ("t4", 0.0, 1.0), ("t3", 0.0, 1.0), ("t1", 0.0, 0.5),
    ]  # fmt: skip
    assert [change.task for change in found.lost] == ["t2"]
    assert found.lost[0].why_first == "t2 was answered with yes"
    assert found.lost[0].why_second == "t2 was answered with no"
    assert found.ties == 0
    assert any("minimum detectable difference" in warning for warning in found.warnings)
    assert any("4 clusters" in warning for warning in found.warnings)


def test_a_run_differs_from_itself_in_nothing(suite: Suite[str], tmp_path: Path) -> None:
    run = kept(suite, tmp_path, "a", {"t1": ["yes"], "t2": ["no"], "t3": ["yes"]})
    found = compare(run.comparable, run.comparable)
    assert all(each.of_pairs.mean == 0 == each.of_pairs.error for each in found.differences)
    assert not any(each.is_sure for each in found.differences)
    assert (found.won, found.lost, found.ties) == ((), (), 3)


def test_clusters_make_it_less_sure(suite: Suite[str], tmp_path: Path) -> None:
    a = {task: ["no"] for task in ("t1", "t2", "t3", "t4")}
    b = {"t1": ["yes"], "t2": ["yes"], "t3": ["no"], "t4": ["no"]}
    shared = {"t1": "x", "t2": "x", "t3": "y", "t4": "y"}
    clustered = replace(suite, tasks=replace(suite.tasks, cluster=shared.__getitem__))
    errors = []
    for number, of in enumerate((suite, clustered)):
        folder = tmp_path / str(number)
        found = compare(kept(of, folder, "a", a).comparable, kept(of, folder, "b", b).comparable)
        errors.append(found.differences[0].of_pairs.error)
    assert errors[1] > errors[0]


def test_only_what_is_alike_is_compared(suite: Suite[str], tmp_path: Path) -> None:
    a = kept(suite, tmp_path, "a", {"t1": ["yes"], "t2": ["yes"]})
    other = kept(replace(suite, name="toy.other"), tmp_path, "b", {"t1": ["yes"]})
    with pytest.raises(HomebodyError, match=r"suite is toy\.world\.quiz there, toy\.other here"):
        compare(a.comparable, other.comparable)
    elsewhere = kept(suite, tmp_path, "c", {"t3": ["yes"]})
    with pytest.raises(HomebodyError, match="share no task"):
        compare(a.comparable, elsewhere.comparable)
    part = kept(suite, tmp_path, "d", {"t2": ["no"], "t3": ["no"]})
    found = compare(a.comparable, part.comparable)
    assert found.unpaired == 2
    assert math.isnan(found.differences[0].p)


@pytest.mark.usefixtures("eai_data")
@pytest.mark.slow
def test_which_quirk_made_it() -> None:
    """The published evaluator knows no PLUGIN: that alone turns a plan that works."""
    suite = get_suite("eai.virtualhome.action_sequencing")
    task = suite.task("120_1")
    text = suite.answer("copycat", task)
    (found,) = rejudge(suite, [("120_1", 1, text)], CORRECTED, PUBLISHED)
    assert (found.first, found.second) == (True, False)
    assert found.quirks == ("actions_missing_from_vocabulary",)
    assert "PLUGIN" in found.why_second
    assert rejudge(suite, [("120_1", 1, "nothing")], CORRECTED, PUBLISHED) == ()
    (back,) = rejudge(suite, [("120_1", 1, text)], PUBLISHED, CORRECTED)
    assert (back.first, back.second) == (False, True)
    goals = get_suite("eai.virtualhome.goal_interpretation")
    with pytest.raises(HomebodyError, match="has no metric 'success'"):
        rejudge(goals, [("120_1", 1, "{}")], CORRECTED, PUBLISHED)
