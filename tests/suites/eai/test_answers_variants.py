"""Right answers in their natural variants, and wrong answers, for every ability on every world: one
table of what is read, what is noted of it, and what is refused."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from homebody.core import CORRECTED, STRICT, Score, Suite
from homebody.suites import get_suite
from homebody.suites.eai.lenient_json import JsonObject
from homebody.suites.eai.reading import Deviation

pytestmark = pytest.mark.usefixtures("eai_data", "behavior_data")

BRACES, CASE, COMMAS, COMMENTS, LINE_BREAKS, NAMES, PIECES, PROSE, PYTHON, REPEATED, SHAPE = (
    Deviation.BRACES, Deviation.CASE, Deviation.COMMAS, Deviation.COMMENTS, Deviation.LINE_BREAKS,
    Deviation.NAMES, Deviation.PIECES, Deviation.PROSE, Deviation.PYTHON, Deviation.REPEATED,
    Deviation.SHAPE,
)  # fmt: skip

VIRTUALHOME = ("417_1", "27_2")
BEHAVIOR = (
    "bottling_fruit_0_Wainscott_0_int_0_2021-05-24_19-46-46",
    "cleaning_microwave_oven_0_Benevolence_1_int_0_2021-09-11_01-27-10",
)
TASKS: Mapping[str, tuple[str, ...]] = {
    "eai.virtualhome.action_sequencing": VIRTUALHOME,
    "eai.virtualhome.goal_interpretation": VIRTUALHOME,
    "eai.virtualhome.subgoal_decomposition": VIRTUALHOME,
    "eai.virtualhome.transition_modeling": VIRTUALHOME,
    "eai.behavior.action_sequencing": BEHAVIOR,
    "eai.behavior.goal_interpretation": BEHAVIOR,
    "eai.behavior.subgoal_decomposition": BEHAVIOR,
    "eai.behavior.transition_modeling": BEHAVIOR,
    "eai.behavior1k.action_sequencing": ("bag_groceries",),
}

PROMPTED: Mapping[str, set[Deviation]] = {
    "eai.virtualhome.goal_interpretation": {PYTHON},
    "eai.virtualhome.transition_modeling": {LINE_BREAKS},
    "eai.behavior.action_sequencing": {COMMAS, COMMENTS, PYTHON},
    "eai.behavior.transition_modeling": {LINE_BREAKS},
    "eai.behavior1k.action_sequencing": {COMMAS, COMMENTS, PYTHON},
}
"""What each prompt itself does."""


@cache
def suite_of(name: str) -> Suite[Any]:
    return get_suite(name)


@cache
def task_of(name: str, task: str) -> Any:
    return next(t for t in suite_of(name).tasks.load(CORRECTED) if t.id == task)


@cache
def plain(name: str, task: str) -> str:
    """The right answer, as it is asked for."""
    suite = suite_of(name)
    agent = "oracle" if "oracle" in suite.text_agents else "planner"
    return suite.answer(agent, task_of(name, task))


def verdict(score: Score) -> Mapping[str, Any]:
    """What is judged: all but how it was written."""
    words = {"deviations", "explanation", "subgoals", "error_action"}
    return {k: v for k, v in score.record.items() if k not in words} | dict(score.metrics)


@cache
def right(name: str, task: str) -> Mapping[str, Any]:
    score = suite_of(name).score(task_of(name, task), plain(name, task))
    assert score.record["deviations"] == {}
    assert score.metrics["success" if "success" in score.metrics else "f1"] > 0.4
    return verdict(score)


def assert_read(name: str, task: str, text: str, deviations: set[Deviation]) -> None:
    """The verdict is the right answer's; what is read through is noted, and an error if strict."""
    suite, asked = suite_of(name), task_of(name, task)
    score = suite.score(asked, text)
    assert verdict(score) == right(name, task), score.record["explanation"]
    assert set(score.record["deviations"]) == deviations - PROMPTED.get(name, set())
    strict = suite.score(asked, text, STRICT)
    if score.record["deviations"]:
        assert strict.metrics.get("success", strict.metrics.get("f1")) == 0
        assert "which is not the requested format" in strict.record["explanation"]
    else:
        assert verdict(strict) == right(name, task)


def written(value: Any) -> str:
    """JSON, with repeated keys."""
    if isinstance(value, JsonObject):
        return "{" + ", ".join(f"{json.dumps(k)}: {written(v)}" for k, v in value) + "}"
    return f"[{', '.join(map(written, value))}]" if isinstance(value, list) else json.dumps(value)


