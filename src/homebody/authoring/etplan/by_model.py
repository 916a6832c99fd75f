"""Review of drafts by a model, which rejects unreasonable drafts and rewords the others (paper,
section 3.2).

Each query lists several executable drafts in the wording of the built-in author. The model's
wording replaces it if it names everything in the criterion and nothing else, and if it uses "on"
and "in" as the criterion does. If not, or if the output cannot be read, the built-in author's
wording stays.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Final

import msgspec

from homebody.authoring.answers import convert, first_json
from homebody.authoring.etplan.graph_setting import kinds, noun
from homebody.authoring.language.functions import functions
from homebody.authoring.language.mentions import Mention, mentions
from homebody.authoring.language.names import lexicon
from homebody.core import Message
from homebody.core.play.conversation import Ask
from homebody.core.play.transcript import number_lines
from homebody.goals.etplan import PLACED, PREPOSITIONS, ROBOT, Condition, Criterion
from homebody.suites.etplan.tasks import EtplanTask

TOGETHER: Final = 10
"""Drafts in one query."""
MAX_WORDS: Final = 300
"""Maximum characters of an instruction."""
RESULTS: Final[Mapping[str, str]] = {
    "reworded": "in the model's words",
    "kept": "in the built-in author's words, because the model changed the meaning",
    "unread": "in the built-in author's words, because the model's output could not be read",
    "unreasonable": "rejected by the model",
}
"""Result of a review -> its text in the summary."""
_PROMPT: Final = """\
Review these tasks for a household robot. The robot can carry out all of them.

Decide for each task whether it is reasonable. A task is reasonable if all of this is true:
- Somebody who lives in the home could really want it.
- A person can carry everything that is moved.
- Objects that are moved together are used together, are alike, or belong together.
- Everything belongs where it is put, and fits there.
- If something is put into or onto an object that is then moved, there is a reason to do so.

If a task is reasonable, reword it as such a person would say it:
- Write one or two sentences, with at most {limit} characters in total.
- Name the same objects and places with the same nouns. Name nothing else.
- Put each object "in" or "on" its destination as the task does, in the same order.
- Write "the" before a noun where the task does.

{tasks}

Answer only with a JSON list that has one object for each task, in this format:
[{{"task": 1, "reasonable": true, "words": "..."}}]
"task" is the number of the task, and "words" is the new wording. If "reasonable" is false, leave \
"words" empty."""


class _Opinion(msgspec.Struct, frozen=True):
    task: int
    reasonable: bool
    words: str = ""


class Reviewer:
    """A reviewer of drafts that sends several concurrent queries to a model.

    Attributes:
        counts: Number of drafts with each result so far, by the keys of :data:`RESULTS`.
    """

    def __init__(self, ask: Ask, concurrency: int = 8) -> None:
        self.counts: Counter[str] = Counter()
        self._ask, self._concurrency = ask, concurrency

    def __call__(self, drafts: Sequence[EtplanTask]) -> Iterator[EtplanTask]:
        """Yield the reasonable drafts in their order, reworded where possible. Raises HomebodyError
        if the model cannot be queried."""
        batches = [drafts[at : at + TOGETHER] for at in range(0, len(drafts), TOGETHER)]
        with ThreadPoolExecutor(self._concurrency) as pool:
            answers = list(pool.map(lambda batch: self._ask((_question(batch),)), batches))
        for batch, answer in zip(batches, answers, strict=True):
            opinions = read_opinions(answer)
            for number, draft in enumerate(batch, 1):
                result, words = _review(draft, opinions.get(number))
                self.counts[result] += 1
                if words:
                    yield msgspec.structs.replace(draft, instruction=words)

    def summary(self) -> list[str]:
        """Return one line for each result with its number of drafts."""
        return [f"{self.counts[each]:,} drafts {text}" for each, text in RESULTS.items()]


def read_opinions(text: str) -> dict[int, _Opinion]:
    """Return a mapping from a draft's number to the model's opinion. Unreadable opinions are
    omitted."""
    try:
        raw = first_json(text)
    except ValueError:
        return {}
    read: dict[int, _Opinion] = {}
    for each in raw[:TOGETHER] if isinstance(raw, list) else [raw]:
        try:
            opinion = convert(each, _Opinion)
        except (ValueError, RecursionError):
            continue
        read.setdefault(opinion.task, opinion)
    return read


def says(words: str, draft: EtplanTask) -> bool:
    """Return whether a wording means the same as a draft's criterion.

    It must name everything in the criterion and use "on" and "in" as the criterion does. It may
    only name objects and places that are in the criterion or in the draft's own wording. What the
    draft describes by its purpose must be described so."""
    criterion, nouns = draft.goal, mentions(words)
    own = {each.text.lower() for each in mentions(draft.instruction)}
    classes = {name for name in criterion.classes if name != ROBOT}
    purposes = {
        phrase: categories
        for purpose, categories in functions().items()
        if (phrase := lexicon().noun(purpose).singular) in draft.instruction.lower()
    }
    served = frozenset[str]().union(*purposes.values())
    return (
        all(phrase in words.lower() for phrase in purposes)
        and all(_kind(name) in served or _is_named(words, nouns, name) for name in classes)
        and all(_categories_of(each) & classes or each.text.lower() in own for each in nouns)
        and all(
            condition.relation in ways
            for condition in _placements(criterion)
            if (ways := _relations_of(nouns, condition.second))
        )
    )


def _question(batch: Sequence[EtplanTask]) -> Message:
    tasks = number_lines(draft.instruction for draft in batch)
    return Message("user", _PROMPT.format(tasks=tasks, limit=MAX_WORDS))


def _review(draft: EtplanTask, opinion: _Opinion | None) -> tuple[str, str]:
    """Return the result of a review and the new wording, which is empty for a rejected draft."""
    if opinion is None:
        return "unread", draft.instruction
    if not opinion.reasonable:
        return "unreasonable", ""
    words = " ".join(opinion.words.split())
    if 0 < len(words) <= MAX_WORDS and words.isprintable() and says(words, draft):
        return "reworded", words
    return "kept", draft.instruction


def _kind(name: str) -> str:
    """Return the house catalogue's name of a class of either world."""
    return kinds().get(name.replace("_", ""), name)


def _is_named(words: str, nouns: Sequence[Mention], name: str) -> bool:
    own = noun(name)
    forms = "|".join(re.escape(form) for form in (own.singular, own.plural) if form)
    return any(name in _categories_of(each) for each in nouns) or bool(
        re.search(rf"\b({forms})\b", words, re.IGNORECASE)
    )


def _categories_of(noun: Mention) -> set[str]:
    return {category for _, category in noun.sense.exact}


def _placements(criterion: Criterion) -> list[Condition]:
    """Return the conditions with the relation on or in."""
    return [each for each in criterion.conditions if each.relation in PLACED]


def _relations_of(nouns: Sequence[Mention], name: str) -> set[str]:
    """Return the relations to a class, as the words before its nouns express them ("on", "in")."""
    return {
        PREPOSITIONS[each.preposition]
        for each in nouns
        if name in _categories_of(each) and each.preposition in PREPOSITIONS
    }
