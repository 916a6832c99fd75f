"""Houses of episodes: a generated scene with an episode's objects in it.

An episode stores the seed of its house, its objects and their first states. Rooms, furniture and
the inhabitants' own objects are generated from the seed; the episode states which of the
inhabitants' objects are removed. Looks and sizes of the episode's objects are sampled from the seed
and their names. Therefore an episode has only a few kilobytes and can be replayed anywhere.

Neither the order of the objects in a house nor the numbers in their names show which ones the
episode added: the order is random, and the inhabitants' objects have the numbers that the episode's
objects leave.

Transforms in episodes have y up, as published ones do: (x, y, z) in a house is (x, z, -y) there.
They locate the middle of an object's bottom."""

from __future__ import annotations

import math
import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import replace
from functools import lru_cache
from itertools import count
from typing import Final, TypeAlias, TypeVar

from homebody.core import HomebodyError
from homebody.core.ground.seeds import generator, shuffle
from homebody.goals.partnr import Episode, Evaluation
from homebody.worlds.house.generation.generate import generate
from homebody.worlds.house.generation.looks import sample_size, sample_style
from homebody.worlds.house.generation.small_objects import sample_states
from homebody.worlds.house.model.catalogue import STATE_OF, catalogue
from homebody.worlds.house.model.house import Furniture, House, Opening, Pose, Thing
from homebody.worlds.house.model.receptacles import thing_receptacles
from homebody.worlds.house.model.state import Place
from homebody.worlds.house.simulation.walking.walls import with_things

Lockable = TypeVar("Lockable", Furniture, Opening)
Transform: TypeAlias = tuple[tuple[float, float, float, float], ...]
"""A 4 by 4 matrix, by row."""

STATES: Final[Mapping[str, str]] = {f"is_{state}": state for state in STATE_OF.values()}
"""State in episodes -> state in houses."""
MAX_SCENES: Final = 32
"""Maximum number of cached scenes with their navigation. Each takes a few megabytes."""
MAX_SEED: Final = 2**63
_NAME: Final = re.compile(r"([a-z]+(?:_[a-z]+)*)_[0-9]{1,6}")
"""An object's name: kind and number, so that calls and prompts can contain it."""


def scene(episode: Episode | int) -> House:
    """Return the house of an episode or seed, without objects and people; nothing is locked.

    Raises:
        HomebodyError: The episode has no generated house, or its scene does not match its seed.
    """
    seed = episode if isinstance(episode, int) else episode.house_seed
    if seed is None or not 0 <= seed < MAX_SEED:
        raise HomebodyError(
            f"the episode {_identify(episode)} has no generated house",
            "published episodes need the scenes that they were made in; "
            "homebody's have a house_seed",
        )
    if isinstance(episode, Episode) and episode.scene != scene_name(seed):
        raise _episode_error(episode, f"the scene of seed {seed} is not {episode.scene[:80]!r}")
    return _scene(seed)


@lru_cache(maxsize=MAX_SCENES)
def _scene(seed: int) -> House:
    house = _generate(seed)
    return replace(
        house,
        openings=tuple(_unlock(opening) for opening in house.openings),
        furniture=tuple(_unlock(piece) for piece in house.furniture),
        things=(),
    )


@lru_cache(maxsize=MAX_SCENES)
def lived_in_scene(seed: int) -> House:
    """Return the scene of a seed with the inhabitants' objects. Raises HomebodyError."""
    return with_things(scene(seed), _generate(seed).things)


@lru_cache(maxsize=MAX_SCENES)
def _generate(seed: int) -> House:
    return generate(seed, "home", people=0)


def _unlock(piece: Lockable) -> Lockable:
    """Return a piece of furniture or an opening without a lock's key."""
    states = {state: value and state != "locked" for state, value in piece.states.items()}
    return replace(piece, key="", states=states)


def scene_name(seed: int) -> str:
    """Return an episode's name for its scene."""
    return f"home-{seed}"


