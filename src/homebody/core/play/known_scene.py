"""The part of a world with geometry that a role knows, as solids for rendering.

Views that support it have :meth:`ShowsScene.known_scene`. Each solid is where the role last saw it.
Solids that the role has never seen are absent.
"""

from __future__ import annotations

import typing
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal, TypeAlias

if TYPE_CHECKING:  # numpy takes longer to import than the command line may
    import numpy as np
    from numpy.typing import NDArray

SolidKind: TypeAlias = Literal[
    "floor", "wall", "ceiling", "opening", "door", "furniture", "object", "person", "agent"
]


@dataclass(frozen=True, slots=True)
class Triangles:
    """The mesh of a solid, in its own frame: metres, z up, front towards +y.

    Attributes:
        corners: (n, 3, 3): triangle, corner, axis; counter-clockwise seen from outside.
        normals: (n, 3, 3): unit normals at each corner.
        colours: (n, 3): sRGB, 0 to 1.
        kinds: (n,): 0 opaque, 1 transparent, 2 luminous.
    """

    corners: NDArray[np.float32]
    normals: NDArray[np.float32]
    colours: NDArray[np.float32]
    kinds: NDArray[np.uint8]


@dataclass(frozen=True, slots=True)
class KnownSolid:
    """A solid at the place where a role knows it to be.

    Attributes:
        name: The name in actions; walls and ceilings have names, too.
        kind: The kind of solid.
        category: ``table``, ``cup`` ...; the kind of room for floors.
        mesh: The name of its mesh for :attr:`KnownScene.draw`; equal appearances have equal names.
        position: x, y, z of its frame, in metres.
        yaw: Degrees, counter-clockwise seen from above; at 0 its front faces north.
        room: The room where the role knows it to be; empty if unknown.
        holder: The solid or agent that bears it; empty for none.
        relation: ``on``, ``within``, ``held`` or empty.
        states: The known states: ``open``, ``clean`` ...
        seen: True if it is in sight now. False if it is not, or if sight is not tracked.
        near: True if the role can touch it without walking.
    """

    name: str
    kind: SolidKind
    category: str
    mesh: str
    position: tuple[float, float, float]
    yaw: float = 0.0
    room: str = ""
    holder: str = ""
    relation: str = ""
    states: Mapping[str, bool] = field(default_factory=dict)
    seen: bool = False
    near: bool = False


@dataclass(frozen=True, slots=True)
class KnownScene:
    """The solids that a role knows, and the pose of its camera.

    Attributes:
        eye: x, y, z of its eyes, in metres.
        yaw: Its viewing direction in degrees: 0 is north, 90 west.
        pitch: Degrees above the horizon.
        fov: Horizontal field of view in degrees.
        solids: All known solids except the role itself and things inside closed furniture.
        draw: Name of a mesh of these solids -> the mesh. Any thread may call it.
    """

    eye: tuple[float, float, float]
    yaw: float
    pitch: float
    fov: float
    solids: tuple[KnownSolid, ...]
    draw: Callable[[str], Triangles]


@typing.runtime_checkable
class ShowsScene(typing.Protocol):
    """A :class:`.session.View` of a world with geometry."""

    def known_scene(self, role: str) -> KnownScene:
        """Return the current knowledge of a role, for rendering."""
        ...
