"""Neither the order nor the length of options shows which of them are needed."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable
from math import ceil, comb
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from homebody.suites.embodiedeval import agents
from homebody.suites.embodiedeval.tasks import ANSWER, CATEGORIES, EmbodiedTask, Option, load
from leaks import guess_wanted, rank_scores
from places import DOCS

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


def guess_by_text(task: EmbodiedTask) -> float:
    """Whether ``text_only`` answers rightly."""
    session: Any = SimpleNamespace(source=task)
    action = agents.text_only(session, np.random.default_rng(0))(session, "agent")
    return float(action.args == (_right(task),))


def guess_by_frequency(task: EmbodiedTask) -> float:
    """How often the answer is right that is right most often in the family's other tasks."""
    counts = Counter(
        _right(other)
        for other in load("test")
        if other.answers and other.family == task.family and other is not task
    )
    most = max(counts[option.text] for option in task.answers)
    best = [option.text for option in task.answers if counts[option.text] == most]
    return (_right(task) in best) / len(best)


Table = dict[str, tuple[int, float]]


def guessed(guess: Callable[[EmbodiedTask], float], kind: str) -> Table:
    """Family or category -> its number of questions, and of right guesses."""
    found = defaultdict[str, list[float]](list)
    for task in load("test"):
        if task.answers:
            found[getattr(task, kind)].append(guess(task))
    return {name: (len(each), sum(each)) for name, each in sorted(found.items())}


@pytest.mark.parametrize("guess", [guess_by_text, guess_by_frequency])
@pytest.mark.parametrize("kind", ["family", "category"])
def test_no_guess_without_looking_is_above_chance(
    guess: Callable[[EmbodiedTask], float], kind: str
) -> None:
    """With 95 %, chance is nowhere so often right (Bonferroni)."""
    table = guessed(guess, kind)
    assert len(table) == (37 if kind == "family" else 3)
    for name, (count, right) in table.items():
        by_chance = sum(
            comb(count, n) * 7 ** (count - n) / 8**count for n in range(ceil(right), count + 1)
        )
        assert by_chance > 0.05 / len(table), (name, count, right)


def test_the_page_says_how_often_guesses_are_right() -> None:
    page = (DOCS / "benchmarks" / "embodiedeval.md").read_text()
    often = guessed(guess_by_frequency, "family")
    for name, (count, right) in guessed(guess_by_text, "family").items():
        row = f"| {name.replace('_', ' ')} | {count} | {right:.0f} | {often[name][1]:.1f} |"
        assert row in page, row
