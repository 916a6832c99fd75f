"""Finishes of a room's walls and ceiling: paint, wallpaper, tiles, panels, cornice.

The room determines its wall covering. The other details depend on the kind of room and on a hash of
its name and the house's seed.
"""

from __future__ import annotations

import zlib
from dataclasses import dataclass

from homebody.worlds.house.model.house import Colour, House, Room
from homebody.worlds.house.rendering.materials import Surface
from homebody.worlds.house.rendering.meshes.palette import mix, shade

TILED_KITCHENS = frozenset(
    {"kitchen", "restaurant_kitchen", "break_room", "pantry", "laundry_room"}
)
"""Kinds of rooms with tiles behind their counters, unless their walls are of brick."""
STATELY = frozenset(
    {"living_room", "dining_room", "bedroom", "guest_room", "library", "hotel_room", "hallway"}
    | {"hotel_lobby", "dining_hall", "reception"}
)
"""Kinds of rooms that may have a cornice. A room with panels always has one."""
GRID_CEILINGS = frozenset(
    {"open_office", "private_office", "meeting_room", "classroom", "staff_room", "sales_floor"}
    | {"ward", "nurses_station", "examination_room", "waiting_room", "hospital_corridor"}
    | {"market_floor", "corridor", "entrance_hall"}
)
"""Kinds of rooms with ceilings of panels in a grid."""
COVERINGS = {"stripes": Surface.STRIPES, "dots": Surface.WALLPAPER, "brick": Surface.BRICK}
"""Wall coverings with a surface of their own."""


@dataclass(frozen=True, slots=True)
class Finish:
    """The finish of the walls and the ceiling of one room.

    Attributes:
        surface: Surface of the walls.
        second: Second colour of their pattern.
        skirting: Height of the skirting board, metres; 0 for none.
        panels: Height up to which panels cover the walls, metres; 0 for none.
        cornice: Width along the wall and along the ceiling, metres; 0 for none.
        ceiling: Surface of the ceiling.
    """

    surface: Surface
    second: Colour
    skirting: float
    panels: float
    cornice: float
    ceiling: Surface


def finish_of(house: House, room: Room) -> Finish:
    """Return the finish of a room, the same at each call."""
    number = zlib.crc32(f"{house.seed}/{room.name}/finish".encode())
    ceiling = Surface.PAVING if room.kind in GRID_CEILINGS else Surface.MATT
    pale = mix(room.walls, (1.0, 1.0, 1.0), 0.75)
    if room.covering == "tiles":
        return Finish(Surface.WALL_TILES, pale, 0.0, 0.0, 0.0, ceiling)
    if room.kind in TILED_KITCHENS and room.covering != "brick":
        return Finish(Surface.WALL_TILES, pale, 0.08, 0.0, 0.0, ceiling)
    surface = COVERINGS.get(room.covering, Surface.WALL)
    second = shade(room.walls, 0.86) if (number >> 8) % 2 else mix(room.walls, pale, 0.7)
    if surface == Surface.BRICK:  # the colour of its joints
        second = shade(room.walls, 0.88)
    panelled = room.covering == "panels"
    stately = panelled or (room.kind in STATELY and (number >> 5) % 3)
    return Finish(
        surface,
        second,
        (0.08, 0.1, 0.12)[(number >> 10) % 3],
        0.92 if panelled else 0.0,
        0.07 if stately and surface != Surface.BRICK else 0.0,
        ceiling,
    )
