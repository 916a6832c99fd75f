"""Words that are too similar to be offered as a wrong answer beside the right one.

Such words have the same meaning, or their objects look alike in a picture. They are words for
colours, shapes, materials, objects, rooms, activities and uses. Some furniture of houses is not
called so."""

from __future__ import annotations

from functools import cache
from typing import Final

_COLOURS: Final = (
    frozenset({"white", "cream", "beige", "light grey", "silver", "clear"}),
    frozenset({"black", "dark grey", "dark brown", "dark blue", "dark green"}),
    frozenset({"grey", "silver", "light grey", "dark grey"}),
    frozenset({"brown", "dark brown", "light brown", "rust-coloured", "copper-coloured", "beige"}),
    frozenset({"red", "dark red", "rust-coloured", "dark pink", "orange"}),
    frozenset({"pink", "dark pink", "light purple", "purple"}),
    frozenset({"green", "dark green", "light green", "olive", "teal"}),
    frozenset({"blue", "dark blue", "light blue", "teal"}),
    frozenset({"yellow", "golden", "cream", "orange"}),
)
"""Words for colours that can be mistaken for each other in a picture."""
_SHAPES: Final = (
    frozenset({"round", "oval", "disc-shaped"}),
    frozenset({"round", "cylindrical"}),
    frozenset({"round", "bowl-shaped"}),
    frozenset({"round", "ring-shaped"}),
    frozenset({"flat", "box-shaped"}),
    frozenset({"cylindrical", "bottle-shaped", "conical"}),
    frozenset({"flat", "disc-shaped", "long"}),
)
"""Words for shapes that can be mistaken for each other."""
_MATERIALS: Final = (
    frozenset({"cardboard", "paper", "fabric", "leather"}),
    frozenset({"metal", "plastic", "ceramic", "glass", "rubber", "wax"}),
    frozenset({"wood", "cork", "wicker", "cardboard"}),
    frozenset({"stone", "ceramic"}),
)
VISIBLE_MATERIALS: Final = frozenset({"wood", "fabric", "metal", "glass", "wicker"})
"""Materials that pictures show."""
_NOUNS: Final = (
    frozenset({"pot", "saucepan", "pan", "frying pan", "wok"}),
    frozenset({"mug", "cup", "glass", "paper cup", "beer mug", "thermos"}),
    frozenset({"plate", "saucer", "tray", "cutting board", "coaster"}),
    frozenset({"bowl", "mixing bowl", "salad bowl", "pet bowl", "kidney dish", "basket"}),
    frozenset({"book", "novel", "textbook", "notebook", "dictionary", "cookbook", "magazine"})
    | {"comic book", "atlas", "folder", "binder", "menu", "brochure", "album", "photo album"}
    | {"newspaper", "notepad", "clipboard", "passport", "calendar", "map"},
    frozenset({"letter", "envelope", "mail", "postcard", "sticky notes", "sheet of paper", "bill"}),
    frozenset({"cloth", "cleaning cloth", "washcloth", "towel", "dish towel", "tablecloth"})
    | {"blanket", "shirt", "T-shirt", "sweater", "hoodie", "trousers", "shorts", "pajamas"}
    | {"jacket", "dress", "skirt", "scarf", "apron", "bathrobe", "pillowcase", "napkin"},
    frozenset({"shampoo", "conditioner", "soap dispenser", "spray bottle", "dish soap", "lotion"})
    | {"water bottle", "soda bottle", "vase", "thermos", "pill bottle", "glue stick", "lipstick"},
    frozenset({"cushion", "pillow"}),
    frozenset({"phone", "tablet", "remote control", "calculator", "smart speaker", "wallet"}),
    frozenset({"table lamp", "desk lamp", "floor lamp", "lantern"}),
    frozenset({"plant", "potted plant", "cactus", "flower pot", "bouquet"}),
    frozenset({"toy car", "toy truck", "toy train", "toy bus", "toy boat", "toy airplane"}),
    frozenset({"teddy bear", "stuffed rabbit", "doll", "figurine", "toy robot", "action figure"})
    | {"stuffed dog", "stuffed elephant", "toy horse", "toy dinosaur", "bust"},
    frozenset({"ball", "football", "basketball", "volleyball", "baseball", "golf ball"})
    | {"tennis ball", "medicine ball", "exercise ball", "balloon", "yarn ball"},
    frozenset({"hat", "cap", "helmet", "hard hat"}),
    frozenset({"gloves", "oven mitt"}),
    frozenset({"hammer", "mallet", "hand axe"}),
    frozenset({"wrench", "pliers", "screwdriver", "chisel"}),
    frozenset({"rope", "leash", "belt", "charging cable", "extension cord", "jump rope"})
    | {"resistance band", "garden hose"},
    frozenset({"bread", "baguette", "croissant"}),
    frozenset({"muffin", "cupcake"}),
    frozenset({"cucumber", "zucchini", "eggplant"}),
    frozenset({"cabbage", "head of lettuce", "head of cauliflower", "head of broccoli"}),
    frozenset({"guitar", "ukulele", "violin"}),
    frozenset({"fork", "knife", "spoon", "kitchen knife", "ladle", "spatula", "wooden spoon"})
    | {"tongs", "whisk", "chopsticks"},
    frozenset({"pen", "pencil", "marker", "highlighter", "paintbrush", "comb", "toothbrush"}),
    frozenset({"apple", "orange", "pear", "peach", "lemon", "tomato", "kiwi", "bell pepper"})
    | {"lime", "mango", "avocado", "onion", "potato"},
    frozenset({"crate", "storage box", "toolbox", "briefcase", "suitcase", "gift box"}),
    frozenset({"backpack", "handbag", "shopping bag", "gym bag", "bag"}),
    frozenset({"shoes", "sneakers", "sandals", "high heels", "boots", "rubber boots", "slippers"}),
    frozenset({"bathroom cabinet", "cabinet", "chest of drawers", "console table", "counter"})
    | {"desk", "dresser", "dressing table", "filing cabinet", "kitchen island", "locker"}
    | {"nightstand", "medicine cabinet", "sideboard", "sink cupboard", "teacher desk"}
    | {"tool cabinet", "TV stand", "wall cabinet"},
    frozenset({"armchair", "sofa", "loveseat", "recliner"}),
    frozenset({"bookcase", "shelf", "pantry shelf"}),
    frozenset({"sink", "sink cupboard"}),
    frozenset({"fridge", "freezer", "display fridge", "ice machine", "minibar"}),
    frozenset({"washing machine", "dryer", "dishwasher"}),
    frozenset({"TV", "monitor", "bedside monitor"}),
    frozenset({"whiteboard", "projector screen", "flip chart"}),
)
_ROOMS: Final = (
    frozenset({"hallway", "corridor", "hospital_corridor", "entrance_hall"}),
    frozenset({"staff_room", "break_room"}),
    frozenset({"reception", "hotel_lobby", "waiting_room", "nurses_station"}),
    frozenset({"storage_room", "closet", "pantry", "cold_store"}),
    frozenset({"restroom", "bathroom", "guest_bathroom", "hotel_bathroom"}),
    frozenset({"office", "private_office", "open_office", "library"}),
    frozenset({"living_room", "tv_room"}),
    frozenset({"bedroom", "guest_room", "shared_bedroom", "kids_room"}),
    frozenset({"kids_room", "playroom"}),
    frozenset({"gym_floor", "weight_room", "yoga_room"}),
    frozenset({"dining_room", "dining_hall"}),
)
"""Kinds of rooms that can be mistaken for each other, or whose words are interchangeable."""
_ACTIVITIES: Final = (
    frozenset({"looking at an exhibit", "looking at a painting", "watching over the exhibition"})
    | {"waiting", "talking to somebody"},
    frozenset({"working at a computer", "keeping records of patients", "receiving visitors"}),
    frozenset({"resting", "waiting", "catching breath", "talking to somebody"}),
    frozenset({"cooking", "preparing food", "cooking for the guests"}),
    frozenset({"teaching", "presenting something", "pointing at something"}),
    frozenset({"listening to the teacher", "listening in a meeting", "raising a hand"}),
    frozenset({"looking after a patient", "visiting a patient"}),
    frozenset({"sleeping", "resting", "resting in a hospital bed"}),
    frozenset({"shopping", "carrying the shopping", "filling the shelves"}),
    frozenset({"getting some water", "buying a drink"}),
    frozenset({"washing the dishes", "washing the hands"}),
)
"""Activities that pictures hardly distinguish."""
NO_FURNITURE: Final = frozenset(
    (
        *("aquarium", "bicycle", "bird_cage", "car", "cat_tree", "doormat", "bath_mat", "rug"),
        *("hamper", "iv_stand", "lawn_mower", "litter_box", "luggage_cart", "mannequin", "moped"),
        *("pet_bed", "potted_plant", "punching_bag", "radiator", "recycling_bin", "rope_barrier"),
        *("sculpture", "shopping_cart", "step_ladder", "trash_bin", "umbrella_stand"),
        *("wheelbarrow", "wheelchair"),
    )
)
"""Categories of the house's furniture that nobody calls a piece of furniture."""
FACES: Final = frozenset(
    {"alarm_clock", "clipboard", "grandfather_clock", "wall_clock", "watch"}
    | {"bouquet", "cactus", "plant", "potted_plant"}
)
"""Objects whose largest part, a face, a sheet or leaves, has another colour than the rest."""
FRAMED: Final = frozenset({"hand_mirror", "mirror", "painting", "picture_frame", "wall_clock"})
"""Objects that show little of their colour and material."""
_SMALL: Final = frozenset(["a", "an", "the", "of", "in", "on", "from", "with", "up", "to"])
_USES: Final = (
    ("cooking", "frying", "stir-frying", "boiling", "baking", "heating", "draining", "toasting"),
    ("cleaning", "wiping", "washing", "scrubbing", "sweeping", "dusting", "drying", "spraying"),
    ("keeping", "holding", "carrying", "serving", "storing", "taking a meal", "collecting"),
    ("drinking", "pouring", "mixing", "filling", "eating"),
    ("cutting", "chopping", "peeling", "grating"),
    ("reading", "learning", "looking", "choosing", "finding"),
    ("writing", "drawing", "marking", "taking notes", "painting", "working"),
    ("decorating", "giving", "celebrating", "showing", "lighting", "smelling"),
    ("playing", "training", "learning", "catching", "hitting"),
    ("asking", "calling", "talking", "hearing", "listening", "making music", "speaking"),
    ("wearing", "dressing", "keeping warm", "keeping the neck", "sleeping", "warming"),
)
"""First words of uses that mean nearly the same."""


