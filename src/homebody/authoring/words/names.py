"""The words of the built-in author: nouns, classes of things, and its household situations.

All of it is data, in ``phrases.toml``, whose head describes the entries.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Any

from homebody.worlds.house.model.catalogue import catalogue

_ENDINGS = {"s": "es", "x": "es", "z": "es", "sh": "es", "ch": "es"}


@dataclass(frozen=True, slots=True)
class Noun:
    """A noun: ``many`` is empty if it has no plural of its own (bread, trousers); ``plural`` tells
    whether the only form takes a plural verb (trousers)."""

    one: str
    many: str
    plural: bool = False

    @property
    def counts(self) -> bool:
        """Whether it goes with numbers and ``a``."""
        return bool(self.many)


@dataclass(frozen=True, slots=True)
class Place:
    """A kind of place of a theme.

    Attributes:
        kind: ``furniture``, ``room``, ``floor`` or ``container``.
        name: Category of furniture or container, or kind of room; with ``loose``, a word that
            covers several categories of furniture.
        relation: ``on`` or ``within``; empty for rooms.
    """

    kind: str
    name: str
    relation: str = ""
    loose: bool = False


@dataclass(frozen=True, slots=True)
class Moving:
    """What is moved from where to where in a theme; see ``phrases.toml``."""

    things: tuple[str, ...]
    sources: tuple[Place, ...]
    targets: tuple[Place, ...]
    via: tuple[Place, ...] = ()
    put_away: tuple[Place, ...] = ()
    wash: bool = False
    word: str = ""


@dataclass(frozen=True, slots=True)
class Switching:
    """A state that is changed in a theme: of a piece of furniture or of an object."""

    category: str
    state: str
    value: bool
    furniture: bool


@dataclass(frozen=True, slots=True)
class Theme:
    """A situation of a household."""

    name: str
    openings: tuple[str, ...]
    purposes: tuple[str, ...]
    moves: tuple[Moving, ...]
    switches: tuple[Switching, ...]


@dataclass(frozen=True, slots=True)
class Words:
    """All that ``phrases.toml`` has.

    Attributes:
        nouns: Those that are not formed by rule.
        synonyms: Category -> words for it, the first being its own.
        covers: Word for furniture -> categories that it may mean.
        wider: Category of furniture -> a word that covers it and others.
        classes: Word for objects -> categories that it means.
        near: Word for objects -> categories that some would count among them.
        confusable: Category -> others that are not in the same episode.
        few: Categories of which a household hardly has more than two.
        themes: By name.
    """

    nouns: Mapping[str, Noun]
    synonyms: Mapping[str, tuple[str, ...]]
    covers: Mapping[str, tuple[str, ...]]
    wider: Mapping[str, str]
    classes: Mapping[str, frozenset[str]]
    near: Mapping[str, frozenset[str]]
    confusable: Mapping[str, frozenset[str]]
    few: frozenset[str]
    themes: Mapping[str, Theme]

    def noun(self, word: str) -> Noun:
        """The noun of a category, kind of room, or class."""
        found = self.nouns.get(word)
        if found is None:
            one = _CLASS_NOUNS.get(word) or word.replace("_", " ")
            found = Noun(one, regular_plural(one))
        return found

    def categories(self, word: str) -> frozenset[str]:
        """What a word for objects means: a category, or those of a class; a thing is any."""
        if word == THING:
            return frozenset(catalogue().things)
        return self.classes.get(word) or frozenset((word,))

    def pieces(self, word: str) -> tuple[str, ...]:
        """The categories of furniture that a word may mean."""
        return self.covers.get(word, (word,))

    def alike(self, category: str) -> frozenset[str]:
        """Categories of objects that could be taken for one."""
        return self.confusable.get(category, frozenset())

    def apart(self, category: str) -> frozenset[str]:
        """Categories of objects that could be taken for one, or that could be meant by the word
        of a class that it is of."""
        classes = [
            some | self.near[word] for word, some in self.classes.items() if category in some
        ]
        return self.alike(category).union(*classes)


THING = "thing"
_WIDE = ("table", "chair", "shelf")
_CLASS_NOUNS = {
    "clothing": "piece of clothing",
    "fruit": "piece of fruit",
    "toiletry": "toiletry item",
}


@cache
def words() -> Words:
    """The words that come with homebody."""
    folder = resources.files("homebody.authoring.words")
    text = (folder / "phrases.toml").read_text("utf-8")
    data = tomllib.loads(text)
    groups = data["confusable"]["groups"]
    confusable: dict[str, set[str]] = {}
    for group in groups:
        for name in group:
            confusable.setdefault(name, set()).update(one for one in group if one != name)
    return Words(
        {name: _noun(one) for name, one in data["nouns"].items()},
        {name: tuple(some) for name, some in data["synonyms"].items()},
        {name: tuple(some) for name, some in data["covers"].items()},
        {one: name for name in _WIDE for one in data["covers"][name] if one != name},
        {name: frozenset(one["covers"]) for name, one in data["classes"].items()},
        {name: frozenset(one["near"]) for name, one in data["classes"].items()},
        {name: frozenset(some) for name, some in confusable.items()},
        frozenset(data["few"]["names"]),
        {name: _theme(name, one) for name, one in data["themes"].items()},
    )


def article(word: str) -> str:
    """``a`` or ``an`` for a word."""
    vowel = word[:1].lower() in "aeio" or word.lower().startswith(("um", "unu"))
    return "an" if vowel and not word.lower().startswith("one") else "a"


def listed(names: Sequence[str], word: str = "and", limit: int = 8) -> str:
    """``a, b and c``; of more than the limit it says how many more there are."""
    parts = list(names[:limit])
    if len(names) > limit:
        parts.append(f"{len(names) - limit} more")
    return "".join(parts) if len(parts) < 2 else f"{', '.join(parts[:-1])} {word} {parts[-1]}"


NUMBERS = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight")


def regular_plural(one: str) -> str:
    """The plural of a noun by rule: ``plates``, ``boxes``, ``shelves``, ``cups of tea``."""
    head, of, rest = one.partition(" of ")
    if of:
        return f"{regular_plural(head)}{of}{rest}"
    if one.endswith("shelf"):
        return f"{one[:-1]}ves"
    for end, more in _ENDINGS.items():
        if one.endswith(end):
            return one + more
    if one.endswith("y") and one[-2:-1] not in "aeiou":
        return f"{one[:-1]}ies"
    return f"{one}s"


def _noun(text: str) -> Noun:
    one, _, many = text.partition(" / ")
    if one.endswith(" plural"):
        return Noun(one.removesuffix(" plural"), "", plural=True)
    return Noun(one, many)


def _theme(name: str, data: Mapping[str, Any]) -> Theme:
    return Theme(
        name,
        tuple(data["openings"]),
        tuple(data["purposes"]),
        tuple(
            Moving(
                tuple(one["things"]),
                _places(one["from"]),
                _places(one["to"]),
                _places(one.get("via", ())),
                _places(one.get("put_away", ())),
                bool(one.get("wash", False)),
                str(one.get("class", "")),
            )
            for one in data["moves"]
        ),
        tuple(_switching(one) for one in data["switch"]),
    )


def _places(some: Iterable[str]) -> tuple[Place, ...]:
    return tuple(_place(one) for one in some)


def _place(text: str) -> Place:
    name, _, inside = text.partition(":")
    if name.startswith("@"):
        return Place("room", name[1:])
    if name.startswith("floor@"):
        return Place("floor", name.removeprefix("floor@"), "on")
    loose = name.startswith("*")
    name = name.removeprefix("*")
    kind = "container" if name in catalogue().things else "furniture"
    return Place(kind, name, "within" if inside else "on", loose)


def _switching(text: str) -> Switching:
    name, _, state = text.partition("=")
    furniture = name.startswith("#")
    value = state != "powered_off"
    return Switching(name.removeprefix("#"), "powered_on" if not value else state, value, furniture)
