"""A flat with more rooms than the small home, and one task of a family in a scene."""

from __future__ import annotations

from functools import cache

import numpy as np

from homebody.authoring.embodiedeval.draft import FAMILIES
from homebody.authoring.embodiedeval.make import make_task
from homebody.authoring.embodiedeval.survey import Survey
from homebody.goals.embodiedeval import read_predicate
from homebody.suites.embodiedeval.tasks import EmbodiedTask, Scene


@cache
def flat() -> Survey:
    return Survey(Scene("home", 12))


def made(survey: Survey, category: str, family: str) -> EmbodiedTask | None:
    """A task of a family in a scene, if it is possible there."""
    rng = np.random.default_rng(1)
    for draft in list(FAMILIES[category][family](survey, rng))[:8]:
        assert draft.instruction[-1] in ".?!"
        assert draft.predicates
        assert all(read_predicate(text) for text in draft.predicates)
        task = make_task(survey, category, family, draft, family, rng)
        if task is not None:
            return task
    return None
