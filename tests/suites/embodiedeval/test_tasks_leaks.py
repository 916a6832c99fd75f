"""Neither the order nor the length of options shows which of them are needed."""

from __future__ import annotations

import pytest

from homebody.suites.embodiedeval.tasks import ANSWER, CATEGORIES, EmbodiedTask, Option, load
from leaks import guess_wanted, rank_scores

Lists = list[tuple[list[str], set[str]]]


def lists_of(category: str, answers: bool, longest_first: bool = False) -> Lists:
    """The options of each task of a category, and those of its shortest run."""
    lists = []
    for task in load("test"):
        options = [option for option in task.options if (option.verb == ANSWER) == answers]
        texts = [_text(option) for option in options]
        if task.category == category and not all(option.text.isdigit() for option in options):
            if longest_first:
                texts.sort(key=len, reverse=True)
            lists.append((texts, set(task.plan)))
    return lists


def _text(option: Option) -> str:
    return f'answer "{option.text}"' if option.verb == ANSWER else option.text


def test_no_position_or_length_shows_the_right_option() -> None:
    leaks = set()
    for category in CATEGORIES:
        for answers in (True, False):
            kind = "answers" if answers else "actions"
            rules = guess_wanted(lists_of(category, answers))
            by_length = guess_wanted(lists_of(category, answers, longest_first=True))
            if by_length:
                rules |= {"longest": by_length["first"], "shortest": by_length["last"]}
            leaks |= {(category, kind, rule) for rule, score in rules.items() if score[2] > 3.5}
    assert leaks == set()


def questions(category: str) -> list[tuple[list[str], int]]:
    """The answers of each question of a category, or of all, and the index of the right one."""
    return [
        (texts, texts.index(_right(task)))
        for task in load("test")
        if task.answers and category in ("", task.category)
        for texts in [[option.text for option in task.answers]]
    ]


def _right(task: EmbodiedTask) -> str:
    return task.predicates[-1].removeprefix("choose ")


def _number(text: str) -> float:
    return float(text.split()[0])


@pytest.mark.parametrize("category", ["", "attribute_qa", "spatial_qa"])
def test_no_length_or_number_shows_the_right_answer(category: str) -> None:
    asked = questions(category)
    numbers = [each for each in asked if all(text[0].isdigit() for text in each[0])]
    assert numbers
    for key, lists in ((len, asked), (_number, numbers)):
        scores = rank_scores(([key(text) for text in texts], at) for texts, at in lists)
        assert max(map(abs, scores.values())) < 2, (key, scores)
