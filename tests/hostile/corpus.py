"""Outputs that were found by hand to raise, to be slow or to be scored wrongly: each stays here
when it is mended."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from itertools import combinations, cycle, islice


def nested(left: str, right: str, depth: int, inner: str = "1") -> str:
    """Something between so many brackets."""
    return left * depth + inner + right * depth


def _repeated(*steps: str, times: int) -> str:
    return "{" + ", ".join(islice(cycle(steps), times)) + "}"


def _all_pairs(names: Sequence[str], join: Callable[[str, str], str]) -> str:
    return " and ".join(join(first, second) for first, second in combinations(names, 2))


def _subgoals(*formulas: str) -> str:
    return json.dumps(
        {"necessity_to_use_action": "no", "actions_to_include": [], "output": list(formulas)}
    )


def _quantified(word: str, count: int, body: str) -> str:
    variables = [f"x{number}" for number in range(count)]
    return "".join(f"{word} {name}. (" for name in variables) + body + ")" * count


def _operators(count: int, condition: str, effect: str = "(p ?a)") -> str:
    action = f"(:action walk_towards :parameters (?a ?b - object) :precondition {condition}"
    return json.dumps({"output": f"{action} :effect {effect})" * count})


def _actions(*pairs: tuple[str, str], times: int) -> str:
    """A plan of BEHAVIOR."""
    return json.dumps([{"action": action, "object": thing} for action, thing in pairs] * times)


def _either(one: str, other: str) -> str:
    return f"({one} or {other})"


_OPEN = [f"OPEN(character.{number})" for number in range(60)]
_JARS = [f"open(jar.{number})" for number in range(60)]
_MIXED = ["open(jar.0)", "sliced(peach.0)", "open(fridge.97)"] * 9
_JSON_NESTS = (('{"a":', "}"), ('[{"a":', "}]"), ('{"a":[', "]}"), ("[", "]"), ("(", ")"))
_LTL_NESTS = (("(", ")"), ("not ", ""), ("not (", ")"), ("exists x. (", ")"))
_PLAUSIBLE: Sequence[str] = (
    *("", "{}", "null", "\x00", "I would walk to the kitchen.", '{"WALK": ["kitchen"]}'),
    '{"WALK": ["character", "65"], "GRAB": ["character", "65"], "PUTIN": ["character", "65"]}',
    '{"GRAB": ["water", "1001"], "POUR": ["water", "1001", "water", "1001"]}',
    '{"PUTON": [], "SLEEP": ["bed"], "WAKEUP": [""]}',
    '{"node goals": [{"name": null}], "edge goals": {"a": []}, "action goals": "GRAB"}',
    '{"node goals": [[], {}, 1, "x"], "action goals": [{"action": 5}]}',
    "{'node goals': [{'name': 'light', 'state': 'ON'}]}",
    "```json\n" * 50,
    "\ud800 lone surrogate",
    '{"WALK": ["\\ud800", "65"]}',
)
_DEEP: Sequence[str] = (
    *(
        nested(*brackets, depth)
        for brackets in _JSON_NESTS
        for depth in (19, 300, 900, 1_000, 3_000, 20_000)
    ),
    *(
        _subgoals(nested(*brackets, depth, "OPEN(soap.1002)"))
        for brackets in _LTL_NESTS
        for depth in (10, 40, 900, 20_000)
    ),
    *('"a":[' * 20_000, "[" * 190_000, "{" * 190_000, '{"a":' * 3_000),
    '{"output": "' + "(and " * 30_000 + '"}',
    _operators(2, nested("(forall (?x - object) ", ")", 12, "(p ?x)")),
    _operators(2, nested("(exists (?x - object) (and (p ?x) ", "))", 12, "(q ?x)")),
    _operators(1, "()", nested("(when (p ?a) ", ")", 200, "(q ?a)")),
)
_LONG: Sequence[str] = (
    _repeated('"WALK": ["soap", "1002"]', times=8_000),
    _repeated('"WALK": ["soap", "1002"]', '"GRAB": ["soap", "1002"]', times=7_000),
    _repeated(
        *('"GRAB": ["soap", "1002"]', '"PUTBACK": ["soap", "1002", "sink", "42"]'),
        *('"OPEN": ["washing_machine", "1000"]', '"CLOSE": ["washing_machine", "1000"]'),
        times=5_200,
    ),
    _actions(("OPEN", "fridge_97"), ("CLOSE", "fridge_97"), times=2_500),
    _actions(("RIGHT_GRASP", "strawberry_0"), ("RIGHT_RELEASE", ""), times=1_900),
    _subgoals(_all_pairs(_OPEN, _either)),
    _subgoals(*(_either(*pair) for pair in combinations(_OPEN, 2))),
    json.dumps({"output": _all_pairs(_JARS, _either)}),
    json.dumps({"output": [_all_pairs(_MIXED, _either)]}),
    *(
        text
        for word in ("exists", "forall")
        for count in (2, 6, 12)
        for text in (
            json.dumps({"output": [_quantified(word, count, "open(x0) and ontop(x0, x1)")]}),
            _subgoals(_quantified(word, count, "OPEN(x0) and NEXT_TO(x0, x1)")),
        )
    ),
    _operators(400, "(and (near ?a ?b) (not (p ?a)))"),
    _operators(1, "(and " + "(or (p ?a) (q ?b)) " * 3_000 + ")"),
    _operators(1, "(or " + "(and (p ?a) (q ?b) (r ?a ?b)) " * 2_000 + ")"),
    json.dumps({"node goals": [{"name": "light", "state": "ON"}] * 4_000}),
    json.dumps({"edge goals": [{"from_name": "bed", "relation": "ON", "to_name": "bed"}] * 2_500}),
)
_NUMBERS: Sequence[str] = (
    json.dumps({"action goals": [{"action": "TYPE", "": ""}] * 3}),  # counted more than once
    json.dumps({"action goals": [{"action": "TYPE", "description": ""}] * 300}),
    "9" * 5_000,
    '{"WALK": ["soap", ' + "9" * 5_000 + "]}",
    '{"WALK": ["soap", 1e999], "GRAB": ["soap", NaN], "DROP": ["soap", -Infinity]}',
    "[" + "1e400," * 1_000 + "1]",
    json.dumps({"output": "forn(" + "9" * 4_000 + ", jar_n_01, open(jar_n_01))"}),
)
_TRANSCRIPT = {"format": "homebody-transcript", "version": 1, "settings": {}, "seed": 0}
_TRANSCRIPTS: Sequence[str] = tuple(
    json.dumps({**_TRANSCRIPT, **fields})
    for fields in (
        {"entries": [[0, "agent", "Wait[]", 1, "agent"]] * 90_000},
        {"entries": [[number, "robot", "Wait[]", 1, "robot"] for number in range(20_000)]},
        {"entries": [[0, "human", "Navigate[kitchen_0]", 1, "human"]] * 5_000},
        {"entries": [[-5, "agent", "Done[]", -1, ""]]},
        {"entries": [[2**62, "agent", "Done[]", 2**62, ""]]},
        {"entries": [[10**9, "human", "Wait[]", 1, "human"]]},
        {"entries": [], "seed": -(2**63)},
        {"entries": [], "seed": 2**64 - 1},
        {"entries": [], "settings": {"robot": "expert", "human": "expert"}},
        {"entries": [], "settings": {"traces": "/dev/zero", "planner": "rag"}},
        {"entries": [], "settings": {"x" * 100_000: "y"}},
        {"entries": [[0, "agent", "FIND[" + ", ".join(["soap.1002"] * 70) + "]", 0, ""]] * 40},
    )
)


def outputs_for(suite: str) -> Sequence[str]:
    """Hostile outputs for a suite."""
    if suite.startswith("eai") and not suite.endswith("interactive"):
        return (*_PLAUSIBLE, *_DEEP, *_LONG, *_NUMBERS)
    return (*_PLAUSIBLE, *_DEEP[:5], *_TRANSCRIPTS)


MAX_CHARACTERS = 195_000
"""Of a long output: as much as is read."""
_STEP = re.compile(r'"\w+":\s*\[[^\]]*\]|\{[^{}]*\}')


def long_ones(output: str) -> Sequence[str]:
    """Long outputs made of a right one: a plan, each of its first steps and each of its operators
    many times over; subgoals any two of which are alternatives."""
    try:
        read = json.loads(output)
    except ValueError:
        return ()
    answer = read.get("output") if isinstance(read, dict) else None
    if isinstance(answer, str):
        return (json.dumps({**read, "output": answer * (MAX_CHARACTERS // (len(answer) + 1))}),)
    if isinstance(answer, list):
        formulas = [str(formula) for formula in answer]
        pairs = [_either(*pair) for pair in combinations((formulas * 20)[:60], 2)]
        many = formulas * (MAX_CHARACTERS // (len("".join(formulas)) + 4 * len(formulas)))
        return tuple(
            json.dumps({**read, "output": listed})
            for listed in (many, pairs, [" and ".join(pairs)])
        )
    parts = [output[1:-1], *_STEP.findall(output)[:3]]
    return tuple(
        output[0] + ", ".join([part] * (MAX_CHARACTERS // (len(part) + 2))) + output[-1]
        for part in parts
    )
