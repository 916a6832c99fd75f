"""The test split of homebody's PARTNR episodes."""

from homebody.suites.partnr.suite import make_suite

SUITE = make_suite("test")
