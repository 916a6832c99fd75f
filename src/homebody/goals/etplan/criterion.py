"""Completion criteria of ET-Plan-Bench: conditions between classes, in one or several stages.

Table 5 of the paper and the released tasks share a notation::

    (CLOSE, robot, apple)(INSIDE, apple, fridge)
    STEP_1: (CLOSE, robot, milk)(INSIDE, milk, cup) STEP_2: (INSIDE, cup, microwave)

Table 5 separates conditions that must hold on the way ("intermediate criteria") from conditions
that must hold at the end. A released criterion is one list. :func:`add_stages` converts such a
list.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final, TypeAlias

from homebody.core.ground.escaping import escape
from homebody.core.ground.user_errors import HomebodyError
from homebody.core.state import State

ROBOT: Final = "robot"
"""Name of the agent in criteria."""
CLOSE: Final = "CLOSE"
RELATIONS: Final = (CLOSE, "ON", "INSIDE", "FACING")
PLACED: Final[Mapping[str, str]] = {"ON": "on", "INSIDE": "within"}
"""Relation -> its name in the skill Place."""
RELATION_WORDS: Final[Mapping[str, str]] = {CLOSE: "near", "ON": "on", "INSIDE": "in"}
"""Relation -> preposition of a location. For a destination, ON and INSIDE add ``to``: "onto",
"into"."""
PREPOSITIONS: Final[Mapping[str, str]] = {
    **dict.fromkeys(("on", "onto", "upon"), "ON"),
    **dict.fromkeys(("in", "into", "inside", "within"), "INSIDE"),
}
"""Preposition in texts -> the relation it means."""

MOST_CHARACTERS: Final = 4_000
MOST_CONDITIONS: Final = 32
"""Maximum number of conditions of a criterion from a file; the longest released one has six."""

_STEP = re.compile(r"\s*STEP_([0-9]{1,2})\s*:")
_CONDITION = re.compile(r"\s*\(([^(),]{1,40}),([^(),]{1,80}),([^(),]{1,80})\)")
_NAME = re.compile(r"[A-Za-z](?:[A-Za-z0-9_ -]*[A-Za-z0-9])?")


@dataclass(frozen=True, slots=True)
class Condition:
    """A relation (one of :data:`RELATIONS`) between two classes, or the robot and a class.

    ``CLOSE`` is symmetric. If both classes are the same, they stand for two different objects.
    """

    relation: str
    first: str
    second: str

    def __str__(self) -> str:
        return f"({self.relation}, {self.first}, {self.second})"

    @property
    def reaches(self) -> bool:
        """True if the robot must be close to the second class."""
        return self.relation == CLOSE and self.first == ROBOT


@dataclass(frozen=True)
class Criterion:
    """Stages of conditions: each has to hold after the previous one, the last one at the end. What
    a stage brings about (:attr:`new_puts`) has to become true after the previous one."""

    stages: tuple[tuple[Condition, ...], ...]

    def __str__(self) -> str:
        texts = ["".join(map(str, stage)) for stage in self.stages]
        if len(texts) == 1:
            return texts[0]
        return " ".join(f"STEP_{number}: {text}" for number, text in enumerate(texts, 1))

    @cached_property
    def conditions(self) -> tuple[Condition, ...]:
        """All conditions, in order of the stages."""
        return tuple(condition for stage in self.stages for condition in stage)

    @cached_property
    def classes(self) -> tuple[str, ...]:
        """All names in conditions, in order of first mention, the robot's included."""
        names = (name for c in self.conditions for name in (c.first, c.second))
        return tuple(dict.fromkeys(names))

    @cached_property
    def puts(self) -> tuple[Condition, ...]:
        """The relations that *put* an object: its first class was approached so far, and its second
        class is approached in the same stage."""
        return tuple(condition for puts in self._puts for condition in puts)

    @cached_property
    def new_puts(self) -> tuple[frozenset[Condition], ...]:
        """For each stage, where it puts objects that earlier stages did not leave there already:
        the conditions that this stage brings about."""
        result: list[frozenset[Condition]] = []
        there: set[Condition] = set()
        for puts in self._puts:
            new = frozenset(c for c in puts if c.relation in PLACED and c not in there)
            moved = {c.first for c in new}
            there = {c for c in there if c.first not in moved} | new
            result.append(new)
        return tuple(result)

    @cached_property
    def _puts(self) -> list[list[Condition]]:
        near: set[str] = set()
        found: list[list[Condition]] = []
        for stage in self.stages:
            here = {c.second for c in stage if c.reaches}
            near |= here
            found.append([c for c in stage if c.first in near - {c.second} and c.second in here])
        return found


