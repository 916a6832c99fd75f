"""Dialogues with models, played by scripts that know no more than they are told."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any, cast

import msgspec
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from homebody.core import DONE, Event, HomebodyError, Question, Reply
from homebody.core.ground.json_lines import encode_lines
from homebody.drivers.model_rounds import play_rounds
from homebody.drivers.shortening import shorten
from homebody.suites.partnr.prompting import model_planners
from homebody.suites.partnr.prompting.calls import format_call
from homebody.suites.partnr.prompting.knowledge_text import LEGEND
from homebody.suites.partnr.prompting.model_planners import PlannerOfOne
from homebody.suites.partnr.prompting.prompts import finished_text
from homebody.suites.partnr.prompting.traces import (
    fine_tuning_lines,
    solved_traces,
    training_samples,
)
from homebody.suites.partnr.session import MAX_WAIT, PartnrSession
from homebody.suites.partnr.settings import HUMAN, ROBOT, TEAM, Settings
from homebody.suites.partnr.tasks import PartnrTask, load
from suites.partnr.gbnf import Grammar
from suites.partnr.homes import replay
from suites.partnr.scripted import (
    MOVES,
    conversed,
    drive,
    known_objects,
    moving,
    next_call,
    script,
    wishes,
)

NOT_KNOWN = "Action Result: failed: nothing named nothing_0 is known"


def played(
    task: PartnrTask, answer: Callable[[Question], str]
) -> tuple[PartnrSession, list[tuple[Question, ...]]]:
    """The run of a dialogue, replayed from its transcript, and what was asked when."""
    asked: list[tuple[Question, ...]] = []

    def answers(questions: tuple[Question, ...]) -> list[str]:
        asked.append(questions)
        return [answer(one) for one in questions]

    transcript = conversed(task, answers).transcript().encode()
    session = replay(task, transcript)
    assert session.transcript().encode() == transcript  # it went as it did the first time
    return session, asked


@pytest.mark.parametrize("observability", ["partial", "full"])
@pytest.mark.parametrize("team", ["decentralised", "centralised", "single"])
def test_who_reads_what_it_is_told_succeeds(team: str, observability: str) -> None:
    session, asked = played(moving(team=team, observability=observability), script)
    assert session.judgement().success, session.judgement().explanation
    roles = {one.role for questions in asked for one in questions}
    assert (
        roles
        == {
            "decentralised": {ROBOT, HUMAN},
            "centralised": {TEAM},
            "single": {HUMAN},
        }[team]
    )
    for role in roles:
        assert session.cycles(role) == sum(one.role == role for qs in asked for one in qs)


@pytest.mark.parametrize("robot", ["expert", "random", "idle"])
def test_partners_who_are_no_models(robot: str) -> None:
    session, asked = played(moving(robot=robot), script)
    assert {one.role for questions in asked for one in questions} == {HUMAN}
    done = {entry.role for entry in session.entries}
    assert done == {ROBOT, HUMAN}
    assert all(entry.cycle == 0 for entry in session.entries if entry.role == ROBOT)
    if robot != "random":
        assert session.judgement().success


def test_expert_does_it_for_a_model_that_is_done_at_once() -> None:
    session, asked = played(moving(robot="expert", observability="full"), lambda q: "Done[]")
    assert len(asked) == 1
    assert session.judgement().success


def test_no_model_no_question() -> None:
    session, asked = played(moving(robot="expert", human="expert"), script)
    assert asked == []
    assert session.judgement().success


# -- what they are told -------------------------------------------------------------------------


class OnlyObserved:
    """A session of which those who ask models see the contract, the task and nothing else."""

    _SEEN = (
        "roles",
        "clock",
        "ending",
        "ready",
        "busy",
        "act",
        "note",
        "advance",
        "observe",
        "think",
    )

    def __init__(self, session: PartnrSession) -> None:
        self._session = session

    def __getattr__(self, name: str) -> Any:
        if name not in (*self._SEEN, "task"):
            raise AssertionError(f"{name} is not for those who ask models")
        return getattr(self._session, name)


@pytest.mark.sampled
@pytest.mark.parametrize(
    "given",
    [
        {},
        {"team": "single"},
        {"team": "centralised"},
        {"planner": "tools"},
        {"planner": "tools", "clock": "wall"},
        {"clock": "wall", "team": "centralised"},
        {"planner": "finetuned"},
        {"actions": "low_level"},
        {"actions": "low_level", "team": "centralised"},
    ],
    ids=str,
)
def test_models_are_told_what_observations_tell(given: dict[str, str]) -> None:
    session = PartnrSession(moving(output="gbnf", **given))
    dialogue = model_planners.drive(cast(PartnrSession, OnlyObserved(session)), {})
    rng = np.random.default_rng(1)
    questions = next(dialogue)
    with suppress(StopIteration):
        for _ in range(12):
            replies = (Reply(Grammar(q.gbnf).draw(rng), seconds=1.0) for q in questions)
            questions = dialogue.send(tuple(replies))
    assert session.entries


@pytest.mark.sampled
@pytest.mark.parametrize("number", [40, 360, 680, 880, 960])
def test_each_event_that_is_news_is_told_once(number: int) -> None:
    """What a partner does in sight, doors that it opens on its way too, is in the prompts as often
    as in what its role has seen happen."""
    task = replace(load("val")[number], settings=Settings(robot="expert"))
    rooms = [room.name for room in task.house.rooms]
    rng = np.random.default_rng(number)
    session, dialogue = drive(task)
    news: dict[int, Event] = {}
    advance = session.advance

    def look() -> None:
        news.update({id(event): event for event in session.observe(HUMAN).news})

    def advancing() -> Sequence[Event]:
        events = advance()
        look()
        return events

    session.advance = advancing  # type: ignore[method-assign]
    told: list[str] = []
    at_last: list[str] = []
    with suppress(StopIteration):
        (question,) = next(dialogue)
        while True:
            look()
            at_last = [sight(event) for event in news.values() if event.role == ROBOT]
            if len(question.messages) > 2:
                told += question.messages[-1].text.splitlines()
            explore = f"Explore[{rooms[int(rng.integers(len(rooms)))]}]"
            (question,) = dialogue.send((Reply(f"{explore}\nAssigned!"),))
    told = [line for line in told if line.startswith(("You saw", "The robot has"))]
    assert sorted(told) == sorted(at_last)


def sight(event: Event) -> str:
    if event.action == DONE:
        return finished_text(event.role)
    return f"You saw the {event.role} do {format_call(event.action)}."


# -- the conversation ---------------------------------------------------------------------------


def test_both_are_asked_at_once_and_alone_later() -> None:
    _, dialogue = drive(moving(observability="full"))
    questions = next(dialogue)
    assert [one.role for one in questions] == [ROBOT, HUMAN]
    questions = dialogue.send(tuple(map(Reply, ("Close[fridge_0]", "Explore[living_room_0]"))))
    assert [one.role for one in questions] == [ROBOT]  # refused at once; the human walks
    questions = dialogue.send(tuple(map(Reply, ("Explore[kitchen_0]",))))
    assert len(questions) == 1  # who comes to an end first
    dialogue.close()


def test_who_waits_sleeps_until_something_happens() -> None:
    # in sight of the human, who goes to pick up a book while the robot waits
    steps = {
        ROBOT: iter(["Navigate[book_0]", "Wait[]"]),
        HUMAN: iter(["Navigate[bed_0]", "Pick[book_0]"]),
    }
    session, asked = played(moving(observability="full"), lambda q: next(steps[q.role], "Done[]"))
    robot = [one for questions in asked for one in questions if one.role == ROBOT]
    assert len(robot) == 3  # one question for the whole of the wait
    told = robot[-1].messages[-1].text.splitlines()
    assert told[:2] == ["You saw the human do Pick[book_0].", "Result: done: you waited."]
    (wait,) = (one for one in session.simulation.log if one.action.name == "Wait")
    assert 30 < wait.end - wait.start < MAX_WAIT
    assert [one.cycle for one in session.entries if one.call == "Wait[]"] == [2]


@pytest.mark.parametrize("robot", ["model", "idle"])
def test_nobody_waits_for_who_has_finished(robot: str) -> None:
    calls = {ROBOT: iter(["Done[]"]), HUMAN: iter(["Wait[]", "Wait[]", "Done[]"])}
    session, asked = played(moving(robot=robot), lambda q: next(calls[q.role]))
    human = [one.messages[-1].text for questions in asked for one in questions if one.role == HUMAN]
    assert human[1].startswith("The robot has finished its part")
    assert "has finished" not in human[2]  # told once, and then waiting is waiting
    assert MAX_WAIT < session.clock < MAX_WAIT + 60


def test_nobody_waits_for_ever() -> None:
    session, asked = played(moving(), lambda q: "Done[]" if len(q.messages) > 2 else "Wait[]")
    assert [[one.role for one in questions] for questions in asked] == [[ROBOT, HUMAN]] * 2
    assert session.clock == MAX_WAIT


def test_messages_take_turns_and_tell_results() -> None:
    calls = iter(["Navigate[kitchen_0]", "Pick[cup_0]", "Navigate[cup_0]", "Pick[cup_0]", "Done[]"])
    _, asked = played(moving(team="single", observability="full"), lambda q: next(calls))
    for (question,) in asked:
        roles = [one.role for one in question.messages]
        assert roles == ["system", "user", *["assistant", "user"] * (len(roles) // 2 - 1)]
    told = [questions[0].messages[-1].text for questions in asked]
    assert MOVES in told[0]
    assert told[1].startswith("Result: done: you are at kitchen_0.")
    assert "Result: failed: cup_0 is not within reach" in told[2] or "you hold cup_0" in told[2]
    assert "cup_0 by you" in told[-1] or "cup_0 by you" in told[-2]
    for question, *_ in asked:
        lists = [one.text.count(LEGEND) for one in question.messages]
        assert lists[-1] == sum(lists) == 1  # only the current world
    beginnings = {question.messages[1].text.partition(LEGEND)[0][:200] for question, *_ in asked}
    assert len(beginnings) == 1


def test_roles_and_who_is_who() -> None:
    questions = next(drive(moving())[1])
    robot, human = (one.messages[0].text for one in questions)
    assert '"you" is the robot, which is you' in robot
    assert '"I" is you, the human' in human
    tools = [one.messages[1].text for one in questions]
    assert "- Clean[" not in tools[0]
    assert "- Clean[" in tools[1]
    assert all("FindObjectTool" not in text for text in tools)
    (team,) = next(drive(moving(team="centralised"))[1])
    assert "Agent_0_Action:" in team.messages[1].text
    (alone,) = next(drive(moving(team="single"))[1])
    assert "robot" not in alone.messages[0].text


def test_what_the_partner_does_in_sight_is_told() -> None:
    # both go to the cup; the robot takes it, and the human is there to see it
    steps = {
        ROBOT: iter(["Navigate[cup_0]", "Wait[]", "Wait[]", "Wait[]", "Pick[cup_0]", "Done[]"]),
        HUMAN: iter(["Navigate[counter_0]", *["Wait[]"] * 30]),
    }

    def answer(question: Question) -> str:
        return next(steps[question.role], "Done[]")

    _, asked = played(moving(observability="full"), answer)
    human = [one.messages[-1].text for questions in asked for one in questions if one.role == HUMAN]
    assert any("You saw the robot do Pick[cup_0]." in text for text in human)
    assert "cup_0 by robot" in human[-1]


def test_tools_are_answered_and_take_no_time() -> None:
    calls = iter(
        [
            "FindRoomTool[a kitchen]",
            "FindReceptacleTool[counters in the kitchen]",
            "FindObjectTool[cups]",
            "FindAgentActionTool[]",
            "Done[]",
        ]
    )
    task = moving(planner="tools", observability="full", robot="idle")
    session, asked = played(task, lambda q: next(calls))
    told = [one.messages[-1].text for (one,) in asked]
    assert "- FindObjectTool[" in told[0]
    assert told[1].splitlines()[0] == "The robot has finished its part and will not act again."
    assert "has finished" not in told[2]
    assert "\nResult: kitchen_0" in told[1]
    assert "counter_0 in kitchen_0" in told[2]
    assert "cup_0: counter_0 in kitchen_0" in told[3]
    assert "robot has done" in told[4]
    assert all(LEGEND not in text for text in told)
    assert session.clock == 0
    assert session.cycles(HUMAN) == 5


# -- answers that are no calls ------------------------------------------------------------------


def test_one_retry_with_the_error_and_then_waiting() -> None:
    answers = iter(["I will fly.", "Fly[kitchen_0]", "Pick[nothing_0]", "Wait[]", "Done[]"])
    session, asked = played(moving(team="single"), lambda q: next(answers))
    told = [one.messages[-1].text for (one,) in asked]
    assert "Result: failed: there is no call in the answer" in told[1]
    assert "Answer again" in told[1]
    assert "there is no Fly" in told[2]
    assert "You waited instead" in told[2]
    assert "nothing named nothing_0 is known" in told[3]
    memory = [one for one in session.entries if one.call.startswith("?")]
    assert [one.cycle for one in memory] == [1, 2, 3]
    waits = [one for one in session.entries if one.call == "Wait[]"]
    assert {one.cycle for one in waits} == {2, 4}
    assert session.cycles(HUMAN) == 5
    assert session.clock == 2 * MAX_WAIT


def test_nothing_is_taken_from_a_reply_that_was_cut_off() -> None:
    session, dialogue = drive(moving(team="single"))
    next(dialogue)
    (question,) = dialogue.send((Reply("One could say Done[]", stop_reason="max_tokens"),))
    assert "failed: your reply was cut off; think less" in question.messages[-1].text
    with pytest.raises(StopIteration):  # only what follows the call was cut off
        dialogue.send((Reply("Done[]\nAssigned!\nResult: you a", stop_reason="max_tokens"),))
    assert [entry.call for entry in session.entries][-1] == "Done[]"


@pytest.mark.parametrize(
    ("team", "most"), [("single", 50), ("decentralised", 50), ("centralised", 100)]
)
@pytest.mark.parametrize("unreadable", [False, True])
def test_planning_calls_are_limited(team: str, most: int, unreadable: bool) -> None:
    """Calls that are refused take no time, so that only questions run out."""
    text = "Close[fridge_0]"
    if team == "centralised":
        text = f"Agent_0_Action: {text}\nAgent_1_Action: {text}"

    def answer(question: Question) -> str:
        return "no idea" if unreadable and "no idea" not in question.messages[-2].text else text

    session, asked = played(moving(team=team), answer)
    for role in {one.role for questions in asked for one in questions}:
        assert session.cycles(role) == most == sum(one.role == role for qs in asked for one in qs)
    assert session.ending is not None
    assert session.clock == 0


@pytest.mark.parametrize("text", ["", "Agent_0_Action: Wait[]\nAgent_1_Action: Wait[]"])
@pytest.mark.parametrize("team", ["single", "centralised"])
def test_steps_are_limited(team: str, text: str) -> None:
    session, _ = played(moving(team=team), lambda q: text or "Wait[]")
    assert session.ending is not None
    if team == "centralised" or not text:  # else it is unreadable: one wait for two calls
        assert session.clock == session.limits.steps
    assert session.cycles(TEAM) < 100
    assert session.cycles(HUMAN) <= 50


def test_conversations_stay_bounded() -> None:
    thought = "Thought: " + "well, " * 2_000
    _, asked = played(moving(team="single"), lambda q: f"{thought}\nWait[]\nAssigned!")
    longest = max(sum(len(m.text) for m in one.messages) for (one,) in asked)
    assert longest < 120_000  # 50 answers of 2,000
    fitting = [shorten(one, 16_000)[0] for (one,) in asked]
    assert max(sum(len(m.text) for m in one.messages) for one in fitting) < 50_000
    assert "Your first" in fitting[-1].messages[1].text
    assert fitting[-1].messages[0] == asked[-1][0].messages[0]
    assert asked[-1][0].messages[-2].text.endswith("Wait[]\nAssigned!")


@settings(max_examples=15)
@given(
    st.lists(
        st.text(max_size=80)
        | st.sampled_from(
            [
                "Done[]",
                "Pick[cup_0]",
                "Explore[kitchen_0]",
                "Navigate[cup_0]",
                "{",
                '{"action": 1}',
                "Agent_0_Action: Done[]",
                "Agent_0_Action: Wait[]\nAgent_1_Action: Wait[]",
                "Rearrange[cup_0, on, sofa_0, None, None]",
                "FindObjectTool[\x00]",
            ]
        ),
        min_size=1,
        max_size=8,
    ),
    st.sampled_from(["single", "decentralised", "centralised"]),
    st.sampled_from(["react", "tools"]),
)
def test_any_answers_make_a_run_that_replays(answers: list[str], team: str, planner: str) -> None:
    texts = iter(answers)
    task = moving(team=team, planner=planner)

    def next_texts(questions: tuple[Question, ...]) -> list[str]:
        return [next(texts, "Done[]") for _ in questions]

    transcript = conversed(task, next_texts).transcript().encode()
    session = replay(task, transcript)
    assert session.ending is not None
    assert session.transcript().encode() == transcript


@pytest.mark.sampled
@pytest.mark.parametrize("team", ["decentralised", "centralised", "single"])
@pytest.mark.parametrize("skills", ["oracle", "failing"])
def test_random_valid_answers_replay(team: str, skills: str) -> None:
    """Answers drawn from the grammar are all understood, and the run is the same again."""
    task = moving(team=team, skills=skills, perception="erring", output="gbnf")
    for seed in range(3):
        rng = np.random.default_rng(seed)
        session, asked = played(task, lambda q, rng=rng: Grammar(q.gbnf).draw(rng))
        assert not any(one.call.startswith("?") for one in session.entries)
        assert asked


@pytest.mark.sampled
@pytest.mark.parametrize(
    ("team", "planner"), [("decentralised", "react"), ("single", "react"), ("single", "tools")]
)
@pytest.mark.parametrize("observability", ["partial", "full"])
def test_who_plays_beside_people_is_asked_the_same(
    team: str, planner: str, observability: str
) -> None:
    """One at a time, by whoever lets time pass: the same questions, and the same run. What happens
    at one moment may be told in another order."""
    task = moving(team=team, planner=planner, observability=observability, skills="failing")
    for seed in range(3):
        rngs = {role: np.random.default_rng([seed, at]) for at, role in enumerate((ROBOT, HUMAN))}
        told: list[list[tuple[str, list[str]]]] = [[], []]

        def answer(question: Question, at: int, rngs=rngs, told=told) -> str:  # type: ignore[no-untyped-def]
            lines = sorted(question.messages[-1].text.splitlines())
            told[at].append((question.role, lines))
            if planner == "react":
                return script(question)
            calls = ["FindObjectTool[cup]", "Explore[bedroom_0]", "Pick[cup_0]", "Wait[]", "Done[]"]
            return f"{calls[int(rngs[question.role].integers(len(calls)))]}\nAssigned!"

        first = conversed(task, lambda qs, answer=answer: [answer(q, 0) for q in qs])  # type: ignore[misc]
        rngs |= {role: np.random.default_rng([seed, at]) for at, role in enumerate((ROBOT, HUMAN))}
        again = PartnrSession(task)
        dialogue = play_rounds(again, {}, PlannerOfOne)
        questions = next(dialogue)
        with suppress(StopIteration):
            while True:
                questions = dialogue.send(tuple(Reply(answer(q, 1)) for q in questions))
        assert told[0] == told[1]
        assert again.transcript() == first.transcript()
        assert again.ending == first.ending


def test_asking_again_tells_the_same() -> None:
    """A model that could not be asked is asked again, with all that it has not heard."""
    session = PartnrSession(moving(team="single"))
    player = PlannerOfOne(session, HUMAN)
    player.question()
    player.answer(Reply("Explore[bedroom_0]\nAssigned!"))
    session.advance()
    player.resume()
    first = player.question()
    assert "you have looked around in bedroom_0" in first.messages[-1].text
    assert player.question() == first


# -- constrained output and retrieval -----------------------------------------------------------


@pytest.mark.parametrize("team", ["single", "centralised"])
@pytest.mark.parametrize("output", ["text", "json", "gbnf", "regex"])
def test_questions_carry_what_constrains_answers(output: str, team: str) -> None:
    (question,) = next(drive(moving(output=output, team=team))[1])
    assert (question.schema is not None) == (output == "json")
    assert bool(question.gbnf) == (output == "gbnf")
    assert bool(question.regex) == (output == "regex")
    assert ("JSON" in question.messages[1].text) == (output == "json")


def test_answers_in_json() -> None:
    def answer(question: Question) -> str:
        assert question.schema is not None
        call = script(question).splitlines()[1]
        return json.dumps({"thought": "on", "action": call})

    session, _ = played(moving(output="json"), answer)
    assert session.judgement().success


def test_the_regex_keeps_to_what_is_known() -> None:
    def answer(question: Question) -> str:
        pattern = re.compile(question.regex)
        for name in ("toy_car_0", "cup_0", "book_0"):
            may = pattern.fullmatch(f"Thought: x\nPick[{name}]\nAssigned!") is not None
            assert may == (name in known_objects(question))
        text = script(question)
        assert pattern.fullmatch(text)
        return text

    session, _ = played(moving(output="regex"), answer)
    assert session.judgement().success


def test_a_solved_task_is_shown(tmp_path_factory: pytest.TempPathFactory) -> None:
    path = tmp_path_factory.mktemp("traces") / "solved.jsonl"
    task = moving()
    session, _ = played(task, script)
    solved = [
        msgspec.structs.replace(trace, scene="home-1", instruction="Tidy up.")
        for trace in solved_traces(task, session.transcript().encode())
    ]
    path.write_bytes(encode_lines(solved))
    given: Mapping[str, str] = {"planner": "rag", "traces": str(path)}
    session, asked = played(moving(**given), script)
    opening = asked[0][0].messages[1].text
    assert opening.startswith("For example")
    assert opening.count(MOVES) == opening.count("Tidy up.") == 1
    assert "Rearrange[" in opening
    assert session.judgement().success
    with pytest.raises(HomebodyError, match="cannot be read"):
        next(drive(moving(planner="rag", traces=f"{path}.no"))[1])


@pytest.mark.parametrize("team", ["decentralised", "single"])
@pytest.mark.parametrize("output", ["text", "gbnf", "regex"])
def test_a_fine_tuned_model_is_asked_as_it_was_trained(team: str, output: str) -> None:
    """Byte for byte, also after waiting, failures and answers that are none."""
    asked: list[tuple[str, str, list[dict[str, str]]]] = []
    first: dict[str, Iterator[str]] = {
        ROBOT: iter(["Pick[nothing_0]", "Explore[kitchen_0]", "Close[fridge_0]", "Wait[]"]),
        HUMAN: iter(["Close[fridge_0]", "Wait[]", "Navigate[sofa_0]", "!"]),
    }

    def answer(question: Question) -> str:
        text = next(first[question.role], "")
        if not text:
            wanted = wishes(question)
            half = wanted if team == "single" else wanted[question.role == HUMAN :][:1]
            text = next_call(question, question.role, half)
        system, user = question.messages
        if output == "gbnf" and text not in ("!", "Pick[nothing_0]"):
            assert Grammar(question.gbnf).has(text)
        if output == "regex" and text not in ("!", "Pick[nothing_0]"):
            assert re.fullmatch(question.regex, text)
        chat = [{"role": one.role, "content": one.text} for one in (system, user)]
        asked.append((question.role, text, chat))
        return text

    def mended(chat: list[dict[str, str]]) -> bool:
        """Whether it is asked again, with a last line that says why."""
        lines = chat[1]["content"].splitlines()
        return lines[-3].startswith(("Action Result: failed: there is no call", NOT_KNOWN))

    task = moving(team=team, planner="finetuned", output=output)
    session, _ = played(task, answer)
    assert session.judgement().success, session.judgement().explanation
    trained = training_samples(task, session.transcript().encode())
    chats = [json.loads(line)["messages"] for line in fine_tuning_lines(trained)]
    moves = [
        (one.role, one.action, chat[:2])
        for one, chat in zip(trained, chats, strict=True)
        if one.action != "Done[]"
    ]
    assert len(moves) > 5
    assert {"Wait[]", "Navigate[sofa_0]"} <= {call for _, call, _ in moves}
    again = [call for _, call, chat in asked if mended(chat)]
    assert len(again) == (2 if team == "decentralised" else 1)
    others = [one for one in moves if one not in asked]
    assert {call for _, call, _ in others} <= set(again)
    assert len(others) <= len(again)
    for wrong in ("! ", "Pick[nothing_0]"):  # told in the one question, and never again
        assert sum(f"Agent_Action: {wrong}" in chat[1]["content"] for _, _, chat in asked) < 2


def test_one_planner_knows_what_either_agent_saw() -> None:
    _, dialogue = drive(moving(team="centralised", output="regex"))
    next(dialogue)
    waiting = "Agent_0_Action: Wait[]\nAgent_1_Action: Wait[]"
    apart = "Agent_0_Action: Explore[playroom_0]\nAgent_1_Action: Explore[kitchen_0]"
    there = (
        "The robot is in playroom_0 and holds nothing.\n"
        "The human is in kitchen_0 and holds nothing."
    )
    (question,) = dialogue.send(tuple(map(Reply, (apart,))))
    while there not in question.messages[-1].text:
        (question,) = dialogue.send(tuple(map(Reply, (waiting,))))
    crossed = (
        "Thought: x\nAgent_0_Action: Navigate[cup_0]\n"
        "Agent_1_Action: Navigate[toy_car_0]\nAssigned!"
    )
    assert re.fullmatch(question.regex, crossed)
    (question,) = dialogue.send(tuple(map(Reply, (crossed,))))
    while "is still busy" in question.messages[-1].text:
        (question,) = dialogue.send(tuple(map(Reply, (waiting,))))
    told = "\n".join(one.text for one in question.messages)
    assert "Agent_0_Observation: Navigate[cup_0] done" in told
    assert "Agent_1_Observation: Navigate[toy_car_0] done" in told
    dialogue.close()
