"""Doors of others open where they can."""

from __future__ import annotations

from pathlib import Path

import pytest

from homebody.core.play.transcript import find_call
from homebody.worlds.house.exchange.imported import ImportedBox, ImportedRoom, Scene, build
from homebody.worlds.house.model.agents import HUMAN
from homebody.worlds.house.model.house import Opening
from homebody.worlds.house.simulation.simulation import Simulation

ROOMS = tuple(
    ImportedRoom(name, "bedroom", ((x, 0), (x + 4, 0), (x + 4, 4), (x, 4)), 2.6)
    for name, x in (("west", 0.0), ("east", 4.0))
)
DOOR = Opening(
    "door_0",
    "door",
    ("west", "east"),
    (4.0, 1.5),
    (4.0, 2.4),
    0.0,
    2.1,
    hinge="start",
    swings_into="east",
    states={"open": False, "locked": False},
)


def wardrobe(x: float, y: float) -> ImportedBox:
    return ImportedBox(f"{x}/{y}", "wardrobe", (x, y, 1.0), (0.3, 0.3, 2.0))


@pytest.mark.parametrize(
    ("in_the_way", "kind"),
    [((), "door"), ((4.85,), "door"), ((4.85, 3.15), "doorway")],
)
def test_a_leaf_opens_where_nothing_stands(in_the_way: tuple[float, ...], kind: str) -> None:
    boxes = tuple(wardrobe(x, 2.5) for x in in_the_way)
    imported = build(Scene(ROOMS, (DOOR,), boxes), Path("scene.json"))
    (door,) = imported.house.openings
    assert door.kind == kind
    assert any("1 door without a leaf" in note for note in imported.notes) == (kind == "doorway")
    simulation = Simulation(imported.house, {"human": HUMAN}, seed=0)
    for room in imported.house.rooms:
        event = simulation.do("human", find_call(f"Navigate[{room.name}]"))
        assert event.ok, event.message
