"""The recipe from which a house is generated."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Final

from msgspec import Meta

from homebody.worlds.house.model.bounds import Count, MaybeName, Name, Seed

GENERATOR: Final = 3
"""The version of the generator. Within a version, a recipe always makes the same house. The version
is raised if any recipe makes a different house. Results record it."""
PICTURES: Final = 3
"""The version of fast pictures, raised if a camera makes a different picture of the same house.
Results record it."""
VERSIONS: Final[Mapping[str, str]] = {
    "house generator": str(GENERATOR),
    "house pictures": str(PICTURES),
}
"""The versions that the results of suites name whose agents can see pictures of houses."""


@dataclass(frozen=True, slots=True)
class HouseRecipe:
    """The arguments of :func:`homebody.worlds.house.generation.generate.generate`.

    Attributes:
        digest: The digest of the generated house (:func:`homebody.worlds.house.io.files.digest`)
            when the recipe was written, or an empty string. It shows if a different catalogue makes
            a different house.
        generator: The required version of the generator.
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