def read_criterion(text: str) -> Criterion:
    """Read a criterion in the notation above; steps are numbered from 1.

    Raises:
        HomebodyError: The text is not a criterion or too long. The message shows the position.
    """
    if len(text) > MOST_CHARACTERS:
        raise HomebodyError(f"a criterion has at most {MOST_CHARACTERS:,} characters")
    stages: list[list[Condition]] = []
    steps, end = 0, 0
    for _ in range(2 * MOST_CONDITIONS):
        if (step := _STEP.match(text, end)) and (not stages or (steps and stages[-1])):
            steps += 1
            if int(step[1]) != steps:
                raise _error_at(text, end, f"STEP_{steps} is expected here")
            stages.append([])
            end = step.end()
        elif found := _CONDITION.match(text, end):
            stages = stages or [[]]
            stages[-1].append(_condition(found, text, end))
            end = found.end()
        else:
            break
    if text[end:].strip():
        raise _error_at(text, end, "a condition such as (CLOSE, robot, apple) is expected here")
    if not stages or not stages[-1]:
        raise _error_at(text, end, "a condition is missing here")
    if sum(map(len, stages)) > MOST_CONDITIONS:
        raise HomebodyError(f"a criterion has at most {MOST_CONDITIONS} conditions")
    return Criterion(tuple(map(tuple, stages)))


def _condition(found: re.Match[str], text: str, at: int) -> Condition:
    relation, first, second = (word.strip() for word in found.groups())
    if relation not in RELATIONS:
        raise _error_at(text, at, f"a relation is one of {', '.join(RELATIONS)}")
    if not _NAME.fullmatch(first) or not _NAME.fullmatch(second):
        raise _error_at(text, at, "a class is a word such as apple or kitchen-counter")
    if first == second == ROBOT:
        raise _error_at(text, at, "a condition is about two things")
    return Condition(relation, first, second)


def _error_at(text: str, at: int, why: str) -> HomebodyError:
    left = escape(text[at : at + 60].strip()) or "its end"
    return HomebodyError(f"the criterion {escape(text, 200)!r} cannot be read at {left!r}: {why}")


# --- The form of table 5 ------------------------------------------------------------------------


def add_stages(criterion: Criterion) -> Criterion:
    """Convert a criterion with unordered steps to the order of table 5.

    If the robot must be close to both objects of a relation in a step, the relation states where
    the first object is *put*. It must hold at the end of the step, and stay true unless a later
    step puts the object elsewhere. Any other relation states where an object is *found*. It must
    hold in an earlier stage, in which the robot is close to the object that it will put elsewhere.
    If other objects are put at the found object, the relation must hold at the end of the step.
    """
    stages: list[tuple[Condition, ...]] = []
    kept: list[Condition] = []
    for step in criterion.stages:
        puts = Criterion((step,)).puts
        moved = {c.first for c in puts}
        places = {c.second for c in puts} - moved
        found = [c for c in step if c.first not in {ROBOT, *places} and c not in puts]
        kept = [c for c in kept if c.first not in moved]
        if found:
            lost = moved.intersection(c.first for c in found)
            first = [c for c in step if c.reaches and c.second in lost]
            stages.append((*first, *found))
            step = tuple(c for c in step if c not in found and c not in first)
        stages.append(tuple(dict.fromkeys((*step, *kept))))
        kept += puts
    return Criterion(tuple(filter(None, stages)))


# --- Things that meet a condition ----------------------------------------------------------------

Members: TypeAlias = Mapping[str, Sequence[str]]
"""Class -> the names of all its objects."""


def pairs_of(state: State, condition: Condition, members: Members) -> list[tuple[str, str]]:
    """Return the pairs of objects for which a condition holds in a state."""
    found = []
    seconds = frozenset(members.get(condition.second, ()))
    firsts = frozenset(members.get(condition.first, ()))
    for first in members.get(condition.first, ()):
        for second in sorted(state.targets(condition.relation, first) & seconds):
            found.append((first, second))
    if condition.relation == CLOSE:
        for second in members.get(condition.second, ()):
            for first in sorted(state.targets(CLOSE, second) & firsts):
                found.append((first, second))
    return list(dict.fromkeys(found))


def members_of(state: State, classes: Sequence[str]) -> Members:
    """Return the objects of some classes, in the order of the state."""
    members: dict[str, list[str]] = {name: [] for name in classes}
    for item in state.objects.values():
        if item.category in members:
            members[item.category].append(item.name)
    return members
