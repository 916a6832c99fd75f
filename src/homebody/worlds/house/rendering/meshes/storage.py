"""Storage furniture: shelves, cabinets, chests, racks."""

from __future__ import annotations

from homebody.worlds.house.rendering.materials import (
    FABRIC,
    GLASS,
    GLOSS,
    GLOW,
    METAL,
    WOOD,
    Surface,
)  # fmt: skip
from homebody.worlds.house.rendering.meshes.form import Form, Shape
from homebody.worlds.house.rendering.meshes.furniture_parts import (
    boards,
    carcass,
    door,
    doors,
    drawer,
    legs,
)
from homebody.worlds.house.rendering.meshes.palette import (
    BLACK,
    GLASSY,
    PAPER,
    SPINES,
    STEEL,
    mix,
    shade,
)

LABEL = (0.95, 0.95, 0.9)


def shelf(form: Form) -> None:
    """Open shelves between two sides."""
    sketch, (x, y, h), body = form.sketch, form.half, form.tone()
    is_metal = body[2] >= body[0] and 0.6 < body[0] < 0.8
    surface = METAL if is_metal else WOOD
    for side in (-x, x - 0.02):
        if is_metal:
            for end in (-y, y - 0.03):
                sketch.box((side, end, 0), (side + 0.02, end + 0.03, h), body, surface)
        else:
            sketch.box((side, -y, 0), (side + 0.02, y, h), body, surface)
    boards(form, form.spaces("shelf"), body)
    sketch.box((-x, -y, h - 0.018), (x, y, h), body, surface)
    if not is_metal:
        sketch.box((-x, -y, 0.02), (x, -y + 0.008, h), shade(body, 0.85), WOOD)


