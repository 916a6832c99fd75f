"""Recipes of kitchens, bathrooms and laundries: appliances, basins, what has water or heat."""

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
    tap,
)

WOOD, METAL, GLOSS, GLASS, GLOW = (
    Surface.WOOD, Surface.METAL, Surface.GLOSS, Surface.GLASS, Surface.GLOW,
)  # fmt: skip
WATER: Colour = (0.55, 0.75, 0.85)
KICK = 0.09  # height of the recess for toes under kitchen units


def _unit(form: Form, lid: bool = True) -> float:
    """A kitchen unit without its front; the y at which doors begin."""
    sketch, (w, d, h) = form.sketch, form.size
    body = form.tone("body")
    front = d / 2 - 0.045
    carcass(form, (-w / 2, -d / 2, KICK), (w / 2, front, h - 0.04), body, lid=lid)
    sketch.box((-w / 2, -d / 2, 0), (w / 2, front - 0.05, KICK), shade(body, 0.5))
    return front


def counter(form: Form) -> None:
    """A kitchen unit: worktop, a drawer's front, doors."""
    sketch, (w, d, h) = form.sketch, form.size
    body, top, handle = form.tone("body"), form.tone("top"), form.tone("handle", STEEL)
    front = _unit(form)
    sketch.box((-w / 2, -d / 2, h - 0.04), (w / 2, d / 2, h), top, Surface.STONE)
    boards(form, form.spaces("inside")[1:], body, 0.05)
    sketch.box((-w / 2, -d / 2, h), (w / 2, -d / 2 + 0.015, h + 0.05), top, Surface.STONE)
    drawer(form, (-w / 2, h - 0.19), (w / 2, h - 0.045), front, d - 0.1, body, handle, 0.0)
    doors(form, (-w / 2, KICK + 0.005), (w / 2, h - 0.19), front, body, handle)


def kitchen_island(form: Form) -> None:
    """A worktop over doors, with an overhang for stools at its back."""
    sketch, (w, d, h) = form.sketch, form.size
    body, top, handle = form.tone("body"), form.tone("top"), form.tone("handle", STEEL)
    front = d / 2 - 0.045
    sketch.cushion((-w / 2, -d / 2, h - 0.045), (w / 2, d / 2, h), top, 0.008, Surface.STONE)
    carcass(
        form, (-w / 2 + 0.03, -d / 2 + 0.22, KICK), (w / 2 - 0.03, front, h - 0.045), body, 0.025
    )
    sketch.box(
        (-w / 2 + 0.03, -d / 2 + 0.2, 0.0), (w / 2 - 0.03, -d / 2 + 0.23, h - 0.045), body, WOOD
    )
    sketch.box(
        (-w / 2 + 0.06, -d / 2 + 0.25, 0), (w / 2 - 0.06, front - 0.05, KICK), shade(body, 0.5)
    )
    boards(form, form.spaces("inside")[1:], body, 0.23)
    doors(form, (-w / 2 + 0.03, KICK + 0.005), (w / 2 - 0.03, h - 0.05), front, body, handle)


def _basin(form: Form, low: tuple[float, float], high: tuple[float, float], z: float, tone: Colour,
           surface: Surface, rim: float) -> None:  # fmt: skip
    """An open trough over (x, y) from ``low`` to ``high``: floor at ``z``, edge at ``rim``."""
    sketch, (x0, y0), (x1, y1) = form.sketch, low, high
    inner = shade(tone, 0.92)
    sketch.box((x0, y0, z - 0.015), (x1, y1, z), inner, surface)
    sketch.box((x0 - 0.012, y0 - 0.012, z - 0.015), (x0, y1 + 0.012, rim), tone, surface)
    sketch.box((x1, y0 - 0.012, z - 0.015), (x1 + 0.012, y1 + 0.012, rim), tone, surface)
    sketch.box((x0, y0 - 0.012, z - 0.015), (x1, y0, rim), tone, surface)
    sketch.box((x0, y1, z - 0.015), (x1, y1 + 0.012, rim), tone, surface)
    sketch.cylinder(((x0 + x1) / 2, (y0 + y1) / 2, z), 0.022, 0.003, STEEL, METAL)
    if form.is_so("filled"):
        level = z + (rim - z) * 0.7
        sketch.box((x0, y0, level - 0.002), (x1, y1, level), WATER, GLOSS)


