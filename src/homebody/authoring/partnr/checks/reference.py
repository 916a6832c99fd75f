"""Rules of :mod:`.lint` about the meaning of nouns: rooms instead of furniture, wrong objects, and
too few or too many alternatives."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from homebody.authoring.language.mentions import FURNITURE, OBJECT, ROOM, Mention, tokens
from homebody.authoring.language.names import join_words
from homebody.authoring.partnr.checks.case import (
    PLACED,
    REFERS_BACK,
    SOURCES,
    TARGETS,
    Case,
    Finding,
)
from homebody.authoring.partnr.draft import FailureMode
from homebody.authoring.partnr.packing import things
from homebody.goals.partnr import Proposition, SameArgConstraint
from homebody.suites.partnr.episodes.predicates import AFFORDANCE

_ANOTHER = re.compile(r"\b(another|different|other|separate|own|each|respective|rest)\b")
_EXCEPT = re.compile(r"\b(except|but|apart from|other than)( for)?( the)? $")
_ALL = frozenset({"all", "every", "each", "both"})
_ONE = frozenset({"a", "an", "any", "some", "either"})


def rooms(case: Case) -> Iterator[Finding]:
    """Yield furniture in propositions where the instruction only names a room, and rooms where it
    names furniture."""
    named = frozenset(c for m in case.mentions for c in m.categories(FURNITURE))
    named_rooms = frozenset(c for m in case.mentions for c in m.categories(ROOM))
    used = {
        case.category(name)
        for proposition in case.propositions
        for names in proposition.lists
        for name in names
        if name in case.house.piece
    }
    for proposition in case.propositions:
        if proposition.predicate not in ("is_on_top", "is_inside") or case.goes_back(proposition):
            continue
        pieces = [name for name in proposition.lists[1] if name in case.house.piece]
        kinds = {case.category(name) for name in pieces}
        if kinds and not kinds & named:
            in_named = {case.house.room[case.room(name)].kind for name in pieces} & named_rooms
            if in_named:
                furniture = join_words(sorted(kinds))
                why = f"only the {join_words(sorted(in_named))} is named, not {furniture}"
                yield FailureMode.ROOM_OR_FURNITURE, why
            else:
                yield FailureMode.ENTITY, f"{join_words(sorted(kinds))} is not named"
    if any(proposition.predicate == "is_in_room" for proposition in case.propositions):
        sources = {case.category(at) for at in case.where.holder.values()}
        for m in case.mentions:
            meant = m.categories(FURNITURE) & case.there[FURNITURE]
            target = m.preposition in TARGETS - {"at"} and m.determiner and not m.modifier
            sure = m.preposition in ("to", "onto", "into")
            idle = m.categories(OBJECT) or m.categories(ROOM) or case.is_background(m.start)
            if meant and target and not idle and not meant & (used if sure else used | sources):
                yield FailureMode.ROOM_OR_FURNITURE, f"the words name the {m.text}, not a room"


def entities(case: Case) -> Iterator[Finding]:
    """Yield objects in propositions that the instruction does not name, or that it puts
    elsewhere."""
    anything = re.search(
        r"\b(everything|things?|items?|objects?|stuff|belongings|mess|all (of )?(it|that)|rest)\b",
        case.text,
    )
    named = frozenset(c for m in case.mentions for c in m.categories(OBJECT))
    furniture = frozenset(c for m in case.mentions for c in m.categories(FURNITURE))
    named_rooms = frozenset(c for m in case.mentions for c in m.categories(ROOM))
    for proposition in case.propositions:
        about = {case.category(name) for name in things(proposition)}
        missing = sorted(about - named - furniture)
        # "all the things from the table" are those that are on a table
        spots = furniture | named_rooms | ({"floor"} if "floor" in case.text else frozenset())
        stray = missing and anything and not case.all_at(things(proposition), missing, spots)
        if missing and (not anything or stray):
            yield FailureMode.ENTITY, f"the words do not name {join_words(missing)}"
        if case.propositions.count(proposition) > 1 and proposition.predicate in PLACED:
            yield (
                FailureMode.ENTITY,
                f"{join_words(sorted(things(proposition)))} is in two equal propositions",
            )
        if proposition.predicate == "is_in_room" and not case.goes_back(proposition):
            kinds = {case.category(name) for name in proposition.lists[1]}
            if not kinds & named_rooms:
                yield FailureMode.ENTITY, f"the words do not name {join_words(sorted(kinds))}"
        yield from _elsewhere(case, proposition)
    yield from _unused_mentions(case)


def _unused_mentions(case: Case) -> Iterator[Finding]:
    """Yield objects that the instruction names ("the ball") but no proposition uses."""
    wanted = {
        case.category(name)
        for proposition in case.propositions
        for li in proposition.lists
        for name in li
    }
    for m in case.mentions:
        kinds = m.categories(OBJECT) & case.there[OBJECT]
        definite = m.determiner == "the" or (m.number is not None and m.number > 1)
        if (
            definite
            and kinds
            and not kinds & wanted
            and not m.categories(FURNITURE)
            and not m.modifier
            and m.preposition not in SOURCES
            and not _EXCEPT.search(case.text[: m.start])
            and not case.is_idle(m)
        ):
            yield FailureMode.ENTITY, f"the {m.text} is named, but in no proposition"


def _elsewhere(case: Case, proposition: Proposition) -> Iterator[Finding]:
    """Yield furniture in a room that contradicts all mentions of its kind."""
    if case.goes_back(proposition):
        return
    names = (
        proposition.lists[1]
        if proposition.predicate in PLACED and len(proposition.lists) > 1
        else ()
    )
    if proposition.predicate in AFFORDANCE:
        names = proposition.lists[0]
    pieces = [name for name in names if name in case.house.piece]
    for category in dict.fromkeys(case.category(name) for name in pieces):
        mentioned = [
            m
            for m in case.mentions
            if category in m.categories(FURNITURE) and m.preposition not in SOURCES
        ]
        stated_rooms = [room_of(case, m) for m in mentioned]
        if not stated_rooms or not all(stated_rooms):
            continue
        allowed = frozenset().union(*stated_rooms)
        wrong = [
            name
            for name in pieces
            if case.category(name) == category
            and case.house.room[case.room(name)].kind not in allowed
        ]
        if wrong:
            yield (
                FailureMode.ENTITY,
                f"{join_words(wrong)} is not in the {join_words(sorted(allowed), 'or')}",
            )


def room_of(case: Case, mention: Mention) -> frozenset[str]:
    """Return the kinds of rooms that the instruction gives for a noun: "the kitchen table", "the
    table in the kitchen". Empty if it gives no room."""
    before = room_before(case, mention)
    if before:
        return before
    words = tokens(case.instruction)
    for other in case.mentions:
        kinds = other.categories(ROOM)
        if not kinds or other is mention:
            continue
        gap = [word.word for word in words[mention.after : other.first]]
        if gap and gap[0] in ("in", "of", "from") and len(gap) <= 3:
            return kinds
    return frozenset()


