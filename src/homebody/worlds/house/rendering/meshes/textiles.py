"""Recipes of paper, cloth, clothes and bags."""

from __future__ import annotations

from homebody.worlds.house.rendering.materials import Surface
from homebody.worlds.house.rendering.meshes.dishes import PAPER
from homebody.worlds.house.rendering.meshes.food import open_box
from homebody.worlds.house.rendering.meshes.mesh import Sketch, mix, shade
from homebody.worlds.house.rendering.meshes.parts import BLACK, STEEL, TIMBER, Form, Recipe

METAL, FABRIC, GLOSS, MATT = Surface.METAL, Surface.FABRIC, Surface.GLOSS, Surface.MATT


def book(form: Form) -> None:
    """Covers around pages, a title."""
    sketch, (w, d, h) = form.sketch, form.size
    tone = form.tone("body")
    t = min(0.003, h * 0.3)
    sketch.box((-w / 2, -d / 2, 0), (w / 2, d / 2, t), tone)
    sketch.box((-w / 2, -d / 2, h - t), (w / 2, d / 2, h), tone)
    sketch.box((-w / 2, -d / 2, 0), (-w / 2 + t, d / 2, h), tone)
    sketch.box((-w / 2 + t, -d * 0.49, t), (w * 0.48, d * 0.49, h - t), PAPER)
    title = mix(tone, PAPER, 0.8) if sum(tone) < 2 else shade(tone, 0.4)
    sketch.box((-w * 0.3, d * 0.12, h), (w * 0.3, d * 0.3, h + 0.0006), title)
    sketch.box((-w * 0.2, -d * 0.32, h), (w * 0.2, -d * 0.26, h + 0.0006), title)
    if form.category in ("newspaper", "magazine", "comic_book"):
        for i in range(3):
            y = -d * 0.2 + i * d * 0.11
            sketch.box((-w * 0.4, y, h), (w * 0.4, y + d * 0.05, h + 0.0005), shade(title, 0.85))


def slab(form: Form) -> None:
    """Flat things: scales, envelopes, paper, rulers, consoles."""
    sketch, (w, d, h) = form.sketch, form.size
    tone = form.tone("body")
    sketch.cushion((-w / 2, -d / 2, 0), (w / 2, d / 2, h), tone, min(0.01, h * 0.3), MATT)
    if form.category == "paper_stack":
        for i in range(6):
            y = d * 0.36 - i * d * 0.12
            sketch.box(
                (-w * 0.38, y, h),
                (w * (0.36 - 0.1 * (i % 3)), y + d * 0.02, h + 0.0004),
                (0.35, 0.35, 0.38),
            )
    elif form.category == "scale":
        sketch.box(
            (-w * 0.18, d * 0.22, h), (w * 0.18, d * 0.38, h + 0.001), (0.55, 0.65, 0.6), GLOSS
        )
    elif form.category == "envelope":
        sketch.quad(
            (-w / 2, d / 2, h + 0.0004),
            (0, 0, h + 0.0004),
            (w / 2, d / 2, h + 0.0004),
            (w / 2, d / 2, h + 0.0004),
            shade(tone, 0.88),
        )


def binder(form: Form) -> None:
    """Stands upright; its back at +y."""
    sketch, (w, d, h) = form.sketch, form.size
    sketch.box((-w / 2, -d / 2, 0), (w / 2, d / 2, h), form.tone("body"))
    sketch.box((-w * 0.42, -d / 2 - 0.0005, 0.01), (w * 0.42, d * 0.45, h + 0.0005), PAPER)
    sketch.box((-w * 0.3, d / 2, h * 0.5), (w * 0.3, d / 2 + 0.001, h * 0.85), PAPER)
    sketch.cylinder((0, d / 2 - 0.001, h * 0.2), w * 0.12, 0.004, STEEL, METAL, segments=8)


