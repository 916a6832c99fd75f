"""Filters: what they are, and which samples they want."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from homebody.core import HomebodyError, Suite
from homebody.core.score import Usage
from homebody.results.filters import read_filter, rows_of
from results.runs import kept


@pytest.mark.parametrize(
    ("filters", "tasks"),
    [
        ([], "t1 t2 t3"),
        (["success=true"], "t1"),
        (["success!=true"], "t2 t3"),
        (["task=t*", "task!=t2"], "t1 t3"),
        (["explanation~NO WAY"], "t3"),
        (["length>0.2"], "t1 t3"),
        (["length<=0.3", "success=false"], "t2"),
        (["epoch=1"], "t1 t2 t3"),
        (["epoch=one"], ""),
        (["cost="], "t1 t2 t3"),
        (["suite=toy.*", "model=m", "seconds>=2"], "t1 t2 t3"),
        (["seconds>2"], ""),
    ],
)
def test_filters(suite: Suite[str], tmp_path: Path, filters: list[str], tasks: str) -> None:
    answers = {"t1": ["yes"], "t2": ["no"], "t3": ["no way"]}
    run = kept(suite, tmp_path, "m", answers, usage=Usage(1, 1, 2.0))
    found = rows_of([run], [read_filter(text) for text in filters])
    assert " ".join(str(row["task"]) for row in found) == tasks
    assert all(list(row)[-1] == "explanation" for row in found)


def test_runs_of_different_metrics_have_all_columns(suite: Suite[str], tmp_path: Path) -> None:
    runs = [
        kept(suite, tmp_path, metric, {"t1": ["yes"]}, metric=metric)
        for metric in ("success", "f1")
    ]
    first, second = rows_of(runs)
    assert list(first) == list(second)
    assert (first["f1"], second["f1"], second["success"]) == (None, 1.0, None)


@pytest.mark.parametrize("text", ["", "success", "=x", "length<much", "<", "a!b"])
def test_what_is_no_filter(text: str) -> None:
    with pytest.raises(HomebodyError):
        read_filter(text)


def test_columns_that_there_are_not(suite: Suite[str], tmp_path: Path) -> None:
    run = kept(suite, tmp_path, "m", {"t1": ["yes"]})
    with pytest.raises(HomebodyError, match="unknown column: 'colour'"):
        rows_of([run], [read_filter("colour=red")])


@given(st.text())
def test_any_text_is_a_filter_or_refused(text: str) -> None:
    with suppress(HomebodyError):
        read_filter(text).holds({})
