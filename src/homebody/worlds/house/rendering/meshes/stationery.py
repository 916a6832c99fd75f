"""Books, paper, pens, binders, flat and rolled items."""

from __future__ import annotations

from homebody.worlds.house.model.house import Colour
from homebody.worlds.house.rendering.materials import FABRIC, GLOSS, MATT, METAL
from homebody.worlds.house.rendering.meshes.form import Form, Shape
from homebody.worlds.house.rendering.meshes.palette import (
    BLACK,
    PAPER,
    STEEL,
    TIMBER,
    mix,
    shade,
)  # fmt: skip
from homebody.worlds.house.rendering.meshes.prints import print_words, words_on
from homebody.worlds.house.rendering.meshes.solids import (
    box,
    cushion,
    cylinder,
    made_of,
    move,
)  # fmt: skip

GOLD: Colour = (0.85, 0.68, 0.3)
TITLED = (
    *("atlas", "comic_book", "cookbook", "dictionary", "magazine", "menu", "newspaper", "notebook"),
    *("passport", "photo_album", "textbook"),
)
"""Books with a printed title."""


def book(form: Form) -> None:
    """Covers around pages, a title; upright on a shelf if it is higher than wide."""
    if form.size[2] > form.size[0]:
        _upright_book(form)
        return
    sketch, (w, d, _), (x, y, h), body = form.sketch, form.size, form.half, form.tone()
    t = min(0.003, h * 0.3)
    sketch.box((-x, -y, 0), (x, y, t), body)
    sketch.box((-x, -y, h - t), (x, y, h), body)
    sketch.box((-x, -y, 0), (-x + t, y, h), body)
    sketch.box((-x + t, -d * 0.49, t), (w * 0.48, d * 0.49, h - t), PAPER)
    title = mix(body, PAPER, 0.8) if sum(body) < 2 else shade(body, 0.4)
    if form.category in TITLED:
        plane, lines = sketch.at((0, -d * 0.34, h + 0.0008), 180), words_on(form.category)
        print_words(plane, lines, (w * 0.8, d * 0.22), title)
    else:
        sketch.box((-w * 0.3, d * 0.12, h), (w * 0.3, d * 0.3, h + 0.0006), title)
        sketch.box((-w * 0.2, -d * 0.32, h), (w * 0.2, -d * 0.26, h + 0.0006), title)
    if form.category == "passport":
        sketch.cylinder((0, d * 0.18, h), w * 0.2, 0.0006, GOLD, METAL)
    if form.category in ("newspaper", "magazine", "comic_book"):
        for i in range(3):
            line = -d * 0.2 + i * d * 0.11
            low, high = (-w * 0.4, line, h), (w * 0.4, line + d * 0.05, h + 0.0005)
            sketch.box(low, high, shade(title, 0.85))


def _upright_book(form: Form) -> None:
    """A book on its edge, its back to the front of the shelf."""
    sketch, (w, _, h), (x, y, _), body = form.sketch, form.size, form.half, form.tone()
    t = min(0.003, w * 0.3)
    sketch.box((-x, -y, 0), (-x + t, y, h), body)
    sketch.box((x - t, -y, 0), (x, y, h), body)
    sketch.box((-x, y - t, 0), (x, y, h), body)
    sketch.box((-x + t, -y + t, h * 0.01), (x - t, y - t, h * 0.99), PAPER)
    title = mix(body, PAPER, 0.8) if sum(body) < 2 else shade(body, 0.4)
    sketch.box((-w * 0.3, y - t, h * 0.55), (w * 0.3, y + 0.0006, h * 0.85), title)
    sketch.box((-w * 0.3, y - t, h * 0.1), (w * 0.3, y + 0.0006, h * 0.15), title)


