"""Tables, desks, counters of shops and receptions, workbenches."""

from __future__ import annotations

from homebody.worlds.house.model.house import Colour
from homebody.worlds.house.rendering.materials import FABRIC, GLASS, GLOSS, GLOW, METAL, WOOD
from homebody.worlds.house.rendering.meshes.form import Form, Shape
from homebody.worlds.house.rendering.meshes.furniture_parts import carcass, drawers_under_top, legs
from homebody.worlds.house.rendering.meshes.palette import BLACK, BRASS, STEEL, shade


def table(form: Form) -> None:
    """A top with an apron on four legs, or on a column if it is small and square."""
    sketch, (w, d, _), (x, y, h) = form.sketch, form.size, form.half
    top, leg = form.tone("top"), form.tone("legs")
    thick, is_high = (0.035, True) if h > 0.6 else (0.028, False)
    is_glass = top[2] > top[0] + 0.08 and min(top) > 0.65 and not is_high
    sketch.cushion((-x, -y, h - thick), (x, y, h), top, 0.008, GLASS if is_glass else WOOD)
    if h > 0.7 and w < 1.0:
        sketch.cylinder((0, 0, 0), 0.24, 0.025, leg, METAL, segments=18)
        sketch.cylinder((0, 0, 0.02), 0.035, h - thick - 0.02, leg, METAL)
        return
    z0, z1, inset = h - thick - (0.07 if is_high else 0.05), h - thick, 0.05
    legs(form, h - thick, leg, 0.06 if is_high else 0.045, inset)
    for end in (-y + inset + 0.01, y - inset - 0.03):
        sketch.box((-x + inset, end, z0), (x - inset, end + 0.02, z1), leg, WOOD)
    for side in (-x + inset + 0.01, x - inset - 0.03):
        sketch.box((side, -y + inset, z0), (side + 0.02, y - inset, z1), leg, WOOD)
    if h < 0.5 and w > 0.8:
        sketch.slab((0, 0, h * 0.35), (w - 0.16, d - 0.16, 0.018), leg, WOOD)


def desk(form: Form) -> None:
    """A writing desk: drawers under the top, panels at its back."""
    sketch, (x, y, h), top = form.sketch, form.half, form.tone("top")
    sketch.cushion((-x, -y, h - 0.03), (x, y, h), top, 0.006, WOOD)
    legs(form, h - 0.03, form.tone("legs"), 0.045, 0.01)
    low, high = (-x + 0.05, -y + 0.04, h * 0.45), (x - 0.05, -y + 0.055, h - 0.03)
    sketch.box(low, high, shade(top, 0.9), WOOD)
    drawers_under_top(form, shade(top, 0.95))


def school_desk(form: Form) -> None:
    """A pupil's desk: a light top on tubes, a shelf for books."""
    sketch, (w, d, _), (x, y, h) = form.sketch, form.size, form.half
    sketch.cushion((-x, -y, h - 0.025), (x, y, h), form.tone("top"), 0.01, WOOD)
    sketch.slab((0, -0.03, h - 0.14), (w - 0.12, d - 0.14, 0.012), STEEL, METAL)
    low, high = (-x + 0.06, -y + 0.04, h - 0.14), (x - 0.06, -y + 0.05, h - 0.03)
    sketch.box(low, high, STEEL, METAL)
    leg, end = form.tone("legs"), y - 0.05
    for side in (-x + 0.05, x - 0.05):
        back, front = (side, -end, 0.02), (side, end, 0.02)
        hoop = (back, (side, -end, h - 0.04), (side, end, h - 0.04), front)
        sketch.tube(hoop, 0.014, leg, METAL)
        sketch.tube((back, front), 0.014, leg, METAL)


def console_table(form: Form) -> None:
    """A narrow table with a drawer."""
    sketch, (w, d, _), (x, y, h) = form.sketch, form.size, form.half
    top, leg = form.tone("top"), form.tone("legs")
    sketch.cushion((-x, -y, h - 0.025), (x, y, h), top, 0.006, WOOD)
    legs(form, h - 0.025, leg, 0.04, 0.02)
    drawers_under_top(form, top)
    sketch.slab((0, 0, h * 0.2), (w - 0.1, d - 0.06, 0.018), leg, WOOD)


def reception_desk(form: Form) -> None:
    """A counter; the wall at its back is higher and carries a ledge for visitors."""
    _counter(form)
    sketch, (x, y, h), body = form.sketch, form.half, form.tone()
    sketch.box((-x + 0.03, -y - 0.04, h - 0.1), (x - 0.03, -y - 0.005, h + 0.16), body, WOOD)
    sketch.cushion((-x, -y - 0.14, h + 0.16), (x, -y + 0.1, h + 0.2), form.tone("top"), 0.01, GLOSS)


