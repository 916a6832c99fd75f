"""Outputs of goal interpretation on BEHAVIOR that go wrong in many ways, made with a seed.

Each starts from an option of a task's goal, as an output writes it: ``{"node goals": [["open",
"door.n.01_1"]], "edge goals": [["not", ["inside", "a.n.01_1", "b.n.01_1"]]]}``.
"""

from __future__ import annotations

import copy
import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from numpy.random import Generator

from differential.perturb import TEXT_FORMATS, pick, weighted

SECTIONS = ("node goals", "edge goals")
STATES = ("Cooked", "Dusty", "frozen", "Open", "sliced", "Soaked", "Stained", "Toggled_On")
RELATIONS = ("inside", "NextTo", "onfloor", "OnTop", "Touching", "under")
UNKNOWN = ("clean", "closed", "on_top", "ToggledOn", "toggledon", "in", "", "Burnt", "and", "or")
NOBODY = ("unicorn.n.01_1", "agent.n.01_1", "table_1", "", "T.N.01_1", "jar", "not")
ODD: tuple[Any, ...] = (
    *(7, 0, 1.5, -1, True, None, "", "ab", "abc", "open", "not", "o'clock", [], [[]], [None]),
    *(["not"], ["not", []], ["not", None], ["not", "ab"], ["not", ["open"]], ["not", [[]]]),
    *([["open"], "x"], ["open", 3], ["open", None], ["open", []], ["open"], {"a": 1}, {}),
)
Goals: TypeAlias = dict[str, Any]


@dataclass(frozen=True)
class Task:
    """``conditions``: the options of each, as lists of goals; ``names``: its objects."""

    identifier: str
    conditions: Sequence[Sequence[Sequence[Any]]]
    names: Sequence[str]


def an_option(rng: Generator, task: Task) -> Goals:
    """One option of each condition, mostly the first."""
    first = rng.random() < 0.5
    found: Goals = {name: [] for name in SECTIONS}
    for options in task.conditions:
        for words in options[0] if first else pick(rng, options):
            inner = words[1] if words[0] == "not" else words
            found[SECTIONS[len(inner) - 2]].append(copy.deepcopy(words))
    return found


def _place(rng: Generator, goals: Goals) -> tuple[list[Any], int]:
    """A list and a place in it; where there is no goal, a new one."""
    places = [
        (one, at) for one in goals.values() if isinstance(one, list) for at in range(len(one))
    ]
    return pick(rng, places) if places else ([["open", "door.n.01_1"]], 0)


def _words(rng: Generator, goals: Goals) -> list[Any]:
    """The words of a goal, inside its ``not``."""
    listed, at = _place(rng, goals)
    goal = listed[at]
    if isinstance(goal, list) and len(goal) == 2 and goal[0] == "not" and goal[1]:
        goal = goal[1]
    return goal if isinstance(goal, list) and len(goal) > 1 else ["open", "door.n.01_1"]


def _drop(rng: Generator, goals: Goals, task: Task) -> None:
    listed, at = _place(rng, goals)
    del listed[at]


def _repeat(rng: Generator, goals: Goals, task: Task) -> None:
    listed, at = _place(rng, goals)
    listed.insert(int(rng.integers(len(listed) + 1)), copy.deepcopy(listed[at]))


def _add(rng: Generator, goals: Goals, task: Task) -> None:
    section = pick(rng, SECTIONS)
    if not isinstance(goals.get(section), list):
        return
    if rng.random() < 0.4:
        new = copy.deepcopy(pick(rng, pick(rng, pick(rng, task.conditions)) or [["open", "x"]]))
    elif rng.random() < 0.5:
        new = [pick(rng, STATES), pick(rng, task.names)]
    else:
        new = [pick(rng, RELATIONS), pick(rng, task.names), pick(rng, task.names)]
    goals[section].append(new)


def _negate(rng: Generator, goals: Goals, task: Task) -> None:
    listed, at = _place(rng, goals)
    goal = listed[at]
    if isinstance(goal, list) and goal and goal[0] == "not" and rng.random() < 0.6:
        listed[at] = goal[1] if rng.random() < 0.7 else ["not", *goal[1]]
    else:
        listed[at] = ["not", goal] if rng.random() < 0.8 else ["not", ["not", goal]]


def _object(rng: Generator, goals: Goals, task: Task) -> None:
    words = _words(rng, goals)
    words[int(rng.integers(1, len(words)))] = pick(rng, task.names)


def _nobody(rng: Generator, goals: Goals, task: Task) -> None:
    words = _words(rng, goals)
    words[int(rng.integers(1, len(words)))] = pick(rng, NOBODY)


def _predicate(rng: Generator, goals: Goals, task: Task) -> None:
    _words(rng, goals)[0] = pick(rng, (*STATES, *RELATIONS))


def _unknown(rng: Generator, goals: Goals, task: Task) -> None:
    _words(rng, goals)[0] = pick(rng, UNKNOWN)


