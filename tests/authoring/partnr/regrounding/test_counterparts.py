"""What published classes are called in homebody."""

from __future__ import annotations

from homebody.authoring.partnr.regrounding.counterparts import counterparts
from homebody.worlds.house.model.catalogue import catalogue


def test_the_tables_name_what_the_catalogue_has() -> None:
    known, tables = catalogue(), counterparts()
    assert {*tables.objects.values(), *tables.stand_ins.values()} <= set(known.things)
    assert {name for names in tables.furniture.values() for name in names} <= set(known.furniture)
    assert {name for names in tables.rooms.values() for name in names} <= set(known.rooms)
    assert {name for names in tables.alike for name in names} <= set(known.things)