def parsed(text: str) -> Any:
    return json.loads(text, object_pairs_hook=JsonObject)


def listed(text: str) -> str:
    """VirtualHome's plan as a list of objects of one action each."""
    return written([JsonObject([step]) for step in parsed(text)])


def a_line_each(text: str, between: str = "\n") -> str:
    return between.join(written(JsonObject([step])) for step in parsed(text))


def enumerated(text: str, mark: str) -> str:
    """Each line with a mark before it, ``{}`` in which is its number."""
    pieces = re.split(r"(?<=\})\n(?=[{`])", text)
    return "\n".join(mark.format(at) + piece for at, piece in enumerate(pieces, 1))


def output_of(text: str) -> Any:
    return dict(parsed(text))["output"]


def rows(text: str) -> str:
    """Each entry of the outermost list or object on a line of its own."""
    value = parsed(text)
    entries = [JsonObject([item]) if isinstance(value, JsonObject) else [item] for item in value]
    return text[0] + ",\n".join(written(entry)[1:-1] for entry in entries) + text[-1]


WRAPPED: Mapping[str, tuple[Callable[[str], str], set[Deviation]]] = {
    "fenced": (lambda t: f"```\n{t}\n```", set()),
    "fenced, json": (lambda t: f"```json\n{t}\n```", set()),
    "fenced, python": (lambda t: f"```python\n{t}\n```\n", set()),
    "a fence that never ends": (lambda t: f"```json\n{t}", set()),
    "words before": (lambda t: f"Here is the answer:\n{t}", {PROSE}),
    "Output:": (lambda t: f"Output:\n{t}", {PROSE}),
    "words behind": (lambda t: f"{t}\n\nI hope {{this}} helps [you]!", {PROSE}),
    "words around": (lambda t: f"Sure:\n```json\n{t}\n```\nIt's done.", {PROSE}),
    "markdown": (lambda t: f"## Answer\n\n**Output**\n```json\n{t}\n```", {PROSE}),
    "reasoning": (lambda t: f"<think>\nWhat {{now}}? [1]\n</think>\n\n{t}", set()),
    "reasoning without its beginning": (
        lambda t: f'What {{now}}? {{"output": [1]}} or\n{t[: len(t) // 2]}\n</think>\n{t}',
        set(),
    ),
    "reasoning, then a fence": (lambda t: f"Hm {{[\n</think>\n```json\n{t}\n```", set()),
    "reasoning with a draft": (lambda t: f"<think>{t[:-5]}</think>{t}", set()),
    **{f"reasoning in {begin}": (lambda t, b=begin, e=end: f"{b}What {{now}}?{e}\n{t}", set())
       for begin, end in (("<thinking>", "</thinking>"), ("<reasoning>", "</reasoning>"),
                          ("\u25c1think\u25b7", "\u25c1/think\u25b7"), ("[THINK]", "[/THINK]"))},
    "special tokens": (lambda t: f"<|begin_of_text|>{t}<|eot_id|><|im_end|>", set()),
    "special tokens of others": (lambda t: f"<s> {t}</s><end_of_turn><eos>", set()),
    "byte order mark": (lambda t: f"\ufeff{t}", set()),
    "non-breaking spaces": (lambda t: re.sub(r" (?=[\[{\"])", "\u00a0", t), set()),
    "Windows' line ends": (lambda t: rows(t).replace("\n", "\r\n"), set()),
    "blank lines": (lambda t: f"\n\n  {t}\n \n", set()),
    "comma behind the last item": (lambda t: f"{t[:-1]},\n{t[-1]}", {COMMAS}),
    "commas behind the last items": (lambda t: re.sub(r"(?<=[\"\]])(?=\]|\}$)", ",", t), {COMMAS}),
    "# comment": (lambda t: f"{rows(t)[:-1]} # it's {{so}}\n{t[-1]}", {COMMENTS}),
    "# comments": (
        lambda t: f"{t[0]} # so\n{rows(t)[1:]}".replace(",\n", ", # 1, 2\n"), {COMMENTS}),
    "// comment": (lambda t: f"{t[0]} // it's {{so}}\n{t[1:]}", {COMMENTS}),
    "/* comment */": (lambda t: f"{t[0]} /* it's {{so}} */{t[1:]}", {COMMENTS}),
    "comment before": (lambda t: f"# the answer\n{t}", {PROSE}),
    "Python's quotes": (lambda t: t.replace('"', "'"), {PYTHON}),
    "in parentheses": (lambda t: f"({t})", {PROSE}),
    **{f"{signs} before": (lambda t, signs=signs: f"{signs}{t}", {PROSE})
       for signs in ("{", "}{", "]", ",", ";", "`")},
    **{f"{signs} behind": (lambda t, signs=signs: f"{t}{signs}", {PROSE})
       for signs in ("}", "]}", "}}}", ",", ";", "**")},
    "braces twice": (lambda t: f"{{{t}}}", {PROSE}),
    "four backticks": (lambda t: f"````json\n{t}\n````", set()),
    "an element": (lambda t: f"<answer>{t}</answer>", {PROSE}),
    "assigned": (lambda t: f"answer = {t}", {PROSE}),
    "the same twice": (lambda t: f"{t}\n{t}", {REPEATED}),
    "the same twice, fenced": (lambda t: f"```json\n{t}\n```\n\n```\n{rows(t)}\n```", {REPEATED}),
    "the same as a draft": (lambda t: f"Draft: {t}\nFinal answer: {t}", {PROSE, REPEATED}),
    "in an object": (lambda t: f'{{"answer": {t}}}', {SHAPE}),
    "beside a thought": (lambda t: f'{{"thought": "so", "answer": {t}}}', {SHAPE}),
    "smart quotes": (lambda t: re.sub('"([^"]*)"', "\u201c\\1\u201d", t), {Deviation.TYPOGRAPHY}),
    "full-width colons and commas": (
        lambda t: re.sub('"(:|,) ', lambda m: '"' + {":": "\uff1a"}.get(m[1], "\uff0c"), t),
        {Deviation.TYPOGRAPHY},
    ),
}  # fmt: skip
"""What can be done to any answer -> how it is written, and what is noted of it."""


