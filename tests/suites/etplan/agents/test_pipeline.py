"""A model playing the paper's agent, its answers written here."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import msgspec
import pytest

from homebody.core import CORRECTED, HomebodyError, Question, Reply
from homebody.core.play.transcript import read_call
from homebody.suites.etplan.agents.pipeline import TRIES, PaperAgent
from homebody.suites.etplan.rows import ROWS
from homebody.suites.etplan.scenes import home, keep
from homebody.suites.etplan.session import start
from homebody.suites.etplan.tasks import EtplanTask, load
from homebody.worlds.virtualhome.scene_graph import read_graph
from suites.etplan.answers import true_answer
from worlds.virtualhome.scene_graphs import household

Answer = Callable[[PaperAgent, Question], str]


def played(
    task: EtplanTask, answer: Answer | None = None, **settings: str
) -> tuple[Any, list[tuple[str, Question, str]]]:
    session = start(ROWS[task.row], task, settings, 0, CORRECTED)
    pipeline = PaperAgent(session)
    dialogue, said = pipeline.play(), []
    replies: tuple[Reply, ...] | None = None
    while True:
        try:
            (question,) = next(dialogue) if replies is None else dialogue.send(replies)
        except StopIteration:
            return session, said
        if answer is None:
            text = true_answer(session.source, pipeline.inquiry)
        else:
            text = answer(pipeline, question)
        said.append((pipeline.inquiry.about, question, text))
        replies = (Reply(text),)


@pytest.mark.sampled
@pytest.mark.parametrize("row", ["navigation_size", "manipulation", "several_two_arms", "temporal"])
def test_who_knows_the_home_succeeds(row: str) -> None:
    tasks = load("test")[row][:3]
    assert sum(played(task)[0].score().metrics["success"] for task in tasks) >= 2


@pytest.mark.slow
@pytest.mark.parametrize(
    "row",
    ["navigation_relation_size", pytest.param("manipulation_relation", marks=pytest.mark.slow)],
)
def test_who_knows_the_home_finds_what_is_said_to_be_somewhere(row: str) -> None:
    tasks = load("test")[row][::10]
    done = [played(task)[0].score().metrics["success"] for task in tasks]
    assert sum(done) >= 0.8 * len(done)  # of some classes not each thing fits


def test_in_a_scene_graph_the_model_decides_the_same() -> None:
    graph = keep(read_graph(household()))
    goal = "(CLOSE, robot, milk)(CLOSE, robot, kitchentable)(ON, milk, kitchentable)"
    plan = ("Navigate[kitchen.1]",)
    task = EtplanTask("t-1", "manipulation", graph.digest, "bedroom.2", "Do it.", goal, plan)
    answers = {
        "kind": '["manipulation"]',
        "jobs": '[{"thing": "some milk", "put": "on", "target": "kitchen table"}]',
        "rooms": '["kitchen"]',
        "furniture": '["fridge"]',
    }
    session, said = played(task, lambda pipeline, question: answers[pipeline.inquiry.about])
    assert [about for about, _, _ in said] == ["kind", "jobs", "rooms", "furniture"]
    calls = [entry.call for entry in session.transcript().entries]
    assert calls[:3] == ["Navigate[kitchen.1]", "Navigate[fridge.10]", "Open[fridge.10]"]
    assert session.score().metrics["success"] == 1.0
    with pytest.raises(HomebodyError, match="no pictures"):
        played(task, observation="pictures")


def test_no_furniture_is_asked_about_twice() -> None:
    task = load("test")["navigation_size"][4]

    choices = list[str]()

    def vain(pipeline: PaperAgent, question: Question) -> str:
        inquiry = pipeline.inquiry
        if inquiry.about != "furniture":
            return true_answer(pipeline.session.source, inquiry)
        choices.extend(inquiry.choices)
        return "[]"

    _, said = played(task, vain)
    asked = [question.messages[0].text for about, question, _ in said if about == "furniture"]
    assert len(set(asked)) == len(asked)
    holding = {each.category for each in home(int(task.house)).things if each.receptacles}
    furniture = {each.category for each in home(int(task.house)).furniture}
    assert furniture & set(choices)
    assert furniture | holding >= set(choices)  # no books, though they can be opened


def test_it_does_not_go_where_it_stands() -> None:
    for row, number in (("navigation_size", 4), ("manipulation", 3), ("temporal", 0)):
        session, _ = played(load("test")[row][number], kinds_in_order)
        entries = [read_call(entry.call) for entry in session.transcript().entries]
        stands, refused = "", {e.action for e in session.simulation.log if not e.ok}
        for action in entries:
            assert action is not None
            if action.name == "Navigate":
                assert action.args != (stands,)
                stands = action.args[0]
            if action in refused:
                stands = ""


def kinds_in_order(pipeline: PaperAgent, question: Question) -> str:
    """A right answer to all but where to look, which is everywhere."""
    inquiry = pipeline.inquiry
    if inquiry.about in ("rooms", "furniture"):
        return json.dumps(inquiry.choices)
    return true_answer(pipeline.session.source, inquiry)


@pytest.mark.parametrize("text", ["", "no", "[", "[[[[", '[{"thing": 3}]', '[{"thing"', "[]" * 999])
def test_what_cannot_be_read_is_written_down_and_asked_again(text: str) -> None:
    task = msgspec.structs.replace(load("test")["navigation_distance"][0], most_actions=0)
    session, said = played(task, lambda pipeline, question: text)
    assert [about for about, _, _ in said] == ["kind"] * TRIES + ["jobs"] * TRIES
    assert len(said[1][1].messages) == 3
    calls = [entry.call for entry in session.transcript().entries]
    assert len(calls) == 2 * TRIES + 1  # Done
    assert session.ending is not None
    assert session.score().metrics["success"] == 0.0


def test_nothing_is_taken_from_a_reply_that_was_cut_off() -> None:
    task = load("test")["navigation_distance"][0]
    session = start(ROWS[task.row], task, {}, 0, CORRECTED)
    pipeline = PaperAgent(session)
    dialogue = pipeline.play()
    next(dialogue)
    text = true_answer(session.source, pipeline.inquiry)
    (question,) = dialogue.send((Reply(text, stop_reason="max_tokens"),))
    assert "your reply was cut off" in question.messages[-1].text
    assert pipeline.inquiry.about == "kind"


@pytest.mark.slow
def test_from_pictures_only_what_the_model_sees_is_known() -> None:
    task = load("test")["navigation"][0]

    def blind(pipeline: PaperAgent, question: Question) -> str:
        if pipeline.inquiry.about == "seen":
            names = [image.name for image in question.messages[0].images]
            assert names == ["ahead", "left", "behind", "right"]
            assert question.messages[0].images[0].rgb.shape == (224, 224, 3)
            return "[]"
        assert not question.messages[0].images
        return true_answer(pipeline.session.source, pipeline.inquiry)

    session, said = played(task, blind, observation="pictures")
    assert session.score().metrics["success"] == 0.0
    assert "furniture" not in {about for about, _, _ in said}

    def seeing(pipeline: PaperAgent, question: Question) -> str:
        if pipeline.inquiry.about == "seen":
            nodes = pipeline.session.observe("robot").knowledge.nodes.values()
            return json.dumps(sorted({node.category for node in nodes}))
        return true_answer(pipeline.session.source, pipeline.inquiry)

    session, _ = played(task, seeing, observation="pictures")
    assert session.score().metrics["success"] == 1.0


@pytest.mark.parametrize(
    ("prompt", "words"),
    [("few-shot", "Examples"), ("thinking", "step by step"), ("zero-shot", "Say nothing but")],
)
def test_prompts_differ(prompt: str, words: str) -> None:
    task = load("test")["navigation"][1]
    _, said = played(task, prompt=prompt)
    assert all(words in question.messages[0].text for _, question, _ in said)