def cloth(form: Form) -> None:
    """Something thin that lies flat, with a hem."""
    sketch, (w, d, h) = form.sketch, form.size
    tone = form.tone("body")
    sketch.cushion((-w / 2, -d / 2, 0), (w / 2, d / 2, h), tone, h * 0.45)
    sketch.box(
        (-w * 0.42, -d * 0.42, h), (w * 0.42, -d * 0.36, h + 0.0006), mix(tone, PAPER, 0.5), FABRIC
    )
    if form.category in ("socks", "gloves", "scarf"):
        sketch.cushion(
            (-w * 0.4, -d * 0.3, h * 0.5), (w * 0.5, d * 0.5, h * 1.0), shade(tone, 0.85), h * 0.3
        )


def folded(form: Form) -> None:
    """A folded piece of clothing: a collar, sleeves under it."""
    sketch, (w, d, h) = form.sketch, form.size
    tone = form.tone("body")
    sketch.cushion((-w / 2, -d / 2, 0), (w / 2, d / 2, h * 0.55), shade(tone, 0.9), h * 0.25)
    sketch.cushion((-w * 0.49, -d * 0.49, h * 0.45), (w * 0.49, d * 0.49, h), tone, h * 0.25)
    if form.category != "trousers":
        for side in (-1, 1):
            collar = Sketch()
            collar.box(
                (-w * 0.15, -0.02, 0), (w * 0.15, 0.02, 0.008), mix(tone, PAPER, 0.35), FABRIC
            )
            sketch.add(collar, (side * w * 0.11, d * 0.38, h - 0.002), side * 28)
        for i in range(3):
            sketch.cylinder((0, d * 0.22 - i * d * 0.2, h), 0.006, 0.002, PAPER, segments=5)


def towel(form: Form) -> None:
    """Folded thrice, with stripes."""
    sketch, (w, d, h) = form.sketch, form.size
    tone = form.tone("body")
    layers = 3
    for i in range(layers):
        low, high = (
            (-w / 2 + 0.004 * i, -d / 2, h * i / layers),
            (w / 2, d / 2 - 0.006 * i, h * (i + 1) / layers),
        )
        sketch.cushion(low, high, shade(tone, 1 - 0.05 * (i % 2)), h / layers * 0.45)
    for x in (w * 0.3, w * 0.38):
        sketch.box(
            (x, -d / 2, h), (x + w * 0.03, d / 2 - 0.02, h + 0.001), mix(tone, PAPER, 0.6), FABRIC
        )


def pillow(form: Form) -> None:
    w, d, h = form.size
    tone = form.tone("body")
    form.sketch.cushion((-w / 2, -d / 2, 0), (w / 2, d / 2, h), tone, h * 0.49)


def shoe(form: Form) -> None:
    """A pair, toes to +y."""
    sketch, (w, d, h) = form.sketch, form.size
    tone = form.tone("body")
    wide = w * 0.44
    slipper = form.category == "slippers"
    for side in (-1, 1):
        x = side * w * 0.27
        sole = (0.92, 0.92, 0.9) if form.category == "sneakers" else shade(tone, 0.5)
        sketch.cushion(
            (x - wide / 2, -d / 2, 0), (x + wide / 2, d / 2, h * 0.22), sole, h * 0.1, GLOSS
        )
        sketch.cushion(
            (x - wide * 0.46, d * (0.0 if slipper else -0.1), h * 0.15),
            (x + wide * 0.46, d * 0.48, h * 0.62),
            tone,
            h * 0.22,
            GLOSS,
        )
        if not slipper:
            sketch.cushion(
                (x - wide * 0.42, -d * 0.49, h * 0.15),
                (x + wide * 0.42, d * 0.08, h),
                tone,
                h * 0.2,
                GLOSS,
            )
            sketch.cylinder((x, -d * 0.22, h * 0.98), wide * 0.28, 0.004, BLACK, segments=8)
            for i in range(3):
                y = d * (0.05 + 0.09 * i)
                sketch.box(
                    (x - wide * 0.2, y, h * (0.68 - 0.02 * i)),
                    (x + wide * 0.2, y + 0.008, h * (0.7 - 0.02 * i)),
                    PAPER,
                )