def furnish(house: House, episode: Episode) -> House:
    """Return a scene with an episode's objects and first states.

    Walls, navigation and cavities are computed once for the scene and all houses made from it.

    Raises:
        HomebodyError: An object is of an unknown kind, has no place or a name that is taken; a
            removed object does not exist; or a state does not apply.
    """
    things: dict[str, Thing] = {}
    there = _remaining_things(house, episode)
    states = _states(episode)
    for name, transform in episode.objects:
        taken = name in things or name in house.piece or name in house.room or name in house.floors
        if taken:
            raise _episode_error(episode, f"there are two objects named {name[:80]}")
        named = _NAME.fullmatch(name)
        category = named[1] if named is not None else ""
        drawn = sample_thing(house.seed, name, category)
        things[name] = Thing(
            name,
            drawn.category,
            drawn.size,
            _pose(episode, name, transform),
            _place(episode, name),
            drawn.style,
            _change_states(episode, name, drawn.states, states.pop(name, {})),
            drawn.receptacles,
            drawn.material,
        )
    stay = {
        name: replace(thing, states=_change_states(episode, name, thing.states, states.pop(name)))
        if name in states
        else thing
        for name, thing in there.items()
    }
    pieces = {
        name: _change_states(episode, name, house.piece[name].states, own)
        for name, own in states.items()
        if name in house.piece
    }
    for name in states:
        if name not in house.piece:
            raise _episode_error(episode, f"a state is given for {name[:80]}, which does not exist")
    all_things = [*stay.values(), *things.values()]
    mixed = shuffle(generator(f"order {house.seed} {episode.id}"), all_things)
    made = with_things(house, mixed, pieces)
    for name in made.thing if episode.removed or things else ():
        _check_place(episode, made, name)
    return made


def _remaining_things(house: House, episode: Episode) -> dict[str, Thing]:
    """Return the house's own objects in an episode, by their names in the episode."""
    if episode.removed is None:
        return {}
    there = dict(lived_in_scene(house.seed).thing)
    for name in episode.removed:
        if there.pop(name, None) is None:
            raise _episode_error(episode, f"it removes {name[:80]}, which does not exist")
    removed = set(episode.removed)
    for name, thing in there.items():
        if thing.place[0] in removed:
            raise _episode_error(episode, f"{name} is on {thing.place[0]}, which does not exist")
    renamed = rename_things(there.values(), {name for name, _ in episode.objects})
    return {thing.name: thing for thing in renamed.values()}


def rename_things(own: Collection[Thing], taken: Collection[str]) -> dict[str, Thing]:
    """Return the house's own objects as they are named in an episode, by their names before.

    The objects of a category get the lowest numbers that leave the names in ``taken`` free, in
    their order."""
    numbers: dict[str, Iterator[int]] = {}
    names: dict[str, str] = {}
    for thing in own:
        of_category = numbers.setdefault(thing.category, count())
        new_names = (f"{thing.category}_{number}" for number in of_category)
        names[thing.name] = next(name for name in new_names if name not in taken)
    renamed = {}
    for thing in own:
        name, (holder, receptacle) = names[thing.name], thing.place
        at = names.get(holder, holder)
        is_same = name == thing.name and at == holder
        renamed[thing.name] = (
            thing if is_same else replace(thing, name=name, place=(at, receptacle))
        )
    return renamed


def sample_thing(seed: int, name: str, category: str) -> Thing:
    """Return an object of the catalogue as it looks in the house of a seed, wherever it is.

    Size, style and default states are sampled from seed and name. Pose and place are unset.

    Raises:
        HomebodyError: There is no such category.
    """
    kind = catalogue().things.get(category)
    if kind is None:
        raise HomebodyError(
            f"{name[:80]!r} is not an object in homebody's catalogue",
            "objects are named by kind and number, such as cup_0",
        )
    rng = generator(f"thing {seed} {name}")
    width, depth, height = (side / 1000 for side in sample_size(rng, kind))
    size = width, depth, height
    style, material = sample_style(rng, kind)
    return Thing(
        name,
        category,
        size,
        Pose((0.0, 0.0, 0.0)),
        ("", ""),
        style,
        sample_states(rng, kind.likely),
        thing_receptacles(kind, size),
        material,
    )


