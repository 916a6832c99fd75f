"""Pages of runs: what is in them, and what hostile text does to them."""

from __future__ import annotations

import io
import re
from base64 import b64decode
from collections.abc import Sequence
from dataclasses import replace
from html.parser import HTMLParser
from typing import Any

import numpy as np
import pytest
from PIL import Image as Pictures

from homebody.core import CORRECTED, Action, HomebodyError, Playing, Scoring, Suite
from homebody.core.conversation import Image, Tool
from homebody.core.suite import Snapshot
from homebody.core.transcript import write_call
from homebody.core.turns import TurnSession
from homebody.results.report import MAX_SAID, Recording, chosen, data_uri, report

EVIL = "</p></article><script>alert(1)</script><img src=x onerror='alert(1)'>\x1b[31m\u202e"


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
        [Image("view", np.full((40, 80, 3), 60 * done, np.uint8))],
        {write_call(option): f"{option.name.lower()} <on>" for option in session.game.options()},
        [(f"at {goal}", done >= goal) for goal in (1, 3)],
        "; ".join(event.message for event in session.observe("agent").news),
    )


@pytest.fixture
def steps(suite: Suite[str]) -> Suite[str]:
    playing: Playing[str] = Playing(
        start=lambda task, settings, seed, protocol: TurnSession(
            task, "Go.", Steps(), max_actions=6, by_itself=True
        ),
        roles=("agent",),
    )
    reporting = replace(suite.reporting, snapshot=look)
    return replace(
        suite,
        prompting=None,
        playing=playing,
        scoring=Scoring(playing.score),
        reporting=reporting,
    )


def played(name: str = "t1", said: Sequence[str] = (), calls: Sequence[str] = ()) -> Recording:
    session = TurnSession(name, "Go.", Steps(), max_actions=6, by_itself=True)
    for cycle, call in enumerate(calls or ("Go", "Go", "Go"), 1):
        if call in ("Go", "Stay"):
            session.act("agent", Action(call), cycle, "agent")
        else:
            session.note("agent", call, cycle, "agent")
    return Recording(name, 1, session.transcript().encode(), {"agent": said} if said else {})


class Page(HTMLParser):
    """The tags and the text of a page."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.text = ""
        self.images: list[str] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        assert not [name for name, _ in attrs if name.startswith("on")]
        if tag == "img":
            self.images.append(dict(attrs)["src"] or "")

    def handle_data(self, data: str) -> None:
        self.text += data


def test_each_step_has_its_picture_choice_thought_feedback_and_conditions(
    steps: Suite[str],
) -> None:
    said = ("I go.", "On.", "There.")
    page = Page(report(steps, [played(said=said)], CORRECTED, of=1, source="a.eval"))
    assert page.tags.count("article") == 4  # and how it is at the end
    assert len(page.images) == 4
    for text in (*said, "you are at 3", "Step 3", "go <on>", "stay <on>", "a.eval", "1 episode,"):
        assert text in page.text
    told = re.findall(r"[○●] at \d", page.text)
    assert told == [*["● at 1", "○ at 3"] * 2, *["● at 1", "● at 3"] * 2]
    first = b64decode(page.images[1].partition(",")[2])
    with Pictures.open(io.BytesIO(first)) as picture:
        assert picture.size == (80, 40)
        assert abs(picture.getpixel((5, 5))[0] - 60) < 5  # type: ignore[index]


def test_hostile_text_is_only_text(steps: Suite[str]) -> None:
    evil = replace(played(said=[EVIL, EVIL * 100], calls=["Go", EVIL]))
    page = report(steps, [evil], CORRECTED, of=1, source=EVIL)
    read = Page(page)
    assert "script" not in read.tags
    assert len(read.images) == 3
    assert "<script>alert(1)</script>" in read.text
    assert "\x1b" not in page
    assert "\u202e" not in page
    assert read.text.count("alert(1)") < MAX_SAID
    assert "default-src 'none'" in page
    nothing = Page(report(steps, [Recording("t1", 1, EVIL)], CORRECTED, of=1))
    assert nothing.tags.count("article") == 1
    assert "no JSON" in nothing.text


def test_of_several_attempts_the_last_is_shown(steps: Suite[str]) -> None:
    page = report(steps, [played(said=["old", "a", "b", "c"])], CORRECTED, of=1)
    assert "old" not in Page(page).text


def test_a_page_says_how_many_episodes_it_leaves_out(steps: Suite[str]) -> None:
    kept = [played("t1"), played("t2"), played("t3")]
    assert chosen(kept, ["t3", "t2"], 1) == (kept[1],)
    assert chosen(kept, [], 2) == (kept[0], kept[1])
    with pytest.raises(HomebodyError, match="no episode of t4"):
        chosen(kept, ["t4"], 9)
    assert "2 of 3 episodes" in Page(report(steps, kept[:2], CORRECTED, of=3)).text


def test_of_a_long_episode_the_first_steps_are_shown(
    steps: Suite[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("homebody.results.report.MAX_STEPS", 2)
    page = Page(report(steps, [played(calls=["Stay", "Stay", "Go"])], CORRECTED, of=1))
    assert page.tags.count("article") == 3
    assert "The first 2 of 3 steps" in page.text
    assert page.text.count("● at 1") == 1  # at the end


def test_who_has_no_pictures_has_no_reports(steps: Suite[str], suite: Suite[str]) -> None:
    with pytest.raises(HomebodyError, match="no reports"):
        report(suite, [played()], CORRECTED, of=1)
    with pytest.raises(HomebodyError, match="no task t9"):
        report(steps, [played("t9")], CORRECTED, of=1)


def test_pictures_are_small() -> None:
    big = Image("view", np.zeros((448, 896, 3), np.uint8))
    with Pictures.open(io.BytesIO(b64decode(data_uri(big, 100).partition(",")[2]))) as picture:
        assert picture.size == (100, 50)
