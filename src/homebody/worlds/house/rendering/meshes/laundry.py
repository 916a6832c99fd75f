"""Laundries: washing machines and dryers, drying racks, irons and their boards."""

from __future__ import annotations

from homebody.worlds.house.rendering.materials import FABRIC, GLOSS, GLOW, METAL
from homebody.worlds.house.rendering.meshes.form import Form, Shape
from homebody.worlds.house.rendering.meshes.palette import BLACK, STEEL, shade
from homebody.worlds.house.rendering.meshes.prints import print_words


def washing_machine(form: Form) -> None:
    """A round door in a white front, a panel above it."""
    sketch, (w, d, _), (x, y, h), body = form.sketch, form.size, form.half, form.tone()
    front, r, z = y - 0.05, w * 0.31, h * 0.46
    sketch.box((-x, -y, 0.01), (x, -y + 0.03, h), body, GLOSS)
    for side in (-x, x - 0.03):
        sketch.box((side, -y, 0.01), (side + 0.03, front, h), body, GLOSS)
    sketch.box((-x, -y, h - 0.02), (x, front + 0.02, h), body, GLOSS)
    # The front, around the drum's square opening.
    sketch.box((-x, front - 0.02, 0.01), (x, front, z - r * 0.8), body, GLOSS)
    sketch.box((-x, front - 0.02, z + r * 0.8), (x, front, h - 0.02), body, GLOSS)
    sketch.box((-x, front - 0.02, z - r), (-r * 0.8, front, z + r), body, GLOSS)
    sketch.box((r * 0.8, front - 0.02, z - r), (x, front, z + r), body, GLOSS)
    drum = [(r * 1.05, 0.0), (r * 1.05, 0.03), (r * 0.75, 0.03), (r * 0.75, -d * 0.7)]
    drum.append((0, -d * 0.7))
    hole = sketch.at((0, front - 0.025, z)).at((0, 0, 0), -90, "x")
    hole.lathe((0, 0, 0), drum, STEEL, METAL, 20)
    leaf = sketch.at((r * 1.15, front + 0.005, z), -110 if form.is_open else 0)
    cover = leaf.at((-r * 1.15, 0, 0), -90, "x")
    ring = [(0, 0), (r * 1.12, 0), (r * 1.12, 0), (r * 1.1, 0.035), (r * 0.8, 0.045)]
    ring.append((r * 0.8, 0.045))
    cover.lathe((0, 0, 0), ring, form.tone("door", STEEL), GLOSS, 24)
    pane = [(r * 0.8, 0.045), (r * 0.5, 0.055), (0, 0.06)]
    cover.lathe((0, 0, 0), pane, (0.12, 0.14, 0.17), GLOSS, 24)
    y = front + 0.02
    sketch.box((-x, front, h - 0.14), (x, y, h), shade(body, 0.85), GLOSS)
    knob = sketch.at((0.0, y, h - 0.075), -90, "x")
    knob.cylinder((0, 0, 0), 0.035, 0.03, STEEL, METAL, segments=14)
    sketch.box((w * 0.2, y, h - 0.12), (w * 0.44, front + 0.026, h - 0.03), shade(body, 0.95))
    if form.category == "dryer":
        word = sketch.at((w * 0.32, front + 0.0265, h - 0.075), 180).at((0, 0, 0), 90, "x")
        print_words(word, ["dry"], (w * 0.2, 0.07), BLACK)
    light, surface = ((0.3, 0.9, 1.0), GLOW) if form.is_on else ((0.12, 0.14, 0.15), GLOSS)
    sketch.box((-w * 0.4, y, h - 0.11), (-w * 0.16, front + 0.024, h - 0.04), light, surface)


def drying_rack(form: Form) -> None:
    """Crossed legs and lines."""
    sketch, (w, d, _), (x, y, h) = form.sketch, form.size, form.half
    frame = form.tone("frame")
    for side in (-w * 0.4, w * 0.4):
        sketch.tube(((side, -y, 0), (side, d * 0.45, h - 0.02)), 0.011, frame)
        sketch.tube(((side, y, 0), (side, -d * 0.45, h - 0.02)), 0.011, frame)
    for end in (-y + 0.01, y - 0.01):
        sketch.tube(((-x, end, h - 0.01), (x, end, h - 0.01)), 0.01, frame)
    for i in range(9):
        line = -y + d * (i + 0.5) / 9
        sketch.tube(((-x, line, h - 0.008), (x, line, h - 0.008)), 0.004, frame, segments=4)
    for side in (-x, x):
        sketch.tube(((side, -y, h - 0.01), (side, y, h - 0.01)), 0.01, frame)


def ironing_board(form: Form) -> None:
    """A pointed board on crossed legs."""
    sketch, (w, d, _), (x, y, h) = form.sketch, form.size, form.half
    outline = [
        (-x, -y), (w * 0.2, -y), (w * 0.42, -d * 0.3), (x, -d * 0.08),
        (x, d * 0.08), (w * 0.42, d * 0.3), (w * 0.2, y), (-x, y),
    ]  # fmt: skip
    sketch.prism(outline, h - 0.03, h, form.tone("cover"), FABRIC)
    leg = form.tone("legs", STEEL)
    sketch.tube(((-w * 0.4, 0, 0.02), (w * 0.25, 0, h - 0.03)), 0.014, leg)
    sketch.tube(((w * 0.35, 0, 0.02), (-w * 0.3, 0, h - 0.03)), 0.014, leg)
    for foot in (-w * 0.4, w * 0.35):
        sketch.tube(((foot, -d * 0.45, 0.015), (foot, d * 0.45, 0.015)), 0.014, leg)


def iron(form: Form) -> None:
    """A flat iron, its tip to +y."""
    sketch, (w, d, _), (x, y, h) = form.sketch, form.size, form.half
    sole = [
        (-x, -y), (x, -y), (x, d * 0.05), (w * 0.25, d * 0.32),
        (0, y), (-w * 0.25, d * 0.32), (-x, d * 0.05),
    ]  # fmt: skip
    sketch.prism(sole, 0, h * 0.12, STEEL, METAL)
    top = [(x * 0.85, y * 0.88) for x, y in sole]
    sketch.prism(top, h * 0.12, h * 0.5, form.tone(), GLOSS)
    shares = ((-0.4, 0.45), (-0.38, 0.9), (0.2, 0.88), (0.26, 0.45))
    sketch.tube([(0, d * v, h * z) for v, z in shares], 0.016, BLACK, GLOSS)


SHAPES: dict[str, Shape] = {
    "washing_machine": washing_machine, "drying_rack": drying_rack,
    "ironing_board": ironing_board, "iron": iron,
}  # fmt: skip
