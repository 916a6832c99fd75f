"""Lists of nouns for :mod:`.nouns`: what people call the things of the catalogue."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final


def set_of(words: str) -> frozenset[str]:
    """The words of a text."""
    return frozenset(words.split())


SPOKEN: Final[Mapping[str, str]] = {
    "tv": "TV",
    "tv_room": "TV room",
    "tv_stand": "TV stand",
    "t_shirt": "T-shirt",
    "kids_bed": "kids bed",
    "paper_stack": "stack of paper",
    "cash_register": "cash register",
    "washbasin": "washbasin",
}
"""Category -> its name where that is not the category's with spaces."""

PLURALS: Final[Mapping[str, str]] = {
    "knife": "knives",
    "shelf": "shelves",
    "bookshelf": "bookshelves",
    "loaf": "loaves",
    "scarf": "scarves",
    "mouse": "mice",
    "potato": "potatoes",
    "tomato": "tomatoes",
    "chess": "chess",
    "stack of paper": "stacks of paper",
    "child": "children",
}
PAIRS: Final = set_of(
    "scissors chopsticks clothespins headphones glasses sunglasses trousers socks gloves shoes"
    " sneakers boots slippers pliers dice crayons cards blocks bread butter cheese lettuce soap"
    " detergent shampoo toothpaste pizza pants jeans spectacles paper stairs"
)
"""Nouns without a plural of their own, or that are one."""

RISKY: Final = set_of(
    "can iron brush watch book plant tape drill saw ring scale drum light lights dish paint orange"
    " cap comb mop fan tea wash dust belt basin file paper water"
)
"""Words that are verbs or adjectives as well: nouns only after something that leads up to one."""

HEADS_LEFT_OUT: Final = set_of(
    "room machine top stand set paper area board case stack can frame game hall pack"
    " dispenser opener grater holder maker pin mat cards blocks cutter roller floor clothes"
    " racket case kit crate"
)
"""Last words of compound names that are not said alone of the thing."""