def _turn(rng: Generator, goals: Goals, task: Task) -> None:
    words = _words(rng, goals)
    words[1:] = words[:0:-1]


def _loud(rng: Generator, goals: Goals, task: Task) -> None:
    words = _words(rng, goals)
    if isinstance(words[0], str):
        words[0] = pick(rng, (words[0].upper(), words[0].title(), f" {words[0]} "))


def _more(rng: Generator, goals: Goals, task: Task) -> None:
    _words(rng, goals).append(pick(rng, (*task.names, 3, None)))


def _fewer(rng: Generator, goals: Goals, task: Task) -> None:
    _words(rng, goals).pop()


def _more_outside(rng: Generator, goals: Goals, task: Task) -> None:
    listed, at = _place(rng, goals)
    if isinstance(listed[at], list):
        listed[at].append(pick(rng, task.names))


def _odd_goal(rng: Generator, goals: Goals, task: Task) -> None:
    listed, at = _place(rng, goals)
    listed[at] = copy.deepcopy(pick(rng, ODD))


def _odd_word(rng: Generator, goals: Goals, task: Task) -> None:
    words = _words(rng, goals)
    words[int(rng.integers(len(words)))] = copy.deepcopy(pick(rng, ODD))


def _odd_section(rng: Generator, goals: Goals, task: Task) -> None:
    goals[pick(rng, (*SECTIONS, "notes"))] = copy.deepcopy(pick(rng, ODD))


def _other_section(rng: Generator, goals: Goals, task: Task) -> None:
    section = pick(rng, SECTIONS)
    if section in goals:
        goals[pick(rng, (section.title(), "goals", *SECTIONS))] = goals.pop(section)


def _all_in_one(rng: Generator, goals: Goals, task: Task) -> None:
    lists = [one for one in goals.values() if isinstance(one, list)]
    goals.clear()
    goals[pick(rng, SECTIONS)] = [goal for one in lists for goal in one]


def _mixture(rng: Generator, goals: Goals, task: Task) -> None:
    """The literals of two options."""
    other = an_option(rng, task)
    for section in SECTIONS:
        if isinstance(goals.get(section), list):
            goals[section] += other[section]


Change: TypeAlias = Callable[[Generator, Goals, Task], None]

#: Changes after which most goals are still of the form the prompt asks for, and others.
QUIET: dict[str, Change] = {
    "drop": _drop,
    "repeat": _repeat,
    "add": _add,
    "negate": _negate,
    "object": _object,
    "nobody": _nobody,
    "predicate": _predicate,
    "unknown": _unknown,
    "turn": _turn,
    "loud": _loud,
    "more": _more,
    "fewer": _fewer,
    "all_in_one": _all_in_one,
    "mixture": _mixture,
}
CHANGES: dict[str, Change] = {
    **QUIET,
    "more_outside": _more_outside,
    "odd_goal": _odd_goal,
    "odd_word": _odd_word,
    "odd_section": _odd_section,
    "other_section": _other_section,
}
FORMATS: dict[str, Callable[[Generator, str], str]] = {
    **TEXT_FORMATS,
    "no_braces": lambda rng, text: text.strip("{}"),
    "braces_inside": lambda rng, text: text.replace("[[", '[{"a": 1}, [', 1),
    "in_braces": lambda rng, text: f'{{"answer": {text}}}',
    "braces_before": lambda rng, text: f"{{}} {text}",
    "constants": lambda rng, text: text.replace("]]", "], NaN, Infinity]", 1),
    "python": lambda rng, text: str(json.loads(text)),
    "upper": lambda rng, text: text.upper(),
}
KINDS: dict[str, float] = {
    **dict.fromkeys(CHANGES, 1.0),
    "none": 1.0,
    "several": 12.0,
    "several_loud": 3.0,
    "format": 6.0,
}


def perturbed(rng: Generator, task: Task) -> dict[str, str]:
    """One output for a task."""
    kind = weighted(rng, KINDS)
    goals = an_option(rng, task)
    names = {
        "none": [],
        "several": [pick(rng, list(QUIET)) for _ in range(int(rng.integers(2, 7)))],
        "several_loud": [pick(rng, list(CHANGES)) for _ in range(int(rng.integers(2, 5)))],
        "format": [],
    }.get(kind, [kind])
    for name in names:
        CHANGES[name](rng, goals, task)
    text = json.dumps(goals)
    if kind == "format":
        detail = pick(rng, list(FORMATS))
        kind, text = f"{kind}:{detail}", FORMATS[detail](rng, text)
    return {"identifier": task.identifier, "llm_output": text, "kind": kind}


def goal_outputs(rng: Generator, tasks: Sequence[Task], count: int) -> list[dict[str, str]]:
    """``count`` perturbed outputs for tasks drawn at random."""
    return [perturbed(rng, pick(rng, tasks)) for _ in range(count)]
