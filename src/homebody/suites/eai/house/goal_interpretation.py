"""Goal interpretation in rooms of homes, from pictures (EAI paper, section 2.3, appendix K)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from homebody.core import Prompting, Protocol, Score, Scoring, Suite, TextAgent
from homebody.suites.eai.behavior import goal_interpretation as behavior
from homebody.suites.eai.behavior.goals import render
from homebody.suites.eai.house.action_sequencing import OWN
from homebody.suites.eai.house.prompts import RELATIONS, STATES, goal_interpretation_prompt
from homebody.suites.eai.house.tasks import SETTINGS, TASKS, HouseTask, shown_images, with_settings

if TYPE_CHECKING:
    import numpy as np

NAME: Final = "eai.house.goal_interpretation"


def score(task: HouseTask, output: str, protocol: Protocol) -> Score:
    """Compare the predicted goals with the goals of the instruction; any text gets a score."""
    return behavior.score(task, output, protocol, groups=[[task.goals]])


def oracle(task: HouseTask, generator: np.random.Generator) -> str:
    """Return the goals of the instruction."""
    return render(task.goals)


def random(task: HouseTask, generator: np.random.Generator) -> str:
    """Return random goals over the listed objects, the same number of each kind as in the task."""
    words = tuple(STATES), tuple(RELATIONS), tuple(task.names)
    return behavior.random_goals(task.goals, *words, generator)


SUITE: Final[Suite[Any]] = Suite(
    name=NAME,
    title="Turn an instruction and pictures of a room into symbolic goals (house)",
    tasks=TASKS,
    scoring=Scoring(score, OWN),
    reporting=behavior.SUITE.reporting,
    viewing=behavior.SUITE.viewing,
    prompting=Prompting(
        goal_interpretation_prompt, images=shown_images, settings=SETTINGS, set_to=with_settings
    ),
    text_agents={
        "oracle": TextAgent(oracle),
        "random": TextAgent(random),
        "empty": behavior.SUITE.text_agents["empty"],
    },
    prompt_version=2,
)
