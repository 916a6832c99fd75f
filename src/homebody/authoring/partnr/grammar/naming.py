"""Names of objects and places in the built-in author's sentences.

A :class:`Namer` remembers the objects and places that were mentioned. Therefore it can use "it",
"those", "there" or "the same table" as people do.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence, Set
from dataclasses import replace
from typing import TypeVar

import numpy as np

from homebody.authoring.language.functions import SOMETHING
from homebody.authoring.language.names import NUMBERS, THING, Noun, article, join_words, lexicon
from homebody.authoring.partnr.grammar.meaning import Put, Spot, Step, Things
from homebody.authoring.partnr.grammar.phrases import Register, Verb, phrases
from homebody.core.ground.seeds import choose
from homebody.worlds.house.model.receptacles import PREPOSITIONS

NEAR = ("near", "near", "close to", "not far from")
"""Prepositions of a place that describes another."""
BEFORE = ("kitchen", "bedroom", "living_room", "bathroom", "hallway", "office")
"""Rooms whose names come before the names of furniture ("the kitchen table")."""
COUNTED = 4
"""Maximum number of objects that people count."""
_T = TypeVar("_T")


class Namer:
    """Names objects and places, and remembers what it named.

    ``counts`` has the numbers of linguistic phenomena (table 4 of the paper), and ``assigned`` the
    steps that the instruction assigns to agents.

    Args:
        rng: Chooses between equivalent wordings.
        shared: Groups of alternative places; several steps must use the same place of a group.
        rooms: Kind of room -> how many the house has.
        moved_again: Objects that several steps move.
        alone: True if one agent does all steps.
    """

    def __init__(
        self,
        rng: np.random.Generator,
        shared: Set[tuple[str, ...]] = frozenset(),
        rooms: Mapping[str, int] | None = None,
        moved_again: Set[str] = frozenset(),
        alone: bool = False,
    ) -> None:
        self.rng = rng
        self.alone = alone
        self._shared = shared
        self._rooms = rooms or {}
        self.moved_again = moved_again
        self.register = self._draw_register()
        self.counts: Counter[str] = Counter()
        self._mentioned: set[tuple[str, ...]] = set()
        self._spots: list[tuple[str, ...]] = []
        self._called: dict[tuple[str, ...], str] = {}
        self._focus: tuple[tuple[str, ...], ...] = ()
        self._words: dict[str, str] = {}
        self.courtesies: frozenset[str] = frozenset()
        self.assigned: list[tuple[str, Step]] = []
        self._at_room = False

    def chance(self, share: float) -> bool:
        """Return True with a probability."""
        return bool(self.rng.random() < share)

    def choice(self, options: Sequence[_T]) -> _T:
        """Return a random option."""
        return choose(self.rng, options)

    def _draw_register(self) -> Register:
        draw = float(self.rng.random())
        for register in phrases().registers:
            draw -= register.share
            if draw < 0:
                return register
        return phrases().registers[0]

    def fill_slots(self, text: str) -> str:
        """Return a set phrase with a random word in each of its ``{slots}``."""
        while (start := text.find("{")) >= 0:
            end = text.index("}", start)
            word = self.choice(phrases().slots[text[start + 1 : end]])
            before = text[:start]
            if before.endswith(" a "):
                before = f"{before[:-2]}{article(word)} "
            text = f"{before}{word}{text[end + 1 :]}"
        return text[:1].upper() + text[1:] if text else text

    def note(self, step: Step) -> None:
        """Remember the objects of a step as the meaning of "it"."""
        self._focus = _key(step.things)
        self._at_room = isinstance(step, Put) and step.spot.kind in ("room", "floor")

    def note_courtesies(self, sentence: str) -> None:
        """Remember "please" and "let's", which are used only once."""
        self.courtesies |= {word for word in phrases().courtesies if word in sentence.lower()}

    def blur(self) -> None:
        """Forget the meaning of "it", because several other objects were named."""
        self._focus = ()

    def is_in_focus(self, things: Sequence[Things]) -> bool:
        """Return whether the last step was about exactly these objects."""
        return _key(things) == self._focus

    # -- things ---------------------------------------------------------------------------------

    def refer_to(
        self, things: Sequence[Things], moving: bool = False, sure: bool = False
    ) -> tuple[str, bool]:
        """Return several descriptions as one phrase, and whether it takes a plural verb.

        With ``sure``, "it" cannot be misread as the place that was named last."""
        several = are_several(things)
        clear = several or self._at_room or len(self._spots) == 0 or sure
        if self.is_in_focus(things) and (clear or moving) and self.chance(0.98):
            self.counts["co_reference"] += 1
            return ("them" if several else "it"), several
        # a place after the last of several could apply to all, and "one of the cups and the plates"
        # could be one of both
        left = sorted(things, key=lambda described: (described.where is None, not described.all))
        parts: list[str] = []
        before = left[0]
        while left:
            described = left.pop(0)
            alike = [other for other in left if other.where == described.where is not None]
            if alike and all(self.is_new(other) for other in (described, *alike)):
                left = [other for other in left if other not in alike]
                heads = [self.thing(other, moving, bare=True)[0] for other in (described, *alike)]
                parts.append(join_words(heads) + self._where(described, moving, True, True))
            elif len(parts) == 1 and self._are_as_many(before, described):
                parts.append(f"the same number of {self._plural(described)}")
            else:  # "the boots from the sofa and the gloves" reads as if both were there
                bare = len(things) > 1 and not described.telling
                parts.append(self.thing(described, moving, bare)[0])
            before = described
        if len(parts) > 1 and any(" and " in part for part in parts[:-1]):
            return f"{', '.join(parts[:-1])}, and {parts[-1]}", several
        return join_words(parts), several

    def is_new(self, things: Things) -> bool:
        """Return whether objects have not been named yet."""
        return (*things.names, str(things.number)) not in self._mentioned

    def _are_as_many(self, before: Things, things: Things) -> bool:
        """Return whether "as many spoons" is right: the number equals the number of objects that
        were just named."""
        some = self.is_new(things) and not things.all and not things.where and not things.state
        counted = 1 < things.number == before.number and before.all and not before.telling
        return some and counted and self.chance(0.8)

    def _plural(self, things: Things) -> str:
        """Return objects that are named for the first time as a plural without article."""
        self._mentioned.add((*things.names, str(things.number)))
        self.counts["class_reference"] += 1
        return _class_noun(things.word).plural

    def thing(self, things: Things, moving: bool = False, bare: bool = False) -> tuple[str, bool]:
        """Return a phrase for objects, and whether it takes a plural verb. With ``bare``, the
        phrase does not state their place."""
        key = (*things.names, str(things.number))
        noun = _class_noun(
            self._words.get(things.word, things.word) if things.furniture else things.word
        )
        plural = _is_plural(things)
        again = key in self._mentioned or things.names in self._spots
        self._mentioned.add(key)
        if things.furniture and things.all:
            self._spots.append(things.names)
            self._called[things.names] = noun.singular
        telling = things.telling
        self.counts["instance_reference" if telling and not again else "class_reference"] += 1
        name = noun.plural if things.number > 1 and noun.plural else noun.singular
        if again:
            self.counts["co_reference"] += 1
            if things.furniture and things.room:
                return f"the {name}", plural
            if not things.all and name.startswith(SOMETHING):
                return "that", plural
            if telling or not things.all or things.but:
                return f"{'those' if plural else 'that'} {name}", plural
            return f"the {name}", plural
        if things.state:
            name = f"{things.state} {name}"
        if things.word == THING:
            name = self.choice(("the things", "all the things"))
            return name + self._where(things, moving, plural, plural), plural
        head = self._head(things, name, noun)
        of_several = plural or head.startswith("one of ")
        several = things.number > 1  # "earbuds" are one thing, in one place
        return head + ("" if bare else self._where(things, moving, of_several, several)), plural

    def _head(self, things: Things, name: str, noun: Noun) -> str:
        total = len(things.names)
        if things.but:
            but = lexicon().noun(things.but).singular
            return f"all the {name} {self.choice(('except', 'but', 'except for'))} the {but}"
        if name.startswith(SOMETHING) and things.number == 1:
            return name
        if things.all:
            if things.number == 1 or not noun.plural:
                return f"the {name}"
            if things.word in phrases().words["mass"]:
                return self.choice((f"the {name}", f"all the {name}"))
            if name in phrases().several.values() and name not in phrases().words["counted"]:
                return self.choice((f"the {name}", f"all the {name}"))
            number = NUMBERS[total] if total < len(NUMBERS) else str(total)
            ways = [f"the {name}", f"the {name}", f"all the {name}"]
            if total == 2:
                ways = [f"the {name}", f"the two {name}", f"both {name}"]
            elif total <= 4:
                ways += [f"the {number} {name}", f"all {number} {name}"]
            return self.choice(ways)
        if things.word in phrases().words["mass"]:  # a piece of jewellery
            noun = lexicon().noun(things.word)
            name = noun.singular if things.number == 1 else noun.plural
        many = noun.plural if not things.state else f"{things.state} {noun.plural}"
        if not noun.plural:
            return f"some {name}"
        number, of = NUMBERS[things.number], NUMBERS[min(total, COUNTED)]
        if things.number == 1:
            ways = [f"{article(name)} {name}", f"{article(name)} {name}", f"one of the {many}"]
            if things.furniture:
                ways = [f"{article(name)} {name}", f"one of the {many}", f"one of the {many}"]
            elif 2 < total <= COUNTED:
                ways += [f"one of the {of} {many}"]
            return self.choice(ways)
        ways = [f"{number} {name}", f"{number} of the {name}", f"any {number} of the {name}"]
        if total <= COUNTED:
            ways += [f"{number} of the {of} {name}"]
        return self.choice(ways)

    def _where(self, things: Things, moving: bool, plural: bool, spread: bool) -> str:
        """Return " that is on the table". With ``spread``, the things may be at several places."""
        if things.room:
            return self._in_room(things.room, plural)
        if things.where is None:
            return ""
        if things.where.kind in ("near", "facing"):
            return self._by(things.where, plural, moving)
        place = self._spot(things.where, source=True, spread=spread)
        prep = "in" if things.where.kind == "room" else _preposition(things.where)
        if moving:
            return f" from {place}"
        # "wash the cup on the counter" could mean to do it there
        return f" that {'are' if plural else 'is'} {prep} {place}"

    def _by(self, spot: Spot, plural: bool, clause: bool = False) -> str:
        """Return " near the fridge" or " that faces the TV". With ``clause``, words that follow
        could be mistaken for a part of it, so it is a relative clause."""
        if spot.kind == "facing":
            words = (f"that {'face' if plural else 'faces'}", "facing")
        else:
            near = self.choice(NEAR)
            words = (f"that {'are' if plural else 'is'} {near}", near)
        word = words[0] if clause else self.choice(words)
        return f" {word} {self._spot(replace(spot, kind='furniture'), source=True)}"

    def has_named(self, spot: Spot) -> bool:
        """Return whether a place has been named as the target of a step."""
        return spot.names in self._spots

    # -- places ---------------------------------------------------------------------------------

    def place(self, step: Put, verb: Verb) -> str:
        """Return the place of a step with its preposition, as the verb requires."""
        spot = step.spot
        one_place = len(spot.names) == 1 or spot.names in self._shared
        named_before = spot.names in self._spots and one_place
        last = bool(self._spots) and self._spots[-1] == spot.names
        sourced = any(things.where is not None for things in step.things)  # "from the sofa there"
        if named_before and last and self.chance(0.6) and not sourced:
            self.counts["co_reference"] += 1
            return self.choice(("there", "there as well", "there too"))
        self._spots.append(spot.names)
        if named_before and spot.kind != "room":
            self.counts["co_reference"] += 1
            noun = self._called.get(spot.names) or _whole(spot)
            others = {name for names, name in self._called.items() if names != spot.names}
            text = f"the same {phrases().wholes.get(noun, noun)}"
            if len(spot.names) == 1:
                text = f"the {noun}"
            if noun in others and spot.room:  # which of the tables that were named?
                text += self._in_room(spot.room, False)
        elif step.together in ("same", "different"):
            self.counts["class_reference"] += 1
            noun = _whole(spot)
            room = self._in_room(spot.room, False) if spot.room else ""
            text = f"the same {noun}{room}" if step.together == "same" else self._each(noun) + room
        else:
            count = sum(things.number for things in step.things)
            free = not (step.together or step.beside or spot.names in self._shared)
            text = self._spot(spot, spread=count > 1 and free, gathered=count > 1)
        if spot.kind == "room":
            prep = "to" if "{to}" in verb.rest else "in"
        elif "{to}" in verb.rest and "{o}" in verb.rest and spot.relation != "within":
            prep = "to"
        elif "{into}" in verb.rest:
            prep = "into" if _preposition(spot) == "in" else "onto"
        else:
            prep = _preposition(spot)
        return f"{prep} {text}"

    def place_name(self, spot: Spot) -> str:
        """Return an initial place without preposition."""
        return self._spot(spot, source=True)

    def lay(self, step: Put) -> tuple[str, str]:
        """Return the table that a step sets, without preposition, and the things for it."""
        self._spots.append(step.spot.names)
        table = self._spot(step.spot)
        things = join_words([self._plural(described) for described in step.things])
        self.note(step)
        return table, things

    def _each(self, noun: str) -> str:
        many = lexicon().noun(noun.replace(" ", "_")).plural or f"{noun}s"
        return f"different {many}"

    def _room(self, kind: str) -> str:
        self.counts["class_reference"] += 1
        return lexicon().noun(kind).singular

    def _in_room(self, kind: str, plural: bool) -> str:
        """Return " in the kitchen", or " in one of the bedrooms" if the house has several."""
        if self._rooms.get(kind, 1) < 2:
            return f" in the {self._room(kind)}"
        self.counts["class_reference"] += 1
        return f" in {'' if plural else 'one of '}the {lexicon().noun(kind).plural}"

    def _spot(
        self, spot: Spot, source: bool = False, spread: bool = False, gathered: bool = False
    ) -> str:
        """Return a place without preposition. With ``spread``, the objects may go to different
        places, so the instruction must not require a single place; or they come from several.
        With ``gathered``, several objects go to one place."""
        if spot.kind in ("room", "floor"):
            room = self._room(spot.word)
            if spot.kind == "room":
                many = lexicon().noun(spot.word).plural
                if len(spot.names) > 1 and spread:
                    return f"the {many}" if source or self.chance(0.5) else f"any of the {many}"
                if len(spot.names) > 1:
                    which = f"one of the {many}"
                    return which if source or self.chance(0.5) else f"{article(room)} {room}"
                return f"the {room}"
            if len(spot.names) > 1:
                return "the floor" + self._in_room(spot.word, False)
            return f"the {room} floor"
        self.counts["class_reference"] += 1
        options = lexicon().synonyms.get(spot.word, (spot.word,))
        option = options[0] if self.chance(0.6) else self.choice(options)
        option = self._words.setdefault(spot.word, option)  # one word for one thing
        noun = lexicon().noun(option)
        singular, many = noun.singular, noun.plural
        self._called[spot.names] = singular
        several = len(spot.names) > 1
        dining = all(name.startswith("table_") for name in spot.names)
        if dining and spot.room == "dining_room" and self.chance(0.6):
            return "the dining table"
        before = spot.room in BEFORE and self.chance(0.3)  # "the kitchen table"
        if before:
            kind = lexicon().noun(spot.room).singular
            singular, many = f"{kind} {singular}", f"{kind} {many}"
        ways = [f"one of the {many}"]
        if not gathered:
            ways = [f"{article(singular)} {singular}", f"any {singular}", *ways, *ways]
        if not several:
            ways = [f"the {singular}"]
        elif source:
            ways = [f"the {many}" if spread else f"one of the {many}"]
        elif spread:
            ways = [f"the {many}", f"any of the {many}"]
        text = self.choice(ways)
        if spot.by is not None:
            return text + self._by(spot.by, text.endswith(many))
        if before or not spot.room:
            return text
        return text + self._in_room(spot.room, several and text.endswith(many))


def are_several(things: Sequence[Things]) -> bool:
    """Return whether objects take a plural verb and "them"."""
    return len(things) > 1 or _is_plural(things[0])


def same_things(first: Sequence[Things], other: Sequence[Things]) -> bool:
    """Return whether two steps are about the same objects."""
    return _key(first) == _key(other)


def _key(things: Sequence[Things]) -> tuple[tuple[str, ...], ...]:
    return tuple((*described.names, str(described.number)) for described in things)


def _whole(spot: Spot) -> str:
    """Return a name that means the whole piece of furniture: "the same shelf" could mean one of its
    boards."""
    noun = lexicon().noun(spot.word).singular
    return phrases().wholes.get(noun, noun)


def _is_plural(things: Things) -> bool:
    if things.word in phrases().words["mass"] and things.all:
        return False
    return things.number > 1 or lexicon().noun(things.word).is_plural


def _class_noun(word: str) -> Noun:
    noun = lexicon().noun(word)
    return Noun(noun.singular, phrases().several[word]) if word in phrases().several else noun


def _preposition(spot: Spot) -> str:
    return PREPOSITIONS[spot.relation or "on"]
