"""Tools, keys, long round objects."""

from __future__ import annotations

from homebody.worlds.house.rendering.materials import FABRIC, GLOSS, GLOW, METAL, WOOD
from homebody.worlds.house.rendering.meshes.form import SIDES, Form, Shape
from homebody.worlds.house.rendering.meshes.palette import BLACK, STEEL, TIMBER, shade
from homebody.worlds.house.rendering.meshes.solids import cushion, cylinder, made_of, prism, tube


def tool(form: Form) -> None:
    """A handle and a working end, along y."""
    sketch, (w, d, h), body = form.sketch, form.size, form.tone()
    thick, small = max(h * 0.5, 0.004), min(h, w)
    if form.category == "wrench":
        sketch.box((-w * 0.2, -d * 0.4, 0), (w * 0.2, d * 0.4, thick), STEEL, METAL)
        for y in (-d * 0.42, d * 0.42):
            jaw = [(w * 0.2, 0), (w / 2, 0), (w / 2, thick), (w * 0.2, thick)]
            sketch.lathe((0, y, 0), jaw, STEEL, METAL, 10)
        return
    sketch.cushion((-w * 0.3, -d / 2, 0), (w * 0.3, 0, small), body, small * 0.3, GLOSS)
    if form.category == "brush":
        sketch.box((-w / 2, d * 0.05, h * 0.4), (w / 2, d / 2, h), shade(body, 0.85), WOOD)
        sketch.box(
            (-w * 0.42, d * 0.1, 0), (w * 0.42, d * 0.48, h * 0.45), (0.85, 0.78, 0.6), FABRIC
        )
    else:
        sketch.tube(((0, 0, thick), (0, d / 2, thick)), small * 0.16, STEEL)


def rod(form: Form) -> None:
    """Along x: rolling pins, carrots, cucumbers, torches, umbrellas."""
    (w, d, h), body = form.size, form.tone()
    r = min(d, h) / 2
    rod = form.sketch.at((-w / 2, 0, r), 90, "y")
    match form.category:
        case "carrot":
            root = [(0, 0), (r * 0.35, w * 0.05), (r, w * 0.78), (0, w * 0.82)]
            rod.lathe((0, 0, 0), root, body, GLOSS, 8)
            green = (0.25, 0.55, 0.2)
            rod.cylinder((0, 0, w * 0.8), r * 0.5, w * 0.2, green, top=r * 0.9, segments=6)
        case "rolling_pin":
            rod.cylinder((0, 0, 0), r * 0.4, w, body, WOOD, segments=8)
            rod.cylinder((0, 0, w * 0.18), r, w * 0.64, body, WOOD)
        case "flashlight":
            rod.cylinder((0, 0, 0), r * 0.7, w * 0.7, body, METAL)
            light, surface = ((1, 0.95, 0.7), GLOW) if form.is_on else (body, METAL)
            rod.cylinder((0, 0, w * 0.68), r * 0.7, w * 0.32, light, surface, top=r)
        case "umbrella":
            rod.cylinder((0, 0, w * 0.2), r * 0.25, w * 0.8, body, FABRIC, top=r, segments=8)
            rod.cylinder((0, 0, 0), r * 0.2, w * 0.3, BLACK, GLOSS, segments=6)
        case _:
            shares = ((0, 0), (0.8, 0.06), (1, 0.3), (1, 0.7), (0.8, 0.94), (0, 1))
            rod.lathe((0, 0, 0), [(r * u, w * z) for u, z in shares], body, GLOSS, 8)


def hammer(form: Form) -> None:
    """A hammer, its head at +y."""
    sketch, (w, d, h), handle = form.sketch, form.size, form.tone("body", TIMBER)
    sketch.tube(((0, -d / 2, h / 2), (0, d * 0.42, h / 2)), h * 0.36, handle, WOOD)
    sketch.box((-w / 2, d * 0.38, 0), (w * 0.35, d / 2, h), STEEL, METAL)
    sketch.prism([(w * 0.35, d * 0.39), (w / 2, d * 0.36), (w * 0.35, d / 2)], 0, h, STEEL, METAL)


def scissors(form: Form) -> None:
    """Two blades to +y, two rings."""
    sketch, (w, d, h) = form.sketch, form.size
    shares = ((0.17, 0), (0.27, 0), (0.27, 1), (0.17, 1), (0.17, 0))
    for side in SIDES:
        half = sketch.at((side * w * 0.14, 0, 0), side * 9)
        half.box((-w * 0.06, -d * 0.1, 0), (w * 0.06, d / 2, h * 0.5), STEEL, METAL)
        ring, place = [(w * r, h * z) for r, z in shares], (side * w * 0.05, -d * 0.3, 0)
        half.lathe(place, ring, form.tone(), GLOSS, 10, (1, 1.6))


def key(form: Form) -> None:
    """A key, its bit at +y."""
    sketch, (w, d, h), brass = form.sketch, form.size, form.tone("body", (0.8, 0.66, 0.35))
    shares = ((0.25, 0), (0.5, 0), (0.5, 0.6), (0.25, 0.6), (0.25, 0))
    bow = [(w * r, h * z) for r, z in shares]
    sketch.lathe((0, -d / 2 + w / 2, 0), bow, brass, METAL, 12)
    sketch.box((-w * 0.1, -d / 2 + w, 0), (w * 0.1, d / 2, h * 0.5), brass, METAL)
    for y in (0.3, 0.42):
        sketch.box((0, d * y, 0), (w * 0.4, d * (y + 0.06), h * 0.5), brass, METAL)


SHAPES: dict[str, Shape] = {
    "tool": tool, "rod": rod, "hammer": hammer, "scissors": scissors, "key": key,
    "drill": made_of(  # stands on its battery, the bit along +y
        cushion((-0.5, -0.35, 0), (0.5, 0.15, 0.22), (0, 0.01), BLACK, GLOSS),
        cushion((-0.28, -0.25, 0.15), (0.28, 0.05, 0.75), (0, 0.012), BLACK, GLOSS),
        cushion((-0.38, -0.5, 0.65), (0.38, 0.2, 1), (0, 0.02), finish=GLOSS),
        tube([(0, 0.2, 0.82), (0, 0.34, 0.82)], 0.22, BLACK, GLOSS),
        tube([(0, 0.34, 0.82), (0, 0.5, 0.82)], 0.06, STEEL),
    ),
    "saw": made_of(
        prism([(-0.3, -0.2), (0.5, -0.2), (0.15, 0.5), (-0.3, 0.5)], 0.4, 0.5, STEEL, METAL),
        *(prism([(-0.42, y), (-0.28, y), (-0.28, y + 0.035)], 0.4, 0.5, STEEL, METAL)
          for y in (-0.19 + 0.036 * i for i in range(19))),
        cushion((-0.5, -0.5, 0), (0.5, -0.2, 1), 0.4, finish=WOOD),
        cylinder((0, -0.35, 1), 0.16, (0, 0.001), BLACK, segments=8),
    ),
}  # fmt: skip
