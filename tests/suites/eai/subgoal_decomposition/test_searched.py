"""What an answer leaves to the search: decomposing a goal told from copying it."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence

import numpy as np
import pytest

from homebody.core import CORRECTED, PUBLISHED
from homebody.results.rows import make_row
from homebody.suites import get_suite
from homebody.suites.eai.subgoal_decomposition import searched
from places import DOCS
from suites.eai.behavior import subgoal_verdicts as behavior
from suites.eai.virtualhome.subgoal_verdicts import CLOTHES, LIGHT, verdict

SUITES = ("eai.behavior.subgoal_decomposition", "eai.virtualhome.subgoal_decomposition")
ME = "character.65"
COPIED = "ON(light.245) and PLUGGED_IN(light.245) and ON(light.411) and PLUGGED_IN(light.411)"
STEPS = [
    f"NEXT_TO({ME}, light.245)",
    "ON(light.245)",
    f"NEXT_TO({ME}, light.411)",
    "ON(light.411)",
]

pytestmark = pytest.mark.usefixtures("eai_data", "behavior_data")


def found(subgoals: Sequence[str], identifier: str = LIGHT) -> list[int]:
    record = verdict(subgoals, identifier)
    assert record["success"], record["explanation"]
    assert len(record["subgoal_actions"]) == len(subgoals)
    return list(record["searched_actions"])


def test_steps_that_are_told_are_not_found() -> None:
    record = verdict(STEPS)
    assert record["subgoal_actions"] == [1, 1, 1, 1]
    assert record["searched_actions"] == [0, 0, 0, 0]
    assert record["success_at_0"]
    assert record["success_at_1"]


def test_what_is_left_out_is_found() -> None:
    record = verdict(STEPS[1::2])
    assert record["searched_actions"] == [1, 1]
    assert not record["success_at_0"]
    assert record["success_at_1"]
    copied = verdict([COPIED])
    assert copied["success"]
    assert copied["subgoal_actions"] == [4]
    assert copied["searched_actions"] == [2]
    assert not copied["success_at_1"]


@pytest.mark.parametrize(
    "subgoals",
    [
        COPIED.split(" and "),  # line by line
        [COPIED, *STEPS],  # what holds anyway
        [f"{COPIED} and (CLEAN({ME}) or not CLEAN({ME}))"],
        [f"{COPIED} and (ON(light.245) or NEXT_TO({ME}, light.245))"],
    ],
)
def test_nothing_is_gained_by_writing_a_copy_otherwise(subgoals: list[str]) -> None:
    assert sum(found(subgoals)) == 2


def test_an_and_of_steps_is_as_good_as_its_parts() -> None:
    joined = [f"{STEPS[0]} and {STEPS[1]}", f"{STEPS[2]} and {STEPS[3]}"]
    assert found(joined) == [0, 0]


def test_what_is_undone_on_the_way_and_done_again_is_found() -> None:
    # the machine is closed at first, and opened by the search
    copied = "CLOSED(washing_machine.1000) and ONTOP(soap.1005, washing_machine.1000)"
    record = verdict([copied], CLOTHES)
    assert record["executable"]
    assert record["subgoal_actions"][0] - record["searched_actions"][0] == 1


def test_actions_that_are_asked_for_are_told() -> None:
    record = verdict([f"NEXT_TO({ME}, light.245)", "TOUCH(light.245) and LOOKAT(light.245)"])
    assert record["subgoal_actions"] == [1, 3]
    assert record["searched_actions"] == [0, 1]  # to turn to it


def test_on_behavior_too() -> None:
    record = behavior.verdict(["holds_rh(carving_knife.0)", "not open(fridge.97)"], behavior.FRUIT)
    assert record["subgoal_actions"] == [1, 0]
    assert record["searched_actions"] == [0, 0]
    assert not record["success_at_0"]  # the goal is not reached
    record = behavior.verdict(["holds_rh(strawberry.0)"], behavior.FRUIT)
    assert record["subgoal_actions"] == [2]  # out of the fridge
    assert record["searched_actions"] == [1]


def test_outputs_that_are_not_read_leave_no_gap() -> None:
    record = verdict("nonsense")
    assert record["subgoal_actions"] == record["searched_actions"] == []
    assert record["success_at_0"] is record["success_at_1"] is False


def test_fixed_rules_find_nothing() -> None:
    assert not {"subgoal_actions", "searched_actions", "success_at_0"} & set(
        verdict(STEPS, protocol=PUBLISHED)
    )


def test_it_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(searched, "MAX_EFFORT", 0)
    assert found([COPIED]) == [3]  # but for the last action, all are taken to be found


def keep(subgoals: list[str]) -> list[str]:
    return subgoals


def thin(subgoals: list[str]) -> list[str]:
    return subgoals[::-1][::2][::-1]


def rates(
    name: str, agent: str, rewrite: Callable[[list[str]], list[str]] = keep, one_in: int = 6
) -> list[float]:
    suite = get_suite(name)
    scores = []
    for task in suite.tasks.load(CORRECTED)[::one_in]:
        answer = json.loads(suite.text_agents[agent].answer(task, np.random.default_rng(0)))
        answer["output"] = rewrite(answer["output"])
        scores.append(suite.score(task, json.dumps(answer), CORRECTED))
    values = make_row(agent, suite, scores).values
    return [values["Task SR"], values["SR@0"], values["SR@1"]]


@pytest.mark.slow
@pytest.mark.parametrize("name", [pytest.param(SUITES[0], marks=pytest.mark.slow), SUITES[1]])
def test_the_oracle_decomposes_and_the_copycat_does_not(name: str) -> None:
    success, told, _ = rates(name, "oracle")
    assert told >= success - 2
    _, every_second, _ = rates(name, "oracle", thin)
    assert every_second < 20
    copied, copies, fetched = rates(name, "copycat")
    assert copied > 85
    assert copies < 10
    assert fetched < copied - 15
    assert rates(name, "random")[1] == 0


@pytest.mark.slow
@pytest.mark.parametrize(
    ("world", "agent"),
    [("VirtualHome", "oracle"), ("VirtualHome", "copycat"), ("BEHAVIOR", "oracle")],
)
def test_the_page_on_baselines_has_what_is_measured(world: str, agent: str) -> None:
    _, table = (DOCS / "benchmarks/baselines.md").read_text().split(f"| {world} | success |")
    row = next(line for line in table.splitlines() if line.startswith(f"| {agent}"))
    measured = rates(f"eai.{world.lower()}.subgoal_decomposition", agent, one_in=1)
    assert row.split(" | ")[1:4] == [f"{rate:.1f}" for rate in measured]
