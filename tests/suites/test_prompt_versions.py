"""A suite whose prompts are worded anew has a new prompt version."""

from __future__ import annotations

import pytest

from homebody.suites import get_suite
from prompt_versions import digest_of, our_suites, read_digests

UPDATE = "raise prompt_version of the suite, then run: python tests/prompt_versions.py"


@pytest.mark.usefixtures("eai_data", "behavior_data")
@pytest.mark.parametrize("name", our_suites())
def test_a_new_wording_has_a_new_version(name: str) -> None:
    suite, recorded = get_suite(name), read_digests()[name]
    assert {"version": suite.prompt_version, "digest": digest_of(suite)} == recorded, UPDATE
