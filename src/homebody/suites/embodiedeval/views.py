"""Views of a house: pictures, and the objects in them."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

import numpy as np
from numpy.typing import NDArray

from homebody.suites.embodiedeval.interactions import AGENT
from homebody.worlds.house.model.house import House
from homebody.worlds.house.model.state import HouseState
from homebody.worlds.house.play.navigation_graph import GraphView, navigation_graph
from homebody.worlds.house.simulation.walking.walls import memory

if TYPE_CHECKING:  # require the extra ``house``
    from homebody.worlds.house.rendering.render import Camera, Picture, Renderer

SIDE: Final = 448
"""Height and width of pictures, pixels (section 4.1)."""
FOV: Final = 90.0
"""Horizontal and vertical field of view in degrees, as in the published code."""
COARSE: Final = 224
"""Height and width of the grid of rays that measures visible objects, pixels."""
SEEN: Final = 200
"""Minimum number of pixels, in a full picture, of an object that counts as seen: about 14 by 14."""


_RENDERER: Final = "embodiedeval renderer"


def renderer_of(house: House) -> Renderer:
    """Return the renderer of a house, which is kept with it."""
    kept: dict[str, Renderer] = memory(house)
    if _RENDERER not in kept:
        kept[_RENDERER] = _renderer(house)
    return kept[_RENDERER]


def prepare_renderer(state: HouseState, view: GraphView) -> None:
    """Prepare the renderer of a house with the light of a view, which takes long to compute.

    Any thread may call it, because it does not use an existing renderer, which may be busy.

    Raises:
        HomebodyError: Ray casting is not available.
    """
    kept: dict[str, Renderer] = memory(state.house)
    if _RENDERER not in kept:
        renderer = _renderer(state.house)
        renderer.update(state)
        renderer.picture(camera_of(state.house, view))
        kept[_RENDERER] = renderer


def _renderer(house: House) -> Renderer:
    from homebody.worlds.house.rendering.render import Renderer

    renderer = Renderer.of(house, HouseState.start(house))
    # the agent would darken what it stands by: pictures show the house alone
    renderer.scene.unshown = frozenset({AGENT})
    return renderer


def camera_of(house: House, view: GraphView, side: int = SIDE, lowered: float = 0.0) -> Camera:
    """Return the camera of a view, lowered by some metres."""
    from homebody.worlds.house.rendering.render import Camera

    (x, y, z), yaw, pitch = navigation_graph(house).eye(view)
    return Camera((x, y, z - lowered), yaw, pitch, side, side, FOV)


def way_between(house: House, view: GraphView, other: GraphView) -> tuple[Camera, ...]:
    """Return three cameras between two views, which are not included."""
    from homebody.worlds.house.rendering.render import Camera

    before, after = camera_of(house, view), camera_of(house, other)
    turn = (after.yaw - before.yaw + 180.0) % 360.0 - 180.0
    cameras = []
    for share in (0.25, 0.5, 0.75):
        x, y, z = (
            a + share * (b - a) for a, b in zip(before.position, after.position, strict=True)
        )
        pitch = before.pitch + share * (after.pitch - before.pitch)
        cameras.append(Camera((x, y, z), before.yaw + share * turn, pitch, SIDE, SIDE, FOV))
    return tuple(cameras)


def picture(state: HouseState, camera: Camera) -> Picture:
    """Return the agent's picture of a house in a state. Needs the extra ``house``."""
    renderer = renderer_of(state.house)
    renderer.update(state)
    return renderer.picture(camera, hide=_held_things(state))


def boxed_picture(state: HouseState, camera: Camera) -> NDArray[np.uint8]:
    """Return the agent's picture with boxes around objects, furniture and people, and their
    names."""
    from homebody.suites.embodiedeval.boxes import draw_boxes

    house = state.house
    shown = house.thing.keys() | house.piece.keys() | house.person.keys()
    return draw_boxes(picture(state, camera), shown, SEEN / SIDE**2)


def visible_things(state: HouseState, view: GraphView, side: int = COARSE) -> Mapping[str, int]:
    """Return the visible names of a view with their numbers of pixels. Names with fewer than
    :data:`SEEN` pixels are omitted.

    The names include objects, furniture, people, doors, floors and walls. ``side`` is the height
    and width of the grid of rays that measures them."""
    from homebody.worlds.house.rendering.render import camera_matrix, directions

    scene = renderer_of(state.house).scene
    scene.update(state)
    camera = camera_of(state.house, view, side)
    ways = directions(side, side, FOV) @ camera_matrix(camera.yaw, camera.pitch)
    origins = np.broadcast_to(np.array(camera.position, np.float32), ways.shape)
    hits = scene.cast(
        np.ascontiguousarray(origins), ways, scene.without(_held_things(state), glass=True)
    )
    owners = np.where(hits.triangle >= 0, scene.owner[hits.triangle], 0)
    counts = np.bincount(owners, minlength=len(scene.names)) * (SIDE // side) ** 2
    return {scene.names[number]: int(counts[number]) for number in np.flatnonzero(counts >= SEEN)}


def is_in_frame(state: HouseState, view: GraphView, name: str) -> bool:
    """Return whether the centre of something is within a view's picture, hidden or not."""
    from homebody.worlds.house.rendering.render import camera_matrix

    position, yaw, pitch = navigation_graph(state.house).eye(view)
    way = np.array(state.box(name).centre) - np.array(position)
    right, ahead, up = camera_matrix(yaw, pitch) @ way
    return bool(max(abs(right), abs(up)) < ahead * math.tan(math.radians(FOV / 2)))


def _held_things(state: HouseState) -> tuple[str, ...]:
    """Return the names that are not drawn: the agent and its held object."""
    return tuple(state.held_by(AGENT).values()) if AGENT in state.bodies else ()
