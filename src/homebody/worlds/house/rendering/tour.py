"""A walk through all rooms of a house, as the cameras of a video.

The walk takes the shortest paths of an agent to the nearest unvisited room, looks around where
most of the room is visible, and continues. All doors are open.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from homebody.core.ground.user_errors import HomebodyError
from homebody.worlds.house.model.agents import ROBOT
from homebody.worlds.house.model.house import House, Point
from homebody.worlds.house.model.state import HouseState
from homebody.worlds.house.rendering.render import EYE, Camera, Renderer
from homebody.worlds.house.rendering.viewpoints import good_view
from homebody.worlds.house.simulation.walking.navigation import Navigation, navigation
from homebody.worlds.house.simulation.walking.paths import Path

SPEED = 1.1
"""Metres per second."""
TURNING = 75.0
"""Degrees per second, looking around."""
_AHEAD = 0.7  # metres: the camera looks at its position that far ahead
_SMOOTH = 0.8  # seconds over which places and directions are averaged
_ADAPTING = 1.0  # seconds over which exposures are averaged
_LOOK = 110.0  # degrees of a turn in each room
_PLACES = 16  # maximum number of places in a room from which the best is chosen


def open_doors(house: House) -> HouseState:
    """Return the first state of a house, but with every door open."""
    state = HouseState.start(house)
    for door in house.door:
        state.set(door, "open", True)
    return state


def tour(renderer: Renderer, rate: float, camera: Camera) -> list[Camera]:
    """Return the cameras of a walk through all rooms, one for each frame of a video.

    Args:
        renderer: Shows the house with its doors open.
        rate: Frames per second.
        camera: Common settings: size, angle and pitch.

    Raises:
        HomebodyError: A room has no place to stand, or no way leads into it.
    """
    house = renderer.scene.house
    ways = navigation(house, ROBOT.radius)
    views = _views(renderer, ways, camera.fov)
    places = {name: view.position[:2] for name, view in views.items()}
    best = {view.position[:2]: view.yaw for view in views.values()}
    first = next((o.rooms[0] for o in house.openings if o.kind == "entrance"), house.rooms[0].name)
    at, left = places.pop(first), list(places.values())
    spots: list[Point] = []
    yaws: list[float] = []
    _look_around(spots, yaws, at, best[at], rate)
    while left:
        lengths = ways.distances(at, left)
        nearest = min(range(len(left)), key=lambda i: lengths[i])
        goal = left.pop(nearest)
        path = ways.path(at, goal)
        if path is None:
            raise HomebodyError("a room cannot be reached")
        _walk(spots, yaws, path, rate)
        _look_around(spots, yaws, goal, best[goal], rate)
        at = goal
    width = max(1, round(_SMOOTH * rate))
    turned = np.degrees(np.unwrap(np.radians(yaws)))
    smooth = _average(np.column_stack([np.array(spots), turned]), width)
    pitch = camera.pitch
    return [
        replace(camera, position=(round(x, 4), round(y, 4), EYE), yaw=round(yaw, 3), pitch=pitch)
        for x, y, yaw in smooth.tolist()
    ]


def adapt_exposures(renderer: Renderer, cameras: Sequence[Camera], rate: float) -> list[Camera]:
    """Return cameras whose exposures change gradually from room to room, as the adaptation of eyes
    does."""
    places = np.array([camera.position for camera in cameras], np.float32)
    logs = np.log(renderer.exposures(places).astype(np.float64))[:, None]
    slow = np.exp(_average(logs, max(1, round(_ADAPTING * rate))))[:, 0].tolist()
    return [
        replace(camera, exposure=round(exposure, 5))
        for camera, exposure in zip(cameras, slow, strict=True)
    ]


def _views(renderer: Renderer, ways: Navigation, fov: float) -> dict[str, Camera]:
    """Return the best view of each room from a place to stand, by its name."""
    views = {}
    for room in renderer.scene.house.rooms:
        spots = ways.room_spots(room.name)
        if not spots:
            raise HomebodyError(f"{room.name} has no place to stand")
        chosen = spots[: max(1, len(spots) // 3)]
        chosen = chosen[:: math.ceil(len(chosen) / _PLACES)]
        views[room.name] = good_view(renderer, room.name, fov=fov, places=chosen)
    return views


def _turn(spots: list[Point], yaws: list[float], yaw: float, rate: float) -> None:
    """Turn on the spot, in the shorter direction."""
    left = _apart(yaw, yaws[-1])
    count = math.ceil(abs(left) / TURNING * rate)
    start = yaws[-1]
    for number in range(1, count + 1):
        spots.append(spots[-1])
        yaws.append(start + left * number / count)


def _apart(yaw: float, other: float) -> float:
    """Return the turn from one direction to another, degrees."""
    return (yaw - other + 180) % 360 - 180


def _walk(spots: list[Point], yaws: list[float], path: Path, rate: float) -> None:
    (x, y), (u, v) = path.points[0], path.at(min(path.length, _AHEAD))
    _turn(spots, yaws, math.degrees(math.atan2(-(u - x), v - y)), rate)
    for number in range(1, math.ceil(path.length / SPEED * rate) + 1):
        gone = min(path.length, number / rate * SPEED)
        x, y = path.at(gone)
        u, v = path.at(min(path.length, gone + _AHEAD))
        spots.append((x, y))
        far = math.hypot(u - x, v - y) > 0.05
        yaws.append(math.degrees(math.atan2(-(u - x), v - y)) if far else yaws[-1])


def _look_around(spots: list[Point], yaws: list[float], at: Point, yaw: float, rate: float) -> None:
    """Turn on the spot from one side of a direction to the other, and back to it."""
    spots.append(at)
    yaws.append(yaws[-1] if yaws else yaw - _LOOK / 2)
    ends = sorted((yaw - _LOOK / 2, yaw + _LOOK / 2), key=lambda end: abs(_apart(end, yaws[-1])))
    for end in (*ends, yaw):
        _turn(spots, yaws, end, rate)


def _average(values: NDArray[np.float64], width: int) -> NDArray[np.float64]:
    """Return running means of columns over rows, applied twice, so that neither positions nor
    speeds jump."""
    for _ in range(2):
        padded = np.pad(values, [(width // 2, width - 1 - width // 2), (0, 0)], mode="edge")
        sums = np.cumsum(np.vstack([np.zeros((1, values.shape[1])), padded]), axis=0)
        values = (sums[width:] - sums[:-width]) / width
    return values
