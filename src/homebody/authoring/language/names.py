"""Names of the objects, furniture and rooms of the catalogue, and words for several of them.

They are read from ``names.toml``; comments at its top describe the entries.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import resources

from homebody.authoring.language.classes import members
from homebody.worlds.house.model.catalogue import catalogue
from homebody.worlds.house.model.told_apart import words_of

THING = "thing"
"""The word that covers all objects."""
NUMBERS = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight")
_ENDINGS = ("s", "x", "z", "sh", "ch")
"""Endings of nouns whose plural ends with -es."""


@dataclass(frozen=True, slots=True)
class Noun:
    """A noun.

    Attributes:
        singular: Its only form if there is no plural.
        plural: Empty if it has no separate plural (bread, trousers).
        is_plural: True if its only form takes a plural verb (trousers).
    """

    singular: str
    plural: str
    is_plural: bool = False

    @property
    def is_countable(self) -> bool:
        """True if it can follow a number or ``a``."""
        return bool(self.plural)


@dataclass(frozen=True, slots=True)
class Lexicon:
    """The contents of ``names.toml``.

    Attributes:
        nouns: Word -> its noun, if it is not formed by rule.
        plurals: Word -> its plural, if it is not formed by rule.
        unchanged: Words that :meth:`plural` returns unchanged: singular and plural are the same
            (bread), or the word is already plural (trousers).
        synonyms: Category -> words for it; the first is the usual one.
        covers: Word for furniture -> categories that it may mean.
        wider: Category of furniture -> a word that also means other categories of furniture.
        classes: Word for objects -> categories that it names in instructions.
        near: Word for objects -> all other categories of the class, and categories that some people
            would include. They are never where a class is wanted.
        confusable: Category -> similar categories, which never occur in the same episode.
        few: Categories that are rare in a household: one or two objects.
    """

    nouns: Mapping[str, Noun]
    plurals: Mapping[str, str]
    unchanged: frozenset[str]
    synonyms: Mapping[str, tuple[str, ...]]
    covers: Mapping[str, tuple[str, ...]]
    wider: Mapping[str, str]
    classes: Mapping[str, frozenset[str]]
    near: Mapping[str, frozenset[str]]
    confusable: Mapping[str, frozenset[str]]
    few: frozenset[str]

    def noun(self, word: str) -> Noun:
        """The noun of a category, kind of room, or class."""
        singular = words_of(word)
        return self.nouns.get(word) or Noun(singular, self.plural(singular))

    def plural(self, noun: str) -> str:
        """The plural of a noun; of a compound, its last word changes: ``knives``, ``wine
        glasses``."""
        head, _, last = noun.rpartition(" ")
        if last.lower() in self.unchanged:
            return noun
        plural = self.plurals.get(last) or _regular_plural(last)
        return f"{head} {plural}" if head else plural

    def categories(self, word: str) -> frozenset[str]:
        """Return the categories that a word means.

        The word is a category, a class of categories, or "object", which means all.
        """
        if word == THING:
            return frozenset(catalogue().things)
        return self.classes.get(word) or frozenset((word,))

    def pieces(self, word: str) -> tuple[str, ...]:
        """The categories of furniture that a word may mean."""
        return self.covers.get(word, (word,))

    def alike(self, category: str) -> frozenset[str]:
        """Return the categories of objects that look similar to a category."""
        return self.confusable.get(category, frozenset())

    def apart(self, category: str) -> frozenset[str]:
        """Return the categories that could be confused with a category: similar categories, and all
        categories in or near a class that contains it."""
        classes = [
            members | self.near[word]
            for word, members in self.classes.items()
            if category in members
        ]
        return self.alike(category).union(*classes)


@cache
def lexicon() -> Lexicon:
    """The words that come with homebody."""
    text = (resources.files("homebody.authoring.language") / "names.toml").read_text("utf-8")
    data = tomllib.loads(text)
    confusable: dict[str, set[str]] = {}
    for group in data["confusable"]["groups"]:
        for name in group:
            confusable.setdefault(name, set()).update(other for other in group if other != name)
    for name in catalogue().things:  # a kitchen knife is a knife
        head = name.rpartition("_")[2]
        if head != name and head in catalogue().things:
            confusable.setdefault(name, set()).add(head)
            confusable.setdefault(head, set()).add(name)
    return Lexicon(
        nouns={name: _read_noun(entry) for name, entry in data["nouns"].items()},
        plurals=data["plurals"],
        unchanged=frozenset(data["unchanged"]),
        synonyms={name: tuple(words) for name, words in data["synonyms"].items()},
        covers={word: tuple(names) for word, names in data["covers"].items()},
        wider={
            name: word for word in data["wide"] for name in data["covers"][word] if name != word
        },
        classes={word: frozenset(entry["covers"]) for word, entry in data["classes"].items()},
        near={
            word: frozenset(members(entry["class"]))
            .union(entry["near"])
            .difference(entry["covers"])
            for word, entry in data["classes"].items()
        },
        confusable={name: frozenset(others) for name, others in confusable.items()},
        few=frozenset(data["few"]["names"]),
    )


def _read_noun(text: str) -> Noun:
    singular, _, plural = text.partition(" / ")
    if singular.endswith(" plural"):
        return Noun(singular.removesuffix(" plural"), "", is_plural=True)
    return Noun(singular, plural)


def _regular_plural(word: str) -> str:
    """The plural of a word by rule: ``plates``, ``boxes``, ``batteries``."""
    if word.endswith(_ENDINGS):
        return f"{word}es"
    if word.endswith("y") and word[-2:-1] not in "aeiou":
        return f"{word[:-1]}ies"
    return f"{word}s"


def article(word: str) -> str:
    """``a`` or ``an`` for a word."""
    vowel = word[:1].lower() in "aeio" or word.lower().startswith(("um", "unu"))
    return "an" if vowel and not word.lower().startswith("one") else "a"


def join_words(names: Sequence[str], word: str = "and", limit: int = 8) -> str:
    """Return ``a, b and c``. If there are too many, the text ends with the number of the others."""
    parts = list(names[:limit])
    if len(names) > limit:
        parts.append(f"{len(names) - limit} more")
    return "".join(parts) if len(parts) < 2 else f"{', '.join(parts[:-1])} {word} {parts[-1]}"
