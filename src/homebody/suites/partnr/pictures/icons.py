"""Line icons of furniture, a few strokes each.

They are data in ``icons.toml``; comments at its top explain the strokes."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Any, Final

from homebody.suites.partnr.pictures.svg_elements import LINE, WHITE, box, number, path, tag

HEIGHT: Final = 84.0
BODY: Final = "#fffdf7"
_INSIDE: Final = (12, 40, 88, 90)
"""Default of :attr:`Icon.inside`."""


@dataclass(frozen=True, slots=True)
class Icon:
    """The drawing of a kind of furniture.

    Attributes:
        strokes: Each a letter and numbers.
        width: Width in pixels; more if the items on it need it.
        surface: Height of items on it, measured from the top, on a scale of 100.
        inside: Low x, low y, high x and high y of the area for items inside it, on a scale of 100.
        stretches: True if the icon can be stretched in width and is still recognisable.
    """

    strokes: tuple[str, ...]
    width: float
    surface: float
    inside: tuple[float, ...]
    stretches: bool


@cache
def _data() -> Mapping[str, Any]:
    text = (resources.files("homebody.suites.partnr.pictures") / "icons.toml").read_text("utf-8")
    return tomllib.loads(text)


@cache
def icons() -> Mapping[str, Icon]:
    """Return icons by category of furniture.

    Other keys are the floor, a whole room (``room``), an object that holds others (``container``),
    a name that is not in the house (``unknown``), and ``other``."""
    return {
        category: Icon(
            (*_data()["frames"].get(entry.get("frame"), ()), *entry.get("strokes", ())),
            entry["width"],
            entry["surface"],
            tuple(entry.get("inside", _INSIDE)),
            entry.get("stretches", False),
        )
        for category, entry in _data()["icons"].items()
    }


def icon_of(category: str) -> Icon:
    """Return the icon of a category of furniture; several may share one."""
    return icons().get(_data()["alike"].get(category, category)) or icons()["other"]


def draw_icon(icon: Icon, x: float, y: float, width: float) -> str:
    """Draw an icon with its upper left corner at (x, y), :data:`HEIGHT` high."""
    across, down = width / 100, HEIGHT / 100
    drawn = []
    for stroke in icon.strokes:
        letter, *numbers = stroke.split()
        at = [float(text) for text in numbers]
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
            drawn.append(_outline("polygon", points=corners, stroke_linejoin="round"))
        elif letter == "E":
            drawn.append(_outline("ellipse", cx=left, cy=top, rx=at[2] * across, ry=at[3] * down))
        else:
            radius = at[2] * down
            fill = WHITE if letter == "O" else LINE
            drawn.append(_outline("circle", cx=left, cy=top, r=radius, fill=fill))
    return "".join(drawn)


def _outline(name: str, **attributes: str | float) -> str:
    return tag(name, **{"fill": BODY, "stroke": LINE, "stroke_width": 1.5, **attributes})
