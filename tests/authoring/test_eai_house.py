"""Tasks of ``eai.house`` are made again as they are."""

from __future__ import annotations

import pytest

pytest.importorskip("embreex", reason="needs: pip install 'homebody[house]'")

from homebody.authoring.eai_house import CLEAR, Look, make, shows, views_of
from homebody.suites.eai.house.tasks import load_tasks
from thorough import THOROUGH

HOME = 41


@pytest.mark.slow
def test_a_room_is_seen_from_one_place() -> None:
    room = "bathroom_0"
    views = views_of(HOME, room)
    assert 1 <= len(views) <= 4
    assert len({view[:3] for view in views}) == 1
    look = Look(HOME, room, views, ())
    assert any(each.category == "toilet" and look.is_only(each) for each in look.room.objects)
    assert all(look.most[each.name] >= CLEAR for each in look.bearers())
    toilet = next(each for each in look.room.objects if each.category == "toilet")
    assert shows(look, toilet.name, "open")


@pytest.mark.slow
@pytest.mark.parametrize("seed", [39, 44] if THOROUGH else [44])
def test_the_tasks_of_a_home_are_those_of_the_file(seed: int) -> None:
    kept = [task.line for task in load_tasks() if task.line.room.house == seed]
    assert len(kept) >= 6
    assert list(make(seed)) == kept
