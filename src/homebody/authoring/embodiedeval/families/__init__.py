"""Families of tasks, by category; importing this enters them all."""

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
