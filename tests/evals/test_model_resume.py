"""Which of a run's logs it goes on with, and that two do not at once."""

from __future__ import annotations

from pathlib import Path
from zipfile import ZipFile

import pytest

from evals.quizzes import quiz
from homebody import suites as registry
from homebody.core import HomebodyError
from homebody.evals import run
from homebody.suites import register_suite
from model_server import ModelServer

pytest.importorskip("inspect_ai", reason="needs: pip install 'homebody[models]'")
NAME = "toy.resumed"


@pytest.fixture(autouse=True)
def no_other_suites(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(registry, "_REGISTERED", {})


def interrupted(server: ModelServer, log_dir: Path, *tasks: str) -> None:
    """A run whose last task could not be asked, after which the server is well again."""
    register_suite(quiz(NAME, *tasks))
    server.fail = [200] * (len(tasks) - 1) + [401]
    with pytest.raises(HomebodyError, match="out of order"):
        run(NAME, model=server.model, max_connections=1, log_dir=log_dir)
    server.fail = []


@pytest.mark.parametrize(("later", "resumed"), [(("a", "b", "c"), 2), (("c", "b", "d"), 0)])
def test_a_log_of_other_tasks_is_not_gone_on_with(
    later: tuple[str, ...],
    resumed: int,
    server: ModelServer,
    tmp_path: Path,
) -> None:
    interrupted(server, tmp_path, "a", "b", "c")
    register_suite(quiz(NAME, *later), replace=True)
    result = run(NAME, model=server.model, max_connections=1, log_dir=tmp_path)
    assert result.resumed == resumed
    assert [score.identifier for score in result.scores] == list(later)


@pytest.mark.sampled
@pytest.mark.parametrize("kept", [0, 1_000, -100])
def test_it_is_told_that_a_log_is_damaged(kept: int, server: ModelServer, tmp_path: Path) -> None:
    interrupted(server, tmp_path, "a", "b", "c")
    (log,) = tmp_path.glob("*.eval")
    log.write_bytes(log.read_bytes()[:kept])
    told: list[str] = []
    assert run(NAME, model=server.model, log_dir=tmp_path, tell=told.append).resumed == 0
    assert told == [f"{log} cannot be read; any samples of this run in it are run again"]
    run(NAME, model=server.model, log_dir=tmp_path, tell=told.append)
    assert len(told) == 1, "it is older than a run that succeeded"


def test_samples_that_are_damaged_are_told_of(server: ModelServer, tmp_path: Path) -> None:
    interrupted(server, tmp_path, "a", "b")
    (log,) = tmp_path.glob("*.eval")
    whole = log.with_suffix(".whole")
    log.rename(whole)
    with ZipFile(whole) as before, ZipFile(log, "w") as after:
        for name in before.namelist():
            data = before.read(name)
            after.writestr(name, data[:20] if name.startswith("samples/") else data)
    told: list[str] = []
    run(NAME, model=server.model, log_dir=tmp_path, tell=told.append)
    assert [line.partition(" ")[0] for line in told] == [str(log)]


def test_a_run_of_a_model_does_not_go_on_twice(server: ModelServer, tmp_path: Path) -> None:
    register_suite(quiz(NAME, "a", "b"))
    refused: list[str] = []

    def answer(prompt: str) -> str:
        with pytest.raises(HomebodyError) as caught:
            run(NAME, model=server.model, log_dir=tmp_path)
        refused.append(str(caught.value))
        return "{}"

    server.answer = answer
    assert len(run(NAME, model=server.model, max_connections=1, log_dir=tmp_path).scores) == 2
    assert refused == [f"this run is already in progress: {tmp_path}"] * 2
    assert len(server.requests) == 2
