"""Providers in trouble: what costs a sample, what ends a run, and what is an answer even so."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import threading
from collections.abc import Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import pytest

from homebody import suites as registry
from homebody.core import (
    HomebodyError,
    Prompting,
    Protocol,
    SampleError,
    Score,
    Scoring,
    Suite,
    Tasks,
)
from homebody.core.suite import Experiments
from homebody.drivers import DRIVERS
from homebody.evals import RunResult, requests, run
from homebody.results.rows import USED, make_row
from homebody.results.table import Format, render
from homebody.results.writing import write_results
from homebody.suites import get_suite, register_suite
from model_server import (
    CUT,
    SILENT,
    ModelServer,
    Response,
    completed,
    completion,
    prompt_of,
    refused,
)
from patience import PATIENCE

pytest.importorskip("inspect_ai", reason="needs: pip install 'homebody[models]'")
NAME = "toy.asked"
TASKS = ("a", "b", "c")


def quiz(*tasks: str) -> Suite[str]:
    def score(task: str, output: str, protocol: Protocol) -> Score:
        right = float(output == "yes")
        return Score(task, {"success": right}, {"identifier": task, "success": right})

    def feedback(task: str, score: Score) -> str | None:
        return None if score.metrics["success"] else "wrong"

    return Suite(
        name=NAME,
        title="Say yes",
        tasks=Tasks(load=lambda protocol: tasks, identify=str, describe=str),
        scoring=Scoring(score),
        prompting=Prompting(prompt=str),
        experiments=Experiments(feedback=feedback),
    )


@pytest.fixture(autouse=True)
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """There is a suite of three tasks, and nobody waits before trying again."""
    monkeypatch.setattr(registry, "_REGISTERED", {})
    monkeypatch.setattr("tenacity.wait_exponential_jitter.__call__", lambda self, state: 0.0)
    # a tenth of a second each
    monkeypatch.setattr("inspect_ai._util.rich.rich_traceback", lambda *args, **options: "")
    never = "openai._base_client.BaseClient._calculate_retry_timeout"
    monkeypatch.setattr(never, lambda self, *args, **options: 0.0)
    register_suite(quiz(*TASKS))


def asked(server: ModelServer, log_dir: Path, **options: Any) -> RunResult:
    options = {"max_retries": 1, **options}
    return run(NAME, model=server.model, log_dir=log_dir, **options)


def responding(server: ModelServer, response: Response, *tasks: str) -> None:
    """Have the server send it for these tasks, and answer the others."""
    server.answer = lambda prompt: "yes"
    server.respond = lambda body: response if prompt_of(body) in tasks else None


LONG = "This model's maximum context length is 8192 tokens, but you asked for 9000."
ERRORS = [
    (refused(400, LONG, "context_length_exceeded"), f"context too long: {LONG}"),
    (refused(400, LONG), f"context too long: {LONG}"),
    (refused(413, "Request too large"), "context too long: Request too large"),
    (
        refused(400, "no parameter 'foo'\n\x1b[31m here"),
        "HTTP 400: no parameter 'foo' \\x1b[31m here",
    ),
    (refused(422, "odd"), "HTTP 422: odd"),
    (Response(200, completion([])), "a response without a reply"),
    (Response(200, {"error": {"message": "no"}}), "a response that cannot be read: TypeError: "),
    (Response(200, b'{"id": "x", "choi'), "a response that cannot be read: JSONDecodeError: "),
    (Response(200, b"<html>"), "a response that cannot be read: JSONDecodeError: "),
]


@pytest.mark.sampled
@pytest.mark.parametrize(("response", "reason"), ERRORS)
def test_an_error_about_one_request_costs_one_sample(
    response: Response, reason: str, server: ModelServer, tmp_path: Path
) -> None:
    responding(server, response, "b")
    seen: list[tuple[str, int, int]] = []
    result = asked(server, tmp_path, progress=lambda *step: seen.append(step))
    assert [score.identifier for score in result.scores] == ["a", "c"]
    (error,) = result.errors
    assert (error.identifier, error.epoch, error.kind) == ("b", 1, "provider_error")
    assert error.reason.startswith(reason)
    assert "\n" not in error.reason
    assert seen[-1] == ("running", 3, 3)

    before = len(server.requests)
    responding(server, response)
    again = asked(server, tmp_path)
    assert (again.resumed, again.errors) == (2, ())
    assert [score.metrics["success"] for score in again.scores] == [1.0] * 3
    assert len(server.requests) == before + 1


OUTAGES = [
    (refused(401, "bad key"), 1, "HTTP 401, the key is not accepted: bad key"),
    (refused(403, "not you"), 1, "HTTP 403, not allowed: not you"),
    (refused(404, "no such model"), 1, "HTTP 404, not found: no such model"),
    (refused(405, "no such method"), 1, "HTTP 405, not offered: no such method"),
    (refused(429, "slow down", Retry_After="0"), 18, "HTTP 429 after 2 tries: slow down"),
    (refused(500, "oops"), 18, "HTTP 500 after 2 tries: oops"),
    (CUT, 18, "no answer (APIConnectionError) after 2 tries: Connection error."),
]


@pytest.mark.sampled
@pytest.mark.parametrize(("response", "requests", "reason"), OUTAGES)
def test_an_outage_ends_the_run_at_once(
    response: Response, requests: int, reason: str, server: ModelServer, tmp_path: Path
) -> None:
    """What fails after all tries does so for three samples; each try is three of the client's."""
    tasks = [f"t{number}" for number in range(12)]
    register_suite(quiz("a", *tasks), replace=True)
    responding(server, response, *tasks)
    with pytest.raises(HomebodyError) as caught:
        asked(server, tmp_path, max_connections=1)
    assert str(caught.value) == f"no model can be queried: {reason}"
    assert "run the same command to resume" in caught.value.hint
    assert len(server.requests) == 1 + requests
    responding(server, response)
    result = asked(server, tmp_path)
    assert (result.resumed, len(result.scores), result.errors) == (1, 13, ())


