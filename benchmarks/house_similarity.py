"""How like the fast pictures are to path-traced ones, view by view.

    python benchmarks/house_similarity.py [--views 100] [--threads 2] [--out FOLDER]

Structural similarity (SSIM) of the luminance as Wang et al. 2004 define it: Gaussian windows of
11 x 11 pixels, sigma 1.5, K1 0.01, K2 0.03, mean over all windows that lie inside. Views are those
that ``--room`` shows, two rooms of each house, over all kinds of scenes. Fast pictures have 2 x 2
rays a pixel. Under each view: luminance of the fast and of the path-traced picture (0 to 255) of
floors, walls, ceilings, furniture and objects, where they are 2 % of it at least. ``--out`` keeps
the pictures, fast left, path-traced right.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterator
from dataclasses import replace
from itertools import count
from pathlib import Path
from typing import Any

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view

from homebody.worlds.house.generation.generate import generate
from homebody.worlds.house.model.catalogue import catalogue
from homebody.worlds.house.model.house import House
from homebody.worlds.house.rendering.pathtracing.pathtracer import PathTracer
from homebody.worlds.house.rendering.render import Camera, Picture, Renderer
from homebody.worlds.house.rendering.viewpoints import good_view


def luminance(rgb: Any) -> Any:
    """Of sRGB bytes, 0 to 255, with the weights of Rec. 601."""
    return rgb.astype(np.float64) @ (0.299, 0.587, 0.114)


def similarity(a: Any, b: Any) -> float:
    """The mean SSIM of two images of luminance."""
    weights = np.exp(-(np.arange(-5, 6) ** 2) / (2 * 1.5**2))
    weights /= weights.sum()

    def mean(image: Any) -> Any:
        return sliding_window_view(sliding_window_view(image, 11, 0) @ weights, 11, 1) @ weights

    c1, c2 = (0.01 * 255) ** 2, (0.03 * 255) ** 2
    one, two = mean(a), mean(b)
    spread = mean(a * a) - one * one, mean(b * b) - two * two
    common = mean(a * b) - one * two
    values = (2 * one * two + c1) * (2 * common + c2)
    values /= (one * one + two * two + c1) * (spread[0] + spread[1] + c2)
    return float(values.mean())


def views() -> Iterator[tuple[House, list[str]]]:
    """Houses of all kinds, each with two of its rooms, without end."""
    kinds = sorted(catalogue().scenes)
    for i in count():
        house = generate(i, kinds[i % len(kinds)])
        rooms = [room.name for room in house.rooms]
        first = i // len(kinds) % len(rooms)
        yield house, sorted({rooms[first], rooms[(first + len(rooms) // 2) % len(rooms)]})


def parts(house: House, fast: Picture, high: Picture) -> str:
    """The luminance of what the picture shows, fast and path-traced."""
    kinds = {"": "outdoors"}
    for name in fast.names[1:]:
        word = name.split("_")[0]
        kinds[name] = (
            "furniture" if name in house.piece else "objects" if name in house.thing else
            word if word in ("floor", "walls", "ceiling") else "openings, people"
        )  # fmt: skip
    codes = sorted(set(kinds.values()))
    of = np.array([codes.index(kinds[name]) for name in fast.names])[fast.ids]
    one, two = luminance(fast.rgb), luminance(high.rgb)
    told = []
    for code, kind in enumerate(codes):
        where = of == code
        if where.mean() >= 0.02:
            told.append(f"{kind} {one[where].mean():.0f}/{two[where].mean():.0f}")
    return ", ".join(told)


def main() -> None:
    """Print the list."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--views", type=int, default=10)
    parser.add_argument("--size", type=int, default=448)
    parser.add_argument("--samples", type=int, default=12)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--time", default="day")
    parser.add_argument("--out", type=Path)
    options = parser.parse_args()
    found: list[float] = []
    seconds: list[float] = []
    for house, rooms in views():
        if len(found) == options.views:
            break
        renderer = Renderer.of(house, time=options.time)
        tracer = PathTracer(renderer, samples=options.samples, threads=options.threads)
        with tracer:
            for room in rooms:
                if len(found) == options.views:
                    break
                camera: Camera = good_view(renderer, room)
                camera = replace(camera, width=options.size, height=options.size)
                fast = renderer.picture(camera, samples=2)
                start = time.perf_counter()
                high = tracer.picture(camera)
                seconds.append(time.perf_counter() - start)
                found.append(similarity(luminance(fast.rgb), luminance(high.rgb)))
                name = f"{house.kind}-{house.seed}-{room}"
                print(f"{found[-1]:.3f}  {name}: {parts(house, fast, high)}", flush=True)
                if options.out:
                    from PIL import Image

                    options.out.mkdir(parents=True, exist_ok=True)
                    both = np.concatenate([fast.rgb, high.rgb], axis=1)
                    Image.fromarray(both).save(options.out / f"{found[-1]:.3f}-{name}.png")
    print(f"{len(found)} views: mean {np.mean(found):.3f}, median {np.median(found):.3f},", end=" ")
    print(
        f"lowest {min(found):.3f}, {np.mean(np.array(found) >= 0.85):.0%} at least 0.85;", end=" "
    )
    print(f"{np.mean(seconds):.1f} s a path-traced picture")


if __name__ == "__main__":
    main()
