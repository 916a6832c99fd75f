"""Makes episodes from drafts by putting objects at their initial places in a furnished house.

Stage (b) of appendix A.3 of the PARTNR paper, up to the simulator; :mod:`.verify` checks the
result.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from itertools import islice

import numpy as np

from homebody.authoring.partnr.draft import MAX_OBJECTS, Draft, FailureMode, Placement, Rejected
from homebody.authoring.partnr.household import unrelated_things
from homebody.authoring.partnr.situation import objects_of
from homebody.core.ground.seeds import choose, shuffle
from homebody.goals.partnr import Episode
from homebody.suites.partnr.episodes.scene import (
    lived_in_scene,
    rename_things,
    sample_thing,
    scene,
    to_episode,
)
from homebody.worlds.house.model.catalogue import catalogue
from homebody.worlds.house.model.house import House, Pose, Thing, Vector, to_world
from homebody.worlds.house.model.state import Body, HouseState, Place
from homebody.worlds.house.simulation.placing import fit, fit_on_floor, receptacles
from homebody.worlds.house.simulation.walking.navigation import navigation
from homebody.worlds.house.simulation.walking.walls import with_things

REACH = 0.7
"""Maximum distance in metres from a free place to an object on a floor that can be reached."""
FLOOR_TRIES = 6
MIN_OBJECTS = 100
"""Minimum number of objects in the house of an episode; a usual home has more."""
_PUTTER = "putter"
_NOWHERE: Place = ("", "")


@dataclass(frozen=True, slots=True)
class _WantedObject:
    """An object with its placement."""

    thing: Thing
    place: Placement


def instantiate(id: str, scene_seed: int, draft: Draft, rng: np.random.Generator) -> Episode:
    """Return an episode in the house of a seed, with objects at random positions in or on their
    places.

    The house's own objects stay, unless the draft excludes them, they have the name of one of its
    objects or are on its furniture. The numbers in the names of the draft's objects are drawn at
    random among all objects of their category.

    Raises:
        Rejected: the draft has no evaluation function, or names a category, piece of furniture,
            floor or state that does not exist. Or the objects do not fit, or fewer than
            :data:`MIN_OBJECTS` are left.
    """
    if draft.evaluation is None:
        raise Rejected(FailureMode.UNREADABLE, "the draft has no evaluation function")
    house = scene(scene_seed)
    wanted = _wanted_objects(house, draft)
    _check_furniture_states(house, draft)
    staying = _staying_things(lived_in_scene(scene_seed), draft, wanted)
    names = _draw_names(staying, wanted, rng)
    wanted = [_rename(item, names, scene_seed) for item in wanted]
    own = rename_things(staying, set(names.values()))
    names.update((name, thing.name) for name, thing in own.items())
    things = [*own.values(), *(item.thing for item in wanted)]
    state = HouseState.start(with_things(house, things), {_PUTTER: Body(Pose((0.0, 0.0, 0.0)))})
    # the large ones first: small ones fit between them
    for item in sorted(wanted, key=lambda it: -it.thing.size[0] * it.thing.size[1]):
        if not _place(state, item.thing.name, item.place.furniture, item.place.relation, rng):
            raise Rejected(
                FailureMode.NO_ROOM,
                f"there is no room for {item.thing.name}"
                f" {item.place.relation} {item.place.furniture}",
            )
    placed = [
        replace(item.thing, pose=state.poses[item.thing.name], place=state.places[item.thing.name])
        for item in wanted
    ]
    states = {item.thing.name: dict(item.place.states) for item in wanted if item.place.states}
    states |= {name: dict(given) for name, given in draft.furniture_states.items()}
    made = with_things(house, (*own.values(), *placed))
    if len(made.things) < MIN_OBJECTS:
        raise Rejected(FailureMode.NO_ROOM, "too few of the house's own objects can stay")
    evaluation = draft.evaluation.rename(names)
    return to_episode(id, draft.instruction, evaluation, made, states, draft.assigned, own)


def _wanted_objects(house: House, draft: Draft) -> list[_WantedObject]:
    """Return the objects of a draft, named in the order of its placements."""
    if sum(max(placed.number, 0) for placed in draft.placements) > MAX_OBJECTS:
        raise Rejected(FailureMode.NO_ROOM, f"a task has at most {MAX_OBJECTS} objects")
    names = iter(name for name, _ in objects_of(draft.placements))
    items: list[_WantedObject] = []
    for place in draft.placements:
        category = place.category
        if category not in catalogue().things:
            raise Rejected(FailureMode.HALLUCINATION, f"unknown kind of object: {category[:80]!r}")
        if place.number < 1:
            raise Rejected(
                FailureMode.UNREADABLE,
                f"the number of {category} must be at least 1, not {place.number}",
            )
        _check_holder(house, place, {item.thing.name for item in items})
        for name in islice(names, place.number):
            thing = replace(sample_thing(house.seed, name, category), place=_NOWHERE)
            _check_states(thing.states, name, place.states)
            items.append(_WantedObject(thing, place))
    return items


def _draw_names(
    staying: Iterable[Thing], wanted: Iterable[_WantedObject], rng: np.random.Generator
) -> dict[str, str]:
    """Return new names of the draft's objects, so that their numbers do not show that they are."""
    of_category: dict[str, list[str]] = {}
    for item in wanted:
        of_category.setdefault(item.thing.category, []).append(item.thing.name)
    others = Counter(thing.category for thing in staying)
    names: dict[str, str] = {}
    for category, own in of_category.items():
        numbers = rng.permutation(len(own) + others[category])
        names |= {name: f"{category}_{int(n)}" for name, n in zip(own, numbers, strict=False)}
    return names


