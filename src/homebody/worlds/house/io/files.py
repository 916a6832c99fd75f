"""Files of houses and scenarios: JSON, checked when read.

    save(house, "flat.json")
    house = load("flat.json")

:mod:`schema` defines the format; ``.json.gz`` is compressed. Lengths are rounded to whole
millimetres, angles to tenths of a degree and colours to four decimals. The generator makes only
such numbers, so its houses load exactly as they were saved.

Files are not trusted: size and depth are limited, numbers must be finite and in range, names must
be unique, and references must exist. Errors name the place: ``furniture[3].receptacles[0].kind:
...``. :func:`homebody.worlds.house.generation.validity.check` checks that a house is sound
(reachable, free of overlaps, everything supported).
"""

from __future__ import annotations

import dataclasses
import gzip
import hashlib
import io
import json
import os
import re
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any, TypeVar, get_args, get_type_hints

import msgspec

from homebody.core.ground.files import read_bounded, write_whole
from homebody.core.ground.nesting import TooDeep, check_depth
from homebody.core.ground.user_errors import HomebodyError, name_file, version_hint
from homebody.worlds.house.generation.generate import generate
from homebody.worlds.house.io.schema import HOUSE, SCENARIO, VERSION, Head, file_of, schema
from homebody.worlds.house.io.schema_check import check_house, check_scenario
from homebody.worlds.house.model.agents import Agent
from homebody.worlds.house.model.bounds import Decimals
from homebody.worlds.house.model.house import House
from homebody.worlds.house.model.recipe import GENERATOR, HouseRecipe
from homebody.worlds.house.simulation.scenario import Role, Scenario

__all__ = [
    "decode",
    "decode_scenario",
    "digest",
    "encode",
    "house_of",
    "load",
    "load_scenario",
    "save",
    "schema",
]

MAX_BYTES = 64 << 20
"""Maximum unpacked size of a file. A house of 12 rooms takes 0.1 MB."""
_PLACE = re.compile(r"^(.*?)(?: - at `(key` in `)?\$\.?(.*)`)?$", re.DOTALL)
_MAX_SHOWN = 200
"""Maximum number of characters of a place in a message."""
_DataT = TypeVar("_DataT")


# -- writing --------------------------------------------------------------------------------------


def save(content: House | Scenario, path: str | os.PathLike[str]) -> None:
    """Write a house or a scenario; a name that ends in ``.gz`` compresses it.

    The file is written completely or not at all. The same house gives the same bytes (compressed:
    with the same zlib).

    Raises:
        HomebodyError: The content could not be read again (the message names the place), or the
            file cannot be written.
    """
    target = Path(path)
    data = encode(content)
    if target.suffix == ".gz":
        packed = io.BytesIO()
        with gzip.GzipFile("", "wb", 9, packed, mtime=0) as file:
            file.write(data)
        data = packed.getvalue()
    write_whole(target, data)


def encode(content: House | Scenario) -> bytes:
    """Return the bytes of a file: UTF-8, one line per room, piece of furniture, object ...

    Raises:
        HomebodyError: Something in it is out of bounds.
    """
    if isinstance(content, House):
        fields = {"format": HOUSE, "version": VERSION, **_plain(content)}
    else:
        fields = {"format": SCENARIO, "version": VERSION, **_plain_scenario(content)}
    try:
        data = "".join(_lines(fields)).encode()
    except (TypeError, UnicodeEncodeError, RecursionError, msgspec.MsgspecError) as error:
        raise HomebodyError(f"this cannot be written as JSON: {error}") from error
    if isinstance(content, House):
        decode(data)
    elif not _same(decode_scenario(data).goal, content.goal):
        raise HomebodyError(
            "goal: is not a plain JSON value",
            "use dicts, lists, strings, finite numbers, booleans and None",
        )
    return data


def digest(house: House) -> str:
    """Return 16 hexadecimal digits that identify a house."""
    return hashlib.sha256(encode(house)).hexdigest()[:16]


# -- reading --------------------------------------------------------------------------------------


def load(path: str | os.PathLike[str]) -> House:
    """Read a house.

    Raises:
        HomebodyError: The file is missing or invalid; the message names the file and the place.
    """
    with name_file(os.fspath(path)):
        return decode(read_bounded(Path(path), MAX_BYTES))


def load_scenario(path: str | os.PathLike[str]) -> Scenario:
    """Read a scenario. Raises HomebodyError like :func:`load`."""
    with name_file(os.fspath(path)):
        return decode_scenario(read_bounded(Path(path), MAX_BYTES))


