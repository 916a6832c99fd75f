"""Recipes of what things are kept in and on: shelves, cabinets, chests, racks."""

from __future__ import annotations

from homebody.worlds.house.model.house import Colour
from homebody.worlds.house.rendering.materials import Surface
from homebody.worlds.house.rendering.meshes.mesh import Sketch, shade
from homebody.worlds.house.rendering.meshes.parts import (
    BLACK,
    STEEL,
    Form,
    Recipe,
    boards,
    carcass,
    door,
    doors,
    drawer,
    legs,
)

WOOD, METAL, FABRIC, GLOSS = Surface.WOOD, Surface.METAL, Surface.FABRIC, Surface.GLOSS
GLASS, GLOW = Surface.GLASS, Surface.GLOW

BOOKS: tuple[Colour, ...] = (
    (0.55, 0.16, 0.14), (0.16, 0.25, 0.42), (0.18, 0.36, 0.26), (0.80, 0.70, 0.48),
    (0.30, 0.22, 0.18), (0.72, 0.40, 0.18), (0.86, 0.84, 0.78), (0.42, 0.22, 0.40),
)  # fmt: skip


def shelf(form: Form) -> None:
    """Open shelves between two sides."""
    sketch, (w, d, h) = form.sketch, form.size
    body = form.tone("body")
    metal = body[2] >= body[0] and 0.6 < body[0] < 0.8
    surface = METAL if metal else WOOD
    for x in (-w / 2, w / 2 - 0.02):
        if metal:
            for y in (-d / 2, d / 2 - 0.03):
                sketch.box((x, y, 0), (x + 0.02, y + 0.03, h), body, surface)
        else:
            sketch.box((x, -d / 2, 0), (x + 0.02, d / 2, h), body, surface)
    spaces = form.spaces("shelf")
    boards(form, spaces, body)
    sketch.box((-w / 2, -d / 2, h - 0.018), (w / 2, d / 2, h), body, surface)
    if not metal:
        sketch.box((-w / 2, -d / 2, 0.02), (w / 2, -d / 2 + 0.008, h), shade(body, 0.85), WOOD)


def bookcase(form: Form) -> None:
    """Closed at the back and top; a row of its own books stands at the back of some shelves."""
    sketch, (w, d, h) = form.sketch, form.size
    body = form.tone("body")
    carcass(form, (-w / 2, -d / 2, 0), (w / 2, d / 2, h), body, 0.022)
    spaces = form.spaces("shelf")
    boards(form, spaces, body, 0.001, 0.02)
    for i, one in enumerate(spaces):
        # Thin spines against the back: they leave the shelf free for objects in front of them.
        z, room = one.low[2], one.high[2] - one.low[2]
        x, n = -w / 2 + 0.03, form.variant * 7 + i * 13
        end = w / 2 - 0.03 if (form.variant + i) % 3 else w * 0.1
        while x < end - 0.05:
            n = (n * 1103 + 12345) % 65536
            thick, tall = 0.018 + (n % 7) * 0.004, min(room - 0.02, 0.19 + (n % 11) * 0.009)
            if n % 9 == 0:
                x += 0.05
                continue
            low, high = (x, -d / 2 + 0.012, z), (x + thick, -d / 2 + 0.07, z + tall)
            sketch.box(low, high, BOOKS[n % len(BOOKS)], FABRIC)
            x += thick + 0.002


def cabinet(form: Form) -> None:
    """Doors in front of shelves, on short feet."""
    _sketch, (w, d, h) = form.sketch, form.size
    body, handle = form.tone("body"), form.tone("handle", STEEL)
    front = d / 2 - 0.022
    foot = 0.05 if h > 0.7 else 0.03
    legs(form, foot, shade(body, 0.6), 0.04, 0.02)
    carcass(form, (-w / 2, -d / 2, foot), (w / 2, front, h), body)
    boards(form, form.spaces("shelf", "inside")[1:], body, 0.02)
    doors(form, (-w / 2 + 0.005, foot), (w / 2 - 0.005, h - 0.02), front, body, handle)


def wall_cabinet(form: Form) -> None:
    """Doors in front of shelves, on a wall."""
    w, d, h = form.size
    body, handle = form.tone("body"), form.tone("handle", STEEL)
    front = d / 2 - 0.022
    carcass(form, (-w / 2, -d / 2, 0), (w / 2, front, h), body)
    boards(form, form.spaces("shelf")[1:], body, 0.02)
    doors(form, (-w / 2, 0.0), (w / 2, h), front, body, handle)


