"""Where to stand for a good look at a room: for galleries and first impressions.

A view is good if it shows many things of the room large, and none right before the eyes. Candidates
are places near the corners, tried with small pictures of numbers only.
"""

from __future__ import annotations

import math
from itertools import product

import numpy as np

from homebody.worlds.house.model.catalogue import catalogue
from homebody.worlds.house.model.house import Furniture
from homebody.worlds.house.rendering.meshes.rooms import rectangles
from homebody.worlds.house.rendering.render import EYE, Camera, Renderer, directions, turned

UNTELLING = frozenset({"rug", "ceiling_lamp", "trash_bin", "wall_clock", "potted_plant"})
"""Furniture that stands in any room."""


def _fronting(piece: Furniture, x: float, y: float) -> float:
    """1 seen from its front, 0.45 from its back."""
    turn = math.radians(piece.pose.yaw)
    dx, dy = x - piece.pose.position[0], y - piece.pose.position[1]
    ahead = -math.sin(turn) * dx + math.cos(turn) * dy
    return 1.0 if ahead > 0 else 0.45


def _weights(kind: str) -> dict[str, float]:
    """How much furniture tells of a kind of room: what the catalogue names first tells most."""
    found: dict[str, float] = {}
    known = catalogue().rooms.get(kind)
    if known is not None:
        for rank, rule in enumerate(known.furniture):
            share = 2.5 if rank == 0 else 1.6 if rank < 4 else 0.8
            for name in (*rule.what, *rule.companions.values()):
                found.setdefault(name, share)
    return found


def good_view(renderer: Renderer, room: str, height: float = EYE, fov: float = 84.0) -> Camera:
    """The camera that shows most of a room. Raises KeyError if there is no such room."""
    house, scene = renderer.scene.house, renderer.scene
    one = house.room[room]
    strips = rectangles(one.outline)
    xs, ys = [x for x, _ in one.outline], [y for _, y in one.outline]
    x0, x1, y0, y1 = min(xs), max(xs), min(ys), max(ys)
    middle = ((x0 + x1) / 2, (y0 + y1) / 2)
    pieces = [one for one in house.furniture if one.room == room and one.category not in UNTELLING]
    kinds = sorted({one.category for one in pieces})
    numbers = np.array([scene.number[one.name] for one in pieces], np.int64)
    weight = _weights(one.kind)
    people = [scene.number[one.name] for one in house.people if one.room == room]
    base = directions(32, 24, fov)
    best, found = -1.0, Camera((*middle, height), 0.0, -12.0, fov=fov)
    for u, v in product((0.06, 0.3, 0.5, 0.7, 0.94), repeat=2):
        if 0.2 < u < 0.8 and 0.2 < v < 0.8:
            continue
        x = min(max(x0 + u * (x1 - x0), x0 + 0.25), x1 - 0.25)
        y = min(max(y0 + v * (y1 - y0), y0 + 0.25), y1 - 0.25)
        if not any(a <= x <= c and b <= y <= d for a, b, c, d in strips):
            continue
        yaw = math.degrees(math.atan2(-(middle[0] - x), middle[1] - y))
        for turn in range(-150, 211, 30):
            ways = base @ turned(yaw + turn, -17.0)
            origins = np.tile(np.array([x, y, height], np.float32), (len(ways), 1))
            hits = scene.cast(origins, ways)
            owner = np.where(hits.triangle >= 0, scene.owner[hits.triangle], 0)
            shares = np.bincount(owner, minlength=len(scene.names)) / len(ways)
            score = 0.5 * float(np.sqrt(np.minimum(shares[people], 0.05)).sum())
            score -= 3.0 * float(np.maximum(shares[people] - 0.08, 0).sum())
            seen = np.sqrt(np.minimum(shares[numbers], 0.06))
            for kind in kinds:  # of each kind the one seen best, fronts rather than backs
                score += weight.get(kind, 0.7) * max(
                    float(share) * _fronting(piece, x, y)
                    for piece, share in zip(pieces, seen, strict=True)
                    if piece.category == kind
                )
            score -= 5.0 * float((hits.distance < 0.9).mean())
            if score > best:
                best = score
                found = Camera(
                    (round(x, 3), round(y, 3), height), round(yaw + turn, 1), -17.0, fov=fov
                )
    return found
