"""Records refuse fields of other types, in a sentence that says how to write it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest

import homebody as hb
from homebody.core.ground.field_types import check_fields
from homebody.core.play import policies
from homebody.core.suite import Experiments, Summary


def score(task: str, output: str, protocol: hb.Protocol) -> hb.Score:
    return hb.Score(task, {}, {})


def suite(**other: Any) -> hb.Suite[str]:
    usual = {
        "name": "toy.quiz",
        "title": "Say yes",
        "tasks": hb.Tasks(lambda protocol: ["a"], str, str),
        "scoring": hb.Scoring(score),
        "prompting": hb.Prompting(str),
    }
    return hb.Suite(**(usual | other))


@pytest.mark.parametrize(
    ("wrong", "message", "hint"),
    [
        (
            lambda: suite(text_agents={"oracle": score}),
            "Suite.text_agents['oracle'] must be a TextAgent, not the function score",
            "write TextAgent(answer). Name -> agent that returns outputs",
        ),
        (lambda: suite(text_agents=[score]), "Suite.text_agents must be a mapping, not [", ""),
        (lambda: suite(scoring=score), "Suite.scoring must be a Scoring", "write Scoring(score)."),
        (
            lambda: suite(tasks=["a", "b"]),
            "Suite.tasks must be a Tasks, not ['a', 'b']",
            "write Tasks(load, identify, describe). The tasks.",
        ),
        (lambda: suite(title=3), "Suite.title must be a string, not 3", "One line for people."),
        (
            lambda: suite(experiments=Experiments(demands=score)),  # type: ignore[arg-type]
            "Experiments.demands must be a Demands",
            "write Demands(factors, actions).",
        ),
        (lambda: suite(prompting=None), "has neither prompting nor playing", "playing=Playing("),
        (lambda: suite(name="Toy Quiz"), "a suite cannot be called 'Toy Quiz'", "pantry.put_away"),
        (
            lambda: hb.Tasks(["a"], str, str),  # type: ignore[arg-type]
            "Tasks.load must be a function, not ['a']",
            "load(protocol) -> all tasks, in the official order.",
        ),
        (
            lambda: hb.Playing(score, roles="agent"),  # type: ignore[arg-type]
            "Playing.roles must be a tuple, not 'agent'",
            "",
        ),
        (
            lambda: hb.Playing(score, ("agent", 3)),  # type: ignore[arg-type]
            "Playing.roles[1] must be a string, not 3",
            "",
        ),
        (
            lambda: hb.Playing(score, ("a",), policies={"idle": "idle"}),  # type: ignore[arg-type,dict-item]
            "Playing.policies['idle'] must be a function, not 'idle'",
            "",
        ),
        (
            lambda: hb.Playing(score, ("a",), policies={"idle": policies.idle}, partners=("idle",)),
            "a partner must be a policy, and a value of the setting of the last role",
            "give Playing(policies=..., settings={ROLE: ('model', ...)}) with its name",
        ),
        (
            lambda: hb.Scoring(score, {"strict": "strict"}),  # type: ignore[dict-item]
            "Scoring.protocols['strict'] must be a Protocol, not 'strict'",
            "write Protocol(name).",
        ),
        (
            lambda: hb.Reporting(means={"Success": 1}),  # type: ignore[dict-item]
            "Reporting.means['Success'] must be a string, not 1",
            "",
        ),
        (
            lambda: Summary(rates={}),  # type: ignore[arg-type]
            "Summary.rates must be a function, not {}",
            "",
        ),
    ],
)
def test_a_wrong_type_is_a_sentence_that_says_what_to_write(
    wrong: Callable[[], object], message: str, hint: str
) -> None:
    with pytest.raises(hb.HomebodyError) as caught:
        wrong()
    assert message in str(caught.value)
    assert hint in caught.value.hint


@dataclass
class _Record:
    number: int | None
    anything: Any
    unknown: Nowhere  # type: ignore[name-defined]  # noqa: F821
    pairs: dict[str, int]

    def __post_init__(self) -> None:
        check_fields(self)


def test_what_is_not_known_can_be_anything() -> None:
    _Record(None, object(), object(), {"a": 1})
    with pytest.raises(hb.HomebodyError, match="number must be a whole number, not '3'"):
        _Record("3", None, None, {})  # type: ignore[arg-type]
    with pytest.raises(hb.HomebodyError, match=r"pairs\['a'\] must be a whole number"):
        _Record(3, None, None, {"a": "b"})  # type: ignore[dict-item]


def test_what_is_right_is_made() -> None:
    made = suite(text_agents={"yes": hb.TextAgent(lambda task, generator: "yes")})
    assert made.agents == ("yes",)
