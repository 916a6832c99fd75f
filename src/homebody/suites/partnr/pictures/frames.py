"""The content of a task's picture: frames with stations, chips, moves and notes; no coordinates.

A frame is a temporal group. A station is a piece of furniture, a floor, a whole room, or an object
that holds others. A chip is an object at a station; a move leads from chips to stations.

Source: PARTNR paper, appendix A.5.2, for what is drawn; the style is our own."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from homebody.goals.partnr import Proposition, temporal_groups
from homebody.suites.partnr.pictures.cast import (
    MAX_PROPOSITIONS,
    Cast,
    Where,
    describe_station,
    initial_place,
    listed_names,
    station_room,
)

MAX_FRAMES: Final = 12
STATES: Final = {
    "is_clean": ("is_clean", "clean"),
    "is_dirty": ("is_clean", "dirty"),
    "is_filled": ("is_filled", "filled"),
    "is_empty": ("is_filled", "empty"),
    "is_powered_on": ("is_powered_on", "on"),
    "is_powered_off": ("is_powered_on", "off"),
    "is_on_floor": ("", "floor"),
}
"""Predicate -> its state, and the motif of the wanted value."""
_SHOWN: Final = {
    "is_clean": ("clean", "dirty"),
    "is_filled": ("filled", "empty"),
    "is_powered_on": ("on", "off"),
}
_PLACED: Final = ("is_in_room", "is_on_top", "is_inside")
"""Predicates that move objects, the less specific first."""


@dataclass(frozen=True, slots=True)
class WantedState:
    """A wanted state of a chip or a piece of furniture."""

    motif: str
    colour: int
    sure: bool
    count: str = ""


@dataclass(frozen=True, slots=True)
class Chip:
    """An object.

    ``states`` are motifs of its current state, where that matters; ``sure`` is False if earlier
    frames may also have left it elsewhere."""

    name: str
    label: str
    colour: int
    sure: bool = True
    states: tuple[str, ...] = ()
    goals: tuple[WantedState, ...] = ()


@dataclass(frozen=True, slots=True)
class Move:
    """Objects that have to get to one of the targets.

    Attributes:
        sources: Names of objects.
        colours: Their colours.
        targets: Alternative targets.
        every: True if all of the objects have to get there.
        count: The number in words if not all objects have to get there, and the number of objects
            that are not drawn.
        number: Maximum number of objects that come to one target.
    """

    sources: tuple[str, ...]
    colours: tuple[int, ...]
    targets: tuple[Where, ...]
    every: bool
    count: str
    number: int


@dataclass(frozen=True, slots=True)
class Station:
    """A place in a room. ``kind`` names its icon."""

    name: str
    label: str
    kind: str
    room: str
    on: tuple[Chip, ...] = ()
    inside: tuple[Chip, ...] = ()
    goals: tuple[WantedState, ...] = ()


@dataclass(frozen=True, slots=True)
class Frame:
    """A temporal group.

    It has a title (empty if it is the only one), stations in the order of the rooms, moves, and
    propositions."""

    title: str
    stations: tuple[Station, ...]
    moves: tuple[Move, ...]
    propositions: tuple[int, ...]


def frames_of(cast: Cast) -> list[Frame]:
    """Return the frames of a task; each starts with the result of the previous one."""
    evaluation = cast.episode.evaluation
    groups = temporal_groups(evaluation)[:MAX_FRAMES] or [()]
    where: dict[str, tuple[Where, bool]] = {
        name: (initial_place(name, cast), True) for name in cast.colours if cast.is_object(name)
    }
    states = {name: _initial_states(name, cast) for name in where}
    moved: list[str] = []
    frames = []
    for at, group in enumerate(groups):
        drawn = tuple(index for index in group if index < MAX_PROPOSITIONS)
        title = "" if len(groups) == 1 else _title(at, len(groups))
        frames.append(_frame(title, drawn, cast, where, states, moved))
        for predicate in (*_PLACED, *STATES):
            for index in drawn:
                proposition = evaluation.propositions[index]
                if proposition.predicate == predicate:
                    moved += _carry_out(proposition, cast, where, states)
    return frames


def _title(at: int, count: int) -> str:
    return "First" if at == 0 else "Finally" if at == count - 1 and count > 2 else "Then"


def _initial_states(name: str, cast: Cast) -> dict[str, bool]:
    thing = cast.house.thing.get(name)
    states = {}
    for state in _SHOWN:
        value = cast.episode.states.get(state, {}).get(name)
        if value is None and thing is not None:
            value = thing.states.get(state.removeprefix("is_"))
        if value is not None:
            states[state] = value
    return states


def _target(predicate: str, name: str, cast: Cast) -> Where:
    """Return the station of a place in a proposition."""
    if name in cast.house.floors and predicate == "is_in_room":
        name = cast.house.floors[name].name
    return name, "within" if predicate == "is_inside" and name not in cast.house.room else "on"


def _carry_out(
    proposition: Proposition,
    cast: Cast,
    where: dict[str, tuple[Where, bool]],
    states: dict[str, dict[str, bool]],
) -> list[str]:
    """Apply a proposition to places and states; return the moved objects. If there is a choice, the
    first alternatives are used, and the places become uncertain."""
    names = [name for name in listed_names(proposition.lists[0]) if name in where]
    every = proposition.number >= len(set(proposition.lists[0]))
    if proposition.predicate in _PLACED:
        target = _target(proposition.predicate, proposition.lists[1][0], cast)
        sure = every and len(set(proposition.lists[1])) == 1
        for rank, name in enumerate(names):
            # objects in the room already stay where they are
            if (
                proposition.predicate == "is_in_room"
                and station_room(where[name][0][0], cast, where) == target[0]
            ):
                continue
            where[name] = (target if rank < proposition.number else where[name][0], sure)
        return names[: proposition.number]
    state, wanted = STATES.get(proposition.predicate, ("", ""))
    for name in names if every else ():
        if state:
            states[name][state] = wanted == _SHOWN[state][0]
    return []


def _frame(
    title: str,
    indices: tuple[int, ...],
    cast: Cast,
    where: dict[str, tuple[Where, bool]],
    states: dict[str, dict[str, bool]],
    moved: Sequence[str],
) -> Frame:
    propositions = cast.episode.evaluation.propositions
    shown = dict.fromkeys(moved)
    places: dict[str, None] = {}
    goals: dict[str, list[WantedState]] = {}
    matters: dict[str, dict[str, None]] = {}
    for index in indices:
        proposition = propositions[index]
        lists = (
            proposition.lists[:1]
            if proposition.predicate in (*_PLACED, *STATES)
            else proposition.lists
        )
        names = [n for listed in lists for n in listed_names(listed) if n in cast.colours]
        shown.update(dict.fromkeys(n for n in names if n in where))
        places.update(dict.fromkeys(n for n in names if n not in where))
        if proposition.predicate in STATES:
            state, wanted = STATES[proposition.predicate]
            total = len(set(proposition.lists[0]))
            count = "" if proposition.number >= total else f"{proposition.number} of {total}"
            for name in names:
                goals.setdefault(name, []).append(
                    WantedState(wanted, cast.own[index], not count, count)
                )
                matters.setdefault(name, {})[state] = None
    moves = _moves(indices, cast)
    places.update(dict.fromkeys(place for move in moves for place, _ in move.targets))
    chips: dict[Where, list[Chip]] = {}
    for name in shown:
        at, sure = where[name]
        now = tuple(
            _SHOWN[state][not states[name][state]]
            for state in matters.get(name, {})
            if state in states[name]
        )
        wanted_now = tuple(dict.fromkeys(goals.get(name, ())))[:4]
        chip = Chip(name, cast.label(name), cast.colours[name], sure, now, wanted_now)
        chips.setdefault(at, []).append(chip)
        places[at[0]] = None
    stations = [
        Station(
            name,
            *describe_station(name, cast, where),
            tuple(chips.get((name, "on"), ())),
            tuple(chips.get((name, "within"), ())),
            tuple(dict.fromkeys(goals.get(name, ())))[:4] if name not in where else (),
        )
        for name in places
    ]
    order = {room.name: at for at, room in enumerate(cast.house.rooms)}
    stations.sort(key=lambda station: order.get(station.room, len(order)))
    return Frame(title, tuple(stations), moves, indices)


def _moves(indices: Sequence[int], cast: Cast) -> tuple[Move, ...]:
    """Return the moves of a frame. Moves of all their objects to the same targets are merged."""
    moves: list[Move] = []
    alike: dict[tuple[Where, ...], int] = {}
    for index in indices:
        proposition = cast.episode.evaluation.propositions[index]
        if proposition.predicate not in _PLACED:
            continue
        sources = tuple(name for name in listed_names(proposition.lists[0]) if name in cast.colours)
        targets = tuple(
            dict.fromkeys(
                _target(proposition.predicate, name, cast)
                for name in listed_names(proposition.lists[1])
            )
        )
        total = len(set(proposition.lists[0]))
        every = proposition.number >= total
        count = "" if proposition.number == total else f"{proposition.number} of {total}"
        same = proposition.same and proposition.number > 1 and len(targets) > 1
        if same:
            place = "room" if proposition.predicate == "is_in_room" else "place"
            count = f"{count or 'all'}, same {place}"
        left = len(set(proposition.lists[1])) - len(targets)
        if left > 0:
            count += f"{count and ', '}or {left} more places"
        move = Move(
            sources,
            tuple(cast.colours[name] for name in sources),
            targets,
            every,
            count,
            min(proposition.number, total),
        )
        if every and not count and targets in alike:
            at = alike[targets]
            earlier_move = moves[at]
            extra = [name for name in sources if name not in earlier_move.sources]
            moves[at] = Move(
                (*earlier_move.sources, *extra),
                (*earlier_move.colours, *(cast.colours[name] for name in extra)),
                targets,
                True,
                "",
                earlier_move.number + len(extra),
            )
        elif sources:
            if every and not count:
                alike[targets] = len(moves)
            moves.append(move)
    return tuple(moves)
