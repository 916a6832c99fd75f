"""A model that reviews drafts: scripted answers, in a small scene graph."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from pathlib import Path

import msgspec
import pytest

from homebody.authoring.answers import cache_answers
from homebody.authoring.etplan.by_model import (
    TOGETHER,
    Reviewer,
    read_opinions,
    says,
)
from homebody.authoring.etplan.make import generate
from homebody.core import HomebodyError, Message
from homebody.suites.etplan.tasks import EtplanTask, load
from homebody.worlds.virtualhome.scene_graph import read_graph
from worlds.virtualhome.scene_graphs import household

DRAFTS = load("test")["manipulation"][:15]


def listed(messages: Sequence[Message]) -> list[str]:
    """The tasks that a question is about."""
    return re.findall(r"^\d+\. (.*)$", messages[-1].text, re.MULTILINE)


def politely(messages: Sequence[Message]) -> str:
    """Finds all reasonable but what has an apple in it."""
    return "Here you are:\n" + json.dumps(
        [
            {"task": number, "reasonable": "apple" not in text, "words": f"Now: {text}"}
            for number, text in enumerate(listed(messages), 1)
        ]
    )


def test_reasonable_drafts_are_reworded_and_others_rejected() -> None:
    def answer(messages: Sequence[Message]) -> str:
        said = json.loads(politely(messages).partition("\n")[2])
        said[0]["reasonable"] = False
        said[1]["words"] = "Put the passport into the fridge."  # a class of another task
        return json.dumps([*said[:2], *said[3:]])  # nothing of the third

    review = Reviewer(answer)
    made = list(review(DRAFTS))
    assert [task.id for task in made] == [
        task.id for number, task in enumerate(DRAFTS) if number % TOGETHER
    ]
    assert review.counts == {"reworded": 9, "kept": 2, "unread": 2, "unreasonable": 2}
    assert made[0].instruction == DRAFTS[1].instruction
    assert made[2].instruction == f"Now: {DRAFTS[3].instruction}"
    assert "2 drafts rejected by the model" in review.summary()


@pytest.mark.parametrize(
    "answer",
    ["", "No.", "[" * 5000, "[[[]]]", '{"task": 1}', '[{"task": "1", "reasonable": "yes"}]',
     '[{"task": 99, "reasonable": true, "words": "x"}]',
     '[{"task": 1, "reasonable": true, "words": "\\ud800"}]',
     "[1, null, true]"],
)  # fmt: skip
def test_an_answer_that_cannot_be_read_costs_no_task(answer: str) -> None:
    review = Reviewer(lambda messages: answer)
    assert list(review(DRAFTS)) == list(DRAFTS)
    assert review.counts == {"unread": len(DRAFTS)}


def test_words_that_are_no_line_are_not_taken() -> None:
    for words in ("", "\x1b[31mPut it away", "x" * 1000):
        said = json.dumps([{"task": 1, "reasonable": True, "words": words}])
        review = Reviewer(lambda messages, said=said: said)
        assert list(review(DRAFTS[:1])) == [DRAFTS[0]]
        assert review.counts == {"kept": 1}


@pytest.mark.parametrize(
    ("words", "taken"),
    [
        ("There is lotion somewhere; I want it on the washbasin.", True),
        ("Could the LOTION go onto the sink?", True),
        ("Put the lotion away.", False),
        ("Put the lotion in the washbasin.", False),
        ("Put the lotion on the washbasin next to the towel.", False),
        ("Take the lotion from the kitchen to the washbasin.", False),
    ],
)
def test_words_say_what_the_criterion_says(words: str, taken: bool) -> None:
    draft = msgspec.structs.replace(
        DRAFTS[0],
        instruction="Put the lotion on the washbasin.",
        criterion="(CLOSE, robot, lotion)(CLOSE, robot, washbasin)(ON, lotion, washbasin)",
    )
    assert says(words, draft) is taken


@pytest.mark.slow
def test_the_same_answers_give_the_same_tasks(tmp_path: Path) -> None:
    path, asked = tmp_path / "answers.jsonl", []

    def answer(messages: Sequence[Message]) -> str:
        asked.append(messages)
        return politely(messages)

    def made(ask: Callable[[Sequence[Message]], str]) -> tuple[EtplanTask, ...]:
        with cache_answers(ask, "a model", path) as known:
            graphs = [read_graph(household())]
            return generate("test", 3, graphs=graphs, engine="serial", review=Reviewer(known, 3))

    first = made(answer)
    assert asked
    assert all(task.instruction.startswith("Now: ") for task in first)
    assert not any("apple" in task.instruction for task in first)
    path.write_bytes(path.read_bytes() + b'{"asked": "half a l')

    def nobody(messages: Sequence[Message]) -> str:
        raise HomebodyError("this was asked before")

    assert made(nobody) == first
    path.write_bytes(b"no answer\n")
    with pytest.raises(HomebodyError, match="line 1 is damaged"):
        made(nobody)


def test_an_error_is_no_answer(tmp_path: Path) -> None:
    def broken(messages: Sequence[Message]) -> str:
        raise HomebodyError("out of order")

    path = tmp_path / "answers.jsonl"
    with cache_answers(broken, "a model", path) as known, pytest.raises(HomebodyError, match="out"):
        list(Reviewer(known)(DRAFTS))
    assert not path.exists()


def test_of_two_opinions_the_first_counts() -> None:
    said = [{"task": 1, "reasonable": value} for value in (True, False)]
    assert read_opinions(json.dumps(said))[1].reasonable
