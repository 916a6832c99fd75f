"""Expresses a meaning of the built-in author as an instruction in English.

The meaning is a list of groups of steps. Groups are stated in their order, with words such as
"first" and "then". Within a group no such word is used, because the order of its steps does not
matter.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from homebody.authoring.partnr.grammar.meaning import (
    Meaning,
    Put,
    Step,
    Switch,
    do_overlap,
    moved_again,
)
from homebody.authoring.partnr.grammar.naming import Namer, are_several, same_things
from homebody.authoring.partnr.grammar.phrases import phrases
from homebody.authoring.partnr.grammar.speech import say as say_step
from homebody.authoring.partnr.grammar.speech import say_gapped, say_passive, say_result, say_swap
from homebody.authoring.partnr.grammar.themes import Theme
from homebody.suites.partnr.settings import HUMAN, ROBOT

OPENING = 0.55
"""Probability that the instruction begins with the purpose of the whole ("To get breakfast ready").
"""
ALONE = 0.4
"""Probability that a sentence of its own states this purpose, and that it describes the situation.
"""
LED, CLOSED = 0.05, 0.03
"""Probabilities of an additional sentence at the start and at the end, if the tone of the
instruction (:class:`.phrases.Register`) has such sentences."""
PURPOSE = 0.14
"""Probability that an instruction without such a beginning states the purpose after the last step.
"""
BECAUSE = 0.2
"""Probability that a reason for the place of an object is stated, if one is known."""
AGENTIC = 0.3
"""Probability that two steps of a group are assigned to the two agents ("I ..., you ...")."""
PASSIVE = 0.085
"""Probability that a sentence is passive ("the cup should be put on the table")."""
PAIRED = 0.62
"""Probability that two unordered steps form one sentence."""
ASKED = 0.05
"""Probability that a sentence is a question."""


_TEAM = re.compile(r"\b(we|let's|help me)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Wording:
    """An instruction, its number of each phenomenon of the paper's table 4, and the steps that it
    assigns to agents."""

    text: str
    counts: Mapping[str, int]
    assigned: Sequence[tuple[str, Step]] = ()


PHENOMENA = (
    "class_reference",
    "instance_reference",
    "co_reference",
    "passive",
    "active",
    "high_level_goal",
    "agentic_reference",
)


def say(
    meaning: Meaning,
    theme: Theme,
    rng: np.random.Generator,
    rooms: Mapping[str, int],
    alone: bool = False,
) -> Wording:
    """Return an instruction that expresses a meaning.

    Args:
        meaning: The meaning.
        theme: The situation.
        rng: Chooses between equivalent wordings.
        rooms: Kind of room -> how many the house has.
        alone: True if one agent does all steps; otherwise some may be assigned to the speaker.
    """
    shared = {
        step.spot.names
        for step in meaning.steps
        if isinstance(step, Put) and step.same_place_as is not None
    }
    namer = Namer(rng, shared, rooms, moved_again(meaning.steps), alone=alone)
    sentences: list[str] = []
    if namer.register.leads and namer.chance(LED):
        sentences.append(namer.fill_slots(namer.choice(namer.register.leads)))
    goal = ""
    openings, goals, purposes = (
        [text for text in texts if not _is_vague(text, rooms)]
        for texts in (theme.openings, theme.goals, theme.purposes)
    )
    if openings and namer.chance(OPENING):
        namer.counts["high_level_goal"] += 1
        if not goals or namer.chance(ALONE):
            sentences.append(namer.fill_slots(namer.choice(openings)))
        else:
            goal = namer.choice(goals)
            if namer.chance(ALONE):
                frame = namer.choice(_fitting(namer, phrases().frames["goal"]))
                sentences.append(frame.format(base=goal))
                goal = ""
    for sentence in sentences:
        namer.note_courtesies(sentence)
    start, long = len(sentences), False
    groups = list(meaning.groups)
    while groups:
        first = len(groups) == len(meaning.groups)
        if len(groups) > 1 and first and namer.chance(0.5):
            joined = _join_groups(namer, groups[0], groups[1])
            if joined is not None:
                sentences += joined
                namer.note_courtesies(joined[0])
                groups = groups[2:]
                continue
        place = "first" if first and len(groups) > 1 else ("" if first else "next")
        if not first and len(groups) == 1 and len(meaning.groups) > 2:
            place = "last"
        said = _say_group(namer, groups[0], place, long)
        long = len(said) > 1
        sentences += said
        groups = groups[1:]
    if goal:
        sentences[start : start + 1] = _say_goal(namer, goal, sentences[start])
    end = meaning.groups[-1][-1]
    brought = isinstance(end, Put) and end.spot.kind != "back" and ", " not in sentences[-1][-45:]
    if any(
        isinstance(step, Put) and (step.together not in ("", "one") or step.beside)
        for step in meaning.groups[-1]
    ):
        brought = False  # a purpose reads badly after "side by side"
    open_end = not sentences[-1].endswith(("?", " too.", " as well."))
    told = namer.counts["high_level_goal"] > 0
    if purposes and brought and open_end and not told and namer.chance(PURPOSE):
        namer.counts["high_level_goal"] += 1
        clause = namer.fill_slots(namer.choice(purposes))
        clause = clause[:1].lower() + clause[1:]
        sentences[-1] = f"{sentences[-1][:-1].removesuffix(', please')} {clause}."
    if namer.register.closings and namer.chance(CLOSED):
        sentences.append(namer.fill_slots(namer.choice(namer.register.closings)))
    counts = {name: namer.counts[name] for name in PHENOMENA}
    return Wording(" ".join(sentences), counts, tuple(namer.assigned))


def _is_vague(text: str, rooms: Mapping[str, int]) -> bool:
    """Return whether a text speaks of "the bathroom" although there are several."""
    several = (kind.replace("_", " ") for kind, count in rooms.items() if count > 1)
    return any(kind in text for kind in several)


def _say_goal(namer: Namer, goal: str, sentence: str) -> list[str]:
    """Return the purpose of an instruction and its first sentence, as one sentence if possible."""
    word = sentence.split()[0].rstrip(",")
    if word in phrases().words["clauses"] or "?" in sentence:
        frame = namer.choice(_fitting(namer, phrases().frames["goal"]))
        return [frame.format(base=goal), sentence]
    sentence = sentence.removeprefix("First, ").removeprefix("First ")
    if not sentence.startswith(("I ", "I'")):
        sentence = sentence[0].lower() + sentence[1:]
    return [f"To {goal}, {sentence}"]


def _say_group(namer: Namer, steps: Sequence[Step], place: str, long: bool = False) -> list[str]:
    """Return the sentences that state the steps of a group.

    ``place`` is the position of the group: ``first``, ``next``, ``last``, or empty if there is
    only one. With ``long``, the group before has several sentences."""
    sentences: list[str] = []
    left = list(steps)
    while left:
        if not sentences and place in ("next", "last"):
            kind = "last" if place == "last" and namer.chance(0.6) else "next"
            if long and kind == "next":
                kind = "next_to_all"
        elif not sentences and place == "first" and namer.chance(0.45):
            kind = "first"
        else:
            kind = "more" if sentences else "plain"
        if kind in ("plain", "more"):
            divisible = kind == "plain" and not namer.alone and _can_divide(left)
            if divisible and namer.chance(AGENTIC):
                sentences.append(_divide(namer, left[0], left[1]))
                left = left[2:]
                continue
            if namer.chance(PASSIVE):
                text = say_passive(namer, left[0])
                if text is not None:
                    namer.counts["passive"] += 1
                    sentences.append(_capitalise(f"{text}."))
                    left = left[1:]
                    continue
            if namer.chance(ASKED):
                kind = "asked"
        number = _count_steps(namer, left, place in ("next", "last"))
        switches = any(isinstance(step, Switch) for step in left[:number])
        if switches and kind == "asked" and not namer.alone:
            kind = "more" if sentences else "plain"
        frames = [
            frame
            for frame in _fitting(namer, namer.register.frames.get(kind, phrases().frames[kind]))
            if namer.alone
            or not (switches and any(words in frame for words in phrases().to_the_robot))
        ]
        sentences.append(_fill_frame(namer, _choose_frame(namer, frames), left[:number]))
        left = left[number:]
    return sentences


def _fitting(namer: Namer, frames: Sequence[str]) -> Sequence[str]:
    """Return the frames that fit the listener: no "let's" for one that is alone."""
    return [frame for frame in frames if not (namer.alone and _TEAM.search(frame))]


def _choose_frame(namer: Namer, frames: Sequence[str]) -> str:
    """Return a random sentence pattern ("Please {base}."). "Please" and "let's" occur only once in
    an instruction."""
    fresh = [
        frame for frame in frames if not any(word in frame.lower() for word in namer.courtesies)
    ]
    frame = namer.choice(fresh or ("{Base}.",))
    namer.note_courtesies(frame)
    return frame


def _count_steps(namer: Namer, left: Sequence[Step], later: bool) -> int:
    """Return the number of steps in the next sentence, one or two.

    All groups but the first have one sentence with all their steps: a "then" at its start would
    not clearly apply to a second sentence."""
    if later:
        return len(left)
    if _is_swap(left[0]):
        return 2
    if len(left) < 2 or _is_swap(left[1]) or do_overlap(left[0], left[1]):
        return 1
    return 2 if same_things(left[0].things, left[1].things) or namer.chance(PAIRED) else 1


def _can_divide(steps: Sequence[Step]) -> bool:
    """Return whether two agents can do the first two steps at the same time.

    The steps must be about different objects, and the robot must be able to do one of them."""
    if all(isinstance(step, Switch) for step in steps[:2]):
        return False
    names = [{name for things in step.things for name in things.names} for step in steps[:2]]
    return len(names) > 1 and not names[0] & names[1] and not any(map(_is_swap, steps[:2]))


def _is_swap(step: Step) -> bool:
    return isinstance(step, Put) and step.swap


def _fill_frame(namer: Namer, frame: str, steps: Sequence[Step]) -> str:
    """Return a sentence: steps inserted in a pattern with ``{base}``, ``{Base}`` or ``{ing}``."""
    question = frame.endswith("?")
    namer.counts["passive" if question else "active"] += 1
    long = len(steps) > 1 or (isinstance(steps[0], Put) and steps[0].together)
    if long and frame.startswith(("{Base}, too", "{Base} as well")):
        frame = "Also, {base}."
    form = "ing" if "{ing}" in frame else "base"
    text = _say_several(namer, steps, form)
    if text.endswith(("too", "as well")):
        frame = frame.replace(", too.", ".").replace(" as well.", ".").replace("also ", "")
        frame = "{Base}." if frame.startswith("Also") else frame
    if " and " in text or ", " in text:
        frame = frame.replace("{Base}, please.", "Please {base}.")
    if frame.endswith("ase}.") and len(steps) == 1 and namer.chance(BECAUSE):
        text += _reason(namer, steps[0])
    return frame.format(base=text, ing=text, Base=_capitalise(text))


def _reason(namer: Namer, step: Step) -> str:
    """Return a clause with the reason for the place of a step, such as "because it goes there";
    empty if no reason is known."""
    if not isinstance(step, Put) or step.together not in ("", "one") or step.beside or step.swap:
        return ""
    if any(name in namer.moved_again for things in step.things for name in things.names):
        return ""
    clauses = phrases().because.get(step.spot.word)
    if not clauses or step.spot.kind not in ("furniture", "room"):
        return ""
    it, them, be = ("they", "them", "are") if are_several(step.things) else ("it", "it", "is")
    return f", {namer.choice(clauses).format_map({'it': it, 'them': them, 'is': be})}"


def _say_several(namer: Namer, steps: Sequence[Step], form: str) -> str:
    """Return steps as one verb phrase ("wash the cup and put it away")."""
    parts: list[str] = []
    left = list(steps)
    while left:
        step = left.pop(0)
        if isinstance(step, Put) and step.swap and left:
            other = left.pop(0)
            assert isinstance(other, Put)
            parts.append(say_swap(namer, step, other, form))
            continue
        both = (
            say_gapped(namer, step, left[0])
            if form == "base" and left and namer.chance(0.4)
            else ""
        )
        if both:
            left.pop(0)
        parts.append(both or say_step(namer, step, form))
    if len(steps) > 1 and not same_things(steps[-2].things, steps[-1].things):
        namer.blur()  # "them" would be ambiguous
    if len(parts) == 1:
        return parts[0]
    head = ", ".join(parts[:-1])
    near = isinstance(steps[0], Put) and (steps[0].together or steps[0].beside)
    busy = len(parts) > 2 or near or " and " in head or ", " in head or len(head) > 45
    return f"{head}{', and' if busy else ' and'} {parts[-1]}"


def _divide(namer: Namer, step: Step, other: Step) -> str:
    """Return one sentence that assigns two steps to the two agents.

    The speaker is the human, who takes the step that the robot cannot do."""
    frame = namer.choice(phrases().frames["divided"])
    namer.counts["agentic_reference"] += 1
    namer.counts["active"] += 2
    if isinstance(step, Switch) and not isinstance(other, Switch):
        step, other = other, step
    namer.assigned += [(ROBOT, step), (HUMAN, other)]
    if frame.index("{other}") < frame.index("{base}"):
        second = say_step(namer, other, "base")
        first = say_step(namer, step, "base")
    else:
        first = say_step(namer, step, "base")
        second = say_step(namer, other, "base")
    namer.blur()
    if "{base} while" in frame and "," in first:
        first += ","
    if "{other} while" in frame and "," in second:
        second += ","
    return frame.format(base=first, other=second)


def _join_groups(namer: Namer, first: Sequence[Step], other: Sequence[Step]) -> list[str] | None:
    """Return sentences that state that one group comes before another ("Before you ..., ..."); None
    if the groups are too long."""
    if len(first) > 2 or len(other) > 2 or len(first) + len(other) > 3:
        return None
    namer.counts["active"] += 2
    sentences = _join(namer, first, other, int(namer.rng.integers(9)))
    if not same_things(first[-1].things, other[-1].things):
        namer.blur()
    return sentences


def _join(namer: Namer, first: Sequence[Step], other: Sequence[Step], draw: int) -> list[str]:
    """Return the sentences of :func:`_join_groups` in the way that ``draw`` chooses."""
    if draw == 0:
        later = _say_several(namer, other, "ing")
        return [f"Before {later}, {_say_several(namer, first, 'base')}."]
    if draw == 1 and len(first) == 1:
        earlier = _say_several(namer, first, "base")
        comma = "," if ", " in earlier else ""
        return [f"{_capitalise(earlier)}{comma} before {_say_several(namer, other, 'ing')}."]
    if draw == 2:
        earlier = _say_several(namer, first, "ing")
        return [f"After {earlier}, {_say_several(namer, other, 'base')}."]
    if draw in (3, 4):
        earlier = _say_several(namer, first, "base")
        word = namer.choice((", then", ", and then", ", then", ", and after that", ", then please"))
        return [f"{_capitalise(earlier)}{word} {_say_several(namer, other, 'base')}."]
    if draw in (5, 6) and len(first) == 1:
        # the first step needs a sentence: "once the cup is there, ..." would only state a time
        earlier = _say_several(namer, first, "base")
        word = namer.choice(("Once", "As soon as", "When"))
        done = f"{word} {say_result(first[0])}"
        return [f"{_capitalise(earlier)}.", f"{done}, {_say_several(namer, other, 'base')}."]
    if draw == 7 and len(other) == 1:
        earlier = _say_several(namer, first, "ing")
        return [f"Start by {earlier}, then {_say_several(namer, other, 'base')}."]
    earlier = _say_several(namer, first, "base")
    then = namer.choice((", then", ", and then", ", and after that"))
    return [
        f"{namer.choice(('First', 'First,'))} {earlier}{then} {_say_several(namer, other, 'base')}."
    ]


def _capitalise(text: str) -> str:
    return text[:1].upper() + text[1:]