def room_before(case: Case, mention: Mention) -> frozenset[str]:
    """Return the kinds of rooms of the word right before a noun: "the kitchen table"."""
    for other in case.mentions:
        if other.modifier and other.after == mention.first:
            return other.categories(ROOM)
    if mention.text.lower().startswith("dining ") and mention.categories(FURNITURE):
        return frozenset({"dining_room"}) & case.there[ROOM]
    return frozenset()


def alternatives(case: Case) -> Iterator[Finding]:
    """Yield propositions that omit alternatives although the instruction allows them."""
    for proposition in case.propositions:
        if (
            proposition.predicate in PLACED
            and len(proposition.lists) > 1
            and proposition.predicate != "is_in_room"
        ):
            yield from _furniture(case, proposition, proposition.lists[1])
        if proposition.predicate in AFFORDANCE and any(
            n in case.house.piece for n in proposition.lists[0]
        ):
            yield from _state_of_furniture(case, proposition)
    yield from _objects(case)
    yield from _classes(case)
    if not _ANOTHER.search(_plain_text(case)):
        yield from _uneven_places(case)
    for proposition in case.propositions:
        kinds = {case.category(name) for name in proposition.lists[-1]}
        if proposition.predicate != "is_in_room" or len(kinds) > 1 or is_elastic(case):
            continue
        own = {room.name for room in case.house.rooms if room.kind in kinds}
        if not own <= set(proposition.lists[1]):
            yield FailureMode.INCORRECT_AMBIGUITY, f"any {join_words(sorted(kinds))} fits the words"


