"""What of a model's answer is read."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from drivers.toy import Toy
from homebody.core import Question, Reply
from homebody.core.suite import Driver
from homebody.drivers import DRIVERS
from homebody.drivers.prompt_texts import MAX_READ, before_results, clip, now

PIECES = st.sampled_from(["\n", " ", "\r", "\x85", "Result:", "Observations:", "Results", "Go[a]"])


@given(pieces=st.lists(PIECES, max_size=9))
def test_an_answer_ends_before_results(pieces: list[str]) -> None:
    text = "".join(pieces)
    assert before_results(text) == re.split(r"\n\s*(?:Result|Observation)s?:", text)[0]


@pytest.mark.parametrize(
    ("left", "told"),
    [(None, ""), (1, "You may act once more;"), (40, "You may act 40 more times;")],
)
def test_how_often_one_may_still_act_is_told_where_it_is_known(left: int | None, told: str) -> None:
    said = now(replace(Toy().observe("ann"), actions_left=left))
    assert said.partition("\n\n")[2].startswith(told)
    assert ("You may" in said) == bool(told)


@pytest.mark.parametrize("piece", ["\n", "\n ", "Result:", " "])
def test_so_much_of_an_answer_is_read_and_no_more(piece: str) -> None:
    """Of blank lines too, over which a search must not go again and again."""
    text = piece * 2_000_000
    assert before_results(text) == text[:MAX_READ]


@pytest.mark.parametrize("driver", DRIVERS.values(), ids=DRIVERS)
def test_drivers_look_at_no_more_of_an_answer(driver: Driver) -> None:
    """A session is told of no longer one either."""
    noted = []

    class Noting(Toy):
        def note(self, role: str, text: str, cycle: int = 0, planner: str = "") -> None:
            noted.append(len(text))
            super().note(role, text, cycle, planner)

    def says(question: Question) -> Reply:
        return Reply("x" * (2 * MAX_READ) + "\nPick[cup] 1")

    dialogue = driver(Noting(), {})
    try:
        questions = next(dialogue)
        while True:
            questions = dialogue.send(tuple(map(says, questions)))
    except StopIteration:
        assert noted
        assert set(noted) == {MAX_READ}


def test_a_long_text_is_clipped_in_the_middle() -> None:
    assert clip("abc", 3) == "abc"
    assert clip("abcdefgh", 4) == "a [...] fgh"
    assert clip("abcdefgh", 4, "\n4 less\n") == "a\n4 less\nfgh"
    assert clip("\ud83d", 4) == "?"
