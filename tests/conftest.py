"""What all tests share."""

from __future__ import annotations

import pytest

from homebody.core import HomebodyError


@pytest.fixture(scope="session")
def eai_data() -> None:
    """The official EAI data; tests that need it are skipped where it cannot be had."""
    from homebody.data import eai

    try:
        eai.fetch()
    except HomebodyError as error:
        pytest.skip(f"no official EAI data: {error}")
