"""Meshes of everything in a house, by category, size, style and state.

The recipe of a category is the one that the catalogue names as its ``shape``; what has no recipe is
a box with round edges in its main colour. Meshes are in the frame of the thing and remembered: the
twelve chairs of a restaurant are drawn once.
"""

from __future__ import annotations

import zlib
from collections.abc import Mapping
from functools import lru_cache

import numpy as np

from homebody.worlds.house.model.catalogue import catalogue
from homebody.worlds.house.model.house import Colour, Furniture, Person, Receptacle, Thing, Vector
from homebody.worlds.house.rendering.materials import Surface
from homebody.worlds.house.rendering.meshes import appliances as shapes_machines
from homebody.worlds.house.rendering.meshes import bathroom as shapes_wet
from homebody.worlds.house.rendering.meshes import beds_and_seats as shapes_seats
from homebody.worlds.house.rendering.meshes import decor as shapes_decor
from homebody.worlds.house.rendering.meshes import dishes as shapes_dishes
from homebody.worlds.house.rendering.meshes import electronics as shapes_devices
from homebody.worlds.house.rendering.meshes import food as shapes_food
from homebody.worlds.house.rendering.meshes import tables_and_storage as shapes_storage
from homebody.worlds.house.rendering.meshes import textiles as shapes_cloth
from homebody.worlds.house.rendering.meshes import tools as shapes_tools
from homebody.worlds.house.rendering.meshes import toys as shapes_toys
from homebody.worlds.house.rendering.meshes.mesh import Mesh, Sketch
from homebody.worlds.house.rendering.meshes.parts import Form, Recipe
from homebody.worlds.house.rendering.meshes.people import agent, person

RECIPES: dict[str, Recipe] = {
    **shapes_seats.RECIPES,
    **shapes_storage.RECIPES,
    **shapes_wet.RECIPES,
    **shapes_decor.RECIPES,
    **shapes_machines.RECIPES,
    **shapes_dishes.RECIPES,
    **shapes_food.RECIPES,
    **shapes_cloth.RECIPES,
    **shapes_toys.RECIPES,
    **shapes_tools.RECIPES,
    **shapes_devices.RECIPES,
}
"""By shape: furniture and objects. Add to it to draw a shape of your own."""

MUD: Colour = (0.42, 0.32, 0.18)
"""Of dirt."""
SEEN_STATES = ("open", "powered_on", "clean", "filled")
"""States that change how a thing looks."""


def variant(name: str) -> int:
    """A small number out of a name, the same everywhere: it tells things of a kind apart."""
    return zlib.crc32(name.encode()) % 1000


def furniture_mesh(piece: Furniture, states: Mapping[str, bool]) -> Mesh:
    """A piece of furniture in its own frame."""
    kind = catalogue().furniture.get(piece.category)
    shape = kind.shape if kind is not None else piece.category
    return _drawn(
        shape,
        piece.category,
        piece.size,
        tuple(sorted(piece.style.items())),
        _seen(states),
        piece.receptacles,
        variant(piece.name) % 12,
    )


def thing_mesh(thing: Thing, states: Mapping[str, bool]) -> Mesh:
    """An object in its own frame."""
    kind = catalogue().things.get(thing.category)
    shape = kind.shape if kind is not None else thing.category
    return _drawn(
        shape,
        thing.category,
        thing.size,
        tuple(sorted(thing.style.items())),
        _seen(states),
        (),
        variant(thing.name) % 6,
    )


def person_mesh(someone: Person) -> Mesh:
    """A person in its own frame."""
    sketch = Sketch()
    form = Form(sketch, someone.size, someone.clothes, {}, (), variant(someone.name))
    person(form, someone.posture)
    return sketch.mesh()


@lru_cache(maxsize=64)
def agent_mesh(size: Vector, body: Colour, accent: Colour) -> Mesh:
    """An agent's body in its own frame."""
    sketch = Sketch()
    agent(Form(sketch, size, {"body": body, "accent": accent}, {}))
    return sketch.mesh()


def soiled(mesh: Mesh) -> Mesh:
    """What a dirty thing looks like: brown in patches."""
    plain = ~np.isin(mesh.surfaces, (Surface.GLOW, Surface.GLASS))
    surfaces = np.where(plain, np.uint8(Surface.DIRT), mesh.surfaces)
    seconds = np.where(plain[:, None], np.array(MUD, np.float32), mesh.seconds)
    return Mesh(mesh.corners, mesh.normals, mesh.colours, seconds, surfaces)


def _seen(states: Mapping[str, bool]) -> tuple[tuple[str, bool], ...]:
    return tuple((name, states[name]) for name in SEEN_STATES if name in states)


@lru_cache(maxsize=8192)
def _drawn(
    shape: str,
    category: str,
    size: Vector,
    style: tuple[tuple[str, Colour], ...],
    states: tuple[tuple[str, bool], ...],
    receptacles: tuple[Receptacle, ...],
    number: int,
) -> Mesh:
    sketch = Sketch()
    state = dict(states)
    form = Form(sketch, size, dict(style), state, receptacles, number, category)
    RECIPES.get(shape, _lump)(form)
    mesh = sketch.mesh()
    return mesh if state.get("clean", True) else soiled(mesh)


def _lump(form: Form) -> None:
    w, d, h = form.size
    tone = form.tone("body", next(iter(form.style.values()), (0.6, 0.6, 0.6)))
    form.sketch.cushion((-w / 2, -d / 2, 0), (w / 2, d / 2, h), tone, min(w, d, h) * 0.2)
