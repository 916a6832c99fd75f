"""Families of tasks, by category; importing this enters them all."""

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