@pytest.mark.sampled
@pytest.mark.parametrize("bad", [("a", "b"), ("b", "c"), ("a", "b", "c")])
def test_a_question_that_always_fails_costs_its_sample(
    bad: tuple[str, ...], server: ModelServer, tmp_path: Path
) -> None:
    """Even if nobody else is asked at the same time, and when the run is gone on with."""
    responding(server, refused(500, "oops"), *bad)
    for _ in range(2):
        result = asked(server, tmp_path, max_connections=1)
        assert [score.identifier for score in result.scores] == [t for t in TASKS if t not in bad]
        assert [error.identifier for error in result.errors] == list(bad)
        assert {e.reason for e in result.errors} == {"HTTP 500 after 2 tries: oops"}


def test_an_outage_gives_up_what_is_waited_for(server: ModelServer, tmp_path: Path) -> None:
    both = threading.Barrier(2)

    def respond(body: dict[str, Any]) -> Response:
        both.wait(PATIENCE)
        return SILENT if prompt_of(body) == "a" else refused(401, "bad key")

    server.respond = respond
    with pytest.raises(HomebodyError, match="the key is not accepted"):
        asked(server, tmp_path, limit=2)


def test_what_fails_while_others_are_answered_is_no_outage(
    server: ModelServer, tmp_path: Path
) -> None:
    others = threading.Event()

    def respond(body: dict[str, Any]) -> Response | None:
        if prompt_of(body) == "c":
            others.set()  # of two connections one is free: a has been answered
        if prompt_of(body) != "b":
            return None
        others.wait(PATIENCE)
        return refused(500, "oops")

    server.answer = lambda prompt: "yes"
    server.respond = respond
    result = asked(server, tmp_path, max_connections=2)
    assert [score.identifier for score in result.scores] == ["a", "c"]
    assert result.errors == (SampleError("b", 1, "provider_error", "HTTP 500 after 2 tries: oops"),)


