"""What the page says of the protocols."""

from __future__ import annotations

import re

from homebody.suites.etplan.audit import PROBLEMS
from homebody.suites.etplan.protocol import PROTOCOLS, QUIRKS
from places import DOCS

CRITERIA = DOCS / "benchmarks/etplan-criteria.md"
AUDITS = DOCS / "trust/audits.md"


def test_the_page_lists_the_quirks() -> None:
    rows = re.findall(r"^\| `(\w+)` \| (.*) \| (.*) \|$", CRITERIA.read_text(), re.M)
    assert {name: (one, other) for name, one, other in rows if name in QUIRKS} == dict(QUIRKS)


def test_the_page_lists_the_problems_of_released_tasks() -> None:
    rows = re.findall(r"^\| `(\w+)` \| ([^|]*) \|(?: \d+ \|){7}$", AUDITS.read_text(), re.M)
    assert dict(rows) == dict(PROBLEMS)


def test_published_keeps_all_quirks_and_corrected_none() -> None:
    assert PROTOCOLS["published"].kept_quirks(QUIRKS) == QUIRKS.keys()
    assert not PROTOCOLS["corrected"].kept_quirks(QUIRKS)
