"""The ``bddl`` source distributions: activity definitions and the taxonomy of objects.

Version 1.0.1 is the one that EAI's 100 activities were written for; 3.6.0 has the 1,016 of
BEHAVIOR-1K. Both are read as data: nothing in them is imported or run.
"""

from __future__ import annotations

import re
import tempfile
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

import orjson

from homebody.core.errors import HomebodyError
from homebody.core.task import Progress
from homebody.data import parts
from homebody.data.cache import cache_dir, staging
from homebody.data.packages import Package, obtain, read_sdist

BEHAVIOR_100 = Package(
    "bddl",
    "1.0.1",
    "1fa4e6e5050b93888ff6fd8455c39bfb29d3864ce06b4c37c0f781f513a2ae26",
    "sdist",
    0.2,
    "behavior --bddl",
)
"""BEHAVIOR-100, which EAI took its activities from."""
BEHAVIOR_1K = Package(
    "bddl",
    "3.6.0",
    "81d40ab7a32769828ecad3110c7db5e40e26cfb29b1158b3448a6ccb91e5d386",
    "sdist",
    2.3,
    "behavior1k --bddl",
)
"""BEHAVIOR-1K."""
SCHEMA = 1
"""Version of the stored files; another one in the cache is fetched again."""

PARTS = ("activities", "taxonomy", "rules", "rooms")
_DEFINITIONS = "bddl/activity_definitions/"
_HIERARCHY_100 = "bddl/hierarchy_owned.json"
_GENERATED = "bddl/generated_data/"
_HIERARCHY_1K = _GENERATED + "output_hierarchy_properties.json"
_ROOMS = _GENERATED + "combined_room_object_list.json"
_RULES = _GENERATED + "transition_map/tm_jsons/"
_RULE_FILES = (
    "slicing",
    "dicing",
    "heat_cook",
    "melting",
    "mixing_stick",
    "single_toggleable_machine",
    "substance_cooking",
    "substance_watercooking",
    "washer",
)
_PROBLEM = re.compile(re.escape(_DEFINITIONS) + r"([^/]+)/problem0\.bddl")
_MAX_DEPTH = 64
_HINT = "run: homebody data fetch behavior1k --force"

Taxonomy = dict[str, dict[str, Any]]
"""Synset -> ``parents``, ``abilities`` (ability -> parameters), ``categories`` and, in
BEHAVIOR-1K, ``substances``."""


def folder() -> Path:
    """Where BEHAVIOR-1K is stored."""
    return cache_dir() / f"bddl-{BEHAVIOR_1K.version}"


def is_ready() -> bool:
    """Whether BEHAVIOR-1K is there, complete and of this version."""
    return parts.is_ready(folder(), SCHEMA, PARTS)


def fetch(
    sdist: Path | None = None, *, force: bool = False, progress: Progress | None = None
) -> Path:
    """Make sure that BEHAVIOR-1K is in the cache; return its folder.

    Args:
        sdist: The source distribution, if it is at hand: built from even if the data is there.
        force: Build again even if it is there.
        progress: Told about each step.

    Raises:
        HomebodyError: no network, a wrong file, or a cache directory that cannot be written.
    """
    if is_ready() and not force and sdist is None:
        return folder()
    report = progress or (lambda what, done, total: None)
    with staging(folder()) as staged, tempfile.TemporaryDirectory() as scratch:
        path = obtain(BEHAVIOR_1K, sdist, Path(scratch), report)
        report("reading activities", 0, 1)
        data = convert(path)
        manifest = {
            "source": BEHAVIOR_1K.requirement,
            "sha256": BEHAVIOR_1K.sha256,
            "schema": SCHEMA,
            "tasks": len(data["activities"]),
        }
        parts.write(staged, data, manifest)
        report("reading activities", 1, 1)
    _load.cache_clear()
    return folder()


def load(part: str) -> Any:
    """One part of BEHAVIOR-1K (see :func:`convert`), fetched first if it is not there.

    Raises:
        HomebodyError: it is not there and cannot be fetched, or is damaged.
    """
    if part not in PARTS:
        raise ValueError(f"no such part: {part}")
    return _load(folder(), part)


