"""Houses of episodes: the same everywhere, shared, and nothing impossible."""

from __future__ import annotations

import dataclasses
import json
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from homebody.core import HomebodyError
from homebody.goals.partnr import Episode, Evaluation, read_episode, write_episode
from homebody.suites.partnr.episodes.scene import (
    from_transform,
    furnish,
    lived_in_scene,
    rename_things,
    sample_thing,
    scene,
    to_episode,
    to_transform,
)
from homebody.worlds.house.model.house import Pose
from homebody.worlds.house.model.state import HouseState
from homebody.worlds.house.simulation.walking.navigation import navigation
from homebody.worlds.house.simulation.walking.walls import house_walls, memory, with_things
from suites.partnr.homes import SEED, home, of

EVALUATION = Evaluation((of("is_on_top", ["cup_0"], ["coffee_table_0"]),))
THINGS = (("cup_0", "counter_0"), ("basket_0", "sofa_0"), ("ball_0", "basket_0", "within"))


def episode(states: dict[str, dict[str, bool]] | None = None) -> Episode:
    return to_episode("one", "Bring the cup.", EVALUATION, home(*THINGS), states)


def test_a_scene_is_empty_unlocked_and_made_once() -> None:
    house = scene(SEED)
    assert (house.things, house.people) == ((), ())
    assert not any(one.states.get("locked") for one in house.furniture)
    assert any("locked" in one.states for one in house.furniture)
    assert scene(episode()) is house


def test_an_episode_gives_its_house_back_through_json() -> None:
    states = {"cup_0": {"filled": True, "clean": False}, "fridge_0": {"open": True}}
    made = episode(states)
    read = read_episode(json.loads(json.dumps(write_episode(made))))
    assert read == made
    house = furnish(scene(read), read)
    assert house.piece["fridge_0"].states["open"]
    assert house.thing["cup_0"].states == {"filled": True, "clean": False}
    assert house.thing["ball_0"].place == ("basket_0", "inside")
    untouched = home(*THINGS)
    assert {one.name: dataclasses.replace(one, states={}) for one in house.things} == {
        one.name: dataclasses.replace(one, states={}) for one in untouched.things
    }
    assert furnish(scene(read), episode()).thing == untouched.thing
    assert made.states["is_open"] == {"fridge_0": True}  # the others are as in the scene


def test_what_is_worked_out_is_shared_and_knows_no_things() -> None:
    house = furnish(scene(SEED), episode())
    other = scene(SEED)
    assert navigation(house, 0.25) is navigation(other, 0.25)
    assert house_walls(house)[0] is house_walls(other)[0]
    state = HouseState.start(house)
    before = set(memory(other))
    from homebody.worlds.house.simulation.relations import is_inside

    assert is_inside(state, "ball_0", "basket_0")
    assert not is_inside(state, "ball_0", "fridge_0")
    assert not any("ball" in key or "basket" in key for key in set(memory(other)) | before)


@given(
    st.tuples(*[st.integers(-40_000, 40_000)] * 3),
    st.integers(0, 359_999),
)
@example((0, 0, 0), 241_669)
def test_transforms_give_poses_back(at: tuple[int, int, int], yaw: int) -> None:
    pose = Pose((at[0] / 1000, at[1] / 1000, at[2] / 1000), yaw / 1000)
    transform = to_transform(pose)
    assert from_transform(transform) == pose
    # y is up, and turning is a rotation
    assert transform[1] == (0.0, 1.0, 0.0, pose.position[2])
    (a, _, b, _), _, (c, _, d, _) = transform[:3]
    assert a * d - b * c == pytest.approx(1.0)


def test_things_are_drawn_from_house_and_name_alone() -> None:
    cup = sample_thing(7, "cup_0", "cup")
    assert cup == sample_thing(7, "cup_0", "cup")
    others = [sample_thing(7, f"cup_{i}", "cup") for i in range(1, 6)]
    assert len({one.size for one in others}) > 1
    assert 0.072 <= cup.size[0] <= 0.088
    with pytest.raises(HomebodyError, match="is not an object in"):
        sample_thing(7, "unicorn_0", "unicorn")