def boot(form: Form) -> None:
    """A pair with shafts."""
    sketch, (w, d, h) = form.sketch, form.size
    tone, wide = form.tone("body"), w * 0.44
    for side in (-1, 1):
        x = side * w * 0.27
        sketch.cushion(
            (x - wide / 2, -d / 2, 0), (x + wide / 2, d / 2, h * 0.5), tone, h * 0.15, GLOSS
        )
        sketch.cylinder((x, -d * 0.22, h * 0.3), wide * 0.44, h * 0.7, shade(tone, 1.1), GLOSS)
        sketch.cylinder((x, -d * 0.22, h), wide * 0.36, 0.002, BLACK)


def hat(form: Form) -> None:
    """A brim and a crown; caps have a peak, helmets none."""
    sketch, (w, d, h) = form.sketch, form.size
    tone, flat = form.tone("body"), form.size[1] / form.size[0]
    if form.category == "hat":
        sketch.lathe(
            (0, 0, 0),
            [
                (0, 0),
                (w / 2, 0),
                (w / 2, 0.008),
                (w * 0.3, 0.012),
                (w * 0.3, h * 0.8),
                (w * 0.22, h),
                (0, h * 0.96),
            ],
            tone,
            FABRIC,
            16,
            (1, flat),
        )
        sketch.lathe(
            (0, 0, 0.012),
            [(w * 0.305, 0), (w * 0.305, h * 0.2)],
            shade(tone, 0.5),
            FABRIC,
            16,
            (1, flat),
        )
        return
    y = -d * 0.12 if form.category == "cap" else 0.0
    long = d / 2 - abs(y)
    shell = [(w * 0.48, 0), (w / 2, h * 0.2), (w * 0.42, h * 0.65), (w * 0.2, h * 0.95), (0, h)]
    sketch.lathe(
        (0, y, 0), shell, tone, FABRIC if form.category == "cap" else GLOSS, 14, (1, long * 2 / w)
    )
    if form.category == "cap":
        sketch.cushion((-w * 0.4, d * 0.1, 0), (w * 0.4, d / 2, 0.015), shade(tone, 0.8), 0.006)
        sketch.ball((0, y, h), 0.01, shade(tone, 0.6), FABRIC, 5)
    else:
        for x in (-0.2, 0.0, 0.2):
            sketch.box((x * w - 0.012, -d * 0.2, h * 0.9), (x * w + 0.012, d * 0.2, h * 1.0), BLACK)


def roll(form: Form) -> None:
    """A ring of something wound up."""
    sketch, (_w, _d, h) = form.sketch, form.size
    tone, r, flat = form.tone("body"), form.size[0] / 2, form.size[1] / form.size[0]
    hole = 0.8 if form.category == "ring" else 0.38
    profile = [
        (r * hole, 0),
        (r, 0),
        (r, 0),
        (r, h),
        (r, h),
        (r * hole, h),
        (r * hole, h),
        (r * hole, 0),
    ]
    surface = (
        METAL if form.category == "ring" else (FABRIC if form.category == "toilet_paper" else GLOSS)
    )
    sketch.lathe((0, 0, 0), profile, tone, surface, 14, (1, flat))
    if form.category == "ring":
        sketch.ball((0, r * 0.9, h * 0.8), h * 0.4, (0.7, 0.9, 1.0), GLOSS, 6)
    elif form.category == "toilet_paper":
        sketch.lathe(
            (0, 0, 0.001),
            [(r * 0.4, 0), (r * 0.4, h), (r * 0.36, h), (r * 0.36, 0)],
            TIMBER,
            MATT,
            12,
        )


