"""How the walls and ceiling of a room are finished: paint, wallpaper, tiles, panels, cornice.

What is only drawn hangs on the kind of the room and on a hash of its name and the house's seed.
"""

from __future__ import annotations

import zlib
from dataclasses import dataclass

from homebody.worlds.house.model.house import Colour, House, Room
from homebody.worlds.house.rendering.materials import Surface
from homebody.worlds.house.rendering.meshes.palette import mix, shade

TILED = frozenset({"bathroom", "guest_bathroom", "toilet", "restroom", "changing_room"})
"""Kinds of rooms with tiles up to a height, and tiles where others have skirting boards."""
TILED_BEHIND_COUNTERS = frozenset(
    {"kitchen", "restaurant_kitchen", "break_room", "pantry", "laundry_room"}
)
COSY = frozenset({"living_room", "dining_room", "bedroom", "guest_room", "library", "hotel_room"})
"""Kinds that may have wallpaper, panels and a cornice; halls have panels and cornices too."""
HALLS = frozenset({"hallway", "corridor", "reception", "dining_hall", "lobby"})
GRID_CEILINGS = frozenset(
    {"open_office", "private_office", "meeting_room", "classroom", "staff_room", "sales_floor"}
    | {"ward", "nurse_station"}
)
"""Kinds with ceilings of panels in a grid, in scenes that are no homes."""


@dataclass(frozen=True, slots=True)
class Finish:
    """Of the walls and the ceiling of one room.

    Attributes:
        surface: Of the walls.
        second: Second colour of their pattern.
        skirting: Height of the skirting board, metres; 0 for none.
        panels: Height up to which panels cover the walls, metres; 0 for none.
        cornice: How far it reaches along wall and ceiling, metres; 0 for none.
        ceiling: Surface of the ceiling.
    """

    surface: Surface
    second: Colour
    skirting: float
    panels: float
    cornice: float
    ceiling: Surface


def finish_of(house: House, room: Room) -> Finish:
    """The finish of a room, the same whenever it is asked."""
    number = zlib.crc32(f"{house.seed}/{room.name}/finish".encode())
    kind, white = room.kind, (1.0, 1.0, 1.0)
    if kind in TILED or kind in TILED_BEHIND_COUNTERS:
        second = mix(room.walls, white, 0.75)
        skirting = 0.0 if kind in TILED else 0.08
        return Finish(Surface.WALL_TILES, second, skirting, 0.0, 0.0, Surface.MATT)
    is_home = house.kind == "home"
    papered = kind in COSY and is_home and number % 3 == 0
    panelled = kind in COSY | HALLS and number % 3 == 1 and (number >> 3) % 2 == 0
    cornice = 0.07 if kind in COSY | HALLS and (number >> 5) % 3 else 0.0
    grid = kind in GRID_CEILINGS and not is_home
    return Finish(
        Surface.WALLPAPER if papered else Surface.WALL,
        shade(room.walls, 0.82) if (number >> 8) % 2 else mix(room.walls, white, 0.55),
        (0.08, 0.1, 0.12)[(number >> 10) % 3],
        0.92 if panelled else 0.0,
        cornice,
        Surface.PAVING if grid else Surface.MATT,
    )
