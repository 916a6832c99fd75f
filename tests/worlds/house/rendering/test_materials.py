"""Patterns of floors."""

from __future__ import annotations

from homebody.worlds.house.model.catalogue import catalogue
from homebody.worlds.house.rendering.materials import FLOORS


def test_floors_of_the_catalogue_have_patterns() -> None:
    assert {floor.pattern for floor in catalogue().floors.values()} <= set(FLOORS)
