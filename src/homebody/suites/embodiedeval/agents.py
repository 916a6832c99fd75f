"""Agents without a model: the shortest run, random choices, idling, and answers from text alone."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator
from functools import cache
from typing import TYPE_CHECKING, Any

from homebody.core import DONE, Action, Policy, Session
from homebody.core.ground.seeds import choose
from homebody.suites.embodiedeval.tasks import EmbodiedTask, load

if TYPE_CHECKING:  # importing numpy is too slow for the command line
    import numpy as np


def oracle(session: Any, generator: np.random.Generator) -> Policy:
    """Return the policy of the shortest successful run."""
    plan = iter(session.source.plan)

    def act(session: Any, role: str) -> Action:
        wanted = next(plan, None)
        options = session.observe(role).options
        return next((each for each in options if session.game.text(each) == wanted), DONE)

    return act


def random(session: Session, generator: np.random.Generator) -> Policy:
    """Return a policy that chooses uniformly among the options (the paper's random agent)."""

    def act(session: Session, role: str) -> Action:
        options = session.observe(role).options
        return choose(generator, options)

    return act


def idle(session: Session, generator: np.random.Generator) -> Policy:
    """Return a policy that only looks down and up."""

    def act(session: Any, role: str) -> Action:
        return Action("LookUp" if session.game.view.pitch < 0 else "LookDown")

    return act


def text_only(session: Any, generator: np.random.Generator) -> Policy:
    """Return a policy that answers at once, without looking. It only uses the words of the task and
    the options.

    It has learned from the answers of all other test tasks. Tasks without a question are played at
    random."""
    task: EmbodiedTask = session.source
    if not task.answers:
        return random(session, generator)
    best = max(task.answers, key=lambda option: _likelihood(task, option.text))
    return lambda session, role: Action("Answer", (best.text,))


def _likelihood(task: EmbodiedTask, answer: str) -> float:
    """Return the log-likelihood that an answer is right, by the words of other tasks' answers.

    It is naive Bayes over the tasks of the same family, of the same category, and all tasks."""
    score = 0.0
    for group in (task.family, task.category, ""):
        right, wrong = _count_features(group)
        own_right, own_wrong = (
            _feature_counts(task) if _is_in_group(task, group) else (Counter(), Counter())
        )
        for word in features(task, answer):
            yes = right[word] - own_right[word]
            no = wrong[word] - own_wrong[word]
            score += math.log((yes + 0.5) / (yes + no / 7 + 1.0))
    return score


def features(task: EmbodiedTask, answer: str) -> Iterator[str]:
    """Yield text features of an answer.

    They are its words, its rank by position and by length, and the words that it shares with the
    question and with other answers."""
    texts = [option.text for option in task.answers]
    words = answer.lower().split()
    yield from words
    yield f"place {texts.index(answer)}"
    yield f"longer than {sorted(map(len, texts)).index(len(answer))}"
    asked = set(task.instruction.lower().split())
    yield f"asked {len(asked & set(words))}"
    shared = sum(len(set(words) & set(other.lower().split())) for other in texts) - len(set(words))
    ranks = sorted(
        sum(len(set(one.lower().split()) & set(o.lower().split())) for o in texts)
        - len(set(one.lower().split()))
        for one in texts
    )
    yield f"shares {ranks.index(shared)}"
    numbers = [word for word in words if word.isdigit()]
    if numbers:
        values = sorted(int(w) for text in texts for w in text.split() if w.isdigit())
        yield f"rank {values.index(int(numbers[0]))}"


def _is_in_group(task: EmbodiedTask, group: str) -> bool:
    return group in ("", task.family, task.category)


@cache
def _count_features(group: str) -> tuple[Counter[str], Counter[str]]:
    """Return the feature counts of right and of wrong answers in a group of tasks."""
    right: Counter[str] = Counter()
    wrong: Counter[str] = Counter()
    for task in load("test"):
        if task.answers and _is_in_group(task, group):
            own_right, own_wrong = _feature_counts(task)
            right += own_right
            wrong += own_wrong
    return right, wrong


def _feature_counts(task: EmbodiedTask) -> tuple[Counter[str], Counter[str]]:
    right: Counter[str] = Counter()
    wrong: Counter[str] = Counter()
    for option in task.answers:
        own = right if f"choose {option.text}" in task.predicates else wrong
        own.update(features(task, option.text))
    return right, wrong
