"""Draws categories of the catalogue alone on plain ground, for a reader who says what they are.

Run `python docs/reference/houses/make_contact_sheet.py SHEET.png [CATEGORY ...]`. Without
categories, `--sample SEED COUNT` draws random ones. A cell shows a number and the longest side in
centimetres. SHEET.txt has the names.
"""

from __future__ import annotations

import argparse
import math
from dataclasses import replace
from pathlib import Path

import numpy as np
from PIL import Image, ImageDraw

from homebody.core.ground.seeds import choose
from homebody.worlds.house.model.catalogue import ThingKind, catalogue
from homebody.worlds.house.model.house import Furniture, House, Opening, Pose, Room, Thing
from homebody.worlds.house.model.receptacles import furniture_receptacles, thing_receptacles
from homebody.worlds.house.rendering.meshes.by_category import furniture_mesh, thing_mesh
from homebody.worlds.house.rendering.meshes.mesh import Mesh
from homebody.worlds.house.rendering.render import Camera, Renderer, camera_matrix

CELL, ACROSS, STEP = 224, 7, 2.0
GROUND = (0.62, 0.62, 0.6)


def specimen(category: str, seed: int) -> Furniture | Thing:
    """An object of a category, its colours and material drawn by a seed."""
    kind = catalogue().things.get(category) or catalogue().furniture[category]
    rng = np.random.default_rng([seed, *category.encode()])
    style = {part: choose(rng, palette) for part, palette in kind.style.items()}
    materials = kind.made_of.get(next(iter(style.values()), GROUND), ())
    material = choose(rng, materials) if materials else ""
    name, pose = f"{category}_{seed}", Pose((0.0, 0.0, 0.0))
    if isinstance(kind, ThingKind):
        spaces = thing_receptacles(kind, kind.size)
        return Thing(name, category, kind.size, pose, ("", ""), style, {}, spaces, material)
    width, depth, height = ((low + high) / 2 for low, high in kind.size)
    size = width, depth, height
    spaces = furniture_receptacles(kind, size)
    return Furniture(name, category, "", pose, size, spaces, style, {}, material=material)


def scaled(specimen: Furniture | Thing) -> Mesh:
    """Its mesh, stretched evenly to a metre, in the middle."""
    draw = thing_mesh if isinstance(specimen, Thing) else furniture_mesh
    mesh = draw(specimen, {})  # type: ignore[arg-type]
    low, high = mesh.corners.min(axis=(0, 1)), mesh.corners.max(axis=(0, 1))
    middle = np.array([(low[0] + high[0]) / 2, (low[1] + high[1]) / 2, low[2]], np.float32)
    factor = np.float32(1 / float((high - low).max()))
    return replace(mesh, corners=(mesh.corners - middle) * factor)


def sheet(categories: list[str], seed: int = 0) -> Image.Image:
    """Pictures of categories in rows, with numbers and longest sides."""
    own = [specimen(category, seed) for category in categories]
    side = STEP * (ACROSS + 2)
    spots = [(STEP * (i % ACROSS + 1.5), STEP * (i // ACROSS + 1.5)) for i in range(len(own))]
    deep = spots[-1][1] + 4.0
    room = Room("den_0", "office", ((0, 0), (side, 0), (side, deep), (0, deep)), 4.0, "", GROUND)
    windows = [
        Opening(f"window_{i}", "window", ("den_0",), (x, deep), (x + 1.8, deep), 0.2, 3.8)
        for i, x in enumerate(np.arange(0.1, side - 2, 2.0))
    ]
    names = [f"specimen_{i}" for i in range(len(own))]
    shown = tuple(
        Thing(name, each.category, (1.0, 1.0, 1.0), Pose((*spot, 0.002), 25.0), ("floor_den_0", ""))
        for name, each, spot in zip(names, own, spots, strict=True)
    )
    meshes = dict(zip(names, map(scaled, own), strict=True))
    house = House(0, "home", (room,), tuple(windows), (), shown)
    renderer = Renderer.of(house, meshes=lambda name, _: meshes.get(name))
    page = Image.new("RGB", (CELL * ACROSS, CELL * (1 + (len(own) - 1) // ACROSS)))
    write = ImageDraw.Draw(page)
    for i, each in enumerate(own):
        part = renderer.scene.part(names[i]).corners.reshape(-1, 3)
        middle = (part.min(axis=0) + part.max(axis=0)) / 2
        eye = np.array([middle[0], middle[1] + 2.7, middle[2] + 2.2], np.float32)
        pitch = math.degrees(math.atan2(-2.2, 2.7))
        right, ahead, up = camera_matrix(180.0, pitch) @ (part - eye).T
        fov = math.degrees(2 * math.atan(1.1 * float(np.abs([right / ahead, up / ahead]).max())))
        camera = Camera(tuple(map(float, eye)), 180.0, pitch, CELL, CELL, fov)  # type: ignore[arg-type]
        rgb = renderer.picture(camera, samples=2, hide={*names} - {names[i]}).rgb
        white = 150 / np.median(rgb[-9:, :9], axis=(0, 1))  # daylight from the sky is blue
        rgb = np.clip(rgb * white, 0, 255).astype(np.uint8)
        place = CELL * (i % ACROSS), CELL * (i // ACROSS)
        page.paste(Image.fromarray(rgb), place)
        write.text((place[0] + 4, place[1] + 2), f"{i + 1}  {100 * max(each.size):.0f} cm", "black")
    return page


def main() -> None:
    """Draw a sheet."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("out", type=Path)
    parser.add_argument("category", nargs="*")
    parser.add_argument("--sample", nargs=2, type=int, metavar=("SEED", "COUNT"))
    given = parser.parse_args()
    seed, count = given.sample or (0, 0)
    known = [*catalogue().things, *catalogue().furniture]
    chosen = given.category or np.random.default_rng(seed).permutation(known)[:count].tolist()
    sheet(chosen, seed).save(given.out)
    given.out.with_suffix(".txt").write_text(
        "".join(f"{i} {name}\n" for i, name in enumerate(chosen, 1))
    )


if __name__ == "__main__":
    main()
