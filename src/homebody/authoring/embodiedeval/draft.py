"""A task before its start and its number of steps are known."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Final, TypeAlias

import numpy as np

from homebody.authoring.embodiedeval.survey import PART, Survey
from homebody.suites.embodiedeval.tasks import Option, StateChange
from homebody.worlds.house.model.house import Person


@dataclass(frozen=True, slots=True)
class Draft:
    """A task of a family in a scene.

    Attributes:
        instruction: In words.
        right: Of a question, the right answer.
        wrong: Answers that are wrong here; seven of them are taken, those that are right elsewhere
            as often as the right one first.
        looks: What one must have seen to be able to answer: names that must each be seen well
            from somewhere.
        closely: Share of the pixels of the view that shows it largest that each of these must take
            where it is looked at.
        goes: Of a navigation, points or things that are come to, in order.
        does: What is done, in order, of the options; each list is one order that will do.
        options: What can be done; others are added that are not needed.
        predicates: When it is done. Of a question ``choose`` is added.
        capabilities: What it asks for.
        states: What is otherwise than in the house at first.
        people: Who is in the scene besides.
        starts: Points where it begins; any that is neither too near nor too far if left out.
        heading: Which way one faces at first, degrees; any if left out.
    """

    instruction: str
    right: str = ""
    wrong: tuple[str, ...] = ()
    looks: tuple[str, ...] = ()
    closely: float = PART
    goes: tuple[str, ...] = ()
    does: tuple[tuple[Option, ...], ...] = ()
    options: tuple[Option, ...] = ()
    predicates: tuple[str, ...] = ()
    capabilities: tuple[str, ...] = ("base",)
    states: tuple[StateChange, ...] = ()
    people: tuple[Person, ...] = ()
    starts: tuple[int, ...] = ()
    heading: float | None = None


Family: TypeAlias = Callable[[Survey, np.random.Generator], Iterator[Draft]]
FAMILIES: Final[dict[str, dict[str, Family]]] = {}
"""Category -> name of a family -> the function that drafts its tasks."""


def family(category: str) -> Callable[[Family], Family]:
    """Register a function, under its own name, as one that drafts tasks of a category."""

    def enter(function: Family) -> Family:
        FAMILIES.setdefault(category, {})[function.__name__.rstrip("_")] = function
        return function

    return enter


def one_of(rng: np.random.Generator, *wordings: str) -> str:
    """Return a random wording."""
    return wordings[int(rng.integers(len(wordings)))]
