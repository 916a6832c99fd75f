"""Make the pictures of the gallery, and its page.

Run `python docs/reference/houses/make_gallery.py [--fast]`.

The same version and seeds make the same fast pictures. Path-traced pictures need a Python with
Blender (see pictures.md) and take some 10 s each. Only missing ones are made, so the same command
resumes after an interruption; delete gallery/*-high.webp to make them all again. Without Blender,
or with --fast, existing path-traced pictures are kept. All pictures together stay below 6 MB, as
they are part of every checkout.
"""

from __future__ import annotations

import io
import sys
from contextlib import ExitStack
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from PIL import Image

from homebody.core.ground.user_errors import HomebodyError
from homebody.worlds.house.generation.generate import generate
from homebody.worlds.house.model.house import House
from homebody.worlds.house.rendering.map_picture import map_picture
from homebody.worlds.house.rendering.pathtracing.pathtracer import PathTracer, blender_python
from homebody.worlds.house.rendering.render import Renderer
from homebody.worlds.house.rendering.viewpoints import good_view

HERE = Path(__file__).parent
FOLDER = HERE / "gallery"
SIZE = (400, 300)
MAP_WIDTH = 480
QUALITY = 80
MAX_BYTES = 6_000_000


@dataclass(frozen=True, slots=True)
class Entry:
    """A scene of the gallery: what it is generated from, which rooms are shown, and when."""

    title: str
    seed: int
    kind: str
    shown: tuple[str, ...]
    rooms: int | None = None
    type: str = ""
    density: float = 1.0
    time: str = "day"


ENTRIES = (
    Entry("A home of six rooms", 1, "home", ("living_room", "kitchen", "bedroom"), 6),
    Entry("The same in the evening", 1, "home", ("living_room", "kitchen"), 6, time="evening"),
    Entry("The same at night", 1, "home", ("living_room", "kitchen"), 6, time="night"),
    Entry("A studio", 2, "home", ("studio_room", "bathroom"), type="studio"),
    Entry("A flat", 3, "home", ("living_room", "kitchen"), type="flat"),
    Entry("A family's flat", 4, "home", ("kids_room", "living_room"), type="family_flat"),
    Entry("A house with a garage", 5, "home", ("garage", "living_room", "hallway"), type="house"),
    Entry("A shared flat", 6, "home", ("shared_bedroom", "kitchen"), type="shared_flat"),
    Entry("A large home", 21, "home", ("living_room", "dining_room", "office"), 12),
    Entry("A bare home", 8, "home", ("living_room", "kitchen"), 5, density=0.0),
    Entry("A cluttered home", 8, "home", ("living_room", "kitchen"), 5, density=2.0),
    Entry("An office", 2, "office", ("open_office", "meeting_room"), 4),
    Entry("Another office, in the evening", 7, "office", ("open_office",), 5, time="evening"),
    Entry("A school", 2, "classroom", ("classroom", "staff_room"), 3),
    Entry("A shop", 3, "shop", ("sales_floor", "storage_room"), 3),
    Entry("A gym", 4, "gym", ("gym_floor", "weight_room"), 4),
    Entry("A restaurant", 5, "restaurant", ("dining_hall", "restaurant_kitchen"), 3),
    Entry("A restaurant at night", 9, "restaurant", ("dining_hall",), 3, time="night"),
    Entry("A gallery", 6, "gallery", ("gallery_hall", "reception"), 4),
    Entry("A hospital", 3, "hospital", ("ward", "examination_room", "nurses_station"), 7),
    Entry("A hotel", 2, "hotel", ("hotel_room", "hotel_lobby", "hotel_bathroom"), 7),
    Entry("A supermarket", 3, "supermarket", ("market_floor", "storage_room"), 5),
    Entry("Another supermarket", 11, "supermarket", ("market_floor",), 4),
    Entry("A house of nine rooms", 30, "home", ("living_room", "bedroom", "bathroom"), 9),
)