def is_elastic(case: Case) -> bool:
    """Return whether words restrict the meaning in a way that the rules cannot interpret."""
    vague = re.search(r"\b(same|there|where)\b", case.text)
    return bool(vague or _ANOTHER.search(_plain_text(case)) or REFERS_BACK.search(case.text))


def _plain_text(case: Case) -> str:
    """Return the text without "each other" and the like."""
    return re.sub(r"\b(each other|one another|on the other hand)\b", "", case.text)


def _furniture(case: Case, proposition: Proposition, names: Sequence[str]) -> Iterator[Finding]:
    """Yield a finding unless the places of a proposition are all places of their kind in the house
    or in the named rooms."""
    if _ANOTHER.search(_plain_text(case)) or case.goes_back(proposition):
        return
    pieces = [name for name in names if name in case.house.piece]
    if len(pieces) < len(names) or not pieces:
        return
    kinds = {case.category(name) for name in pieces}
    mentioned = [
        m for m in case.mentions if m.categories(FURNITURE) & kinds and m.preposition not in SOURCES
    ]
    if not mentioned:
        return
    named_rooms = frozenset(c for m in case.mentions for c in m.categories(ROOM))
    named_rooms = named_rooms.union(*(room_before(case, m) for m in mentioned))
    able = [
        piece.name
        for piece in case.house.furniture
        if piece.category in kinds and case.is_able(piece.name, proposition.predicate)
    ]
    fitting = [name for name in able if case.house.room[case.room(name)].kind in named_rooms]
    for candidates in (able, fitting):
        if candidates and set(candidates) <= set(pieces):
            return
    for kind in named_rooms:
        here = {name for name in able if case.house.room[case.room(name)].kind == kind}
        if here and here <= set(pieces):
            return
    left = sorted(set(able) - set(pieces))
    if left:
        yield (
            FailureMode.INCORRECT_AMBIGUITY,
            f"{join_words(left)} fits the words as well as {join_words(pieces)}",
        )


def _uneven_places(case: Case) -> Iterator[Finding]:
    """Yield places that the instruction mentions once, but that are different for different
    objects."""
    goes = [
        proposition
        for proposition in case.propositions
        if proposition.predicate in ("is_on_top", "is_inside") and not case.goes_back(proposition)
    ]
    for constraint in case.evaluation.constraints if case.evaluation is not None else ():
        if isinstance(constraint, SameArgConstraint):
            arguments = zip(constraint.propositions, constraint.arguments, strict=True)
            places = [case.propositions[i] for i, name in arguments if name == "receptacle_handles"]
            lists = [set(proposition.lists[1]) for proposition in places if proposition in goes]
            if lists and any(other_list != lists[0] for other_list in lists):
                yield (
                    FailureMode.INCORRECT_AMBIGUITY,
                    "arguments that must be the same have different alternatives",
                )
    for proposition in goes:
        for other in goes:
            less, more = set(proposition.lists[1]), set(other.lists[1])
            if less < more and proposition.predicate == other.predicate:
                kinds = {case.category(name) for name in more}
                mentioned = [m for m in case.mentions if m.categories(FURNITURE) & kinds]
                if len([m for m in mentioned if m.preposition not in SOURCES]) == 1:
                    left = join_words(sorted(more - less))
                    yield FailureMode.INCORRECT_AMBIGUITY, f"{left} also fits the other argument"


def _state_of_furniture(case: Case, proposition: Proposition) -> Iterator[Finding]:
    """Yield other furniture that the instruction could mean, because no room or state excludes
    it."""
    if any(name in case.objects for name in proposition.lists[0]):
        return
    kinds = {case.category(name) for name in proposition.lists[0]}
    able = {
        piece.name
        for piece in case.house.furniture
        if piece.category in kinds and case.is_able(piece.name, proposition.predicate)
    }
    together = {
        name
        for other in case.propositions
        if other.predicate == proposition.predicate
        for name in other.lists[0]
    }
    marked = {name for name in able if case.is_opposite_at_first(name, proposition.predicate)}
    left = able - together
    if not left or (marked and marked <= together) or _ANOTHER.search(_plain_text(case)):
        return
    here = {case.room(name) for name in together & able}
    if any(case.room(name) in here for name in left):
        yield FailureMode.INCORRECT_AMBIGUITY, f"{join_words(sorted(left))} also fits the words"


