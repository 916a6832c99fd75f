"""Houses for MuJoCo: MJCF with collision boxes.

Rooms, furniture and people are fixed; every object is a free body with its mass. Furniture has only
its solid parts (:mod:`.solids`), so that objects can lie in shelves and drawers. Doors of rooms and
doors, drawers and lids of furniture (:mod:`.moving_parts`) move on hinges and slides; they collide
with objects, not with walls and furniture. MuJoCo's frame is the same as the frame of houses:
metres, z up.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from xml.etree import ElementTree as XML

from homebody.worlds.house.exchange.masses import mass_of
from homebody.worlds.house.exchange.moving_parts import MovingPart, moving_parts
from homebody.worlds.house.exchange.solids import solid_boxes
from homebody.worlds.house.model.doors import hinge_of, open_leaf, shut_leaf
from homebody.worlds.house.model.house import (
    Box,
    House,
    Opening,
    Point,
    Pose,
    Receptacle,
    Room,
    Vector,
)
from homebody.worlds.house.model.outlines import flat, gap
from homebody.worlds.house.model.state import HouseState
from homebody.worlds.house.rendering.meshes.rooms import edges_of, openings_in

LEAF_DENSITY = 500.0
"""Kilograms per cubic metre of doors, drawers and lids."""
_GREY = (0.75, 0.75, 0.75)
_THIN = 0.02
_FIXED = {"contype": "0"}
"""Of bodies that are fixed or on a joint: they collide with free bodies only."""


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
        moving = moving_parts(piece)
        free: list[Receptacle | Box] = [*piece.receptacles, *(part.space for part in moving)]
        for number, box in enumerate(solid_boxes(piece.size, free)):
            _geom(body, f"{piece.name}:{number}", box, colour, **_FIXED)
        for part in moving:
            _add_part(body, piece.name, part, colour, state.states[piece.name])
    for person in house.people:
        _geom(
            _body(world, person.name, person.pose),
            f"{person.name}:0",
            _box(person.size),
            _GREY,
            **_FIXED,
        )
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
        boxes = solid_boxes(thing.size, thing.receptacles)
        density = mass_of(thing) / sum(math.prod(_sides(box)) for box in boxes)
        for number, box in enumerate(boxes):
            mass = _numbers([density * math.prod(_sides(box))])
            _geom(body, f"{thing.name}:{number}", box, _colour(thing.style), mass=mass)
    XML.indent(root)
    return XML.tostring(root, encoding="unicode") + "\n"


def _add_room(world: XML.Element, house: House, room: Room) -> None:
    """Add a floor under the room's rectangle, and its walls around their openings."""
    xs, ys = [x for x, _ in room.outline], [y for _, y in room.outline]
    floor = Box((min(xs) - 0.2, min(ys) - 0.2, -0.1), (max(xs) + 0.2, max(ys) + 0.2, 0.0))
    _geom(world, room.floor_name, floor, (0.7, 0.6, 0.5), **_FIXED)
    holes = [opening for opening in house.openings if room.name in opening.rooms]
    number = 0
    for start, end in edges_of(room):
        for box in _wall(start, end, holes, house.wall, room.height):
            _geom(world, f"wall_{room.name}:{number}", box, room.walls, **_FIXED)
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
        _add_door(world, house, opening, state.states[opening.name])
        return
    (a, b), (c, d) = opening.start, opening.end
    thin = _THIN / 2
    x, y = (thin, 0.0) if a == c else (0.0, thin)
    box = Box(
        (min(a, c) - x, min(b, d) - y, opening.bottom),
        (max(a, c) + x, max(b, d) + y, opening.top),
    )
    _geom(world, opening.name, box, _GREY, **_FIXED)


def _add_door(world: XML.Element, house: House, door: Opening, states: Mapping[str, bool]) -> None:
    """Add the leaf of a door between rooms, on its hinge."""
    shut, opened = shut_leaf(house, door), open_leaf(house, door)
    x, y = hinge_of(house, door)
    (a, b, _), (c, d, _) = shut.centre, opened.centre
    way = math.copysign(1.0, (a - x) * (d - y) - (b - y) * (c - x))
    low, high = (tuple(p - q for p, q in zip(at, (x, y, 0.0), strict=True))
                 for at in (shut.low, shut.high))  # fmt: skip
    leaf = Box(low, high)  # type: ignore[arg-type]
    part = MovingPart("door", (leaf,), leaf, (0.0, 0.0, 0.0), (0.0, 0.0, way), 90.0)
    frame = XML.SubElement(
        world, "body", {"name": f"{door.name}:frame", "pos": _numbers((x, y, 0))}
    )
    _add_part(frame, door.name, part, _colour(door.style), states, door.name)


def _add_part(
    body: XML.Element,
    owner: str,
    part: MovingPart,
    colour: Sequence[float],
    states: Mapping[str, bool],
    name: str = "",
) -> None:
    """Add a door, drawer or lid and its joint, which has its name.

    Doors and lids are open if the state says so. Drawers are shut, as objects in them lie where
    they do in a shut one. Locked parts have no joint.
    """
    name = name or f"{owner}:{part.name}"
    is_open = states.get("open", False) and not part.slides
    place = {"pos": _numbers(part.anchor)}
    if is_open:
        half = math.radians(part.reach) / 2
        place["quat"] = _numbers((math.cos(half), *(way * math.sin(half) for way in part.axis)))
    leaf = XML.SubElement(body, "body", {"name": name, **place})
    if not states.get("locked", False):
        friction = {"damping": "10", "frictionloss": "2"} if part.slides else {"damping": "0.5"}
        XML.SubElement(
            leaf,
            "joint",
            {
                "name": name,
                "type": "slide" if part.slides else "hinge",
                "axis": _numbers(part.axis),
                "range": _numbers((0.0, part.reach)),
                "ref": _numbers([part.reach if is_open else 0.0]),
                "frictionloss": "0.1",
                **friction,
            },
        )
    x, y, z = part.anchor
    for number, box in enumerate(part.boxes):
        (a, b, c), (d, e, f) = box.low, box.high
        own = Box((a - x, b - y, c - z), (d - x, e - y, f - z))
        _geom(leaf, f"{name}:{number}", own, colour, density=f"{LEAF_DENSITY:g}", **_FIXED)


def _body(world: XML.Element, name: str, pose: Pose) -> XML.Element:
    place = {"pos": _numbers(pose.position)}
    if pose.yaw:
        half = math.radians(pose.yaw) / 2
        place["quat"] = _numbers((math.cos(half), 0.0, 0.0, math.sin(half)))
    return XML.SubElement(world, "body", {"name": name, **place})


def _geom(parent: XML.Element, name: str, box: Box, colour: Sequence[float], **more: str) -> None:
    half = [side / 2 for side in _sides(box)]
    place = {"pos": _numbers(box.centre), "size": _numbers(half)}
    rgba = _numbers((*colour, 1.0))
    XML.SubElement(parent, "geom", {"name": name, "type": "box", **place, "rgba": rgba, **more})


def _sides(box: Box) -> list[float]:
    """Return the sides of a box as MuJoCo gets it: at least a millimetre."""
    return [max(side, 1e-3) for side in box.size]


def _box(size: Vector) -> Box:
    w, d, h = size
    return Box((-w / 2, -d / 2, 0.0), (w / 2, d / 2, h))


def _colour(style: Mapping[str, Sequence[float]]) -> Sequence[float]:
    return next(iter(style.values()), _GREY)


def _numbers(values: Sequence[float]) -> str:
    return " ".join(f"{value:.6g}" for value in values)
