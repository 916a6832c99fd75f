"""The suites of ET-Plan-Bench, ``etplan.ROW``: a robot finds and moves objects in a home."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from types import SimpleNamespace
from typing import Final

from homebody.core import Measure, Playing, Reporting, Scoring, Suite, Tasks
from homebody.core.play import policies
from homebody.core.published import Published
from homebody.core.viewing import Ability, Viewing
from homebody.goals.etplan import ROBOT
from homebody.suites.etplan.agents.explorer import explorer
from homebody.suites.etplan.agents.frequent import frequent
from homebody.suites.etplan.agents.oracle import oracle
from homebody.suites.etplan.agents.pipeline import drive
from homebody.suites.etplan.failures import ANALYSIS
from homebody.suites.etplan.protocol import PROTOCOLS, QUIRKS
from homebody.suites.etplan.rows import MOST_ACTIONS, ROWS, Row
from homebody.suites.etplan.session import build, settings, start
from homebody.suites.etplan.solution import show_solution
from homebody.suites.etplan.tasks import EtplanTask, load, read_tasks, versions
from homebody.worlds.house.play.filming import film
from homebody.worlds.house.play.looking import look
from homebody.worlds.house.rendering.rays import require_rays

REPORTING: Final = Reporting(
    means={"Success": "success"},
    measures={
        "SPL": Measure("spl", percent=True),
        "Seq length": Measure("sequence_length", best="low"),
        "LCS": Measure("lcs"),
        "LCS ratio": Measure("lcs_ratio", percent=True),
        "Metres": Measure("moving_distance", best="low"),
    },
)
"""Columns of the table. The moving distance is a mean over successful tasks, the others are means
over all tasks (appendix A.9)."""


def _abilities(row: Row) -> tuple[Ability, ...]:
    main = {"navigation": "Search", "temporal": "Order in time"}.get(row.kind, "Moving things")
    return (Ability(main), *([Ability("Spatial relations")] if row.relation else []))


def make_suite(row: Row) -> Suite[EtplanTask]:
    """Return the suite of a row."""
    playing: Playing[EtplanTask] = Playing(
        start=partial(start, row),
        build=build,
        roles=(ROBOT,),
        policies={
            "explorer": explorer,
            "frequent": frequent,
            "oracle": oracle,
            "random": policies.random,
            "idle": policies.idle,
        },
        settings=settings(row),
        driver=drive,
        max_entries=max(MOST_ACTIONS.values()) + 1,
        analysis=ANALYSIS,
    )
    return Suite(
        name=f"etplan.{row.name}",
        title=f"Find and move things in a home (ET-Plan-Bench, {row.title})",
        tasks=Tasks(
            load=lambda protocol: load("test")[row.tasks],
            identify=lambda task: task.id,
            describe=lambda task: task.instruction,
            cluster=lambda task: str(task.house),
            prepare=lambda progress: load("test"),
            data=versions,
            read=partial(read_tasks, row),
        ),
        playing=playing,
        scoring=Scoring(playing.score, PROTOCOLS, require=require_rays),
        reporting=replace(REPORTING, place=tuple(ROWS).index(row.name)),
        published=Published(QUIRKS.keys()),
        viewing=Viewing(
            look,
            film,
            conditions=lambda record: [(text, met) for text, met in record["conditions"]],
            abilities=_abilities(row),
            solution=partial(show_solution, row),
        ),
        prompt_version=4,
    )


SUITES: Final = SimpleNamespace(**{name: make_suite(row) for name, row in ROWS.items()})
"""The suites by the name of their row; entry points name its attributes."""
