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
    "hamper": made_of(
        *(cushion((-0.5, -0.5, z), (0.5, 0.5, z + 0.15), 0.06, tint(1 - 0.08 * (i % 2)))
          for i, z in enumerate((0, 0.14, 0.28, 0.42, 0.56, 0.7, 0.83))),
        box((-0.42, -0.4, 0.975), (0.42, 0.4, 0.99), (0.2, 0.17, 0.14)),
        cushion((-0.3, -0.3, 0.9), (0.2, 0.25, 1), 0.06, (0.55, 0.65, 0.8)),
        cushion((-0.05, -0.2, 0.9), (0.35, 0.3, 0.99), 0.05, (0.85, 0.5, 0.45)),
        *(box((s * 0.5 - 0.02, -0.12, 0.72), (s * 0.5 + 0.02, 0.12, 0.82), (0.25, 0.2, 0.15))
          for s in (-0.96, 0.96)),
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
