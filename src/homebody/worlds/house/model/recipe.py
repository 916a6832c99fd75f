"""What a house is generated from."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Final

from msgspec import Meta

from homebody.worlds.house.model.bounds import Count, MaybeName, Name, Seed

GENERATOR: Final = 2
"""The version of the generator, for good: of one version, a recipe makes the same house. It grows
when any recipe makes another; results say which houses they are of."""


@dataclass(frozen=True, slots=True)
class HouseRecipe:
    """What a house is generated from: the arguments of
    :func:`homebody.worlds.house.generation.generate.generate`.

    Attributes:
        digest: Of the house that it made when it was written
            (:func:`homebody.worlds.house.io.files.digest`), or an empty string: says whether a
            catalogue of the user's own makes another.
        generator: The version of the generator that it is for; no other makes that house.
    """

    seed: Seed
    kind: Name = "home"
    rooms: (
        Annotated[int, Meta(ge=1, le=12)]
        | Annotated[tuple[Name, ...], Meta(min_length=1, max_length=12)]
        | None
    ) = None
    furniture: Count | None = None
    things: Count | None = None
    people: Count | None = None
    type: MaybeName = ""
    density: Annotated[float, Meta(ge=0.0, le=2.0)] = 1.0
    digest: Annotated[str, Meta(max_length=64)] = ""
    generator: Annotated[int, Meta(ge=1, le=1_000)] = GENERATOR