def to_episode(
    id: str,
    instruction: str,
    evaluation: Evaluation,
    house: House,
    states: Mapping[str, Mapping[str, bool]] | None = None,
    assigned: Mapping[str, tuple[int, ...]] | None = None,
    own: Mapping[str, Thing] | None = None,
) -> Episode:
    """Return an episode that starts with a house as it is.

    Args:
        house: A scene with the episode's objects (from :func:`sample_thing`) and the house's own
            ones that stay (from :func:`rename_things`).
        states: Object or furniture -> state such as ``clean`` -> first value, where it differs from
            the house.
        assigned: Agent -> propositions that the instruction assigns to it.
        own: The house's own objects that stay, from :func:`rename_things`.

    Returns:
        An episode from which :func:`furnish` makes the same house, but for the order of its
        objects. It has all states of its own objects, and the unusual states of all others.
    """
    usual = lived_in_scene(house.seed)
    own = own or {}
    stay = {thing.name: thing for thing in own.values()}
    objects = [thing for thing in house.things if thing.name not in stay]
    written: dict[str, dict[str, bool]] = {name: {} for name in STATES}
    wholes: tuple[Thing | Furniture, ...] = (*house.things, *house.furniture)
    for whole in wholes:
        wanted = {**whole.states, **(states or {}).get(whole.name, {})}
        before = stay.get(whole.name) or usual.piece.get(whole.name)
        for state, value in wanted.items():
            if before is None or before.states.get(state) is not value:
                written[f"is_{state}"][whole.name] = value
    return Episode(
        id,
        scene_name(house.seed),
        instruction,
        evaluation,
        tuple((thing.name, to_transform(thing.pose)) for thing in objects),
        {thing.name: "|".join(part for part in thing.place if part) for thing in objects},
        {state: values for state, values in written.items() if values},
        house.seed,
        assigned or {},
        tuple(thing.name for thing in usual.things if thing.name not in own),
    )


def to_transform(pose: Pose) -> Transform:
    """Return a pose of the house as a matrix with y up."""
    turn = math.radians(pose.yaw)
    cos, sin = round(math.cos(turn), 12), round(math.sin(turn), 12)
    x, y, z = (round(value, 6) for value in pose.position)
    return (cos, 0.0, sin, x), (0.0, 1.0, 0.0, z), (-sin, 0.0, cos, -y + 0.0), (0.0, 0.0, 0.0, 1.0)


def from_transform(transform: Transform) -> Pose:
    """Return the pose of a matrix with y up; tilted objects are set upright."""
    (cos, _, sin, x), (_, _, _, z), (_, _, _, y) = transform[:3]
    yaw = round(math.degrees(math.atan2(sin, cos)) % 360.0, 6) % 360.0
    return Pose((x, -y + 0.0, z), yaw)


def _pose(episode: Episode, name: str, transform: Transform) -> Pose:
    values = [value for row in transform for value in row]
    if len(transform) != 4 or not all(math.isfinite(value) for value in values):
        raise _episode_error(episode, f"{name} has no place")
    return from_transform(transform)


def _place(episode: Episode, name: str) -> Place:
    text = episode.receptacles.get(name)
    if text is None:
        raise _episode_error(episode, f"it does not say what {name[:80]} is on")
    holder, _, receptacle = text.partition("|")
    return holder, receptacle


def _check_place(episode: Episode, house: House, name: str) -> None:
    """Raise unless an object is on a floor or in an existing receptacle, and not in itself."""
    seen, at = {name}, name
    while at in house.thing:
        holder, receptacle = house.thing[at].place
        if holder in house.floors and not receptacle:
            return
        whole = house.piece.get(holder) or house.thing.get(holder)
        if whole is None or receptacle not in {space.name for space in whole.receptacles}:
            raise _episode_error(
                episode, f"{at} would be on {holder[:80]}|{receptacle[:80]}, which does not exist"
            )
        if holder in seen:
            raise _episode_error(episode, f"{name} would be inside itself")
        seen.add(holder)
        at = holder


def _states(episode: Episode) -> dict[str, dict[str, bool]]:
    """Return object -> state as the house names it -> its first value."""
    states: dict[str, dict[str, bool]] = {}
    for published, values in episode.states.items():
        state = STATES.get(published)
        if state is None:
            raise _episode_error(episode, f"unknown state: {published[:80]!r}")
        for name, value in values.items():
            states.setdefault(name, {})[state] = value
    return states


def _change_states(
    episode: Episode, name: str, states: Mapping[str, bool], wanted: Mapping[str, bool]
) -> dict[str, bool]:
    for state in wanted:
        if state not in states:
            raise _episode_error(episode, f"{name[:80]} does not have the state {state}")
    return {**states, **wanted}


def _identify(episode: Episode | int) -> str:
    return episode.id[:80] if isinstance(episode, Episode) else str(episode)


def _episode_error(episode: Episode, why: str) -> HomebodyError:
    return HomebodyError(f"the episode {episode.id[:80]} is not possible: {why}")
