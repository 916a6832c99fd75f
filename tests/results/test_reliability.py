"""What is said of how sure a run's numbers are."""

from __future__ import annotations

from pathlib import Path

import pytest

from homebody.core import Suite
from homebody.results.reliability import reliability
from results.runs import kept

pytest.importorskip("statsmodels")


def test_several_tries(suite: Suite[str], tmp_path: Path) -> None:
    """Tasks with 2, 1, 1 and 0 of 2 tries right."""
    answers = {"t1": ["yes", "yes"], "t2": ["yes", "no"], "t3": ["no", "yes"], "t4": ["no", "no"]}
    rows = {row["metric"]: row for row in reliability(kept(suite, tmp_path, "m", answers))}
    assert list(rows) == ["success", "pass@2", "pass^2", "length"]
    assert [rows[name]["mean"] for name in rows][:3] == ["50.0", "75.0", "25.0"]
    assert rows["success"]["between tries"] != ""
    assert rows["success"]["Wilson"] == ""


def test_one_try(suite: Suite[str], tmp_path: Path) -> None:
    answers = {"t1": ["yes"], "t2": ["yes"], "t3": ["yes"], "t4": ["yes"]}
    success, length = reliability(kept(suite, tmp_path, "m", answers))
    assert (success["mean"], success["Wilson"]) == ("100.0", "51.0 to 100.0")
    assert (success["between tries"], success["detectable"], success["tasks for 5%"]) == (
        "",
        "-",
        "-",
    )
    assert length["Wilson"] == ""


def test_a_sample_that_can_tell(suite: Suite[str], tmp_path: Path) -> None:
    """The more it varies, the more tasks are needed."""
    some = {"t1": ["yes"], "t2": ["no"], "t3": ["yes"], "t4": ["yes"]}
    (success, _) = reliability(kept(suite, tmp_path, "m", some))
    assert float(success["detectable"]) > 50
    assert int(success["tasks for 5%"]) > 500


def test_nothing_counts(suite: Suite[str], tmp_path: Path) -> None:
    assert list(reliability(kept(suite, tmp_path, "m", {"t1": ["-"]}))) == []