INTRODUCTION = """# Gallery of the house world

See what generated houses look like. Each scene is generated from a seed. The first picture of a
pair is the fast one that agents see, drawn on one core without GPU, display or download. The second
shows the same scene, camera and light, path-traced by Blender's Cycles ([how](pictures.md)). Maps
are ray casts from above. Views are the best of each room (`good_view`).

`python docs/reference/houses/make_gallery.py` makes this page again.
"""


def save(image: np.ndarray[Any, np.dtype[np.uint8]], path: Path) -> None:
    """Write a WebP picture."""
    data = io.BytesIO()
    Image.fromarray(image).save(data, "webp", quality=QUALITY, method=6)
    path.write_bytes(data.getvalue())


def call(entry: Entry) -> str:
    """How this house is made."""
    rooms = f", rooms={entry.rooms}" if entry.rooms else ""
    type = f', type="{entry.type}"' if entry.type else ""
    density = f", density={entry.density}" if entry.density != 1.0 else ""
    return f'generate({entry.seed}, "{entry.kind}"{rooms}{type}{density})'


def house_of(entry: Entry) -> House:
    """The house of an entry."""
    return generate(entry.seed, entry.kind, entry.rooms, type=entry.type, density=entry.density)


def make(number: int, entry: Entry, fast_only: bool) -> list[str]:
    """Make the pictures of an entry; its lines of the page."""
    house = house_of(entry)
    renderer = Renderer.of(house, time=entry.time)
    count = f"{len(house.furniture)} pieces of furniture, {len(house.things)} objects"
    people = f", {len(house.people)} people" if house.people else ""
    at = f", `time={entry.time!r}`" if entry.time != "day" else ""
    lines = [f"\n## {entry.title}\n", f"`{call(entry)}`{at}: {count}{people}.\n"]
    if entry.time == "day":
        plan = map_picture(renderer, 60.0)
        height = round(plan.shape[0] * MAP_WIDTH / plan.shape[1])
        small = Image.fromarray(plan).resize((MAP_WIDTH, height), Image.Resampling.LANCZOS)
        save(np.asarray(small), FOLDER / f"{number:02d}-plan.webp")
        lines.append(f"![Map](gallery/{number:02d}-plan.webp)\n")
    with ExitStack() as stack:
        tracer: PathTracer | None = None
        for kind in entry.shown:
            room = next(room.name for room in house.rooms if room.kind == kind)
            camera = replace(good_view(renderer, room), width=SIZE[0], height=SIZE[1])
            stem = f"{number:02d}-{room}"
            save(renderer.picture(camera, samples=2).rgb, FOLDER / f"{stem}.webp")
            if not fast_only and not (FOLDER / f"{stem}-high.webp").exists():
                tracer = tracer or stack.enter_context(PathTracer(renderer, threads=2))
                save(tracer.picture(camera).rgb, FOLDER / f"{stem}-high.webp")
            words = room.rsplit("_", 1)[0].replace("_", " ")
            lines.append(f"![{words}](gallery/{stem}.webp)")
            if (FOLDER / f"{stem}-high.webp").exists():
                lines.append(f"![{words}, path-traced](gallery/{stem}-high.webp)")
            lines.append("")
    return lines


def main() -> None:
    """Make everything."""
    fast_only = "--fast" in sys.argv[1:]
    try:
        blender_python()
    except HomebodyError as error:
        fast_only = True
        print(f"path-traced pictures are kept as they are: {error}")
    FOLDER.mkdir(exist_ok=True)
    lines = [INTRODUCTION]
    for number, entry in enumerate(ENTRIES):
        lines += make(number, entry, fast_only)
        print(number, entry.title, flush=True)
    page = "\n".join(lines).rstrip() + "\n"
    (HERE / "gallery.md").write_text(page)
    for old in FOLDER.iterdir():
        if f"(gallery/{old.name})" not in page:
            old.unlink()
    total = sum(path.stat().st_size for path in FOLDER.iterdir())
    print(f"{total / 1e6:.2f} MB in {FOLDER}")
    if total > MAX_BYTES:
        raise SystemExit("the pictures are too large: reduce SIZE or QUALITY")


if __name__ == "__main__":
    main()
