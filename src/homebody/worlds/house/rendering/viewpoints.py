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
from homebody.worlds.house.rendering.render import (
    EYE,
    Camera,
    Renderer,
    camera_matrix,
    check_fov,
    directions,
)

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
    weights: dict[str, float] = {}
    room = catalogue().rooms.get(kind)
    for rank, rule in enumerate(room.furniture if room is not None else ()):
        weight = 2.5 if rank == 0 else 1.6 if rank < 4 else 0.8
        for category in (*rule.what, *rule.companions.values()):
            weights.setdefault(category, weight)
    return weights


def good_view(renderer: Renderer, room: str, height: float = EYE, fov: float = 84.0) -> Camera:
    """The camera that shows most of a room. Raises KeyError if there is no such room, HomebodyError
    if ``fov`` is no field of view, in degrees."""
    check_fov(fov)
    house, scene = renderer.scene.house, renderer.scene
    outline = house.room[room].outline
    strips = rectangles(outline)
    xs, ys = [x for x, _ in outline], [y for _, y in outline]
    x0, x1, y0, y1 = min(xs), max(xs), min(ys), max(ys)
    middle = ((x0 + x1) / 2, (y0 + y1) / 2)
    pieces = [p for p in house.furniture if p.room == room and p.category not in UNTELLING]
    categories = sorted({piece.category for piece in pieces})
    numbers = np.array([scene.number[piece.name] for piece in pieces], np.int64)
    weights = _weights(house.room[room].kind)
    people = [scene.number[person.name] for person in house.people if person.room == room]
    base = directions(32, 24, fov)
    best_score, best = -1.0, Camera((*middle, height), 0.0, -12.0, fov=fov)
    for u, v in product((0.06, 0.3, 0.5, 0.7, 0.94), repeat=2):
        if 0.2 < u < 0.8 and 0.2 < v < 0.8:
            continue
        x = min(max(x0 + u * (x1 - x0), x0 + 0.25), x1 - 0.25)
        y = min(max(y0 + v * (y1 - y0), y0 + 0.25), y1 - 0.25)
        if not any(a <= x <= c and b <= y <= d for a, b, c, d in strips):
            continue
        yaw = math.degrees(math.atan2(-(middle[0] - x), middle[1] - y))
        for turn in range(-150, 211, 30):
            ways = base @ camera_matrix(yaw + turn, -17.0)
            origins = np.tile(np.array([x, y, height], np.float32), (len(ways), 1))
            hits = scene.cast(origins, ways)
            owner = np.where(hits.triangle >= 0, scene.owner[hits.triangle], 0)
            shares = np.bincount(owner, minlength=len(scene.names)) / len(ways)
            score = 0.5 * float(np.sqrt(np.minimum(shares[people], 0.05)).sum())
            score -= 3.0 * float(np.maximum(shares[people] - 0.08, 0).sum())
            visible = np.sqrt(np.minimum(shares[numbers], 0.06))
            for category in categories:  # the one seen best, fronts rather than backs
                score += weights.get(category, 0.7) * max(
                    float(share) * _fronting(piece, x, y)
                    for piece, share in zip(pieces, visible, strict=True)
                    if piece.category == category
                )
            score -= 5.0 * float((hits.distance < 0.9).mean())
            if score > best_score:
                place = (round(x, 3), round(y, 3), height)
                best_score, best = score, Camera(place, round(yaw + turn, 1), -17.0, fov=fov)
    return best
