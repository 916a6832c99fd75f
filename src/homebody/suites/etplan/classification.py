"""The five classes of a task: what makes it difficult (paper, appendix A.5)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from homebody.goals.etplan import ROBOT
from homebody.suites.etplan.rows import Row
from homebody.suites.etplan.tasks import EtplanTask

LENGTHS: Final = {
    "navigation": "1: find one object",
    "manipulation": "2: find an object and put it somewhere",
    "several": "3: put several objects somewhere",
    "temporal": "3: put several objects somewhere",
}
"""Kind of task -> its class of action sequence length. The paper's third class is all tasks of
several objects."""
OCCLUSIONS: Final = {"": "none", "size": "hidden object", "distance": "far object"}


def classify(row: Row, task: EtplanTask) -> Mapping[str, str]:
    """Return the classes of a task by aspect: sequence length, prior knowledge, spatial relation,
    occlusion and temporal constraint. The relation and the steps are those of the criterion."""
    goal = task.goal
    moved = set(goal.puts)
    stated = {
        condition.relation
        for condition in goal.conditions
        if ROBOT not in (condition.first, condition.second) and condition not in moved
    }
    return {
        "action sequence length": f"{LENGTHS[row.kind]} ({len(task.plan)} actions)",
        "prior knowledge": "visible and layout map" if row.layout else "visible",
        "spatial relation": ", ".join(sorted(stated)) or "none",
        "occlusion": OCCLUSIONS[row.occlusion],
        "temporal constraint": f"{len(goal.stages)} steps" if row.kind == "temporal" else "none",
    }
