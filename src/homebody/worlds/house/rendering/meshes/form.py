"""The object that a shape draws."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from homebody.worlds.house.model.house import Colour, Receptacle, Vector
from homebody.worlds.house.rendering.meshes.sketch import Sketch

SIDES = (-1, 1)
"""Left and right, for parts that occur twice."""


@dataclass(frozen=True, slots=True)
class Form:
    """An object to draw, in its own frame.

    Attributes:
        sketch: The sketch to draw in.
        size: (width along x, depth along y, height) of its box, metres.
        style: Colours by part.
        states: ``open``, ``powered_on``, ``filled`` ...
        receptacles: Places for objects; boards are drawn under them.
        variant: A number that varies objects of one kind.
        category: Category in the catalogue, for shapes that several categories share.
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
        """Upper corner of its box: half the width, half the depth, the height."""
        w, d, h = self.size
        return w / 2, d / 2, h

    @property
    def is_open(self) -> bool:
        """True if it is open."""
        return self.states.get("open", False)

    @property
    def is_on(self) -> bool:
        """True if it is powered on."""
        return self.states.get("powered_on", False)

    @property
    def is_filled(self) -> bool:
        """True if it contains something."""
        return self.states.get("filled", False)

    def tone(self, part: str = "body", default: Colour = (0.7, 0.7, 0.7)) -> Colour:
        """Return the colour of a part."""
        return self.style.get(part, default)

    def spaces(self, *starts: str) -> list[Receptacle]:
        """Return receptacles whose names have one of these prefixes, lowest first."""
        spaces = [space for space in self.receptacles if space.name.startswith(starts)]
        return sorted(spaces, key=lambda space: (space.low[2], space.low[0]))

    def bottom(self, space: str, share: float) -> float:
        """Return the height of a space's bottom, or a share of the own height without one."""
        spaces = self.spaces(space)
        return spaces[0].low[2] if spaces else self.size[2] * share


Shape: TypeAlias = Callable[[Form], None]
"""Draws an object."""
