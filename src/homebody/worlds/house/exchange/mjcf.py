"""Houses for MuJoCo: MJCF with collision boxes.

Rooms, furniture and people are fixed; every object is a free body. Furniture has only its solid
parts (:mod:`.solids`), so that objects can lie in shelves and drawers. Doors are open or closed as
in the state. MuJoCo's frame is that of houses: metres, z up.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from xml.etree import ElementTree as XML

from homebody.worlds.house.exchange.solids import solid_boxes
from homebody.worlds.house.model.doors import open_leaf, shut_leaf
from homebody.worlds.house.model.house import Box, House, Opening, Point, Pose, Room, Vector
from homebody.worlds.house.model.outlines import flat, gap
from homebody.worlds.house.model.state import HouseState
from homebody.worlds.house.rendering.meshes.rooms import edges_of, openings_in

DENSITY = 400.0
"""Kilograms per cubic metre of an object's box; the value is low because objects do not fill their
boxes.
"""
_GREY = (0.75, 0.75, 0.75)
_THIN = 0.02


def to_mjcf(house: House, state: HouseState | None = None) -> str:
    """Return a house in a state as an MJCF document, for ``mujoco.MjModel.from_xml_string``.

    Args:
        house: The house; bodies have the names of its furniture, objects and people.
        state: State of the house, by default the initial one. Agents and held objects are omitted.
    """
    state = state or HouseState.start(house)
    root = XML.Element("mujoco", model=f"homebody {house.kind} {house.source or house.seed}")
    XML.SubElement(root, "compiler", angle="degree", autolimits="true")
    XML.SubElement(root, "option", timestep="0.002", cone="elliptic", impratio="5")
    default = XML.SubElement(root, "default")
    XML.SubElement(default, "geom", friction="1 0.01 0.001", solimp="0.95 0.99 0.001")
    world = XML.SubElement(root, "worldbody")
    XML.SubElement(world, "light", pos="0 0 10", directional="true")
    for room in house.rooms:
        _add_room(world, house, room)
    for opening in house.openings:
        _add_opening(world, house, opening, state)
    for piece in house.furniture:
        body = _body(world, piece.name, piece.pose)
        colour = _colour(piece.style)
        for number, box in enumerate(solid_boxes(piece.size, piece.receptacles)):
            _geom(body, f"{piece.name}:{number}", box, colour)
    for person in house.people:
        _geom(_body(world, person.name, person.pose), f"{person.name}:0", _box(person.size), _GREY)
    contact = XML.SubElement(root, "contact")
    bearers = {*state.bodies, *house.person}
    for thing in house.things:
        if state.places[thing.name][0] in bearers:
            continue
        body = _body(world, thing.name, state.poses[thing.name])
        XML.SubElement(body, "freejoint")
        for (
            person
        ) in house.people:  # a seated person's box may overlap objects on the table in front
            if gap(flat(state.box(person.name)), flat(state.box(thing.name))) < 0:
                XML.SubElement(contact, "exclude", body1=person.name, body2=thing.name)
        for number, box in enumerate(solid_boxes(thing.size, thing.receptacles)):
            name = f"{thing.name}:{number}"
            _geom(body, name, box, _colour(thing.style), density=f"{DENSITY:g}")
    XML.indent(root)
    return XML.tostring(root, encoding="unicode") + "\n"


def _add_room(world: XML.Element, house: House, room: Room) -> None:
    """Add a floor under the room's rectangle, and its walls around their openings."""
    xs, ys = [x for x, _ in room.outline], [y for _, y in room.outline]
    floor = Box((min(xs) - 0.2, min(ys) - 0.2, -0.1), (max(xs) + 0.2, max(ys) + 0.2, 0.0))
    _geom(world, room.floor_name, floor, (0.7, 0.6, 0.5))
    holes = [opening for opening in house.openings if room.name in opening.rooms]
    number = 0
    for start, end in edges_of(room):
        for box in _wall(start, end, holes, house.wall, room.height):
            _geom(world, f"wall_{room.name}:{number}", box, room.walls)
            number += 1


def _wall(
    start: Point,
    end: Point,
    openings: Sequence[Opening],
    thickness: float,
    height: float,
) -> list[Box]:
    """Return a wall of a room, half its thickness, as boxes beside, below and above openings."""
    (x0, y0), (x1, y1) = start, end
    length = abs(x1 - x0) + abs(y1 - y0)
    ahead = (x1 - x0) / length, (y1 - y0) / length
    outward = ahead[1], -ahead[0]  # the room is on the left of the edge
    deep = max(thickness / 2, _THIN)
    panels = []
    at = 0.0
    for left, right, opening in openings_in(start, end, openings, thickness):
        panels.append((at, left, 0.0, height))
        panels.append((left, right, 0.0, opening.bottom))
        panels.append((left, right, opening.top, height))
        at = max(at, right)
    panels.append((at, length, 0.0, height))
    made = []
    for low, high, bottom, top in panels:
        if high - low > 1e-4 and top - bottom > 1e-4:
            xs = sorted(
                x0 + ahead[0] * along + outward[0] * off for along, off in ((low, 0), (high, deep))
            )
            ys = sorted(
                y0 + ahead[1] * along + outward[1] * off for along, off in ((low, 0), (high, deep))
            )
            made.append(Box((xs[0], ys[0], bottom), (xs[1], ys[1], top)))
    return made


def _add_opening(world: XML.Element, house: House, opening: Opening, state: HouseState) -> None:
    """Add the leaf or pane that closes an opening."""
    if opening.kind == "doorway":
        return
    if opening.kind == "door":
        is_open = state.is_in_state(opening.name, "open")
        box = (open_leaf if is_open else shut_leaf)(house, opening)
    else:
        (a, b), (c, d) = opening.start, opening.end
        thin = _THIN / 2
        x, y = (thin, 0.0) if a == c else (0.0, thin)
        box = Box(
            (min(a, c) - x, min(b, d) - y, opening.bottom),
            (max(a, c) + x, max(b, d) + y, opening.top),
        )
    _geom(world, opening.name, box, _GREY)


def _body(world: XML.Element, name: str, pose: Pose) -> XML.Element:
    place = {"pos": _numbers(pose.position)}
    if pose.yaw:
        half = math.radians(pose.yaw) / 2
        place["quat"] = _numbers((math.cos(half), 0.0, 0.0, math.sin(half)))
    return XML.SubElement(world, "body", {"name": name, **place})


def _geom(parent: XML.Element, name: str, box: Box, colour: Sequence[float], **more: str) -> None:
    half = [max(side / 2, 5e-4) for side in box.size]
    place = {"pos": _numbers(box.centre), "size": _numbers(half)}
    rgba = _numbers((*colour, 1.0))
    XML.SubElement(parent, "geom", {"name": name, "type": "box", **place, "rgba": rgba, **more})


def _box(size: Vector) -> Box:
    w, d, h = size
    return Box((-w / 2, -d / 2, 0.0), (w / 2, d / 2, h))


def _colour(style: Mapping[str, Sequence[float]]) -> Sequence[float]:
    return next(iter(style.values()), _GREY)


def _numbers(values: Sequence[float]) -> str:
    return " ".join(f"{value:.6g}" for value in values)