@pytest.mark.sampled
@pytest.mark.parametrize("variant", WRAPPED)
@pytest.mark.parametrize("name", TASKS)
def test_right_answers_are_right_however_they_are_wrapped(name: str, variant: str) -> None:
    write, deviations = WRAPPED[variant]
    for task in TASKS[name]:
        assert_read(name, task, write(plain(name, task)), deviations)


Variants = Mapping[str, tuple[Callable[[str], str], set[Deviation]]]


def keyed(t: str) -> str:
    """BEHAVIOR's plan as VirtualHome's prompt asks for plans."""
    steps = [dict(step) for step in parsed(t)]
    return written(JsonObject((s["action"], s["object"].split(", ")) for s in steps))


def entries(t: str, **more: str) -> str:
    """VirtualHome's plan as BEHAVIOR's prompt asks for plans."""
    steps = [(n, ", ".join(map(" ".join, zip(a[::2], a[1::2], strict=True)))) for n, a in parsed(t)]
    return json.dumps([{"action": n, "object": names, **more} for n, names in steps])


def named(form: str) -> Callable[[str], str]:
    """VirtualHome's names in another form."""
    return lambda t: re.sub(r'"(\w+)", "(\d+)"', lambda m: json.dumps(form.format(*m.groups())), t)


PLANS: Variants = {
    "a list of objects": (listed, {SHAPE}),
    "an object a line": (a_line_each, {PIECES}),
    "an object a line, numbered": (lambda t: enumerated(a_line_each(t), "{}. "), {PIECES, PROSE}),
    "an object a line, steps": (
        lambda t: enumerated(a_line_each(t), "**Step {}:** "), {PIECES, PROSE}),
    "an object a line, bullets": (lambda t: enumerated(a_line_each(t), "- "), {PIECES, PROSE}),
    "a fence a step": (
        lambda t: enumerated(a_line_each(t, "\n```\n"), "Step {}:\n```json\n") + "\n```",
        {PIECES, PROSE}),
    "an object a line, fenced": (lambda t: f"```json\n{a_line_each(t)}\n```", {PIECES}),
    "objects with commas": (lambda t: a_line_each(t, ",\n"), {PIECES}),
    "in actions": (lambda t: f'{{"actions": {t}}}', {SHAPE}),
    "a list in actions": (lambda t: f'{{"actions": {listed(t)}}}', {SHAPE}),
    "a list in a plan beside a thought": (
        lambda t: f'{{"thought": "I go", "plan": {listed(t)}}}', {SHAPE}),
    "without braces": (lambda t: t[1:-1], {BRACES}),
    "without braces, fenced": (lambda t: f"```json\n{t[1:-1]}\n```", {BRACES}),
    "without the first brace": (lambda t: t[1:], {BRACES}),
    "as BEHAVIOR asks": (entries, {SHAPE, NAMES}),
    "as BEHAVIOR asks, with reasons": (lambda t: entries(t, reason="so"), {SHAPE, NAMES}),
    "actions with arguments": (
        lambda t: json.dumps([{"action": n, "args": a} for n, a in parsed(t)]), {SHAPE}),
    "numbers": (lambda t: re.sub(r'"(\d+)"', r"\1", t), set()),
    "name.id": (named("{}.{}"), {NAMES}),
    "name_id": (named("{}_{}"), {NAMES}),
    "name (id)": (named("{} ({})"), {NAMES}),
    "<name> (id)": (named("<{}> ({})"), {NAMES}),
    "name id": (named("{} {}"), {NAMES}),
    "<name>, (id)": (lambda t: re.sub(r'"(\w+)", "(\d+)"', r'"<\1>", "(\2)"', t), {NAMES}),
    "capital names": (lambda t: re.sub(r'"(\w+)", "', lambda m: m[0].upper(), t), {NAMES}),
    "small actions": (lambda t: re.sub(r'"[A-Z]+"', lambda m: m[0].lower(), t), {CASE}),
    "[ACTION]": (lambda t: re.sub(r'"([A-Z]+)"', r'"[\1]"', t), {NAMES}),
    "Action_": (lambda t: re.sub(r'"([A-Z])([A-Z]+)"', r'"\1_\2"', t).title(), {NAMES}),
    "name, id": (named("{}, {}"), {NAMES}),
    "name[id]": (named("{}[{}]"), {NAMES}),
    "name #id": (named("{} #{}"), {NAMES}),
    "ids alone": (named("{1}"), {NAMES}),
    "ids alone as numbers": (lambda t: re.sub(r'"\w+", "(\d+)"', r"\1", t), {NAMES}),
    "objects as text": (
        lambda t: written(JsonObject((n, ", ".join(a)) for n, a in parsed(t))), {SHAPE}),
    "comments behind steps": (lambda t: rows(t).replace("],\n", "],  # then\n"), {COMMENTS}),
}  # fmt: skip
LISTED: Variants = {
    "without brackets": (lambda t: t[1:-1], {PIECES}),
    "an object a line": (lambda t: "\n".join(map(written, parsed(t))), {PIECES}),
    "in actions": (lambda t: f'{{"actions": {t}}}', {SHAPE}),
    "an object a line, numbered": (
        lambda t: enumerated("\n".join(map(written, parsed(t))), "{}) "), {PIECES, PROSE}),
    "in a plan beside a thought": (lambda t: f'{{"thought": "I go", "plan": {t}}}', {SHAPE}),
    "as VirtualHome asks": (keyed, {SHAPE}),
    "as VirtualHome asks, listed": (
        lambda t: written([JsonObject([step]) for step in parsed(keyed(t))]), {SHAPE}),
    "lists of objects": (lambda t: re.sub(r'"object": ("[^"]*")', r'"object": [\1]', t), {SHAPE}),
    "name.id": (lambda t: re.sub(r"_(\d+)(?=[,\"])", r".\1", t), {NAMES}),
    "name (id)": (lambda t: re.sub(r"_(\d+)(?=[,\"])", r" (\1)", t), {NAMES}),
    "capital names": (lambda t: re.sub(r'"[a-z_]+_\d+"', lambda m: m[0].title(), t), {NAMES}),
    "small actions": (lambda t: re.sub(r'"[A-Z_]+"', lambda m: m[0].lower(), t), {CASE}),
    "[ACTION]": (lambda t: re.sub(r'"([A-Z_]+)"', r'"[\1]"', t), {NAMES}),
    "Action Name": (
        lambda t: re.sub(r'"[A-Z]+_[A-Z_]+"', lambda m: m[0].replace("_", " ").title(), t),
        {NAMES}),
    "name[id]": (lambda t: re.sub(r"_(\d+)(?=[,\"])", r"[\1]", t), {NAMES}),
    "reasons": (lambda t: t.replace("}", ', "reason": "so"}'), {SHAPE}),
    "comments behind steps": (lambda t: rows(t).replace("},\n", "},  # then\n"), {COMMENTS}),
    "as the prompt has it": (lambda t: t.replace('"', "'").replace("}", ",} # so\n"), set()),
}  # fmt: skip
GOALS: Variants = {
    "without braces": (lambda t: t[1:-1], {BRACES}),
    "another key": (lambda t: '{"reasoning": "so", ' + t[1:], {SHAPE}),
    "capital keys": (lambda t: t.replace("node goals", "Node Goals"), {CASE}),
    "capital keys, blanks": (lambda t: t.replace("edge goals", " EDGE GOALS "), {CASE}),
}  # fmt: skip
SUBGOALS: Variants = {
    "without braces": (lambda t: t[1:-1], {BRACES}),
    "the list alone": (lambda t: written(output_of(t)), {SHAPE}),
    "another key": (lambda t: '{"reasoning": "so", ' + t[1:], {SHAPE}),
    "numbers": (lambda t: renamed(t, lambda at, text: f"{at}. {text}"), {PROSE}),
    "numbers of steps": (lambda t: renamed(t, lambda at, text: f"Step {at}: {text}"), {PROSE}),
    "bullets": (lambda t: renamed(t, lambda at, text: f"- {text}"), {PROSE}),
    "full stops": (lambda t: renamed(t, lambda at, text: f"{text}."), {PROSE}),
    "a text of lines": (
        lambda t: written(JsonObject([("output", "\n".join(output_of(t)))])), {SHAPE}),
    "name_id": (lambda t: re.sub(r"(?<=[a-z])\.(?=\d)", "_", t), {NAMES}),
    "non-breaking spaces": (
        lambda t: renamed(t, lambda at, text: text.replace(" ", "\u00a0")), set()),
    "two lines": (lambda t: renamed(t, lambda at, text: text.replace(", ", ",\n")), set()),
}  # fmt: skip
OPERATORS: Variants = {
    "without braces": (lambda t: t[1:-1], {BRACES}),
    "another key": (lambda t: '{"reasoning": "so", ' + t[1:], {SHAPE}),
    "operators alone": (lambda t: output_of(t), {SHAPE}),
    "operators alone, fenced": (lambda t: f"```pddl\n{output_of(t)}\n```", {SHAPE}),
    "words before operators alone": (lambda t: f"Here they are:\n{output_of(t)}", {PROSE, SHAPE}),
    "words before operators": (
        lambda t: json.dumps({"output": f"Here they are:\n{output_of(t)}"}), {PROSE}),
    "an operator in words": (
        lambda t: re.sub(r"\A\(:action (\S+)", r"So (:action \1 is simple)\n\g<0>", output_of(t)),
        {PROSE, SHAPE}),
    "a domain": (
        lambda t: json.dumps({"output": f"(define (domain home)\n{output_of(t)})"}), {SHAPE}),
    "an object of operators": (lambda t: json.dumps({"output": {"it": output_of(t)}}), {SHAPE}),
    "line breaks": (lambda t: t.replace("\\n", "\n"), set()),
    "three quotes": (lambda t: f'{{"output": """{output_of(t)}"""}}', {PYTHON}),
    "PDDL comments": (lambda t: t.replace("\\n", " ; it (is so\\n"), set()),
    "a list": (
        lambda t: json.dumps({"output": re.split(r"\n(?=\(:action)", output_of(t))}),
        {SHAPE}),
    "capitals": (lambda t: t.replace(":action", ":ACTION").replace(":effect", ":EFFECT"), set()),
}  # fmt: skip


