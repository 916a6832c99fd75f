"""Answers as models wrap, comment, break off and repeat them: a right text, with a seed, made one
that may be wrong. Nothing here knows what the text says."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from typing import TypeAlias

from numpy.random import Generator

from differential import perturb, perturb_behavior_goals, perturb_behavior_subgoals
from differential.perturb import pick

Way: TypeAlias = Callable[[Generator, str], str]


def _cut(rng: Generator, text: str) -> str:
    return text[: int(rng.integers(len(text) + 1))]


def _replaced(pattern: str, by: str, count: int = 0) -> Way:
    return lambda rng, text: re.sub(pattern, by, text, count=count)


def _other(text: str) -> str:
    """A text of the same form that says something else."""
    return re.sub(r"[a-z]{3,}(?=[\"._)])", "thing", text)


WAYS: Mapping[str, Way] = {
    **perturb.TEXT_FORMATS,
    **perturb_behavior_goals.FORMATS,
    **{
        name: lambda rng, text, wrap=wrap: wrap(text)
        for name, wrap in perturb_behavior_subgoals.WRAPPERS.items()
    },
    "as_it_is": lambda rng, text: text,
    "indented": lambda rng, text: re.sub("([,:{\\[]) ", "\\1\n  ", text),
    "reasoning": lambda rng, text: f"<think>\nIs it {{this}}?\n</think>\n\n{text}",
    "reasoning_unopened": lambda rng, text: f"It is (see {{this}}: [1].\n</think>\n\n{text}",
    "reasoning_with_draft": lambda rng, text: f"<think>{_other(text)}</think>{text}",
    "reasoning_with_all": lambda rng, text: f"<think>{text}</think>",
    "reasoning_endless": lambda rng, text: f"<think>First, {text}",
    "reasoning_cut_off": lambda rng, text: f"<think>{text}</think>{_cut(rng, text)}",
    "twice": lambda rng, text: f"{text}\n\nSo the answer is:\n```json\n{text}\n```",
    "two_answers": lambda rng, text: f"{_other(text)}\n\nNo, it is:\n{text}",
    "draft_cut_off": lambda rng, text: f"{_cut(rng, text)}\n\nAgain:\n{text}",
    "example_first": lambda rng, text: f'As {{"a": ["b", "1"]}} or ["c"]:\n{text}',
    "braces_behind": lambda rng, text: f"{text}\nI took {{soap}} and [sink].",
    "answer_tags": lambda rng, text: f"<answer>{text}</answer>",
    "bold": lambda rng, text: f"**{text}**",
    "byte_order_mark": lambda rng, text: f"\ufeff{text}",
    "no_break_spaces": lambda rng, text: text.replace(" ", "\u00a0"),
    "assignment": lambda rng, text: f"answer = {text};",
    "no_first": lambda rng, text: text[1:],
    "no_last": lambda rng, text: text[:-1],
    "one_more_closing": lambda rng, text: text + pick(rng, "]})"),
    "one_more_opening": lambda rng, text: pick(rng, "[{(") + text,
    "comments": _replaced(", ", ", # next\n"),
    "slash_comments": _replaced("([\\[{,])", r"\1 // next" + "\n"),
    "block_comments": _replaced(", ", ", /* next */ "),
    "comment_with_quote": _replaced(", ", ", // it's [next]\n", 1),
    "dots": _replaced(", ", ", ..., ", 1),
    "no_commas": _replaced(",", ""),
    "two_commas": _replaced(",", ",,", 1),
    "semicolon": _replaced(",", ";", 1),
    "equals": _replaced(":", " =", 1),
    "capital_keys": lambda rng, text: re.sub(
        '"([a-z_ ]+)":', lambda key: f'"{key[1].title()}":', text
    ),
    "blank_keys": _replaced('"(\\w+)":', r'" \1 ":'),
    "unknown_key": lambda rng, text: text[:-1] + ', "confidence": 0.9' + text[-1:],
    "thought_first": lambda rng, text: text[:1] + '"thought": "I see [it]", ' + text[1:],
    "in_an_object": lambda rng, text: json.dumps({"answer": "see below"})[:-1] + f', "a": {text}}}',
    "double_escaped": lambda rng, text: json.dumps(text)[1:-1],
    "a_line_each": _replaced("\\], ", "]\n"),
    "an_object_each": _replaced("\\], ", "]},\n{"),
    "upper_case": lambda rng, text: text.upper(),
    "lower_case": lambda rng, text: text.lower(),
    "one_letter_less": lambda rng, text: perturb._remove_one(rng, text, text),
    "one_letter_more": lambda rng, text: perturb._insert_at(
        rng, text, pick(rng, "[]{}(),:'\"\\a1 ")
    ),
}


def changed(rng: Generator, text: str, most: int = 2) -> tuple[str, str]:
    """The names of up to ``most`` ways, and a text changed in them."""
    names = [pick(rng, list(WAYS)) for _ in range(int(rng.integers(1, most + 1)))]
    for name in names:
        try:
            text = WAYS[name](rng, text)
        except ValueError:  # of what is no JSON any more
            continue
    return "+".join(names), text
