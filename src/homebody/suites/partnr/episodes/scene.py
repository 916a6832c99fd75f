"""Houses of episodes: a generated scene, and an episode's objects in it.

An episode knows the seed of its house, where its objects stand, and the states that things are in
at first. The scene itself, its rooms and furniture, is generated anew, and so are the things of
those who live there: of them the episode says which it moves, and which are not there. What other
objects look like and how large they are is drawn from the seed and their names. So an episode is
some kilobytes and replays anywhere.

Transforms in episodes have y up, as published ones do: what is (x, y, z) in a house is
(x, z, -y) there. They are of the middle of an object's bottom.
"""

from __future__ import annotations

import hashlib
import math
import re
from collections.abc import Mapping
from dataclasses import replace
from functools import lru_cache
from typing import Final, TypeAlias

import numpy as np

from homebody.core import HomebodyError
from homebody.goals.partnr import Episode, Evaluation
from homebody.worlds.house.generation.generate import generate
from homebody.worlds.house.generation.looks import sample_size, sample_style
from homebody.worlds.house.generation.small_objects import sample_states
from homebody.worlds.house.model.catalogue import STATE_OF, catalogue
from homebody.worlds.house.model.house import Furniture, House, Pose, Thing
from homebody.worlds.house.model.receptacles import thing_receptacles
from homebody.worlds.house.model.state import Place
from homebody.worlds.house.simulation.walking.walls import with_things

Transform: TypeAlias = tuple[tuple[float, float, float, float], ...]
"""A 4 by 4 matrix, by row."""

STATES: Final[Mapping[str, str]] = {f"is_{state}": state for state in STATE_OF.values()}
"""State as episodes name it -> as the house does."""
MAX_SCENES: Final = 32
"""Scenes that are remembered, with their ways: a few megabytes each."""
MAX_SEED: Final = 2**63
_NAME: Final = re.compile(r"([a-z]+(?:_[a-z]+)*)_[0-9]{1,6}")
"""Of an object: kind and number, so that calls and prompts can name it."""


def scene(episode: Episode | int) -> House:
    """The house of an episode, or of a seed, without things and people; nothing is locked.

    Raises:
        HomebodyError: the episode is not of a house of ours, or names another scene than that of
            its seed.
    """
    seed = episode if isinstance(episode, int) else episode.house_seed
    if seed is None or not 0 <= seed < MAX_SEED:
        raise HomebodyError(
            f"the episode {_named(episode)} has no house of homebody's",
            "published episodes need the scenes that they were made in; "
            "homebody's have a house_seed",
        )
    if isinstance(episode, Episode) and episode.scene != scene_name(seed):
        raise _wrong(episode, f"the scene of seed {seed} is not {episode.scene[:80]!r}")
    return _scene(seed)


@lru_cache(maxsize=MAX_SCENES)
def _scene(seed: int) -> House:
    house = generate(seed, "home", things=0, people=0)
    unlocked = {
        piece.name: {state: value and state != "locked" for state, value in piece.states.items()}
        for piece in house.furniture
    }
    return with_things(house, (), unlocked)


@lru_cache(maxsize=MAX_SCENES)
def lived_in(seed: int) -> House:
    """The scene of a seed, see :func:`scene`, with the things of those who live there, where they
    have left them. Raises HomebodyError if the seed is out of range."""
    return with_things(scene(seed), _own_things(seed))


def _own_things(seed: int) -> tuple[Thing, ...]:
    return generate(seed, "home", people=0).things


def scene_name(seed: int) -> str:
    """What an episode calls its scene."""
    return f"home-{seed}"


def furnished(house: House, episode: Episode) -> House:
    """A scene with an episode's objects, and its furniture in the states of the episode.

    Walls, ways and hollows are worked out once for the scene and all that is made of it.

    Raises:
        HomebodyError: an object is of no kind that we know, is nowhere, has the name of something
            else, what is removed is not there, or a state is of something that cannot be in it.
    """
    things: dict[str, Thing] = {}
    there = _there(house, episode)
    states = _states(episode)
    for name, transform in episode.objects:
        taken = name in things or name in house.piece or name in house.room or name in house.floors
        if taken:
            raise _wrong(episode, f"there are two things named {name[:80]}")
        named = _NAME.fullmatch(name)
        category = named[1] if named is not None else ""
        drawn = there.pop(name, None) or draw_thing(house.seed, name, category)
        things[name] = Thing(
            name,
            drawn.category,
            drawn.size,
            _pose(episode, name, transform),
            _place(episode, name),
            drawn.style,
            _changed(episode, name, drawn.states, states.pop(name, {})),
            drawn.receptacles,
            drawn.material,
        )
    stay = {
        name: replace(thing, states=_changed(episode, name, thing.states, states.pop(name)))
        if name in states
        else thing
        for name, thing in there.items()
    }
    pieces = {
        name: _changed(episode, name, house.piece[name].states, own)
        for name, own in states.items()
        if name in house.piece
    }
    for name in states:
        if name not in house.piece:
            raise _wrong(episode, f"there is no {name[:80]} that could be in a state")
    made = with_things(house, (*stay.values(), *things.values()), pieces)
    for name in made.thing if episode.removed or things else ():
        _check_place(episode, made, name)
    return made


def _there(house: House, episode: Episode) -> dict[str, Thing]:
    """The house's own things in an episode, by name."""
    if episode.removed is None:
        return {}
    there = dict(lived_in(house.seed).thing)
    for name in episode.removed:
        if there.pop(name, None) is None:
            raise _wrong(episode, f"there is no {name[:80]} that could be removed")
    return there


