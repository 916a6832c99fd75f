"""VirtualHome's tasks played step by step; see :mod:`homebody.suites.eai.interactive`."""

from __future__ import annotations

from homebody.suites.eai.interactive.suite import make_suite
from homebody.suites.eai.virtualhome.scene import VirtualHomeScene
from homebody.suites.eai.virtualhome.world import WORLD

SUITE = make_suite(WORLD, 338, VirtualHomeScene, lambda task: task.has_goal)