def renamed(t: str, change: Callable[[int, str], str]) -> str:
    """Subgoals, each changed."""
    subgoals = output_of(t)
    return json.dumps({"output": [change(at + 1, text) for at, text in enumerate(subgoals)]})


FORMATS: Mapping[str, Variants] = {
    "eai.virtualhome.action_sequencing": PLANS,
    "eai.behavior.action_sequencing": LISTED,
    "eai.behavior1k.action_sequencing": LISTED,
    "eai.virtualhome.goal_interpretation": {
        **GOALS,
        "small states": (
            lambda t: re.sub(r'(?<="state": )"\w+"', lambda m: m[0].lower(), t),
            {CASE},
        ),
        "small relations": (
            lambda t: re.sub(r'(?<="relation": )"\w+"', lambda m: m[0].lower(), t),
            {CASE},
        ),
        "name.id": (lambda t: t.replace('"clothes_pants"', '"clothes_pants.1001"'), {NAMES}),
        "name (id)": (lambda t: t.replace('"clothes_pants"', '"clothes_pants (1001)"'), {NAMES}),
    },
    "eai.behavior.goal_interpretation": {
        **GOALS,
        "as the prompt writes states": (lambda t: t.replace('"open"', '"Open"'), set()),
        "plain names": (lambda t: re.sub(r"\.n\.", "_n_", t), {NAMES}),
        "relations among states": (
            lambda t: json.dumps(
                {"node goals": [g for _, goals in parsed(t) for g in goals], "edge goals": []}
            ),
            {SHAPE},
        ),
        "capital names": (lambda t: re.sub(r'"\w+\.n\.', lambda m: m[0].title(), t), set()),
    },
    "eai.virtualhome.subgoal_decomposition": {
        **SUBGOALS,
        "small states": (lambda t: re.sub(r"[A-Z_]+(?=\()", lambda m: m[0].lower(), t), {CASE}),
    },
    "eai.behavior.subgoal_decomposition": {
        **SUBGOALS,
        "connectives": (
            lambda t: renamed(t, lambda at, x: x.replace(" and ", " AND ").replace("not ", "NOT ")),
            {CASE},
        ),
        "capital states": (lambda t: re.sub(r"[a-z_]+(?=\()", lambda m: m[0].upper(), t), {CASE}),
    },
    "eai.virtualhome.transition_modeling": OPERATORS,
    "eai.behavior.transition_modeling": OPERATORS,
}
"""What can be done to answers of one format."""