def bookcase(form: Form) -> None:
    """A case with a closed back and top; some shelves have a row of fixed books at the back."""
    sketch, (w, _, _), (x, y, h), body = form.sketch, form.size, form.half, form.tone()
    carcass(form, (-x, -y, 0), (x, y, h), body, 0.022)
    spaces = form.spaces("shelf")
    boards(form, spaces, body, 0.001, 0.02)
    for i, space in enumerate(spaces):
        # Thin spines against the back: they leave the shelf free for objects in front of them.
        z, room = space.low[2], space.high[2] - space.low[2]
        left, n = -x + 0.03, form.variant * 7 + i * 13
        end = x - 0.03 if (form.variant + i) % 3 else w * 0.1
        while left < end - 0.05:
            n = (n * 1103 + 12345) % 65536
            thick, tall = 0.018 + (n % 7) * 0.004, min(room - 0.02, 0.19 + (n % 11) * 0.009)
            if n % 9 == 0:
                left += 0.05
                continue
            front = -y + 0.06 + 0.004 * (n % 4)  # real books are not pushed in evenly
            low, high = (left, -y + 0.012, z), (left + thick, front, z + tall)
            cover = shade(SPINES[n % len(SPINES)], 0.8 + 0.05 * (n // 8 % 9))
            sketch.box(low, high, cover, FABRIC)
            for share, long in ((0.74, 0.14), (0.2, 0.03)) if n % 5 else ((0.45, 0.3),):
                title = mix(cover, PAPER, 0.75) if sum(cover) < 1.6 else shade(cover, 0.4)
                z0, z1 = z + tall * share, z + tall * (share + long)
                a, b, at = left + thick * 0.22, left + thick * 0.78, front + 0.0005
                sketch.quad((b, at, z0), (a, at, z0), (a, at, z1), (b, at, z1), title)
            left += thick + 0.002


def cabinet(form: Form) -> None:
    """Doors in front of shelves, on short feet."""
    (x, y, h), body = form.half, form.tone()
    front, foot = y - 0.022, 0.05 if h > 0.7 else 0.03
    legs(form, foot, shade(body, 0.6), 0.04, 0.02)
    carcass(form, (-x, -y, foot), (x, front, h), body)
    boards(form, form.spaces("shelf", "inside")[1:], body, 0.02)
    low, high = (-x + 0.005, foot), (x - 0.005, h - 0.02)
    if form.category == "bathroom_cabinet":
        doors(form, low, high, front, (0.8, 0.84, 0.88), STEEL, Surface.MIRROR)
    else:
        doors(form, low, high, front, body)


def wall_cabinet(form: Form) -> None:
    """Doors in front of shelves, on a wall."""
    (x, y, h), body = form.half, form.tone()
    front = y - 0.022
    carcass(form, (-x, -y, 0), (x, front, h), body)
    boards(form, form.spaces("shelf")[1:], body, 0.02)
    doors(form, (-x, 0.0), (x, h), front, body)


def wardrobe(form: Form) -> None:
    """Tall doors in front of shelves and a rail."""
    sketch, (x, y, h), body = form.sketch, form.half, form.tone()
    front = y - 0.022
    carcass(form, (-x, -y, 0), (x, front, h), body, 0.025)
    boards(form, form.spaces("inside")[1:], body, 0.025)
    sketch.box((-x, front - 0.02, 0), (x, front + 0.01, 0.06), shade(body, 0.8), WOOD)
    sketch.box((-x, -y, h - 0.03), (x, y, h), shade(body, 1.05), WOOD)
    low, high = (-x + 0.004, 0.06), (x - 0.004, h - 0.03)
    doors(form, low, high, front, body)


def _drawers(form: Form, foot: float, surface: Surface, top: float) -> None:
    """Drawers above each other, from a foot to a top of some metres."""
    (_, d, _), (x, y, h), body = form.size, form.half, form.tone()
    front = y - 0.024
    carcass(form, (-x, -y, foot), (x, front, h), body)
    if surface == METAL:
        form.sketch.box((-x, -y, foot), (x, -y + 0.012, h), body, surface)
    spaces = form.spaces("drawer")
    edges = [foot + 0.02, *(space.low[2] - 0.01 for space in spaces[1:]), h - top]
    for i in range(len(spaces)):
        low, high = (-x + 0.015, edges[i]), (x - 0.015, edges[i + 1])
        pulled = 0.08 + 0.1 * (len(spaces) - i)  # so that each is visible from above
        drawer(form, low, high, front, d - 0.06, shade(body, 1.05), None, pulled, surface)


def dresser(form: Form) -> None:
    """Drawers above each other, on feet."""
    legs(form, 0.05, shade(form.tone(), 0.6), 0.05, 0.02)
    _drawers(form, 0.05, WOOD, 0.025)


def filing_cabinet(form: Form) -> None:
    """Metal drawers with label holders."""
    _drawers(form, 0.0, GLOSS, 0.02)
    _, y, _ = form.half
    for space in () if form.is_open else form.spaces("drawer"):
        z = space.high[2] - 0.03
        form.sketch.box((-0.05, y - 0.005, z - 0.025), (0.05, y + 0.001, z), LABEL)


def nightstand(form: Form) -> None:
    """A drawer above an open shelf."""
    (_, d, _), (x, y, h), body = form.size, form.half, form.tone()
    front = y - 0.022
    legs(form, h * 0.15, body, 0.035, 0.01)
    spaces = form.spaces("drawer")
    split = spaces[0].low[2] - 0.01 if spaces else h * 0.5
    carcass(form, (-x, -y, h * 0.15), (x, front, h), body)
    form.sketch.box((-x, -y, split - 0.02), (x, front, split), body, WOOD)
    low, high = (-x + 0.01, split), (x - 0.01, h - 0.02)
    drawer(form, low, high, front, d - 0.06, body)


def chest(form: Form) -> None:
    """A box whose lid swings up."""
    sketch, (w, d, _), (x, y, h), body = form.sketch, form.size, form.half, form.tone()
    lid, t = 0.04, 0.025
    sketch.box((-x, -y, 0), (x, y, 0.03), body, WOOD)
    sketch.box((-x, -y, 0), (x, -y + t, h - lid), body, WOOD)
    sketch.box((-x, y - t, 0), (x, y, h - lid), body, WOOD)
    sketch.box((-x, -y, 0), (-x + t, y, h - lid), body, WOOD)
    sketch.box((x - t, -y, 0), (x, y, h - lid), body, WOOD)
    for band in (-w * 0.3, w * 0.3):
        low, high = (band - 0.03, y, 0.02), (band + 0.03, y + 0.006, h - lid)
        sketch.box(low, high, shade(body, 0.8), WOOD)
    top = sketch.at((0, -y, h - lid), 75 if form.is_open else 0, "x")
    top.box((-x - 0.01, 0, 0), (x + 0.01, d + 0.012, lid), shade(body, 1.08), WOOD)
    top.slab((0, d + 0.012, lid * 0.2), (0.12, 0.014, 0.02), form.tone("handle", STEEL), METAL)


def locker(form: Form) -> None:
    """A row of narrow metal doors with slots."""
    sketch, (w, _, _), (x, y, h), body = form.sketch, form.size, form.half, form.tone()
    front = y - 0.022
    carcass(form, (-x, -y, 0), (x, front, h), shade(body, 0.85))
    boards(form, form.spaces("inside")[1:], shade(body, 0.8), 0.02)
    count = max(2, round(w / 0.32))
    y0, y1 = front + 0.018, front + 0.023
    for i in range(count):
        x0, x1 = -x + w * i / count, -x + w * (i + 1) / count
        door(form, (x0, 0.04), (x1, h - 0.02), front, body, STEEL, "left", GLOSS)
        if not form.is_open:
            for k in range(4):
                z = h - 0.2 - k * 0.035
                sketch.box((x0 + 0.08, y0, z), (x1 - 0.08, y1, z + 0.01), BLACK)
            sketch.box((x0 + 0.1, y0, h - 0.13), (x1 - 0.1, y1, h - 0.09), LABEL)


def safe(form: Form) -> None:
    """A thick steel box with a dial and a handle."""
    (w, _, _), (x, y, h), body = form.size, form.half, form.tone()
    front = y - 0.05
    carcass(form, (-x, -y, 0), (x, front, h), body, 0.045)
    leaf = form.sketch.at((x - 0.02, front, 0.02), -100 if form.is_open else 0)
    leaf.box((-w + 0.04, 0, 0), (0, 0.035, h - 0.04), shade(body, 1.15), METAL)
    z = h * 0.58
    dial = leaf.at((-w * 0.35, 0.035, z), -90, "x")
    dial.cylinder((0, 0, 0), 0.05, 0.015, STEEL, METAL, segments=16)
    leaf.tube(((-w * 0.62, 0.05, z - 0.06), (-w * 0.62, 0.05, z + 0.06)), 0.01, STEEL)
    leaf.box((-w * 0.42, 0.035, h * 0.24), (-w * 0.25, 0.04, h * 0.38), BLACK, GLOSS)


def tv_stand(form: Form) -> None:
    """A low cabinet with doors and an open middle."""
    sketch, (w, d, _), (x, y, h), body = form.sketch, form.size, form.half, form.tone()
    front, foot = y - 0.022, 0.08
    legs(form, foot, shade(body, 0.6), 0.03, 0.05)
    carcass(form, (-x, -y, foot), (x, front, h), body)
    third = w / 3
    for wall in (-third / 2, third / 2):
        sketch.box((wall - 0.01, -y, foot), (wall + 0.01, front, h), body, WOOD)
    door(form, (-x, foot), (-third / 2, h - 0.02), front, body, hinge="right")
    door(form, (third / 2, foot), (x, h - 0.02), front, body, hinge="left")
    middle = foot + (h - foot) * 0.5
    sketch.box((-third / 2, -y, middle), (third / 2, front, middle + 0.015), body, WOOD)
    if not any(space.high[0] > third for space in form.spaces("inside")):
        sketch.box((-0.2, -d * 0.3, foot + 0.02), (0.2, d * 0.3, foot + 0.07), BLACK, GLOSS)


def shoe_rack(form: Form) -> None:
    """Slatted shelves."""
    sketch, (_, d, _), (x, y, h), body = form.sketch, form.size, form.half, form.tone()
    for side in (-x, x - 0.025):
        for end in (-y, y - 0.025):
            sketch.box((side, end, 0), (side + 0.025, end + 0.025, h - 0.01), body, WOOD)
    for space in form.spaces("shelf", "top"):
        z = space.low[2]
        for i in range(4):
            y0 = -y + d * i / 4
            sketch.box((-x, y0 + 0.01, z - 0.012), (x, y0 + d / 4 - 0.01, z), body, WOOD)


def coat_rack(form: Form) -> None:
    """A pole with hooks, a coat on it."""
    sketch, (r, _, h), body = form.sketch, form.half, form.tone()
    for i in range(4):
        sketch.at((0, 0, 0), 90 * i + 45).box((0, -0.02, 0), (r, 0.02, 0.04), body, WOOD)
        hook = ((0, 0, 0), (r * 0.5, 0, 0.03), (r * 0.6, 0, 0.1))
        sketch.at((0, 0, h - 0.2), 90 * i).tube(hook, 0.012, body, WOOD)
    sketch.cylinder((0, 0, 0), 0.022, h - 0.02, body, WOOD, segments=8)
    sketch.ball((0, 0, h - 0.03), 0.03, body, WOOD, 8)
    profile = [(0.0, 0), (0.13, 0), (0.11, h * 0.3), (0.05, h * 0.48), (0, h * 0.5)]
    coat = SPINES[form.variant % len(SPINES)]
    sketch.lathe((r * 0.45, 0, h * 0.42), profile, coat, FABRIC, 10, (0.6, 1.0))


def clothes_rack(form: Form) -> None:
    """A rail with clothes on hangers."""
    sketch, (w, d, _), (x, y, h) = form.sketch, form.size, form.half
    frame, first = form.tone("frame"), form.tone("clothes")
    for side in (-x + 0.03, x - 0.03):
        sketch.tube(((side, -y, 0.03), (side, y, 0.03)), 0.015, frame)
        sketch.tube(((side, 0, 0.03), (side, 0, h - 0.02)), 0.015, frame)
    sketch.tube(((-x + 0.03, 0, h - 0.02), (x - 0.03, 0, h - 0.02)), 0.015, frame)
    for space in form.spaces("shelf"):
        z = space.low[2]
        sketch.box((-x + 0.03, -d * 0.4, z - 0.015), (x - 0.03, d * 0.4, z), frame, METAL)
    top = h - 0.1
    for i in range(int((w - 0.2) / 0.1)):
        n = (form.variant * 31 + i * 17) % 11
        tone = first if n < 4 else SPINES[n % len(SPINES)]
        middle, hem = -x + 0.12 + i * 0.1, top - (0.5 + (n % 4) * 0.12)
        outline = [
            *((-d * 0.36, hem), (d * 0.36, hem), (d * 0.42, top - 0.06)),
            *((0.04, top), (-0.04, top), (-d * 0.42, top - 0.06)),
        ]
        garment = sketch.at((middle, 0, 0), 90).at((0, 0, 0), 90, "x")
        garment.prism(outline, -0.02, 0.02, tone, FABRIC)
        sketch.tube(((middle, 0, top), (middle, 0, h - 0.02)), 0.004, STEEL, segments=4)


def display_case(form: Form) -> None:
    """Glass on a base, lit from above when it is on."""
    sketch, (w, _, _), (x, y, h) = form.sketch, form.size, form.half
    frame, glass, base = form.tone("frame"), form.tone("glass", GLASSY), form.bottom("shelf", 0.35)
    sketch.box((-x, -y, 0), (x, y, base), frame, WOOD)
    for side in (-x, x - 0.02):
        for end in (-y, y - 0.02):
            sketch.box((side, end, base), (side + 0.02, end + 0.02, h), frame, WOOD)
    for space in form.spaces("shelf")[1:]:
        z = space.low[2]
        sketch.box((-x + 0.02, -y + 0.02, z - 0.01), (x - 0.02, y - 0.03, z), glass, GLASS)
    sketch.box((-x, -y, h - 0.03), (x, y, h), frame, WOOD)
    sketch.box((-x, -y + 0.002, base), (x, -y + 0.008, h - 0.03), glass, GLASS)
    for side in (-x + 0.002, x - 0.008):
        sketch.box((side, -y, base), (side + 0.006, y, h - 0.03), glass, GLASS)
    doors(form, (-x, base), (x, h - 0.03), y - 0.02, glass, STEEL, GLASS)
    if form.is_on:
        low, high = (-w * 0.4, -0.03, h - 0.045), (w * 0.4, 0.03, h - 0.031)
        sketch.box(low, high, (1, 0.97, 0.88), GLOW)


SHAPES: dict[str, Shape] = {
    "shelf": shelf, "bookcase": bookcase, "cabinet": cabinet, "wall_cabinet": wall_cabinet,
    "wardrobe": wardrobe, "dresser": dresser, "filing_cabinet": filing_cabinet,
    "nightstand": nightstand, "chest": chest, "locker": locker, "safe": safe,
    "tv_stand": tv_stand, "shoe_rack": shoe_rack, "coat_rack": coat_rack,
    "clothes_rack": clothes_rack, "display_case": display_case,
}  # fmt: skip
