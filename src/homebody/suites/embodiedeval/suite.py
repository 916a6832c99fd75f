"""The suite of EmbodiedEval, ``embodiedeval.test``: a model acts and answers from pictures."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any, Final

from homebody.core import Playing, Reporting, Scoring, Suite, Tasks
from homebody.core.published import Published
from homebody.core.suite import Summary
from homebody.core.viewing import Ability, Viewing
from homebody.suites.embodiedeval import agents
from homebody.suites.embodiedeval.driver import drive
from homebody.suites.embodiedeval.failures import ANALYSIS
from homebody.suites.embodiedeval.interactions import AGENT
from homebody.suites.embodiedeval.metrics import COLUMNS, MEASURES, count, rates
from homebody.suites.embodiedeval.protocol import PROTOCOLS, QUIRKS
from homebody.suites.embodiedeval.report import film, snapshot
from homebody.suites.embodiedeval.session import MAX_STEPS, SETTINGS, build, check_settings, start
from homebody.suites.embodiedeval.solution import show_solution
from homebody.suites.embodiedeval.submission import SUBMISSION
from homebody.suites.embodiedeval.tasks import CATEGORIES, EmbodiedTask, load, read_tasks, versions
from homebody.worlds.house.rendering.rays import require_rays

PLAYING: Final[Playing[EmbodiedTask]] = Playing(
    start=start,
    build=build,
    roles=(AGENT,),
    policies={
        "oracle": agents.oracle,
        "random": agents.random,
        "text_only": agents.text_only,
        "idle": agents.idle,
    },
    settings=SETTINGS,
    check_compatible=check_settings,
    driver=drive,
    max_entries=MAX_STEPS,
    analysis=ANALYSIS,
)


def _of_category(category: str, record: Mapping[str, Any]) -> bool:
    return bool(record["category"] == category)


ABILITIES: Final = tuple(
    Ability(
        name,
        tasks=f"of the category {CATEGORIES[category]}",
        applies_to=partial(_of_category, category),
    )
    for name, category in (
        ("Perception", "attribute_qa"),
        ("Spatial relations", "spatial_qa"),
        ("Search", "navigation"),
        ("Moving things", "object_interaction"),
        ("Collaboration", "social_interaction"),
    )
)
TEST: Final[Suite[EmbodiedTask]] = Suite(
    name="embodiedeval.test",
    title="Act and answer from first-person pictures (EmbodiedEval)",
    tasks=Tasks(
        load=lambda protocol: load("test"),
        identify=lambda task: task.id,
        describe=lambda task: f"[{task.category}] {task.instruction}",
        prepare=lambda progress: load("test"),
        categories=lambda task: (task.category,),
        groups={
            "capability": lambda task: task.capabilities,
            "family": lambda task: (task.family,),
        },
        cluster=lambda task: f"{task.scene.kind}-{task.scene.seed}",
        data=versions,
        read=read_tasks,
    ),
    playing=PLAYING,
    scoring=Scoring(PLAYING.score, PROTOCOLS, require=require_rays),
    reporting=Reporting(measures=MEASURES, summary=Summary(count, rates, COLUMNS)),
    published=Published(QUIRKS.keys(), submission=SUBMISSION),
    viewing=Viewing(
        snapshot,
        film,
        conditions=lambda record: [(text, met) for text, met in record["predicates"]],
        abilities=ABILITIES,
        solution=show_solution,
    ),
    prompt_version=3,
)
