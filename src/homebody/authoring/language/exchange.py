"""Replacement of nouns in a text."""

from __future__ import annotations

import re
from collections.abc import Callable

from homebody.authoring.language.mentions import Mention, mentions
from homebody.authoring.language.names import article, lexicon

_ARTICLE = re.compile(r"\b(an?)(\s+)$", re.IGNORECASE)


def replace_nouns(text: str, other: Callable[[Mention], str | None]) -> str:
    """Return a text with some nouns replaced; number and article are adapted.

    ``other`` returns the category or kind of room to use instead of a noun; None keeps it.
    """
    parts: list[str] = []
    at = 0
    for mention in mentions(text):
        category = other(mention)
        if category is None:
            continue
        name = name_of(category, mention.plural)
        before = text[at : mention.start]
        match = _ARTICLE.search(before)
        if match is not None and not mention.plural:
            right = article(name)
            right = right.capitalize() if match[1][0].isupper() else right
            before = before[: match.start()] + right + match[2]
        if mention.text[:1].isupper() and mention.start == 0:
            name = name[:1].upper() + name[1:]
        parts += [before, name]
        at = mention.end
    return "".join([*parts, text[at:]])


def name_of(category: str, several: bool) -> str:
    """Return the name of a category, in the singular or plural."""
    noun = lexicon().noun(category)
    if not several:
        return noun.singular
    plural = noun.singular if noun.is_plural else lexicon().plural(noun.singular)
    return noun.plural or plural
