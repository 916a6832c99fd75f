"""Recipes of what people sit, lie and eat at: seats, beds, tables, desks."""

from __future__ import annotations

from homebody.worlds.house.rendering.materials import Surface
from homebody.worlds.house.rendering.meshes.mesh import Sketch, mix, shade
from homebody.worlds.house.rendering.meshes.parts import (
    BLACK,
    STEEL,
    Form,
    Recipe,
    carcass,
    drawer,
    legs,
)

WOOD, METAL, FABRIC, GLOSS = Surface.WOOD, Surface.METAL, Surface.FABRIC, Surface.GLOSS


def _couch(form: Form, seats: int, arm: float) -> None:
    sketch, (w, d, h) = form.sketch, form.size
    fabric, dark = form.tone("fabric"), form.tone("legs", (0.3, 0.2, 0.15))
    lighter = shade(fabric, 1.08)
    spaces = form.spaces("seat")
    seat = spaces[0].low[2] if spaces else h * 0.52
    for sx in (-w / 2 + 0.08, w / 2 - 0.08):
        for sy in (-d / 2 + 0.08, d / 2 - 0.08):
            sketch.cylinder((sx, sy, 0), 0.02, 0.1, dark, WOOD, segments=6)
    sketch.cushion((-w / 2, -d / 2, 0.09), (w / 2, d / 2 - 0.02, seat - 0.12), fabric, 0.03)
    sketch.cushion((-w / 2, -d / 2, 0.09), (w / 2, -d / 2 + 0.2, h * 0.95), fabric, 0.06)
    for x0, x1 in ((-w / 2, -w / 2 + arm), (w / 2 - arm, w / 2)):
        sketch.cushion((x0, -d / 2, 0.09), (x1, d / 2, seat + 0.18), fabric, 0.06)
    each = (w - 2 * arm) / seats
    for i in range(seats):
        x0 = -w / 2 + arm + i * each
        low, high = (x0 + 0.004, -d / 2 + 0.18, seat - 0.14), (x0 + each - 0.004, d / 2, seat)
        sketch.cushion(low, high, lighter, 0.05)
        sketch.cushion(
            (x0 + 0.01, -d / 2 + 0.12, seat - 0.02),
            (x0 + each - 0.01, -d / 2 + 0.3, h),
            lighter,
            0.08,
        )


def sofa(form: Form) -> None:
    """Two or three seats, arms, cushions."""
    w, d, h = form.size
    _couch(form, 3 if w > 2.0 else 2, 0.2)
    if "cushion" in form.style:
        for side in (-1, 1):
            pillow = Sketch()
            pillow.cushion((-0.2, -0.06, -0.2), (0.2, 0.06, 0.2), form.tone("cushion"), 0.055)
            tilted = Sketch()
            tilted.add(pillow, turn=-20, axis="x")
            at = (side * (w / 2 - 0.42), -d / 2 + 0.36, h * 0.53 + 0.2)
            form.sketch.add(tilted, at, side * -12.0)


def armchair(form: Form) -> None:
    """One seat between arms."""
    _couch(form, 1, 0.16)


def chair(form: Form) -> None:
    """Seat, four legs, a back of slats."""
    sketch, (w, d, h) = form.sketch, form.size
    seat_tone, leg_tone = form.tone("seat"), form.tone("legs")
    seat = min(h * 0.52, 0.47)
    t = 0.036
    for sx in (-w / 2 + t / 2, w / 2 - t / 2):
        sketch.slab((sx, d / 2 - t, 0), (t, t, seat - 0.03), leg_tone, WOOD)
        sketch.slab((sx, -d / 2 + t, 0), (t, t, h), leg_tone, WOOD)
        sketch.slab((sx, 0, seat * 0.35), (t * 0.6, d - 2 * t, t * 0.7), leg_tone, WOOD)
    sketch.cushion((-w / 2, -d / 2 + t, seat - 0.035), (w / 2, d / 2, seat), seat_tone, 0.015, WOOD)
    sketch.slab((0, -d / 2 + t, h - 0.11), (w - t, 0.02, 0.11), seat_tone, WOOD)
    if form.variant % 2:
        for i in range(4):
            x = -w / 2 + w * (i + 1) / 5
            sketch.slab((x, -d / 2 + t, seat), (0.025, 0.015, h - seat - 0.1), leg_tone, WOOD)
    else:
        for i in range(2):
            z = seat + (h - seat - 0.11) * (i + 1) / 3
            sketch.slab((0, -d / 2 + t, z - 0.03), (w - t, 0.016, 0.055), seat_tone, WOOD)


