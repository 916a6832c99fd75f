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
    "bar_cart": ("serving_cart",),
    "bar_stool": ("stool",),
    "basket_ball": ("basketball",),
    "bath_tub": ("bathtub",),
    "bathroom_sink": ("washbasin",),
    "bathtub_basin": ("bathtub",),
    "beanbag": ("bean_bag",),
    "bed_sheets": ("bed_sheet",),
    "bedside_table": ("nightstand",),
    "bike": ("bicycle",),
    "bin": ("trash_bin",),
    "book_case": ("bookcase",),
    "books": ("book",),
    "bookshelf": ("bookcase",),
    "bottle": ("water_bottle",),
    "box": ("cardboard_box",),
    "buffet": ("cabinet",),
    "butter_knife": ("knife",),
    "can": ("food_can",),
    "candlestick": ("candle_holder",),
    "carpet": ("rug",),
    "cart": ("serving_cart",),
    "ceiling_light": ("ceiling_lamp",),
    "cell_phone": ("phone",),
    "chandelier": ("ceiling_lamp",),
    "chest_of_drawers": ("dresser",),
    "china_cabinet": ("cabinet",),
    "clock": ("wall_clock",),
    "cloth": ("cleaning_cloth",),
    "clothes_dryer": ("dryer",),
    "coffee_cup": ("cup",),
    "coffee_maker": ("coffee_machine",),
    "comforter": ("duvet",),
    "computer": ("desktop_computer", "monitor"),
    "container": ("food_container",),
    "cooktop": ("stove",),
    "couch": ("sofa",),
    "counter_top": ("counter",),
    "countertop": ("counter",),
    "credenza": ("cabinet",),
    "cupboard": ("cabinet",),
    "cushion": ("pillow",),
    "decoration": ("figurine",),
    "desk_lamp": ("table_lamp",),
    "desktop": ("desktop_computer", "monitor"),
    "dining_chair": ("chair",),
    "dining_table": ("table",),
    "dish_sponge": ("sponge",),
    "dog_bed": ("pet_bed",),
    "drawer": ("dresser",),
    "drawers": ("dresser",),
    "egg": ("egg_carton",),
    "end_table": ("side_table",),
    "fan": ("electric_fan",),
    "file_cabinet": ("filing_cabinet",),
    "flower": ("bouquet",),
    "flowerpot": ("flower_pot",),
    "flowers": ("bouquet",),
    "footstool": ("ottoman", "stool"),
    "garbage_bag": ("trash_bag",),
    "garbage_can": ("trash_bin",),
    "gas_stove": ("stove",),
    "goblet": ("wine_glass",),
    "hand_towel": ("towel",),
    "hand_towel_holder": ("towel_rack",),
    "hob": ("stove",),
    "house_plant": ("potted_plant",),
    "hutch": ("cabinet",),
    "ipad": ("tablet",),
    "island": ("kitchen_island",),
    "jar": ("ceramic_jar",),
    "jug": ("pitcher",),
    "key_chain": ("key",),
    "kitchen_cabinet": ("cabinet",),
    "kitchen_sink": ("sink",),
    "ladder": ("step_ladder",),
    "lamp": ("table_lamp",),
    "laundry_hamper": ("laundry_basket",),
    "microwave_oven": ("microwave",),
    "night_stand": ("nightstand",),
    "notebook_computer": ("laptop",),
    "ottoman": ("stool",),
    "oven": ("stove",),
    "paper_towel_roll": ("paper_towel", "toilet_paper"),
    "pendant_lamp": ("ceiling_lamp",),
    "pepper_shaker": ("pepper_grinder",),
    "photo": ("picture_frame",),
    "picture": ("painting",),
    "plant": ("potted_plant",),
    "pot_plant": ("potted_plant",),
    "pouf": ("ottoman",),
    "punch_bag": ("punching_bag",),
    "purse": ("handbag",),
    "range": ("stove",),
    "refrigerator": ("fridge",),
    "remote": ("remote_control",),
    "rubbish_bin": ("trash_bin",),
    "screen": ("monitor",),
    "scrub_brush": ("brush",),
    "shelves": ("shelf",),
    "shelving_unit": ("shelf",),
    "shoe": ("shoes",),
    "shoe_cabinet": ("shoe_rack",),
    "shower_stall": ("shower",),
    "side_board": ("cabinet",),
    "sideboard": ("cabinet",),
    "sneaker": ("sneakers",),
    "soap_bar": ("soap",),
    "soap_bottle": ("soap_dispenser",),
    "standing_lamp": ("floor_lamp",),
    "statue": ("figurine",),
    "stereo": ("radio",),
    "stuffed_toy": ("teddy_bear",),
    "table_top_decor": ("figurine",),
    "tap": ("faucet",),
    "tea_pot": ("teapot",),
    "tea_table": ("coffee_table",),
    "television": ("tv",),
    "tissue": ("tissue_box",),
    "toilet_paper_hanger": ("toilet_paper_holder",),
    "toilet_roll": ("toilet_paper",),
    "towel_holder": ("towel_rack",),
    "trash_can": ("trash_bin",),
    "trashcan": ("trash_bin",),
    "trolley": ("serving_cart",),
    "tub": ("bathtub",),
    "tv_monitor": ("tv",),
    "tv_object": ("tv",),
    "tvstand": ("tv_stand",),
    "unknown_picture": ("painting",),
    "wall_art": ("painting",),
    "wardrobe_closet": ("wardrobe",),
    "wash_basin": ("washbasin",),
    "washer": ("washing_machine",),
    "washer_dryer": ("washing_machine",),
    "waste_basket": ("trash_bin",),
    "wine_cabinet": ("cabinet",),
    "workout_bench": ("weight_bench",),
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
