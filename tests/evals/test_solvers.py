"""Models play episodes through the real path: Inspect, a provider, HTTP to a server on loopback."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from homebody import evals
from homebody.core import HomebodyError, Message, Question, Suite
from homebody.evals.asking import asking
from homebody.evals.lookup import tasks_by_id
from homebody.suites.partnr import suite as partnr
from homebody.suites.partnr.settings import HUMAN, ROBOT, TEAM
from homebody.suites.partnr.tasks import PartnrTask
from model_server import ModelServer
from suites.partnr.scripted import moving, script

NAME = "partnr.val"


@pytest.fixture
def one_episode(monkeypatch: pytest.MonkeyPatch) -> Iterator[PartnrTask]:
    """The suite has one episode, of two moves."""
    task = moving()
    monkeypatch.setattr(partnr, "load", lambda split: (task,))
    tasks_by_id.cache_clear()
    yield task
    tasks_by_id.cache_clear()


def role_of(messages: list[tuple[str, str]], team: str) -> str:
    """Whom a conversation is with, as its system prompt says."""
    if team == "centralised":
        return TEAM
    system = messages[0][1].lower()
    return HUMAN if "you are the human" in system else ROBOT


def scripted(server: ModelServer, team: str) -> None:
    def converse(messages: list[tuple[str, str]]) -> str:
        question = Question(
            role_of(messages, team),
            tuple(Message(role, text) for role, text in messages),  # type: ignore[arg-type]
        )
        return script(question)

    server.converse = converse


@pytest.mark.parametrize("team", ["single", "centralised", "decentralised"])
def test_react_solves_an_episode(
    server: ModelServer, one_episode: PartnrTask, tmp_path: Path, team: str
) -> None:
    scripted(server, team)
    settings = {} if team == "decentralised" else {"team": team}
    result = evals.run(NAME, model=server.model, log_dir=tmp_path, settings=settings)
    (score,) = result.scores
    assert score.metrics["success"] == 1.0, score.record["explanation"]
    assert score.record["settings"] == settings
    assert sum(score.record["calls"].values()) == len(server.requests)
    assert (
        set(score.record["calls"])
        == {
            "single": {HUMAN},
            "centralised": {TEAM},
            "decentralised": {ROBOT, HUMAN},
        }[team]
    )
    ((name, output),) = result.outputs
    assert name == one_episode.id
    again = partnr.score(one_episode, output, partnr.PROTOCOLS["corrected"])
    assert again.record == score.record


def test_roles_are_played_by_other_models(
    server: ModelServer, one_episode: PartnrTask, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    scripted(server, "decentralised")
    other = ModelServer()
    try:
        for key, value in other.environment.items():
            monkeypatch.setenv(key, value)
        scripted(other, "decentralised")
        roles = {HUMAN: other.model}
        result = evals.run(NAME, model=server.model, log_dir=tmp_path, roles=roles)
    finally:
        other.stop()
    assert result.scores[0].metrics["success"] == 1.0
    asked = {id(one): len(one.requests) for one in (server, other)}
    calls = result.scores[0].record["calls"]
    assert asked == {id(server): calls[ROBOT], id(other): calls[HUMAN]}


def test_a_model_with_an_expert_partner(
    server: ModelServer, one_episode: PartnrTask, tmp_path: Path
) -> None:
    server.converse = lambda messages: "Thought: my partner will do it.\nDone[]\nAssigned!"
    settings = {"human": "expert"}
    result = evals.run(NAME, model=server.model, log_dir=tmp_path, settings=settings)
    (score,) = result.scores
    assert score.metrics["success"] == 1.0
    assert score.record["offloading"] == 0.0
    assert len(server.requests) == 1


@pytest.mark.parametrize(
    ("output", "keys"),
    [
        ("json", {"response_format"}),
        ("gbnf", {"grammar", "guided_grammar", "ebnf"}),
        ("regex", {"regex", "guided_regex"}),
    ],
)
def test_answers_are_constrained(
    server: ModelServer, one_episode: PartnrTask, tmp_path: Path, output: str, keys: set[str]
) -> None:
    done = {"thought": "nothing to do", "call": "Done[]"}
    text = json.dumps(done) if output == "json" else "Thought: nothing to do\nDone[]\nAssigned!"
    server.converse = lambda messages: text
    evals.run(NAME, model=server.model, log_dir=tmp_path, settings={"output": output})
    for body in server.requests:
        assert keys <= set(body)
        assert "cup_0" not in json.dumps({key: body[key] for key in keys})  # not seen yet


def test_garbage_ends_and_is_scored(
    server: ModelServer, one_episode: PartnrTask, tmp_path: Path
) -> None:
    server.converse = lambda messages: "I would rather not."
    result = evals.run(NAME, model=server.model, log_dir=tmp_path)
    (score,) = result.scores
    assert score.metrics == {"success": 0.0, "percent_complete": 0.0}
    assert score.record["calls"] == {ROBOT: 50, HUMAN: 50}


def test_settings_are_part_of_what_a_run_is(
    server: ModelServer, one_episode: PartnrTask, tmp_path: Path
) -> None:
    server.converse = lambda messages: "Done[]"
    evals.run(NAME, model=server.model, log_dir=tmp_path)
    asked = len(server.requests)
    evals.run(NAME, model=server.model, log_dir=tmp_path, reuse=True)
    assert len(server.requests) == asked
    evals.run(NAME, model=server.model, log_dir=tmp_path, settings={"team": "single"}, reuse=True)
    assert len(server.requests) == asked + 1


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"settings": {"team": "trio"}}, "team cannot be"),
        ({"settings": {"colour": "red"}}, "no setting"),
        ({"settings": {"perception": "erring", "observability": "full"}}, "cannot err"),
        ({"roles": {"cat": "none"}}, "no role"),
    ],
)
def test_what_cannot_be_is_refused_before_anything_is_asked(
    server: ModelServer, one_episode: PartnrTask, tmp_path: Path, given: dict, message: str
) -> None:
    with pytest.raises(HomebodyError, match=message):
        evals.run(NAME, model=server.model, log_dir=tmp_path, **given)
    assert not server.requests
    assert not os.listdir(tmp_path)


def test_a_suite_of_plain_questions_takes_no_settings(server: ModelServer, tmp_path: Path) -> None:
    with pytest.raises(HomebodyError, match="no setting"):
        evals.run(
            "eai.virtualhome.action_sequencing",
            model=server.model,
            log_dir=tmp_path,
            settings={"team": "single"},
        )


def test_a_model_is_asked_outside_a_run(server: ModelServer) -> None:
    server.converse = lambda messages: f"{len(messages)} messages"
    with asking(server.model) as ask:
        assert ask([Message("system", "Be brief."), Message("user", "How many?")]) == "2 messages"


def test_every_suite_that_is_played_says_by_whom() -> None:
    suite: Suite[PartnrTask] = partnr.make_suite("val")
    assert suite.playing is not None
    assert suite.models == (ROBOT, HUMAN, TEAM)
