"""The one reader of plans, for both worlds: steps as they are written, and the objects they name.

VirtualHome's prompts ask for ``{"GRAB": ["soap", "1002"], ...}``, BEHAVIOR's for
``[{"action": "OPEN", "object": "fridge_97"}, ...]``. Each is read where the other is asked for,
and so is what lies between; that it is not what was asked for is noted.

Source: EAI paper, section 2.5.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from homebody.suites.eai.answers import letters, read_answer
from homebody.suites.eai.lenient_json import JsonObject, described, quoted
from homebody.suites.eai.reading import Deviation, ParsingError, Reading

ACTION = "action"
OBJECTS = ("object", "objects", "args", "arguments", "parameters")
"""What the objects of a step may be called beside its action; the first is BEHAVIOR's."""


@dataclass(frozen=True, slots=True)
class RawStep:
    """One action as written: its name and its arguments, not yet looked up."""

    name: str
    args: tuple[str, ...]


def read_steps(
    output: str, reading: Reading, *, listed: bool, actions: Collection[str]
) -> list[RawStep]:
    """The steps of the one plan in an output.

    A list or an object that names no action at all is a plan only if there is no other.

    Args:
        output: What a model wrote.
        reading: Notes how it is not what was asked for.
        listed: Whether a list of actions with their objects is asked for, not one object from
            actions to lists.
        actions: Names of all actions, in capitals.

    Raises:
        ParsingError: it holds no plan, or several, or one without any action.
    """
    keyed, entries = "an object from actions to lists", 'a list of {"action": ..., "object": ...}'
    plan = _Plan(listed, {letters(action): action for action in actions})
    steps: list[RawStep] = read_answer(
        output,
        reading,
        plan.steps_of_actions,
        entries if listed else keyed,
        otherwise=plan.steps,
        joined=plan.joined,
    )
    if not steps:
        raise ParsingError("the output has no action")
    return steps


@dataclass(frozen=True, slots=True)
class _Plan:
    """What is asked for, as :func:`read_steps` has it; the actions by their letters alone."""

    listed: bool
    actions: Mapping[str, str]

    def joined(self, values: list[Any]) -> list[Any] | None:
        """Objects of one step each, one after another, as one plan."""
        if not all(isinstance(v, JsonObject) and (len(v) == 1 or _is_entry(v)) for v in values):
            return None
        if self.listed or any(map(_is_entry, values)):
            return values
        return JsonObject(step for value in values for step in value)

    def steps_of_actions(self, value: Any, reading: Reading) -> list[RawStep] | None:
        """The steps that a list or an object says; None if none is of an action there is."""
        steps = self.steps(value, reading)
        return steps if any(self._names_action(step.name) for step in steps or ()) else None

    def steps(self, value: Any, reading: Reading) -> list[RawStep] | None:
        """The steps that a list or an object says; None if it says none."""
        if isinstance(value, JsonObject):
            nested = [item for _, item in value if _holds_steps(item)]
            keys = [key for key, _ in value]
            if len(nested) == 1 and ACTION not in keys and not any(map(self._names_action, keys)):
                reading.note(Deviation.SHAPE, "a plan within an object")
                return self.steps(nested[0], reading)
            items = [value]
            if self.listed:
                reading.note(Deviation.SHAPE, "an object where a list is asked for")
        elif len(value) == 1 and _holds_steps(value[0]) and not isinstance(value[0], JsonObject):
            reading.note(Deviation.SHAPE, "a list around the plan")
            return self.steps(value[0], reading)
        elif all(isinstance(item, JsonObject) for item in value):
            items = value
            if not self.listed and not any(map(_is_entry, items)):
                reading.note(Deviation.SHAPE, "a list where an object is asked for")
        elif any(isinstance(item, JsonObject) and _is_entry(item) for item in value):
            raise ParsingError("a plan has something else than objects in its list")
        else:
            return None
        steps = []
        for item in items:
            if _is_entry(item):
                steps.append(self._entry(item, reading))
            else:
                steps += self._keyed(item, reading)
        return steps

    def _keyed(self, item: JsonObject, reading: Reading) -> list[RawStep]:
        if self.listed:
            reading.note(Deviation.SHAPE, "actions as keys")
        steps = []
        for key, words in item:
            if not isinstance(words, list) and not self._names_action(key):
                reading.note(Deviation.SHAPE, f"the key {quoted(key)}, which is no action")
            else:
                steps.append(
                    RawStep(self._action(key, reading), _words(key, words, reading, False))
                )
        return steps

    def _entry(self, entry: JsonObject, reading: Reading) -> RawStep:
        fields = dict(entry)
        named = [key for key in OBJECTS if key in fields]
        name = fields[ACTION]
        if not isinstance(name, str):
            raise ParsingError(f'the "action" of a step is {described(name)}, not a text')
        if len(named) > 1 or len(entry) > len(fields):
            raise ParsingError(
                f"the step {quoted(name)} names its objects twice, or has a key twice"
            )
        if not self.listed:
            reading.note(Deviation.SHAPE, 'steps with "action"')
        elif not named:
            raise ParsingError(f'the step {quoted(name)} has no "object"')
        elif len(fields) > 2 or named != [OBJECTS[0]]:
            reading.note(Deviation.SHAPE, 'other keys than "action" and "object"')
        words = _words(name, fields[named[0]], reading, True) if named else ()
        return RawStep(self._action(name, reading), words)

    def _names_action(self, name: str) -> bool:
        return letters(name) in self.actions

    def _action(self, written: str, reading: Reading) -> str:
        """The action that a name means, capitals or not; the name if there is none such."""
        name = written.strip()
        action = self.actions.get(letters(name), name)
        if action.upper() == name.upper():
            return name
        reading.note(Deviation.NAMES, f"{quoted(name)} for {quoted(action)}")
        return action


