"""The sentences of observations on what is near what, and on what faces what."""

from __future__ import annotations

from collections.abc import Collection
from typing import Final

from homebody.goals.etplan import CLOSE
from homebody.suites.etplan.facts import Facts

HEADINGS: Final = {
    CLOSE: "What is near what, besides being on or in it:",
    "FACING": "What faces what:",
}
"""Relation -> the line before its groups."""
WORDS: Final = {CLOSE: "near", "FACING": "facing"}
"""Relation -> its word in front of a group."""


def describe_relations(facts: Facts, known: Collection[str]) -> str:
    """Describe which known objects are near landmarks, and which face something.

    Objects that are near the same landmarks share a line: ``near bed_0, desk_0: book_1, lamp_0``.
    Of two landmarks, only one line states that they are near each other.

    Args:
        facts: The current facts.
        known: The names of known furniture and objects, in the order of the text.
    """
    groups: dict[str, dict[tuple[str, ...], list[str]]] = {relation: {} for relation in WORDS}
    passed: set[str] = set()
    for name in known:
        others: dict[str, list[str]] = {}
        is_landmark = facts.is_landmark(name)
        for relation, other in facts.stated_relations(name, known):
            if relation in WORDS and not (relation == CLOSE and is_landmark and other in passed):
                others.setdefault(relation, []).append(other)
        for relation, listed in others.items():
            groups[relation].setdefault(tuple(listed), []).append(name)
        if is_landmark:
            passed.add(name)
    lines = []
    for relation, found in groups.items():
        lines += [HEADINGS[relation]] if found else []
        lines += [
            f"  {WORDS[relation]} {', '.join(there)}: {', '.join(names)}"
            for there, names in found.items()
        ]
    return "\n".join(lines)
