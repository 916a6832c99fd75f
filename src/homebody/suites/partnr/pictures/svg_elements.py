"""SVG text for the pictures of tasks: escaping, text widths and wrapping, colours, small motifs.

Lengths are pixels, y goes down. All text from an episode passes :func:`escape`, so that a name
cannot become markup."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

INK: Final = "#22252b"
MUTED: Final = "#7b8088"
LINE: Final = "#565b64"
PALE: Final = "#e4e6ea"
ROOM: Final = "#f6f7f9"
WHITE: Final = "#ffffff"
FONT: Final = "'DejaVu Sans', Verdana, 'Segoe UI', Arial, sans-serif"

PALETTE: Final = (
    "#0072b2",
    "#d55e00",
    "#009e73",
    "#a3418c",
    "#e69f00",
    "#56b4e9",
    "#7a5c2e",
    "#5648c4",
    "#e07ba9",
    "#5d6b1f",
)
"""Colours after Okabe and Ito. They are distinct with all common kinds of colour blindness; similar
hues also differ in lightness."""

_NARROW: Final = frozenset("iljtfrI.,:;'|!()[] ")
_WIDE: Final = frozenset("mwMWQO@%")


def colour_of(index: int) -> str:
    """Return the colour of a proposition; colours repeat after the palette's end."""
    return PALETTE[index % len(PALETTE)]


def ink_on(colour: str) -> str:
    """Return black or white, whichever reads better on a colour such as ``#0072b2``."""
    red, green, blue = (int(colour[i : i + 2], 16) for i in (1, 3, 5))
    return WHITE if 0.299 * red + 0.587 * green + 0.114 * blue < 140 else INK


def escape(text: str) -> str:
    """Return text as XML character data or attribute value; invalid characters become U+FFFD."""
    safe = "".join(letter if _is_printable(letter) else "\ufffd" for letter in text)
    for raw, entity in (("&", "&amp;"), ("<", "&lt;"), (">", "&gt;"), ('"', "&quot;")):
        safe = safe.replace(raw, entity)
    return safe.replace("'", "&#39;")


def _is_printable(letter: str) -> bool:
    """Return whether a character is visible: no control, surrogate or direction mark."""
    if letter < "\x7f":
        return letter >= " " or letter in "\t\n"
    hidden = (
        "\u200b" <= letter <= "\u200f"
        or "\u2028" <= letter <= "\u202e"
        or "\ufffe" <= letter <= "\uffff"
    )
    return letter >= "\xa0" and not hidden and not "\ud800" <= letter <= "\udfff"


def number(value: float) -> str:
    """Format a coordinate to a tenth of a pixel."""
    return f"{value:.1f}".removesuffix(".0")


def width_of(text: str, size: float = 12, bold: bool = False) -> float:
    """Return an upper estimate of the width of a string in pixels."""
    units = sum(
        0.36
        if letter in _NARROW
        else 0.93
        if letter in _WIDE
        else 0.62
        if ord(letter) < 0x2E80
        else 1.05
        for letter in text
    )
    return units * size * (1.15 if bold else 1.0)


def cut_label(text: str, most: int) -> str:
    """Return a string cut to at most ``most`` characters."""
    return text if len(text) <= most else f"{text[: most - 1].rstrip()}…"


