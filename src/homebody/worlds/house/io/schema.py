"""The file format of houses and scenarios, with all bounds.

The records are made from the classes of the model. The types of their fields contain the bounds
(:mod:`homebody.worlds.house.model.bounds`). Files are decoded into them, and the JSON Schema is
made from them.

A file is an object with ``format`` and ``version`` first. Missing fields have defaults, unknown
ones are refused. A later version will have its own records.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from functools import cache
from types import UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin, get_type_hints

import msgspec

from homebody.worlds.house.model.agents import Agent
from homebody.worlds.house.model.bounds import OneOf
from homebody.worlds.house.model.house import House
from homebody.worlds.house.model.recipe import HouseRecipe
from homebody.worlds.house.simulation.scenario import Role, Scenario

VERSION = 1
HOUSE = "homebody.house"
SCENARIO = "homebody.episode"
_DOCS = {
    "House": "A scene.",
    "HouseFile": "A house in a file of its own.",
    "ScenarioFile": "An episode in a file of its own.",
}


class Head(msgspec.Struct):
    """The head of every file; other fields are ignored."""

    format: str
    version: int


def schema(of: str = "house") -> dict[str, Any]:
    """Return the JSON Schema (2020-12) of a file.

    Args:
        of: ``house`` or ``scenario``.

    Raises:
        ValueError: No such kind of file.
    """
    if of not in ("house", "scenario"):
        raise ValueError(f"there is no kind of file {of!r}: choose house or scenario")
    kind, form = (House, HOUSE) if of == "house" else (Scenario, SCENARIO)
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": f"{form} {VERSION}",
        **msgspec.json.schema(file_of(kind, form)),
    }


@cache
def file_of(kind: type[Any], form: str) -> type[Any]:
    """Return the record of a whole file: the record of a class, with the format and its version."""
    head = [("format", Literal[form]), ("version", Literal[VERSION])]
    return _record(f"{kind.__name__}File", [*_fields(kind), *head])


@cache
def record_of(kind: type[Any]) -> type[Any]:
    """Return the record of a class of the model."""
    return _record(kind.__name__, _fields(kind))


def _record(name: str, fields: list[tuple[Any, ...]]) -> type[Any]:
    return msgspec.defstruct(
        name,
        fields,
        namespace={"__doc__": _DOCS.get(name)},
        forbid_unknown_fields=True,
        kw_only=True,
    )


def _fields(kind: type[Any]) -> list[tuple[Any, ...]]:
    """Return (name, type) or (name, type, default) for each field of a record."""
    fields: list[tuple[Any, ...]] = []
    hints = get_type_hints(kind, include_extras=True)
    for field in dataclasses.fields(kind):
        default: tuple[Any, ...] = ()
        if field.default is not dataclasses.MISSING:
            default = (field.default,)
        elif field.default_factory is not dataclasses.MISSING:
            default = (msgspec.field(default_factory=field.default_factory),)
        fields.append((field.name, _type_of(hints[field.name]), *default))
    if kind is Role:  # the agent's fields are inlined; all but the view are required
        name, _, pose = fields
        able = [field if field[0] == "view" else field[:2] for field in _fields(Agent)]
        return [name, *able, pose]
    if kind is Scenario:  # a house has its own field, a recipe another
        _, agents, *others = fields
        house = ("house", record_of(House) | None, None)
        recipe = ("recipe", record_of(HouseRecipe) | None, None)
        return [agents, house, recipe, *others]
    return fields


def _type_of(hint: Any) -> Any:
    """Return the file type for a type of the model: records for classes, lists for sets."""
    if dataclasses.is_dataclass(hint):
        return record_of(hint)  # type: ignore[arg-type]
    origin, args = get_origin(hint), get_args(hint)
    if origin is Annotated:
        for mark in hint.__metadata__:
            if isinstance(mark, OneOf):
                return Literal[mark.options]
        return Annotated[(_type_of(args[0]), *hint.__metadata__)]
    parts = tuple(_type_of(arg) for arg in args)
    if origin is frozenset:
        parts = (*parts, ...)
    generic: Any = _GENERICS.get(origin)
    return hint if generic is None else generic[parts]


_GENERICS = {Mapping: dict, frozenset: tuple, tuple: tuple, Union: Union, UnionType: Union}