def wardrobe(form: Form) -> None:
    """Tall doors in front of shelves and a rail."""
    sketch, (w, d, h) = form.sketch, form.size
    body, handle = form.tone("body"), form.tone("handle", STEEL)
    front = d / 2 - 0.022
    carcass(form, (-w / 2, -d / 2, 0), (w / 2, front, h), body, 0.025)
    boards(form, form.spaces("inside")[1:], body, 0.025)
    sketch.box((-w / 2, front - 0.02, 0), (w / 2, front + 0.01, 0.06), shade(body, 0.8), WOOD)
    sketch.box((-w / 2, -d / 2, h - 0.03), (w / 2, d / 2, h), shade(body, 1.05), WOOD)
    doors(form, (-w / 2 + 0.004, 0.06), (w / 2 - 0.004, h - 0.03), front, body, handle)


def _drawers(form: Form, foot: float, surface: Surface, top: float) -> None:
    sketch, (w, d, h) = form.sketch, form.size
    body, handle = form.tone("body"), form.tone("handle", STEEL)
    front = d / 2 - 0.024
    carcass(form, (-w / 2, -d / 2, foot), (w / 2, front, h), body)
    if surface == METAL:
        sketch.box((-w / 2, -d / 2, foot), (w / 2, -d / 2 + 0.012, h), body, surface)
    spaces = form.spaces("drawer")
    edges = [foot + 0.02, *(one.low[2] - 0.01 for one in spaces[1:]), h - top]
    for i in range(len(spaces)):
        low, high = (-w / 2 + 0.015, edges[i]), (w / 2 - 0.015, edges[i + 1])
        pulled = 0.08 + 0.1 * (len(spaces) - i)  # so that one sees into each
        tone = shade(body, 1.05)
        drawer(form, low, high, front, d - 0.06, tone, handle, pulled, surface)


def dresser(form: Form) -> None:
    """Drawers above each other, on feet."""
    legs(form, 0.05, shade(form.tone("body"), 0.6), 0.05, 0.02)
    _drawers(form, 0.05, WOOD, 0.025)


def filing_cabinet(form: Form) -> None:
    """Metal drawers with label holders."""
    _drawers(form, 0.0, GLOSS, 0.02)
    _, d, _ = form.size
    if form.is_so("open"):
        return
    for one in form.spaces("drawer"):
        z = one.high[2] - 0.03
        form.sketch.box(
            (-0.05, d / 2 - 0.005, z - 0.025), (0.05, d / 2 + 0.001, z), (0.95, 0.95, 0.9)
        )


def nightstand(form: Form) -> None:
    """A drawer above an open shelf."""
    sketch, (w, d, h) = form.sketch, form.size
    body, handle = form.tone("body"), form.tone("handle", STEEL)
    front = d / 2 - 0.022
    legs(form, h * 0.15, body, 0.035, 0.01)
    spaces = form.spaces("drawer")
    split = spaces[0].low[2] - 0.01 if spaces else h * 0.5
    carcass(form, (-w / 2, -d / 2, h * 0.15), (w / 2, front, h), body)
    sketch.box((-w / 2, -d / 2, split - 0.02), (w / 2, front, split), body, WOOD)
    drawer(form, (-w / 2 + 0.01, split), (w / 2 - 0.01, h - 0.02), front, d - 0.06, body, handle)


def chest(form: Form) -> None:
    """A box whose lid swings up."""
    sketch, (w, d, h) = form.sketch, form.size
    body, handle = form.tone("body"), form.tone("handle", STEEL)
    lid = 0.04
    t = 0.025
    sketch.box((-w / 2, -d / 2, 0), (w / 2, d / 2, 0.03), body, WOOD)
    sketch.box((-w / 2, -d / 2, 0), (w / 2, -d / 2 + t, h - lid), body, WOOD)
    sketch.box((-w / 2, d / 2 - t, 0), (w / 2, d / 2, h - lid), body, WOOD)
    sketch.box((-w / 2, -d / 2, 0), (-w / 2 + t, d / 2, h - lid), body, WOOD)
    sketch.box((w / 2 - t, -d / 2, 0), (w / 2, d / 2, h - lid), body, WOOD)
    for x in (-w * 0.3, w * 0.3):
        sketch.box(
            (x - 0.03, d / 2, 0.02), (x + 0.03, d / 2 + 0.006, h - lid), shade(body, 0.8), WOOD
        )
    top = Sketch()
    top.box((-w / 2 - 0.01, 0, 0), (w / 2 + 0.01, d + 0.012, lid), shade(body, 1.08), WOOD)
    top.slab((0, d + 0.012, lid * 0.2), (0.12, 0.014, 0.02), handle, METAL)
    sketch.add(top, (0, -d / 2, h - lid), 75 if form.is_so("open") else 0, "x")