def slab(form: Form) -> None:
    """Flat items: scales, envelopes, paper, rulers, consoles."""
    sketch, (w, d, _), (x, y, h), body = form.sketch, form.size, form.half, form.tone()
    sketch.cushion((-x, -y, 0), (x, y, h), body, min(0.01, h * 0.3), MATT)
    match form.category:
        case "paper_stack":
            for i in range(6):
                line = d * 0.36 - i * d * 0.12
                high = (w * (0.36 - 0.1 * (i % 3)), line + d * 0.02, h + 0.0004)
                sketch.box((-w * 0.38, line, h), high, (0.35, 0.35, 0.38))
        case "scale":
            low, high = (-w * 0.18, d * 0.22, h), (w * 0.18, d * 0.38, h + 0.001)
            sketch.box(low, high, (0.55, 0.65, 0.6), GLOSS)
        case "envelope":
            z = h + 0.0004
            sketch.quad((-x, y, z), (0, 0, z), (x, y, z), (x, y, z), shade(body, 0.88))
        case "key_card":
            ink = PAPER if sum(body) < 1.5 else BLACK
            print_words(
                sketch.at((0, 0, h + 0.0004), 180), ["room", "key"], (w * 0.7, d * 0.7), ink
            )
        case "credit_card":
            low, high = (-x, -d * 0.42, h), (x, -d * 0.22, h + 0.0004)
            sketch.box(low, high, shade(body, 0.3))
            sketch.box((-w * 0.36, d * 0.05, h), (-w * 0.2, d * 0.25, h + 0.0004), (0.8, 0.7, 0.4))


def roll(form: Form) -> None:
    """A ring of a rolled-up material."""
    sketch, (w, d, h) = form.sketch, form.size
    r, hole, surface = w / 2, 0.38, GLOSS
    if form.category == "ring":
        hole, surface = 0.8, METAL
    elif form.category == "toilet_paper":
        surface = FABRIC
    inner = r * hole
    profile = [(inner, 0), (r, 0), (r, 0), (r, h), (r, h), (inner, h), (inner, h), (inner, 0)]
    sketch.lathe((0, 0, 0), profile, form.tone(), surface, 14, (1, d / w))
    if form.category == "ring":
        sketch.ball((0, r * 0.9, h * 0.8), h * 0.4, (0.7, 0.9, 1.0), GLOSS, 6)
    elif form.category == "toilet_paper":
        core = [(r * 0.4, 0), (r * 0.4, h), (r * 0.36, h), (r * 0.36, 0)]
        sketch.lathe((0, 0, 0.001), core, TIMBER, MATT, 12)


def pencil(form: Form) -> None:
    """A pencil, crayon or piece of chalk, its tip to +y."""
    (_, d, h), body = form.size, form.tone()
    r = h / 2
    form.sketch.tube(((0, -d / 2, r), (0, d * 0.36, r)), r, body, GLOSS)
    point: Colour = TIMBER if form.category == "pencil" else shade(body, 0.5)
    tip = form.sketch.at((0, d * 0.36, r), -90, "x")
    tip.cylinder((0, 0, 0), r, d * 0.14, point, top=r * 0.2, segments=6)


SHAPES: dict[str, Shape] = {
    "book": book, "slab": slab, "roll": roll, "pencil": pencil,
    "stapler": made_of(
        box((-0.5, -0.5, 0), (0.5, 0.5, 0.2), BLACK, GLOSS),
        move((0, -0.5, 0.25), 8, "x",
               cushion((-0.4, 0, 0), (0.4, 0.96, 0.42), (0, 0.008), finish=GLOSS)),
    ),
    "binder": made_of(  # stands upright; its back at +y
        box((-0.5, -0.5, 0), (0.5, 0.5, 1)),
        box((-0.42, (-0.5, -0.0005), (0, 0.01)), (0.42, 0.45, (1, 0.0005)), PAPER),
        box((-0.3, 0.5, 0.5), (0.3, (0.5, 0.001), 0.85), PAPER),
        cylinder((0, (0.5, -0.001), 0.2), 0.12, (0, 0.004), STEEL, METAL, segments=8),
    ),
}  # fmt: skip
