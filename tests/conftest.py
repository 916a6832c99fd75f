"""What all tests share."""

from __future__ import annotations

import importlib.metadata
import os
import signal
import sys
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from homebody.core import HomebodyError
from kept_houses import keep_houses
from quick import check_seconds, cpu_seconds, has_quick_tests, is_quick
from thorough import THOROUGH

# a shell's background job ignores Ctrl-C, and would have the processes that tests start do so too
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

# the workers are as many as the processors: libraries that start as many threads in each only wait
for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ.setdefault(variable, "1")

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
keep_houses()


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


CASES = 4
"""Of the cases of a test marked ``sampled``, one in so many is in the default run."""


def pytest_xdist_auto_num_workers() -> int:
    """Return the workers of ``-n auto``: half as many again as cores, as many tests wait."""
    return -(-3 * (os.cpu_count() or 1) // 2)


@pytest.hookimpl(tryfirst=True)
def pytest_cmdline_main(config: pytest.Config) -> None:
    """Give each worker (``-n``) neighbouring tests, which share houses, pictures and servers."""
    if config.getoption("numprocesses", None) and config.option.dist == "no":
        config.option.dist = "worksteal"


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """With ``-m quick``, import no file that has no quick tests."""
    if config.option.markexpr == "quick" and collection_path.suffix == ".py":
        return not has_quick_tests(collection_path) or None
    return None


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    cases: Counter[object] = Counter()
    for item in items:
        if item.get_closest_marker("sampled"):
            test = getattr(item, "function", None)
            if cases[test] % CASES:
                item.add_marker(pytest.mark.slow)
            cases[test] += 1
        if is_quick(item):
            item.add_marker(pytest.mark.quick)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Iterator[None]:
    """Warn of the quick tests that are not."""
    before = cpu_seconds()
    result = yield
    if item.get_closest_marker("quick") and not THOROUGH:
        check_seconds(item, cpu_seconds() - before)
    return result
