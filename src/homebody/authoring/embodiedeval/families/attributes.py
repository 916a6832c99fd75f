"""Attribute QA: what things are like, where they are, how many there are."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from homebody.authoring.embodiedeval.draft import Draft, family
from homebody.authoring.embodiedeval.survey import Survey

NUMBERS = tuple(str(number) for number in range(1, 13))


@family("attribute_qa")
def quantity(survey: Survey, rng: np.random.Generator) -> Iterator[Draft]:
    """How many of a kind there are in a room."""
    for room in survey.house.rooms:
        called = survey.room_called(room.name)
        kinds = {each.category for each in survey.furniture}
        kinds |= {each.category for each in survey.things}
        for kind in sorted(kinds):
            names = survey.all_of(kind, room.name)
            if called and 1 <= len(names) <= 6 and survey.in_sight(names):
                right = str(len(names))
                yield Draft(
                    f"How many {survey.plural(kind)} are there in {called}?",
                    right,
                    tuple(each for each in NUMBERS[:8] if each != right),
                    looks=tuple(names),
                )