@pytest.mark.sampled
@pytest.mark.parametrize(
    ("name", "variant"), [(name, variant) for name, table in FORMATS.items() for variant in table]
)
def test_right_answers_are_right_however_they_are_shaped(name: str, variant: str) -> None:
    write, deviations = FORMATS[name][variant]
    changed = [task for task in TASKS[name] if write(plain(name, task)) != plain(name, task)]
    assert changed
    for task in changed:
        assert_read(name, task, write(plain(name, task)), deviations)


# -- wrong answers ---------------------------------------------------------------------------------


def last_entry_changed(t: str) -> str:
    return re.sub(r"[a-z](?=[^a-z]*$)", "q", t)


SORRY = "I'm sorry, but I can't help with that."
WRONG: Mapping[str, tuple[Callable[[str], str], str]] = {
    "nothing": (lambda t: "", r"the output is empty"),
    "blanks": (lambda t: "\n \n", r"the output is empty"),
    "reasoning alone": (lambda t: f"<think>{t}</think>", r"empty behind its reasoning"),
    "reasoning that never ends": (lambda t: f"<think>{t}", r"reasoning that never ends"),
    "other reasoning that never ends": (
        lambda t: f"<reasoning>{t}", r"never ends: it begins with <reasoning>, which nothing ends"),
    "different answers in a line": (
        lambda t: f"{t} or {last_entry_changed(t)}", r"different answers, both in line 1"),
    "a refusal": (lambda t: SORRY, r"no JSON, but .I'm sorry, but I can't help with that\.."),
    "an empty object": (lambda t: "{}", r"an empty object where|no action"),
    "an empty list": (lambda t: "[]", r"an empty list where|no action"),
    "null": (lambda t: "null", r"no JSON, but 'null'"),
    "cut off in the middle": (
        lambda t: t[: len(t) // 2], r"is never closed|never ends|closes before its end|line \d+"),
    "cut off at the end": (lambda t: t[:-1], r"the '[\[{]' of line 1 is never closed"),
    "cut off behind words": (
        lambda t: f"Here you are:\n\n```json\n{t[:-1]}", r"the '[\[{]' of line 4 is never closed"),
    "cut off behind reasoning": (
        lambda t: f"<think>{t}</think>\n{t[:-1]}", r"the '[\[{]' of line 2 is never closed"),
    "different answers": (
        lambda t: f"{t}\n{last_entry_changed(t)}", r"different answers, in lines 1 and 2"),
    "a draft and another answer": (
        lambda t: f"Draft: {last_entry_changed(t)}\n\nNo, better: {t}",
        r"different answers, in lines 1 and 3"),
    "words without quotes": (
        lambda t: re.sub(r'(?<=[\[{ ])"([A-Za-z]+)[^"]*"', r"\1", t),
        r"is expected in line 1, not"),
    "JSON in a text": (lambda t: json.dumps(t), r"no JSON|is expected in line 1, not '\\'"),
}  # fmt: skip


OPERATORS_ALL_THE_SAME = {
    "cut off at the end", "cut off behind words", "cut off behind reasoning",
    "words without quotes", "JSON in a text",
}  # fmt: skip
"""Where operators can be read, as each says itself where it ends."""


@pytest.mark.parametrize(
    ("around", "quoted"),
    [
        ("<answer>{}</answer>", "words around the answer in line 1: '<answer>'"),
        ("\\boxed{{{}}}", "words around the answer in line 1: '\\boxed{'"),
        ("{};", "signs around the answer in line 1: ';'"),
        ("I go\tand find {}", "words around the answer in line 1: 'I go and find'"),
        ("It's it {}", 'words around the answer in line 1: "It\'s it"'),
        (
            "Here is what I have thought of for a whole day: {}",
            "words around the answer in line 1: 'Here is what I have thought of for a ...'",
        ),
    ],
)
def test_notes_quote_what_is_written(around: str, quoted: str) -> None:
    name, task = "eai.virtualhome.action_sequencing", "27_2"
    record = suite_of(name).score(task_of(name, task), around.format(plain(name, task))).record
    assert record["deviations"] == {"prose": quoted}


@pytest.mark.parametrize("wrong", WRONG)
@pytest.mark.parametrize("name", TASKS)
def test_what_is_wrong_stays_wrong_and_says_why(name: str, wrong: str) -> None:
    write, reason = WRONG[wrong]
    for task in TASKS[name]:
        text = write(plain(name, task))
        if name.endswith("transition_modeling") and wrong in OPERATORS_ALL_THE_SAME:
            assert suite_of(name).score(task_of(name, task), text).record["deviations"]
        else:
            assert_wrong(name, task, text, reason)


def assert_wrong(name: str, task: str, text: str, reason: str) -> None:
    score = suite_of(name).score(task_of(name, task), text)
    assert score.metrics["success" if "success" in score.metrics else "f1"] < 1, text
    assert re.search(reason, score.record["explanation"], re.IGNORECASE), score.record[
        "explanation"
    ]


@pytest.mark.parametrize("name", TASKS)
def test_answers_to_other_abilities_are_none(name: str) -> None:
    ability = name.rpartition(".")[2]
    for other in TASKS:
        for answered, asked in zip(TASKS[other], TASKS[name], strict=False):
            if other.rpartition(".")[2] != ability:
                assert_wrong(
                    name,
                    asked,
                    plain(other, answered),
                    "output|there is no action|goals|not a formula",
                )


GARBLED: Mapping[str, tuple[str, str, str]] = {
    "eai.virtualhome.action_sequencing": (
        r'"1000"', '"7"', "Step 1: there is no object 'washing_machine 7'"),
    "eai.virtualhome.goal_interpretation": (
        "washing_machine", "washing_machine.7", "no such|do not exist"),
    "eai.virtualhome.subgoal_decomposition": (
        r"\.1000", ".7", "Subgoal 1: there is no object 'washing_machine.7'"),
    "eai.behavior.action_sequencing": (r"fridge_97", "fridge_7", "there is no object 'fridge_7'"),
    "eai.behavior.goal_interpretation": (r"jar\.n\.01_1", "jar.n.01_7", "no such object"),
    "eai.behavior.subgoal_decomposition": (r"fridge\.97", "fridge.7", "no object 'fridge.7'"),
}  # fmt: skip
UNKNOWN: Mapping[str, tuple[str, str, str]] = {
    "eai.virtualhome.action_sequencing": ('"OPEN"', '"UNLOCK"', "there is no action 'UNLOCK'"),
    "eai.virtualhome.goal_interpretation": (
        '"(node|edge|action) goals"', r'"\1"', "an object with the keys 'node', 'edge', 'action'"),
    "eai.virtualhome.subgoal_decomposition": (
        '"output"', '"subgoals"', "'subgoals' where an object with a list \"output\" is expected"),
    "eai.behavior.action_sequencing": ('"OPEN"', '"UNLOCK"', "there is no action 'UNLOCK'"),
    "eai.behavior.goal_interpretation": (
        '"(node|edge) goals"', r'"\1"', "an object with the keys 'node', 'edge' where"),
    "eai.behavior.subgoal_decomposition": (
        '"output"', '"subgoals"', "an object with the key 'subgoals' where"),
}  # fmt: skip


@pytest.mark.parametrize("table", [GARBLED, UNKNOWN], ids=["ids", "keys"])
def test_what_does_not_exist_is_told(table: Mapping[str, tuple[str, str, str]]) -> None:
    for name, (pattern, to, reason) in table.items():
        text = re.sub(pattern, to, plain(name, TASKS[name][0]))
        assert text != plain(name, TASKS[name][0])
        assert_wrong(name, TASKS[name][0], text, reason)


EXAMPLES: Mapping[str, tuple[str, str]] = {
    "eai.virtualhome.action_sequencing": (
        '{"FIND": ["sink", "sink_id"], "PUTBACK": ["cup", "cup_id", "sink", "sink_id"]}',
        "there is no object"),
    "eai.virtualhome.goal_interpretation": (
        "{'node goals': SYMBOLIC NODE GOALS, 'edge goals': SYMBOLIC EDGE GOALS, 'action goals':"
        " SYMBOLIC ACTION GOALS}", "is expected in line 1, not 'SYMBOLIC'"),
    "eai.virtualhome.subgoal_decomposition": (
        '{"necessity_to_use_action": <necessity>, "actions_to_include": [<actions>], "output":'
        " [<your subgoal plan>]}", "is expected in line 1, not '<'"),
    "eai.virtualhome.transition_modeling": ('{"output": YOUR OUTPUT STRING}', "not 'YOUR'"),
    "eai.behavior.action_sequencing": (
        '{"action": "action_name", "object": "target_obj_name",}', "no action 'action_name'"),
    "eai.behavior.goal_interpretation": (
        '{"node goals": SYMBOLIC_NODE_GOALS, "edge goals": SYMBOLIC_EDGE_GOALS}', "not 'SYMBOLIC"),
    "eai.behavior.subgoal_decomposition": ('{"output": [<your subgoal plan>]}', "not '<'"),
}  # fmt: skip


@pytest.mark.parametrize("name", EXAMPLES)
def test_the_example_of_the_prompt_is_no_answer(name: str) -> None:
    text, reason = EXAMPLES[name]
    assert_wrong(name, TASKS[name][0], text, reason)


@pytest.mark.parametrize(
    ("step", "reason"),
    [
        ('"WALK TO": ["soap", "1002"]', "there is no action 'WALK TO'"),
        ('"1. FIND": ["soap", "1002"]', "there is no action '1. FIND'"),
        ('"FIND_1": ["soap", "1002"]', "there is no action 'FIND_1'"),
        ('"FIND": ["99999"]', "there is no object '99999'"),
        ('"FIND": ["sink", "1002"]', "no object 'sink 1002'; 1002 is the id of 'soap.1002'"),
        ('"FIND": ["soap, 1002, sink"]', "there is no object 'soap, 1002, sink'"),
    ],
)
def test_what_may_mean_something_else_is_none(step: str, reason: str) -> None:
    assert_wrong("eai.virtualhome.action_sequencing", "27_2", f"{{{step}}}", reason)


@pytest.mark.parametrize("world", ["virtualhome", "behavior"])
def test_goals_in_several_objects_are_several_answers(world: str) -> None:
    name = f"eai.{world}.goal_interpretation"
    text = a_line_each(plain(name, TASKS[name][0]), "\n### Next\n")
    assert_wrong(name, TASKS[name][0], text, "different answers, in lines 1 and 3")


def test_the_page_on_answers_has_each_deviation_with_an_example() -> None:
    page = (Path(__file__).parents[3] / "docs" / "benchmarks/eai-answers.md").read_text("utf-8")
    rows = re.findall(r"^\| `(\w+)` \| .* \| (.*) ?\|$", page, re.MULTILINE)
    assert sorted(name for name, _ in rows) == sorted([*Deviation, "deviations"])  # the header
    task = task_of("eai.virtualhome.action_sequencing", "27_2")
    for name, example in rows:
        if re.fullmatch("`[^`]+` ", example):
            example = example.strip("` ")
            record = suite_of("eai.virtualhome.action_sequencing").score(task, example).record
            assert name in record["deviations"], (name, record["explanation"])
            assert record["error_type"] != "parsing"
