"""How long pictures, updates and looks take in the house world, and pybullet's renderer beside it.

    python benchmarks/house_render.py [--bullet] [--size 448]

One core. The house: 6 rooms, 60 pieces of furniture, 300 objects, seed 1. ``--bullet`` needs
pybullet; its TinyRenderer draws the same triangles from the same cameras, with shadows. Times are
CPU milliseconds: the best of several runs, and the mean over a good view of every room.
"""

from __future__ import annotations

import argparse
import os
import resource
import tempfile
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

os.environ.setdefault("OMP_NUM_THREADS", "1")

import numpy as np

from homebody.worlds.house.generation.generate import generate
from homebody.worlds.house.model.house import House, Pose
from homebody.worlds.house.model.state import Body, HouseState
from homebody.worlds.house.rendering.ray_scene import RayScene
from homebody.worlds.house.rendering.render import Camera, Renderer, eye_of
from homebody.worlds.house.rendering.viewpoints import good_view
from homebody.worlds.house.rendering.visibility import AROUND, Visibility


def best(work: Callable[[], object], runs: int = 5) -> float:
    """The least CPU time of some runs, milliseconds."""
    found = []
    for _ in range(runs):
        start = time.process_time()
        work()
        found.append((time.process_time() - start) * 1e3)
    return min(found)


def memory() -> float:
    """Resident memory now, MB."""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * resource.getpagesize() / 1e6


def bullet(scene: RayScene, cameras: list[Camera]) -> list[float]:
    """Times of pybullet's software renderer on the same triangles."""
    import pybullet

    client = pybullet.connect(pybullet.DIRECT)
    with tempfile.TemporaryDirectory() as folder:
        for name in scene.names[1:]:
            mesh = scene.part(name)
            if not len(mesh):
                continue
            path = Path(folder) / f"{name}.obj"
            lines = [f"v {x:.4f} {y:.4f} {z:.4f}" for x, y, z in mesh.corners.reshape(-1, 3)]
            normals = mesh.normals.reshape(-1, 3)
            lines += [f"vn {x:.3f} {y:.3f} {z:.3f}" for x, y, z in normals]
            for i in range(1, 3 * len(mesh), 3):
                lines.append(f"f {i}//{i} {i + 1}//{i + 1} {i + 2}//{i + 2}")
            path.write_text("\n".join(lines))
            colour = [float(part) for part in mesh.colours.mean(axis=0)]
            shape = pybullet.createVisualShape(
                pybullet.GEOM_MESH, fileName=str(path), rgbaColor=[*colour, 1]
            )
            pybullet.createMultiBody(0, -1, shape)
    found = []
    for camera in cameras:
        yaw, pitch = np.radians(camera.yaw), np.radians(camera.pitch)
        ahead = np.array([-np.sin(yaw) * np.cos(pitch), np.cos(yaw) * np.cos(pitch), np.sin(pitch)])
        eye = np.array(camera.position)
        view = pybullet.computeViewMatrix(eye.tolist(), (eye + ahead).tolist(), [0, 0, 1])
        lens = pybullet.computeProjectionMatrixFOV(camera.fov, 1.0, 0.05, 40.0)

        def draw(view: object = view, lens: object = lens, size: int = camera.width) -> None:
            pybullet.getCameraImage(
                size, size, view, lens, shadow=1, renderer=pybullet.ER_TINY_RENDERER
            )

        draw()
        found.append(best(draw, 3))
    pybullet.disconnect(client)
    return found


def a_walk(house: House, cameras: list[Camera]) -> tuple[float, float, float]:
    """Times of a look, of one after a thing has moved, and of a picture after that."""
    x, y, _ = cameras[0].position
    state = HouseState.start(house, {"robot": Body(Pose((x, y, 0.0), cameras[0].yaw))})
    scene = RayScene(house, state)
    visibility, renderer = Visibility(scene), Renderer(scene)
    loose = next(one for one in house.things if one.place[0] in house.floors)
    steps = iter(range(100_000))

    def move() -> None:
        state.move(loose.name, loose.place, Pose((x + 0.001 * next(steps), y, 0.0)))

    def look_around() -> None:
        pose = state.bodies["robot"].pose
        visibility.find_visible(eye_of(pose), pose.yaw, hide=("robot",))

    def moved_look() -> None:
        move()
        visibility.update(state)
        look_around()

    def moved_picture() -> None:
        move()
        renderer.update(state)
        renderer.picture(cameras[0], hide=("robot",))

    look = best(look_around, 30)
    return look, best(moved_look, 30), best(moved_picture, 5)


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--bullet", action="store_true", help="also time pybullet")
    parser.add_argument("--size", type=int, default=448)
    options = parser.parse_args()
    generate(0, rooms=2)  # imports and the catalogue
    house = generate(1, rooms=6, furniture=60, things=300)
    Renderer.of(generate(0, rooms=1)).picture(Camera((1.0, 1.0, 1.5), width=32, height=32))
    before = memory()
    renderer = Renderer.of(house)
    renderer.picture(Camera((1.0, 1.0, 1.5), width=32, height=32))
    visibility = Visibility(renderer.scene)
    used = memory() - before
    cameras = [
        replace(good_view(renderer, room.name), width=options.size, height=options.size)
        for room in house.rooms
    ]
    for one in cameras:
        renderer.picture(one)
    times = [best(lambda one=camera: renderer.picture(one)) for camera in cameras]  # type: ignore[misc]
    print(f"triangles                        {len(renderer.scene.base):8d}")
    print(f"build a scene                    {best(lambda: RayScene(house)):8.1f} ms")
    print(f"memory with tables and trees     {used:8.1f} MB")
    size = f"{options.size} x {options.size}"
    print(f"picture {size:24} {np.mean(times):8.1f} ms   ({', '.join(f'{t:.0f}' for t in times)})")
    look, moved, picture = a_walk(house, cameras)
    print(f"who sees what                    {look:8.2f} ms")
    print(f"... after a thing has moved      {moved:8.2f} ms")
    print(f"picture after a thing has moved  {picture:8.1f} ms")
    x, y, _ = cameras[0].position
    around = best(lambda: visibility.find_visible(eye_of(Pose((x, y, 0.0))), view=AROUND))
    print(f"look all around                  {around:8.2f} ms")
    if options.bullet:
        theirs = bullet(renderer.scene, cameras)
        print(f"pybullet TinyRenderer            {np.mean(theirs):8.1f} ms   "
              f"({', '.join(f'{t:.0f}' for t in theirs)})")  # fmt: skip


if __name__ == "__main__":
    main()
