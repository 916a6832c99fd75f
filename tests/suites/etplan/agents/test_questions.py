"""Answers to the pipeline's questions."""

from __future__ import annotations

import pytest

from homebody.authoring.language.names import lexicon
from homebody.core import HomebodyError
from homebody.goals.etplan import Condition, Job, Target
from homebody.suites.etplan.agents.questions import (
    KINDS,
    Inquiry,
    describe_target,
    format_question,
    match_choices,
    read_jobs,
    read_names,
    read_some,
    select_choices,
)
from homebody.suites.etplan.house_facts import HouseFacts
from homebody.suites.etplan.scenes import home
from homebody.worlds.house.model.state import HouseState


def test_the_last_list_counts() -> None:
    said = "First [\"bed\"] came to mind.\n['desk', 'chest', 'desk']"
    assert read_names(said) == ("desk", "chest")
    assert read_names("[]") == ()
    assert read_some("A short one: [Temporal]", KINDS) == ["temporal"]
    for text in ("", "desk", "[" * 99_999):
        with pytest.raises(HomebodyError):
            read_names(text)


def test_jobs_are_read() -> None:
    said = """Let me think [a bit]. [{"thing": "box of sugar", "found": "near", "at": "the stove",
    "put": "in", "target": "Wall Cabinet"}]"""
    where = (Condition("CLOSE", "box_of_sugar", "the_stove"),)
    job = Job(Target("box_of_sugar", where), "INSIDE", Target("wall_cabinet"))
    assert read_jobs(said, ()) == (job,)
    assert describe_target(job.thing) == '"box of sugar" that is near the stove'
    where = (Condition("CLOSE", "sugar_box", "stove"),)
    job = Job(Target("sugar_box", where), "INSIDE", Target("wall_cabinet"))
    assert read_jobs(said, ("stove", "wall_cabinet", "sugar_box", "box")) == (job,)
    for text in (
        "[1]",
        '[{"thing": ""}]',
        '[{"thing": "a", "put": "under", "target": "b"}]',
        '[{"thing": "a", "found": "near"}]',
        '[{"thing": ["a"]}]',
        '[{"thing":' * 9_999 + "]",
    ):
        with pytest.raises(HomebodyError):
            read_jobs(text, ())


def test_names_are_the_same_in_other_words() -> None:
    assert match_choices("bottles of oil", ["oil", "oil_bottle"]) == ["oil_bottle"]
    assert match_choices("the kids' bed", ["bed", "kids_bed"]) == ["kids_bed"]
    assert match_choices("bar of soap", ["soap", "bar_stool"]) == ["soap"]
    assert match_choices("bedroom", ["bedroom_1", "bedroom_0", "bathroom_0"]) == [
        "bedroom_0",
        "bedroom_1",
    ]
    assert match_choices("bedroom_1", ["bedroom_1", "bedroom_0"]) == ["bedroom_1"]
    assert match_choices("slice of bread", ["bread", "breadslice"]) == ["breadslice"]
    assert (
        match_choices("bed", ["kids_bed"])
        == match_choices("_0", ["bedroom_0"])
        == match_choices("", ["bed"])
        == []
    )
    assert select_choices(["Desk", "moon", "chest"], ["chest", "desk"]) == ["desk", "chest"]


def test_the_words_of_tasks_name_the_classes_that_they_are_about() -> None:
    classes, words = HouseFacts(HouseState.start(home(40))).classes, lexicon()
    for each in classes:
        assert match_choices(words.noun(each).singular, classes)[0] == each


def test_examples_are_of_the_kind_of_the_task_and_can_be_read() -> None:
    for kind in KINDS:
        asked = format_question(Inquiry("jobs", "Do it.", kind), "few-shot")
        example = next(line for line in asked.splitlines() if line.startswith("- "))
        assert len(read_jobs(example, ())) == (2 if kind in ("several", "temporal") else 1)
