"""Action sequencing in rooms of homes, from pictures (EAI paper, section 2.5, appendix K)."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Final

from homebody.core import Prompting, Suite
from homebody.suites.eai.agents import random_plan
from homebody.suites.eai.behavior import action_sequencing as behavior
from homebody.suites.eai.behavior.plans import known_objects, render
from homebody.suites.eai.house.prompts import action_sequencing_prompt
from homebody.suites.eai.house.tasks import SETTINGS, TASKS, shown_images, with_settings
from homebody.suites.eai.protocol import PROTOCOLS

NAME: Final = "eai.house.action_sequencing"
OWN: Final = {name: PROTOCOLS[name] for name in ("corrected", "strict")}
"""The protocols. ``published`` is missing, because these tasks have no published evaluator."""

SUITE: Final[Suite[Any]] = Suite(
    name=NAME,
    title="Turn an instruction and pictures of a room into an executable plan (house)",
    tasks=TASKS,
    scoring=replace(behavior.SUITE.scoring, protocols=OWN),
    reporting=behavior.SUITE.reporting,
    viewing=behavior.SUITE.viewing,
    experiments=replace(behavior.SUITE.experiments, pipeline=None, demands=None),
    prompting=Prompting(
        action_sequencing_prompt,
        images=shown_images,
        settings=SETTINGS,
        set_to=with_settings,
    ),
    text_agents={
        "oracle": behavior.SUITE.text_agents["oracle"],
        "random": random_plan(render, known_objects),
        "empty": behavior.SUITE.text_agents["empty"],
    },
    prompt_version=2,
)
