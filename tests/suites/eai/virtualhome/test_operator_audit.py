"""The audit of the official operators: every difference has a reason, which docs/ tells."""

from __future__ import annotations

import pytest

from homebody.suites.eai.virtualhome import operator_audit
from places import DOCS
from suites.eai.virtualhome.operator_answers import agent_scores

pytestmark = pytest.mark.usefixtures("eai_data")


@pytest.mark.slow
def test_the_oracle_solves_all_but_the_audited_tasks() -> None:
    scores = agent_scores("oracle")
    failed = {found.identifier for found in scores if not found.record["success"]}
    audited = operator_audit.audit_operators()
    assert failed == {found.task for found in audited}
    assert len(failed) == 54
    by_operator = {found.task for found in audited if found.reason.startswith("grab")}
    assert by_operator == {"688_1"}
    assert all("has no plug" in f.reason for f in audited if f.task not in by_operator)
    assert all(not found.record["problems"] for found in scores)


def test_every_difference_from_the_official_operators_has_a_reason() -> None:
    page = (DOCS / "trust/audits.md").read_text()
    found = operator_audit.compare_operators()
    assert len(found) == 33
    for one in found:
        assert (one.precondition < 1 or one.effect < 1) == bool(one.reason), one
        if one.reason:
            row = (
                f"| `{one.operator}` | {100 * one.precondition:.0f} | {100 * one.effect:.0f} |"
                f" {one.reason} |"
            )
            assert row in page, row
