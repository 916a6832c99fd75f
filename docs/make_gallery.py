"""Makes the pictures of docs/gallery.md, and the page: python docs/make_gallery.py

The same version and seeds make the same pictures. They are small PNGs of few colours, so that all
together stay below 1.5 MB.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from PIL import Image

from homebody.worlds.house.generation.generate import generate
from homebody.worlds.house.model.house import House
from homebody.worlds.house.rendering.map_picture import map_picture
from homebody.worlds.house.rendering.render import Renderer
from homebody.worlds.house.rendering.viewpoints import good_view

HERE = Path(__file__).parent
FOLDER = HERE / "gallery"
SIZE = (400, 300)
MAP_WIDTH = 480
MAX_BYTES = 1_500_000


@dataclass(frozen=True, slots=True)
class Entry:
    """A scene of the gallery: what it is generated from, and which rooms are shown."""

    title: str
    seed: int
    kind: str
    rooms: int | tuple[str, ...]
    shown: tuple[str, ...]


ENTRIES = (
    Entry("A home of six rooms", 1, "home", 6, ("living_room_0", "kitchen_0", "bedroom_0")),
    Entry(
        "A home with a bathroom and an office",
        11,
        "home",
        ("living_room", "bathroom", "office", "dining_room"),
        ("bathroom_0", "office_0", "dining_room_0"),
    ),
    Entry(
        "A home with children",
        5,
        "home",
        ("living_room", "kids_room", "playroom", "bathroom"),
        ("kids_room_0", "playroom_0", "bathroom_0"),
    ),
    Entry(
        "A home with books and a garage",
        8,
        "home",
        ("living_room", "library", "garage", "laundry_room"),
        ("library_0", "garage_0", "laundry_room_0"),
    ),
    Entry("A large home of twelve rooms", 21, "home", 12, ("living_room_0", "kitchen_0")),
    Entry(
        "A small flat",
        14,
        "home",
        ("living_room", "kitchen", "bathroom"),
        ("kitchen_0", "bathroom_0"),
    ),
    Entry("An office", 2, "office", 4, ("open_office_0", "meeting_room_0")),
    Entry("A school", 2, "classroom", 3, ("classroom_0", "staff_room_0")),
    Entry("A shop", 3, "shop", 3, ("sales_floor_0", "storage_room_0")),
    Entry("A gym", 4, "gym", 4, ("gym_floor_0", "weight_room_0")),
    Entry("A restaurant", 5, "restaurant", 3, ("dining_hall_0", "restaurant_kitchen_0")),
    Entry("A gallery", 6, "gallery", 4, ("gallery_hall_0", "gallery_hall_1")),
)

INTRODUCTION = """# Gallery of the house world

Each scene is generated from a seed, and drawn on one core without GPU, display or download. The
maps are ray casts from above; the views are what an agent sees with `Camera(fov=84)` from a corner
of the room. `python docs/make_gallery.py` makes this page again.
"""


def save(image: np.ndarray[tuple[int, ...], np.dtype[np.uint8]], path: Path, colours: int) -> int:
    """Write a PNG of few colours; its size in bytes."""
    reduced = Image.fromarray(image).quantize(colours, dither=Image.Dither.NONE)
    reduced.save(path, optimize=True)
    return path.stat().st_size


def describe(house: House, entry: Entry) -> str:
    """A line on how to make this house."""
    rooms = entry.rooms if isinstance(entry.rooms, int) else list(entry.rooms)
    count = f"{len(house.furniture)} pieces of furniture, {len(house.things)} objects"
    return f'`generate({entry.seed}, "{entry.kind}", rooms={rooms})`: {count}.'


def main() -> None:
    """Make everything."""
    FOLDER.mkdir(exist_ok=True)
    for old in sorted(FOLDER.glob("*.png")):
        old.unlink()
    lines, total = [INTRODUCTION], 0
    for number, entry in enumerate(ENTRIES):
        rooms = entry.rooms if isinstance(entry.rooms, int) else list(entry.rooms)
        house = generate(entry.seed, entry.kind, rooms)
        renderer = Renderer.of(house)
        house_map = map_picture(renderer, 60.0)
        height = round(house_map.shape[0] * MAP_WIDTH / house_map.shape[1])
        small = Image.fromarray(house_map).resize((MAP_WIDTH, height), Image.Resampling.LANCZOS)
        names = [f"{number:02d}-plan.png"]
        total += save(np.asarray(small), FOLDER / names[0], 48)
        for room in entry.shown:
            camera = replace(good_view(renderer, room), width=SIZE[0], height=SIZE[1])
            names.append(f"{number:02d}-{room}.png")
            picture = renderer.picture(camera, samples=3)
            total += save(picture.rgb, FOLDER / names[-1], 96)
        lines.append(f"\n## {entry.title}\n\n{describe(house, entry)}\n")
        lines.append(f"![Map](gallery/{names[0]})\n")
        for room, name in zip(entry.shown, names[1:], strict=True):
            lines.append(f"![{room.rsplit('_', 1)[0].replace('_', ' ')}](gallery/{name})")
    (HERE / "gallery.md").write_text("\n".join(lines) + "\n")
    print(f"{total / 1e6:.2f} MB in {FOLDER}")
    if total > MAX_BYTES:
        raise SystemExit("the pictures are too large: reduce SIZE or the colours")


if __name__ == "__main__":
    main()
