"""Linguistic phenomena of instructions: table 4 of the PARTNR paper (appendix A.2), by rules.

In the paper, people counted them in 50 instructions. Rules are less exact, but can count all
instructions. The definitions are:

- class reference: a noun for an object, piece of furniture or room, or a class of them;
- instance reference: such a noun with a word before it that distinguishes it from others of its
  class: a colour, size, material, state or place, or another such noun ("the kitchen table"), or a
  clause after it ("that is on the sofa");
- co-reference: a word for something named before, "it" or "those", or "the same";
- passive voice: an event without an agent ("should be put"), and, as in the paper, a question
  ("Can you bring ...?"), once each;
- active voice: a verb in the imperative;
- high-level goal: the purpose ("Let's tidy up"), or a sentence without a command; once in an
  instruction at most;
- agentic reference: a sentence that assigns a step ("while I ...", "the robot").
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping
from functools import cache
from importlib import resources
from typing import Final

from homebody.authoring.language.mentions import mentions

PHENOMENA: Final = (
    "class reference",
    "instance reference",
    "co-reference",
    "passive voice",
    "active voice",
    "high-level goal",
    "agentic reference",
)
"""The linguistic phenomena, in the order of table 4."""


_COREFERENCE: Final = re.compile(
    r"\b(it(?!'s|\s+(?:is|was|has been|will be|would be)\s+\w*\s*(?:time|late|early|that))"
    r"|its|them|they|their|these|those|the same|there(?!'s|\s+(?:is|are|should)\b)"
    # "after that", "with that done" refer to a step, "that is" starts a clause
    r"|(?<!so )(?<!after )(?<!with )(?<!following )(?<!besides )(?<!of )(?<!done )(?<!finish )"
    r"(?<!finished )that(?!'s|\s+(?:is|are|was|were|has|have|you|i|we|the|they)\b))\b"
)
_AUXILIARY = r"(?:be|been|being|is|are|was|were|get|gets|got)"
_PASSIVE: Final = re.compile(
    rf"\b{_AUXILIARY}\s+(?:\w+ly\s+|all\s+|both\s+|then\s+|also\s+|just\s+|now\s+)?"
    r"(?:\w{2,}ed|put|set|kept|left|brought|taken|hung|shut|laid|stood|made|found|given|swept"
    r"|thrown|cut|hidden|sent)\b|\bneeds?\s+(?:\w+ly\s+)?\w{3,}ing\b"
)
_ASKED: Final = re.compile(
    r"\b(?:can|could|would|will|may|might)\s+(?:you|somebody|someone|we|i)\b"
)
_GOAL: Final = re.compile(
    r"\b(?:(?:let's|let us|help (?:me|us)|time (?:to|for)|i want (?:to|you to|the)|we should"
    r"|i'd like (?:to|you to|the)|i would like (?:to|you to|the)|we want|i need|we need) "
    r"(?:please )?(?:\w+ ){0,2}?(?:tid(?:y|ied)|clean(?:ed)? up|prepar\w+|ready|organi[sz]\w+"
    r"|sort\w*|straighten\w*|decorate\w*|set up|get|make|do|pack|unpack|put away|freshen|declutter"
    r"|clear)"
    r"|tidy|tidying|clean(?:ing)? up|prepar(?:e|ing) for|ready for|get \S+.{0,40} (?:ready|sorted)"
    r"|declutter\w*|organi[sz](?:e|ing)|decorat(?:e|ing))\b"
)
_AGENT: Final = re.compile(
    r"\b(?:while (?:i|you|we)\b|i(?:'ll| will| can| am going|'m going)\b"
    r"|(?:the|our|my) (?:robot|human|helper|partner|assistant)\b|one of us|both of us|between us"
    r"|the two of us|you(?:'ll| will| take| handle| do| go| start| bring| move| deal| look)\b"
    r"|i (?:take|handle|do|go|start|deal|look|clean|wash|fill|turn|switch)\b"
    r"|leave \S.{0,40} to me\b)"
)
MAX_TEXT: Final = 4_000
"""Characters of an instruction that are read."""
_CLAUSE = re.compile(r"\s+(?:that|which) (?:is|are|was|were)\b|\s+that's\b")
_SENTENCE = re.compile(r"[^.?!;]+[.?!;]*")
_WORD = re.compile(r"[a-z']+|\d+")


@cache
def _words() -> Mapping[str, frozenset[str]]:
    """The lists of ``phenomena.toml``."""
    text = (resources.files("homebody.authoring.partnr") / "phenomena.toml").read_text("utf-8")
    return {name: frozenset(words) for name, words in tomllib.loads(text).items()}


def phenomena(instruction: str) -> dict[str, int]:
    """Count each of :data:`PHENOMENA` in an instruction."""
    text = instruction[:MAX_TEXT].replace("\u2019", "'").lower()
    nouns = mentions(instruction[:MAX_TEXT])
    instances = 0
    for place, mention in enumerate(nouns):
        before = _WORD.findall(text[: mention.start])[-1:]
        described = bool(before) and before[0] in _words()["marks"]
        described |= bool(_CLAUSE.match(text, mention.end))
        named = bool(place) and nouns[place - 1].modifier and not mention.modifier
        instances += described or named
    sentences = [match.group() for match in _SENTENCE.finditer(text) if _WORD.search(match.group())]
    asks = [bool(_ASKED.search(sentence)) for sentence in sentences]
    passive = sum(len(_PASSIVE.findall(sentence)) for sentence in sentences) + sum(asks)
    active = [
        0 if ask else sum(1 for _ in _commands(sentence))
        for sentence, ask in zip(sentences, asks, strict=True)
    ]
    idle = any(
        not acts and not ask and not _PASSIVE.search(sentence)
        for sentence, acts, ask in zip(sentences, active, asks, strict=True)
    )
    counts = (
        sum(not mention.modifier for mention in nouns) - instances,
        instances,
        len(_COREFERENCE.findall(text)),
        passive,
        sum(active),
        int(idle or bool(_GOAL.search(text))),
        sum(bool(_AGENT.search(sentence)) for sentence in sentences),
    )
    return dict(zip(PHENOMENA, counts, strict=True))


def without_nouns(instruction: str) -> str:
    """Return an instruction without its nouns, in small letters and without punctuation.

    Nouns are the words for objects, furniture, rooms and classes in
    :mod:`homebody.authoring.language.mentions`, in the singular and plural, and the nouns listed in
    ``phenomena.toml``. "An" becomes "a", as it depends on the noun.
    """
    text = instruction[:MAX_TEXT]
    kept, at = [], 0
    for mention in mentions(text):
        kept.append(text[at : mention.start])
        at = mention.end
    kept.append(text[at:])
    words = _WORD.findall(" ".join(kept).replace("\u2019", "'").lower())
    others = _words()["other_nouns"]
    return " ".join("a" if word == "an" else word for word in words if word not in others)


def _commands(sentence: str) -> Iterator[str]:
    """Yield the imperative verbs: verbs of a list without an article or form of "be" before
    them."""
    before = ""
    for word in _WORD.findall(sentence):
        if word in _words()["commands"] and before not in _words()["no_command_after"]:
            yield word
        before = word
