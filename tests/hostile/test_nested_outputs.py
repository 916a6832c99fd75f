"""Nested outputs: every suite scores them, the same however deep Python may go."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from homebody.suites import get_suite, list_suites
from hostile.suites import check
from stack import FRAMES, frames_left
from suites.played import ALIKE

pytestmark = pytest.mark.usefixtures("eai_data")

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


@pytest.mark.sampled
@pytest.mark.parametrize("name", [name for name in list_suites() if not ALIKE.match(name)])
@settings(max_examples=20)
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
        check(suite, task, score)