def _objects(case: Case) -> Iterator[Finding]:
    """Yield objects that fit the instruction but are in no proposition."""
    used = {name for proposition in case.propositions for name in things(proposition)}
    for category in sorted(case.there[OBJECT]):
        own = set(case.where.of_kind(category))
        left = own - used
        if not left or not own & used:
            continue
        mentioned = [m for m in case.mentions if category in m.categories(OBJECT)]
        if not mentioned or any(_is_distinguished(case, m) for m in mentioned):
            continue
        if any(m.sense.group for m in mentioned) and len(mentioned) > 1:
            continue
        if _is_described(case, own & used, left):
            continue
        free = [
            m
            for m in mentioned
            if m.determiner in _ALL or m.determiner in _ONE or m.plural or m.number == 1
        ]
        if len(free) == len(mentioned):
            yield (
                FailureMode.INCORRECT_AMBIGUITY,
                f"{join_words(sorted(left))} fits the words as well as"
                f" {join_words(sorted(own & used))}",
            )


def _classes(case: Case) -> Iterator[Finding]:
    """Yield members of a named class ("all the clothes") that are in no proposition."""
    used = {name for proposition in case.propositions for name in things(proposition)}
    excepted = any(_EXCEPT.search(case.text[: m.start]) for m in case.mentions)
    for m in case.mentions:
        wanted = m.determiner in _ALL or (m.determiner == "the" and m.number is None)
        if not m.sense.group or not wanted or m.modifier or m.preposition in SOURCES or excepted:
            continue
        own = {name for name, kind in case.objects.items() if kind in m.categories(OBJECT)}
        left = own - used
        if not left or not own & used or _is_distinguished(case, m):
            continue
        # the word of a category ("book"), or a purpose ("Let's sort the groceries")
        named = [o.categories(OBJECT) for o in case.mentions if o is not m and not o.sense.group]
        called = {m.text.lower(), m.text.lower().removesuffix("s")}
        if {case.category(name) for name in own & used} <= called.union(*named):
            continue
        if not _is_described(case, own & used, left):
            yield (
                FailureMode.INCORRECT_AMBIGUITY,
                f"{join_words(sorted(left))} belongs to the {m.text} as well",
            )


def _is_described(case: Case, used: set[str], left: set[str]) -> bool:
    """Return whether a named place or state distinguishes the objects of the propositions from
    others of their kind."""
    named = frozenset(
        c for m in case.mentions for kind in (FURNITURE, ROOM) for c in m.categories(kind)
    )

    def places(names: set[str]) -> set[str]:
        categories = {case.category(case.where.holder.get(name, "")) for name in names}
        return categories | {case.category(case.room(name)) for name in names if case.room(name)}

    if (places(used) - places(left)) & named:
        return True
    if "floor" in places(used) - places(left) and "floor" in case.text:
        return True
    state = re.search(r"\b(dirty|clean|empty|full|filled|on|off|lit)\b", case.text)
    given = {str(case.where.states.get(name, {})) for name in used}
    return bool(state) and not given & {str(case.where.states.get(name, {})) for name in left}


def _is_distinguished(case: Case, mention: Mention) -> bool:
    """Return whether a room before a noun, or the words after it, distinguish the object from
    others of its kind."""
    words = [word.word for word in tokens(case.instruction)]
    after = words[mention.after : mention.after + 1]
    if after and after[0] in ("from", "that", "which", "of", "next", "by", "with"):
        return True
    if after and after[0] in ("in", "on"):  # its place, unless it is its target
        place = next((m for m in case.mentions if m.first > mention.after), None)
        return place is None or case.some_at(mention, place)
    if mention.determiner in ("other", "another", "same", "this", "that", "these", "those"):
        return True
    return (
        bool(room_of(case, mention))
        or re.search(r"\b(other|rest|remaining)\b", case.text) is not None
    )
