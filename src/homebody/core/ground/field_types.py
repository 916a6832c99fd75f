"""Checks the declared types of a dataclass when a record is made.

A wrong value gives an error message that states the expected type, instead of a traceback later.
"""

from __future__ import annotations

import ast
import builtins
import inspect
import re
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from dataclasses import MISSING, fields, is_dataclass
from functools import cache
from inspect import isfunction
from reprlib import repr as short
from typing import Any, Final, get_origin

from homebody.core.ground.user_errors import HomebodyError

_WORDS: Final[Mapping[type, str]] = {
    str: "a string",
    int: "a whole number",
    float: "a number",
    Callable: "a function",  # type: ignore[dict-item]
    Mapping: "a mapping",
    Set: "a set",
    tuple: "a tuple",
    Sequence: "a list or tuple",
}


def check_fields(record: Any) -> None:
    """Raise HomebodyError if a field of a dataclass does not have its declared type.

    Functions only have to be callable; the items of mappings and tuples are checked. Types that are
    unknown at run time, such as type variables, accept anything.
    """
    kind: Any = type(record)
    names = vars(sys.modules[kind.__module__])
    for name, declared in _read_declarations(kind):
        wrong = _find_mismatch(getattr(record, name), declared, names)
        if wrong is not None:
            at, expected, value = wrong
            hint = _read_descriptions(kind).get(name, "")
            if is_dataclass(expected) and isinstance(expected, type):
                needed = (each.name for each in fields(expected) if _is_needed(each))
                hint = f"write {expected.__name__}({', '.join(needed)}). {hint}"
            raise HomebodyError(
                f"{kind.__name__}.{name}{at} must be {_describe_type(expected)},"
                f" not {_describe_value(value)}",
                hint.strip(),
            )


@cache
def _read_declarations(kind: type) -> tuple[tuple[str, ast.expr], ...]:
    """Return the fields of a dataclass with their types as syntax trees."""
    return tuple((each.name, _parse_type(str(each.type))) for each in fields(kind))


@cache
def _read_descriptions(kind: type) -> Mapping[str, str]:
    """Return field -> its description in the docstring of a dataclass."""
    _, _, listed = inspect.cleandoc(kind.__doc__ or "").partition("Attributes:")
    entries = re.findall(r"^ {4}(\w+): (.*(?:\n {6,}.*)*)", listed, re.MULTILINE)
    return {name: " ".join(text.split()).replace("``", "") for name, text in entries}


def _is_needed(field: Any) -> bool:
    return field.default is MISSING and field.default_factory is MISSING


@cache
def _parse_type(text: str) -> ast.expr:
    return ast.parse(text, mode="eval").body


def _find_mismatch(
    value: Any, declared: ast.expr, names: Mapping[str, Any]
) -> tuple[str, Any, Any] | None:
    """Return the position at which a value does not have the declared type, the expected type, and
    the value at this position. None if the value has the declared type."""
    match declared:
        case ast.BinOp(left=left, right=ast.Constant(value=None)):
            return None if value is None else _find_mismatch(value, left, names)
        case ast.Subscript(value=ast.Name(id=name), slice=inner):
            return _check_kind(value, _resolve_name(name, names)) or next(
                _find_inner_mismatches(value, inner, names), None
            )
        case ast.Name(id=name) if isinstance(alias := names.get(name), str):
            return _find_mismatch(value, _parse_type(alias), names)
        case ast.Name(id=name):
            return _check_kind(value, _resolve_name(name, names))
    return None


def _resolve_name(name: str, names: Mapping[str, Any]) -> Any:
    return names.get(name) or vars(builtins).get(name)


def _check_kind(value: Any, kind: Any) -> tuple[str, Any, Any] | None:
    kind = get_origin(kind) or kind
    if kind is float:
        fits = isinstance(value, int | float)
    elif kind is Callable or getattr(kind, "_is_protocol", False):
        fits, kind = callable(value), Callable
    elif isinstance(kind, type) and kind is not Any:
        fits = isinstance(value, kind) and not (kind is Sequence and isinstance(value, str))
    else:
        fits = True
    return None if fits else ("", kind, value)


def _find_inner_mismatches(
    value: Any, declared: ast.expr, names: Mapping[str, Any]
) -> Iterator[tuple[str, Any, Any]]:
    """Yield the mismatches of the items of a mapping or tuple."""
    match value, declared:
        case Mapping(), ast.Tuple(elts=[of_key, of_value]):
            held = [("", key, of_key) for key in value]
            held += [(f"[{key!r}]", each, of_value) for key, each in value.items()]
        case tuple(), ast.Tuple(elts=[of_each, ast.Constant()]):
            held = [(f"[{number}]", each, of_each) for number, each in enumerate(value)]
        case _:
            held = []
    for at, each, kind in held:
        wrong = _find_mismatch(each, kind, names)
        if wrong is not None:
            deeper, expected, inner = wrong
            yield at + deeper, expected, inner


def _describe_value(value: Any) -> str:
    return f"the function {value.__name__}" if isfunction(value) else short(value)


def _describe_type(kind: Any) -> str:
    name = kind.__name__
    return _WORDS.get(kind) or f"{'an' if name[0] in 'AEIOU' else 'a'} {name}"
