"""The situations of a household are of what the catalogue has."""

from __future__ import annotations

from homebody.authoring.language.names import lexicon
from homebody.authoring.partnr.grammar.recipes import WASHING
from homebody.authoring.partnr.grammar.themes import themes
from homebody.worlds.house.model.catalogue import catalogue


def test_situations_are_of_the_catalogue() -> None:
    known = catalogue()
    for theme in themes().values():
        assert theme.openings, theme.name
        assert theme.purposes, theme.name
        for moving in theme.moves:
            assert set(moving.things) <= set(known.things), theme.name
            assert not moving.word or moving.word in lexicon().classes
            assert not moving.wash or {place.name for place in moving.via} & set(WASHING)
            for place in (*moving.sources, *moving.targets, *moving.via, *moving.put_away):
                table = {
                    "furniture": known.furniture,
                    "container": known.things,
                    "room": known.rooms,
                    "floor": known.rooms,
                }[place.kind]
                assert place.name in table, f"{theme.name}: {place.name}"
                if place.kind == "container":
                    assert known.things[place.name].inside is not None
        for switching in theme.switches:
            ability = {"clean": "cleanable", "filled": "fillable", "powered_on": "powerable"}
            assert ability[switching.state] in known.affords(switching.category), switching
