"""What all drivers do: on a small session, and on every suite that is played."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from drivers.toy import Toy
from homebody.core import (
    CORRECTED,
    DONE,
    WAIT,
    Action,
    Message,
    Question,
    Reply,
    Session,
    ToolCall,
)
from homebody.core.ground.seeds import generator
from homebody.core.play.transcript import write_call
from homebody.core.suite import Driver
from homebody.drivers import DRIVERS, options, react, tools
from homebody.drivers.model_rounds import MAX_MISTAKES, MAX_WAITS
from homebody.drivers.options import MAX_OPTIONS
from homebody.drivers.tool_calls import MAX_CALLS
from homebody.suites import get_suite
from suites.played import PLAYED
from thorough import part_of

Says = Callable[[Question], Reply]


def drive(driver: Driver, session: Session, says: Says, **policies: Any) -> list[Question]:
    """Have a session played; all questions, those asked at once with the same number."""
    asked: list[Question] = []
    dialogue = driver(session, policies)
    try:
        questions = next(dialogue)
        while True:
            asked += questions
            questions = dialogue.send(tuple(map(says, questions)))
    except StopIteration:
        return asked


def said(driver: Driver, session: Session, role: str, action: Action) -> Reply:
    """An action in the form that a driver asks for."""
    observation = session.observe(role)
    if driver is tools:
        tool = next(tool for tool in observation.tools if tool.name == action.name)
        names = tool.parameters["properties"]
        arguments = dict(zip(names, action.args, strict=False))
        return Reply("", (ToolCall(action.name, arguments, f"call_{session.clock}"),))
    if driver is options:
        return Reply(f"Thought: 3 cups\nAction: {list(observation.options).index(action)}")
    return Reply(f"Thought: Open[it]?\nAction: {write_call(action)}")


def script(driver: Driver, session: Session, *actions: Action) -> Says:
    """These actions, one after the other, and then Done, whoever is asked."""
    left = itertools.chain(actions, itertools.repeat(DONE))
    return lambda question: said(driver, session, question.role, next(left))


def work(steps: int) -> Action:
    return Action("Work", (str(steps),))


def text(question: Question) -> str:
    return "\n".join(message.text for message in question.messages)


@pytest.mark.sampled
@pytest.mark.parametrize("name", PLAYED)
@pytest.mark.parametrize("driver", [react, tools])
def test_what_a_policy_does_can_be_said(name: str, driver: Driver, request: Any) -> None:
    """A model that says what the best policy would do is scored as that; it is told how often
    it may still act."""
    if name.startswith("eai"):
        request.getfixturevalue("eai_data" if "virtualhome" in name else "behavior_data")
    suite = get_suite(name)
    suite.tasks.prepare(None)
    playing = suite.playing
    assert playing is not None
    for task in part_of(suite.tasks.load(CORRECTED)[:2], 2):
        session = playing.start(task, {}, 0, CORRECTED)
        agent = next(iter(playing.policies))
        policy = playing.policies[agent](session, generator("best"))
        most = {role: session.observe(role).actions_left for role in session.roles}

        def says(question: Question, session: Any = session, policy: Any = policy) -> Reply:
            action = policy(session, question.role)
            known = [tool.name for tool in session.observe(question.role).tools]
            return said(driver if action.name in known else react, session, question.role, action)

        asked = drive(driver, session, says)
        assert f"You may act {most[asked[0].role]} more times" in text(asked[0])
        for role in {question.role for question in asked}:
            assert 0 <= (session.observe(role).actions_left or 0) < (most[role] or 0)
        direct = suite.score(task, suite.answer(agent, task))
        score = suite.score(task, session.transcript().encode())
        assert score.metrics["success"] == direct.metrics["success"]
        assert session.transcript().entries[0].cycle == 1
        assert {entry.planner for entry in session.transcript().entries} <= set(session.roles)


@pytest.mark.parametrize("driver", DRIVERS.values())
def test_a_model_is_told_the_task_the_state_and_what_came_of_it(driver: Driver) -> None:
    session = Toy()
    asked = drive(driver, session, script(driver, session, work(3), work(2)))
    assert session.calls == ["0 ann Work[3]", "3 ann Work[2]", "5 ann Done[]"]
    assert [entry.cycle for entry in session.entries] == [1, 2, 3]
    for question in asked:
        assert text(question).count("Task: Work for 5 steps.") == 1
        assert text(question).count("o'clock") == 1  # what is known is told as it is now
    assert "It is 5 o'clock." in asked[2].messages[-1].text
    assert "Work[2]: it is done" in asked[2].messages[-1].text
    assert "Work[3]: it is done" in text(asked[2])
    assert asked[0].tools == (session.tools("ann") if driver is tools else ())


@pytest.mark.parametrize("driver", DRIVERS.values())
def test_roles_are_asked_at_once_and_time_passes_when_all_are_busy(driver: Driver) -> None:
    session = Toy(("ann", "bob"))
    plans = {"ann": [work(5), DONE], "bob": [work(2), work(1), DONE]}
    sizes: list[int] = []

    def says(question: Question) -> Reply:
        return said(driver, session, question.role, plans[question.role].pop(0))

    dialogue = driver(session, {})
    try:
        questions = next(dialogue)
        while True:
            sizes.append(len(questions))
            questions = dialogue.send(tuple(map(says, questions)))
    except StopIteration:
        pass
    assert sizes == [2, 1, 1, 1]
    assert session.calls == [
        "0 ann Work[5]",
        "0 bob Work[2]",
        "2 bob Work[1]",
        "3 bob Done[]",
        "5 ann Done[]",
    ]


def test_a_role_sees_what_others_do_and_policies_act_by_themselves() -> None:
    session = Toy(("ann", "bob"))
    plan = [work(2), DONE]
    asked = drive(
        react,
        session,
        script(react, session, work(3)),
        bob=lambda session, role: plan.pop(0),
    )
    assert {question.role for question in asked} == {"ann"}
    assert "You act in a home as ann" in asked[0].messages[0].text
    told = asked[1].messages[-1].text.splitlines()
    assert told[:3] == ["bob: Work[2]", "bob: Done[]", "Work[3]: it is done"]


@pytest.mark.parametrize("driver", DRIVERS.values())
def test_who_waits_is_asked_again_when_something_happens(driver: Driver) -> None:
    session = Toy(("ann", "bob"))
    plan = [work(7), work(100), DONE]
    asked = drive(
        driver,
        session,
        script(driver, session, WAIT, WAIT),
        bob=lambda session, role: plan.pop(0),
    )
    clocks = [entry.clock for entry in session.entries if entry.role == "ann"]
    assert len(asked) == 3
    assert clocks == [*range(7), *range(7, 7 + MAX_WAITS), 7 + MAX_WAITS]
    cycles = [entry.cycle for entry in session.entries if entry.role == "ann"]
    assert cycles == [1] * 7 + [2] * MAX_WAITS + [3]


HOSTILE = [
    Reply(""),
    Reply("I would rather not."),
    Reply("\ud83d" * 50_000),
    Reply("Action: " + "[" * 100_000),
    Reply("9" * 100_000),
    Reply("", (ToolCall("Fly", {"a": "b"}, "1"),)),
    Reply("x", (ToolCall("Work", {"steps": ["3"]}, "2"), ToolCall("Work", {}, "3"))),
    Reply("", tuple(ToolCall("Work", {"steps": "z" * 10_000}, str(at)) for at in range(1000))),
    Reply("", (ToolCall("\ud83d" * 1000, {"steps": "\ud83d", "n": 10**40}, "\ud83d"),)),
    Reply("", (ToolCall("Work", None, "4"), ToolCall("Work", ["3"], "5"))),  # type: ignore[arg-type]
]


@pytest.mark.sampled
@pytest.mark.parametrize("driver", DRIVERS.values())
@given(st.lists(st.sampled_from(HOSTILE), min_size=1, max_size=12))
def test_any_answer_will_do(driver: Driver, replies: Sequence[Reply]) -> None:
    """It ends, conversations stay short and can be sent."""
    session = Toy(entries=60)
    endless = itertools.cycle(replies)
    asked = drive(driver, session, lambda question: next(endless))
    assert session.ending is not None
    for question in asked:
        assert sum(len(message.text) for message in question.messages) < 200_000
        for message in question.messages:
            message.text.encode()
            for call in message.calls:
                assert len(str(call.arguments)) < 2_000
                call.name.encode()


@pytest.mark.parametrize("driver", DRIVERS.values())
def test_who_never_says_anything_is_done(driver: Driver) -> None:
    session = Toy()
    asked = drive(driver, session, lambda question: Reply("hm"))
    assert len(asked) == MAX_MISTAKES
    assert session.calls == ["0 ann ? hm"] * MAX_MISTAKES + ["0 ann Done[]"]


@pytest.mark.parametrize("driver", DRIVERS.values())
def test_nothing_is_taken_from_a_reply_that_was_cut_off(driver: Driver) -> None:
    session = Toy()

    def says(question: Question) -> Reply:
        if text(question).count("cut off"):
            return said(driver, session, "ann", DONE)
        return replace(said(driver, session, "ann", work(1)), stop_reason="max_tokens")

    asked = drive(driver, session, says)
    assert "your reply was cut off; think less" in text(asked[1])
    assert len(asked) == 2
    noted, done = session.calls
    assert noted.startswith("0 ann ? (cut off)")
    assert done == "0 ann Done[]"


def test_an_action_before_an_invented_result_is_complete() -> None:
    session = Toy()
    replies = iter(
        [Reply("Action: Work[1]\nResult: you a", stop_reason="max_tokens"), Reply("Done[]")]
    )
    drive(react, session, lambda question: next(replies))
    assert session.calls == ["0 ann Work[1]", "1 ann Done[]"]


def test_a_mistake_is_told_once() -> None:
    session = Toy()
    replies = iter([Reply("hm"), Reply("Action: Fly[home]"), Reply("Done[]")])
    asked = drive(react, session, lambda question: next(replies))
    assert asked[1].messages[-1].text.startswith("Not understood: there is no action in this text;")
    assert asked[2].messages[-1].text.startswith("Fly[home] failed: nobody can")
    assert text(asked[2]).count("Not understood") == 1


def test_results_that_a_model_makes_up_are_not_read() -> None:
    session = Toy()
    made_up = "Action: Work[1]\nResult: you are rich\nAction: Done[]"
    replies = iter([Reply(made_up), Reply("Done[]")])
    drive(react, session, lambda question: next(replies))
    assert session.calls == ["0 ann Work[1]", "1 ann Done[]"]


@pytest.mark.parametrize("driver", DRIVERS.values())
def test_the_whole_conversation_is_told_again(driver: Driver) -> None:
    session = Toy()
    actions = [work(1 + at % 5) for at in range(60)]
    asked = drive(driver, session, script(driver, session, *actions))
    for before, after in itertools.pairwise(asked):
        assert after.messages[: len(before.messages) - 1] == before.messages[:-1]
    assert sum(message.role == "assistant" for message in asked[-1].messages) == 60


def test_a_list_of_options_is_cut_and_read_as_it_was_shown() -> None:
    session = Toy()
    replies = iter([Reply("Action: 350"), Reply("I take 3.\nAction: 2."), Reply("400")])
    asked = drive(options, session, lambda question: next(replies))
    listed = asked[0].messages[-1].text
    head = "What you can do (101 more are not listed; write one as Action: Name[argument]):\n"
    assert f"{head}0. Wait[]\n1. Work[1]\n" in listed
    assert "\n298. Work[298]\n400. Done[]\n" in listed
    assert asked[1].messages[-1].text.startswith("Not understood: there is no option 350;")
    assert session.calls[1:] == ["0 ann Work[2]", "2 ann Done[]"]


def test_a_number_with_another_action_beside_it_is_not_understood() -> None:
    session = Toy()
    said = ["1. Work[1]\n2. Work[3]", "Action: 2. Work[2]", "3. Work[one]", "400. Done[]"]
    replies = iter(map(Reply, said))
    asked = drive(options, session, lambda question: next(replies))
    told = "Not understood: option 2 is Work[2], not the action beside it;"
    assert asked[1].messages[-1].text.startswith(told)
    assert session.calls[1:] == ["0 ann Work[2]", "2 ann Work[3]", "5 ann Done[]"]


def test_each_kind_of_option_is_listed_and_others_can_be_written() -> None:
    class Wide(Toy):
        def options(self, role: str) -> tuple[Action, ...]:
            many = [Action("Look", (f"thing_{at}",)) for at in range(1_000)]
            return (*many, *super().options(role)[:100], Action("Shout"), DONE)

    session = Wide()
    said_so = ["Look[thing_999]", "1. I look.\nAction: Work[2]", "Work[700]", "1001", "1101"]
    replies = iter(map(Reply, said_so))
    asked = drive(options, session, lambda question: next(replies))
    listed = asked[0].messages[-1].text
    assert all(f" {option}\n" in listed for option in ("Look[thing_0]", "Work[99]", "Shout[]"))
    assert "Look[thing_500]" not in listed
    assert listed.count("\n") < MAX_OPTIONS + 10
    assert asked[1].messages[-1].text.startswith("Look[thing_999] failed: nobody can")
    assert asked[3].messages[-1].text.startswith("Not understood")
    done = ["0 ann Look[thing_999]", "0 ann Work[2]", "2 ann Work[1]", "3 ann Done[]"]
    assert [call for call in session.calls if "Work[700]" not in call] == done


# -- calls of tools --------------------------------------------------------------------------------


def calls(*actions: Action) -> Reply:
    return Reply(
        "Let me see.",
        tuple(
            ToolCall(action.name, dict(zip(["steps"], action.args, strict=False)), f"c{at}")
            for at, action in enumerate(actions)
        ),
    )


def results(messages: Sequence[Message]) -> list[tuple[str, str]]:
    return [
        (message.call_id, message.text.split("\n")[0])
        for message in messages
        if message.role == "tool"
    ]


def test_several_calls_are_done_in_order() -> None:
    session = Toy()
    replies = iter([calls(work(2), Action("Shout"), WAIT, work(1)), calls(DONE)])
    asked = drive(tools, session, lambda question: next(replies))
    assert session.calls == [
        "0 ann Work[2]",
        "2 ann Shout[]",
        "2 ann Wait[]",
        "3 ann Work[1]",
        "4 ann Done[]",
    ]
    assert [entry.cycle for entry in session.entries] == [1, 1, 1, 1, 2]
    assert results(asked[1].messages) == [
        ("c0", "Work[2]: it is done"),
        ("c1", "Shout[]: they heard it"),
        ("c2", "Wait[]: you waited"),
        ("c3", "Work[1]: it is done"),
    ]
    assert asked[1].messages[2].calls == calls(work(2), Action("Shout"), WAIT, work(1)).calls


@pytest.mark.parametrize(
    ("second", "told"),
    [
        (Action("Work", ("x",)), "Work[x] failed: nobody can"),
        (Action("Fly"), "Not understood: unknown tool: 'Fly'; use one of: Work, Shout, Wait"),
        (Action("Work"), "Not understood: Work needs: steps"),
    ],
)
def test_after_a_failure_the_rest_is_not_done(second: Action, told: str) -> None:
    session = Toy()
    replies = iter([calls(work(2), second, work(1), work(1)), calls(DONE)])
    asked = drive(tools, session, lambda question: next(replies))
    shown = results(asked[1].messages)
    assert [call for call, _ in shown] == ["c0", "c1", "c2", "c3"]
    assert shown[1][1].startswith(told)
    assert {text for _, text in shown[2:]} == {
        "Not done: a call before it failed, or you saw something happen. Decide anew."
    }
    assert session.calls[0] == "0 ann Work[2]"
    assert session.calls[-1] == "2 ann Done[]"
    assert not any("Work[1]" in call for call in session.calls)


def test_what_somebody_else_does_interrupts_a_plan() -> None:
    session = Toy(("ann", "bob"))
    plan = [work(1), DONE]
    replies = iter([calls(work(2), work(1)), calls(DONE)])
    asked = drive(tools, session, lambda question: next(replies), bob=lambda s, r: plan.pop(0))
    assert results(asked[1].messages)[0][1] == "bob: Work[1]"
    assert results(asked[1].messages)[1][1].startswith("Not done")


def test_more_calls_than_a_bound_are_dropped() -> None:
    session = Toy()
    replies = iter([calls(*[work(1)] * (MAX_CALLS + 3)), calls(DONE)])
    asked = drive(tools, session, lambda question: next(replies))
    assert len(session.calls) == MAX_CALLS + 1
    assert len(results(asked[1].messages)) == len(asked[1].messages[2].calls) == MAX_CALLS