def sink(form: Form) -> None:
    """A kitchen unit with a steel basin and a faucet."""
    sketch, (w, d, h) = form.sketch, form.size
    body, top, handle = form.tone("body"), form.tone("top"), form.tone("handle", STEEL)
    front = _unit(form, lid=False)
    spaces = form.spaces("basin")
    x, z = w / 2 - 0.16, spaces[0].low[2] if spaces else h * 0.8
    y0, y1 = -d / 2 + 0.15, d / 2 - 0.08
    stone = Surface.STONE
    sketch.box((-w / 2, -d / 2, h - 0.04), (-x, d / 2, h), top, stone)
    sketch.box((x, -d / 2, h - 0.04), (w / 2, d / 2, h), top, stone)
    sketch.box((-x, -d / 2, h - 0.04), (x, y0, h), top, stone)
    sketch.box((-x, y1, h - 0.04), (x, d / 2, h), top, stone)
    sketch.box((-w / 2, -d / 2, h), (w / 2, -d / 2 + 0.015, h + 0.05), top, stone)
    low, high = (-x + 0.004, y0 + 0.004), (x - 0.004, y1 - 0.004)
    _basin(form, low, high, z, form.tone("basin", STEEL), METAL, h + 0.004)
    tap(form, (0, -d / 2 + 0.08, h), 0.2, 0.28)
    doors(form, (-w / 2, KICK + 0.005), (w / 2, h - 0.045), front, body, handle)


def stove(form: Form) -> None:
    """Four burners, knobs, an oven with a window."""
    sketch, (w, d, h) = form.sketch, form.size
    body, top, handle = form.tone("body"), form.tone("top", BLACK), form.tone("handle", STEEL)
    front = d / 2 - 0.045
    carcass(form, (-w / 2, -d / 2, 0.04), (w / 2, front, h - 0.02), body, 0.03)
    sketch.box((-w / 2, -d / 2, 0), (w / 2, front - 0.04, 0.04), BLACK)
    sketch.box((-w / 2, -d / 2, h - 0.02), (w / 2, d / 2 - 0.01, h - 0.008), top, GLOSS)
    on = form.is_so("powered_on")
    for i, (x, y) in enumerate(((-0.25, -0.24), (0.25, -0.24), (-0.25, 0.2), (0.25, 0.2))):
        r = 0.085 if i in (0, 3) else 0.07
        hot = on and i in (0, 3)
        tone: Colour = (1.0, 0.25, 0.08) if hot else (0.28, 0.28, 0.29)
        sketch.cylinder(
            (x * w, y * d, h - 0.008), r, 0.006, tone, GLOW if hot else METAL, segments=18
        )
        sketch.cylinder((x * w, y * d, h - 0.006), r * 0.55, 0.006, BLACK, GLOSS, segments=14)
    sketch.box((-w / 2, front, h - 0.13), (w / 2, front + 0.03, h - 0.02), body, GLOSS)
    for i in range(5):
        knob = Sketch()
        knob.cylinder((0, 0, 0), 0.02, 0.025, (0.2, 0.2, 0.2), GLOSS, segments=10)
        sketch.add(knob, (-w * 0.36 + i * w * 0.18, front + 0.03, h - 0.075), -90, "x")
    low, high = (-w / 2 + 0.005, h * 0.17), (w / 2 - 0.005, h - 0.14)
    door(form, low, high, front, body, handle, "down", GLOSS)
    if not form.is_so("open"):
        z0, z1 = low[1] + 0.09, high[1] - 0.13
        tone = (0.95, 0.6, 0.25) if on else (0.07, 0.07, 0.08)
        sketch.box((-w * 0.36, front + 0.018, z0), (w * 0.36, front + 0.024, z1), tone, GLOSS)
    sketch.box(
        (-w / 2 + 0.005, front, 0.05), (w / 2 - 0.005, front + 0.02, h * 0.17 - 0.005), body, GLOSS
    )


