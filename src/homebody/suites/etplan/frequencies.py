"""Frequencies of objects in kinds of rooms, and on or in classes of holders, in the training homes.

Holders are furniture and objects. The counts come with the package, because generating the 34 homes
takes half a minute; a test compares them with the homes.
"""

from __future__ import annotations

import gzip
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from functools import cache
from importlib import resources
from typing import Final

import msgspec

from homebody.suites.etplan.house_facts import HouseFacts
from homebody.suites.etplan.scenes import SPLITS, home
from homebody.worlds.house.model.state import HouseState

PRIOR: Final = 1.0
"""Weight of a prior share, in rooms or holders: in rooms of a kind, the mean share of all classes;
for holders in rooms of a kind, the share in all holders of the class."""


class Count(msgspec.Struct, frozen=True, array_like=True):
    """A number of rooms or holders.

    Attributes:
        openly: Those with at least one object of a class that is not shut away.
        shut: Those with objects of the class that are all shut away in closed containers.
    """

    openly: int = 0
    shut: int = 0

    @property
    def all(self) -> int:
        """Those with at least one object of the class."""
        return self.openly + self.shut


class Frequencies(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Counts in some homes.

    Attributes:
        rooms: Kind of room -> number of rooms.
        in_rooms: Class of furniture or objects -> kind of room -> rooms with at least one.
        holders: Class of holder -> kind of room -> number of holders.
        held: Class of objects -> class of holder -> kind of room -> holders with at least one on or
            in them, directly or not.
    """

    rooms: dict[str, int]
    in_rooms: dict[str, dict[str, Count]]
    holders: dict[str, dict[str, int]]
    held: dict[str, dict[str, dict[str, Count]]]


# --- Shares -------------------------------------------------------------------------------------


def room_share(category: str, kind: str, *, shut: bool | None = None) -> float:
    """Return the share of rooms of a kind in which there is an object of a class.

    Args:
        category: The class of the object or furniture.
        kind: The kind of room.
        shut: True for the share of rooms in which all such objects are shut away, among rooms in
            which none is in the open; False for the share of rooms in which one is in the open.
    """
    known = frequencies()
    count, rooms = known.in_rooms.get(category, {}).get(kind, Count()), known.rooms.get(kind, 0)
    prior = _mean_share(kind, shut)
    return _share(count, rooms, prior, shut)


def room_rank(category: str, rooms: Mapping[str, str]) -> list[str]:
    """Return the rooms of a home, those that most often contain a class first.

    Args:
        category: The class.
        rooms: Room -> its kind.
    """
    return sorted(rooms, key=lambda room: (-room_share(category, rooms[room]), room))


def holder_share(category: str, holder: str, kind: str, *, shut: bool | None = None) -> float:
    """Return the share of holders of a class that hold an object of another class.

    Args:
        category: The class of the object.
        holder: The class of furniture, or of an object that contains or bears others.
        kind: The kind of the holder's room.
        shut: As in :func:`room_share`.
    """
    known = frequencies()
    counts = known.held.get(category, {}).get(holder, {})
    holders = known.holders.get(holder, {})
    anywhere = Count(
        sum(count.openly for count in counts.values()), sum(count.shut for count in counts.values())
    )
    prior = _share(anywhere, sum(holders.values()), 0.0, shut)
    return _share(counts.get(kind, Count()), holders.get(kind, 0), prior, shut)


def _share(count: Count, number: int, prior: float, shut: bool | None) -> float:
    found = count.all if shut is None else count.shut if shut else count.openly
    among = number - count.openly if shut else number
    return (found + PRIOR * prior) / (among + PRIOR)


@cache
def _mean_share(kind: str, shut: bool | None) -> float:
    known = frequencies()
    counts = [counts.get(kind, Count()) for counts in known.in_rooms.values()]
    shares = [_share(count, known.rooms.get(kind, 0), 0.0, shut) for count in counts]
    return sum(shares) / len(shares)


# --- Counts -------------------------------------------------------------------------------------


@cache
def frequencies() -> Frequencies:
    """Return the counts that come with the package."""
    data = (resources.files("homebody.suites.etplan") / "data" / "frequencies.json.gz").read_bytes()
    return msgspec.json.decode(gzip.decompress(data), type=Frequencies)


def encode(counts: Frequencies) -> bytes:
    """Return counts as the content of the file in the package."""
    return gzip.compress(msgspec.json.encode(counts, order="sorted"), 9, mtime=0)


def count_homes(seeds: Iterable[int] = SPLITS["train"]) -> Frequencies:
    """Count rooms, holders and objects in the homes of some seeds."""
    rooms, holders = Counter[str](), defaultdict[str, Counter[str]](Counter)
    in_rooms = defaultdict[tuple[str, str], Counter[bool]](Counter)
    held = defaultdict[tuple[str, str, str], Counter[bool]](Counter)
    for seed in seeds:
        house = home(seed)
        state = HouseState.start(house)
        facts = HouseFacts(state)
        rooms.update(room.kind for room in house.rooms)
        found: dict[tuple[str, str], bool] = {}  # class, room or holder -> True if all are shut
        for name in (*house.piece, *house.thing):
            room, category, shut, at = facts.room(name), facts.category(name), False, name
            closed = facts.shut_around(name)
            while at in state.places:
                at = state.places[at][0]
                shut = shut or at in closed
                found[category, at] = found.get((category, at), True) and shut
            found[category, room] = found.get((category, room), True) and shut
        for (category, at), shut in found.items():
            kind = facts.category(facts.room(at))
            if at in house.room:
                in_rooms[category, kind][shut] += 1
            elif at not in house.floors:
                held[category, facts.category(at), kind][shut] += 1
        for name in (*house.piece, *house.thing):
            holders[facts.category(name)][facts.category(facts.room(name))] += 1
    used = {holder for _, holder, _ in held}
    result = Frequencies(
        dict(rooms), {}, {name: dict(kinds) for name, kinds in holders.items() if name in used}, {}
    )
    for (category, kind), counts in in_rooms.items():
        result.in_rooms.setdefault(category, {})[kind] = Count(counts[False], counts[True])
    for (category, holder, kind), counts in held.items():
        of_class = result.held.setdefault(category, {}).setdefault(holder, {})
        of_class[kind] = Count(counts[False], counts[True])
    return result
