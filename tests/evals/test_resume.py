"""Which of a run's logs it goes on with, and that two do not at once."""

from __future__ import annotations

from pathlib import Path
from zipfile import ZipFile

import pytest

from homebody import suites as registry
from homebody.core import HomebodyError, Prompting, Protocol, Score, Scoring, Suite, Tasks
from homebody.evals import run
from homebody.suites import register_suite
from model_server import ModelServer

pytest.importorskip("inspect_ai", reason="needs: pip install 'homebody[models]'")
NAME = "toy.resumed"


def quiz(*tasks: str) -> Suite[str]:
    def score(task: str, output: str, protocol: Protocol) -> Score:
        return Score(task, {"success": 1.0}, {"identifier": task})

    return Suite(
        name=NAME,
        title="Say something",
        tasks=Tasks(load=lambda protocol: tasks, identify=str, describe=str),
        scoring=Scoring(score),
        prompting=Prompting(prompt=str),
    )


@pytest.mark.parametrize(("later", "resumed"), [(("a", "b", "c"), 2), (("c", "b", "d"), 0)])
def test_a_log_of_other_tasks_is_not_gone_on_with(
    later: tuple[str, ...],
    resumed: int,
    server: ModelServer,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(registry, "_REGISTERED", {})
    register_suite(quiz("a", "b", "c"))
    server.fail = [200] * 2 + [401]
    with pytest.raises(HomebodyError, match="out of order"):
        run(NAME, model=server.model, max_connections=1, log_dir=tmp_path)
    register_suite(quiz(*later), replace=True)
    server.fail = []
    result = run(NAME, model=server.model, max_connections=1, log_dir=tmp_path)
    assert result.resumed == resumed
    assert [score.identifier for score in result.scores] == list(later)


@pytest.mark.parametrize("kept", [0, 1_000, -100])
def test_it_is_told_that_a_log_is_damaged(
    kept: int, server: ModelServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(registry, "_REGISTERED", {})
    register_suite(quiz("a", "b", "c"))
    server.fail = [200] * 2 + [401]
    with pytest.raises(HomebodyError, match="out of order"):
        run(NAME, model=server.model, max_connections=1, log_dir=tmp_path)
    (log,) = tmp_path.glob("*.eval")
    log.write_bytes(log.read_bytes()[:kept])
    server.fail = []
    told: list[str] = []
    assert run(NAME, model=server.model, log_dir=tmp_path, tell=told.append).resumed == 0
    assert told == [f"{log} cannot be read: what it may have of this run is asked again"]
    run(NAME, model=server.model, log_dir=tmp_path, tell=told.append)
    assert len(told) == 1, "it is older than a run that succeeded"


def test_samples_that_are_damaged_are_told_of(
    server: ModelServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(registry, "_REGISTERED", {})
    register_suite(quiz("a", "b"))
    server.fail = [200, 401]
    with pytest.raises(HomebodyError, match="out of order"):
        run(NAME, model=server.model, max_connections=1, log_dir=tmp_path)
    (log,) = tmp_path.glob("*.eval")
    whole = log.with_suffix(".whole")
    log.rename(whole)
    with ZipFile(whole) as before, ZipFile(log, "w") as after:
        for name in before.namelist():
            data = before.read(name)
            after.writestr(name, data[:20] if name.startswith("samples/") else data)
    server.fail = []
    told: list[str] = []
    run(NAME, model=server.model, log_dir=tmp_path, tell=told.append)
    assert [line.partition(" ")[0] for line in told] == [str(log)]


def test_a_run_of_a_model_does_not_go_on_twice(
    server: ModelServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(registry, "_REGISTERED", {})
    register_suite(quiz("a", "b"))
    refused: list[str] = []

    def answer(prompt: str) -> str:
        with pytest.raises(HomebodyError) as caught:
            run(NAME, model=server.model, log_dir=tmp_path)
        refused.append(str(caught.value))
        return "{}"

    server.answer = answer
    assert len(run(NAME, model=server.model, max_connections=1, log_dir=tmp_path).scores) == 2
    assert refused == [f"this run is going on already: {tmp_path}"] * 2
    assert len(server.requests) == 2