def office_chair(form: Form) -> None:
    """A swivel chair on five castors."""
    sketch, (w, d, h) = form.sketch, form.size
    seat_tone, metal = form.tone("seat"), form.tone("legs", BLACK)
    seat = h * 0.48
    star = Sketch()
    star.box((0.0, -0.02, 0.06), (w * 0.46, 0.02, 0.09), metal, METAL)
    star.ball((w * 0.44, 0, 0.03), 0.03, BLACK, GLOSS, 8)
    for i in range(5):
        sketch.add(star, turn=72 * i + 18)
    sketch.cylinder((0, 0, 0.07), 0.025, seat - 0.14, metal, METAL, segments=8)
    sketch.cushion((-w * 0.42, -d * 0.4, seat - 0.08), (w * 0.42, d * 0.45, seat), seat_tone, 0.04)
    sketch.slab((0, -d * 0.42, seat - 0.06), (0.06, 0.03, 0.25), metal, METAL)
    sketch.cushion((-w * 0.38, -d * 0.46, seat + 0.1), (w * 0.38, -d * 0.36, h), seat_tone, 0.045)
    for side in (-1, 1):
        x = side * w * 0.44
        sketch.slab((x, 0, seat - 0.05), (0.025, 0.03, 0.22), metal, METAL)
        sketch.slab((x, 0.02, seat + 0.17), (0.05, d * 0.45, 0.03), BLACK, GLOSS)


def stool(form: Form) -> None:
    """A round seat on legs; a tall one gets a foot ring."""
    sketch, (w, _, h) = form.sketch, form.size
    seat_tone, leg_tone = form.tone("seat"), form.tone("legs")
    r = w / 2
    for i in range(4):
        sx, sy = ((1, 1), (-1, 1), (-1, -1), (1, -1))[i]
        foot, top = (sx * r * 0.68, sy * r * 0.68, 0.0), (sx * r * 0.45, sy * r * 0.45, h - 0.04)
        sketch.tube((foot, top), 0.016, leg_tone, WOOD)
    if h > 0.6:
        ring = [(0.55, 0.55), (-0.55, 0.55), (-0.55, -0.55), (0.55, -0.55), (0.55, 0.55)]
        sketch.tube([(x * r * 1.05, y * r * 1.05, h * 0.35) for x, y in ring], 0.01, leg_tone)
    sketch.cylinder((0, 0, h - 0.05), r, 0.05, seat_tone, WOOD, segments=18)


def bench(form: Form) -> None:
    """Boards on two pairs of legs."""
    sketch, (w, d, h) = form.sketch, form.size
    for i in range(3):
        y0 = -d / 2 + d * i / 3
        low, high = (-w / 2, y0 + 0.006, h - 0.04), (w / 2, y0 + d / 3 - 0.006, h)
        sketch.box(low, high, form.tone("seat"), WOOD)
    for x in (-w / 2 + 0.12, w / 2 - 0.12):
        sketch.slab((x, 0, h - 0.09), (0.05, d * 0.92, 0.05), form.tone("legs"), METAL)
        for y in (-d * 0.4, d * 0.4):
            sketch.slab((x, y, 0), (0.05, 0.05, h - 0.09), form.tone("legs"), METAL)


def _pillow(form: Form, x: float, y: float, z: float, w: float) -> None:
    tone = form.tone("pillow", (0.95, 0.95, 0.93))
    form.sketch.cushion((x - w / 2, y, z), (x + w / 2, y + 0.36, z + 0.13), tone, 0.06)


