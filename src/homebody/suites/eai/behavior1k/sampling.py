"""Sampling what BEHAVIOR-1K leaves open: in which scene, and which things, an activity takes place.

An activity says ``table.n.02`` in a ``kitchen``. Sampling picks one of the official scenes
whose rooms have all that the activity asks for, which of their objects play the parts
(``breakfast_table``), and, for what is not part of a scene, a category below the one declared
(``edible_fruit.n.01`` -> ``pear``). The same seed and activity always give the same.

Where no scene has all that is asked for (8 activities), no scene is chosen, and the fixed objects
are sampled like the others. ``fridge.n.01_*`` in an activity means all there are in the room; it
is one here.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from homebody.data import behavior1k as data
from homebody.data.bddl import synset_of_category

FLOOR = "floor.n.01"


@dataclass(frozen=True, slots=True)
class Sample:
    """What an activity was given.

    Attributes:
        scene: The official scene, or an empty string.
        kinds: Object -> the synset it really is, at or below the declared one.
        models: Object -> the category of simulator objects that it is, or the word of its kind.
    """

    scene: str
    kinds: Mapping[str, str]
    models: Mapping[str, str]


def sample(
    activity: str, objects: Mapping[str, str], rooms: Mapping[str, str], seed: int = 0
) -> Sample:
    """Choose a scene and concrete objects.

    Args:
        activity: Its name; seeds the choices together with ``seed``.
        objects: Object -> synset.
        rooms: Object of the scene -> the type of room it is in.
        seed: Another seed, another sample.
    """
    chance = random.Random(f"{seed} {activity}")
    scene, models = _place(chance, objects, rooms)
    kinds = {name: synset_of(model) for name, model in models.items()}
    for name, synset in objects.items():
        if name in kinds:
            continue
        candidates = concrete(synset)
        if candidates:
            models[name] = chance.choice(candidates)
            kinds[name] = synset_of(models[name])
        else:  # substances, and the one synset without any object
            models[name], kinds[name] = synset.partition(".")[0], synset
    return Sample(scene, kinds, models)


def _place(
    chance: random.Random, objects: Mapping[str, str], rooms: Mapping[str, str]
) -> tuple[str, dict[str, str]]:
    """A scene that has all the rooms with all the objects, and which of its objects they are."""
    wanted: dict[str, list[str]] = {}
    for name, room in rooms.items():
        wanted.setdefault(room, []).append(name)
    scenes = list(_scenes())
    chance.shuffle(scenes)
    for scene in scenes:
        models: dict[str, str] = {}
        for kind, names in wanted.items():
            placed = _furnish(chance, [(n, objects[n]) for n in names], _scenes()[scene].get(kind))
            if placed is None:
                break
            models |= placed
        else:
            return scene, models
    return "", {}


def _furnish(
    chance: random.Random,
    wanted: Sequence[tuple[str, str]],
    rooms: Sequence[Mapping[str, int]] | None,
) -> dict[str, str] | None:
    """Object -> category: all in one room if one has them all, else all over the rooms."""
    if rooms is None:
        return None
    total: Counter[str] = Counter()
    for room in rooms:
        total.update(room)
    for place in (*chance.sample(rooms, len(rooms)), total):
        left = dict(place)
        models: dict[str, str] = {}
        for name, synset in sorted(wanted, key=lambda row: len(concrete(row[1]))):
            free = [model for model in concrete(synset) if left.get(model, 0) > 0]
            if not free:
                break
            models[name] = chance.choice(free)
            left[models[name]] -= 1
        else:
            return models
    return None


# -- the taxonomy ---------------------------------------------------------------------------------


@cache
def _scenes() -> Mapping[str, Mapping[str, Sequence[Mapping[str, int]]]]:
    """Scene -> type of room -> its rooms, each category -> number."""
    scenes: dict[str, dict[str, list[Mapping[str, int]]]] = {}
    for scene, rooms in data.load("rooms").items():
        by_type = scenes.setdefault(scene, {})
        for room, things in rooms.items():
            by_type.setdefault(room.rpartition("_")[0], []).append(things)
    return scenes


@cache
def abilities(synset: str) -> Mapping[str, Any]:
    """Ability -> parameters of a synset; none if it is not in the taxonomy."""
    of_synset: Mapping[str, Any] = data.load("taxonomy").get(synset, {}).get("abilities", {})
    return of_synset


@cache
def ancestors(synset: str) -> tuple[str, ...]:
    """All synsets above one, the nearest first."""
    taxonomy = data.load("taxonomy")
    above = dict.fromkeys([synset])
    frontier = [synset]
    for name in frontier:
        new = [p for p in taxonomy.get(name, {}).get("parents", ()) if p not in above]
        above.update(dict.fromkeys(new))
        frontier += new
    return tuple(above)[1:]


@cache
def cleansers(dirt: str) -> frozenset[str]:
    """The substances with which something that absorbs them takes off ``dirt``."""
    substances = set()
    for entry in data.load("taxonomy").values():
        remover = entry["abilities"].get("particleRemover") or {}
        for condition in (remover.get("conditions") or {}).get(dirt) or ():
            if condition[0] == "saturated":
                substances.add(condition[1])
    return frozenset(substances)


@cache
def _of_category() -> Mapping[str, str]:
    return synset_of_category(data.load("taxonomy"))


def synset_of(model: str) -> str:
    """The synset that a category of simulator objects belongs to. Raises KeyError."""
    return _of_category()[model]


@cache
def _children() -> Mapping[str, Sequence[str]]:
    children: dict[str, list[str]] = {}
    for name, entry in data.load("taxonomy").items():
        for parent in entry["parents"]:
            children.setdefault(parent, []).append(name)
    return children


@cache
def concrete(synset: str) -> tuple[str, ...]:
    """The categories of simulator objects at or below a synset, sorted."""
    taxonomy = data.load("taxonomy")
    below, frontier = {synset}, [synset]
    for name in frontier:
        new = [child for child in _children().get(name, ()) if child not in below]
        below.update(new)
        frontier += new
    return tuple(
        sorted({c for name in below for c in taxonomy.get(name, {}).get("categories", ())})
    )
