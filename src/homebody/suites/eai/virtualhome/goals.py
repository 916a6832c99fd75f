"""Reading predicted goals on VirtualHome: ``{"node goals": [{"name": ..., "state": ...}], ...}``.

Source: EAI paper, section 2.3 and appendix D.1.
"""

from __future__ import annotations

import json
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from homebody.core import Protocol
from homebody.core.ground.escaping import escape
from homebody.suites.eai.answers import object_with, read_answer
from homebody.suites.eai.lenient_json import to_plain
from homebody.suites.eai.plan_results import KINDS
from homebody.suites.eai.plans import note_name, spelling
from homebody.suites.eai.published import count_levels, published_goals
from homebody.suites.eai.reading import Reading
from homebody.suites.eai.virtualhome.tasks import (
    ACTION_NAMES,
    SCENE_NAMES,
    STATES,
    VirtualHomeTask,
    class_of,
)

SCENE_RELATIONS = frozenset(["ON", "INSIDE", "BETWEEN", "CLOSE", "FACING", "HOLDS_RH", "HOLDS_LH"])
LISTS = {"state": "node goals", "relation": "edge goals", "action": "action goals"}
KEYS = {
    "state": ("name", "state"),
    "relation": ("from_name", "relation", "to_name"),
    "action": ("action",),
}

VOCABULARY = {
    "state": frozenset(STATES),
    "relation": SCENE_RELATIONS,
    "action": ACTION_NAMES,
}
GoalWords: TypeAlias = tuple[Any, ...]


MAX_ENTRY_LEVELS = 495
"""Maximum depth of an entry that the published evaluator can read, due to Python's recursion
limit."""


@dataclass
class GoalReading:
    """The notes made while goals are read.

    Attributes:
        answer: Deviations of the answer from the requested format.
        known: Spelling of a class -> class; empty if only exact spellings count.
        predicted: Number of entries.
        format_errors: Number of malformed entries and missing lists.
        hallucinations: Number of entries with names that do not exist.
        malformed: The malformed entries, for people.
        unknown: Names that do not exist and the goals with them, for people.
    """

    answer: Reading
    known: Mapping[str, str] = field(default_factory=dict)
    predicted: int = 0
    format_errors: int = 0
    hallucinations: int = 0
    malformed: list[str] = field(default_factory=list)
    unknown: list[str] = field(default_factory=list)


def gold_goals(task: VirtualHomeTask) -> dict[str, list[GoalWords]]:
    """Return the annotated goals by kind, over objects. Relations have the names of the output
    format.

    They are ``(object, state)``, ``(from, relation, to)`` and ``(alternatives,)``.
    """
    return {
        "state": [(thing, state) for state, thing in task.state_goals],
        "relation": [(a, SCENE_NAMES.get(r, r), b) for r, a, b in task.relation_goals],
        "action": [(goal.upper(),) for goal in task.action_goals],
    }


def by_class(goals: Mapping[str, list[GoalWords]]) -> dict[str, list[GoalWords]]:
    """Replace objects by classes in annotated goals, and list each goal once."""
    return {
        "state": list(dict.fromkeys((class_of(thing), state) for thing, state in goals["state"])),
        "relation": list(
            dict.fromkeys((class_of(a), r, class_of(b)) for a, r, b in goals["relation"])
        ),
        "action": goals["action"],
    }


def read_object(output: str, protocol: Protocol, reading: Reading) -> Any:
    """Read the one object of an output, usually a dict of lists. Raises ParsingError."""
    if protocol.keeps("apostrophes_replaced"):
        return published_goals(output)
    wanted = f"an object with {', '.join(map(repr, LISTS.values()))}"
    return to_plain(read_answer(output, reading, object_with(LISTS.values()), wanted))


def predicted_goals(
    written: Any, kind: str, stands_for: Mapping[str, str], protocol: Protocol, reading: GoalReading
) -> list[GoalWords]:
    """Return the well-formed goals of a kind from the result of :func:`read_object`.

    They have the form of :func:`gold_goals`.

    Raises:
        TypeError, AttributeError, RecursionError: Only with ``value_types_unchecked``, for goals of
            other types, or nested too deep for the published evaluator.
    """
    return [
        goal
        for item in _items(written, LISTS[kind], protocol, reading)
        for goal in _read_goal(kind, item, stands_for, protocol, reading)
    ]


