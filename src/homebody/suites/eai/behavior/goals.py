"""Reading predicted goals on BEHAVIOR: ``{"node goals": [["open", "jar.n.01_1"], ...], ...}``.

Source: EAI paper, section 2.3 and appendix D.1.
"""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from homebody.core import Protocol
from homebody.core.formula import Atom, Literal, Not, atom_of
from homebody.core.ground.escaping import escape
from homebody.suites.eai.answers import object_with, read_answer
from homebody.suites.eai.behavior.tasks import BehaviorTask
from homebody.suites.eai.lenient_json import JsonObject, check_length, to_plain
from homebody.suites.eai.plan_results import wrong_number_text
from homebody.suites.eai.plans import note_name, spelling, spellings
from homebody.suites.eai.published import json_error_text, published_json
from homebody.suites.eai.reading import Deviation, ParsingError, Reading

_MAX_SHOWN = 60
"""Maximum number of characters shown of a malformed item."""
KINDS = ("state", "relation")
OTHER = "other"
"""The kind of a predicted goal whose predicate does not exist."""

LISTS = {"state": "node goals", "relation": "edge goals"}
STATES = ("cooked", "dusty", "frozen", "open", "sliced", "soaked", "stained", "toggled_on")
RELATIONS = ("inside", "nextto", "onfloor", "ontop", "touching", "under")
SYMMETRIC = frozenset(["nextto", "touching"])
_KIND = {**dict.fromkeys(STATES, "state"), **dict.fromkeys(RELATIONS, "relation")}
_LENGTH = {"state": 2, "relation": 3}


@dataclass(frozen=True, slots=True)
class Entry:
    """One predicted goal, as read.

    Attributes:
        kind: Kind of its predicate: ``state``, ``relation`` or ``other``.
        literal: The goal as a literal, or None if it cannot be one.
        malformed: True if its number of words is wrong for a goal.
        unknown_predicate: True if there is no such state or relation.
        unknown_object: True if an object is not listed.
        text: The goal as written, for people.
    """

    kind: str
    literal: Literal | None
    malformed: bool = False
    unknown_predicate: bool = False
    unknown_object: bool = False
    text: str = field(default="", compare=False)

    @property
    def is_sound(self) -> bool:
        """True if it is a goal over known predicates and listed objects."""
        return not (self.malformed or self.unknown_predicate or self.unknown_object)


@dataclass(frozen=True, slots=True)
class Predicted:
    """The goals read from an output.

    Attributes:
        entries: The predicted goals, including meaningless ones.
        keys: Keys of the object that contained them; empty where all keys are read.
    """

    entries: tuple[Entry, ...] = ()
    keys: tuple[str, ...] = ()


def read(
    task: BehaviorTask, output: str, protocol: Protocol, reading: Reading | None = None
) -> Predicted:
    """Read the predicted goals.

    Args:
        task: Task whose objects the names refer to.
        output: Output of a model.
        protocol: Protocol by which it is read.
        reading: Notes deviations, unless the output is read as published.

    Raises:
        ParsingError: The output is not in the format.
        TypeError, LookupError: Only with ``value_types_unchecked``, for goals of other types.
    """
    names = frozenset(row["bddl"] for row in task.objects)
    keys: tuple[str, ...] = ()
    if protocol.keeps("first_braces_read"):
        lists = list(_read_first_braces(output).values())
    else:
        values = _named_lists(output, names, reading or Reading.of(protocol))
        lists, keys = [values[name] for name in LISTS.values() if name in values], tuple(values)
    if protocol.keeps("value_types_unchecked"):
        items = [item for listed in lists for item in listed]
        return Predicted(tuple(_unchecked_entry(item, names) for item in items), keys)
    entries: list[Entry] = []
    for listed in lists:
        if isinstance(listed, list):
            entries += [_read_entry(item, names) for item in listed]
        else:
            entries.append(
                Entry(OTHER, None, malformed=True, text=f"{to_plain(listed)!r} is not a list")
            )
    return Predicted(tuple(entries), keys)


_BRACES = re.compile(r"\{[^{}]*\}")


def _read_first_braces(output: str) -> dict[str, Any]:
    check_length(output)
    text = output.lower().replace("'", '"').replace("toggledon", "toggled_on")
    braces = _BRACES.search(text)
    if braces is None:
        raise ParsingError("the output has no JSON object without others in it")
    try:
        value: dict[str, Any] = published_json(braces.group())
    except ValueError as error:
        raise ParsingError(json_error_text(error)) from None
    return value


def _named_lists(output: str, names: Collection[str], reading: Reading) -> dict[str, Any]:
    """Return the values of all keys, in lower case and with known names; the last key wins."""
    wanted = " or ".join(map(repr, LISTS.values()))
    interpret = object_with(LISTS.values())
    values = dict(read_answer(output, reading, interpret, f"an object with {wanted}"))
    known = spellings(names)

    def normalize_item(item: Any, depth: int) -> Any:
        if isinstance(item, str):
            word = item.strip().lower().replace("toggledon", "toggled_on")
            name = known.get(spelling(word), word)
            note_name([word], [name], reading)
            return name
        if isinstance(item, list) and not isinstance(item, JsonObject) and depth:
            return [normalize_item(word, depth - 1) for word in item]
        return item

    lists: dict[str, Any] = {
        name: normalize_item(values[name], 3) if name in LISTS.values() else None for name in values
    }
    for kind, name in LISTS.items():
        listed = lists.get(name)
        for item in listed if isinstance(listed, list) else ():
            _, words = _split_negation(item)
            predicate = words[0] if isinstance(words, list) and words else None
            if isinstance(predicate, str) and _KIND.get(predicate, kind) != kind:
                reading.note(Deviation.SHAPE, f"{predicate} under {name!r}")
    return lists


