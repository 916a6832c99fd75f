"""Measures of the wording of instructions: verbs, words for classes, and variety.

They compare instructions with those of the published seeds, which the authors of PARTNR reviewed.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

import numpy as np

from homebody.authoring.language.mentions import mentions, tokens
from homebody.core.ground.seeds import shuffle

VERBS: Final[Mapping[str, str]] = {
    form: verb
    for verb, forms in {
        "put": "put putting",
        "place": "place placing placed",
        "move": "move moving moved",
        "bring": "bring bringing brought",
        "take": "take taking taken",
        "set": "set setting lay laying",
        "carry": "carry carrying carried",
        "get": "get getting grab grabbing fetch fetching",
        "gather": "gather gathering collect collecting",
        "clean": "clean cleaning cleaned wash washing washed wipe wiping wiped rinse rinsing",
        "turn": "turn turning turned switch switching switched",
        "fill": "fill filling filled",
        "store": "store storing stored pack packing packed",
        "relocate": "relocate relocating transfer transferring deposit depositing",
    }.items()
    for form in forms.split()
}
"""Form of a verb -> the verb, or the most common verb of its meaning."""
_EVERYTHING = re.compile(
    r"\b(everything|all the (?:things|items|objects)|the things|something to)\b"
)
_SENTENCE = re.compile(r"(?<=[.!?])\s+")


@dataclass(frozen=True, slots=True)
class Wording:
    """The wording of some instructions.

    Attributes:
        sample: Number of instructions.
        words: Mean number of words.
        classes: Per cent of instructions that ask for objects by class, group or purpose.
        verbs: Verb -> per cent of all occurrences of :data:`VERBS`.
        pairs: Number of different pairs of adjacent words, in per cent of all pairs.
        repeated: Per cent of the different sentences that occur more than three times.
    """

    sample: int
    words: float
    classes: float
    verbs: Mapping[str, float]
    pairs: float
    repeated: float


PUBLISHED_SEEDS: Final = Wording(
    sample=906,
    words=27.4,
    classes=10.2,
    verbs={"move": 39.0, "place": 34.9, "put": 8.6, "set": 5.1, "bring": 4.9, "clean": 3.1},
    pairs=10.0,
    repeated=1.2,
)
"""The wording of the seeds that are published with PARTNR, with their most frequent verbs."""


def draw_texts(texts: Sequence[str], sample: int, seed: int) -> list[str]:
    """Return a random sample of texts in their order; all if there are no more."""
    places = shuffle(np.random.default_rng(seed), range(len(texts)))
    return [texts[place] for place in sorted(places[:sample])]


def wording(texts: Sequence[str], sample: int = 0, seed: int = 0) -> Wording:
    """Measure the wording of instructions, or of a random sample: variety can only be compared
    between samples of the same size."""
    if sample:
        texts = draw_texts(texts, sample, seed)
    verbs: Counter[str] = Counter()
    pairs: Counter[tuple[str, str]] = Counter()
    sentences: Counter[str] = Counter()
    words = classes = 0
    for text in texts:
        said = [token.word for token in tokens(text) if token.word.isalnum()]
        words += len(said)
        verbs.update(VERBS[word] for word in said if word in VERBS)
        pairs.update(pairwise(said))
        sentences.update(_SENTENCE.split(text))
        group = any(mention.sense.group for mention in mentions(text))
        classes += group or _EVERYTHING.search(text.lower()) is not None
    total = max(len(texts), 1)
    return Wording(
        sample=len(texts),
        words=words / total,
        classes=100 * classes / total,
        verbs={verb: 100 * count / verbs.total() for verb, count in verbs.most_common()},
        pairs=100 * len(pairs) / max(pairs.total(), 1),
        repeated=100 * sum(count > 3 for count in sentences.values()) / max(len(sentences), 1),
    )


def format_wording(found: Wording, most: int = 6) -> list[str]:
    """Return lines that show a wording beside that of the published seeds."""
    seeds = PUBLISHED_SEEDS
    rows = [
        ("words an instruction", found.words, seeds.words, ""),
        ("asks by class, group or purpose", found.classes, seeds.classes, " %"),
        ("different pairs of words", found.pairs, seeds.pairs, " %"),
        ("sentences that occur more than three times", found.repeated, seeds.repeated, " %"),
    ]
    verbs = [
        ", ".join(f"{v} {s:.0f} %" for v, s in list(it.verbs.items())[:most])
        for it in (found, seeds)
    ]
    return [
        f"wording, of {found.sample:,} instructions [published seeds]",
        *(
            f"  {name:<42} {own:6.1f}{unit or '  '}  [{theirs:g}{unit}]"
            for name, own, theirs, unit in rows
        ),
        f"  verbs: {verbs[0]}",
        f"        [{verbs[1]}]",
    ]
