"""What the page says of the protocols."""

from __future__ import annotations

import random
import re
from typing import Any

import pytest

from homebody.goals.etplan import QUIRKS as SUCCESS_QUIRKS
from homebody.goals.etplan import ROBOT, EtplanGoal
from homebody.suites.etplan.audit import PROBLEMS
from homebody.suites.etplan.protocol import PROTOCOLS, QUIRKS
from homebody.suites.etplan.tasks import load
from places import DOCS
from suites.etplan.scripted import act, begin, carry, placements, put, reach, take

CRITERIA = DOCS / "benchmarks/etplan-criteria.md"
AUDITS = DOCS / "trust/audits.md"


def test_the_page_lists_the_quirks() -> None:
    rows = re.findall(r"^\| `(\w+)` \| (.*) \| (.*) \|$", CRITERIA.read_text(), re.M)
    assert {name: (one, other) for name, one, other in rows if name in QUIRKS} == dict(QUIRKS)


def test_the_page_lists_the_problems_of_released_tasks() -> None:
    rows = re.findall(r"^\| `(\w+)` \| ([^|]*) \|(?: \d+ \|){7}$", AUDITS.read_text(), re.M)
    assert dict(rows) == dict(PROBLEMS)


def test_published_keeps_all_quirks_and_corrected_none() -> None:
    assert PROTOCOLS["published"].kept_quirks(QUIRKS) == QUIRKS.keys()
    assert not PROTOCOLS["corrected"].kept_quirks(QUIRKS)


def wander(session: Any, rng: random.Random) -> None:
    """Handle the objects of the task at random, and then as the task says."""
    facts = session.source.facts
    classes = set(session.source.task.goal.classes) - {ROBOT}
    names = [name for each in sorted(classes) for name in facts.instances(each)]
    for _ in range(rng.randint(3, 20)):
        name = rng.choice(names)
        held = [
            n.name for n in session.observe(ROBOT).knowledge.nodes.values() if n.holder == ROBOT
        ]
        match rng.choice(["reach", "open", "take", "put", "put"]):
            case "reach":
                reach(session, name)
            case "open":
                act(session, "Open", name)
            case "take":
                take(session, name)
            case _ if held:
                put(session, rng.choice(held), rng.choice(["on", "within"]), name)
    for placement in placements(session.source.task):
        carry(session, placement)


def puts_itself(session: Any) -> bool:
    """Whether the robot itself put objects of all classes where the goal wants them."""
    facts, done = session.source.facts, session.source.seen.trace.actions
    placed = {tuple(map(facts.category, a.args[::2])) for a in done if a.name == "Place"}
    return placed.issuperset((c.first, c.second) for c in session.source.task.goal.puts)


@pytest.mark.sampled
@pytest.mark.parametrize("row", load("test"))
def test_corrected_is_more_lenient_than_published_only_where_a_quirk_says_so(row: str) -> None:
    rng, successes = random.Random(row), 0
    for task in load("test")[row][::25]:
        session = begin(task)
        wander(session, rng)
        trace = session.source.seen.trace
        if EtplanGoal(task.goal).judge(trace).success:
            successes += 1
            published = EtplanGoal(task.goal, frozenset(SUCCESS_QUIRKS)).judge(trace).success
            assert published or not puts_itself(session), (task.id, trace.actions)
    assert successes
