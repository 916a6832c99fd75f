"""Families of tasks, by category; importing this enters them all."""

from homebody.authoring.embodiedeval.families import attributes, going, handling

__all__ = ["attributes", "going", "handling"]
