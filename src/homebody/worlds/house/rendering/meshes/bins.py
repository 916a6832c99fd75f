"""Bins, hampers and stands for umbrellas."""

from __future__ import annotations

from homebody.worlds.house.rendering.materials import FABRIC, GLOSS
from homebody.worlds.house.rendering.meshes.form import Shape
from homebody.worlds.house.rendering.meshes.palette import BLACK, PAPER
from homebody.worlds.house.rendering.meshes.solids import (
    box,
    cushion,
    lathe,
    made_of,
    move,
    tint,
    tone,
    tube,
)

SHAPES: dict[str, Shape] = {
    "hamper": made_of(  # a slatted basket, dirty clothes over its rim
        cushion((-0.46, -0.46, 0), (0.46, 0.46, 0.86), 0.05, tint(0.55)),
        *(box((x - 0.03, y, 0.02), (x + 0.03, y + 0.03, 0.88)) for y in (-0.49, 0.46)
          for x in (-0.42, -0.28, -0.14, 0, 0.14, 0.28, 0.42)),
        *(box((x, y - 0.03, 0.02), (x + 0.03, y + 0.03, 0.88)) for x in (-0.49, 0.46)
          for y in (-0.36, -0.18, 0, 0.18, 0.36)),
        *(cushion((-0.5, -0.5, z), (0.5, 0.5, z + 0.05), 0.02) for z in (0, 0.44, 0.84)),
        cushion((-0.4, -0.42, 0.8), (0.3, 0.2, 0.97), 0.08, (0.55, 0.65, 0.8)),
        cushion((-0.2, -0.2, 0.84), (0.42, 0.42, 1), 0.07, (0.85, 0.5, 0.45)),
        cushion((0.02, 0.46, 0.5), (0.32, 0.54, 0.94), 0.04, (0.85, 0.5, 0.45)),
        cushion((-0.36, 0.2, 0.86), (0.0, 0.44, 0.94), 0.04, PAPER),
    ),
    "recycling_bin": made_of(
        cushion((-0.46, -0.46, 0), (0.46, 0.46, 0.86), 0.06, finish=GLOSS),
        cushion((-0.5, -0.5, 0.84), (0.5, 0.5, 1), 0.06, tint(0.8), GLOSS),
        *(move((0, 0.465, 0.45), turn, "y", box((-0.02, 0, 0.12), (0.26, 0.01, 0.18), PAPER))
          for turn in (0, 120, 240)),
        box((-0.2, -0.1, 0.99), (0.2, 0.1, 1.003), BLACK),
    ),
    "umbrella_stand": made_of(
        lathe([(0, 0), (0.85, 0), (0.85, 0), (1, 0.9), (1, 1), (0.93, 1), (0.8, 0.06), (0, 0.04)],
               finish=GLOSS, segments=18),
        tube([(0.1, 0.1, 0.1), (0.2, 0.15, 1.0)], (0, 0.025), tone("cloth"), FABRIC),
        tube([(-0.12, -0.05, 0.1), (-0.22, -0.15, 0.99)], (0, 0.022), BLACK, FABRIC),
    ),
}  # fmt: skip
