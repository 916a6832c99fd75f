"""The input of the rules of :mod:`.lint`: an instruction's nouns, the scene, the propositions."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final, TypeAlias

from homebody.authoring.language.mentions import FURNITURE, OBJECT, ROOM, Mention, mentions
from homebody.authoring.partnr.draft import Draft, FailureMode
from homebody.authoring.partnr.packing import PLACEMENTS, things
from homebody.authoring.partnr.situation import Situation, bears
from homebody.goals.partnr import Episode, Evaluation, Proposition
from homebody.suites.partnr.episodes.predicates import AFFORDANCE, STATES
from homebody.worlds.house.model.catalogue import catalogue
from homebody.worlds.house.model.house import House

Finding: TypeAlias = tuple[FailureMode, str]
PLACED: Final = PLACEMENTS
REFERS_BACK: Final = re.compile(
    r"\b((?<!i'm )(?<!just got )back|return\w*|original|initial|swap\w*|exchang\w*|trade"
    r"|switch(ing)? (the )?places|places of|came from|where (it|they|you)"
    r"|where the \w+ (was|were|came|belongs?))\b"
)
"""Words that refer to the initial places of objects ("back", "swap")."""
_EXCHANGES: Final = re.compile(
    r"\b(swap\w*|exchang\w*|trade|switch(ing)? (the )?places|places of)\b"
)
SOURCES: Final = frozenset({"from", "off", "out"})
TARGETS: Final = frozenset({"on", "onto", "in", "into", "inside", "to", "upon", "at", "within"})
_SENTENCE: Final = re.compile(r"[^.!?]+")
_HOLLOW: Final = frozenset({"tray"})
"""Surfaces with which people use "in" rather than "on"."""
_USUAL: Final = {"clean": True, "filled": False, "powered_on": False}
"""Default initial states of objects."""


@dataclass(frozen=True)
class Case:
    """An instruction with its scene and evaluation function."""

    instruction: str
    evaluation: Evaluation | None
    where: Situation
    house: House
    episode: bool

    @property
    def propositions(self) -> tuple[Proposition, ...]:
        """The propositions of the evaluation function; empty without one."""
        return self.evaluation.propositions if self.evaluation is not None else ()

    @property
    def objects(self) -> Mapping[str, str]:
        """Object -> category."""
        return self.where.category

    @cached_property
    def text(self) -> str:
        """The instruction in lower case, with plain apostrophes."""
        return self.instruction.lower().replace("\u2019", "'")

    @cached_property
    def mentions(self) -> list[Mention]:
        """The nouns of the instruction, in order."""
        return mentions(self.instruction)

    @cached_property
    def there(self) -> Mapping[str, frozenset[str]]:
        """Kind -> categories that the scene has."""
        return {
            OBJECT: frozenset(self.objects.values()),
            FURNITURE: frozenset(piece.category for piece in self.house.furniture),
            ROOM: frozenset(room.kind for room in self.house.rooms),
        }

    @cached_property
    def sentences(self) -> list[tuple[int, int]]:
        """First and last characters of each sentence."""
        return [(match.start(), match.end()) for match in _SENTENCE.finditer(self.instruction)]

    def exists(self, mention: Mention) -> bool:
        """Return whether the scene has an object that a noun can refer to."""
        return any(
            name in self.there[kind] for kind, name in (*mention.sense.exact, *mention.sense.wider)
        )

    def stands(self, mention: Mention, rooms: frozenset[str]) -> bool:
        """Return whether furniture that a noun can mean is in a room of some kinds."""
        kinds = mention.categories(FURNITURE)
        return any(
            piece.category in kinds and self.house.room[piece.room].kind in rooms
            for piece in self.house.furniture
        )

    def count(self, mention: Mention) -> int:
        """Return the number of objects that a noun can mean."""
        kinds = mention.categories(OBJECT)
        return sum(category in kinds for category in self.objects.values())

    def is_idle(self, mention: Mention) -> bool:
        """Return whether a noun does not name an object of the task.

        Its sentence only states the purpose ("Let's do the laundry"), or it has no article or other
        determiner ("ready for bed")."""
        if not mention.sense.exact and not mention.sense.wider:
            return False
        if not mention.determiner and mention.number is None and not mention.plural:
            return True
        first = next((s for s in self.sentences if s[0] <= mention.start < s[1]), None)
        if first is None:
            return False
        here = [other for other in self.mentions if first[0] <= other.start < first[1]]
        return not any(
            self.is_about(other) or (other.categories(FURNITURE) and other.preposition in TARGETS)
            for other in here
        )

    @cached_property
    def _about(self) -> frozenset[str]:
        names = {name for proposition in self.propositions for name in things(proposition)}
        return frozenset(self.category(name) for name in names)

    def is_about(self, mention: Mention) -> bool:
        """Return whether a noun can refer to an object that the task moves or changes. Without an
        evaluation function, any object of the scene counts."""
        kinds = mention.categories(OBJECT)
        if self.evaluation is None:
            return bool(kinds & self.there[OBJECT])
        return bool((kinds | mention.categories(FURNITURE)) & self._about)

    def category(self, name: str) -> str:
        """Return the category of an object, piece or room. The category of a floor is ``floor``."""
        if name in self.objects:
            return self.objects[name]
        if name in self.house.piece:
            return self.house.piece[name].category
        if name in self.house.room:
            return self.house.room[name].kind
        return "floor"

    def room(self, name: str) -> str:
        """Return the room of an object, piece, floor or room."""
        return name if name in self.house.room else self.where.room(name)

    def places_of_goal(self, proposition: Proposition, words: re.Pattern[str] | None) -> list[int]:
        """Return the positions in the text that can state a proposition: mentions of its place or
        room or, for a state, matches of ``words``."""
        if words is not None:
            return [m.start() for m in words.finditer(self.text)]
        if proposition.predicate not in PLACED or len(proposition.lists) < 2:
            return []
        if self.goes_back(proposition):
            return [m.start() for m in REFERS_BACK.finditer(self.text)]
        return [
            m.start
            for m in self.mentions
            if self._means(m, proposition.lists[1]) and m.preposition not in SOURCES
        ]

    def goes_back(self, proposition: Proposition) -> bool:
        """Return whether the words and the proposition both bring objects to their own initial
        places, or exchange them."""
        if not REFERS_BACK.search(self.text) or len(proposition.lists) < 2:
            return False
        own = set(proposition.lists[0])
        if _EXCHANGES.search(self.text):
            own = {name for other in self.propositions for name in other.lists[0]}
        homes = {home for name, home in self.where.holder.items() if name in own}
        homes |= {self.where.room(name) for name in homes}
        return set(proposition.lists[1]) <= homes

    def mentions_of(self, proposition: Proposition) -> list[int]:
        """Return the positions in the text that name the objects of a proposition."""
        return [m.start for m in self.mentions if self._means(m, proposition.lists[0])]

    def _means(self, mention: Mention, names: Sequence[str]) -> bool:
        kinds = {self.category(name) for name in names}
        return any(mention.categories(kind) & kinds for kind in (OBJECT, FURNITURE, ROOM))

    def is_background(self, place: int) -> bool:
        """Return whether a word is in a sentence that names no object of the task. Such a sentence
        states the purpose, not an action."""
        return not any(map(self.is_about, self._mentions_around(place)))

    def names_any(self, place: int) -> bool:
        """Return whether a word is in a sentence with a noun of an object or room."""
        return bool(self._mentions_around(place))

    def _mentions_around(self, place: int) -> list[Mention]:
        """Return the nouns in the sentence of a word."""
        span = next((s for s in self.sentences if s[0] <= place < s[1]), (0, 0))
        return [mention for mention in self.mentions if span[0] <= mention.start < span[1]]

    def near_is_where(self) -> bool:
        """Return whether "next to" can describe initial places rather than targets."""
        return bool(re.search(r"\b(that|which|who) (is|are|was|were)\b|'s next to", self.text))

    def bears_both(self, category: str) -> bool:
        """Return whether objects can be put both on and in all pieces of a kind."""
        pieces = [piece for piece in self.house.furniture if piece.category == category]
        tray = any(
            r.kind == "on" and r.name in _HOLLOW for piece in pieces for r in piece.receptacles
        )
        both = all(bears(piece, "on") and bears(piece, "within") for piece in pieces)
        return bool(pieces) and both and not tray

    def only_floor_named(self, proposition: Proposition) -> bool:
        """Return whether the floor is the only named target."""
        named = [m for m in self.mentions if m.categories(FURNITURE) and m.preposition in TARGETS]
        return bool(re.search(r"\bon(to)? the (\w+ )?floor\b", self.text)) and not named

    def is_sure(self, proposition: Proposition) -> bool:
        """Return whether a proposition requires all of its objects, so that there is no choice."""
        return proposition.number == len(proposition.lists[0])

    def is_single(self, proposition: Proposition) -> bool:
        """Return whether a proposition leaves no choice: each of its lists has one name."""
        return all(len(names) == 1 for names in proposition.lists)

    def is_apart(self, proposition: Proposition, other: Proposition) -> bool:
        """Return whether the same object cannot be at the places of both propositions."""
        if proposition.predicate == "is_on_floor" or other.predicate == "is_on_floor":
            return {proposition.predicate, other.predicate} & {"is_on_top", "is_inside"} != set()
        mine, theirs = proposition.lists[1], other.lists[1]
        if proposition.predicate == other.predicate:
            return not set(mine) & set(theirs)
        if "is_in_room" in (proposition.predicate, other.predicate):
            return not {self.room(n) for n in mine} & {self.room(n) for n in theirs}
        return not set(mine) & set(theirs)

    def is_far_apart(self, proposition: Proposition, other: Proposition) -> bool:
        """Return whether objects at the places of two propositions cannot be next to each other:
        the furniture or the rooms differ. False for containers, which can move."""
        if len(proposition.lists) < 2 or len(other.lists) < 2:
            return False
        names = (*proposition.lists[1], *other.lists[1])
        if any(name in self.objects for name in names):
            return False
        return self.is_apart(proposition, other)

    def holds_at_first(self, proposition: Proposition) -> bool:
        """Return whether a proposition certainly holds at the start."""
        if proposition.predicate in STATES:
            state, value = STATES[proposition.predicate]
            so = [name for name in proposition.lists[0] if self._state(name, state) == value]
            return len(so) >= proposition.number
        if proposition.predicate not in PLACED:
            return False
        so = [name for name in proposition.lists[0] if self._is_at(name, proposition)]
        return len(so) >= proposition.number and not (proposition.same and proposition.number > 1)

    def _state(self, name: str, state: str) -> bool:
        given = self.where.states.get(name, {})
        if state in given:
            return given[state]
        piece = self.house.piece.get(name)
        if piece is not None and state in piece.states:
            return piece.states[state]
        return _USUAL[state]

    def _is_at(self, name: str, proposition: Proposition) -> bool:
        at = self.where.holder.get(name, "")
        if proposition.predicate == "is_on_floor":
            return at in self.house.floors
        if proposition.predicate == "is_in_room":
            return self.where.room(name) in proposition.lists[1]
        return at in proposition.lists[1] and (name in self.where.within) == (
            proposition.predicate == "is_inside"
        )

    def is_opposite_at_first(self, name: str, predicate: str) -> bool:
        """Return whether an object has an explicit initial state opposite to its goal."""
        state, value = STATES[predicate]
        return self.where.states.get(name, {}).get(state, value) != value

    def some_at(self, mention: Mention, place: Mention) -> bool:
        """Return whether an object that a noun can mean starts at the place of another noun."""
        kinds = mention.categories(OBJECT)
        spots = place.categories(FURNITURE) | place.categories(ROOM)
        return any(
            self._starts_at(name) & spots
            for name, category in self.objects.items()
            if category in kinds
        )

    def _starts_at(self, name: str) -> set[str]:
        """Return the kinds of the place and room where an object starts."""
        return {self.category(self.where.holder.get(name, "")), self.category(self.room(name))}

    def all_at(self, names: Iterable[str], kinds: Sequence[str], spots: frozenset[str]) -> bool:
        """Return whether all objects of the given kinds start at the given kinds of places or
        rooms."""
        return all(self._starts_at(name) & spots for name in names if self.category(name) in kinds)

    def is_able(self, piece: str, predicate: str) -> bool:
        """Return whether a piece can do what a proposition requires of its furniture."""
        if predicate in AFFORDANCE:
            return AFFORDANCE[predicate] in catalogue().affords(self.category(piece))
        relation = "within" if predicate == "is_inside" else "on"
        return bears(self.house.piece[piece], relation)


def case_of(subject: Draft | Episode, house: House, where: Situation) -> Case:
    """Return the case of a draft or an episode."""
    return Case(subject.instruction, subject.evaluation, where, house, isinstance(subject, Episode))
