"""The one reader of plans, for both worlds: steps as they are written, and the objects they name.

VirtualHome's prompts ask for ``{"GRAB": ["soap", "1002"], ...}``, BEHAVIOR's for
``[{"action": "OPEN", "object": "fridge_97"}, ...]``. Each is read where the other is asked for,
and so is what lies between; that it is not what was asked for is noted.

Source: EAI paper, section 2.5.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from homebody.suites.eai.answers import Deviation, JsonObject, ParsingError, Reading, read_answer

ACTION = "action"
OBJECTS = ("object", "objects", "args", "arguments", "parameters")
"""What the objects of a step may be called beside its action; the first is BEHAVIOR's."""


@dataclass(frozen=True, slots=True)
class RawStep:
    """One action as written: its name and its arguments, not yet looked up."""

    name: str
    args: tuple[str, ...]


def read_steps(output: str, reading: Reading, *, listed: bool) -> list[RawStep]:
    """The steps of the one plan in an output.

    Args:
        output: What a model wrote.
        reading: Notes how it is not what was asked for.
        listed: Whether a list of actions with their objects is asked for, not one object from
            actions to lists.

    Raises:
        ParsingError: it holds no plan, or several, or one without any action.
    """
    keyed, entries = "an object from actions to lists", 'a list of {"action": ..., "object": ...}'
    steps: list[RawStep] = read_answer(
        output,
        reading,
        lambda value, own: _steps(value, own, listed),
        entries if listed else keyed,
        _joined,
    )
    if not steps:
        raise ParsingError("the output has no action")
    return steps


def _joined(values: list[Any]) -> list[Any] | None:
    """Objects of one step each, one after another, as their list."""
    steps = all(isinstance(v, JsonObject) and (len(v) == 1 or _is_entry(v)) for v in values)
    return values if steps else None


def _steps(value: Any, reading: Reading, listed: bool) -> list[RawStep] | None:
    """The steps that a list or an object says; None if it says none."""
    if isinstance(value, JsonObject):
        nested = [item for _, item in value if isinstance(item, list)]
        if len(nested) == 1 and _holds_steps(nested[0]):  # by some name, beside words about it
            reading.note(Deviation.SHAPE, "a plan within an object")
            return _steps(nested[0], reading, listed)
        items = [value]
        if listed:
            reading.note(Deviation.SHAPE, "an object where a list is asked for")
    elif all(isinstance(item, JsonObject) for item in value):
        items = value
        if not listed:
            reading.note(Deviation.SHAPE, "a list where an object is asked for")
    else:
        return None
    steps = []
    for item in items:
        if _is_entry(item):
            steps.append(_entry(item, reading, listed))
        else:
            if listed:
                reading.note(Deviation.SHAPE, "actions as keys")
            steps += [RawStep(n.strip(), _words(n, words, reading, False)) for n, words in item]
    return steps


def _holds_steps(value: list[Any]) -> bool:
    """Whether a list or object is steps itself: no step's arguments are an object, or a list of
    them."""
    return isinstance(value, JsonObject) or (
        bool(value) and all(isinstance(item, JsonObject) for item in value)
    )


def _is_entry(item: JsonObject) -> bool:
    """Whether an object is a step that says ``action``."""
    return any(key == ACTION for key, _ in item)


def _entry(entry: JsonObject, reading: Reading, listed: bool) -> RawStep:
    fields = dict(entry)
    named = [key for key in OBJECTS if key in fields]
    name = fields[ACTION]
    if not isinstance(name, str) or len(named) > 1 or len(entry) > len(fields):
        raise ParsingError('a step has no text "action", or a key twice')
    if not listed:
        reading.note(Deviation.SHAPE, 'steps with "action"')
    elif not named:
        raise ParsingError(f'the step {name[:60]!r} has no "object"')
    elif len(fields) > 2 or named != [OBJECTS[0]]:
        reading.note(Deviation.SHAPE, 'other keys than "action" and "object"')
    return RawStep(name.strip(), _words(name, fields[named[0]], reading, True) if named else ())


def _words(action: str, written: Any, reading: Reading, as_text: bool) -> tuple[str, ...]:
    """The words of a list, or of a text with commas; each may be asked for."""
    if isinstance(written, list) and not isinstance(written, JsonObject):
        if as_text:
            reading.note(Deviation.SHAPE, "a list of objects where a text is asked for")
        return tuple(_word(action, word) for word in written)
    if not as_text:
        if not isinstance(written, str):
            raise ParsingError(f"the arguments of {action[:60]!r} are not a list")
        reading.note(Deviation.SHAPE, "objects that are no list")
    return tuple(word.strip() for word in _word(action, written).split(","))


def _word(action: str, value: Any) -> str:
    if isinstance(value, str):
        return value.strip()
    if isinstance(value, int) and not isinstance(value, bool):
        return str(value)
    raise ParsingError(f"an argument of {action[:60]!r} is neither a name nor an id")


# -- the objects that steps name -------------------------------------------------------------------

_APART = re.compile(r"[\s._<>()\-]+")


def spelling(name: str) -> str:
    """A name as names are compared: ``soap.1002``, ``<soap> (1002)`` and ``Soap_1002`` are one."""
    return _APART.sub("_", name.strip(" <>()._-\t")).lower()


def spellings(names: Iterable[str]) -> Mapping[str, str]:
    """Spelling -> name."""
    return {spelling(name): name for name in names}


def find_object(
    words: Sequence[str], known: Mapping[str, str], by_class: Callable[[str], str | None]
) -> tuple[int, str | None]:
    """The object that the first words name: how many of them, and its name, or None if there is no
    such object.

    Args:
        words: Names, each with or without its id behind it.
        known: Of the objects that there are, as :func:`spellings` has them.
        by_class: A name without id -> the object that it means, if any.
    """
    if len(words) > 1 and words[1].strip("() ").isdecimal():
        return 2, known.get(spelling(f"{words[0]} {words[1]}"))
    return 1, known.get(spelling(words[0])) or by_class(words[0])


def note_name(words: Sequence[str], asked: Sequence[str], reading: Reading) -> None:
    """Note that an object is named in other words than those that are asked for, if it is."""
    if list(words) != list(asked):
        written = " ".join(words)[:60]
        reading.note(Deviation.NAMES, f"{written!r} for {', '.join(asked)!r}")
