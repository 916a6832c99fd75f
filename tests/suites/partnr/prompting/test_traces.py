"""Traces and samples out of transcripts, whoever made them."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from homebody.core import HomebodyError
from homebody.core.ground.json_lines import encode_lines
from homebody.core.play.replay import retrace
from homebody.core.play.session import Event
from homebody.core.play.transcript import decode
from homebody.goals.partnr import Episode, Evaluation
from homebody.suites.partnr.expert import play_expert
from homebody.suites.partnr.prompting.calls import format_call, parse_call
from homebody.suites.partnr.prompting.knowledge_text import LEGEND
from homebody.suites.partnr.prompting.traces import (
    SolvedStep,
    SolvedTrace,
    example_for,
    fine_tuning_lines,
    read_traces,
    retrieval_quality,
    solved_traces,
    training_samples,
)
from homebody.suites.partnr.session import PartnrSession
from homebody.suites.partnr.settings import HUMAN, ROBOT, Settings
from homebody.suites.partnr.tasks import PartnrTask, load
from homebody.worlds.house.simulation.relations import room_of
from suites.partnr.homes import follow, make_task, of

CLEAN = Evaluation(
    (of("is_on_top", ["cup_0"], ["coffee_table_0"]), of("is_clean", ["plate_0"])),
)


def task(observability: str = "full") -> PartnrTask:
    return make_task(
        CLEAN,
        ("cup_0", "counter_0"),
        ("plate_0", "kids_table_0"),
        states={"plate_0": {"clean": False}},
        settings=Settings(observability=observability),
    )


def told(instruction: str, scene: str = "home-0") -> Episode:
    return Episode("1", scene, instruction, CLEAN)


CALLS = (
    "robot: Pick[cup_0]",  # too far
    "robot: Navigate[cup_0]",
    "robot: Wait[]",
    "human: FindObjectTool[a plate]",
    "robot: Pick[cup_0]",
    "human: Navigate[plate_0]",
    "human: Clean[plate_0]",
    "robot: Rearrange[cup_0, on, coffee_table_0, None, None]",
    "human: Navigate[sofa_0]",  # more than was asked
    "robot: Navigate[cup_0]",
    "robot: Pick[cup_0]",  # and undone again
)


def played() -> str:
    return follow(task(), *CALLS, all_ok=False).transcript().encode()


def test_samples_are_the_successful_actions_up_to_success() -> None:
    found = [(one.role, one.action) for one in training_samples(task(), played())]
    assert found == [
        (ROBOT, "Navigate[cup_0]"),
        (ROBOT, "Wait[]"),
        (ROBOT, "Pick[cup_0]"),
        (HUMAN, "Navigate[plate_0]"),
        (HUMAN, "Clean[plate_0]"),
        (ROBOT, "Rearrange[cup_0, on, coffee_table_0, None, None]"),
        (ROBOT, "Done[]"),
        (HUMAN, "Done[]"),
    ]


def test_samples_know_what_was_known_and_done_then() -> None:
    pick, clean = (
        next(one for one in training_samples(task(), played()) if one.action == action)
        for action in ("Pick[cup_0]", "Clean[plate_0]")
    )
    assert "\n  counter_0 (closed): cup_0" in pick.world
    assert "\nheld: cup_0 by robot" in clean.world
    assert pick.history[:3] == (
        "Agent_Action: Pick[cup_0]",
        "Action Result: failed: cup_0 is not within reach; go to it first: Navigate[cup_0]",
        "Agent_Action: Navigate[cup_0]",
    )
    assert clean.history == (
        "Other_Agent_Action: Pick[cup_0]",  # neither its walks nor what failed
        "Agent_Action: Navigate[plate_0]",
        "Action Result: done: you are at plate_0",
    )


def test_waiting_is_told_once() -> None:
    calls = ("robot: Navigate[cup_0]", *["robot: Wait[]"] * 5, "robot: Pick[cup_0]", *CALLS[5:8])
    found = training_samples(task(), follow(task(), *calls, all_ok=False).transcript().encode())
    robot = [one for one in found if one.role == ROBOT]
    assert [one.action for one in robot].count("Wait[]") == 1
    pick = next(one for one in robot if one.action == "Pick[cup_0]")
    assert [line for line in pick.history if "Wait" in line] == ["Agent_Action: Wait[]"]
    (trace,) = (
        one
        for one in solved_traces(task(), follow(task(), *calls, all_ok=False).transcript().encode())
        if one.role == ROBOT
    )
    assert "Wait[]" not in [step.call for step in trace.steps]


def test_no_samples_of_what_never_succeeded() -> None:
    transcript = follow(task(), *CALLS[:7], all_ok=False).transcript().encode()
    assert training_samples(task(), transcript) == []
    assert solved_traces(task(), transcript) == []


@given(
    st.text(max_size=300)
    | st.sampled_from(
        ['{"format": "homebody-transcript"}', '{"format": "partnr-run"}', "[]", "null"]
    )
)
def test_hostile_transcripts_make_nothing(text: str) -> None:
    assert training_samples(_TASK, text) == []


_TASK = task()


def test_a_trace_for_each_agent() -> None:
    robot, human = sorted(solved_traces(task(), played()), key=lambda one: one.role, reverse=True)
    assert (robot.role, human.role) == (ROBOT, HUMAN)
    assert robot.steps[-1].call == human.steps[-1].call == "Done[]"
    assert human.steps[:2] == (
        SolvedStep("Navigate[plate_0]", "done: you are at plate_0"),
        SolvedStep("Clean[plate_0]", "done: plate_0 is clean"),
    )
    for trace in (robot, human):
        for step in trace.steps:
            parse_call(step.call)


@pytest.mark.parametrize("observability", ["full", "partial"])
def test_traces_of_the_expert(observability: str) -> None:
    """Under partial observability samples tell what the agent knew, though the expert knew all."""
    own = task(observability)
    transcript = play_expert(own).transcript().encode()
    traces = solved_traces(own, transcript)
    assert traces
    assert {"Clean[plate_0]"} <= {step.call for one in traces for step in one.steps}


# -- files ------------------------------------------------------------------------------------


def test_traces_are_kept_and_found_again(tmp_path: Path) -> None:
    path = tmp_path / "traces.jsonl"
    traces = [
        SolvedTrace("Wash the cups.", ROBOT, (SolvedStep("Pick[cup_0]", "done: you hold cup_0"),)),
        SolvedTrace("Wash the cups.", HUMAN, (SolvedStep("Clean[cup_0]", "done: cup_0 is clean"),)),
        SolvedTrace("Bring toys to the playroom.", HUMAN, (SolvedStep("Pick[doll_0]", "done"),)),
        SolvedTrace("Wash mugs.", ROBOT, (SolvedStep("Pick[mug_9]", "done"),), "home-1"),
    ]
    path.write_bytes(encode_lines(traces))
    assert list(read_traces(path)) == traces
    first = json.loads(path.read_text().splitlines()[0])
    assert list(first) == ["instruction", "agent", "steps", "scene"]
    assert (first["agent"], first["steps"][0]["call"]) == (ROBOT, "Pick[cup_0]")
    text = example_for(str(path), told("Please wash two cups in the sink."), (HUMAN,))
    assert "Clean[cup_0]\nResult: done: cup_0 is clean" in text
    assert "Pick[cup_0]" in example_for(str(path), told("Wash two mugs", "home-1"), (ROBOT,))
    assert "Pick[mug_9]" in example_for(str(path), told("Wash two mugs", "home-2"), (ROBOT,))
    assert "Pick[doll_0]" in example_for(str(path), told("the toys, please"), (HUMAN,))


def test_traces_of_the_same_house_or_instruction_are_no_examples(tmp_path: Path) -> None:
    path = tmp_path / "traces.jsonl"
    steps = (SolvedStep("Pick[cup_0]", "done: you hold cup_0"),)
    path.write_bytes(encode_lines([SolvedTrace("Wash the cups.", ROBOT, steps, "home-1")]))
    assert example_for(str(path), told("Wash my mug", "home-2"), (ROBOT,))
    assert example_for(str(path), told("Wash my mug", "home-1"), (ROBOT,)) == ""
    assert example_for(str(path), told("Wash the cup!", "home-2"), (ROBOT,)) == ""
    assert retrieval_quality(read_traces(path)) is None


def test_retrieval_quality_tells_good_examples_from_random_ones() -> None:
    def trace(number: int, instruction: str, *calls: str) -> SolvedTrace:
        steps = tuple(SolvedStep(call, "done") for call in calls)
        return SolvedTrace(instruction, ROBOT, steps, f"home-{number}")

    washed = [trace(n, f"Wash cup number {n} in the sink", "Clean[cup_0]") for n in range(8)]
    lit = [trace(n, f"Light lamp number {n} at night", "PowerOn[lamp_0]") for n in range(8)]
    quality = retrieval_quality([*washed, *lit])
    assert quality is not None
    assert quality.shared == 1.0
    assert 0.2 < quality.by_chance < 0.8
    assert 0.5 < quality.similarity < 1.0


def test_prompts_stay_short_whatever_a_file_has(tmp_path: Path) -> None:
    path = tmp_path / "traces.jsonl"
    steps = (SolvedStep("Pick[cup_0]" * 500, "x" * 5_000),) * 500
    path.write_bytes(encode_lines([SolvedTrace("Do it. " * 9_999, ROBOT, steps)]))
    assert len(example_for(str(path), told("Do it."), (ROBOT,))) < 50_000
    path.write_bytes(encode_lines([SolvedTrace("Something else.", ROBOT, steps[:1])]))
    assert "Something else." in example_for(str(path), told("Do it."), (ROBOT,))


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (b"", "has no traces"),
        (b"no json\n", "line 1 of .* is not a trace"),
        (b'{"instruction": 1, "agent": "robot", "steps": []}', "is not a trace"),
        (b'\n{"instruction": "x"}', "line 2 of"),
        (b"\xff\xfe{}", "is not a trace"),
        (b"[" * 100_000, "is not a trace"),
    ],
)
def test_files_that_are_none(tmp_path: Path, text: bytes, told: str) -> None:
    path = tmp_path / "traces.jsonl"
    path.write_bytes(text)
    with pytest.raises(HomebodyError, match=told):
        read_traces(path)


@settings(max_examples=30)
@given(st.binary(max_size=200))
def test_any_file_is_read_or_refused(tmp_path_factory: pytest.TempPathFactory, data: bytes) -> None:
    path = tmp_path_factory.mktemp("traces") / "any.jsonl"
    path.write_bytes(data)
    with pytest.raises(HomebodyError):
        read_traces(path)


# -- fine-tuning ------------------------------------------------------------------------------


def test_fine_tuning_samples_are_chats_of_one_call() -> None:
    lines = list(fine_tuning_lines(training_samples(task(), played())))
    assert len(lines) == 8
    for line in lines:
        messages = json.loads(line)["messages"]
        assert [one["role"] for one in messages] == ["system", "user", "assistant"]
        parse_call(messages[-1]["content"])
        assert "\n" not in messages[-1]["content"]
        question = messages[1]["content"]
        for part in ("Task: Do it.", f"Current environment:\n{LEGEND}", "Previous actions:\n"):
            assert part in question
        assert question.endswith("Next Agent_Action:")
        assert "Thought" not in question
        assert re.search(r"\n\nYou are in \w+ and hold \w+\.\n\n", question)
    first = json.loads(lines[0])["messages"]
    assert first[0]["content"].startswith("You are the robot in a team")
    assert first[-1]["content"] == "Navigate[cup_0]"
    assert json.loads(lines[-1])["messages"][-1]["content"] == "Done[]"


@pytest.mark.slow
@pytest.mark.parametrize("observability", ["full", "partial"])
def test_a_partner_is_told_of_what_it_saw_alone(observability: str) -> None:
    """Whatever the expert does elsewhere is no line of its partner's samples, as it is no line of
    what models are told."""
    told = 0
    for split, places in (("val", range(0, 40, 8)), ("test", range(0, 40, 8))):
        for place in places:
            task = PartnrTask(load(split)[place].episode, Settings(observability=observability))
            transcript = play_expert(task).transcript().encode()
            rooms: dict[str, set[str]] = {ROBOT: set(), HUMAN: set()}
            session = PartnrSession(task)
            for step in retrace(session, decode(transcript, 5_000).entries):
                if isinstance(step, Event) and step.ok:
                    room = {role: room_of(session.simulation.state, role) for role in rooms}
                    for role in rooms:
                        if role != step.role and room[role] == room[step.role]:
                            rooms[role].add(format_call(step.action))
            for event, witnesses in session.simulation.on_the_way:  # doors
                for role in witnesses:
                    rooms[role].add(format_call(event.action))
            for sample in training_samples(task, transcript):
                lines = [one for one in sample.history if one.startswith("Other_Agent_Action: ")]
                calls = {line.removeprefix("Other_Agent_Action: ") for line in lines}
                told += len(calls)
                assert observability == "full" or calls <= rooms[sample.role]
    assert told > 20
