"""Wall-mounted equipment of washrooms."""

from __future__ import annotations

from homebody.worlds.house.rendering.materials import GLOSS, METAL
from homebody.worlds.house.rendering.meshes.form import Shape
from homebody.worlds.house.rendering.meshes.palette import PAPER, STEEL
from homebody.worlds.house.rendering.meshes.solids import (
    box,
    cushion,
    cylinder,
    lathe,
    made_of,
    move,
    tube,
)

SHAPES: dict[str, Shape] = {
    "hand_dryer": made_of(
        cushion((-0.5, -0.5, 0.1), (0.5, 0.4, 1), 0.25, finish=GLOSS),
        move((0, 0.1, 0.12), 0, "z", cylinder((0, 0, -0.12), 0.16, 0.2, (0.3, 0.3, 0.32), METAL)),
        move((0, 0.38, 0.6), -90, "x", cylinder((0, 0, 0), 0.12, 0.1, STEEL, METAL)),
    ),
    "paper_towel_dispenser": made_of(
        cushion((-0.5, -0.5, 0.08), (0.5, 0.5, 1), 0.12, finish=GLOSS),
        box((-0.3, 0.2, 0), (0.3, 0.26, 0.12), PAPER),
        box((-0.06, 0.49, 0.4), (0.06, 0.51, 0.75), (0.25, 0.3, 0.35), GLOSS),
    ),
    "bidet": made_of(
        lathe([(0, 0), (0.5, 0), (0.45, 0.2), (0.7, 0.6), (1, 0.92), (1, 1), (0.8, 1),
                (0.55, 0.68), (0, 0.6)], finish=GLOSS, segments=20),
        tube([(0, -0.4, 0.98), (0, -0.4, 1.2), (0, -0.22, 1.2)], (0, 0.012), STEEL),
    ),
    "cubicle_wall": made_of(
        box((-0.5, -0.5, 0.075), (0.5, 0.46, 1)),
        *(box((-0.5, at, 0), (0.5, at + 0.03, 0.075), STEEL, METAL) for at in (-0.44, 0.36)),
        box((-0.5, 0.46, 0.05), (0.5, 0.5, 1), STEEL, METAL),
    ),
    "urinal": made_of(
        cushion((-0.5, -0.5, 0.1), (0.5, -0.1, 1), 0.1, finish=GLOSS),
        cushion((-0.5, -0.3, 0.1), (-0.34, 0.3, 0.92), 0.07, finish=GLOSS),
        cushion((0.34, -0.3, 0.1), (0.5, 0.3, 0.92), 0.07, finish=GLOSS),
        cushion((-0.5, -0.3, 0.06), (0.5, 0.5, 0.34), 0.1, finish=GLOSS),
        box((-0.34, -0.1, 0.34), (0.34, 0.4, 0.345), (0.75, 0.8, 0.82)),
        tube([(0, -0.3, 0.98), (0, -0.3, 1.0)], (0, 0.03), STEEL),
    ),
}  # fmt: skip
