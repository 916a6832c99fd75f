"""What a role knows of a world with geometry, as solids that can be drawn.

A view that can show it has :meth:`ShowsScene.known_scene`. Everything in it is as the role knows
it: where things were when it last saw them, and nothing that it has not come to know.
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
    """What a solid looks like, in its own frame: metres, z up, its front to +y.

    Attributes:
        corners: (n, 3, 3): triangle, corner, axis; counter-clockwise seen from outside.
        normals: (n, 3, 3): of unit length, at each corner.
        colours: (n, 3): sRGB, 0 to 1.
        kinds: (n,): 0 of what is opaque, 1 of what one can see through, 2 of what shines.
    """

    corners: NDArray[np.float32]
    normals: NDArray[np.float32]
    colours: NDArray[np.float32]
    kinds: NDArray[np.uint8]


@dataclass(frozen=True, slots=True)
class KnownSolid:
    """One thing, where a role knows it to be.

    Attributes:
        name: As actions name it; of walls and ceilings, a name of their own.
        kind: What it is.
        category: ``table``, ``cup`` ...; of floors the kind of the room.
        mesh: What it looks like; the same for the same look, and drawn by :attr:`KnownScene.draw`.
        position: Of its frame, metres.
        yaw: Degrees, counter-clockwise seen from above; 0 has its front north.
        room: That it is known to be in; empty if that is not known.
        holder: What bears it; empty if nothing does.
        relation: ``on``, ``within``, ``held`` or empty.
        states: ``open``, ``clean`` ...: those that are known.
        seen: Whether it is in sight now; False where that is not told apart.
        near: Whether the role could touch it from where it stands, if it is where it is known to
            be.
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
    """What a role knows, and from where it looks.

    Attributes:
        eye: x, y, z of its eyes, metres.
        yaw: Where it looks: degrees, 0 is north, 90 west.
        pitch: Degrees above the horizon.
        fov: Degrees over the width of what it sees.
        solids: All that it knows. What is shut in is left out, and the role itself.
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
        """What a role knows now, to be drawn."""
        ...