def roll_mat(form: Form) -> None:
    """A rolled mat along x."""
    sketch, (w, _d, _h) = form.sketch, form.size
    tone, r = form.tone("body"), min(form.size[1], form.size[2]) / 2
    part = Sketch()
    part.cylinder((0, 0, 0), r, w, tone, FABRIC, segments=14)
    for z in (-0.001, w):
        for share in (0.75, 0.4):
            part.cylinder(
                (0, 0, z),
                r * share,
                0.001 + 0.0005 / share,
                shade(tone, 0.6 if share > 0.5 else 0.85),
                segments=12,
            )
    sketch.add(part, (-w / 2, 0, r), 90, "y")
    if form.category == "yoga_mat":
        for x in (-w * 0.25, w * 0.25):
            band = Sketch()
            band.lathe((0, 0, 0), [(r * 1.02, 0), (r * 1.02, 0.025)], BLACK, FABRIC, 14)
            sketch.add(band, (x, 0, r), 90, "y")


def bag(form: Form) -> None:
    """A bag with handles."""
    sketch, (w, d, h) = form.sketch, form.size
    tone = form.tone("body")
    body = h * 0.72
    if form.category == "shopping_bag":
        open_box(Form(sketch, (w, d, h * 0.8), {}, {}), tone, MATT)
    else:
        sketch.cushion((-w / 2, -d / 2, 0), (w / 2, d / 2, body), tone, min(d, body) * 0.3)
        sketch.box((-w * 0.42, -0.004, body - 0.002), (w * 0.42, 0.004, body + 0.003), STEEL, METAL)
    for y in (-d * 0.28, d * 0.28):
        arch = (
            (-w * 0.22, y, body * 0.9),
            (-w * 0.16, y, h),
            (w * 0.16, y, h),
            (w * 0.22, y, body * 0.9),
        )
        sketch.tube(arch, 0.008, shade(tone, 0.6), FABRIC, 5)


def backpack(form: Form) -> None:
    sketch, (w, d, h) = form.sketch, form.size
    tone = form.tone("body")
    sketch.cushion((-w / 2, -d / 2, 0), (w / 2, d * 0.2, h * 0.96), tone, 0.07)
    sketch.cushion(
        (-w * 0.36, d * 0.1, h * 0.05), (w * 0.36, d / 2, h * 0.5), shade(tone, 0.8), 0.04
    )
    sketch.tube(
        (
            (-0.05, -d * 0.1, h * 0.94),
            (-0.04, -d * 0.1, h),
            (0.04, -d * 0.1, h),
            (0.05, -d * 0.1, h * 0.94),
        ),
        0.009,
        BLACK,
        FABRIC,
        5,
    )
    sketch.box((-w * 0.3, d / 2 - 0.001, h * 0.36), (w * 0.3, d / 2 + 0.003, h * 0.375), PAPER)


def case(form: Form) -> None:
    """Suitcases, briefcases, toolboxes: a lid line, a handle, latches."""
    sketch, (w, d, h) = form.sketch, form.size
    tone = form.tone("body")
    body = h * (0.88 if h > w else 0.84)
    sketch.cushion((-w / 2, -d / 2, 0.01), (w / 2, d / 2, body), tone, min(0.04, d * 0.2), GLOSS)
    sketch.box(
        (-w * 0.502, -d * 0.502, body * 0.6), (w * 0.502, d * 0.502, body * 0.62), shade(tone, 0.5)
    )
    sketch.tube(
        (
            (-w * 0.16, 0, body * 0.98),
            (-w * 0.16, 0, h - 0.01),
            (w * 0.16, 0, h - 0.01),
            (w * 0.16, 0, body * 0.98),
        ),
        0.011,
        BLACK,
        GLOSS,
    )
    for x in (-w * 0.3, w * 0.3):
        sketch.box(
            (x - 0.02, d / 2 - 0.001, body * 0.55),
            (x + 0.02, d / 2 + 0.006, body * 0.68),
            STEEL,
            METAL,
        )
    if form.category == "suitcase":
        for x in (-w * 0.3, -w * 0.1, w * 0.1, w * 0.3):
            sketch.box(
                (x - 0.01, d / 2 - 0.001, 0.05),
                (x + 0.01, d / 2 + 0.004, body * 0.5),
                shade(tone, 0.8),
                GLOSS,
            )
    elif form.category == "first_aid_kit":
        sketch.box(
            (-w * 0.2, -d * 0.06, body), (w * 0.2, d * 0.06, body + 0.001), (0.95, 0.95, 0.95)
        )
        sketch.box(
            (-w * 0.06, -d * 0.25, body), (w * 0.06, d * 0.25, body + 0.001), (0.95, 0.95, 0.95)
        )