def bed(form: Form) -> None:
    """Frame, headboard, mattress, pillows and a blanket turned down."""
    sketch, (w, d, h) = form.sketch, form.size
    frame, cover = form.tone("frame"), form.tone("cover")
    spaces = form.spaces("top")
    top = spaces[0].low[2] if spaces else h * 0.55
    sketch.box((-w / 2, -d / 2, 0), (w / 2, -d / 2 + 0.06, h), frame, WOOD)
    sketch.box((-w / 2, d / 2 - 0.04, 0), (w / 2, d / 2, top - 0.1), frame, WOOD)
    for x in (-w / 2, w / 2 - 0.04):
        sketch.box((x, -d / 2, 0.08), (x + 0.04, d / 2, top - 0.18), frame, WOOD)
    sheet = (0.95, 0.94, 0.92)
    sketch.cushion(
        (-w / 2 + 0.03, -d / 2 + 0.06, top - 0.26),
        (w / 2 - 0.03, d / 2 - 0.04, top - 0.02),
        sheet,
        0.05,
    )
    fold = -d / 2 + d * 0.36
    sketch.cushion(
        (-w / 2 - 0.012, fold, top - 0.24), (w / 2 + 0.012, d / 2 - 0.02, top + 0.012), cover, 0.04
    )
    sketch.cushion(
        (-w / 2 - 0.014, fold - 0.12, top - 0.2),
        (w / 2 + 0.014, fold + 0.1, top + 0.02),
        mix(cover, (1, 1, 1), 0.6),
        0.03,
    )
    if w > 1.25:
        _pillow(form, -w * 0.24, -d / 2 + 0.1, top - 0.03, w * 0.42)
        _pillow(form, w * 0.24, -d / 2 + 0.1, top - 0.03, w * 0.42)
    else:
        _pillow(form, 0, -d / 2 + 0.1, top - 0.03, w * 0.7)


def crib(form: Form) -> None:
    """A small bed behind bars."""
    sketch, (w, d, h) = form.sketch, form.size
    frame = form.tone("frame")
    spaces = form.spaces("inside")
    top = spaces[0].low[2] if spaces else h * 0.45
    legs(form, h, frame, 0.045, 0.0)
    sketch.cushion(
        (-w / 2 + 0.03, -d / 2 + 0.03, top - 0.12),
        (w / 2 - 0.03, d / 2 - 0.03, top),
        form.tone("cover"),
        0.03,
    )
    for z in (top - 0.16, h - 0.04):
        for x in (-w / 2 + 0.01, w / 2 - 0.04):
            sketch.box((x, -d / 2, z), (x + 0.03, d / 2, z + 0.04), frame, WOOD)
        for y in (-d / 2 + 0.01, d / 2 - 0.04):
            sketch.box((-w / 2, y, z), (w / 2, y + 0.03, z + 0.04), frame, WOOD)
    bars = 11
    for i in range(1, bars):
        y = -d / 2 + d * i / bars
        for x in (-w / 2 + 0.025, w / 2 - 0.025):
            sketch.slab((x, y, top - 0.15), (0.016, 0.016, h - top + 0.12), frame, WOOD)
    for i in range(1, 6):
        x = -w / 2 + w * i / 6
        for y in (-d / 2 + 0.025, d / 2 - 0.025):
            sketch.slab((x, y, top - 0.15), (0.016, 0.016, h - top + 0.12), frame, WOOD)


