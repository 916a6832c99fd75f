"""Maps types of AI2-THOR, ProcTHOR, HSSD and ReplicaCAD to categories of homebody's catalogue.

A type is first normalised: ``DiningTable``, ``dining table`` and ``dining-table`` become
``dining_table``. Then the catalogue is searched for this name and for its synonyms in
``OTHER_NAMES``. An unknown type keeps its own name and has no affordances.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from homebody.worlds.house.model.catalogue import Catalogue

MAX_NAME = 60

OTHER_NAMES: Mapping[str, tuple[str, ...]] = {
    "arm_chair": ("armchair",),
    "bar_stool": ("stool",),
    "basket_ball": ("basketball",),
    "bathtub_basin": ("bathtub",),
    "bin": ("trash_bin",),
    "book_case": ("bookcase",),
    "bookshelf": ("bookcase",),
    "bottle": ("water_bottle",),
    "box": ("cardboard_box",),
    "butter_knife": ("knife",),
    "cell_phone": ("phone",),
    "chest_of_drawers": ("dresser",),
    "cloth": ("cleaning_cloth",),
    "clothes_dryer": ("dryer",),
    "coffee_maker": ("coffee_machine",),
    "computer": ("desktop_computer", "monitor"),
    "couch": ("sofa",),
    "counter_top": ("counter",),
    "countertop": ("counter",),
    "cupboard": ("cabinet",),
    "cushion": ("pillow",),
    "desk_lamp": ("table_lamp",),
    "desktop": ("desktop_computer", "monitor"),
    "dining_chair": ("chair",),
    "dining_table": ("table",),
    "dish_sponge": ("sponge",),
    "dog_bed": ("pet_bed",),
    "drawers": ("dresser",),
    "egg": ("egg_carton",),
    "footstool": ("ottoman", "stool"),
    "garbage_bag": ("trash_bag",),
    "garbage_can": ("trash_bin",),
    "hand_towel": ("towel",),
    "house_plant": ("potted_plant",),
    "key_chain": ("key",),
    "lamp": ("table_lamp",),
    "laundry_hamper": ("laundry_basket",),
    "night_stand": ("nightstand",),
    "bedside_table": ("nightstand",),
    "ottoman": ("stool",),
    "oven": ("stove",),
    "paper_towel_roll": ("paper_towel", "toilet_paper"),
    "pepper_shaker": ("pepper_grinder",),
    "picture": ("painting",),
    "plant": ("potted_plant",),
    "pot_plant": ("potted_plant",),
    "refrigerator": ("fridge",),
    "remote": ("remote_control",),
    "rubbish_bin": ("trash_bin",),
    "scrub_brush": ("brush",),
    "shelves": ("shelf",),
    "shelving_unit": ("shelf",),
    "shoe": ("shoes",),
    "shower_stall": ("shower",),
    "side_board": ("cabinet",),
    "soap_bar": ("soap",),
    "soap_bottle": ("soap_dispenser",),
    "statue": ("figurine",),
    "table_top_decor": ("figurine",),
    "tap": ("faucet",),
    "tea_table": ("coffee_table",),
    "television": ("tv",),
    "tv_monitor": ("tv",),
    "toilet_paper_hanger": ("toilet_paper_holder",),
    "towel_holder": ("towel_rack",),
    "hand_towel_holder": ("towel_rack",),
    "trashcan": ("trash_bin",),
    "trash_can": ("trash_bin",),
    "tv_object": ("tv",),
    "tvstand": ("tv_stand",),
    "unknown_picture": ("painting",),
    "wall_art": ("painting",),
    "wardrobe_closet": ("wardrobe",),
    "wash_basin": ("washbasin",),
    "washer": ("washing_machine",),
    "washer_dryer": ("washing_machine",),
}
ROOMS: Mapping[str, str] = {
    "bath": "bathroom",
    "bathroom": "bathroom",
    "closet": "closet",
    "corridor": "hallway",
    "dining": "dining_room",
    "entry": "hallway",
    "entrance": "hallway",
    "entryway": "hallway",
    "foyer": "hallway",
    "hall": "hallway",
    "kids_bedroom": "kids_room",
    "laundry": "laundry_room",
    "living": "living_room",
    "lounge": "living_room",
    "nursery": "kids_room",
    "porch": "hallway",
    "study": "office",
    "toilet": "bathroom",
    "tv": "tv_room",
    "utility_room": "laundry_room",
    "workout_room": "gym_floor",
    "gym": "gym_floor",
}
ANY_ROOM = "living_room"
"""Kind of a room whose type is unknown."""


@dataclass(frozen=True, slots=True)
class Category:
    """A category: its name, and the part of the catalogue that contains it, or an empty string."""

    name: str
    of: Literal["furniture", "things", ""]

    @property
    def is_known(self) -> bool:
        """True if the catalogue contains it."""
        return bool(self.of)


def as_name(text: str) -> str:
    """Return a type as a name: small letters, digits and underscores; ``thing`` if empty."""
    words = re.sub(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", "_", text[: 4 * MAX_NAME])
    name = re.sub(r"[^a-z0-9]+", "_", words.lower()).strip("_")[:MAX_NAME].strip("_")
    return name or "thing"


def category_of(type: str, entries: Catalogue) -> Category:
    """Return the category of a type."""
    name = as_name(type)
    for option in (name, *OTHER_NAMES.get(name, ())):
        if option in entries.furniture:
            return Category(option, "furniture")
        if option in entries.things:
            return Category(option, "things")
    return Category(name, "")


def room_kind(type: str, entries: Catalogue) -> str:
    """Return the kind of room of a type."""
    name = as_name(re.sub(r"[_\s]*\d+$", "", type))
    for option in (name, ROOMS.get(name, ""), f"{name}_room", ROOMS.get(name.split("_")[0], "")):
        if option in entries.rooms:
            return option
    return ANY_ROOM