def fridge(form: Form) -> None:
    """A tall door over shelves, a freezer's drawer below."""
    sketch, (w, d, h) = form.sketch, form.size
    body, handle = form.tone("body"), form.tone("handle", STEEL)
    front = d / 2 - 0.065
    inner: Colour = (0.96, 0.97, 0.98)
    opened = form.is_so("open")
    t = 0.04
    sketch.box((-w / 2, -d / 2, 0.02), (-w / 2 + t, front, h), body, GLOSS)
    sketch.box((w / 2 - t, -d / 2, 0.02), (w / 2, front, h), body, GLOSS)
    sketch.box((-w / 2, -d / 2, h - t), (w / 2, front, h), body, GLOSS)
    sketch.box((-w / 2, -d / 2, 0.02), (w / 2, front, 0.05), body, GLOSS)
    sketch.box((-w / 2 + 0.001, -d / 2, 0.02), (w / 2 - 0.001, -d / 2 + 0.03, h), inner)
    if opened:
        for x in (-w / 2 + t, w / 2 - t - 0.004):
            sketch.box((x, -d / 2 + 0.03, 0.05), (x + 0.004, front, h - t), inner)
        for one in form.spaces("shelf")[1:]:
            z = one.low[2]
            low, high = (-w / 2 + t, -d / 2 + 0.03, z - 0.012), (w / 2 - t, front - 0.02, z)
            sketch.box(low, high, (0.85, 0.92, 0.94), GLOSS)
        if form.is_so("powered_on"):
            sketch.slab((0, -0.05, h - t - 0.012), (0.2, 0.1, 0.012), (1, 1, 0.95), GLOW)
    split = h * 0.34
    for z0, z1 in ((0.05, split - 0.004), (split + 0.004, h - 0.004)):
        leaf = Sketch()
        leaf.cushion((-w + 0.004, 0, 0), (-0.004, 0.06, z1 - z0), body, 0.012, GLOSS)
        at = -w + 0.06
        tall = z1 > split + 0.1
        low_end, high_end = (0.05, 0.5) if tall else (0.45, 0.92)
        a, b = (z1 - z0) * low_end, (z1 - z0) * high_end
        bar = [(at, 0.06, a), (at, 0.1, a), (at, 0.1, b), (at, 0.06, b)]
        leaf.tube(bar, 0.012, handle)
        sketch.add(leaf, (w / 2, front, z0), -100 if opened else 0)


def freezer(form: Form) -> None:
    """A chest whose lid swings up."""
    sketch, (w, d, h) = form.sketch, form.size
    body, handle = form.tone("body"), form.tone("handle", STEEL)
    lid, t = 0.07, 0.045
    _basin(form, (-w / 2 + t, -d / 2 + t), (w / 2 - t, d / 2 - t), h * 0.14, body, GLOSS, h - lid)
    sketch.box((-w / 2, -d / 2, 0.03), (-w / 2 + t, d / 2, h - lid), body, GLOSS)
    sketch.box((w / 2 - t, -d / 2, 0.03), (w / 2, d / 2, h - lid), body, GLOSS)
    sketch.box((-w / 2, -d / 2, 0.03), (w / 2, -d / 2 + t, h - lid), body, GLOSS)
    sketch.box((-w / 2, d / 2 - t, 0.03), (w / 2, d / 2, h - lid), body, GLOSS)
    sketch.box((-w / 2 + 0.05, d / 2, 0.08), (-w / 2 + 0.2, d / 2 + 0.004, 0.16), BLACK)
    top = Sketch()
    top.cushion((-w / 2, 0, 0.005), (w / 2, d, lid), shade(body, 1.05), 0.02, GLOSS)
    top.slab((0, d, lid * 0.4), (0.2, 0.02, 0.025), handle, METAL)
    sketch.add(top, (0, -d / 2, h - lid), 70 if form.is_so("open") else 0, "x")


