"""What is in a view."""

from __future__ import annotations

import math

import numpy as np

from homebody.suites.embodiedeval.views import FOV, is_in_frame
from suites.embodiedeval.small_tasks import survey


def test_one_faces_what_has_its_middle_in_the_picture() -> None:
    state, graph = survey().state, survey().graph
    corner = math.degrees(math.atan(math.sqrt(2) * math.tan(math.radians(FOV / 2))))
    found = set()
    for view in list(graph.views())[::7]:
        position, yaw, pitch = graph.eye(view)
        a, b = math.radians(yaw), math.radians(pitch)
        ahead = (-math.sin(a) * math.cos(b), math.cos(a) * math.cos(b), math.sin(b))
        for piece in survey().house.furniture:
            way = np.array(piece.box.centre) - np.array(position)
            off = math.degrees(math.acos(float(way @ np.array(ahead)) / np.linalg.norm(way)))
            faced = is_in_frame(state, view, piece.name)
            found.add(faced)
            assert faced if off < FOV / 2 - 0.1 else not faced or off < corner + 0.1
    assert found == {False, True}
