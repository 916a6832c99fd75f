"""50,000 outputs a run, from plausible to hostile: each gets a score, none raises, however deep it
is nested and however deep Python may go.

For each suite 9,000 mutated outputs, or fewer where a score takes long (the whole run of the tests
has to stay under five minutes), and up to 1,000 generated ones.
"""

from __future__ import annotations

import inspect
import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from homebody.core import CORRECTED, Score, Suite
from homebody.suites import get_suite, suites

pytestmark = pytest.mark.usefixtures("eai_data")

CORPUS = [
    "",
    "{}",
    "null",
    "\x00",
    "I would walk to the kitchen.",
    '{"WALK": ["kitchen"]}',
    '{"WALK": ["character", "65"], "GRAB": ["character", "65"], "PUTIN": ["character", "65"]}',
    '{"GRAB": ["water", "1001"], "POUR": ["water", "1001", "water", "1001"]}',
    '{"PUTON": [], "SLEEP": ["bed"], "WAKEUP": [""]}',
    '{"node goals": [{"name": null}], "edge goals": {"a": []}, "action goals": "GRAB"}',
    '{"node goals": [[], {}, 1, "x"], "action goals": [{"action": 5}]}',
    "{'node goals': [{'name': 'light', 'state': 'ON'}]}",
    "```json\n" * 50,
    '{"a":' * 3000 + "1" + "}" * 3000,
    '"a":[' * 20_000,
    "\ud800 lone surrogate",
]
MUTATIONS = 9_000
FEWER_MUTATIONS = {
    "eai.behavior.action_sequencing": 3_000,
    "eai.behavior.goal_interpretation": 3_000,
    "eai.behavior.interactive": 3_000,
    "eai.behavior.subgoal_decomposition": 3_000,
    "eai.behavior.transition_modeling": 1_000,
    "eai.behavior1k.action_sequencing": 1_500,
    "eai.virtualhome.interactive": 3_000,
    "eai.virtualhome.subgoal_decomposition": 3_000,
    "eai.virtualhome.transition_modeling": 1_000,
    "house.bring": 3_000,
    "partnr.test": 100,
    "partnr.val": 100,
}
FEWER_TASKS = {"partnr.test": 20, "partnr.val": 20}  # runs of them are long
GENERATED = 1_000


@cache
def oracles(name: str) -> list[str]:
    suite = get_suite(name)
    # not all have annotated plans
    agent = next(agent for agent in ("oracle", "expert", "random") if agent in suite.agents)
    tasks = suite.tasks.load(CORRECTED)[: FEWER_TASKS.get(name)]
    return [suite.answer(agent, task) for task in tasks]


def mutate(generator: np.random.Generator, text: str, other: str) -> str:
    """A few cuts, copies, swaps and foreign characters."""
    for _ in range(int(generator.integers(1, 5))):
        at, to = sorted(int(i) for i in generator.integers(0, len(text) + 1, size=2))
        match int(generator.integers(6)):
            case 0:
                text = text[:at] + text[to:]
            case 1:
                text = text[:to] + text[at:to] + text[to:]
            case 2:
                text = text[:at] + text[at:to][::-1] + text[to:]
            case 3:
                start = int(generator.integers(0, len(other) + 1))
                text = text[:at] + other[start : start + 40] + text[to:]
            case 4:
                text = text[:at] + chr(int(generator.integers(1, 0x3000))) + text[at:]
            case _:
                text = text.replace('"', "'", int(generator.integers(1, 9)))
    return text


def check(suite: Suite[Any], score: Score) -> None:
    assert all(0.0 <= value <= 1.0 for value in score.metrics.values()), score
    assert json.loads(json.dumps(score.record)) == score.record
    assert score.record["explanation"]


@pytest.mark.parametrize("name", suites())
def test_mutated_outputs(name: str) -> None:
    suite = get_suite(name)
    generator = np.random.default_rng(20261121)
    texts = oracles(name)
    loaded = {protocol: suite.tasks.load(protocol) for protocol in suite.scoring.protocols.values()}
    assert set(FEWER_MUTATIONS) <= set(suites())
    for index in range(FEWER_MUTATIONS.get(name, MUTATIONS)):
        one, other = generator.integers(0, len(texts), size=2)
        text = CORPUS[index] if index < len(CORPUS) else mutate(generator, texts[one], texts[other])
        for protocol, tasks in loaded.items():
            score = suite.score(tasks[one], text, protocol)
            if protocol.name == "corrected":
                check(suite, score)


WORDS = """
    WALK walk GRAB PUTIN PUTOBJBACK STANDUP FLY soap 1002 character 65 sink 42 light ON CLOSE
    name state from_name relation to_name action description
"""
words = st.sampled_from(WORDS.split())
values = st.recursive(
    words | st.integers() | st.none() | st.booleans() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(words, inner, max_size=3),
    max_leaves=12,
)
keys = words | st.sampled_from(["node goals", "edge goals", "action goals"])


DOCUMENTS = st.dictionaries(keys, values, max_size=5) | values


