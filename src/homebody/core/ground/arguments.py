"""Check the arguments of public functions; errors say what is expected."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from operator import index
from reprlib import repr as short_repr

from homebody.core.ground.user_errors import HomebodyError


def whole(name: str, value: object, least: int = 0) -> int:
    """Return a whole number, of Python or numpy. Raises HomebodyError if the value is anything else
    or less than ``least``."""
    try:
        number = -1 if isinstance(value, bool) else index(value)  # type: ignore[arg-type]
    except TypeError:
        number = -1
    if number < least:
        raise HomebodyError(
            f"{name} must be a whole number of at least {least}, not {short_repr(value)}"
        )
    return number


def text(name: str, value: object) -> str:
    """Return a string. Raises HomebodyError on another value."""
    if not isinstance(value, str):
        raise HomebodyError(f"{name} must be a string, not {short_repr(value)}")
    return value


def texts(name: str, value: object) -> dict[str, str]:
    """Return a mapping of strings; empty for None. Raises HomebodyError on another value."""
    if value is None:
        return {}
    if not isinstance(value, Mapping):
        raise HomebodyError(f"{name} must map names to strings, not {short_repr(value)}")
    return {text(f"a name in {name}", key): text(f"{name}: {key}", value[key]) for key in value}


def names(name: str, value: object) -> list[str]:
    """Return a list of strings; empty for None. Raises HomebodyError on another value."""
    if value is None:
        return []
    if isinstance(value, str) or not isinstance(value, Sequence):
        raise HomebodyError(f"{name} must be a list of strings, not {short_repr(value)}")
    return [text(f"an item of {name}", each) for each in value]


def numbers(name: str, value: Mapping[str, float] | None) -> dict[str, float]:
    """Return a mapping of numbers; empty for None. Raises HomebodyError on another value; items are
    not checked."""
    if value is None:
        return {}
    if not isinstance(value, Mapping):
        raise HomebodyError(f"{name} must map names to numbers, not {short_repr(value)}")
    return {text(f"a name in {name}", key): value[key] for key in value}