ENDINGS = [
    (completed("yes"), "yes", "stop", {}),
    (completed("ye", "length"), "ye", "max_tokens", {"Truncated answers": 1}),
    (completed("", "length"), "", "max_tokens", {"Truncated answers": 1}),
    (completed("", "content_filter"), "", "refused", {"Refused answers": 1}),
    (completed(None, refusal="I must not"), "I must not", "refused", {"Refused answers": 1}),
    (refused(400, "Flagged by a policy", "content_filter"), "", "refused", {"Refused answers": 1}),
    (completed(""), "", "empty", {"Empty answers": 1}),
    (completed(None), "", "empty", {"Empty answers": 1}),
    (completed("yes", "?"), "yes", "unknown", {}),
]


@pytest.mark.sampled
@pytest.mark.parametrize(("response", "output", "reason", "counts"), ENDINGS)
def test_answers_that_end_early_are_scored_and_counted(
    response: Response,
    output: str,
    reason: str,
    counts: dict[str, int],
    server: ModelServer,
    tmp_path: Path,
) -> None:
    responding(server, response, "b")
    result = asked(server, tmp_path)
    assert result.errors == ()
    assert dict(result.outputs) == {"a": "yes", "b": output, "c": "yes"}
    reasons = {score.identifier: score.record["stop_reason"] for score in result.scores}
    assert reasons == {"a": "stop", "b": reason, "c": "stop"}
    suite = get_suite(NAME)
    row = make_row("m", suite, result.scores)
    first, line = render([row], suite, Protocol("corrected"), Format.CSV).splitlines()
    told = dict(zip(first.split(",")[2:], line.split(",")[2:], strict=True))
    assert {header: number for header, number in told.items() if header not in USED} == {
        header: str(count) for header, count in counts.items()
    }


def test_what_models_took_stands_with_samples_and_in_the_table(
    server: ModelServer, tmp_path: Path
) -> None:
    server.converse = lambda conversation: "yes"
    result = asked(server, tmp_path)
    for score in result.scores:
        assert score.usage is not None
        assert score.usage.input_tokens > 0 < score.usage.output_tokens
        assert score.usage.seconds > 0
        assert score.usage.cost is None  # nobody knows the price
    values = make_row("m", get_suite(NAME), result.scores).values
    assert [header for header in USED if header in values] == list(USED[:3])
    suite = get_suite(NAME)
    write_results(tmp_path / "kept", suite, result.scores, Protocol("corrected"), run=result.run)
    lines = (tmp_path / "kept" / "samples.jsonl").read_text().splitlines()
    assert [json.loads(line)["usage"] for line in lines] == [
        asdict(score.usage) for score in result.scores if score.usage is not None
    ]


def test_each_attempt_says_why_it_ended(server: ModelServer, tmp_path: Path) -> None:
    answers = [completed("ye", "length"), completed(""), completed("yes")]
    server.respond = lambda body: answers[len(server.requests) - 1]
    result = asked(server, tmp_path, limit=1, retries=3)
    (score,) = result.scores
    assert score.record["stop_reason"] == "stop"
    assert [attempt["stop_reason"] for attempt in score.record["attempts"]] == [
        "max_tokens",
        "empty",
        "stop",
    ]
    assert result.first_scores[0].record["stop_reason"] == "max_tokens"


@pytest.mark.sampled
@pytest.mark.usefixtures("eai_data")
@pytest.mark.parametrize(
    ("response", "begins"),
    [
        (completed(""), "The output is empty."),
        (completed(None, refusal="I must not"), "The model declined, or its provider withheld the"),
        (completed("", "content_filter"), "The model declined, or its provider withheld the"),
        (completed('{"WALK": ["so', "length"), "The answer was cut off. The output cannot be read"),
    ],
)
def test_it_is_explained_that_a_model_said_nothing(
    response: Response, begins: str, server: ModelServer, tmp_path: Path
) -> None:
    server.respond = lambda body: response
    name = "eai.virtualhome.action_sequencing"
    result = run(name, model=server.model, limit=1, retries=1, log_dir=tmp_path)
    assert result.scores[0].record["explanation"].startswith(begins)
    prompt = prompt_of(server.requests[-1])
    assert "could not be read as a plan. The output" in prompt, "feedback knows the output only"
    assert "declined" not in prompt


