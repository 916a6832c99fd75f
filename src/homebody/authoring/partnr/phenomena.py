"""Linguistic phenomena of instructions: table 4 of the PARTNR paper (appendix A.2), by rules.

The paper has them counted by people in 50 instructions. Here words are counted, which is coarser
and can be done for all. What counts as what:

- class reference: a noun for an object, piece of furniture or room, or a class of them;
- instance reference: such a noun with a word before it that tells it from others of its class: a
  colour, size, material, state or place, or another such noun ("the kitchen table"), or a clause
  after it ("that is on the sofa");
- co-reference: a word for what was named before, "it" or "those", or "the same";
- passive voice: what happens to a thing ("should be put"), and, as in the paper, a sentence that
  asks ("Can you bring ...?"), once each;
- active voice: a verb that commands;
- high-level goal: what it is all for ("Let's tidy up"), or a sentence that commands nothing;
  once in an instruction at most;
- agentic reference: a sentence that says who is to do it ("while I ...", "the robot").
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from homebody.authoring.words.mentions import mentions

PHENOMENA: Final = (
    "class reference",
    "instance reference",
    "co-reference",
    "passive voice",
    "active voice",
    "high-level goal",
    "agentic reference",
)
"""In the order of table 4."""


def _set(words: str) -> frozenset[str]:
    return frozenset(words.split())


OTHER_NOUNS: Final = _set(
    """
    afternoon air amount area arrangement attention aunt autumn baby bag bags basket bath
    bathroom bedroom bedtime beginning bell birthday board bottom break breakfast brother brunch
    bus business call calls celebration center centre chance chat child children chore chores
    circle class cleaning clutter coffee color colour company cooking corner counter couple
    cousin cousins craft dad day dessert dining dinner dirt door doors dust edge end evening
    event exercise family father feast film films floor floors flowers food friend friends fun
    game games gathering goal grandfather grandma grandmother grandpa grandparents group guest
    guests hallway hand hands heap holiday home homework hour hours house housework idea item
    items job journey kid kids kind kitchen landlord laundry lesson light lights list living lot
    lunch man mate meal meals meeting mess middle minute minutes moment mood morning mother
    movie mum music neighbor neighbors neighbour neighbours nephew niece night noise nook number
    object objects occasion office order orders organising organizing pair parent parents part
    partner party peace people person piece pieces pile piles place places plan playtime
    practice preparation quarter rain reading refreshments repair repairs rest robot room
    roommate rooms route routine row school session setting shift shopping side sight sister
    sleep snack snacks snow soup space spot spots spring step steps storage storm study stuff
    summer sun supper surface surfaces tap task tasks taxi tea teatime thing things tidying time
    today toddler tomorrow tonight toys trip trips uncle visit visitor visitors walk walkway
    wall walls water way week weekend window windows winter work workout world year yoga
    """
)
"""Nouns that name nothing in a house, or anything; not those that mostly are no nouns."""

_MARKS: Final = _set(
    """
    red orange yellow green blue navy purple pink brown black white grey gray beige silver gold
    golden cream teal dirty empty full unused striped spotted wooden metal metallic plastic
    glass ceramic leather round square rectangular tall short small little large big long narrow
    wide tiny huge leftmost rightmost upper lower top bottom middle corner nearest closest
    farthest other main second third
    """
)
_COREFERENCE: Final = re.compile(
    r"\b(it(?!'s|\s+(?:is|was|has been|will be|would be)\s+\w*\s*(?:time|late|early|that))"
    r"|its|them|they|their|these|those|the same|there(?!'s|\s+(?:is|are|should)\b)"
    # "after that", "with that done" refer to what was done, "that is" goes on
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
_COMMANDS: Final = _set(
    """
    add arrange begin bring carry clean clear close collect deliver deposit do drop dust empty
    ensure fetch fill find finish gather get give go grab hand hang keep lay leave line load
    lower make move open pack park pick pile place pop position pour power prepare press pull
    push put rearrange refill relocate remove replace reset rest return rinse run scrub send
    serve set shift shut slide slip sort stack stand start stash stick store stow swap switch
    take tidy toss transfer transport tuck turn unload wash wipe
    """
)
_NO_COMMAND_AFTER: Final = _set(
    """
    a an the these those my your our its their any some each every both be is are been
    was were all one two three four of no good quick thorough proper
    """
)
_MOST: Final = 4_000
"""Characters of an instruction that are read."""
_CLAUSE = re.compile(r"\s+(?:that|which) (?:is|are|was|were)\b|\s+that's\b")
_SENTENCE = re.compile(r"[^.?!;]+[.?!;]*")
_WORD = re.compile(r"[a-z']+|\d+")


def phenomena(instruction: str) -> dict[str, int]:
    """How often an instruction has each of :data:`PHENOMENA`."""
    text = instruction[:_MOST].replace("\u2019", "'").lower()
    nouns = mentions(instruction[:_MOST])
    instances = 0
    for place, one in enumerate(nouns):
        before = _WORD.findall(text[: one.start])[-1:]
        described = bool(before) and before[0] in _MARKS
        described |= bool(_CLAUSE.match(text, one.end))
        named = bool(place) and nouns[place - 1].modifier and not one.modifier
        instances += described or named
    sentences = [one.group() for one in _SENTENCE.finditer(text) if _WORD.search(one.group())]
    asked = [bool(_ASKED.search(one)) for one in sentences]
    passive = sum(len(_PASSIVE.findall(one)) for one in sentences) + sum(asked)
    active = [
        0 if ask else sum(1 for _ in _commands(one))
        for one, ask in zip(sentences, asked, strict=True)
    ]
    idle = any(
        not acts and not ask and not _PASSIVE.search(one)
        for one, acts, ask in zip(sentences, active, asked, strict=True)
    )
    counts = (
        sum(not one.modifier for one in nouns) - instances,
        instances,
        len(_COREFERENCE.findall(text)),
        passive,
        sum(active),
        int(idle or bool(_GOAL.search(text))),
        sum(bool(_AGENT.search(one)) for one in sentences),
    )
    return dict(zip(PHENOMENA, counts, strict=True))


def without_nouns(instruction: str) -> str:
    """What is left of an instruction without its nouns, in small letters and without marks.

    Nouns are those for objects, furniture, rooms and classes of them that
    :mod:`homebody.authoring.words.mentions` knows, in the singular and plural, and
    :data:`OTHER_NOUNS`. "An" becomes "a", which hangs on the noun.
    """
    text = instruction[:_MOST]
    kept, at = [], 0
    for one in mentions(text):
        kept.append(text[at : one.start])
        at = one.end
    kept.append(text[at:])
    words = _WORD.findall(" ".join(kept).replace("\u2019", "'").lower())
    return " ".join("a" if one == "an" else one for one in words if one not in OTHER_NOUNS)


def _commands(sentence: str) -> Iterator[str]:
    """The verbs that command: such words where no article or form of "be" is before them."""
    before = ""
    for word in _WORD.findall(sentence):
        if word in _COMMANDS and before not in _NO_COMMAND_AFTER:
            yield word
        before = word
