"""Families of tasks, by category; importing this enters them all."""

from homebody.authoring.embodiedeval.families import (
    attributes,
    company,
    going,
    handling,
    plan,
    routes,
    sides,
    space,
)

__all__ = ["attributes", "company", "going", "handling", "plan", "routes", "sides", "space"]
