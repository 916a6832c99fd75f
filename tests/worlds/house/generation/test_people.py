"""People are where such people would be, at what they do, facing it."""

import math

import pytest

from homebody.worlds.house.generation.generate import generate
from homebody.worlds.house.generation.validity import check
from homebody.worlds.house.model.catalogue import catalogue
from homebody.worlds.house.model.house import Box, House, Person, Point, to_world
from homebody.worlds.house.model.people import hips, stature
from homebody.worlds.house.rendering.meshes.figure import figure
from homebody.worlds.house.simulation.relations import gap

KINDS = ("home", "office", "classroom", "shop", "gym", "restaurant", "gallery")


@pytest.fixture(scope="module")
def houses() -> list[House]:
    return [generate(seed, kind, 4, things=20, people=5) for kind in KINDS for seed in range(6)]


def _activity(person: Person):  # type: ignore[no-untyped-def]
    kinds = catalogue().people.activities.values()
    return next(kind for kind in kinds if kind.phrase == person.activity)


def _place(house: House, name: str) -> Point:
    for opening in house.openings:
        if opening.name == name:
            (a, b), (c, d) = opening.start, opening.end
            return (a + c) / 2, (b + d) / 2
    placed = house.piece.get(name) or house.thing.get(name)
    if placed is None:
        placed = next(person for person in house.people if person.name == name)
    return placed.pose.position[0], placed.pose.position[1]


@pytest.mark.slow
def test_nearly_all_who_are_asked_for_come_and_do_something(houses: list[House]) -> None:
    people = [person for house in houses for person in house.people]
    assert len(people) >= 0.95 * 5 * len(houses)
    assert all(person.activity for person in people)
    assert len({person.activity for person in people}) >= 25
    assert {person.age for person in people} == set(catalogue().people.ages)
    postures = {person.posture for person in people}
    assert {"standing", "sitting", "pointing", "crouching", "walking"} <= postures


def test_what_they_do_is_done_in_such_a_room_on_such_furniture(houses: list[House]) -> None:
    phrases: dict[str, list[str]] = {}
    for name, kind in catalogue().people.activities.items():
        phrases.setdefault(kind.phrase, []).append(name)
    for house in houses:
        for person in house.people:
            kinds = [catalogue().people.activities[name] for name in phrases[person.activity]]
            room = house.room[person.room].kind
            assert any(not kind.rooms or room in kind.rooms for kind in kinds)
            assert any(person.age in kind.ages for kind in kinds)
            if person.on:
                assert any(house.piece[person.on].category in kind.at for kind in kinds)


def test_they_face_what_they_look_at(houses: list[House]) -> None:
    seen = 0
    for house in houses:
        for person in house.people:
            if not person.looks_at or person.posture == "pointing":
                continue
            x, y, _ = person.pose.position
            a, b = _place(house, person.looks_at)
            turn = math.radians(person.pose.yaw)
            along = -math.sin(turn) * (a - x) + math.cos(turn) * (b - y)
            # who stands at a long piece looks straight ahead at it, not at its middle
            beside = 0.9 if house.piece.get(person.looks_at) else 0.0
            assert along > 0
            assert along >= 0.49 * math.hypot(a - x, b - y) - beside
            seen += 1
    assert seen > 60


def test_children_are_small_and_staff_wears_uniforms(houses: list[House]) -> None:
    for house in houses:
        for person in house.people:
            least, most = catalogue().people.ages[person.age].height
            assert least - 0.07 <= stature(person) <= most + 0.01
            worn = set(person.clothes)
            assert {"skin", "hair"} < worn
            if person.activity in ("serving at the checkout", "watching over the exhibition"):
                assert "uniform" in worn


def test_no_two_of_a_house_look_alike(houses: list[House]) -> None:
    for house in houses:
        looks = [
            (tuple(sorted(person.clothes.items())), person.hair, person.age)
            for person in house.people
        ]
        assert len(set(looks)) == len(looks)


def test_who_talks_to_somebody_idle_is_looked_at() -> None:
    mutual = 0
    for seed in range(20):
        house = generate(seed, "office", ["reception"], things=0, people=8)
        people = {person.name: person for person in house.people}
        mutual += sum(
            people[one.looks_at].looks_at == one.name
            for one in people.values()
            if one.activity == "talking to somebody"
        )
    assert mutual >= 2


def test_nobody_stands_in_the_knees_of_others() -> None:
    house = generate(2196, "shop")  # somebody free to turn stood over the knees of who sat
    assert not [problem for problem in check(house) if "person" in problem]


def test_the_knees_of_who_sits_are_before_the_seat(houses: list[House]) -> None:
    seated = [(house, one) for house in houses for one in house.people if one.posture == "sitting"]
    assert len(seated) > 10
    for house, person in seated:
        x, y, z = hips(person)
        joints = figure(stature(person), "sitting", person.gesture, 0.1, z)
        ends = [to_world(person.pose, (x, y + ahead, z)) for ahead in (joints.knees[1][1], 0.0)]
        knee, hip = (gap(Box(end, end), house.piece[person.on].box) for end in ends)
        assert knee > hip == 0.0, (person.name, person.on)
