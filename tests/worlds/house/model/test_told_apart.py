"""People in words that fit only them."""

from __future__ import annotations

import dataclasses

from homebody.worlds.house.generation.generate import generate
from homebody.worlds.house.model.catalogue import catalogue
from homebody.worlds.house.model.house import Person, Pose
from homebody.worlds.house.model.told_apart import attributes, phrase
from worlds.house.handmade import two_rooms

COLOURS = catalogue().colours


def someone(number: int, **looks: object) -> Person:
    clothes = {"hair": COLOURS["black"], "skin": (0.8, 0.6, 0.5)}
    clothes |= looks.pop("clothes", {})  # type: ignore[arg-type]
    pose = Pose((1.0 + number, 3.0, 0.0))
    person = Person(f"person_{number}", "standing", "kitchen_0", pose, (0.5, 0.3, 1.7), clothes)
    return dataclasses.replace(person, **looks)  # type: ignore[arg-type]


def test_people_are_told_apart_in_as_few_words_as_possible() -> None:
    people = (
        someone(0, clothes={"dress": COLOURS["red"]}),
        someone(1, clothes={"dress": COLOURS["blue"], "glasses": COLOURS["black"]}),
        someone(2, age="child", gender="male"),
        someone(3, gender="male", activity="waiting"),
        someone(4, gender="male", posture="sitting", on="sofa_0"),
    )
    house = dataclasses.replace(two_rooms(), people=people)
    words = [phrase(house, person.name) for person in people]
    assert words == [
        "the woman in the red dress",
        "the woman in the blue dress",
        "the boy",
        "the man who is waiting",
        "the man sitting on the sofa",
    ]
    assert attributes(people[1])["glasses"] == "with glasses"


def test_the_people_of_a_scene_have_phrases_of_their_own() -> None:
    for seed in range(8):
        house = generate(seed, "restaurant", 4, things=0, people=8)
        words = [phrase(house, person.name) for person in house.people]
        assert len(set(words)) == len(words)
        assert all(text.startswith("the ") for text in words), words


def test_twins_keep_their_names() -> None:
    house = dataclasses.replace(two_rooms(), people=(someone(0), someone(1)))
    assert phrase(house, "person_1") == "person_1"