def dishwasher(form: Form) -> None:
    """A flap with a panel of buttons under a worktop."""
    sketch, (w, d, h) = form.sketch, form.size
    body, handle = form.tone("body"), form.tone("handle", STEEL)
    front = d / 2 - 0.045
    carcass(form, (-w / 2, -d / 2, KICK), (w / 2, front, h - 0.04), (0.75, 0.77, 0.79), 0.03)
    sketch.box((-w / 2, -d / 2, 0), (w / 2, front - 0.05, KICK), BLACK)
    sketch.box((-w / 2, -d / 2, h - 0.04), (w / 2, d / 2, h), form.tone("top"), Surface.STONE)
    sketch.box(
        (-w / 2, -d / 2, h), (w / 2, -d / 2 + 0.015, h + 0.05), form.tone("top"), Surface.STONE
    )
    for one in form.spaces("inside"):
        out = 0.22 if form.is_so("open") and one.name.endswith("1") else 0.0
        z = one.low[2]
        for i in range(9):
            x = -w / 2 + 0.06 + (w - 0.12) * i / 8
            y0, y1 = -d / 2 + 0.05 + out, front - 0.02 + out
            sketch.tube(
                ((x, y0, z - 0.005), (x, y1, z - 0.005)), 0.004, (0.9, 0.92, 0.95), segments=4
            )
    door(form, (-w / 2, KICK), (w / 2, h - 0.17), front, body, handle, "down", GLOSS)
    sketch.box(
        (-w / 2 + 0.004, front, h - 0.165),
        (w / 2 - 0.004, front + 0.025, h - 0.045),
        shade(body, 0.8),
        GLOSS,
    )
    light: Colour = (0.3, 1.0, 0.4) if form.is_so("powered_on") else (0.2, 0.25, 0.2)
    sketch.slab(
        (w * 0.3, front + 0.025, h - 0.11),
        (0.05, 0.004, 0.02),
        light,
        GLOW if form.is_so("powered_on") else GLOSS,
    )
    for i in range(4):
        sketch.slab(
            (-w * 0.35 + i * 0.05, front + 0.025, h - 0.11), (0.025, 0.006, 0.012), BLACK, GLOSS
        )


