"""Homes in which things were left in unlikely rooms.

Objects of generated homes are where such objects usually are. Whoever knows the frequencies in
other homes finds them without reading the instruction. In an untidy home, people have left a share
of the things elsewhere.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Final

from homebody.core.ground.seeds import choose, generator, shuffle
from homebody.worlds.house.model.catalogue import catalogue
from homebody.worlds.house.model.house import Furniture, House, Pose, Thing
from homebody.worlds.house.model.state import HouseState, Place
from homebody.worlds.house.simulation.placing import fit
from homebody.worlds.house.simulation.relations import room_of
from homebody.worlds.house.simulation.walking.walls import with_things

SHARE: Final = 0.5
"""Share of the classes of which an object was left elsewhere."""
FRESH: Final = frozenset({"freezer", "fridge"})
"""Furniture from which nothing is taken to stay elsewhere: it would spoil."""
_RUBBISH: Final = "trash_bin"


def make_untidy(house: House) -> House:
    """Return a home in which a share of the things was left in other rooms.

    A thing is left on or in furniture of a class where such things are not usual. The number of
    rooms of a kind does not matter for the choice of a room. The same home gives the same result.
    """
    rng = generator(f"untidy {house.seed}")
    state, kinds = HouseState.start(house), catalogue().things
    pieces: dict[str, list[Furniture]] = {}
    for piece in house.furniture:
        if _can_be_left_at(piece):
            pieces.setdefault(house.room[piece.room].kind, []).append(piece)
    movable: dict[str, list[Thing]] = {}
    for thing in house.things:
        if _is_taken_along(house, thing):
            movable.setdefault(thing.category, []).append(thing)
    for category, things in movable.items():
        name = choose(rng, things).name
        if rng.random() >= SHARE:
            continue
        own = house.room[room_of(state, name)].kind
        kind = choose(rng, sorted(pieces.keys() - {own}))
        others = [piece for piece in pieces[kind] if piece.category not in kinds[category].places]
        for place, pose in _free_poses(state, name, shuffle(rng, others)):
            state.move(name, place, pose)
            break
    places, poses = state.places, state.poses
    return with_things(
        house,
        [
            replace(thing, place=places[thing.name], pose=poses[thing.name])
            for thing in house.things
        ],
    )


def _can_be_left_at(piece: Furniture) -> bool:
    return (
        bool(piece.receptacles)
        and catalogue().takes_anything(piece.category)
        and not piece.states.get("locked")
        and piece.category != _RUBBISH
    )


def _is_taken_along(house: House, thing: Thing) -> bool:
    """Return whether somebody may take a thing to another room: it is not a key, and it is not in a
    hand, locked away or kept cool."""
    holder = house.piece.get(thing.place[0])
    return (
        "grabbable" in catalogue().things[thing.category].affords
        and thing.category != "key"
        and thing.place[0] not in house.person
        and (holder is None or holder.category not in FRESH)
        and (holder is None or not holder.states.get("locked"))
    )


def _free_poses(
    state: HouseState, name: str, pieces: Iterable[Furniture]
) -> Iterator[tuple[Place, Pose]]:
    """Yield a free place and pose for a thing in each receptacle in which it fits."""
    for piece in pieces:
        for receptacle in piece.receptacles:
            pose = fit(state, name, (piece.name, receptacle.name), piece.box.low)
            if pose is not None:
                yield (piece.name, receptacle.name), pose