def _counter(form: Form) -> None:
    """A counter, closed towards visitors (its back), open towards the staff (its front)."""
    sketch, (w, _, _), (x, y, h), body = form.sketch, form.size, form.half, form.tone()
    carcass(form, (-x + 0.03, -y + 0.05, 0.0), (x - 0.03, y - 0.02, h - 0.03), body, 0.03)
    sketch.cushion((-x, -y, h - 0.04), (x, y, h), form.tone("top"), 0.01, GLOSS)
    panels = max(2, round(w / 0.5))
    for i in range(panels):
        x0 = -x + 0.05 + (w - 0.1) * i / panels
        x1 = -x + 0.05 + (w - 0.1) * (i + 1) / panels
        low, high = (x0 + 0.02, -y + 0.035, 0.12), (x1 - 0.02, -y + 0.05, h - 0.1)
        sketch.box(low, high, shade(body, 1.12), WOOD)
    sketch.box((-x + 0.03, -y + 0.03, 0.0), (x - 0.03, -y + 0.06, 0.09), BLACK)
    for space in form.spaces("shelf"):
        z = space.low[2]
        sketch.box((-x + 0.05, -y + 0.1, z - 0.02), (x - 0.05, space.high[1], z), body, WOOD)


def bar_counter(form: Form) -> None:
    """A bar: a counter with a rail for feet and a beer tap."""
    _counter(form)
    sketch, (w, _, _), (x, y, h) = form.sketch, form.size, form.half
    sketch.tube(((-x, -y - 0.08, 0.2), (x, -y - 0.08, 0.2)), 0.02, BRASS)
    x, y = w * 0.36, 0.08
    sketch.cylinder((x, y, h), 0.035, 0.26, BRASS, METAL)
    sketch.tube(((x, y, h + 0.24), (x, y + 0.12, h + 0.24), (x, y + 0.12, h + 0.18)), 0.015, BRASS)
    sketch.cylinder((x, y, h + 0.26), 0.014, 0.12, BLACK, GLOSS, top=0.02)


def checkout(form: Form) -> None:
    """A shop's till: belt, register, a little screen."""
    sketch, (w, _, _), (x, y, h), body = form.sketch, form.size, form.half, form.tone()
    sketch.box((-x, -y, 0.0), (x, y, h - 0.05), body, WOOD)
    sketch.box((-x, -y, h - 0.05), (x, y, h), form.tone("top"), METAL)
    low, high = (-x + 0.05, -y + 0.12, h), (w * 0.12, y - 0.12, h + 0.008)
    sketch.box(low, high, form.tone("belt"), FABRIC)
    x, screen = w * 0.36, (0.35, 0.6, 0.8)
    sketch.cushion((x - 0.17, -0.14, h), (x + 0.17, 0.2, h + 0.1), BLACK, 0.02, GLOSS)
    sketch.slab((x, -0.06, h + 0.1), (0.04, 0.04, 0.16), BLACK)
    sketch.box((x - 0.16, -0.08, h + 0.2), (x + 0.16, -0.05, h + 0.42), BLACK, GLOSS)
    sketch.box((x - 0.14, -0.05, h + 0.22), (x + 0.14, -0.047, h + 0.4), screen, GLOW)
    drawers_under_top(form, shade(body, 0.9))


def workbench(form: Form) -> None:
    """A heavy top, a shelf below, a vice, a board with tools."""
    sketch, (x, y, h), top = form.sketch, form.half, form.tone("top")
    sketch.box((-x, -y, h - 0.06), (x, y, h), top, WOOD)
    legs(form, h - 0.06, form.tone("legs"), 0.09, 0.03)
    for space in form.spaces("shelf"):
        z = space.low[2]
        sketch.box((-x + 0.05, -y + 0.03, z - 0.025), (x - 0.05, y - 0.03, z), top, WOOD)
    x, vice = -x + 0.2, (0.25, 0.36, 0.5)
    sketch.slab((x, y - 0.02, h - 0.05), (0.14, 0.1, 0.1), vice, METAL)
    sketch.slab((x, y + 0.07, h - 0.05), (0.14, 0.03, 0.1), vice, METAL)
    sketch.tube(((x - 0.09, y + 0.1, h - 0.02), (x + 0.09, y + 0.1, h - 0.02)), 0.008, STEEL)


def pedestal(form: Form) -> None:
    """A plain block for a work of art."""
    w, d, h = form.size
    body: Colour = form.tone()
    form.sketch.slab((0, 0, 0), (w, d, h), body)
    form.sketch.slab((0, 0, 0), (w + 0.02, d + 0.02, 0.05), shade(body, 0.8))


SHAPES: dict[str, Shape] = {
    "table": table, "coffee_table": table, "side_table": table, "desk": desk,
    "school_desk": school_desk, "console_table": console_table, "reception_desk": reception_desk,
    "bar_counter": bar_counter, "checkout": checkout, "workbench": workbench, "pedestal": pedestal,
}  # fmt: skip
