"""Suites of the house world by itself."""