def draw_thing(seed: int, name: str, category: str) -> Thing:
    """An object of the catalogue, as it is in the house of a seed wherever it stands: size, style
    and the states that it is in if nothing else is said. Its pose and place are none yet.

    Raises:
        HomebodyError: there is no such category.
    """
    kind = catalogue().things.get(category)
    if kind is None:
        raise HomebodyError(
            f"{name[:80]!r} is no kind of object in homebody's catalogue",
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
) -> Episode:
    """An episode that starts with a house as it is.

    Args:
        house: A scene with things (:func:`draw_thing`, or of :func:`lived_in`), each somewhere.
        states: Thing or piece -> state such as ``clean`` -> whether it is so at first, where that
            is not as in the house.
        assigned: Agent -> propositions that the instruction says are its own.

    Returns:
        An episode that :func:`furnished` makes the same house of. In it are the objects that are
        not where the lived-in house has them, with all of their states, and the states of all
        else that are not as there.
    """
    usual = lived_in(house.seed)
    own = [thing for thing in house.things if not _as_usual(usual, thing)]
    moved = {thing.name for thing in own}
    written: dict[str, dict[str, bool]] = {name: {} for name in STATES}
    states_of = {}
    wholes: tuple[Thing | Furniture, ...] = (*house.things, *house.furniture)
    for whole in wholes:
        wanted = {**whole.states, **(states or {}).get(whole.name, {})}
        if whole.name not in moved:
            before = (usual.piece.get(whole.name) or usual.thing[whole.name]).states
            wanted = {k: v for k, v in wanted.items() if before.get(k) is not v}
        states_of[whole.name] = wanted
    for name, values in states_of.items():
        for state, value in values.items():
            written[f"is_{state}"][name] = value
    return Episode(
        id,
        scene_name(house.seed),
        instruction,
        evaluation,
        tuple((thing.name, to_transform(thing.pose)) for thing in own),
        {thing.name: "|".join(part for part in thing.place if part) for thing in own},
        {state: values for state, values in written.items() if values},
        house.seed,
        assigned or {},
        tuple(name for name in usual.thing if name not in house.thing),
    )


def _as_usual(usual: House, thing: Thing) -> bool:
    """Whether a thing is one of the house's own and stands where it always does."""
    own = usual.thing.get(thing.name)
    return own is not None and (own.pose, own.place) == (thing.pose, thing.place)


def to_transform(pose: Pose) -> Transform:
    """A pose of the house as a matrix with y up."""
    turn = math.radians(pose.yaw)
    cos, sin = round(math.cos(turn), 12), round(math.sin(turn), 12)
    x, y, z = (round(value, 6) for value in pose.position)
    return (cos, 0.0, sin, x), (0.0, 1.0, 0.0, z), (-sin, 0.0, cos, -y + 0.0), (0.0, 0.0, 0.0, 1.0)


def from_transform(transform: Transform) -> Pose:
    """The pose of a matrix with y up; what tilts is set upright."""
    (cos, _, sin, x), (_, _, _, z), (_, _, _, y) = transform[:3]
    yaw = round(math.degrees(math.atan2(sin, cos)) % 360.0, 6) % 360.0
    return Pose((x, -y + 0.0, z), yaw)


def _pose(episode: Episode, name: str, transform: Transform) -> Pose:
    values = [value for row in transform for value in row]
    if len(transform) != 4 or not all(math.isfinite(value) for value in values):
        raise _wrong(episode, f"{name} is at no place")
    return from_transform(transform)


def _place(episode: Episode, name: str) -> Place:
    text = episode.receptacles.get(name)
    if text is None:
        raise _wrong(episode, f"it does not say what {name[:80]} is on")
    holder, _, receptacle = text.partition("|")
    return holder, receptacle


def _check_place(episode: Episode, house: House, name: str) -> None:
    """An object is on a floor, or in a receptacle that there is, and not in itself."""
    seen, at = {name}, name
    while at in house.thing:
        holder, receptacle = house.thing[at].place
        if holder in house.floors and not receptacle:
            return
        whole = house.piece.get(holder) or house.thing.get(holder)
        if whole is None or receptacle not in {space.name for space in whole.receptacles}:
            raise _wrong(episode, f"{at} would be on {holder[:80]}|{receptacle[:80]}: no place")
        if holder in seen:
            raise _wrong(episode, f"{name} would be in itself")
        seen.add(holder)
        at = holder


def _states(episode: Episode) -> dict[str, dict[str, bool]]:
    """Thing -> state as the house names it -> whether it is so at first."""
    states: dict[str, dict[str, bool]] = {}
    for published, values in episode.states.items():
        state = STATES.get(published)
        if state is None:
            raise _wrong(episode, f"there is no state {published[:80]!r}")
        for name, value in values.items():
            states.setdefault(name, {})[state] = value
    return states


def _changed(
    episode: Episode, name: str, states: Mapping[str, bool], wanted: Mapping[str, bool]
) -> dict[str, bool]:
    for state in wanted:
        if state not in states:
            raise _wrong(episode, f"{name[:80]} cannot be or not be {state}")
    return {**states, **wanted}


def generator(text: str) -> np.random.Generator:
    """Random numbers that hang on a text alone, the same everywhere."""
    digest = hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest()
    return np.random.default_rng(int.from_bytes(digest[:16], "big"))


def _named(episode: Episode | int) -> str:
    return episode.id[:80] if isinstance(episode, Episode) else str(episode)


def _wrong(episode: Episode, why: str) -> HomebodyError:
    return HomebodyError(f"the episode {episode.id[:80]} is not possible: {why}")
