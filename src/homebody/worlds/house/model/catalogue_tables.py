"""The raw tables of a catalogue: which tables, fields and numbers are allowed."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping
from typing import Any

from homebody.core.ground.user_errors import HomebodyError
from homebody.worlds.house.model.kinds import RoomKind, SceneKind


def read_tables(files: Mapping[str, str]) -> tuple[dict[str, dict[str, Any]], dict[str, str]]:
    """Read all files as one.

    Args:
        files: File name -> its TOML.

    Returns:
        Table -> name -> entry; and entry ``table.name`` -> its file and ": ".

    Raises:
        HomebodyError: A text is not TOML, or an entry is duplicated or not allowed; the message
            names the file and the entry.
    """
    tables: dict[str, dict[str, Any]] = {}
    file_of: dict[str, str] = {}
    for file, text in files.items():
        try:
            data = tomllib.loads(text)
        except (tomllib.TOMLDecodeError, RecursionError) as error:
            raise HomebodyError(f"{file} is not TOML: {error}") from error
        for table, entries in data.items():
            if table == "version":
                continue
            if table not in _TABLES or not isinstance(entries, dict):
                raise HomebodyError(f"{file}: there is no table {table!r} in a catalogue")
            for name, entry in _ungroup(f"{file}: {table}", entries):
                key = f"{table}.{name}"
                if key in file_of:
                    raise HomebodyError(f"{key} is in {file_of[key][:-2]} and again in {file}")
                _check_entry(f"{file}: {key}", table, name, entry)
                file_of[key] = f"{file}: "
                tables.setdefault(table, {})[name] = entry
    return tables, file_of


def _ungroup(where: str, entries: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    """Yield the entries of a table; members of a group include the fields of its head."""
    table = where.rpartition(" ")[2]
    fields = _FIELDS.get(table)
    for name, entry in entries.items():
        members = set(entry).difference(fields) if fields and isinstance(entry, dict) else ()
        if not members:
            yield name, entry
            continue
        shared = {key: value for key, value in entry.items() if key not in members}
        for member, own in entry.items():
            if member not in members:
                continue
            if not isinstance(own, dict):
                raise HomebodyError(f"{where}.{name}: unknown field {member!r}")
            if unknown := set(own).difference(fields or ()):
                raise HomebodyError(f"{where}.{member}: unknown field {min(unknown)!r}")
            yield member, {**shared, **own}


_ABOUT = {
    "affords",
    "behavior",
    "form",
    "function",
    "likely",
    "materials",
    "shape",
    "shows",
    "size",
    "style",
    "synset",
}
_FIELDS: Mapping[str, set[str]] = {
    "furniture": _ABOUT | {"mount", "at", "front", "receptacles", "base"},
    "things": _ABOUT
    | {"varies", "colours", "rooms", "places", "weight", "inside", "top", "holds", "content"},
}
"""Table -> allowed fields of an entry; an entry with other fields is a group of entries."""
_ALLOWED: Mapping[str, set[str]] = {
    "floors": {"pattern", "colours"},
    "styles": {"colours", "floors", "coverings"},
    "doors": {"rooms", "leaf", "open", "locked"},
    "rooms": set(RoomKind.__dataclass_fields__),
    "scenes": set(SceneKind.__dataclass_fields__),
}
"""Table -> allowed fields of an entry; others are errors."""
_TABLES = {*_FIELDS, *_ALLOWED, "likely", "colours", "materials", "lists", "leaves", "people"}
_TABLES |= {"groups"}
_MOST = 10_000
"""Maximum of any number in a catalogue."""
_MOST_METRES = 100
"""Maximum length, as in files of houses."""
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.:-]{0,79}")
"""A name as actions write it."""


def _check_entry(where: str, table: str, name: str, entry: Any) -> None:
    """Refuse invalid names, unknown fields and numbers out of range."""
    if not _NAME.fullmatch(name):
        raise HomebodyError(f"{where}: {name!r} is not a name; use letters, digits, _ . : -")
    if table in _ALLOWED and isinstance(entry, dict):
        types = entry.get("types", {}) if table == "scenes" else {}
        checked = [entry, *(types.values() if isinstance(types, dict) else ())]
        for field in (field for each in checked if isinstance(each, dict) for field in each):
            if field not in _ALLOWED[table]:
                raise HomebodyError(f"{where}: unknown field {field!r}")
    for field, value in _numbers("", entry):
        if not -_MOST <= value <= _MOST:  # also excludes nan
            raise HomebodyError(f"{where}: {field}: {value} is not between -{_MOST} and {_MOST}")
        if field == "weight" and value < 0:
            raise HomebodyError(f"{where}: weight: {value} is below 0")
        if field == "size" and not 0 < value <= _MOST_METRES:
            raise HomebodyError(f"{where}: size: {value} is not above 0, up to {_MOST_METRES} m")


def _numbers(field: str, value: Any) -> Iterator[tuple[str, float]]:
    """Yield all numbers of an entry with their fields."""
    if isinstance(value, (int, float)):
        yield field, value
    elif isinstance(value, dict):
        for key, own in value.items():
            yield from _numbers(key, own)
    elif isinstance(value, list):
        for own in value:
            yield from _numbers(field, own)
