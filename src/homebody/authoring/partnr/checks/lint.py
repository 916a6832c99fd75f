"""Checks of an instruction against its house and its evaluation function, by rules.

They look for the failure modes of table 8 of the PARTNR paper (appendix A.5.1), which there are
found by people. The rules know nouns (:mod:`homebody.authoring.words.mentions`) and the words for
order, states, nearness and places; where words leave a doubt, nothing is reported. What they find
is worth a look, or a reason not to keep what a model wrote.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

from homebody.authoring.partnr.checks.case import PLACED, Case, Finding, case_of
from homebody.authoring.partnr.checks.reference import (
    alternatives,
    elastic,
    entities,
    room_before,
    rooms,
)
from homebody.authoring.partnr.draft import Draft, FailureMode, bounded
from homebody.authoring.partnr.packing import NEARNESS, groups_of, things
from homebody.authoring.partnr.situation import situation
from homebody.authoring.words.mentions import FURNITURE, OBJECT, ROOM, Mention
from homebody.authoring.words.names import listed
from homebody.authoring.words.order import says_order, segments, surely_says_order
from homebody.goals.partnr import Episode, Proposition, TerminalSatisfactionConstraint
from homebody.suites.partnr.predicates import OPPOSITES
from homebody.worlds.house.model.house import House

_VAGUE = re.compile(
    r"\b(somewhere|something(?! to| nice| warm| sweet| hot| good)|some things?|appropriate(ly)?"
    r"|suitable|proper places?|properly"
    r"|where (it|they) belongs?|as (needed|necessary|you like)|whatever|wherever|etc|and so on"
    r"|a few things|some stuff|nicely|the right places?)\b"
)
_ANYTHING = re.compile(
    r"\b(everything|all of (it|that)|things?|items?|objects?|stuff|belongings)\b"
)
_WASH = r"wash|wip|rins|scrub|polish|dust(?!bin|pan)|sponge (it|them|down)"
_WORDS: dict[str, tuple[re.Pattern[str], re.Pattern[str]]] = {
    # predicate: words that ask for it for sure, words that may ask for it
    "is_clean": (
        re.compile(
            rf"\b(({_WASH})(e|es|ed|ing|s|ping|pe|ped)? (it|them|the|all|both|each|every))\b"
        ),
        re.compile(rf"\b({_WASH}|clean|dirty|dirt|spotless|mess|stain|grub|dishes|fresh|gleam)"),
    ),
    "is_filled": (
        re.compile(r"\b(fill(ed|ing)?|refill(ed|ing)?) (it|them|the|up|all|both|each|one|a|two)\b"),
        re.compile(r"\b(re)?fill|\bwater\b|\bpour|\bfull\b|\btop up"),
    ),
    "is_empty": (
        re.compile(
            r"\b(pour|drain|empt)\w* (it|them|the|out|all|both)\b(?! (dish|wash|bin|trash))"
        ),
        re.compile(r"\b(empt|pour|drain|tip)"),
    ),
    "is_powered_on": (
        re.compile(r"\b((turn|switch|power)(ed|ing)? (it |them )?on)\b"),
        re.compile(r"\bon\b|\blight|\blit\b|\bstart|\brun(s|ning)?\b|\bplug|\bboil|\bheat|\bplay"),
    ),
    "is_powered_off": (
        re.compile(r"\b((turn|switch|power)(ed|ing)? (it |them )?off|unplug)\b"),
        re.compile(r"\boff\b|\bout\b|\bstop|\bunplug|\bextinguish|\bdown\b"),
    ),
}
_NEAR = re.compile(
    r"\b(next to(?! nothing)|beside|side by side|alongside|right by|adjacent to|close together"
    r"|close to(?! being)|near (each|one)|together with each other)\b"
)
_MAYBE_NEAR = re.compile(
    r"\b(next to|beside|side by side|alongside|by|near|adjacent|close|together|around|group"
    r"|cluster|bunch|pile|along|against|with)"
)


def lint(subject: Draft | Episode, house: House) -> list[Finding]:
    """What is wrong with an instruction or its evaluation function, as far as rules can tell.

    Args:
        subject: A draft, with or without an evaluation function, or an episode.
        house: Without the objects.

    Returns:
        FailureMode modes, each with a sentence; none if nothing was found.
    """
    case = case_of(subject, house, situation(subject, house))
    found = [*_hallucinations(case), *_ambiguities(case)]
    if case.evaluation is not None:
        unknown = list(_unknown(case))
        found += unknown or [
            *_order(case),
            *_predicates(case),
            *rooms(case),
            *entities(case),
            *alternatives(case),
            *_contradictions(case),
            *_satisfied(case),
        ]
    return list(dict.fromkeys(found))


def _hallucinations(case: Case) -> Iterator[Finding]:
    """Nouns for what the scene has none of, and names that do not exist."""
    for name, at in case.where.holder.items():
        if at not in case.house.piece and at not in case.house.floors and at not in case.objects:
            yield (
                FailureMode.HALLUCINATION,
                f"{name} is put on {bounded(at, 40)}, which does not exist",
            )
    for one in case.mentions:
        if not case.exists(one) and not case.idle(one):
            yield FailureMode.HALLUCINATION, f"there is no {one.text} in this scene"
        elif one.categories(FURNITURE) and not one.categories(OBJECT) and not _there(case, one):
            yield FailureMode.HALLUCINATION, f"there is no {one.text} in that room"
        elif one.number is not None and one.number > 1 and one.categories(OBJECT):
            there = case.count(one)
            if not one.categories(FURNITURE) and one.plural and one.number > there:
                yield FailureMode.HALLUCINATION, f"there are {there} {one.text}, not {one.number}"


def _there(case: Case, one: Mention) -> bool:
    """Whether a piece stands in the room that it is said to stand in, if the scene has that."""
    said = room_before(case, one) & case.there[ROOM]
    return not said or case.stands(one, said)


def _ambiguities(case: Case) -> Iterator[Finding]:
    """Instructions that leave open what is wanted."""
    named = [one for one in case.mentions if one.categories(OBJECT) or one.categories(FURNITURE)]
    vague = _VAGUE.search(case.text)
    if vague is not None and case.names_any(vague.start()):
        yield FailureMode.AMBIGUITY, f"what is meant by {vague.group()!r}?"
    if not named and not _ANYTHING.search(case.text):
        yield FailureMode.AMBIGUITY, "it names neither objects nor furniture"


def _unknown(case: Case) -> Iterator[Finding]:
    known = {*case.objects, *case.house.piece, *case.house.room, *case.house.floors}
    for one in case.propositions:
        for name in (name for names in one.lists for name in names):
            if name not in known:
                yield FailureMode.ENTITY, f"{bounded(name, 40)} does not exist"


def _order(case: Case) -> Iterator[Finding]:
    """Order words without an order, an order without words, and steps in the wrong group."""
    assert case.evaluation is not None
    groups = groups_of(case.evaluation)
    if len(groups) == 1:
        spans = [(one.start, one.end) for one in case.mentions if case.is_about(one)]
        if len(case.propositions) > 1 and surely_says_order(case.instruction, spans):
            yield (
                FailureMode.TEMPORAL_GROUPING,
                "the words ask for an order, the evaluation has none",
            )
        return
    placed = [
        name for one in case.propositions if one.predicate in PLACED for name in set(one.lists[0])
    ]
    again = len(set(placed)) < len(placed)
    if not says_order(case.instruction) and not again:
        yield FailureMode.TEMPORAL_GROUPING, "the evaluation has an order, the words ask for none"
    yield from _misplaced_nearness(case, groups)
    parts = segments(case.instruction)
    if parts is not None and len(parts) > 1:
        yield from _swapped(case, groups, parts)


def _misplaced_nearness(case: Case, groups: list[list[int]]) -> Iterator[Finding]:
    """Things that are to be next to each other when they are not placed, though at another step
    they are."""
    for group in groups:
        for index in group:
            one = case.propositions[index]
            if one.predicate not in NEARNESS:
                continue
            about = things(one)
            at = {
                number
                for number, other in enumerate(groups)
                for i in other
                if case.propositions[i].predicate in PLACED and about & things(case.propositions[i])
            }
            if at and groups.index(group) not in at:
                yield (
                    FailureMode.TEMPORAL_GROUPING,
                    f"{listed(sorted(about))} are next to each other at another step than placed",
                )


def _swapped(
    case: Case, groups: list[list[int]], parts: list[tuple[int, int]]
) -> Iterator[Finding]:
    """Steps that are said in the opposite order."""
    said: list[tuple[int, int] | None] = []
    about = [things(one) for one in case.propositions]
    kinds = [{case.category(n) for index in group for n in about[index]} for group in groups]
    for number, group in enumerate(groups):
        at: set[int] = set()
        others = set().union(*(kinds[:number] + kinds[number + 1 :]))
        for index in group:
            one = case.propositions[index]
            words = _WORDS.get(one.predicate)
            asked = _parts(case.said(one, words[1] if words else None), parts)
            named = _parts(case.named(one), parts)
            # where the same place is meant by all, what goes there tells the steps apart
            own = not {case.category(name) for name in about[index]} & others
            at |= asked & named or (named if own else asked)
        said.append((min(at), max(at)) if at else None)
    for earlier, later in pairwise(said):
        if earlier is not None and later is not None and later[1] < earlier[0]:
            yield FailureMode.TEMPORAL_GROUPING, "steps are said in the opposite order"


def _parts(places: list[int], parts: list[tuple[int, int]]) -> set[int]:
    """The numbers of the parts of a text in which some places are."""
    return {
        number
        for number, (start, end) in enumerate(parts)
        if any(start <= place < end for place in places)
    }


def _predicates(case: Case) -> Iterator[Finding]:
    """Verbs of states and nearness without their predicate, and the other way round."""
    asked = {one.predicate for one in case.propositions}
    for predicate, (sure, maybe) in _WORDS.items():
        word = sure.search(case.text)
        if word is not None and predicate not in asked and not case.tells(word.start()):
            yield FailureMode.PREDICATE, f"{word.group()!r} is said, but nothing {predicate}"
        if predicate in asked and not maybe.search(case.text):
            yield FailureMode.PREDICATE, f"nothing is said of what {predicate} asks for"
    if "is_dirty" in asked and not re.search(r"\b(dirty|dirt|mess|stain|soil|smudge)", case.text):
        yield FailureMode.PREDICATE, "nothing is said of what is_dirty asks for"
    near = asked & NEARNESS
    if near and not _MAYBE_NEAR.search(case.text):
        yield FailureMode.PREDICATE, "nothing is said of what is to be next to each other"
    if not near and _NEAR.search(case.text) and not case.near_is_where():
        yield (
            FailureMode.PREDICATE,
            "something is to be next to something, but no proposition says so",
        )
    yield from _relations(case)


def _relations(case: Case) -> Iterator[Finding]:
    """On for in, of furniture that has both."""
    for one in case.propositions:
        if one.predicate not in ("is_on_top", "is_inside"):
            continue
        for category in dict.fromkeys(case.category(name) for name in one.lists[1]):
            said = {
                m.preposition
                for m in case.mentions
                if category in m.categories(FURNITURE)
                and m.preposition in ("on", "onto", "in", "into", "inside")
                and not m.modifier
            }
            inside = said & {"in", "into", "inside"}
            both = case.bears_both(category) and not elastic(case)
            if both and one.predicate == "is_on_top" and said and said == inside:
                yield FailureMode.PREDICATE, f"in the {category} is said, on top is asked for"
            if both and one.predicate == "is_inside" and said and not inside:
                yield FailureMode.PREDICATE, f"on the {category} is said, inside is asked for"
        if one.predicate == "is_on_top" and case.said_on_floor(one) and not elastic(case):
            yield FailureMode.PREDICATE, "the floor is said, furniture is asked for"


def _contradictions(case: Case) -> Iterator[Finding]:
    """Two things that have to hold at the end and cannot both."""
    assert case.evaluation is not None
    ends = [
        index
        for one in case.evaluation.constraints
        if isinstance(one, TerminalSatisfactionConstraint)
        for index in one.propositions
    ]
    final = [case.propositions[index] for index in dict.fromkeys(ends)]
    for one in case.propositions:
        if any(n > len(names) for n, names in zip(one.numbers, one.lists, strict=False)):
            yield FailureMode.CONTRADICTION, f"{one.number} of {len(one.lists[0])} cannot be had"
    for number, one in enumerate(final):
        if not case.sure(one):
            continue
        for other in final[number + 1 :]:
            if case.sure(other) and _excluded(case, one, other, final):
                why = f"{one.predicate} and {other.predicate} of {listed(one.lists[0])}"
                yield FailureMode.CONTRADICTION, f"{why} cannot both be so at the end"


def _excluded(case: Case, one: Proposition, other: Proposition, final: list[Proposition]) -> bool:
    """Whether two propositions rule each other out, each about all of its objects."""
    pair = (one, other)
    if OPPOSITES.get(one.predicate) == other.predicate:
        return bool(set(one.lists[0]) & set(other.lists[0]))
    for near, place in (pair, pair[::-1]):
        if near.predicate == "is_next_to" and place.predicate in PLACED and case.single(near):
            # what two things that have to be next to each other are on is different
            for mine, theirs in (near.lists, near.lists[::-1]):
                if mine[0] in place.lists[0]:
                    for third in final:
                        if (
                            third.predicate in PLACED
                            and case.sure(third)
                            and theirs[0] in third.lists[0]
                            and case.far_apart(place, third)
                        ):
                            return True
    if one.predicate in PLACED and other.predicate in PLACED:
        return bool(set(one.lists[0]) & set(other.lists[0])) and case.apart(one, other)
    return False


def _satisfied(case: Case) -> Iterator[Finding]:
    """Tasks of which all is so at the start."""
    if case.propositions and all(case.holds_at_first(one) for one in case.propositions):
        yield FailureMode.SATISFIED, "all of it is so at the start"


__all__ = ["Finding", "lint"]
