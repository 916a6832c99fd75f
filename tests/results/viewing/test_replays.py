"""Replays: what is at each step, and what hostile text does to them."""

from __future__ import annotations

import io
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from PIL import Image as Pictures

from homebody.core import (
    CORRECTED,
    Action,
    HomebodyError,
    Message,
    Playing,
    Prompting,
    Scoring,
    Suite,
    Tasks,
)
from homebody.core.play.conversation import Tool
from homebody.core.play.transcript import write_call
from homebody.core.play.turn_session import TurnSession
from homebody.core.viewing import Snapshot, Viewing
from homebody.results.viewing.documents import to_json
from homebody.results.viewing.replays import (
    MAX_SAID,
    encode_jpeg,
    make_replay,
    replies_by_role,
    shown_replay,
)
from homebody.suites import get_suite
from toy_runs import EVIL


class Steps:
    """A game of three steps."""

    done = 0

    def do(self, action: Action) -> str:
        if action.name != "Go":
            raise HomebodyError("there is no such thing", "go")
        self.done += 1
        return f"you are at {self.done}"

    def describe(self) -> str:
        return ""

    def options(self) -> Sequence[Action]:
        return [Action("Go"), Action("Stay")]

    def tools(self) -> Sequence[Tool]:
        return []

    def progress(self) -> float:
        return self.done / 3


def look(session: Any) -> Snapshot:
    done = session.game.done
    return Snapshot(
        {"view": lambda: np.full((40, 80, 3), 60 * done, np.uint8)},
        {write_call(option): f"{option.name.lower()} <on>" for option in session.game.options()},
        [(f"at {goal}", done >= goal) for goal in (1, 3)],
        "; ".join(event.message for event in session.observe("agent").news),
    )


def begun(task: str = "t1") -> TurnSession:
    return TurnSession(task, "Go.", Steps(), max_actions=6, without_done=True)


@pytest.fixture
def steps() -> Suite[str]:
    playing: Playing[str] = Playing(
        start=lambda task, settings, seed, protocol: begun(task), roles=("agent",)
    )
    return Suite(
        "toy.steps",
        "Three steps",
        Tasks(lambda protocol: ["t1"], str, str),
        Scoring(playing.score),
        playing=playing,
        viewing=Viewing(look),
    )


def played(*calls: str) -> str:
    session = begun()
    for cycle, call in enumerate(calls or ("Go", "Go", "Go"), 1):
        if call in ("Go", "Stay"):
            session.act("agent", Action(call), cycle, "agent")
        else:
            session.note("agent", call, cycle, "agent")
    return session.transcript().encode()


def test_each_step_has_its_picture_choice_thought_feedback_and_conditions(
    steps: Suite[str],
) -> None:
    said = {"agent": ["I go.", "On.", "There."]}
    made = make_replay(steps, "t1", played(), CORRECTED, said)
    assert made is not None
    shown = shown_replay(made)
    document, files = shown.document, shown.pictures
    told = document["steps"]
    assert [step["said"] for step in told] == said["agent"]
    assert [step["message"] for step in told] == [f"you are at {n}" for n in (1, 2, 3)]
    assert [step["ok"] for step in told] == [True] * 3
    assert told[0]["listed"] == "go <on>"
    assert told[0]["options"] == ["go <on>", "stay <on>"]
    assert told[1]["conditions"] == [["at 1", True], ["at 3", False]]
    assert document["end"]["conditions"] == [["at 1", True], ["at 3", True]]
    assert [step["pictures"][0]["file"] for step in told] == ["p0-0.jpg", "p1-0.jpg", "p2-0.jpg"]
    assert len(files) == 4  # and how it is at the end
    with Pictures.open(io.BytesIO(files["p1-0.jpg"]())) as picture:
        assert picture.size == (80, 40)
        assert abs(picture.getpixel((5, 5))[0] - 60) < 5  # type: ignore[index]


