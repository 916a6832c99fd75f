"""BEHAVIOR's tasks played step by step; see :mod:`homebody.suites.eai.interactive`."""

from __future__ import annotations

from homebody.suites.eai.behavior.baselines import copied_plan, frequent_plan
from homebody.suites.eai.behavior.demands import SUBGOAL_DEMANDS
from homebody.suites.eai.behavior.protocol import QUIRKS
from homebody.suites.eai.behavior.scene import load_scenes
from homebody.suites.eai.behavior.tasks import TASKS
from homebody.suites.eai.interactive.suite import make_suite

SUITE = make_suite(
    "eai.behavior.interactive",
    "Reach a goal step by step (EAI, BEHAVIOR, 100 tasks)",
    load_scenes,
    TASKS,
    QUIRKS,
    SUBGOAL_DEMANDS,
    {"copycat": copied_plan, "frequent": frequent_plan},
)
