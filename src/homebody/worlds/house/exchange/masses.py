"""Masses of objects: a density times the volume of the object's shape.

A density applies to the whole shape, including hollows and contents: a bottle is full, a suitcase
is empty. The category decides if it is listed, else the material.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from types import MappingProxyType

import numpy as np

from homebody.worlds.house.model.catalogue import catalogue
from homebody.worlds.house.model.house import Thing
from homebody.worlds.house.rendering.meshes.by_category import thing_mesh
from homebody.worlds.house.rendering.meshes.mesh import Mesh

UNKNOWN = 400.0
"""Density of an unknown material, kg per cubic metre."""
BY_MATERIAL: Mapping[str, float] = MappingProxyType(
    {
        "cardboard": 200, "ceramic": 2300, "clay": 1900, "cork": 200, "fabric": 90, "foam": 40,
        "food": 800, "glass": 2400, "leather": 200, "metal": 2700, "painted_wood": 600,
        "paper": 750, "plant": 500, "plaster": 1200, "plastic": 400, "rubber": 1000, "stone": 2600,
        "wax": 900, "wicker": 250, "wood": 650,
    }
)  # fmt: skip
"""Material of the catalogue -> kg per cubic metre of a usual object of it."""
_BY_DENSITY: Mapping[float, str] = MappingProxyType(
    {
        2: "balloon",
        12: "exercise_ball",
        20: "cardboard_box",
        40: "cushion duvet pillow trash_bag",
        60: "backpack briefcase chips_bag diaper gift_box gym_bag pet_carrier pizza_box"
        " storage_box suitcase",
        75: "ball basketball boxing_gloves foam_roller football rubber_gloves shopping_bag"
        " stuffed_dog stuffed_elephant stuffed_rabbit teddy_bear volleyball",
        100: "binder bread_box drum first_aid_kit food_container guitar hard_hat hat helmet"
        " lunch_box paper_cup paper_plate sewing_kit tissue_box toolbox",
        150: "air_fryer apron broom cereal_box coffee_machine dollhouse dress folder frisbee"
        " gas_can"
        " hospital_gown hot_water_bottle ice_cube_tray medicine_box muffin_tin rice_cooker scarf"
        " shirt skirt sneakers socks swimsuit t_shirt trousers underwear"
        " space_heater tea_box toaster toaster_oven violin yoga_mat",
        200: "baseball_glove board_game boots cookie_box cracker_box globe jewellery_box"
        " laundry_basket letter_tray light_bulb paper_towel_roll puzzle rubber_boots sandals"
        " table_lamp"
        " toilet_paper ukulele",
        300: "baguette bath_duck blender bread cabbage cash_register chess_board crate desk_lamp"
        " dustpan egg_carton food_processor juicer lettuce medicine_ball music_box plunger"
        " potty printer sewing_machine shopping_basket stand_mixer telephone tire",
        400: "badminton_racket tennis_ball toilet_brush toy_robot",
        450: "aluminum_foil baking_tray cake coffee_bag cupcake dog_food grater ice_cream kettle"
        " kidney_dish lantern monitor muffin pasta_box pot projector radio record_player"
        " robot_vacuum roller_skates scale speaker tennis_racket toy_car trophy"
        " vacuum_cleaner watering_can",
        600: "baseball butter_dish ceramic_jar colander cookie_jar drill electric_fan hair_dryer"
        " hand_mixer keyboard kitchen_scale laptop mallet microscope picture_frame"
        " piggy_bank playing_cards potting_soil scooter sugar_bowl teapot vase",
        900: "bicycle_pump camera crutch electric_shaver flour_bag game_console garden_hose"
        " headphones ice_bucket iron jump_rope leash microphone mixing_bowl pet_bowl phone"
        " power_strip rope router salad_bowl sugar_box tablet thermos tray umbrella"
        " walkie_talkie watch charger flower_pot",
        1000: "baby_bottle baby_food baby_formula body_wash cat_food conditioner deodorant"
        " detergent dish_soap fabric_softener food_can glue_stick golf_ball hand_sanitizer"
        " juice_carton ketchup lotion milk_carton mouthwash oil_bottle paint_can"
        " peanut_butter perfume play_dough pumpkin sauce_bottle shampoo shaving_cream"
        " sippy_cup soap_dispenser soda_bottle soda_can spray_bottle toothpaste water_bottle"
        " watermelon yogurt",
        1200: "beer_bottle belt champagne_glass coffee_jar fire_extinguisher hand_axe honey_jar"
        " hourglass jam_jar pickle_jar pitcher rake saw shovel snow_globe spice_jar whiskey"
        " wine_bottle wine_glass",
        2500: "battery chisel crowbar hammer hole_punch padlock pliers pruning_shears"
        " scissors screwdriver stapler",
        4000: "bottle_opener can_opener cleaver corkscrew dumbbell fork kettlebell kitchen_knife"
        " knife ladle peeler spoon strainer teaspoon tongs weight_plate whisk",
        7800: "bracelet coin key nail_clippers nails necklace ring screws wrench",
    }
)
"""Kilograms per cubic metre -> categories."""
_ALMOST_ALL, _LITTLE = 0.95, 0.02
"""Bounds of a shape's volume as a share of its box."""


@cache
def _by_category() -> Mapping[str, float]:
    return {name: density for density, names in _BY_DENSITY.items() for name in names.split()}


def mass_of(thing: Thing) -> float:
    """Return the mass of an object in kilograms."""
    kind = catalogue().things.get(thing.category)
    usual = kind.materials[0] if kind is not None and kind.materials else ""
    by_material = BY_MATERIAL.get(thing.material or usual, UNKNOWN)
    density = _by_category().get(thing.category, by_material)
    w, d, h = thing.size
    box = w * d * h
    volume = min(max(volume_of(thing_mesh(thing, {})), _LITTLE * box), _ALMOST_ALL * box)
    return density * volume


def volume_of(mesh: Mesh) -> float:
    """Return the volume that the triangles of a mesh enclose, in cubic metres.

    Parts that overlap count twice; surfaces without a back count as much as they enclose from the
    origin.
    """
    a, b, c = (mesh.corners[:, corner].astype(np.float64) for corner in range(3))
    return float((a * np.cross(b, c)).sum() / 6)