OBJECT_WORDS: Final[Mapping[str, tuple[str, ...]]] = {
    "cell phone": ("phone",),
    "cellphone": ("phone",),
    "mobile phone": ("phone",),
    "smartphone": ("phone",),
    "drinking glass": ("glass",),
    "water glass": ("glass",),
    "coffee mug": ("mug",),
    "coffee cup": ("cup", "mug"),
    "tea cup": ("cup",),
    "teacup": ("cup",),
    "jug": ("pitcher",),
    "frying pan": ("pan",),
    "skillet": ("pan",),
    "saucepan": ("pot", "pan"),
    "electric kettle": ("kettle",),
    "tea kettle": ("kettle",),
    "stuffed toy": ("teddy_bear", "stuffed_rabbit"),
    "stuffed animal": ("teddy_bear", "stuffed_rabbit"),
    "plush toy": ("teddy_bear", "stuffed_rabbit"),
    "toy animal": ("teddy_bear", "stuffed_rabbit", "bath_duck"),
    "toy fire truck": ("toy_truck",),
    "fire truck": ("toy_truck",),
    "toy vehicle": ("toy_car", "toy_truck", "toy_train", "toy_airplane"),
    "toy plane": ("toy_airplane",),
    "toy construction set": ("building_blocks",),
    "construction set": ("building_blocks",),
    "rubber duck": ("bath_duck",),
    "action figure": ("toy_robot", "figurine"),
    "statue": ("bust", "figurine"),
    "statuette": ("figurine",),
    "hand towel": ("towel",),
    "bath towel": ("towel",),
    "tea towel": ("dish_towel",),
    "tennis racquet": ("tennis_racket",),
    "racquet": ("tennis_racket",),
    "spectacles": ("glasses",),
    "eyeglasses": ("glasses",),
    "reading glasses": ("glasses",),
    "pants": ("trousers",),
    "jeans": ("trousers",),
    "jumper": ("sweater",),
    "shoe": ("shoes", "sneakers", "boots", "slippers"),
    "boot": ("boots",),
    "sneaker": ("sneakers",),
    "slipper": ("slippers",),
    "trainers": ("sneakers",),
    "sock": ("socks",),
    "glove": ("gloves",),
    "purse": ("handbag",),
    "rucksack": ("backpack",),
    "clock": ("alarm_clock",),
    "lamp": ("table_lamp",),
    "light": ("table_lamp", "flashlight"),
    "torch": ("flashlight",),
    "desk lamp": ("table_lamp",),
    "bedside lamp": ("table_lamp",),
    "reading lamp": ("table_lamp",),
    "plant container": ("flower_pot",),
    "plant pot": ("flower_pot",),
    "planter": ("flower_pot",),
    "plant saucer": ("saucer",),
    "potted plant": ("plant",),
    "houseplant": ("plant", "cactus"),
    "file sorter": ("letter_tray",),
    "document tray": ("letter_tray",),
    "photo frame": ("picture_frame",),
    "picture": ("picture_frame",),
    "photo": ("picture_frame",),
    "remote": ("remote_control",),
    "mouse": ("computer_mouse",),
    "fan": ("electric_fan",),
    "gaming console": ("game_console",),
    "console": ("game_console",),
    "controller": ("game_controller",),
    "battery charger": ("charger",),
    "phone charger": ("charger",),
    "electronic cable": ("extension_cord",),
    "cable": ("extension_cord", "charger"),
    "cushion": ("cushion", "pillow"),
    "throw pillow": ("cushion",),
    "keychain": ("key",),
    "casserole": ("pot",),
    "casserole dish": ("pot", "baking_tray"),
    "ramekin": ("bowl",),
    "canister": ("food_container", "ceramic_jar"),
    "can": ("soda_can", "food_can"),
    "bottle": ("water_bottle",),
    "egg": ("egg_carton",),
    "eggs": ("egg_carton",),
    "milk": ("milk_carton",),
    "juice": ("juice_carton",),
    "cereal": ("cereal_box",),
    "crackers": ("cracker_box",),
    "pasta": ("pasta_box",),
    "rice": ("rice_bag",),
    "flour": ("flour_bag",),
    "sugar": ("sugar_box",),
    "tea": ("tea_box",),
    "jam": ("jam_jar",),
    "honey": ("honey_jar",),
    "wine": ("wine_bottle",),
    "beer": ("beer_bottle",),
    "soda": ("soda_can",),
    "chips": ("chips_bag",),
    "candy": ("candy_bag",),
    "tissues": ("tissue_box",),
    "paper": ("paper_stack",),
    "papers": ("paper_stack",),
    "blocks": ("building_blocks",),
    "cards": ("playing_cards",),
    "deck of cards": ("playing_cards",),
    "loaf of bread": ("bread",),
    "present": ("gift_box",),
    "gift": ("gift_box",),
    "lunchbox": ("lunch_box",),
    "robot toy": ("toy_robot",),
    "teddy": ("teddy_bear",),
    "soccer ball": ("football",),
    "ball": ("ball", "basketball", "football", "tennis_ball"),
    "chessboard": ("chess_board",),
    "mat": ("yoga_mat", "placemat"),
    "stack of papers": ("paper_stack",),
}
"""What else objects are called, all of which it may be; nothing: something that is not here."""

