"""Reading of outputs by EAI's published evaluators, for both worlds.

The published evaluators use Python's JSON reader after some replacements, find parts by patterns,
or evaluate an output as Python code. homebody never evaluates an output; it only reads literals.
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
"""Maximum nesting depth of JSON for the published evaluators: Python's usual recursion limit."""


@dataclass(frozen=True, slots=True)
class Deeper:
    """The text of a JSON value below :data:`MAX_DEPTH` levels."""

    text: str


def published_json(text: str) -> Any:
    """Read JSON as eai-eval does, with :class:`Deeper` for deep parts. Raises ValueError."""
    if has_few_brackets(text):
        return json.loads(text)
    check_depth(text, PUBLISHED_DEPTH)
    values = []
    texts = [text]
    for outer in texts:  # grows: the deeper parts must be JSON too
        kept, deeper = _split_deep_groups(outer)
        stand_in = str(int(hashlib.sha256(outer.encode("utf-8", "replace")).hexdigest(), 16))
        number = partial(_read_number, stand_in, iter(deeper))
        shallow = f" {stand_in} ".join(kept)
        check_depth(shallow)  # brackets that are never closed are still there
        values.append(json.loads(shallow, parse_int=number))
        texts += deeper
    return values[0]


def _read_number(stand_in: str, deeper: Iterator[str], digits: str) -> int | Deeper:
    """Read a number, or return the deep text that the number replaces. No text contains its own
    digest, so numbers are not confused."""
    return Deeper(next(deeper)) if digits == stand_in else int(digits)


def _split_deep_groups(text: str) -> tuple[list[str], list[str]]:
    """Split a string into groups of brackets that are nested too deep, and the pieces between
    them."""
    kept, deeper, end = [], [], 0
    for begin, after in groups_at(text, MAX_DEPTH + 1):
        kept.append(text[end:begin])
        deeper.append(text[begin:after])
        end = after
    return [*kept, text[end:]], deeper


def count_levels(value: Any) -> int:
    """Count the levels of lists and objects in a value of :func:`published_json`."""
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
    """Clean an output of action sequencing, as eai-eval does before reading."""
    if text.startswith("```json"):
        text = text[7:]
    return text.strip().replace("\n", "").replace("'", '"')


_KEY = re.compile(r'"(\w+)"\s*:\s*\[')


def published_plan(text: str) -> list[tuple[str, list[Any]]]:
    r"""Collect all ``"WORD": [...]`` in a string, as eai-eval does.

    The matches are the same as with its pattern ``"(\w+)"\s*:\s*(\[[^\]]+\])``, in linear time.

    Raises:
        ParsingError: A list that is found is not JSON, or the text is longer than any plan.
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
        if end == start + 1:  # an empty list does not match; continue behind the first quote
            position = key.start() + 1
            continue
        try:
            steps.append((key.group(1), published_json(text[start : end + 1])))
        except ValueError as error:
            raise ParsingError(f"the arguments of {key.group(1)!r} are not JSON") from error
        position = end + 1
    return steps


def published_goals(text: str) -> Any:
    """Read a goal-interpretation output as eai-eval does. Raises ParsingError if it is not JSON."""
    check_length(text)
    text = text.replace("<|eot_id|>", "")
    if not text.strip():
        raise ParsingError("the output is empty")
    if text.startswith("```json"):
        text = text[7:].strip("`")
    try:
        return published_json(text.strip().replace("\n", "").replace("'", '"'))
    except ValueError as error:
        raise ParsingError(json_error_text(error)) from None


def json_error_text(error: ValueError) -> str:
    """Return the error message for an output that is not JSON, as in Python before 3.13."""
    if isinstance(error, json.JSONDecodeError) and error.msg.startswith("Illegal trailing comma"):
        of_list = error.msg.endswith("array")
        expected = "value" if of_list else "property name enclosed in double quotes"
        behind = error.doc[error.pos + 1 :]
        at = len(error.doc) - len(behind.lstrip(" \t\n\r"))
        error = json.JSONDecodeError(f"Expecting {expected}", error.doc, at)
    return f"the output is not JSON: {error}"


def python_literal(text: str) -> Any:
    """Return the value of a Python literal, without evaluating. Raises ValueError."""
    check_length(text)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of escapes that Python does not know
        try:
            return ast.literal_eval(text)
        except (SyntaxError, TypeError, ValueError, MemoryError, RecursionError) as error:
            # Python reads brackets 200 deep; deeper nesting is a chain of operators, not a literal.
            # Python's message depends on its version, recursion depth and addresses in memory.
            raise ValueError("malformed node or string") from error
