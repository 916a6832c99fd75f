"""Which lamps are on: nobody is awake in the dark."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from homebody.worlds.house.model.catalogue import Catalogue
from homebody.worlds.house.model.house import Furniture, Opening, Person, Room


def switch_lamps(
    entries: Catalogue,
    rooms: Sequence[Room],
    openings: Sequence[Opening],
    furniture: Sequence[Furniture],
    people: Sequence[Person],
) -> tuple[Furniture, ...]:
    """The furniture with its lamps switched. The ceiling lamps of a room have one switch: they are
    on where somebody is awake and in rooms without a window that one walks through; elsewhere they
    are as the first of them was drawn."""
    has_window = {name for each in openings if each.kind == "window" for name in each.rooms}
    in_use = {room.name for room in rooms if entries.rooms[room.kind].lets} - has_window
    in_use |= {person.room for person in people if person.posture != "lying"}
    on = dict.fromkeys(in_use, True)
    switched = []
    for piece in furniture:
        if entries.furniture[piece.category].mount == "ceiling":
            is_on = on.setdefault(piece.room, piece.states["powered_on"])
            piece = replace(piece, states={**piece.states, "powered_on": is_on})
        switched.append(piece)
    return tuple(switched)