FURNITURE_WORDS: Final[Mapping[str, tuple[str, ...]]] = {
    "couch": ("sofa",),
    "settee": ("sofa",),
    "refrigerator": ("fridge",),
    "cupboard": ("cabinet", "wall_cabinet", "bathroom_cabinet", "counter"),
    "bedside table": ("nightstand",),
    "night table": ("nightstand",),
    "chest of drawers": ("dresser",),
    "chests of drawers": ("dresser",),
    "dining table": ("table", "console_table", "side_table", "coffee_table", "kids_table"),
    "dinner table": ("table",),
    "breakfast table": ("table",),
    "end table": ("side_table",),
    "washer": ("washing_machine",),
    "washer dryer": ("washing_machine",),
    "tumble dryer": ("dryer",),
    "basin": ("washbasin",),
    "sink": ("sink", "washbasin"),
    "bin": ("trash_bin",),
    "trash": ("trash_bin",),
    "trash can": ("trash_bin",),
    "garbage": ("trash_bin",),
    "garbage can": ("trash_bin",),
    "island": ("kitchen_island",),
    "countertop": ("counter",),
    "worktop": ("counter",),
    "oven": ("stove",),
    "cooker": ("stove",),
    "stovetop": ("stove",),
    "television": ("tv",),
    "tv table": ("tv_stand",),
    "tv cabinet": ("tv_stand",),
    "media console": ("tv_stand",),
    "tub": ("bathtub",),
    "mantel": ("fireplace",),
    "mantelpiece": ("fireplace",),
    "toy box": ("toy_chest",),
    "bookshelf": ("bookcase", "shelf"),
    "shelf": ("shelf", "bookcase", "pantry_shelf"),
    "closet": ("wardrobe",),
    "crib": ("crib",),
    "cot": ("crib",),
    "bed": ("bed", "kids_bed"),
    "chair": ("chair",),
    "seat": ("chair", "sofa", "armchair", "stool", "bench"),
    "clock": ("wall_clock",),
    "lamp": ("floor_lamp", "ceiling_lamp"),
    "light": ("floor_lamp", "ceiling_lamp"),
    "lights": ("floor_lamp", "ceiling_lamp"),
    "ceiling light": ("ceiling_lamp",),
    "standing lamp": ("floor_lamp",),
    "plant": ("potted_plant",),
    "picture": ("painting",),
    "carpet": ("rug",),
    "vanity": ("washbasin",),
    "car trunk": ("car",),
    "trunk": ("car",),
    "bike": ("bicycle",),
    "work bench": ("workbench",),
    "children's bed": ("kids_bed",),
    "kid's bed": ("kids_bed",),
    "child's bed": ("kids_bed",),
    "children's table": ("kids_table",),
    "kid's table": ("kids_table",),
    "drawer": (
        *("dresser", "nightstand", "desk", "console_table", "filing_cabinet", "tool_cabinet"),
        *("teacher_desk", "checkout"),
    ),
}

ROOM_WORDS: Final[Mapping[str, tuple[str, ...]]] = {
    "lounge": ("living_room", "tv_room"),
    "sitting room": ("living_room",),
    "family room": ("living_room", "tv_room"),
    "den": ("living_room", "tv_room"),
    "living area": ("living_room",),
    "study": ("office",),
    "home office": ("office",),
    "master bedroom": ("bedroom",),
    "bedroom": ("bedroom", "guest_room", "kids_room"),
    "guest bedroom": ("guest_room",),
    "nursery": ("kids_room",),
    "kid's room": ("kids_room",),
    "kid's bedroom": ("kids_room",),
    "child's room": ("kids_room",),
    "children's room": ("kids_room",),
    "children's bedroom": ("kids_room",),
    "laundry": ("laundry_room",),
    "laundry area": ("laundry_room",),
    "utility room": ("laundry_room",),
    "bathroom": ("bathroom", "guest_bathroom"),
    "washroom": ("bathroom", "guest_bathroom"),
    "restroom": ("bathroom", "guest_bathroom", "restroom"),
    "dining area": ("dining_room",),
    "hall": ("hallway",),
    "corridor": ("hallway",),
    "entryway": ("hallway",),
    "entrance": ("hallway",),
    "foyer": ("hallway",),
    "lobby": ("hallway",),
    "walk-in closet": ("closet",),
    "play room": ("playroom",),
    "workshop": ("garage",),
}

FOREIGN: Final = (
    *("sushi mat", "credit card", "toy bee", "toy pineapple", "toy cactus", "toy swing"),
    *("toy food", "toy fruit", "phone stand", "monitor stand", "laptop stand", "laptop cover"),
    *("c-clamp", "squeezer", "mouse pad", "hard drive", "milk frother cup", "milk frother"),
    *("butter dish", "carrying case", "android figure", "baseball bat", "swimming pool"),
    *("gym", "balcony", "patio", "attic", "basement", "garden", "terrace", "porch", "backyard"),
    *("hot tub", "fish tank", "aquarium", "ottoman", "hammock", "recliner", "grill"),
    *("vacuum cleaner", "printer stand", "ladder", "washer dryer combo"),
)
"""Nouns of things that no homebody home has."""

