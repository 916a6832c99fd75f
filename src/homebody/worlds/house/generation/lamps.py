"""Switches lamps so that nobody who is awake is in the dark."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from homebody.worlds.house.model.catalogue import Catalogue
from homebody.worlds.house.model.house import Furniture, Opening, Person, Room

_LIT_WITHOUT_WINDOW = 0.6


def switch_lamps(
    rng: np.random.Generator,
    entries: Catalogue,
    rooms: Sequence[Room],
    openings: Sequence[Opening],
    furniture: Sequence[Furniture],
    people: Sequence[Person],
) -> tuple[Furniture, ...]:
    """Return the furniture with its lamps switched.

    The ceiling lamps of a room share a switch. They are on in rooms where somebody is awake, in
    windowless rooms that connect others, and in most other windowless rooms. In all other rooms
    they have the sampled state of the first lamp.
    """
    has_window = {name for each in openings if each.kind == "window" for name in each.rooms}
    in_use = {
        room.name
        for room in rooms
        if room.name not in has_window
        and (entries.rooms[room.kind].lets or rng.random() < _LIT_WITHOUT_WINDOW)
    }
    in_use |= {person.room for person in people if person.posture != "lying"}
    on = dict.fromkeys(in_use, True)
    switched = []
    for piece in furniture:
        if entries.furniture[piece.category].mount == "ceiling":
            is_on = on.setdefault(piece.room, piece.states["powered_on"])
            piece = replace(piece, states={**piece.states, "powered_on": is_on})
        switched.append(piece)
    return tuple(switched)
