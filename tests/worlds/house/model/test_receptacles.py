"""Where things can be put."""

from __future__ import annotations

from homebody.worlds.house.model.catalogue import catalogue
from homebody.worlds.house.model.receptacles import thing_receptacles


def test_things_are_on_trays_and_in_bowls():
    things = catalogue().things
    kinds = {
        name: [each.kind for each in thing_receptacles(kind, kind.size)]
        for name, kind in things.items()
        if kind.inside
    }
    assert kinds["tray"] == kinds["baking_tray"] == ["on"]
    assert kinds["bowl"] == kinds["letter_tray"] == kinds["suitcase"] == ["within"]
    flat = {name for name, [kind] in kinds.items() if kind == "on"}
    assert flat == {name for name in kinds if things[name].shape == "tray"} - {"letter_tray"}
