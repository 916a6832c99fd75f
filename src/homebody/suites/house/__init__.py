"""Suites of the house world alone."""
