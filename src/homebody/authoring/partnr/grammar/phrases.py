"""Verbs and set phrases of the built-in author for putting, fetching, cleaning and switching.

They are read from ``phrases.toml``; comments at its top describe the entries. The order of entries
affects random choices.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Any, TypeAlias

Forms: TypeAlias = tuple[str, ...]
"""A verb phrase: base form, -ing form, and participle if it has one."""


@dataclass(frozen=True, slots=True)
class Verb:
    """A verb for putting something somewhere: its forms, the words after it, and the kinds of
    places it can be used with."""

    base: str
    ing: str
    done: str
    rest: str
    places: str


@dataclass(frozen=True, slots=True)
class Register:
    """The tone of an instruction: its share of instructions, sentences for start and end, and
    sentence patterns that replace the usual ones."""

    share: float
    leads: tuple[str, ...]
    closings: tuple[str, ...]
    frames: Mapping[str, tuple[str, ...]]


@dataclass(frozen=True, slots=True)
class Phrases:
    """The contents of ``phrases.toml``; `switches`, `frames` and `words` by name."""

    puts: tuple[Verb, ...]
    back: tuple[Verb, ...]
    fetches: tuple[Forms, ...]
    gathers: tuple[Forms, ...]
    near_two: tuple[str, ...]
    near_more: tuple[str, ...]
    courtesies: frozenset[str]
    to_the_robot: tuple[str, ...]
    switches: Mapping[str, tuple[Forms, ...]]
    frames: Mapping[str, tuple[str, ...]]
    words: Mapping[str, tuple[str, ...]]
    several: Mapping[str, str]
    wholes: Mapping[str, str]
    registers: tuple[Register, ...]
    slots: Mapping[str, tuple[str, ...]]
    because: Mapping[str, tuple[str, ...]]


@cache
def phrases() -> Phrases:
    """Return the phrases that come with homebody."""
    folder = resources.files("homebody.authoring.partnr.grammar")
    data = tomllib.loads((folder / "phrases.toml").read_text("utf-8"))
    return Phrases(
        puts=tuple(Verb(*entry) for entry in data["puts"]),
        back=tuple(Verb(*entry) for entry in data["back"]),
        fetches=tuple(map(tuple, data["fetches"])),
        gathers=tuple(map(tuple, data["gathers"])),
        near_two=tuple(data["near_two"]),
        near_more=tuple(data["near_more"]),
        courtesies=frozenset(data["courtesies"]),
        to_the_robot=tuple(data["to_the_robot"]),
        switches={name: tuple(map(tuple, ways)) for name, ways in data["switches"].items()},
        frames={name: tuple(frames) for name, frames in data["frames"].items()},
        words={name: tuple(words) for name, words in data["words"].items()},
        several=data["several"],
        wholes=data["wholes"],
        registers=tuple(map(_register, data["registers"].values())),
        slots={name: tuple(words) for name, words in data["slots"].items()},
        because={name: tuple(clauses) for name, clauses in data["because"].items()},
    )


def _register(entry: Mapping[str, Any]) -> Register:
    return Register(
        entry["share"],
        tuple(entry.get("leads", ())),
        tuple(entry.get("closings", ())),
        {name: tuple(entry[name]) for name in ("plain", "more") if name in entry},
    )
