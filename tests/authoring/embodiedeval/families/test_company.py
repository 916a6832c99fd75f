"""What tasks say of people can be seen: an activity is visible, clothes are not under a coat."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from homebody.authoring.embodiedeval.draft import FAMILIES
from homebody.authoring.embodiedeval.families.company import _touching
from homebody.authoring.embodiedeval.survey import Survey
from homebody.worlds.house.model.catalogue import catalogue
from homebody.worlds.house.model.house import Person, Pose
from suites.embodiedeval.small_tasks import survey

COLOURS = catalogue().colours
WATCHING = "watching television"


def watched(*, on: bool, turned: float = 0.0, clothes: tuple[str, ...] = ("shirt",)) -> Survey:
    """A scene in which somebody in front of a TV watches it, or only says so."""
    known = survey()
    tv = next(piece for piece in known.house.furniture if piece.category == "tv")
    x, y, _ = known.state.box(tv.name).centre
    yaw = tv.pose.yaw
    away = {0.0: (0.0, 2.0), 90.0: (-2.0, 0.0), 180.0: (0.0, -2.0), 270.0: (2.0, 0.0)}[yaw % 360]
    worn = dict.fromkeys(clothes, COLOURS["red"])
    person = Person(
        "person_0",
        "standing",
        tv.room,
        Pose((x + away[0], y + away[1], 0.0), (yaw + 180.0 + turned) % 360.0),
        (0.5, 0.3, 1.7),
        {"hair": COLOURS["black"], "skin": (0.8, 0.6, 0.5), **worn},
        activity=WATCHING,
        looks_at=tv.name,
    )
    own = Survey.__new__(Survey)
    own.scene, own.graph = known.scene, known.graph
    own.house = replace(known.house, people=(person,))
    own.state = known.state.copy()
    own.state.set(tv.name, "powered_on", on)
    own.people = (person,)
    return own


def asked(own: Survey, category: str, family: str) -> list[str]:
    drafts = FAMILIES[category][family](own, np.random.default_rng(0))
    return [draft.instruction for draft in drafts]


@pytest.mark.parametrize(
    ("category", "family"),
    [
        ("attribute_qa", "activity"),
        ("attribute_qa", "clothes"),
        ("navigation", "to_the_one_who"),
        ("social_interaction", "find_by_activity"),
    ],
)
def test_a_tv_that_is_watched_is_on_and_ahead(category: str, family: str) -> None:
    assert asked(watched(on=True), category, family)
    assert not asked(watched(on=False), category, family)
    assert not asked(watched(on=True, turned=90.0), category, family)


def test_nobody_is_described_by_what_pictures_do_not_show() -> None:
    for on in (True, False):
        own = watched(on=on)
        twin = replace(own.house.people[0], name="person_1", activity="waiting", looks_at="")
        own.house = replace(own.house, people=(*own.house.people, twin))
        words = own.description_of("person_0")
        assert (words is not None and WATCHING in words) is on


def test_what_somebody_looks_at_is_ahead_and_on() -> None:
    for on, turned, asks in ((True, 0.0, True), (False, 0.0, False), (True, 90.0, False)):
        own = watched(on=on, turned=turned)
        own.largest = {**survey().largest, "person_0": 5_000}
        assert bool(asked(own, "social_interaction", "looked_at")) is asks


def test_what_holds_an_object_is_no_wrong_answer_beside_it() -> None:
    known = survey()
    thing = next(t for t in known.things if known.state.places[t.name][0] in known.house.piece)
    holder = known.house.piece[known.state.places[thing.name][0]]
    assert known.noun(holder.category) in _touching(known, thing.name)
    assert known.noun(thing.category) in _touching(known, holder.name)


def test_nobody_is_asked_about_a_shirt_under_a_coat() -> None:
    texts = asked(
        watched(on=True, clothes=("shirt", "coat", "trousers")), "attribute_qa", "clothes"
    )
    assert any("coat" in text for text in texts)
    assert not any("shirt" in text for text in texts)
