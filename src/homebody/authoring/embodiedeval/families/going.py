"""Navigation: to a thing, a person or a place that is described."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from homebody.authoring.embodiedeval.draft import Draft, family
from homebody.authoring.embodiedeval.survey import Survey


@family("navigation")
def go_to(survey: Survey, rng: np.random.Generator) -> Iterator[Draft]:
    """Go to a piece of furniture."""
    for piece in survey.furniture:
        called = survey.called(piece.name)
        if called is not None and survey.points_near(piece.name):
            yield Draft(
                f"Go to {called}.",
                goes=(piece.name,),
                predicates=(f"agent_near {piece.name}",),
            )


@family("navigation")
def go_to_person(survey: Survey, rng: np.random.Generator) -> Iterator[Draft]:
    """Go to somebody who is described."""
    for person in survey.people:
        called = survey.called(person.name)
        if called is not None:
            yield Draft(
                f"Go and stand next to {called}.",
                goes=(person.name,),
                predicates=(f"agent_near {person.name}",),
                capabilities=("visual",),
            )
