"""Retrieval of the most similar text, without a network.

The embedder can be any function from texts to vectors (:data:`Embedder`), for example one that
calls a sentence model. The paper (appendix A.8.3) uses a sentence model, and takes the instruction
with the largest dot product. The embedder here has no dependencies: texts are bags of words, pairs
of words and groups of letters, hashed into a vector, weighted by rarity, and normalised. It matches
spelling and word forms, not synonyms."""

from __future__ import annotations

import math
import re
import zlib
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from homebody.core import HomebodyError

Vectors: TypeAlias = NDArray[np.float32]
Embedder: TypeAlias = Callable[[Sequence[str]], NDArray[np.floating]]
"""Texts -> one row each, of any common width."""

WIDTH: Final = 2048
"""Width of the vectors of :func:`hashing_embedder`."""
MAX_TEXT: Final = 4000
"""Characters of a text that are read."""
_WORD = re.compile(r"[a-z]{1,40}|[0-9]{1,40}")
_COMMON_WORDS = (
    "a an and any are as at be by can could do down for from get go i in into is it its me my of "
    "off on one onto or our out over please should some take that the their them then there these "
    "they this to too up us was we which who will with you your"
)
_COMMON: Final = frozenset(_COMMON_WORDS.split())
"""Common words, which say little about the subject of a sentence."""


def words(text: str) -> list[str]:
    """Return the words of a text in lower case, without plural endings."""
    return [_singular(word) for word in _WORD.findall(text[:MAX_TEXT].lower())]


def content_words(text: str) -> list[str]:
    """Return the words of a text that are not common."""
    return [word for word in words(text) if word not in _COMMON]


def hashing_embedder(corpus: Iterable[str] = ()) -> Embedder:
    """Return an embedder that is the same on every machine.

    Args:
        corpus: Texts from which rarity is learned; without any, common English words weigh little
            and all others the same.
    """
    seen: Counter[str] = Counter()
    size = 0
    for text in corpus:
        size += 1
        seen.update(_features(text).keys())
    rarity = {feature: math.log((1 + size) / (1 + count)) + 1 for feature, count in seen.items()}
    unseen = math.log(1 + size) + 1

    def embed(texts: Sequence[str]) -> Vectors:
        rows = np.zeros((len(texts), WIDTH), np.float32)
        for row, text in zip(rows, texts, strict=True):
            for feature, count in _features(text).items():
                place, sign = _place(feature)
                row[place] += sign * (1 + math.log(count)) * rarity.get(feature, unseen)
        return rows

    return lambda texts: _normalize(embed(texts))


@dataclass(frozen=True)
class Index:
    """Texts and their vectors.

    Attributes:
        texts: The texts.
        vectors: One row of length 1 for each (or 0 for an empty text).
        embedder: The embedder that made them.
    """

    texts: tuple[str, ...]
    vectors: Vectors
    embedder: Embedder


def build_index(texts: Sequence[str], embedder: Embedder | None = None) -> Index:
    """Return an index of texts; the default embedder learns rarity from them.

    Raises:
        HomebodyError: The embedder does not give one finite row for each text.
    """
    embedder = hashing_embedder(texts) if embedder is None else embedder
    return Index(tuple(texts), embed_texts(embedder, texts), embedder)


def find_closest(query: str, texts: Index, count: int = 1) -> list[tuple[int, float]]:
    """Return the positions and cosines of the texts most similar to a query, best first.

    Raises:
        HomebodyError: As :func:`build_index`.
    """
    if not texts.texts:
        return []
    likeness = np.round(texts.vectors @ embed_texts(texts.embedder, [query])[0], 6)
    order = np.argsort(-likeness, kind="stable")[:count]
    return [(int(place), float(likeness[place])) for place in order]


def embed_texts(embedder: Embedder, texts: Sequence[str]) -> Vectors:
    """Return the vectors of texts, of length 1 (or 0 for an empty text).

    Raises:
        HomebodyError: The embedder does not give one finite row for each text.
    """
    rows = np.asarray(embedder(texts), np.float32) if texts else np.zeros((0, 1), np.float32)
    if rows.ndim != 2 or len(rows) != len(texts) or not np.isfinite(rows).all():
        raise HomebodyError("the embedder does not give one row of finite numbers for each text")
    return _normalize(rows)


# -- how ------------------------------------------------------------------------------------------


def _singular(word: str) -> str:
    if len(word) > 4 and word.endswith("ies"):
        return word[:-3] + "y"
    if len(word) > 4 and word.endswith(("shes", "ches", "sses", "xes", "zes", "toes")):
        return word[:-2]
    if len(word) > 4 and word.endswith(("lves", "nives")):  # shelves, knives
        return word[:-3] + ("f" if word.endswith("lves") else "fe")
    if len(word) > 3 and word.endswith("s") and not word.endswith(("ss", "us", "is")):
        return word[:-1]
    return word


def _features(text: str) -> Counter[str]:
    """Return feature counts; words and pairs weigh twice as much as groups of three letters."""
    features: Counter[str] = Counter()
    content = content_words(text)
    for word in content:
        features[f"w {word}"] += 2
        padded = f"^{word}$"
        for start in range(len(padded) - 2):
            features[f"c {padded[start : start + 3]}"] += 1
    for word, following in pairwise(content):
        features[f"p {word} {following}"] += 2
    return features


@lru_cache(maxsize=50_000)
def _place(feature: str) -> tuple[int, float]:
    """Return the column and sign of a feature; collisions cancel out on average."""
    code = zlib.crc32(feature.encode())
    return code % WIDTH, 1.0 if code & 0x80000000 else -1.0


def _normalize(rows: NDArray[np.floating]) -> Vectors:
    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    rows_of_length_one: Vectors = (rows / np.where(lengths > 0, lengths, 1.0)).astype(np.float32)
    return rows_of_length_one
