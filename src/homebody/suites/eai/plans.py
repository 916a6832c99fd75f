"""The reader of plans, for both worlds. It reads the steps, and finds the objects that they name.

VirtualHome's prompts request ``{"GRAB": ["soap", "1002"], ...}``, BEHAVIOR's ``[{"action": "OPEN",
"object": "fridge_97"}, ...]``. If one format is requested, the other format and mixtures of both
are also read, and the deviation is noted. Source: EAI paper, section 2.5.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Any

from homebody.suites.eai.answers import letters, read_answer
from homebody.suites.eai.lenient_json import JsonObject, describe_value, quote
from homebody.suites.eai.reading import Deviation, ParsingError, Reading

ACTION = "action"
OBJECTS = ("object", "objects", "args", "arguments", "parameters")
"""Keys for the objects of a step, beside its action; the first is BEHAVIOR's."""


@dataclass(frozen=True, slots=True)
class RawStep:
    """One action as written: its name and its arguments, not yet looked up."""

    name: str
    args: tuple[str, ...]


def read_steps(
    output: str, reading: Reading, *, listed: bool, actions: Collection[str]
) -> list[RawStep]:
    """Read the steps of the one plan in an output.

    A list or object without the name of any action is a plan only if there is no other plan.

    Args:
        output: Output of a model.
        reading: Notes deviations from the requested format.
        listed: True if the requested format is a list of actions with their objects. False if it is
            one object that maps actions to lists.
        actions: Names of all actions, in upper case.

    Raises:
        ParsingError: There is no plan, there are several, or the plan has no action.
    """
    keyed, entries = "an object from actions to lists", 'a list of {"action": ..., "object": ...}'
    plan = _Plan(listed, _actions_by_letters(frozenset(actions)))
    steps: list[RawStep] = read_answer(
        output,
        reading,
        plan.steps_of_actions,
        entries if listed else keyed,
        fallback=plan.steps,
        join=plan.join,
    )
    if not steps:
        raise ParsingError("the output has no action")
    return steps


@cache
def _actions_by_letters(actions: frozenset[str]) -> Mapping[str, str]:
    return {letters(action): action for action in actions}


@dataclass(frozen=True, slots=True)
class _Plan:
    """The requested format, as in :func:`read_steps`; actions are keyed by their letters alone."""

    listed: bool
    actions: Mapping[str, str]

    def join(self, values: list[Any]) -> list[Any] | None:
        """Join consecutive objects of one step each into one plan."""
        if not all(isinstance(v, JsonObject) and (len(v) == 1 or _is_entry(v)) for v in values):
            return None
        if self.listed or any(map(_is_entry, values)):
            return values
        return JsonObject(step for value in values for step in value)

    def steps_of_actions(self, value: Any, reading: Reading) -> list[RawStep] | None:
        """Read the steps in a list or an object; None if no step has a known action."""
        steps = self.steps(value, reading)
        return steps if any(self._is_action(step.name) for step in steps or ()) else None

    def steps(self, value: Any, reading: Reading) -> list[RawStep] | None:
        """Read the steps in a list or an object; None if it has none."""
        if isinstance(value, JsonObject):
            nested = [item for _, item in value if _has_steps(item)]
            keys = [key for key, _ in value]
            if len(nested) == 1 and ACTION not in keys and not any(map(self._is_action, keys)):
                reading.note(Deviation.SHAPE, "a plan within an object")
                return self.steps(nested[0], reading)
            items = [value]
            if self.listed:
                reading.note(Deviation.SHAPE, "an object where a list is requested")
        elif len(value) == 1 and _has_steps(value[0]) and not isinstance(value[0], JsonObject):
            reading.note(Deviation.SHAPE, "a list around the plan")
            return self.steps(value[0], reading)
        elif all(isinstance(item, JsonObject) for item in value):
            items = value
            if not self.listed and not any(map(_is_entry, items)):
                reading.note(Deviation.SHAPE, "a list where an object is requested")
        elif any(isinstance(item, JsonObject) and _is_entry(item) for item in value):
            raise ParsingError("a plan has something else than objects in its list")
        else:
            return None
        steps = []
        for item in items:
            if _is_entry(item):
                steps.append(self._read_entry(item, reading))
            else:
                steps += self._read_keys(item, reading)
        return steps

    def _read_keys(self, item: JsonObject, reading: Reading) -> list[RawStep]:
        if self.listed:
            reading.note(Deviation.SHAPE, "actions as keys")
        steps = []
        for key, words in item:
            if not isinstance(words, list) and not self._is_action(key):
                reading.note(Deviation.SHAPE, f"the key {quote(key)}, which is not an action")
            else:
                steps.append(
                    RawStep(
                        self._find_action(key, reading), _read_words(key, words, reading, False)
                    )
                )
        return steps

    def _read_entry(self, entry: JsonObject, reading: Reading) -> RawStep:
        fields = dict(entry)
        named = [key for key in OBJECTS if key in fields]
        name = fields[ACTION]
        if not isinstance(name, str):
            raise ParsingError(f'the "action" of a step is {describe_value(name)}, not a string')
        if len(named) > 1 or len(entry) > len(fields):
            raise ParsingError(
                f"the step {quote(name)} names its objects twice, or has a key twice"
            )
        if not self.listed:
            reading.note(Deviation.SHAPE, 'steps with "action"')
        elif not named:
            raise ParsingError(f'the step {quote(name)} has no "object"')
        elif len(fields) > 2 or named != [OBJECTS[0]]:
            reading.note(Deviation.SHAPE, 'keys other than "action" and "object"')
        words = _read_words(name, fields[named[0]], reading, True) if named else ()
        return RawStep(self._find_action(name, reading), words)

    def _is_action(self, name: str) -> bool:
        return letters(name) in self.actions

    def _find_action(self, written: str, reading: Reading) -> str:
        """Return the action that a name means, in any case; the name itself if unknown."""
        name = written.strip()
        action = self.actions.get(letters(name), name)
        if action.upper() == name.upper():
            return name
        reading.note(Deviation.NAMES, f"{quote(name)} for {quote(action)}")
        return action