def decode(data: bytes) -> House:
    """Decode a house from the bytes of a file. Raises HomebodyError like :func:`load`."""
    record = _decode(data, House, HOUSE)
    check_house(record)
    return _convert(record, House)


def decode_scenario(data: bytes) -> Scenario:
    """Decode a scenario from the bytes of a file. Raises HomebodyError like :func:`load`."""
    record = _decode(data, Scenario, SCENARIO)
    check_scenario(record)
    if record.house is not None:
        house: House | HouseRecipe = _convert(record.house, House)
    else:
        house = _convert(record.recipe, HouseRecipe)
    roles = []
    for role in record.agents:
        agent = {field.name: getattr(role, field.name) for field in dataclasses.fields(Agent)}
        agent["skills"] = frozenset(role.skills)
        pose = _convert(role.pose, get_type_hints(Role)["pose"])
        roles.append(Role(role.name, Agent(**agent), pose))
    fields = {field.name: getattr(record, field.name) for field in dataclasses.fields(Scenario)}
    errors = _convert(record.errors, get_type_hints(Scenario)["errors"])
    return Scenario(**fields | {"house": house, "agents": tuple(roles), "errors": errors})


def house_of(scenario: Scenario) -> House:
    """Return the house of a scenario; a recipe is generated.

    Raises:
        HomebodyError: The house cannot be generated, or it differs from the house for which the
            recipe was written.
    """
    recipe = scenario.house
    if isinstance(recipe, House):
        return recipe
    if recipe.generator != GENERATOR:
        raise HomebodyError(
            f"the house needs version {recipe.generator} of the generator; this homebody has"
            f" version {GENERATOR}, which makes another house of the same seed",
            version_hint(recipe.generator, GENERATOR, "write episodes with their houses in them"),
        )
    house = generate(
        recipe.seed,
        recipe.kind,
        recipe.rooms,
        furniture=recipe.furniture,
        things=recipe.things,
        people=recipe.people,
        type=recipe.type,
        density=recipe.density,
    )
    if recipe.digest and digest(house) != recipe.digest:
        raise HomebodyError(
            f"the house of seed {recipe.seed} differs from the one when the episode was written",
            "if it was made with your own catalogue, write episodes with their houses",
        )
    return house


# -- how ------------------------------------------------------------------------------------------


def _decode(data: bytes, kind: Any, form: str) -> Any:
    """Decode the record of a file of a format: an object of a class, within its bounds."""
    try:
        check_depth(data)
        head = msgspec.json.decode(data, type=Head)
        if head.format != form:
            other = {HOUSE: "load", SCENARIO: "load_scenario"}.get(head.format, "")
            hint = f"use {other}" if other else f"a file begins with format and version: {form}"
            raise HomebodyError(f"format: is {head.format!r}, not {form!r}", hint)
        if head.version != VERSION:
            raise HomebodyError(
                f"version: is {head.version}; this homebody reads version {VERSION}",
                version_hint(head.version, VERSION, "homebody house new makes one of a seed"),
            )
        record = msgspec.json.decode(data, type=file_of(kind, form))
        _refuse_repeated_keys(data)
        return record
    except TooDeep as error:
        raise HomebodyError("is nested too deeply") from error
    except UnicodeDecodeError as error:
        raise HomebodyError(f"is not UTF-8: byte {error.start}") from error
    except msgspec.MsgspecError as error:
        raise HomebodyError(_place_first(str(error))) from error


class _RepeatedKey(str):
    """Marks an object in which a key occurs twice."""


def _refuse_repeated_keys(data: bytes) -> None:
    """Refuse repeated keys, which msgspec accepts; readers differ in which value they take.

    Raises:
        HomebodyError: An object has a key twice; the message names the place.
    """
    repeated: list[_RepeatedKey] = []

    def read_pairs(pairs: list[tuple[str, Any]]) -> Any:
        fields = dict(pairs)
        if len(fields) < len(pairs):
            keys = [key for key, _ in pairs]
            repeated.append(_RepeatedKey(next(key for key in keys if keys.count(key) > 1)))
            return repeated[-1]
        return fields

    # Numbers have been checked, and long ones would take long.
    tree = json.loads(data, object_pairs_hook=read_pairs, parse_int=len, parse_float=len)
    if repeated:
        raise HomebodyError(f"{next(_find_repeated(tree))}: appears twice")


