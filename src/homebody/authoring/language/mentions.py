"""The nouns of a text that name an object, a piece of furniture or a room.

The vocabulary is the catalogue's names (:mod:`.names`), their plurals, other words for the same
objects, words for classes ("toys", "dishes"), and the last words of compound names ("table" for a
coffee table). A noun may have several meanings, and some nouns name objects that no homebody house
has. The lists are read from ``mentions.toml``; comments at its top describe them.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Final

from homebody.authoring.language.classes import classes_by_word
from homebody.authoring.language.names import lexicon
from homebody.worlds.house.model.catalogue import catalogue

OBJECT: Final = "object"
FURNITURE: Final = "furniture"
ROOM: Final = "room"
MAX_TEXT: Final = 4_000
"""Characters of a text that are read."""

_TOKEN: Final = re.compile(r"[A-Za-z]+(?:'s|')?|[0-9]+|[,.;:!?]")
_MAX_WORDS: Final = 4
"""Maximum number of words of a noun."""
_SEVERAL: Final = frozenset({"all", "both", "these", "those", "several", "few", "many", "some"})


@dataclass(frozen=True, slots=True)
class Token:
    """A word, number or mark in lower case, without apostrophes, and its place in the text."""

    word: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Sense:
    """The possible meanings of a noun.

    Attributes:
        exact: Each ``(kind, category)`` that the noun names exactly.
        wider: Other categories that it may refer to: "table" may refer to a coffee table.
        plural: True if it refers to several objects; None if it can refer to one or several.
        group: True for a word for a class, such as "toys".
    """

    exact: tuple[tuple[str, str], ...]
    wider: tuple[tuple[str, str], ...] = ()
    plural: bool | None = False
    group: bool = False


@dataclass(frozen=True, slots=True)
class Mention:
    """A noun in a text.

    Attributes:
        start: Index of its first character, without the words before the noun.
        end: Index after its last character.
        text: The noun as written.
        sense: Its possible meanings.
        determiner: ``a``, ``the``, ``all``, ``each``, ``any`` ..., or empty.
        number: The number before it: 2 in "two of the three cups".
        preposition: Preposition before its phrase: ``from``, ``on``, ``in``, ``to`` ..., or empty.
        modifier: True if a noun follows directly: "kitchen" in "kitchen table".
        first: Index of its first token in the text.
        after: Index of the token after it.
    """

    start: int
    end: int
    text: str
    sense: Sense
    determiner: str
    number: int | None
    preposition: str
    modifier: bool
    first: int
    after: int

    def categories(self, kind: str, wider: bool = True) -> frozenset[str]:
        """Return its meanings of one kind (``object``, ``furniture`` or ``room``)."""
        meanings = (*self.sense.exact, *self.sense.wider) if wider else self.sense.exact
        return frozenset(category for own, category in meanings if own == kind)

    @property
    def plural(self) -> bool:
        """True if it stands for several objects."""
        several = (self.number is not None and self.number > 1) or self.determiner in _SEVERAL
        return bool(self.sense.plural) or (self.sense.plural is None and several)


@dataclass(frozen=True, slots=True)
class _Lists:
    """The contents of ``mentions.toml``."""

    unsaid: frozenset[str]
    risky: frozenset[str]
    heads_left_out: frozenset[str]
    foreign: tuple[str, ...]
    determiners: frozenset[str]
    prepositions: frozenset[str]
    stops: frozenset[str]
    numbers: Mapping[str, int]
    names: Mapping[str, Mapping[str, tuple[str, ...]]]


@cache
def _lists() -> _Lists:
    text = (resources.files("homebody.authoring.language") / "mentions.toml").read_text("utf-8")
    data = tomllib.loads(text)
    return _Lists(
        unsaid=frozenset(data["unsaid"]),
        risky=frozenset(data["risky"]),
        heads_left_out=frozenset(data["heads_left_out"]),
        foreign=tuple(data["foreign"]),
        determiners=frozenset(data["determiners"]),
        prepositions=frozenset(data["prepositions"]),
        stops=frozenset(data["stops"]),
        numbers=data["numbers"],
        names={
            kind: {noun: tuple(categories) for noun, categories in data[kind].items()}
            for kind in (OBJECT, FURNITURE, ROOM)
        },
    )


def tokens(text: str) -> list[Token]:
    """The words and marks of a text."""
    return [
        Token(match.group().replace("'", "").lower(), match.start(), match.end())
        for match in _TOKEN.finditer(text[:MAX_TEXT].replace("\u2019", "'"))
    ]


@cache
def vocabulary() -> Mapping[tuple[str, ...], Sense]:
    """Return words of a noun -> its possible meanings."""
    exact: dict[str, dict[tuple[str, str], None]] = {}
    wider: dict[str, dict[tuple[str, str], None]] = {}
    plurals: dict[str, str] = {}
    kinds, names, lists = catalogue(), lexicon(), _lists()
    named = [
        *((OBJECT, category) for category in kinds.things),
        *((FURNITURE, category) for category in kinds.furniture),
        *((ROOM, category) for category in kinds.rooms),
    ]
    for meaning in named:
        called = names.noun(meaning[1])
        plurals[called.singular.lower()] = called.plural.lower() or called.singular.lower()
        exact.setdefault(called.singular.lower(), {})[meaning] = None
        if meaning[1] in lists.unsaid:
            continue
        spaced = meaning[1].replace("_", " ")
        exact.setdefault(spaced, {})[meaning] = None
        head = spaced.split()[-1]
        if head != spaced and head not in lists.heads_left_out:
            wider.setdefault(head, {})[meaning] = None
    for category, synonyms in names.synonyms.items():
        for word in synonyms:
            exact.setdefault(names.noun(word).singular.lower(), {})[FURNITURE, category] = None
    for kind, table in lists.names.items():
        for noun, categories in table.items():
            for category in categories:
                exact.setdefault(noun, {})[kind, category] = None
    for word, categories in names.covers.items():
        for category in categories:
            wider.setdefault(names.noun(word).singular.lower(), {})[FURNITURE, category] = None
    senses: dict[tuple[str, ...], Sense] = {}
    for noun in (*exact, *(head for head in wider if head not in exact)):
        own = exact.get(noun, {})
        more = tuple(meaning for meaning in wider.get(noun, {}) if meaning not in own)
        _add(senses, noun, plurals.get(noun, names.plural(noun)), tuple(own), more)
    for noun, meanings in _classes().items():
        old = senses.get(_split(noun))
        both = () if old is None else (*old.exact, *old.wider)
        senses[_split(noun)] = Sense(_merge(meanings, both), (), None, group=True)
    for noun in lists.foreign:
        _add(senses, noun, names.plural(noun), (), ())
    return senses


def _classes() -> dict[str, tuple[tuple[str, str], ...]]:
    """Words for classes from both lists -> the categories that they cover."""
    classes = {
        noun: tuple((OBJECT, category) for category in categories)
        for noun, categories in classes_by_word().items()
    }
    for word, categories in lexicon().classes.items():
        called = lexicon().noun(word)
        members = tuple((OBJECT, category) for category in sorted(categories))
        for noun in dict.fromkeys((called.singular, called.plural or called.singular)):
            classes[noun.lower()] = _merge(classes.get(noun.lower(), ()), members)
    return classes


def _add(
    senses: dict[tuple[str, ...], Sense],
    noun: str,
    plural: str,
    exact: tuple[tuple[str, str], ...],
    wider: tuple[tuple[str, str], ...],
) -> None:
    """Add a noun and its plural."""
    both = None if plural == noun else False
    for key, number in ((noun, both), (plural, True if both is not None else None)):
        old = senses.get(_split(key))
        if old is not None and old.exact != exact:  # "glasses": to see with, and several to drink
            new = Sense(_merge(old.exact, exact), _merge(old.wider, wider), None)
        else:
            new = Sense(exact, wider, number)
        senses[_split(key)] = new


def _merge(
    first: tuple[tuple[str, str], ...], second: tuple[tuple[str, str], ...]
) -> tuple[tuple[str, str], ...]:
    return tuple(dict.fromkeys((*first, *second)))


def _split(noun: str) -> tuple[str, ...]:
    return tuple(token.word for token in tokens(noun))


def mentions(text: str) -> list[Mention]:
    """The nouns of a text, in order; of nested nouns only the longest."""
    senses = vocabulary()
    words = tokens(text)
    nouns: list[Mention] = []
    place = 0
    while place < len(words):
        for length in range(min(_MAX_WORDS, len(words) - place), 0, -1):
            sense = senses.get(tuple(token.word for token in words[place : place + length]))
            if sense is not None and not _is_verb(words, place, length):
                nouns.append(_mention(text, words, place, length, sense))
                place += length
                break
        else:
            place += 1
    return nouns


def _is_verb(words: list[Token], place: int, length: int) -> bool:
    """Return whether a word such as "watch", "can" or "iron" is used as a verb here: no word before
    it introduces a noun."""
    lists, senses = _lists(), vocabulary()
    if length > 1 or words[place].word not in lists.risky:
        return False
    if words[place].word == "orange" and place + 1 < len(words):
        return (words[place + 1].word,) in senses  # the colour
    before = words[place - 1].word if place else ""
    if place + 1 < len(words) and words[place + 1].word in ("the", "it", "them", "all"):
        return True
    if before in ("and", "or", ",") and place > 1:  # in a list of nouns
        return (words[place - 2].word,) not in senses
    leads = before in lists.determiners or before in lists.numbers or before.isdigit()
    if words[place].word == "can":
        return not leads
    return not leads and (before,) not in senses and before not in ("of", "with", "from")


def _mention(text: str, words: list[Token], place: int, length: int, sense: Sense) -> Mention:
    """Return the mention of a noun, including the words before it."""
    lists = _lists()
    determiner, number, preposition = "", None, ""
    for back in range(place - 1, max(place - 8, -1), -1):
        word = words[back].word
        if word in lists.numbers or (word.isdigit() and len(word) < 4):
            number = lists.numbers.get(word, int(word) if word.isdigit() else 0)
        elif word == "of" and back and _counts(words[back - 1].word):
            continue  # two of the cups
        elif word in lists.prepositions:
            near = word == "to" and back and words[back - 1].word in ("next", "close")
            preposition = "near" if near else word
            break
        elif word in lists.determiners:
            determiner = word
        elif word in lists.stops:
            break
    if preposition == "of" and back and words[back - 1].word in ("out", "top", "front"):
        preposition = {"out": "from", "top": "on", "front": "near"}[words[back - 1].word]
    after = place + length
    start, end = words[place].start, words[after - 1].end
    modifier = (
        after < len(words)
        and (words[after].word,) in vocabulary()
        and words[after].word not in lists.risky
    )
    return Mention(
        start, end, text[start:end], sense, determiner, number, preposition, modifier, place, after
    )


def _counts(word: str) -> bool:
    return word in _lists().numbers or word in _lists().determiners
