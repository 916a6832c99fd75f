"""Where things could be put so that something holds of their place, best first.

Whether there is room, and who is in the way, is not looked at here.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from homebody.suites.partnr.expert.goals import Atom
from homebody.suites.partnr.expert.world import Spot, World, spaces
from homebody.worlds.house.model.house import Furniture, Receptacle
from homebody.worlds.house.model.state import HouseState
from homebody.worlds.house.simulation.relations import NEXT_TO, gap
from homebody.worlds.house.simulation.walls import memory


def options(world: World, name: str, atoms: Iterable[Atom], beside: Sequence[str]) -> list[Spot]:
    """Where to put an object so that atoms about its place hold, best first.

    Args:
        atoms: All that shall hold of its place; those that are no place are passed over.
        beside: What it shall be next to that is where it belongs already.
    """
    tops = [atom for atom in atoms if atom[0] in ("is_on_top", "is_inside")]
    rooms = [names[1] for predicate, names in atoms if predicate == "is_in_room"]
    if tops:
        # an object on furniture rather than that, a space rather than a surface
        tops.sort(key=lambda atom: (atom[1][1] in world.state.house.piece, atom[0]))
        target = tops[0][1][1]
        inside = ("is_inside", (name, target)) in tops
        order = world.relations("is_inside" if inside else tops[0][0], (name, target))
        found = [Spot(one, target) for one in order]
    elif any(predicate == "is_on_floor" for predicate, _ in atoms):
        at = rooms or [world.room(one) for one in beside] or [world.room(name)]
        others = [] if rooms else [one.name for one in world.state.house.rooms]
        floors = [world.state.house.room[one].floor_name for one in dict.fromkeys(at + others)]
        found = [Spot("on", one) for one in floors]
    elif beside:
        found = [spot for one in beside for spot in _near(world, one)]
    elif rooms:
        found = list(surfaces(world, name, rooms[0]))
        found.append(Spot("on", world.state.house.room[rooms[0]].floor_name))
    else:
        found = []
    if not beside:
        return found
    return [
        Spot(spot.relation, spot.target, one)
        for spot in found
        for one in beside
        if one not in (name, spot.target) and _shares(world, one, spot)
    ]


def _shares(world: World, beside: str, spot: Spot) -> bool:
    """Whether one can be told to put things next to something there."""
    house, state = world.state.house, world.state
    if beside not in house.piece:
        return beside in state.places and state.places[beside][0] == spot.target
    if spot.target in house.floors:
        return house.piece[beside].room == house.floors[spot.target].name
    return gap(state.box(beside), state.box(spot.target)) <= NEXT_TO


def _near(world: World, one: str) -> Iterator[Spot]:
    """Places next to a thing: where it is itself, on furniture beside it, on the floor."""
    state, house = world.state, world.state.house
    if one in state.places:
        holder, receptacle = state.places[one]
        if holder in house.floors:
            yield Spot("on", holder)
        elif holder not in state.bodies:
            kinds = {"on", "within"}
            for kind in ("on", "within"):
                if any(space.name == receptacle for space in spaces(state, holder, kind)):
                    kinds = {kind}
            yield from (Spot(kind, holder) for kind in sorted(kinds))
        return
    piece = house.piece[one]
    floor = Spot("on", house.room[piece.room].floor_name)
    standing = piece.box.low[2] < 0.05
    if standing:
        yield floor
    box = piece.box
    for other in house.furniture:
        if other.room == piece.room and other.name != one and gap(other.box, box) <= NEXT_TO:
            for kind in ("on", "within"):
                if any(_level(other, space, piece) for space in spaces(state, other.name, kind)):
                    yield Spot(kind, other.name)
    if not standing:
        yield floor


def surfaces(world: World, name: str, room: str) -> Iterator[Spot]:
    """Tops in a room where something can be put without more ado, the nearest first, and
    such as are wet, hot or to sit on last."""
    state = world.state
    found = []
    for piece in _tops(state, room):
        odd = world.scene.can(piece, "faucet") or bool(
            {"powered_on", "filled"} & state.states[piece].keys()
        )
        seat = world.scene.can(piece, "sittable")
        if world.could_fit(name, "on", piece) and not world.shut(piece):
            far = round(world.distance(name, piece), 3)
            found.append((piece in world.reserved, odd, seat, far, piece))
    yield from (Spot("on", piece) for *_, piece in sorted(found))


def _tops(state: HouseState, room: str) -> Sequence[str]:
    """Furniture of a room with a surface."""
    key = f"tops {room}"
    found: Sequence[str] | None = memory(state.house).get(key)
    if found is None:
        found = memory(state.house)[key] = [
            one.name
            for one in state.house.furniture
            if one.room == room and any(space.kind == "on" for space in one.receptacles)
        ]
    return found


def _level(piece: Furniture, space: Receptacle, other: Furniture) -> bool:
    """Whether things in a receptacle of a piece are at the height of another piece."""
    bottom = piece.pose.position[2] + space.low[2]
    return other.box.low[2] < bottom + 0.05 and bottom < other.box.high[2]
