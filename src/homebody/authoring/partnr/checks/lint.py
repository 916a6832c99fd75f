"""Rules that compare an instruction with its house and its evaluation function.

They find the failure modes of table 8 of the PARTNR paper (appendix A.5.1). In the paper, people
found them. The rules use nouns (:mod:`homebody.authoring.language.mentions`) and words for order,
states, nearness and places. If they are not certain, they report nothing. A person should look at
each finding; a model's draft with a finding is rejected.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

from homebody.authoring.language.mentions import FURNITURE, OBJECT, ROOM, Mention
from homebody.authoring.language.names import join_words
from homebody.authoring.language.order import says_order, segments, surely_says_order
from homebody.authoring.partnr.checks.case import PLACED, Case, Finding, case_of
from homebody.authoring.partnr.checks.reference import (
    alternatives,
    entities,
    is_elastic,
    room_before,
    rooms,
)
from homebody.authoring.partnr.draft import Draft, FailureMode, excerpt
from homebody.authoring.partnr.packing import NEARNESS, Groups, things
from homebody.authoring.partnr.situation import situation
from homebody.goals.partnr import (
    Episode,
    Proposition,
    TerminalSatisfactionConstraint,
    temporal_groups,
)
from homebody.suites.partnr.episodes.predicates import OPPOSITES
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
    # predicate: words that certainly state it, words that may state it
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
    """Return the errors that rules find in an instruction or its evaluation function: failure
    modes, each with an explanation. The house must be without objects."""
    case = case_of(subject, house, situation(subject, house))
    findings = [*_hallucinations(case), *_ambiguities(case)]
    if case.evaluation is not None:
        unknown = list(_unknown_names(case))
        findings += unknown or [
            *_order(case),
            *_predicates(case),
            *rooms(case),
            *entities(case),
            *alternatives(case),
            *_contradictions(case),
            *_satisfied_at_start(case),
        ]
    return list(dict.fromkeys(findings))


def _hallucinations(case: Case) -> Iterator[Finding]:
    """Yield nouns that match nothing in the scene, and names that do not exist."""
    for name, at in case.where.holder.items():
        if at not in case.house.piece and at not in case.house.floors and at not in case.objects:
            yield (
                FailureMode.HALLUCINATION,
                f"{name} is put on {excerpt(at, 40)}, which does not exist",
            )
    for mention in case.mentions:
        if not case.exists(mention) and not case.is_idle(mention):
            yield FailureMode.HALLUCINATION, f"there is no {mention.text} in this scene"
        elif (
            mention.categories(FURNITURE)
            and not mention.categories(OBJECT)
            and not _is_there(case, mention)
        ):
            yield FailureMode.HALLUCINATION, f"there is no {mention.text} in that room"
        elif mention.number is not None and mention.number > 1 and mention.categories(OBJECT):
            there = case.count(mention)
            if not mention.categories(FURNITURE) and mention.plural and mention.number > there:
                yield (
                    FailureMode.HALLUCINATION,
                    f"there are {there} {mention.text}, not {mention.number}",
                )


def _is_there(case: Case, mention: Mention) -> bool:
    """Return whether a piece is in its stated room, if the scene has that room."""
    rooms = room_before(case, mention) & case.there[ROOM]
    return not rooms or case.stands(mention, rooms)


def _ambiguities(case: Case) -> Iterator[Finding]:
    """Yield a finding if the goal of the instruction is unclear."""
    named = [
        mention
        for mention in case.mentions
        if mention.categories(OBJECT) or mention.categories(FURNITURE)
    ]
    vague = _VAGUE.search(case.text)
    if vague is not None and case.names_any(vague.start()):
        yield FailureMode.AMBIGUITY, f"{vague.group()!r} is ambiguous"
    if not named and not _ANYTHING.search(case.text):
        yield FailureMode.AMBIGUITY, "it names neither objects nor furniture"


def _unknown_names(case: Case) -> Iterator[Finding]:
    names_there = {*case.objects, *case.house.piece, *case.house.room, *case.house.floors}
    for proposition in case.propositions:
        for name in (name for names in proposition.lists for name in names):
            if name not in names_there:
                yield FailureMode.ENTITY, f"{excerpt(name, 40)} does not exist"


def _order(case: Case) -> Iterator[Finding]:
    """Yield findings on order: words without an order in the goal, an order without words, and
    steps in the wrong group."""
    assert case.evaluation is not None
    groups = temporal_groups(case.evaluation)
    if len(groups) == 1:
        spans = [
            (mention.start, mention.end) for mention in case.mentions if case.is_about(mention)
        ]
        if len(case.propositions) > 1 and surely_says_order(case.instruction, spans):
            yield (
                FailureMode.TEMPORAL_GROUPING,
                "the words state an order, the evaluation has none",
            )
        return
    placed = [
        name
        for proposition in case.propositions
        if proposition.predicate in PLACED
        for name in set(proposition.lists[0])
    ]
    again = len(set(placed)) < len(placed)
    if not says_order(case.instruction) and not again:
        yield FailureMode.TEMPORAL_GROUPING, "the evaluation has an order, the words state none"
    yield from _misplaced_nearness(case, groups)
    parts = segments(case.instruction)
    if parts is not None and len(parts) > 1:
        yield from _swapped_steps(case, groups, parts)


def _misplaced_nearness(case: Case, groups: Groups) -> Iterator[Finding]:
    """Yield objects that are placed in one group and must be near others in another group."""
    for group in groups:
        for index in group:
            proposition = case.propositions[index]
            if proposition.predicate not in NEARNESS:
                continue
            about = things(proposition)
            at = {
                number
                for number, other in enumerate(groups)
                for i in other
                if case.propositions[i].predicate in PLACED and about & things(case.propositions[i])
            }
            if at and groups.index(group) not in at:
                yield (
                    FailureMode.TEMPORAL_GROUPING,
                    f"{join_words(sorted(about))} are next to each other in another step than"
                    " their placement",
                )


def _swapped_steps(case: Case, groups: Groups, parts: list[tuple[int, int]]) -> Iterator[Finding]:
    """Yield a finding if the instruction states the opposite order of steps."""
    spans: list[tuple[int, int] | None] = []
    about = [things(proposition) for proposition in case.propositions]
    kinds = [{case.category(n) for index in group for n in about[index]} for group in groups]
    for number, group in enumerate(groups):
        at: set[int] = set()
        others = set().union(*(kinds[:number] + kinds[number + 1 :]))
        for index in group:
            proposition = case.propositions[index]
            words = _WORDS.get(proposition.predicate)
            verb_parts = _parts(
                case.places_of_goal(proposition, words[1] if words else None), parts
            )
            named = _parts(case.mentions_of(proposition), parts)
            # steps to the same place differ by their things
            own = not {case.category(name) for name in about[index]} & others
            at |= verb_parts & named or (named if own else verb_parts)
        spans.append((min(at), max(at)) if at else None)
    for earlier, later in pairwise(spans):
        if earlier is not None and later is not None and later[1] < earlier[0]:
            yield FailureMode.TEMPORAL_GROUPING, "the words state the steps in the opposite order"


def _parts(places: list[int], parts: list[tuple[int, int]]) -> set[int]:
    """Return the indices of the parts of a text that contain the given positions."""
    return {
        number
        for number, (start, end) in enumerate(parts)
        if any(start <= place < end for place in places)
    }


def _predicates(case: Case) -> Iterator[Finding]:
    """Yield words for states and nearness without a matching predicate, and predicates without
    matching words."""
    predicates = {proposition.predicate for proposition in case.propositions}
    for predicate, (sure, maybe) in _WORDS.items():
        word = sure.search(case.text)
        if (
            word is not None
            and predicate not in predicates
            and not case.is_background(word.start())
        ):
            yield FailureMode.PREDICATE, f"the words have {word.group()!r}, but nothing {predicate}"
        if predicate in predicates and not maybe.search(case.text):
            yield FailureMode.PREDICATE, f"the words do not mention {predicate}"
    if "is_dirty" in predicates and not re.search(
        r"\b(dirty|dirt|mess|stain|soil|smudge)", case.text
    ):
        yield FailureMode.PREDICATE, "the words do not mention is_dirty"
    near = predicates & NEARNESS
    if near and not _MAYBE_NEAR.search(case.text):
        yield FailureMode.PREDICATE, "the words put nothing next to each other"
    if not near and _NEAR.search(case.text) and not case.near_is_where():
        yield (
            FailureMode.PREDICATE,
            "the words put things next to each other, but no proposition does",
        )
    yield from _relations(case)


def _relations(case: Case) -> Iterator[Finding]:
    """Yield a finding if "on" and "in" are confused, for furniture that has both."""
    for proposition in case.propositions:
        if proposition.predicate not in ("is_on_top", "is_inside"):
            continue
        for category in dict.fromkeys(case.category(name) for name in proposition.lists[1]):
            prepositions = {
                m.preposition
                for m in case.mentions
                if category in m.categories(FURNITURE)
                and m.preposition in ("on", "onto", "in", "into", "inside")
                and not m.modifier
            }
            inside = prepositions & {"in", "into", "inside"}
            both = case.bears_both(category) and not is_elastic(case)
            if (
                both
                and proposition.predicate == "is_on_top"
                and prepositions
                and prepositions == inside
            ):
                yield FailureMode.PREDICATE, f"the words put things in the {category}, not on top"
            if both and proposition.predicate == "is_inside" and prepositions and not inside:
                yield FailureMode.PREDICATE, f"the words put things on the {category}, not inside"
        if (
            proposition.predicate == "is_on_top"
            and case.only_floor_named(proposition)
            and not is_elastic(case)
        ):
            yield FailureMode.PREDICATE, "the words name the floor, not furniture"


def _contradictions(case: Case) -> Iterator[Finding]:
    """Yield pairs of propositions that must both hold at the end but exclude each other."""
    assert case.evaluation is not None
    ends = [
        index
        for constraint in case.evaluation.constraints
        if isinstance(constraint, TerminalSatisfactionConstraint)
        for index in constraint.propositions
    ]
    final = [case.propositions[index] for index in dict.fromkeys(ends)]
    for proposition in case.propositions:
        if any(
            n > len(names) for n, names in zip(proposition.numbers, proposition.lists, strict=False)
        ):
            yield (
                FailureMode.CONTRADICTION,
                f"{proposition.number} of {len(proposition.lists[0])} are impossible",
            )
    for number, proposition in enumerate(final):
        if not case.is_sure(proposition):
            continue
        for other in final[number + 1 :]:
            if case.is_sure(other) and _is_exclusive(case, proposition, other, final):
                both = f"{proposition.predicate} and {other.predicate}"
                why = f"{both} of {join_words(proposition.lists[0])} cannot both hold at the end"
                yield FailureMode.CONTRADICTION, why


def _is_exclusive(
    case: Case, proposition: Proposition, other: Proposition, final: list[Proposition]
) -> bool:
    """Return whether two propositions, each about all of its objects, exclude each other."""
    pair = (proposition, other)
    if OPPOSITES.get(proposition.predicate) == other.predicate:
        return bool(set(proposition.lists[0]) & set(other.lists[0]))
    for near, place in (pair, pair[::-1]):
        if near.predicate == "is_next_to" and place.predicate in PLACED and case.is_single(near):
            # two things that must be next to each other are on different pieces
            for mine, theirs in (near.lists, near.lists[::-1]):
                if mine[0] in place.lists[0]:
                    for third in final:
                        if (
                            third.predicate in PLACED
                            and case.is_sure(third)
                            and theirs[0] in third.lists[0]
                            and case.is_far_apart(place, third)
                        ):
                            return True
    if proposition.predicate in PLACED and other.predicate in PLACED:
        return bool(set(proposition.lists[0]) & set(other.lists[0])) and case.is_apart(
            proposition, other
        )
    return False


def _satisfied_at_start(case: Case) -> Iterator[Finding]:
    """Yield a finding if all propositions hold at the start."""
    if case.propositions and all(
        case.holds_at_first(proposition) for proposition in case.propositions
    ):
        yield FailureMode.SATISFIED, "everything holds at the start"


__all__ = ["Finding", "lint"]
