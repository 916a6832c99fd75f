"""What OpenAI's strict mode takes of a JSON schema, as its guide to structured outputs says."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final

import numpy as np

KEYWORDS: Final = {"type", "properties", "required", "additionalProperties", "enum", "anyOf"}
MAX_PROPERTIES: Final = 5_000
MAX_DEPTH: Final = 10
MAX_NAMES: Final = 1_000
MAX_CHARACTERS: Final = 120_000
LONG_LIST: Final = 250
MAX_IN_LONG_LIST: Final = 15_000


def problems(schema: dict[str, Any]) -> list[str]:
    """Why it would be refused; empty if it would not."""
    parts = list(_parts(schema))
    objects = [part for part, _ in parts if part.get("type") == "object"]
    lists = [part["enum"] for part, _ in parts if "enum" in part]
    names = [name for one in lists for name in one]
    names_of_properties = [name for one in objects for name in one["properties"]]
    holds = {
        "the root is an object": schema.get("type") == "object" and "anyOf" not in schema,
        "keywords": all(part.keys() <= KEYWORDS | {"pattern"} for part, _ in parts),
        "something is said of every value": all("type" in p or "anyOf" in p for p, _ in parts),
        "no others": all(one.get("additionalProperties") is False for one in objects),
        "all are required": all(one["required"] == list(one["properties"]) for one in objects),
        "lists have names": all(one and len(set(one)) == len(one) for one in lists),
        "alternatives": all(_are_told_apart(p["anyOf"]) for p, _ in parts if "anyOf" in p),
        "depth": max(depth for _, depth in parts) <= MAX_DEPTH,
        "properties": len(names_of_properties) <= MAX_PROPERTIES,
        "names": len(names) <= MAX_NAMES,
        "characters": sum(map(len, names + names_of_properties)) <= MAX_CHARACTERS,
        "long lists": all(
            sum(map(len, one)) <= MAX_IN_LONG_LIST for one in lists if len(one) > LONG_LIST
        ),
    }
    return [said for said, is_so in holds.items() if not is_so]


def drawn(schema: dict[str, Any], rng: np.random.Generator) -> Any:
    """A value that a schema has, at random; any text of a pattern that is no list of names."""
    if "anyOf" in schema:
        return drawn(_one(schema["anyOf"], rng), rng)
    if "enum" in schema:
        return _one(schema["enum"], rng)
    match schema["type"]:
        case "object":
            return {name: drawn(part, rng) for name, part in schema["properties"].items()}
        case "null":
            return None
        case _:
            pattern = schema["pattern"].removeprefix("^(?:").removesuffix(")$")
            names = pattern.replace("\\", "").split("|")
            return _one(names, rng) if pattern != schema["pattern"] else "a cup"


def _one(of_these: Sequence[Any], rng: np.random.Generator) -> Any:
    return of_these[int(rng.integers(len(of_these)))]


def _are_told_apart(alternatives: list[dict[str, Any]]) -> bool:
    """Whether objects begin with properties of which no two can be the same."""
    firsts = [next(iter(one["properties"].items())) for one in alternatives if "properties" in one]
    taken = [(name, value) for name, part in firsts for value in part.get("enum", [""])]
    return len(set(taken)) == len(taken) and len({name for name, _ in taken}) in (1, len(taken))


def _parts(schema: dict[str, Any], depth: int = 0) -> Iterator[tuple[dict[str, Any], int]]:
    """A schema and those in it, with how many objects are around each."""
    depth += schema.get("type") == "object"
    yield schema, depth
    for part in (*schema.get("properties", {}).values(), *schema.get("anyOf", ())):
        yield from _parts(part, depth)
