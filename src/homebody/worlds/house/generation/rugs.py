"""Places rugs under tables or beds, mats, doormats, and rugs on free floor. Lengths are whole
millimetres.
"""

from __future__ import annotations

from collections.abc import Iterator

from homebody.worlds.house.generation.arrange import Arranger, PlacedFurniture
from homebody.worlds.house.generation.geometry import (
    Extent,
    Rect,
    middle_of,
    overlap,
    rect_at,
    turn_corner,
)
from homebody.worlds.house.generation.random_draws import sample_between
from homebody.worlds.house.model.catalogue import FurnitureKind, Rule
from homebody.worlds.house.model.outlines import grown_by

_AROUND = {
    "coffee_table": (320, 560),
    "table": (520, 760),
    "kids_table": (420, 560),
    "bed": (360, 620),
    "kids_bed": (300, 460),
}
"""Furniture on rugs -> minimum and maximum visible width of the rug on each side."""
_BEDS = ("bed", "kids_bed")
"""Furniture with only its front half on a rug."""
_BEFORE = {"bath_mat": ("bathtub", "shower", "washbasin")}
"""Mat -> the furniture in front of which it is placed."""
_GAP = 40
"""Gap between a mat and the furniture or wall beside it."""
_LOOSE = (2000, 1400)
"""Maximum size of a rug on free floor."""
_TRIES = 12


def place_rug(arranger: Arranger, rule: Rule, kind: FurnitureKind) -> bool:
    """Place a rug under a group of furniture, a mat in front of its furniture, or a rug on free
    floor."""
    groups = [piece for piece in arranger.pieces if piece.kind.name in _AROUND]
    if kind.name == "rug" and groups:
        groups.sort(key=lambda piece: list(_AROUND).index(piece.kind.name))
        return any(_under(arranger, kind, group) for group in groups)
    if kind.name == "doormat":
        return _inside_entrance(arranger, kind)
    width, depth, height = arranger.size_of(kind)
    size = min(width, _LOOSE[0]), min(depth, _LOOSE[1]), height
    for rect, yaw in (*_places(arranger, kind, size), *_anywhere(arranger, size)):
        if _is_free(arranger, rect):
            _lay(arranger, kind, size, rect, yaw)
            return True
    return False


def _under(arranger: Arranger, kind: FurnitureKind, group: PlacedFurniture) -> bool:
    """Place a rug centred under a piece, as wide as the free floor allows."""
    least, most = _AROUND[group.kind.name]
    first = round(sample_between(arranger.rng, least, most) / 20) * 20
    width, depth, _ = group.size
    for seen in range(first, least - 20, -40):
        back = depth // 2 if group.kind.name in _BEDS else -seen  # the part without a rug
        size = width + 2 * seen, (depth - back + seen) // 2 * 2, round(kind.size[2][0] * 1000)
        x, y = turn_corner(0, (seen + back) // 2, group.yaw)
        rect = rect_at((group.centre[0] + x, group.centre[1] + y), size, group.yaw)
        if _is_free(arranger, rect, grown_by(group.rect, seen)):
            _lay(arranger, kind, size, rect, group.yaw)
            return True
    return False


def _inside_entrance(arranger: Arranger, kind: FurnitureKind) -> bool:
    if arranger.space.entrance is None:
        return False
    wall, low, high = arranger.space.entrance
    size = arranger.size_of(kind)
    start = (low + high - size[0]) // 2
    rect = wall.rect(start, start + size[0], _GAP, _GAP + size[1])
    _lay(arranger, kind, size, rect, wall.yaw)
    return True


def _places(arranger: Arranger, kind: FurnitureKind, size: Extent) -> Iterator[tuple[Rect, int]]:
    """Yield places for a mat in front of its furniture."""
    for name in _BEFORE.get(kind.name, ()):
        for piece in arranger.pieces:
            if piece.kind.name == name:
                long = piece.size[0] >= piece.size[1]
                away = (min(piece.size[:2]) + size[1]) // 2 + _GAP
                for turn in (0, 180) if long else (90, 270):
                    x, y = turn_corner(0, away, (piece.yaw + turn) % 360)
                    centre = piece.centre[0] + x, piece.centre[1] + y
                    yaw = (piece.yaw + turn) % 360
                    yield rect_at(centre, size, yaw), yaw


def _anywhere(arranger: Arranger, size: Extent) -> Iterator[tuple[Rect, int]]:
    x0, y0, x1, y1 = arranger.space.bounds
    for _ in range(_TRIES):
        yaw = 90 * int(arranger.rng.integers(2))
        x = sample_between(arranger.rng, x0 + 500, x1 - 500)
        y = sample_between(arranger.rng, y0 + 500, y1 - 500)
        yield rect_at((round(x / 10) * 10, round(y / 10) * 10), size, yaw), yaw


def _is_free(arranger: Arranger, rect: Rect, group: Rect | None = None) -> bool:
    """Return whether a rug can lie somewhere: the place is reachable, and only furniture of its
    group stands on it."""
    space, (x0, y0, x1, y1) = arranger.space, arranger.space.bounds
    if rect[0] < x0 or rect[1] < y0 or rect[2] > x1 or rect[3] > y1:
        return False
    over = [
        piece.rect
        for piece in arranger.pieces
        if group is not None
        and overlap(piece.rect, group)
        and (piece.kind.name in _AROUND or "sittable" in piece.kind.affords)
    ]
    rugs = [piece.rect for piece in arranger.pieces if piece.kind.mount == "rug"]
    blocked = [solid for solid in space.solids if solid not in over]
    if any(overlap(rect, other) for other in (*blocked, *rugs)):
        return False
    return space.has_cell_in(space.reachable_cells(space.free), grown_by(rect, 500))


def _lay(arranger: Arranger, kind: FurnitureKind, size: Extent, rect: Rect, yaw: int) -> None:
    arranger.space.access.append(grown_by(rect, 500))
    arranger.add(kind, size, middle_of(rect), yaw)
