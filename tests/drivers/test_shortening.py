"""Long conversations: what stays of them, how much is left out at once, and when."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from drivers.test_drivers import drive, script, work
from drivers.toy import Toy
from homebody.core import Message, Question, Tool, ToolCall
from homebody.core.suite import Driver
from homebody.drivers import DRIVERS, tools
from homebody.drivers.shortening import NOTE, shorten, tokens


def conversation(sizes: list[int], now: int = 30) -> Question:
    """A question after so many rounds, each of so many characters."""
    messages = [Message("system", "Be good."), Message("user", "Task: tidy up.")]
    for number, size in enumerate(sizes):
        messages += [
            Message("assistant", f"answer {number}"),
            Message("user", f"result {number} " + "x" * size),
        ]
    return Question("ann", (*messages, Message("user", "y" * now)))


def told(question: Question) -> str:
    return "\n".join(message.text for message in question.messages)


def test_what_fits_is_asked_as_it_is() -> None:
    question = conversation([100] * 20)
    assert shorten(question, tokens(question.messages)) == (question, 0)
    assert shorten(question, 10**6) == (question, 0)


def test_the_oldest_rounds_are_left_out_and_counted() -> None:
    question = conversation([100] * 20)
    fitting, left_out = shorten(question, 400)
    count = left_out // 2
    assert 0 < count < 20
    assert left_out == len(question.messages) - len(fitting.messages)
    assert fitting.messages[0] == question.messages[0]
    assert fitting.messages[1].text == f"Task: tidy up.\n\n{NOTE.format(count)}"
    assert fitting.messages[2:] == question.messages[2 + left_out :]
    assert tokens(fitting.messages) <= 400


def test_the_task_and_the_last_round_stay_even_if_they_do_not_fit() -> None:
    question = conversation([100] * 20, now=5_000)
    fitting, left_out = shorten(question, 10)
    assert left_out == 38
    assert [message.role for message in fitting.messages[:3]] == ["system", "user", "assistant"]
    assert fitting.messages[3:] == question.messages[-2:]
    assert shorten(fitting, 10) == (fitting, 0)
    first = Question("ann", question.messages[:2])
    assert shorten(first, 1) == (first, 0)


def test_a_conversation_of_which_nothing_comes_first_is_shortened_too() -> None:
    question = Question("ann", conversation([100] * 5).messages[2:])
    fitting, _ = shorten(question, 150)
    assert [message.role for message in fitting.messages[:2]] == ["user", "assistant"]
    assert "omitted" in fitting.messages[0].text


def test_beginnings_change_seldom() -> None:
    """A provider that keeps what it has read reads little of it again."""
    sizes = [120 + 37 * at % 90 for at in range(200)]
    asked = [
        shorten(conversation(sizes[:count], 100 + count % 7), 3_000)[0] for count in range(200)
    ]
    whole = tokens(conversation(sizes).messages)
    changes = 0
    for before, after in pairwise(asked):
        if before.messages[1] == after.messages[1]:
            assert after.messages[: len(before.messages) - 1] == before.messages[:-1]
        else:
            changes += 1
    assert 10 < changes <= (whole - 3_000) / 750 + 1


@given(st.lists(st.integers(0, 2_000), max_size=40), st.integers(0, 3_000), st.integers(1, 20_000))
def test_it_fits_or_only_what_must_stay_is_left(sizes: list[int], now: int, most: int) -> None:
    question = conversation(sizes, now)
    fitting, left_out = shorten(question, most)
    assert shorten(question, most) == (fitting, left_out)
    assert left_out == len(question.messages) - len(fitting.messages)
    if tokens(fitting.messages) > most:
        assert left_out == max(0, 2 * len(sizes) - 2)


@pytest.mark.parametrize("driver", DRIVERS.values())
def test_conversations_of_all_drivers_stay_well_formed(driver: Driver) -> None:
    session = Toy()
    actions = [work(1 + at % 5) for at in range(60)]
    asked = drive(driver, session, script(driver, session, *actions))
    most = tokens(asked[0].messages, asked[0].tools) + 400
    for question in asked:
        fitting, left_out = shorten(question, most)
        assert tokens(fitting.messages, fitting.tools) <= most
        assert told(fitting).count("Task: Work for 5 steps.") == 1
        assert fitting.messages[-1] == question.messages[-1]
        roles = [message.role for message in fitting.messages]
        answer = "tool" if driver is tools else "user"
        assert roles[2:] == ["assistant", answer] * (len(roles) // 2 - 1)
        for call, result in pairwise(fitting.messages[2:]):
            if driver is tools and call.role == "assistant":
                assert [made.id for made in call.calls] == [result.call_id]
    assert left_out > 40


def test_calls_and_tools_count() -> None:
    call = ToolCall("Pick", {"object": "x" * 300})
    assert tokens([Message("assistant", "", (call,))]) > 100
    assert tokens([], [Tool.of("Pick", "y" * 300, "object")]) > 100


def test_what_cannot_be_encoded_counts_too() -> None:
    assert tokens([Message("user", "\ud800" * 300)]) >= 100
    assert tokens([Message("user", "\u7bb1" * 300)]) >= 300
