"""The types of fields of a house and of those who act in it: what they measure, and their bounds.

To the code these are plain texts and numbers. The bounds are those of files
(:mod:`homebody.worlds.house.io.schema`), where nothing is trusted.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, TypeAlias

from msgspec import Meta

MAX_METRES = 1000.0
"""Metres from the origin that anything may be."""


@dataclass(frozen=True, slots=True)
class OneOf:
    """A text is one of these."""

    options: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Decimals:
    """So many decimals of a number are kept in a file; of others, all."""

    kept: int


Name: TypeAlias = Annotated[
    str, Meta(pattern=r"^(?!.*\s)[A-Za-z0-9][A-Za-z0-9_.:-]*$", max_length=80)
]
"""As actions write it: no spaces, commas or brackets."""
MaybeName: TypeAlias = Annotated[str, Meta(max_length=80)]
"""A name or nothing; what it names must exist, so no more need be asked of it here."""
Phrase: TypeAlias = Annotated[str, Meta(pattern=r"^[A-Za-z0-9',. -]*$", max_length=80)]
"""A few words of English on one line, or nothing."""
Metres: TypeAlias = Annotated[float, Meta(ge=-MAX_METRES, le=MAX_METRES), Decimals(3)]
"""A coordinate."""
Length: TypeAlias = Annotated[float, Meta(gt=0.0, le=100.0), Decimals(3)]
"""Metres, above 0."""
Height: TypeAlias = Annotated[float, Meta(ge=0.0, le=100.0), Decimals(3)]
"""Metres above the floor."""
Degrees: TypeAlias = Annotated[float, Meta(ge=-360.0, le=360.0), Decimals(1)]
Share: TypeAlias = Annotated[float, Meta(ge=0.0, le=1.0)]
"""A share or a probability."""
Channel: TypeAlias = Annotated[float, Meta(ge=0.0, le=1.0), Decimals(4)]
"""Of a colour."""
Count: TypeAlias = Annotated[int, Meta(ge=0, le=100_000)]
Seed: TypeAlias = Annotated[int, Meta(ge=0, le=2**63 - 1)]