def _find_repeated(value: Any, place: str = "") -> Iterator[str]:
    """Yield the places of repeated keys."""
    if isinstance(value, _RepeatedKey):
        yield f"{place}.{value}".lstrip(".")[:_MAX_SHOWN]
    elif isinstance(value, dict):
        for key, part in value.items():
            yield from _find_repeated(part, f"{place}.{key}")
    elif isinstance(value, list):
        for i, part in enumerate(value):
            yield from _find_repeated(part, f"{place}[{i}]")


def _place_first(message: str) -> str:
    """Return msgspec's message with the place first."""
    match = _PLACE.match(message)
    problem, key, place = match.groups() if match else (message, None, "")
    problem = problem.replace("JSON is malformed", "is not JSON").replace("Input data was", "is")
    problem = problem[:1].lower() + problem[1:]
    problem = re.sub(r"matching regex .*", "without spaces, commas or brackets", problem)
    place = f"a key of {place}" if key else place
    return f"{place}: {problem}" if place else problem


def _convert(record: object, kind: type[_DataT]) -> _DataT:
    return msgspec.convert(record, kind, from_attributes=True)


@cache
def _decimals(kind: type[Any]) -> Mapping[str, int | None]:
    """Return the number of decimals that each field keeps; None for all."""

    def find_decimals(hint: Any) -> int | None:
        marks = [*getattr(hint, "__metadata__", ()), *map(find_decimals, get_args(hint))]
        for mark in marks:
            if isinstance(mark, Decimals):
                return mark.kept
            if isinstance(mark, int):
                return mark
        return None

    hints = get_type_hints(kind, include_extras=True)
    return {field.name: find_decimals(hints[field.name]) for field in dataclasses.fields(kind)}


def _plain(value: Any, decimals: int | None = None) -> Any:
    """Convert dataclasses to JSON values, rounded; empty fields with defaults are omitted."""
    if dataclasses.is_dataclass(value):
        fields = {}
        kind: Any = type(value)
        kept = _decimals(kind)
        for field in dataclasses.fields(value):
            part = _plain(getattr(value, field.name), kept[field.name])
            required = (
                field.default is dataclasses.MISSING
                and field.default_factory is dataclasses.MISSING
            )
            if required or (part is not None and part not in ("", [], {})):
                fields[field.name] = part
        return fields
    if isinstance(value, Mapping):
        return {str(key): _plain(part, decimals) for key, part in value.items()}
    if isinstance(value, frozenset):
        return sorted(value)
    if isinstance(value, (list, tuple)):
        return [_plain(part, decimals) for part in value]
    if isinstance(value, float) or (decimals is not None and isinstance(value, int)):
        number = float(value)
        return (number if decimals is None else round(number, decimals)) + 0.0  # no -0.0
    return value


def _plain_scenario(scenario: Scenario) -> dict[str, Any]:
    fields: dict[str, Any] = _plain(dataclasses.replace(scenario, goal=None))
    if isinstance(scenario.house, HouseRecipe):
        fields = {"recipe": fields.pop("house"), **fields}
    roles = []
    for role, plain in zip(scenario.agents, fields["agents"], strict=True):
        pose = {"pose": plain["pose"]} if "pose" in plain else {}
        flat = {"name": plain["name"], **plain["agent"], **pose}
        flat.setdefault("skills", sorted(role.agent.skills))
        flat.setdefault("hands", list(role.agent.hands))
        roles.append(flat)
    fields["agents"] = roles
    house = fields.pop("house", None)  # last: it is long
    if scenario.goal is not None:
        fields["goal"] = scenario.goal
    if house is not None:
        fields["house"] = house
    return fields


def _lines(fields: Mapping[str, Any], pad: str = " ") -> Iterator[str]:
    yield "{\n"
    for number, (key, value) in enumerate(fields.items()):
        yield f"{pad}{_json(key)}: "
        if key == "house":
            yield from _lines(value, pad + " ")
        elif isinstance(value, list) and value and isinstance(value[0], dict):
            yield "[\n"
            yield ",\n".join(f"{pad} {_json(part)}" for part in value)
            yield f"\n{pad}]"
        else:
            yield _json(value)
        yield ",\n" if number < len(fields) - 1 else "\n"
    yield pad[1:] + "}" + ("\n" if pad == " " else "")


def _json(value: Any) -> str:
    return msgspec.json.encode(value).decode()


def _same(value: Any, other: Any) -> bool:
    """Return whether two values are the same JSON: 1, 1.0 and true differ."""
    if type(value) is not type(other):
        return False
    if isinstance(value, dict):
        return list(value) == list(other) and all(_same(value[key], other[key]) for key in value)
    if isinstance(value, list):
        return len(value) == len(other) and all(map(_same, value, other))
    return bool(value == other)
