"""Object interaction: things are taken, put, opened, switched, washed."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from homebody.authoring.embodiedeval.draft import Draft, family
from homebody.authoring.embodiedeval.survey import Survey
from homebody.suites.embodiedeval.tasks import Option


@family("object_interaction")
def pick_up(survey: Survey, rng: np.random.Generator) -> Iterator[Draft]:
    """Take a thing that is described."""
    things = [thing for thing in survey.things if "grabbable" in survey.kind(thing.name).affords]
    options = {
        thing.name: Option("pick_up", f"pick up {called}", (thing.name,))
        for thing in things
        if (called := survey.called(thing.name)) is not None
    }
    for name, option in options.items():
        others = [other for other in options.values() if other is not option][:4]
        yield Draft(
            f"Find {option.text.removeprefix('pick up ')} and pick it up.",
            does=((option,),),
            options=(option, *others),
            predicates=(f"grab {name}",),
        )
