"""What the catalogue says of people: how they look, what they wear, what they do and where.

Read from the table ``[people]`` of the catalogue, whose head describes the entries.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from homebody.worlds.house.model.house import (
    AGES,
    GENDERS,
    GESTURES,
    HAIR,
    POSTURES,
    Colour,
)

COVERS = ("top", "legs", "feet", "over", "eyes", "head", "chin")
"""Parts of a body that a garment is for. A dress is for two; ``over`` is worn over the rest."""
WHERE = ("on", "before", "behind", "near", "anywhere")
"""Where an activity is, relative to the piece it is done at: on it, at its front, at its back, on
any side of it; or on any free floor of the room."""


@dataclass(frozen=True, slots=True)
class AgeGroup:
    """People of an age: how common they are, least and most height in metres, whether their hair
    may be grey."""

    weight: float
    height: tuple[float, float]
    grey: bool


@dataclass(frozen=True, slots=True)
class Garment:
    """Something to wear.

    Attributes:
        covers: Out of ``COVERS``.
        colours: To choose from; none for what has the colour of the hair.
        genders: Of those who wear it.
        ages: Of those who wear it.
        weight: How common it is among what covers the same; with 0 it is worn only by those who do
            what asks for it.
    """

    covers: tuple[str, ...]
    colours: tuple[Colour, ...]
    genders: tuple[str, ...]
    ages: tuple[str, ...]
    weight: float


@dataclass(frozen=True, slots=True)
class Activity:
    """Something that people do.

    Attributes:
        phrase: Words that follow "is".
        posture: Of those who do it.
        gesture: Of their arms.
        where: One of ``WHERE``.
        distance: Metres kept from the piece by those who are not on it.
        at: Categories of furniture that it is done at.
        rooms: Kinds of rooms where it is done; any if there are none.
        looks_at: What they look at, one of these: categories of furniture or objects of the room,
            ``window``, ``person``. Who stands at a piece looks at that.
        ages: Of those who do it.
        wears: Garments that they wear in place of others.
        holds: Category of what they hold, or an empty string.
        weight: How common it is where it can be done.
        once: Whether one in a room does it, at most.
    """

    phrase: str
    posture: str
    gesture: str
    where: str
    distance: float
    at: tuple[str, ...]
    rooms: tuple[str, ...]
    looks_at: tuple[str, ...]
    ages: tuple[str, ...]
    wears: tuple[str, ...]
    holds: str
    weight: float
    once: bool


@dataclass(frozen=True, slots=True)
class PeopleKinds:
    """All of it by name; ``extras`` is the chance that somebody wears what covers a part that
    need not be covered."""

    skin: tuple[Colour, ...]
    hair: tuple[Colour, ...]
    grey: tuple[Colour, ...]
    styles: Mapping[str, tuple[str, ...]]
    extras: Mapping[str, float]
    ages: Mapping[str, AgeGroup]
    garments: Mapping[str, Garment]
    activities: Mapping[str, Activity]


def read_people(
    data: Mapping[str, Any],
    palette: Callable[[Iterable[str]], tuple[Colour, ...]],
    names: Callable[[Iterable[str]], tuple[str, ...]],
    known: Mapping[str, Iterable[str]],
) -> PeopleKinds:
    """The table ``[people]``.

    Args:
        data: The table.
        palette: Names of colours -> colours.
        names: Names -> names, lists spelt out.
        known: The names of ``rooms``, ``furniture`` and ``things``.

    Raises:
        ValueError, KeyError, TypeError: an entry is wrong.
    """
    ages = {
        _one_of(name, AGES): AgeGroup(
            float(entry["weight"]),
            (float(entry["height"][0]), float(entry["height"][1])),
            bool(entry.get("grey", False)),
        )
        for name, entry in data["ages"].items()
    }
    garments = {name: _garment(entry, palette, names) for name, entry in data["garments"].items()}
    activities = {
        name: _activity(name, entry, names, {**known, "garments": garments})
        for name, entry in data["activities"].items()
    }
    return PeopleKinds(
        palette(data["skin"]),
        palette(data["hair"]),
        palette(data["grey"]),
        {gender: _all_of(data["styles"][gender], HAIR) for gender in GENDERS},
        {_one_of(part, COVERS): float(chance) for part, chance in data["extras"].items()},
        ages,
        garments,
        activities,
    )


def _garment(
    entry: Mapping[str, Any],
    palette: Callable[[Iterable[str]], tuple[Colour, ...]],
    names: Callable[[Iterable[str]], tuple[str, ...]],
) -> Garment:
    return Garment(
        _all_of(entry["covers"], COVERS),
        palette(entry.get("colours", ())),
        _all_of(entry.get("genders", GENDERS), GENDERS),
        _all_of(names(entry.get("ages", AGES)), AGES),
        float(entry.get("weight", 1)),
    )


def _activity(
    name: str,
    entry: Mapping[str, Any],
    names: Callable[[Iterable[str]], tuple[str, ...]],
    known: Mapping[str, Iterable[str]],
) -> Activity:
    pieces, things = frozenset(known["furniture"]), frozenset(known["things"])
    holds = str(entry.get("holds", ""))
    return Activity(
        str(entry.get("phrase", name.replace("_", " "))),
        _one_of(str(entry["posture"]), POSTURES),
        _one_of(str(entry.get("gesture", "none")), GESTURES),
        _one_of(str(entry["where"]), WHERE),
        float(entry.get("distance", 0.0)),
        _all_of(names(entry.get("at", ())), pieces),
        _all_of(names(entry.get("rooms", ())), known["rooms"]),
        _all_of(names(entry.get("looks_at", ())), pieces | things | {"window", "person"}),
        _all_of(names(entry.get("ages", AGES[2:])), AGES),
        _all_of(entry.get("wears", ()), known["garments"]),
        _one_of(holds, things) if holds else "",
        float(entry.get("weight", 1)),
        bool(entry.get("once", False)),
    )


def _one_of(name: str, options: Iterable[str]) -> str:
    if name not in options:
        raise ValueError(f"people: unknown {name!r}")
    return name


def _all_of(wanted: Iterable[str], options: Iterable[str]) -> tuple[str, ...]:
    return tuple(_one_of(name, options) for name in wanted)
