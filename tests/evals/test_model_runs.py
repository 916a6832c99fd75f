"""Models, for real: through Inspect and HTTP to a server on loopback."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from evals.kept import kept
from homebody import suites as registry
from homebody.core import CORRECTED, HomebodyError
from homebody.evals import run, scores_from_log
from homebody.evals.checks import message_of
from homebody.suites import get_suite, list_suites
from patience import PATIENCE, wait_until
from thorough import part_of

if TYPE_CHECKING:
    from model_server import ModelServer

pytest.importorskip("inspect_ai", reason="needs: pip install 'homebody[models]'")
pytestmark = pytest.mark.usefixtures("eai_data")
PLANS = "eai.virtualhome.action_sequencing"
GARBAGE = [
    "",
    "I'm sorry, I can't do that.",
    '{"WALK": ["kitchen", {"a": [1e999]}], "WALK": null}',
    "[" * 5000,
    "\x00\ud83d 🤖 {'WALK': [}" + '{"node goals": 3}',
    None,
]


def prompts(suite: str, limit: int) -> list[str]:
    found = get_suite(suite)
    assert found.prompting is not None
    return [found.prompting.prompt(task) for task in found.tasks.load(CORRECTED)[:limit]]


def answer_like(suite: str, agent: str) -> Any:
    """Prompt -> what an agent says to the first task with that prompt."""
    found = get_suite(suite)
    assert found.prompting is not None
    answers: dict[str, str] = {}
    for task in found.tasks.load(CORRECTED):
        answers.setdefault(found.prompting.prompt(task), found.answer(agent, task))
    return answers.__getitem__


@pytest.mark.parametrize(("suite", "metric"), [(PLANS, "success"), (list_suites()[1], "f1")])
def test_prompts_arrive_and_right_answers_succeed(
    suite: str, metric: str, server: ModelServer, tmp_path: Path
) -> None:
    server.answer = answer_like(suite, "oracle")
    result = run(suite, model=server.model, limit=5, log_dir=tmp_path)
    assert Counter(server.prompts) == Counter(prompts(suite, 5))
    assert {body["temperature"] for body in server.requests} == {0}
    assert {body["model"] for body in server.requests} == {"test-model"}
    assert [s.identifier for s in result.scores] == [
        task.id for task in get_suite(suite).tasks.load(CORRECTED)[:5]
    ]
    assert [s.metrics[metric] for s in result.scores] == [1.0] * 5
    assert [name for name, _ in result.outputs] == [s.identifier for s in result.scores]
    assert result.resumed == 0
    assert tuple(scores_from_log(result.log_path)) == result.scores


def test_options_reach_the_model(server: ModelServer, tmp_path: Path) -> None:
    result = run(PLANS, model=server.model, limit=2, epochs=3, temperature=0.7, log_dir=tmp_path)
    assert Counter(server.prompts) == Counter(prompts(PLANS, 2) * 3)
    assert {body["temperature"] for body in server.requests} == {0.7}
    assert [score.epoch for score in result.scores] == [1, 2, 3, 1, 2, 3]
    assert tuple(scores_from_log(result.log_path)) == result.scores


@pytest.mark.sampled
@pytest.mark.parametrize(
    "suite", part_of([name for name in list_suites() if get_suite(name).playing is None])
)
def test_garbage_is_scored_zero(suite: str, server: ModelServer, tmp_path: Path) -> None:
    garbage = dict(zip(prompts(suite, len(GARBAGE)), GARBAGE, strict=True))
    server.answer = garbage.__getitem__
    result = run(suite, model=server.model, limit=len(GARBAGE), log_dir=tmp_path)
    assert len(server.requests) == len(GARBAGE)
    for score in result.scores:
        assert max(score.metrics.get(k, 0.0) for k in ("success", "executable", "f1")) == 0.0
        assert score.record["explanation"]


def test_failing_server_is_asked_again(
    server: ModelServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tenacity.wait_exponential_jitter.__call__", lambda self, state: 0.0)
    server.answer = answer_like(PLANS, "oracle")
    server.fail = [500, 503]  # the client asks three times, then it is Inspect's turn to wait
    result = run(PLANS, model=server.model, limit=1, log_dir=tmp_path)
    assert len(server.requests) == 3
    assert [s.metrics["success"] for s in result.scores] == [1.0]

    server.fail = [500] * 100
    failed = run(PLANS, model=server.model, limit=1, max_retries=1, log_dir=tmp_path)
    assert [error.reason for error in failed.errors] == ["HTTP 500 after 2 tries: out of order"]
    assert len(server.requests) == 3 + 6


@pytest.mark.slow
def test_failed_run_goes_on_where_it_stopped(
    server: ModelServer, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    server.answer = answer_like(PLANS, "oracle")
    server.fail = [200, 200, 401]

    def again(progress: Any = None, **options: Any) -> Any:
        options = {"model": server.model, "limit": 4, "max_connections": 1, **options}
        return run(PLANS, log_dir=tmp_path, progress=progress, **options)

    with pytest.raises(HomebodyError, match="out of order") as caught:
        again()
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 400  # not the whole request
    assert capfd.readouterr() == ("", "")
    (log,) = tmp_path.glob("*.eval")
    assert str(log) in caught.value.hint
    assert len(server.requests) == 3

    (tmp_path / f"{log.stem}x.eval").write_bytes(log.read_bytes()[:500])  # a damaged log
    again(temperature=0.5)  # another run: starts afresh
    again(resume=False, epochs=2)
    assert len(server.requests) == 3 + 4 + 8

    seen: list[tuple[str, int, int]] = []
    result = again(progress=lambda *step: print("step") or seen.append(step))
    assert capfd.readouterr() == ("step\nstep\n", "")
    assert result.resumed == 2
    assert len(server.requests) == 3 + 4 + 8 + 2
    assert seen == [("running", 3, 4), ("running", 4, 4)]
    assert [s.metrics["success"] for s in result.scores] == [1.0] * 4

    assert again().resumed == 0  # it had succeeded: starts afresh
    assert len(server.requests) == 3 + 4 + 8 + 2 + 4


@pytest.mark.slow
@pytest.mark.parametrize("how", ["kill", pytest.param("interrupt", marks=pytest.mark.slow)])
def test_stopped_run_goes_on_where_it_stopped(
    how: str, server: ModelServer, tmp_path: Path
) -> None:
    if how == "kill" and not hasattr(signal, "SIGKILL"):
        pytest.skip("there is no SIGKILL here")
    answer = answer_like(PLANS, "oracle")
    allowed, hold = 4, threading.Event()
    answered: list[str] = []

    def answer_some(prompt: str) -> str:
        with server.lock:
            wait = len(answered) >= allowed
            if not wait:
                answered.append(prompt)
        if wait:
            hold.wait(PATIENCE)
        return str(answer(prompt))

    server.answer = answer_some
    steps = tmp_path / "steps"
    code = (
        "import sys; from homebody.evals import run\n"
        f"run({PLANS!r}, model={server.model!r}, limit=8, max_connections=2, epochs=1,"
        f" log_dir={str(tmp_path)!r},"
        f" progress=lambda *step: print(*step, file=open({str(steps)!r}, 'a')))"
    )
    process = subprocess.Popen(
        [sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    )
    wait_until(lambda: steps.exists() and len(steps.read_text().splitlines()) >= allowed, process)
    wait_until(lambda: kept(tmp_path) >= allowed, process)
    process.send_signal(signal.SIGKILL if how == "kill" else signal.SIGINT)
    output, _ = process.communicate(timeout=PATIENCE)
    assert process.returncode == (-signal.SIGKILL if how == "kill" else 130), output
    assert output == ""
    hold.set()
    asked = len(server.requests)
    assert asked <= allowed + 2

    server.answer = answer
    result = run(PLANS, model=server.model, limit=8, max_connections=2, log_dir=tmp_path)
    assert result.resumed == allowed
    assert [s.metrics["success"] for s in result.scores] == [1.0] * 8
    assert len(server.requests) == asked + 8 - allowed
    assert not set(server.prompts[asked:]) & set(answered)


def test_a_suite_that_was_registered_late_is_asked(
    server: ModelServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run(PLANS, model=server.model, limit=1, log_dir=tmp_path)  # Inspect knows its tasks by now
    monkeypatch.setattr(registry, "_REGISTERED", {})
    registry.register_suite(replace(get_suite(PLANS), name="late.plans"))
    server.answer = answer_like(PLANS, "oracle")
    result = run("late.plans", model=server.model, limit=2, log_dir=tmp_path)
    assert [score.metrics["success"] for score in result.scores] == [1.0, 1.0]


def test_a_mistake_is_one_sentence(
    server: ModelServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def message(match: str, **options: Any) -> HomebodyError:
        with pytest.raises(HomebodyError, match=match) as caught:
            run(PLANS, log_dir=tmp_path, limit=1, **options)
        assert "\n" not in str(caught.value)
        return caught.value

    message("give either a model or an agent")
    message("give either a model or an agent", model=server.model, agent="oracle")
    assert (
        "oracle, random, copycat, frequent, empty"
        in message("no agent 'nobody'", agent="nobody").hint
    )
    message("no protocol 'x'", agent="oracle", protocol="x")
    message("epochs must be a whole number of at least 1, not 0", agent="oracle", epochs=0)
    message("'gpt-4o' should be in the format", model="gpt-4o")
    message("acme.* not recognized", model="acme/best")
    message("OPENAI_API_KEY", model="openai/gpt-4o")
    message(r"the name of the model 'openai/\\udcff' is not UTF-8", model="openai/\udcff")
    monkeypatch.setenv("OPENAI_API_KEY", "secret")
    server.stop()
    port = server.http.server_port
    monkeypatch.setenv("OPENAI_BASE_URL", f"http://127.0.0.1:{port}/v1")
    message(f"no server answers at http://127.0.0.1:{port}/v1/: ", model="openai/gpt-4o")
    message(f"no server answers at http://127.0.0.1:{port}/v1: ", model=server.model)
    assert not list(tmp_path.iterdir())
    (tmp_path / "file").touch()
    with pytest.raises(HomebodyError, match="cannot write to"):
        run(PLANS, agent="oracle", limit=1, log_dir=tmp_path / "file" / "logs")
    with pytest.raises(HomebodyError, match="cannot read the Inspect log"):
        scores_from_log(tmp_path / "file")


@pytest.mark.parametrize(
    ("told", "said"),
    [
        ("ERROR: no [bold]a[/bold]", "no a"),
        ("ERROR: no\n[/b]", "no [/b]"),  # which closes nothing
        ("no [a[0]]", "no [a[0]]"),
    ],
)
def test_what_inspect_says_is_told_whatever_names_are_in_it(told: str, said: str) -> None:
    class PrerequisiteError(Exception):
        message = told

    assert message_of(PrerequisiteError()) == said


def test_without_inspect(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setitem(sys.modules, "inspect_ai", None)
    with pytest.raises(HomebodyError, match="Inspect AI") as caught:
        run(PLANS, model="openai/gpt-4o", limit=1, log_dir=tmp_path)
    assert caught.value.hint == "pip install 'homebody[models]'"


def test_import_is_cheap() -> None:
    code = "import sys, homebody.evals; print('inspect_ai' in sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, env=os.environ
    )
    assert done.stdout.strip() == "False"
