"""Household situations, out of which the built-in author composes tasks.

They are read from ``themes.toml``; comments at its top describe the entries.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Any

from homebody.worlds.house.model.catalogue import catalogue


@dataclass(frozen=True, slots=True)
class Place:
    """A kind of place of a theme.

    Attributes:
        kind: ``furniture``, ``room``, ``floor`` or ``container``.
        name: Category of furniture or container, or kind of room; with ``loose``, a word that
            covers several categories of furniture.
        relation: ``on`` or ``within``; empty for rooms.
    """

    kind: str
    name: str
    relation: str = ""
    loose: bool = False


@dataclass(frozen=True, slots=True)
class Moving:
    """A move of a theme: its objects, sources and targets; see ``themes.toml``."""

    things: tuple[str, ...]
    sources: tuple[Place, ...]
    targets: tuple[Place, ...]
    via: tuple[Place, ...] = ()
    put_away: tuple[Place, ...] = ()
    wash: bool = False
    word: str = ""
    tidies: bool = False
    some: str = ""


@dataclass(frozen=True, slots=True)
class Switching:
    """A change of state in a theme, of a piece of furniture or an object."""

    category: str
    state: str
    value: bool
    furniture: bool


@dataclass(frozen=True, slots=True)
class Theme:
    """A situation of a household.

    Attributes:
        goals: Purposes of the whole ("get breakfast ready").
        openings: Sentences about the situation.
        untidy: Sentences about a mess, for tasks that only remove it.
        purposes: Clauses that state the purpose.
        moves: Moves of objects.
        switches: Changes of states: cleaning, filling, switching.
    """

    name: str
    goals: tuple[str, ...]
    openings: tuple[str, ...]
    untidy: tuple[str, ...]
    purposes: tuple[str, ...]
    moves: tuple[Moving, ...]
    switches: tuple[Switching, ...]


@cache
def themes() -> Mapping[str, Theme]:
    """Return the situations that come with homebody, by name."""
    folder = resources.files("homebody.authoring.partnr.grammar")
    data = tomllib.loads((folder / "themes.toml").read_text("utf-8"))
    return {name: _theme(name, entry) for name, entry in data["themes"].items()}


def _theme(name: str, entry: Mapping[str, Any]) -> Theme:
    return Theme(
        name,
        tuple(entry["goals"]),
        tuple(entry["openings"]),
        tuple(entry.get("untidy", ())),
        tuple(entry["purposes"]),
        tuple(
            Moving(
                tuple(move["things"]),
                _places(move["from"]),
                _places(move["to"]),
                _places(move.get("via", ())),
                _places(move.get("put_away", ())),
                bool(move.get("wash", False)),
                str(move.get("class", "")),
                bool(move.get("tidies", False)),
                str(move.get("some", "")),
            )
            for move in entry["moves"]
        ),
        tuple(_switching(text) for text in entry["switch"]),
    )


def _places(texts: Iterable[str]) -> tuple[Place, ...]:
    return tuple(_place(text) for text in texts)


def _place(text: str) -> Place:
    name, _, inside = text.partition(":")
    if name.startswith("@"):
        return Place("room", name[1:])
    if name.startswith("floor@"):
        return Place("floor", name.removeprefix("floor@"), "on")
    loose = name.startswith("*")
    name = name.removeprefix("*")
    kind = "container" if name in catalogue().things else "furniture"
    return Place(kind, name, "within" if inside else "on", loose)


def _switching(text: str) -> Switching:
    name, _, state = text.partition("=")
    furniture = name.startswith("#")
    value = state != "powered_off"
    return Switching(name.removeprefix("#"), state if value else "powered_on", value, furniture)
