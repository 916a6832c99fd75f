"""Fitted kitchens: worktops over cupboards, islands, sinks. Appliances are in appliances.py."""

from __future__ import annotations

from homebody.worlds.house.rendering.materials import METAL, STONE, WOOD
from homebody.worlds.house.rendering.meshes.form import SIDES, Form, Shape
from homebody.worlds.house.rendering.meshes.furniture_parts import (
    basin,
    boards,
    carcass,
    doors,
    drawer,
    tap,
)
from homebody.worlds.house.rendering.meshes.palette import STEEL, shade

KICK = 0.09
"""Height of the recess for toes under kitchen units, metres."""


def _unit(form: Form) -> float:
    """Draw a kitchen unit without its front; return the y at which doors begin."""
    (x, y, h), body = form.half, form.tone()
    front = y - 0.045
    carcass(form, (-x, -y, KICK), (x, front, h - 0.04), body)
    form.sketch.box((-x, -y, 0), (x, front - 0.05, KICK), shade(body, 0.5))
    return front


def counter(form: Form) -> None:
    """A kitchen unit: worktop, a drawer's front, doors."""
    sketch, (_, d, _), (x, y, h) = form.sketch, form.size, form.half
    body, top = form.tone(), form.tone("top")
    front = _unit(form)
    sketch.box((-x, -y, h - 0.04), (x, y, h), top, STONE)
    boards(form, form.spaces("inside")[1:], body, 0.05)
    sketch.box((-x, -y, h), (x, -y + 0.015, h + 0.05), top, STONE)
    drawer(form, (-x, h - 0.19), (x, h - 0.045), front, d - 0.1, body, pulled=0.0)
    doors(form, (-x, KICK + 0.005), (x, h - 0.19), front, body)


def kitchen_island(form: Form) -> None:
    """A worktop over doors, with an overhang for stools at its back."""
    sketch, (x, y, h), body = form.sketch, form.half, form.tone()
    front, z = y - 0.045, h - 0.045
    sketch.cushion((-x, -y, z), (x, y, h), form.tone("top"), 0.008, STONE)
    carcass(form, (-x + 0.03, -y + 0.22, KICK), (x - 0.03, front, z), body, 0.025)
    sketch.box((-x + 0.03, -y + 0.2, 0.0), (x - 0.03, -y + 0.23, z), body, WOOD)
    sketch.box((-x + 0.06, -y + 0.25, 0), (x - 0.06, front - 0.05, KICK), shade(body, 0.5))
    boards(form, form.spaces("inside")[1:], body, 0.23)
    low, high = (-x + 0.03, KICK + 0.005), (x - 0.03, h - 0.05)
    doors(form, low, high, front, body)


def sink(form: Form) -> None:
    """A steel basin with a faucet in a worktop: the upper part of a kitchen unit."""
    sketch, (x, y, h), top = form.sketch, form.half, form.tone("top")
    front, z, body = y - 0.045, form.bottom("basin", 0.1), form.tone("body", top)
    rim, y0, y1 = x - 0.16, -y + 0.15, y - 0.08
    sketch.box((-x, -y, h - 0.04), (-rim, y, h), top, STONE)
    sketch.box((rim, -y, h - 0.04), (x, y, h), top, STONE)
    sketch.box((-rim, -y, h - 0.04), (rim, y0, h), top, STONE)
    sketch.box((-rim, y1, h - 0.04), (rim, y, h), top, STONE)
    sketch.box((-x, -y, h), (x, -y + 0.015, h + 0.05), top, STONE)
    for side in SIDES:
        x0, x1 = sorted((side * x, side * (x - 0.02)))
        sketch.box((x0, -y, 0), (x1, front, h - 0.04), body, WOOD)
    sketch.box((-x, front, 0.003), (x, front + 0.02, h - 0.045), body, WOOD)
    low, high = (-rim + 0.004, y0 + 0.004), (rim - 0.004, y1 - 0.004)
    basin(form, low, high, z, form.tone("basin", STEEL), METAL, h + 0.004)
    tap(sketch, (0, -y + 0.08, h), 0.2, 0.28)


def sink_cupboard(form: Form) -> None:
    """The cupboard below a sink: two doors and no top."""
    (x, y, h), body = form.half, form.tone()
    front = y - 0.045
    carcass(form, (-x, -y, KICK), (x, front, h), body, lid=False)
    form.sketch.box((-x, -y, 0), (x, front - 0.05, KICK), shade(body, 0.5))
    doors(form, (-x, KICK + 0.005), (x, h), front, body)


SHAPES: dict[str, Shape] = {
    "counter": counter, "kitchen_island": kitchen_island, "sink": sink,
    "sink_cupboard": sink_cupboard,
}  # fmt: skip