def _holds_steps(value: Any) -> bool:
    """Whether a value is steps itself: no step's arguments are an object, or a list of them."""
    if isinstance(value, JsonObject) or not isinstance(value, list):
        return isinstance(value, JsonObject)
    if len(value) == 1:
        return _holds_steps(value[0])
    return bool(value) and all(isinstance(item, JsonObject) for item in value)


def _is_entry(item: JsonObject) -> bool:
    """Whether an object is a step that says ``action``."""
    return any(key == ACTION for key, _ in item)


def _words(action: str, written: Any, reading: Reading, as_text: bool) -> tuple[str, ...]:
    """The words of a list, or of a text with commas; each may be asked for."""
    if isinstance(written, list) and not isinstance(written, JsonObject):
        if as_text:
            reading.note(Deviation.SHAPE, "a list of objects where a text is asked for")
        return tuple(_word(action, word) for word in written)
    if not as_text:
        if not isinstance(written, str):
            raise ParsingError(
                f"the objects of {quoted(action)} are {described(written)}, not a list"
            )
        reading.note(Deviation.SHAPE, "objects that are no list")
    return tuple(word.strip() for word in _word(action, written).split(","))


def _word(action: str, value: Any) -> str:
    if isinstance(value, str):
        return value.strip()
    if isinstance(value, int) and not isinstance(value, bool):
        return str(value)
    found = described(value)
    raise ParsingError(f"an object of {quoted(action)} is {found}, neither a name nor an id")


# -- the objects that steps name -------------------------------------------------------------------

_APART = re.compile(r"[\s._<>()\[\],#\-]+")


def spelling(name: str) -> str:
    """A name as names are compared: ``soap.1002``, ``<soap> (1002)`` and ``Soap_1002`` are one."""
    return _APART.sub("_", name).strip("_").lower()


@lru_cache(maxsize=20_000)
def _known_spelling(name: str) -> tuple[str, str]:
    """The spelling of an object, and its id; scenes share objects, and answers are not kept."""
    spelt = spelling(name)
    return spelt, _number(spelt)


def spellings(names: Iterable[str]) -> Mapping[str, str]:
    """Spelling -> name."""
    return {_known_spelling(name)[0]: name for name in names}


def numbered(names: Iterable[str]) -> Mapping[str, str]:
    """Spelling -> name; and id -> name, where no other name has that id."""
    spelt: dict[str, str] = {}
    ids: dict[str, str | None] = {}
    for name in names:
        own, number = _known_spelling(name)
        spelt[own] = name
        ids[number] = None if number in ids else name
    return {number: name for number, name in ids.items() if number and name is not None} | spelt


def _number(spelt: str) -> str:
    """The id at the end of a name as names are compared; empty if there is none."""
    number = spelt.rpartition("_")[2]
    return number if number.isdecimal() else ""


def find_object(
    words: Sequence[str], known: Mapping[str, str], by_class: Callable[[str], str | None]
) -> tuple[int, str | None]:
    """The object that the first words name: how many of them, and its name, or None if there is no
    such object.

    Args:
        words: Names, each with or without its id behind it, or ids alone.
        known: Of the objects that there are, as :func:`numbered` has them.
        by_class: A name without id -> the object that it means, if any.
    """
    first, second = (spelling(word) for word in (*words, "")[:2])
    if second.isdecimal() and not first.isdecimal():
        return 2, known.get(spelling(f"{words[0]} {words[1]}"))
    return 1, known.get(first) or by_class(words[0])


def find_objects(
    words: Sequence[str],
    known: Mapping[str, str],
    by_class: Callable[[str], str | None],
    asked: Callable[[str], Sequence[str]],
    reading: Reading,
) -> tuple[str, ...]:
    """The objects that words name, one after another.

    Args:
        words: As :func:`find_object` has them.
        known: As :func:`find_object` has it.
        by_class: As :func:`find_object` has it.
        asked: Object -> the words by which it is to be named.
        reading: Notes other words than those.

    Raises:
        LookupError: there is no object of a name; its argument says so, and which other has the id
            that is in the name.
    """
    objects = []
    while words:
        taken, thing = find_object(words, known, by_class)
        here, words = list(words[:taken]), words[taken:]
        if thing is None:
            number = _number(spelling(here[-1]))
            its = f"; {number} is the id of {known[number]!r}" if number in known else ""
            raise LookupError(f"there is no object {' '.join(here)!r}{its}")
        note_name(here, asked(thing), reading)
        objects.append(thing)
    return tuple(objects)


def note_name(words: Sequence[str], asked: Sequence[str], reading: Reading) -> None:
    """Note that something is named in other words than those that are asked for, if it is."""
    if list(words) != list(asked):
        written, meant = (", ".join(map(quoted, names)) for names in (words, asked))
        reading.note(Deviation.NAMES, f"{written} for {meant}")
