"""Meshes of everything in a house, by category, size, style and state.

The catalogue names the shape of a category. Without a shape, it is a box with round edges in its
main colour. Meshes are in the object's own frame and cached: twelve equal chairs are drawn once.
"""

from __future__ import annotations

import zlib
from collections.abc import Mapping
from dataclasses import fields
from functools import lru_cache
from typing import Final

import numpy as np

from homebody.worlds.house.model.catalogue import catalogue
from homebody.worlds.house.model.house import Colour, Furniture, Person, Receptacle, Thing, Vector
from homebody.worlds.house.model.people import Response
from homebody.worlds.house.rendering.materials import TWO_COLOURED, Surface, surfaces_of
from homebody.worlds.house.rendering.meshes import (
    appliances,
    bathroom,
    bedroom,
    beds,
    bins,
    clothes,
    containers,
    decor,
    dishes,
    easy_seats,
    electronics,
    food,
    gadgets,
    garden,
    garments,
    harvest,
    household,
    implements,
    instruments,
    kitchen,
    kitchenware,
    lamps,
    laundry,
    leisure,
    offices,
    pets,
    plants,
    pocket,
    produce,
    recreation,
    seats,
    shops,
    sports,
    stationery,
    storage,
    tables,
    textiles,
    tools,
    toys,
    vehicles,
    wall_hung,
    wards,
    washrooms,
    workshop,
)
from homebody.worlds.house.rendering.meshes.agents import agent
from homebody.worlds.house.rendering.meshes.form import Form, Shape
from homebody.worlds.house.rendering.meshes.mesh import Mesh
from homebody.worlds.house.rendering.meshes.people import person
from homebody.worlds.house.rendering.meshes.sketch import Sketch

_FURNITURE = (beds, seats, tables, storage, kitchen, bathroom, laundry, appliances, lamps, plants)
_OBJECTS = (dishes, food, containers, textiles, clothes, stationery, tools, toys, electronics)
_OTHERS = (decor, sports, instruments, vehicles)
_ROOMS = (bedroom, easy_seats, wall_hung, washrooms, pets, bins, shops, offices, recreation, garden)
_SPECIAL = (wards, household, kitchenware, produce, gadgets, leisure, workshop)
_REST = (garments, pocket, implements, harvest)
MODULES = (*_FURNITURE, *_OBJECTS, *_OTHERS, *_ROOMS, *_SPECIAL, *_REST)
SHAPES: dict[str, Shape] = {
    name: shape for module in MODULES for name, shape in module.SHAPES.items()
}
"""Shapes of furniture and objects by name. Add your own shapes here."""

MUD: Colour = (0.42, 0.32, 0.18)
"""Colour of dirt."""
SEEN_STATES = ("open", "powered_on", "clean", "filled", "holding", "reacting")
"""States that change the appearance."""
_KEPT = {Surface.GLOW, Surface.MIRROR, Surface.GLASS}
REMEMBERED: Final = 512
"""Maximum number of cached meshes, of some 25 kB each. It is enough for a large home."""


def variant(name: str) -> int:
    """Return a small number from a name, the same everywhere, to vary objects of one kind."""
    return zlib.crc32(name.encode()) % 1000


def furniture_mesh(piece: Furniture, states: Mapping[str, bool]) -> Mesh:
    """Return a piece of furniture in its own frame."""
    kind = catalogue().furniture.get(piece.category)
    shape = kind.shape if kind is not None else piece.category
    return _make_mesh(piece, shape, states, piece.receptacles, variant(piece.name) % 12)


def thing_mesh(thing: Thing, states: Mapping[str, bool]) -> Mesh:
    """Return an object in its own frame."""
    kind = catalogue().things.get(thing.category)
    shape = kind.shape if kind is not None else thing.category
    return _make_mesh(thing, shape, states, (), variant(thing.name) % 6)


def person_mesh(someone: Person, response: Response | None = None) -> Mesh:
    """Return a person in its own frame, with its response to somebody."""
    sketch = Sketch()
    person(sketch, someone, response)
    return sketch.mesh()


