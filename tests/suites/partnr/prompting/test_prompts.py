"""What model agents are told, for each team, role and way of answering."""

from __future__ import annotations

import itertools
import re

import pytest

from homebody.evals.options import Options
from homebody.evals.samples import Setup, sample_dialogue
from homebody.suites import get_suite
from homebody.suites.partnr.prompting import prompts
from homebody.suites.partnr.prompting.action_space import ActionSpace
from homebody.suites.partnr.prompting.calls import CALLS, TOOLS, parse_call, parse_calls
from homebody.suites.partnr.settings import HUMAN, ROBOT

MOVING = ("Navigate", "Explore", "Pick", "Place", "Rearrange", "Open", "Close", "Wait", "Done")


def space_of(agent: str, perception: bool = False) -> ActionSpace:
    calls = CALLS if agent == HUMAN else MOVING
    known = tuple(name for name in CALLS if name in calls and name not in TOOLS)
    return ActionSpace(
        agent, (*known, *(TOOLS if perception else ())), ("kitchen_0",), (), ("sink_0",), ()
    )


def test_roles_are_told_apart() -> None:
    robot = prompts.system_message((ROBOT,), "decentralised")
    human = prompts.system_message((HUMAN,), "decentralised")
    alone = prompts.system_message((HUMAN,), "single")
    both = prompts.system_message((ROBOT, HUMAN), "centralised")
    assert len({robot, human, alone, both}) == 4
    assert robot.startswith("You are the robot")
    assert human.startswith("You are the human")
    assert "Agent 0" in both
    assert "Agent 1" in both
    assert "partner" not in alone
    for text in (robot, human, alone, both):
        assert "{" not in text


@pytest.mark.parametrize("output", ["text", "json", "gbnf", "regex"])
@pytest.mark.parametrize("both", [True, False])
def test_the_example_answer_can_be_read(output: str, both: bool) -> None:
    of = [space_of(ROBOT), space_of(HUMAN)] if both else [space_of(HUMAN)]
    text = prompts.opening("Tidy up.", of, output=output)
    if output == "json":
        example = re.search(r'\{"thought".*\}\}', text)
        assert example is not None
        answer = example[0]
    else:
        answer = text.rpartition("For example:\n")[2].partition("\n\n")[0]
    if both:
        assert set(parse_calls(answer, (ROBOT, HUMAN))) == {ROBOT, HUMAN}
    else:
        assert parse_call(answer).name == "Explore"


def test_everybody_is_told_its_own_calls() -> None:
    text = prompts.opening("Tidy up.", [space_of(ROBOT), space_of(HUMAN)])
    robot, human = text.split("Calls of Agent ")
    assert human.startswith("1 (human) only")
    assert text.count("- Navigate[") == text.count("- Clean[") == 1
    assert "- Navigate[" in robot
    assert "- Navigate[" not in human
    assert "- Clean[" not in robot
    assert "- Clean[" in human


def test_who_has_tools_is_told_to_use_them() -> None:
    without = prompts.opening("Tidy up.", [space_of(HUMAN)])
    tools = prompts.opening("Tidy up.", [space_of(HUMAN, perception=True)], asks=True)
    assert "FindRoomTool" not in without
    assert "FindRoomTool[query]" in tools
    assert "tools that find" in tools


def test_everything_given_is_in_the_prompt() -> None:
    for output, both in itertools.product(("text", "json"), (True, False)):
        of = [space_of(ROBOT), space_of(HUMAN)] if both else [space_of(HUMAN)]
        text = prompts.opening("Feed the cat.", of, output=output, max_answers=7)
        assert text.startswith("Task: Feed the cat.\n")
        assert text.endswith("You can answer 7 times at most.")
    shown = prompts.example("Wash up.", ROBOT, [("Pick[cup_0]", "done: you hold cup_0")])
    assert "Task: Wash up.\nPick[cup_0]\nResult: done: you hold cup_0" in shown


def test_observations() -> None:
    assert prompts.observation("N", "S", "") == "N\nS\n\nWhich call comes next?"
    both = prompts.observation("", "S", "W", for_two=True)
    assert both == "S\n\nW\n\nWhich call comes next for each agent?"
    assert "Answer again" in prompts.unusable_text("why", waits=False)
    assert "You waited" in prompts.unusable_text("why", waits=True)


def test_who_can_talk_is_told_where_it_is_heard() -> None:
    silent, room, radio = (
        prompts.system_message((ROBOT,), "decentralised", talk=talk)
        for talk in ("none", "room", "radio")
    )
    assert "Say[" not in silent
    assert "You do not receive your partner's plans" in silent
    for text, where in ((room, "in the same room: Say[human,"), (radio, "you are: Say[human,")):
        assert where in text
        assert "You do not receive" not in text
        assert "{" not in text


def test_words_are_quoted_with_their_speaker() -> None:
    assert prompts.heard_text(HUMAN, "hello") == 'The human says: "hello"'
    assert prompts.heard_text("", "more") == 'The person who gave the task adds: "more"'


@pytest.mark.parametrize(
    ("settings", "limit"),
    [({}, 17_500 / 2), ({"team": "centralised", "observability": "full"}, 36_000 / 2)],
)
def test_a_query_is_half_as_long_as_in_the_first_version(
    settings: dict[str, str], limit: float
) -> None:
    setup = Setup(get_suite("partnr.val"), options=Options(settings=settings))
    sizes = []
    for identifier in setup.task_ids[::100]:
        dialogue = sample_dialogue(setup, identifier, 1)
        for query in next(dialogue):
            sizes.append(sum(len(message.text.encode()) for message in query.messages))
        dialogue.close()
    assert 2_000 < sum(sizes) / len(sizes) < limit
