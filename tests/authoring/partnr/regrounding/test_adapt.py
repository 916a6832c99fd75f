"""Tasks of one house in another."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import numpy as np
import pytest

from authoring.partnr.scribe import plain
from homebody.authoring.partnr.checks.lint import lint
from homebody.authoring.partnr.draft import Draft, FailureMode, Placement, Rejected
from homebody.authoring.partnr.grammar.author import author
from homebody.authoring.partnr.instantiate import instantiate
from homebody.authoring.partnr.packing import complete
from homebody.authoring.partnr.regrounding.adapt import adapt, exchange_objects
from homebody.authoring.partnr.situation import bears
from homebody.authoring.partnr.verify import verify
from homebody.goals.partnr import Proposition
from homebody.suites.partnr.episodes.scene import scene
from homebody.worlds.house.model.house import House
from suites.partnr import homes

OLD = homes.HOUSE


def pieces(house: House, category: str, room: str = "") -> tuple[str, ...]:
    return tuple(
        one.name
        for one in house.furniture
        if one.category == category and (not room or house.room[one.room].kind == room)
    )


def task(text: str, *propositions: Proposition) -> Draft:
    return Draft(text, (Placement("cup", 1, "sofa_0"),), complete(propositions))


def to(*places: str, predicate: str = "is_on_top") -> Proposition:
    return Proposition(predicate, (("cup_0",), places))


def test_all_of_a_kind_stay_all_of_the_kind() -> None:
    new = next(h for h in map(scene, range(50, 90)) if len(pieces(h, "nightstand")) > 2)
    assert len(pieces(OLD, "nightstand")) == 2
    seed = task("Put the cup on a nightstand.", to(*pieces(OLD, "nightstand")))
    made = adapt(seed, OLD, new)
    assert made.evaluation is not None
    assert set(made.evaluation.propositions[0].lists[1]) == set(pieces(new, "nightstand"))
    assert made.placements[0].furniture in pieces(new, "sofa")
    assert made.instruction == seed.instruction


def test_all_in_a_room_stay_all_in_the_room() -> None:
    new = next(
        h
        for h in map(scene, range(50, 120))
        if pieces(h, "bookcase", "living_room")
        and len(pieces(h, "bookcase")) > len(pieces(h, "bookcase", "living_room"))
    )
    old = next(h for h in map(scene, range(1, 40)) if pieces(h, "bookcase", "living_room"))
    own = pieces(old, "bookcase", "living_room")
    seed = task("Put the cup on a bookcase in the living room.", to(*own))
    made = adapt(seed, old, new)
    assert made.evaluation is not None
    wanted = pieces(new, "bookcase", "living_room")
    assert set(made.evaluation.propositions[0].lists[1]) == set(wanted)


def test_nouns_follow_what_stands_in() -> None:
    old = next(h for h in map(scene, range(1, 60)) if pieces(h, "shelf", "garage"))
    new = next(
        h
        for h in map(scene, range(60, 160))
        if not any(room.kind == "garage" for room in h.rooms)
        and not pieces(h, "shelf")
        and pieces(h, "bookcase")
    )
    seed = task("Put the cup on a shelf in the garage.", to(*pieces(old, "shelf", "garage")))
    try:
        made = adapt(seed, old, new)
    except Rejected as why:
        pytest.fail(why.why)
    assert "garage" not in made.instruction
    assert lint(made, new) == []


def test_no_counterpart() -> None:
    old = next(h for h in map(scene, range(1, 60)) if pieces(h, "fireplace"))
    new = next(h for h in map(scene, range(60, 160)) if not pieces(h, "fireplace"))
    fires = pieces(old, "fireplace")
    seed = task("Light the fireplace.", Proposition("is_powered_on", (fires,)))
    with pytest.raises(Rejected) as caught:
        adapt(seed, old, new)
    assert caught.value.failure == FailureMode.HALLUCINATION


@pytest.mark.slow
def test_adapted_drafts_only_name_what_is_there_and_most_can_be_solved() -> None:
    seen: Counter[str] = Counter()
    for number in range(40):
        old, new = scene(41 + number % 4), 45 + number % 4
        rng = np.random.default_rng([7, number])
        seed = plain(author(old, rng))
        if lint(seed, old):
            continue
        seen["seeds"] += 1
        try:
            made = adapt(seed, old, scene(new))
        except Rejected:
            continue
        assert made.evaluation is not None
        assert made.assigned == seed.assigned
        known = scene(new)
        for one in made.placements:
            if one.furniture in known.piece:
                assert bears(known.piece[one.furniture], one.relation)
            else:
                assert one.furniture in known.floors or one.furniture.rpartition("_")[0]
        if lint(made, known):
            seen["lint"] += 1
            continue
        try:
            verify(instantiate(f"adapted-{number}", new, made, rng))
        except Rejected:
            seen["rejected"] += 1
        else:
            seen["verified"] += 1
    assert seen["verified"] >= 0.4 * seen["seeds"], seen
    assert seen["rejected"] + seen["lint"] <= 0.2 * seen["seeds"], seen


def test_other_objects() -> None:
    seed = task(
        "Put a cup on the sofa. Wash the cup.", to("sofa_0"), Proposition("is_clean", (("cup_0",),))
    )
    made = exchange_objects(seed, {"cup": "apple"})
    assert made.instruction == "Put an apple on the sofa. Wash the apple."
    assert made.placements[0].category == "apple"
    assert made.evaluation is not None
    assert made.evaluation.propositions[1].lists == (("apple_0",),)
    with pytest.raises(Rejected, match="cleanable"):
        exchange_objects(seed, {"cup": "banana"})
    both = replace(seed, placements=(*seed.placements, Placement("apple", 1, "sofa_0")))
    with pytest.raises(Rejected):
        exchange_objects(both, {"cup": "apple"})
    dishes = replace(seed, instruction="Put the dishes on the sofa.")
    assert exchange_objects(dishes, {"cup": "plate"}).instruction == dishes.instruction
    with pytest.raises(Rejected, match="dishes"):
        exchange_objects(dishes, {"cup": "apple"})