def _has_steps(value: Any) -> bool:
    """Return whether a value consists of steps. JSON objects are never arguments of a step."""
    if isinstance(value, JsonObject) or not isinstance(value, list):
        return isinstance(value, JsonObject)
    if len(value) == 1:
        return _has_steps(value[0])
    return bool(value) and all(isinstance(item, JsonObject) for item in value)


def _is_entry(item: JsonObject) -> bool:
    """Return whether an object is a step with the key ``action``."""
    return any(key == ACTION for key, _ in item)


def _read_words(action: str, written: Any, reading: Reading, as_text: bool) -> tuple[str, ...]:
    """Read the words of a list, or of a string with commas, according to the requested format."""
    if isinstance(written, list) and not isinstance(written, JsonObject):
        if as_text:
            reading.note(Deviation.SHAPE, "a list of objects where a string is requested")
        return tuple(_read_word(action, word) for word in written)
    if not as_text:
        if not isinstance(written, str):
            raise ParsingError(
                f"the objects of {quote(action)} are {describe_value(written)}, not a list"
            )
        reading.note(Deviation.SHAPE, "objects that are not in a list")
    return tuple(word.strip() for word in _read_word(action, written).split(","))


def _read_word(action: str, value: Any) -> str:
    if isinstance(value, str):
        return value.strip()
    if isinstance(value, int) and not isinstance(value, bool):
        return str(value)
    found = describe_value(value)
    raise ParsingError(f"an object of {quote(action)} is {found}, neither a name nor an id")


# -- the objects that steps name ------------------------------------------------------------------

_APART = re.compile(r"[\s._<>()\[\],#\-]+")


def spelling(name: str) -> str:
    """Normalize a name: ``soap.1002``, ``<soap> (1002)`` and ``Soap_1002`` become equal."""
    return _APART.sub("_", name).strip("_").lower()


_known_spelling = lru_cache(maxsize=20_000)(spelling)  # scenes share objects


def spellings(names: Collection[str]) -> Mapping[str, str]:
    """Map spellings to names."""
    return dict(zip(map(_known_spelling, names), names, strict=True))


def _find_by_id(number: str, known: Mapping[str, str]) -> str | None:
    """Return the only object with an id, or None."""
    found = [name for spelt, name in known.items() if _trailing_id(spelt) == number]
    return found[0] if len(found) == 1 else None


def _trailing_id(spelt: str) -> str:
    """Return the id at the end of a normalized name; empty if it has none."""
    number = spelt.rpartition("_")[2]
    return number if number.isdecimal() else ""


def find_object(
    words: Sequence[str], known: Mapping[str, str], by_class: Callable[[str], str | None]
) -> tuple[int, str | None]:
    """Find the object that the first words name.

    Args:
        words: Names with or without a following id, or ids alone.
        known: Known objects, from :func:`spellings`.
        by_class: Name without id -> the object that it means, if any.

    Returns:
        The number of words used, and the object's name, or None if there is no such object.
    """
    first, second = (spelling(word) for word in (*words, "")[:2])
    if second.isdecimal() and not first.isdecimal():
        return 2, known.get(spelling(f"{words[0]} {words[1]}"))
    found = known.get(first) or (_find_by_id(first, known) if first.isdecimal() else None)
    return 1, found or by_class(words[0])


def find_objects(
    words: Sequence[str],
    known: Mapping[str, str],
    by_class: Callable[[str], str | None],
    expected: Callable[[str], Sequence[str]],
    reading: Reading,
) -> tuple[str, ...]:
    """Find the objects that words name, one after another.

    Args:
        words: As in :func:`find_object`.
        known: As in :func:`find_object`.
        by_class: As in :func:`find_object`.
        expected: Object -> the words that should name it.
        reading: Notes other words.

    Raises:
        LookupError: There is no object with a name. The message also says which other object has
            the id in the name.
    """
    objects = []
    while words:
        taken, thing = find_object(words, known, by_class)
        here, words = list(words[:taken]), words[taken:]
        if thing is None:
            number = _trailing_id(spelling(here[-1]))
            other = _find_by_id(number, known) if number else None
            owner = f"; {number} is the id of {other!r}" if other else ""
            raise LookupError(f"there is no object {' '.join(here)!r}{owner}")
        note_name(here, expected(thing), reading)
        objects.append(thing)
    return tuple(objects)


def note_name(words: Sequence[str], expected: Sequence[str], reading: Reading) -> None:
    """Note a deviation if an object is not named with the expected words."""
    if list(words) != list(expected):
        written, intended = (", ".join(map(quote, names)) for names in (words, expected))
        reading.note(Deviation.NAMES, f"{written} for {intended}")
