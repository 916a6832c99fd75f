"""How models are asked: limits of requests, where they go, and what makes another run."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from inspect_ai.log import list_eval_logs, read_eval_log

from homebody import evals
from homebody.core import HomebodyError
from homebody.evals.endpoints import (
    MAX_VALUE,
    Connection,
    check_model_args,
    provider_of,
    read_model_args,
)
from homebody.suites.partnr.settings import HUMAN
from homebody.suites.partnr.tasks import PartnrTask
from model_server import ModelServer

SUITE = "eai.virtualhome.action_sequencing"


# -- arguments of models --------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("written", "value"),
    [
        ("1", 1),
        ("0.5", 0.5),
        ("true", True),
        ("null", None),
        ("", None),
        ("cuda:0", "cuda:0"),
        ("a=b", "a=b"),
        ("a,b", ["a", "b"]),
        ("[1, two]", [1, "two"]),
        ("{a: 1}", {"a": 1}),
    ],
)
def test_values_are_read_as_inspect_reads_them(written: str, value: Any) -> None:
    assert read_model_args([f"some-name={written}"]) == {"some_name": value}


@pytest.mark.parametrize(
    ("written", "message"),
    [
        ("name", "not NAME=VALUE"),
        ("=1", "not NAME=VALUE"),
        ("name=" + "x" * (MAX_VALUE + 1), "not NAME=VALUE"),
        ("name=" + "[" * 900, "cannot be read"),
        ("name=!!python/object:os.system {}", "cannot be read"),
        ("name=a\x00b", "cannot be read"),
        ("name={a: [1]}", "cannot be read"),
        ("name=" + "- " * 490, "cannot be read"),
        ("name=" + "? " * 490, "cannot be read"),
        ("name=2026-01-01", "must be a string"),
        ("name=.nan", "must be a string"),
        ("name=.inf", "must be a string"),
        ("name=" + "9" * 900, "must be a string"),
        ("a b=1", "is not a valid name"),
        ("api_key=1", "would be written to the log"),
        ("hf-token=1", "would be written to the log"),
        ("apikey=1", "would be written to the log"),
        ("default_headers={Authorization: x}", "would be written to the log"),
        ("aws_secret_access_key=1", "would be written to the log"),
        ("base_url=http://x", "is not a model argument"),
        ("role=human", "is not a model argument"),
    ],
)
def test_what_cannot_be_is_refused_in_one_line(written: str, message: str) -> None:
    with pytest.raises(HomebodyError, match=message) as caught:
        read_model_args([written])
    assert len(str(caught.value)) < 300
    assert "\n" not in str(caught.value)


def test_aliases_of_yaml_make_nothing_large() -> None:
    bomb = "[&a [x,x,x,x], &b [*a,*a,*a,*a], &c [*b,*b,*b,*b], [*c,*c,*c,*c]]"
    with pytest.raises(HomebodyError, match="cannot be read"):
        read_model_args([f"name={bomb}"])


@pytest.mark.parametrize("args", [[1], "a=1", {1: 2}, {str(n): n for n in range(60)}])
def test_arguments_are_values_by_name(args: Any) -> None:
    with pytest.raises(HomebodyError):
        check_model_args(args)


def test_names_that_only_look_secret_are_taken() -> None:
    assert check_model_args({"max_tokens": 5, "keys": 1}) == {"keys": 1, "max_tokens": 5}


@pytest.mark.parametrize(
    ("model", "provider"),
    [
        ("openai/gpt-4o", "openai"),
        ("openai/azure/gpt-4o", "openai"),
        ("openai-api/local/meta/llama", "openai-api/local"),
        ("together/meta-llama/Llama", "together"),
    ],
)
def test_providers(model: str, provider: str) -> None:
    assert provider_of(model) == provider


@pytest.mark.parametrize(
    "given",
    [
        {"timeout": 0},
        {"timeout": 1.5},
        {"timeout": True},
        {"max_retries": -1},
        {"max_retries": 10**10},
        {"max_connections": 0},
        {"base_url": ""},
        {"base_url": 5},
        {"base_url": "localhost:8000"},
        {"base_url": "file:///etc/passwd"},
        {"base_url": "http://"},
        {"base_url": "http://host:99999/v1"},
        {"base_url": "http://host/\x1b[31m"},
        {"base_url": "http://" + "x" * 2_000},
        {"base_url": "http://me:secret@host/v1"},
        {"base_url": "http://host/v1?api_key=secret"},
    ],
)
def test_limits_that_cannot_be_are_refused(given: dict[str, Any]) -> None:
    with pytest.raises(HomebodyError) as caught:
        Connection(**given)
    assert str(caught.value).isprintable()
    assert "secret" not in str(caught.value)


# -- runs -----------------------------------------------------------------------------------------


@pytest.mark.slow
def test_what_is_asked_for_reaches_the_provider(
    server: ModelServer, eai_data: None, tmp_path: Path
) -> None:
    evals.run(
        SUITE,
        model=server.model,
        log_dir=tmp_path,
        limit=1,
        max_tokens=77,
        reasoning_effort="high",
        timeout=50,
        max_retries=3,
        model_args={"strict_tools": False},
    )
    assert server.requests[0]["max_tokens"] == 77
    assert server.requests[0]["reasoning_effort"] == "high"
    (info,) = list_eval_logs(str(tmp_path))
    log = read_eval_log(info.name)
    assert log.eval.model_args == {"strict_tools": False}
    config = log.eval.model_generate_config
    assert (config.max_tokens, config.attempt_timeout, config.max_retries) == (77, 50, 3)


def test_another_server_is_asked_at_an_address(
    server: ModelServer, eai_data: None, tmp_path: Path
) -> None:
    other = ModelServer()
    try:
        url = f"http://127.0.0.1:{other.http.server_port}/v1"
        evals.run(SUITE, model=server.model, log_dir=tmp_path, limit=1, model_base_url=url)
    finally:
        other.stop()
    assert (len(server.requests), len(other.requests)) == (0, 1)


def test_models_of_roles_are_asked_alike(
    server: ModelServer, one_episode: PartnrTask, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    server.converse = lambda messages: "Done[]"
    other, elsewhere = ModelServer(), ModelServer()
    try:
        for key, value in other.environment.items():
            monkeypatch.setenv(key, value)
        other.converse = elsewhere.converse = server.converse
        options: dict[str, Any] = {
            "model_base_url": f"http://127.0.0.1:{elsewhere.http.server_port}/v1",
            "max_tokens": 99,
            "temperature": 0.75,
        }
        for role in (other.model, f"{server.model}-small"):
            roles = {HUMAN: role}
            evals.run("partnr.val", model=server.model, log_dir=tmp_path, roles=roles, **options)
    finally:
        other.stop()
        elsewhere.stop()
    # the address is for the main model, and for others of its provider only
    assert not server.requests
    assert [body["model"] for body in other.requests] == ["test-model"]
    asked = [body["model"] for body in elsewhere.requests]
    assert sorted(asked) == ["test-model", "test-model", "test-model-small"]
    for body in (*other.requests, *elsewhere.requests):
        assert (body["temperature"], body["max_tokens"]) == (0.75, 99)


@pytest.mark.slow
def test_who_goes_on_may_change_limits_but_not_answers(
    server: ModelServer, eai_data: None, tmp_path: Path
) -> None:
    plan = json.dumps([])
    server.answer = lambda prompt: plan
    options: dict[str, Any] = {"model": server.model, "log_dir": tmp_path, "limit": 3}
    server.fail = [200, 401, 401, 401]
    with pytest.raises(HomebodyError):
        evals.run(SUITE, **options, max_connections=1, timeout=9, max_tokens=50)
    asked = len(server.requests)
    server.fail.clear()

    elsewhere = ModelServer()
    try:
        elsewhere.answer = server.answer
        url = f"http://127.0.0.1:{elsewhere.http.server_port}/v1"
        result = evals.run(SUITE, **options, timeout=30, max_tokens=50, model_base_url=url)
    finally:
        elsewhere.stop()
    assert result.resumed == 1
    assert len(result.scores) == 3
    assert len(server.requests) == asked
    assert len(elsewhere.requests) == 2
    assert {body["max_tokens"] for body in elsewhere.requests} == {50}
    newest = max(
        (read_eval_log(info.name) for info in list_eval_logs(str(tmp_path))),
        key=lambda log: log.eval.created,
    )
    assert newest.plan.config.attempt_timeout == 30

    again = evals.run(SUITE, **options, max_tokens=60, reuse=True)
    assert not again.reused
    assert evals.run(SUITE, **options, max_tokens=60, reuse=True, timeout=5, max_retries=1).reused


def test_models_that_do_not_know_an_argument_are_refused(
    server: ModelServer, eai_data: None, tmp_path: Path
) -> None:
    with pytest.raises(HomebodyError, match="cannot use the model"):
        evals.run(SUITE, model=server.model, log_dir=tmp_path, limit=1, model_args={"nonsense": 1})
    assert not server.requests


def test_agents_take_nothing_of_it(tmp_path: Path) -> None:
    for given in (
        {"max_tokens": 5},
        {"reasoning_effort": "low"},
        {"model_args": {"a": 1}},
        {"max_context": 5_000},
    ):
        with pytest.raises(HomebodyError, match="options of models"):
            evals.run("eai.virtualhome.interactive", agent="idle", log_dir=tmp_path, **given)


@pytest.mark.parametrize(
    "given",
    [
        {"max_tokens": 0},
        {"max_tokens": 10**12},
        {"reasoning_effort": "much"},
        {"timeout": "soon"},
        {"model_base_url": "nowhere"},
        {"model_args": {"x": [[1]]}},
    ],
)
def test_odd_options_are_refused_before_anything_is_asked(
    server: ModelServer, tmp_path: Path, given: dict[str, Any]
) -> None:
    with pytest.raises(HomebodyError):
        evals.run(SUITE, model=server.model, log_dir=tmp_path, **given)
    assert not server.requests
    assert not list(tmp_path.iterdir())
