"""What is drawn: the form of one thing, which shapes are functions of."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from homebody.worlds.house.model.house import Colour, Receptacle, Vector
from homebody.worlds.house.rendering.meshes.sketch import Sketch

SIDES = (-1, 1)
"""Left and right, for what is there twice."""


@dataclass(frozen=True, slots=True)
class Form:
    """What a shape draws: one thing, in its own frame.

    Attributes:
        sketch: Where it is drawn.
        size: (width along x, depth along y, height) of its box, metres.
        style: Colours by part.
        states: ``open``, ``powered_on``, ``filled`` ...
        receptacles: Where things can be put: boards are drawn under them.
        variant: A number that tells things of one kind apart.
        category: Of the catalogue: shapes that many share may add what is special to one.
    """

    sketch: Sketch
    size: Vector
    style: Mapping[str, Colour]
    states: Mapping[str, bool]
    receptacles: Sequence[Receptacle] = ()
    variant: int = 0
    category: str = ""

    @property
    def half(self) -> Vector:
        """Half the width, half the depth, the height: the upper corner of its box."""
        w, d, h = self.size
        return w / 2, d / 2, h

    @property
    def is_open(self) -> bool:
        """Whether it is open."""
        return self.states.get("open", False)

    @property
    def is_on(self) -> bool:
        """Whether it is powered on."""
        return self.states.get("powered_on", False)

    @property
    def is_filled(self) -> bool:
        """Whether there is something in it."""
        return self.states.get("filled", False)

    def tone(self, part: str = "body", default: Colour = (0.7, 0.7, 0.7)) -> Colour:
        """The colour of a part."""
        return self.style.get(part, default)

    def spaces(self, *starts: str) -> list[Receptacle]:
        """Receptacles whose names start so, lowest first."""
        spaces = [space for space in self.receptacles if space.name.startswith(starts)]
        return sorted(spaces, key=lambda space: (space.low[2], space.low[0]))

    def bottom(self, space: str, share: float) -> float:
        """The height on which things lie in a space; a share of its own height without one."""
        spaces = self.spaces(space)
        return spaces[0].low[2] if spaces else self.size[2] * share


Shape: TypeAlias = Callable[[Form], None]
"""Draws a thing."""
