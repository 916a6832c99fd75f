"""How replies are read, and what is wrong with others."""

from __future__ import annotations

from contextlib import suppress
from time import process_time

import pytest

from homebody.core import Action, HomebodyError, ToolCall
from homebody.suites.embodiedeval.replies import (
    NO_MATCH,
    OUT_OF_RANGE,
    kind_of_error,
    read_choice,
)

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
        ("Thought: 3 chairs and 2 cups.\n[2]", 2),
        ("I choose option 2", 2),
        ("I choose turn left.", 2),
        ("It is behind me. I choose to turn left.", 2),
        ('I open it.\nanswer "in the fridge"', 3),
        ("My choice is [2]: the 3 cups are there.", 2),
        ("move forward", 1),
        ("Choice: in the fridge", 3),
        ('Choice: answer "in the fridge"', 3),
    ],
)
def test_replies_are_read(reply: str, number: int) -> None:
    assert read_choice(reply, OPTIONS, TEXTS) == OPTIONS[number - 1]


@pytest.mark.parametrize(
    ("reply", "kind"),
    [
        ("", NO_MATCH),
        ("no idea", NO_MATCH),
        ("-", NO_MATCH),
        ("(refused)", NO_MATCH),
        ("version 2.0b", NO_MATCH),
        ("I think 2", NO_MATCH),
        ("I count 3 chairs and 2", NO_MATCH),
        ("[3] is wrong, so I have to walk on", NO_MATCH),
        ("I do not turn left", NO_MATCH),
        ("Is it in the fridge", NO_MATCH),
        ("of 7 cups", NO_MATCH),
        ("(cut off) Choice: [2]", NO_MATCH),
        (str(ToolCall("Do", {"interaction": "count 4 cups"})), NO_MATCH),
        ("Choice: [0]", OUT_OF_RANGE),
        ("Choice: [99]", OUT_OF_RANGE),
        ("I take 7.", OUT_OF_RANGE),
    ],
)
def test_replies_without_an_option_are_refused_and_told_apart(reply: str, kind: str) -> None:
    if not reply.startswith(("ToolCall", "(cut off)")):
        with pytest.raises(HomebodyError):
            read_choice(reply, OPTIONS, TEXTS)
    assert kind_of_error(reply) == kind


@pytest.mark.parametrize(
    "piece", ["choice ", "choice" + 50 * " ", "[1", "1a", "-1", "1.", "! ", "take ", " ", "\n"]
)
def test_long_replies_are_read_in_linear_time(piece: str) -> None:
    text = piece * (100_000 // len(piece))
    start = process_time()
    with suppress(HomebodyError):
        read_choice(text, OPTIONS, TEXTS)
    assert process_time() - start < 1.0
