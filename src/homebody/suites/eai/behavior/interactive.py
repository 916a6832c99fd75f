"""BEHAVIOR's tasks played step by step; see :mod:`homebody.suites.eai.interactive`."""

from __future__ import annotations

from homebody.suites.eai.behavior.scene import BehaviorScene
from homebody.suites.eai.behavior.world import WORLD
from homebody.suites.eai.interactive.suite import make_suite

SUITE = make_suite(WORLD, 100, BehaviorScene, lambda task: True)
