"""Good views of a room, for galleries and first impressions.

A good view shows many objects of the room, large and from their front, much floor and a long way
ahead, and nothing close to the camera. From some places all over the room, rays are cast once in
all directions, which gives a coarse panorama. Each view is a section of a panorama.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from itertools import product
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from homebody.worlds.house.model.catalogue import catalogue
from homebody.worlds.house.model.house import Furniture, House, Point
from homebody.worlds.house.rendering.meshes.rooms import rectangles
from homebody.worlds.house.rendering.ray_scene import RayScene
from homebody.worlds.house.rendering.render import (
    EYE,
    Camera,
    Renderer,
    camera_matrix,
    check_fov,
    directions,
)

Floats: TypeAlias = NDArray[np.float64]

UNTELLING = frozenset({"rug", "ceiling_lamp", "trash_bin", "wall_clock", "potted_plant"})
"""Furniture that occurs in any room."""
PITCH = -17.0
"""Pitch of the camera, degrees."""
_TURNS = 60
"""Directions of a panorama."""
_RISES = tuple(range(-48, 19, 6))
"""Elevations of its rows, degrees; a camera of 4:3 shows about these."""
_LEVEL = 7
"""The row that looks ahead and slightly down."""
_OFF = 0.3
"""Minimum distance from walls, metres."""
_NEAR = 0.9
"""Distance in metres below which an object fills the picture."""
_CLOSE = 1.5
"""Distance in metres below which a surface counts as an obstacle that hides other objects."""
_MOST_NEAR = 0.25
"""Maximum share of a view that such an object may fill."""
_MOST_DOORS = 0.25
"""Maximum share of a view that doors may fill."""
_COARSE = 24
"""Rays along each side of a view whose contents are counted."""
_SHARE = 0.06
"""Share of a picture above which a larger object does not improve the view."""


def shows_enough(scene: RayScene, camera: Camera) -> bool:
    """Return whether a view shows more than two objects, and is filled neither by a door nor by
    something close."""
    house = scene.house
    ways = directions(_COARSE, _COARSE, camera.fov) @ camera_matrix(camera.yaw, camera.pitch)
    origins = np.broadcast_to(np.array(camera.position, np.float32), ways.shape)
    hits = scene.cast(origins, ways)
    seen = [scene.names[number] for number in scene.owner[hits.triangle[hits.triangle >= 0]]]
    things = set(seen) & (house.piece.keys() | house.thing.keys() | house.person.keys())
    near = float((hits.distance < _NEAR).mean())
    doors = sum(name in house.door for name in seen) / len(ways)
    return len(things) > 2 and near < _MOST_NEAR and doors < _MOST_DOORS


def good_view(
    renderer: Renderer,
    room: str,
    height: float = EYE,
    fov: float = 84.0,
    places: Sequence[Point] = (),
) -> Camera:
    """Return the camera that shows most of a room.

    Args:
        renderer: Shows the house.
        room: Name of the room.
        height: Height of the camera, metres.
        fov: Horizontal field of view, degrees.
        places: Possible places of the camera; if empty, places all over the room.

    Raises:
        KeyError: There is no such room.
        HomebodyError: ``fov`` is no valid field of view, in degrees.
    """
    check_fov(fov)
    house, scene = renderer.scene.house, renderer.scene
    places = list(places) or list(dict.fromkeys(_places(house, room)))
    azimuths = np.radians(np.arange(_TURNS) * (360.0 / _TURNS))
    rises = np.radians(np.array(_RISES, float))
    ways = np.empty((len(_RISES), _TURNS, 3), np.float32)
    ways[..., 0] = -np.sin(azimuths) * np.cos(rises)[:, None]
    ways[..., 1] = np.cos(azimuths) * np.cos(rises)[:, None]
    ways[..., 2] = np.sin(rises)[:, None]
    shape = (len(places), len(_RISES), _TURNS)
    origins = np.empty((*shape, 3), np.float32)
    origins[:] = np.array([(x, y, height) for x, y in places], np.float32)[:, None, None]
    hits = scene.cast(origins.reshape(-1, 3), np.tile(ways.reshape(-1, 3), (len(places), 1)))
    owner = np.where(hits.triangle >= 0, scene.owner[hits.triangle], 0)
    distance = np.where(hits.triangle >= 0, hits.distance, 0.0).reshape(shape)

    pieces = [piece for piece in house.furniture if piece.room == room]
    people = [person.name for person in house.people if person.room == room]
    things = _objects_of(renderer, room)
    names = [*(piece.name for piece in pieces), *people, *things, house.room[room].floor_name]
    local = np.full(len(scene.names), len(names), np.int64)
    local[[scene.number[name] for name in names]] = np.arange(len(names))
    # place x direction x name: share of a whole picture
    cells = (np.arange(len(places))[:, None, None] * _TURNS + np.arange(_TURNS)) * (len(names) + 1)
    cell = cells + local[owner].reshape(shape)
    weight = np.broadcast_to(np.cos(rises)[:, None], shape)
    counts = np.bincount(
        cell.ravel(), weight.ravel(), len(places) * _TURNS * (len(names) + 1)
    ).astype(np.float64)
    window = max(1, round(min(fov, 170.0) / 360.0 * _TURNS / 2))
    whole = float(np.cos(rises).sum() * (2 * window + 1))
    shares = _windows(counts.reshape(len(places), _TURNS, -1), window) / whole
    near = np.mean((distance < _NEAR) + 0.4 * (distance < _CLOSE), axis=1)[..., None]
    score = -5.0 * _windows(near, window)[..., 0] / (2 * window + 1)
    ahead = distance[:, _LEVEL]
    reach = np.max([np.roll(ahead, step, axis=1) for step in (-2, -1, 0, 1, 2)], axis=0)
    score += 0.9 * np.minimum(reach / _diagonal(house, room), 1.0)
    score += 2.5 * np.minimum(shares[..., len(names) - 1], 0.3)
    score += _rate_pieces(house, room, pieces, places, shares[..., : len(pieces)])
    shown = shares[..., len(pieces) : len(pieces) + len(people)]
    score += 0.5 * np.sqrt(np.minimum(shown, 0.05)).sum(axis=-1)
    score -= 3.0 * np.maximum(shown - 0.08, 0.0).sum(axis=-1)
    seen = shares[..., len(pieces) + len(people) : -2] > 1e-4
    score += 0.4 * np.sqrt(seen.sum(axis=-1) / max(1, len(things)))
    best, turn = divmod(int(score.round(6).argmax()), _TURNS)
    x, y = places[best]
    yaw = round(turn * 360.0 / _TURNS, 1)
    return Camera((round(x, 3), round(y, 3), height), yaw, PITCH, fov=fov)


def _places(house: House, room: str) -> Iterator[Point]:
    """Yield places all over a room, and just inside its doorways."""
    strips = rectangles(house.room[room].outline)
    for a, b, c, d in strips:
        for u, v in product((0.04, 0.3, 0.5, 0.7, 0.96), repeat=2):
            yield _keep_off((a, b, c, d), (a + u * (c - a), b + v * (d - b)))
    for opening in house.openings:
        if room in opening.rooms and opening.kind != "window":
            x, y = opening.middle
            for strip in strips:
                spot = _keep_off(strip, (x, y))
                if abs(spot[0] - x) + abs(spot[1] - y) < 2 * _OFF:
                    yield spot


def _keep_off(strip: tuple[float, float, float, float], point: Point) -> Point:
    a, b, c, d = strip
    off = min(_OFF, (c - a) / 2 - 0.01, (d - b) / 2 - 0.01)
    return min(max(point[0], a + off), c - off), min(max(point[1], b + off), d - off)


def _diagonal(house: House, room: str) -> float:
    xs, ys = zip(*house.room[room].outline, strict=True)
    return math.hypot(max(xs) - min(xs), max(ys) - min(ys))


def _objects_of(renderer: Renderer, room: str) -> list[str]:
    """Return the objects on the furniture and the floor of a room."""
    state, house = renderer.scene.state, renderer.scene.house
    holders = {piece.name for piece in house.furniture if piece.room == room}
    holders.add(house.room[room].floor_name)
    shown = renderer.scene.number
    return [name for name, place in state.places.items() if place[0] in holders and name in shown]


def _windows(panorama: Floats, half: int) -> Floats:
    """Return sums over the directions to both sides of each one, along the second axis."""
    around = np.concatenate([panorama[:, -half - 1 :], panorama, panorama[:, :half]], axis=1)
    sums = np.cumsum(around, axis=1)
    windows: Floats = sums[:, 2 * half + 1 :] - sums[:, : panorama.shape[1]]
    return windows


def _weights(kind: str) -> dict[str, float]:
    """Return for each category of furniture how typical it is of a kind of room. The first
    categories in the catalogue are the most typical."""
    weights: dict[str, float] = {}
    room = catalogue().rooms.get(kind)
    for rank, rule in enumerate(room.furniture if room is not None else ()):
        weight = 2.5 if rank == 0 else 1.6 if rank < 4 else 0.8
        for category in (*rule.what, *rule.companions.values()):
            weights.setdefault(category, weight)
    return weights


def _rate_pieces(
    house: House, room: str, pieces: list[Furniture], places: list[Point], shares: Floats
) -> Floats:
    """Rate the visible furniture: the best view of each category, its front, and the number."""
    score: Floats = np.zeros(shares.shape[:2])
    weights = _weights(house.room[room].kind)
    visible = np.sqrt(np.minimum(shares, _SHARE))
    spots = np.array(places)
    best: dict[str, Floats] = {}
    for number, piece in enumerate(pieces):
        if piece.category in UNTELLING:
            continue
        turn = math.radians(piece.pose.yaw)
        x, y, _ = piece.pose.position
        ahead = -math.sin(turn) * (spots[:, 0] - x) + math.cos(turn) * (spots[:, 1] - y)
        worth = visible[..., number] * np.where(ahead > 0, 1.0, 0.45)[:, None]
        worth = worth * weights.get(piece.category, 0.7)
        before = best.get(piece.category)
        best[piece.category] = worth if before is None else np.maximum(before, worth)
    for worth in best.values():
        score += worth
    if pieces:
        score += 0.8 * (shares > 1e-3).mean(axis=-1)
    return score
