"""Candidate places for an object that satisfy atoms about its place, best first.

Free space and objects in the way are not considered here."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from homebody.suites.partnr.expert.house_view import HouseView, Placement, spaces
from homebody.suites.partnr.expert.requirements import Atom
from homebody.suites.partnr.expert.usual_places import surfaces
from homebody.worlds.house.model.house import Furniture, Receptacle
from homebody.worlds.house.simulation.relations import NEXT_TO, gap


def list_placements(
    view: HouseView, name: str, atoms: Iterable[Atom], beside: Sequence[str]
) -> list[Placement]:
    """Return the placements of an object that satisfy atoms about its place, best first.

    Args:
        atoms: Atoms about the object. Atoms that are not about its place are ignored.
        beside: Objects and furniture that the object must be next to and that are already at their
            places.
    """
    tops = [atom for atom in atoms if atom[0] in ("is_on_top", "is_inside")]
    rooms = [names[1] for predicate, names in atoms if predicate == "is_in_room"]
    if tops:
        # prefer objects to furniture, and spaces to surfaces
        tops.sort(key=lambda atom: (atom[1][1] in view.state.house.piece, atom[0]))
        target = tops[0][1][1]
        inside = ("is_inside", (name, target)) in tops
        order = view.relations("is_inside" if inside else tops[0][0], (name, target))
        placements = [Placement(relation, target) for relation in order]
    elif any(predicate == "is_on_floor" for predicate, _ in atoms):
        at = rooms or [view.room(other) for other in beside] or [view.room(name)]
        others = [] if rooms else [room.name for room in view.state.house.rooms]
        floors = [view.state.house.room[room].floor_name for room in dict.fromkeys(at + others)]
        placements = [Placement("on", floor) for floor in floors]
    elif beside:
        placements = [placement for other in beside for placement in _placements_near(view, other)]
    elif rooms:
        placements = list(surfaces(view, name, rooms[0], drawn=True))
        placements.append(Placement("on", view.state.house.room[rooms[0]].floor_name))
    else:
        placements = []
    if not beside:
        return placements
    return [
        Placement(placement.relation, placement.target, other)
        for placement in placements
        for other in beside
        if other not in (name, placement.target) and _can_be_beside(view, other, placement)
    ]


def _can_be_beside(view: HouseView, beside: str, placement: Placement) -> bool:
    """Return whether an action can place objects there next to something."""
    house, state = view.state.house, view.state
    if beside not in house.piece:
        return beside in state.places and state.places[beside][0] == placement.target
    if placement.target in house.floors:
        return house.piece[beside].room == house.floors[placement.target].name
    return gap(state.box(beside), state.box(placement.target)) <= NEXT_TO


def _placements_near(view: HouseView, thing: str) -> Iterator[Placement]:
    """Yield places next to an object or furniture: its own, furniture beside it, the floor."""
    state, house = view.state, view.state.house
    if thing in state.places:
        holder, receptacle = state.places[thing]
        if holder in house.floors:
            yield Placement("on", holder)
        elif holder not in state.bodies:
            kinds = {"on", "within"}
            for kind in ("on", "within"):
                if any(space.name == receptacle for space in spaces(state, holder, kind)):
                    kinds = {kind}
            yield from (Placement(kind, holder) for kind in sorted(kinds))
        return
    piece = house.piece[thing]
    floor = Placement("on", house.room[piece.room].floor_name)
    standing = piece.box.low[2] < 0.05
    if standing:
        yield floor
    box = piece.box
    for other in house.furniture:
        if other.room == piece.room and other.name != thing and gap(other.box, box) <= NEXT_TO:
            for kind in ("on", "within"):
                if any(_is_level(other, space, piece) for space in spaces(state, other.name, kind)):
                    yield Placement(kind, other.name)
    if not standing:
        yield floor


def _is_level(piece: Furniture, space: Receptacle, other: Furniture) -> bool:
    """Return whether objects in a receptacle are at the height of another piece."""
    bottom = piece.pose.position[2] + space.low[2]
    return other.box.low[2] < bottom + 0.05 and bottom < other.box.high[2]
