"""People in words that fit only them."""

from __future__ import annotations

import dataclasses

from homebody.worlds.house.generation.generate import generate
from homebody.worlds.house.model.catalogue import catalogue
from homebody.worlds.house.model.house import Person, Pose, Thing
from homebody.worlds.house.model.told_apart import adjectives, appearance, attributes, phrase
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


def test_what_people_look_like_is_said_without_what_they_do() -> None:
    red = someone(0, clothes={"dress": COLOURS["red"]}, activity="waiting")
    blue = someone(1, clothes={"dress": COLOURS["sky"], "apron": COLOURS["white"]})
    twin = someone(2, clothes={"dress": COLOURS["red"]})
    assert appearance(red, [red, blue]) == "the woman in the red dress"
    assert appearance(blue, [red, blue]) == "the woman in the light blue dress"
    assert appearance(red, [red, twin]) == "a woman in the red dress"
    assert appearance(someone(3, age="elderly"), []).startswith("the elderly woman with short ")
    assert appearance(someone(4, clothes={"hair": COLOURS["sand"]}), []).endswith("blond hair")


def test_what_a_coat_hides_tells_nobody_apart() -> None:
    coat = {"coat": COLOURS["navy"]}
    people = (
        someone(0, clothes={**coat, "sweater": COLOURS["red"]}),
        someone(1, clothes={**coat, "dress": COLOURS["blue"]}),
    )
    house = dataclasses.replace(two_rooms(), people=people)
    assert [phrase(house, person.name) for person in people] == ["person_0", "person_1"]
    jacket = someone(2, clothes={"jacket": COLOURS["olive"], "dress": COLOURS["blue"]})
    assert attributes(jacket)["dress"] == "in the blue dress"


def test_what_a_desk_hides_tells_nobody_apart() -> None:
    for posture, words in (("sitting", "person_0"), ("standing", "the woman in red trousers")):
        people = (
            someone(0, posture=posture, clothes={"trousers": COLOURS["red"]}),
            someone(1, posture=posture, clothes={"trousers": COLOURS["blue"]}),
        )
        house = dataclasses.replace(two_rooms(), people=people)
        assert phrase(house, "person_0") == words


def test_neighbouring_ages_tell_nobody_apart() -> None:
    for one, other in (("adult", "young_adult"), ("young_adult", "teenager")):
        people = someone(0, age=one), someone(1, age=other)
        house = dataclasses.replace(two_rooms(), people=people)
        assert [phrase(house, person.name) for person in people] == ["person_0", "person_1"]
    people = someone(0, age="elderly"), someone(1, age="adult")
    house = dataclasses.replace(two_rooms(), people=people)
    assert phrase(house, "person_1") == "the woman"


def test_things_are_told_apart_by_colour_and_material() -> None:
    def cup(name: str, colour: str, material: str) -> Thing:
        pose = Pose((0.0, 0.0, 0.0))
        style = {"handle": COLOURS["gold"], "body": COLOURS[colour]}
        return Thing(name, "cup", (0.1, 0.1, 0.1), pose, ("a", "top"), style, material=material)

    red, blue = cup("red", "red", "ceramic"), cup("blue", "navy", "ceramic")
    glass = cup("glass", "red", "glass")
    assert adjectives([red]) == {"red": ""}
    assert adjectives([red, blue]) == {"red": "red", "blue": "dark blue"}
    assert adjectives([red, glass]) == {"red": "ceramic", "glass": "glass"}
    assert adjectives([red, blue, glass]) == {
        "red": "red ceramic",
        "blue": "dark blue",
        "glass": "glass",
    }
    assert adjectives([red, cup("same", "red", "ceramic")]) == {"red": "", "same": ""}
