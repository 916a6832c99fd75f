"""Released tasks in scene graphs that exist, such as the initial scenes of EAI.

The scenes of the released tasks were not released. A task is playable in another scene if the scene
has its classes, if the criterion can be met there, and if the oracle meets it. Plans and starts are
made again for the scene.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import msgspec

from homebody.authoring.etplan.graph_setting import GraphSetting, kinds
from homebody.authoring.etplan.make import is_solved, solved_task
from homebody.authoring.etplan.setting import matching_instances
from homebody.authoring.etplan.shortest import shortest
from homebody.core import HomebodyError
from homebody.goals.etplan import ROBOT, Condition, Criterion, add_stages, jobs
from homebody.suites.etplan.released import ReleasedTask
from homebody.suites.etplan.rows import ROWS
from homebody.suites.etplan.scenes import keep
from homebody.suites.etplan.tasks import EtplanTask
from homebody.worlds.virtualhome.scene_graph import SceneGraph

NO_CLASS = "the scene has no object of a class of the criterion"
NOT_THERE = "no object of the scene is where the criterion says"
NO_PLAN = "there is no plan in the scene"
NOT_SOLVED = "the plan cannot be executed, or it meets the criterion too early"
REASONS = (NO_CLASS, NOT_THERE, NO_PLAN, NOT_SOLVED)
"""Reasons why a released task cannot be played in a scene."""


def place_task(task: ReleasedTask, setting: GraphSetting, digest: str) -> EtplanTask:
    """Return a released task in a scene graph.

    Args:
        task: The released task.
        setting: The scene graph.
        digest: Its digest.

    Raises:
        HomebodyError: The task cannot be played there; the message is one of :data:`REASONS`, with
            the first class that is missing as the hint.
    """
    row = ROWS[task.row.replace("-", "_")]
    goal = _rename(add_stages(task.criterion), setting)
    wanted = jobs(goal)
    targets = [each for job in wanted for each in (job.thing, job.target) if each is not None]
    if not all(matching_instances(setting, each) for each in targets):
        raise HomebodyError(NOT_THERE)
    rooms = [start for starts in setting.starts() for start in starts]
    begin = rooms[task.line % len(rooms)]
    plan = shortest(setting, begin, wanted, row.hands)
    if plan is None:
        raise HomebodyError(NO_PLAN)
    placed = msgspec.structs.replace(
        solved_task(setting, row, begin, task.text.strip(), goal, plan),
        id=f"{task.row}-{task.line}-{digest}",
        house=digest,
    )
    if not is_solved(placed):
        raise HomebodyError(NOT_SOLVED)
    return placed


def _rename(goal: Criterion, setting: GraphSetting) -> Criterion:
    """Return a criterion with the scene's names of its classes: the same letters, or the same class
    of the house catalogue."""
    classes = sorted(setting.facts.classes)
    names = {ROBOT: ROBOT}
    for name in goal.classes:
        letters = name.replace("_", "")
        same = [each for each in classes if each.replace("_", "") == letters]
        kind = kinds().get(letters)
        same += [each for each in classes if kind and setting.kind(each) == kind]
        if name != ROBOT and not same:
            raise HomebodyError(NO_CLASS, name)
        names.setdefault(name, same[0] if same else name)
    return Criterion(
        tuple(
            tuple(Condition(c.relation, names[c.first], names[c.second]) for c in stage)
            for stage in goal.stages
        )
    )


def place_tasks(
    tasks: Iterable[ReleasedTask], graphs: Sequence[SceneGraph]
) -> tuple[tuple[EtplanTask, ...], Mapping[str, str]]:
    """Return the released tasks that can be played, each in the first scene graph in which it can,
    and id -> reason for the others. Of several reasons, the last of :data:`REASONS` counts."""
    scenes = [(keep(graph).digest, GraphSetting(keep(graph).digest)) for graph in graphs]
    placed: list[EtplanTask] = []
    refused: dict[str, str] = {}
    for task in tasks:
        reasons: list[HomebodyError] = []
        for digest, setting in scenes:
            try:
                placed.append(place_task(task, setting, digest))
                break
            except HomebodyError as reason:
                reasons.append(reason)
        else:
            why = max(reasons, key=lambda each: REASONS.index(str(each)))
            refused[task.id] = f"{why} ({why.hint})" if why.hint else str(why)
    return tuple(placed), refused
