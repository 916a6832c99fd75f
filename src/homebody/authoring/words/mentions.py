"""The nouns of instructions: what in a text names an object, a piece of furniture or a room.

The vocabulary is the catalogue's names, their plurals, what else people call these things, words
for classes ("toys", "dishes"), and the last words of compound names ("table" for a coffee table).
A noun may have several meanings, and some nouns name what no homebody house has.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Final

from homebody.authoring.words.names import Words, regular_plural, words
from homebody.authoring.words.noun_lists import (
    CLASSES,
    FOREIGN,
    FURNITURE_WORDS,
    HEADS_LEFT_OUT,
    OBJECT_WORDS,
    PAIRS,
    PLURALS,
    RISKY,
    ROOM_WORDS,
    SPOKEN,
    set_of,
)
from homebody.worlds.house.model.catalogue import catalogue

OBJECT: Final = "object"
FURNITURE: Final = "furniture"
ROOM: Final = "room"
MAX_TEXT = 4_000
"""Characters of an instruction that are read."""

_TOKEN = re.compile(r"[A-Za-z]+(?:'s|')?|[0-9]+|[,.;:!?]")
_LONGEST = 4
"""Most words of a noun."""
_NUMBERS: Final[Mapping[str, int]] = {
    **{"one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8},
    **{"nine": 9, "ten": 10, "eleven": 11, "twelve": 12},
}
_DETERMINERS: Final = set_of(
    "a an another the this that these those its their my your our his her all every each any some"
    " both either no other same several few many couple pair"
)
_SEVERAL: Final = frozenset({"all", "both", "these", "those", "several", "few", "many", "some"})
_PREPOSITIONS: Final = set_of(
    "on onto in into inside to from off near by beside under at of around out with within for"
    " next over between upon through"
)
_STOPS: Final = set_of(
    ", . ; : ! ? and or then put place move bring take set get carry clean wash wipe fill turn"
    " switch store leave keep return clear empty tidy open close shut wipe rinse"
    " so while as before after once when if because"
)


@dataclass(frozen=True, slots=True)
class Token:
    """A word, number or mark in lower case, without apostrophes, and its place in the text."""

    word: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Noun:
    """What a noun may mean.

    Attributes:
        exact: ``(kind, category)`` that the noun is a name of.
        wider: Those that it may be said of besides, as "table" of a coffee table.
        plural: Whether it stands for several; None if both.
        group: Whether it is a word for a class, such as "toys".
    """

    exact: tuple[tuple[str, str], ...]
    wider: tuple[tuple[str, str], ...] = ()
    plural: bool | None = False
    group: bool = False


@dataclass(frozen=True, slots=True)
class Mention:
    """A noun in a text.

    Attributes:
        start: Its first character, without what comes before the noun.
        end: One past its last.
        noun: What it may mean.
        determiner: ``a``, ``the``, ``all``, ``each``, ``any`` ..., or empty.
        number: Said before it, as in "two of the three cups": the first.
        preposition: What comes before its phrase: ``from``, ``on``, ``in``, ``to`` ..., or empty.
        modifier: Whether the next word goes on with a noun: the kitchen of "kitchen table".
        first: Its first token's number in the text.
        after: The number of the token after it.
    """

    start: int
    end: int
    text: str
    noun: Noun
    determiner: str
    number: int | None
    preposition: str
    modifier: bool
    first: int
    after: int

    def categories(self, kind: str, wider: bool = True) -> frozenset[str]:
        """Its meanings of a kind (``object``, ``furniture`` or ``room``)."""
        some = (*self.noun.exact, *self.noun.wider) if wider else self.noun.exact
        return frozenset(name for own, name in some if own == kind)

    @property
    def plural(self) -> bool:
        many = self.number is not None and self.number > 1
        several = many or self.determiner in _SEVERAL
        return bool(self.noun.plural) or (self.noun.plural is None and several)


def spoken(category: str) -> str:
    """What a category is called: ``coffee table``, ``TV``, ``T-shirt``."""
    return SPOKEN.get(category, category.replace("_", " "))


def plural(noun: str) -> str:
    """The plural of a noun, of a compound that of its last word: ``knives``, ``glasses``."""
    if noun in PLURALS:
        return PLURALS[noun]
    head, _, last = noun.rpartition(" ")
    if last.lower() in PAIRS:
        return noun
    many = PLURALS.get(last) or regular_plural(last)
    return f"{head} {many}" if head else many


def tokens(text: str) -> list[Token]:
    """The words and marks of a text."""
    return [
        Token(one.group().replace("'", "").lower(), one.start(), one.end())
        for one in _TOKEN.finditer(text[:MAX_TEXT].replace("\u2019", "'"))
    ]


@cache
def vocabulary() -> Mapping[tuple[str, ...], Noun]:
    """Words of a noun -> what it may mean."""
    exact: dict[str, dict[tuple[str, str], None]] = {}
    wider: dict[str, dict[tuple[str, str], None]] = {}
    plurals: dict[str, str] = {}
    known, author = catalogue(), words()
    named = [
        *((OBJECT, name) for name in known.things),
        *((FURNITURE, name) for name in known.furniture),
        *((ROOM, name) for name in known.rooms),
    ]
    for meaning in named:
        said = author.noun(meaning[1])
        plurals[said.one.lower()] = said.many.lower() or said.one.lower()
        for noun in dict.fromkeys((spoken(meaning[1]).lower(), said.one.lower())):
            exact.setdefault(noun, {})[meaning] = None
        head = spoken(meaning[1]).lower().split()[-1]
        if " " in spoken(meaning[1]) and head not in HEADS_LEFT_OUT:
            wider.setdefault(head, {})[meaning] = None
    for name, others in author.synonyms.items():
        for word in others:
            exact.setdefault(author.noun(word).one.lower(), {})[FURNITURE, name] = None
    for kind, table in ((OBJECT, OBJECT_WORDS), (FURNITURE, FURNITURE_WORDS), (ROOM, ROOM_WORDS)):
        for noun, names in table.items():
            for name in names:
                exact.setdefault(noun, {})[kind, name] = None
    for word, names in author.covers.items():
        for name in names:
            wider.setdefault(author.noun(word).one.lower(), {})[FURNITURE, name] = None
    found: dict[tuple[str, ...], Noun] = {}
    for noun in (*exact, *(head for head in wider if head not in exact)):
        own, more = exact.get(noun, {}), wider.get(noun, {})
        rest = tuple(one for one in more if one not in own)
        _add(found, noun, plurals.get(noun, plural(noun)), tuple(own), rest)
    for noun, meanings in _classes(CLASSES, author).items():
        old = found.get(_split(noun))
        both = () if old is None else (*old.exact, *old.wider)
        found[_split(noun)] = Noun(_joined(meanings, both), (), None, group=True)
    for noun in FOREIGN:
        _add(found, noun, plural(noun), (), ())
    return found


def _classes(
    own: Mapping[str, tuple[str, ...]], author: Words
) -> dict[str, tuple[tuple[str, str], ...]]:
    """Words for classes, ours and the author's, with all that they cover."""
    found = {noun: tuple((OBJECT, name) for name in names) for noun, names in own.items()}
    for word, names in author.classes.items():
        said = author.noun(word)
        for noun in dict.fromkeys((said.one.lower(), (said.many or said.one).lower())):
            more = tuple((OBJECT, name) for name in sorted(names))
            found[noun] = _joined(found.get(noun, ()), more)
    return found


