"""Plausible places in a room for an object, if the goal only requires the room.

The catalogue lists usual places: a bucket on the floor, a cushion on a sofa. Without one in the
room, an object belongs on a table or other furniture for all sorts of objects, and only then on
shelves, seats, and furniture that is wet or hot."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import cache
from typing import Final

from homebody.core.ground.seeds import generator
from homebody.suites.partnr.expert.house_view import HouseView, Placement
from homebody.worlds.house.model.catalogue import catalogue
from homebody.worlds.house.model.house import House
from homebody.worlds.house.simulation.walking.walls import memory

FLOOR: Final = "floor"
"""The floor among the usual places of a category."""
ON_FLOORS: Final = 3
"""An object is put on the floor only if the floor is among this number of first usual places of its
category.

Other categories, such as clothes, lie there only in untidy homes."""
ALL_SORTS: Final = 15
"""Number of categories for which a table or the like is a usual place."""

_USUAL, _INSIDE, _TABLE, _OTHER, _SEAT, _ODD = range(6)


def surfaces(view: HouseView, name: str, room: str, *, drawn: bool = False) -> Iterator[Placement]:
    """Yield places in a room for an object: plausible ones first, reserved ones last.

    The floor is included only if objects of its kind usually stand there.

    Args:
        drawn: True to sort equally good places randomly instead of by distance. The order is the
            same for all objects of a category.
    """
    house, category = view.state.house, view.state.house.thing[name].category
    places = [
        (
            target in view.reserved,
            _ODD if view.state.is_in_state(target, "powered_on") else how,  # a stove may be hot
            Placement(relation, target),
        )
        for how, relation, target in _cached_ranks(house, category, room)
        if view.is_small_enough(name, relation, target)
        and not (relation == "within" and view.state.is_in_state(target, "locked"))
    ]
    if drawn:
        order = generator(f"{view.seed} {category} {room}").permutation(len(places)).tolist()
    else:
        order = [
            -1.0
            if placement.target in house.floors
            else round(view.distance(name, placement.target), 3)
            for _, _, placement in places
        ]
    ranks = range(len(places))
    for rank in sorted(ranks, key=lambda rank: (*places[rank][:2], order[rank], rank)):
        yield places[rank][2]


def _cached_ranks(house: House, category: str, room: str) -> list[tuple[int, str, str]]:
    """Return the plausibility, relation and name of each place in a room for a category."""
    kept: dict[tuple[str, str], list[tuple[int, str, str]]]
    kept = memory(house).setdefault("usual places", {})
    if (category, room) not in kept:
        kept[category, room] = list(_rank(house, category, room))
    return kept[category, room]


def _rank(house: House, category: str, room: str) -> Iterator[tuple[int, str, str]]:
    kinds = catalogue()
    usual = kinds.things[category].places if category in kinds.things else ()
    if FLOOR in usual[:ON_FLOORS]:
        yield _USUAL, "on", house.room[room].floor_name
    for piece in house.furniture:
        if piece.room != room:
            continue
        tops = [space for space in piece.receptacles if space.kind == "on"]
        affords = kinds.affords(piece.category)
        if piece.category in usual and _can_hold(piece.category, category):
            yield _INSIDE, "within", piece.name
        if not tops:
            continue
        if piece.category in usual:
            yield _USUAL, "on", piece.name
        elif not {"faucet", "fillable", "powerable"}.isdisjoint(affords):
            yield _ODD, "on", piece.name
        elif "sittable" in affords:
            yield _SEAT, "on", piece.name
        else:
            table = len(tops) == 1 and _count_usual()[piece.category] >= ALL_SORTS
            yield (_TABLE if table else _OTHER), "on", piece.name


def is_usual_on(category: str, furniture: str) -> bool:
    """Return whether objects of a category are usually on or in a kind of furniture."""
    kind = catalogue().things.get(category)
    return kind is not None and furniture in kind.places


def _can_hold(furniture: str, category: str) -> bool:
    """Return whether objects of a category are kept inside a kind of furniture."""
    return any(
        space.kind == "within" and (not space.holds or category in space.holds)
        for space in catalogue().furniture[furniture].receptacles
    )


@cache
def _count_usual() -> Counter[str]:
    """Return category of furniture -> number of categories for which it is a usual place."""
    return Counter(place for kind in catalogue().things.values() for place in kind.places)