@pytest.mark.parametrize("name", sorted(set(suites()) - set(FEWER_TASKS)))
@settings(max_examples=GENERATED)
@given(document=DOCUMENTS, at=st.integers(0, 341))
def test_generated_outputs(name: str, document: Any, at: int) -> None:
    scored(name, document, at)


@pytest.mark.parametrize("name", sorted(FEWER_TASKS))
@settings(max_examples=100)
@given(document=DOCUMENTS, at=st.integers(0, 19))
def test_generated_transcripts(name: str, document: Any, at: int) -> None:
    scored(name, document, at)


def scored(name: str, document: Any, at: int) -> None:
    suite = get_suite(name)
    for protocol in suite.scoring.protocols.values():
        tasks = suite.tasks.load(protocol)
        score = suite.score(tasks[at % len(tasks)], json.dumps(document), protocol)
        if protocol.name == "corrected":
            check(suite, score)


# -- nesting ---------------------------------------------------------------------------------------

FRAMES = 500
"""How much of Python's stack, of which it has 1,000 frames, is enough for any output."""
NESTED = {
    "JSON": [("[", "]"), ('{"a":', "}"), ('[{"a":', "}]"), ('{"a":[', "]}"), ('{"output":', "}")],
    "PDDL": [
        *(("(", ")"), ("(not ", ")"), ("(and ", ")"), ("(or (a) ", ")"), ("(when (a) ", ")")),
        *(("(forall (?x - object) ", ")"), ("(exists (?x) ", ")")),
    ],
    "formulas": [
        *(("not ", ""), ("not (", ")"), ("forall x. (", ")"), ("exists x. (", ")")),
        *(("(ON(light.1) and ", ")"), ("(ON(light.1) or ", ")"), ("ON(light.1) then (", ")")),
        *(("ON(light.1) implies ", ""), ("forn 2. x. (", ")"), ("exists(jar_n_01, ", ")")),
    ],
    "Python": [("(1,", ")"), ("{1:", "}"), ("-", ""), ("1+", ""), ("lambda:", ""), ("f'{", "}'")],
}
LEAVES = ["1", '"x"', "(grabbed ?x)", "ON(light.1)", "open(jar.0)", '"', "{}"]
AROUND = [
    "{}",
    "Here it is: {} That is all.",
    '{{"output": {}}}',
    '{{"output": "x", "a": {}}}',
    '{{"WALK": [{}, "1"]}}',
    '[{{"action": "OPEN", "object": {}}}, {}]',
    '{{"node goals": [{0}], "edge goals": [["not", {0}]], "action goals": {0}}}',
    '{{"node goals": [], "edge goals": [], "action goals": [], "more": {}}}',
    '{{"format": "homebody-transcript", "version": 1, "settings": {{}}, "entries": [{}]}}',
    '{{"format": "homebody-transcript", "version": 1, "settings": {0}, "seed": {0}}}',
]
QUOTED = [  # JSON texts, in which it stands quoted
    '{{"output": [{}]}}',
    '{{"output": {}}}',
    '{{"necessity_to_use_action": "no", "actions_to_include": [], "output": [{}]}}',
]
OPERATOR = "(:action grab :parameters (?char - character ?obj - object) :{} {} :effect ())"


@st.composite
def nested(draw: st.DrawFn) -> str:
    """An output with something nested in it, of which there may be several kinds."""
    pairs = NESTED[draw(st.sampled_from(sorted(NESTED)))]
    text = draw(st.sampled_from(LEAVES))
    for _ in range(draw(st.integers(1, 3))):
        opening, closing = draw(st.sampled_from(pairs))
        times = draw(st.integers(1, 120) | st.sampled_from([200, 490, 900, 1_000, 3_000]))
        text = opening * times + text + closing * times
    text = text[:50_000]
    match draw(st.integers(0, 2)):
        case 0:
            return draw(st.sampled_from(AROUND)).format(text, text)
        case 1:
            return draw(st.sampled_from(QUOTED)).format(json.dumps(text))
    operator = OPERATOR.format(draw(st.sampled_from(["precondition", "effect"])), text)
    return draw(st.sampled_from(["{}", '{{"output": {}}}'])).format(
        operator if draw(st.booleans()) else json.dumps(operator)
    )


@contextmanager
def frames_left(count: int) -> Iterator[None]:
    usual = sys.getrecursionlimit()
    sys.setrecursionlimit(len(inspect.stack(0)) + count)
    try:
        yield
    finally:
        sys.setrecursionlimit(usual)


@pytest.mark.parametrize("name", suites())
@settings(max_examples=60)
@given(output=nested(), at=st.integers(0, 19))
def test_nested_outputs(name: str, output: str, at: int) -> None:
    suite = get_suite(name)
    for protocol in suite.scoring.protocols.values():
        tasks = suite.tasks.load(protocol)
        task = tasks[at % len(tasks)]
        with frames_left(FRAMES):
            score = suite.score(task, output, protocol)
        with frames_left(50_000):
            assert suite.score(task, output, protocol) == score
        if protocol.name == "corrected":
            check(suite, score)
