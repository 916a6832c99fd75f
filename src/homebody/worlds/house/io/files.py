"""Files of houses and episodes: JSON, checked when it is read.

    save(house, "flat.json")
    house = load("flat.json")

:mod:`schema` declares what a file holds. ``.json.gz`` is the same, compressed. A saved house is
the same when it is loaded, if its lengths are whole millimetres, its angles tenths of a degree and
its colours four decimals, as the generator's are; other numbers are rounded to that.

Reading trusts nothing: size and depth are bounded, numbers finite and in range, names unique, and
what is referred to exists. Errors name the place: ``furniture[3].receptacles[0].kind: ...``.
Whether a house is sound, that is reachable, without overlaps and with everything supported, is
what :func:`homebody.worlds.house.generation.validity.check` tells.
"""

from __future__ import annotations

import dataclasses
import gzip
import hashlib
import io
import json
import os
import re
import zlib
from collections.abc import Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from homebody.core.errors import HomebodyError
from homebody.worlds.house.generation.generate import generate
from homebody.worlds.house.io import schema as wire
from homebody.worlds.house.io.schema import schema
from homebody.worlds.house.io.schema_check import check_house, check_scenario
from homebody.worlds.house.model.agents import Agent
from homebody.worlds.house.model.house import House, Pose
from homebody.worlds.house.simulation.knowledge import PerceptionErrors
from homebody.worlds.house.simulation.scenario import HouseRecipe, Role, Scenario

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
"""Of a file, unpacked. A house of 12 rooms takes 0.1 MB."""
_LENGTHS = ("position", "outline", "height", "start", "end", "bottom", "top", "low", "high")
_DIGITS = {
    **dict.fromkeys((*_LENGTHS, "size", "wall"), 3),
    "yaw": 1,
    **dict.fromkeys(("style", "clothes", "walls"), 4),
}
"""Field -> decimals that are kept; of others, all."""
_AT = re.compile(r"^(.*?)(?: - at `(key` in `)?\$\.?(.*)`)?$", re.DOTALL)
_MOST_SHOWN = 200
"""Characters of a place in a message."""
_DataT = TypeVar("_DataT")
_WireT = TypeVar("_WireT", wire.HouseFile, wire.ScenarioFile)


# -- writing --------------------------------------------------------------------------------------


def save(what: House | Scenario, path: str | os.PathLike[str]) -> None:
    """Write a house or an episode; ``.gz`` at the end of the name compresses it.

    The file is there as a whole or not at all. The same house gives the same bytes (compressed:
    with the same zlib).

    Raises:
        HomebodyError: it could not be read again (the message names the place), or the file
            cannot be written.
    """
    target = Path(path)
    content = encode(what)
    if target.suffix == ".gz":
        packed = io.BytesIO()
        with gzip.GzipFile("", "wb", 9, packed, mtime=0) as file:
            file.write(content)
        content = packed.getvalue()
    draft = target.with_name(f".{target.name}.{os.getpid()}")
    try:
        draft.write_bytes(content)
        draft.replace(target)
    except OSError as error:
        raise HomebodyError(f"cannot write {target}: {error.strerror or error}") from error
    finally:
        with suppress(OSError):
            draft.unlink(missing_ok=True)


def encode(what: House | Scenario) -> bytes:
    """The content of a file: UTF-8, one line for each room, piece of furniture, object ...

    Raises:
        HomebodyError: something in it is out of bounds.
    """
    if isinstance(what, House):
        head, body = {"format": wire.HOUSE, "version": wire.VERSION}, _plain(what)
    else:
        head, body = {"format": wire.SCENARIO, "version": wire.VERSION}, _episode(what)
    try:
        content = "".join(_lines({**head, **body})).encode()
    except (TypeError, UnicodeEncodeError, RecursionError, msgspec.MsgspecError) as error:
        raise HomebodyError(f"this cannot be written as JSON: {error}") from error
    if isinstance(what, House):
        decode(content)
    elif not _same(decode_scenario(content).goal, what.goal):
        raise HomebodyError(
            "goal: is no plain JSON value",
            "use dicts, lists, texts, finite numbers, booleans and None",
        )
    return content


def digest(house: House) -> str:
    """16 hexadecimal digits that tell houses apart."""
    return hashlib.sha256(encode(house)).hexdigest()[:16]


# -- reading --------------------------------------------------------------------------------------


def load(path: str | os.PathLike[str]) -> House:
    """Read a house.

    Raises:
        HomebodyError: there is no such file, or it holds no house that could be; the message
            names the file and the place in it.
    """
    with _naming(path):
        return decode(_read(Path(path)))