@pytest.mark.sampled
@pytest.mark.usefixtures("eai_data")
@pytest.mark.parametrize("driver", DRIVERS)
@pytest.mark.parametrize(
    ("response", "said"),
    [
        (completed(""), "(empty)"),
        (completed("", "content_filter"), "(refused)"),
        (completed(None, refusal="I must not"), "(refused) I must not"),
    ],
)
def test_what_is_played_notes_that_a_model_said_nothing(
    driver: str, response: Response, said: str, server: ModelServer, tmp_path: Path
) -> None:
    server.respond = lambda body: response
    name = "eai.virtualhome.interactive"
    result = run(name, model=server.model, limit=1, driver=driver, log_dir=tmp_path)
    assert f'"? {said}"' in result.outputs[0][1]
    explanation = result.scores[0].record["explanation"]
    assert explanation.startswith(f"Step 1: Not understood: {said!r}; write one action, such as ")


@pytest.mark.slow
@pytest.mark.usefixtures("eai_data")
@pytest.mark.parametrize("name", ["eai.virtualhome.interactive", "partnr.val"])
def test_of_what_is_played_all_answers_are_counted(
    name: str, server: ModelServer, tmp_path: Path
) -> None:
    server.respond = lambda body: completed("", "content_filter")
    result = run(name, model=server.model, limit=1, log_dir=tmp_path)
    assert result.scores[0].record["stop_reasons"] == {"refused": len(server.requests)}
    row = make_row("m", get_suite(name), result.scores)
    assert row.values["Refused answers"] == len(server.requests) > 1
    assert (
        "stop_reasons" not in run(name, agent="random", limit=1, log_dir=tmp_path).scores[0].record
    )


@pytest.mark.sampled
@pytest.mark.usefixtures("eai_data")
@pytest.mark.parametrize("name", ["eai.virtualhome.interactive", "partnr.val"])
@pytest.mark.parametrize(("response", "reason"), ERRORS[:1] + ERRORS[3:6:2])
def test_an_error_is_no_answer_of_who_plays(
    name: str, response: Response, reason: str, server: ModelServer, tmp_path: Path
) -> None:
    server.answer = lambda prompt: "Thought: wait.\nWait[]\nAssigned!"
    server.converse = lambda messages: "Wait[]"
    server.respond = lambda body: response if len(server.requests) > 3 else None
    result = run(name, model=server.model, limit=1, log_dir=tmp_path)
    assert result.scores == ()
    assert [error.kind for error in result.errors] == ["provider_error"]
    assert result.errors[0].reason.startswith(reason)
    assert len(server.requests) <= 6


def test_what_is_tried_again_is_told(server: ModelServer, tmp_path: Path) -> None:
    responding(server, refused(503, "busy"), *TASKS)
    told: list[str] = []
    result = asked(server, tmp_path, max_retries=3, tell=told.append)
    assert {error.reason for error in result.errors} == {"HTTP 503 after 4 tries: busy"}
    name = f"{server.service}/test-model: HTTP 503"
    assert told == [
        f"{name}; try 2 of 4 in 0 s; given up in about 18 s",
        f"{name}; try 3 of 4 in 0 s; given up in about 12 s",
        f"{name}; try 4 of 4 in 0 s; given up in about 0 s",
    ]


