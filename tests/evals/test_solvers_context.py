"""Conversations with models that can read only so much at a time."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import anyio
import pytest
from inspect_ai.model import ChatMessage, GenerateConfig, ModelInfo, ModelOutput, set_model_info

from homebody import evals
from homebody.core import HomebodyError, Message, Question
from homebody.drivers.shortening import tokens
from homebody.evals import solvers
from homebody.evals.requests import ContextTooLong, Requests
from homebody.evals.solvers import Conversations
from homebody.suites.partnr.tasks import PartnrTask
from model_server import ModelServer, text_of

NAME = "partnr.val"
SINGLE = {"team": "single"}
LONG = "Thought: " + "well, " * 100 + "\nWait[]\nAssigned!"


def longest(server: ModelServer) -> int:
    """Tokens of the longest request."""
    return max(
        tokens([Message(one["role"], text_of(one)) for one in body["messages"]])
        for body in server.requests
    )


def run(server: ModelServer, log_dir: Path, **options: Any) -> evals.RunResult:
    server.converse = lambda messages: LONG
    server.requests.clear()
    return evals.run(NAME, model=server.model, log_dir=log_dir, settings=SINGLE, **options)


@pytest.mark.slow
def test_what_does_not_fit_is_left_out_and_recorded(
    server: ModelServer, one_episode: PartnrTask, tmp_path: Path
) -> None:
    whole = run(server, tmp_path)
    assert "messages_left_out" not in whole.scores[0].record
    assert longest(server) > 8_000
    last = server.requests[-1]["messages"]
    assert len(last) == 2 * len(server.requests)

    shorter = run(server, tmp_path, max_context=8_000, reuse=True)
    assert longest(server) <= 4_000
    left_out = shorter.scores[0].record["messages_left_out"]["human"]
    assert len(server.requests[-1]["messages"]) == 2 * len(server.requests) - left_out
    assert f"Your first {left_out // 2} answers" in text_of(server.requests[-1]["messages"][1])
    # else it is the same
    again = dict(shorter.scores[0].record)
    del again["messages_left_out"]
    assert again == whole.scores[0].record


@pytest.mark.slow
def test_what_is_known_of_a_model_is_what_fits(
    server: ModelServer, one_episode: PartnrTask, tmp_path: Path
) -> None:
    set_model_info(server.model, ModelInfo(context_length=9_000))
    try:
        result = run(server, tmp_path)
        assert longest(server) <= 9_000 - 4_096
        assert result.scores[0].record["messages_left_out"]["human"] > 0
        run(server, tmp_path, max_context=100_000)  # somebody knows better
        assert longest(server) > 8_000
    finally:
        set_model_info(server.model, ModelInfo())  # nothing is known any more


@dataclass
class Narrow:
    """A model that says what is too long for it, and is not known to."""

    most: int
    config: GenerateConfig = field(default_factory=GenerateConfig)
    asked: list[int] = field(default_factory=list)

    async def generate(self, said: list[ChatMessage], **_: Any) -> ModelOutput:
        length = sum(len(message.text) for message in said)
        self.asked.append(length)
        if length > self.most:
            return ModelOutput.from_content("narrow", "too long", stop_reason="model_length")
        return ModelOutput.from_content("narrow", "yes")


def question(rounds: int, now: int = 10) -> Question:
    said = [Message("assistant", "a" * 100), Message("user", "b" * 100)] * rounds
    return Question("ann", (Message("user", "Task"), *said, Message("user", "c" * now)))


def ask(
    monkeypatch: pytest.MonkeyPatch, model: Narrow, *questions: Question
) -> tuple[Conversations, list[str]]:
    monkeypatch.setattr(solvers, "get_model_info", lambda model: None)
    of_role: Any = lambda role: model  # noqa: E731
    played = Conversations(Requests(), model_of=of_role)
    said = [anyio.run(played.ask, [each])[0].text for each in questions]
    return played, said


def test_what_a_provider_refuses_is_asked_half_as_long_from_then_on(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    model = Narrow(5_000)
    played, said = ask(monkeypatch, model, question(20), question(30), question(31))
    assert said == ["yes", "yes", "yes"]
    assert model.asked[0] < 5_000 < model.asked[1]
    assert len(model.asked) == 4  # one was refused
    assert max(model.asked[2:]) < model.asked[1] / 2 + 200
    assert played.left_out["ann"] > 0


def test_what_cannot_be_shortened_is_asked_once(monkeypatch: pytest.MonkeyPatch) -> None:
    model = Narrow(5_000)
    with pytest.raises(ContextTooLong, match="context too long: too long"):
        ask(monkeypatch, model, question(0, 6_000))
    assert len(model.asked) == 1
    model = Narrow(300)
    with pytest.raises(ContextTooLong):
        ask(monkeypatch, model, question(40, 500))
    assert 2 <= len(model.asked) <= 8


@pytest.mark.parametrize("value", [0, -1, True, "8000", 1.5])
def test_odd_contexts_are_refused(server: ModelServer, tmp_path: Path, value: Any) -> None:
    with pytest.raises(HomebodyError, match="max_context must be a whole number of at least 1"):
        run(server, tmp_path, max_context=value)
    assert not server.requests


def test_plain_questions_cannot_be_shortened(server: ModelServer, tmp_path: Path) -> None:
    with pytest.raises(HomebodyError, match="no conversation is shortened"):
        evals.run(
            "eai.virtualhome.action_sequencing",
            model=server.model,
            log_dir=tmp_path,
            max_context=8_000,
        )