@lru_cache(maxsize=64)
def agent_mesh(size: Vector, body: Colour, accent: Colour) -> Mesh:
    """Return an agent's body in its own frame."""
    sketch = Sketch()
    agent(Form(sketch, size, {"body": body, "accent": accent}, {}))
    return sketch.mesh()


def make_dirty(mesh: Mesh) -> Mesh:
    """Return the mesh of a dirty object: brown in patches."""
    plain = ~np.isin(mesh.surfaces, (Surface.GLOW, Surface.GLASS))
    surfaces = np.where(plain, np.uint8(Surface.DIRT), mesh.surfaces)
    seconds = np.where(plain[:, None], np.array(MUD, np.float32), mesh.seconds)
    return Mesh(mesh.corners, mesh.normals, mesh.colours, seconds, surfaces)


def apply_material(mesh: Mesh, material: str, colour: Colour) -> Mesh:
    """Return a mesh in which the parts with a given colour, or a lighter or darker shade of it,
    have the surface of a material.

    Parts that glow, reflect or are clear stay the same. Parts also stay the same if their surface
    differs from the surface of the parts in exactly this colour, such as the steel handles of a
    white cupboard.
    """
    allowed = surfaces_of(material, colour)
    main = np.array(colour, np.float32)
    exact = np.abs(mesh.colours - main).max(axis=1) < 1e-4
    changing = set(mesh.surfaces[exact].tolist()) - set(allowed) - _KEPT
    if not allowed or not changing:
        return mesh
    share = mesh.colours @ main / max(float(main @ main), 1e-6)
    like = np.abs(mesh.colours - share[:, None] * main).max(axis=1) < 0.01
    like &= (share > 0.5) & (share < 1.3) & np.isin(mesh.surfaces, list(changing))
    surfaces = np.where(like, np.uint8(allowed[0]), mesh.surfaces)
    second = mesh.colours * (0.8 if allowed[0] in TWO_COLOURED else 1.0)
    seconds = np.where(like[:, None], second, mesh.seconds).astype(np.float32)
    return Mesh(mesh.corners, mesh.normals, mesh.colours, seconds, surfaces)


def _make_mesh(
    owner: Furniture | Thing,
    shape: str,
    states: Mapping[str, bool],
    receptacles: tuple[Receptacle, ...],
    number: int,
) -> Mesh:
    style = tuple(sorted(owner.style.items()))
    seen = tuple((state, states[state]) for state in SEEN_STATES if state in states)
    main = next(iter(owner.style.values()), None) if owner.material else None
    drawn = shape, owner.category, owner.size, style, seen, receptacles, number
    return _draw(*drawn, owner.material, main)


@lru_cache(maxsize=REMEMBERED)
def _draw(
    shape: str,
    category: str,
    size: Vector,
    style: tuple[tuple[str, Colour], ...],
    states: tuple[tuple[str, bool], ...],
    receptacles: tuple[Receptacle, ...],
    number: int,
    material: str,
    main: Colour | None,
) -> Mesh:
    sketch, state = Sketch(), dict(states)
    form = Form(sketch, size, dict(style), state, receptacles, number, category)
    SHAPES.get(shape, _lump)(form)
    mesh = sketch.mesh()
    if main is not None:
        mesh = apply_material(mesh, material, main)
    mesh = _without_clear_bottom(mesh)
    return mesh if state.get("clean", True) else make_dirty(mesh)


def _without_clear_bottom(mesh: Mesh) -> Mesh:
    """Return a mesh without glass at height 0, which lies in the face that the object stands on."""
    kept = (mesh.surfaces != Surface.GLASS) | (mesh.corners[..., 2].max(axis=1) > 1e-4)
    return Mesh(*(getattr(mesh, each.name)[kept] for each in fields(mesh)))


def _lump(form: Form) -> None:
    """A box with round edges in the object's first colour."""
    (w, d, h), (x, y, _) = form.size, form.half
    tone = form.tone("body", next(iter(form.style.values()), (0.6, 0.6, 0.6)))
    form.sketch.cushion((-x, -y, 0), (x, y, h), tone, min(w, d, h) * 0.2)
