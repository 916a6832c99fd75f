"""The list of differences on BEHAVIOR, and the page that tells readers of them."""

from __future__ import annotations

import numpy as np
import pytest

from homebody.core import CORRECTED, PUBLISHED
from homebody.suites import get_suite
from homebody.suites.eai.behavior.audit import audit
from homebody.suites.eai.behavior.protocol import DIFFERENCES, QUIRKS
from homebody.suites.eai.protocol import TRANSITION_MODELING
from homebody.worlds.behavior import WORLD_QUIRKS
from places import DOCS

DIFFERENCES_PAGE = DOCS / "benchmarks/eai-behavior-protocols.md"
AUDITS_PAGE = DOCS / "trust/audits.md"


def test_names_are_unique_and_all_are_kept_by_published() -> None:
    names = [difference.name for difference in DIFFERENCES]
    assert len(names) == len(set(names))
    assert PUBLISHED.kept_quirks(QUIRKS) == set(names)
    assert set(names) >= WORLD_QUIRKS


def test_the_documentation_lists_every_difference() -> None:
    page = DIFFERENCES_PAGE.read_text()
    for difference in DIFFERENCES:
        if difference.name in TRANSITION_MODELING:
            continue  # in eai-protocols.md, shared with VirtualHome
        row = f"| `{difference.name}` | {difference.published} | {difference.corrected} |"
        assert row in page, row


@pytest.mark.usefixtures("behavior_data")
def test_the_documentation_has_the_audit_as_it_is() -> None:
    page = AUDITS_PAGE.read_text()
    broken = [finding for finding in audit() if finding.problem]
    assert f"{100 - len(broken)} of 100 succeed under `corrected`" in page
    for one in broken:
        assert f"| {one.name} | {one.problem.replace('_', ' ')} | {one.reason} |" in page, one.name


@pytest.mark.slow
@pytest.mark.usefixtures("behavior_data")
@pytest.mark.parametrize("module", ["action_sequencing", "goal_interpretation"])
def test_a_protocol_without_quirks_is_the_corrected_one(module: str) -> None:
    suite = get_suite(f"eai.behavior.{module}")
    mended = PUBLISHED.without(*QUIRKS)
    generator = np.random.default_rng(7)
    for task, same in list(zip(suite.tasks.load(CORRECTED), suite.tasks.load(mended), strict=True))[
        ::9
    ]:
        for agent in (each.answer for each in suite.text_agents.values()):
            output = agent(task, generator)
            mine = suite.score(same, output, mended)
            assert mine == suite.score(task, output, CORRECTED)
