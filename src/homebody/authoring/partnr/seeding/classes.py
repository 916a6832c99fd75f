"""What the classes of published seed tasks are called in homebody: tables of facts."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

OBJECTS: Final[Mapping[str, str]] = {
    "lamp": "table_lamp",
    "plant_container": "flower_pot",
    "cellphone": "phone",
    "toy_fire_truck": "toy_truck",
    "toy_vehicle": "toy_car",
    "stuffed_toy": "teddy_bear",
    "toy_animal": "stuffed_rabbit",
    "toy_construction_set": "building_blocks",
    "electric_kettle": "kettle",
    "plant_saucer": "saucer",
    "hand_towel": "towel",
    "bath_towel": "towel",
    "spectacles": "glasses",
    "egg": "egg_carton",
    "shoe": "shoes",
    "file_sorter": "letter_tray",
    "tennis_racquet": "tennis_racket",
    "bottle": "water_bottle",
    "action_figure": "toy_robot",
    "android_figure": "toy_robot",
    "clock": "alarm_clock",
    "keychain": "key",
    "battery_charger": "charger",
    "electronic_cable": "extension_cord",
    "can": "soda_can",
    "casserole": "pot",
    "jug": "pitcher",
    "statue": "bust",
    "gaming_console": "game_console",
    "canister": "food_container",
    "carrying_case": "briefcase",
    "ramekin": "bowl",
}
"""Published class of objects -> the same in homebody's catalogue, where the names differ."""

STAND_INS: Final[Mapping[str, str]] = {
    "sushi_mat": "placemat",
    "credit_card": "wallet",
    "toy_food": "toy_train",
    "toy_fruits": "doll",
    "toy_bee": "stuffed_rabbit",
    "toy_pineapple": "bath_duck",
    "toy_cactus": "cactus",
    "toy_swing": "doll",
    "c-clamp": "pliers",
    "phone_stand": "charger",
    "squeezer": "can_opener",
    "monitor_stand": "speaker",
    "laptop_stand": "letter_tray",
    "laptop_cover": "folder",
    "mouse_pad": "computer_mouse",
    "hard_drive": "calculator",
    "milk_frother_cup": "coffee_machine",
    "butter_dish": "butter",
    "baseballbat": "skateboard",
}
"""Published class that homebody has not -> something that is used and handled alike."""

_SURFACES = (
    *("table", "coffee_table", "kids_table", "side_table", "console_table", "desk"),
    *("nightstand", "dresser", "kitchen_island", "counter"),
)
PIECES: Final[Mapping[str, tuple[str, ...]]] = {
    "table": _SURFACES,
    "chest_of_drawers": ("dresser", "nightstand", "tv_stand", "cabinet", "console_table"),
    "counter": ("counter", "kitchen_island"),
    "chair": ("chair", "armchair", "office_chair", "stool", "bar_stool", "bench", "sofa", "bed"),
    "cabinet": ("cabinet", "wall_cabinet", "bathroom_cabinet", "tv_stand", "counter"),
    "couch": ("sofa", "armchair"),
    "bed": ("bed", "kids_bed"),
    "shelves": ("shelf", "bookcase", "pantry_shelf", "shoe_rack"),
    "stool": ("stool", "bar_stool", "chair"),
    "toilet": ("toilet",),
    "washer_dryer": ("washing_machine", "dryer"),
    "bench": ("bench",),
    "fridge": ("fridge",),
    "stand": ("tv_stand", "side_table"),
    "wardrobe": ("wardrobe",),
    "bathtub": ("bathtub",),
    "shower": ("shower",),
    "chest": ("toy_chest",),
}
"""Published class of furniture -> those of homebody that it may be, the likest first."""

ROOMS: Final[Mapping[str, tuple[str, ...]]] = {
    "bedroom": ("bedroom", "guest_room", "kids_room"),
    "living_room": ("living_room", "tv_room"),
    "kitchen": ("kitchen",),
    "dining_room": ("dining_room",),
    "office": ("office", "library"),
    "hallway": ("hallway",),
    "entryway/foyer/lobby": ("hallway",),
    "laundryroom/mudroom": ("laundry_room",),
    "laundryroom": ("laundry_room",),
    "tv": ("tv_room", "living_room"),
    "lounge": ("living_room", "tv_room"),
    "bathroom": ("bathroom", "guest_bathroom"),
    "garage": ("garage",),
    "closet": ("closet",),
    "workout/gym/exercise": (),
}
"""Published region -> kinds of rooms of homes."""
