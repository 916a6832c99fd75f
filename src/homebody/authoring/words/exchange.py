"""Exchanging nouns in an instruction."""

from __future__ import annotations

import re
from collections.abc import Callable

from homebody.authoring.words.mentions import Mention, mentions, plural
from homebody.authoring.words.names import article, words

_ARTICLE = re.compile(r"\b(an?)(\s+)$", re.IGNORECASE)


def reworded(instruction: str, other: Callable[[Mention], str | None]) -> str:
    """An instruction with some nouns exchanged, in the same number and with a fitting article.

    Args:
        instruction: Its other words stay.
        other: The category or kind of room to say instead of a noun; None keeps it.
    """
    parts: list[str] = []
    at = 0
    for one in mentions(instruction):
        category = other(one)
        if category is None:
            continue
        noun = said(category, one.plural)
        before = instruction[at : one.start]
        found = _ARTICLE.search(before)
        if found is not None and not one.plural:
            right = article(noun)
            right = right.capitalize() if found[1][0].isupper() else right
            before = before[: found.start()] + right + found[2]
        if one.text[:1].isupper() and one.start == 0:
            noun = noun[:1].upper() + noun[1:]
        parts += [before, noun]
        at = one.end
    return "".join([*parts, instruction[at:]])


def said(category: str, many: bool) -> str:
    """What a category is called."""
    noun = words().noun(category)
    if not many:
        return noun.one
    return noun.many or (noun.one if noun.plural else plural(noun.one))