def locker(form: Form) -> None:
    """A row of narrow metal doors with slots."""
    sketch, (w, d, h) = form.sketch, form.size
    body = form.tone("body")
    front = d / 2 - 0.022
    carcass(form, (-w / 2, -d / 2, 0), (w / 2, front, h), shade(body, 0.85))
    boards(form, form.spaces("inside")[1:], shade(body, 0.8), 0.02)
    count = max(2, round(w / 0.32))
    for i in range(count):
        x0, x1 = -w / 2 + w * i / count, -w / 2 + w * (i + 1) / count
        door(form, (x0, 0.04), (x1, h - 0.02), front, body, STEEL, "left", GLOSS)
        if not form.is_so("open"):
            for k in range(4):
                z = h - 0.2 - k * 0.035
                low, high = (x0 + 0.08, front + 0.018, z), (x1 - 0.08, front + 0.023, z + 0.01)
                sketch.box(low, high, BLACK)
            sketch.box(
                (x0 + 0.1, front + 0.018, h - 0.13),
                (x1 - 0.1, front + 0.023, h - 0.09),
                (0.95, 0.95, 0.9),
            )


def safe(form: Form) -> None:
    """A thick steel box with a dial and a handle."""
    sketch, (w, d, h) = form.sketch, form.size
    body = form.tone("body")
    front = d / 2 - 0.05
    carcass(form, (-w / 2, -d / 2, 0), (w / 2, front, h), body, 0.045)
    leaf = Sketch()
    leaf.box((-w + 0.04, 0, 0), (0, 0.035, h - 0.04), shade(body, 1.15), METAL)
    wheel, x, z = Sketch(), -w * 0.35, h * 0.58
    wheel.cylinder((0, 0, 0), 0.05, 0.015, STEEL, METAL, segments=16)
    leaf.add(wheel, (x, 0.035, z), -90, "x")
    leaf.tube(((-w * 0.62, 0.05, z - 0.06), (-w * 0.62, 0.05, z + 0.06)), 0.01, STEEL)
    leaf.box((-w * 0.42, 0.035, h * 0.24), (-w * 0.25, 0.04, h * 0.38), BLACK, GLOSS)
    sketch.add(leaf, (w / 2 - 0.02, front, 0.02), -100 if form.is_so("open") else 0)


def tv_stand(form: Form) -> None:
    """A low cabinet with doors and an open middle."""
    sketch, (w, d, h) = form.sketch, form.size
    body, handle = form.tone("body"), form.tone("handle", STEEL)
    front, foot = d / 2 - 0.022, 0.08
    legs(form, foot, shade(body, 0.6), 0.03, 0.05)
    carcass(form, (-w / 2, -d / 2, foot), (w / 2, front, h), body)
    third = w / 3
    for x in (-third / 2, third / 2):
        sketch.box((x - 0.01, -d / 2, foot), (x + 0.01, front, h), body, WOOD)
    door(form, (-w / 2, foot), (-third / 2, h - 0.02), front, body, handle, "right")
    door(form, (third / 2, foot), (w / 2, h - 0.02), front, body, handle, "left")
    middle = foot + (h - foot) * 0.5
    sketch.box((-third / 2, -d / 2, middle), (third / 2, front, middle + 0.015), body, WOOD)
    if not any(one.high[0] > third for one in form.spaces("inside")):
        sketch.box((-0.2, -d * 0.3, foot + 0.02), (0.2, d * 0.3, foot + 0.07), BLACK, GLOSS)


def shoe_rack(form: Form) -> None:
    """Slatted shelves."""
    sketch, (w, d, h) = form.sketch, form.size
    body = form.tone("body")
    for x in (-w / 2, w / 2 - 0.025):
        for y in (-d / 2, d / 2 - 0.025):
            sketch.box((x, y, 0), (x + 0.025, y + 0.025, h - 0.01), body, WOOD)
    for one in form.spaces("shelf", "top"):
        for i in range(4):
            y = -d / 2 + d * i / 4
            z = one.low[2]
            sketch.box((-w / 2, y + 0.01, z - 0.012), (w / 2, y + d / 4 - 0.01, z), body, WOOD)


