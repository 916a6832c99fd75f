"""A walk through all rooms of a house, as the cameras of a video.

One walks along the shortest ways that an agent has, into the nearest room that was not seen yet,
looks around from a place in its middle, and goes on. All doors stand open.
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
from homebody.worlds.house.simulation.walking.navigation import Navigation, navigation
from homebody.worlds.house.simulation.walking.paths import Path

SPEED = 1.1
"""Metres a second."""
TURNING = 75.0
"""Degrees a second, looking around."""
_AHEAD = 0.7  # metres: one looks where one will be
_SMOOTH = 0.8  # seconds over which places and directions are averaged
_ADAPTING = 1.0  # seconds over which exposures are averaged
_LOOK = 300.0  # degrees that one turns in a room


def open_doors(house: House) -> HouseState:
    """The first state of a house, but with every door open."""
    state = HouseState.start(house)
    for door in house.door:
        state.set(door, "open", True)
    return state


def tour(house: House, rate: float, camera: Camera) -> list[Camera]:
    """The cameras of a walk through all rooms, one for each picture of a video.

    Args:
        house: The house.
        rate: Pictures a second.
        camera: Says what all have in common: size, angle and pitch.

    Raises:
        HomebodyError: there is a room where nobody can stand.
    """
    ways = navigation(house, ROBOT.radius)
    places = _places(house, ways)
    first = next((o.rooms[0] for o in house.openings if o.kind == "entrance"), house.rooms[0].name)
    at, left = places.pop(first), list(places.values())
    spots: list[Point] = []
    yaws: list[float] = []
    _look_around(spots, yaws, at, 0.0, rate)
    while left:
        lengths = ways.distances(at, left)
        nearest = min(range(len(left)), key=lambda i: lengths[i])
        goal = left.pop(nearest)
        path = ways.path(at, goal)
        if path is None:
            raise HomebodyError("there is a room into which no way leads")
        _walk(spots, yaws, path, rate)
        _look_around(spots, yaws, goal, yaws[-1], rate)
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
    """Cameras whose exposures change as those of eyes: not at once where a room begins."""
    places = np.array([camera.position for camera in cameras], np.float32)
    logs = np.log(renderer.exposures(places).astype(np.float64))[:, None]
    slow = np.exp(_average(logs, max(1, round(_ADAPTING * rate))))[:, 0].tolist()
    return [
        replace(camera, exposure=round(exposure, 5))
        for camera, exposure in zip(cameras, slow, strict=True)
    ]


def _places(house: House, ways: Navigation) -> dict[str, Point]:
    """A place in the middle of each room where one can stand, by its name."""
    places = {}
    for room in house.rooms:
        spots = ways.room_spots(room.name)
        if not spots:
            raise HomebodyError(f"nobody can stand in {room.name}")
        places[room.name] = spots[0]
    return places


def _turn(spots: list[Point], yaws: list[float], yaw: float, rate: float) -> None:
    """Turn on the spot, the shorter way."""
    left = (yaw - yaws[-1] + 180) % 360 - 180
    count = math.ceil(abs(left) / TURNING * rate)
    start = yaws[-1]
    for number in range(1, count + 1):
        spots.append(spots[-1])
        yaws.append(start + left * number / count)


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
    for number in range(math.ceil(_LOOK / TURNING * rate)):
        spots.append(at)
        yaws.append(yaw + number * TURNING / rate)


def _average(values: NDArray[np.float64], width: int) -> NDArray[np.float64]:
    """Columns as means over some rows, twice: neither places nor speeds jump."""
    for _ in range(2):
        padded = np.pad(values, [(width // 2, width - 1 - width // 2), (0, 0)], mode="edge")
        sums = np.cumsum(np.vstack([np.zeros((1, values.shape[1])), padded]), axis=0)
        values = (sums[width:] - sums[:-width]) / width
    return values
