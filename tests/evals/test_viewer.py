"""What logs say of how Inspect's viewer shows them."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from inspect_ai.log import list_eval_logs, read_eval_log

from homebody import evals
from homebody.core import Protocol, Score
from homebody.evals.logs import SCORER
from homebody.evals.viewer import label_of, metrics_of, viewer_of
from homebody.suites import get_suite
from model_server import ModelServer
from toy_runs import chores


@pytest.mark.usefixtures("eai_data")
def test_metrics_are_columns_and_faults_are_good_when_low() -> None:
    suite = get_suite("eai.virtualhome.action_sequencing")
    metrics = suite.score(suite.tasks.load(suite.protocol("corrected"))[0], "{}").metrics
    assert metrics_of(suite) == tuple(metrics)
    view = viewer_of(suite).task_samples_view
    assert view is not None
    assert not isinstance(view, list)
    scales = {name: scale.palette for name, scale in (view.score_color_scales or {}).items()}
    assert scales["success"] == scales["progress"] == "good-high"
    assert scales["parsing"] == scales["additional_step"] == "good-low"
    assert view.score_labels is not None
    assert view.score_labels["affordance_error"] == "Affordance error"
    shown = [column.id for column in view.columns or () if column.visible]
    assert shown[3] == "target"
    assert f"score__{SCORER}__success" in shown


def test_of_what_is_played_the_question_is_shown() -> None:
    view = viewer_of(get_suite("house.bring")).task_samples_view
    assert view is not None
    assert not isinstance(view, list)
    shown = [column.id for column in view.columns or () if column.visible]
    assert "input" in shown
    assert "target" not in shown


def test_a_suite_that_cannot_score_has_no_columns_of_metrics() -> None:
    def broken(task: str, output: str, protocol: Protocol) -> Score:
        raise ValueError(task)

    suite = chores()
    assert metrics_of(suite) == ("success", "progress")
    assert metrics_of(replace(suite, scoring=replace(suite.scoring, score=broken))) == ()


def test_short_names_are_capitals() -> None:
    assert list(map(label_of, ("f1", "gcs", "missing_step"))) == ["F1", "GCS", "Missing step"]


@pytest.mark.usefixtures("eai_data")
def test_faults_are_metrics_of_their_suites() -> None:
    for ability in ("goal_interpretation", "action_sequencing", "subgoal_decomposition"):
        suite = get_suite(f"eai.virtualhome.{ability}")
        assert suite.viewing.faults
        assert suite.viewing.faults <= set(metrics_of(suite))


@pytest.mark.slow
@pytest.mark.usefixtures("eai_data")
def test_a_log_has_it(server: ModelServer, tmp_path: Path) -> None:
    name = "eai.virtualhome.action_sequencing"
    evals.run(name, model=server.model, limit=2, log_dir=tmp_path)
    (found,) = list_eval_logs(str(tmp_path))
    log = read_eval_log(found)
    viewer = log.eval.viewer
    assert viewer is not None
    assert viewer.task_samples_view == viewer_of(get_suite(name)).task_samples_view
    samples = log.samples or []
    assert all(str(sample.target).startswith("Wash clothes") for sample in samples)
    for sample in samples:
        assert sample.scores is not None
        score = sample.scores[SCORER]
        assert isinstance(score.value, dict)
        assert score.value["success"] == 0.0
        assert score.explanation
