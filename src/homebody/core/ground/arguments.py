"""What the package's front functions are given, checked once: a sentence says what is expected."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from operator import index
from reprlib import repr as short_repr

from homebody.core.ground.user_errors import HomebodyError


def whole(name: str, value: object, least: int = 0) -> int:
    """A whole number, numpy's too. Raises HomebodyError if a value is none, or less than
    ``least``."""
    try:
        number = -1 if isinstance(value, bool) else index(value)  # type: ignore[arg-type]
    except TypeError:
        number = -1
    if number < least:
        raise HomebodyError(f"{name} must be a whole number from {least}, not {short_repr(value)}")
    return number


def text(name: str, value: object) -> str:
    """A text. Raises HomebodyError if a value is none."""
    if not isinstance(value, str):
        raise HomebodyError(f"{name} must be a text, not {short_repr(value)}")
    return value


def texts(name: str, value: object) -> dict[str, str]:
    """Texts by name; none for None. Raises HomebodyError if a value is anything else."""
    if value is None:
        return {}
    if not isinstance(value, Mapping):
        raise HomebodyError(f"{name} must be texts by name, not {short_repr(value)}")
    return {text(f"a name in {name}", key): text(f"{name}: {key}", value[key]) for key in value}


def names(name: str, value: object) -> list[str]:
    """Several texts; none for None. Raises HomebodyError if a value is anything else."""
    if value is None:
        return []
    if isinstance(value, str) or not isinstance(value, Sequence):
        raise HomebodyError(f"{name} must be a list of texts, not {short_repr(value)}")
    return [text(f"what is in {name}", each) for each in value]


def numbers(name: str, value: Mapping[str, float] | None) -> dict[str, float]:
    """Numbers by name, which who knows the names has to look at; none for None. Raises
    HomebodyError if a value is anything else."""
    if value is None:
        return {}
    if not isinstance(value, Mapping):
        raise HomebodyError(f"{name} must be numbers by name, not {short_repr(value)}")
    return {text(f"a name in {name}", key): value[key] for key in value}