def microwave(form: Form) -> None:
    """A box with a dark window and a panel."""
    sketch, (w, d, h) = form.sketch, form.size
    body = form.tone("body")
    front, split = d / 2 - 0.03, -w / 2 + w * 0.26
    carcass(form, (-w / 2, -d / 2, 0.01), (w / 2, front, h), body, 0.02)
    sketch.box((-w / 2, -d / 2, 0.01), (split, front, h), body, GLOSS)
    sketch.box((-w / 2, front, 0.012), (split - 0.002, front + 0.025, h), shade(body, 0.7), GLOSS)
    on = form.is_so("powered_on")
    tone: Colour = (0.3, 1.0, 0.5) if on else (0.1, 0.16, 0.12)
    mid = (-w / 2 + split) / 2
    sketch.slab(
        (mid, front + 0.025, h * 0.74), (w * 0.16, 0.003, h * 0.12), tone, GLOW if on else GLOSS
    )
    for i in range(9):
        x, z = mid + (i % 3 - 1) * w * 0.055, h * (0.2 + 0.15 * (i // 3))
        sketch.slab((x, front + 0.025, z), (w * 0.04, 0.004, h * 0.09), (0.8, 0.8, 0.8))
    leaf, wide = Sketch(), w / 2 - split
    leaf.box((-wide, 0, 0), (0, 0.025, h - 0.014), form.tone("door", BLACK), GLOSS)
    inside: Colour = (0.95, 0.8, 0.4) if on else (0.05, 0.05, 0.06)
    leaf.box((-wide + 0.05, 0.025, 0.05), (-0.04, 0.027, h - 0.06), inside, GLOSS)
    leaf.tube(((-wide + 0.025, 0.05, h * 0.2), (-wide + 0.025, 0.05, h * 0.78)), 0.009, STEEL)
    sketch.add(leaf, (w / 2, front, 0.012), -95 if form.is_so("open") else 0)
    sketch.cylinder((w * 0.12, 0, h * 0.1), w * 0.24, 0.008, (0.8, 0.88, 0.9), GLOSS, segments=16)


def washing_machine(form: Form) -> None:
    """A round door in a white front, a panel above it."""
    sketch, (w, d, h) = form.sketch, form.size
    body, ring = form.tone("body"), form.tone("door", STEEL)
    front = d / 2 - 0.05
    opened, on = form.is_so("open"), form.is_so("powered_on")
    r, z = w * 0.31, h * 0.46
    sketch.box((-w / 2, -d / 2, 0.01), (w / 2, -d / 2 + 0.03, h), body, GLOSS)
    for x in (-w / 2, w / 2 - 0.03):
        sketch.box((x, -d / 2, 0.01), (x + 0.03, front, h), body, GLOSS)
    sketch.box((-w / 2, -d / 2, h - 0.02), (w / 2, front + 0.02, h), body, GLOSS)
    # The front, around the drum's square opening.
    sketch.box((-w / 2, front - 0.02, 0.01), (w / 2, front, z - r * 0.8), body, GLOSS)
    sketch.box((-w / 2, front - 0.02, z + r * 0.8), (w / 2, front, h - 0.02), body, GLOSS)
    sketch.box((-w / 2, front - 0.02, z - r), (-r * 0.8, front, z + r), body, GLOSS)
    sketch.box((r * 0.8, front - 0.02, z - r), (w / 2, front, z + r), body, GLOSS)
    drum = Sketch()
    drum.lathe(
        (0, 0, 0),
        [(r * 1.05, 0.0), (r * 1.05, 0.03), (r * 0.75, 0.03), (r * 0.75, -d * 0.7), (0, -d * 0.7)],
        STEEL,
        METAL,
        20,
    )
    hole = Sketch()
    hole.add(drum, turn=-90, axis="x")
    sketch.add(hole, (0, front - 0.025, z))
    leaf = Sketch()
    cover = Sketch()
    cover.lathe(
        (0, 0, 0),
        [
            (0, 0),
            (r * 1.12, 0),
            (r * 1.12, 0),
            (r * 1.1, 0.035),
            (r * 0.8, 0.045),
            (r * 0.8, 0.045),
        ],
        ring,
        GLOSS,
        24,
    )
    cover.lathe(
        (0, 0, 0), [(r * 0.8, 0.045), (r * 0.5, 0.055), (0, 0.06)], (0.12, 0.14, 0.17), GLOSS, 24
    )
    leaf.add(cover, (-r * 1.15, 0, 0), -90, "x")
    sketch.add(leaf, (r * 1.15, front + 0.005, z), -110 if opened else 0)
    panel = shade(body, 0.85)
    sketch.box((-w / 2, front, h - 0.14), (w / 2, front + 0.02, h), panel, GLOSS)
    knob = Sketch()
    knob.cylinder((0, 0, 0), 0.035, 0.03, STEEL, METAL, segments=14)
    sketch.add(knob, (0.0, front + 0.02, h - 0.075), -90, "x")
    sketch.box(
        (w * 0.2, front + 0.02, h - 0.12), (w * 0.44, front + 0.026, h - 0.03), shade(body, 0.95)
    )
    tone: Colour = (0.3, 0.9, 1.0) if on else (0.12, 0.14, 0.15)
    sketch.box(
        (-w * 0.4, front + 0.02, h - 0.11),
        (-w * 0.16, front + 0.024, h - 0.04),
        tone,
        GLOW if on else GLOSS,
    )


def toilet(form: Form) -> None:
    """Bowl, seat, tank; the lid stands up when it is open."""
    sketch, (w, d, h) = form.sketch, form.size
    body, lid = form.tone("body"), form.tone("lid", (0.95, 0.95, 0.94))
    rim = min(0.42, h * 0.53)
    tank = 0.19
    y = -d / 2 + tank
    long = d - tank
    mid = y + long / 2
    sketch.cushion((-w * 0.46, -d / 2, rim - 0.03), (w * 0.46, y, h - 0.035), body, 0.025, GLOSS)
    sketch.cushion(
        (-w / 2, -d / 2, h - 0.035), (w / 2, y + 0.008, h), shade(lid, 1.03), 0.012, GLOSS
    )
    sketch.cylinder((0, -d / 2 + 0.1, h), 0.022, 0.006, STEEL, METAL)
    stretch = (1.0, long / w)
    bowl = [(0, 0), (w * 0.27, 0), (w * 0.25, 0.1), (w * 0.34, rim * 0.55)]
    bowl += [(w * 0.47, rim - 0.03), (w * 0.47, rim), (w * 0.33, rim)]
    bowl += [(w * 0.22, rim - 0.14), (0, rim - 0.2)]
    sketch.lathe((0, mid, 0), bowl, body, GLOSS, 20, stretch)
    sketch.cushion((-w * 0.22, -d / 2 + 0.02, 0), (w * 0.22, mid, rim - 0.04), body, 0.03, GLOSS)
    sketch.lathe(
        (0, mid, rim),
        [(w * 0.3, 0), (w * 0.49, 0), (w * 0.49, 0.02), (w * 0.3, 0.02)],
        lid,
        GLOSS,
        20,
        stretch,
    )
    sketch.cylinder((0, mid, rim - 0.16), 0.08, 0.01, WATER, GLOSS)
    flap = Sketch()
    flap.lathe(
        (0, long / 2, 0.0),
        [(0, 0), (w * 0.49, 0), (w * 0.49, 0.018), (0, 0.022)],
        lid,
        GLOSS,
        20,
        stretch,
    )
    sketch.add(flap, (0, y + 0.01, rim + 0.02), 97 if form.is_so("open") else 0, "x")


def washbasin(form: Form) -> None:
    """A ceramic basin with a faucet on a cupboard."""
    sketch, (w, d, h) = form.sketch, form.size
    basin, body = form.tone("basin"), form.tone("body")
    spaces = form.spaces("basin")
    z = spaces[0].low[2] if spaces else h * 0.85
    sketch.box((-w / 2 + 0.05, -d / 2, 0.12), (w / 2 - 0.05, d / 2 - 0.08, z - 0.02), body, WOOD)
    door_low, door_high = (-w / 2 + 0.06, 0.14), (w / 2 - 0.06, z - 0.04)
    doors(form, door_low, door_high, d / 2 - 0.08, body, STEEL)
    x, y0, y1 = w / 2 - 0.07, -d / 2 + 0.14, d / 2 - 0.05
    sketch.cushion((-w / 2, -d / 2, z - 0.03), (-x, d / 2, h), basin, 0.02, GLOSS)
    sketch.cushion((x, -d / 2, z - 0.03), (w / 2, d / 2, h), basin, 0.02, GLOSS)
    sketch.cushion((-w / 2 + 0.01, -d / 2, z - 0.03), (w / 2 - 0.01, y0, h), basin, 0.02, GLOSS)
    sketch.cushion((-w / 2 + 0.01, y1, z - 0.03), (w / 2 - 0.01, d / 2, h), basin, 0.02, GLOSS)
    _basin(form, (-x + 0.004, y0 + 0.004), (x - 0.004, y1 - 0.004), z, basin, GLOSS, h - 0.02)
    tap(form, (0, -d / 2 + 0.07, h), 0.13, 0.17)


def bathtub(form: Form) -> None:
    """A tub with a rim and a faucet at one end."""
    sketch, (w, d, h) = form.sketch, form.size
    body = form.tone("body")
    rim, bottom = 0.08, h * 0.25
    sketch.cushion((-w / 2, -d / 2, 0.0), (w / 2, -d / 2 + rim, h), body, 0.03, GLOSS)
    sketch.cushion((-w / 2, d / 2 - rim, 0.0), (w / 2, d / 2, h), body, 0.03, GLOSS)
    sketch.cushion((-w / 2, -d / 2, 0.0), (-w / 2 + rim + 0.06, d / 2, h), body, 0.03, GLOSS)
    sketch.cushion((w / 2 - rim, -d / 2, 0.0), (w / 2, d / 2, h), body, 0.03, GLOSS)
    sketch.box(
        (-w / 2 + 0.05, -d / 2 + 0.05, bottom - 0.03),
        (w / 2 - 0.05, d / 2 - 0.05, bottom),
        shade(body, 0.97),
        GLOSS,
    )
    if form.is_so("filled"):
        level = h * 0.78
        low, high = (-w / 2 + rim, -d / 2 + rim, level - 0.01), (w / 2 - rim, d / 2 - rim, level)
        sketch.box(low, high, WATER, GLOSS)
    spout = Sketch()
    tap(Form(spout, form.size, {}, {}), (0, 0, 0), 0.16, 0.14)
    sketch.add(spout, (-w / 2 + 0.06, 0, h), -90)
    for y in (-0.1, 0.1):
        sketch.cylinder((-w / 2 + 0.06, y, h), 0.025, 0.05, STEEL, METAL)


def shower(form: Form) -> None:
    """A tray in a corner, glass at its open sides, a head on a pole."""
    sketch, (w, d, h) = form.sketch, form.size
    glass, tray, frame = form.tone("glass"), form.tone("tray"), form.tone("frame", STEEL)
    sketch.cushion((-w / 2, -d / 2, 0), (w / 2, d / 2, 0.07), tray, 0.015, GLOSS)
    sketch.cylinder((0, 0, 0.07), 0.04, 0.003, STEEL, METAL)
    for x, y in ((-w / 2, d / 2 - 0.025), (w / 2 - 0.025, d / 2 - 0.025), (w / 2 - 0.025, -d / 2)):
        sketch.box((x, y, 0.06), (x + 0.025, y + 0.025, h), frame, METAL)
    sketch.box((-w / 2, d / 2 - 0.025, h - 0.03), (w / 2, d / 2, h), frame, METAL)
    sketch.box((w / 2 - 0.025, -d / 2, h - 0.03), (w / 2, d / 2, h), frame, METAL)
    sketch.box(
        (w / 2 - 0.016, -d / 2 + 0.02, 0.07), (w / 2 - 0.01, d / 2 - 0.02, h - 0.03), glass, GLASS
    )
    leaf = Sketch()
    leaf.box((0, -0.003, 0), (w - 0.06, 0.003, h - 0.12), glass, GLASS)
    leaf.tube(((w - 0.12, 0.03, h * 0.42), (w - 0.12, 0.03, h * 0.58)), 0.01, frame)
    sketch.add(leaf, (-w / 2 + 0.03, d / 2 - 0.012, 0.075), 80 if form.is_so("open") else 0)
    x, y = -w * 0.2, -d / 2 + 0.04
    pipe = ((x, y, 1.0), (x, y, h - 0.05), (x, y + 0.25, h - 0.02))
    sketch.tube(pipe, 0.012, STEEL)
    sketch.cylinder((x, y + 0.25, h - 0.06), 0.09, 0.02, STEEL, METAL, top=0.06, segments=16)
    sketch.slab((x, y, 0.98), (0.2, 0.05, 0.04), STEEL, METAL)


RECIPES: dict[str, Recipe] = {
    "counter": counter,
    "kitchen_island": kitchen_island,
    "sink": sink,
    "stove": stove,
    "fridge": fridge,
    "freezer": freezer,
    "dishwasher": dishwasher,
    "microwave": microwave,
    "washing_machine": washing_machine,
    "toilet": toilet,
    "washbasin": washbasin,
    "bathtub": bathtub,
    "shower": shower,
}
"""By shape."""
