"""The targets around the middle of an agent's picture."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final

from homebody.worlds.house.model.house import House, Vector
from homebody.worlds.house.model.state import EYES, HouseState
from homebody.worlds.house.play.views import FOV

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from homebody.worlds.house.rendering.ray_scene import RayScene

RAYS: Final = 31
"""Rays in a row and in a column."""
MIDDLE: Final = 1 / 3
"""Share of the width and height of a picture that counts as its middle."""


class Aim:
    """The targets around the middle of an agent's picture, the nearest to it first.

    Targets are names of objects, furniture, doors and floors. A :class:`.simulation.Simulation`
    calls this. It needs the extra ``house``.

    Args:
        house: The house.
    """

    def __init__(self, house: House) -> None:
        self._house = house
        self._scene: RayScene | None = None

    def __reduce__(self) -> tuple[Any, ...]:
        return Aim, (self._house,)

    def __call__(self, state: HouseState, agent: str) -> dict[str, Vector]:
        """Return the names, each with the point where the ray nearest to the middle hits it."""
        import numpy as np

        from homebody.worlds.house.rendering.ray_scene import RayScene
        from homebody.worlds.house.rendering.render import camera_matrix, eye_of

        if (
            self._scene is None or state.house is not self._scene.house
        ):  # the scene without awake people
            self._scene = RayScene(state.house, reactions=False)
        scene, body = self._scene, state.bodies[agent]
        scene.update(state)
        ways = _ways() @ camera_matrix(body.pose.yaw, body.pitch)
        starts = np.broadcast_to(
            np.array(eye_of(body.pose, body.size[2] * EYES), np.float32), ways.shape
        )
        hidden = (agent, *state.held_by(agent).values())
        hits = scene.cast(starts.copy(), ways, scene.without(hidden, glass=True))
        points = starts + ways * hits.distance[:, None]
        house, aimed = state.house, dict[str, Vector]()
        kinds = house.floors, house.piece, house.thing, house.door
        for hit, (x, y, z) in zip(hits.triangle, points.tolist(), strict=True):
            name = scene.names[scene.owner[hit]] if hit >= 0 else ""
            if name not in aimed and any(name in kind for kind in kinds):
                aimed[name] = x, y, z
        return aimed


@lru_cache(1)
def _ways() -> NDArray[Any]:
    """Return the rays (RAYS ** 2, 3) of an agent that looks ahead, from the middle outwards."""
    import math

    import numpy as np

    from homebody.worlds.house.rendering.render import directions

    fov = 2 * math.degrees(math.atan(MIDDLE * math.tan(math.radians(FOV / 2))))
    ways = directions(RAYS, RAYS, fov).reshape(-1, 3)
    row, column = np.divmod(np.arange(RAYS**2), RAYS)
    far = (row - RAYS // 2) ** 2 + (column - RAYS // 2) ** 2
    return np.asarray(ways[np.argsort(far, kind="stable")], np.float32)