def table(form: Form) -> None:
    """A top with an apron on four legs, or on a column if it is small and square."""
    sketch, (w, d, h) = form.sketch, form.size
    top, leg = form.tone("top"), form.tone("legs")
    thick = 0.035 if h > 0.6 else 0.028
    glass = top[2] > top[0] + 0.08 and min(top) > 0.65
    surface = Surface.GLASS if glass and h < 0.6 else WOOD
    sketch.cushion((-w / 2, -d / 2, h - thick), (w / 2, d / 2, h), top, 0.008, surface)
    if h > 0.7 and w < 1.0:
        sketch.cylinder((0, 0, 0), 0.24, 0.025, leg, METAL, segments=18)
        sketch.cylinder((0, 0, 0.02), 0.035, h - thick - 0.02, leg, METAL)
        return
    apron = 0.07 if h > 0.6 else 0.05
    inset = 0.05
    legs(form, h - thick, leg, 0.06 if h > 0.6 else 0.045, inset)
    for y in (-d / 2 + inset + 0.01, d / 2 - inset - 0.03):
        low, high = (-w / 2 + inset, y, h - thick - apron), (w / 2 - inset, y + 0.02, h - thick)
        sketch.box(low, high, leg, WOOD)
    for x in (-w / 2 + inset + 0.01, w / 2 - inset - 0.03):
        low, high = (x, -d / 2 + inset, h - thick - apron), (x + 0.02, d / 2 - inset, h - thick)
        sketch.box(low, high, leg, WOOD)
    if h < 0.5 and w > 0.8:
        sketch.slab((0, 0, h * 0.35), (w - 0.16, d - 0.16, 0.018), leg, WOOD)


def _drawer_under(form: Form, colour: tuple[float, float, float]) -> None:
    """The fronts of drawers that hang under a top."""
    _, d, h = form.size
    for one in form.spaces("drawer"):
        low, high = (one.low[0] - 0.02, one.low[2] - 0.02), (one.high[0] + 0.02, h - 0.03)
        if not form.is_so("open"):
            form.sketch.box(
                (low[0], -d / 2 + 0.06, low[1]), (high[0], d / 2 - 0.03, high[1]), colour, WOOD
            )
        drawer(form, low, high, d / 2 - 0.03, d - 0.1, colour, form.tone("handle", STEEL))


def desk(form: Form) -> None:
    """A writing desk: drawers under the top, panels at its back."""
    sketch, (w, d, h) = form.sketch, form.size
    top, leg = form.tone("top"), form.tone("legs")
    sketch.cushion((-w / 2, -d / 2, h - 0.03), (w / 2, d / 2, h), top, 0.006, WOOD)
    legs(form, h - 0.03, leg, 0.045, 0.01)
    low, high = (-w / 2 + 0.05, -d / 2 + 0.04, h * 0.45), (w / 2 - 0.05, -d / 2 + 0.055, h - 0.03)
    sketch.box(low, high, shade(top, 0.9), WOOD)
    _drawer_under(form, shade(top, 0.95))


def school_desk(form: Form) -> None:
    """A pupil's desk: a light top on tubes, a shelf for books."""
    sketch, (w, d, h) = form.sketch, form.size
    top, leg = form.tone("top"), form.tone("legs")
    sketch.cushion((-w / 2, -d / 2, h - 0.025), (w / 2, d / 2, h), top, 0.01, WOOD)
    sketch.slab((0, -0.03, h - 0.14), (w - 0.12, d - 0.14, 0.012), STEEL, METAL)
    sketch.box(
        (-w / 2 + 0.06, -d / 2 + 0.04, h - 0.14),
        (w / 2 - 0.06, -d / 2 + 0.05, h - 0.03),
        STEEL,
        METAL,
    )
    for x in (-w / 2 + 0.05, w / 2 - 0.05):
        y = d / 2 - 0.05
        hoop = ((x, -y, 0.02), (x, -y, h - 0.04), (x, y, h - 0.04), (x, y, 0.02))
        sketch.tube(hoop, 0.014, leg, METAL)
        sketch.tube(((x, -y, 0.02), (x, y, 0.02)), 0.014, leg, METAL)


def console_table(form: Form) -> None:
    """A narrow table with a drawer."""
    sketch, (w, d, h) = form.sketch, form.size
    top, leg = form.tone("top"), form.tone("legs")
    sketch.cushion((-w / 2, -d / 2, h - 0.025), (w / 2, d / 2, h), top, 0.006, WOOD)
    legs(form, h - 0.025, leg, 0.04, 0.02)
    _drawer_under(form, top)
    sketch.slab((0, 0, h * 0.2), (w - 0.1, d - 0.06, 0.018), leg, WOOD)


