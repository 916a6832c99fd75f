"""Worlds: transition models that suites run plans in."""
