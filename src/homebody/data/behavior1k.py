"""BEHAVIOR-1K: 1,016 activities, from the ``bddl`` 3.6.0 distribution."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import orjson

from homebody.core.ground.progress import Progress
from homebody.data import bddl
from homebody.data.store import Store

_GENERATED = "bddl/generated_data/"
_HIERARCHY = _GENERATED + "output_hierarchy_properties.json"
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


STORE = Store(
    name="behavior1k",
    folder_name=f"bddl-{bddl.BEHAVIOR_1K.version}",
    schema=1,
    packages={"source": bddl.BEHAVIOR_1K},
    parts=("activities", "taxonomy", "rules", "rooms"),
    convert=lambda files, report: convert(files["source"], report),
    count=lambda parts: len(parts["activities"]),
)


def fetch(
    sdist: Path | None = None, *, force: bool = False, progress: Progress | None = None
) -> Path:
    """Make sure that BEHAVIOR-1K is in the cache; see :meth:`Store.fetch`. ``sdist`` is a local
    source distribution."""
    return STORE.fetch({"source": sdist}, force=force, progress=progress)


def load(part: str) -> Any:
    """Load one part of BEHAVIOR-1K (see :func:`convert`); fetch it first if it is missing.

    Raises:
        HomebodyError: it is missing and cannot be fetched, or is damaged.
    """
    return STORE.load(part)


def convert(path: Path, report: Progress) -> dict[str, Any]:
    """Read the needed parts of BEHAVIOR-1K from its source distribution, in memory.

    Returns a dict with

    - ``activities``: name -> text of its BDDL problem;
    - ``taxonomy``: see :data:`homebody.data.bddl.Taxonomy`;
    - ``rules``: name -> list of the official transition rules (slicing, cooking, ...);
    - ``rooms``: scene -> room -> category -> number of its objects there.

    Raises:
        HomebodyError: a file is missing, or two of them contradict each other.
    """
    report("reading activities", 0, 1)
    wanted = {_HIERARCHY, _ROOMS, *(f"{_RULES}{name}.json" for name in _RULE_FILES)}
    files = bddl.read(path, wanted)
    data = {
        "activities": bddl.activities(files),
        "taxonomy": bddl.taxonomy(orjson.loads(files[_HIERARCHY])),
        "rules": {name: orjson.loads(files[f"{_RULES}{name}.json"]) for name in _RULE_FILES},
        "rooms": _rooms(orjson.loads(files[_ROOMS])["scenes"]),
    }
    report("reading activities", 1, 1)
    return data


def _rooms(scenes: Mapping[str, Any]) -> dict[str, dict[str, dict[str, int]]]:
    """Count models (``fridge-dszchb``) by category."""
    counted: dict[str, dict[str, dict[str, int]]] = {}
    for scene in sorted(scenes):
        counted[scene] = {}
        for room in sorted(scenes[scene]):
            row = counted[scene].setdefault(room, {})
            for model, number in sorted(scenes[scene][room].items()):
                category = model.rpartition("-")[0] or model
                row[category] = row.get(category, 0) + number
    return counted