def reception_desk(form: Form) -> None:
    """A counter, closed to the visitors (its back), open to who works there (its front)."""
    sketch, (w, d, h) = form.sketch, form.size
    body, top = form.tone("body"), form.tone("top")
    carcass(
        form,
        (-w / 2 + 0.03, -d / 2 + 0.05, 0.0),
        (w / 2 - 0.03, d / 2 - 0.02, h - 0.03),
        body,
        0.03,
    )
    sketch.cushion((-w / 2, -d / 2, h - 0.04), (w / 2, d / 2, h), top, 0.01, GLOSS)
    panels = max(2, round(w / 0.5))
    for i in range(panels):
        x0 = -w / 2 + 0.05 + (w - 0.1) * i / panels
        x1 = -w / 2 + 0.05 + (w - 0.1) * (i + 1) / panels
        low, high = (x0 + 0.02, -d / 2 + 0.035, 0.12), (x1 - 0.02, -d / 2 + 0.05, h - 0.1)
        sketch.box(low, high, shade(body, 1.12), WOOD)
    sketch.box((-w / 2 + 0.03, -d / 2 + 0.03, 0.0), (w / 2 - 0.03, -d / 2 + 0.06, 0.09), BLACK)
    for one in form.spaces("shelf"):
        sketch.box(
            (-w / 2 + 0.05, -d / 2 + 0.1, one.low[2] - 0.02),
            (w / 2 - 0.05, one.high[1], one.low[2]),
            body,
            WOOD,
        )


def bar_counter(form: Form) -> None:
    """A bar: a counter with a rail for feet and a beer tap."""
    reception_desk(form)
    sketch, (w, d, h) = form.sketch, form.size
    brass = (0.8, 0.65, 0.35)
    sketch.tube(((-w / 2, -d / 2 - 0.08, 0.2), (w / 2, -d / 2 - 0.08, 0.2)), 0.02, brass)
    x, y = w * 0.36, 0.08
    sketch.cylinder((x, y, h), 0.035, 0.26, brass, METAL)
    sketch.tube(((x, y, h + 0.24), (x, y + 0.12, h + 0.24), (x, y + 0.12, h + 0.18)), 0.015, brass)
    sketch.cylinder((x, y, h + 0.26), 0.014, 0.12, BLACK, GLOSS, top=0.02)


def checkout(form: Form) -> None:
    """A shop's till: belt, register, a little screen."""
    sketch, (w, d, h) = form.sketch, form.size
    body = form.tone("body")
    sketch.box((-w / 2, -d / 2, 0.0), (w / 2, d / 2, h - 0.05), body, WOOD)
    sketch.box((-w / 2, -d / 2, h - 0.05), (w / 2, d / 2, h), form.tone("top"), METAL)
    sketch.box(
        (-w / 2 + 0.05, -d / 2 + 0.12, h),
        (w * 0.12, d / 2 - 0.12, h + 0.008),
        form.tone("belt"),
        FABRIC,
    )
    x = w * 0.36
    sketch.cushion((x - 0.17, -0.14, h), (x + 0.17, 0.2, h + 0.1), BLACK, 0.02, GLOSS)
    sketch.slab((x, -0.06, h + 0.1), (0.04, 0.04, 0.16), BLACK)
    sketch.box((x - 0.16, -0.08, h + 0.2), (x + 0.16, -0.05, h + 0.42), BLACK, GLOSS)
    sketch.box(
        (x - 0.14, -0.05, h + 0.22), (x + 0.14, -0.047, h + 0.4), (0.35, 0.6, 0.8), Surface.GLOW
    )
    _drawer_under(form, shade(body, 0.9))


RECIPES: dict[str, Recipe] = {
    "sofa": sofa,
    "armchair": armchair,
    "chair": chair,
    "office_chair": office_chair,
    "stool": stool,
    "bench": bench,
    "bed": bed,
    "kids_bed": bed,
    "crib": crib,
    "table": table,
    "coffee_table": table,
    "side_table": table,
    "desk": desk,
    "school_desk": school_desk,
    "console_table": console_table,
    "reception_desk": reception_desk,
    "bar_counter": bar_counter,
    "checkout": checkout,
}
"""By shape."""
