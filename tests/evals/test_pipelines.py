"""Goal interpretation, then planning for its goals: two questions in one sample."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from homebody.core import CORRECTED, HomebodyError
from homebody.evals import run
from homebody.suites import get_suite, list_suites
from homebody.suites.eai.virtualhome.pipeline import PIPELINE
from model_server import prompt_of

from .test_model_runs import GARBAGE

if TYPE_CHECKING:
    from model_server import ModelServer

pytest.importorskip("inspect_ai", reason="needs: pip install 'homebody[models]'")
pytestmark = pytest.mark.usefixtures("eai_data")
FIRST = PIPELINE.first.name
GOALS, PLANS = get_suite(FIRST), "eai.virtualhome.action_sequencing"
READY = [
    name
    for name in list_suites()
    if (p := get_suite(name).experiments.pipeline) and p.first.name == FIRST
]
WRONG = '{"node goals": [{"name": "soap", "state": "DIRTY"}], "edge goals": [], "action goals": []}'


def oracle(suite: str, task: Any) -> str:
    return get_suite(suite).answer("oracle", task)


def answering(server: ModelServer, suite: str, limit: int, goals: Any, plan: Any) -> None:
    """Have ``goals(task)`` and ``plan(task)`` answered, and prompts of other tasks refused."""
    tasks = get_suite(suite).tasks.load(CORRECTED)[:limit]
    first = {GOALS.prompting.prompt(task): task for task in tasks}
    assert len(first) == limit
    second = {
        get_suite(suite).prompting.prompt(PIPELINE.feed(t, goals(t) or "")[0]): t for t in tasks
    }

    def answer(prompt: str) -> str | None:
        text = goals(first[prompt]) if prompt in first else plan(second[prompt])
        assert text is None or isinstance(text, str)
        return text

    server.answer = answer


@pytest.mark.slow
@pytest.mark.parametrize("suite", READY)
def test_the_models_goals_are_asked_for(suite: str, server: ModelServer, tmp_path: Path) -> None:
    answering(server, suite, 5, lambda task: oracle(FIRST, task), lambda task: oracle(suite, task))
    result = run(suite, model=server.model, pipeline=True, limit=5, log_dir=tmp_path)
    assert len(server.requests) == 10
    asked = get_suite(suite)
    tasks = asked.tasks.load(CORRECTED)[:5]
    system = asked.prompting.system()
    for body in server.requests:
        if prompt_of(body) not in {GOALS.prompting.prompt(task) for task in tasks}:
            assert [m["role"] for m in body["messages"]] == ["system"] * bool(system) + ["user"]
            assert not system or body["messages"][0]["content"] == system
    assert [s.metrics["success"] for s in result.scores] == [1.0] * 5
    assert dict(result.outputs) == {task.id: oracle(suite, task) for task in tasks}
    for task, score in zip(tasks, result.scores, strict=True):
        found = score.record["goal_interpretation"]
        assert found["f1"] == 1.0
        assert found["output"] == oracle(FIRST, task)
        assert found["dropped_goals"] == 0
        assert found["stop_reason"] == "stop"
        rest = {k: v for k, v in score.record.items() if k != "goal_interpretation"}
        alone = asked.score(task, oracle(suite, task), CORRECTED).record
        assert rest == {**alone, "stop_reason": "stop"}


def test_wrong_goals_are_asked_for_and_true_ones_judged(
    server: ModelServer, tmp_path: Path
) -> None:
    answering(server, PLANS, 1, lambda task: WRONG, lambda task: '{"FIND": ["soap", "1002"]}')
    result = run(PLANS, model=server.model, pipeline=True, limit=1, log_dir=tmp_path)
    second = server.prompts[1]
    assert "soap is DIRTY\n" in second
    assert "washing_machine is ON" not in second
    (score,) = result.scores
    assert score.record["executable"]
    assert not score.record["success"]
    assert "ON(washing_machine.1001) does not hold" in score.record["explanation"]
    assert score.record["goal_interpretation"]["f1"] == 0.0
    assert score.record["goal_interpretation"]["goals"] == {"state": 1, "relation": 0, "action": 0}


@pytest.mark.slow
@pytest.mark.parametrize("suite", READY)
def test_garbage_in_both_stages(suite: str, server: ModelServer, tmp_path: Path) -> None:
    hostile = [*GARBAGE, "x" * 300_000, "{" * 250_000]
    ids = [task.id for task in get_suite(suite).tasks.load(CORRECTED)[: len(hostile)]]
    answering(
        server,
        suite,
        len(hostile),
        lambda task: hostile[ids.index(task.id)],
        lambda task: hostile[-1 - ids.index(task.id)],
    )
    result = run(suite, model=server.model, pipeline=True, limit=len(hostile), log_dir=tmp_path)
    assert len(server.requests) == 2 * len(hostile)
    for score in result.scores:
        assert score.metrics["success"] == score.metrics["executable"] == 0.0
        found = score.record["goal_interpretation"]
        assert found["f1"] == 0.0
        assert sum(found["goals"].values()) == 0
    assert not any(s.record["goal_interpretation"]["readable"] for s in result.scores)


@pytest.mark.parametrize("suite", READY)
@pytest.mark.parametrize("protocol", ["corrected", "published"])
def test_an_agents_pipeline_interprets_first(suite: str, protocol: str, tmp_path: Path) -> None:
    options: dict[str, Any] = {"limit": 8, "protocol": protocol, "log_dir": tmp_path}
    result = run(suite, agent="oracle", pipeline=True, **options)
    modular = run(suite, agent="oracle", **options)
    alone = run(FIRST, agent="oracle", **options)
    assert [s.metrics for s in result.scores] == [s.metrics for s in modular.scores]
    assert [s.record["goal_interpretation"]["f1"] for s in result.scores] == [
        s.record["f1"] for s in alone.scores
    ]
    guess = run(suite, agent="random", pipeline=True, seed=3, **options)
    alone = run(FIRST, agent="random", seed=3, **options)
    assert [s.record["goal_interpretation"]["output"] for s in guess.scores] == [
        output for _, output in alone.outputs
    ]


def test_actions_can_fail_in_a_pipeline(tmp_path: Path) -> None:
    options: dict[str, Any] = {"limit": 12, "fail_probability": 0.2, "log_dir": tmp_path}
    one = run(PLANS, agent="oracle", pipeline=True, **options)
    other = run(PLANS, agent="oracle", **options)
    assert [s.record["error_step"] for s in one.scores] == [
        s.record["error_step"] for s in other.scores
    ]
    assert 0 < sum(s.metrics["success"] for s in one.scores) < 12


@pytest.mark.slow
def test_an_interrupted_pipeline_goes_on_and_a_finished_run_is_reused(
    server: ModelServer, tmp_path: Path
) -> None:
    answering(server, PLANS, 4, lambda task: oracle(FIRST, task), lambda task: oracle(PLANS, task))
    options: dict[str, Any] = {"limit": 4, "max_connections": 1, "log_dir": tmp_path}
    server.fail = [200] * 5 + [401]
    with pytest.raises(HomebodyError, match="out of order"):
        run(PLANS, model=server.model, pipeline=True, **options)
    result = run(PLANS, model=server.model, pipeline=True, **options)
    assert result.resumed == 2
    assert not result.reused
    assert len(server.requests) == 6 + 4
    assert [s.metrics["success"] for s in result.scores] == [1.0] * 4

    again = run(PLANS, model=server.model, pipeline=True, reuse=True, **options)
    assert again.reused
    assert again.scores == result.scores
    assert again.outputs == result.outputs
    assert len(server.requests) == 6 + 4
    for change in ({"seed": 1}, {"limit": 3}):
        changed = {**options, **change}
        assert not run(PLANS, model=server.model, pipeline=True, reuse=True, **changed).reused


def test_only_what_starts_from_goals_can_come_second(tmp_path: Path) -> None:
    with pytest.raises(HomebodyError, match="does not start from goals"):
        run(FIRST, agent="oracle", pipeline=True, log_dir=tmp_path)
