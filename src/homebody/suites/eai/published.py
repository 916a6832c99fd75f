"""How the published evaluators of EAI read outputs, for both worlds.

They are read with Python's own JSON reader after some replacements, found by patterns, or
evaluated as Python, which homebody never does: it reads literals.
"""

from __future__ import annotations

import ast
import hashlib
import json
import re
import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any

from homebody.core.ground.nesting import MAX_DEPTH, check_depth, groups, groups_at, has_few_brackets
from homebody.suites.eai.lenient_json import check_length
from homebody.suites.eai.reading import ParsingError

PUBLISHED_DEPTH = 990
"""Deepest nesting of JSON that the published evaluators read: there Python's usual recursion limit
stops them."""


@dataclass(frozen=True, slots=True)
class Deeper:
    """What stands in a value of JSON below :data:`MAX_DEPTH` levels, as its text."""

    text: str


def published_json(text: str) -> Any:
    """A value of JSON as eai-eval reads it, but for what lies too deep for anybody to look at.

    Raises:
        ValueError: it is not JSON, or nested more than :data:`PUBLISHED_DEPTH` levels deep.
    """
    if has_few_brackets(text):
        return json.loads(text)
    check_depth(text, PUBLISHED_DEPTH)
    values = []
    texts = [text]
    for outer in texts:  # to which what lies deeper is added: all of it must be JSON
        kept, deeper = _without_deeper(outer)
        stand_in = str(int(hashlib.sha256(outer.encode("utf-8", "replace")).hexdigest(), 16))
        number = partial(_number, stand_in, iter(deeper))
        shallow = f" {stand_in} ".join(kept)
        check_depth(shallow)  # what is never closed is still there
        values.append(json.loads(shallow, parse_int=number))
        texts += deeper
    return values[0]


def _number(stand_in: str, deeper: Iterator[str], digits: str) -> int | Deeper:
    """A number, or what it stands for: no text holds a digest of itself."""
    return Deeper(next(deeper)) if digits == stand_in else int(digits)


def _without_deeper(text: str) -> tuple[list[str], list[str]]:
    """The pieces of a text between those groups that lie too deep, and these."""
    kept, deeper, end = [], [], 0
    for begin, after in groups_at(text, MAX_DEPTH + 1):
        kept.append(text[end:begin])
        deeper.append(text[begin:after])
        end = after
    return [*kept, text[end:]], deeper


def levels(value: Any) -> int:
    """How many levels of lists and objects a value of :func:`published_json` has."""
    depth, deepest, level = 0, 0, [value]
    while level:
        below: list[Any] = []
        for item in level:
            if isinstance(item, Deeper):
                deepest = max(deepest, depth + groups(item.text)[0][0])
            elif isinstance(item, list | dict):
                deepest = max(deepest, depth + 1)
                below += item.values() if isinstance(item, dict) else item
        depth, level = depth + 1, below
    return deepest


def published_clean(text: str) -> str:
    """What eai-eval does to an action-sequencing output before reading it."""
    if text.startswith("```json"):
        text = text[7:]
    return text.strip().replace("\n", "").replace("'", '"')


_KEY = re.compile(r'"(\w+)"\s*:\s*\[')


def published_plan(text: str) -> list[tuple[str, list[Any]]]:
    """All ``"WORD": [...]`` in a text, as eai-eval collects them.

    The same matches as its pattern ``"(\\w+)"\\s*:\\s*(\\[[^\\]]+\\])``, in linear time.

    Raises:
        ParsingError: a list so found is not JSON, or the text is longer than any plan.
    """
    check_length(text)
    text = re.sub(r"\s+", " ", text.strip())
    steps: list[tuple[str, list[Any]]] = []
    position = 0
    while (key := _KEY.search(text, position)) is not None:
        start = key.end() - 1
        end = text.find("]", start + 1)
        if end < 0:
            break
        if end == start + 1:  # an empty list is no match; go on behind the first quote
            position = key.start() + 1
            continue
        try:
            steps.append((key.group(1), published_json(text[start : end + 1])))
        except ValueError as error:
            raise ParsingError(f"the arguments of {key.group(1)!r} are not JSON") from error
        position = end + 1
    return steps


def published_goals(text: str) -> Any:
    """A goal-interpretation output as eai-eval reads it.

    Raises:
        ParsingError: it is not JSON.
    """
    check_length(text)
    text = text.replace("<|eot_id|>", "")
    if not text.strip():
        raise ParsingError("the output is empty")
    if text.startswith("```json"):
        text = text[7:].strip("`")
    try:
        return published_json(text.strip().replace("\n", "").replace("'", '"'))
    except ValueError as error:
        raise ParsingError(not_json(error)) from None


def not_json(error: ValueError) -> str:
    """Why an output is not JSON, in the same words on every Python: 3.13 and later have some of
    their own for a comma behind the last item."""
    if isinstance(error, json.JSONDecodeError) and error.msg.startswith("Illegal trailing comma"):
        of_list = error.msg.endswith("array")
        expected = "value" if of_list else "property name enclosed in double quotes"
        behind = error.doc[error.pos + 1 :]
        at = len(error.doc) - len(behind.lstrip(" \t\n\r"))
        error = json.JSONDecodeError(f"Expecting {expected}", error.doc, at)
    return f"the output is not JSON: {error}"


def python_literal(text: str) -> Any:
    """The value of a Python literal; nothing is evaluated.

    Raises:
        ValueError: it is none, or too large.
    """
    check_length(text)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of escapes that Python does not know
        try:
            return ast.literal_eval(text)
        except (SyntaxError, TypeError, ValueError, MemoryError, RecursionError) as error:
            # Python reads brackets 200 deep; what is deeper is a chain of operators, which is no
            # literal. How Python says so hangs on its version, on how deep it can go, and on
            # addresses in memory.
            raise ValueError("malformed node or string") from error
