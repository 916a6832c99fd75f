"""Chooses the hinges of imported doors, because the files do not have them.

A door can be hung in four ways; the way with the fewest obstacles is used. If furniture blocks all
four ways, the door becomes a doorway without a leaf.
"""

from __future__ import annotations

from dataclasses import replace

from homebody.worlds.house.model.doors import open_leaf, swing
from homebody.worlds.house.model.house import Box, House, Opening, box_at
from homebody.worlds.house.model.outlines import flat, is_inside, parts_of

_FLAT = 0.05
"""Maximum height in metres of furniture over which a door can swing, such as rugs."""


def hang(house: House) -> tuple[House, int]:
    """Return the house with its doors hung, and the number of doors that became doorways."""
    pieces = [piece.box for piece in house.furniture if piece.size[2] > _FLAT]
    loose = [
        box_at(thing.pose, thing.size) for thing in house.things if thing.place[0] in house.floors
    ]
    openings: list[Opening] = []
    for opening in house.openings:
        if opening.kind == "door":
            ways = [
                replace(opening, hinge=hinge, swings_into=room)
                for room in reversed(opening.rooms)
                for hinge in ("start", "end")
            ]
            costs = [_in_the_way(house, way, pieces, loose, openings) for way in ways]
            least = min(costs)
            opening = ways[costs.index(least)]
            if least[0]:
                opening = replace(
                    opening, kind="doorway", hinge="", swings_into="", states={}, key=""
                )
        openings.append(opening)
    without = sum(opening.kind == "door" for opening in house.openings)
    without -= sum(opening.kind == "door" for opening in openings)
    return replace(house, openings=tuple(openings)), without


def _in_the_way(
    house: House, door: Opening, pieces: list[Box], loose: list[Box], hung: list[Opening]
) -> tuple[int, bool, int, int]:
    """Count the obstacles in the way of a door: furniture, walls, other doors, objects on the
    floor."""
    swept, leaf = swing(house, door), open_leaf(house, door)
    others = [swing(house, other) for other in hung if other.kind == "door"]
    return (
        sum(box.meets(swept) for box in pieces),
        not is_inside(flat(leaf), parts_of(house.room[door.swings_into])),
        sum(box.meets(swept) for box in others),
        sum(box.meets(swept) for box in loose),
    )