_TOYS = (
    *("toy_car", "toy_truck", "toy_train", "toy_airplane", "toy_robot", "doll", "teddy_bear"),
    *("stuffed_rabbit", "building_blocks", "puzzle", "board_game", "bath_duck", "ball", "dice"),
    *("football", "basketball", "tennis_ball", "playing_cards", "crayons", "drum", "skateboard"),
)
_CUTLERY = ("fork", "spoon", "knife", "chopsticks")
_UTENSILS = ("ladle", "spatula", "whisk", "rolling_pin", "can_opener", "scissors", "cutting_board")
_DISHES = (
    *("cup", "mug", "glass", "wine_glass", "plate", "bowl", "saucer", "teapot", "pitcher", "tray"),
    *_CUTLERY,
    *("pan", "pot", "colander", "baking_tray"),
)
_FRUIT = (
    *("apple", "orange", "lemon", "pear", "peach", "banana", "watermelon", "pineapple", "tomato"),
)
_VEGETABLES = (*("tomato", "potato", "onion", "carrot", "cucumber", "lettuce", "pumpkin"),)
_DRINKS = (
    *("milk_carton", "juice_carton", "water_bottle", "wine_bottle", "beer_bottle", "soda_can"),
)
_GROCERIES = (
    *_FRUIT,
    *_VEGETABLES,
    *_DRINKS,
    *("egg_carton", "bread", "croissant", "cake", "pizza", "sandwich", "cheese", "butter"),
    *("yogurt", "ice_cream", "oil_bottle", "sauce_bottle", "food_can", "jam_jar", "honey_jar"),
    *("spice_jar", "coffee_jar", "cereal_box", "cracker_box", "pasta_box", "rice_bag"),
    *("flour_bag", "sugar_box", "tea_box", "chocolate", "candy_bag", "chips_bag"),
    *("salt_shaker", "pepper_grinder"),
)
_FOOTWEAR = ("shoes", "sneakers", "boots", "slippers")
_CLOTHES = (
    *("shirt", "t_shirt", "sweater", "trousers", "socks", "scarf", "gloves", "hat", "cap", "belt"),
    *_FOOTWEAR,
)
_BOOKS = ("book", "comic_book", "dictionary", "cookbook", "photo_album", "notebook")
_STATIONERY = (
    *("notebook", "folder", "binder", "envelope", "paper_stack", "pen", "pencil", "marker"),
    *("eraser", "ruler", "stapler", "tape", "pencil_case", "calculator", "scissors", "letter_tray"),
    *("crayons", "paper_stack"),
)
_DEVICES = (
    *("laptop", "monitor", "keyboard", "computer_mouse", "printer", "tablet", "phone"),
    *("telephone", "remote_control", "camera", "headphones", "speaker", "radio", "game_console"),
    *("game_controller", "charger", "flashlight", "alarm_clock", "electric_fan", "calculator"),
)
_TOOLS = (
    *("hammer", "screwdriver", "wrench", "pliers", "saw", "drill", "measuring_tape", "toolbox"),
    *("paintbrush", "flashlight", "tape", "extension_cord"),
)
_TOILETRIES = (
    *("soap", "soap_dispenser", "toothbrush", "toothpaste", "shampoo", "hairbrush", "comb"),
    *("hair_dryer", "razor", "towel", "toilet_paper", "perfume", "tissue_box"),
)
_CLEANING = (
    *("sponge", "dish_soap", "spray_bottle", "detergent", "cleaning_cloth", "dish_towel"),
    *("bucket", "dustpan", "brush"),
)
_DECOR = (
    *("candle", "candle_holder", "vase", "plant", "cactus", "figurine", "bust", "ceramic_jar"),
    *("trophy", "picture_frame", "globe", "table_lamp", "music_box"),
)
_SPORTS = (
    *("ball", "football", "basketball", "tennis_ball", "tennis_racket", "skateboard", "helmet"),
    *("dumbbell", "kettlebell", "yoga_mat", "jump_rope", "medicine_ball", "foam_roller"),
)
_BAGS = ("handbag", "backpack", "suitcase", "gym_bag", "shopping_bag", "briefcase")
_GLASSWARE = ("glass", "wine_glass", "cup", "mug", "pitcher")
_LINEN = ("towel", "dish_towel", "blanket", "pillow", "cushion", "napkin", "placemat")
_APPLIANCES = ("kettle", "toaster", "blender", "coffee_machine")
_BOXES = ("cardboard_box", "storage_box", "gift_box", "basket", "food_container", "lunch_box")