def test_what_was_refused_or_not_understood_is_told(steps: Suite[str]) -> None:
    made = make_replay(steps, "t1", played("Stay", EVIL, "Go"), CORRECTED, {"agent": [EVIL * 999]})
    assert made is not None
    assert [step.ok for step in made.steps] == [False, None, True]
    document = shown_replay(made).document
    assert "there is no such thing" in document["steps"][0]["message"]
    assert document["steps"][1]["message"] == "not understood"
    text = to_json(document)
    text.encode()
    assert "\x1b" not in text
    assert max(len(step["said"]) for step in document["steps"]) <= MAX_SAID


def test_of_several_attempts_the_last_is_shown(steps: Suite[str]) -> None:
    made = make_replay(steps, "t1", played(), CORRECTED, {"agent": ["old", "a", "b", "c"]})
    assert made is not None
    assert [step.said for step in made.steps] == ["a", "b", "c"]


def test_of_a_long_episode_the_first_steps_are_shown(
    steps: Suite[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("homebody.results.viewing.replays.MAX_STEPS", 2)
    made = make_replay(steps, "t1", played("Go", "Stay", "Go"), CORRECTED)
    assert made is not None
    shown = shown_replay(made)
    document, files = shown.document, shown.pictures
    assert (len(document["steps"]), document["of"], len(files)) == (2, 3, 3)
    assert document["steps"][1]["conditions"] == [["at 1", True], ["at 3", False]]


def test_beforehand_no_more_is_drawn_than_is_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("homebody.results.viewing.replays.DRAWN", 1)
    suite = get_suite("house.bring")
    task = suite.tasks.load(CORRECTED)[0]
    made = make_replay(suite, task, suite.answer("expert", task), CORRECTED)
    assert made is not None
    live, whole = shown_replay(made), shown_replay(made, beforehand=True)
    assert live.scenes == whole.scenes
    assert len(whole.scenes) == 2
    if not made.end.pictures:  # nothing here draws any
        return
    seen = [
        [picture["name"] for picture in each["pictures"]] for each in whole.document["steps"][:2]
    ]
    assert seen == [["what agent sees"], []]
    assert len(live.pictures) == 2 * (len(made.steps) + 1)
    told = [picture["name"] for picture in live.document["end"]["pictures"]]
    assert told == ["the plan", "what agent sees"]
    assert len(whole.pictures) == 2
    unfilmed = shown_replay(replace(made, film=None), beforehand=True)
    assert len(unfilmed.pictures) == 4


def test_what_is_no_transcript_has_no_replay(steps: Suite[str]) -> None:
    assert make_replay(steps, "t1", EVIL, CORRECTED) is None
    assert make_replay(steps, "t1", begun().transcript().encode(), CORRECTED) is None
    assert (
        make_replay(
            replace(steps, playing=None, prompting=Prompting(str)), "t1", played(), CORRECTED
        )
        is None
    )


def test_houses_are_replayed_with_what_came_of_each_action() -> None:
    suite = get_suite("house.bring")
    task = suite.tasks.load(CORRECTED)[0]
    made = make_replay(suite, task, suite.answer("expert", task), CORRECTED)
    assert made is not None
    assert made.success is True
    assert all(step.ok for step in made.steps)
    assert [step.clock for step in made.steps] == sorted(step.clock for step in made.steps)
    assert all(step.until >= step.clock for step in made.steps)


def test_what_models_said_is_told_by_role() -> None:
    told = [
        Message("user", "[human] what now?"),
        Message("assistant", "[human] I wait] a while"),
        Message("assistant", "[robot] I go"),
        Message("assistant", "[human] Done"),
    ]
    assert replies_by_role(told) == {"human": ["I wait] a while", "Done"], "robot": ["I go"]}


def test_pictures_are_small() -> None:
    with Pictures.open(
        io.BytesIO(encode_jpeg(lambda: np.zeros((448, 896, 3), np.uint8), 100))
    ) as picture:
        assert picture.size == (100, 50)
