"""All tests of models ask a server on loopback, and nobody else."""

import pytest

from homebody.suites.partnr import suite as partnr
from homebody.suites.partnr.tasks import PartnrTask
from model_server import inspect_home, isolated, server
from suites.partnr.scripted import moving

__all__ = ["inspect_home", "isolated", "server"]


@pytest.fixture
def one_episode(monkeypatch: pytest.MonkeyPatch) -> PartnrTask:
    """The suite has one episode, of two moves."""
    task = moving()
    monkeypatch.setattr(partnr, "load", lambda split: (task,))
    return task
