"""Samples the scene and the objects of an activity, which BEHAVIOR-1K does not specify.

An activity names ``table.n.02`` in a ``kitchen``. Sampling chooses one of the official scenes whose
rooms have all required objects, and assigns objects of this scene to objects of the activity
(``breakfast_table``). For an object that is not part of a scene, it chooses a category below the
declared category (``edible_fruit.n.01`` -> ``pear``). Seed and activity determine the result.

Where no scene has all required objects (8 activities), no scene is chosen, and the fixed objects
are sampled like the others. ``fridge.n.01_*`` in an activity means all fridges in the room; here it
is one.
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
    """The sample of an activity.

    Attributes:
        scene: The official scene, or an empty string.
        kinds: Object -> its actual synset, at or below the declared one.
        models: Object -> its category of simulator objects, or the word of its synset.
    """

    scene: str
    kinds: Mapping[str, str]
    models: Mapping[str, str]


def sample(
    activity: str, objects: Mapping[str, str], rooms: Mapping[str, str], seed: int = 0
) -> Sample:
    """Sample a scene and concrete objects.

    Args:
        activity: Name of the activity; part of the seed.
        objects: Object -> synset.
        rooms: Object of the scene -> type of its room.
        seed: Seed of the sample.
    """
    chance = random.Random(f"{seed} {activity}")
    scene, models = _place(chance, objects, rooms)
    kinds = {name: synset_of(model) for name, model in models.items()}
    for name, synset in objects.items():
        if name in kinds:
            continue
        candidates = concrete_categories(synset)
        if candidates:
            models[name] = chance.choice(candidates)
            kinds[name] = synset_of(models[name])
        else:  # substances, and the one synset without any object
            models[name], kinds[name] = synset.partition(".")[0], synset
    return Sample(scene, kinds, models)


def _place(
    chance: random.Random, objects: Mapping[str, str], rooms: Mapping[str, str]
) -> tuple[str, dict[str, str]]:
    """Sample a scene that has all rooms with all objects; return it and its objects."""
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
    """Sample a category for each object. All are in one room if one room has them all, else in
    several rooms."""
    if rooms is None:
        return None
    total: Counter[str] = Counter()
    for room in rooms:
        total.update(room)
    for place in (*chance.sample(rooms, len(rooms)), total):
        left = dict(place)
        models: dict[str, str] = {}
        for name, synset in sorted(wanted, key=lambda row: len(concrete_categories(row[1]))):
            free = [model for model in concrete_categories(synset) if left.get(model, 0) > 0]
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
    """Map each scene to its types of rooms, and each of these to rooms (category -> number)."""
    scenes: dict[str, dict[str, list[Mapping[str, int]]]] = {}
    for scene, rooms in data.load("rooms").items():
        by_type = scenes.setdefault(scene, {})
        for room, things in rooms.items():
            by_type.setdefault(room.rpartition("_")[0], []).append(things)
    return scenes


@cache
def abilities(synset: str) -> Mapping[str, Any]:
    """Map each ability of a synset to its parameters; empty if it is not in the taxonomy."""
    of_synset: Mapping[str, Any] = data.load("taxonomy").get(synset, {}).get("abilities", {})
    return of_synset


@cache
def ancestors(synset: str) -> tuple[str, ...]:
    """Return all synsets above one, the nearest first."""
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
    """Return the substances with which a soaked object removes ``dirt``."""
    substances = set()
    for entry in data.load("taxonomy").values():
        remover = entry["abilities"].get("particleRemover") or {}
        for condition in (remover.get("conditions") or {}).get(dirt) or ():
            if condition[0] == "saturated":
                substances.add(condition[1])
    return frozenset(substances)


@cache
def _synsets_by_category() -> Mapping[str, str]:
    return synset_of_category(data.load("taxonomy"))


def synset_of(model: str) -> str:
    """Return the synset of a category of simulator objects. Raises KeyError."""
    return _synsets_by_category()[model]


@cache
def _children() -> Mapping[str, Sequence[str]]:
    children: dict[str, list[str]] = {}
    for name, entry in data.load("taxonomy").items():
        for parent in entry["parents"]:
            children.setdefault(parent, []).append(name)
    return children


@cache
def concrete_categories(synset: str) -> tuple[str, ...]:
    """Return the categories of simulator objects at or below a synset, sorted."""
    taxonomy = data.load("taxonomy")
    below, frontier = {synset}, [synset]
    for name in frontier:
        new = [child for child in _children().get(name, ()) if child not in below]
        below.update(new)
        frontier += new
    return tuple(
        sorted({c for name in below for c in taxonomy.get(name, {}).get("categories", ())})
    )
