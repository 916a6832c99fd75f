"""The suites whose sessions are tried out: all that are played, but for those that differ from
others in their tasks alone."""

from __future__ import annotations

import re

from homebody.suites import loadable_suites

ALIKE = re.compile(r"etplan\.(?!manipulation_relation$|several_two_arms$)")
"""What is in the names of those: two of seventeen rows stand for all."""
PLAYED = [
    suite.name
    for suite in loadable_suites()
    if suite.playing is not None and not ALIKE.match(suite.name)
]
