"""Reading what models write. Any text gives a result; nothing is ever evaluated as code."""

from __future__ import annotations

import ast
import hashlib
import json
import re
import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any, TypeAlias

from homebody.core.nesting import (
    MAX_DEPTH,
    TooDeep,
    check_depth,
    few_brackets,
    groups,
    groups_at,
)

MAX_CHARACTERS = 200_000
"""Longer outputs are parsing errors: no plan is that long, and it bounds the work."""

Pairs: TypeAlias = list[tuple[str, Any]]

MAX_TRIES = 100
"""How many braces that start no JSON object are passed over."""

MAX_LIST_DEPTH = 20
"""Deepest nesting of brackets in a list; a plan has 2."""

PUBLISHED_DEPTH = 990
"""Deepest nesting of JSON that the published evaluators read: there Python's usual recursion limit
stops them."""

_THINKING = re.compile(r"\A\s*<think>.*?</think>", re.DOTALL)
_SPECIAL = re.compile(r"<\|[a-z_]{1,30}\|>")


class ParsingError(ValueError):
    """The output is not in the format that was asked for; the message says why."""


@dataclass(frozen=True, slots=True)
class RawStep:
    """One action as written: its name and its arguments, not yet looked up."""

    name: str
    args: tuple[str, ...]


class _Object(list[tuple[str, Any]]):
    """A JSON object as pairs, so that repeated keys are kept in order."""


def parse_object(text: str) -> Pairs:
    """The one JSON object in an output, as ``(key, value)`` pairs in order.

    What is around it does not matter: code fences, prose, a ``<think>`` part, a list of one.
    Single quotes in place of double ones are tolerated. Nested objects are lists of pairs.

    Raises:
        ParsingError: there is no JSON object, or more than one.
    """
    check_length(text)
    text = _answer(text)
    objects = _objects(text) or ("'" in text and _objects(text.replace("'", '"')))
    if not objects:
        raise ParsingError(_reason(text))
    if len(objects) > 1:
        raise ParsingError(f"the output has {len(objects)} JSON objects where one is expected")
    return objects[0]


def _answer(text: str) -> str:
    """An output without a ``<think>`` part. Raises ParsingError if nothing is left."""
    answer = _THINKING.sub("", _SPECIAL.sub("", text)).strip()
    if not answer:
        raise ParsingError("the output is empty")
    return answer


def check_length(text: str) -> None:
    """Raises ParsingError on a text of more than :data:`MAX_CHARACTERS`."""
    if len(text) > MAX_CHARACTERS:
        raise ParsingError(f"the output has {len(text):,} characters; {MAX_CHARACTERS:,} at most")


def _objects(text: str) -> list[_Object]:
    """The outermost JSON objects of a text, of those that are not nested too deep; gives up after
    :data:`MAX_TRIES` broken ones."""
    decoder = json.JSONDecoder(object_pairs_hook=_Object)
    objects: list[_Object] = []
    shallow = few_brackets(text)
    known: dict[int, tuple[int, int]] = {}
    position, tries = text.find("{"), 0
    while position >= 0 and tries < MAX_TRIES:
        if not shallow and position not in known:
            known |= groups(text, position)
        depth, end = (1, 0) if shallow else known[position]
        try:
            if not 0 < depth <= MAX_DEPTH:
                raise TooDeep
            value, end = decoder.raw_decode(text, position)
            objects.append(value)
        except TooDeep:
            end, tries = end or position + 1, tries + 1
        except ValueError:
            end, tries = position + 1, tries + 1
        position = text.find("{", end)
    return objects


def _reason(text: str) -> str:
    """Why a text holds no JSON object."""
    try:
        check_depth(text)
        json.loads(text)
    except TooDeep:
        return "the output is nested too deep"
    except ValueError as error:
        return not_json(error)
    return "the output is JSON, but not an object"


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


def plain(value: Any) -> Any:
    """Nested pairs as dicts (the last of repeated keys wins)."""
    if isinstance(value, _Object):
        return {key: plain(item) for key, item in value}
    if isinstance(value, list):
        return [plain(item) for item in value]
    return value


def parse_plan(text: str) -> list[RawStep]:
    """The action-sequencing format: ``{"ACTION": [name, id, ...], ...}``.

    Raises:
        ParsingError: it is something else, or has no action.
    """
    steps = []
    for name, value in parse_object(text):
        arguments = value if isinstance(value, list) and not isinstance(value, _Object) else None
        if arguments is None:
            raise ParsingError(f"the arguments of {name!r} are not a list")
        steps.append(RawStep(name.strip(), tuple(_argument(name, a) for a in arguments)))
    if not steps:
        raise ParsingError("the output has no action")
    return steps


def _argument(action: str, value: Any) -> str:
    if isinstance(value, str):
        return value.strip()
    if isinstance(value, int) and not isinstance(value, bool):
        return str(value)
    raise ParsingError(f"an argument of {action!r} is neither a name nor an id")


# -- lists in texts ----------------------------------------------------------------------------


def parse_list(text: str) -> list[Any]:
    """The one list of objects (dicts) in an output; what is around it does not matter.

    It may be written as JSON or as Python would, with comments. It is read, never evaluated.

    Raises:
        ParsingError: there is none, or more than one.
    """
    check_length(text)
    text = _answer(text)
    lists: list[list[Any]] = []
    problem = "the output has no list"
    position, scanned = text.find("["), 0
    while position >= 0 and scanned < 5 * MAX_CHARACTERS:
        end, after = _closing(text, position)
        scanned += after - position
        try:
            value = python_literal(text[position:end]) if end else None
        except ValueError as error:
            value, problem = None, f"the list cannot be read: {str(error)[:80]}"
        if isinstance(value, list) and (not value or any(isinstance(v, dict) for v in value)):
            lists.append(value)
            position = text.find("[", end)
        else:
            position = text.find("[", position + 1)
    filled = [value for value in lists if value] or lists[:1]
    if not filled:
        raise ParsingError(problem)
    if len(filled) > 1:
        raise ParsingError(f"the output has {len(filled)} lists where one is expected")
    return filled[0]


def _closing(text: str, start: int) -> tuple[int, int]:
    """Where the bracket at ``start`` is closed (the position after), or 0, and how far it was
    looked for. Brackets in texts and in comments do not count."""
    depth, quote, position = 0, "", start
    while position < len(text):
        char = text[position]
        if quote:
            if char == "\\":
                position += 1
            elif char == quote:
                quote = ""
        elif char in "\"'":
            quote = char
        elif char == "#":
            line = text.find("\n", position)
            position = line if line >= 0 else len(text)
        elif char in "[{(":
            depth += 1
            if depth > MAX_LIST_DEPTH:
                return 0, position
        elif char in "]})":
            depth -= 1
            if depth == 0:
                return position + 1, position + 1
        position += 1
    return 0, position


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


# -- the published readers -----------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Deeper:
    """What stands in a value of JSON below :data:`MAX_DEPTH` levels, as its text."""

    text: str


def published_json(text: str) -> Any:
    """A value of JSON as eai-eval reads it, but for what lies too deep for anybody to look at.

    Raises:
        ValueError: it is not JSON, or nested more than :data:`PUBLISHED_DEPTH` levels deep.
    """
    if few_brackets(text):
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
