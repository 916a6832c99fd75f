"""Houses made by hand, for tests and timings of what happens in them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from homebody.worlds.house.model.house import (
    Furniture,
    House,
    Opening,
    Pose,
    Receptacle,
    Room,
    Thing,
    Vector,
)

WALL = 0.12
AFFORDS: Mapping[str, frozenset[str]] = {
    "sink": frozenset({"faucet", "cleanable", "openable"}),
    "jug": frozenset({"grabbable", "fillable", "pourable"}),
    "statue": frozenset(),
}
TOP = Receptacle("top", "on", (-0.6, -0.4, 0.75), (0.6, 0.4, 1.35))
SHELF = Receptacle("shelf", "within", (-0.3, -0.25, 0.1), (0.3, 0.28, 0.6))
INSIDE = Receptacle("inside", "within", (-0.18, -0.13, 0.02), (0.18, 0.13, 0.28))
BASIN = Receptacle("basin", "on", (-0.25, -0.2, 0.7), (0.25, 0.2, 1.1))


def room(name: str, low: tuple[float, float], high: tuple[float, float]) -> Room:
    (a, b), (c, d) = low, high
    kind = name.rsplit("_", 1)[0]
    return Room(name, kind, ((a, b), (c, b), (c, d), (a, d)), 2.6, "oak_planks", (1, 1, 1))


def piece(
    name: str,
    in_room: str,
    at: tuple[float, float],
    size: Vector,
    yaw: float = 0.0,
    receptacles: tuple[Receptacle, ...] = (),
    key: str = "",
    **states: bool,
) -> Furniture:
    category = name.rsplit("_", 1)[0]
    pose = Pose((*at, 0.0), yaw)
    return Furniture(name, category, in_room, pose, size, receptacles, {}, states, key)


def table(name: str, in_room: str, at: tuple[float, float], yaw: float = 0.0) -> Furniture:
    return piece(name, in_room, at, (1.2, 0.8, 0.75), yaw, (TOP,), clean=True)


def thing(
    name: str,
    at: Vector,
    place: tuple[str, str],
    size: Vector = (0.08, 0.08, 0.1),
    receptacles: tuple[Receptacle, ...] = (),
    yaw: float = 0.0,
    **states: bool,
) -> Thing:
    category = name.rsplit("_", 1)[0]
    return Thing(name, category, size, Pose(at, yaw), place, {}, states, receptacles)


def two_rooms() -> House:
    """A kitchen of 4 x 4 m in the west, a bedroom of 4 x 4 m in the east, a doorway between.

    Kitchen: table_0 in the middle, fridge_0 (shut) in the south-west corner facing north, sink_0
    in the south-east corner facing north. Bedroom: table_1 in the middle, safe_0 (locked, key_0).
    """
    rooms = (
        room("kitchen_0", (0.0, 0.0), (4.0, 4.0)),
        room("bedroom_0", (4.0 + WALL, 0.0), (8.0 + WALL, 4.0)),
    )
    door = Opening(
        "doorway_0", "doorway", ("kitchen_0", "bedroom_0"), (4.06, 3.0), (4.06, 3.9), 0.0, 2.1
    )
    furniture = (
        table("table_0", "kitchen_0", (2.0, 2.0)),
        piece(
            "fridge_0",
            "kitchen_0",
            (0.4, 0.35),
            (0.7, 0.7, 1.8),
            0.0,
            (SHELF,),
            open=False,
            powered_on=True,
            clean=True,
        ),
        piece("sink_0", "kitchen_0", (3.5, 0.35), (0.8, 0.6, 0.9), 0.0, (BASIN,), clean=False),
        table("table_1", "bedroom_0", (6.0, 2.0)),
        piece(
            "safe_0",
            "bedroom_0",
            (7.6, 0.4),
            (0.7, 0.7, 0.8),
            0.0,
            (SHELF,),
            "key_0",
            open=False,
            locked=True,
        ),
        piece("lamp_0", "bedroom_0", (4.5, 0.4), (0.3, 0.3, 1.6), powered_on=False),
        piece("rug_0", "bedroom_0", (6.0, 3.4), (1.4, 0.8, 0.01)),
    )
    things = (
        thing("cup_0", (1.8, 2.0, 0.75), ("table_0", "top"), clean=False, filled=False),
        thing("cup_1", (2.3, 2.0, 0.75), ("table_0", "top"), clean=True, filled=False),
        thing("jug_0", (3.5, 0.3, 0.7), ("sink_0", "basin"), (0.12, 0.12, 0.25), filled=False),
        thing("milk_0", (0.3, 0.35, 0.1), ("fridge_0", "shelf"), (0.08, 0.08, 0.2)),
        thing("key_0", (6.0, 2.0, 0.75), ("table_1", "top"), (0.07, 0.03, 0.01)),
        thing("book_0", (7.6, 0.4, 0.1), ("safe_0", "shelf"), (0.15, 0.2, 0.03)),
        thing("ball_0", (6.9, 3.3, 0.0), ("floor_bedroom_0", ""), (0.2, 0.2, 0.2)),
        thing(
            "basket_0",
            (5.0, 3.4, 0.0),
            ("floor_bedroom_0", ""),
            (0.4, 0.3, 0.3),
            (INSIDE,),
        ),
        thing("statue_0", (5.7, 2.2, 0.75), ("table_1", "top"), (0.1, 0.1, 0.3)),
    )
    return House(0, "home", rooms, (door,), furniture, things)


def six_rooms(pieces: int = 10, objects: int = 25) -> House:
    """Two rows of three rooms, doors between neighbours, each with so many pieces of furniture
    (tables and fridges along the walls and in the middle) and objects on the tables."""
    rooms, doors, furniture, things = [], [], [], []
    wide, deep = 5.0, 4.5
    for index in range(6):
        column, row = index % 3, index // 3
        x, y = column * (wide + WALL), row * (deep + WALL)
        name = f"room_{index}"
        rooms.append(room(name, (x, y), (x + wide, y + deep)))
        if column < 2:
            at = x + wide + WALL / 2
            doors.append(_door(len(doors), name, f"room_{index + 1}", (at, y + 1.9), (at, y + 2.8)))
        if row == 0:
            at = y + deep + WALL / 2
            doors.append(
                _door(len(doors), name, f"room_{index + 3}", (x + 2.75, at), (x + 3.65, at))
            )
        spots = [
            (x + 0.65, y + 0.45),
            (x + 4.3, y + 0.45),
            (x + 0.65, y + 4.0),
            (x + 4.3, y + 4.0),
            (x + 2.5, y + 2.3),
        ]
        small = [
            (x + 1.65, y + 0.35),
            (x + 2.35, y + 0.35),
            (x + 1.65, y + 4.1),
            (x + 2.35, y + 4.1),
            (x + 0.22, y + 1.6),
        ]
        for number in range(pieces):
            code = index * pieces + number
            if number < 5:
                furniture.append(table(f"table_{code}", name, spots[number]))
            elif number < 10:
                furniture.append(
                    piece(
                        f"chest_{code}",
                        name,
                        small[number - 5],
                        (0.7, 0.6, 0.8) if number < 9 else (0.4, 0.4, 0.8),
                        0.0,
                        (SHELF,) if number < 9 else (),
                        open=number % 2 == 0,
                        clean=True,
                    )
                )
        tables = [piece for piece in furniture if piece.room == name and piece.category == "table"]
        for number in range(objects):
            on = tables[number % len(tables)]
            px, py, _ = on.pose.position
            slot = number // len(tables)
            at3 = (round(px - 0.5 + 0.2 * slot, 3), round(py - 0.25, 3), 0.75)
            code = index * objects + number
            things.append(
                thing(f"cup_{code}", at3, (on.name, "top"), clean=number % 2 == 0, filled=False)
            )
    return House(0, "home", tuple(rooms), tuple(doors), tuple(furniture), tuple(things))


def _door(
    number: int, opening: str, other: str, start: tuple[float, float], end: tuple[float, float]
) -> Opening:
    return Opening(f"doorway_{number}", "doorway", (opening, other), start, end, 0.0, 2.1)


def with_door(house: House | None = None, *, key: str = "", **states: bool) -> House:
    """Two rooms with a door in the place of their doorway: it swings into the kitchen, its hinge
    is near the corner, and it is shut and not locked unless ``states`` say so."""
    house = house or two_rooms()
    door = replace(
        house.openings[0],
        name="door_0",
        kind="door",
        hinge="end",
        swings_into="kitchen_0",
        states={"open": False, "locked": False, **states},
        key=key,
    )
    return replace(house, openings=(door, *house.openings[1:]))
