"""Materials of surfaces: roughness, reflection, transmission and glow.

The fast renderer (:mod:`shading`), the path tracer and exporters all use this table. Patterns are
in :mod:`patterns`, outdoor surfaces in :mod:`outside`.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from enum import IntEnum
from functools import cache
from types import MappingProxyType

import numpy as np

from homebody.worlds.house.model.catalogue import catalogue
from homebody.worlds.house.model.house import Colour
from homebody.worlds.house.rendering.arrays import Floats

MAX_SURFACES = 32
"""Upper bound of surface codes: the number of rows of tables by code."""


class Surface(IntEnum):
    """The surface of a triangle."""

    MATT = 0
    WOOD = 1
    FABRIC = 2
    METAL = 3
    GLOSS = 4
    """Ceramic, plastic, lacquer."""
    GLASS = 5
    """Transmits two thirds of the light."""
    GLOW = 6
    """Emits light."""
    PLANKS = 7
    TILES = 8
    CHEQUERED = 9
    CARPET = 10
    CONCRETE = 11
    SPECKLED = 12
    WALL = 13
    WALL_TILES = 14
    """Tiles of walls, with a border at their upper end."""
    MIRROR = 15
    """A mirror."""
    RUG = 16
    STONE = 17
    DIRT = 18
    """Dirt: the object's own colour with patches of the second colour."""
    WALLPAPER = 19
    """A small motif in rows."""
    BRICK = 20
    PLASTER = 21
    """Rough plaster of outer walls."""
    LAWN = 22
    ASPHALT = 23
    PAVING = 24
    """Slabs of a pavement or terrace, on the ground."""
    LEAVES = 25
    """Foliage of trees and hedges."""
    PARQUET = 26
    """Short boards in herringbone."""
    LEATHER = 27
    STRIPES = 29
    """Striped wallpaper."""
    STONE_TILES = 28
    """Large tiles of polished stone."""


MATT, WOOD, FABRIC, METAL = Surface.MATT, Surface.WOOD, Surface.FABRIC, Surface.METAL
GLOSS, GLASS, GLOW, STONE = Surface.GLOSS, Surface.GLASS, Surface.GLOW, Surface.STONE


@dataclass(frozen=True, slots=True)
class Material:
    """Optical properties of a surface, with the names of physically based shading.

    Attributes:
        roughness: 0 reflects sharply, 1 not at all.
        mirrored: Reflected share of the light at normal incidence (0 degrees).
        metalness: 1 if reflections have the surface's own colour, else 0.
        transmission: Transmitted share of the light.
        emission: Emitted light, times its colour.
        patterned: True if its colour depends on the place: see :func:`.patterns.apply_pattern`.
        two_coloured: True if the pattern mixes in the second colour of a triangle.
    """

    roughness: float = 0.9
    mirrored: float = 0.03
    metalness: float = 0.0
    transmission: float = 0.0
    emission: float = 0.0
    patterned: bool = False
    two_coloured: bool = False

    @property
    def refractive_index(self) -> float:
        """The refractive index of a surface that reflects ``mirrored`` of head-on light."""
        root = math.sqrt(min(self.mirrored, 0.5))
        return (1 + root) / (1 - root)


def _pattern(roughness: float, mirrored: float = 0.03, second: bool = True) -> Material:
    return Material(roughness, mirrored, patterned=True, two_coloured=second)