def _rename(item: _WantedObject, names: Mapping[str, str], seed: int) -> _WantedObject:
    """Return an object under its new name, which decides its looks, with its place."""
    name, holder = names[item.thing.name], item.place.furniture
    thing = replace(sample_thing(seed, name, item.thing.category), place=_NOWHERE)
    return _WantedObject(thing, replace(item.place, furniture=names.get(holder, holder)))


def _check_holder(house: House, place: Placement, names: Iterable[str]) -> None:
    """Raise Rejected unless a placement's furniture can hold objects in that relation."""
    holder = place.furniture
    if place.relation not in ("on", "within"):
        raise Rejected(
            FailureMode.UNREADABLE,
            f"the relation must be on or within, not {place.relation[:80]!r}",
        )
    if holder in house.floors:
        if place.relation == "within":
            raise Rejected(FailureMode.PREDICATE, f"objects can be on {holder}, not within it")
        return
    if holder in house.piece:
        if any(receptacle.kind == place.relation for receptacle in house.piece[holder].receptacles):
            return
        raise Rejected(FailureMode.PREDICATE, f"nothing can be {place.relation} {holder}")
    if holder in names:
        return
    if holder in house.room:
        raise Rejected(
            FailureMode.ROOM_OR_FURNITURE, f"{holder} is a room; name its floor or furniture"
        )
    raise Rejected(FailureMode.HALLUCINATION, f"nothing in the house is named {holder[:80]!r}")


def _check_furniture_states(house: House, draft: Draft) -> None:
    for name, states in draft.furniture_states.items():
        if name not in house.piece:
            raise Rejected(FailureMode.HALLUCINATION, f"no furniture is named {name[:80]!r}")
        _check_states(house.piece[name].states, name, states)


def _check_states(possible: Iterable[str], name: str, wanted: Iterable[str]) -> None:
    for state in wanted:
        if state not in possible:
            raise Rejected(FailureMode.PREDICATE, f"{name} cannot be {state[:80]}")


def _place(
    state: HouseState, name: str, holder: str, relation: str, rng: np.random.Generator
) -> bool:
    """Put an object at a random place on or in a holder. Return False if it does not fit."""
    house = state.house
    if holder in house.floors:
        points = navigation(house).room_spots(house.floors[holder].name)
        for _ in range(FLOOR_TRIES if points else 0):
            x, y = choose(rng, points)
            state.walk(_PUTTER, Pose((x, y, 0.0), float(rng.integers(4) * 90)))
            pose = fit_on_floor(state, name, holder, _PUTTER, REACH)
            if pose is not None:
                state.move(name, (holder, ""), pose)
                return True
        return False
    spaces = receptacles(state, holder, relation)
    frame = house.piece[holder].pose if holder in house.piece else state.poses[holder]
    for space in shuffle(rng, spaces):
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


def _staying_things(house: House, draft: Draft, wanted: list[_WantedObject]) -> list[Thing]:
    """Return the house's own objects that stay; objects on or in a removed object do not."""
    assert draft.evaluation is not None
    stay = draft.staying
    if stay is None:
        holders = [item.place.furniture for item in wanted]
        stay = unrelated_things(
            house, draft.evaluation, holders, (item.thing.category for item in wanted)
        )
    left = {thing.name: thing for thing in house.things if thing.name in stay}
    for item in wanted:
        left.pop(item.thing.name, None)
    while orphans := [
        name
        for name, thing in left.items()
        if thing.place[0] in house.thing and thing.place[0] not in left
    ]:
        for name in orphans:
            del left[name]
    return list(left.values())
