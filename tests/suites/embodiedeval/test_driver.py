"""How replies are read, and what a model is asked."""

from __future__ import annotations

import pytest

from homebody.core import CORRECTED, Action, HomebodyError, Reply
from homebody.suites.embodiedeval.driver import drive, read_choice
from homebody.suites.embodiedeval.session import start
from suites.embodiedeval.small_tasks import task_of

OPTIONS = [Action("Forward"), Action("TurnLeft"), Action("Answer", ("in the fridge",))]
TEXTS = ["move forward", "turn left", 'answer "in the fridge"']


@pytest.mark.parametrize(
    ("reply", "number"),
    [
        ("Thought: I see 3 cups.\nChoice: [2]", 2),
        ("Choice: 1", 1),
        ("choice [3] is best", 3),
        ("**Choice:** [2]", 2),
        ("I take [1].", 1),
        ("move forward", 1),
        ("Choice: in the fridge", 3),
        ("I think 2", 2),
    ],
)
def test_replies_are_read(reply: str, number: int) -> None:
    assert read_choice(reply, OPTIONS, TEXTS) == OPTIONS[number - 1]


@pytest.mark.parametrize("reply", ["", "no idea", "Choice: [0]", "Choice: [99]", "-"])
def test_replies_without_an_option_are_refused(reply: str) -> None:
    with pytest.raises(HomebodyError):
        read_choice(reply, OPTIONS, TEXTS)


def test_a_model_is_told_the_task_and_shown_all_it_has_seen() -> None:
    session = start(
        task_of("navigation", "go_to"), {"picture": "224", "history": "8"}, 0, CORRECTED
    )
    dialogue = drive(session, {})
    (question,) = next(dialogue)
    system, told, asked = question.messages
    assert "24 steps" in system.text
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
