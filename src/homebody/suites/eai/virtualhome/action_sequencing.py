"""Action sequencing on VirtualHome: from an instruction's goals to an executable plan."""

from __future__ import annotations

from homebody.suites.eai.action_sequencing import make_suite
from homebody.suites.eai.summary import Layout
from homebody.suites.eai.virtualhome.pipeline import PIPELINE
from homebody.suites.eai.virtualhome.prompts import action_sequencing_prompt
from homebody.suites.eai.virtualhome.world import WORLD

SUITE = make_suite(
    WORLD,
    342,
    prompt=action_sequencing_prompt,
    pipeline=PIPELINE,
    layout=Layout(whole=100, executable_digits=1),
    objects=lambda task: task.listed_objects or list(task.task.initial.objects),
    empty="{}",
)