def mentions(text: str) -> list[Mention]:
    """The nouns of a text, in order; of nested ones the longest."""
    known = vocabulary()
    said = tokens(text)
    found: list[Mention] = []
    place = 0
    while place < len(said):
        for length in range(min(_LONGEST, len(said) - place), 0, -1):
            noun = known.get(tuple(one.word for one in said[place : place + length]))
            if noun is not None and not _is_verb(said, place, length):
                found.append(_mention(text, said, place, length, noun, known))
                place += length
                break
        else:
            place += 1
    return found


def _add(
    found: dict[tuple[str, ...], Noun],
    noun: str,
    many: str,
    exact: tuple[tuple[str, str], ...],
    wider: tuple[tuple[str, str], ...],
) -> None:
    both = None if many == noun else False
    for key, number in ((noun, both), (many, True if both is not None else None)):
        old = found.get(_split(key))
        if old is not None and old.exact != exact:  # "glasses": to see with, and several to drink
            new = Noun(_joined(old.exact, exact), _joined(old.wider, wider), None)
        else:
            new = Noun(exact, wider, number)
        found[_split(key)] = new


def _joined(
    some: tuple[tuple[str, str], ...], more: tuple[tuple[str, str], ...]
) -> tuple[tuple[str, str], ...]:
    return tuple(dict.fromkeys((*some, *more)))


def _split(noun: str) -> tuple[str, ...]:
    return tuple(one.word for one in tokens(noun))


def _is_verb(said: list[Token], place: int, length: int) -> bool:
    """Whether words such as "watch", "can" or "iron" are here no noun: nothing that leads up to a
    noun comes before."""
    if length > 1 or said[place].word not in RISKY:
        return False
    if said[place].word == "orange" and place + 1 < len(said):
        return (said[place + 1].word,) in vocabulary()  # the colour
    before = said[place - 1].word if place else ""
    if place + 1 < len(said) and said[place + 1].word in ("the", "it", "them", "all"):
        return True
    if before in ("and", "or", ",") and place > 1:  # in a list of nouns
        return (said[place - 2].word,) not in vocabulary()
    leads = before in _DETERMINERS or before in _NUMBERS or before.isdigit()
    if said[place].word == "can":
        return not leads
    return not leads and (before,) not in vocabulary() and before not in ("of", "with", "from")


def _mention(
    text: str,
    said: list[Token],
    place: int,
    length: int,
    noun: Noun,
    known: Mapping[tuple[str, ...], Noun],
) -> Mention:
    determiner, number, preposition = "", None, ""
    for back in range(place - 1, max(place - 8, -1), -1):
        word = said[back].word
        if word in _NUMBERS or (word.isdigit() and len(word) < 4):
            number = _NUMBERS.get(word, int(word) if word.isdigit() else 0)
        elif word == "of" and back and said[back - 1].word in (*_NUMBERS, *_DETERMINERS):
            continue  # two of the cups
        elif word in _PREPOSITIONS:
            near = word == "to" and back and said[back - 1].word in ("next", "close")
            preposition = "near" if near else word
            break
        elif word in _DETERMINERS:
            determiner = word
        elif word in _STOPS:
            break
    if preposition == "of" and back and said[back - 1].word in ("out", "top", "front"):
        preposition = {"out": "from", "top": "on", "front": "near"}[said[back - 1].word]
    after = place + length
    start, end = said[place].start, said[after - 1].end
    return Mention(
        start,
        end,
        text[start:end],
        noun,
        determiner,
        number,
        preposition,
        after < len(said) and (said[after].word,) in known and said[after].word not in RISKY,
        place,
        after,
    )


def names_of(found: Iterable[Mention], kind: str, wider: bool = True) -> frozenset[str]:
    """All categories of a kind that some mentions may mean."""
    return frozenset(name for one in found for name in one.categories(kind, wider))
