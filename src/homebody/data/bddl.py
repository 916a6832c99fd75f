"""The ``bddl`` source distributions: activity definitions and the taxonomy of objects.

EAI's 100 activities use version 1.0.1; version 3.6.0 has the 1,016 of BEHAVIOR-1K. Both are read as
data: nothing in them is imported or run.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import orjson

from homebody.core.ground.user_errors import HomebodyError
from homebody.data.downloads import Package, read_sdist

BEHAVIOR_100 = Package(
    "bddl",
    "1.0.1",
    "1fa4e6e5050b93888ff6fd8455c39bfb29d3864ce06b4c37c0f781f513a2ae26",
    "sdist",
    0.2,
    "behavior --bddl",
)
"""BEHAVIOR-100, the source of EAI's activities."""
BEHAVIOR_1K = Package(
    "bddl",
    "3.6.0",
    "81d40ab7a32769828ecad3110c7db5e40e26cfb29b1158b3448a6ccb91e5d386",
    "sdist",
    2.3,
    "behavior1k --bddl",
)
"""BEHAVIOR-1K."""
_DEFINITIONS = "bddl/activity_definitions/"
_HIERARCHY_100 = "bddl/hierarchy_owned.json"
_PROBLEM = re.compile(re.escape(_DEFINITIONS) + r"([^/]+)/problem0\.bddl")
_MAX_DEPTH = 64

Taxonomy = dict[str, dict[str, Any]]
"""Synset -> ``parents``, ``abilities`` (ability -> parameters), ``categories`` and, in
BEHAVIOR-1K, ``substances``."""


def read_behavior_100(path: Path) -> tuple[dict[str, str], Taxonomy]:
    """Read the activities (name -> BDDL text) and the taxonomy of ``bddl`` 1.0.1."""
    files = read(path, {_HIERARCHY_100})
    return activities(files), taxonomy(orjson.loads(files[_HIERARCHY_100]))


def read(path: Path, wanted: set[str]) -> dict[str, bytes]:
    """Read files and all activities of a ``bddl`` distribution, by path.

    Raises:
        HomebodyError: a file is missing, or the distribution cannot be read.
    """
    files = read_sdist(path, lambda name: name in wanted or _PROBLEM.fullmatch(name) is not None)
    missing = sorted(wanted - files.keys())
    if missing:
        raise HomebodyError(f"{path.name} holds no {missing[0]}")
    return files


def activities(files: Mapping[str, bytes]) -> dict[str, str]:
    """Return activity -> text of its only BDDL problem, sorted by name."""
    texts = {m[1]: text for name, text in files.items() if (m := _PROBLEM.fullmatch(name))}
    return {name: texts[name].decode("utf-8") for name in sorted(texts)}


def taxonomy(root: Mapping[str, Any]) -> Taxonomy:
    """Flatten the hierarchy; a synset under several parents is listed once, with all of them.

    Raises:
        HomebodyError: it is nested too deep, or has two different entries for one synset.
    """
    flat: Taxonomy = {}
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
        known = flat.setdefault(name, {"parents": [], **entry})
        if any(known[field] != value for field, value in entry.items()):
            raise HomebodyError(f"the taxonomy has two different entries for {name}")
        if parent is not None and parent not in known["parents"]:
            known["parents"].append(parent)
        pending += [(child, name, depth + 1) for child in node.get("children", ())]
    for entry in flat.values():
        entry["parents"].sort()
        if not entry["substances"]:
            del entry["substances"]
    return dict(sorted(flat.items()))


def synset_of_category(entries: Taxonomy) -> dict[str, str]:
    """Return category of a simulator's object (``fridge``) -> its synset."""
    return {category: name for name, entry in entries.items() for category in entry["categories"]}