def load_scenario(path: str | os.PathLike[str]) -> Scenario:
    """Read an episode. Raises HomebodyError like :func:`load`."""
    with _naming(path):
        return decode_scenario(_read(Path(path)))


def decode(content: bytes) -> House:
    """The house in the content of a file. Raises HomebodyError like :func:`load`."""
    found = _decode(content, wire.HouseFile, wire.HOUSE)
    check_house(found)
    return _convert(found, House)


def decode_scenario(content: bytes) -> Scenario:
    """The episode in the content of a file. Raises HomebodyError like :func:`load`."""
    found = _decode(content, wire.ScenarioFile, wire.SCENARIO)
    check_scenario(found)
    if found.house is not None:
        house: House | HouseRecipe = _convert(found.house, House)
    else:
        house = _convert(found.recipe, HouseRecipe)
    return Scenario(
        house,
        tuple(_role(one) for one in found.agents),
        instruction=found.instruction,
        goal=found.goal,
        seed=found.seed,
        partial=found.partial,
        failures=found.failures,
        errors=_convert(found.errors, PerceptionErrors) if found.errors is not None else None,
        max_steps=found.max_steps,
        max_actions=found.max_actions,
    )


def house_of(scenario: Scenario) -> House:
    """The house of a scenario, generated if need be.

    Raises:
        HomebodyError: it cannot be generated, or it is not what it was when it was written.
    """
    recipe = scenario.house
    if isinstance(recipe, House):
        return recipe
    house = generate(
        recipe.seed,
        recipe.kind,
        recipe.rooms,
        furniture=recipe.furniture,
        things=recipe.things,
        people=recipe.people,
    )
    if recipe.digest and digest(house) != recipe.digest:
        raise HomebodyError(
            f"the house of seed {recipe.seed} is not what it was when the episode was written",
            "use the version of homebody that wrote it, or write episodes with their houses",
        )
    return house


# -- how ------------------------------------------------------------------------------------------


class _naming:
    """Puts the name of the file before what is wrong with it."""

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self.path = path

    def __enter__(self) -> None:
        return

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        if isinstance(error, HomebodyError):
            raise HomebodyError(f"{os.fspath(self.path)}: {error}", error.hint) from error


def _read(path: Path) -> bytes:
    try:
        with path.open("rb") as file:
            content = file.read(MAX_BYTES + 1)
    except OSError as error:
        raise HomebodyError(f"cannot be read: {error.strerror or error}") from error
    if content[:2] == b"\x1f\x8b":
        unpacker = zlib.decompressobj(31)
        try:
            content = unpacker.decompress(content, MAX_BYTES + 1)
        except zlib.error as error:
            raise HomebodyError(f"is damaged: {error}") from error
        if len(content) <= MAX_BYTES and (not unpacker.eof or unpacker.unused_data):
            raise HomebodyError("is damaged: its compressed data do not end where they should")
    if len(content) > MAX_BYTES:
        raise HomebodyError(f"is larger than {MAX_BYTES >> 20} MB")
    return content


def _decode(content: bytes, kind: type[_WireT], form: str) -> _WireT:
    try:
        head = msgspec.json.decode(content, type=wire.Head)
        if head.format != form:
            other = {wire.HOUSE: "load", wire.SCENARIO: "load_scenario"}.get(head.format, "")
            hint = f"use {other}" if other else f"a file begins with format and version: {form}"
            raise HomebodyError(f"format: is {head.format!r}, not {form!r}", hint)
        if head.version != wire.VERSION:
            raise HomebodyError(
                f"version: is {head.version}; this homebody reads version {wire.VERSION}",
                "a newer homebody may read it",
            )
        found = msgspec.json.decode(content, type=kind)
        _no_key_twice(content)
        return found
    except RecursionError as error:
        raise HomebodyError("is nested too deeply") from error
    except UnicodeDecodeError as error:
        raise HomebodyError(f"is not UTF-8: byte {error.start}") from error
    except msgspec.MsgspecError as error:
        raise HomebodyError(_told(str(error))) from error


class _Twice(str):
    """A key that an object has twice, in the place of the object."""


def _no_key_twice(content: bytes) -> None:
    """Refuse what msgspec passes over: of two values of a key, readers differ in which they take.

    Raises:
        HomebodyError: an object has a key twice; the message names the place.
    """
    seen: list[_Twice] = []

    def paired(pairs: list[tuple[str, Any]]) -> Any:
        found = dict(pairs)
        if len(found) < len(pairs):
            keys = [key for key, _ in pairs]
            seen.append(_Twice(next(key for key in keys if keys.count(key) > 1)))
            return seen[-1]
        return found

    # Numbers have been checked, and long ones would take long.
    tree = json.loads(content, object_pairs_hook=paired, parse_int=len, parse_float=len)
    if seen:
        raise HomebodyError(f"{next(_twice(tree))}: is there twice")