def test_silence_is_told(
    server: ModelServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(requests, "SILENCE", 0.01)
    told, enough = [], threading.Event()

    def tell(line: str) -> None:
        told.append(line)
        if len(told) > 2:
            enough.set()

    def respond(body: dict[str, Any]) -> None:
        enough.wait(PATIENCE)

    server.respond = respond
    result = asked(server, tmp_path, limit=1, tell=tell)
    assert len(result.scores) == 1
    for line in told[:3]:  # however slow the machine is
        assert re.fullmatch(r"no answer for \d+ (s|min); requests waiting: 1", line)


def failing(suite: Suite[str], *tasks: str) -> Suite[str]:
    """A suite whose scoring raises for some tasks."""

    def score(task: str, output: str, protocol: Protocol) -> Score:
        if task in tasks:
            raise KeyError("not today")
        return suite.scoring.score(task, output, protocol)

    return replace(suite, scoring=replace(suite.scoring, score=score))


def test_a_scorer_that_raises_costs_one_sample(server: ModelServer, tmp_path: Path) -> None:
    register_suite(failing(quiz(*TASKS), "b"), replace=True)
    server.answer = lambda prompt: "yes"
    seen: list[int] = []
    result = asked(server, tmp_path, progress=lambda what, done, total: seen.append(done))
    assert [score.identifier for score in result.scores] == ["a", "c"]
    (error,) = result.errors
    assert (error.identifier, error.kind) == ("b", "internal_error")
    assert error.reason == "KeyError: 'not today'"
    assert "in score" in error.traceback
    assert sorted(seen) == [1, 2, 3]
    register_suite(quiz(*TASKS), replace=True)
    again = asked(server, tmp_path)
    assert (again.resumed, len(again.scores), again.errors) == (2, 3, ())


def test_a_prompt_that_raises_costs_one_sample(
    server: ModelServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    suite, times = quiz(*TASKS), []

    def prompt(task: str) -> str:
        times.append(task)
        if task == "b" and times.count("b") > 1:  # the first is for the data set
            raise ZeroDivisionError("no")
        return task

    register_suite(replace(suite, prompting=Prompting(prompt=prompt)), replace=True)
    server.answer = lambda prompt: "yes"
    result = asked(server, tmp_path)
    assert [(error.identifier, error.kind, error.reason) for error in result.errors] == [
        ("b", "internal_error", "ZeroDivisionError: no")
    ]
    assert len(result.scores) == 2


def names(scores: Sequence[Score]) -> list[str]:
    return [score.identifier for score in scores]


def test_a_finished_run_of_other_tasks_is_not_reused(server: ModelServer, tmp_path: Path) -> None:
    server.answer = lambda prompt: "yes"
    asked(server, tmp_path)
    assert asked(server, tmp_path, reuse=True).reused
    register_suite(quiz("c", "b", "d"), replace=True)
    result = asked(server, tmp_path, reuse=True)
    assert not result.reused
    assert names(result.scores) == ["c", "b", "d"]


@pytest.mark.parametrize("any_path", [True, False])
def test_a_server_without_responses_is_told_how_to_name(
    any_path: bool, server: ModelServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """``openai/`` asks for responses; some servers answer with a completion, whatever is asked."""
    monkeypatch.setenv("OPENAI_API_KEY", "secret")
    monkeypatch.setenv("OPENAI_BASE_URL", f"http://127.0.0.1:{server.http.server_port}/v1")
    server.any_path = any_path
    name = f"llama-{server.http.server_port}"  # Inspect remembers models by their names
    try:
        result = run(NAME, model=f"openai/{name}", limit=1, log_dir=tmp_path)
        said = result.errors[0].reason
        assert said.startswith("a response that cannot be read: ")
        assert "TypeError" in said
    except HomebodyError as error:
        said = str(error)
        assert "HTTP 404" in said
    assert f"give --model openai-api/local/{name} with LOCAL_BASE_URL and LOCAL_API_KEY" in said


@pytest.mark.slow
def test_who_only_loads_the_package_is_told_of_no_hooks() -> None:
    """Inspect prints so where there are any."""
    code = (
        "import homebody.evals._registry\n"
        "from inspect_ai.hooks._startup import init_hooks\n"
        "init_hooks()"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == ""


def test_keys_and_addresses_may_stand_in_a_file(
    server: ModelServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    address = f"http://127.0.0.1:{server.http.server_port}/v1"
    values = {"FILED_API_KEY": "secret", "FILED_BASE_URL": address}
    for name in values:  # so that they are gone afterwards
        monkeypatch.setenv(name, "")
        monkeypatch.delenv(name)
    (tmp_path / ".env").write_text("".join(f"{name}={v}\n" for name, v in values.items()))
    monkeypatch.chdir(tmp_path)
    result = run(NAME, model="openai-api/filed/m", limit=1, log_dir=tmp_path / "logs")
    assert len(result.scores) == len(server.requests) == 1
