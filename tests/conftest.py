"""What all tests share."""

from __future__ import annotations

import importlib.metadata
import os
import signal
import sys
from functools import cache

import pytest
from hypothesis import HealthCheck, settings

from homebody.core import HomebodyError

# a shell's background job ignores Ctrl-C, and would have the processes that tests start do so too
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

# hundreds of processes import the package, and each would compile it again; nor do pytest's own
# processes rewrite every test at each run
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False

# Inspect asks at every run of a package that was not installed from an archive, and reads them all;
# asked first by a test that has changed the path, it would know others
importlib.metadata.packages_distributions = cache(importlib.metadata.packages_distributions)
importlib.metadata.packages_distributions()

# a test says the same on a slow machine, and its fixtures may be shared by its examples
settings.register_profile(
    "homebody",
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture],
)
settings.load_profile("homebody")


@pytest.fixture(scope="session")
def eai_data() -> None:
    """The official EAI data; tests that need it are skipped where it cannot be had."""
    from homebody.data import eai

    try:
        eai.fetch()
    except HomebodyError as error:
        pytest.skip(f"no official EAI data: {error}")


@pytest.fixture(scope="session")
def behavior_data() -> None:
    """The official BEHAVIOR data; tests that need it are skipped where it cannot be had."""
    from homebody.data import behavior

    try:
        behavior.fetch()
    except HomebodyError as error:
        pytest.skip(f"no official BEHAVIOR data: {error}")