@cache
def _load(at: Path, part: str) -> Any:
    fetch()
    return parts.read(at, part, _HINT)


def convert(path: Path) -> dict[str, Any]:
    """Read what homebody needs of BEHAVIOR-1K out of its source distribution, in memory.

    Returns a dict with

    - ``activities``: name -> text of its BDDL problem;
    - ``taxonomy``: see :data:`Taxonomy`;
    - ``rules``: name -> list of the official transition rules (slicing, cooking, ...);
    - ``rooms``: scene -> room -> category -> how many of its objects stand there.
    """
    wanted = {_HIERARCHY_1K, _ROOMS, *(f"{_RULES}{name}.json" for name in _RULE_FILES)}
    files = _read(path, wanted)
    return {
        "activities": activities(files),
        "taxonomy": taxonomy(orjson.loads(files[_HIERARCHY_1K])),
        "rules": {name: orjson.loads(files[f"{_RULES}{name}.json"]) for name in _RULE_FILES},
        "rooms": _rooms(orjson.loads(files[_ROOMS])["scenes"]),
    }


def read_behavior_100(path: Path) -> tuple[dict[str, str], Taxonomy]:
    """The activities (name -> BDDL text) and the taxonomy of ``bddl`` 1.0.1."""
    files = _read(path, {_HIERARCHY_100})
    return activities(files), taxonomy(orjson.loads(files[_HIERARCHY_100]))


def _read(path: Path, wanted: set[str]) -> dict[str, bytes]:
    files = read_sdist(path, lambda name: name in wanted or _PROBLEM.fullmatch(name) is not None)
    missing = sorted(wanted - files.keys())
    if missing:
        raise HomebodyError(f"{path.name} holds no {missing[0]}")
    return files


def activities(files: Mapping[str, bytes]) -> dict[str, str]:
    """Activity -> text of its (only) BDDL problem, by name."""
    found = {m[1]: text for name, text in files.items() if (m := _PROBLEM.fullmatch(name))}
    return {name: found[name].decode("utf-8") for name in sorted(found)}


def taxonomy(root: Mapping[str, Any]) -> Taxonomy:
    """The hierarchy, flattened; a synset under several parents is listed once, with all of them.

    Raises:
        HomebodyError: it is nested too deep, or tells two different things about one synset.
    """
    found: Taxonomy = {}
    pending: list[tuple[Mapping[str, Any], str | None, int]] = [(root, None, 0)]
    while pending:
        node, parent, depth = pending.pop()
        if depth > _MAX_DEPTH:
            raise HomebodyError("the taxonomy is nested too deep")
        name = node["name"]
        entry: dict[str, Any] = {
            "abilities": dict(sorted(node["abilities"].items())),
            "categories": node.get("igibson_categories", node.get("categories", [])),
            "substances": node.get("substances", []),
        }
        known = found.setdefault(name, {"parents": [], **entry})
        if any(known[field] != value for field, value in entry.items()):
            raise HomebodyError(f"the taxonomy tells two things about {name}")
        if parent is not None and parent not in known["parents"]:
            known["parents"].append(parent)
        pending += [(child, name, depth + 1) for child in node.get("children", ())]
    for entry in found.values():
        entry["parents"].sort()
        if not entry["substances"]:
            del entry["substances"]
    return dict(sorted(found.items()))


def synset_of_category(entries: Taxonomy) -> dict[str, str]:
    """Category of a simulator's object (``fridge``) -> its synset."""
    return {category: name for name, entry in entries.items() for category in entry["categories"]}


def _rooms(scenes: Mapping[str, Any]) -> dict[str, dict[str, dict[str, int]]]:
    """Models (``fridge-dszchb``) counted by their category."""
    counted: dict[str, dict[str, dict[str, int]]] = {}
    for scene in sorted(scenes):
        counted[scene] = {}
        for room in sorted(scenes[scene]):
            row = counted[scene].setdefault(room, {})
            for model, number in sorted(scenes[scene][room].items()):
                category = model.rpartition("-")[0] or model
                row[category] = row.get(category, 0) + number
    return counted