def confusable(colour: str) -> frozenset[str]:
    """Return a colour and the colours that look similar."""
    return _with(colour, _COLOURS)


def like_shape(form: str) -> frozenset[str]:
    """Return a word for a shape and its alternatives."""
    return _with(form, _SHAPES)


def like_material(material: str) -> frozenset[str]:
    """Return a material and the materials that look similar."""
    return _with(material, _MATERIALS)


@cache
def is_look_alike(noun: str, other: str) -> bool:
    """Return whether people could confuse the objects of two nouns: a mug and a cup, a bottle of
    shampoo and a bottle of lotion, a filing cabinet and another cabinet."""
    return other in _with(noun, _NOUNS) or _head(noun) == _head(other)


def is_like_room(kind: str, other: str) -> bool:
    """Return whether rooms of two kinds can be mistaken for each other."""
    return other in _with(kind, _ROOMS)


def is_like_activity(activity: str, other: str) -> bool:
    """Return whether people who do one could be thought to do the other."""
    return other in _with(activity, _ACTIVITIES)


def is_same_use(use: str, other: str) -> bool:
    """Return whether an object for the first use can also serve the second use."""
    if {*use.split()} & ({*other.split()} - _SMALL):
        return True
    return any(use.startswith(alike) and other.startswith(alike) for alike in _USES)


def _with(word: str, groups: tuple[frozenset[str], ...]) -> frozenset[str]:
    return frozenset({word}).union(*(group for group in groups if word in group))


def _head(noun: str) -> str:
    """Return the word for the kind of object: "bottle" of "a bottle of oil"."""
    before, of, _ = noun.partition(" of ")
    return before.split()[-1] if of else noun.split()[-1]