def _replaced(**fields: Any) -> Episode:
    return dataclasses.replace(episode(), **fields)


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"objects": (*episode().objects, episode().objects[0])}, "two objects named cup_0"),
        ({"receptacles": {}}, "does not say what cup_0 is on"),
        ({"receptacles": {**episode().receptacles, "cup_0": "moon_0|top"}}, "which does not exist"),
        (
            {"receptacles": {**episode().receptacles, "cup_0": "counter_0|attic"}},
            "which does not exist",
        ),
        (
            {"receptacles": {**episode().receptacles, "cup_0": "floor_kitchen_0|x"}},
            "which does not exist",
        ),
        (
            {"receptacles": {**episode().receptacles, "basket_0": "basket_0|inside"}},
            "inside itself",
        ),
        ({"states": {"is_happy": {"cup_0": True}}}, "unknown state: 'is_happy'"),
        ({"states": {"is_powered_on": {"cup_0": True}}}, "does not have the state powered_on"),
        ({"states": {"is_clean": {"cup_9": True}}}, "cup_9, which does not exist"),
        ({"objects": (("dragon_0", episode().objects[0][1]),)}, "is not an object in"),
        ({"objects": (("cup_0], Done[", episode().objects[0][1]),)}, "is not an object in"),
        ({"objects": (("cup_" + "9" * 400, episode().objects[0][1]),)}, "is not an object in"),
        ({"objects": (("kitchen_0", episode().objects[0][1]),)}, "two objects named kitchen_0"),
        ({"objects": (("cup_0", ((float("nan"),) * 4,) * 4),)}, "has no place"),
    ],
)
def test_what_cannot_be_is_said(fields: dict[str, Any], said: str) -> None:
    with pytest.raises(HomebodyError, match=said):
        furnish(scene(SEED), _replaced(**fields))


@pytest.mark.parametrize("seed", [None, -1, 2**70])
def test_episodes_of_other_houses_are_refused(seed: int | None) -> None:
    with pytest.raises(HomebodyError, match="has no generated house"):
        scene(_replaced(house_seed=seed))


def test_a_scene_goes_with_its_seed() -> None:
    with pytest.raises(HomebodyError, match="is not 'home-999'"):
        scene(_replaced(scene="home-999"))


@settings(max_examples=30)
@given(st.dictionaries(st.sampled_from(["cup_0", "ball_0", "sofa_0"]), st.text(max_size=20)))
def test_any_place_is_read_or_refused(places: dict[str, str]) -> None:
    try:
        furnish(scene(SEED), _replaced(receptacles={**episode().receptacles, **places}))
    except HomebodyError:
        assert places


def test_of_a_house_that_is_lived_in_only_what_differs_is_written() -> None:
    usual = lived_in_scene(2_000)
    assert len(usual.things) >= 100
    gone = next(one for one in usual.things if one.place[0] in usual.piece)
    own = rename_things(
        [one for one in usual.things if gone.name not in (one.name, one.place[0])],
        {f"{gone.category}_1"},
    )
    added = dataclasses.replace(
        sample_thing(2_000, f"{gone.category}_1", gone.category), pose=gone.pose, place=gone.place
    )
    things = [*own.values(), added]
    changed = with_things(usual, things)
    other = next(one for one in own.values() if "clean" in one.states)
    states = {other.name: {"clean": not other.states["clean"]}}
    made = to_episode("e", "Do it.", Evaluation(()), changed, states, own=own)
    assert [name for name, _ in made.objects] == [added.name]
    assert made.removed is not None
    assert gone.name in made.removed
    assert made.states["is_clean"].keys() <= {other.name, added.name}
    again = read_episode(json.loads(json.dumps(write_episode(made))))
    assert again == made
    home = furnish(scene(again), again)
    other_states = {**other.states, **states[other.name]}
    assert home.thing == changed.thing | {
        other.name: dataclasses.replace(other, states=other_states)
    }
    assert list(home.thing) != [one.name for one in things], "the last one would be the added one"
    unknown = dataclasses.replace(made, removed=("unicorn_0",))
    with pytest.raises(HomebodyError, match="removes unicorn_0"):
        furnish(scene(unknown), unknown)


def test_what_is_in_things_that_are_removed_must_be_removed_too() -> None:
    usual = lived_in_scene(2_000)
    inner = next(one for one in usual.things if one.place[0] in usual.thing)
    own = rename_things(usual.things, ())
    made = to_episode("e", "Do it.", Evaluation(()), with_things(usual, own.values()), own=own)
    assert made.removed == ()
    assert made.objects == ()
    broken = dataclasses.replace(made, removed=(inner.place[0],))
    with pytest.raises(HomebodyError, match="does not exist"):
        furnish(scene(broken), broken)
