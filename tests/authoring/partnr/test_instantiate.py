"""From a draft to an episode: things stand where they should, or the draft is rejected."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from homebody.authoring.language.names import lexicon
from homebody.authoring.partnr.draft import Draft, FailureMode, Placement, Rejected
from homebody.authoring.partnr.grammar.author import author
from homebody.authoring.partnr.instantiate import instantiate
from homebody.authoring.partnr.situation import objects_of
from homebody.goals.partnr import Evaluation, Proposition, read_episode, write_episode
from homebody.suites.partnr.episodes.scene import furnish, lived_in_scene, scene
from homebody.worlds.house.model.house import box_at
from homebody.worlds.house.model.state import HouseState
from homebody.worlds.house.simulation import relations

SEED = 2_004


def piece(category: str) -> str:
    return next(one.name for one in scene(SEED).furniture if one.category == category)


def draft(
    *placements: Placement,
    states: Mapping[str, Mapping[str, bool]] | None = None,
) -> Draft:
    wanted = Evaluation((Proposition("is_on_top", (("cup_0",), (piece("coffee_table"),))),))
    return Draft("Bring the cup.", placements, wanted, states or {})


def test_things_stand_where_they_should() -> None:
    fridge, counter = piece("fridge"), piece("counter")
    floor = scene(SEED).rooms[0].floor_name
    made = instantiate(
        "e-1",
        SEED,
        draft(
            Placement("cup", 2, counter, "on", {"clean": False, "filled": True}),
            Placement("milk_carton", 1, fridge, "within"),
            Placement("cup", 1, floor),
            states={fridge: {"open": True}},
        ),
        np.random.default_rng(1),
    )
    assert made.id == "e-1"
    assert made.house_seed == SEED
    assert [name for name, _ in made.objects] == ["cup_0", "cup_1", "milk_carton_0", "cup_2"]
    state = HouseState.start(furnish(scene(SEED), made))
    assert relations.is_on_top(state, "cup_0", counter)
    assert relations.is_on_top(state, "cup_1", counter)
    assert relations.is_inside(state, "milk_carton_0", fridge)
    assert relations.is_on_floor(state, "cup_2")
    assert relations.is_in_room(state, "cup_2", scene(SEED).rooms[0].name)
    assert relations.is_dirty(state, "cup_0")
    assert relations.is_filled(state, "cup_1")
    assert state.is_in_state(fridge, "open")


def test_things_can_start_in_a_container() -> None:
    floor = scene(SEED).rooms[0].floor_name
    made = instantiate(
        "e",
        SEED,
        draft(Placement("basket", 1, floor), Placement("cup", 1, "basket_0", "within")),
        np.random.default_rng(0),
    )
    assert made.receptacles["cup_0"] == "basket_0|inside"
    assert relations.is_inside(HouseState.start(furnish(scene(SEED), made)), "cup_0", "basket_0")


REJECTED = [
    (Placement("unicorn", 1, "counter"), FailureMode.HALLUCINATION),
    (Placement("cup", 1, "throne_0"), FailureMode.HALLUCINATION),
    (Placement("cup", 1, "kitchen_0"), FailureMode.ROOM_OR_FURNITURE),
    (Placement("cup", 1, "floor_kitchen_0", "within"), FailureMode.PREDICATE),
    (Placement("cup", 1, "coffee_table", "within"), FailureMode.PREDICATE),
    (Placement("cup", 1, "counter", "under"), FailureMode.UNREADABLE),
    (Placement("cup", 0, "counter"), FailureMode.UNREADABLE),
    (Placement("cup", 1_000_000, "counter"), FailureMode.NO_ROOM),
    (Placement("plate", 40, "nightstand"), FailureMode.NO_ROOM),
    (Placement("suitcase", 1, "microwave", "within"), FailureMode.NO_ROOM),
    (Placement("plate", 1, "counter", "on", {"powered_on": True}), FailureMode.PREDICATE),
]


@pytest.mark.parametrize(("placement", "failure"), REJECTED)
def test_what_cannot_be_is_rejected(placement: Placement, failure: FailureMode) -> None:
    house = scene(SEED)
    if placement.furniture in {one.category for one in house.furniture}:
        placement = replace(placement, furniture=piece(placement.furniture))
    with pytest.raises(Rejected) as caught:
        instantiate("e", SEED, draft(placement), np.random.default_rng(0))
    assert caught.value.failure is failure


def test_furniture_states_are_checked() -> None:
    cup = Placement("cup", 1, piece("counter"))
    for states, failure in (
        ({"throne_0": {"open": True}}, FailureMode.HALLUCINATION),
        ({piece("coffee_table"): {"powered_on": True}}, FailureMode.PREDICATE),
    ):
        with pytest.raises(Rejected) as caught:
            instantiate("e", SEED, draft(cup, states=states), np.random.default_rng(0))
        assert caught.value.failure is failure


def test_a_draft_without_evaluation_is_rejected() -> None:
    with pytest.raises(Rejected) as caught:
        instantiate("e", SEED, Draft("Do it.", ()), np.random.default_rng(0))
    assert caught.value.failure is FailureMode.UNREADABLE


@pytest.mark.slow
@settings(max_examples=40)
@given(st.integers(2_000, 2_012), st.integers(0, 10**9))
def test_drafts_of_the_author_become_episodes(seed: int, number: int) -> None:
    house = scene(seed)
    rng = np.random.default_rng(number)
    wanted = author(house, rng)
    again = np.random.default_rng(number)
    author(house, again)
    try:
        made = instantiate("e", seed, wanted, rng)
    except Rejected as rejected:
        assume(rejected.failure is not FailureMode.NO_ROOM)
        raise
    assert made == instantiate("e", seed, wanted, again)
    assert read_episode(write_episode(made)) == made
    home = furnish(house, made)
    assert len(home.things) >= 100
    assert len(made.objects) <= sum(one.number for one in wanted.placements)
    # objects are at their places, clear of each other
    fixed = house.piece.keys() | house.floors.keys()

    def at(category: str, holder: str) -> tuple[str, str]:
        return category, holder if holder in fixed else holder.rpartition("_")[0]

    added = [home.thing[name] for name, _ in made.objects]
    assert Counter(at(one.category, one.place[0]) for one in added) == Counter(
        at(it.category, it.furniture) for _, it in objects_of(wanted.placements)
    )
    for it in wanted.placements:
        alike = [one for one in added if at(one.category, one.place[0])[1] == it.furniture]
        given = [one for one in alike if {**one.states, **it.states} == one.states]
        assert len(given) >= it.number or it.furniture not in fixed
    for name, states in wanted.furniture_states.items():
        assert {**home.piece[name].states, **states} == home.piece[name].states
    boxes = {one.name: (one.place, box_at(one.pose, one.size)) for one in home.things}
    for name, _ in made.objects:
        place, one = boxes.pop(name)
        for other_place, other in boxes.values():
            assert place != other_place or any(
                one.low[axis] >= other.high[axis] - 1e-6 or other.low[axis] >= one.high[axis] - 1e-6
                for axis in (0, 1)
            )
    # of the house's own things there are those that the author lets stay
    assert wanted.staying is not None
    assert made.removed is not None
    assert lived_in_scene(seed).thing.keys() - wanted.staying <= set(made.removed)


@settings(max_examples=20)
@given(st.integers(2_000, 2_012), st.sampled_from(["cup", "plate", "book", "pillow"]))
def test_what_could_be_taken_for_an_object_of_a_model_is_not_there(seed: int, kind: str) -> None:
    bed = next(one.name for one in scene(seed).furniture if one.category in ("bed", "kids_bed"))
    wanted = Evaluation((Proposition("is_on_top", ((f"{kind}_0",), (bed,))),))
    made = instantiate(
        "e",
        seed,
        Draft("Bring it.", (Placement(kind, 1, scene(seed).rooms[0].floor_name),), wanted),
        np.random.default_rng(0),
    )
    for thing in furnish(scene(seed), made).things:
        assert thing.category != kind or thing.name == f"{kind}_0"
        assert thing.category not in lexicon().apart(kind) - {kind}