def _read_entry(item: Any, names: frozenset[str]) -> Entry:
    """Read ``[predicate, object, ...]`` or ``["not", [...]]``; anything else is malformed."""
    negative, words = _split_negation(item)
    proper = isinstance(words, list) and all(isinstance(word, str) for word in words)
    if not proper or not words or words[0] == "not":
        return Entry(
            OTHER, None, malformed=True, text=_malformed_text(item, _malformed_reason(item))
        )
    predicate, *args = words
    kind = _KIND.get(predicate, OTHER)
    malformed = len(words) not in ((2, 3) if kind == OTHER else (_LENGTH[kind],))
    atom = Atom(predicate, tuple(args))
    return Entry(
        kind,
        None if malformed else Not(atom) if negative else atom,
        malformed=malformed,
        unknown_predicate=kind == OTHER,
        unknown_object=not malformed and not names.issuperset(args),
        text=(
            _malformed_text(item, _wrong_length_text(predicate, kind, len(args)))
            if malformed
            else text_of(Not(atom) if negative else atom)
        ),
    )


def _split_negation(item: Any) -> tuple[bool, Any]:
    """Return whether an entry is negated, and the entry without its ``not``."""
    negative = isinstance(item, list) and len(item) == 2 and item[0] == "not"
    return negative, item[1] if negative else item


def _malformed_text(item: object, reason: str) -> str:
    return f"{escape(repr(to_plain(item)), _MAX_SHOWN)} ({reason})"


def _malformed_reason(item: object) -> str:
    """Return the reason why an item does not consist of words like a goal."""
    if not isinstance(item, list):
        return "a goal is a list"
    if not item:
        return "it is empty"
    if item[0] != "not":
        return "its items must be strings"
    return '"not" takes one goal in a list: ["not", ["open", ...]]'


def _wrong_length_text(predicate: str, kind: str, given: int) -> str:
    if kind == OTHER:
        return "a goal has one object or two"
    return wrong_number_text(predicate, _LENGTH[kind] - 1, given)


def _unchecked_entry(item: Any, names: frozenset[str]) -> Entry:
    """Read an entry like the published evaluator, which does not check types.

    A string becomes the list of its characters, and elements after the second one of a ``not`` are
    ignored.

    Raises:
        TypeError, LookupError: Where the published evaluator raises it.
    """
    negative = item[0] == "not"
    words = item[1] if negative else item
    predicate = words[0]
    kind = _KIND.get(predicate, OTHER) if isinstance(predicate, str) else OTHER
    sized = len(words) in (2, 3)
    used = [words[at] for at in range(1, len(words))] if sized else []
    literal: Literal | None = None
    proper = isinstance(words, list) and all(isinstance(word, str) for word in words)
    if proper and not (negative and len(item) != 2):
        atom = Atom(predicate, tuple(words[1:]))
        literal = Not(atom) if negative else atom
    return Entry(
        kind,
        literal,
        malformed=not sized,
        unknown_predicate=kind == OTHER,
        unknown_object=any(not isinstance(name, str) or name not in names for name in used),
        text=repr(item) if literal is None else text_of(literal),
    )


# -- literals ------------------------------------------------------------------------------------


def kind_of(literal: Literal) -> str:
    """Return the kind of a literal: ``state`` or ``relation``."""
    return _KIND[atom_of(literal).predicate]


def count_of_kind(kind: str, literals: Sequence[Literal]) -> int:
    """Count the literals of a kind."""
    return sum(kind_of(literal) == kind for literal in literals)


def replace_atom(literal: Literal, atom: Atom) -> Literal:
    """Replace the atom of a literal, keeping its negation."""
    return atom if isinstance(literal, Atom) else Not(atom)


def rename_objects(literal: Literal, names: Mapping[str, str]) -> Literal:
    """Rename the objects of a literal."""
    atom = atom_of(literal)
    return replace_atom(literal, Atom(atom.predicate, tuple(names[name] for name in atom.args)))


def text_of(literal: Literal) -> str:
    """Return a literal such as ``not open(jar.n.01_1)``, for people."""
    atom = atom_of(literal)
    negative = "" if isinstance(literal, Atom) else "not "
    return f"{negative}{atom.predicate}({', '.join(atom.args)})"


def render(literals: Sequence[Literal]) -> str:
    """Write goals over BDDL names in the format of the prompt."""
    lists: dict[str, list[Any]] = {name: [] for name in LISTS.values()}
    for literal in literals:
        atom = atom_of(literal)
        words: list[Any] = [atom.predicate, *atom.args]
        lists[LISTS[kind_of(literal)]].append(words if literal is atom else ["not", words])
    return json.dumps(lists)
