"""All drivers and agents receive the same facts: what is stated is what is judged."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

import msgspec
import numpy as np
import pytest

from homebody.core import CORRECTED, Question, Reply
from homebody.drivers import PLAYERS
from homebody.goals.etplan import ROBOT, Condition, Criterion, Job, Target
from homebody.suites.etplan.agents.explorer import explorer
from homebody.suites.etplan.agents.pipeline import PaperAgent
from homebody.suites.etplan.agents.questions import describe_choices, format_jobs
from homebody.suites.etplan.agents.worker import candidates
from homebody.suites.etplan.house_facts import HouseFacts
from homebody.suites.etplan.rows import ROWS
from homebody.suites.etplan.scenes import home, keep
from homebody.suites.etplan.session import start
from homebody.suites.etplan.tasks import EtplanTask, load
from homebody.worlds.house.model.state import HouseState
from homebody.worlds.virtualhome.scene_graph import read_graph
from worlds.virtualhome.scene_graphs import raw

Stated = set[tuple[str, str, str]]
NUMBERS = (0, 60, 120)
"""Tasks in three homes."""
NAME = r"[a-z_]+[_.][0-9]+"


def house_task(number: int) -> EtplanTask:
    """A task with a criterion of each relation that holds in its home, and of rooms."""
    task = load("test")["navigation"][number]
    facts = HouseFacts(HouseState.start(home(int(task.house))))
    held: dict[str, Condition] = {}
    for name in (*home(int(task.house)).thing, *home(int(task.house)).piece):
        for relation, other in facts.stated_relations(name):
            key = relation + (" room" if facts.room(other) == other else "")
            held[key] = Condition(relation, facts.category(name), facts.category(other))
    goal = Criterion((tuple(held.values()), (Condition("CLOSE", ROBOT, held["CLOSE"].first),)))
    return msgspec.structs.replace(task, criterion=str(goal))


def graph_task() -> EtplanTask:
    scene = raw()
    for first, second in ((29, 13), (20, 10), (22, 12), (25, 13), (24, 16)):
        scene["edges"].append({"from_id": first, "relation_type": "CLOSE", "to_id": second})
    scene["edges"].append({"from_id": 13, "relation_type": "FACING", "to_id": 16})
    graph = keep(read_graph(json.dumps(scene).encode()))
    goal = (
        "(CLOSE, robot, mug)(CLOSE, mug, bed)(ON, mug, desk)(FACING, bed, desk)"
        "(CLOSE, apple, fridge)(INSIDE, milk, fridge)"
    )
    return EtplanTask(
        "t-1", "navigation", graph.digest, "bedroom.2", "Go.", goal, ("Navigate[mug.25]",)
    )


def read_relations(text: str) -> Stated:
    """What a request states."""
    text = text.rpartition("What you know now:")[2]
    stated: Stated = set()
    for word, there, names in re.findall(r"^  (near|facing) (.*): (.*)$", text, re.MULTILINE):
        for name in names.split(", "):
            for other in there.split(", "):
                stated.add(("CLOSE" if word == "near" else "FACING", name, other))
                if word == "near":
                    stated.add(("CLOSE", other, name))
    room = ""
    places = dict[str, tuple[str, str]]()
    for line in text.splitlines():
        if heading := re.match(rf"({NAME}): (.*)", line):
            room = heading[1]
            stated |= {("INSIDE", name, room) for name in re.findall(NAME, heading[2])}
        for name, how, holder in re.findall(
            rf"({NAME})(?: \([^)]*\))?(?:, a [a-z_]+)?(?: is)? (on|within) ({NAME})", line
        ):
            places[name] = how, holder
            stated.add(("INSIDE", name, room))
            stated |= {("ON", name, holder)} if how == "on" else set()
    for name in places:
        at = name
        while at in places:
            how, at = places[at]
            if how == "within":
                stated.add(("INSIDE", name, at))
    return stated


def known_pairs(session: Any, condition: Condition) -> Iterator[tuple[str, str]]:
    nodes = session.observe(ROBOT).knowledge.nodes.values()
    for first in nodes:
        for second in nodes:
            classes = first.category, second.category
            if classes == (condition.first, condition.second) and first != second:
                yield first.name, second.name


def relations_of(task: EtplanTask) -> list[Condition]:
    return [c for c in task.goal.conditions if ROBOT not in (c.first, c.second)]


@pytest.mark.parametrize("knowledge", ["visible", "full"])
@pytest.mark.parametrize("number", [*NUMBERS, None])
def test_requests_state_relations_exactly_when_they_hold(
    number: int | None, knowledge: str
) -> None:
    task = graph_task() if number is None else house_task(number)
    session: Any = start(ROWS[task.row], task, {"knowledge": knowledge}, 0, CORRECTED)
    policy, facts = explorer(session, np.random.default_rng(0)), session.source.facts
    held: set[Condition] = set()
    for _ in range(6 if knowledge == "visible" else 1):
        for make in PLAYERS.values():
            (question,) = [make(session.clone(), ROBOT).question()]
            stated = read_relations("\n".join(message.text for message in question.messages))
            for each in relations_of(task):
                for first, second in known_pairs(session, each):
                    holds = facts.holds(each.relation, first, second)
                    assert holds == ((each.relation, first, second) in stated), (first, each)
                    held |= {each} if holds else set()
        if session.ending is None:
            session.act(ROBOT, policy(session, ROBOT))
            while session.ending is None and not session.ready():
                session.advance()
    assert held == set(relations_of(task)) or knowledge == "visible"


def test_the_pipeline_and_the_explorer_know_what_is_stated() -> None:
    assert sum(map(play_pipeline, NUMBERS))


def play_pipeline(number: int) -> int:
    """The number of questions about furniture, all of which state the right relations."""
    task = house_task(number)
    session: Any = start(ROWS[task.row], task, {}, 0, CORRECTED)
    pipeline, noted = PaperAgent(session), 0
    (where,) = [each for each in relations_of(task) if each.relation == "CLOSE"]
    job = Job(Target(where.first, (where,)))
    answers = {"kind": '["navigation"]', "jobs": format_jobs([job]), "furniture": "[]"}
    dialogue = pipeline.play()
    questions: tuple[Question, ...] = next(dialogue)
    while True:
        stated = read_relations(f"What you know now:{session.observe(ROBOT).text}")
        nodes, inquiry = session.observe(ROBOT).knowledge.nodes, pipeline.inquiry
        pairs = [pair for pair in known_pairs(session, where) if (where.relation, *pair) in stated]
        found = candidates(nodes, job.thing, session.source.facts.holds)
        assert {node.name for node in found} == {first for first, _ in pairs}
        if inquiry.about == "furniture":
            places = {name for name, node in nodes.items() if node.category == where.second}
            near = {first for how, first, other in stated if how == "CLOSE" and other in places}
            related = {nodes[each].category for each in near if nodes[each].room == inquiry.room}
            note = describe_choices(where, sorted(related & set(inquiry.choices)))
            assert note in questions[0].messages[0].text
            noted += 1
        reply = answers.get(inquiry.about) or json.dumps(inquiry.choices)
        try:
            questions = dialogue.send((Reply(reply),))
        except StopIteration:
            return noted