def basket(form: Form) -> None:
    """Woven: rings of slightly different tones."""
    sketch, (w, _d, h) = form.sketch, form.size
    tone, flat = form.tone("body"), form.size[1] / form.size[0]
    rings = 5
    for i in range(rings):
        z0, z1 = h * i / rings, h * (i + 1) / rings
        r0, r1 = w / 2 * (0.84 + 0.16 * i / rings), w / 2 * (0.84 + 0.16 * (i + 1) / rings)
        part = [(r0, z0), (r1 * 1.01, (z0 + z1) / 2), (r1, z1), (r1 * 0.94, z1), (r0 * 0.94, z0)]
        sketch.lathe((0, 0, 0), part, shade(tone, 1 - 0.1 * (i % 2)), FABRIC, 14, (1, flat))
    sketch.lathe(
        (0, 0, 0),
        [(0, 0), (w * 0.42, 0), (w * 0.42, 0.006), (0, 0.008)],
        shade(tone, 0.8),
        FABRIC,
        14,
        (1, flat),
    )


def carton_box(form: Form) -> None:
    """A cardboard box: taped, or open with flaps."""
    sketch, (w, d, h) = form.sketch, form.size
    tone = form.tone("body", (0.72, 0.56, 0.38))
    if form.is_so("open"):
        open_box(form, tone, MATT, flaps=True)
        return
    sketch.box((-w / 2, -d / 2, 0), (w / 2, d / 2, h), tone)
    sketch.box(
        (-w * 0.501, -0.025, h * 0.8), (w * 0.501, 0.025, h + 0.001), shade(tone, 1.2), GLOSS
    )


def gift(form: Form) -> None:
    sketch, (w, d, h) = form.sketch, form.size
    tone = form.tone("body")
    ribbon = form.tone("ribbon", (0.95, 0.85, 0.4) if tone[0] < 0.8 else (0.75, 0.15, 0.2))
    body = h * 0.8
    sketch.box((-w / 2, -d / 2, 0), (w / 2, d / 2, body), tone, GLOSS)
    sketch.box((-w * 0.502, -d * 0.07, 0), (w * 0.502, d * 0.07, body + 0.001), ribbon, GLOSS)
    sketch.box((-w * 0.07, -d * 0.502, 0), (w * 0.07, d * 0.502, body + 0.001), ribbon, GLOSS)
    for side in (-1, 1):
        sketch.ball(
            (side * w * 0.11, 0, body + h * 0.09), (w * 0.11, d * 0.05, h * 0.09), ribbon, GLOSS, 8
        )


def pouch(form: Form) -> None:
    sketch, (w, d, h) = form.sketch, form.size
    tone = form.tone("body")
    sketch.cushion((-w / 2, -d / 2, 0), (w / 2, d / 2, h), tone, min(d, h) * 0.35)
    sketch.box((-w * 0.45, -0.003, h), (w * 0.45, 0.003, h + 0.001), STEEL, METAL)


RECIPES: dict[str, Recipe] = {
    "book": book,
    "slab": slab,
    "binder": binder,
    "cloth": cloth,
    "folded": folded,
    "towel": towel,
    "pillow": pillow,
    "shoe": shoe,
    "boot": boot,
    "hat": hat,
    "roll": roll,
    "roll_mat": roll_mat,
    "bag": bag,
    "backpack": backpack,
    "case": case,
    "basket": basket,
    "carton_box": carton_box,
    "gift": gift,
    "pouch": pouch,
}
"""By shape."""
