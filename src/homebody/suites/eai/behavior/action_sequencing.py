"""Action sequencing on BEHAVIOR: from a goal to an executable plan."""

from __future__ import annotations

from homebody.suites.eai.action_sequencing import make_suite
from homebody.suites.eai.behavior.pipeline import PIPELINE
from homebody.suites.eai.behavior.planner import planner
from homebody.suites.eai.behavior.plans import known_objects
from homebody.suites.eai.behavior.prompts import action_sequencing_prompt
from homebody.suites.eai.behavior.world import LAYOUT, WORLD

SUITE = make_suite(
    WORLD,
    100,
    prompt=action_sequencing_prompt,
    pipeline=PIPELINE,
    layout=LAYOUT,
    objects=known_objects,
    empty="[]",
    planners={"planner": planner},
)
