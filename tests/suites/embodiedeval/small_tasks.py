"""Tasks made by hand in a small home."""

from __future__ import annotations

from functools import cache

import numpy as np

from homebody.authoring.embodiedeval import families
from homebody.authoring.embodiedeval.draft import FAMILIES
from homebody.authoring.embodiedeval.make import make_task
from homebody.authoring.embodiedeval.survey import Survey
from homebody.suites.embodiedeval.tasks import EmbodiedTask, Scene

SCENE = Scene("home", 3)


@cache
def survey() -> Survey:
    assert families
    return Survey(SCENE)


@cache
def task_of(category: str, family: str) -> EmbodiedTask:
    """The first task of a family that can be done."""
    rng = np.random.default_rng(0)
    drafts = FAMILIES[category][family](survey(), rng)
    made = (make_task(survey(), category, family, draft, "t", rng) for draft in drafts)
    return next(task for task in made if task is not None)
