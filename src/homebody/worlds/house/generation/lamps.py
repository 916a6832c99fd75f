"""Switches lamps so that nobody who is awake is in the dark."""

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
    """Return the furniture with its lamps switched.

    The ceiling lamps of a room share a switch. They are on in rooms without windows and where
    somebody is awake. In all other rooms they have the sampled state of the first lamp.
    """
    has_window = {name for each in openings if each.kind == "window" for name in each.rooms}
    in_use = {room.name for room in rooms if room.name not in has_window}
    in_use |= {person.room for person in people if person.posture != "lying"}
    on = dict.fromkeys(in_use, True)
    switched = []
    for piece in furniture:
        if entries.furniture[piece.category].mount == "ceiling":
            is_on = on.setdefault(piece.room, piece.states["powered_on"])
            piece = replace(piece, states={**piece.states, "powered_on": is_on})
        switched.append(piece)
    return tuple(switched)