def wrap(text: str, width: float, size: float, lines: int, bold: bool = False) -> list[str]:
    """Return a string in at most ``lines`` lines of a width, shortened with … if there is more."""
    finished: list[str] = []
    line = ""
    words = text[: 400 * lines].split()
    for word in words:
        longer = f"{line} {word}" if line else word
        if width_of(longer, size, bold) <= width:
            line = longer
            continue
        if line:
            finished.append(line)
        while width_of(word, size, bold) > width and len(finished) < lines:
            cut = len(word)
            while cut > 1 and width_of(word[:cut], size, bold) > width:
                cut -= max(1, cut // 8)
            finished.append(word[:cut])
            word = word[cut:]
        line = word
        if len(finished) >= lines:
            return [*finished[: lines - 1], f"{finished[lines - 1]} …"]
    return [*finished, line] if line else finished


def tag(name: str, text: str = "", /, **attributes: str | float) -> str:
    """Return an element. Underscores in attribute names become hyphens; numbers are rounded."""
    parts = [name]
    for key, value in attributes.items():
        shown = value if isinstance(value, str) else number(value)
        parts.append(f'{key.strip("_").replace("_", "-")}="{escape(shown)}"')
    head = " ".join(parts)
    return f"<{head}>{text}</{name}>" if text else f"<{head}/>"


def tooltip(name: str) -> str:
    """Return the text that is shown while a pointer rests on an element."""
    return tag("title", escape(cut_label(name, 100)))


def label(
    x: float,
    y: float,
    text: str,
    size: float = 12,
    *,
    fill: str = INK,
    anchor: str = "middle",
    weight: str = "normal",
) -> str:
    """Return a line of text with its baseline at y."""
    return tag(
        "text",
        escape(text),
        x=x,
        y=y,
        font_size=size,
        fill=fill,
        text_anchor=anchor,
        font_weight=weight,
    )


def box(
    x: float,
    y: float,
    width: float,
    height: float,
    radius: float = 0,
    *,
    fill: str = "none",
    stroke: str = "none",
    line: float = 1.5,
    dashes: str = "none",
) -> str:
    """Return a rectangle with rounded corners."""
    return tag(
        "rect",
        x=x,
        y=y,
        width=width,
        height=height,
        rx=radius,
        fill=fill,
        stroke=stroke,
        stroke_width=line,
        stroke_dasharray=dashes,
    )


def path(
    points: Sequence[tuple[float, float]], colour: str, *, width: float = 2.2, dotted: bool = False
) -> str:
    """Return a line through points."""
    data = " ".join(
        f"{'L' if at else 'M'}{number(x)} {number(y)}" for at, (x, y) in enumerate(points)
    )
    return tag(
        "path",
        d=data,
        fill="none",
        stroke=colour,
        stroke_width=width,
        stroke_linejoin="round",
        stroke_linecap="round" if dotted else "square",
        stroke_dasharray="0.1 5" if dotted else "none",
    )


MOTIFS: Final = {
    "clean": "clean",
    "dirty": "dirty",
    "filled": "filled",
    "empty": "empty",
    "on": "switched on",
    "off": "switched off",
    "floor": "on the floor",
}
"""Small signs for states, and their meaning."""


def motif(kind: str, x: float, y: float, colour: str, size: float = 16) -> str:
    """Return a sign of :data:`MOTIFS`, centred on (x, y)."""
    s = size / 16

    def at(*pairs: tuple[float, float]) -> list[tuple[float, float]]:
        return [(x + dx * s, y + dy * s) for dx, dy in pairs]

    def shape(data: str, **more: str | float) -> str:
        place = f"translate({number(x)} {number(y)}) scale({s:.2f})"
        style: dict[str, str | float] = {"fill": "none", "stroke": colour, "stroke_width": 1.6}
        return tag("path", d=data, transform=place, **{**style, **more})

    drop = "M0 -6.5 C3 -2 4.6 0 4.6 2.2 A4.6 4.6 0 0 1 -4.6 2.2 C-4.6 0 -3 -2 0 -6.5 Z"
    star = "M-1 -5.5 Q-0.2 -0.8 4.5 0 Q-0.2 0.8 -1 5.5 Q-1.8 0.8 -6.5 0 Q-1.8 -0.8 -1 -5.5 Z"
    small = "M4.5 -7 Q4.8 -4.8 6.9 -4.5 Q4.8 -4.2 4.5 -2 Q4.2 -4.2 2 -4.5 Q4.2 -4.8 4.5 -7 Z"
    power = "M-3 -3.8 A5 5 0 1 0 3 -3.8 M0 -6 L0 0"
    slash = path(at((-5.5, 5.5), (5.5, -5.5)), colour, width=1.8 * s)
    if kind == "clean":
        return shape(star + small, fill=colour, stroke="none")
    if kind == "filled":
        return shape(drop, fill=colour)
    if kind == "empty":
        return shape(drop) + slash
    if kind == "on":
        return shape(power, stroke_width=2)
    if kind == "off":
        return shape(power, stroke_width=1.6) + slash
    if kind == "floor":
        return shape("M0 -6 L0 2 M-3 -0.6 L0 2.6 L3 -0.6 M-6 5.8 L6 5.8", stroke_width=1.8)
    spots = ((-3, -2, 2.4), (3, -4, 1.5), (2.4, 2, 2.8), (-3, 4, 1.6), (-6, 1, 1.0), (6, -0.5, 0.9))
    return "".join(
        tag("circle", cx=x + dx * s, cy=y + dy * s, r=r * s, fill=colour) for dx, dy, r in spots
    )