CLASSES: Final[Mapping[str, tuple[str, ...]]] = {
    "toy": _TOYS,
    "toys": _TOYS,
    "plaything": _TOYS,
    "playthings": _TOYS,
    "toy vehicles": ("toy_car", "toy_truck", "toy_train", "toy_airplane"),
    "games": ("puzzle", "board_game", "playing_cards", "dice", "chess_board", "game_console"),
    "dish": _DISHES,
    "dishes": _DISHES,
    "crockery": _DISHES,
    "tableware": _DISHES,
    "dishware": _DISHES,
    "dinnerware": _DISHES,
    "kitchenware": (*_DISHES, *_UTENSILS, *_APPLIANCES),
    "cookware": ("pan", "pot", "baking_tray", "kettle", "colander"),
    "glassware": _GLASSWARE,
    "drinkware": _GLASSWARE,
    "cutlery": _CUTLERY,
    "silverware": _CUTLERY,
    "flatware": _CUTLERY,
    "utensil": (*_CUTLERY, *_UTENSILS),
    "utensils": (*_CUTLERY, *_UTENSILS),
    "kitchen utensil": (*_CUTLERY, *_UTENSILS),
    "kitchen utensils": (*_CUTLERY, *_UTENSILS),
    "fruit": _FRUIT,
    "fruits": _FRUIT,
    "vegetable": _VEGETABLES,
    "vegetables": _VEGETABLES,
    "produce": (*_FRUIT, *_VEGETABLES),
    "food": _GROCERIES,
    "foods": _GROCERIES,
    "snack": _GROCERIES,
    "snacks": _GROCERIES,
    "groceries": _GROCERIES,
    "ingredients": _GROCERIES,
    "drink": _DRINKS,
    "drinks": _DRINKS,
    "beverages": _DRINKS,
    "clothes": _CLOTHES,
    "clothing": _CLOTHES,
    "garments": _CLOTHES,
    "laundry": (*_CLOTHES, *_LINEN),
    "footwear": _FOOTWEAR,
    "reading material": (*_BOOKS, "magazine", "newspaper"),
    "stationery": _STATIONERY,
    "school supplies": _STATIONERY,
    "office supplies": _STATIONERY,
    "writing supplies": _STATIONERY,
    "device": _DEVICES,
    "devices": _DEVICES,
    "electronics": _DEVICES,
    "gadget": _DEVICES,
    "gadgets": _DEVICES,
    "appliances": (*_APPLIANCES, *_DEVICES),
    "tool": _TOOLS,
    "tools": _TOOLS,
    "toiletries": _TOILETRIES,
    "cleaning supplies": _CLEANING,
    "decoration": _DECOR,
    "decorations": _DECOR,
    "ornament": _DECOR,
    "ornaments": _DECOR,
    "sports equipment": _SPORTS,
    "sports gear": _SPORTS,
    "workout gear": _SPORTS,
    "bags": _BAGS,
    "linens": _LINEN,
    "containers": _BOXES,
    "instruments": ("guitar", "violin", "drum"),
    "musical instruments": ("guitar", "violin", "drum"),
}
"""Words for classes -> what may be meant; wide, as it only says what a word cannot mean."""
