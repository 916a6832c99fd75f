"""A house of one room whose geometry is known."""

from __future__ import annotations

from homebody.worlds.house.model.house import (
    Furniture,
    House,
    Opening,
    Pose,
    Receptacle,
    Room,
    Thing,
)

WHITE = (0.9, 0.9, 0.9)
INSIDE = (Receptacle("inside", "within", (-0.4, -0.2, 0.1), (0.4, 0.2, 0.9)),)


def small_house(*things: Thing) -> House:
    """A room of 6 x 4 m with a cabinet at its north wall, a table, and a window in the south."""
    room = Room("den_0", "office", ((0, 0), (6, 0), (6, 4), (0, 4)), 2.6, "oak_planks", WHITE)
    window = Opening("window_0", "window", ("den_0",), (1.0, -0.06), (2.5, -0.06), 0.9, 2.0)
    cabinet = Furniture(
        "cabinet_0",
        "cabinet",
        "den_0",
        Pose((3.0, 3.79, 0.0), 180.0),
        (0.9, 0.42, 1.0),
        INSIDE,
        {"body": (0.7, 0.5, 0.3)},
        {"open": False},
    )
    table = Furniture(
        "table_0",
        "table",
        "den_0",
        Pose((1.0, 3.0, 0.0)),
        (1.3, 0.9, 0.75),
        (Receptacle("top", "on", (-0.65, -0.45, 0.75), (0.65, 0.45, 1.3)),),
        {"top": (0.7, 0.5, 0.3)},
    )
    return House(0, "home", (room,), (window,), (cabinet, table), things)


BALL = Thing("ball_0", "ball", (0.3, 0.3, 0.3), Pose((4.0, 2.0, 0.0)), ("floor_den_0", ""))
HIDDEN = Thing("cup_0", "cup", (0.08, 0.08, 0.09), Pose((3.0, 3.79, 0.1)), ("cabinet_0", "inside"))
