"""Families of tasks, by category. Importing this package registers all of them."""

from homebody.authoring.embodiedeval.draft import FAMILIES
from homebody.authoring.embodiedeval.families import (
    attributes,
    company,
    conditions,
    going,
    handling,
    plan,
    routes,
    sides,
    space,
    states,
    switching,
)

__all__ = [
    "FAMILIES",
    "attributes",
    "company",
    "conditions",
    "going",
    "handling",
    "plan",
    "routes",
    "sides",
    "space",
    "states",
    "switching",
]
