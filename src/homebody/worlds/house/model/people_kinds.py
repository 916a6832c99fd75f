"""Kinds of people in the catalogue: looks, garments and activities.

They come from the table ``[people]``; comments at its top describe the entries.
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
"""Body parts that garments cover. A dress covers two parts. Garments for ``over`` are worn over
other garments."""
WHERE = ("on", "before", "behind", "near", "anywhere")
"""Positions of an activity relative to its piece: on it, in front of it, behind it, on any side of
it, or anywhere on the free floor of the room."""


@dataclass(frozen=True, slots=True)
class AgeGroup:
    """An age group: frequency, height range in metres, and whether hair may be grey."""

    weight: float
    height: tuple[float, float]
    grey: bool


@dataclass(frozen=True, slots=True)
class Garment:
    """A garment.

    Attributes:
        covers: Parts out of ``COVERS``.
        colours: Possible colours; empty for the colour of the hair.
        genders: Genders that wear it.
        ages: Ages that wear it.
        weight: Frequency among garments for the same parts; with 0, people only wear it if an
            activity requires it.
    """

    covers: tuple[str, ...]
    colours: tuple[Colour, ...]
    genders: tuple[str, ...]
    ages: tuple[str, ...]
    weight: float


@dataclass(frozen=True, slots=True)
class Activity:
    """An activity of people.

    Attributes:
        phrase: Words that follow "is".
        posture: Posture of the person.
        gesture: Gesture of the arms.
        where: One of ``WHERE``.
        distance: Metres from the piece for people who are not on it.
        at: Categories of furniture at which it takes place.
        rooms: Kinds of rooms in which it takes place; empty for any.
        looks_at: Possible targets of the gaze: categories of furniture or objects of the room,
            ``window``, ``person``. A person who stands at a piece looks at the piece.
        ages: Ages of the people.
        wears: Garments that replace others.
        holds: Category of the held object, or an empty string.
        weight: Frequency where it is possible.
        once: True if at most one person per room does it.
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
    """Kinds of people by name. ``extras`` has the probabilities of wearing a garment for each
    optional part."""

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
    """Read the table ``[people]``.

    Args:
        data: The table.
        palette: Maps names of colours to colours.
        names: Expands lists in names.
        known: The names of ``rooms``, ``furniture`` and ``things``.

    Raises:
        ValueError, KeyError, TypeError: An entry is wrong.
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
