"""Shapes as tables of solids. Their positions are shares of the object's size.

A row is also a shape, so rows, :func:`made_of` rows and functions can be combined:

    "mouse": made_of(ball((0, 0, 0.5), (0.5, 0.5, 0.5), BODY), slab(...))

A length is a share of the object's width, depth or height, along its axis. A pair is a share and
additional metres: ``(1, -0.02)`` is 2 cm below the top. x and y run from -0.5 to 0.5, z from 0 to
1.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TypeAlias

from homebody.worlds.house.model.house import Colour, Vector
from homebody.worlds.house.rendering.materials import FABRIC, GLOSS, GLOW, MATT, METAL, Surface
from homebody.worlds.house.rendering.meshes.form import Form, Shape
from homebody.worlds.house.rendering.meshes.palette import PAPER, mix, shade, surface_of

Length: TypeAlias = float | tuple[float, float]
"""A share of the size, or (share, metres)."""
Place: TypeAlias = tuple[Length, Length, Length]
"""x, y, z."""
Paint: TypeAlias = Colour | Callable[[Form], Colour]
Finish: TypeAlias = Surface | Callable[[Form], Surface]
ROUND = 12
"""Segments of small round solids."""


# -- paints and finishes --------------------------------------------------------------------------


def tone(part: str = "body", default: Colour = (0.7, 0.7, 0.7), factor: float = 1.0) -> Paint:
    """Return the colour of a part, darker or lighter by a factor."""
    if factor == 1.0:
        return lambda form: form.tone(part, default)
    return lambda form: shade(form.tone(part, default), factor)


def tint(factor: float) -> Paint:
    """Return a darker (factor < 1) or lighter colour of the body."""
    return tone(factor=factor)


def pale(share: float) -> Paint:
    """Return the colour of the body mixed with the colour of paper. With share 0, it is the body's
    colour."""
    return lambda form: mix(form.tone(), PAPER, share)


def on_off(on: Colour, off: Paint) -> Paint:
    """Return one colour while powered on, else another."""
    return lambda form: on if form.is_on else colour_of(form, off)


BODY = tone()
"""The colour of the main part."""


def sheen(form: Form) -> Surface:
    """Return glass, metal or glaze, by the colour of the body."""
    return surface_of(form.tone())


def lit(form: Form) -> Surface:
    """Return a surface that glows while powered on."""
    return GLOW if form.is_on else GLOSS


def colour_of(form: Form, paint: Paint) -> Colour:
    """Return the colour of a paint on an object."""
    return paint(form) if callable(paint) else paint


def _look(form: Form, paint: Paint, finish: Finish) -> tuple[Colour, Surface]:
    return colour_of(form, paint), finish if isinstance(finish, Surface) else finish(form)


def metres(length: Length, size: float) -> float:
    """Return a length along a side of a size, in metres."""
    if isinstance(length, tuple):
        share, more = length
        return share * size + more
    return length * size


def _place(form: Form, place: Place) -> Vector:
    (x, y, z), (w, d, h) = place, form.size
    return metres(x, w), metres(y, d), metres(z, h)


# -- rows -----------------------------------------------------------------------------------------


def made_of(*rows: Shape) -> Shape:
    """Return a shape of some rows, drawn in their order."""

    def draw(form: Form) -> None:
        for row in rows:
            row(form)

    return draw


def move(place: Place, turn: float, axis: str, *rows: Shape) -> Shape:
    """Return rows turned (degrees) about an axis through their origin, which is at a place."""
    shape = made_of(*rows)

    def draw(form: Form) -> None:
        shape(replace(form, sketch=form.sketch.at(_place(form, place), turn, axis)))

    return draw


def only(categories: str, *rows: Shape) -> Shape:
    """Return rows that are drawn for some categories, separated by spaces."""
    names = categories.split()
    return lambda form: made_of(*rows)(form) if form.category in names else None


def unless(categories: str, *rows: Shape) -> Shape:
    """Return rows that are drawn for all but some categories, separated by spaces."""
    names = categories.split()
    return lambda form: made_of(*rows)(form) if form.category not in names else None


def box(low: Place, high: Place, paint: Paint = BODY, finish: Finish = MATT) -> Shape:
    """Return a box with sharp edges."""
    return lambda form: form.sketch.box(
        _place(form, low), _place(form, high), *_look(form, paint, finish)
    )


def slab(centre: Place, size: Place, paint: Paint = BODY, finish: Finish = MATT) -> Shape:
    """Return a box, by the centre of its bottom and its size."""
    return lambda form: form.sketch.slab(
        _place(form, centre), _place(form, size), *_look(form, paint, finish)
    )


def cushion(
    low: Place, high: Place, radius: Length, paint: Paint = BODY, finish: Finish = FABRIC
) -> Shape:
    """Return a box with round edges, their radius a share of the object's height."""

    def draw(form: Form) -> None:
        colour, surface = _look(form, paint, finish)
        rim = metres(radius, form.size[2])
        form.sketch.cushion(_place(form, low), _place(form, high), colour, rim, surface)

    return draw


