"""Field types of houses and agents, with units and bounds.

They are plain strings and numbers to the code; files are checked against the bounds
(:mod:`homebody.worlds.house.io.schema`).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, TypeAlias

from msgspec import Meta

MAX_METRES = 1000.0
"""Maximum distance of anything from the origin, in metres."""


@dataclass(frozen=True, slots=True)
class OneOf:
    """A string that is one of some options."""

    options: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Decimals:
    """The number of decimals kept in a file; all are kept without this mark."""

    kept: int


Name: TypeAlias = Annotated[
    str, Meta(pattern=r"^(?!.*\s)[A-Za-z0-9][A-Za-z0-9_.:-]*$", max_length=80)
]
"""A name as actions write it: no spaces, commas or brackets."""
MaybeName: TypeAlias = Annotated[str, Meta(max_length=80)]
"""A name or an empty string. It must refer to something that exists, so its pattern is not
checked."""
Phrase: TypeAlias = Annotated[str, Meta(pattern=r"^[A-Za-z0-9',. -]*$", max_length=80)]
"""A few English words on one line, or an empty string."""
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
"""A colour channel."""
Count: TypeAlias = Annotated[int, Meta(ge=0, le=100_000)]
Seed: TypeAlias = Annotated[int, Meta(ge=0, le=2**63 - 1)]
