"""The baked light of the static parts of a house."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from homebody.worlds.house.rendering.baking import Baker, RoomLight, Sky
from homebody.worlds.house.rendering.lighting import Lamp, RoomGrid, Time
from homebody.worlds.house.rendering.meshes.mesh import join_meshes
from homebody.worlds.house.rendering.occlusion import Occlusion
from homebody.worlds.house.rendering.ray_scene import RayScene

MAX_LIT = 4
"""Maximum cached lights of a house. A light is a set of lamps that are on and of open doors."""


class BakedLight:
    """Bakes the light of a scene and caches it by lamps and doors."""

    def __init__(self, scene: RayScene, grid: RoomGrid, time: Time, sky: Sky) -> None:
        self._scene, self._grid, self._time, self._sky = scene, grid, time, sky
        self._furniture = scene.furniture_at_first()
        self._occlusion = Occlusion(scene.house, [mesh for _, mesh in self._furniture])
        self._bakers: dict[tuple[bool, ...], Baker] = {}
        self._lit: dict[tuple[object, ...], RoomLight] = {}

    def follow(self, lamps: Sequence[Lamp]) -> tuple[RoomLight, Occlusion]:
        """Return the room light and the occlusion of the scene's current state."""
        scene, house = self._scene, self._scene.house
        pieces = house.piece
        agents = [name for name in scene.state.bodies if name not in scene.unshown]
        moving = [*house.thing, *(one.name for one in house.people), *agents]
        self._occlusion.follow((name, scene.part(name)) for name in moving if name not in pieces)
        doors = tuple(scene.state.is_in_state(door, "open") for door in house.door)
        on = tuple((lamp.name, lamp.room) for lamp in lamps if lamp.still)
        lit = self._lit.get((doors, on))
        if lit is None:
            while len(self._lit) >= MAX_LIT:
                self._lit.pop(next(iter(self._lit)))
            lit = self._baker(doors).light_up(self._time, self._sky, lamps, self._connected_rooms())
            self._lit[doors, on] = lit
        return lit, self._occlusion

    def _baker(self, doors: tuple[bool, ...]) -> Baker:
        baker = self._bakers.get(doors)
        if baker is None:
            self._bakers.clear()
            house, scene = self._scene.house, self._scene
            names = [opening.name for opening in house.openings]
            for room in house.rooms:
                names += [room.floor_name, f"walls_{room.name}", f"ceiling_{room.name}"]
            meshes = [scene.part(name) for name in names]
            # A lamp's own mesh would block it.
            meshes += [
                mesh
                for name, mesh in self._furniture
                if house.piece[name].category != "ceiling_lamp"
            ]
            baker = self._bakers[doors] = Baker(house, self._grid, join_meshes(meshes))
        return baker

    def _connected_rooms(self) -> np.ndarray:
        """Return (rooms, rooms): True if light passes directly from one room to another."""
        house, state = self._scene.house, self._scene.state
        numbers = {room.name: i for i, room in enumerate(house.rooms)}
        seen = np.eye(len(numbers), dtype=np.int32)
        for opening in house.openings:
            shut = opening.name in house.door and not state.is_in_state(opening.name, "open")
            if opening.is_passage and not shut and len(opening.rooms) == 2:
                a, b = (numbers[room] for room in opening.rooms)
                seen[a, b] = seen[b, a] = 1
        return seen
