"""From a draft to an episode: its objects are put where the draft wants them, and clutter around.

Stage (b) of appendix A.3 of the PARTNR paper, up to the simulator; what the episode is worth is
:mod:`.verify`'s to say.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, replace

import numpy as np

from homebody.authoring.partnr.draft import Draft, FailureMode, Placement, Rejected
from homebody.authoring.words.names import lexicon
from homebody.goals.partnr import Episode
from homebody.suites.partnr.scene import draw_thing, scene, to_episode
from homebody.worlds.house.model.catalogue import catalogue
from homebody.worlds.house.model.house import House, Pose, Thing, Vector, to_world
from homebody.worlds.house.model.state import Body, HouseState, Place
from homebody.worlds.house.simulation.navigation import navigation
from homebody.worlds.house.simulation.placing import fit, fit_on_floor, receptacles
from homebody.worlds.house.simulation.walls import with_things

MAX_OBJECTS = 60
"""Most objects of an episode."""
REACH = 0.7
"""Metres: what lies on a floor can be reached from where somebody can stand."""
FLOOR_TRIES = 6
CLUTTER_TRIES = 4
"""Places that are tried for each object of clutter."""
_PUTTER = "putter"
_NOWHERE: Place = ("", "")


@dataclass(frozen=True, slots=True)
class _Wanted:
    """An object, and where it starts."""

    thing: Thing
    place: Placement


def instantiate(id: str, scene_seed: int, draft: Draft, rng: np.random.Generator) -> Episode:
    """An episode in the house of a seed, whose objects stand as a draft says, and clutter besides.

    Objects lie anywhere in or on what they are in or on; clutter is where it usually is, is of
    other kinds than the task's objects, and leaves the furniture of the task alone. Where there is
    no place for it, there is less.

    Raises:
        Rejected: the draft has no evaluation function, names a category, a piece of furniture, a
            floor or a state that there is not, or things do not fit.
    """
    if draft.evaluation is None:
        raise Rejected(FailureMode.UNREADABLE, "the draft has no evaluation function")
    house = scene(scene_seed)
    wanted = _wanted(house, draft)
    _check_furniture_states(house, draft)
    named = {one.thing.name for one in wanted}
    busy = {name for one in draft.evaluation.propositions for names in one.lists for name in names}
    busy.update(one.furniture for one in draft.placements)
    extra = _clutter(house, draft, [one.thing for one in wanted], busy, rng)
    things = [*(one.thing for one in wanted), *(one.thing for one in extra)]
    state = HouseState.start(with_things(house, things), {_PUTTER: Body(Pose((0.0, 0.0, 0.0)))})
    # the large ones first: the small ones find a place between them
    for one in sorted(wanted, key=lambda it: -it.thing.size[0] * it.thing.size[1]):
        if not _place(state, one.thing.name, one.place.furniture, one.place.relation, rng):
            raise Rejected(
                FailureMode.NO_ROOM,
                f"there is no room for {one.thing.name} {one.place.relation} {one.place.furniture}",
            )
    left = draft.clutter
    for one in extra:
        if left and _place(state, one.thing.name, one.place.furniture, one.place.relation, rng):
            left -= 1
    placed = _renumbered(state, things, named)
    states = {one.thing.name: dict(one.place.states) for one in wanted if one.place.states}
    states |= {name: dict(own) for name, own in draft.furniture_states.items()}
    made = with_things(house, placed)
    return to_episode(id, draft.instruction, draft.evaluation, made, states)


def _wanted(house: House, draft: Draft) -> list[_Wanted]:
    """The objects of a draft, named in the order of its placements."""
    if sum(max(one.number, 0) for one in draft.placements) > MAX_OBJECTS:
        raise Rejected(FailureMode.NO_ROOM, f"there are more than {MAX_OBJECTS} objects")
    numbers: Counter[str] = Counter()
    found: list[_Wanted] = []
    for place in draft.placements:
        category = place.category
        if category not in catalogue().things:
            raise Rejected(FailureMode.HALLUCINATION, f"there are no objects {category[:80]!r}")
        if place.number < 1:
            raise Rejected(FailureMode.UNREADABLE, f"{place.number} is no number of {category}")
        names = {one.thing.name for one in found}
        _check_holder(house, place, names)
        for _ in range(place.number):
            name = f"{category}_{numbers[category]}"
            numbers[category] += 1
            thing = replace(draw_thing(house.seed, name, category), place=_NOWHERE)
            _check_states(thing.states, name, place.states)
            found.append(_Wanted(thing, place))
    return found


def _check_holder(house: House, place: Placement, names: Iterable[str]) -> None:
    """Things can be on, or within, what they are to start on."""
    holder = place.furniture
    if place.relation not in ("on", "within"):
        raise Rejected(FailureMode.UNREADABLE, f"{place.relation[:80]!r} is no relation")
    if holder in house.floors:
        if place.relation == "within":
            raise Rejected(FailureMode.PREDICATE, f"nothing is within {holder}")
        return
    if holder in house.piece:
        if any(one.kind == place.relation for one in house.piece[holder].receptacles):
            return
        raise Rejected(FailureMode.PREDICATE, f"nothing can be {place.relation} {holder}")
    if holder in names:
        return
    if holder in house.room:
        raise Rejected(FailureMode.ROOM_OR_FURNITURE, f"{holder} is a room")
    raise Rejected(FailureMode.HALLUCINATION, f"there is no {holder[:80]!r}")


def _check_furniture_states(house: House, draft: Draft) -> None:
    for name, states in draft.furniture_states.items():
        if name not in house.piece:
            raise Rejected(FailureMode.HALLUCINATION, f"there is no furniture {name[:80]!r}")
        _check_states(house.piece[name].states, name, states)


def _check_states(known: Iterable[str], name: str, wanted: Iterable[str]) -> None:
    for state in wanted:
        if state not in known:
            raise Rejected(FailureMode.PREDICATE, f"{name} cannot be {state[:80]}")


def _place(
    state: HouseState, name: str, holder: str, relation: str, rng: np.random.Generator
) -> bool:
    """Put an object somewhere on or in a holder; False if it does not fit."""
    house = state.house
    if holder in house.floors:
        points = navigation(house).room_spots(house.floors[holder].name)
        for _ in range(FLOOR_TRIES if points else 0):
            x, y = points[int(rng.integers(len(points)))]
            state.walk(_PUTTER, Pose((x, y, 0.0), float(rng.integers(4) * 90)))
            pose = fit_on_floor(state, name, holder, _PUTTER, REACH)
            if pose is not None:
                state.move(name, (holder, ""), pose)
                return True
        return False
    spaces = receptacles(state, holder, relation)
    frame = house.piece[holder].pose if holder in house.piece else state.poses[holder]
    for index in rng.permutation(len(spaces)):
        space = spaces[int(index)]
        share = rng.random(2)
        point: Vector = (
            space.low[0] + float(share[0]) * (space.high[0] - space.low[0]),
            space.low[1] + float(share[1]) * (space.high[1] - space.low[1]),
            space.low[2],
        )
        pose = fit(state, name, (holder, space.name), to_world(frame, point))
        if pose is not None:
            state.move(name, (holder, space.name), pose)
            return True
    return False


def _clutter(
    house: House, draft: Draft, things: list[Thing], busy: set[str], rng: np.random.Generator
) -> list[_Wanted]:
    """Objects of other kinds, each with a place where such are; more than are wanted, as some will
    not fit."""
    if draft.clutter <= 0:
        return []
    banned = {one.category for one in things}
    for one in sorted(banned):
        banned |= lexicon().apart(one)
    pieces = [one for one in house.furniture if one.receptacles and one.name not in busy]
    kinds = [
        kind
        for kind in catalogue().things.values()
        if kind.name not in banned and "key" not in kind.affords
    ]
    numbers: Counter[str] = Counter(one.category for one in things)
    found: list[_Wanted] = []
    for _ in range(min(draft.clutter, MAX_OBJECTS) * CLUTTER_TRIES):
        if len(found) >= draft.clutter + 3 or not pieces:
            break
        piece = pieces[int(rng.integers(len(pieces)))]
        room = house.room[piece.room].kind
        usual = [one for one in kinds if room in one.rooms and piece.category in one.places]
        if not usual:
            continue
        kind = usual[int(rng.integers(len(usual)))]
        relations = list(dict.fromkeys(one.kind for one in piece.receptacles))
        relation = relations[int(rng.integers(len(relations)))]
        name = f"{kind.name}_{numbers[kind.name]}"
        numbers[kind.name] += 1
        thing = replace(draw_thing(house.seed, name, kind.name), place=_NOWHERE)
        found.append(_Wanted(thing, Placement(kind.name, 1, piece.name, relation)))
    return found


def _renumbered(state: HouseState, things: list[Thing], named: set[str]) -> list[Thing]:
    """What was placed, where it is now. Clutter that found no place is left out; as it is named
    last in its category, the others are numbered anew."""
    numbers: Counter[str] = Counter()
    found = []
    for one in things:
        place = state.places[one.name]
        if place == _NOWHERE:
            continue
        name = f"{one.category}_{numbers[one.category]}"
        numbers[one.category] += 1
        if name != one.name and one.name not in named:
            # another number, another size: leave out what might not fit any more
            numbers[one.category] -= 1
            continue
        found.append(replace(one, pose=state.poses[one.name], place=place))
    return found