def _items(written: Any, name: str, protocol: Protocol, reading: GoalReading) -> list[Any]:
    """Return the entries of one list of goals, without exact repetitions."""
    if protocol.keeps("value_types_unchecked"):
        entries = written.get(name, [])
        if isinstance(entries, list) and count_levels(entries) > 1 + MAX_ENTRY_LEVELS:
            raise RecursionError("maximum recursion depth exceeded")
        return [item for item in _unique(entries) if len(item) > 0]
    items = written.get(name) if isinstance(written, dict) else None
    if not isinstance(items, list):
        reading.format_errors += 1
        if isinstance(written, dict) and name in written:
            reading.malformed.append(f"{name!r} is not a list")
        return []
    return [item for item in _unique(items) if item != {}]


def _unique(items: Any) -> list[Any]:
    def key(item: Any) -> Hashable:
        if isinstance(item, dict):
            return frozenset((name, key(value)) for name, value in item.items())
        if isinstance(item, list):
            return tuple(key(element) for element in item)
        hashable: Hashable = item
        return hashable

    return list({key(item): item for item in items}.values())


def _read_goal(
    kind: str, item: Any, stands_for: Mapping[str, str], protocol: Protocol, reading: GoalReading
) -> list[GoalWords]:
    """Return the goal of an entry; empty if it is malformed or has names that do not exist."""
    reading.predicted += 1
    keys = KEYS[kind]
    unchecked = protocol.keeps("value_types_unchecked")
    if unchecked:
        well_formed = all(key in item for key in keys)
    else:
        well_formed = isinstance(item, dict) and all(isinstance(item.get(k), str) for k in keys)
    if not well_formed:
        reading.format_errors += 1
        required = ", ".join(map(repr, keys))
        reading.malformed.append(f"{escape(repr(item), 60)} (it needs the strings {required})")
        return []
    words = [item[key] for key in keys]
    if not unchecked:
        words = [word.strip() for word in words]
    if kind == "action":
        words = [reading.answer.upper(words[0])]
    literal = protocol.keeps("vocabulary_unchecked")
    named = {"state": (0,), "relation": (0, 2), "action": ()}[kind]
    words = [_find_class(w, reading) if at in named else w for at, w in enumerate(words)]
    exists = all(words[at] in stands_for for at in named)
    if exists and not literal:
        if kind != "action":
            words[1] = reading.answer.upper(words[1])
        exists = words[0 if kind == "action" else 1] in VOCABULARY[kind]
    if not exists:
        reading.hallucinations += 1
        wrong = [words[at] for at in named if words[at] not in stands_for]
        wrong = wrong or [words[0 if kind == "action" else 1]]
        reading.unknown.append(f"{' and '.join(map(str, wrong))} in {text_of(kind, words)}")
        return []
    return [tuple(stands_for[w] if at in named else w for at, w in enumerate(words))]


def _find_class(word: Any, reading: GoalReading) -> Any:
    """Return the class that a word means, or the word itself if it is not known."""
    name = reading.known.get(spelling(word)) if isinstance(word, str) else None
    if name is None:
        return word
    note_name([word], [name], reading.answer)
    return name


def known_classes(names: Iterable[str]) -> dict[str, str]:
    """Map the spellings of classes, alone or with an id, to the classes."""
    names = list(names)
    return {
        **{spelling(name): class_of(name) for name in names},
        **{spelling(class_of(name)): class_of(name) for name in names},
    }


def text_of(kind: str, words: Sequence[Any]) -> str:
    """Return a goal for people: ``CLOSE(character, lamp)``, ``WATCH or LOOKAT``."""
    if kind == "action":
        return " or ".join(str(words[0]).split("|"))
    return f"{words[1]}({', '.join(map(str, (*words[:1], *words[2:])))})"


def render(goals: Mapping[str, Sequence[tuple[str, ...]]]) -> str:
    """Write goals by kind, over classes, in the format of the prompt."""
    return json.dumps(
        {
            LISTS[kind]: [
                dict(zip(KEYS[kind], goal, strict=True))
                | ({"description": ""} if kind == "action" else {})
                for goal in goals[kind]
            ]
            for kind in KINDS
        }
    )
