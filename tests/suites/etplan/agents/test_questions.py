"""Answers to the pipeline's questions."""

from __future__ import annotations

import pytest

from homebody.core import HomebodyError
from homebody.goals.etplan import Condition
from homebody.suites.etplan.agents.jobs import Job, Wanted
from homebody.suites.etplan.agents.questions import (
    chosen,
    described,
    read_jobs,
    read_kind,
    read_names,
    same_name,
)


def test_the_last_list_counts() -> None:
    said = "First [\"bed\"] came to mind.\n['desk', 'chest', 'desk']"
    assert read_names(said) == ("desk", "chest")
    assert read_names("[]") == ()
    assert read_kind("A short one: [Temporal]") == "temporal"
    for text in ("", "desk", "[" * 99_999):
        with pytest.raises(HomebodyError):
            read_names(text)


def test_jobs_are_read() -> None:
    said = """Let me think [a bit]. [{"thing": "box of sugar", "found": "near", "at": "the stove",
    "put": "in", "target": "Wall Cabinet"}]"""
    where = (Condition("CLOSE", "box_of_sugar", "the_stove"),)
    job = Job(Wanted("box_of_sugar", where), "INSIDE", Wanted("wall_cabinet"))
    assert read_jobs(said) == (job,)
    assert described(job.thing) == '"box of sugar" that is near the stove'
    for text in (
        "[1]",
        '[{"thing": ""}]',
        '[{"thing": "a", "put": "under", "target": "b"}]',
        '[{"thing": "a", "found": "near"}]',
        '[{"thing": ["a"]}]',
        '[{"thing":' * 9_999 + "]",
    ):
        with pytest.raises(HomebodyError):
            read_jobs(text)


def test_names_are_the_same_in_other_words() -> None:
    assert same_name("bottles of oil", "oil_bottle")
    assert same_name("the kids' bed", "kids_bed")
    assert not same_name("bed", "kids_bed")
    assert chosen(["Desk", "moon", "chest"], ["chest", "desk"]) == ["desk", "chest"]
