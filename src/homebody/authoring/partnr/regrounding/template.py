"""Tasks in the format of the published seed files: an instruction and an initial state.

Models write the same JSON, with the names of a homebody house. :func:`to_draft` makes a
draft of it, or raises Rejected for entities that do not exist.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Final

import msgspec

from homebody.authoring.answers import convert, first_json
from homebody.authoring.language.names import join_words
from homebody.authoring.partnr.draft import (
    MAX_OBJECTS,
    Draft,
    FailureMode,
    Placement,
    Rejected,
    excerpt,
)
from homebody.worlds.house.model.catalogue import STATE_OF, catalogue
from homebody.worlds.house.model.house import House
from homebody.worlds.house.model.receptacles import resolve_relation

MAX_TASKS = 50
"""Maximum tasks of one output."""
MAX_ENTRIES = 40
"""Maximum entries of an initial state."""
MAX_INSTRUCTION = 1_500
"""Maximum characters of an instruction."""
_NUMBERED: Final = re.compile(r"(.*\D)_(\d+)")


class Entry(msgspec.Struct, frozen=True):
    """Objects at an initial place. ``furniture_names`` and ``allowed_regions`` are
    alternatives; ``common_sense_object_classes`` requests additional objects of any kind."""

    number: int | str = 1
    object_classes: tuple[str, ...] = ()
    furniture_names: tuple[str, ...] = ()
    allowed_regions: tuple[str, ...] = ()
    location: str = ""
    object_states: Mapping[str, bool] = {}
    common_sense_object_classes: bool = False


class FurnitureEntry(msgspec.Struct, frozen=True):
    """States of all furniture of some kinds in some rooms, or of some pieces."""

    furniture_classes: tuple[str, ...] = ()
    furniture_names: tuple[str, ...] = ()
    allowed_regions: tuple[str, ...] = ()
    object_states: Mapping[str, bool] = {}


class Template(msgspec.Struct, frozen=True):
    """A task without an evaluation function."""

    instruction: str
    initial_state: tuple[Entry, ...]
    initial_furniture_state: tuple[FurnitureEntry, ...] = ()
    scene_id: str = ""
    episode_id: int | str = ""


def read_templates(text: str) -> list[Template | Rejected]:
    """Return the tasks of a model's output: a list, an object with a list, or one task. Unreadable
    tasks are replaced by their errors."""
    try:
        raw = first_json(text)
    except ValueError as why:
        return [Rejected(FailureMode.UNREADABLE, str(why))]
    if isinstance(raw, dict) and "instruction" not in raw:
        raw = next((value for value in raw.values() if isinstance(value, list)), raw)
    entries = raw if isinstance(raw, list) else [raw]
    if not entries:
        return [Rejected(FailureMode.UNREADABLE, "the list of tasks is empty")]
    return [_read(entry) for entry in entries[:MAX_TASKS]]


def read_template(raw: object) -> Template:
    """Read one task from decoded JSON. Raises Rejected (UNREADABLE)."""
    try:
        template = convert(raw, Template)
    except ValueError as error:
        raise Rejected(
            FailureMode.UNREADABLE, f"a task does not have the required form: {error}"
        ) from None
    if not template.instruction.strip() or len(template.instruction) > MAX_INSTRUCTION:
        raise Rejected(
            FailureMode.UNREADABLE, f"an instruction has 1 to {MAX_INSTRUCTION} characters"
        )
    if not 1 <= len(template.initial_state) <= MAX_ENTRIES:
        raise Rejected(FailureMode.UNREADABLE, f"an initial state has 1 to {MAX_ENTRIES} entries")
    return template


def to_draft(template: Template, house: House) -> Draft:
    """Return the draft of a task with the names of a house and of homebody's catalogue.

    The number of an entry is divided among its kinds of objects as equally as possible. All its
    objects are placed on the first piece of furniture that it names, or on the floor. A piece may
    be named by its kind if only one fits.

    Raises:
        Rejected: HALLUCINATION for names that do not exist; NO_ROOM for too many objects;
            UNREADABLE for impossible numbers, a missing place, or a task without objects.
    """
    placements: list[Placement] = []
    for entry in template.initial_state:
        number = _number(entry.number)
        if entry.common_sense_object_classes or not entry.object_classes:
            continue  # clutter: the house has its own
        for name in entry.object_classes:
            if name not in catalogue().things:
                raise Rejected(
                    FailureMode.HALLUCINATION, f"unknown kind of object: {excerpt(name, 40)!r}"
                )
        if not entry.furniture_names and not entry.allowed_regions:
            raise Rejected(FailureMode.UNREADABLE, "an entry has no place for its objects")
        at = entry.furniture_names[0] if entry.furniture_names else "floor"
        where = find_furniture(at, house, entry.allowed_regions)
        states = read_states(entry.object_states)
        kinds = list(dict.fromkeys(entry.object_classes))[:number]
        for index, kind in enumerate(kinds):
            count = number // len(kinds) + (index < number % len(kinds))
            _check_states(kind, states)
            placements.append(
                Placement(kind, count, where, _relation(where, entry.location, house), states)
            )
    if not placements:
        raise Rejected(FailureMode.UNREADABLE, "no objects are placed")
    if sum(placed.number for placed in placements) > MAX_OBJECTS:
        raise Rejected(FailureMode.NO_ROOM, f"a task has at most {MAX_OBJECTS} objects")
    furniture: dict[str, dict[str, bool]] = {}
    for furniture_entry in template.initial_furniture_state[:MAX_ENTRIES]:
        states = read_states(furniture_entry.object_states)
        for name in _resolve_furniture(furniture_entry, house):
            _check_states(house.piece[name].category, states)
            furniture.setdefault(name, {}).update(states)
    instruction = " ".join(template.instruction.split())
    return Draft(instruction, tuple(placements), None, furniture)


def find_furniture(name: str, house: House, regions: Sequence[str] = ()) -> str:
    """Return the piece of furniture or the floor of a house that a name or kind refers to.

    Args:
        name: ``table_1``, ``table``, ``floor`` or ``floor_kitchen_0``.
        house: The house.
        regions: Rooms or kinds of rooms, one of which it must be in; any if empty.

    Raises:
        Rejected: HALLUCINATION if nothing matches, or several pieces match a kind.
    """
    rooms = [room for region in regions for room in find_rooms(region, house)] or [
        room.name for room in house.rooms
    ]
    if name in house.floors:
        candidates = [name] if house.floors[name].name in rooms else []
    elif name.split("_")[0] == "floor":
        candidates = [room.floor_name for room in house.rooms if room.name in rooms]
    elif name in house.piece:
        candidates = [name] if house.piece[name].room in rooms else []
    else:
        numbered = _NUMBERED.fullmatch(name[:100])
        kind = numbered[1] if numbered else name
        candidates = [
            piece.name
            for piece in house.furniture
            if piece.category == kind and piece.room in rooms
        ]
    where = f" in {join_words(list(regions), 'or')}" if regions else ""
    if not candidates:
        raise Rejected(
            FailureMode.HALLUCINATION, f"no furniture is named {excerpt(name, 40)!r}{where}"
        )
    if len(dict.fromkeys(candidates)) > 1:
        raise Rejected(
            FailureMode.HALLUCINATION,
            f"{excerpt(name, 40)!r}{where} is ambiguous: {join_words(candidates, 'or')}",
        )
    return candidates[0]


def find_rooms(region: str, house: House) -> list[str]:
    """Return the rooms that a name or kind refers to. Raises Rejected (HALLUCINATION) if none."""
    if region in house.room:
        return [region]
    rooms = [room.name for room in house.rooms if room.kind == region]
    if not rooms:
        raise Rejected(FailureMode.HALLUCINATION, f"the house has no room {excerpt(region, 40)!r}")
    return rooms


def read_states(raw: Mapping[str, bool]) -> dict[str, bool]:
    """Read states with or without ``is_``. Raises Rejected (UNREADABLE) for unknown ones."""
    states = {name.removeprefix("is_"): value for name, value in raw.items()}
    for name in states:
        if name not in STATE_OF.values():
            raise Rejected(FailureMode.UNREADABLE, f"unknown state: {excerpt(name, 40)!r}")
    return states


def _read(raw: object) -> Template | Rejected:
    try:
        return read_template(raw)
    except Rejected as why:
        return why


def _number(raw: int | str) -> int:
    text = str(raw).strip()
    if not (text.isascii() and text.isdigit() and len(text) < 4 and 0 < int(text) <= MAX_OBJECTS):
        raise Rejected(
            FailureMode.UNREADABLE,
            f"the number of objects must be 1 to {MAX_OBJECTS}, not {excerpt(text, 20)!r}",
        )
    return int(text)


def _relation(where: str, location: str, house: House) -> str:
    if where in house.floors:
        return "on"
    piece = house.piece[where]
    if relation := resolve_relation(location, {space.kind for space in piece.receptacles}):
        return relation
    raise Rejected(FailureMode.HALLUCINATION, f"nothing can be put on or in {where}")


def _check_states(category: str, states: Mapping[str, bool]) -> None:
    able = {
        STATE_OF[affordance]
        for affordance in catalogue().affords(category)
        if affordance in STATE_OF
    }
    for state in states:
        if state not in able:
            raise Rejected(
                FailureMode.HALLUCINATION,
                f"objects of the kind {category} do not have the state {state}",
            )


def _resolve_furniture(entry: FurnitureEntry, house: House) -> list[str]:
    names = [find_furniture(name, house, entry.allowed_regions) for name in entry.furniture_names]
    rooms = [room for region in entry.allowed_regions for room in find_rooms(region, house)] or [
        room.name for room in house.rooms
    ]
    for kind in entry.furniture_classes:
        pieces = [
            piece.name
            for piece in house.furniture
            if piece.category == kind and piece.room in rooms
        ]
        if not pieces:
            raise Rejected(FailureMode.HALLUCINATION, f"these rooms have no {excerpt(kind, 40)!r}")
        names += pieces
    if any(name in house.floors for name in names):
        raise Rejected(FailureMode.HALLUCINATION, "floors have no states, such as clean or dirty")
    return names
