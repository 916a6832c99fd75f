"""Generators of tasks and episodes for suites: they write, check and count them.

The package `language` handles English words for all benchmarks. Each other package makes the tasks
of one suite.
"""
