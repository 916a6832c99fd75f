"""Agents that are not models, metrics, and what Inspect itself finds."""

from __future__ import annotations

import itertools
import math
import socket
import subprocess
import sys
from dataclasses import replace
from inspect import signature
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import rich

from homebody.core import CORRECTED, Score
from homebody.evals import run, scores_from_log
from homebody.evals.model_resume import task_name
from homebody.suites import get_suite, list_suites
from suites.played import ALIKE

pytest.importorskip("inspect_ai", reason="needs: pip install 'homebody[models]'")
pytestmark = pytest.mark.usefixtures("eai_data")
PLANS, GOALS = "eai.virtualhome.action_sequencing", "eai.virtualhome.goal_interpretation"


@pytest.fixture
def no_sockets(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*args: object) -> None:
        raise AssertionError("an agent that is no model needs no connection")

    monkeypatch.setattr(socket.socket, "connect", refuse)
    monkeypatch.setattr(socket, "getaddrinfo", refuse)


@pytest.mark.usefixtures("no_sockets")
def test_agents_are_scored_as_directly(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    suite = get_suite(GOALS)
    tasks = suite.tasks.load(CORRECTED)[:20]
    console = dict(vars(rich.get_console()))
    result = run(GOALS, agent="random", limit=20, epochs=2, seed=5, log_dir=tmp_path)
    expected = [
        replace(
            suite.score(task, suite.answer("random", task, seed=5, epoch=epoch), CORRECTED),
            epoch=epoch,
        )
        for task in tasks
        for epoch in (1, 2)
    ]
    assert list(result.scores) == expected
    assert suite.summarise(result.scores) == suite.summarise(expected)
    assert list(scores_from_log(result.log_path)) == expected
    assert not all(score.valid for score in expected)
    assert capfd.readouterr() == ("", "")
    assert vars(rich.get_console()) == console


@pytest.mark.slow
@pytest.mark.usefixtures("no_sockets")
def test_order_and_concurrency_do_not_matter(tmp_path: Path) -> None:
    def records(**options: Any) -> list[Score]:
        return list(run(PLANS, agent="random", log_dir=tmp_path, **options).scores)

    few = records(limit=4, max_connections=1)
    assert records(limit=4, max_connections=1) == few
    assert records(limit=8, max_connections=20)[:4] == few
    assert records(limit=4, seed=1) != few
    first, second = records(limit=4, epochs=2)[::2], records(limit=4, epochs=2)[1::2]
    assert first == few
    assert second != few


@pytest.mark.sampled
@pytest.mark.usefixtures("no_sockets")
@pytest.mark.parametrize(
    "suite", [n for n in list_suites() if "oracle" in get_suite(n).agents and not ALIKE.match(n)]
)
def test_oracle_and_empty(suite: str, tmp_path: Path) -> None:
    few = 2 if get_suite(suite).playing else 8  # each in a world of its own
    best = run(suite, agent="oracle", limit=few, log_dir=tmp_path)
    metric = "success" if "success" in best.scores[0].metrics else "f1"
    nothing = "empty" if "empty" in get_suite(suite).agents else "idle"
    worst = run(suite, agent=nothing, limit=few, log_dir=tmp_path)
    # the annotated operators do not solve every annotated problem
    floor = 0.8 if suite.endswith("transition_modeling") else 1.0
    assert np.mean([s.metrics[metric] for s in best.scores]) >= floor
    assert [s.metrics[metric] for s in worst.scores] == [0.0] * few


def by_hand(scores: list[Score], metric: str, category: str | None) -> tuple[float, float]:
    """Mean and standard error over tasks, of the means of their epochs."""
    chosen = [
        score
        for score in scores
        if score.valid
        and (category is None or category in (score.record["categories"] or ["uncategorised"]))
    ]
    means = [
        np.mean([score.metrics[metric] for score in group])
        for _, group in itertools.groupby(chosen, key=lambda score: score.identifier)
    ]
    error = np.std(means, ddof=1) / np.sqrt(len(means)) if len(means) > 1 else math.nan
    return float(np.mean(means)), float(error)


@pytest.mark.slow
def test_metrics_with_standard_errors(tmp_path: Path) -> None:
    from inspect_ai import eval as evaluate

    from homebody.results.rows import make_row

    # among the first 66 tasks two have no goal; most are in two categories, some in none
    options: dict[str, Any] = {"limit": 66, "epochs": 2, "log_dir": str(tmp_path)}
    (log,) = evaluate(
        f"homebody/{task_name(PLANS)}",
        model="none/none",
        task_args={"agent": "random"},
        display="none",
        **options,
    )
    assert log.results is not None
    table = {score.name: score for score in log.results.scores}
    scores = scores_from_log(log)
    assert scores == list(run(PLANS, agent="random", **options).scores)
    left_out = {score.identifier for score in scores if not score.valid}
    assert left_out == {"339_1", "627_1"}
    categories = {c for s in scores if s.valid for c in s.record["categories"] or ["uncategorised"]}
    assert len(categories) == 6

    for metric in scores[0].metrics:
        found = {name: value.value for name, value in table[metric].metrics.items()}
        assert table[metric].unscored_samples == 4
        mean, error = by_hand(scores, metric, None)
        assert found.pop("homebody/mean") == pytest.approx(mean)
        assert found.pop("homebody/stderr") == pytest.approx(error)
        for category in categories:
            mean, error = by_hand(scores, metric, category)
            assert found.pop(f"homebody/by_category_{category}") == pytest.approx(mean)
            assert found.pop(f"homebody/by_category_stderr_{category}") == pytest.approx(
                error, nan_ok=True
            )
        assert not found
    assert table["progress"].metrics["homebody/stderr"].value > 0

    row = make_row("", get_suite(PLANS), [s for s in scores if s.valid])
    shown = {name: value.value for name, value in table["suite_score"].metrics.items()}
    assert {name: shown[name] for name in row.values} == pytest.approx(dict(row.values))
    errors = {name: shown[f"{name} stderr"] for name in row.errors}
    assert errors == pytest.approx(dict(row.errors))


def test_clustered_standard_error() -> None:
    from inspect_ai.scorer import SampleScore
    from inspect_ai.scorer import Score as InspectScore

    from homebody.evals.scorers import _mean, _stderr

    def samples(values: list[list[float]]) -> list[SampleScore]:
        return [
            SampleScore(score=InspectScore(value=value), sample_id=f"task{at}")
            for at, row in enumerate(values)
            for value in row
        ]

    values = np.random.default_rng(0).random((30, 4))
    means = values.mean(axis=1)
    found = samples(values.tolist())
    assert _mean(found) == pytest.approx(values.mean())
    assert _stderr(found) == pytest.approx(means.std(ddof=1) / np.sqrt(30))
    single = samples(values[:, :1].tolist())
    assert _stderr(single) == pytest.approx(values[:, 0].std(ddof=1) / np.sqrt(30))
    assert math.isnan(_stderr(samples([[1.0, 0.0]])))


@pytest.mark.slow
def test_inspect_finds_the_tasks(tmp_path: Path) -> None:
    from inspect_ai.log import list_eval_logs

    name = "homebody/eai_virtualhome_action_sequencing"
    command = [sys.executable, "-m", "inspect_ai", "eval", name, "--model", "none"]
    command += ["-T", "agent=oracle", "--limit", "2", "--display", "plain"]
    done = subprocess.run(
        [*command, "--log-dir", str(tmp_path)], capture_output=True, text=True, cwd=tmp_path
    )
    assert done.returncode == 0, done.stderr
    (log,) = list_eval_logs(str(tmp_path))
    assert [s.metrics["success"] for s in scores_from_log(log.name)] == [1.0, 1.0]


def test_entry_point() -> None:
    from inspect_ai._util.entrypoints import ensure_entry_points
    from inspect_ai._util.registry import registry_lookup

    ensure_entry_points("homebody")
    for suite in list_suites():
        made = registry_lookup("task", f"homebody/{suite.replace('.', '_')}")
        assert made is not None
        assert suite in str(made.__doc__)
        assert {"protocol", "agent", "retries", "bounds"} <= set(signature(made).parameters)
