"""VirtualHome's tasks played step by step; see :mod:`homebody.suites.eai.interactive`."""

from __future__ import annotations

from homebody.suites.eai.interactive.suite import make_suite
from homebody.suites.eai.virtualhome.baselines import copied_plan, frequent_plan
from homebody.suites.eai.virtualhome.demands import SUBGOAL_DEMANDS
from homebody.suites.eai.virtualhome.protocol import QUIRKS
from homebody.suites.eai.virtualhome.scene import load_scenes
from homebody.suites.eai.virtualhome.tasks import TASKS

SUITE = make_suite(
    "eai.virtualhome.interactive",
    "Reach a goal step by step (EAI, VirtualHome, 338 tasks)",
    load_scenes,
    TASKS,
    QUIRKS,
    SUBGOAL_DEMANDS,
    {"copycat": copied_plan, "frequent": frequent_plan},
)
