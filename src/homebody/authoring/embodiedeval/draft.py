"""A draft of a task, before its start and its number of steps are known."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Final, TypeAlias

import numpy as np

from homebody.authoring.embodiedeval.survey import PART, Survey
from homebody.core.ground.seeds import shuffle
from homebody.suites.embodiedeval.tasks import Option, StateChange
from homebody.worlds.house.model.house import Person

MOST: Final = 16
"""Maximum number of drafts of a family in a scene."""


@dataclass(frozen=True, slots=True)
class Draft:
    """A task of a family in a scene.

    Attributes:
        instruction: The text of the task.
        right: The right answer, if it is a question.
        wrong: Wrong answers, of which seven are used. An answer is preferred if it and the right
            answer of this task are right in equally many other tasks.
        looks: Names of the objects that must be seen to answer; each must be clearly visible
            from somewhere.
        closely: Minimum number of pixels of each of these objects in a view. The unit is the
            object's number of pixels in the view that shows it largest.
        goes: Points or objects to reach, in order, of a navigation task.
        does: Options to carry out, in order; each list is one possible order.
        options: The options of the task, including unnecessary ones.
        predicates: Conditions of success. ``choose`` is added for a question.
        capabilities: The required capabilities.
        states: Changes of the house's initial state.
        people: Additional people in the scene.
        starts: Possible initial points. If empty, all points that are neither too near nor too far.
        heading: Initial heading in degrees; any if None.
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
    """Register a function as a family of drafts of a category. The family has the function's
    name."""

    def enter(function: Family) -> Family:
        FAMILIES.setdefault(category, {})[function.__name__.rstrip("_")] = function
        return function

    return enter


def evenly(rng: np.random.Generator, drafts: Iterable[Draft], most: int = MOST) -> list[Draft]:
    """Return some of the drafts, with equal numbers for each right answer."""
    groups: dict[str, list[Draft]] = {}
    for draft in shuffle(rng, drafts):
        groups.setdefault(draft.right, []).append(draft)
    rounds = (group[row : row + 1] for row in range(most) for group in groups.values())
    return [draft for each in rounds for draft in each][:most]


def one_of(rng: np.random.Generator, *wordings: str) -> str:
    """Return a random wording."""
    return wordings[int(rng.integers(len(wordings)))]
