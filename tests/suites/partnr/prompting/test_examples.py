"""Examples need the skills of a task, not only its objects."""

from __future__ import annotations

from homebody.suites.partnr.prompting.examples import Examples

OBJECTS = ("plate", "jar", "pan", "bowl", "cup", "teapot")
WASHED = [f"Wash the {name}" for name in OBJECTS]
BROUGHT = ["Bring the mug, the white mug", *(f"Bring the {name}" for name in OBJECTS[1:])]


def examples(scenes: list[str]) -> Examples:
    skills = [{"Clean"}] * len(WASHED) + [{"Pick", "Place"}] * len(BROUGHT)
    return Examples([*WASHED, *BROUGHT], scenes, skills)


def test_skills_decide_among_tasks_about_the_same_object() -> None:
    ranked = examples([f"home-{at}" for at in range(12)]).rank("Wash the mug", "home-99")
    assert sorted(place for place, _ in ranked) == [*range(12)]
    assert max(ranked, key=lambda each: each[1])[0] == len(WASHED)  # by words alone
    assert {place for place, _ in ranked[:6]} == {*range(6)}


def test_skills_are_predicted_without_the_tasks_of_the_same_house() -> None:
    everywhere, one_house = examples([""] * 12), examples(["home-1"] * 6 + ["home-2"] * 6)
    cosine = dict(everywhere.rank("Wash the mug"))
    assert dict(one_house.rank("Wash the mug", "home-1")) == cosine
    assert [place for place, _ in one_house.rank("Wash the mug", "home-1")] == sorted(
        range(12), key=lambda place: (-cosine[place], place)
    )
