"""What a model is asked, and what comes of its replies."""

from __future__ import annotations

import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest

from homebody.core import CORRECTED, HomebodyError, Message, Question, Reply, ToolCall
from homebody.suites.embodiedeval.driver import drive
from homebody.suites.embodiedeval.session import start
from homebody.suites.embodiedeval.suite import PLAYING
from suites.embodiedeval.small_tasks import task_of


@pytest.mark.slow
def test_a_model_is_told_the_task_and_shown_all_it_has_seen() -> None:
    session = start(
        task_of("navigation", "go_to"), {"picture": "224", "history": "8"}, 0, CORRECTED
    )
    dialogue = drive(session, {})
    (question,) = next(dialogue)
    system, told, asked = question.messages
    assert "24 steps" in system.text
    assert "field of view is 90 degrees" in system.text
    assert "by 30 degrees" in system.text
    assert session.instruction in told.text
    assert [image.name for image in told.images] == ["current view"]
    assert "[1] " in asked.text
    for _ in range(2):
        (question,) = dialogue.send((Reply("Thought: left.\nChoice: [2]"),))
    _, told, _ = question.messages
    assert [image.name for image in told.images][-1] == "current view"
    assert len(told.images) == 3
    assert "-> success" in told.text
    (question,) = dialogue.send((Reply("hm"),))
    assert "failed: no option is named" in question.messages[1].text


def asked(questions: tuple[Question, ...]) -> tuple[Message, Message, Message]:
    (question,) = questions
    system, told, options = question.messages
    return system, told, options


@pytest.mark.slow
def test_pictures_are_named_by_their_steps_and_bounded_by_steps() -> None:
    settings = {"picture": "224", "history": "8", "view": "frames"}
    session = start(task_of("navigation", "go_to"), settings, 0, CORRECTED)
    dialogue = drive(session, {})
    questions = next(dialogue)
    for _ in range(9):
        questions = dialogue.send((Reply("Choice: [2]"),))
    names = [image.name for image in asked(questions)[1].images]
    assert len(names) == 8 * 4
    assert names[:4] == [
        "step 3, on the way 1",
        "step 3, on the way 2",
        "step 3, on the way 3",
        "step 3",
    ]
    assert names[-2:] == ["on the way 3", "current view"]
    assert "on your way" in asked(questions)[0].text


def test_without_history_the_current_picture_is_shown_and_the_steps_are_told() -> None:
    session = start(
        task_of("navigation", "go_to"), {"picture": "224", "history": "1"}, 0, CORRECTED
    )
    dialogue = drive(session, {})
    next(dialogue)
    _, told, _ = asked(dialogue.send((Reply("Choice: [1]"),)))
    assert [image.name for image in told.images] == ["current view"]
    assert "1. " in told.text


def test_without_pictures_none_are_spoken_of() -> None:
    session = start(task_of("navigation", "go_to"), {"picture": "none"}, 0, CORRECTED)
    system, told, _ = asked(next(drive(session, {})))
    assert not told.images
    assert "without any picture" in system.text
    assert "current view last" not in told.text


@pytest.mark.slow
def test_a_video_is_of_the_whole_way_and_of_its_size() -> None:
    ffmpeg = pytest.importorskip("imageio_ffmpeg", reason="needs: pip install 'homebody[video]'")
    settings = {"picture": "224", "view": "video"}
    session = start(task_of("navigation", "go_to"), settings, 0, CORRECTED)
    dialogue = drive(session, {})
    questions = next(dialogue)
    lengths = []
    for _ in range(3):
        system, told, _ = asked(questions)
        assert "a video of all" in system.text
        assert not told.images
        (video,) = told.videos
        lengths.append((video.frames, *decoded(ffmpeg, video.mp4)))
        questions = dialogue.send((Reply("Choice: [2]"),))
    assert lengths == [(1, 1, (224, 224)), (5, 5, (224, 224)), (9, 9, (224, 224))]


def decoded(ffmpeg: Any, mp4: bytes) -> tuple[int, tuple[int, int]]:
    """The number of frames and their size."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "video.mp4"
        path.write_bytes(mp4)
        reader = ffmpeg.read_frames(str(path))
        size = next(reader)["size"]
        return sum(1 for _ in reader), size


def test_a_reply_can_be_a_call_of_a_tool() -> None:
    task = task_of("object_interaction", "pick_up")
    session = start(task, {"picture": "none", "reply": "call"}, 0, CORRECTED)
    dialogue = drive(session, {})
    (question,) = next(dialogue)
    assert {tool.name for tool in question.tools} >= {"Forward", "TurnLeft", "Do"}
    assert "call one tool" in question.messages[0].text
    replies = [
        Reply("I look.", (ToolCall("TurnLeft", {}),)),
        Reply("", (ToolCall("Fly", {"to": "step 7"}),)),
        Reply("", (ToolCall("Do", {"interaction": "pick up 4 unicorns"}),)),
        Reply("Choice: [1]"),
        Reply("", (ToolCall("Do", {"deep": nested(200)}),)),
    ]
    for reply in replies:
        (question,) = dialogue.send((reply,))
    told = question.messages[1].text
    assert "1. turn left -> success" in told
    assert "2. a call of Fly -> failed: unknown tool: 'Fly'" in told
    assert "3. pick up 4 unicorns -> failed: this option is not listed" in told
    assert "5. a call of Do -> failed" in told
    record = session.score().record
    assert record["errors"] == ["no option match"] * 3
    assert record["interactions"] == 0


def nested(depth: int) -> Any:
    value: Any = []
    for _ in range(depth):
        value = [value]
    return value


@pytest.mark.parametrize("form", ["choice", "call"])
def test_nothing_is_taken_from_a_reply_that_was_cut_off(form: str) -> None:
    session = start(
        task_of("navigation", "go_to"), {"picture": "none", "reply": form}, 0, CORRECTED
    )
    dialogue = drive(session, {})
    next(dialogue)
    calls = (ToolCall("TurnLeft", {}),) if form == "call" else ()
    (question,) = dialogue.send((Reply("3 chairs. Choice: [2]", calls, "max_tokens"),))
    assert "failed: your reply was cut off" in question.messages[1].text
    assert session.game.taken == []
    assert session.score().record["errors"] == ["no option match"]


def test_a_choice_at_the_end_of_a_long_reply_is_kept() -> None:
    session = start(task_of("navigation", "go_to"), {"picture": "none"}, 0, CORRECTED)
    dialogue = drive(session, {})
    next(dialogue)
    dialogue.send((Reply("Well. " * 1000 + "\nChoice: [77]"),))
    assert session.score().record["errors"] == ["option out of range"]
    assert session.entries[0].call.endswith("Choice: [77]")


@pytest.mark.parametrize(
    "settings", [{"picture": "none", "view": "video"}, {"picture": "none", "boxes": "yes"}]
)
def test_settings_that_leave_nothing_to_show_are_refused(settings: dict[str, str]) -> None:
    with pytest.raises(HomebodyError, match="no effect"):
        PLAYING.check(settings)


def test_a_video_without_ffmpeg_is_refused_before_anything_is_asked(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(sys.modules, "imageio_ffmpeg", None)
    with pytest.raises(HomebodyError, match="need ffmpeg"):
        PLAYING.check({"view": "video"})