def workbench(form: Form) -> None:
    """A heavy top, a shelf below, a vice, a board with tools."""
    sketch, (w, d, h) = form.sketch, form.size
    top = form.tone("top")
    sketch.box((-w / 2, -d / 2, h - 0.06), (w / 2, d / 2, h), top, WOOD)
    legs(form, h - 0.06, form.tone("legs"), 0.09, 0.03)
    for one in form.spaces("shelf"):
        z = one.low[2]
        sketch.box(
            (-w / 2 + 0.05, -d / 2 + 0.03, z - 0.025), (w / 2 - 0.05, d / 2 - 0.03, z), top, WOOD
        )
    x = -w / 2 + 0.2
    vice = (0.25, 0.36, 0.5)
    sketch.slab((x, d / 2 - 0.02, h - 0.05), (0.14, 0.1, 0.1), vice, METAL)
    sketch.slab((x, d / 2 + 0.07, h - 0.05), (0.14, 0.03, 0.1), vice, METAL)
    sketch.tube(
        ((x - 0.09, d / 2 + 0.1, h - 0.02), (x + 0.09, d / 2 + 0.1, h - 0.02)), 0.008, STEEL
    )


def drying_rack(form: Form) -> None:
    """Crossed legs and lines."""
    sketch, (w, d, h) = form.sketch, form.size
    frame = form.tone("frame")
    for x in (-w * 0.4, w * 0.4):
        sketch.tube(((x, -d / 2, 0), (x, d * 0.45, h - 0.02)), 0.011, frame)
        sketch.tube(((x, d / 2, 0), (x, -d * 0.45, h - 0.02)), 0.011, frame)
    for y in (-d / 2 + 0.01, d / 2 - 0.01):
        sketch.tube(((-w / 2, y, h - 0.01), (w / 2, y, h - 0.01)), 0.01, frame)
    for i in range(9):
        y = -d / 2 + d * (i + 0.5) / 9
        sketch.tube(((-w / 2, y, h - 0.008), (w / 2, y, h - 0.008)), 0.004, frame, segments=4)
    for x in (-w / 2, w / 2):
        sketch.tube(((x, -d / 2, h - 0.01), (x, d / 2, h - 0.01)), 0.01, frame)


def ironing_board(form: Form) -> None:
    """A pointed board on crossed legs."""
    sketch, (w, d, h) = form.sketch, form.size
    outline = [
        (-w / 2, -d / 2), (w * 0.2, -d / 2), (w * 0.42, -d * 0.3), (w / 2, -d * 0.08),
        (w / 2, d * 0.08), (w * 0.42, d * 0.3), (w * 0.2, d / 2), (-w / 2, d / 2),
    ]  # fmt: skip
    sketch.prism(outline, h - 0.03, h, form.tone("cover"), FABRIC)
    leg = form.tone("legs", STEEL)
    sketch.tube(((-w * 0.4, 0, 0.02), (w * 0.25, 0, h - 0.03)), 0.014, leg)
    sketch.tube(((w * 0.35, 0, 0.02), (-w * 0.3, 0, h - 0.03)), 0.014, leg)
    for x in (-w * 0.4, w * 0.35):
        sketch.tube(((x, -d * 0.45, 0.015), (x, d * 0.45, 0.015)), 0.014, leg)


def coat_rack(form: Form) -> None:
    """A pole with hooks, a coat and a hat on it."""
    sketch, (w, _, h) = form.sketch, form.size
    body, r = form.tone("body"), w / 2
    foot = Sketch()
    foot.box((0, -0.02, 0), (r, 0.02, 0.04), body, WOOD)
    hook = Sketch()
    hook.tube(((0, 0, 0), (r * 0.5, 0, 0.03), (r * 0.6, 0, 0.1)), 0.012, body, WOOD)
    for i in range(4):
        sketch.add(foot, turn=90 * i + 45)
        sketch.add(hook, (0, 0, h - 0.2), 90 * i)
    sketch.cylinder((0, 0, 0), 0.022, h - 0.02, body, WOOD, segments=8)
    sketch.ball((0, 0, h - 0.03), 0.03, body, WOOD, 8)
    coat = BOOKS[form.variant % len(BOOKS)]
    sketch.lathe(
        (r * 0.45, 0, h * 0.42),
        [(0.0, 0), (0.13, 0), (0.11, h * 0.3), (0.05, h * 0.48), (0, h * 0.5)],
        coat,
        FABRIC,
        10,
        (0.6, 1.0),
    )