def lathe(
    profile: Sequence[tuple[float, float]],
    paint: Paint = BODY,
    finish: Finish = sheen,
    segments: int = ROUND,
    base: Length = 0.0,
    is_round: bool = False,
) -> Shape:
    """Return a profile turned about z: shares of half the width and of the height above a base.

    It is as deep as the object, unless it ``is_round``.
    """

    def draw(form: Form) -> None:
        w, d, h = form.size
        points = [(r * w / 2, z * h) for r, z in profile]
        stretch = (1.0, 1.0 if is_round else d / w)
        look = _look(form, paint, finish)
        form.sketch.lathe((0, 0, metres(base, h)), points, *look, segments, stretch)

    return draw


def filling(share: float, level: float, paint: Paint = (0.45, 0.62, 0.72)) -> Shape:
    """Return the contents of a filled round vessel, at shares of its width and height."""

    def draw(form: Form) -> None:
        w, d, h = form.size
        if form.is_filled:
            disc, stretch = [(w / 2 * share, 0.0), (0.0, 0.001)], (1.0, d / w)
            look = colour_of(form, paint), GLOSS
            form.sketch.lathe((0, 0, h * level), disc, *look, ROUND, stretch)

    return draw


def cylinder(
    centre: Place,
    radius: Length,
    height: Length,
    paint: Paint = BODY,
    finish: Finish = MATT,
    top: Length | None = None,
    segments: int = ROUND,
) -> Shape:
    """Return an upright cylinder or cone by the centre of its bottom; radii are shares of width."""

    def draw(form: Form) -> None:
        (w, _, h), look = form.size, _look(form, paint, finish)
        upper = None if top is None else metres(top, w)
        below, tall = metres(radius, w), metres(height, h)
        form.sketch.cylinder(_place(form, centre), below, tall, *look, upper, segments)

    return draw


def ball(
    centre: Place,
    radii: Place | float,
    paint: Paint = BODY,
    finish: Finish = MATT,
    segments: int = ROUND,
) -> Shape:
    """Return an ellipsoid by its centre; a single radius is a share of the width."""

    def draw(form: Form) -> None:
        sizes = _place(form, radii) if isinstance(radii, tuple) else radii * form.size[0]
        form.sketch.ball(_place(form, centre), sizes, *_look(form, paint, finish), segments)

    return draw


def tube(
    points: Sequence[Place],
    radius: Length,
    paint: Paint = BODY,
    finish: Finish = METAL,
    segments: int = 6,
) -> Shape:
    """Return a round bar along points, its radius a share of the width."""

    def draw(form: Form) -> None:
        way, look = [_place(form, point) for point in points], _look(form, paint, finish)
        form.sketch.tube(way, metres(radius, form.size[0]), *look, segments)

    return draw


def prism(
    outline: Sequence[tuple[Length, Length]],
    bottom: Length,
    top: Length,
    paint: Paint = BODY,
    finish: Finish = MATT,
) -> Shape:
    """Return a convex outline (x, y), counter-clockwise, raised from one height to another."""

    def draw(form: Form) -> None:
        (w, d, h), look = form.size, _look(form, paint, finish)
        corners = [(metres(x, w), metres(y, d)) for x, y in outline]
        form.sketch.prism(corners, metres(bottom, h), metres(top, h), *look)

    return draw
