"""The tables of a catalogue's files, before anything is made of them: which there may be, what
their entries may say, and which numbers nothing can have."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping
from typing import Any

from homebody.core.ground.user_errors import HomebodyError


def read_tables(files: Mapping[str, str]) -> tuple[dict[str, dict[str, Any]], dict[str, str]]:
    """All files as one: table -> name -> entry; and entry ``table.name`` -> its file and ": ".

    Args:
        files: File name -> its TOML.

    Raises:
        HomebodyError: a text is no TOML, an entry is there twice, or says what none can; the
            message names the file and the entry.
    """
    tables: dict[str, dict[str, Any]] = {}
    file_of: dict[str, str] = {}
    for file, text in files.items():
        try:
            data = tomllib.loads(text)
        except (tomllib.TOMLDecodeError, RecursionError) as error:
            raise HomebodyError(f"{file} is no TOML: {error}") from error
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
    """The entries of a table; those of a group with what its head says of all of them."""
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


_ABOUT = {"shape", "size", "affords", "likely", "style"}
_ABOUT |= {"synset", "materials", "form", "function"}
_FIELDS: Mapping[str, set[str]] = {
    "furniture": _ABOUT | {"mount", "at", "front", "receptacles", "base"},
    "things": _ABOUT | {"varies", "colours", "rooms", "places", "weight", "inside", "top", "holds"},
}
"""Table -> what an entry may say; an entry that says something else is a group of entries."""
_SAID: Mapping[str, set[str]] = {
    "floors": {"pattern", "colours"},
    "styles": {"colours", "floors", "coverings"},
    "doors": {"rooms", "leaf", "open", "locked"},
    "rooms": {
        "things",
        "on_floor",
        "area",
        "side",
        "floors",
        "walls",
        "furniture",
        "extra",
        "coverings",
    }
    | {"lets", "like", "windows"},
    "scenes": {"first", "then", "most", "hub", "corridor", "single", "joined", "height", "people"}
    | {"rooms", "weight", "scale", "styles", "types"},
}
"""Table -> what an entry may say; anything else is an error."""
_TABLES = {*_FIELDS, *_SAID, "likely", "colours", "materials", "lists", "leaves", "people"}
_TABLES |= {"groups"}
_MOST = 10_000
"""No number of a catalogue is larger."""
_MOST_METRES = 100
"""As in files of houses."""
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.:-]{0,79}")
"""As actions write it."""


def _check_entry(where: str, table: str, name: str, entry: Any) -> None:
    """Refuse names and fields that are none, and numbers that nothing can be."""
    if not _NAME.fullmatch(name):
        raise HomebodyError(f"{where}: {name!r} is no name: letters, digits, _ . : -")
    if table in _SAID and isinstance(entry, dict):
        types = entry.get("types", {}) if table == "scenes" else {}
        said = [entry, *(types.values() if isinstance(types, dict) else ())]
        for field in (field for one in said if isinstance(one, dict) for field in one):
            if field not in _SAID[table]:
                raise HomebodyError(f"{where}: unknown field {field!r}")
    for field, value in _numbers("", entry):
        if not -_MOST <= value <= _MOST:  # nor is nan
            raise HomebodyError(f"{where}: {field}: {value} is not between -{_MOST} and {_MOST}")
        if field == "weight" and value < 0:
            raise HomebodyError(f"{where}: weight: {value} is below 0")
        if field == "size" and not 0 < value <= _MOST_METRES:
            raise HomebodyError(f"{where}: size: {value} is not above 0, up to {_MOST_METRES} m")


def _numbers(field: str, value: Any) -> Iterator[tuple[str, float]]:
    """All numbers of an entry, with the field that each belongs to."""
    if isinstance(value, (int, float)):
        yield field, value
    elif isinstance(value, dict):
        for key, own in value.items():
            yield from _numbers(key, own)
    elif isinstance(value, list):
        for own in value:
            yield from _numbers(field, own)