def clothes_rack(form: Form) -> None:
    """A rail with clothes on hangers."""
    sketch, (w, d, h) = form.sketch, form.size
    frame = form.tone("frame")
    for x in (-w / 2 + 0.03, w / 2 - 0.03):
        sketch.tube(((x, -d / 2, 0.03), (x, d / 2, 0.03)), 0.015, frame)
        sketch.tube(((x, 0, 0.03), (x, 0, h - 0.02)), 0.015, frame)
    sketch.tube(((-w / 2 + 0.03, 0, h - 0.02), (w / 2 - 0.03, 0, h - 0.02)), 0.015, frame)
    for one in form.spaces("shelf"):
        z = one.low[2]
        sketch.box((-w / 2 + 0.03, -d * 0.4, z - 0.015), (w / 2 - 0.03, d * 0.4, z), frame, METAL)
    first = form.tone("clothes")
    count = int((w - 0.2) / 0.1)
    for i in range(count):
        n = (form.variant * 31 + i * 17) % 11
        tone = first if n < 4 else BOOKS[n % len(BOOKS)]
        x, long = -w / 2 + 0.12 + i * 0.1, 0.5 + (n % 4) * 0.12
        top = h - 0.1
        shape = [(-d * 0.42, top - 0.06), (-0.04, top), (0.04, top), (d * 0.42, top - 0.06)]
        garment = Sketch()
        low = [(-d * 0.36, top - long), (d * 0.36, top - long)]
        outline = [low[0], low[1], *reversed(shape)]
        garment.prism([(y, z) for y, z in outline], -0.02, 0.02, tone, FABRIC)
        upright = Sketch()
        upright.add(garment, turn=90, axis="x")
        sketch.add(upright, (x, 0, 0), 90)
        sketch.tube(((x, 0, top), (x, 0, h - 0.02)), 0.004, STEEL, segments=4)


def display_case(form: Form) -> None:
    """Glass on a base, lit from above when it is on."""
    sketch, (w, d, h) = form.sketch, form.size
    frame, glass = form.tone("frame"), form.tone("glass", (0.74, 0.85, 0.87))
    spaces = form.spaces("shelf")
    base = spaces[0].low[2] if spaces else h * 0.35
    sketch.box((-w / 2, -d / 2, 0), (w / 2, d / 2, base), frame, WOOD)
    for x in (-w / 2, w / 2 - 0.02):
        for y in (-d / 2, d / 2 - 0.02):
            sketch.box((x, y, base), (x + 0.02, y + 0.02, h), frame, WOOD)
    for one in spaces[1:]:
        z = one.low[2]
        sketch.box(
            (-w / 2 + 0.02, -d / 2 + 0.02, z - 0.01), (w / 2 - 0.02, d / 2 - 0.03, z), glass, GLASS
        )
    sketch.box((-w / 2, -d / 2, h - 0.03), (w / 2, d / 2, h), frame, WOOD)
    sketch.box((-w / 2, -d / 2 + 0.002, base), (w / 2, -d / 2 + 0.008, h - 0.03), glass, GLASS)
    for x in (-w / 2 + 0.002, w / 2 - 0.008):
        sketch.box((x, -d / 2, base), (x + 0.006, d / 2, h - 0.03), glass, GLASS)
    doors(form, (-w / 2, base), (w / 2, h - 0.03), d / 2 - 0.02, glass, STEEL, surface=GLASS)
    if form.is_so("powered_on"):
        sketch.box((-w * 0.4, -0.03, h - 0.045), (w * 0.4, 0.03, h - 0.031), (1, 0.97, 0.88), GLOW)


def pedestal(form: Form) -> None:
    """A plain block for a work of art."""
    w, d, h = form.size
    body = form.tone("body")
    form.sketch.slab((0, 0, 0), (w, d, h), body)
    form.sketch.slab((0, 0, 0), (w + 0.02, d + 0.02, 0.05), shade(body, 0.8))


RECIPES: dict[str, Recipe] = {
    "shelf": shelf,
    "bookcase": bookcase,
    "cabinet": cabinet,
    "wall_cabinet": wall_cabinet,
    "wardrobe": wardrobe,
    "dresser": dresser,
    "filing_cabinet": filing_cabinet,
    "nightstand": nightstand,
    "chest": chest,
    "locker": locker,
    "safe": safe,
    "tv_stand": tv_stand,
    "shoe_rack": shoe_rack,
    "workbench": workbench,
    "drying_rack": drying_rack,
    "ironing_board": ironing_board,
    "coat_rack": coat_rack,
    "clothes_rack": clothes_rack,
    "display_case": display_case,
    "pedestal": pedestal,
}
"""By shape."""