MATERIALS: Mapping[Surface, Material] = MappingProxyType(
    {
        Surface.MATT: Material(),
        Surface.WOOD: _pattern(0.5, 0.04, second=False),
        Surface.FABRIC: _pattern(0.95, 0.02, second=False),
        Surface.METAL: Material(0.5, 0.6, metalness=1.0),
        Surface.GLOSS: Material(0.2, 0.05),
        Surface.GLASS: Material(0.02, 0.06, transmission=0.7),
        Surface.GLOW: Material(0.5, emission=1.9),
        Surface.PLANKS: _pattern(0.35, 0.045),
        Surface.TILES: _pattern(0.25, 0.05),
        Surface.CHEQUERED: _pattern(0.15, 0.05),
        Surface.CARPET: _pattern(1.0, 0.01),
        Surface.CONCRETE: _pattern(0.7, 0.04),
        Surface.SPECKLED: _pattern(0.6, 0.03),
        Surface.WALL: Material(0.95, 0.02),
        Surface.WALL_TILES: _pattern(0.15, 0.05),
        Surface.MIRROR: Material(0.0, 0.92, metalness=1.0),
        Surface.RUG: _pattern(1.0, 0.01, second=False),
        Surface.STONE: _pattern(0.3, 0.05),
        Surface.DIRT: _pattern(0.9, 0.02),
        Surface.WALLPAPER: _pattern(0.85, 0.02),
        Surface.STRIPES: _pattern(0.85, 0.02),
        Surface.BRICK: _pattern(0.9, 0.02),
        Surface.PLASTER: _pattern(0.95, 0.02, second=False),
        Surface.LAWN: _pattern(1.0, 0.01),
        Surface.ASPHALT: _pattern(0.95, 0.02),
        Surface.PAVING: _pattern(0.9, 0.02),
        Surface.LEAVES: _pattern(0.8, 0.02, second=False),
        Surface.PARQUET: _pattern(0.3, 0.045),
        Surface.LEATHER: _pattern(0.45, 0.04, second=False),
        Surface.STONE_TILES: _pattern(0.1, 0.05),
    }
)
"""The material of every surface."""


def _by_code(name: str) -> Floats:
    table = np.zeros(MAX_SURFACES, np.float32)
    for surface, material in MATERIALS.items():
        table[surface] = getattr(material, name)
    return table


ROUGHNESS = _by_code("roughness")
MIRRORED = _by_code("mirrored")
METALNESS = _by_code("metalness")
TRANSMISSION = _by_code("transmission")
EMISSION = _by_code("emission")
"""Tables by the code of a surface."""

PATTERNED = frozenset(s for s, m in MATERIALS.items() if m.patterned)
"""Surfaces whose colour depends on the place."""
TWO_COLOURED = frozenset(s for s, m in MATERIALS.items() if m.two_coloured)
"""Patterns of two colours."""

BARE_METALS = ("steel", "silver", "gold", "brass", "copper")
"""Colours of the catalogue in which metal is not painted."""
MADE_OF: Mapping[str, tuple[Surface, ...]] = MappingProxyType(
    {
        "wood": (WOOD, FABRIC),
        "painted_wood": (GLOSS, FABRIC),
        "metal": (METAL, FABRIC),
        "painted_metal": (GLOSS, METAL, FABRIC),
        "glass": (GLOSS,),
        "ceramic": (GLOSS,),
        "plastic": (GLOSS, FABRIC),
        "clay": (MATT,),
        "plaster": (MATT,),
        "rubber": (MATT, METAL),
        "foam": (MATT,),
        "paper": (MATT,),
        "cardboard": (MATT,),
        "stone": (STONE,),
        "fabric": (FABRIC, METAL, WOOD, Surface.RUG),
        "leather": (Surface.LEATHER, METAL, WOOD),
    }
)
"""Material of the catalogue -> its possible surfaces, the usual one first.

For example, a white bed has white linen, and a black chair of cloth has black legs. Glass that is
not drawn as clear is coloured or contains something. For materials that are not in this table
(food, plants), the shape defines the look.
"""


@cache
def surfaces_of(material: str, colour: Colour) -> tuple[Surface, ...]:
    """Return the possible surfaces of a material in a colour, the usual one first; empty for any.

    Metal is bare in the colours of metals, else painted.
    """
    if material == "metal" and colour not in [catalogue().colours[name] for name in BARE_METALS]:
        material = "painted_metal"
    return MADE_OF.get(material, ())


FLOORS: dict[str, Surface] = {
    "planks": Surface.PLANKS,
    "tiles": Surface.TILES,
    "chequered": Surface.CHEQUERED,
    "carpet": Surface.CARPET,
    "concrete": Surface.CONCRETE,
    "speckled": Surface.SPECKLED,
    "parquet": Surface.PARQUET,
    "stone": Surface.STONE_TILES,
}
"""Floor patterns of the catalogue."""


def floor_look(name: str) -> tuple[Surface, Colour, Colour]:
    """Return pattern and colours of a floor, by its name in the catalogue.

    An unknown floor looks like concrete.
    """
    kind = catalogue().floors.get(name)
    if kind is None:
        return Surface.CONCRETE, (0.75, 0.75, 0.75), (0.6, 0.6, 0.6)
    first, *others = kind.colours
    return FLOORS.get(kind.pattern, Surface.CONCRETE), first, others[0] if others else first
