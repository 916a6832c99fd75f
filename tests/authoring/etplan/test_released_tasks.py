"""Released tasks in a scene graph of ours."""

from __future__ import annotations

from pathlib import Path

from homebody.authoring.etplan.released_tasks import NO_CLASS, NOT_THERE, place_tasks
from homebody.core import CORRECTED
from homebody.suites.etplan.released import read_released
from homebody.suites.etplan.suite import SUITES
from homebody.suites.etplan.tasks import decode_tasks, encode_tasks
from homebody.worlds.virtualhome.scene_graph import read_graph
from suites.etplan.released_files import line, write
from worlds.virtualhome.scene_graphs import household


def test_released_tasks_are_played_where_their_classes_are(tmp_path: Path) -> None:
    found = [
        line("Find the apple on the table.", "(CLOSE, robot, apple)(ON, apple, kitchentable)"),
        line("Find the apple on the bed.", "(CLOSE, robot, apple)(ON, apple, bed)"),
        line("Find the plum.", "(CLOSE, robot, plum)"),
    ]
    put = "(CLOSE, robot, mug)(CLOSE, robot, kitchentable)(ON, mug, kitchentable)"
    folder = write(tmp_path, navigation_relation=found, manipulation=[line("Mug, please.", put)])
    placed, refused = place_tasks(read_released(folder), [read_graph(household())])
    assert refused["navigation-relation:2"] == NOT_THERE
    assert refused["navigation-relation:3"] == f"{NO_CLASS} (plum)"
    ids = {task.id.rpartition("-")[0]: task for task in placed}
    assert "navigation-relation-1" in ids
    assert "manipulation-1" in ids
    assert decode_tasks(encode_tasks(placed, packed=False)) == placed
    for name in ("navigation_relation", "manipulation"):
        suite = getattr(SUITES, name)
        task = next(task for task in placed if task.row == name)
        assert suite.score(task, suite.answer("oracle", task), CORRECTED).metrics["success"] == 1.0
        assert suite.score(task, suite.answer("idle", task), CORRECTED).metrics["success"] == 0.0
