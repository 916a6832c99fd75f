"""What learners read: all at first, then the news."""

from __future__ import annotations

import pytest

pytest.importorskip("gymnasium")
pytest.importorskip("pettingzoo")

from homebody.core import CORRECTED
from homebody.suites.house.bring import TASKS, start
from homebody.train import SessionEnv, TextEncoder
from homebody.train.encoders import MAX_TEXT, make_plain


def env(encoder: TextEncoder) -> SessionEnv:
    return SessionEnv(lambda rng: start(TASKS[0], {}, 0, CORRECTED), encoder)


def test_all_is_told_at_first_and_then_what_is_new() -> None:
    words = env(TextEncoder())
    first, info = words.reset(seed=1)
    session = words.session
    observation = session.observe("agent")
    assert first == f"{info['instruction']}\n{observation.text}"
    room = session.simulation.state.house.rooms[0]  # type: ignore[attr-defined]
    second, *_, info = words.step(f"I look there: Explore[{room.name}]")
    lines = second.splitlines()
    assert lines[0] == f"Explore[{room.name}]: {info['message']}"
    assert lines[1:] == session.observe("agent").changes.splitlines()
    third, *_, info = words.step("Wait[]")
    assert third == "Wait[]: you waited"
    fourth, *_, info = words.step("what now?")
    assert fourth.endswith(info["message"])
    assert not info["ok"]
    again, _ = words.reset()
    assert again.startswith(info["instruction"])


def test_all_is_told_each_time_if_wanted() -> None:
    words = env(TextEncoder(whole=True))
    words.reset(seed=1)
    text, *_ = words.step("Wait[]")
    assert words.session.observe("agent").text in text


def test_options_are_the_first_of_the_sessions() -> None:
    numbers = env(TextEncoder(options=5))
    _, info = numbers.reset(seed=1)
    assert info["options"] == numbers.session.observe("agent").options[:5]
    assert info["action_mask"].tolist() == [1] * 5
    numbers.step(0)
    with pytest.raises(ValueError, match="unknown action: 5"):
        numbers.step(5)


def test_texts_are_of_their_space() -> None:
    assert make_plain("a\tb\nc\x00d\x7fe\u00e9f\U0001f600") == "a\tb\nc?d?e?f?"
    assert len(make_plain("x" * (MAX_TEXT + 5))) == MAX_TEXT
    assert make_plain("x" * 7 + "\ud800") == "xxxxxxx?"
