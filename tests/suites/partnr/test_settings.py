"""Every setting with every other: whoever answers at random, the run ends and replays."""

from __future__ import annotations

import itertools
import json
import re
from pathlib import Path

import numpy as np
import pytest

import strict_schemas
from homebody.core import CORRECTED, HomebodyError, Question
from homebody.core.ground.json_lines import encode_lines
from homebody.suites.partnr.prompting.traces import SolvedStep, SolvedTrace
from homebody.suites.partnr.settings import CHOICES, HUMAN, ROBOT, TEAM, read_settings
from homebody.suites.partnr.suite import PLAYING
from suites.partnr.gbnf import Grammar
from suites.partnr.homes import replay
from suites.partnr.scripted import conversed, moving

AXES = ("team", "observability", "skills", "perception", "planner", "output", "actions", "clock")


def possible() -> list[dict[str, str]]:
    """All that go together."""
    found = []
    for values in itertools.product(*(CHOICES[axis] for axis in AXES)):
        given = dict(zip(AXES, values, strict=True))
        try:
            read_settings(given | ({"traces": "FILE"} if given["planner"] == "rag" else {}))
        except HomebodyError:
            continue
        found.append(given)
    return found


SOME = possible()[3::63]


def test_the_sample_has_every_value() -> None:
    for axis in AXES:
        assert {given[axis] for given in SOME} == set(CHOICES[axis])


@pytest.mark.sampled
@pytest.mark.parametrize("given", SOME, ids=lambda given: "-".join(given.values()))
def test_random_answers_make_a_run(given: dict[str, str], tmp_path: Path) -> None:
    if given["planner"] == "rag":
        traces = tmp_path / "traces.jsonl"
        steps = (SolvedStep("Pick[cup_0]", "done: you hold cup_0"),)
        traces.write_bytes(encode_lines([SolvedTrace("Get the cup.", ROBOT, steps)]))
        given = {**given, "traces": str(traces)}
    rng = np.random.default_rng(len("-".join(given.values())))
    task, turns = moving(**given), 0
    roles: set[str] = set()

    def answers(questions: tuple[Question, ...]) -> list[str]:
        nonlocal turns
        turns += 1
        roles.update(one.role for one in questions)
        return [drawn(one, rng) if turns < 10 else "Done[]" for one in questions]

    transcript = conversed(task, answers).transcript().encode()
    players = {"single": {HUMAN}, "centralised": {TEAM}}
    assert roles == players.get(given["team"], {ROBOT, HUMAN})
    session = replay(task, transcript)
    assert session.ending is not None
    assert session.transcript().encode() == transcript
    made = PLAYING.score(task, transcript, CORRECTED)
    assert made.record["problem"] == ""
    assert made.record["settings"] == {
        name: value for name, value in given.items() if value != next(iter(CHOICES[name]), "")
    }


def drawn(question: Question, rng: np.random.Generator) -> str:
    """An answer: of the grammar or schema if there is one, else made of names that were told."""
    if question.gbnf:
        return Grammar(question.gbnf).draw(rng)
    if question.schema is not None:
        return json.dumps(strict_schemas.drawn(dict(question.schema), rng))
    told = "\n".join(one.text for one in question.messages)
    names = sorted(set(re.findall(r"\b[a-z_]+_\d+\b", told))) or ["cup_0"]

    def call() -> str:
        a, b = (names[int(place)] for place in rng.integers(len(names), size=2))
        calls = (f"Navigate[{a}]", f"Explore[{a}]", f"Rearrange[{a}, on, {b}]", f"Pick[{a}]")
        other = ("Done[]", "Wait[]", "no call", f"FindObjectTool[{a}]", f"Open[{a}]")
        return (*calls, *calls, *other)[int(rng.integers(2 * len(calls) + len(other)))]

    both = f"Agent_0_Action: {call()}\nAgent_1_Action: {call()}"
    text = both if question.role == TEAM else call()
    constrained = question.regex and not re.fullmatch(
        question.regex, f"Thought: x\n{text}\nAssigned!"
    )
    return "Wait[]" if constrained and rng.random() < 0.5 else f"Thought: x\n{text}\nAssigned!"


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ({"planner": "finetuned", "team": "centralised"}, "for one agent, not for a team"),
        ({"planner": "finetuned", "output": "json"}, "with a call, not with JSON"),
        ({"planner": "finetuned", "traces": "FILE"}, "go together"),
    ],
)
def test_what_a_fine_tuned_model_cannot(given: dict[str, str], told: str) -> None:
    with pytest.raises(HomebodyError, match=told):
        read_settings(given)
