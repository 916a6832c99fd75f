"""What tests of operators on BEHAVIOR share."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from homebody.core import CORRECTED, Protocol
from homebody.suites.eai.behavior.transition_modeling import load_transition_tasks
from homebody.suites.eai.transition_modeling import agents as operator_agents
from homebody.suites.eai.transition_modeling.operators import TransitionTask

FRUIT = "bottling_fruit_0_Wainscott_0_int_0_2021-05-24_19-46-46"
DOORS = "locking_every_door_0_Merom_1_int_0_2021-10-20_05-53-14"


def task(identifier: str, protocol: Protocol = CORRECTED) -> TransitionTask:
    return next(one for one in load_transition_tasks(protocol) if one.id == identifier)


def answer(one: TransitionTask, **changed: Mapping[str, str]) -> str:
    """The annotated operators, some with other texts."""
    texts = one.reference.texts
    return operator_agents.render(
        str(replace(texts[name], **changed.get(name, {}))) for name in one.to_define
    )
