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
from homebody.suites.eai.lenient_json import plain
from homebody.suites.eai.plan_results import KINDS
from homebody.suites.eai.plans import note_name, spelling
from homebody.suites.eai.published import levels, published_goals
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
"""Deepest entry of which the published evaluator, which goes down level by level, makes a key
before Python's usual recursion limit ends it."""


@dataclass
class GoalReading:
    """What was noticed while goals were read.

    Attributes:
        answer: How the answer is not what was asked for.
        known: How classes may be spelt -> class; empty where only their own spelling counts.
        predicted: Entries.
        format_errors: Those that are malformed, and lists that are missing.
        hallucinations: Those with names that do not exist.
        malformed: Those that are malformed, for people.
        unknown: Names that do not exist and goals that they are in, for people.
    """

    answer: Reading
    known: Mapping[str, str] = field(default_factory=dict)
    predicted: int = 0
    format_errors: int = 0
    hallucinations: int = 0
    malformed: list[str] = field(default_factory=list)
    unknown: list[str] = field(default_factory=list)


def gold_goals(task: VirtualHomeTask) -> dict[str, list[GoalWords]]:
    """The annotated goals by kind, over objects: ``(object, state)``, ``(from, relation, to)``
    and ``(alternatives,)``, with relations named as the output format names them."""
    return {
        "state": [(thing, state) for state, thing in task.state_goals],
        "relation": [(a, SCENE_NAMES.get(r, r), b) for r, a, b in task.relation_goals],
        "action": [(goal.upper(),) for goal in task.action_goals],
    }


def by_class(goals: Mapping[str, list[GoalWords]]) -> dict[str, list[GoalWords]]:
    """Annotated goals with classes in place of objects, each once."""
    return {
        "state": list(dict.fromkeys((class_of(thing), state) for thing, state in goals["state"])),
        "relation": list(
            dict.fromkeys((class_of(a), r, class_of(b)) for a, r, b in goals["relation"])
        ),
        "action": goals["action"],
    }


def read_object(output: str, protocol: Protocol, reading: Reading) -> Any:
    """The one object of an output: a dict of lists, unless the model wrote something else.

    Raises:
        ParsingError: there is none.
    """
    if protocol.keeps("apostrophes_replaced"):
        return published_goals(output)
    wanted = f"an object with {', '.join(map(repr, LISTS.values()))}"
    return plain(read_answer(output, reading, object_with(LISTS.values()), wanted))


def predicted_goals(
    written: Any, kind: str, stands_for: Mapping[str, str], protocol: Protocol, reading: GoalReading
) -> list[GoalWords]:
    """The well-formed goals of a kind in what :func:`read_object` gave, as :func:`gold_goals`
    has them.

    Raises:
        TypeError, AttributeError, RecursionError: only with ``value_types_unchecked``, on goals of
            other types, and on those nested too deep for the published evaluator.
    """
    return [
        goal
        for item in _items(written, LISTS[kind], protocol, reading)
        for goal in _goal(kind, item, stands_for, protocol, reading)
    ]


def _items(written: Any, name: str, protocol: Protocol, reading: GoalReading) -> list[Any]:
    """The entries of one list of goals, without exact repetitions."""
    if protocol.keeps("value_types_unchecked"):
        entries = written.get(name, [])
        if isinstance(entries, list) and levels(entries) > 1 + MAX_ENTRY_LEVELS:
            raise RecursionError("maximum recursion depth exceeded")
        return [item for item in _unique(entries) if len(item) > 0]
    items = written.get(name) if isinstance(written, dict) else None
    if not isinstance(items, list):
        reading.format_errors += 1
        if isinstance(written, dict) and name in written:
            reading.malformed.append(f"{name!r} is no list")
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


def _goal(
    kind: str, item: Any, stands_for: Mapping[str, str], protocol: Protocol, reading: GoalReading
) -> list[GoalWords]:
    """The goal that an entry says, or none if it is malformed or names what does not exist."""
    reading.predicted += 1
    keys = KEYS[kind]
    unchecked = protocol.keeps("value_types_unchecked")
    if unchecked:
        well_formed = all(key in item for key in keys)
    else:
        well_formed = isinstance(item, dict) and all(isinstance(item.get(k), str) for k in keys)
    if not well_formed:
        reading.format_errors += 1
        asked = ", ".join(map(repr, keys))
        reading.malformed.append(f"{escape(repr(item), 60)} (it needs the texts {asked})")
        return []
    words = [item[key] for key in keys]
    if not unchecked:
        words = [word.strip() for word in words]
    if kind == "action":
        words = [reading.answer.upper(words[0])]
    literal = protocol.keeps("vocabulary_unchecked")
    named = {"state": (0,), "relation": (0, 2), "action": ()}[kind]
    words = [_class(w, reading) if at in named else w for at, w in enumerate(words)]
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


def _class(word: Any, reading: GoalReading) -> Any:
    """The class that a word means, if it is known; the word itself if not."""
    name = reading.known.get(spelling(word)) if isinstance(word, str) else None
    if name is None:
        return word
    note_name([word], [name], reading.answer)
    return name


def known_classes(names: Iterable[str]) -> dict[str, str]:
    """How classes may be spelt, alone or as objects with their ids -> class."""
    names = list(names)
    return {
        **{spelling(name): class_of(name) for name in names},
        **{spelling(class_of(name)): class_of(name) for name in names},
    }


def text_of(kind: str, words: Sequence[Any]) -> str:
    """``CLOSE(character, lamp)``, ``WATCH or LOOKAT``: a goal for people."""
    if kind == "action":
        return " or ".join(str(words[0]).split("|"))
    return f"{words[1]}({', '.join(map(str, (*words[:1], *words[2:])))})"


def render(goals: Mapping[str, Sequence[tuple[str, ...]]]) -> str:
    """Goals by kind, over classes, as the prompt asks for them."""
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
