"""Line icons of furniture: a few strokes each, told apart at a glance.

An icon is drawn in a square of 100 by 100 that is stretched to the size at hand; lines keep their
width. Strokes are written as letters and numbers, separated by semicolons:

    B x y width height radius   body: a filled box with an outline
    R x y width height radius   outline of a box
    P x y x y ...               body: a filled polygon
    L x y x y ...               line
    O x y radius                filled circle with an outline, round whatever the stretch
    D x y radius                dot
    S x y width height          dark box
    E x y rx ry                 body: a filled ellipse
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from homebody.suites.partnr.pictures.svg import LINE, WHITE, box, number, path, tag

HEIGHT: Final = 84.0
"""Pixels that icons are high."""
BODY: Final = "#fffdf7"


@dataclass(frozen=True, slots=True)
class Icon:
    """How a kind of furniture is drawn.

    Attributes:
        strokes: As the module says.
        width: Pixels, unless there is more to hold.
        surface: Where things on it stand, from the top, of 100.
        inside: Low x, low y, high x, high y of where things inside it are, of 100.
        stretches: Whether it may be wider and still be known for what it is.
    """

    strokes: str
    width: float = 84.0
    surface: float = 30.0
    inside: tuple[float, float, float, float] = (12, 40, 88, 90)
    stretches: bool = False


_BED = "L 4 98 4 24;B 4 56 92 26 3;L 96 98 96 50;B 9 43 20 13 5;L 38 56 38 82;L 4 82 96 82"
_COUNTER = "B 2 36 96 8 1;B 5 44 90 52 1;L 5 90 95 90"
_RACK = "L 8 4 8 98;L 92 4 92 98;L 8 8 92 8;L 8 36 92 36;L 8 64 92 64;L 8 92 92 92"
_CABINET = "B 8 28 84 64 2;L 50 28 50 92;D 45 58 2;D 55 58 2;L 14 92 14 98;L 86 92 86 98"
_DRAWERS = "B 8 34 84 56 2;L 8 53 92 53;L 8 72 92 72;L 43 44 57 44;L 43 62 57 62;L 43 81 57 81"
_WASHER = "B 12 26 76 70 3;L 12 42 88 42;O 50 69 19;O 50 69 13;O 76 34 3;R 19 31 26 6 1"
_TABLE = "B 3 42 94 8 1;L 12 50 12 98;L 88 50 88 98"
_SEAT = "L 30 8 30 98;B 30 56 42 8 2;L 72 64 72 98"

ICONS: Final[Mapping[str, Icon]] = {
    "bed": Icon(_BED, 132, 56, stretches=True),
    "kids_bed": Icon(f"{_BED};L 58 56 58 42 92 42 92 56;L 75 42 75 56", 116, 56, stretches=True),
    "crib": Icon(
        "B 8 28 84 50 3;L 22 28 22 78;L 36 28 36 78;L 50 28 50 78;L 64 28 64 78;L 78 28 78 78;"
        "L 8 28 8 98;L 92 28 92 98;L 8 68 92 68",
        100, 68, stretches=True,
    ),
    "nightstand": Icon(
        "B 18 40 64 46 2;L 18 62 82 62;L 44 51 56 51;L 44 74 56 74;L 24 86 24 98;L 76 86 76 98",
        70, 40, (22, 63, 78, 85),
    ),
    "wardrobe": Icon(
        "B 10 3 80 90 2;L 50 3 50 93;L 45 44 45 56;L 55 44 55 56;L 16 93 16 98;L 84 93 84 98;"
        "L 10 10 90 10",
        84, 3, (14, 14, 86, 90), stretches=True,
    ),
    "dresser": Icon(f"{_DRAWERS};L 14 90 14 98;L 86 90 86 98", 92, 34, (12, 54, 88, 89),
                    stretches=True),
    "desk": Icon(
        "B 2 40 96 7 1;B 62 47 30 38 1;L 62 60 92 60;L 62 73 92 73;D 77 54 2;D 77 67 2;D 77 79 2;"
        "L 9 47 9 98;L 66 85 66 98;L 88 85 88 98",
        116, 40, (62, 48, 92, 85), stretches=True,
    ),
    "school_desk": Icon("B 8 44 84 7 1;L 18 51 12 98;L 82 51 88 98;L 16 66 84 66", 84, 44),
    "reception_desk": Icon("B 2 24 96 7 1;B 8 31 84 65 1;L 8 60 92 60;L 8 44 92 44", 116, 24,
                           stretches=True),
    "bar_counter": Icon("B 2 26 96 7 2;B 8 33 84 63 1;L 24 33 24 96;L 40 33 40 96;L 60 33 60 96;"
                        "L 76 33 76 96", 116, 26, stretches=True),
    "table": Icon(_TABLE, 112, 42, stretches=True),
    "kids_table": Icon("B 6 56 88 8 3;L 16 64 16 98;L 84 64 84 98;L 16 84 84 84", 92, 56,
                       stretches=True),
    "coffee_table": Icon("B 3 64 94 8 2;L 12 72 12 98;L 88 72 88 98;L 12 88 88 88", 108, 64,
                         stretches=True),
    "side_table": Icon("E 50 46 36 6;L 50 52 50 90;L 26 98 50 88 74 98", 70, 43),
    "console_table": Icon(
        "B 4 40 92 16 1;L 50 40 50 56;D 27 48 2;D 73 48 2;L 9 56 9 98;L 91 56 91 98",
        104, 40, (8, 41, 92, 56), stretches=True,
    ),
    "kitchen_island": Icon(
        "B 0 34 100 7 2;B 12 41 76 55 1;L 37 41 37 96;L 63 41 63 96;D 33 66 2;D 41 66 2;D 67 66 2;"
        "L 4 60 10 60;L 90 60 96 60;L 7 60 7 98;L 93 60 93 98",
        120, 34, (14, 46, 86, 92), stretches=True,
    ),
    "counter": Icon(f"{_COUNTER};L 50 44 50 90;L 44 52 44 62;L 56 52 56 62", 108, 36,
                    (8, 48, 92, 88), stretches=True),
    "sink": Icon(
        f"{_COUNTER};L 50 44 50 90;L 44 66 44 74;L 56 66 56 74;P 22 36 78 36 72 54 28 54;"
        "L 50 36 50 12 66 12 66 22;L 40 36 40 29;L 36 29 44 29",
        96, 38, (8, 56, 92, 88), stretches=True,
    ),
    "stove": Icon(
        "B 8 36 84 58 2;L 8 50 92 50;R 18 58 64 28 3;L 24 64 76 64;D 20 43 2.5;D 35 43 2.5;"
        "D 65 43 2.5;D 80 43 2.5;L 15 34 43 34;L 57 34 85 34;L 16 94 16 98;L 84 94 84 98",
        88, 33, (20, 60, 80, 85), stretches=True,
    ),
    "fridge": Icon("B 12 2 76 92 4;L 12 34 88 34;L 22 16 22 28;L 22 41 22 60;L 20 94 20 98;"
                   "L 80 94 80 98", 76, 2, (26, 38, 86, 92), stretches=True),
    "freezer": Icon(
        "B 8 44 84 50 2;P 8 44 92 44 90 34 10 34;L 50 56 50 82;L 37 62 63 76;L 63 62 37 76;"
        "L 44 34 44 30 56 30 56 34",
        92, 33, (12, 48, 88, 92), stretches=True,
    ),
    "dishwasher": Icon(
        "B 10 32 80 64 2;L 10 46 90 46;L 36 39 64 39;O 30 66 12;O 50 66 12;O 70 66 12;"
        "L 16 80 84 80",
        84, 32, (14, 48, 86, 94), stretches=True,
    ),
    "microwave": Icon("B 4 40 92 50 3;R 11 48 56 34 2;O 82 54 4;D 82 67 2;D 82 76 2;"
                      "L 14 90 14 95;L 86 90 86 95", 88, 40, (12, 49, 67, 82), stretches=True),
    "wall_cabinet": Icon(
        "B 6 14 88 58 2;L 50 14 50 72;D 45 64 2;D 55 64 2;L 18 14 18 6;L 82 14 82 6;L 4 6 96 6",
        96, 14, (10, 18, 90, 70), stretches=True,
    ),
    "shelf": Icon(_RACK, 92, 64, stretches=True),
    "pantry_shelf": Icon(
        f"{_RACK};R 14 20 12 16 1;R 30 16 10 20 4;R 62 18 14 18 1;O 22 86 6;O 36 86 6",
        96, 64, stretches=True,
    ),
    "shop_shelf": Icon(f"{_RACK};L 8 42 92 42;L 8 70 92 70", 96, 64, stretches=True),
    "bookcase": Icon(
        "B 8 3 84 93 1;L 8 34 92 34;L 8 66 92 66;R 13 12 6 22 0;R 19 16 6 18 0;R 25 10 7 24 0;"
        "R 32 14 5 20 0;R 60 12 6 22 0;R 66 17 7 17 0;L 75 14 82 34;R 13 76 6 20 0;R 19 73 6 23 0;"
        "R 70 74 6 22 0;R 76 77 8 19 0",
        96, 66, stretches=True,
    ),
    "cabinet": Icon(_CABINET, 92, 28, (12, 34, 88, 90), stretches=True),
    "bathroom_cabinet": Icon(f"{_CABINET};L 24 38 34 50;L 24 48 30 55", 88, 28, (12, 34, 88, 90),
                             stretches=True),
    "filing_cabinet": Icon(
        "B 18 10 64 84 2;L 18 38 82 38;L 18 66 82 66;R 40 17 20 7 1;R 40 45 20 7 1;R 40 73 20 7 1;"
        "L 44 31 56 31;L 44 59 56 59;L 44 87 56 87",
        76, 10, (20, 40, 80, 92), stretches=True,
    ),
    "tool_cabinet": Icon(
        "B 12 24 76 64 2;L 12 40 88 40;L 12 52 88 52;L 12 64 88 64;L 40 32 60 32;L 40 46 60 46;"
        "L 40 58 60 58;L 40 76 60 76;O 22 93 4;O 78 93 4",
        84, 24, (14, 52, 86, 86), stretches=True,
    ),
    "safe": Icon("B 12 30 76 62 3;R 20 38 60 46 2;O 46 61 11;L 46 50 46 61;L 70 52 70 70;"
                 "L 18 92 18 98;L 82 92 82 98", 76, 30, (22, 40, 78, 82)),
    "locker": Icon("B 20 2 60 94 2;L 32 12 68 12;L 32 18 68 18;L 32 24 68 24;L 70 48 70 60", 64, 2,
                   (22, 30, 78, 92)),
    "tv_stand": Icon("B 3 58 94 32 2;L 34 58 34 90;L 66 58 66 90;D 29 74 2;D 71 74 2;"
                     "L 10 90 10 98;L 90 90 90 98", 112, 58, (6, 60, 94, 89), stretches=True),
    "tv": Icon("B 4 20 92 58 3;R 9 26 82 46 1;L 50 78 50 90;L 30 92 70 92;L 20 40 34 30;"
               "L 20 52 48 30", 100, 20),
    "sofa": Icon(
        "B 12 26 76 42 7;L 50 28 50 62;B 12 62 76 20 3;L 50 62 50 82;B 2 44 13 42 6;"
        "B 85 44 13 42 6;L 10 86 10 96;L 90 86 90 96",
        136, 62, stretches=True,
    ),
    "armchair": Icon(
        "B 22 18 56 50 12;B 20 60 60 22 3;B 8 42 16 44 7;B 76 42 16 44 7;L 18 86 18 96;"
        "L 82 86 82 96",
        84, 60,
    ),
    "chair": Icon(f"{_SEAT};L 30 8 38 8 38 56;L 38 24 30 24;L 38 40 30 40;L 30 80 72 80", 66, 56),
    "office_chair": Icon(
        "B 24 6 16 40 6;L 36 46 40 56;B 30 56 46 9 4;L 52 65 52 84;L 30 92 52 84 74 92;O 30 95 3;"
        "O 52 95 3;O 74 95 3;L 60 56 60 42 72 42",
        70, 56,
    ),
    "stool": Icon("B 24 56 52 8 3;L 32 64 24 98;L 68 64 76 98;L 28 82 72 82", 66, 56),
    "bar_stool": Icon("B 28 30 44 8 3;L 36 38 26 98;L 64 38 74 98;L 30 76 70 76", 60, 30),
    "bench": Icon("B 3 60 94 9 1;L 14 69 14 98;L 86 69 86 98;L 14 84 86 84", 116, 60,
                  stretches=True),
    "toilet": Icon("B 12 22 24 34 2;L 18 22 18 18;P 28 56 88 56 80 76 58 82 58 96 32 96 32 78;"
                   "B 26 50 64 7 3;L 42 50 36 26", 76, 22),
    "washbasin": Icon(
        "P 12 42 88 42 76 62 24 62;L 50 42 50 20 64 20 64 28;L 42 26 50 26;L 42 62 44 98;"
        "L 58 62 56 98;L 36 98 64 98",
        82, 42,
    ),
    "bathtub": Icon(
        "P 4 48 96 48 90 82 78 88 22 88 10 82;L 2 48 98 48;L 24 88 20 97;L 76 88 80 97;"
        "L 12 48 12 26 24 26 24 33",
        132, 48, stretches=True,
    ),
    "shower": Icon(
        "L 20 98 20 6 62 6 62 14;P 48 20 76 20 70 14 54 14;L 54 27 52 38;L 62 27 62 38;"
        "L 70 27 72 38;L 50 46 48 57;L 62 46 62 57;L 74 46 76 57;B 10 88 80 8 2",
        84, 86, (14, 60, 86, 88), stretches=True,
    ),
    "mirror": Icon("E 50 46 32 42;L 36 50 52 28;L 44 60 64 34;L 50 88 50 96", 70, 96),
    "washing_machine": Icon(_WASHER, 84, 26, (22, 52, 78, 88), stretches=True),
    "dryer": Icon(f"{_WASHER};L 42 76 46 69 42 62;L 50 76 54 69 50 62;L 58 76 62 69 58 62", 84, 26,
                  (22, 52, 78, 88), stretches=True),
    "drying_rack": Icon(
        "L 4 40 96 40;L 30 40 74 98;L 70 40 26 98;L 16 40 16 62 28 62 28 40;"
        "L 74 40 74 58 88 58 88 40",
        104, 40, stretches=True,
    ),
    "ironing_board": Icon("P 2 48 82 48 98 44 82 40 2 40;L 28 48 68 98;L 64 48 24 98", 108, 40,
                          stretches=True),
    "shoe_rack": Icon(
        "L 6 44 6 98;L 94 44 94 98;L 6 48 94 48;L 6 70 94 70;L 6 92 94 92;"
        "P 14 92 14 80 22 80 26 86 36 88 36 92;P 42 92 42 80 50 80 54 86 64 88 64 92",
        96, 48, stretches=True,
    ),
    "coat_rack": Icon("L 50 4 50 92;L 28 98 50 90 72 98;L 30 12 34 22 50 26;L 70 12 66 22 50 26;"
                      "L 34 32 38 42 50 46;L 66 32 62 42 50 46", 60, 92),
    "clothes_rack": Icon(
        "L 10 98 10 12 90 12 90 98;L 4 98 16 98;L 84 98 96 98;L 30 12 30 22;P 18 34 30 22 42 34;"
        "L 56 12 56 22;P 44 34 56 22 68 34;L 10 86 90 86",
        100, 86, stretches=True,
    ),
    "toy_chest": Icon(
        "B 6 48 88 44 3;P 6 48 94 48 88 36 12 36;R 45 46 10 12 1;"
        "L 13 84 18 70 23 84 11 75 25 75 13 84",
        112, 36, (10, 52, 90, 90), stretches=True,
    ),
    "workbench": Icon(
        "B 2 42 96 9 1;L 10 51 10 98;L 90 51 90 98;L 10 82 90 82;R 78 30 16 12 1;L 70 36 78 36;"
        "L 70 31 70 41",
        116, 42, stretches=True,
    ),
    "car": Icon(
        "P 2 76 4 58 22 54 36 34 70 34 82 54 98 60 98 76;L 26 54 80 54;L 54 34 54 54;O 24 78 9;"
        "O 76 78 9;D 24 78 3;D 76 78 3",
        140, 34, (56, 54, 96, 74), stretches=True,
    ),
    "bicycle": Icon("O 22 74 18;O 78 74 18;L 22 74 40 44 66 44 78 74;L 22 74 50 74 66 44;"
                    "L 40 44 50 74;L 34 38 46 38;L 66 44 62 34 72 32", 110, 40),
    "piano": Icon(
        "B 6 22 88 48 2;B 2 58 96 10 1;S 12 58 3 6;S 20 58 3 6;S 32 58 3 6;S 40 58 3 6;S 48 58 3 6;"
        "S 60 58 3 6;S 68 58 3 6;S 80 58 3 6;L 10 70 10 98;L 90 70 90 98;L 36 98 64 98;"
        "R 36 32 28 18 1",
        120, 22, stretches=True,
    ),
    "fireplace": Icon(
        "B 2 26 96 8 1;B 8 34 84 62 0;R 26 50 48 46 2;P 50 58 62 76 58 92 42 92 38 76 46 72;"
        "L 8 96 92 96",
        110, 26, stretches=True,
    ),
    "floor_lamp": Icon("P 28 38 72 38 62 8 38 8;L 50 38 50 92;L 32 96 68 96;L 60 38 60 48", 60, 96),
    "ceiling_lamp": Icon("L 30 4 70 4;L 50 4 50 34;P 22 62 78 62 60 34 40 34;O 50 66 6;"
                         "L 50 78 50 86;L 32 74 26 82;L 68 74 74 82", 64, 96),
    "painting": Icon("B 10 16 80 62 1;R 17 23 66 48 1;L 17 66 38 42 52 58 64 46 83 68;O 68 34 5",
                     84, 96),
    "wall_clock": Icon("O 50 48 33;L 50 48 50 26;L 50 48 66 54;D 50 48 3;D 50 18 2;D 50 78 2;"
                       "D 20 48 2;D 80 48 2", 80, 96),
    "whiteboard": Icon("B 4 14 92 58 1;L 14 30 50 30;L 14 42 62 42;L 14 54 40 54;L 30 76 70 76;"
                       "L 14 72 8 98;L 86 72 92 98", 108, 76),
    "rug": Icon("P 14 74 98 74 86 94 2 94;P 22 79 88 79 80 89 14 89;L 2 94 0 98;L 16 94 14 98;"
                "L 30 94 28 98;L 44 94 42 98;L 58 94 56 98;L 72 94 70 98;L 86 94 84 98",
                120, 82, stretches=True),
    "trash_bin": Icon("P 22 36 78 36 70 96 30 96;B 16 28 68 8 2;L 42 28 42 22 58 22 58 28;"
                      "L 40 46 43 86;L 60 46 57 86;L 50 46 50 86", 66, 28, (24, 42, 76, 92)),
    "potted_plant": Icon("P 32 66 68 66 62 96 38 96;L 50 66 50 30;E 36 36 13 8;E 64 30 13 8;"
                         "E 50 16 8 13;L 50 54 36 40;L 50 46 64 34", 66, 96),
    "copier": Icon("B 10 40 80 54 2;P 16 40 84 40 78 28 22 28;R 18 62 64 10 1;R 18 76 64 10 1;"
                   "R 62 46 20 8 1;L 0 52 10 52", 92, 28, (20, 60, 80, 88)),
    "water_cooler": Icon("P 34 4 66 4 70 34 30 34;B 26 36 48 58 2;R 36 54 28 18 1;L 46 44 46 50;"
                         "L 54 44 54 50;L 34 14 66 14", 64, 96),
    "vending_machine": Icon("B 10 2 80 94 2;R 17 10 48 60 1;L 17 25 65 25;L 17 40 65 40;"
                            "L 17 55 65 55;R 72 20 12 22 1;R 20 78 42 12 1", 84, 2,
                            (17, 10, 65, 70)),
    "display_case": Icon("B 8 20 84 52 1;L 8 46 92 46;B 8 72 84 22 1;L 20 28 34 42;L 30 26 40 36",
                         100, 20, (10, 22, 90, 70), stretches=True),
    "pedestal": Icon("B 22 30 56 8 1;B 30 38 40 50 0;B 20 88 60 8 1", 66, 30),
    "sculpture": Icon("B 30 80 40 16 1;E 50 30 14 18;P 32 80 38 52 62 52 68 80;L 44 30 56 30",
                      64, 96),
    "treadmill": Icon("B 6 82 88 10 3;L 78 82 66 26 50 26;B 56 20 20 10 2;L 72 54 54 54", 104, 82),
    "exercise_bike": Icon("O 66 74 18;L 66 74 40 60 34 30;B 24 24 22 6 2;L 66 74 72 34 60 30;"
                          "L 20 96 84 96;L 40 60 30 96", 90, 24),
    "weight_bench": Icon("B 4 64 66 9 2;L 14 73 14 98;L 62 73 62 98;L 76 98 76 34;L 56 34 98 34;"
                         "B 54 24 5 20 1;B 93 24 5 20 1", 110, 64),
    "dumbbell_rack": Icon("L 8 40 8 98;L 92 40 92 98;L 8 50 92 50;L 8 78 92 78;D 20 46 4;D 32 46 4;"
                          "L 20 46 32 46;D 50 46 4;D 62 46 4;L 50 46 62 46", 100, 78,
                          stretches=True),
    "floor": Icon("L 0 97 100 97;L 8 97 2 92;L 28 97 22 92;L 48 97 42 92;L 68 97 62 92;"
                  "L 88 97 82 92", 84, 90, stretches=True),
    "room": Icon("L 2 98 2 34 50 8 98 34 98 98;L 2 98 98 98", 92, 98, (8, 46, 92, 92),
                 stretches=True),
    "container": Icon("P 8 52 92 52 82 94 18 94;L 8 52 92 52;L 12 66 88 66;L 15 80 85 80;"
                      "L 26 52 32 34 68 34 74 52", 84, 52, (16, 56, 84, 92), stretches=True),
    "unknown": Icon("R 12 26 76 66 6;L 40 50 40 44 46 40 54 40 60 44 60 50 50 58 50 66;D 50 76 3",
                    84, 26, stretches=True),
    "other": Icon("B 8 38 84 54 2;L 8 54 92 54;L 42 46 58 46;L 16 92 16 98;L 84 92 84 98", 84, 38,
                  (12, 56, 88, 90), stretches=True),
}  # fmt: skip
"""By category of furniture; and for the floor, a whole room, an object that holds others, what is
not in the house, and any other category."""

_ALIKE: Final = {
    "restaurant_table": "table",
    "meeting_table": "table",
    "display_table": "table",
    "teacher_desk": "desk",
    "checkout": "bar_counter",
    "blackboard": "whiteboard",
}


def icon_of(category: str) -> Icon:
    """The icon of a category of furniture."""
    return ICONS.get(_ALIKE.get(category, category), ICONS["other"])


def draw_icon(icon: Icon, x: float, y: float, width: float) -> str:
    """An icon with its upper left corner at (x, y), :data:`HEIGHT` high."""
    across, down = width / 100, HEIGHT / 100
    drawn = []
    for stroke in icon.strokes.split(";"):
        letter, *rest = stroke.split()
        at = [float(one) for one in rest]
        points = [(x + a * across, y + b * down) for a, b in zip(at[::2], at[1::2], strict=False)]
        left, top = points[0]
        if letter in "BR":
            fill = BODY if letter == "B" else "none"
            drawn.append(
                box(left, top, at[2] * across, at[3] * down, at[4], fill=fill, stroke=LINE)
            )
        elif letter == "S":
            drawn.append(box(left, top, at[2] * across, at[3] * down, fill=LINE))
        elif letter == "L":
            drawn.append(path(points, LINE, width=1.5))
        elif letter == "P":
            corners = " ".join(f"{number(a)},{number(b)}" for a, b in points)
            drawn.append(_outlined("polygon", points=corners, stroke_linejoin="round"))
        elif letter == "E":
            drawn.append(_outlined("ellipse", cx=left, cy=top, rx=at[2] * across, ry=at[3] * down))
        else:
            radius = at[2] * down
            fill = WHITE if letter == "O" else LINE
            drawn.append(_outlined("circle", cx=left, cy=top, r=radius, fill=fill))
    return "".join(drawn)


def _outlined(name: str, **attributes: str | float) -> str:
    return tag(name, **{"fill": BODY, "stroke": LINE, "stroke_width": 1.5, **attributes})