def _twice(value: Any, at: str = "") -> Iterator[str]:
    """Where keys are that are there twice."""
    if isinstance(value, _Twice):
        yield f"{at}.{value}".lstrip(".")[:_MOST_SHOWN]
    elif isinstance(value, dict):
        for key, one in value.items():
            yield from _twice(one, f"{at}.{key}")
    elif isinstance(value, list):
        for i, one in enumerate(value):
            yield from _twice(one, f"{at}[{i}]")


def _told(message: str) -> str:
    """msgspec's message, with the place first."""
    found = _AT.match(message)
    what, key, where = found.groups() if found else (message, None, "")
    what = what[:1].lower() + what[1:]
    what = re.sub(r"matching regex .*", "without spaces, commas or brackets", what)
    what = what.replace("JSON is malformed", "is no JSON").replace("input data was", "is")
    where = f"a key of {where}" if key else where
    return f"{where}: {what}" if where else what


def _convert(found: object, kind: type[_DataT]) -> _DataT:
    return msgspec.convert(found, kind, from_attributes=True)


def _role(found: wire.Role) -> Role:
    skills = frozenset(found.skills)
    agent = Agent(skills, found.speed, found.reach, found.size, found.hands, found.view)
    pose = _convert(found.pose, Pose) if found.pose is not None else None
    return Role(found.name, agent, pose)


def _plain(value: Any, name: str = "") -> Any:
    """Dataclasses as what JSON knows, rounded; what is empty and has a default is left out."""
    if dataclasses.is_dataclass(value):
        found = {}
        for field in dataclasses.fields(value):
            one = _plain(getattr(value, field.name), field.name)
            required = (
                field.default is dataclasses.MISSING
                and field.default_factory is dataclasses.MISSING
            )
            if required or (one is not None and one not in ("", [], {})):
                found[field.name] = one
        return found
    if isinstance(value, Mapping):
        return {str(key): _plain(one, name) for key, one in value.items()}
    if isinstance(value, frozenset):
        return sorted(value)
    if isinstance(value, (list, tuple)):
        return [_plain(one, name) for one in value]
    if isinstance(value, float) or (name in _DIGITS and isinstance(value, int)):
        digits = _DIGITS.get(name)
        number = float(value)
        return (number if digits is None else round(number, digits)) + 0.0  # no -0.0
    return value


def _episode(episode: Scenario) -> dict[str, Any]:
    goal = episode.goal
    found: dict[str, Any] = _plain(dataclasses.replace(episode, goal=None))
    if isinstance(episode.house, HouseRecipe):
        found = {"recipe": found.pop("house"), **found}
    found["agents"] = [
        {"name": one["name"], **one["agent"], **({"pose": one["pose"]} if "pose" in one else {})}
        for one in found["agents"]
    ]
    for one, player in zip(found["agents"], episode.agents, strict=True):
        one.setdefault("skills", sorted(player.agent.skills))
        one.setdefault("hands", list(player.agent.hands))
    house = found.pop("house", None)  # last: it is long
    if goal is not None:
        found["goal"] = goal
    if house is not None:
        found["house"] = house
    return found


def _lines(value: Mapping[str, Any], pad: str = " ") -> Iterator[str]:
    yield "{\n"
    for number, (key, one) in enumerate(value.items()):
        yield f"{pad}{_json(key)}: "
        if key == "house":
            yield from _lines(one, pad + " ")
        elif isinstance(one, list) and one and isinstance(one[0], dict):
            yield "[\n"
            yield ",\n".join(f"{pad} {_json(part)}" for part in one)
            yield f"\n{pad}]"
        else:
            yield _json(one)
        yield ",\n" if number < len(value) - 1 else "\n"
    yield pad[1:] + "}" + ("\n" if pad == " " else "")


def _json(value: Any) -> str:
    return msgspec.json.encode(value).decode()


def _same(one: Any, other: Any) -> bool:
    """Whether two values are the same JSON: 1, 1.0 and true are three."""
    if type(one) is not type(other):
        return False
    if isinstance(one, dict):
        return list(one) == list(other) and all(_same(one[key], other[key]) for key in one)
    if isinstance(one, list):
        return len(one) == len(other) and all(map(_same, one, other))
    return bool(one == other)
